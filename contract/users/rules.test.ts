import { describe, expect, test } from 'vitest'

import { configOf } from '#contract/config/catalogue.ts'
import { type Permission, PERMISSIONS } from '#contract/kit/access.ts'
import { INVALID_NAME } from '#contract/kit/text.ts'

import { fullName } from '#contract/kit/names.ts'
import {
  externalType,
  isSelectable,
  isTargetable,
  nameProblem,
  OFFERED_ROLES,
  permissionsOf,
  permissionsOfKey,
  roleOption,
  userCan,
  userStatus,
} from './rules.ts'
import { USER_ROLES, type UserRole } from './schema.ts'

const everything = configOf({ playbooksSharingEnabled: true })
const inside = (role: UserRole) => ({ role, type: 'INTERNAL' as const })

/** The table of decisions §2, in its own order. */
const TABLE: { [P in Permission]?: string } = {
  dashboard: 'USER PLAYBOOK_MANAGER ADMIN',
  chats: 'USER PLAYBOOK_MANAGER BUSINESS_USER ADMIN',
  'incidents-read-only': 'USER PLAYBOOK_MANAGER BUSINESS_USER ADMIN',
  'incidents-full-access': 'USER PLAYBOOK_MANAGER ADMIN',
  'groups-read-only': 'USER PLAYBOOK_MANAGER ADMIN',
  'playbook-read-only': 'USER PLAYBOOK_MANAGER BUSINESS_USER ADMIN',
  'playbook-full-access': 'PLAYBOOK_MANAGER ADMIN',
  'cross-enterprise-playbooks-sharing': 'PLAYBOOK_MANAGER ADMIN',
  sfs: 'USER PLAYBOOK_MANAGER BUSINESS_USER ADMIN',
  'mass-notifs': 'ADMIN',
  'user-admin': 'ADMIN',
  'group-admin': 'ADMIN',
  'chat-admin': 'ADMIN',
  'customer-api-admin': 'ADMIN',
}

describe('permissions', () => {
  const cases = USER_ROLES.flatMap((role) => PERMISSIONS.map((permission) => [role, permission] as const))
  test.each(cases)('%s and %s', (role, permission) => {
    const granted = permissionsOf(inside(role), everything, true)
    expect(granted.includes(permission)).toBe(TABLE[permission]?.split(' ').includes(role) ?? false)
  })

  test.each<[string, Partial<typeof everything>, Permission[]]>([
    ['without groups', { groupsEnabled: false }, ['group-admin', 'groups-read-only']],
    [
      'without playbooks',
      { playbookEnabled: false },
      ['cross-enterprise-playbooks-sharing', 'playbook-full-access', 'playbook-read-only'],
    ],
    ['without sharing', { playbooksSharingEnabled: false }, ['cross-enterprise-playbooks-sharing']],
    ['without mass notifications', { contactsAndMassNotificationsEnabled: false }, []],
  ])('an administrator %s', (_, config, lost) => {
    const all = permissionsOf(inside('ADMIN'), everything, true)
    const left = permissionsOf(inside('ADMIN'), { ...everything, ...config }, true)
    expect(all.filter((permission) => !left.includes(permission))).toEqual(lost)
  })

  test('sharing needs a child organisation', () => {
    expect(permissionsOf(inside('ADMIN'), everything, false)).not.toContain(
      'cross-enterprise-playbooks-sharing',
    )
  })

  test('files ask for a second factor where the organisation says so', () => {
    const granted = permissionsOf(inside('BUSINESS_USER'), { ...everything, sfs2fa: true }, true)
    expect(granted).toContain('sfs-2fa')
    expect(granted).not.toContain('sfs')
  })

  test.each([
    ['YES', 'EXTERNAL'],
    ['yes ', 'EXTERNAL'],
    ['Y', 'EXTERNAL'],
    ['true', 'EXTERNAL'],
    ['t', 'EXTERNAL'],
    ['NO', 'INTERNAL'],
    ['n', 'INTERNAL'],
    ['False', 'INTERNAL'],
    ['F', 'INTERNAL'],
    ['0', 'INTERNAL'],
    [' ', 'INTERNAL'],
    ...['JA', 'OUI', 'SI', 'X', '1', 'EXTERNAL', 'Guest', 'да', 'External contractor'].map((word) => [
      word,
      null,
    ]),
  ])('“%s” below External is %s', (word, type) => {
    expect(externalType(word!)).toBe(type)
  })

  test.each(USER_ROLES)('an external %s keeps chats and reading of incidents', (role) => {
    expect(permissionsOf({ role, type: 'EXTERNAL' }, everything, true)).toEqual([
      'chats',
      'incidents-read-only',
    ])
  })

  test('an API key acts for the organisation', () => {
    expect(permissionsOfKey(everything)).toEqual([
      'dashboard',
      'groups-read-only',
      'incidents-full-access',
      'mass-notifs',
      'playbook-read-only',
    ])
    expect(permissionsOfKey({ ...everything, groupsEnabled: false, playbookEnabled: false })).toEqual([
      'dashboard',
      'incidents-full-access',
      'mass-notifs',
    ])
    expect(permissionsOfKey(everything, true)).toContain('user-import')
  })
})

describe('status', () => {
  const login = '2025-03-01T10:00:00.000Z'
  test.each([
    ['Archived', false, login, true, true],
    ['Active', true, login, true, true],
    ['Active', true, login, false, false],
    ['Has Set Password', true, null, true, true],
    ['Sent Activation Email', true, null, false, true],
    ['Uninitialized', true, null, false, false],
  ])('%s', (status, active, lastLoginTimestamp, hasPasswordSet, wasSentActivationEmail) => {
    expect(userStatus({ active, lastLoginTimestamp, hasPasswordSet, wasSentActivationEmail })).toBe(status)
  })
})

describe('what can be done with a user', () => {
  const me = { uuid: 'me' }
  test('only active users are edited and deactivated, only archived ones reactivated', () => {
    expect(userCan.edit({ active: true })).toBe(true)
    expect(userCan.edit({ active: false })).toBe(false)
    expect(userCan.deactivate({ active: true, uuid: 'other' }, me)).toBe(true)
    expect(userCan.deactivate({ active: false, uuid: 'other' }, me)).toBe(false)
    expect(userCan.reactivate({ active: true })).toBe(false)
    expect(userCan.reactivate({ active: false })).toBe(true)
  })
  test('the sessions of others who are active can be ended', () => {
    expect(userCan.endSessions({ active: true, uuid: 'other' }, me)).toBe(true)
    expect(userCan.endSessions({ active: false, uuid: 'other' }, me)).toBe(false)
    expect(userCan.endSessions({ active: true, uuid: 'me' }, me)).toBe(false)
  })
  test('nobody deactivates themselves', () => {
    expect(userCan.deactivate({ active: true, uuid: 'me' }, me)).toBe(false)
  })

  const person = {
    active: true,
    banned: false,
    dashboard_user: false,
    email: 'a@b.example',
    role: 'USER' as const,
  }
  test.each([
    ['an active person', {}, true, true],
    ['a business user', { role: 'BUSINESS_USER' as const }, true, false],
    ['an archived person', { active: false }, false, false],
    ['a banned person', { banned: true }, false, false],
    ['a screen on a wall', { dashboard_user: true }, false, false],
    ['somebody without an address', { email: '' }, false, false],
  ])('%s in pickers', (_, changes, selectable, targetable) => {
    expect(isSelectable({ ...person, ...changes })).toBe(selectable)
    expect(isTargetable({ ...person, ...changes })).toBe(targetable)
  })
})

describe('names', () => {
  test.each(['Ana', 'Ana María', 'J. R. Okafor', 'Łukasz', 'Ольга', '美咲', 'नेहा', 'عمر'])(
    '%s is plain',
    (name) => {
      expect(nameProblem(name, 'STANDARD')).toBeUndefined()
    },
  )
  test.each(['Anne-Marie', "O'Brien", 'Zoë2', 'Smith, Jr.', 'Björk (Annie)'])(
    '%s needs the extended characters',
    (name) => {
      expect(nameProblem(name, 'STANDARD')).toBe(INVALID_NAME)
      expect(nameProblem(name, 'EXTENDED')).toBeUndefined()
    },
  )
  test('a last name may be missing where the organisation allows it', () => {
    expect(nameProblem('', 'STANDARD')).toBe('Please enter a last name.')
    expect(nameProblem('', 'EXTENDED')).toBeUndefined()
  })
  test('a full name has no loose spaces', () => {
    expect(fullName({ firstName: 'Ana', lastName: 'Silva' })).toBe('Ana Silva')
    expect(fullName({ firstName: 'Ana', lastName: '' })).toBe('Ana')
  })
})

test('forms offer three roles, in words', () => {
  expect(OFFERED_ROLES.map((role) => roleOption(role).visibleName)).toEqual([
    'User',
    'Admin',
    'Business User',
  ])
  expect(roleOption('PLAYBOOK_MANAGER').description).not.toBe('')
})
