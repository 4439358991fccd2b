import type { User } from '#contract/users/schema.ts'

const FIRST = ['Ana', 'Bo', 'Chidi', 'Dana', 'Elif']
let made = 0

/** Somebody as administrators see them: active, with a password, signed in before. */
export function aListedUser(changes: Partial<User> = {}): User {
  const number = made++
  const lastName = `Person ${String.fromCharCode(65 + (number % 26))}`
  return {
    uuid: crypto.randomUUID(),
    firstName: FIRST[number % FIRST.length]!,
    lastName,
    email: `person${number}@demo.example`,
    phoneNumber: null,
    role: 'USER',
    type: 'INTERNAL',
    active: true,
    banned: false,
    dashboard_user: false,
    profileImageUrl: null,
    location: null,
    department: null,
    lastLoginTimestamp: '2026-01-05T10:00:00.000Z',
    hasPasswordSet: true,
    wasSentActivationEmail: true,
    createTimestamp: '2026-01-01T00:00:00.000Z',
    version: 1,
    ...changes,
  }
}
