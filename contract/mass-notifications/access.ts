import { type Access, has } from '#contract/kit/access.ts'

/** Access to mass notifications, apart from the schemas, which the menu does not load. */
export const massNotificationsAccess = has('mass-notifs')
/** Access to the people whom a group notifies: the group's members. */
export const groupMembersAccess = {
  realm: 'organisation',
  allOf: ['mass-notifs', 'groups-read-only'],
} as const satisfies Access
