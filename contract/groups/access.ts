import { personWith } from '#contract/kit/access.ts'

/** Access to the endpoints for groups, apart from the schemas, which the menu does not load. */
export const groupsAccess = personWith('group-admin')
