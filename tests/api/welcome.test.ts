import { afterEach, describe, expect, test, vi } from 'vitest'

import type { ChannelWithMembers } from '#contract/channels/schema.ts'
import { USER_DEFAULTS } from '#contract/users/schema.ts'
import { DEFAULT_FOLDERS, DEFAULT_WAR_ROOMS, readWelcomeToken } from '#contract/welcome/rules.ts'
import type { WelcomePackage } from '#contract/welcome/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'

import { madeRoom } from '../support/chat.ts'
import { type Organisation, startTestServer } from '../support/server.ts'

const STAFF = 'staff@provider.example'
const muster = await startTestServer({ STAFF_EMAILS: STAFF })
const { anOrganisation, aUser, inside, send, services } = muster
const staff = await muster.signedInAsStaff()
afterEach(() => vi.restoreAllMocks())

const mailsTo = (org: Organisation) =>
  inside(org, (db) =>
    db.selectFrom('messages').select(['recipient', 'subject', 'text']).orderBy('create_timestamp').execute(),
  )
const invite = (org: Organisation, feUrl = services.publicUrl()) =>
  staff.post(`/enterprise/${org.id}/sendWelcomeEmail?feUrl=${encodeURIComponent(feUrl)}`)

/** An organisation with its administrator, who was mailed a welcome package. */
async function aPackage(more: { config?: object; maxUsers?: number } = {}) {
  const org = await anOrganisation(more.config, { maxUsers: more.maxUsers ?? 50 })
  const admin = await aUser(org, { role: 'ADMIN', firstName: 'Ada', lastName: 'Main' })
  expect((await invite(org)).status).toBe(200)
  const uid = await uidOf(org)
  const get = () => send('GET', `/welcome/${uid}`)
  const state = async (): Promise<WelcomePackage> => (await get()).body
  const save = async (changes: object = {}) => {
    const { lastUpdateTimestamp, users, warRooms, fileFolders } = await state()
    return send('POST', `/welcome/${uid}`, {
      body: { lastUpdateTimestamp, users, warRooms, fileFolders, ...changes },
    })
  }
  const submit = (changes: object = {}) => save({ status: 'SUBMITTED', ...changes })
  const settled = () => expect.poll(async () => (await state()).status).not.toBe('SUBMITTED')
  const invitation = async () => (await staff.get(`/enterprise/${org.id}/welcomePackage`)).body
  return { org, admin, uid, get, state, save, submit, settled, invitation }
}
async function uidOf(org: Organisation): Promise<string> {
  const { text } = (await mailsTo(org)).at(-1)!
  const link = new URL(/http\S+/.exec(text!)![0])
  return readWelcomeToken(link.searchParams.get('id')!)!.uid
}
const person = (n: number | string, more: object = {}) => ({
  ...USER_DEFAULTS,
  firstName: 'Ana',
  lastName: 'Roy',
  email: `ana${n}@example.org`,
  department: 'Legal',
  ...more,
})
const stored = (user: object) => ({ ...user, isMainAdminUser: false })
const usersOf = (org: Organisation) =>
  inside(org, (db) =>
    db.selectFrom('users').select(['email', 'role', 'type', 'department']).orderBy('email').execute(),
  )
const foldersOf = (org: Organisation) =>
  inside(org, (db) => db.selectFrom('file_items').select(['name', 'folder_type']).orderBy('id').execute())
/** War rooms besides Headquarters, with the roles of their members. */
async function roomsOf(org: Organisation): Promise<Record<string, Record<string, string>>> {
  const admin = await muster.signedInAs(org, 'ADMIN')
  const { body } = await admin.post('/streamadmin/channels', { filter_conditions: { isWarRoom: true } })
  const found = (body.channels as ChannelWithMembers[]).filter(({ channel }) => !channel.isHeadquarters)
  return Object.fromEntries(
    found.map(({ channel, members }) => [
      channel.name,
      Object.fromEntries(members.map(({ user, channel_role }) => [user.email, channel_role])),
    ]),
  )
}

describe('an invitation', () => {
  test('is mailed to the administrator, with a link that names the package and the service', async () => {
    const org = await anOrganisation()
    const admin = await aUser(org, { role: 'ADMIN', firstName: 'Ada' })
    const { status, body } = await invite(org)
    expect([status, body]).toEqual([
      200,
      {
        status: 'CREATED',
        sentTimestamp: expect.any(String),
        sentTo: admin.email,
        expiresTimestamp: expect.any(String),
        lastUpdateTimestamp: null,
        errorCode: null,
        failure: null,
      },
    ])
    const [mail] = await mailsTo(org)
    expect(mail).toMatchObject({ recipient: admin.email, subject: `Set up Organisation ${org.code}` })
    const link = new URL(/http\S+/.exec(mail!.text!)![0])
    expect(link.origin + link.pathname).toBe(`${services.publicUrl()}/welcome`)
    const token = JSON.parse(Buffer.from(link.searchParams.get('id')!, 'base64').toString())
    expect(Object.keys(token).sort()).toEqual(['apiAddress', 'uid'])
    expect(token.apiAddress).toBe(`${services.publicUrl()}/api`)
  })

  test.each(['https://evil.example', 'javascript:alert(1)', '', 'http://127.0.0.1.evil.example'])(
    'does not lead to %s',
    async (feUrl) => {
      const org = await anOrganisation()
      await aUser(org, { role: 'ADMIN' })
      const { status, body } = await invite(org, feUrl)
      expect([status, Object.keys(body.fields)]).toEqual([400, ['feUrl']])
      expect(await mailsTo(org)).toEqual([])
    },
  )

  test('opens a package that begins with the usual war rooms and folders', async () => {
    const { state, admin } = await aPackage()
    const { warRooms, fileFolders } = await state()
    expect(fileFolders).toEqual(DEFAULT_FOLDERS)
    expect(warRooms.map(({ name }) => name)).toEqual(DEFAULT_WAR_ROOMS)
    expect(warRooms.every(({ usersEmails }) => usersEmails[0] === admin.email)).toBe(true)
  })

  test('sent again keeps the link, and what was saved', async () => {
    const { org, uid, save, state, invitation } = await aPackage()
    expect((await save({ users: [person(1)] })).status).toBe(200)
    expect((await invite(org)).status).toBe(200)
    expect(await uidOf(org)).toBe(uid)
    expect((await state()).users[1]).toMatchObject({ email: 'ana1@example.org' })
    expect((await invitation()).status).toBe('SAVED')
  })

  test('withdrawn opens nothing; another one does, with what was saved', async () => {
    const { org, uid, get, state, save, invitation } = await aPackage()
    await save({ users: [person(1)] })
    const before = await state()
    const withdrawn = await staff.delete(`/enterprise/${org.id}/welcomePackage`)
    expect(withdrawn.body).toMatchObject({ status: 'SAVED', sentTimestamp: null })
    const listed = (state: string) =>
      staff.get(`/enterprises?filter={"invitation":"${state}","q":"${org.code}"}`)
    expect([(await listed('WITHDRAWN')).body.length, (await listed('NOT_SENT')).body.length]).toEqual([1, 0])
    expect((await get()).body.code).toBe('NOT_FOUND')
    const body = { ...before, status: 'SAVED' }
    expect((await send('POST', `/welcome/${uid}`, { body })).status).toBe(404)
    await invite(org)
    const again = await send('GET', `/welcome/${await uidOf(org)}`)
    expect(again.body.users[1]).toMatchObject({ email: 'ana1@example.org' })
    expect((await get()).status).toBe(404)
    expect((await invitation()).sentTimestamp).not.toBeNull()
  })

  test('does not apply where people work already, nor without an administrator', async () => {
    const [busy, empty] = [await anOrganisation(), await anOrganisation()]
    await aUser(busy, { role: 'ADMIN' })
    await aUser(busy, { role: 'USER' })
    expect((await staff.get(`/enterprise/${busy.id}/welcomePackage`)).body.status).toBe('NOT_APPLICABLE')
    expect((await staff.get(`/enterprise/${empty.id}/welcomePackage`)).body.status).toBeNull()
    expect([(await invite(busy)).status, (await invite(empty)).status]).toEqual([409, 409])
    expect((await invite({ id: crypto.randomUUID(), code: 'none' })).status).toBe(404)
  })

  test('ends after thirty days, until it is sent again', async () => {
    const { org, get } = await aPackage()
    const now = Date.now()
    vi.spyOn(clock, 'now').mockImplementation(() => now + 30 * DAY + 1_000)
    expect((await get()).status).toBe(404)
    expect((await send('GET', `/welcome/${await uidOf(org)}`)).status).toBe(404)
  })

  test('that has ended is replaced once its holder asks for another link, which opens what was saved', async () => {
    const { org, admin, uid, get, save } = await aPackage()
    const renew = (id: string) => send('POST', `/welcome/${id}/renew`)
    await save({ users: [person(1)] })
    // A valid link is not replaced.
    expect(await renew(uid)).toMatchObject({ status: 204, text: '' })
    expect(await mailsTo(org)).toHaveLength(1)
    const now = Date.now()
    vi.spyOn(clock, 'now').mockImplementation(() => now + 30 * DAY + 1_000)
    for (const unknown of ['nothing', `${uid.slice(0, -4)}AAAA`])
      expect(await renew(unknown)).toMatchObject({ status: 204, text: '' })
    expect(await mailsTo(org)).toHaveLength(1)
    // A repeated request, such as after a lost response, takes effect once.
    for (let n = 0; n < 2; n += 1) expect(await renew(uid)).toMatchObject({ status: 204, text: '' })
    const mails = await mailsTo(org)
    expect(mails.map(({ recipient }) => recipient)).toEqual([admin.email, admin.email])
    const another = await uidOf(org)
    expect(another).not.toBe(uid)
    const { body } = await send('GET', `/welcome/${another}`)
    expect(body.users[1]).toMatchObject({ email: 'ana1@example.org' })
    // The old link stays invalid, because it may have leaked.
    expect((await get()).status).toBe(404)
  })

  test('that was withdrawn or submitted is not replaced', async () => {
    const [withdrawn, submitted] = [await aPackage(), await aPackage()]
    await staff.delete(`/enterprise/${withdrawn.org.id}/welcomePackage`)
    expect((await submitted.submit()).status).toBe(200)
    await submitted.settled()
    const before = (await mailsTo(submitted.org)).length
    const now = Date.now()
    vi.spyOn(clock, 'now').mockImplementation(() => now + 30 * DAY + 1_000)
    for (const { uid } of [withdrawn, submitted])
      expect((await send('POST', `/welcome/${uid}/renew`)).status).toBe(204)
    expect(await mailsTo(withdrawn.org)).toHaveLength(1)
    expect(await mailsTo(submitted.org)).toHaveLength(before)
  })
})

describe('a package', () => {
  test('begins with its administrator, the usual rooms and the usual folders', async () => {
    const { org, admin, uid, get } = await aPackage()
    const { status, body } = await get()
    expect(status).toBe(200)
    const mainAdminUser = {
      ...USER_DEFAULTS,
      firstName: 'Ada',
      lastName: 'Main',
      email: admin.email,
      role: 'ADMIN',
      isMainAdminUser: true,
    }
    expect(body).toEqual({
      uid,
      status: 'CREATED',
      maxUsers: 50,
      lastUpdateTimestamp: expect.any(String),
      mainAdminUser,
      enterpriseCode: org.code,
      apiAddress: `${services.publicUrl()}/api`,
      users: [mainAdminUser],
      warRooms: ['Executive Team', 'Technical Team', 'Communications', 'Legal', 'Business Continuity'].map(
        (name) => ({ name, usersEmails: [admin.email], isGroup: false }),
      ),
      fileFolders: [
        ...['Crisis Plans', 'Contact Lists', 'Insurance', 'Legal', 'Communications'].map((name) => ({
          name,
          adminOnly: false,
        })),
        { name: 'Evidence', adminOnly: true },
      ],
      lastUpdateBrowserData: null,
      errorCode: null,
      userRoles: ['USER', 'ADMIN', 'BUSINESS_USER'].map((role) => expect.objectContaining({ role })),
      phoneCountryCodes: ['CA', 'US'],
      phoneCountry: 'CA',
      nameCharacters: 'STANDARD',
      groupsEnabled: true,
      supportEmail: 'muster@localhost',
    })
  })

  test('is read as it was saved', async () => {
    const { admin, save, state } = await aPackage()
    const users = [person(1, { phoneNumber: '+14165550101', role: 'BUSINESS_USER', type: 'EXTERNAL' })]
    const warRooms = [{ name: 'Board', usersEmails: ['ana1@example.org', admin.email], isGroup: true }]
    const fileFolders = [{ name: 'Plans', adminOnly: true }]
    const { status, body } = await save({ users, warRooms, fileFolders, lastUpdateBrowserData: 'Firefox' })
    expect([status, body.status]).toEqual([200, 'SAVED'])
    const read = await state()
    expect(read).toEqual(body)
    expect(read.users.slice(1)).toEqual(users.map(stored))
    expect(read).toMatchObject({ warRooms, fileFolders, lastUpdateBrowserData: 'Firefox' })
  })

  test('of another browser is not overwritten', async () => {
    const { uid, state, save } = await aPackage()
    const before = await state()
    expect((await save({ users: [person(1)] })).status).toBe(200)
    const { users, warRooms, fileFolders, lastUpdateTimestamp } = before
    const late = await send('POST', `/welcome/${uid}`, {
      body: { users, warRooms, fileFolders, lastUpdateTimestamp },
    })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect((await state()).users).toHaveLength(2)
  })

  test('of two saves at once takes one', async () => {
    const { save, state } = await aPackage()
    const replies = await Promise.all([save({ users: [person(1)] }), save({ users: [person(2)] })])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await state()).users).toHaveLength(2)
  })

  test('keeps what the server knows, whatever is sent', async () => {
    const { org, admin, save, state } = await aPackage({ maxUsers: 2 })
    const impostor = person(9, { isMainAdminUser: true })
    const { status } = await save({
      maxUsers: 5_000,
      enterpriseCode: 'another',
      mainAdminUser: impostor,
      errorCode: 'ERROR_DURING_POPULATION',
      users: [impostor, person(1)],
    })
    expect(status).toBe(200)
    const read = await state()
    expect(read).toMatchObject({ maxUsers: 2, enterpriseCode: org.code, errorCode: null })
    expect(read.users.map(({ email }) => email)).toEqual([admin.email, 'ana1@example.org'])
    expect(read.mainAdminUser.email).toBe(admin.email)
  })

  test.each([
    ['too many users', 'TOO_MANY_USERS', { users: [1, 2, 3].map((n) => person(n)) }],
    ['a room without a title', 'INVALID_WAR_ROOMS', { warRooms: [{ name: ' ', usersEmails: ['admin'] }] }],
    ['a room without people', 'INVALID_WAR_ROOMS', { warRooms: [{ name: 'Board', usersEmails: [] }] }],
    [
      'a room of a stranger',
      'INVALID_WAR_ROOMS',
      { warRooms: [{ name: 'B', usersEmails: ['x@y.example'] }] },
    ],
    [
      'two rooms of one title',
      'INVALID_WAR_ROOMS',
      { warRooms: ['Board', ' board'].map((name) => ({ name, usersEmails: ['admin'] })) },
    ],
    ['two folders of one name', 'invalid', { fileFolders: [{ name: 'Plans' }, { name: 'PLANS ' }] }],
    ['a folder without a name', 'invalid', { fileFolders: [{ name: '' }] }],
    ['one user twice', 'invalid', { users: [person('a'), person('A')] }],
    ['a name that is none', 'invalid', { users: [person(1, { firstName: '<b>' })] }],
    ['a name with a hyphen', 'invalid', { users: [person(1, { firstName: 'Anne-Marie' })] }],
    ['a number that nobody has', 'invalid', { users: [person(1, { phoneNumber: '+19995550101' })] }],
    ['a role that is not offered', 'invalid', { users: [person(1, { role: 'PLAYBOOK_MANAGER' })] }],
    ['a role of nobody', 'invalid', { users: [person(1, { role: 'ROOT' })] }],
    ['21 folders', 'invalid', { fileFolders: Array.from({ length: 21 }, (_, n) => ({ name: `F${n}` })) }],
    ['no list', 'invalid', { users: { length: 2 } }],
    ['no moment', 'invalid', { lastUpdateTimestamp: 'now' }],
  ] as const)('refuses %s', async (_, code, changes) => {
    const { admin, save, state } = await aPackage({ maxUsers: 2 })
    const before = await state()
    const given = JSON.parse(JSON.stringify(changes).replaceAll('"admin"', `"${admin.email}"`))
    const reply = await save(given)
    expect([reply.status, reply.body.code]).toEqual([400, code])
    expect(Object.keys(reply.body.fields)).not.toEqual([])
    expect(await state()).toEqual(before)
  })

  test.each(['x', '__proto__', 'mw_AAAAAAAAAAAAAAAAAAAAAA_' + 'A'.repeat(43), '%00', 'a'.repeat(2_000)])(
    'is not found at %s',
    async (uid) => {
      const read = await send('GET', `/welcome/${uid}`)
      expect([400, 404]).toContain(read.status)
      const body = { lastUpdateTimestamp: clock.timestamp(), users: [], warRooms: [], fileFolders: [] }
      expect([400, 404]).toContain((await send('POST', `/welcome/${uid}`, { body })).status)
    },
  )

  test('of another organisation is not found with a link whose organisation was exchanged', async () => {
    const [ours, theirs] = [await aPackage(), await aPackage()]
    const [prefix, , secret] = ours.uid.split('_') as [string, string, string]
    const forged = `${prefix}_${theirs.uid.split('_')[1]}_${secret}`
    expect((await send('GET', `/welcome/${forged}`)).status).toBe(404)
  })
})

describe('a submitted package', () => {
  test('makes users with their activation mails, groups where asked, war rooms, and keeps folders as wishes', async () => {
    const { org, admin, submit, settled, state, save, invitation } = await aPackage()
    const sent = await submit({
      users: [person(1), person(2, { role: 'ADMIN', department: null })],
      warRooms: [
        { name: 'Board', usersEmails: ['ana2@example.org', admin.email], isGroup: true },
        { name: 'Legal', usersEmails: [admin.email] },
      ],
      fileFolders: [{ name: 'Plans' }, { name: 'Evidence', adminOnly: true }],
    })
    expect([sent.status, sent.body.status]).toEqual([200, 'SUBMITTED'])
    await settled()
    expect((await state()).status).toBe('COMPLETED')
    expect(await usersOf(org)).toEqual([
      { email: 'ana1@example.org', role: 'USER', type: 'INTERNAL', department: 'Legal' },
      { email: 'ana2@example.org', role: 'ADMIN', type: 'INTERNAL', department: null },
      { email: admin.email, role: 'ADMIN', type: 'INTERNAL', department: null },
    ])
    const subjects = (await mailsTo(org)).map(({ recipient, subject }) => `${recipient}: ${subject}`)
    expect(subjects.slice(1).toSorted()).toEqual([
      `ana1@example.org: Set your password for Organisation ${org.code}`,
      `ana2@example.org: Set your password for Organisation ${org.code}`,
    ])
    expect(await roomsOf(org)).toEqual({
      Board: { 'ana2@example.org': 'owner', [admin.email]: 'member' },
      Legal: { [admin.email]: 'owner' },
    })
    expect(await foldersOf(org)).toMatchObject([
      { name: 'Plans', folder_type: 'PUBLIC' },
      { name: 'Evidence', folder_type: 'ADMIN' },
    ])
    const { body: groups } = await (await muster.signedInAs(org, 'ADMIN')).get('/useradmin/groups')
    expect(groups).toMatchObject([{ name: 'Board', userIds: expect.arrayContaining([admin.email]) }])
    expect((await save()).body.code).toBe('NOT_FOUND')
    expect((await invite(org)).status).toBe(409)
    expect((await staff.delete(`/enterprise/${org.id}/welcomePackage`)).status).toBe(409)
    expect((await staff.post(`/enterprise/${org.id}/welcomePackage/retry`)).status).toBe(409)
    expect((await invitation()).status).toBe('COMPLETED')
  })

  test('that fails keeps what was entered and changes nothing, until staff try again', async () => {
    const { org, submit, settled, state, save, invitation } = await aPackage({
      config: { nameCharacters: 'EXTENDED' },
    })
    const configure = (valueJson: string) =>
      staff.put(`/config/enterpriseConfigDetails/${org.id}`, { databaseKey: 'nameCharacters', valueJson })
    // The organisation disallows such names before the package is processed.
    const enqueue = vi.spyOn(services.jobs, 'enqueue').mockResolvedValue()
    expect((await submit({ users: [person(1), person(2, { firstName: 'Anne-Marie' })] })).status).toBe(200)
    enqueue.mockRestore()
    await configure('"STANDARD"')
    await inside(org, (db) => services.jobs.enqueue(db, 'welcome-packages', {}))
    await settled()
    expect(await state()).toMatchObject({ status: 'ERROR', errorCode: 'ERROR_DURING_POPULATION' })
    expect((await state()).users).toHaveLength(3)
    expect(await usersOf(org)).toHaveLength(1)
    expect((await save()).status).toBe(404)
    const { failure } = await invitation()
    expect(failure).toContain('First/last name')
    const told = (await mailsTo(org)).filter(({ recipient }) => recipient === STAFF)
    expect(told).toHaveLength(1)
    expect(told[0]?.text).toContain(failure)
    const failed = await staff.get(`/enterprises?filter={"invitation":"ERROR","q":"${org.code}"}`)
    expect(failed.body.map(({ id }: Organisation) => id)).toEqual([org.id])
    await configure('"EXTENDED"')
    const again = await staff.post(`/enterprise/${org.id}/welcomePackage/retry`)
    expect([again.status, again.body.status]).toEqual([200, 'SUBMITTED'])
    await settled()
    expect(await state()).toMatchObject({ status: 'COMPLETED', errorCode: null })
    expect(await usersOf(org)).toHaveLength(3)
  })

  test('leaves rooms alone that are there already, and gives short names a longer one', async () => {
    const { org, admin, submit, settled, state } = await aPackage()
    const other = await muster.signedInAs(org, 'ADMIN')
    await madeRoom(other, { name: 'Board' })
    const warRooms = ['board', 'Headquarters', 'IT'].map((name) => ({ name, usersEmails: [admin.email] }))
    await submit({ warRooms })
    await settled()
    expect((await state()).status).toBe('COMPLETED')
    expect(await roomsOf(org)).toEqual({
      Board: { [other.email]: 'owner' },
      'War Room IT': { [admin.email]: 'owner' },
    })
  })

  test('leaves people and groups alone that are there already', async () => {
    const { org, admin, submit, settled, state } = await aPackage()
    const other = await muster.signedInAs(org, 'ADMIN')
    await other.post('/useradmin/group', { name: 'Board', description: null, userIds: [admin.email] })
    const users = [person(1, { email: other.email, role: 'USER' })]
    await submit({ users, warRooms: [{ name: 'board', usersEmails: [other.email], isGroup: true }] })
    await settled()
    expect((await state()).status).toBe('COMPLETED')
    expect((await usersOf(org)).map(({ role }) => role)).toEqual(['ADMIN', 'ADMIN'])
    const { body: groups } = await other.get('/useradmin/groups')
    expect(groups).toMatchObject([{ name: 'Board', userIds: [admin.email] }])
  })

  test('is worked on once, also when its job runs again', async () => {
    const { org, submit, settled } = await aPackage()
    await submit({ users: [person(1)] })
    await settled()
    const mails = (await mailsTo(org)).length
    const job = { organisationId: org.id, data: {}, last: false, isStopping: () => false }
    await inside(org, (db) => services.jobs.enqueue(db, 'welcome-packages', job))
    await inside(org, (db) => services.jobs.enqueue(db, 'welcome-packages', job))
    const pending = () =>
      services.database.pool.query(
        `select count(*)::int as count from pgboss.job where name = 'welcome-packages' and state < 'completed'`,
      )
    await expect.poll(async () => (await pending()).rows[0].count).toBe(0)
    expect((await mailsTo(org)).length).toBe(mails)
  })
})

test('the list of organisations says how far each package is', async () => {
  const statusOf = async ({ code }: Organisation) => {
    const { body } = await staff.get(`/enterprises?filter={"q":"${code}"}`)
    const { welcomePackageStatus, welcomePackageSentTimestamp } = body[0]
    return [welcomePackageStatus, welcomePackageSentTimestamp !== null]
  }
  const busy = await anOrganisation()
  await aUser(busy, { role: 'USER' })
  expect(await statusOf(busy)).toEqual(['NOT_APPLICABLE', false])
  expect(await statusOf(await anOrganisation())).toEqual([null, false])
  const { org, save, submit, settled } = await aPackage()
  expect(await statusOf(org)).toEqual(['CREATED', true])
  await save({ users: [person(1)] })
  expect(await statusOf(org)).toEqual(['SAVED', true])
  await submit()
  await settled()
  expect(await statusOf(org)).toEqual(['COMPLETED', true])
})
