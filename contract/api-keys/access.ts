import { personWith } from '#contract/kit/access.ts'

/** Who may make the calls about API keys. It stands apart from their schemas, which the menu does not load. */
export const apiKeysAccess = personWith('customer-api-admin')
