import { personWith } from '#contract/kit/access.ts'

/** Who changes the configuration of the own organisation. It stands apart from the schemas, which the menu does not load. */
export const configItemsAccess = personWith('user-admin')
