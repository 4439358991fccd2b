import * as z from 'zod/mini'

import { id, listOf } from './text.ts'

/** Records that one call can change: a page of a list. */
export const SEVERAL_MAX = 100
/** The records that a call changes together. One that is named twice counts once. */
export const Several = z.object({
  ids: listOf(id, SEVERAL_MAX, { required: 'Choose at least one.' }),
})
/** What happened to each of several records, in the order in which they were named. */
export const SeveralOutcomes = z.object({
  outcomes: z.array(
    z.object({
      id,
      /** Why nothing was done for this record; null where it was. */
      refusal: z.nullable(z.string()),
    }),
  ),
})
export type SeveralOutcomes = z.infer<typeof SeveralOutcomes>
