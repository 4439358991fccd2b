import { personWith } from '#contract/kit/access.ts'

/** Access to confirmations. Rights follow from the room or the incident. */
export const confirmationsAccess = personWith('chats', 'incidents-read-only', 'incidents-full-access')
