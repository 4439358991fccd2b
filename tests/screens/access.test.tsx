import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import { type Permission, PERMISSIONS } from '#contract/kit/access.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import type { UserRole } from '#contract/users/schema.ts'
import { SECTIONS } from '#src/app/sections.ts'
import { answer, change, laidOut, open, signedIn } from '#tests/support/client.tsx'

interface Entry {
  readonly label: string
  readonly path: string
  /** Any one of these permissions opens it. */
  readonly anyOf: readonly Permission[]
  /** Roles that see it, and the toggle that hides it from everybody. */
  readonly who: string
  readonly toggle?: 'groupsEnabled' | 'playbookEnabled'
}
const TEAM = 'USER PLAYBOOK_MANAGER ADMIN'
const STAFF = `${TEAM} BUSINESS_USER`
/** The menu of the specification, in order. Entries without a page are skipped until they have one. */
const MENU: readonly Entry[] = [
  { label: 'Dashboard', path: '/', anyOf: ['dashboard'], who: TEAM },
  {
    label: 'Incidents',
    path: '/incidents',
    anyOf: ['incidents-read-only', 'incidents-full-access'],
    who: `${STAFF} EXTERNAL`,
  },
  {
    label: 'Playbooks',
    path: '/playbooks',
    anyOf: ['playbook-read-only', 'playbook-full-access'],
    who: STAFF,
    toggle: 'playbookEnabled',
  },
  { label: 'Messaging', path: '/chat', anyOf: ['chats'], who: `${STAFF} EXTERNAL` },
  { label: 'Files', path: '/secure-file-storage', anyOf: ['sfs', 'sfs-2fa'], who: STAFF },
  { label: 'Users', path: '/user-admin', anyOf: ['user-admin'], who: 'ADMIN' },
  { label: 'Groups', path: '/groups', anyOf: ['group-admin'], who: 'ADMIN', toggle: 'groupsEnabled' },
  { label: 'Messaging', path: '/messaging-admin', anyOf: ['chat-admin'], who: 'ADMIN' },
  { label: 'Audit Log', path: '/audit-log', anyOf: ['user-admin'], who: 'ADMIN' },
  { label: 'API Keys', path: '/settings/api-keys', anyOf: ['customer-api-admin'], who: 'ADMIN' },
  {
    label: 'Inbound Webhooks',
    path: '/settings/declarations',
    anyOf: ['customer-api-admin'],
    who: 'ADMIN',
  },
  { label: 'Outbound Webhooks', path: '/settings/webhooks', anyOf: ['customer-api-admin'], who: 'ADMIN' },
  { label: 'Organization', path: '/settings/organisation', anyOf: ['user-admin'], who: 'ADMIN' },
]
const BUILT = MENU.filter(({ path }) => SECTIONS.some((section) => section.path === path))
const ON = { groupsEnabled: true, playbookEnabled: true, playbooksSharingEnabled: true, sfs2fa: false }

const menu = () => screen.findByRole('navigation', { name: 'Main menu' })
async function labels() {
  const known = new Set(BUILT.map(({ label }) => label))
  const links = within(await menu()).queryAllByRole('link')
  return links.flatMap(({ textContent }) => (known.has(textContent) ? [textContent] : []))
}

beforeEach(() => {
  laidOut()
  answer('get', '/sfs/folder/0', [])
  answer('get', '/incident', { data: [], page: 0, size: 20, total: 0, people: [] })
})

describe('the menu', () => {
  const roles: readonly UserRole[] = ['USER', 'PLAYBOOK_MANAGER', 'BUSINESS_USER', 'ADMIN']
  const cases = [...roles, 'EXTERNAL' as const].flatMap((who) =>
    (['nothing', 'groupsEnabled', 'playbookEnabled'] as const).map((off) => [who, off] as const),
  )
  test.each(cases)('of %s, with %s switched off', async (who, off) => {
    const user =
      who === 'EXTERNAL'
        ? ({ role: 'ADMIN', type: 'EXTERNAL' } as const)
        : ({ role: who, type: 'INTERNAL' } as const)
    signedIn(user.role, permissionsOf(user, { ...ON, [off]: false }, true))
    open('/')
    const seen = BUILT.filter((entry) => entry.who.split(' ').includes(who) && entry.toggle !== off)
    await waitFor(async () => expect(await labels()).toEqual(seen.map(({ label }) => label)))
  })

  test.each<[Permission, readonly string[], boolean]>([
    ['user-admin', ['Users', 'Audit Log', 'Organization'], true],
    ['group-admin', ['Groups'], false],
    ['chat-admin', ['Messaging'], false],
  ])('has an Administration for whoever has only %s', async (permission, entries, hasSettings) => {
    signedIn('USER', ['dashboard', permission])
    open('/')
    await waitFor(async () => expect(await labels()).toEqual(['Dashboard', ...entries]))
    expect(within(await menu()).getByText('Administration')).toBeVisible()
    expect(within(await menu()).queryAllByText('Settings')).toHaveLength(hasSettings ? 1 : 0)
  })

  test('has neither Administration nor Settings for whoever has nothing in them', async () => {
    signedIn('USER')
    open('/')
    await screen.findByText('Safe')
    expect(within(await menu()).queryByText('Administration')).toBeNull()
    expect(within(await menu()).queryByText('Settings')).toBeNull()
  })

  test('changes with what another tab has heard of the rights', async () => {
    const { permissions } = signedIn('ADMIN')
    open('/')
    const entries = within(await menu())
    await entries.findByRole('link', { name: 'Users' })
    await waitFor(() => {
      // The initial response to `/me` may arrive after the first change.
      act(() => change({ permissions: permissions.filter((one) => one !== 'user-admin') }))
      expect(entries.queryByRole('link', { name: 'Users' })).toBeNull()
    })
    expect(within(await menu()).getByRole('link', { name: 'API Keys' })).toBeVisible()
  })
})

describe('a page', () => {
  const behind = BUILT.map(({ path, anyOf }) => [path, anyOf] as const)
  test.each([...behind, ['/incidents/create', ['incidents-full-access']] as const])(
    '%s is left by whoever has everything but %j',
    async (path, anyOf) => {
      signedIn(
        'ADMIN',
        PERMISSIONS.filter((one) => !anyOf.includes(one)),
      )
      open(path)
      const title = path === '/' ? 'Messaging' : 'Dashboard'
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument()
      expect(location.pathname).toBe(path === '/' ? '/chat' : '/')
    },
  )
})
