import { describe, expect, test } from 'vitest'

import { clock, DAY } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'

import { type Caller, PASSWORD, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const multi = { multiIncident: true }
const organisation = await muster.anOrganisation(multi)
const admin = await muster.signedInAs(organisation, 'ADMIN')
const other = await muster.signedInAs(organisation, 'ADMIN')

const newKey = () => crypto.randomUUID()
const keyed = (
  caller: { headers: Record<string, string> },
  key: string,
  method: string,
  path: string,
  body?: unknown,
) =>
  muster.send(method, path, {
    headers: { ...caller.headers, 'Idempotency-Key': key },
    ...(body === undefined ? {} : { body }),
  })
const incident = (title: string) => ({ title, fullText: '<p>Text</p>' })
const titles = async (caller: Caller = admin): Promise<string[]> =>
  (await caller.get('/incident?size=100')).body.data.map(({ title }: { title: string }) => title)
const times = async (title: string) => (await titles()).filter((one) => one === title).length

describe('a request with an idempotency key', () => {
  test('is done once and answered the same again, whatever happened meanwhile', async () => {
    const key = newKey()
    const first = await keyed(admin, key, 'POST', '/incident', incident('Once'))
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    await admin.patch(`/incident/${first.body.id}`, { title: 'Renamed' })
    const again = await keyed(admin, key, 'POST', '/incident', incident('Once'))
    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await titles()).toEqual(['Renamed'])
  })

  test('is done once when it comes five times at the same moment', async () => {
    const key = newKey()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => keyed(admin, key, 'POST', '/incident', incident('At once'))),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await times('At once')).toBe(1)
  })

  test('is refused when something else comes under the same key', async () => {
    const key = newKey()
    const made = await keyed(admin, key, 'POST', '/incident', incident('First'))
    for (const [method, path, body] of [
      ['POST', '/incident', incident('Second')],
      ['POST', '/incident/withActivities', incident('First')],
      ['PATCH', `/incident/${made.body.id}`, incident('First')],
      ['DELETE', `/useradmin/user/${other.uuid}`, undefined],
    ] as const) {
      const refused = await keyed(admin, key, method, path, body)
      expect(refused.status, `${method} ${path}`).toBe(422)
      expect(refused.body).toMatchObject({
        code: 'idempotency_key_reused',
        message: 'This Idempotency-Key was used for another request.',
      })
    }
    expect(await times('Second')).toBe(0)
    expect(await times('First')).toBe(1)
  })

  test('belongs to its caller', async () => {
    const key = newKey()
    const elsewhere = await muster.signedInAs(await muster.anOrganisation(multi), 'ADMIN')
    const issued = await admin.post('/apiManagement/credentials', { name: 'Keyed' })
    const program = { headers: { 'X-Api-Key': issued.body.key as string } }
    const made = []
    for (const caller of [admin, other, program, elsewhere])
      made.push(await keyed(caller, key, 'POST', '/incident', incident('Mine')))
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(4)
    expect(await times('Mine')).toBe(3)
  })

  test('of an external person, who works in a role of the database of their own, is done once too', async () => {
    const guest = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const { body: made } = await admin.post('/incident', {
      ...incident('For a guest'),
      targetedUsers: [guest.email],
    })
    const path = `/incident/${made.id}/checkIn`
    const key = newKey()
    const [first, again] = [await keyed(guest, key, 'POST', path), await keyed(guest, key, 'POST', path)]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('is done when the first try was refused, because nothing came of that', async () => {
    const single = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    const running = await single.post('/incident', incident('Running'))
    const key = newKey()
    expect((await keyed(single, key, 'POST', '/incident', incident('Next'))).status).toBe(403)
    await single.patch(`/incident/${running.body.id}`, { isActive: false })
    expect((await keyed(single, key, 'POST', '/incident', incident('Next'))).status).toBe(201)
  })

  test('is judged before: a permission that was lost is not given back by a key', async () => {
    const key = newKey()
    const leaving = await muster.signedInAs(organisation, 'ADMIN')
    expect((await keyed(leaving, key, 'POST', '/incident', incident('Leaving'))).status).toBe(201)
    await admin.delete(`/useradmin/user/${leaving.uuid}`)
    expect((await keyed(leaving, key, 'POST', '/incident', incident('Leaving'))).status).toBe(401)
  })

  test.each(['', ' ', 'x'.repeat(256), 'tab\tbed', 'nön'])('is refused for the key %j', async (key) => {
    const headers = { ...admin.headers, 'Idempotency-Key': key }
    const refused = await muster
      .send('POST', '/incident', { headers, body: incident('Malformed') })
      .catch(() => null)
    // `fetch` itself refuses keys that no header can hold.
    if (refused) expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } })
    expect(await times('Malformed')).toBe(0)
  })

  test('changes, deletes and sends once too', async () => {
    const { body: made } = await admin.post('/incident', incident('To change'))
    const change = { title: 'Changed', version: made.version }
    const key = newKey()
    const [first, again] = [
      await keyed(admin, key, 'PATCH', `/incident/${made.id}`, change),
      await keyed(admin, key, 'PATCH', `/incident/${made.id}`, change),
    ]
    // Without the key the second request would be stale.
    expect([first.status, again.status, again.body.version]).toEqual([200, 200, first.body.version])

    const group = await muster.anOrganisation({ groupsEnabled: true })
    const owner = await muster.signedInAs(group, 'ADMIN')
    const { body: one } = await owner.post('/useradmin/group', { name: 'One', userIds: [owner.email] })
    const removal = newKey()
    expect((await keyed(owner, removal, 'DELETE', `/useradmin/group/${one.id}`)).status).toBe(204)
    expect((await keyed(owner, removal, 'DELETE', `/useradmin/group/${one.id}`)).status).toBe(204)

    const person = await muster.aUser(group)
    const mail = newKey()
    for (let tries = 0; tries < 3; tries += 1)
      expect((await keyed(owner, mail, 'GET', `/useradmin/user/forgotPassword/${person.uuid}`)).status).toBe(
        204,
      )
    const sent = await muster.inside(group, (db) =>
      db.selectFrom('messages').select('recipient').where('recipient', '=', person.email).execute(),
    )
    expect(sent).toHaveLength(1)
  })

  test('with a file keeps one, and another file under its key is refused', async () => {
    const { body: made } = await admin.post('/incident', incident('With a file'))
    const upload = (key: string, text: string) => {
      const form = new FormData()
      form.append('file', new File([text], 'note.txt'))
      return muster.send('POST', `/fa/INCIDENT/${made.id}`, {
        headers: { ...admin.headers, 'Idempotency-Key': key },
        raw: form,
      })
    }
    const key = newKey()
    const [first, again] = [await upload(key, 'One'), await upload(key, 'One')]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect((await upload(key, 'Two')).status).toBe(422)
    expect((await admin.get(`/fa/INCIDENT/${made.id}`)).body).toHaveLength(1)
    const both = await Promise.all([upload('at-once', 'Three'), upload('at-once', 'Three')])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect(both[0].body).toEqual(both[1].body)
    expect((await admin.get(`/fa/INCIDENT/${made.id}`)).body).toHaveLength(2)
  })

  test('signs in once, and never answers another password', async () => {
    const person = await muster.aUser(organisation)
    const credentials = { email: person.email, password: PASSWORD, enterpriseCode: organisation.code }
    const signIn = (key: string, body: object) =>
      muster.send('POST', '/authentication/upass', { headers: { 'Idempotency-Key': key }, body })
    const key = newKey()
    const [first, again] = [await signIn(key, credentials), await signIn(key, credentials)]
    expect(first.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect((await signIn(key, { ...credentials, password: 'another' })).status).toBe(422)
    const sessions = await muster.inside(organisation, (db) =>
      db.selectFrom('sessions').select('id').where('user_id', '=', person.uuid).execute(),
    )
    expect(sessions).toHaveLength(1)
    // A repeated wrong password counts once as well.
    const wrong = newKey()
    for (let tries = 0; tries < 20; tries += 1)
      expect((await signIn(wrong, { ...credentials, password: 'wrong' })).status).toBe(401)
    expect((await signIn(newKey(), credentials)).status).toBe(200)
  })

  test('leaves nothing readable in the database, and goes after a day', async () => {
    const key = newKey()
    const issued = await keyed(admin, key, 'POST', '/apiManagement/credentials', { name: 'Sealed' })
    const { database } = muster.services
    const all = async () =>
      muster.inside(organisation, (db) => db.selectFrom('idempotent_requests').selectAll().execute())
    const rows = await all()
    expect(rows.length).toBeGreaterThan(0)
    for (const { answer, key_hash: hash } of rows)
      for (const secret of [issued.body.key as string, key])
        expect(Buffer.concat([answer ?? Buffer.alloc(0), hash]).includes(secret)).toBe(false)

    const housekeeping = chores({ database, blobs: muster.services.blobs })
    const run = () => housekeeping.get('idempotency keys')!.run()
    expect(await run()).toBe(0)
    const now = clock.now
    clock.now = () => now() + DAY + 1
    try {
      expect(await run()).toBeGreaterThan(rows.length)
    } finally {
      clock.now = now
    }
    expect(await all()).toEqual([])
  })
})

test('what does not change anything takes no key', async () => {
  const headers = { ...admin.headers, 'Idempotency-Key': 'the same' }
  const [first, again] = [
    await muster.send('GET', '/incident', { headers }),
    await muster.send('GET', '/me', { headers }),
  ]
  expect([first.status, again.status]).toEqual([200, 200])
})
