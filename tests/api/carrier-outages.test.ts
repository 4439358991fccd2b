import { afterAll, describe, expect, test } from 'vitest'

import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { lookForOutages } from '#server/carrier-outages/flows.ts'
import { type Organisation, startTestServer } from '#tests/support/server.ts'
import { type RcptReply, startSmtp } from '#tests/support/smtp.ts'
import { type Doing, FakeTwilio } from '#tests/support/twilio.ts'

const twilio = new FakeTwilio()
const smtp = await startSmtp()
const muster = await startTestServer({ ...(await twilio.start()), SMTP_URL: smtp.url })
afterAll(() => {
  twilio.stop()
  return smtp.stop()
})
const { anOrganisation, signedInAs, services } = muster
const { pool } = services.database

let counter = 0
const aNumber = () => `+1416559${String(1_000 + (counter += 1)).slice(-4)}`
const anAddress = () => `o${(counter += 1)}@out.example`

/** An organisation with one contact, which has sent to it by a type. */
async function sending(type: 'EMAIL' | 'SMS' | 'VOICE_CALL') {
  const org = await anOrganisation({ contactsAndMassNotificationsEnabled: true })
  const admin = await signedInAs(org, 'ADMIN')
  const [email, phone] = [anAddress(), aNumber()]
  await admin.post('/contact', [{ email, phone, list: 'All' }])
  const words = { title: 'Gate 2', emailMessage: 'Gate 2 is closed', smsMessage: 'Gate 2 is closed' }
  const send = async () => {
    const { body } = await admin.post('/massNotification', {
      ...words,
      types: [type],
      contactListIds: ['All'],
    })
    return (body as NotificationDetail).id
  }
  const message = (id: string) =>
    muster.inside(org, (db) =>
      db
        .selectFrom('messages')
        .select(['state', 'reason', 'carrier_trouble'])
        .where('notification_id', '=', id)
        .executeTakeFirstOrThrow(),
    )
  const notices = async () =>
    ((await admin.get('/notifications')).body.data as { title: string }[]).map(({ title }) => title)
  const mails = () =>
    muster.inside(org, async (db) => {
      const rows = await db
        .selectFrom('messages')
        .select('subject')
        .where('notification_id', 'is', null)
        .execute()
      return rows.map(({ subject }) => subject)
    })
  return { org, admin, email, phone, send, message, notices, mails }
}
/** Moves the failures of an organisation's messages into the past. */
const ago = (org: Organisation, minutes: number) =>
  pool.query(
    `update message_attempts set create_timestamp = create_timestamp - make_interval(mins => $2)
      where organisation_id = $1 and state in ('DEFERRED', 'UNKNOWN')`,
    [org.id, minutes],
  )
const look = () => lookForOutages(services)
const hasten = () => services.jobs.hasten('mail', 'mass-mail', 'texts')

describe('trouble of a telephone carrier', () => {
  test.each<[string, Doing]>([
    ['401', { status: 401 }],
    ['403', { status: 403 }],
    ['408', { status: 408 }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['no answer', 'break off'],
  ])('is not the recipient’s: after %s the message waits and goes on', async (_, doing) => {
    const { admin, phone, send, message } = await sending('SMS')
    twilio.plans.set(phone, [doing])
    const id = await send()
    await expect.poll(async () => (await message(id)).carrier_trouble).toBe(true)
    expect(await message(id)).toMatchObject({ state: expect.stringMatching(/^(QUEUED|SENDING)$/) })
    expect((await admin.post('/suppression/find', { addresses: [phone] })).body).toEqual([])
    await expect
      .poll(
        async () => {
          await hasten()
          return (await message(id)).state
        },
        { timeout: 15_000 },
      )
      .toBe('SENT')
    expect(twilio.to(phone)).toHaveLength(1)
  })
})

describe('trouble of a mail server', () => {
  test.each<RcptReply>([
    '450 4.2.0 Greylisted, try again later',
    '421 4.3.2 Shutting down',
    '451 4.7.1 Greylisting',
  ])('is not the recipient’s: after %s the mail waits and goes on', async (reply) => {
    const { admin, email, send, message } = await sending('EMAIL')
    smtp.plans.set(email, [reply])
    const id = await send()
    await expect.poll(() => smtp.tried).toContain(email)
    await expect
      .poll(
        async () => {
          await hasten()
          return (await message(id)).state
        },
        { timeout: 15_000 },
      )
      .toBe('SENT')
    expect(smtp.tried.filter((one) => one === email)).toHaveLength(2)
    expect(smtp.received.filter(({ to }) => to === email)).toHaveLength(1)
    expect((await admin.post('/suppression/find', { addresses: [email] })).body).toEqual([])
  })
})

describe('an outage', () => {
  test('of SMS is told once to administrators whose messages wait, and once when it is over', async () => {
    const one = await sending('SMS')
    const quiet = await sending('SMS')
    twilio.plans.set(
      one.phone,
      Array.from({ length: 50 }, (): Doing => ({ status: 503 })),
    )
    const id = await one.send()
    await expect.poll(async () => (await one.message(id)).carrier_trouble).toBe(true)
    await look()
    expect(await one.notices()).toEqual([])
    // Nothing of the earlier tests was accepted within these minutes.
    await pool.query(`update message_attempts set create_timestamp = create_timestamp - interval '1 hour'
      where state in ('SENT', 'DELIVERED')`)
    await ago(one.org, 4)
    await look()
    await look()
    const began = 'SMS cannot be sent at the moment'
    expect(await one.notices()).toEqual([began])
    expect(await one.mails()).toEqual([began])
    expect(await quiet.notices()).toEqual([])
    // An organisation that begins to wait later is told, too; the first one is not told again.
    const later = await sending('SMS')
    twilio.plans.set(
      later.phone,
      Array.from({ length: 50 }, (): Doing => ({ status: 503 })),
    )
    const waiting = await later.send()
    await expect.poll(async () => (await later.message(waiting)).carrier_trouble).toBe(true)
    await Promise.all([look(), look()])
    await look()
    expect(await later.notices()).toEqual([began])
    expect(await one.notices()).toEqual([began])

    for (const { phone } of [one, later]) twilio.plans.delete(phone)
    await expect
      .poll(
        async () => {
          await hasten()
          return (await one.message(id)).state
        },
        { timeout: 15_000 },
      )
      .toBe('SENT')
    await look()
    await look()
    const over = 'SMS are sent again'
    expect(await one.notices()).toEqual([over, began])
    expect(new Set(await one.mails())).toEqual(new Set([over, began]))
    // Waiting messages go on at once.
    await expect.poll(async () => (await later.message(waiting)).state, { timeout: 15_000 }).toBe('SENT')
    const system = { kind: 'system', id: null, name: 'test' } as const
    const events = await services.database.withProvider(system, (db) =>
      db
        .selectFrom('events')
        .select('verb')
        .where('noun', '=', 'instance')
        .where('record', '=', 'SMS')
        .execute(),
    )
    expect(events.map(({ verb }) => verb).toSorted()).toEqual(['carrier back', 'carrier out'])
  }, 60_000)

  test('of mail is told in the product only, also where the connection is refused', async () => {
    const down = await startSmtp()
    const { port } = down
    await down.stop()
    const other = await startTestServer({ SMTP_URL: down.url })
    const org = await other.anOrganisation({ contactsAndMassNotificationsEnabled: true })
    const admin = await other.signedInAs(org, 'ADMIN')
    const email = anAddress()
    await admin.post('/contact', [{ email, list: 'All' }])
    const words = {
      title: 'Gate 2',
      emailMessage: 'Gate 2 is closed',
      types: ['EMAIL'],
      contactListIds: ['All'],
    }
    expect((await admin.post('/massNotification', words)).status).toBe(201)
    const message = () =>
      other.inside(org, (db) =>
        db.selectFrom('messages').select(['state', 'carrier_trouble', 'reason']).executeTakeFirstOrThrow(),
      )
    await expect.poll(async () => (await message()).carrier_trouble).toBe(true)
    expect((await message()).reason).toContain('ECONNREFUSED')
    await other.services.database.pool.query(
      `update message_attempts set create_timestamp = create_timestamp - interval '4 minutes'`,
    )
    await lookForOutages(other.services)
    const titles = async () =>
      ((await admin.get('/notifications')).body.data as { title: string }[]).map(({ title }) => title)
    expect(await titles()).toEqual(['Emails cannot be sent at the moment'])
    const { rows } = await other.services.database.pool.query('select from messages')
    expect(rows).toHaveLength(1)
    const up = await startSmtp(port)
    try {
      await expect
        .poll(
          async () => {
            await other.services.jobs.hasten('mass-mail')
            return (await message()).state
          },
          { timeout: 15_000 },
        )
        .toBe('SENT')
      expect(up.received.map(({ to }) => to)).toEqual([email])
      await lookForOutages(other.services)
      expect(await titles()).toEqual(['Emails are sent again', 'Emails cannot be sent at the moment'])
    } finally {
      await up.stop()
    }
  }, 60_000)
})
