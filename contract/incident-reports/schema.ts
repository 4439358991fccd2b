import * as z from 'zod/mini'

import { id, timestamp } from '#contract/kit/text.ts'

export const ReportState = z.enum(['MAKING', 'READY', 'FAILED'])
export type ReportState = z.infer<typeof ReportState>

/** A long report that is made in the background; concurrent requests share it. */
export const ReportRequest = z.object({
  id,
  incidentId: id,
  state: ReportState,
  /** Per cent, as far as it can be told. */
  progress: z.int(),
  createTimestamp: timestamp,
  /** Until when it can be fetched. */
  expireTimestamp: timestamp,
})
export type ReportRequest = z.infer<typeof ReportRequest>
