import type { FoundSuppression } from '#contract/suppressions/schema.ts'
import { pick } from '#contract/kit/pick.ts'
import { NewUser, type User, USER_FIELDS } from '#contract/users/schema.ts'

const FIRST = ['Ana', 'Bo', 'Chidi', 'Dana', 'Elif']
let made = 0

/** A user in the administration: active, with a password and an earlier sign-in. */
export function aListedUser(changes: Partial<User> = {}): User {
  const number = made++
  const added = NewUser.parse({
    firstName: FIRST[number % FIRST.length]!,
    lastName: `Person ${String.fromCharCode(65 + (number % 26))}`,
    email: `person${number}@demo.example`,
  })
  return {
    uuid: crypto.randomUUID(),
    email: added.email,
    ...pick(added, USER_FIELDS),
    active: true,
    banned: false,
    dashboard_user: false,
    profileImageUrl: null,
    lastLoginTimestamp: '2026-01-05T10:00:00.000Z',
    hasPasswordSet: true,
    wasSentActivationEmail: true,
    passwordChangeRequired: false,
    createTimestamp: '2026-01-01T00:00:00.000Z',
    version: 1,
    ...changes,
  }
}

/** A number whose owner has unsubscribed. */
export const aSuppression = (changes: Partial<FoundSuppression> = {}): FoundSuppression => ({
  id: crypto.randomUUID(),
  kind: 'PHONE',
  address: '+14165550101',
  reason: 'STOPPED',
  code: null,
  said: null,
  notificationId: null,
  createTimestamp: '2026-05-04T10:00:00.000Z',
  liftTimestamp: null,
  liftedBy: null,
  liftReason: null,
  owner: null,
  ...changes,
})
