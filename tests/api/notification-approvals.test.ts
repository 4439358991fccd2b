import { describe, expect, test } from 'vitest'

import { clock, HOUR } from '#server/kit/core/clock.ts'
import { listOutbox } from '#server/kit/messages/outbox-messages.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, inside, services, signedInAs } = muster

const PATH = '/massNotification'
const NOTIFICATION = {
  title: 'Leave building 2',
  emailMessage: 'Please leave building 2.',
  types: ['EMAIL'],
  level: 'CRITICAL',
  contactListIds: ['All'],
}
const GUARDED = {
  contactsAndMassNotificationsEnabled: true,
  massNotifsApprovalAbove: 2,
  massNotifsMaxEvents: 10,
}
async function aTeam(config: object = GUARDED, count = 3) {
  const org = await anOrganisation(config)
  const asking = await signedInAs(org, 'ADMIN')
  const second = await signedInAs(org, 'ADMIN')
  const mark = crypto.randomUUID()
  const emails = Array.from({ length: count }, (_, n) => `${n}-${mark}@out.example`)
  await asking.post(
    '/contact',
    emails.map((email, n) => ({ name: `Contact ${n}`, email, phone: `+1416555010${n}`, list: 'All' })),
  )
  const ask = (who: Caller = asking, more: object = {}) =>
    who.post(`${PATH}/approval`, { ...NOTIFICATION, ...more })
  return { org, asking, second, emails, ask }
}
const act = (who: Caller, id: string, what: 'approve' | 'refuse' | 'withdraw', body?: object) =>
  who.post(`${PATH}/approval/${id}/${what}`, body)
const sentTo = async (emails: readonly string[]) =>
  (await listOutbox(services)).filter(({ to }) => emails.includes(to)).map(({ to }) => to)
const usedOf = async (who: Caller) => 10 - (await who.get(PATH)).body.remainingEvents
const historyOf = async (who: Caller) => (await who.get(`${PATH}/history`)).body
const noticesOf = async (who: Caller) => (await who.get('/notifications')).body.data
const verbsOf = (org: Organisation) =>
  inside(org, async (db) => {
    const rows = await db
      .selectFrom('events')
      .select(['verb', 'actor'])
      .where('noun', '=', 'mass-notifications')
      .orderBy('sequence')
      .execute()
    return rows.map(({ verb, actor }) => `${verb} by ${actor.name}`)
  })

describe('a notification above the number of people', () => {
  test('is not sent by one person, and costs nothing; at the number it is', async () => {
    const { asking, emails } = await aTeam()
    const refused = await asking.post(PATH, NOTIFICATION)
    expect([refused.status, refused.body.code]).toEqual([409, 'approval_required'])
    expect(await sentTo(emails)).toEqual([])
    expect(await usedOf(asking)).toBe(0)
    const two = await asking.post(PATH, {
      ...NOTIFICATION,
      contactListIds: [],
      contactIds: emails.slice(0, 2),
    })
    expect(two.status).toBe(201)
  })

  test('shows whoever decides its price, its steps and its language', async () => {
    const config = { ...GUARDED, messagePrices: ['SMS + 0.05'], messageCurrency: 'EUR' }
    const { second, ask } = await aTeam(config)
    const escalation = {
      steps: [{ afterMinutes: 5, to: 'PERSON', by: 'SMS' }],
      rounds: 1,
      pauseMinutes: 15,
    }
    const question = {
      answers: [
        { label: 'Safe', tone: 'GOOD' },
        { label: 'Need help', tone: 'ATTENTION' },
      ],
    }
    const more = { types: ['EMAIL', 'SMS'], smsMessage: 'Leave.', question, escalation, language: 'fr-CA' }
    const { body } = await ask(undefined, more)
    const shown = { price: { currency: 'EUR', amount: 0.15 }, escalation, language: 'fr-CA' }
    expect((await second.get(`${PATH}/approval/${body.id}`)).body).toMatchObject(shown)
  })

  test('is sent once when a second person approves it, in the name of the first, and takes from the quota then', async () => {
    const { org, asking, second, emails, ask } = await aTeam()
    const asked = await ask()
    expect([asked.status, asked.body]).toMatchObject([
      201,
      {
        state: 'WAITING',
        peopleCount: 3,
        needed: 3,
        requestedBy: asking.email,
        canDecide: false,
        canWithdraw: true,
      },
    ])
    expect(await usedOf(asking)).toBe(0)
    const both = await Promise.all([
      act(second, asked.body.id, 'approve'),
      act(second, asked.body.id, 'approve'),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await sentTo(emails)).toSorted()).toEqual(emails.toSorted())
    expect(await usedOf(asking)).toBe(3)
    const [sent] = await historyOf(asking)
    expect(sent).toMatchObject({
      createdBy: asking.email,
      approvedBy: second.email,
      title: 'Leave building 2',
    })
    const { body } = await asking.get(`${PATH}/approval/${asked.body.id}`)
    expect(body).toMatchObject({ state: 'APPROVED', decidedBy: second.email, notificationId: sent.id })
    expect((await verbsOf(org)).toSorted()).toEqual(
      [
        `approval requested by ${asking.email}`,
        `sent by ${second.email}`,
        `approved by ${second.email}`,
        `delivered by ${second.email}`,
      ]
        .filter((one) => !one.startsWith('delivered'))
        .toSorted(),
    )
  })

  test('is told to those who may approve it, with a link, and the decision to the one who asked', async () => {
    const { org, asking, second, ask } = await aTeam()
    const user = await signedInAs(org)
    const { body } = await ask()
    const title = 'A notification waits for your approval'
    expect(await noticesOf(second)).toMatchObject([{ title, approvalId: body.id }])
    expect(await noticesOf(user)).toEqual([])
    expect(await noticesOf(asking)).toEqual([])
    const mails = (await listOutbox(services)).filter(({ to }) => to === second.email)
    expect(mails.map(({ text }) => text).join()).toContain(`/mass-notifications/approvals/${body.id}`)
    expect((await listOutbox(services)).filter(({ to }) => [user.email, asking.email].includes(to))).toEqual(
      [],
    )
    await act(second, body.id, 'refuse', { reason: 'It is building 3' })
    expect(await noticesOf(asking)).toMatchObject([
      {
        title: 'Your notification was refused',
        details: `${second.email}: It is building 3`,
        approvalId: body.id,
      },
    ])
  })

  test('is decided about by nobody who asked, by no key, and withdrawn by nobody else', async () => {
    const { asking, second, emails, ask } = await aTeam()
    const { body } = await ask()
    expect((await act(asking, body.id, 'approve')).status).toBe(403)
    expect((await act(asking, body.id, 'refuse', { reason: 'x' })).status).toBe(403)
    expect((await act(second, body.id, 'withdraw')).status).toBe(403)
    expect((await act(second, body.id, 'refuse', { reason: ' ' })).body.fields).toEqual({
      reason: 'Please enter a reason.',
    })
    const key = await asking.post('/apiManagement/credentials', { name: 'Robot' })
    const withKey = { 'X-Api-Key': key.body.key as string }
    const byKey = await muster.send('POST', `/massNotification/approval/${body.id}/approve`, {
      headers: withKey,
    })
    expect(byKey.status).toBe(403)
    expect(await sentTo(emails)).toEqual([])
    expect((await act(asking, body.id, 'withdraw')).body.state).toBe('WITHDRAWN')
    const late = await act(second, body.id, 'approve')
    expect([late.status, late.body.message]).toEqual([409, `It was withdrawn by ${asking.email} already.`])
    expect(await sentTo(emails)).toEqual([])
  })

  test('of a key is decided about by nobody who made it', async () => {
    const { asking, second, emails } = await aTeam()
    const key = await asking.post('/apiManagement/credentials', { name: 'Robot' })
    const headers = { 'X-Api-Key': key.body.key as string }
    const { body } = await muster.send('POST', `${PATH}/approval`, { headers, body: NOTIFICATION })
    expect(body).toMatchObject({ state: 'WAITING', requestedBy: 'Robot' })
    expect((await asking.get(`${PATH}/approval/${body.id}`)).body.canDecide).toBe(false)
    expect((await act(asking, body.id, 'approve')).status).toBe(403)
    expect(await sentTo(emails)).toEqual([])
    expect((await act(second, body.id, 'approve')).status).toBe(200)
  })

  test('ends after a day, says so, and is not sent any more', async () => {
    const { org, asking, second, emails, ask } = await aTeam()
    const { body } = await ask()
    const waits = Date.parse(body.expireTimestamp) - Date.parse(body.createTimestamp)
    expect(waits).toBe(24 * HOUR)
    await inside(org, (db) =>
      db
        .updateTable('notification_approvals')
        .set({ expire_timestamp: new Date(clock.now() - 1).toISOString() })
        .where('id', '=', body.id)
        .execute(),
    )
    expect((await act(second, body.id, 'approve')).status).toBe(409)
    expect((await asking.get(`${PATH}/approval/${body.id}`)).body).toMatchObject({
      state: 'EXPIRED',
      canDecide: false,
    })
    expect((await asking.get(`${PATH}/approval`)).body.total).toBe(0)
    // The job of that time, and once more.
    await inside(org, (db) =>
      services.jobs.enqueue(db, 'notification-approvals', { id: body.id }, { id: body.id }),
    )
    await expect
      .poll(async () => (await noticesOf(asking)).map(({ title }: { title: string }) => title), {
        timeout: 10_000,
      })
      .toEqual(['Your notification was not approved in time'])
    expect((await verbsOf(org)).filter((verb) => verb.startsWith('approval expired'))).toHaveLength(1)
    expect(await sentTo(emails)).toEqual([])
  })

  test('waits on where the quota does not suffice by now, or the one who asked may no longer notify', async () => {
    const { org, asking, second, ask } = await aTeam()
    const { body } = await ask()
    await inside(org, (db) =>
      db.insertInto('mass_notification_usage').values({ used: 8, questions: 0 }).execute(),
    )
    expect((await act(second, body.id, 'approve')).body.code).toBe('quota_exceeded')
    expect((await ask()).body.code).toBe('quota_exceeded')
    await inside(org, (db) =>
      db.updateTable('users').set({ role: 'USER' }).where('id', '=', asking.uuid).execute(),
    )
    expect((await act(second, body.id, 'approve')).status).toBe(409)
    expect((await second.get(`${PATH}/approval`)).body).toMatchObject({
      total: 1,
      data: [{ state: 'WAITING' }],
    })
  })

  test('is not asked for where nobody else may approve, nor with words that are missing', async () => {
    const org = await anOrganisation(GUARDED)
    const alone = await signedInAs(org, 'ADMIN')
    await alone.post('/contact', [{ name: 'Bo', email: 'bo@out.example', phone: null, list: 'All' }])
    expect((await alone.post(`${PATH}/approval`, NOTIFICATION)).status).toBe(409)
    const { ask } = await aTeam()
    const blank = await ask(undefined, { emailMessage: ' ', contactListIds: ['None'] })
    expect(Object.keys(blank.body.fields)).toEqual(['emailMessage', 'contactListIds.0'])
  })
})

describe('a correction', () => {
  const OPEN = { contactsAndMassNotificationsEnabled: true, massNotifsMaxEvents: 20 }
  test('goes to those whom the notification was sent to, by the same types, and is linked with it', async () => {
    const { asking, emails } = await aTeam(OPEN)
    const sent = await asking.post(PATH, {
      ...NOTIFICATION,
      types: ['EMAIL', 'SMS'],
      smsMessage: 'Leave building 2',
      correction: 'It is building 3.',
    })
    expect(sent.body).toMatchObject({ correction: 'It is building 3.', correctionId: null })
    // A person who joins the list later had no wrong message.
    await asking.post('/contact', [{ name: 'New', email: 'new@out.example', phone: null, list: 'All' }])
    const corrected = await asking.post(`${PATH}/history/${sent.body.id}/correction`, {
      text: 'It is building 3.',
    })
    expect([corrected.status, corrected.body]).toMatchObject([
      201,
      {
        title: 'Correction: Leave building 2',
        emailMessage: 'It is building 3.',
        smsMessage: 'It is building 3.',
        types: ['EMAIL', 'SMS'],
        level: 'CRITICAL',
        notifiedCount: 3,
        correctsId: sent.body.id,
        question: null,
      },
    ])
    expect((await sentTo(emails)).toSorted()).toEqual([...emails, ...emails].toSorted())
    expect((await asking.get(`${PATH}/history/${sent.body.id}`)).body.correctionId).toBe(corrected.body.id)
    expect((await asking.get(PATH)).body.remainingEvents).toBe(20 - 12)
  })

  test('needs no approval, is no longer than an SMS, and takes from the quota', async () => {
    const { asking, second, ask } = await aTeam({
      ...GUARDED,
      massNotifsMaxEvents: 5,
      massNotifsSmsMessageLimit: 20,
    })
    const { body } = await ask(asking, { types: ['EMAIL'] })
    const { notificationId } = (await act(second, body.id, 'approve')).body
    const path = `${PATH}/history/${notificationId}/correction`
    expect((await asking.post(path, { text: ' ' })).body.fields).toEqual({
      text: 'Please enter what is right.',
    })
    const tooMany = await asking.post(path, { text: 'All is well.' })
    expect([tooMany.status, tooMany.body.code]).toEqual([409, 'quota_exceeded'])
    const long = await ask(asking, {
      types: ['SMS'],
      smsMessage: 'Leave',
      correction: 'x'.repeat(21),
      contactListIds: ['All'],
    })
    expect(long.body.fields).toEqual({ correction: 'Maximum of 20 characters exceeded.' })
  })
})
