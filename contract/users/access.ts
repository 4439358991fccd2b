import { personWith } from '#contract/kit/access.ts'

/** Who may make the calls about the people of an organisation. It stands apart from their schemas, which the menu does not load. */
export const usersAccess = personWith('user-admin')
