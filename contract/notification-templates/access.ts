import { has } from '#contract/kit/access.ts'

/** Who may make the calls about notification templates. It stands apart from their schemas, which the menu does not load. */
export const notificationTemplatesAccess = has('mass-notifs')
