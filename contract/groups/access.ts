import { personWith } from '#contract/kit/access.ts'

/** Who may make the calls about groups. It stands apart from their schemas, which the menu does not load. */
export const groupsAccess = personWith('group-admin')
