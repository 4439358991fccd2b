import { personWith } from '#contract/kit/access.ts'

/** Access to the administration of users, apart from the schemas, which the menu does not load. */
export const usersAccess = personWith('user-admin')
