import { afterAll, describe, expect, test } from 'vitest'

import { twimlOf } from '#server/kit/messages/sms.ts'
import { type Organisation, startTestServer } from '#tests/support/server.ts'
import { FakeTwilio, FROM } from '#tests/support/twilio.ts'

const twilio = new FakeTwilio()
const muster = await startTestServer(await twilio.start())
afterAll(() => twilio.stop())
const { anOrganisation, inside, send, services, signedInAs } = muster

let counter = 0
/** An unused number. */
const aNumber = () => `+1416555${String(1_000 + (counter += 1)).slice(-4)}`

async function aTeam(numbers: readonly string[], config: object = {}) {
  const org = await anOrganisation({ contactsAndMassNotificationsEnabled: true, ...config })
  const admin = await signedInAs(org, 'ADMIN')
  const rows = numbers.map((phone, n) => ({ email: `p${n}@example.org`, phone, list: 'All' }))
  expect((await admin.post('/contact', rows)).status).toBe(201)
  const notify = (more: object = {}) =>
    admin.post('/massNotification', {
      types: ['SMS'],
      smsMessage: 'Gate 2 is closed',
      contactListIds: ['All'],
      ...more,
    })
  const deliveriesOf = async (id: string) =>
    (await admin.get(`/massNotification/history/${id}`)).body.deliveries
  return { org, admin, notify, deliveriesOf }
}
const messagesOf = (org: Organisation) =>
  inside(org, (db) =>
    db.selectFrom('messages').select(['id', 'recipient', 'state', 'reason', 'provider_id']).execute(),
  )

describe('an SMS', () => {
  test('is handed over with its tag, and noted with what it goes by', async () => {
    const number = aNumber()
    const { org, notify, deliveriesOf } = await aTeam([number])
    const sent = await notify({ level: 'CRITICAL' })
    expect(sent.status).toBe(201)
    await expect
      .poll(() => deliveriesOf(sent.body.id))
      .toEqual([{ type: 'SMS', sent: 1, delivered: 0, waiting: 0, failed: 0 }])
    const [accepted, ...more] = twilio.to(number)
    expect(more).toEqual([])
    expect(accepted).toMatchObject({
      kind: 'Messages',
      from: FROM,
      words: '[ALERT: Critical] Gate 2 is closed',
    })
    expect(await messagesOf(org)).toMatchObject([{ state: 'SENT', provider_id: accepted!.sid }])
    const outbox = await send('GET', '/outbox', { headers: { Accept: 'application/json' } })
    expect(outbox.body).toEqual([])
  })

  test('comes from the number of the organisation where it has one', async () => {
    const number = aNumber()
    const { notify } = await aTeam([number], { twilioFromPhoneNumber: '+14165550199' })
    await notify()
    await expect.poll(() => twilio.to(number).map(({ from }) => from)).toEqual(['+14165550199'])
  })

  test('that is refused has failed for good, with the reason, and the others go out', async () => {
    const [refused, other] = [aNumber(), aNumber()]
    twilio.plans.set(refused, [{ status: 400, message: 'The number is a landline.' }])
    const { org, notify, deliveriesOf } = await aTeam([refused, other])
    const { body } = await notify()
    await expect
      .poll(() => deliveriesOf(body.id))
      .toEqual([{ type: 'SMS', sent: 1, delivered: 0, waiting: 0, failed: 1 }])
    expect(twilio.to(refused)).toEqual([])
    const events = await inside(org, (db) =>
      db
        .selectFrom('events')
        .selectAll()
        .where('record', '=', body.id as string)
        .orderBy('sequence')
        .execute(),
    )
    expect(events).toMatchObject([
      { verb: 'sent' },
      {
        verb: 'delivered',
        actor: { kind: 'system' },
        changes: { sent: { to: 1 }, failed: { to: 1 } },
      },
    ])
    const messages = await messagesOf(org)
    expect(messages.find(({ recipient }) => recipient === refused)).toMatchObject({
      state: 'FAILED',
      reason: 'Twilio: The number is a landline. (20400)',
    })
  })

  test.each([
    ['too many at once', [{ status: 429 }]],
    ['a refused sign-in', [{ status: 401 }]],
    ['a refused right', [{ status: 403 }]],
    ['a time-out', [{ status: 408 }]],
    ['a server that fails', [{ status: 500 }, { status: 503 }]],
    ['a connection that breaks before it arrived', ['break off' as const]],
  ])('is tried again after %s', async (_, plan) => {
    const number = aNumber()
    twilio.plans.set(number, [...plan])
    const { notify, deliveriesOf } = await aTeam([number])
    const { body } = await notify()
    await expect
      .poll(() => deliveriesOf(body.id))
      .toEqual([{ type: 'SMS', sent: 1, delivered: 0, waiting: 0, failed: 0 }])
    expect(twilio.to(number)).toHaveLength(1)
  })

  test('that was accepted without an answer is found again, and not sent twice', async () => {
    const number = aNumber()
    twilio.plans.set(number, ['accept and break off'])
    const { org, notify, deliveriesOf } = await aTeam([number])
    const { body } = await notify()
    await expect
      .poll(() => deliveriesOf(body.id))
      .toEqual([{ type: 'SMS', sent: 1, delivered: 0, waiting: 0, failed: 0 }])
    expect(twilio.to(number)).toHaveLength(1)
    expect(await messagesOf(org)).toMatchObject([{ provider_id: twilio.to(number)[0]!.sid }])
  })

  test('is found behind sixty others, and the same words of an earlier one are not taken for it', async () => {
    const number = aNumber()
    const { org, notify, deliveriesOf } = await aTeam([number])
    const first = await notify()
    await expect.poll(() => deliveriesOf(first.body.id)).toMatchObject([{ sent: 1 }])
    // Accepted before the connection broke, while another message went to the same number.
    twilio.plans.set(number, ['accept and break off'])
    const second = await notify()
    await expect.poll(() => twilio.to(number).length).toBe(2)
    for (let n = 0; n < 60; n += 1) twilio.accept('Messages', { to: number, words: `Other ${n}` })
    await expect.poll(() => deliveriesOf(second.body.id)).toMatchObject([{ sent: 1 }])
    const ours = twilio.to(number).filter(({ words }) => words.includes('Gate 2'))
    expect(ours).toHaveLength(2)
    const noted = new Set((await messagesOf(org)).map(({ provider_id }) => provider_id))
    expect(noted).toEqual(new Set(ours.map(({ sid }) => sid)))
  })

  test('that never arrived is sent, although the same words went there before', async () => {
    const number = aNumber()
    const { notify, deliveriesOf } = await aTeam([number])
    const first = await notify()
    await expect.poll(() => deliveriesOf(first.body.id)).toMatchObject([{ sent: 1 }])
    twilio.plans.set(number, ['break off'])
    const second = await notify()
    await expect.poll(() => deliveriesOf(second.body.id)).toMatchObject([{ sent: 1 }])
    expect(twilio.to(number)).toHaveLength(2)
  })

  test('is not lost where the process ended between acceptance and note', async () => {
    // The state after a crash: claimed, with an unknown outcome.
    const [arrived, missing] = [aNumber(), aNumber()]
    const { org } = await aTeam([arrived, missing])
    const words = '[ALERT: Normal] Leave the building'
    const accepted = twilio.accept('Messages', { to: arrived, words })
    const ids = [crypto.randomUUID(), crypto.randomUUID()]
    await inside(org, async (db) => {
      const rows = [arrived, missing].map((recipient, n) => ({
        id: ids[n]!,
        channel: 'SMS' as const,
        recipient,
        subject: null,
        text: words,
        html: null,
        content_id: null,
        notification_id: null,
        state: 'SENDING' as const,
        provider_id: null,
        reason: null,
        create_timestamp: new Date().toISOString(),
        done_timestamp: null,
      }))
      await db.insertInto('messages').values(rows).execute()
      await services.jobs.enqueue(db, 'texts', { ids })
    })
    await expect.poll(async () => (await messagesOf(org)).map(({ state }) => state)).toEqual(['SENT', 'SENT'])
    expect(twilio.to(arrived)).toEqual([accepted])
    expect(twilio.to(missing)).toHaveLength(1)
  })
})

describe('a voice call', () => {
  test('says the message twice, without the tag, whatever it holds', async () => {
    const number = aNumber()
    const { notify, deliveriesOf } = await aTeam([number])
    const smsMessage = `<Hangup/>\u0007"A" & 'B' ]]>`
    const { body } = await notify({ types: ['VOICE_CALL'], smsMessage })
    await expect
      .poll(() => deliveriesOf(body.id))
      .toEqual([{ type: 'VOICE_CALL', sent: 1, delivered: 0, waiting: 0, failed: 0 }])
    const [call] = twilio.to(number)
    expect(call!.kind).toBe('Calls')
    const said = '<Say language="en-US">&lt;Hangup/&gt; &quot;A&quot; &amp; &apos;B&apos; ]]&gt;</Say>'
    expect(call!.words).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><Response>${said}<Pause length="2"/>${said}</Response>`,
    )
  })

  test('that was accepted without an answer is not made twice, also beside an SMS to the same number', async () => {
    const number = aNumber()
    twilio.plans.set(number, ['accept and break off', 'accept and break off'])
    const { notify, deliveriesOf } = await aTeam([number])
    const { body } = await notify({ types: ['SMS', 'VOICE_CALL'] })
    await expect
      .poll(() => deliveriesOf(body.id))
      .toMatchObject([
        { type: 'SMS', sent: 1 },
        { type: 'VOICE_CALL', sent: 1 },
      ])
    const kinds = twilio.to(number).map(({ kind }) => kind)
    expect(kinds).toHaveLength(2)
    expect(new Set(kinds)).toEqual(new Set(['Calls', 'Messages']))
  })

  test('says what is long only once, because Twilio takes no more', () => {
    expect(twimlOf('word '.repeat(300)).match(/<Say>/g)).toHaveLength(2)
    expect(twimlOf('word '.repeat(500)).match(/<Say>/g)).toHaveLength(1)
  })
})

test('three hundred people each get one of each kind, although many answers are lost, and all is told once', async () => {
  const numbers = Array.from({ length: 300 }, aNumber)
  for (const [n, number] of numbers.entries())
    if (n % 7 === 0) twilio.plans.set(number, ['accept and break off'])
    else if (n % 11 === 0) twilio.plans.set(number, ['break off'])
  const { org, notify, deliveriesOf } = await aTeam(numbers, { contactsUploadMaxLimit: 300 })
  const { body } = await notify({ types: ['SMS', 'VOICE_CALL'] })
  expect(body).toMatchObject({ notifiedCount: 300 })
  await expect
    .poll(() => deliveriesOf(body.id))
    .toEqual([
      { type: 'SMS', sent: 300, delivered: 0, waiting: 0, failed: 0 },
      { type: 'VOICE_CALL', sent: 300, delivered: 0, waiting: 0, failed: 0 },
    ])
  const counts = numbers.map((number) => twilio.to(number).length)
  expect(counts.filter((count) => count !== 2)).toEqual([])
  const delivered = await inside(org, (db) =>
    db.selectFrom('events').select('id').where('verb', '=', 'delivered').execute(),
  )
  expect(delivered).toHaveLength(1)
})
