import { personWith } from '#contract/kit/access.ts'

/** Who may make the calls about the audit log. It stands apart from their schemas, which the menu does not load. */
export const auditLogAccess = personWith('user-admin')
