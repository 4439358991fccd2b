import { beforeEach, describe, expect, test } from 'vitest'

import type { SituationReport } from '#contract/situation-reports/schema.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import { declared, resolve } from '#tests/support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, inside, signedInAs } = muster

let org: Organisation
let [admin, anna, ben] = [] as unknown as Caller[] as [Caller, Caller, Caller]
const beginWith = async (config: object = {}) => {
  org = await anOrganisation({ multiIncident: true, ...config })
  admin = await signedInAs(org, 'ADMIN')
  anna = await signedInAs(org)
  ben = await signedInAs(org)
}
beforeEach(() => beginWith())

const drafted = async (incident: { id: string }, body: object = {}): Promise<SituationReport> => {
  const reply = await anna.post(`/incident/${incident.id}/situationReport`, body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body
}
const listed = async (incident: { id: string }): Promise<SituationReport[]> =>
  (await ben.get(`/incident/${incident.id}/situationReports`)).body.data
const act = (who: Caller, { id, version }: SituationReport, verb: string, more: object = {}) =>
  who.post(`/situationReport/${id}/${verb}`, { version, ...more })
const published = async (incident: { id: string }, body: object = {}): Promise<SituationReport> =>
  (await act(anna, await drafted(incident, body), 'publish')).body
const verbsOf = (incident: { id: string }) =>
  inside(org, async (db) => {
    const rows = await db
      .selectFrom('events')
      .select('verb')
      .where('parent', '=', incident.id)
      .where('noun', '=', 'situation-reports')
      .orderBy('sequence')
      .execute()
    return rows.map(({ verb }) => verb)
  })

describe('a situation report', () => {
  test('begins with what is known of the incident', async () => {
    const incident = await declared(anna, {
      severity: 'HIGH',
      activityCreateRequests: [
        { type: 'TASK', title: 'Close <the> valve', description: 'Red.', assignedTo: ben.email },
        { type: 'TASK', title: 'Done', description: 'Done.', status: 'COMPLETE' },
      ],
    })
    await anna.post(`/incident/${incident.id}/checkIn`)
    await anna.post(`/incident/${incident.id}/activity`, { type: 'UPDATE', description: 'Pumps run.' })
    const { content, state, number } = await drafted(incident)
    expect([state, number]).toEqual(['DRAFT', null])
    expect(content).toContain('High severity. Ongoing since')
    expect(content).toContain('Pumps run.')
    expect(content).toContain('Close &lt;the&gt; valve – ')
    expect(content).not.toContain('Done')
    expect(content).toContain('1 checked in, 2 waiting.')
    expect(content).toMatch(/<h2>Next update<\/h2><p>At .* UTC\.<\/p>/)
  })

  test('tells only what changed since the last published one', async () => {
    const incident = await declared(anna)
    await anna.post(`/incident/${incident.id}/activity`, { type: 'UPDATE', description: 'Pumps run.' })
    const proposal = { title: 'Close the site', decider: anna.email }
    const { body } = await anna.post(`/incident/${incident.id}/decision`, proposal)
    const confirmed = { decision: 'Nobody enters.', version: body.version }
    await anna.put(`/incident/decision/${body.id}/confirmation`, confirmed)
    const first = (await published(incident)).content
    expect(first).toContain('Pumps run.')
    expect(first).toContain('D1 Close the site: Nobody enters.')
    const second = (await drafted(incident)).content
    expect(second).toContain('No update since')
    expect(second).not.toContain('D1')
  })

  test('is saved as a draft, and of two people who save at once one is told', async () => {
    const incident = await declared(anna)
    const { id, version } = await drafted(incident)
    const save = (who: Caller, words: string) =>
      who.put(`/situationReport/${id}`, { content: `<p>${words}</p>`, version })
    const both = await Promise.all([save(anna, 'First'), save(ben, 'Second')])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(both.find(({ status }) => status === 409)!.body.code).toBe('stale')
    const empty = await anna.put(`/situationReport/${id}`, { content: '<p> </p>', version: version + 1 })
    expect([empty.status, empty.body.fields]).toEqual([
      400,
      { content: 'Please write what the situation is.' },
    ])
    const hostile = '<p onclick="x()">Good</p><script>alert(1)</script>'
    const safe = await anna.put(`/situationReport/${id}`, { content: hostile, version: version + 1 })
    expect(safe.body.content).not.toMatch(/<script|onclick/)
  })

  test('is written one at a time, and discarded while it is a draft', async () => {
    const incident = await declared(anna)
    const draft = await drafted(incident)
    const second = await ben.post(`/incident/${incident.id}/situationReport`, {})
    expect([second.status, second.body.message]).toEqual([
      409,
      `${anna.email} is writing a situation report already. Please go on with that one, or discard it.`,
    ])
    expect((await ben.delete(`/situationReport/${draft.id}`)).status).toBe(204)
    expect(await listed(incident)).toEqual([])
    expect((await published(incident)).number).toBe(1)
  })

  test('gets the next number, never changes, and is corrected by the next one', async () => {
    const incident = await declared(anna, { severity: 'CRITICAL' })
    const first = await published(incident)
    expect([first.number, first.state, first.publishedBy]).toEqual([1, 'PUBLISHED', anna.email])
    const { id, version } = first
    const change = await anna.put(`/situationReport/${id}`, { content: '<p>Other</p>', version })
    expect(change.status).toBe(409)
    expect((await anna.delete(`/situationReport/${id}`)).status).toBe(409)
    const correction = await published(incident, { corrects: id })
    expect([correction.number, correction.correctsNumber, correction.content]).toEqual([2, 1, first.content])
    expect((await listed(incident)).map(({ number }) => number)).toEqual([2, 1])
    expect(await verbsOf(incident)).toEqual(['drafted', 'published', 'drafted', 'published'])
    const other = await declared(anna)
    const wrong = await anna.post(`/incident/${other.id}/situationReport`, { corrects: id })
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ['corrects']])
  })

  test('counts as an update in the rhythm', async () => {
    const incident = await declared(anna, { severity: 'CRITICAL' })
    const at = new Date(clock.now() + 3 * MINUTE).toISOString()
    await anna.put(`/incident/${incident.id}/command/nextUpdate`, { dueTimestamp: at })
    const { publishedTimestamp } = await published(incident)
    const { nextUpdate } = (await anna.get(`/incident/${incident.id}/command`)).body
    expect(Date.parse(nextUpdate.dueTimestamp) - Date.parse(publishedTimestamp!)).toBe(30 * MINUTE)
    expect(nextUpdate.setBy).toBeNull()
  })

  test('can be written after the resolution, as the last word', async () => {
    const incident = await declared(anna)
    await resolve(anna, incident)
    const report = await published(incident)
    expect(report.state).toBe('PUBLISHED')
    expect(report.content).toContain('Resolved at')
  })
})

describe('the approval of a second person', () => {
  beforeEach(() => beginWith({ situationReportApproval: true }))

  test('publishes a report that others wrote', async () => {
    const incident = await declared(anna)
    const draft = await drafted(incident)
    const waiting = (await act(anna, draft, 'publish')).body as SituationReport
    expect([waiting.state, waiting.number]).toEqual(['WAITING', null])
    const own = await act(anna, waiting, 'approve')
    expect([own.status, own.body.message]).toEqual([
      403,
      'You wrote this situation report. Please ask a second person to approve it.',
    ])
    const change = await anna.put(`/situationReport/${draft.id}`, {
      content: '<p>Quickly other words</p>',
      version: waiting.version,
    })
    expect(change.status).toBe(409)
    const done = (await act(ben, waiting, 'approve')).body as SituationReport
    expect(done).toMatchObject({
      state: 'PUBLISHED',
      number: 1,
      approvedBy: ben.email,
      publishedBy: anna.email,
    })
    expect((await act(admin, waiting, 'approve')).status).toBe(409)
  })

  test('is not given by somebody who changed the words', async () => {
    const incident = await declared(anna)
    const { id, version } = await drafted(incident)
    const changed = await ben.put(`/situationReport/${id}`, { content: '<p>Mine</p>', version })
    const waiting = (await act(anna, changed.body, 'publish')).body as SituationReport
    expect((await act(ben, waiting, 'approve')).status).toBe(403)
    expect((await act(admin, waiting, 'approve')).status).toBe(200)
  })

  test('is refused with a reason, which the draft keeps until it is submitted again', async () => {
    const incident = await declared(anna)
    const waiting = (await act(anna, await drafted(incident), 'publish')).body as SituationReport
    const silent = await act(ben, waiting, 'sendBack')
    expect([silent.status, silent.body.fields]).toEqual([400, { reason: 'Please say what has to change.' }])
    const back = (await act(ben, waiting, 'sendBack', { reason: 'Feed B runs.' })).body as SituationReport
    expect(back).toMatchObject({ state: 'DRAFT', returnReason: 'Feed B runs.', returnedBy: ben.email })
    const again = (await act(anna, back, 'publish')).body as SituationReport
    expect(again).toMatchObject({ state: 'WAITING', returnReason: null })
    const taken = (await act(anna, again, 'sendBack')).body as SituationReport
    expect(taken).toMatchObject({ state: 'DRAFT', returnReason: null, returnedBy: null })
  })
})

test('external people and other organisations see none of it', async () => {
  const external = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
  const incident = await declared(anna, { targetedUsers: [external.email] })
  const { id } = await published(incident)
  expect((await external.get(`/incident/${incident.id}/situationReports`)).status).toBe(403)
  expect((await external.get(`/situationReport/${id}`)).status).toBe(403)
  const stranger = await signedInAs(await anOrganisation(), 'ADMIN')
  expect((await stranger.get(`/situationReport/${id}`)).status).toBe(404)
})
