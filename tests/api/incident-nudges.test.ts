import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'

import { NUDGE_EVERY } from '#contract/incident-nudges/schema.ts'
import { clock } from '#server/kit/core/clock.ts'

import { startedCall } from '../support/calls.ts'
import { declared, resolve } from '../support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const realNow = clock.now
afterEach(() => {
  clock.now = realNow
})

const SUBSCRIBED = { contactsAndMassNotificationsEnabled: true, massNotifsMaxEvents: 10, multiIncident: true }
async function team(config: object = SUBSCRIBED) {
  const organisation = await muster.anOrganisation(config)
  const lead = await muster.signedInAs(organisation, 'ADMIN')
  const [ana, ben] = [await muster.signedInAs(organisation), await muster.signedInAs(organisation)]
  await muster.inside(organisation, (db) =>
    db.updateTable('users').set({ phone_number: '+19025550101' }).where('id', '=', ana.uuid).execute(),
  )
  return { organisation, lead, ana, ben }
}
const nudge = (who: Caller, { id }: { id: string }, body: object) => who.post(`/incident/${id}/nudge`, body)
const checkIn = (who: Caller, { id }: { id: string }) => who.post(`/incident/${id}/checkIn`)
/** Recipients of the messages of a channel. */
const sentTo = (organisation: Organisation, channel: string) =>
  muster.inside(organisation, async (db) => {
    const rows = await db
      .selectFrom('messages')
      .select('recipient')
      .where('channel', '=', sql<'EMAIL'>`${channel}`)
      .execute()
    return rows.map(({ recipient }) => recipient).sort()
  })
const noticesOf = async (who: Caller) => (await who.get('/notifications')).body.data

describe('a nudge by message', () => {
  test('reaches everybody who has not checked in, in the product and by email, and nobody else', async () => {
    const { organisation, lead, ana, ben } = await team()
    const incident = await declared(lead, { isTabletop: true })
    await checkIn(ana, incident)
    const { status, body } = await nudge(lead, incident, { channel: 'MESSAGE' })
    expect([status, body]).toEqual([200, { nudged: 1, tooSoon: 0, unreachable: 0 }])
    expect(await sentTo(organisation, 'EMAIL')).toEqual([ben.email])
    expect(await noticesOf(ben)).toMatchObject([
      { title: 'EXERCISE: Please check in', incidentId: incident.id },
    ])
    expect(await noticesOf(ana)).toEqual([])
  })

  test('comes once a minute for each person and channel, and says when it was too soon', async () => {
    const { organisation, lead, ana, ben } = await team()
    const incident = await declared(lead)
    await nudge(lead, incident, { channel: 'MESSAGE', userIds: [ana.uuid] })
    const again = await nudge(lead, incident, { channel: 'MESSAGE', userIds: [ana.uuid] })
    expect([again.status, again.body]).toMatchObject([
      429,
      {
        code: 'limit_reached',
        message: 'This person was nudged by message less than a minute ago.',
        msUntilNextAttempt: expect.any(Number),
      },
    ])
    expect(again.body.msUntilNextAttempt).toBeLessThanOrEqual(NUDGE_EVERY)
    const all = await nudge(lead, incident, { channel: 'MESSAGE' })
    expect(all.body).toEqual({ nudged: 1, tooSoon: 1, unreachable: 0 })
    expect(await sentTo(organisation, 'EMAIL')).toEqual([ana.email, ben.email].sort())
    const later = realNow() + NUDGE_EVERY
    clock.now = () => later
    expect((await nudge(lead, incident, { channel: 'MESSAGE' })).body).toMatchObject({ nudged: 2 })
  })

  test('is sent once by two people at the same moment', async () => {
    const { organisation, lead, ana, ben } = await team()
    const incident = await declared(lead)
    const both = await Promise.all(
      [lead, ben].map((who) => nudge(who, incident, { channel: 'MESSAGE', userIds: [ana.uuid] })),
    )
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429])
    expect(await sentTo(organisation, 'EMAIL')).toEqual([ana.email])
  })

  test.each([
    ['somebody who has checked in', async ({ ana }: Awaited<ReturnType<typeof team>>) => [ana.uuid]],
    ['oneself', async ({ lead }: Awaited<ReturnType<typeof team>>) => [lead.uuid]],
    ['nobody known', async () => [crypto.randomUUID()]],
  ])('is refused for %s', async (_, whom) => {
    const people = await team()
    const incident = await declared(people.lead)
    await checkIn(people.ana, incident)
    const { status, body } = await nudge(people.lead, incident, {
      channel: 'MESSAGE',
      userIds: await whom(people),
    })
    expect([status, body.message]).toEqual([409, 'Nobody is waited for.'])
  })

  test('is refused once the incident is resolved', async () => {
    const { lead } = await team()
    const incident = await declared(lead)
    await resolve(lead, incident)
    expect((await nudge(lead, incident, { channel: 'MESSAGE' })).status).toBe(409)
  })
})

describe('a nudge by SMS', () => {
  test('is a mass notification to those who have a phone number, from the quota', async () => {
    const { organisation, lead } = await team()
    const incident = await declared(lead, { severity: 'CRITICAL' })
    const { body } = await nudge(lead, incident, { channel: 'SMS' })
    expect(body).toEqual({ nudged: 1, tooSoon: 0, unreachable: 1 })
    expect(await sentTo(organisation, 'SMS')).toEqual(['+19025550101'])
    const [sent] = (await lead.get('/massNotification/history')).body
    expect(sent).toMatchObject({
      smsMessage: 'Please check in. Incident (Critical severity): Flood in the machine hall',
      level: 'CRITICAL',
      groupNames: ['Not checked in: Flood in the machine hall'],
      notifiedCount: 1,
    })
    expect((await lead.get('/massNotification')).body.remainingEvents).toBe(9)
  })

  test('needs the permission and the subscription', async () => {
    const { lead, ben } = await team({ ...SUBSCRIBED, contactsAndMassNotificationsEnabled: false })
    const incident = await declared(lead)
    expect((await nudge(ben, incident, { channel: 'SMS' })).status).toBe(403)
    expect((await nudge(lead, incident, { channel: 'SMS' })).status).toBe(403)
  })
})

describe('a nudge by a call', () => {
  test('rings from the call of the incident', async () => {
    const { lead, ana } = await team()
    const incident = await declared(lead, { createBreakoutRoom: true })
    const without = await nudge(lead, incident, { channel: 'CALL', userIds: [ana.uuid] })
    expect([without.status, without.body.message]).toEqual([
      409,
      'Please start the call of this incident first.',
    ])
    await startedCall(lead, incident.breakoutRoomId!)
    const { status, body } = await nudge(lead, incident, { channel: 'CALL', userIds: [ana.uuid] })
    expect([status, body]).toEqual([200, { nudged: 1, tooSoon: 0, unreachable: 0 }])
    expect((await nudge(lead, incident, { channel: 'CALL', userIds: [ana.uuid] })).status).toBe(429)
  })
})

describe('a mass notification to those who have not checked in', () => {
  const send = (who: Caller, changes: object) =>
    who.post('/massNotification', {
      title: 'Where are you?',
      emailMessage: 'Please check in.',
      types: ['EMAIL'],
      level: 'CRITICAL',
      ...changes,
    })

  test('reaches them, and is counted before', async () => {
    const { organisation, lead, ana, ben } = await team()
    const incident = await declared(lead)
    await checkIn(ana, incident)
    const recipients = { waitingIncidentId: incident.id }
    expect((await lead.post('/massNotification/reach', recipients)).body).toMatchObject({
      waiting: 2,
      waitingPhones: 0,
      emails: 2,
    })
    const { status, body } = await send(lead, recipients)
    expect([status, body.notifiedCount, body.memberCount]).toEqual([201, 2, 2])
    expect(await sentTo(organisation, 'EMAIL')).toEqual([ben.email, lead.email].sort())
  })

  test('is refused for an incident of nobody, and for a resolved one', async () => {
    const { lead } = await team()
    const incident = await declared(lead)
    await resolve(lead, incident)
    expect((await send(lead, { waitingIncidentId: crypto.randomUUID() })).status).toBe(404)
    expect((await send(lead, { waitingIncidentId: incident.id })).status).toBe(409)
  })
})
