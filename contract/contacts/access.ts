import { has } from '#contract/kit/access.ts'

/** Access to the endpoints for contacts, apart from the schemas, which the menu does not load. */
export const contactsAccess = has('mass-notifs')
