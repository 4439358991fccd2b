import { type Access, has } from '#contract/kit/access.ts'

/** Who may make the calls about mass notifications. It stands apart from their schemas, which the menu does not load. */
export const massNotificationsAccess = has('mass-notifs')
/** Who may see whom a group notifies: that is who is in it. */
export const groupMembersAccess = {
  realm: 'organisation',
  allOf: ['mass-notifs', 'groups-read-only'],
} as const satisfies Access
