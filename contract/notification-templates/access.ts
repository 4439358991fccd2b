import { has } from '#contract/kit/access.ts'

/** Access to notification templates, apart from the schemas, which the menu does not load. */
export const notificationTemplatesAccess = has('mass-notifs')
