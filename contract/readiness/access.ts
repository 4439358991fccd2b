import { type Access, personWith } from '#contract/kit/access.ts'

/** Access to the board: those who administer people, and so can mend it. */
export const readinessAccess = personWith('user-admin')
/** Access to communication tests: they are sent to many, as mass notifications are. */
export const communicationTestAccess = {
  realm: 'person',
  allOf: ['user-admin', 'mass-notifs'],
} as const satisfies Access
