import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'

import {
  CANNOT_CLEAR,
  CODE_TAKEN,
  DOMAIN_TAKEN,
  type ManagedOrganisation,
  NAME_TAKEN,
} from '#contract/managed-organisations/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { PROVIDER_ID } from '#server/kit/database/db.ts'
import { removeDeleted } from '#server/managed-organisations/deletion.flows.ts'
import { KEPT_TABLES } from '#server/managed-organisations/flows.ts'
import { listTenantTables, updateDeleted, updateRemovals } from '#server/managed-organisations/store.ts'

import { added, declared } from '../support/incidents.ts'
import { type Organisation, startTestServer } from '../support/server.ts'
import { later, signingIn } from '../support/sign-in.ts'

const muster = await startTestServer({ TRUST_PROXY: '1', ALLOW_OUTBOX: '1' })
const { mailsTo, upass } = signingIn(muster)
const staff = await muster.signedInAsStaff()
const system = { kind: 'system', id: null, name: 'test' } as const

let counter = 0
const payload = (more: object = {}) => {
  const name = `Harbour ${(counter += 1)}`
  return {
    enterpriseName: name,
    enterpriseDomain: `harbour${counter}.example`,
    adminFirstName: 'Ana',
    adminLastName: 'Silva',
    adminEmail: `ana@harbour${counter}.example`,
    subscriptionMaxUsers: '25',
    subscriptionLevel: 'SMALL_TEAM',
    streamApiKey: null,
    streamSecret: null,
    ...more,
  }
}
const create = async (more: object = {}) => {
  const { status, body } = await staff.post('/enterprise', payload(more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const own = ({ enterprise }: { enterprise: { id: string; code: string } }): Organisation => enterprise
const eventsOf = (id: string) =>
  muster.services.database.withProvider(system, async (db) => {
    const { rows } = await sql<{
      noun: string
      verb: string
      record: string
      actor: { kind: string; name: string }
    }>`
      select noun, verb, record, actor from events where organisation_id = ${id} order by sequence`.execute(
      db,
    )
    return rows
  })
const reasonFor = (id: string) => staff.post(`/enterprise/${id}/access`, { reason: 'A question of theirs' })

afterEach(() => void vi.restoreAllMocks())

describe('creating an organisation', () => {
  test('makes it work at once', async () => {
    const given = payload({ enterpriseName: `Océan & Fils ${Date.now()}` })
    const { status, body } = await staff.post('/enterprise', given)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.enterprise.id,
      enterprise: {
        id: expect.any(String),
        code: expect.stringMatching(/^ocean-fils-\d+$/),
        displayName: given.enterpriseName,
        enterpriseDomain: given.enterpriseDomain,
        createTimestamp: expect.any(String),
        maxUsers: 25,
        parentId: null,
      },
      adminUser: { firstName: 'Ana', lastName: 'Silva', email: given.adminEmail },
      subscription: { contractNumber: null, level: 'SMALL_TEAM', maxUser: 25 },
      welcomePackageStatus: null,
      welcomePackageSentTimestamp: null,
      suspendedTimestamp: null,
      hasHostedChat: false,
      nearLimits: [],
    })
    const { code } = body.enterprise
    expect((await muster.send('GET', `/registry/${code}`)).body.code).toBe(code)
    const [mail] = await mailsTo(given.adminEmail)
    const link = new URL(/https?:\S+/.exec(mail!.text)![0])
    const chosen = await muster.send('POST', '/authentication/changePassword', {
      body: {
        newPassword: 'Wandering-otter-71',
        enterpriseCode: code,
        userId: link.searchParams.get('u'),
        oneTimePasscode: link.searchParams.get('t'),
      },
    })
    expect(chosen.status, chosen.text).toBeLessThan(300)
    const signedIn = await upass(own(body), given.adminEmail, { password: 'Wandering-otter-71' })
    expect(signedIn.body.permissions).toContain('user-admin')
  })

  test('refuses a name and a domain that are taken, both at once, in a list', async () => {
    const first = payload()
    await staff.post('/enterprise', first)
    const again = payload({
      enterpriseName: first.enterpriseName.toUpperCase(),
      enterpriseDomain: first.enterpriseDomain.toUpperCase(),
    })
    const { status, body } = await staff.post('/enterprise', again)
    expect(status).toBe(409)
    expect(body.errorMessages).toEqual([NAME_TAKEN, DOMAIN_TAKEN])
    expect(body.fields).toEqual({ enterpriseName: NAME_TAKEN, enterpriseDomain: DOMAIN_TAKEN })
    expect(await mailsTo(again.adminEmail)).toEqual([])
  })

  test('takes the sign-in code that staff chose, unless another organization has it or it is none', async () => {
    const code = `pier-${Date.now()}`
    const made = await create({ enterpriseCode: ` ${code} ` })
    expect(made.enterprise.code).toBe(code)
    expect((await muster.send('GET', `/registry/${code}`)).body.code).toBe(code)
    const taken = await staff.post('/enterprise', payload({ enterpriseCode: code }))
    expect([taken.status, taken.body.fields]).toEqual([409, { enterpriseCode: CODE_TAKEN }])
    for (const enterpriseCode of ['Pier', 'a b', '-a', 'a--b', 'a-', 'pïer', '../x', 'x'.repeat(51), 7]) {
      const { status, body } = await staff.post('/enterprise', payload({ enterpriseCode }))
      expect([enterpriseCode, status, Object.keys(body.fields)]).toEqual([
        enterpriseCode,
        400,
        ['enterpriseCode'],
      ])
    }
    expect((await create({ enterpriseCode: '' })).enterprise.code).toMatch(/^harbour-\d+$/)
  })

  test('gives each of two at once a code of its own', async () => {
    const name = `Twin ${Date.now()}`
    const replies = await Promise.all([
      staff.post('/enterprise', payload({ enterpriseName: name })),
      staff.post('/enterprise', payload({ enterpriseName: `${name}!` })),
    ])
    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set(replies.map(({ body }) => body.enterprise.code)).size).toBe(2)
  })

  test('below another one lets that one see it, under one domain', async () => {
    const parent = await create()
    const { enterpriseDomain } = parent.enterprise
    const child = await create({ parentId: parent.id, enterpriseDomain })
    expect(child.enterprise.parentId).toBe(parent.id)
    const seen = await muster.inside(own(parent), (db) =>
      db.selectFrom('organisations').select('id').execute(),
    )
    expect(seen.map(({ id }) => id)).toContain(child.id)
    const orphan = await staff.post('/enterprise', payload({ parentId: crypto.randomUUID() }))
    expect(orphan.status).toBe(404)
    expect((await staff.post('/enterprise', payload({ parentId: PROVIDER_ID }))).status).toBe(404)
  })

  test.each([
    [{ enterpriseName: ' ' }, 'enterpriseName', "Please enter the organization's name."],
    [{ enterpriseDomain: '' }, 'enterpriseDomain', "Please enter the organization's domain."],
    [{ adminFirstName: '' }, 'adminFirstName', "Please enter the admin's first name."],
    [{ adminLastName: '<b>' }, 'adminLastName', 'Only alphabetical characters and spaces are allowed.'],
    [{ adminEmail: '' }, 'adminEmail', "Please enter the admin's email address."],
    [{ adminEmail: 'a@b' }, 'adminEmail', 'Email address is invalid.'],
    [{ subscriptionLevel: 'GOLD' }, 'subscriptionLevel', 'Please select a subscription level.'],
    [{ subscriptionMaxUsers: '1a' }, 'subscriptionMaxUsers', 'Please enter a valid number.'],
    [{ subscriptionMaxUsers: '-5' }, 'subscriptionMaxUsers', 'Please enter a valid number.'],
    [{ subscriptionMaxUsers: 1.5 }, 'subscriptionMaxUsers', 'Please enter a valid number.'],
    [{ subscriptionMaxUsers: '9999999' }, 'subscriptionMaxUsers', 'Please enter a valid number.'],
    [{ streamApiKey: 'key' }, 'streamSecret', 'Please enter a Stream API secret.'],
    [{ streamSecret: 'secret' }, 'streamApiKey', 'Please enter a Stream API key.'],
  ])('with %j is refused at %s', async (more, field, message) => {
    const { status, body } = await staff.post('/enterprise', payload(more))
    expect([status, body.fields]).toEqual([400, { [field]: message }])
  })

  test.each(['BASIC', 'SMALL_TEAM', 'LARGE_TEAM', 'ENTERPRISE'])('takes the level %s', async (level) => {
    expect((await create({ subscriptionLevel: level })).subscription.level).toBe(level)
  })
})

describe('chat credentials', () => {
  const pairs = (...keys: string[]) =>
    keys.map((publicKey) => ({ publicKey, secretKey: `secret of ${publicKey}` }))

  test('are taken from the pool by an organisation that is created without any', async () => {
    const added = await staff.post('/credentials', pairs('pool-1', 'pool-2'))
    expect([added.status, added.body]).toEqual([201, { available: 2 }])
    const one = await create()
    const given = await create({ streamApiKey: 'given', streamSecret: 'their secret' })
    expect((await staff.get('/credentials')).body).toEqual({ available: 1 })
    await create()
    const builtIn = await create()
    expect((await staff.get('/credentials')).body).toEqual({ available: 0 })
    const keys = await Promise.all(
      [one, given, builtIn].map(
        async ({ enterprise: { code } }) =>
          (await muster.send('GET', `/config/public/${code}`)).body.streamApiKey,
      ),
    )
    expect(keys).toEqual(['pool-1', 'given', ''])
    const { body: all }: { body: ManagedOrganisation[] } = await staff.get('/enterprises')
    const listed = [one, given, builtIn].map(({ id }) => all.find((row) => row.id === id)?.hasHostedChat)
    expect(listed).toEqual([true, true, false])
    const { rows } = await muster.services.database.withProvider(system, (db) =>
      sql`select encode(secret, 'escape') as secret from chat_credentials`.execute(db),
    )
    expect(JSON.stringify(rows)).not.toMatch(/secret of|their secret/)
    expect((await staff.post('/credentials', pairs('pool-1'))).status).toBe(409)
  })

  test.each([
    [[], 400],
    [pairs('a', 'b', 'c', 'd', 'e', 'f', 'g'), 400],
    [[{ publicKey: '', secretKey: 'x' }], 400],
    [[{ publicKey: 'x', secretKey: ' ' }], 400],
    [pairs('double', 'double'), 409],
  ])('%j are refused with %i', async (body, status) => {
    expect((await staff.post('/credentials', body)).status).toBe(status)
  })
})

describe('the list', () => {
  test('is paged, sorted and searched by the server', async () => {
    const mark = `zeta${Date.now()}`
    for (const [name, first, email] of [
      [`B ${mark}`, 'Cora', `b@${mark}.example`],
      [`a ${mark}`, 'Élise', `c@${mark}.example`],
      [`C ${mark}`, 'Bo', `a@${mark}.example`],
    ])
      await create({ enterpriseName: name, adminFirstName: first, adminLastName: 'Of', adminEmail: email })
    const names = async (query: object) => {
      const text = new URLSearchParams(
        Object.entries(query).map(([key, value]) => [key, JSON.stringify(value)]),
      )
      const { status, body, headers } = await staff.get(`/enterprises?${text}`)
      expect(status).toBe(200)
      return [
        body.map((one: any) => one.enterprise.displayName.split(' ')[0]).join(''),
        headers.get('content-range'),
      ]
    }
    const filter = { q: mark }
    expect(await names({ filter })).toEqual(['aBC', 'items 0-2/3'])
    expect((await names({ filter, sort: ['displayName', 'DESC'] }))[0]).toBe('CBa')
    expect((await names({ filter, sort: ['contactName', 'ASC'] }))[0]).toBe('CBa')
    expect((await names({ filter, sort: ['contactEmail', 'ASC'] }))[0]).toBe('CBa')
    const [page, range] = await names({ filter, sort: ['displayName', 'ASC'], range: [1, 1] })
    expect([page, range]).toEqual(['B', expect.stringMatching(/1-1\/3$/)])
    expect((await names({ filter: { q: `elise ${mark}` } }))[0]).toBe('a')
    expect((await names({ filter: { q: "%_'\\" } }))[0]).toBe('')
    const whole = await staff.get('/enterprises')
    expect(whole.body.some(({ id }: { id: string }) => id === PROVIDER_ID)).toBe(false)
    expect((await staff.get(`/enterprises?sort=${encodeURIComponent('["config","ASC"]')}`)).status).toBe(400)
  })
})

describe('organisations that are near a limit', () => {
  const found = async (filter: object) => {
    const { status, body } = await staff.get(
      `/enterprises?filter=${encodeURIComponent(JSON.stringify(filter))}`,
    )
    expect(status).toBe(200)
    return body as { id: string; nearLimits: string[] }[]
  }
  const configured = (id: string, databaseKey: string, value: unknown) =>
    staff.put(`/config/enterpriseConfigDetails/${id}`, { databaseKey, valueJson: JSON.stringify(value) })

  test('are found by their active people and by their quota of notifications', async () => {
    const mark = `limit${Date.now()}`
    const [calm, full, loud] = [
      await create({ enterpriseName: `Calm ${mark}` }),
      await create({ enterpriseName: `Full ${mark}`, subscriptionMaxUsers: '1' }),
      await create({ enterpriseName: `Loud ${mark}` }),
    ]
    await configured(loud.id, 'massNotifsMaxEvents', 100)
    await muster.inside(own(loud), (db) =>
      db.insertInto('mass_notification_usage').values({ used: 90, questions: 0 }).execute(),
    )
    const near = () => found({ q: mark, limit: 'NEAR' })
    expect((await near()).map(({ id, nearLimits }) => [id, nearLimits])).toEqual([[full.id, ['USERS']]])
    await configured(loud.id, 'contactsAndMassNotificationsEnabled', true)
    expect((await near()).map(({ id, nearLimits }) => [id, nearLimits])).toEqual([
      [full.id, ['USERS']],
      [loud.id, ['NOTIFICATIONS']],
    ])
    const all = await found({ q: mark })
    expect(all.find(({ id }) => id === calm.id)?.nearLimits).toEqual([])
    const { body } = await staff.get(`/enterprise/${loud.id}`)
    expect(body).toMatchObject({
      notifications: { used: 90, max: 100 },
      storage: { used: 0, max: 10_240 * 1_024 * 1_024 },
      ownConfigKeys: ['contactsAndMassNotificationsEnabled', 'massNotifsMaxEvents'],
      welcomePackageStatus: null,
      adminUser: { firstName: 'Ana' },
    })
    expect((await staff.get('/enterprises?filter={"limit":"FAR"}')).status).toBe(400)
  })

  test('are found by the bytes of their files, which are kept as they come and go', async () => {
    const mark = `bytes${Date.now()}`
    const made = await create({ enterpriseName: `Bytes ${mark}` })
    await configured(made.id, 'fileQuotaMegabytes', 10)
    const near = async () => (await found({ q: mark, limit: 'NEAR' })).map(({ nearLimits }) => nearLimits)
    const bytes = [5 * 1_024 * 1_024, 4.5 * 1_024 * 1_024]
    const ids = bytes.map(() => crypto.randomUUID())
    const insert = (at: number) =>
      muster.inside(own(made), (db) =>
        db
          .insertInto('blobs')
          .values({
            id: ids[at]!,
            size: bytes[at]!,
            sha256: '',
            create_timestamp: new Date().toISOString(),
          })
          .execute(),
      )
    await insert(0)
    expect(await near()).toEqual([])
    await insert(1)
    expect(await near()).toEqual([['STORAGE']])
    const storage = async () => (await staff.get(`/enterprise/${made.id}`)).body.storage
    expect(await storage()).toEqual({ used: bytes[0]! + bytes[1]!, max: 10 * 1_024 * 1_024 })
    await muster.inside(own(made), (db) => db.deleteFrom('blobs').where('id', '=', ids[0]!).execute())
    expect(await near()).toEqual([])
    expect((await storage()).used).toBe(bytes[1])
  })

  test('differ from the default by their configuration', async () => {
    const mark = `own${Date.now()}`
    const [first] = [
      await create({ enterpriseName: `First ${mark}` }),
      await create({ enterpriseName: `Second ${mark}` }),
    ]
    await configured(first.id, 'groupsEnabled', false)
    const differing = async () =>
      (await found({ q: mark, ownConfigKey: 'groupsEnabled' })).map(({ id }) => id)
    expect(await differing()).toEqual([first.id])
    await configured(first.id, 'groupsEnabled', null)
    expect(await differing()).toEqual([])
    for (const key of ['constructor', "x' or '1"])
      expect(
        (await staff.get(`/enterprises?filter=${encodeURIComponent(JSON.stringify({ ownConfigKey: key }))}`))
          .status,
      ).toBe(400)
  })
})

describe('the contract', () => {
  test('is changed, and both logs say so', async () => {
    const { id } = await create()
    const { status, body } = await staff.put(`/enterprise/${id}`, {
      contractNumber: 'C-77',
      level: 'ENTERPRISE',
      maxUser: 300,
    })
    expect([status, body.subscription]).toEqual([
      200,
      { contractNumber: 'C-77', level: 'ENTERPRISE', maxUser: 300 },
    ])
    const last = (await eventsOf(id)).at(-1)
    expect(last).toMatchObject({
      noun: 'organisations',
      verb: 'contract changed',
      actor: { kind: 'staff', name: staff.email },
    })
    expect(
      (await eventsOf(PROVIDER_ID)).filter(({ record }) => record === id).map(({ verb }) => verb),
    ).toEqual(['created', 'updated'])
    const other = await create()
    const about = async (organisation: string) => {
      const { body: log } = await staff.get(
        `/auditLog?filter=${encodeURIComponent(JSON.stringify({ organisation }))}`,
      )
      return log.map(({ noun, verb }: { noun: string; verb: string }) => `${noun} ${verb}`)
    }
    expect(await about(id)).toEqual(
      expect.arrayContaining(['organisations updated', 'organisations created']),
    )
    expect(await about(other.id)).not.toContain('organisations updated')
    expect((await staff.put(`/enterprise/${id}`, { level: 'GOLD', maxUser: '1a' })).body.fields).toEqual({
      level: 'Please select a subscription level.',
      maxUser: 'Please enter a valid number.',
    })
  })
})

describe('one organisation', () => {
  test('shows its counts to all staff, and its people to staff who said why they look', async () => {
    const { id, enterprise, adminUser } = await create()
    const admin = await muster.signedInAs(enterprise, 'ADMIN')
    await declared(admin)
    const other = await muster.signedInAsStaff()
    const counts = { activeUsers: 2, maxUsers: 25, filesCount: 0, incidentsCount: 1 }
    expect((await other.get(`/enterprise/${id}`)).body).toMatchObject({ ...counts, enterprise, users: [] })
    // The creator has access.
    const { users } = (await staff.get(`/enterprise/${id}`)).body
    expect(users).toContainEqual({ email: adminUser.email, fullName: 'Ana Silva' })
    expect(users).toHaveLength(2)
    for (const unknown of [crypto.randomUUID(), PROVIDER_ID])
      expect((await staff.get(`/enterprise/${unknown}`)).status).toBe(404)
  })
})

describe('access to an organisation', () => {
  test('needs a reason, lasts an hour, and is told to its administrators and its log', async () => {
    const organisation = await muster.anOrganisation()
    const admin = await muster.signedInAs(organisation, 'ADMIN')
    const user = await muster.signedInAs(organisation, 'USER')
    expect((await staff.get(`/enterprise/${organisation.id}/access`)).body).toBeNull()
    const { status, body } = await reasonFor(organisation.id)
    expect([status, body.reason]).toEqual([201, 'A question of theirs'])
    expect((await staff.get(`/enterprise/${organisation.id}/access`)).body).toEqual(body)
    const told = (await admin.get('/notifications')).body.data[0]
    expect(told).toMatchObject({ details: `${staff.email}: A question of theirs`, incidentId: null })
    expect((await user.get('/notifications')).body.data).toEqual([])
    expect((await mailsTo(admin.email))[0]!.text).toContain('A question of theirs')
    const log = await admin.get('/useradmin/auditLog')
    expect(log.body.find(({ noun }: { noun: string }) => noun === 'staff-access')).toMatchObject({
      verb: 'granted',
      actor: { kind: 'staff', name: staff.email },
    })
    const another = await muster.signedInAsStaff()
    expect((await another.get(`/enterprise/${organisation.id}/access`)).body).toBeNull()
  })

  test.each([{}, { reason: '  ' }, { reason: 'x'.repeat(1_001) }, { reason: '\u0000' }])(
    'is not given for %j',
    async (body) => {
      const { id } = await muster.anOrganisation()
      expect((await staff.post(`/enterprise/${id}/access`, body)).status).toBe(400)
    },
  )
})

async function filled() {
  const organisation = await create()
  const admin = await muster.signedInAs(own(organisation), 'ADMIN')
  const incident = await declared(admin, { targetedUsers: [admin.email] })
  await added(admin, incident)
  const form = new FormData()
  form.append('file', new File(['Ours'], 'note.txt'))
  const file = await muster.send('POST', `/fa/INCIDENT/${incident.id}`, { headers: admin.headers, raw: form })
  expect(file.status).toBe(201)
  await admin.post('/useradmin/group', { name: 'Fleet', userIds: [admin.email] })
  await admin.post('/apiManagement/credentials', { name: 'Key' })
  return { id: organisation.id as string, organisation, admin, incident }
}
const filesOf = async () =>
  (await readdir(join(muster.dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  ).length
const rowsOf = (id: string) =>
  muster.services.database.withProvider(system, async (db) => {
    const counts: Record<string, number> = {}
    for (const table of await listTenantTables(db)) {
      const { rows } = await sql<{
        n: number
      }>`select count(*) as n from ${sql.table(table)} where organisation_id = ${id}`.execute(db)
      if (rows[0]!.n > 0) counts[table] = rows[0]!.n
    }
    return counts
  })

const daysAgo = (days: number) => new Date(clock.now() - days * DAY).toISOString()
/** Moves the clock past the seven days and removes deleted organisations. */
async function graceEnds() {
  const ahead = later(7 * DAY)
  await removeDeleted(muster.services)
  ahead.mockRestore()
}

describe('deleting an organisation', () => {
  test("removes every trace, and leaves a record in the provider's log", async () => {
    const files = await filesOf()
    const { id, admin } = await filled()
    const child = await create({ parentId: id })
    expect(await filesOf()).toBe(files + 1)
    expect((await staff.delete(`/enterprise/${id}`)).status).toBe(204)
    expect((await admin.get('/me')).status).toBe(401)
    expect(await filesOf()).toBe(files + 1)
    await graceEnds()
    await vi.waitFor(async () => expect((await staff.get('/enterprises/deletions')).body).toEqual([]), 20_000)
    expect(await rowsOf(id)).toEqual({})
    expect(await filesOf()).toBe(files)
    const { rows } = await muster.services.database.pool.query(
      `select name from pgboss.job where data ->> 'organisationId' = $1`,
      [id],
    )
    expect(rows).toEqual([])
    const records = (await eventsOf(PROVIDER_ID)).filter(
      ({ record, verb }) => record === id && verb === 'deleted',
    )
    expect(records).toMatchObject([{ noun: 'organisations', actor: { kind: 'staff', name: staff.email } }])
    expect((await staff.get(`/enterprise/${child.id}`)).body.enterprise.parentId).toBeNull()
  })

  test('says why an attempt failed, and can be retried at once', async () => {
    const { id } = await filled()
    const broken = vi
      .spyOn(muster.services.blobs, 'remove')
      .mockRejectedValue(new Error('The bucket is gone.'))
    expect((await staff.delete(`/enterprise/${id}`)).status).toBe(204)
    await graceEnds()
    const deletions = async () => (await staff.get('/enterprises/deletions')).body
    await vi.waitFor(
      async () =>
        expect(await deletions()).toMatchObject([{ id, state: 'FAILED', failure: 'The bucket is gone.' }]),
      20_000,
    )
    broken.mockRestore()
    expect((await staff.post(`/enterprises/deletions/${id}/retry`)).status).toBe(204)
    await vi.waitFor(async () => expect(await deletions()).toEqual([]), 20_000)
    expect(await rowsOf(id)).toEqual({})
    expect((await staff.post(`/enterprises/deletions/${id}/retry`)).status).toBe(404)
  })

  test('goes on the next day when every attempt has failed', async () => {
    const { id } = await create()
    await muster.services.database.withProvider(system, async (db) => {
      await updateDeleted(db, id, daysAgo(10))
      await updateRemovals(db, daysAgo(3), daysAgo(2))
    })
    expect((await staff.get('/enterprises/deletions')).body).toMatchObject([{ id, state: 'RUNNING' }])
    expect(await removeDeleted(muster.services)).toBe(1)
    await vi.waitFor(async () => expect((await staff.get('/enterprises/deletions')).body).toEqual([]), 20_000)
    expect(await rowsOf(id)).toEqual({})
    expect(await removeDeleted(muster.services)).toBe(0)
  })
})

describe('clearing an organisation', () => {
  test('removes its contents, and leaves its people and its log', async () => {
    const files = await filesOf()
    const { id, admin } = await filled()
    expect((await staff.delete(`/enterprise/${id}/clear`)).status).toBe(204)
    expect((await admin.get('/incident')).body.data).toEqual([])
    expect((await admin.get('/useradmin/users')).body).toHaveLength(2)
    expect((await admin.get('/apiManagement/credentials')).body).toHaveLength(1)
    // Headquarters is created again, with everybody in it.
    expect(await rowsOf(id)).toMatchObject({ rooms: 1, room_members: 2 })
    const left = Object.keys(await rowsOf(id)).filter((table) => !KEPT_TABLES.has(table))
    expect(left.toSorted((a, b) => a.localeCompare(b))).toEqual(['room_members', 'rooms'])
    await vi.waitFor(async () => expect(await filesOf()).toBe(files))
    expect((await eventsOf(id)).at(-1)).toMatchObject({ verb: 'cleared', actor: { kind: 'staff' } })
    const chain = await admin.post('/useradmin/auditLog/check', { after: 0, fingerprint: null })
    expect(chain.body).toMatchObject({ done: true, brokenAt: null })
  })

  test('is refused for an organisation of more than 7 days that is no trial', async () => {
    const { id } = await create()
    const trial = await create({ enterpriseName: `shqTRIAL ${Date.now()}` })
    later(8 * 24 * 3_600_000)
    const old = await muster.signedInAsStaff()
    const refused = await old.delete(`/enterprise/${id}/clear`)
    expect([refused.status, refused.body.message]).toEqual([409, CANNOT_CLEAR])
    expect((await old.delete(`/enterprise/${trial.id}/clear`)).status).toBe(204)
  })

  test('decides about every table of organisations', async () => {
    const cleared = await muster.services.database.withProvider(system, async (db) =>
      (await listTenantTables(db)).filter((table) => !KEPT_TABLES.has(table)),
    )
    // A new table of people, sign-in or settings belongs to KEPT_TABLES, one of content here.
    expect(cleared.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'activities', 'activity_attachments', 'attachments', 'calendar_feeds', 'call_participants', 'call_rings', 'calls',
      'carrier_outage_notices', 'check_ins', 'communication_test_plans', 'communication_tests',
      'confirmation_requests', 'confirmations', 'contact_list_members', 'contact_lists', 'contact_sources',
      'contacts', 'declaration_calls', 'declarations', 'deleted_rows', 'deletions', 'demonstrations', 'duties', 'duty_clocks', 'feature_requests', 'file_groups',
      'file_items', 'file_link_uploads', 'file_link_visits', 'file_links', 'file_marks', 'file_passages',
      'file_texts', 'file_tickets', 'file_upload_parts', 'file_uploads', 'file_versions', 'follow_ups', 'group_members',
      'import_rows', 'imports', 'inbound_messages', 'incident_answers', 'incident_conditions',
      'incident_decisions', 'incident_field_values', 'incident_labels', 'incident_numbers',
      'incident_playbook_tasks', 'incident_playbooks', 'incident_reports', 'incident_rhythms', 'incident_roles',
      'incident_target_groups', 'incident_target_users', 'incidents', 'mass_notification_usage',
      'mass_notifications', 'message_attempts', 'message_contents', 'messages', 'notification_answers',
      'notification_approvals', 'notification_deputies', 'notification_escalations',
      'notification_recipients', 'notification_step_skips', 'notification_steps', 'notification_templates',
      'notifications', 'nudges', 'playbook_categories', 'playbook_drafts', 'playbook_editors',
      'playbook_exports', 'playbook_share_copies', 'playbook_shares', 'playbook_versions', 'playbooks',
      'report_requests', 'room_exports', 'room_files', 'room_members', 'room_mentions', 'room_messages',
      'room_reactions', 'room_thread_members', 'room_threads', 'rooms', 'saved_messages',
      'scheduled_messages', 'situation_reports', 'stakeholder_links', 'suppressions', 'timeline_entries', 'user_groups',
      'webhook_deliveries',
    ]) // prettier-ignore
  })
})
