import { afterEach, describe, expect, test, vi } from 'vitest'
import { type RawData, WebSocket } from 'ws'

import type { LiveMessage } from '#contract/kit/live.ts'
import { MANAGEMENT_NOUNS } from '#server/nouns.ts'

import { startTestServer } from '../support/server.ts'
import { later } from '../support/sign-in.ts'

const muster = await startTestServer()
type Staff = Awaited<ReturnType<typeof muster.signedInAsStaff>>
const sockets: WebSocket[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const socket of sockets.splice(0)) socket.close()
})

const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString('utf8') : '')

function dial(ticket: unknown, base = '/management-api', after: number | null = null) {
  const socket = new WebSocket(`${muster.url.replace('http', 'ws')}${base}/live`)
  sockets.push(socket)
  const messages: LiveMessage[] = []
  socket.on('message', (data) => messages.push(JSON.parse(textOf(data)) as LiveMessage))
  socket.on('open', () => socket.send(JSON.stringify({ ticket, after })))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  return { messages, closed }
}
const ticketOf = async (staff: Staff): Promise<string> => (await staff.post('/live/ticket')).body.ticket
async function listen(staff: Staff) {
  const listener = dial(await ticketOf(staff))
  const has = (type: LiveMessage['type']) =>
    vi.waitFor(() => expect(listener.messages.map((message) => message.type)).toContain(type), 10_000)
  const nouns = () => listener.messages.flatMap((message) => (message.type === 'event' ? [message.noun] : []))
  const hears = (noun: string) => vi.waitFor(() => expect(nouns()).toContain(noun), 10_000)
  await has('ready')
  return { ...listener, has, hears, nouns }
}
const hint = (noun: string) => ({
  type: 'event',
  sequence: 0,
  noun,
  record: '',
  verb: 'changed',
  parent: null,
})

test('staff hear that something changed in an organisation, and nothing of what or where', async () => {
  const organisation = await muster.anOrganisation()
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const listener = await listen(await muster.signedInAsStaff())
  const { status } = await admin.post('/incident', { title: 'Ransomware', fullText: '<p>Encrypted</p>' })
  expect(status).toBe(201)
  await listener.hears('managed-incidents')
  await listener.hears('managed-organisations')
  const [ready, ...hints] = listener.messages
  expect(ready).toEqual({ type: 'ready', sequence: 0 })
  for (const one of hints) {
    if (one.type !== 'event') throw new Error('Only hints are expected.')
    expect(one).toEqual(hint(one.noun))
    expect(Object.keys(MANAGEMENT_NOUNS)).toContain(one.noun)
  }
})

test('staff hear of the work of other staff', async () => {
  const [staff, other] = [await muster.signedInAsStaff(), await muster.signedInAsStaff()]
  const listener = await listen(staff)
  await other.post('/staff', { email: 'hinted@provider.example' })
  await listener.hears('staff')
  await listener.hears('provider-log')
})

describe('of the users of an organisation', () => {
  test('staff hear when its administrator changes one', async () => {
    const admin = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    const listener = await listen(await muster.signedInAsStaff())
    const given = { email: `${crypto.randomUUID()}@company.example`, firstName: 'New', lastName: 'One' }
    const { status } = await admin.post('/useradmin/user', { ...given, role: 'USER', type: 'INTERNAL' })
    expect(status).toBe(201)
    await listener.hears('managed-users')
  })

  test('staff hear when another member of staff changes one', async () => {
    const { organisation, uuid } = await muster.signedInAs(await muster.anOrganisation())
    const [staff, other] = [await muster.signedInAsStaff(), await muster.signedInAsStaff()]
    const listener = await listen(staff)
    const path = `/enterprise/${organisation.id}`
    expect((await other.post(`${path}/access`, { reason: 'Ticket 4711' })).status).toBe(201)
    expect((await other.post(`${path}/user/${uuid}/ban`)).status).toBe(200)
    await listener.hears('managed-users')
  })
})

describe('of the configuration', () => {
  const GLOBAL = '/config/globalOverriddenConfigDetails'
  const ENTERPRISE = '/config/enterpriseConfigDetails'

  test('staff hear when another member of staff changes it for all organisations, and takes that back', async () => {
    const [staff, other] = [await muster.signedInAsStaff(), await muster.signedInAsStaff()]
    const first = await listen(staff)
    await other.put(GLOBAL, { databaseKey: 'maxFileSize', valueJson: '20' })
    await first.hears('config-items')
    const again = await listen(staff)
    expect((await other.delete(`${GLOBAL}/maxFileSize`)).status).toBe(200)
    await again.hears('config-items')
  })

  test('staff hear when another member of staff, or its administrator, changes it for an organisation', async () => {
    const admin = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    const [staff, other] = [await muster.signedInAsStaff(), await muster.signedInAsStaff()]
    const first = await listen(staff)
    const change = { databaseKey: 'chatRetentionDays', valueJson: '30' }
    expect((await other.put(`${ENTERPRISE}/${admin.organisation.id}`, change)).status).toBe(200)
    await first.hears('config-items')
    const second = await listen(staff)
    const own = { databaseKey: 'nameCharacters', valueJson: '"EXTENDED"' }
    expect((await admin.put(ENTERPRISE, own)).status).toBe(200)
    await second.hears('config-items')
  })
})

test('many changes are few hints', async () => {
  const admin = await muster.signedInAs(await muster.anOrganisation({ multiIncident: true }), 'ADMIN')
  const listener = await listen(await muster.signedInAsStaff())
  for (let n = 0; n < 10; n += 1) await admin.post('/incident', { title: `${n}`, fullText: '<p>x</p>' })
  await listener.hears('managed-incidents')
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(listener.nouns().filter((noun) => noun === 'managed-incidents').length).toBeLessThanOrEqual(4)
})

test('a ticket works once, and a client that comes back fetches everything again', async () => {
  const staff = await muster.signedInAsStaff()
  const ticket = await ticketOf(staff)
  const first = dial(ticket, '/management-api', 0)
  await vi.waitFor(() => expect(first.messages.map(({ type }) => type)).toEqual(['reset', 'ready']))
  expect(await dial(ticket).closed).toBe(4001)
})

test('tickets of one realm open nothing of the other', async () => {
  const admin = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
  const staff = await muster.signedInAsStaff()
  const own = (await admin.post('/live/ticket')).body.ticket
  const refused = [
    dial(own),
    dial(await ticketOf(staff), '/api'),
    dial(admin.headers['Authorization']?.slice(7)),
    dial(staff.headers['Authorization']?.slice(7)),
    dial(''),
    dial(7),
  ]
  expect(await Promise.all(refused.map(({ closed }) => closed))).toEqual([4001, 4001, 4001, 4001, 4001, 4001])
  expect(refused.flatMap(({ messages }) => messages)).toEqual([])
})

test('a session that is signed out or removed ends its socket and no other', async () => {
  const [leaver, removed, stayer] = [
    await muster.signedInAsStaff(),
    await muster.signedInAsStaff(),
    await muster.signedInAsStaff(),
  ]
  const ticket = await ticketOf(leaver)
  const listeners = [await listen(leaver), await listen(removed), await listen(stayer)] as const
  await leaver.post('/management/logout')
  await listeners[0].has('ended')
  expect(await listeners[0].closed).toBe(1000)
  expect(await dial(ticket).closed).toBe(4001)
  await stayer.delete(`/staff/${removed.id}`)
  await listeners[1].has('ended')
  expect(listeners[2].messages.map(({ type }) => type)).not.toContain('ended')
})

test('an expired session hears nothing more', async () => {
  const admin = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
  const listener = await listen(await muster.signedInAsStaff())
  later(3_601_000)
  muster.services.bus.publish('events', admin.organisation.id)
  await listener.has('ended')
  expect(listener.nouns()).toEqual([])
})
