import * as z from 'zod/mini'

import { id, timestamp } from './text.ts'

/** Fields of a ZIP file that a background job makes for a person. */
export const archiveFields = {
  id,
  state: z.enum(['MAKING', 'READY', 'FAILED']),
  /** Per cent. */
  progress: z.int(),
  createTimestamp: timestamp,
  /** Last time to download the file. */
  expireTimestamp: timestamp,
}
const Archive = z.object(archiveFields)
export type Archive = z.infer<typeof Archive>
