import * as z from 'zod/mini'

import { id, timestamp } from '#contract/kit/text.ts'

/** Types of records that carry attachments (operations §1 "File attachments"). */
export const ParentType = z.enum(['INCIDENT', 'ACTIVITY', 'PLAYBOOK'])
export type ParentType = z.infer<typeof ParentType>
export const Parent = z.object({ parentType: ParentType, parentId: id })
export type Parent = z.infer<typeof Parent>

/** An attachment's name, for lists that need no more (operations §3). */
export const AttachmentName = z.object({
  id,
  /** Without the extension. */
  name: z.string(),
  /** Without the dot. */
  extension: z.string(),
})
export type AttachmentName = z.infer<typeof AttachmentName>

/** A file attached to a parent record (operations §3 "Attachment", "folder item"). */
export const Attachment = z.extend(AttachmentName, {
  /** The content type detected from the bytes, not the type that the sender claimed. */
  type: z.string(),
  /** Bytes. */
  size: z.int(),
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: z.string(),
  /** Email of a person, or name of an API key. */
  createdBy: z.string(),
  createdByName: z.string(),
  lastUpdated: timestamp,
  parentType: ParentType,
  parentId: id,
})
export type Attachment = z.infer<typeof Attachment>

/** Files that the dialog takes at a time (operations §9). */
export const FILES_AT_ONCE = 5
/** Files that one person may add in a minute. */
export const UPLOADS_A_MINUTE = 60
/** Files that a task or update may carry. */
export const FILES_PER_ACTIVITY = 50
export const NOT_YOUR_FILE =
  'Only the person who added it, who declared the incident or an administrator can do this.'
export const NO_ROOM = 'There is no room left for this file in the storage of your organization.'
export const downloadFailed = (message: string) => `There was an issue downloading the file: ${message}`
export const removalFailed = (message: string) => `There was an issue deleting the attachment: ${message}`
export const listFailed = (message: string) => `Error fetching attachments: ${message}`
