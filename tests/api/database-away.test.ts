import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'

import type { Endpoint } from '#contract/kit/endpoint.ts'
import { LIVE_PATH } from '#contract/kit/live.ts'
import { isOutage } from '#server/kit/database/outages.ts'
import { APIS, MANAGEMENT_APIS } from '#server/nouns.ts'

import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { type Caller, PASSWORD, type Reply, type Staff, startTestServer } from '../support/server.ts'

let proxy: DatabaseProxy
const muster = await startTestServer({}, undefined, async (database) => {
  proxy = await startDatabaseProxy(database)
  return proxy.started
})
let admin: Caller
let staff: Staff
let refreshToken: string
beforeAll(async () => {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  admin = await muster.signedInAs(organisation, 'ADMIN')
  staff = await muster.signedInAsStaff()
  ;({
    body: { cueRefreshToken: refreshToken },
  } = await muster.send('POST', '/authentication/upass', { body: credentials() }))
})
afterEach(() => proxy.restore())
const credentials = () => ({
  email: admin.email,
  password: PASSWORD,
  enterpriseCode: admin.organisation.code,
})

function expectAway({ status, headers, body }: Reply, what: string) {
  expect({ status, body }, what).toEqual({
    status: 503,
    body: {
      code: 'database_unavailable',
      message: 'The server cannot reach its database at the moment. Please try again in a moment.',
      msUntilNextAttempt: 2_000,
    },
  })
  expect(headers.get('retry-after'), what).toBe('2')
}

/** All endpoints that need a session. */
const guardedIn = (apis: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>) =>
  Object.entries(apis).flatMap(([noun, api]) =>
    Object.entries(api)
      .filter(([, { access }]) => access.realm !== 'public')
      .map(([name, { method, path }]) => ({
        name: `${noun}.${name}`,
        method,
        path: path.replace(/:\w+/g, () => crypto.randomUUID()),
      })),
  )

describe('while the database is away', () => {
  test('every call says so, and when to try again', async () => {
    await proxy.cut()
    const [calls, consoleCalls] = [guardedIn(APIS), guardedIn(MANAGEMENT_APIS)]
    expect(calls.length).toBeGreaterThan(150)
    expect(consoleCalls.length).toBeGreaterThan(30)
    for (const { name, method, path } of calls)
      expectAway(await muster.send(method, path, { headers: admin.headers }), name)
    for (const { name, method, path } of consoleCalls)
      expectAway(await muster.send(method, `/management-api${path}`, { headers: staff.headers }), name)
  })

  test('so do calls without a session, pages and the health of the server, and nobody is signed out', async () => {
    await proxy.cut()
    const refresh = () => muster.send('POST', '/authentication/refreshToken', { body: { refreshToken } })
    expectAway(await refresh(), 'refresh')
    expectAway(await muster.send('POST', '/authentication/upass', { body: credentials() }), 'sign-in')
    expectAway(await muster.send('GET', `/config/public/${admin.organisation.code}`), 'configuration')
    expectAway(await muster.send('GET', `/registry/${admin.organisation.code}`), 'registry')
    expectAway(await muster.send('GET', '/health/ready'), 'health')
    expect((await muster.send('GET', '/health/live')).status).toBe(200)
    expectAway(await muster.send('GET', '/outbox', { headers: { Accept: 'application/json' } }), 'outbox')
    const page = await muster.send('GET', '/outbox', { headers: { Accept: 'text/html,*/*' } })
    expect(page).toMatchObject({ status: 503, text: expect.stringContaining('Trying again') })
    expect(page.headers.get('refresh')).toBe('2')
    await proxy.restore()
    expect((await admin.get('/me')).status).toBe(200)
    expect((await refresh()).status).toBe(200)
    expect((await muster.send('GET', '/health/ready')).status).toBe(200)
  })

  test('live updates go on afterwards, on a socket that stayed or came back', async () => {
    const heard: { type: string; noun?: string; sequence?: number }[] = []
    let socket: WebSocket | undefined
    const connect = async () => {
      const { body } = await admin.post('/live/ticket')
      const after = heard.at(-1)?.sequence ?? null
      socket = new WebSocket(`${muster.url.replace('http', 'ws')}/api${LIVE_PATH}`)
      socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())))
      socket.on('open', () => socket!.send(JSON.stringify({ ticket: body.ticket, after })))
    }
    await connect()
    await vi.waitFor(() => expect(heard.map(({ type }) => type)).toContain('ready'))
    await proxy.cut()
    expectAway(await admin.post('/live/ticket'), 'ticket')
    await proxy.restore()
    expect((await admin.post('/incident', { title: 'Outage', fullText: '<p>x</p>' })).status).toBe(201)
    if (socket!.readyState !== WebSocket.OPEN) await connect()
    await vi.waitFor(() => expect(heard.map(({ noun }) => noun)).toContain('incidents'), 30_000)
    socket!.close()
  })

  test('a write whose connection is lost at its commit is repeated under its key, and done once', async () => {
    const declare = (title: string) =>
      muster.send('POST', '/incident', {
        headers: { ...admin.headers, 'Idempotency-Key': title },
        body: { title, fullText: '<p>x</p>' },
      })
    proxy.cutAt('commit')
    expectAway(await declare('Lost'), 'commit')
    await proxy.restore()
    const again = await declare('Lost')
    expect(again.status).toBe(201)
    const { body } = await admin.get('/incident?size=100')
    const titles = body.data.map(({ title }: { title: string }) => title)
    expect(titles.filter((title: string) => title === 'Lost')).toHaveLength(1)
  })
})

test.each([
  [true, { code: 'ECONNREFUSED', syscall: 'connect' }],
  [true, { code: 'ENOENT', syscall: 'connect' }],
  [true, { code: 'ECONNRESET', syscall: 'read' }],
  [true, { code: 'EPIPE', syscall: 'write' }],
  [true, { message: 'Connection terminated unexpectedly' }],
  [false, { code: 'ENOENT', syscall: 'open' }],
  [false, { code: 'ENOSPC', syscall: 'write' }],
  [false, { code: 'ECONNRESET', message: 'aborted' }],
  [false, { message: 'The transaction is already open.' }],
] as readonly [boolean, { message?: string; code?: string; syscall?: string }][])(
  'it is %s that %o is an outage',
  (expected, { message = 'x', ...details }) => {
    const error = Object.assign(new Error(message), details)
    expect(isOutage(error)).toBe(expected)
    expect(isOutage(new AggregateError([error]))).toBe(expected)
  },
)
