import * as z from 'zod/mini'

import { archiveFields } from '#contract/kit/archives.ts'

import { id } from '#contract/kit/text.ts'

export const START_REQUIRED = 'Start date is required.'
export const END_REQUIRED = 'End date is required.'
export const START_AFTER_END = 'The start date must match or precede the end date.'
export const END_BEFORE_START = 'The end date must match or be after the start date.'
export const IN_THE_FUTURE = 'The dates of an export cannot be in the future.'

/** The body of a request for an export (operations §7). Both ends of the time are inclusive. */
export const NewExport = z.object({
  /** Id of the room. */
  id,
  type: z.enum(['team', 'messaging']),
  messagesSince: z.iso.datetime(START_REQUIRED),
  messagesUntil: z.iso.datetime(END_REQUIRED),
})
export type NewExport = z.infer<typeof NewExport>

/** An export of a room as a ZIP file. */
export const RoomExport = z.object({ ...archiveFields, roomId: id })
export type RoomExport = z.infer<typeof RoomExport>
