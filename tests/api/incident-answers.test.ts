import { describe, expect, test } from 'vitest'

import { listOutbox } from '#server/kit/messages/outbox-messages.ts'
import { declared, resolve } from '#tests/support/incidents.ts'
import { newsOf } from '#tests/support/news.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, services, signedInAs, url } = await startTestServer()

const SAFE = [
  { label: 'Safe', tone: 'GOOD' },
  { label: 'Need help', tone: 'ATTENTION' },
  { label: 'Not affected', tone: 'NEUTRAL' },
]

/** An organisation whose lead asks two colleagues in a group, and a contact, about an incident. */
async function anAskedTeam(incidentFields: object = {}, more: object = {}) {
  const org = await anOrganisation({ contactsAndMassNotificationsEnabled: true, groupsEnabled: true })
  const lead = await signedInAs(org, 'ADMIN')
  const [ana, ben] = [await signedInAs(org), await signedInAs(org)]
  const group = await lead.post('/useradmin/group', { name: 'Site', userIds: [ana.email, ben.email] })
  const contact = `${crypto.randomUUID()}@out.example`
  await lead.post('/contact', [{ name: 'Cy Out', email: contact, list: 'Suppliers' }])
  const incident = await declared(lead, incidentFields)
  const sent = await lead.post('/massNotification', {
    title: 'Are you safe?',
    emailMessage: 'Fire at gate 2.',
    types: ['EMAIL'],
    groupIds: [group.body.id],
    contactListIds: ['Suppliers'],
    question: { answers: SAFE },
    incidentId: incident.id,
    ...more,
  })
  const team = async (query = '') => (await lead.get(`/incident/${incident.id}/teamStatus${query}`)).body
  const help = async () => (await lead.get(`/incident/${incident.id}/help`)).body
  const about = async (who: Caller = lead) =>
    (await who.get(`/incident/${incident.id}/massNotification`)).body
  return { org, lead, ana, ben, contact, incident, sent, team, help, about }
}
async function linkOf(to: string): Promise<string> {
  const mails = (await listOutbox(services)).filter((one) => one.to === to)
  return mails.flatMap(({ text }) => /http\S+\/answer\/\S+/.exec(text) ?? [])[0]!
}
const answer = async (to: string, index: number, note = '') =>
  (
    await fetch(await linkOf(to), {
      method: 'POST',
      body: new URLSearchParams({ answer: `${index}`, note }),
      redirect: 'manual',
    })
  ).status
type Row = { id: string; checkInTimestamp: string | null; answer: object | null }
const rowOf = (team: { data: Row[] }, who: Caller) => team.data.find(({ id }) => id === who.uuid)!

describe('an answer to a notification about an incident', () => {
  test('that is good or neutral checks the person in, once, and says in the team status what it was', async () => {
    const { ana, ben, incident, sent, team } = await anAskedTeam()
    expect(sent.body).toMatchObject({ incidentId: incident.id })
    expect(await answer(ana.email, 0, 'At home')).toBe(303)
    const first = await team()
    expect(first).toMatchObject({ checkedInCount: 1, helpCount: 0 })
    expect(rowOf(first, ana).answer).toEqual({
      label: 'Safe',
      note: 'At home',
      needsHelp: false,
      timestamp: rowOf(first, ana).checkInTimestamp,
    })
    await answer(ana.email, 2)
    await answer(ben.email, 2)
    const second = await team()
    expect(second.checkedInCount).toBe(2)
    expect(rowOf(second, ana).checkInTimestamp).toBe(rowOf(first, ana).checkInTimestamp)
    expect(rowOf(second, ana).answer).toMatchObject({ label: 'Not affected', note: '' })
    expect((await ben.get(`/incident/${incident.id}`)).body.shouldCurrentUserCheckIn).toBe(false)
  })

  test('that calls for help checks nobody in, stands first, and survives a check-in', async () => {
    const { ana, ben, contact, incident, team, help } = await anAskedTeam()
    await answer(ana.email, 1, 'Stairs B')
    await answer(contact, 1)
    const called = await team()
    expect([called.checkedInCount, called.helpCount]).toEqual([0, 2])
    expect((await ana.post(`/incident/${incident.id}/checkIn`)).status).toBe(200)
    expect(rowOf(await team(), ana).answer).toMatchObject({ label: 'Need help', needsHelp: true })
    const { data, total } = await help()
    expect(total).toBe(2)
    expect(data).toMatchObject([
      { userId: ana.uuid, label: 'Need help', note: 'Stairs B' },
      { userId: null, name: 'Cy Out', note: '' },
    ])
    const page = await ben.get(`/incident/${incident.id}/help?offset=1&size=1`)
    expect(page.body).toMatchObject({ data: [{ name: 'Cy Out' }], total: 2 })
    await answer(ana.email, 0)
    expect((await help()).data).toMatchObject([{ name: 'Cy Out' }])
    expect(rowOf(await team(), ana).answer).toMatchObject({ label: 'Safe', needsHelp: false })
  })

  test('of ten people is one row with counts, and the stream has only those who call for help', async () => {
    const { ana, ben, contact, lead, about, incident, org } = await anAskedTeam()
    await answer(ben.email, 0)
    await answer(contact, 2)
    await answer(ana.email, 1)
    expect(await about()).toMatchObject({
      total: 1,
      data: [
        {
          title: 'Are you safe?',
          message: 'Fire at gate 2.',
          createdBy: lead.email,
          question: {
            isOpen: true,
            askedCount: 3,
            answers: SAFE.map((one) => ({ ...one, count: 1 })),
          },
        },
      ],
    })
    const events = await inside(org, (db) =>
      db
        .selectFrom('events')
        .select(['noun', 'verb'])
        .where('parent', '=', incident.id)
        .orderBy('sequence')
        .execute(),
    )
    expect(events.map(({ noun, verb }) => `${noun} ${verb}`)).toEqual([
      'mass-notifications sent',
      'incident-answers called for help',
    ])
    await answer(ana.email, 0)
    const report = await lead.get(`/incident/file/${incident.id}`)
    expect(report.status).toBe(200)
  })

  test('after the resolution checks nobody in and still calls for help', async () => {
    const { ana, ben, lead, incident, team } = await anAskedTeam()
    await resolve(lead, incident)
    await answer(ben.email, 0)
    await answer(ana.email, 1)
    expect(await team()).toMatchObject({ checkedInCount: 0, helpCount: 1 })
  })

  test('on behalf counts as well, and the incident says how it is known', async () => {
    const { ana, lead, incident, sent, team, org } = await anAskedTeam()
    const people = sent.body.notifiedUserHistoryData as { email: string }[]
    const person = people.findIndex(({ email }) => email === ana.email)
    const path = `/massNotification/history/${sent.body.id}/answers`
    expect((await lead.post(path, { person, answer: 0, reason: 'By telephone' })).status).toBe(204)
    expect(await team()).toMatchObject({ checkedInCount: 1 })
    const told = await inside(org, (db) =>
      db
        .selectFrom('events')
        .select('changes')
        .where('noun', '=', 'incident-answers')
        .where('parent', '=', incident.id)
        .execute(),
    )
    expect(told).toMatchObject([{ changes: { answer: { to: 'Safe' }, reason: { to: 'By telephone' } } }])
  })

  test('reaches open pages of the incident at once, of people who may not notify, too', async () => {
    const { ana, ben, incident } = await anAskedTeam()
    const news = await newsOf(url, ben)
    await answer(ana.email, 0)
    await expect
      .poll(() => news.filter(({ noun }) => noun === 'incident-answers'))
      .toMatchObject([{ record: incident.id }])
  })
})

describe('a notification about an incident', () => {
  test('of an exercise is one itself, and a follow-up is about the same incident', async () => {
    const { lead, incident, sent } = await anAskedTeam({ isTabletop: true })
    expect(sent.body.isExercise).toBe(true)
    const again = await lead.post('/massNotification', {
      title: 'Again',
      emailMessage: 'Please answer.',
      types: ['EMAIL'],
      followUp: { notificationId: sent.body.id, standing: 'NO_ANSWER' },
    })
    expect(again.body).toMatchObject({ incidentId: incident.id, isExercise: true })
  })

  test('that does not exist is refused at its field, and nothing is sent', async () => {
    const unknown = crypto.randomUUID()
    const { sent, about } = await anAskedTeam({}, { incidentId: unknown })
    expect([sent.status, sent.body.fields]).toEqual([400, { incidentId: 'This incident does not exist.' }])
    expect(await about()).toEqual({ data: [], total: 0 })
  })

  test('is seen by those who read the incident, and by no external person', async () => {
    const { org, lead, ben, ana, about } = await anAskedTeam()
    await answer(ana.email, 1)
    expect((await about(ben)).total).toBe(1)
    const counsel = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    const shared = await declared(lead, {
      isTabletop: true,
      targetedUsers: [counsel.email],
      withEverybody: true,
    })
    await lead.post('/massNotification', {
      title: 'Shared',
      emailMessage: 'x',
      types: ['EMAIL'],
      waitingIncidentId: shared.id,
      question: { answers: SAFE },
    })
    await answer(ben.email, 1)
    const seen = await counsel.get(`/incident/${shared.id}/massNotification`)
    expect([seen.status, seen.body]).toEqual([200, { data: [], total: 0 }])
    expect((await counsel.get(`/incident/${shared.id}/help`)).body).toEqual({ data: [], total: 0 })
  })
})
