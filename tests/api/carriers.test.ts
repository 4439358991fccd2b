import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { afterAll, describe, expect, test } from 'vitest'

import type { PersonMessage, Respondent } from '#contract/mass-notifications/schema.ts'
import { carrierTurns } from '#server/kit/messages/carrier-turns.ts'
import { type Answer, type CarrierRequest, JsonCarrier } from '#tests/support/json-carrier.ts'
import { startTestServer } from '#tests/support/server.ts'
import { FakeTwilio } from '#tests/support/twilio.ts'

const PUBLIC = 'https://muster.example.com'
const PATH = '/massNotification'
const SECRETS = {
  ACME_USER: 'muster',
  ACME_PASSWORD: 'pass"word',
  ACME_SECRET: 'a secret of acme, shared',
  NIMBUS_KEY: 'key-of-nimbus',
  NIMBUS_SECRET: 'nimbus-secret-in-addresses',
}

const twilio = new FakeTwilio()
const twilioEnv = await twilio.start()
afterAll(() => twilio.stop())

/** Answers to the messages to a number, the first first. */
const plans = new Map<string, Answer[]>()
/** Ids of messages by what the product calls them. */
const taken = new Map<string, string>()
const acme = new JsonCarrier(({ method, path, body }) => {
  if (method === 'GET') {
    const id = taken.get(new URL(path, PUBLIC).searchParams.get('reference')!)
    return { status: 200, body: { messages: id === undefined ? [] : [{ id }] } }
  }
  const plan = plans.get(body.to)?.shift()
  if (plan && plan !== 'break off') return plan
  const id = `A${taken.size}`
  if (plan !== 'break off' || body.text.includes('ARRIVES')) taken.set(body.reference, id)
  return plan ?? { status: 201, body: { id } }
})
const acmeUrl = await acme.start()
afterAll(() => acme.stop())

const nimbus = new JsonCarrier(({ body }) => {
  const [{ destinations }] = body.messages
  const [{ to, messageId }] = destinations
  const status = { groupName: 'PENDING', name: 'PENDING_ENROUTE' }
  return (
    plans.get(to)?.shift() ?? { status: 200, body: { messages: [{ messageId: `N-${messageId}`, status }] } }
  )
})
const nimbusUrl = await nimbus.start()
afterAll(() => nimbus.stop())

const other = new JsonCarrier(
  ({ body }) => plans.get(body?.to)?.shift() ?? { status: 200, body: { id: 'O1' } },
)
const otherUrl = await other.start()
afterAll(() => other.stop())

/** The documented examples, at the stand-ins. */
const examples = [...readFileSync('docs/carriers.md', 'utf8').matchAll(/```json\n([^`]+)```/g)].map(
  ([, json]) =>
    JSON.parse(
      json!
        .replaceAll('https://api.acme.example', acmeUrl)
        .replaceAll('https://gateway.nimbus.example', nimbusUrl),
    ) as object[],
)
const simple = (name: string, prefix: string, more: object = {}) => ({
  name,
  kind: 'http',
  prefixes: [prefix],
  url: `${otherUrl}/${name}`,
  allowPrivate: true,
  body: { to: '{{to}}', text: '{{text}}' },
  answer: { id: 'id', code: 'code', reason: 'why' },
  ...more,
})
const CARRIERS = [
  { ...examples[0]![0], prefixes: ['+1416551'], allowPrivate: true },
  { ...examples[1]![0], prefixes: ['+1416552'], allowPrivate: true },
  simple('down', '+1416553'),
  simple('mute', '+1416554'),
  { ...examples[0]![1], name: 'backstop', prefixes: ['+1416'], baseUrl: twilioEnv['TWILIO_BASE_URL'] },
]
const muster = await startTestServer({
  ...SECRETS,
  ...twilioEnv,
  PUBLIC_URL: PUBLIC,
  ALLOW_OUTBOX: '1',
  CARRIERS: JSON.stringify(CARRIERS),
})
const { services } = muster

let counter = 0
/** An unused number of a carrier. */
const aNumber = (carrier: 1 | 2 | 3 | 4 | 5) => `+141655${carrier}${String(1_000 + (counter += 1)).slice(-4)}`

/** An SMS to numbers, and what became of it. */
async function sent(numbers: readonly string[], more: object = {}) {
  const org = await muster.anOrganisation({
    contactsAndMassNotificationsEnabled: true,
    massNotifsSmsMessageLimit: 1_000,
  })
  const admin = await muster.signedInAs(org, 'ADMIN')
  const rows = numbers.map((phone, n) => ({ name: `P${n}`, email: `p${n}@example.org`, phone, list: 'All' }))
  expect((await admin.post('/contact', rows)).status).toBe(201)
  const words = { types: ['SMS'], smsMessage: 'Gate 2 is closed', contactListIds: ['All'], ...more }
  const reply = await admin.post(PATH, words)
  expect(reply.status, reply.text).toBe(201)
  const id = reply.body.id as string
  const counts = async () => (await admin.get(`${PATH}/history/${id}`)).body.deliveries[0]
  const message = async (person = 0) =>
    ((await admin.get(`${PATH}/history/${id}/recipients/${person}`)).body as PersonMessage[])[0]!
  const people = async () =>
    (await admin.get(`${PATH}/history/${id}/respondents?range=[0,99]`)).body as Respondent[]
  return { org, id, counts, message, people }
}
const attemptsOf = ({ attempts }: PersonMessage) =>
  attempts.map(({ carrier, state }) => `${carrier} ${state}`)
/** Makes messages due that are tried again. */
const makeDue = () =>
  services.database.pool.query(
    `update pgboss.job set start_after = now() where name = 'texts' and state in ('created', 'retry')`,
  )
const callback = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url.replace(PUBLIC, muster.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const signatureOf = (body: unknown) => ({
  'X-Acme-Signature': createHmac('sha256', SECRETS.ACME_SECRET).update(JSON.stringify(body)).digest('hex'),
})

describe('a provider with a REST interface', () => {
  test('gets a message with its credentials, and no words of it leave their text', async () => {
    const number = aNumber(1)
    const smsMessage = 'He said "stop", {{id}}\n\\", "to": "+1"} 😀'
    const { message } = await sent([number], { smsMessage })
    await expect.poll(async () => (await message()).state).toBe('SENT')
    const [request, ...more] = acme.to(number)
    expect(more).toEqual([])
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/messages',
      headers: { authorization: `Basic ${btoa('muster:pass"word')}`, 'content-type': 'application/json' },
      body: { to: number, from: '+447700900100', text: `[ALERT: Normal] ${smsMessage}` },
    })
    expect(await message()).toMatchObject({
      attempts: [{ carrier: 'acme', providerId: taken.get(request!.body.reference), state: 'SENT' }],
    })
  })

  test('reports a delivery by a signed call, for that message only', async () => {
    const [reached, off] = [aNumber(1), aNumber(1)]
    const { counts, message } = await sent([reached, off])
    await expect.poll(counts).toMatchObject({ sent: 2 })
    const [one, two] = [acme.to(reached)[0]!.body, acme.to(off)[0]!.body]
    const delivered = { message: { id: taken.get(one.reference), status: 'delivered' } }
    for (const headers of [{}, { 'X-Acme-Signature': 'x' }, signatureOf({})] as Record<string, string>[])
      expect((await callback(one.callback, delivered, headers)).status).toBe(403)
    // The right signature at an address of another message, and at one that nobody has made.
    const [token] = one.callback.match(/(?<=acme\/)[\w-]+/)!
    const elsewhere = two.callback.replace(/(?<=acme\/)[\w-]+/, token)
    expect((await callback(elsewhere, delivered, signatureOf(delivered))).status).toBe(403)
    expect(await counts()).toMatchObject({ delivered: 0 })

    const onTheWay = { message: { ...delivered.message, status: '__proto__' } }
    expect((await callback(one.callback, onTheWay, signatureOf(onTheWay))).status).toBe(204)
    expect((await callback(one.callback, delivered, signatureOf(delivered))).status).toBe(204)
    const failed = { message: { id: taken.get(two.reference), status: 'undelivered', error: 27 } }
    expect((await callback(two.callback, failed, signatureOf(failed))).status).toBe(204)
    expect(await counts()).toMatchObject({ delivered: 1, failed: 1 })
    const states = await Promise.all([message(0), message(1)])
    expect(states.find(({ state }) => state === 'FAILED')).toMatchObject({
      reason: 'The network did not deliver it. (acme: undelivered, 27)',
      attempts: [{ carrier: 'acme', code: '27' }],
    })
  })

  test('refuses a number for good, which no other carrier tries', async () => {
    const number = aNumber(1)
    const error = { code: 'E12', message: 'No such subscriber' }
    plans.set(number, [{ status: 422, body: { error } }])
    const { message } = await sent([number])
    await expect.poll(async () => (await message()).state).toBe('FAILED')
    expect(await message()).toMatchObject({ reason: 'acme: No such subscriber', attempts: [{ code: 'E12' }] })
    expect(twilio.to(number)).toEqual([])
  })
})

describe('a provider with an API key and nested JSON', () => {
  test('gets a message, reports it and hands over the reply', async () => {
    const number = aNumber(2)
    const question = {
      answers: [
        { label: 'Safe', tone: 'GOOD' },
        { label: 'Need help', tone: 'ATTENTION' },
      ],
    }
    const { counts, people } = await sent([number], { question })
    await expect.poll(counts).toMatchObject({ sent: 1 })
    const [{ headers, body }] = nimbus.to(number) as [CarrierRequest]
    const [{ notifyUrl, destinations, text }] = body.messages
    expect(headers).toMatchObject({
      authorization: 'App key-of-nimbus',
      'idempotency-key': destinations[0].messageId,
    })
    // Some of the other carriers take no replies.
    expect(text).not.toContain('Reply')
    const messageId = `N-${destinations[0].messageId}`
    const report = { results: [{ messageId, status: { groupName: 'DELIVERED' } }] }
    expect((await callback(notifyUrl.replace(/(?<=nimbus\/)./, '!'), report)).status).toBe(403)
    expect((await callback(notifyUrl, report)).status).toBe(204)
    expect(await counts()).toMatchObject({ delivered: 1 })

    const inbound = `${PUBLIC}/carriers/http/nimbus/${SECRETS.NIMBUS_SECRET}/sms`
    const sms = { messageId: 'R1', from: number.slice(1), to: '447700900200', text: '2 hurry' }
    expect((await callback(inbound.replace('secret', 'secreT'), { results: [sms] })).status).toBe(403)
    expect((await callback(inbound, { results: [sms] })).status).toBe(204)
    expect((await callback(inbound, { results: [sms] })).status).toBe(204)
    const [{ answers }] = (await people()) as [Respondent]
    expect(answers).toMatchObject([{ answer: 1, note: 'hurry', channel: 'SMS' }])
    for (const nonsense of [null, [], 'x', { results: 1 }, { results: [{ messageId: {} }] }])
      expect((await callback(inbound, nonsense)).status).toBe(204)
  })

  test('that is out of credit gives its messages to the next', async () => {
    const number = aNumber(2)
    const status = { groupName: 'REJECTED', name: 'REJECTED_NOT_ENOUGH_CREDITS', description: 'No credit' }
    plans.set(number, [{ status: 200, body: { messages: [{ messageId: 'x', status }] } }])
    const { message } = await sent([number])
    await expect.poll(async () => (await message()).state).toBe('SENT')
    expect(attemptsOf(await message())).toEqual(['nimbus DEFERRED', 'backstop SENT'])
    // Left out for some seconds: the next message goes to the next carrier at once.
    const later = aNumber(2)
    const after = await sent([later])
    await expect.poll(async () => attemptsOf(await after.message())).toEqual(['backstop SENT'])
    expect(nimbus.to(later)).toEqual([])
  })
})

describe('a message', () => {
  test('goes to the next carrier where the first refuses everybody, by the ledger of its attempts', async () => {
    const number = aNumber(3)
    plans.set(number, [{ status: 401, body: { why: 'Unknown key' } }])
    const { message, counts } = await sent([number])
    await expect.poll(counts).toMatchObject({ sent: 1 })
    const shown = await message()
    expect(shown.attempts).toMatchObject([
      { carrier: 'down', state: 'DEFERRED', code: '401', reason: 'down: Unknown key', tries: 1 },
      { carrier: 'backstop', state: 'SENT', providerId: twilio.to(number)[0]!.sid },
    ])
    expect(shown.reason).toBeNull()
    // The report comes to the carrier that has it.
    expect(twilio.to(number)[0]!.callback).toContain(`${PUBLIC}/carriers/twilio/status/`)
  })

  test('that may have arrived is asked for at its carrier, and sent once', async () => {
    const number = aNumber(1)
    plans.set(number, ['break off'])
    const { message } = await sent([number], { smsMessage: 'This ARRIVES' })
    await expect.poll(async () => attemptsOf(await message())).toEqual(['acme UNKNOWN'])
    await makeDue()
    await expect.poll(async () => (await message()).state).toBe('SENT')
    expect(attemptsOf(await message())).toEqual(['acme UNKNOWN', 'acme SENT'])
    expect([acme.to(number).length, twilio.to(number).length]).toEqual([1, 0])
  })

  test('that its carrier certainly never got goes to the next', async () => {
    const number = aNumber(1)
    plans.set(number, [{ status: 500, body: 'down' }])
    const { message } = await sent([number])
    await expect.poll(async () => attemptsOf(await message())).toEqual(['acme UNKNOWN'])
    await makeDue()
    await expect.poll(async () => attemptsOf(await message())).toEqual(['acme UNKNOWN', 'backstop SENT'])
    expect([acme.to(number).length, twilio.to(number).length]).toEqual([1, 1])
  })

  test('in doubt stays with a carrier that cannot be asked, and is never sent twice', async () => {
    const [number, redirected] = [aNumber(4), aNumber(4)]
    plans.set(number, ['break off'])
    plans.set(redirected, [{ status: 307, headers: { Location: `${acmeUrl}/v1/messages` } }])
    const { message, counts } = await sent([number, redirected])
    await expect.poll(counts).toMatchObject({ waiting: 2, sent: 0 })
    await makeDue()
    await expect
      .poll(async () => (await message()).reason)
      .toBe('mute did not answer and may have it. It is not sent a second time; a report may still come.')
    expect([other.to(number).length, twilio.to(number).length]).toEqual([1, 0])
    // Redirects are not followed.
    expect([acme.to(redirected).length, twilio.to(redirected).length]).toEqual([0, 0])
  })

  test('is repeated at a carrier that drops the second', async () => {
    const number = aNumber(2)
    // An earlier test has left the carrier resting.
    const { message } = await sent([number])
    await expect.poll(async () => (await message()).state).toBe('SENT')
    await services.database.pool.query(
      `update messages set state = 'SENDING', carrier = 'nimbus' where recipient = $1`,
      [number],
    )
    await services.database.pool.query(
      `update pgboss.job set state = 'created', start_after = now(), retry_count = 0 where name = 'texts' and data -> 'data' ->> 'notificationId' =
       (select notification_id::text from messages where recipient = $1)`,
      [number],
    )
    await expect.poll(() => nimbus.to(number).length).toBe(1)
    expect(nimbus.to(number)[0]!.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('to a number that no carrier serves fails with the reason', async () => {
    const { message } = await sent([`+1647555${String(1_000 + (counter += 1))}`])
    await expect.poll(async () => (await message()).state).toBe('FAILED')
    expect(await message()).toMatchObject({
      reason: 'No carrier is set for numbers that begin like this one.',
      attempts: [],
    })
  })
})

describe('a carrier with a limit', () => {
  test('gets no more in a second than it takes, by all processes together', async () => {
    const [one, another] = [carrierTurns(services.database), carrierTurns(services.database)]
    const start = performance.now()
    const at = await Promise.all(
      Array.from({ length: 11 }, async (_, n) => {
        await (n % 2 === 0 ? one : another)('limited', 20)
        return performance.now() - start
      }),
    )
    // Ten pauses of 50 ms; timers may end a little early.
    expect(Math.max(...at)).toBeGreaterThan(480)
    // Nobody waits for turns that nobody has taken.
    const free = performance.now()
    await one('free', 1)
    expect(performance.now() - free).toBeLessThan(900)
  })
})
