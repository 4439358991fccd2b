import { has } from '#contract/kit/access.ts'

/** Who may make the calls about contacts. It stands apart from their schemas, which the menu does not load. */
export const contactsAccess = has('mass-notifs')
