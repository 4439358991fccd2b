import { expect, test } from 'vitest'

import type { Config } from '#contract/config/catalogue.ts'
import { type Permission, PERMISSIONS } from '#contract/kit/access.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

/*
 * Roles and permissions of the decisions, written out once more, and checked against /me and the server's
 * access for every role and every combination of the relevant toggles.
 */
const { anOrganisation, send, signedInAs } = await startTestServer()

const WHO = ['USER', 'PLAYBOOK_MANAGER', 'BUSINESS_USER', 'ADMIN', 'EXTERNAL', 'KEY'] as const
type Who = (typeof WHO)[number]
/** Holders of each permission, in the order above. */
const MATRIX: readonly (readonly [Permission, string])[] = [
  ['dashboard', '✓ ✓ - ✓ - ✓'],
  ['chats', '✓ ✓ ✓ ✓ ✓ -'],
  ['incidents-read-only', '✓ ✓ ✓ ✓ ✓ -'],
  ['incidents-full-access', '✓ ✓ - ✓ - ✓'],
  ['groups-read-only', '✓ ✓ - ✓ - ✓'],
  ['playbook-read-only', '✓ ✓ ✓ ✓ - ✓'],
  ['playbook-full-access', '- ✓ - ✓ - -'],
  ['cross-enterprise-playbooks-sharing', '- ✓ - ✓ - -'],
  ['sfs', '✓ ✓ ✓ ✓ - -'],
  ['sfs-2fa', '✓ ✓ ✓ ✓ - -'],
  ['mass-notifs', '- - - ✓ - ✓'],
  ['user-admin', '- - - ✓ - -'],
  ['group-admin', '- - - ✓ - -'],
  ['chat-admin', '- - - ✓ - -'],
  ['customer-api-admin', '- - - ✓ - -'],
]
interface Toggles {
  readonly groups: boolean
  readonly playbooks: boolean
  readonly sharing: boolean
  readonly sfs2fa: boolean
  readonly children: boolean
}
/** Further conditions of a permission. */
const NEEDS: { readonly [P in Permission]?: (toggles: Toggles) => boolean } = {
  'groups-read-only': ({ groups }) => groups,
  'group-admin': ({ groups }) => groups,
  'playbook-read-only': ({ playbooks }) => playbooks,
  'playbook-full-access': ({ playbooks }) => playbooks,
  'cross-enterprise-playbooks-sharing': ({ playbooks, sharing, children }) =>
    playbooks && sharing && children,
  sfs: (toggles) => !toggles.sfs2fa,
  'sfs-2fa': (toggles) => toggles.sfs2fa,
}
const granted = (who: Who, toggles: Toggles): Permission[] =>
  MATRIX.filter(
    ([permission, row]) => row.split(' ')[WHO.indexOf(who)] === '✓' && (NEEDS[permission]?.(toggles) ?? true),
  )
    .map(([permission]) => permission)
    .toSorted()

/** An endpoint for each permission in use, and the callers who may use it. */
const DOORS: readonly (readonly [string, string, readonly Permission[], 'people only' | 'keys too'])[] = [
  ['GET', '/dashboard', ['dashboard'], 'keys too'],
  ['GET', '/incident', ['incidents-read-only', 'incidents-full-access'], 'keys too'],
  ['POST', '/incident', ['incidents-full-access'], 'keys too'],
  ['GET', '/group/all', ['groups-read-only'], 'keys too'],
  ['GET', '/useradmin/groups', ['group-admin'], 'people only'],
  ['POST', '/useradmin/group', ['group-admin'], 'people only'],
  ['GET', '/useradmin/users', ['user-admin'], 'people only'],
  ['POST', '/useradmin/user', ['user-admin'], 'people only'],
  ['GET', '/useradmin/roles', ['user-admin'], 'people only'],
  ['GET', '/chat/rooms', ['chats'], 'people only'],
  ['GET', '/useradmin/auditLog', ['user-admin'], 'people only'],
  ['GET', '/apiManagement/credentials', ['customer-api-admin'], 'people only'],
  ['GET', '/crossEnterprises/enterprises', ['cross-enterprise-playbooks-sharing'], 'people only'],
]

const bits = [false, true]
const ALL: readonly Toggles[] = bits.flatMap((groups) =>
  bits.flatMap((playbooks) =>
    bits.flatMap((sharing) =>
      bits.flatMap((sfs2fa) => bits.map((children) => ({ groups, playbooks, sharing, sfs2fa, children }))),
    ),
  ),
)
const configOf = ({ groups, playbooks, sharing, sfs2fa }: Toggles): Partial<Config> => ({
  groupsEnabled: groups,
  playbookEnabled: playbooks,
  playbooksSharingEnabled: sharing,
  sfs2fa,
})

async function aTeam(toggles: Toggles) {
  const org = await anOrganisation(configOf(toggles))
  if (toggles.children) await anOrganisation({}, { parentId: org.id })
  const admin = await signedInAs(org, 'ADMIN')
  const people: { readonly [W in Who]?: Caller } = {
    USER: await signedInAs(org, 'USER'),
    PLAYBOOK_MANAGER: await signedInAs(org, 'PLAYBOOK_MANAGER'),
    BUSINESS_USER: await signedInAs(org, 'BUSINESS_USER'),
    ADMIN: admin,
    // External people keep external permissions under every role.
    EXTERNAL: await signedInAs(org, 'ADMIN', { type: 'EXTERNAL' }),
  }
  const { key } = (await admin.post('/apiManagement/credentials', { name: 'Key' })).body
  return { people, headersOf: (who: Who) => people[who]?.headers ?? { 'X-Api-Key': key as string } }
}

const seen = new Set<Permission>()
const named = ALL.map((toggles) => {
  const on = Object.entries(toggles).flatMap(([name, isOn]) => (isOn ? [name] : []))
  return [on.join(', ') || 'nothing', toggles] as const
})
test.each(named)('with %s', async (_, toggles) => {
  const { people, headersOf } = await aTeam(toggles)
  for (const who of WHO) {
    const may = granted(who, toggles)
    const me = await people[who]?.get('/me')
    if (me) expect(me.body.userPermissions, who).toEqual(may)
    for (const permission of may) seen.add(permission)
    for (const [method, path, anyOf, whom] of DOORS) {
      const isAllowed =
        anyOf.some((permission) => may.includes(permission)) && (who !== 'KEY' || whom === 'keys too')
      const body = method === 'POST' ? {} : undefined
      const { status } = await send(method, path, { headers: headersOf(who), body })
      // An empty body is invalid input once access is granted.
      expect(status, `${who} ${method} ${path}`).toBe(!isAllowed ? 403 : body ? 400 : 200)
    }
  }
})

test('a key imports users only where it was given that right', async () => {
  const org = await anOrganisation({})
  const admin = await signedInAs(org, 'ADMIN')
  for (const mayImportUsers of [false, true]) {
    const name = `Key ${mayImportUsers}`
    const { key } = (await admin.post('/apiManagement/credentials', { name, mayImportUsers })).body
    const { status } = await send('POST', '/imports/users', { headers: { 'X-Api-Key': key }, body: {} })
    // A body that is no form is refused once access is granted.
    expect([mayImportUsers, status]).toEqual([mayImportUsers, mayImportUsers ? 415 : 403])
  }
})

test('together they are all the permissions that there are', () => {
  // Only keys have the last one.
  expect([...seen, 'user-import'].toSorted()).toEqual([...PERMISSIONS].toSorted())
})

test('a toggle of one organisation is nothing to another', async () => {
  const off = await aTeam({ groups: false, playbooks: true, sharing: false, sfs2fa: false, children: false })
  const on = await aTeam({ groups: true, playbooks: true, sharing: false, sfs2fa: false, children: false })
  expect((await off.people.ADMIN!.get('/useradmin/groups')).status).toBe(403)
  expect((await on.people.ADMIN!.get('/useradmin/groups')).status).toBe(200)
})
