import * as z from 'zod/mini'

import { id, listOf } from './text.ts'

/** Records that one call can change: a page of a list. */
export const SEVERAL_MAX = 100
/** The records that one call changes, de-duplicated. */
export const Several = z.object({
  ids: listOf(id, SEVERAL_MAX, { required: 'Choose at least one.' }),
})
/** Outcome for each record, in the order of the request. */
export const SeveralOutcomes = z.object({
  outcomes: z.array(
    z.object({
      id,
      /** Why the record was not changed; null for success. */
      refusal: z.nullable(z.string()),
    }),
  ),
})
export type SeveralOutcomes = z.infer<typeof SeveralOutcomes>
