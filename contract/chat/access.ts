import { type Access, personWith } from '#contract/kit/access.ts'

/** Who may make the calls of the chat. What somebody may do in a room follows from being a member: see `roomCan`. */
export const chatAccess = personWith('chats')
/** Who may make a message a part of an incident. */
export const addToIncidentAccess = {
  realm: 'person',
  allOf: ['chats', 'incidents-full-access'],
} as const satisfies Access
/** Access to the breakout room of an incident: the chat, and reading incidents. */
export const incidentRoomAccess = {
  ...personWith('incidents-read-only', 'incidents-full-access'),
  allOf: ['chats'],
} as const satisfies Access
