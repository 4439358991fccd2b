import * as z from 'zod/mini'

import { id, timestamp } from './text.ts'

/** What is said of a ZIP file that a job makes for somebody. */
export const archiveFields = {
  id,
  state: z.enum(['MAKING', 'READY', 'FAILED']),
  /** Per cent. */
  progress: z.int(),
  createTimestamp: timestamp,
  /** Until when it can be fetched. */
  expireTimestamp: timestamp,
}
const Archive = z.object(archiveFields)
export type Archive = z.infer<typeof Archive>
