import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import { isCallable } from '#server/kit/core/hosts.ts'
import { type Organisation, startTestServer } from '#tests/support/server.ts'
import { FakeTwilio, signed } from '#tests/support/twilio.ts'

const PUBLIC = 'https://muster.example.com'
const PATH = '/massNotification'
const twilio = new FakeTwilio()
const env = await twilio.start()
afterAll(() => twilio.stop())
/** A server that the carrier can call, and one that it cannot. */
const open = await startTestServer({ ...env, PUBLIC_URL: PUBLIC, ALLOW_OUTBOX: '1' })
const closed = await startTestServer(env)

let counter = 0
/** An unused number. */
const aNumber = () => `+1416557${String(1_000 + (counter += 1)).slice(-4)}`

/** An organisation of a server that has sent a message of a type to each number. */
async function sentBy(server: typeof open, numbers: readonly string[], type = 'SMS') {
  const org = await server.anOrganisation({ contactsAndMassNotificationsEnabled: true })
  const admin = await server.signedInAs(org, 'ADMIN')
  const rows = numbers.map((phone, n) => ({ email: `p${n}@example.org`, phone, list: 'All' }))
  expect((await admin.post('/contact', rows)).status).toBe(201)
  const words = { types: [type], smsMessage: 'Gate 2 is closed', contactListIds: ['All'] }
  const { id } = (await admin.post(PATH, words)).body as { id: string }
  const delivery = async () => (await admin.get(`${PATH}/history/${id}`)).body.deliveries[0]
  await expect.poll(async () => (await delivery()).waiting).toBe(0)
  const messages = () =>
    server.inside(org, (db) =>
      db.selectFrom('messages').select(['id', 'state', 'reason']).orderBy('recipient').execute(),
    )
  return { org, admin, id, delivery, messages }
}

interface Called {
  readonly signature?: string
  readonly path?: string
}
/** Sends a report of the carrier about the message to a number. */
async function report(number: string, form: Record<string, string>, { signature, path }: Called = {}) {
  const { sid, callback, kind } = twilio.to(number)[0]!
  const whole = { ...form, [kind === 'Messages' ? 'MessageSid' : 'CallSid']: sid }
  const address = path === undefined ? callback! : `${PUBLIC}${path}`
  return fetch(address.replace(PUBLIC, open.url), {
    method: 'POST',
    headers: { 'X-Twilio-Signature': signature ?? signed(address, whole) },
    body: new URLSearchParams(whole),
  })
}

describe('a report of the carrier', () => {
  beforeEach(() => open.services.database.pool.query('delete from attempts'))

  test('that is signed delivers, or fails with the reason in plain words', async () => {
    const [reached, off] = [aNumber(), aNumber()]
    const sent = await sentBy(open, [reached, off])
    expect((await report(reached, { MessageStatus: 'sent' })).status).toBe(204)
    expect(await sent.delivery()).toMatchObject({ delivered: 0 })
    expect((await report(reached, { MessageStatus: 'delivered' })).status).toBe(204)
    expect((await report(off, { MessageStatus: 'undelivered', ErrorCode: '30003' })).status).toBe(204)
    expect(await sent.delivery()).toEqual({ type: 'SMS', sent: 1, delivered: 1, waiting: 0, failed: 1 })
    expect(await sent.messages()).toMatchObject([
      { state: 'DELIVERED', reason: null },
      { state: 'FAILED', reason: 'The phone is off or out of reach. (Twilio 30003)' },
    ])
  })

  test('of a call says whether somebody answered', async () => {
    const [heard, missed] = [aNumber(), aNumber()]
    const sent = await sentBy(open, [heard, missed], 'VOICE_CALL')
    await report(heard, { CallStatus: 'completed' })
    await report(missed, { CallStatus: 'no-answer' })
    expect(await sent.messages()).toMatchObject([
      { state: 'DELIVERED' },
      { state: 'FAILED', reason: 'Nobody answered.' },
    ])
  })

  test('that is forged is refused, and many of them from an address are limited', async () => {
    const number = aNumber()
    const sent = await sentBy(open, [number])
    const form = { MessageStatus: 'delivered' }
    const { callback, sid } = twilio.to(number)[0]!
    const whole = { ...form, MessageSid: sid }
    for (const signature of [
      '',
      'x',
      signed(callback!, whole, 'another token'),
      signed(callback!, form),
      signed(`${callback}x`, whole),
      signed(callback!.replace(PUBLIC, open.url), whole),
    ])
      expect((await report(number, form, { signature })).status, signature).toBe(403)
    const unsigned = await fetch(callback!.replace(PUBLIC, open.url), { method: 'POST' })
    expect(unsigned.status).toBe(403)
    const statuses: number[] = []
    for (let n = 0; n < 60; n += 1) statuses.push((await report(number, form, { signature: 'x' })).status)
    expect(statuses.at(-1)).toBe(429)
    expect(await sent.messages()).toMatchObject([{ state: 'SENT' }])
    // The carrier’s own are never limited.
    expect((await report(number, form)).status).toBe(204)
    expect(await sent.messages()).toMatchObject([{ state: 'DELIVERED' }])
  })

  test('about another organisation’s message, an unknown one or nonsense changes nothing', async () => {
    const number = aNumber()
    const sent = await sentBy(open, [number])
    const other = await open.anOrganisation()
    const [message] = await sent.messages()
    const status = '/carriers/twilio/status'
    for (const path of [
      `${status}/${other.id}/${message!.id}`,
      `${status}/${crypto.randomUUID()}/${message!.id}`,
      `${status}/${sent.org.id}/${crypto.randomUUID()}`,
      `${status}/x/y`,
    ])
      expect((await report(number, { MessageStatus: 'delivered' }, { path })).status).toBe(204)
    for (const MessageStatus of ['', 'nonsense', '__proto__'])
      expect((await report(number, { MessageStatus, ErrorCode: 'x'.repeat(1_000) })).status).toBe(204)
    expect(await sent.messages()).toMatchObject([{ state: 'SENT' }])
  })
})

describe('the carrier is asked', () => {
  const makeDue = (server: typeof open) =>
    server.services.database.pool.query(
      `update pgboss.job set start_after = now() where name = 'texts-status' and state = 'created'`,
    )
  const questions = async (server: typeof open, { id }: Organisation) => {
    const { rows } = await server.services.database.pool.query(
      `select data -> 'data' ->> 'step' as step from pgboss.job
       where name = 'texts-status' and state = 'created' and data ->> 'organisationId' = $1`,
      [id],
    )
    return rows.map(({ step }: { step: string }) => step)
  }

  test('where it cannot call, until every message has come to an end', async () => {
    const [reached, late] = [aNumber(), aNumber()]
    const sent = await sentBy(closed, [reached, late])
    expect(twilio.to(reached)[0]!.callback).toBeNull()
    expect(await questions(closed, sent.org)).toEqual(['0'])
    twilio.states.set(twilio.to(reached)[0]!.sid, { status: 'delivered' })
    await makeDue(closed)
    await expect.poll(sent.delivery).toMatchObject({ sent: 2, delivered: 1 })
    await expect.poll(() => questions(closed, sent.org)).toEqual(['1'])
    twilio.states.set(twilio.to(late)[0]!.sid, { status: 'failed', error_code: 30005 })
    await makeDue(closed)
    await expect.poll(sent.delivery).toMatchObject({ sent: 1, delivered: 1, failed: 1 })
    await expect.poll(() => questions(closed, sent.org)).toEqual([])
  })

  test('where it can call, from half an hour on, for a report that was lost', async () => {
    const lost = aNumber()
    const sent = await sentBy(open, [lost])
    expect(await questions(open, sent.org)).toEqual(['2'])
    twilio.states.set(twilio.to(lost)[0]!.sid, { status: 'delivered' })
    await makeDue(open)
    await expect.poll(sent.delivery).toMatchObject({ sent: 1, delivered: 1 })
    await expect.poll(() => questions(open, sent.org)).toEqual([])
  })
})

test.each([
  ['https://muster.example.com', true],
  ['https://203.0.113.7:8443', true],
  ['http://muster.example.com', false],
  ['https://localhost:3000', false],
  ['https://127.0.0.1', false],
  ['https://10.1.2.3', false],
  ['https://192.168.1.4', false],
  ['https://172.20.0.1', false],
  ['https://[fd00::1]', false],
  ['https://[::1]', false],
  ['https://muster', false],
  ['https://muster.local', false],
  [null, false],
])('the carrier can call %s: %s', (address, expected) => {
  expect(isCallable(address)).toBe(expected)
})
