import { personWith } from '#contract/kit/access.ts'

/** Access to the audit-log endpoints, apart from the schemas, which the menu does not load. */
export const auditLogAccess = personWith('user-admin')
