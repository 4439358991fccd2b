import * as z from 'zod/mini'

import { id, timestamp } from '#contract/kit/text.ts'

export const ReportState = z.enum(['MAKING', 'READY', 'FAILED'])
export type ReportState = z.infer<typeof ReportState>

/** A long report made in the background; concurrent requests share one. */
export const ReportRequest = z.object({
  id,
  incidentId: id,
  state: ReportState,
  /** Estimate in per cent. */
  progress: z.int(),
  createTimestamp: timestamp,
  /** Last time to download the report. */
  expireTimestamp: timestamp,
})
export type ReportRequest = z.infer<typeof ReportRequest>
