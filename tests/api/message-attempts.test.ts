import { afterAll, describe, expect, test } from 'vitest'

import type { PersonMessage, Recipient } from '#contract/mass-notifications/schema.ts'
import { takeConfirmations } from '#server/kit/messages/confirmations.ts'
import type { Confirmation } from '#server/kit/messages/ledger.ts'
import { note } from '#server/kit/messages/ledger.ts'
import { recordDelivered, recountLater } from '#server/mass-notifications/history.flows.ts'
import { startTestServer } from '#tests/support/server.ts'
import { FakeTwilio } from '#tests/support/twilio.ts'

const twilio = new FakeTwilio()
const muster = await startTestServer(await twilio.start())
afterAll(() => twilio.stop())
const { anOrganisation, inside, signedInAs, services } = muster
const PATH = '/massNotification'

let counter = 0
/** An unused number. */
const aNumber = () => `+1416556${String(1_000 + (counter += 1)).slice(-4)}`

/** An organisation that has sent an SMS to each number. */
async function sentTo(numbers: readonly string[]) {
  const org = await anOrganisation({ contactsAndMassNotificationsEnabled: true })
  const admin = await signedInAs(org, 'ADMIN')
  const rows = numbers.map((phone, n) => ({ name: `P${n}`, email: `p${n}@example.org`, phone, list: 'All' }))
  expect((await admin.post('/contact', rows)).status).toBe(201)
  const words = { types: ['SMS'], smsMessage: 'Gate 2 is closed', contactListIds: ['All'] }
  const { body } = await admin.post(PATH, words)
  const id = body.id as string
  const detail = async () => (await admin.get(`${PATH}/history/${id}`)).body
  const recipients = async () => (await admin.get(`${PATH}/history/${id}/recipients`)).body as Recipient[]
  const messagesTo = async (person: number) =>
    (await admin.get(`${PATH}/history/${id}/recipients/${person}`)).body as PersonMessage[]
  const messages = () =>
    inside(org, (db) =>
      db
        .selectFrom('messages')
        .select(['id', 'recipient', 'state', 'provider_id', 'done_timestamp'])
        .orderBy('recipient')
        .execute(),
    )
  await expect.poll(async () => (await detail()).deliveries[0].waiting).toBe(0)
  return { org, admin, id, detail, recipients, messagesTo, messages }
}
type Sent = Awaited<ReturnType<typeof sentTo>>

const hooks = {
  settled: recordDelivered,
  confirmed: (...[db, ids]: [Parameters<typeof recountLater>[1], readonly string[]]) =>
    recountLater(services, db, ids),
}
/** Reports of the carrier about the message to a number. */
async function report({ org, messages }: Sent, number: string, ...states: Confirmation['state'][]) {
  const { id: messageId, provider_id } = (await messages()).find(({ recipient }) => recipient === number)!
  const failure = { code: '30003', reason: 'The phone is off or out of reach. (Twilio 30003)' }
  for (const state of states) {
    const why = state === 'FAILED' ? failure : { code: null, reason: null }
    const one = { messageId, carrier: 'Twilio', providerId: provider_id!, state, ...why }
    await inside(org, (db) => takeConfirmations(db, hooks, [one]))
  }
}
const storedCounts = ({ org, id }: Sent) =>
  inside(org, (db) =>
    db
      .selectFrom('mass_notifications')
      .select(['sent_count', 'reached_count', 'not_reached_count'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )

describe('the ledger of a message', () => {
  test('has when it was handed to which carrier, and what goes by there', async () => {
    const number = aNumber()
    const sent = await sentTo([number])
    const [message, ...more] = await sent.messagesTo(0)
    expect(more).toEqual([])
    expect(message).toMatchObject({ type: 'SMS', address: number, state: 'SENT', reason: null })
    expect(message!.attempts).toEqual([
      {
        carrier: 'Twilio',
        providerId: twilio.to(number)[0]!.sid,
        state: 'SENT',
        code: null,
        reason: null,
        tries: 1,
        createTimestamp: expect.any(String),
        updateTimestamp: expect.any(String),
      },
    ])
  })

  test('counts equal attempts in one row, and says in plain words why one was refused', async () => {
    const [busy, refused] = [aNumber(), aNumber()]
    twilio.plans.set(busy, [{ status: 429 }, { status: 429 }])
    twilio.plans.set(refused, [{ status: 400, code: 21211 }])
    const sent = await sentTo([busy, refused])
    const [toBusy] = await sent.messagesTo(0)
    expect(toBusy!.attempts.map(({ state, tries }) => [state, tries])).toEqual([
      ['DEFERRED', 2],
      ['SENT', 1],
    ])
    const [toRefused] = await sent.messagesTo(1)
    const reason = 'This number does not exist. (Twilio 21211)'
    expect(toRefused).toMatchObject({ state: 'FAILED', reason })
    expect(toRefused!.attempts).toMatchObject([{ state: 'FAILED', code: '21211', reason, providerId: null }])
  })

  test('is of people of the notification only', async () => {
    const sent = await sentTo([aNumber()])
    const { admin, id } = sent
    for (const [person, status] of [
      ['1', 404],
      ['-1', 400],
      ['1.5', 400],
      ['99999999999', 400],
      ['x', 400],
    ])
      expect((await admin.get(`${PATH}/history/${id}/recipients/${person}`)).status, `${person}`).toBe(status)
  })
})

describe('a confirmation', () => {
  test('reaches the person, on the page, in the list and in the file', async () => {
    const [reached, other] = [aNumber(), aNumber()]
    const sent = await sentTo([reached, other])
    await report(sent, reached, 'DELIVERED')
    expect(await sent.detail()).toMatchObject({
      sentCount: 2,
      reachedCount: 1,
      notReachedCount: 0,
      deliveries: [{ sent: 2, delivered: 1, waiting: 0, failed: 0 }],
    })
    expect((await sent.recipients()).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['P1', 'SENT'],
      ['P0', 'REACHED'],
    ])
    const { messages } = (await sent.recipients())[1]!
    expect(messages).toEqual([
      { type: 'SMS', state: 'DELIVERED', problem: null, reason: null, doneTimestamp: expect.any(String) },
    ])
    const { text } = await sent.admin.get(`${PATH}/history/${sent.id}/recipients.csv`)
    expect(text).toContain(`,Delivered,${messages[0]!.doneTimestamp}`)
    const [listed] = (await sent.admin.get(`${PATH}/history?range=[0,9]`)).body
    expect(listed).toMatchObject({ sentCount: 2, reachedCount: 1 })
  })

  test('that comes after the counts were kept makes them true again', async () => {
    const [reached, off] = [aNumber(), aNumber()]
    const sent = await sentTo([reached, off])
    await expect
      .poll(() => storedCounts(sent))
      .toEqual({ sent_count: 2, reached_count: 0, not_reached_count: 0 })
    await report(sent, off, 'FAILED')
    await report(sent, reached, 'DELIVERED')
    const counts = { sentCount: 1, reachedCount: 1, notReachedCount: 1 }
    expect(await sent.detail()).toMatchObject(counts)
    await expect
      .poll(() => storedCounts(sent), { timeout: 20_000 })
      .toEqual({ sent_count: 1, reached_count: 1, not_reached_count: 1 })
    expect(await sent.detail()).toMatchObject(counts)
    const [first] = await sent.recipients()
    expect(first).toMatchObject({ name: 'P1', outcome: 'NOT_REACHED' })
    expect(first!.messages[0]!.reason).toBe('The phone is off or out of reach. (Twilio 30003)')
  })

  test.each([
    [['DELIVERED', 'DELIVERED'], 'DELIVERED'],
    [['DELIVERED', 'FAILED'], 'DELIVERED'],
    [['FAILED', 'FAILED'], 'FAILED'],
    [['FAILED', 'DELIVERED'], 'FAILED'],
  ] as const)('of one attempt is final: after %j it is %s', async (states, final) => {
    const number = aNumber()
    const sent = await sentTo([number])
    await report(sent, number, states[0])
    const before = await sent.messages()
    await report(sent, number, ...states.slice(1))
    expect(await sent.messages()).toEqual(before)
    expect(before).toMatchObject([{ state: final }])
    expect((await sent.messagesTo(0))[0]!.attempts).toHaveLength(1)
  })

  test('of another attempt counts after a failed one', async () => {
    const number = aNumber()
    const sent = await sentTo([number])
    await report(sent, number, 'FAILED')
    const [message] = await sent.messages()
    const one = { messageId: message!.id, carrier: 'Twilio', providerId: 'SM2', code: null, reason: null }
    await inside(sent.org, (db) => takeConfirmations(db, hooks, [{ ...one, state: 'DELIVERED' }]))
    expect(await sent.messages()).toMatchObject([{ state: 'DELIVERED', provider_id: 'SM2' }])
    expect(await sent.detail()).toMatchObject({ reachedCount: 1, notReachedCount: 0 })
  })

  test('may come before the carrier’s answer was noted, which then changes nothing', async () => {
    const number = aNumber()
    const sent = await sentTo([number])
    const [message] = await sent.messages()
    const messageId = message!.id
    // The state while the carrier is asked.
    await inside(sent.org, async (db) => {
      await db.updateTable('messages').set({ state: 'SENDING', provider_id: null }).execute()
      await db.deleteFrom('message_attempts').execute()
    })
    const one = { messageId, carrier: 'Twilio', providerId: 'SM1', code: null, reason: null }
    await inside(sent.org, (db) => takeConfirmations(db, hooks, [{ ...one, state: 'DELIVERED' }]))
    const at = new Date().toISOString()
    for (const outcome of [
      { state: 'SENT', providerId: 'SM1' },
      { state: 'SENDING', reason: 'The connection broke.' },
    ] as const)
      await inside(sent.org, (db) => note(db, 'Twilio', [{ id: messageId, outcome, at }]))
    expect(await sent.messages()).toMatchObject([{ state: 'DELIVERED', provider_id: 'SM1' }])
    expect((await sent.messagesTo(0))[0]!.attempts).toMatchObject([{ state: 'DELIVERED', providerId: 'SM1' }])
  })

  test('of a hundred messages that come twice, at once and in any order, leaves one end of each', async () => {
    const numbers = Array.from({ length: 100 }, aNumber)
    const sent = await sentTo(numbers)
    const all = await sent.messages()
    const reports = all.map(({ id: messageId, provider_id }, n) => ({
      messageId,
      carrier: 'Twilio',
      providerId: provider_id!,
      state: n % 10 === 0 ? ('FAILED' as const) : ('DELIVERED' as const),
      code: null,
      reason: n % 10 === 0 ? 'Off' : null,
    }))
    await Promise.all(
      [reports, reports.toReversed(), reports.slice(50)].map((some) =>
        inside(sent.org, (db) => takeConfirmations(db, hooks, some)),
      ),
    )
    expect(await sent.detail()).toMatchObject({ sentCount: 90, reachedCount: 90, notReachedCount: 10 })
    const attempts = await inside(sent.org, (db) => db.selectFrom('message_attempts').selectAll().execute())
    expect(attempts).toHaveLength(100)
    const events = await inside(sent.org, (db) =>
      db.selectFrom('events').select('id').where('verb', '=', 'delivered').execute(),
    )
    expect(events).toHaveLength(1)
  })

  test('of an unknown message changes nothing', async () => {
    const { org } = await sentTo([aNumber()])
    const one = {
      messageId: crypto.randomUUID(),
      carrier: 'Twilio',
      providerId: 'SM',
      state: 'DELIVERED' as const,
    }
    const taken = inside(org, (db) => takeConfirmations(db, hooks, [{ ...one, code: null, reason: null }]))
    expect(await taken).toBe(0)
  })
})
