import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'

import type { TimelineEntry, TimelineFilters, TimelinePage } from '#contract/incident-timeline/schema.ts'
import {
  ENTRY_MAX,
  ENTRY_REQUIRED,
  ENTRY_TOO_LONG,
  HAPPENED_LATER,
  HAPPENED_TOO_EARLY,
} from '#contract/incident-timeline/schema.ts'
import type { Message } from '#contract/chat/schema.ts'
import { clock } from '#server/kit/core/clock.ts'

import { madeRoom, openPage, sent } from '../support/chat.ts'
import { ADFS_OUTAGE, LOG4SHELL } from '../support/incident-timelines.ts'
import { added, declared, resolve, TASK, UPDATE } from '../support/incidents.ts'
import { pdfText, READS_PDF } from '../support/pdf.ts'
import { type Caller, type Organisation, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const realNow = clock.now
afterEach(() => {
  clock.now = realNow
})

const HOUR = 3_600_000
const ago = (ms: number) => new Date(realNow() - ms).toISOString()

async function team() {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const [lead, ana, bo] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'USER', { firstName: 'Ana', lastName: 'Sousa' }),
    await muster.signedInAs(organisation),
  ]
  return { organisation, lead, ana, bo, incident: await declared(lead) }
}
const written = async (
  caller: Caller,
  incident: { id: string },
  text: string,
  happenedTimestamp: string | null = null,
): Promise<TimelineEntry> => {
  const { status, body } = await caller.post(`/incident/${incident.id}/timeline`, {
    text,
    happenedTimestamp,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const pageOf = async (caller: Caller, { id }: { id: string }, query = ''): Promise<TimelinePage> => {
  const { status, body } = await caller.get(`/incident/${id}/timeline?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const saidIn = ({ data }: TimelinePage) => data.map(({ lines }) => lines[0]!.text)
const reportText = async (caller: Caller, { id }: { id: string }): Promise<string> => {
  const response = await fetch(`${muster.url}/api/incident/file/${id}?type=PDF`, { headers: caller.headers })
  expect(response.status).toBe(200)
  return pdfText(Buffer.from(await response.arrayBuffer())).replace(/\s+/g, ' ')
}
/** Moves the declaration of an incident into the past. */
const declaredAt = (organisation: Organisation, { id }: { id: string }, at: string) =>
  muster.inside(organisation, async (db) => {
    await sql`update incidents set create_timestamp = ${at} where id = ${id}`.execute(db)
  })

describe('the timeline of an incident', () => {
  test('lists every act of every area with entries by hand, newest first, each in its sentence', async () => {
    const { lead, ana, incident } = await team()
    const task = await added(ana, incident)
    await added(ana, incident, UPDATE)
    await ana.post(`/incident/${incident.id}/checkIn`)
    await lead.patch(`/incident/${incident.id}`, { severity: 'CRITICAL' })
    await ana.patch(`/incident/activity/${task.id}`, { progress: 100 })
    await written(ana, incident, 'The fire brigade arrived')
    const { data, next } = await pageOf(lead, incident)
    expect(next).toBeNull()
    expect(data.map(({ kind, lines }) => `${kind} ${lines[0]!.text}`)).toEqual([
      'ENTRY The fire brigade arrived',
      'TASK Task 1 changed',
      'INCIDENT Incident changed',
      'CHECK_IN Ana Sousa checked in.',
      'UPDATE Update',
      `TASK Task 1 added: ${TASK.title}`,
      `INCIDENT Incident declared: ${incident.title}`,
    ])
    expect(data[0]).toMatchObject({ author: 'Ana Sousa', recordedTimestamp: null })
    expect(data[2]!.lines[1]!.text).toContain('→ Critical')
  })

  test('places an entry where it happened, and keeps both times', async () => {
    const { ana, incident } = await team()
    const happened = ago(2 * HOUR)
    const entry = await written(ana, incident, 'The pump stopped', happened)
    await added(ana, incident, UPDATE)
    const { data } = await pageOf(ana, incident)
    expect(data.at(-1)).toMatchObject({
      kind: 'ENTRY',
      happenedTimestamp: happened,
      recordedTimestamp: entry.createTimestamp,
      entry: { id: entry.id, canEdit: true, isAfterResolution: false },
    })
  })

  test('is filtered by kinds and by person, with the numbers of both', async () => {
    const { lead, ana, incident } = await team()
    await added(ana, incident)
    await added(lead, incident, UPDATE)
    await written(ana, incident, 'Seen by Ana')
    expect(saidIn(await pageOf(lead, incident, 'kinds=ENTRY,UPDATE'))).toEqual(['Seen by Ana', 'Update'])
    expect(saidIn(await pageOf(lead, incident, 'kinds=TASK'))).toEqual([`Task 1 added: ${TASK.title}`])
    const ofAna = await pageOf(lead, incident, `person=${encodeURIComponent(ana.email)}`)
    expect(saidIn(ofAna)).toEqual(['Seen by Ana', `Task 1 added: ${TASK.title}`])
    const filters: TimelineFilters = (await lead.get(`/incident/${incident.id}/timeline/filters`)).body
    expect(filters.kinds).toEqual([
      { kind: 'INCIDENT', count: 1 },
      { kind: 'TASK', count: 1 },
      { kind: 'UPDATE', count: 1 },
      { kind: 'ENTRY', count: 1 },
    ])
    expect(filters.people.map(({ author, count }) => [author, count])).toEqual(
      [ana.email, lead.email].toSorted().map((email) => [email, 2]),
    )
    expect((await lead.get(`/incident/${incident.id}/timeline?kinds=GOSSIP`)).status).toBe(400)
    expect((await lead.get(`/incident/${incident.id}/timeline?cursor=1.2.3'--`)).status).toBe(400)
    expect((await lead.get(`/incident/${incident.id}/timeline?size=101`)).status).toBe(400)
  })

  test('comes in pages that miss and repeat nothing, also where several happened at one time', async () => {
    const { ana, incident } = await team()
    const at = ago(HOUR)
    for (const name of ['a', 'b', 'c', 'd', 'e']) await written(ana, incident, name, at)
    await written(ana, incident, 'later')
    const said: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: TimelinePage = await pageOf(ana, incident, `size=2${cursor && `&cursor=${cursor}`}`)
      expect(page.data.length).toBeLessThanOrEqual(2)
      said.push(...saidIn(page))
      cursor = page.next
    }
    expect(said).toEqual(['later', `Incident declared: ${incident.title}`, 'e', 'd', 'c', 'b', 'a'])
  })

  test('never divides acts that are one row', async () => {
    const { lead } = await team()
    const tasks = Array.from({ length: 7 }, (_, n) => ({ ...TASK, title: `Valve ${n}` }))
    const incident = await declared(lead, { activityCreateRequests: tasks })
    const first = await pageOf(lead, incident, 'size=3&kinds=TASK')
    expect(first.data).toHaveLength(1)
    expect(first.data[0]!.lines.map(({ text }) => text)).toEqual([
      '7 tasks added',
      ...tasks.map(({ title }, n) => `Task ${n + 1} added: ${title}`),
    ])
    expect(first.next).toBeNull()
  })

  test('shows external people nothing, in the chat and in the report neither', async () => {
    const { organisation, lead } = await team()
    const guest = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const incident = await declared(lead, { targetedUsers: [guest.email, lead.email] })
    const entry = await written(lead, incident, 'Counsel was told of the theft')
    await lead.post(`/incident/${incident.id}/decision`, { title: 'Pay nothing', decider: lead.email })
    expect((await guest.get(`/incident/${incident.id}/timeline`)).status).toBe(403)
    expect((await guest.get(`/incident/${incident.id}/timeline/filters`)).status).toBe(403)
    expect((await guest.get(`/incident/timeline/${entry.id}/history`)).status).toBe(403)
    expect((await guest.get(`/incident/${incident.id}/decisions`)).status).toBe(403)
    const room = await madeRoom(lead, { userIds: [guest.uuid] })
    const message = await sent(lead, room.id, 'The vault is empty')
    const page = await openPage(muster, guest)
    await lead.post(`/chat/messages/${message.id}/activity`, { incidentId: incident.id, type: 'ENTRY' })
    await lead.post(`/chat/messages/${message.id}/activity`, { incidentId: incident.id, type: 'UPDATE' })
    await page.until(() => page.messages(room.id).some(({ activities }) => activities !== undefined))
    const kinds = page.messages(room.id).flatMap(({ activities = [] }) => activities.map(({ type }) => type))
    expect(kinds).toEqual(['UPDATE'])
    const reread: Message = (await guest.get(`/chat/messages/${message.id}`)).body.message
    expect(reread.activities?.map(({ type }) => type)).toEqual(['UPDATE'])
    if (!READS_PDF) return
    const report = await reportText(guest, incident)
    expect(report).not.toContain('Counsel was told')
    expect(report).not.toContain('Pay nothing')
    expect(await reportText(lead, incident)).toContain('Pay nothing')
  })
})

describe('an entry by hand', () => {
  test('is refused at its field', async () => {
    const { ana, incident } = await team()
    const post = (body: object) => ana.post(`/incident/${incident.id}/timeline`, body)
    const refusals: [object, string, string][] = [
      [{ text: ' \u200b ' }, 'text', ENTRY_REQUIRED],
      [{ text: 'x'.repeat(ENTRY_MAX + 1) }, 'text', ENTRY_TOO_LONG],
      [{ text: 'x', happenedTimestamp: ago(-2 * 60_000) }, 'happenedTimestamp', HAPPENED_LATER],
      [{ text: 'x', happenedTimestamp: '1999-12-31T23:59:59Z' }, 'happenedTimestamp', HAPPENED_TOO_EARLY],
    ]
    for (const [body, field, sentence] of refusals) {
      const refused = await post(body)
      expect(refused.status, JSON.stringify(body).slice(0, 80)).toBe(400)
      expect(refused.body.fields).toEqual({ [field]: sentence })
    }
    expect((await post({ text: 'x\u0000' })).status).toBe(400)
    expect((await post({ text: 'x', happenedTimestamp: 'yesterday' })).status).toBe(400)
    expect(saidIn(await pageOf(ana, incident))).toHaveLength(1)
  })

  test('is written after the resolution too, and says so', async () => {
    const { lead, ana, incident } = await team()
    await resolve(lead, incident)
    await written(ana, incident, 'The scribe completes it')
    const [row] = (await pageOf(lead, incident)).data
    expect(row!.lines.map(({ text }) => text)).toEqual([
      'The scribe completes it',
      'Added after the resolution of the incident',
    ])
  })

  test('is changed by its author or an administrator, and its history keeps what it was', async () => {
    const { lead, ana, bo, incident } = await team()
    const entry = await written(ana, incident, 'Pump 3 stopped')
    const put = (caller: Caller, changes: object) =>
      caller.put(`/incident/timeline/${entry.id}`, {
        text: entry.text,
        happenedTimestamp: entry.happenedTimestamp,
        version: entry.version,
        ...changes,
      })
    expect((await put(bo, { text: 'Nothing happened' })).status).toBe(403)
    const happenedTimestamp = ago(HOUR)
    const { body } = await put(ana, { text: 'Pump 4 stopped', happenedTimestamp })
    expect(body).toMatchObject({ text: 'Pump 4 stopped', happenedTimestamp, version: 2 })
    const late = await put(lead, { text: 'Pump 5 stopped' })
    expect(late.status).toBe(409)
    expect(late.body.message).toContain(ana.email)
    expect((await put(lead, { text: 'Pump 5 stopped', version: 2 })).status).toBe(200)
    const { body: history } = await bo.get(`/incident/timeline/${entry.id}/history`)
    expect(history).toMatchObject([
      { verb: 'changed', author: lead.email, textBefore: 'Pump 4 stopped' },
      { verb: 'changed', author: ana.email, textBefore: 'Pump 3 stopped' },
    ])
    expect(history[1].happenedBefore).toBe(entry.happenedTimestamp)
  })

  test('stays as a struck one when it is removed', async () => {
    const { lead, ana, bo, incident } = await team()
    const entry = await written(ana, incident, 'A rumour')
    expect((await bo.delete(`/incident/timeline/${entry.id}`)).status).toBe(403)
    expect((await lead.delete(`/incident/timeline/${entry.id}`)).status).toBe(204)
    expect((await lead.delete(`/incident/timeline/${entry.id}`)).status).toBe(204)
    const [row] = (await pageOf(ana, incident)).data
    expect(row).toMatchObject({ entry: { text: 'A rumour', removedBy: lead.email, canEdit: false } })
    const changed = await ana.put(`/incident/timeline/${entry.id}`, {
      text: 'No rumour',
      happenedTimestamp: entry.happenedTimestamp,
      version: row!.entry!.version,
    })
    expect(changed.status).toBe(409)
    expect(changed.body.message).toContain('was removed')
    const { body: history } = await ana.get(`/incident/timeline/${entry.id}/history`)
    expect(history).toMatchObject([{ verb: 'removed', author: lead.email }])
  })

  test('of two who save at once one is refused', async () => {
    const { lead, ana, incident } = await team()
    const { id, happenedTimestamp, version } = await written(ana, incident, 'First')
    const answers = await Promise.all(
      [ana, lead].map((caller, n) =>
        caller.put(`/incident/timeline/${id}`, { text: `Changed ${n}`, happenedTimestamp, version }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('is made of a chat message, at the time when that was sent, and each leads to the other', async () => {
    const { lead, ana, incident } = await team()
    const room = await madeRoom(lead, { userIds: [ana.uuid] })
    const message = await sent(lead, room.id, 'The pump is dry')
    clock.now = () => realNow() + 2 * 60_000
    const body = { incidentId: incident.id, type: 'ENTRY' }
    const made = await ana.post(`/chat/messages/${message.id}/activity`, body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const again = await ana.post(`/chat/messages/${message.id}/activity`, body)
    expect(again.body.activities).toEqual(made.body.activities)
    const row = (await pageOf(ana, incident, 'kinds=ENTRY')).data[0]!
    expect(row).toMatchObject({
      happenedTimestamp: message.created_at,
      author: 'Ana Sousa',
      entry: { message: { id: message.id, roomId: room.id } },
    })
    expect(row.lines[0]!.text).toMatch(/wrote in the chat:\nThe pump is dry$/)
    expect(made.body.activities).toEqual([{ id: row.entry!.id, incidentId: incident.id, type: 'ENTRY' }])
    await ana.delete(`/incident/timeline/${row.entry!.id}`)
    const reread: Message = (await lead.get(`/chat/messages/${message.id}`)).body.message
    expect(reread.activities).toBeUndefined()
  })
})

describe('a real incident that is entered by hand', () => {
  test.each([ADFS_OUTAGE, LOG4SHELL])(
    'stands in the report in the order in which it happened: $title',
    { timeout: 120_000 },
    async ({ title, start, resolved, entries, decision }) => {
      const { organisation, lead } = await team()
      const incident = await declared(lead, { title })
      await declaredAt(organisation, incident, start)
      for (const [at, text] of entries) await written(lead, incident, text, at)
      const { body: proposed } = await lead.post(`/incident/${incident.id}/decision`, {
        title: decision.title,
        decider: lead.email,
      })
      const confirmed = await lead.put(`/incident/decision/${proposed.id}/confirmation`, {
        decision: decision.decision,
        decidedTimestamp: decision.at,
        version: proposed.version,
      })
      expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200)
      const inOrder = [
        ...entries.map(([at, text]) => ({ at, text })),
        { at: decision.at, text: `Decision D1 decided: ${decision.title}` },
      ].toSorted((a, b) => a.at.localeCompare(b.at))
      const rows = (await pageOf(lead, incident, 'kinds=ENTRY,DECISION')).data.toReversed()
      const past = rows.filter(({ happenedTimestamp }) => happenedTimestamp <= resolved)
      expect(past.map(({ lines }) => lines[0]!.text)).toEqual(inOrder.map(({ text }) => text))
      expect(past.map(({ happenedTimestamp }) => happenedTimestamp)).toEqual(inOrder.map(({ at }) => at))
      if (!READS_PDF) return
      const report = await reportText(lead, incident)
      const timeline = report.slice(report.indexOf('Timeline'))
      let from = 0
      for (const { at, text } of inOrder) {
        const time = at.slice(0, 19).replace('T', ' ')
        const found = timeline.indexOf(time, from)
        expect(found, `${time} ${text}`).toBeGreaterThanOrEqual(from)
        from = found
      }
      expect(timeline).toContain('Recorded')
      const decisions = report.slice(report.indexOf('Decisions and updates'), report.indexOf('Timeline'))
      expect(decisions).toContain(decision.title)
      expect(decisions).toContain('Decided')
    },
  )
})
