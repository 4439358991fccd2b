import { afterAll, describe, expect, test } from 'vitest'

import type { NotificationDetail, PersonMessage, Recipient } from '#contract/mass-notifications/schema.ts'
import type { Suppression } from '#contract/suppressions/schema.ts'
import { reportOf } from '#server/kit/messages/sms.ts'
import { takeReply } from '#server/mass-notifications/replies.flows.ts'
import { type Organisation, startTestServer } from '#tests/support/server.ts'
import { type RcptReply, startSmtp } from '#tests/support/smtp.ts'
import { type Doing, FakeTwilio, FROM } from '#tests/support/twilio.ts'

const twilio = new FakeTwilio()
const smtp = await startSmtp()
const muster = await startTestServer({ ...(await twilio.start()), SMTP_URL: smtp.url })
afterAll(() => {
  twilio.stop()
  return smtp.stop()
})
const { anOrganisation, signedInAs, services } = muster
const PATH = '/massNotification'

let counter = 0
/** An unused number. */
const aNumber = () => `+1416558${String(1_000 + (counter += 1)).slice(-4)}`
/** An unused address. */
const anAddress = () => `p${(counter += 1)}@out.example`

interface Row {
  readonly email: string
  readonly phone?: string
}
/** An organisation with contacts, and its administrator. */
async function withContacts(rows: readonly Row[], org?: Organisation) {
  const of = org ?? (await anOrganisation({ contactsAndMassNotificationsEnabled: true }))
  const admin = await signedInAs(of, 'ADMIN')
  expect(
    (
      await admin.post(
        '/contact',
        rows.map((row) => ({ ...row, list: 'All' })),
      )
    ).status,
  ).toBe(201)
  const words = { title: 'Gate 2', emailMessage: 'Gate 2 is closed', smsMessage: 'Gate 2 is closed' }
  /** Sends by these types, and waits for the outcome. */
  const send = async (...types: string[]) => {
    const sent = await admin.post(PATH, { ...words, types, contactListIds: ['All'] })
    expect(sent.status).toBe(201)
    const { id } = sent.body as NotificationDetail
    const detail = async () => (await admin.get(`${PATH}/history/${id}`)).body as NotificationDetail
    await expect
      .poll(async () => (await detail()).deliveries.reduce((sum, { waiting }) => sum + waiting, 0))
      .toBe(0)
    const recipients = (await admin.get(`${PATH}/history/${id}/recipients`)).body as Recipient[]
    return { id, first: sent.body as NotificationDetail, detail: await detail(), recipients }
  }
  const suppressed = async (...addresses: string[]) =>
    (await admin.post('/suppression/find', { addresses })).body as Suppression[]
  return { org: of, admin, send, suppressed }
}

describe('a failure that no second try changes', () => {
  test.each<[string, Doing, Suppression['reason']]>([
    ['an unsubscribed number', { status: 400, code: 21610 }, 'STOPPED'],
    ['a number that does not exist', { status: 400, code: 21211 }, 'NO_SUCH_NUMBER'],
    ['a landline', { status: 400, code: 21614 }, 'NO_SMS'],
  ])('is remembered of %s, which is not tried again', async (_, doing, reason) => {
    const [phone, other] = [aNumber(), aNumber()]
    const { admin, send, suppressed } = await withContacts([
      { email: anAddress(), phone },
      { email: anAddress(), phone: other },
    ])
    twilio.plans.set(phone, [doing])
    const first = await send('SMS')
    expect(await suppressed(phone, other)).toMatchObject([
      { kind: 'PHONE', address: phone, reason, notificationId: first.id, liftTimestamp: null },
    ])
    const reach = await admin.post(`${PATH}/reach`, { contactListIds: ['All'] })
    expect(reach.body.suppressed).toEqual({
      EMAIL: 0,
      SMS: 1,
      VOICE_CALL: reason === 'NO_SUCH_NUMBER' ? 1 : 0,
    })
    const asked = twilio.asked.length
    const { first: atOnce, detail, recipients } = await send('SMS')
    expect(atOnce).toMatchObject({ notifiedCount: 2, waitingCount: 1, notReachedCount: 1 })
    expect(atOnce.deliveries).toMatchObject([{ type: 'SMS', failed: 1, waiting: 1 }])
    expect(detail).toMatchObject({ sentCount: 1, notReachedCount: 1, waitingCount: 0 })
    // One request, which the other number has got.
    expect(twilio.asked.length - asked).toBe(1)
    expect(twilio.to(phone)).toEqual([])
    const missed = recipients.find((one) => one.phone === phone)!
    expect(missed.outcome).toBe('NOT_REACHED')
    expect(missed.messages[0]!.reason).toMatch(/^Not tried: this (person|number) .* on \d{4}-\d\d-\d\d\. /)
  })

  test('has a row in the ledger that names no carrier', async () => {
    const phone = aNumber()
    const { admin, send } = await withContacts([{ email: anAddress(), phone }])
    twilio.plans.set(phone, [{ status: 400, code: 21211 }])
    await send('SMS')
    const { id, recipients } = await send('SMS', 'VOICE_CALL')
    const { body } = await admin.get(`${PATH}/history/${id}/recipients/${recipients[0]!.person}`)
    expect(body).toMatchObject([
      { type: 'SMS', state: 'FAILED', attempts: [{ carrier: 'Muster', state: 'FAILED', tries: 1 }] },
      { type: 'VOICE_CALL', state: 'FAILED', attempts: [{ carrier: 'Muster', state: 'FAILED' }] },
    ] satisfies Partial<PersonMessage>[] | object[])
    expect(twilio.to(phone)).toEqual([])
  })

  test('of an SMS lets calls go on where the person has written STOP', async () => {
    const phone = aNumber()
    const { send } = await withContacts([{ email: anAddress(), phone }])
    twilio.plans.set(phone, [{ status: 400, code: 21610 }])
    await send('SMS')
    const { recipients } = await send('SMS', 'VOICE_CALL')
    expect(recipients[0]).toMatchObject({ outcome: 'PARTLY' })
    expect(twilio.to(phone).map(({ kind }) => kind)).toEqual(['Calls'])
  })

  test.each<[RcptReply, boolean]>([
    ['550 5.1.1 No such user', true],
    ['550 5.1.10 Null MX', true],
    ['550 5.2.1 Mailbox disabled', true],
    ['550 5.7.1 Blocked by policy', false],
    ['552 5.2.2 Mailbox full', false],
    ['550 No such user', false],
  ])('of a mail suppresses by its code: %s', async (reply, isSuppressed) => {
    const email = anAddress()
    const { send, suppressed } = await withContacts([{ email }])
    smtp.plans.set(email, [reply])
    const { detail } = await send('EMAIL')
    expect(detail).toMatchObject({ notReachedCount: 1 })
    const expected = isSuppressed ? [{ kind: 'EMAIL', address: email, reason: 'BOUNCED' }] : []
    expect(await suppressed(email.toUpperCase())).toMatchObject(expected)
    const again = await send('EMAIL')
    expect(again.detail.sentCount).toBe(isSuppressed ? 0 : 1)
    expect(again.detail.notReachedCount).toBe(isSuppressed ? 1 : 0)
    expect(smtp.tried.filter((one) => one === email)).toHaveLength(isSuppressed ? 1 : 2)
  })

  test('keeps nobody from signing in: codes and links are tried', async () => {
    const { org, admin, send, suppressed } = await withContacts([{ email: anAddress() }])
    const email = `locked@${org.code}.example`
    await admin.post('/contact', [{ email, list: 'All' }])
    await muster.aUser(org, { email })
    smtp.plans.set(email, ['550 5.1.1 No such user'])
    await send('EMAIL')
    expect(await suppressed(email)).toHaveLength(1)
    const before = smtp.received.length
    const body = { enterpriseCode: org.code, userId: email }
    expect((await muster.send('POST', '/authentication/forgotPassword', { body })).status).toBe(204)
    await expect.poll(() => smtp.received.slice(before).map(({ to }) => to)).toEqual([email])
  })

  test('while a message waits for its carrier fails what is queued behind it', async () => {
    const phone = aNumber()
    const { org, send, suppressed } = await withContacts([{ email: anAddress(), phone }])
    await send('SMS')
    await reply(phone, 'STOP')
    expect(await suppressed(phone)).toHaveLength(1)
    // A message that was queued before the STOP came in.
    const waiting = await muster.inside(org, async (db) => {
      const { id } = await db.selectFrom('messages').select('id').executeTakeFirstOrThrow()
      await db
        .updateTable('messages')
        .set({ state: 'QUEUED', done_timestamp: null })
        .where('id', '=', id)
        .execute()
      await services.jobs.enqueue(db, 'texts', { ids: [id] })
      return id
    })
    const found = () =>
      muster.inside(org, (db) =>
        db
          .selectFrom('messages')
          .select(['state', 'reason'])
          .where('id', '=', waiting)
          .executeTakeFirstOrThrow(),
      )
    await expect.poll(async () => (await found()).state).toBe('FAILED')
    expect((await found()).reason).toMatch(/^Not tried: /)
    expect(twilio.to(phone)).toHaveLength(1)
  })
})

/** Takes an SMS of a person, as the carrier hands it over. */
const reply = (from: string, text: string, to = FROM) =>
  takeReply(services, { carrier: 'Twilio', providerId: `SM${crypto.randomUUID()}`, from, to, text })

describe('STOP by SMS', () => {
  test.each(['STOP', ' stop ', 'StopAll', 'UNSUBSCRIBE', 'Cancel', 'END', 'quit', 'ARRÊT', 'Stopp'])(
    'stops SMS to the number, and START allows them again: %s',
    async (word) => {
      const phone = aNumber()
      const { send, suppressed } = await withContacts([{ email: anAddress(), phone }])
      await send('SMS')
      await reply(phone, word)
      expect(await suppressed(phone)).toMatchObject([{ reason: 'STOPPED', code: null }])
      expect((await send('SMS')).detail).toMatchObject({ sentCount: 0, notReachedCount: 1 })
      await reply(phone, 'Start')
      expect(await suppressed(phone)).toEqual([])
      expect((await send('SMS')).detail).toMatchObject({ sentCount: 1 })
    },
  )

  test.each(['Stop the water', 'please stop', 'STOP!', '', 'Ends', 'S T O P', '1 STOP'])(
    'is the whole text, not a part of it: %s',
    async (words) => {
      const phone = aNumber()
      const { send, suppressed } = await withContacts([{ email: anAddress(), phone }])
      await send('SMS')
      await reply(phone, words)
      expect(await suppressed(phone)).toEqual([])
    },
  )

  test('holds in each organisation that has messaged the number, and in no other', async () => {
    const phone = aNumber()
    const [one, two, quiet] = [
      await withContacts([{ email: anAddress(), phone }]),
      await withContacts([{ email: anAddress(), phone }]),
      await withContacts([{ email: anAddress(), phone }]),
    ]
    await one.send('SMS')
    await two.send('SMS')
    await reply(phone, 'STOP')
    expect(await one.suppressed(phone)).toHaveLength(1)
    expect(await two.suppressed(phone)).toHaveLength(1)
    expect(await quiet.suppressed(phone)).toEqual([])
    // From another sender number nothing was sent.
    await reply(phone, 'START', '+14165550199')
    expect(await one.suppressed(phone)).toHaveLength(1)
  })

  test('is found by the address of the user whose number it is', async () => {
    const [phone, email] = [aNumber(), anAddress()]
    const { org, admin, send } = await withContacts([{ email: anAddress(), phone }])
    twilio.plans.set(phone, [{ status: 400, code: 21610 }])
    await send('SMS')
    await muster.inside(org, (db) =>
      db.updateTable('users').set({ second_phone_number: phone }).where('email', '=', admin.email).execute(),
    )
    const { body } = await admin.post('/suppression/find', { addresses: [admin.email.toUpperCase(), email] })
    expect(body).toMatchObject([{ address: phone, reason: 'STOPPED', owner: admin.email }])
  })

  test('that comes twice is taken once, and START does not bring back what does not exist', async () => {
    const phone = aNumber()
    const { admin, send, suppressed } = await withContacts([{ email: anAddress(), phone }])
    twilio.plans.set(phone, [{ status: 400, code: 21211 }])
    await send('SMS')
    await reply(phone, 'STOP')
    await reply(phone, 'STOP')
    expect((await suppressed(phone)).map(({ reason }) => reason).toSorted()).toEqual([
      'NO_SUCH_NUMBER',
      'STOPPED',
    ])
    await reply(phone, 'START')
    expect(await suppressed(phone)).toMatchObject([{ reason: 'NO_SUCH_NUMBER' }])
    const { body } = await admin.get('/suppression?active=false')
    expect(body).toMatchObject({ total: 2 })
    expect((body.data as Suppression[]).find(({ reason }) => reason === 'STOPPED')).toMatchObject({
      liftReason: 'START by SMS',
      liftedBy: null,
    })
  })
})

describe('an administrator', () => {
  test('allows an address again with a reason, which the audit log has without the address', async () => {
    const phone = aNumber()
    const { org, admin, send, suppressed } = await withContacts([{ email: anAddress(), phone }])
    twilio.plans.set(phone, [{ status: 400, code: 21211 }])
    await send('SMS')
    const [found] = await suppressed(phone)
    const path = `/suppression/${found!.id}/lift`
    for (const reason of ['', '   ', undefined, 'x'.repeat(100_000), 7])
      expect((await admin.post(path, { reason })).status).toBe(400)
    expect(await suppressed(phone)).toHaveLength(1)
    expect((await admin.post(path, { reason: 'She has the number again' })).status).toBe(204)
    expect((await admin.post(path, { reason: 'Again' })).status).toBe(409)
    expect(await suppressed(phone)).toEqual([])
    const [kept] = (await admin.get('/suppression?active=false')).body.data
    expect(kept).toMatchObject({ liftedBy: admin.email, liftReason: 'She has the number again' })
    const events = await muster.inside(org, (db) =>
      db.selectFrom('events').selectAll().where('noun', '=', 'suppressions').execute(),
    )
    expect(events).toHaveLength(1)
    expect(JSON.stringify(events)).not.toContain(phone)
    expect((await send('SMS')).detail).toMatchObject({ sentCount: 1 })
  })

  test('sees what the next failure of it says, but not what an older message says late', async () => {
    const phone = aNumber()
    const { org, admin, send, suppressed } = await withContacts([{ email: anAddress(), phone }])
    const { id } = await send('SMS')
    const message = await muster.inside(org, (db) =>
      db
        .selectFrom('messages')
        .select(['id', 'provider_id'])
        .where('notification_id', '=', id)
        .executeTakeFirstOrThrow(),
    )
    await reply(phone, 'STOP')
    const [found] = await suppressed(phone)
    await admin.post(`/suppression/${found!.id}/lift`, { reason: 'She asked' })
    await services.post.confirm(org.id, [
      {
        messageId: message.id,
        carrier: 'Twilio',
        providerId: message.provider_id!,
        state: 'FAILED',
        code: '21610',
        reason: 'Unsubscribed',
        suppression: 'STOPPED',
      },
    ])
    expect(await suppressed(phone)).toEqual([])
    twilio.plans.set(phone, [{ status: 400, code: 21610 }])
    await send('SMS')
    expect(await suppressed(phone)).toHaveLength(1)
  })
})

describe('a report of the carrier that comes later', () => {
  test.each([
    ['30005', 'NO_SUCH_NUMBER'],
    ['30006', 'NO_SMS'],
    ['30003', null],
  ])('suppresses by its code, once: %s', async (code, reason) => {
    const phone = aNumber()
    const { org, send, suppressed } = await withContacts([{ email: anAddress(), phone }])
    await send('SMS')
    const { sid } = twilio.to(phone)[0]!
    const { id } = await muster.inside(org, (db) =>
      db.selectFrom('messages').select('id').executeTakeFirstOrThrow(),
    )
    const report = { ...reportOf('undelivered', code)!, messageId: id, carrier: 'Twilio', providerId: sid }
    await services.post.confirm(org.id, [report, report])
    await services.post.confirm(org.id, [report])
    expect(await suppressed(phone)).toMatchObject(reason ? [{ reason, code }] : [])
  })
})
