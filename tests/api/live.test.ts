import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'

import pg from 'pg'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type RawData, WebSocket } from 'ws'

import type { LiveMessage } from '#contract/kit/live.ts'
import { clock, HOUR, SECOND } from '#server/kit/core/clock.ts'
import { useSocketTicket } from '#server/kit/live/live.ts'

import { HEADING, madePlaybook, PLAYBOOK } from '../support/playbooks.ts'
import { type Caller, PASSWORD, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const opened: Listener[] = []
afterEach(() => {
  for (const listener of opened.splice(0)) listener.socket.close()
})

const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString('utf8') : '')

class Listener {
  readonly messages: LiveMessage[] = []
  readonly socket: WebSocket
  readonly closed: Promise<number>
  #wake = () => {}

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(textOf(data)) as LiveMessage)
      this.#wake()
    })
    this.closed = new Promise((resolve) => socket.on('close', (code) => resolve(code)))
    opened.push(this)
  }

  /** The first matching message, received or still to come. */
  async until(fits: (message: LiveMessage) => boolean): Promise<LiveMessage> {
    for (;;) {
      const found = this.messages.find(fits)
      if (found) return found
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
  events = () =>
    this.messages.flatMap((message) => (message.type === 'event' ? [`${message.noun} ${message.verb}`] : []))
}

function dial(hello: unknown): Listener {
  const socket = new WebSocket(`${muster.url.replace('http', 'ws')}/api/live`)
  socket.on('open', () => socket.send(typeof hello === 'string' ? hello : JSON.stringify(hello)))
  return new Listener(socket)
}
async function listen(caller: Caller, after: number | null = null): Promise<Listener> {
  const { body } = await caller.post('/live/ticket')
  const listener = dial({ ticket: body.ticket, after })
  await listener.until((message) => message.type === 'ready')
  return listener
}
const create = (caller: Caller, title = 'Ransomware') =>
  caller.post('/incident', { title, fullText: '<p>Encrypted</p>' })
const isEvent = (noun: string, verb: string) => (message: LiveMessage) =>
  message.type === 'event' && message.noun === noun && message.verb === verb

test('a change reaches the other people of the organisation, and nobody of another one', async () => {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const [ana, ben] = [
    await muster.signedInAs(organisation),
    await muster.signedInAs(organisation, 'BUSINESS_USER'),
  ]
  const stranger = await muster.signedInAs(await muster.anOrganisation())
  const [heardByBen, heardByStranger] = [await listen(ben), await listen(stranger)]
  const { body } = await create(ana)
  const event = await heardByBen.until(isEvent('incidents', 'created'))
  expect(event).toMatchObject({ record: body.id })
  await create(stranger)
  await heardByStranger.until(isEvent('incidents', 'created'))
  expect(
    heardByStranger.messages.filter((message) => message.type === 'event' && message.record === body.id),
  ).toEqual([])
})

test('who comes back hears everything that was missed, once and in order', async () => {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const ana = await muster.signedInAs(organisation)
  const first = await listen(ana)
  await create(ana, 'Before')
  const heard = await first.until(isEvent('incidents', 'created'))
  first.socket.close()
  await first.closed
  await Promise.all(Array.from({ length: 12 }, (_, index) => create(ana, `Missed ${index}`)))
  const second = await listen(ana, heard.type === 'event' ? heard.sequence : null)
  await create(ana, 'After')
  const known = () =>
    second.messages.flatMap((message) =>
      message.type === 'event' && message.noun === 'incidents' ? [message.sequence] : [],
    )
  await second.until(() => known().length === 13)
  expect(known()).toEqual([...new Set(known())].sort((a, b) => a - b))
})

test('many changes at once reach everybody, each once and in order', async () => {
  const ana = await muster.signedInAs(await muster.anOrganisation({ multiIncident: true }))
  const listeners = await Promise.all(Array.from({ length: 5 }, () => listen(ana)))
  const made = await Promise.all(Array.from({ length: 20 }, (_, index) => create(ana, `At once ${index}`)))
  const wanted = made.map(({ body }) => body.id as string)
  for (const listener of listeners) {
    const heard = () => listener.messages.filter((message) => isEvent('incidents', 'created')(message))
    await listener.until(() => heard().length >= wanted.length)
    expect(heard().map((message) => 'record' in message && message.record)).toEqual(
      expect.arrayContaining(wanted),
    )
    expect(heard()).toHaveLength(wanted.length)
    const sequences = listener.messages.flatMap((message) =>
      message.type === 'event' ? [message.sequence] : [],
    )
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))
  }
})

test('external people hear only of incidents that target them', async () => {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const ana = await muster.signedInAs(organisation)
  const counsel = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
  const heard = await listen(counsel)
  await create(ana, 'Not for counsel')
  const { body } = await ana.post('/incident', {
    title: 'For counsel',
    fullText: '<p>x</p>',
    targetedUsers: [counsel.email],
  })
  const event = await heard.until(isEvent('incidents', 'created'))
  expect(event).toMatchObject({ record: body.id })
  expect(heard.events().filter((name) => name === 'incidents created')).toHaveLength(1)
})

test('of files people hear only that something changed, and nothing of who looked at what', async () => {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const somebody = await muster.signedInAs(organisation, 'USER')
  const counsel = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
  const [heard, heardByCounsel] = [await listen(somebody), await listen(counsel)]
  const { body: folder } = await admin.post('/sfs/folder', { name: 'Board papers', folderType: 'ADMIN' })
  const event = await heard.until(isEvent('files', 'changed'))
  expect(event).toMatchObject({ record: '', parent: null })
  expect(JSON.stringify(heard.messages)).not.toContain('Board')
  expect((await admin.get(`/sfs/archive?ids=${folder.id}`)).status).toBe(200)
  const { body } = await admin.post('/incident', {
    title: 'For counsel',
    fullText: '<p>x</p>',
    targetedUsers: [counsel.email],
  })
  for (const one of [heard, heardByCounsel])
    await one.until((message) => message.type === 'event' && message.record === body.id)
  expect(heard.events().filter((name) => name.startsWith('files'))).toEqual(['files changed'])
  expect(heardByCounsel.events().filter((name) => name.startsWith('files'))).toEqual([])
})

test('of contacts and of what was sent only those hear who may notify', async () => {
  const organisation = await muster.anOrganisation({ contactsAndMassNotificationsEnabled: true })
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const somebody = await muster.signedInAs(organisation, 'PLAYBOOK_MANAGER')
  const [heardByAdmin, heardBySomebody] = [await listen(admin), await listen(somebody)]
  await admin.post('/contact', [{ email: 'ana@example.org', list: 'Board' }])
  await admin.post('/massNotification/template', { title: 'Gate', level: 'LOW' })
  const words = { types: ['EMAIL'], title: 'Gate', emailMessage: 'Closed' }
  await admin.post('/massNotification', { ...words, contactListIds: ['Board'] })
  await create(somebody)
  await heardByAdmin.until(isEvent('incidents', 'created'))
  await heardBySomebody.until(isEvent('incidents', 'created'))
  expect(heardByAdmin.events()).toEqual([
    'contacts imported',
    'notification-templates created',
    'mass-notifications sent',
    'incidents created',
  ])
  expect(heardBySomebody.events()).toEqual(['incidents created'])
})

test('of groups those hear who see them', async () => {
  const organisation = await muster.anOrganisation()
  const [admin, other] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'ADMIN'),
  ]
  const heard = await listen(other)
  expect((await admin.post('/useradmin/group', { name: 'Legal', userIds: [other.email] })).status).toBe(201)
  await create(admin)
  await heard.until(isEvent('incidents', 'created'))
  expect(heard.events()).toEqual(['groups created', 'incidents created'])
})

test('a ticket opens one socket, and anything else opens none', async () => {
  const ana = await muster.signedInAs(await muster.anOrganisation())
  const { body } = await ana.post('/live/ticket')
  const first = dial({ ticket: body.ticket, after: null })
  await first.until((message) => message.type === 'ready')
  const token = ana.headers['Authorization']!.replace('Bearer ', '')
  const attempts = [
    dial({ ticket: body.ticket, after: null }),
    dial({ ticket: token, after: null }),
    dial('{"ticket":'),
    dial([]),
  ]
  expect(await Promise.all(attempts.map((attempt) => attempt.closed))).toEqual([4001, 4001, 4001, 4001])
  // Other processes share the database, not the memory.
  const { database, tokens } = muster.services
  const claims = await tokens.readTicket(body.ticket)
  expect(await useSocketTicket(database, claims!.ticketId)).toBe(false)
  expect(await useSocketTicket(database, crypto.randomUUID())).toBe(true)
})

test('signing out ends the socket of that session and leaves the others', async () => {
  const organisation = await muster.anOrganisation()
  const [ana, ben] = [await muster.signedInAs(organisation), await muster.signedInAs(organisation)]
  const [heardByAna, heardByBen] = [await listen(ana), await listen(ben)]
  expect((await ana.post('/authentication/logout')).status).toBe(204)
  await heardByAna.closed
  expect(heardByAna.messages.at(-1)).toEqual({ type: 'ended' })
  await create(ben)
  await heardByBen.until(isEvent('incidents', 'created'))
})

test('a socket hears nothing after an hour before it has come back with a new ticket', async () => {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const [ana, ben] = [await muster.signedInAs(organisation), await muster.signedInAs(organisation)]
  const heard = await listen(ana)
  await create(ben)
  const { sequence } = (await heard.until(isEvent('incidents', 'created'))) as { sequence: number }
  const now = Date.now()
  vi.spyOn(clock, 'now').mockImplementation(() => now + HOUR + SECOND)
  onTestFinished(() => void vi.restoreAllMocks())
  const { token } = await muster.services.tokens.issueAccess({
    userId: ben.uuid,
    organisationId: organisation.id,
    sessionId: ben.sessionId,
  })
  const headers = { ...ben.headers, Authorization: `Bearer ${token}` }
  const body = { title: 'Second', fullText: '<p>Text</p>' }
  expect((await muster.send('POST', '/incident', { headers, body })).status).toBe(201)
  expect(await heard.closed).toBe(4000)
  expect(heard.messages.filter((message) => message.type === 'event' && message.sequence > sequence)).toEqual(
    [],
  )
})

test('an archived person is cut off at once', async () => {
  const organisation = await muster.anOrganisation()
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const ana = await muster.signedInAs(organisation)
  const heard = await listen(ana)
  expect((await admin.delete(`/useradmin/user/${ana.uuid}`)).status).toBe(204)
  await heard.closed
  expect((await ana.get('/me')).status).toBe(401)
  expect((await ana.post('/live/ticket')).status).toBe(401)
})

test('somebody whose sessions an administrator ends is cut off at once, and told that the session is over', async () => {
  const organisation = await muster.anOrganisation()
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const ana = await muster.signedInAs(organisation)
  const heard = await listen(ana)
  expect((await admin.delete(`/useradmin/user/${ana.uuid}/sessions`)).status).toBe(204)
  expect(await heard.closed).toBe(1000)
  expect(heard.messages.at(-1)).toEqual({ type: 'ended' })
})

test('where somebody signs in or out is told to themselves and to nobody else', async () => {
  const organisation = await muster.anOrganisation()
  const person = await muster.signedInAs(organisation)
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const [mine, theirs] = [await listen(person), await listen(admin)]
  await muster.send('POST', '/authentication/upass', {
    body: { email: person.email, password: PASSWORD, enterpriseCode: organisation.code },
  })
  const started = await mine.until(isEvent('sessions', 'started'))
  expect((await person.delete('/me/sessions')).status).toBe(204)
  const ended = await mine.until(isEvent('sessions', 'ended'))
  expect(ended).toMatchObject({ parent: person.uuid, record: started.type === 'event' && started.record })
  expect(mine.messages.map(({ type }) => type)).not.toContain('ended')
  await create(admin)
  await theirs.until(isEvent('incidents', 'created'))
  expect(theirs.events().filter((name) => name.startsWith('sessions'))).toEqual([])
})

test('a broken frame closes its socket, and is logged for debugging only, without a stack', async () => {
  const lines: { level: number; reason?: string; stack?: string; err?: unknown }[] = []
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(
        ...String(chunk)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      )
      done()
    },
  })
  const { url } = await startTestServer({ LOG_LEVEL: 'debug' }, log)
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const closed = once(socket, 'close')
  socket.write(
    `GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await once(socket, 'data')
  // Reserved bits are set, and the frame is not masked.
  socket.resume().write(Buffer.from([0xf1, 0x05, 1, 2, 3, 4, 5]))
  await closed
  const told = lines.filter(({ reason }) => reason !== undefined)
  expect(told).toMatchObject([{ level: 20, reason: expect.stringContaining('Invalid WebSocket frame') }])
  expect(lines.filter(({ level }) => level > 30)).toEqual([])
  expect(JSON.stringify(lines)).not.toContain('    at ')
})

test('a change of the configuration reconnects everybody of the organisation, external people too', async () => {
  const [organisation, other] = [await muster.anOrganisation(), await muster.anOrganisation()]
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const [ana, guest, stranger] = [
    await listen(await muster.signedInAs(organisation)),
    await listen(await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })),
    await listen(await muster.signedInAs(other)),
  ]
  const change = { databaseKey: 'nameCharacters', valueJson: '"EXTENDED"' }
  expect((await admin.put('/config/enterpriseConfigDetails', change)).status).toBe(200)
  expect([await ana.closed, await guest.closed]).toEqual([4002, 4002])
  expect(stranger.socket.readyState).toBe(WebSocket.OPEN)
})

test('a change of a value for all organisations reconnects everybody', async () => {
  const sockets = [
    await listen(await muster.signedInAs(await muster.anOrganisation())),
    await listen(await muster.signedInAs(await muster.anOrganisation())),
  ]
  muster.services.bus.publish('configuration', 'nameCharacters')
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([4002, 4002])
})

test('who opens and saves a playbook is news for those who read playbooks, and not for external people', async () => {
  const organisation = await muster.anOrganisation()
  const planner = await muster.signedInAs(organisation, 'PLAYBOOK_MANAGER')
  const [reader, guest] = [
    await listen(await muster.signedInAs(organisation)),
    await listen(await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })),
  ]
  const { id } = await madePlaybook(planner)
  const editor = `${PLAYBOOK}/${id}/editing/${crypto.randomUUID()}`
  for (const beat of [1, 2, 3]) expect((await planner.put(editor)).status, `beat ${beat}`).toBe(200)
  await planner.put(`${PLAYBOOK}/${id}`, { name: 'Fire', activities: [HEADING] })
  await planner.delete(editor)
  const end = await reader.until((message) => message.type === 'event' && message.verb === 'closed')
  expect(end).toMatchObject({ noun: 'playbook-editors', parent: id })
  expect(reader.events()).toEqual([
    'playbooks created',
    'playbook-editors opened',
    'playbooks updated',
    'playbook-editors closed',
  ])
  expect(guest.events()).toEqual([])
})

test('what a process committed and could tell nobody, because it was killed, reaches others within a second', async () => {
  const organisation = await muster.anOrganisation()
  const heard = await listen(await muster.signedInAs(organisation))
  // The event sink, which runs right after the commit, kills the process.
  const script = `
    import { connect } from '#server/kit/database/db.ts'
    import { eventSink, record } from '#server/kit/events/events.ts'
    const connection = { connectionString: process.env.DATABASE_URL }
    const database = connect(connection, eventSink(() => process.kill(process.pid, 'SIGKILL')), () => {})
    const actor = () => ({ kind: 'system', id: null, name: 'test' })
    await database.withOrganisation({ organisationId: process.env.ORGANISATION, actor }, async (db) =>
      record(db, { noun: 'incidents', record: '${crypto.randomUUID()}', verb: 'left untold' }))`
  const env = { DATABASE_URL: muster.services.settings.databaseUrl!, ORGANISATION: organisation.id }
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  expect((await once(child, 'exit')) as unknown).toEqual([null, 'SIGKILL'])
  const killed = performance.now()
  await heard.until(isEvent('incidents', 'left untold'))
  expect(performance.now() - killed).toBeLessThan(1_000)
})

test('a process that publishes much notifies the others once for what has gathered of a stream', async () => {
  const notified: string[] = []
  const client = new pg.Client(muster.services.settings.databaseUrl!)
  await client.connect()
  onTestFinished(() => client.end())
  client.on('notification', ({ payload }) => notified.push(payload!))
  await client.query('listen muster_events')
  const ids = [crypto.randomUUID(), crypto.randomUUID()]
  for (let n = 0; n < 100; n += 1) for (const id of ids) muster.services.bus.publish('events', id)
  await vi.waitFor(() => expect(new Set(notified)).toEqual(new Set(ids)))
  expect(notified.length).toBeLessThanOrEqual(2 * ids.length)
})
