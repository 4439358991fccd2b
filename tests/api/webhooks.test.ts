import type { lookup, LookupAddress } from 'node:dns'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'

import { type WebhookDelivery, WEBHOOK_EVENTS, WEBHOOKS_MAX } from '#contract/webhooks/schema.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#server/kit/core/clock.ts'
import { isPublicAddress } from '#server/kit/core/hosts.ts'
import { guardedLookup, HTTPS_ONLY, PRIVATE_ADDRESS, refusedUrl } from '#server/webhooks/request.flows.ts'
import { FAILURES_MAX, pauseAfter } from '#server/webhooks/sending.flows.ts'
import { declared, resolve, TASK, UPDATE } from '#tests/support/incidents.ts'
import { signIn, startProduct } from '#tests/support/product.ts'
import { Receiver } from '#tests/support/receiver.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { later } from '#tests/support/sign-in.ts'

const muster = await startTestServer()
const { anOrganisation, inside, signedInAs } = muster
const receivers: Receiver[] = []
afterEach(() => void vi.restoreAllMocks())
afterAll(() => receivers.forEach((one) => one.stop()))

const PATH = '/webhook'
const WAIT = { timeout: 20_000 }
async function aReceiver(reply?: ConstructorParameters<typeof Receiver>[0]): Promise<Receiver> {
  const receiver = await new Receiver(reply).start()
  receivers.push(receiver)
  return receiver
}
const answering =
  (status: number, body = ''): Receiver['reply'] =>
  (_, response) =>
    void response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end(body)

/** A webhook of a new organisation at a receiver. */
async function aWebhook(given: object = {}, reply?: Receiver['reply']) {
  const receiver = await aReceiver(reply)
  const org = await anOrganisation({ multiIncident: true })
  const admin = await signedInAs(org, 'ADMIN', { firstName: 'Ana', lastName: 'Lead' })
  const made = await admin.post(PATH, {
    name: 'Status page',
    url: receiver.url,
    events: WEBHOOK_EVENTS,
    ...given,
  })
  expect(made.status).toBe(201)
  const { id, secret, version } = made.body as { id: string; secret: string; version: number }
  const webhook = async () => (await admin.get('/webhooks')).body.find((one: { id: string }) => one.id === id)
  const deliveries = async () =>
    (await admin.get(`${PATH}/${id}/deliveries`)).body as { data: WebhookDelivery[]; total: number }
  return { receiver, org, admin, id, secret, version, made, webhook, deliveries }
}
const came = (receiver: Receiver, count: number) =>
  vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count), WAIT)
const notificationsOf = async (one: Caller) =>
  (await one.get('/notifications')).body.data as { title: string; details: string }[]
const rowsOf = (org: Organisation) => inside(org, (db) => db.selectFrom('webhooks').selectAll().execute())

const storedOf = (org: Organisation) =>
  inside(org, (db) => db.selectFrom('webhook_deliveries').selectAll().execute())

const docs = readFileSync('docs/webhooks.md', 'utf8')
type Verify = (secret: string, header: string, body: string) => boolean
/** The function of the documentation. */
async function documentedProof(): Promise<Verify> {
  const code = /```js\n([^`]*`[^`]*`[^`]*)```/.exec(docs)![1]!
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
    isFromMuster: Verify
  }
  return module.isFromMuster
}

describe('a webhook', () => {
  test('has a secret that is told once and stored sealed', async () => {
    const { org, admin, made, secret, id, version, receiver } = await aWebhook()
    expect(made.body).toMatchObject({ isOn: true, failures: 0, offTimestamp: null })
    const list = await admin.get('/webhooks')
    expect(list.body).toHaveLength(1)
    expect(list.text).not.toContain(secret)
    expect((await rowsOf(org))[0]!.secret.toString('latin1')).not.toContain(secret)
    const events = await inside(org, (db) => db.selectFrom('events').selectAll().execute())
    expect(JSON.stringify(events)).not.toContain(secret)
    const values = { name: 'Tickets', url: receiver.url, events: ['incident.declared'] }
    expect((await admin.put(`${PATH}/${id}`, { ...values, version })).body).toMatchObject({ version: 2 })
    const late = await admin.put(`${PATH}/${id}`, { ...values, name: 'Chat', version })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect((await admin.post(PATH, { ...values, name: 'TICKETS' })).body.fields).toHaveProperty('name')
  })

  test('is refused at the field for an address that may not be called, and for none', async () => {
    const { admin, receiver } = await aWebhook()
    const at = async (url: string) =>
      (await admin.post(PATH, { name: url, url, events: ['incident.declared'] })).body.fields?.url as
        | string
        | undefined
    expect(await at('http://example.org/hook')).toBe(HTTPS_ONLY)
    for (const url of [
      'https://10.1.2.3/',
      'https://[::ffff:10.0.0.1]/',
      'https://0x0a000001/',
      'https://169.254.169.254/',
    ])
      expect(await at(url)).toBe(PRIVATE_ADDRESS)
    for (const url of ['', 'ftp://example.org', 'https://user:word@example.org/', 'nonsense', 'https://'])
      expect(await at(url)).toMatch(/^Please enter/)
    const none = await admin.post(PATH, { name: 'None', url: receiver.url, events: [] })
    expect([none.status, none.body.fields]).toEqual([400, { events: 'Choose at least one event.' }])
    const wrong = await admin.post(PATH, { name: 'None', url: receiver.url, events: ['nonsense'] })
    expect(wrong.status).toBe(400)
    expect((await admin.get('/webhooks')).body).toHaveLength(1)
  })

  test(`is one of at most ${WEBHOOKS_MAX}`, async () => {
    const { admin, receiver } = await aWebhook()
    const add = (n: number) =>
      admin.post(PATH, { name: `Hook ${n}`, url: receiver.url, events: ['incident.declared'] })
    for (let n = 1; n < WEBHOOKS_MAX; n += 1) expect((await add(n)).status).toBe(201)
    expect((await add(WEBHOOKS_MAX)).status).toBe(409)
  })
})

describe('addresses', () => {
  const trial = { host: '127.0.0.1', publicUrl: null, trustProxy: false }
  const behindProxy = { host: '127.0.0.1', publicUrl: 'https://muster.example', trustProxy: true }

  test('of this machine are for an installation that only this machine reaches', () => {
    for (const url of ['http://localhost:1/', 'http://127.0.0.1/', 'https://[::1]/'])
      expect([
        refusedUrl(url, trial),
        refusedUrl(url, behindProxy),
        refusedUrl(url, { ...trial, host: '0.0.0.0' }),
      ]).toEqual([undefined, PRIVATE_ADDRESS, PRIVATE_ADDRESS])
    expect(refusedUrl('https://example.org/', behindProxy)).toBeUndefined()
  })

  test('are public or not', () => {
    for (const address of ['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '172.32.0.1'])
      expect([address, isPublicAddress(address)]).toEqual([address, true])
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '::ffff:a00:1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      'ff02::1',
      'example.org',
      '',
    ])
      // prettier-ignore
      expect([address, isPublicAddress(address)]).toEqual([address, false])
  })

  test.each([
    ['one public address', ['8.8.8.8'], true],
    ['a private address', ['10.0.0.1'], false],
    ['a private address beside a public one', ['8.8.8.8', '192.168.0.1'], false],
    ['no address', [], false],
  ])('of a name with %s are decided about by the connection', async (_, addresses, isAllowed) => {
    const resolver = ((_host: string, _options: object, done: (error: null, all: LookupAddress[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as unknown as typeof lookup
    const look = promisify(guardedLookup(behindProxy, resolver))
    const found = look('hooks.example', { all: true }).then(
      () => true,
      (error: Error) => error.message !== PRIVATE_ADDRESS,
    )
    expect(await found).toBe(isAllowed)
  })
})

describe('an event', () => {
  test('is signed as the documentation shows it, and names people without their addresses', async () => {
    const { receiver, org, admin, secret } = await aWebhook()
    const isFromMuster = await documentedProof()
    const incident = await declared(admin, { title: 'Flood – “north”', severity: 'HIGH' })
    await came(receiver, 1)
    const [first] = receiver.received
    expect(isFromMuster(secret, first!.signature, first!.raw)).toBe(true)
    expect(isFromMuster(secret, first!.signature, `${first!.raw} `)).toBe(false)
    expect(isFromMuster('another', first!.signature, first!.raw)).toBe(false)
    expect(first!.body).toEqual({
      id: first!.delivery,
      type: 'incident.declared',
      occurred: expect.any(String),
      organisation: org.code,
      sequence: expect.any(Number),
      incident: {
        id: incident.id,
        number: incident.number,
        title: 'Flood – “north”',
        severity: 'HIGH',
        isTabletop: false,
        state: 'ONGOING',
      },
      by: 'Ana Lead',
    })
  })

  test('of each type is sent in the order of the acts, once', async () => {
    const { receiver, admin, org, deliveries } = await aWebhook()
    const incident = await declared(admin)
    const path = `/incident/${incident.id}`
    await admin.patch(path, { title: 'Flood in the south', targetedUsers: [admin.email] })
    const task = await admin.post(`${path}/activity`, { ...TASK, type: 'TASK', assignedTo: admin.email })
    expect(task.status).toBe(201)
    expect((await admin.post(`${path}/activity`, UPDATE)).status).toBe(201)
    const tasks = (await admin.get(path)).body.activities as { id: string; type: string }[]
    const taskId = tasks.find(({ type }) => type === 'TASK')!.id
    await admin.patch(`/incident/activity/${taskId}`, { status: 'COMPLETE' })
    await admin.post(`${path}/checkIn`)
    await resolve(admin, incident)
    await admin.post(`${path}/reopen`, { reason: 'It came back.' })
    await came(receiver, 8)
    expect(receiver.types).toEqual([
      'incident.declared', 'incident.changed', 'task.added', 'update.added', 'task.completed', 'person.checked-in',
      'incident.resolved', 'incident.reopened',
    ]) // prettier-ignore
    const bodyOf = (type: string) => receiver.received.find(({ body }) => body.type === type)!.body
    expect(bodyOf('incident.changed')).toMatchObject({
      changes: { title: { to: 'Flood in the south' } },
      changedFields: ['title', 'targetedUsers'],
    })
    expect(bodyOf('task.completed').task).toMatchObject({
      title: TASK.title,
      status: 'COMPLETE',
      assignee: 'Ana Lead',
    })
    expect(bodyOf('update.added').update.text).toBe(UPDATE.description)
    expect(bodyOf('person.checked-in').person).toBe('Ana Lead')
    expect(bodyOf('incident.reopened')).toMatchObject({
      incident: { state: 'ONGOING' },
      changes: { reason: { to: 'It came back.' } },
    })
    expect(JSON.stringify(receiver.received.map(({ raw }) => raw))).not.toContain(`@${org.code}`)
    await vi.waitFor(async () => {
      const { data, total } = await deliveries()
      expect([total, data.every(({ state, attempts }) => state === 'DELIVERED' && attempts === 1)]).toEqual([
        8,
        true,
      ])
      expect(data[0]).toMatchObject({
        type: 'incident.reopened',
        status: 200,
        answer: 'Thanks',
        incidentId: incident.id,
      })
    }, WAIT)
    expect(new Set(receiver.received.map(({ delivery }) => delivery)).size).toBe(8)
  })

  test('of a decision has its words once it is made, and of a situation report its number once it is published', async () => {
    const { receiver, admin } = await aWebhook({ events: ['decision.made', 'situation-report.published'] })
    const { id } = await declared(admin)
    const proposal = { title: 'Close the site', context: 'Water rises.', decider: admin.email }
    const { body: decision } = await admin.post(`/incident/${id}/decision`, proposal)
    const confirmed = { decision: 'Nobody enters.', version: decision.version }
    expect((await admin.put(`/incident/decision/${decision.id}/confirmation`, confirmed)).status).toBe(200)
    const { body: report } = await admin.post(`/incident/${id}/situationReport`, {})
    const published = await admin.post(`/situationReport/${report.id}/publish`, { version: report.version })
    expect(published.status).toBe(200)
    await came(receiver, 2)
    expect(receiver.received.map(({ body }) => body)).toMatchObject([
      {
        type: 'decision.made',
        by: 'Ana Lead',
        decision: {
          id: decision.id,
          number: 1,
          title: 'Close the site',
          text: 'Nobody enters.',
          decider: 'Ana Lead',
        },
      },
      { type: 'situation-report.published', situationReport: { id: report.id, number: 1 } },
    ])
  })

  test('that was not chosen is not sent, nor one while the webhook is off', async () => {
    const { receiver, admin, id, made } = await aWebhook({ events: ['incident.resolved'] })
    const first = await declared(admin)
    await resolve(admin, first)
    await came(receiver, 1)
    const values = { name: 'Status page', url: receiver.url, events: ['incident.declared'] }
    await admin.put(`${PATH}/${id}`, { ...values, isOn: false, version: made.body.version })
    await declared(admin, { title: 'Unseen' })
    await admin.put(`${PATH}/${id}`, { ...values, isOn: true })
    await declared(admin, { title: 'Seen' })
    await came(receiver, 2)
    expect(receiver.received.map(({ body }) => body.incident.title)).toEqual([first.title, 'Seen'])
  })
})

describe('an endpoint', () => {
  test('that fails and comes back gets everything in order, under the same ids', async () => {
    const { receiver, admin, webhook, deliveries } = await aWebhook()
    receiver.stop()
    await declared(admin, { title: 'One' })
    await vi.waitFor(async () => expect((await webhook()).failures).toBe(1), WAIT)
    await declared(admin, { title: 'Two' })
    await vi.waitFor(async () => expect((await deliveries()).total).toBe(2), WAIT)
    const [second, first] = (await deliveries()).data
    expect(first).toMatchObject({ state: 'WAITING', status: null, problem: 'The connection was refused.' })
    expect(second).toMatchObject({ state: 'WAITING', attempts: 0 })
    receiver.reply = answering(503, 'Busy')
    await receiver.start()
    later(MINUTE)
    await vi.waitFor(async () => expect((await webhook()).failures).toBe(2), WAIT)
    receiver.reply = answering(204)
    later(10 * MINUTE)
    await came(receiver, 3)
    expect(receiver.received.map(({ body }) => body.incident.title)).toEqual(['One', 'One', 'Two'])
    expect(receiver.received.map(({ delivery }) => delivery)).toEqual([first!.id, first!.id, second!.id])
    await vi.waitFor(async () => expect((await webhook()).failures).toBe(0), WAIT)
  })

  test('that cannot read one event gets the others', async () => {
    const { receiver, admin, deliveries } = await aWebhook()
    receiver.reply = ({ body }, response) =>
      void response.writeHead(body.incident.title === 'Odd' ? 400 : 200).end('x'.repeat(5_000))
    await declared(admin, { title: 'Odd' })
    await declared(admin, { title: 'Plain' })
    await vi.waitFor(async () => {
      expect((await deliveries()).data).toMatchObject([
        { state: 'DELIVERED', incidentTitle: 'Plain' },
        { state: 'WAITING', incidentTitle: 'Odd', status: 400, problem: 'It answered 400.' },
      ])
    }, WAIT)
    expect((await deliveries()).data[1]!.answer).toBe('x'.repeat(1_024))
  })

  test('that leads elsewhere is not followed', async () => {
    const { receiver, admin, deliveries } = await aWebhook({}, answering(302))
    await declared(admin)
    await vi.waitFor(async () => {
      const [only] = (await deliveries()).data
      expect(only).toMatchObject({ status: 302, problem: expect.stringContaining('redirect') })
    }, WAIT)
    expect(receiver.received).toHaveLength(1)
  })

  test('that is slow holds up nobody but itself', async () => {
    const slow = await aWebhook({}, () => {})
    const quick = await aReceiver()
    await slow.admin.post(PATH, { name: 'Quick', url: quick.url, events: WEBHOOK_EVENTS })
    await declared(slow.admin, { title: 'One' })
    await declared(slow.admin, { title: 'Two' })
    await came(quick, 2)
    expect(slow.receiver.received).toHaveLength(1)
    expect((await slow.webhook()).failures).toBe(0)
    await vi.waitFor(
      async () =>
        expect((await slow.deliveries()).data.at(-1)).toMatchObject({
          state: 'WAITING',
          attempts: 1,
          problem: 'It did not answer within 10 seconds.',
        }),
      WAIT,
    )
  })

  test('that fails for a day is given up, with pauses that grow', async () => {
    expect([1, 2, 3, 11, 5_000].map(pauseAfter)).toEqual([5 * SECOND, 10 * SECOND, 20 * SECOND, HOUR, HOUR])
    const { receiver, org, admin } = await aWebhook({}, answering(500))
    await declared(admin)
    await came(receiver, 1)
    // Nobody's session lasts that long.
    later(DAY + MINUTE)
    await vi.waitFor(
      async () =>
        expect(await storedOf(org)).toMatchObject([
          { state: 'FAILED', problem: 'It could not be delivered within a day. It answered 500.' },
        ]),
      WAIT,
    )
  })

  test(`that fails ${FAILURES_MAX} times in a row is switched off, and administrators are told`, async () => {
    const { org, admin, webhook, deliveries, version, id, receiver } = await aWebhook({}, answering(500))
    const user = await signedInAs(org, 'USER')
    await inside(org, (db) =>
      db
        .updateTable('webhooks')
        .set({ failures: FAILURES_MAX - 1 })
        .execute(),
    )
    await declared(admin)
    await vi.waitFor(async () => expect((await webhook()).isOn).toBe(false), WAIT)
    expect(await webhook()).toMatchObject({ failures: FAILURES_MAX, offTimestamp: expect.any(String) })
    expect((await deliveries()).data[0]!.state).toBe('FAILED')
    const told = {
      title: 'The webhook Status page was switched off',
      details: expect.stringContaining('It answered 500.'),
    }
    expect(await notificationsOf(admin)).toContainEqual(expect.objectContaining(told))
    expect(await notificationsOf(user)).not.toContainEqual(expect.objectContaining({ title: told.title }))
    const values = { name: 'Status page', url: receiver.url, events: WEBHOOK_EVENTS }
    expect((await admin.put(`${PATH}/${id}`, { ...values, isOn: true, version })).status).toBe(409)
    const on = await admin.put(`${PATH}/${id}`, { ...values, isOn: true })
    expect(on.body).toMatchObject({ isOn: true, failures: 0, offTimestamp: null })
  })
})

describe('by hand', () => {
  test('a test is sent once, also while the webhook is off, and does not count', async () => {
    const { receiver, admin, id, webhook, deliveries } = await aWebhook({ isOn: false }, answering(500))
    expect((await admin.post(`${PATH}/${id}/test`)).body).toMatchObject({ type: 'test', state: 'WAITING' })
    await vi.waitFor(
      async () => expect((await deliveries()).data[0]).toMatchObject({ state: 'FAILED', attempts: 1 }),
      WAIT,
    )
    expect(receiver.received[0]!.body).toMatchObject({ type: 'test', incident: null })
    expect((await webhook()).failures).toBe(0)
  })

  test('a delivery is sent again under its id, and not while it waits', async () => {
    const { receiver, admin, id, deliveries } = await aWebhook()
    await declared(admin)
    await vi.waitFor(
      async () => expect((await deliveries()).data[0]).toMatchObject({ state: 'DELIVERED' }),
      WAIT,
    )
    const [{ id: deliveryId }] = (await deliveries()).data as [WebhookDelivery]
    receiver.reply = () => {}
    expect((await admin.post(`${PATH}/${id}/delivery/${deliveryId}`)).body).toMatchObject({
      state: 'WAITING',
    })
    expect((await admin.post(`${PATH}/${id}/delivery/${deliveryId}`)).status).toBe(409)
    await came(receiver, 2)
    expect(receiver.received[1]!.raw).toBe(receiver.received[0]!.raw)
    expect((await admin.post(`${PATH}/${id}/delivery/${crypto.randomUUID()}`)).status).toBe(404)
    const other = await aWebhook()
    expect((await other.admin.post(`${PATH}/${other.id}/delivery/${deliveryId}`)).status).toBe(404)
  })

  test('the last hundred deliveries are shown, in pages', async () => {
    const { org, admin, id, deliveries } = await aWebhook()
    const at = new Date().toISOString()
    const row = { webhook_id: id, type: 'test', body: '{}', state: 'FAILED', problem: null }
    const times = { occurred_timestamp: at, due_timestamp: at, expire_timestamp: at }
    await inside(org, (db) =>
      db
        .insertInto('webhook_deliveries')
        .values(
          Array.from({ length: 105 }, (_, attempts) => ({
            id: crypto.randomUUID(),
            ...row,
            ...times,
            attempts,
          })),
        )
        .execute(),
    )
    await declared(admin)
    await vi.waitFor(async () => {
      expect(await storedOf(org)).toHaveLength(100)
    }, WAIT)
    expect((await deliveries()).data).toHaveLength(25)
    const last = await admin.get(`${PATH}/${id}/deliveries?offset=90&size=25`)
    expect([last.body.total, last.body.data.length]).toEqual([100, 10])
  })
})

test('a kill between an event and its delivery loses nothing', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-webhooks-'))
  const receiver = await aReceiver(() => {})
  const first = await startProduct({}, folder)
  let second
  try {
    const { call } = await signIn(first.url, 'admin@demo.example')
    const made = await call('POST', '/webhook', {
      name: 'Status page',
      url: receiver.url,
      events: ['incident.declared'],
    })
    expect(made.status).toBe(201)
    await call('POST', '/incident', {
      title: 'Flood',
      fullText: '<p>Water</p>',
      severity: 'HIGH',
      isTabletop: true,
    })
    await came(receiver, 1)
    await first.kill('SIGKILL')
    receiver.reply = answering(200)
    second = await startProduct({}, folder)
    await came(receiver, 2)
    const [before, after] = receiver.received
    expect(after!.delivery).toBe(before!.delivery)
    expect(after!.raw).toBe(before!.raw)
  } finally {
    await first.kill('SIGKILL')
    await second?.crash()
    await rm(folder, { recursive: true, force: true })
  }
})
