import { describe, expect, test } from 'vitest'

import type { AuditEvent, CheckResult } from '#contract/audit-log/schema.ts'
import { record } from '#server/kit/events/events.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { tamperWithEvents } from '#tests/support/tampering.ts'

const { anOrganisation, inside, send, services, signedInAs } = await startTestServer()
const PATH = '/useradmin/auditLog'

const aTeam = async () => {
  const org = await anOrganisation()
  const admin = await signedInAs(org, 'ADMIN', { firstName: 'Ada', lastName: 'Admin' })
  return { org, admin }
}
async function read(admin: Caller, parameters: Record<string, unknown> = {}) {
  const query = Object.entries(parameters).map(([k, v]) => `${k}=${encodeURIComponent(JSON.stringify(v))}`)
  const { status, body, headers } = await admin.get(`${PATH}?${query.join('&')}`)
  expect(status).toBe(200)
  return { events: body as AuditEvent[], total: Number(headers.get('content-range')?.split('/')[1]) }
}
const tamper = (org: Organisation, statement: string) =>
  tamperWithEvents(services.database.pool, statement.replaceAll('$org', `'${org.id}'`))
async function check(admin: Caller): Promise<CheckResult> {
  const { status, body } = await admin.post(`${PATH}/check`, {})
  expect(status).toBe(200)
  return body as CheckResult
}
const many = (org: Organisation, count: number) =>
  inside(org, async (db) => {
    for (let n = 1; n <= count; n += 1)
      record(db, { noun: 'groups', record: crypto.randomUUID(), verb: 'updated', changes: {} })
  })

describe('the log', () => {
  test('tells who did what to which record, and what changed', async () => {
    const { admin } = await aTeam()
    const made = await admin.post('/useradmin/user', {
      firstName: 'Ben',
      lastName: 'Brandt',
      email: 'ben@corp.example',
      sendWelcomeSetPasswordEmail: false,
    })
    const path = `/useradmin/user/${made.body.uuid}`
    await admin.put(path, { firstName: 'Ben', lastName: 'Brandt', role: 'ADMIN', location: 'Oslo' })
    const { events, total } = await read(admin)
    expect(total).toBe(2)
    expect(events.map(({ sequence, verb }) => [sequence, verb])).toEqual([
      [2, 'updated'],
      [1, 'created'],
    ])
    expect(events[0]).toMatchObject({
      actor: { kind: 'person', id: admin.uuid, name: admin.email },
      noun: 'users',
      record: made.body.uuid,
      recordName: 'Ben Brandt',
      parentName: null,
      changes: [
        { field: 'role', from: 'USER', to: 'ADMIN' },
        { field: 'location', from: null, to: 'Oslo' },
      ],
    })
    expect(events[0]!.fingerprint).toMatch(/^[0-9a-f]{64}$/)
  })

  test('names records as they were called then, also those that are gone, and what they belong to', async () => {
    const { admin } = await aTeam()
    const group = await admin.post('/useradmin/group', { name: 'Board', userIds: [admin.email] })
    const path = `/useradmin/group/${group.body.id}`
    await admin.put(path, { name: 'Directors', userIds: [admin.email] })
    await admin.put(path, { name: 'Directors', description: 'All', userIds: [admin.email] })
    await admin.delete(path)
    const incident = await admin.post('/incident', {
      title: 'Power failure',
      fullText: '<p>Dark & <b>cold</b></p>',
    })
    await admin.post(`/incident/${incident.body.id}/activity`, { title: 'Call them', description: 'Now' })
    const { events } = await read(admin, { sort: ['timestamp', 'ASC'] })
    expect(events.map(({ verb, recordName, parentName }) => [verb, recordName, parentName])).toEqual([
      ['created', 'Board', null],
      ['updated', 'Directors', null],
      ['updated', 'Directors', null],
      ['deleted', 'Directors', null],
      ['created', 'Power failure', null],
      ['added', 'Call them', 'Power failure'],
    ])
    expect(events[4]!.changes).toContainEqual({ field: 'fullText', from: null, to: 'Dark & cold' })
  })

  test('holds what keys did, by their name, and is read by no key', async () => {
    const { admin } = await aTeam()
    const key = await admin.post('/apiManagement/credentials', { name: 'Monitoring' })
    const headers = { 'X-Api-Key': key.body.key as string }
    await send('POST', '/incident', { headers, body: { title: 'Alarm', fullText: '<p>Smoke</p>' } })
    const { events } = await read(admin)
    expect(events[0]).toMatchObject({ verb: 'created', actor: { kind: 'key', name: 'Monitoring' } })
    expect(JSON.stringify(events)).not.toContain(key.body.key)
    const { body } = await admin.get(`${PATH}/choices`)
    expect(body).toEqual({
      nouns: ['api-keys', 'incidents'],
      actors: [{ key: `key:${key.body.id}`, kind: 'key', name: 'Monitoring' }],
    })
    const byKey = await read(admin, { filter: { actor: `key:${key.body.id}` } })
    expect(byKey.events.map(({ noun }) => noun)).toEqual(['incidents'])
    expect((await send('GET', PATH, { headers })).status).toBe(403)
  })

  test('shows no secret, should one ever be written there', async () => {
    const { org, admin } = await aTeam()
    await inside(org, async (db) =>
      record(db, {
        noun: 'things',
        record: 'one',
        verb: 'changed',
        changes: { webhookSecret: { from: 'old-hush', to: 'hush' }, size: { from: 1, to: 2 } },
      }),
    )
    const { events } = await read(admin)
    expect(events[0]).toMatchObject({
      recordName: 'one',
      changes: [
        { field: 'size', from: '1', to: '2' },
        { field: 'webhookSecret', from: '•••', to: '•••' },
      ],
    })
    const file = await admin.get(`${PATH}/export`)
    expect(file.text).not.toContain('hush')
  })

  test('is narrowed by person, kind of record and time, and paged from either end', async () => {
    const { org, admin } = await aTeam()
    const other = await signedInAs(org, 'ADMIN')
    await many(org, 30)
    await other.post('/useradmin/group', { name: 'Mine', userIds: [other.email] })
    await admin.post('/apiManagement/credentials', { name: 'Key' })
    const found = async (filter: object) =>
      (await read(admin, { filter })).events.map(({ sequence }) => sequence)
    expect(await found({ actor: `person:${other.uuid}` })).toEqual([31])
    expect(await found({ noun: 'api-keys' })).toEqual([32])
    expect(await found({ noun: 'groups', actor: `person:${other.uuid}` })).toEqual([31])
    expect(await found({ actor: 'system:' })).toHaveLength(30)
    const { timestamp } = (await read(admin)).events[0]!
    expect(await found({ from: timestamp })).toEqual([32])
    expect((await found({ to: timestamp }))[0]).toBe(31)
    expect(await found({ from: timestamp, to: timestamp })).toEqual([])

    const page = async (range: [number, number], order: string) =>
      (await read(admin, { range, sort: ['timestamp', order] })).events.map(({ sequence }) => sequence)
    expect(await page([0, 2], 'DESC')).toEqual([32, 31, 30])
    expect(await page([28, 40], 'DESC')).toEqual([4, 3, 2, 1])
    expect(await page([20, 22], 'DESC')).toEqual([12, 11, 10])
    expect(await page([20, 22], 'ASC')).toEqual([21, 22, 23])
    expect(await page([40, 50], 'ASC')).toEqual([])
    const { headers } = await admin.get(`${PATH}?range=[40,50]`)
    expect(headers.get('content-range')).toBe('items */32')
  })

  test('leaves out notifications where nobody wants them', async () => {
    const { org, admin } = await aTeam()
    await inside(org, async (db) => record(db, { noun: 'notifications', record: admin.uuid, verb: 'read' }))
    expect((await read(admin)).total).toBe(1)
    expect(await read(admin, { filter: { notifications: false } })).toMatchObject({ total: 0, events: [] })
  })

  test('shortens long values, and has the whole in one event', async () => {
    const { org, admin } = await aTeam()
    const long = 'x'.repeat(5_000)
    await inside(org, async (db) =>
      record(db, {
        noun: 'things',
        record: 'one',
        verb: 'changed',
        changes: { text: { from: null, to: long } },
      }),
    )
    const { events } = await read(admin)
    expect(events[0]!.changes[0]!.to).toHaveLength(241)
    expect((await admin.get(`${PATH}/1`)).body.changes[0].to).toBe(long)
    expect((await admin.get(`${PATH}/2`)).status).toBe(404)
    for (const bad of ['0', '-1', '1.5', 'x', '9'.repeat(30)])
      expect((await admin.get(`${PATH}/${bad}`)).status, bad).toBe(400)
  })

  test.each([
    ['filter={"from":"yesterday"}'],
    ['filter={"noun":["users"]}'],
    ['filter={"actor":5}'],
    ['filter=x'],
    ['sort=["hash","ASC"]'],
    ['range=[0,5000]'],
  ])('refuses %s', async (query) => {
    const { admin } = await aTeam()
    expect((await admin.get(`${PATH}?${encodeURI(query)}`)).status).toBe(400)
  })

  test("tells nothing of another organisation's events", async () => {
    const { org, admin } = await aTeam()
    const theirs = await aTeam()
    await many(theirs.org, 3)
    await many(org, 1)
    expect((await read(admin)).total).toBe(1)
    expect((await read(admin, { filter: { actor: `person:${theirs.admin.uuid}` } })).total).toBe(0)
    expect((await admin.get(`${PATH}/3`)).status).toBe(404)
    expect((await check(admin)).total).toBe(1)
  })

  test('is for who administers people', async () => {
    const { org } = await aTeam()
    for (const role of ['USER', 'BUSINESS_USER', 'PLAYBOOK_MANAGER'] as const) {
      const caller = await signedInAs(org, role)
      for (const path of ['', '/choices', '/export', '/1'])
        expect((await caller.get(PATH + path)).status).toBe(403)
      expect((await caller.post(`${PATH}/check`, {})).status).toBe(403)
    }
  })
})

describe('the file', () => {
  test('holds everything that the filter finds, in order, and no formula', async () => {
    const { org, admin } = await aTeam()
    await many(org, 1_100)
    await admin.post('/useradmin/group', { name: '=HYPERLINK("http://evil","x")', userIds: [admin.email] })
    const file = await admin.get(`${PATH}/export?filter=${encodeURIComponent('{"noun":"groups"}')}`)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="audit-log-${org.code}-\\d{4}-\\d\\d-\\d\\d.csv"`),
    )
    const { default: Papa } = await import('papaparse')
    const { data } = Papa.parse<Record<string, string>>(file.text.trim(), { header: true })
    expect(data).toHaveLength(1_101)
    expect(data.map((row) => Number(row['Event']))).toEqual(Array.from({ length: 1_101 }, (_, n) => n + 1))
    expect(data.at(-1)).toMatchObject({
      Who: admin.email,
      'Acting as': 'Person',
      'What happened': 'Group created',
      Record: `'=HYPERLINK("http://evil","x")`,
      'Kind of record': 'Group',
    })
    expect(JSON.parse(data.at(-1)!['Changes as stored (JSON)']!)).toMatchObject({
      userIds: { to: [admin.email] },
    })
    // The download itself is an event of the log.
    const { events } = await read(admin)
    expect(events[0]).toMatchObject({
      noun: 'audit-log',
      verb: 'exported',
      changes: [{ field: 'noun', to: 'groups' }],
    })
  })
})

describe('the check', () => {
  test('finds the whole chain whole, a part at a time, and notes that', async () => {
    const { org, admin } = await aTeam()
    expect(await check(admin)).toMatchObject({
      holdsTo: 0,
      total: 0,
      brokenAt: null,
      done: true,
      fingerprint: null,
    })
    await many(org, 2_500)
    const first = await check(admin)
    expect(first).toMatchObject({ holdsTo: 2_000, total: 2_501, brokenAt: null, done: false })
    const { fingerprint } = first
    const second = await admin.post(`${PATH}/check`, { after: 2_000, fingerprint })
    expect(second.body).toMatchObject({
      holdsTo: 2_501,
      brokenAt: null,
      done: true,
      timestamp: expect.any(String),
    })
    const { events } = await read(admin, { range: [0, 1] })
    expect(events[1]!.fingerprint).toBe(second.body.fingerprint)
    expect(events[0]).toMatchObject({ noun: 'audit-log', verb: 'found whole', recordName: 'Audit log' })
    const elsewhere = await admin.post(`${PATH}/check`, { after: 2_000, fingerprint: 'f'.repeat(64) })
    expect(elsewhere.status).toBe(409)
    for (const body of [{ after: -1 }, { after: 1, fingerprint: 'x' }, { after: 'x' }])
      expect((await admin.post(`${PATH}/check`, body)).status).toBe(400)
  })

  test.each([
    ['changed', "update events set changes = '{}' where organisation_id = $org and sequence = 3", 3],
    [
      'moved in time',
      "update events set at = at - interval '1 day' where organisation_id = $org and sequence = 4",
      4,
    ],
    [
      'given to somebody else',
      `update events set actor = '{"kind":"system","id":null,"name":"x"}' where organisation_id = $org and sequence = 2`,
      2,
    ],
    ['taken out', 'delete from events where organisation_id = $org and sequence = 3', 4],
    ['cut off', 'delete from events where organisation_id = $org and sequence = 6', 6],
    ['all taken out', 'delete from events where organisation_id = $org', 1],
    [
      'given another fingerprint',
      "update events set hash = sha256('x') where organisation_id = $org and sequence = 5",
      5,
    ],
  ])('finds an event that was %s', async (_, statement, brokenAt) => {
    const { org, admin } = await aTeam()
    for (let n = 0; n < 6; n += 1) await admin.post('/apiManagement/credentials', { name: `Key ${n}` })
    await tamper(org, statement)
    expect(await check(admin)).toMatchObject({ brokenAt, done: true })
  })
})
