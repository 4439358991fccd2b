import { type Access, personWith } from '#contract/kit/access.ts'

/** Access to the chat. Rights in a room follow from membership: see `roomCan`. */
export const chatAccess = personWith('chats')
/** Access to turning a message into a task or update of an incident. */
export const addToIncidentAccess = {
  realm: 'person',
  allOf: ['chats', 'incidents-full-access'],
} as const satisfies Access
/** Access to the groups that can be mentioned. */
export const mentionGroupsAccess = {
  realm: 'person',
  allOf: ['chats', 'groups-read-only'],
} as const satisfies Access
/** Access to the breakout room of an incident: the chat, and reading incidents. */
export const incidentRoomAccess = {
  ...personWith('incidents-read-only', 'incidents-full-access'),
  allOf: ['chats'],
} as const satisfies Access
