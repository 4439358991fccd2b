import { personWith } from '#contract/kit/access.ts'

/** Access to the endpoints for API keys, apart from the schemas, which the menu does not load. */
export const apiKeysAccess = personWith('customer-api-admin')
