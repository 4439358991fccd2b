import { has } from '#contract/kit/access.ts'

/** Who may make the calls about mass notifications. It stands apart from their schemas, which the menu does not load. */
export const massNotificationsAccess = has('mass-notifs')
