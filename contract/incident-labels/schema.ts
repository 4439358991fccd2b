import * as z from 'zod/mini'

/** Labels of one answer: suggestions while somebody types, never all of them. */
export const SUGGESTED_MAX = 50
export const SUGGESTED_DEFAULT = 20

/** A label that incidents have. */
export const IncidentLabel = z.object({
  /** In its most used spelling. */
  label: z.string(),
  /** Incidents and exercises that have it, in any spelling. */
  usedCount: z.int(),
})
export type IncidentLabel = z.infer<typeof IncidentLabel>
