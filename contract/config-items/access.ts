import { personWith } from '#contract/kit/access.ts'

/** Access to the configuration of one's own organisation, apart from the schemas, which the menu does not load. */
export const configItemsAccess = personWith('user-admin')
