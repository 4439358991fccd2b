import { expect, test } from 'vitest'

import {
  type Access,
  allows,
  type AccessCaller,
  everybody,
  has,
  needsVerification,
  personWith,
  signedIn,
  type StaffRole,
} from './access.ts'

const person = (
  ...permissions: Extract<AccessCaller, { kind: 'person' | 'key' }>['permissions']
): AccessCaller => ({
  kind: 'person',
  permissions,
})
const key: AccessCaller = { kind: 'key', permissions: ['dashboard'] }
const staffAs = (role: StaffRole): AccessCaller => ({ kind: 'staff', role })
const staff = staffAs('LOOK')
const both: Access = { realm: 'person', allOf: ['user-admin', 'group-admin'] }
const mixed: Access = { realm: 'organisation', allOf: ['chats'], anyOf: ['sfs', 'sfs-2fa'] }

test.each<[string, Access, AccessCaller, boolean]>([
  ['everybody, a stranger', everybody, null, true],
  ['who is signed in, a stranger', signedIn, null, false],
  ['who is signed in', signedIn, person(), true],
  ['who is signed in, a key', signedIn, key, false],
  ['who is signed in, staff of the provider', signedIn, staff, false],
  ['any of two, none', has('sfs', 'sfs-2fa'), person('chats'), false],
  ['any of two, one', has('sfs', 'sfs-2fa'), person('sfs-2fa'), true],
  ['any of one, a key', has('dashboard'), key, true],
  ['people with any of one, a key', personWith('dashboard'), key, false],
  ['all of two, one', both, person('user-admin'), false],
  ['all of two, both', both, person('group-admin', 'chats', 'user-admin'), true],
  ['all of one and any of two, only one', mixed, person('chats'), false],
  ['all of one and any of two, only any', mixed, person('sfs'), false],
  ['all of one and any of two', mixed, person('sfs', 'chats'), true],
  ['staff, a person with everything', { realm: 'provider', role: 'LOOK' }, person('user-admin'), false],
  ['staff who look', { realm: 'provider', role: 'LOOK' }, staff, true],
  ['staff who support, one who looks', { realm: 'provider', role: 'SUPPORT' }, staff, false],
  ['staff who support', { realm: 'provider', role: 'SUPPORT' }, staffAs('SUPPORT'), true],
  [
    'staff who support, an administrator',
    { realm: 'provider', role: 'SUPPORT' },
    staffAs('ADMINISTER'),
    true,
  ],
  [
    'staff who administer, one who supports',
    { realm: 'provider', role: 'ADMINISTER' },
    staffAs('SUPPORT'),
    false,
  ],
])('%s', (_, access, caller, allowed) => {
  expect(allows(access, caller)).toBe(allowed)
})

test('a verified session is needed of who holds the permission that asks for it', () => {
  const access: Access = { realm: 'person', anyOf: ['sfs', 'sfs-2fa'], verifiedWith: 'sfs-2fa' }
  expect(needsVerification(access, person('sfs-2fa'))).toBe(true)
  expect(needsVerification(access, person('sfs'))).toBe(false)
  for (const open of [signedIn, everybody]) expect(needsVerification(open, person('sfs-2fa'))).toBe(false)
  for (const nobody of [staff, null]) expect(needsVerification(access, nobody)).toBe(false)
})
