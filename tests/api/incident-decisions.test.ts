import { afterEach, describe, expect, test } from 'vitest'

import {
  type Decision,
  DECISION_REQUIRED,
  DECISION_TITLE_REQUIRED,
  type DecisionPage,
  DECIDER_REQUIRED,
  ON_BEHALF_REQUIRED,
  OPTION_REQUIRED,
  TOO_MANY_OPTIONS,
} from '#contract/incident-decisions/schema.ts'
import { HAPPENED_LATER } from '#contract/incident-timeline/schema.ts'
import { clock } from '#server/kit/core/clock.ts'

import { madeRoom, sent } from '../support/chat.ts'
import { declared, resolve } from '../support/incidents.ts'
import { pdfText, READS_PDF } from '../support/pdf.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const realNow = clock.now
afterEach(() => {
  clock.now = realNow
})
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
const CLOSE = {
  title: 'Close the site',
  context: 'Water rises by 5 cm an hour.',
  options: ['Close it now', 'Wait until noon'],
}
const proposing = (caller: Caller, { id }: { id: string }, body: object) =>
  caller.post(`/incident/${id}/decision`, { ...CLOSE, ...body })
const proposed = async (caller: Caller, incident: { id: string }, body: object): Promise<Decision> => {
  const reply = await proposing(caller, incident, body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body
}
const confirming = (caller: Caller, { id, version }: Decision, body: object = {}) =>
  caller.put(`/incident/decision/${id}/confirmation`, { decision: 'Close it now', version, ...body })
const confirmed = async (caller: Caller, decision: Decision, body: object = {}): Promise<Decision> => {
  const reply = await confirming(caller, decision, body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const listed = async (caller: Caller, { id }: { id: string }): Promise<DecisionPage> =>
  (await caller.get(`/incident/${id}/decisions`)).body
const linesOf = async (caller: Caller, { id }: { id: string }): Promise<string[]> =>
  (await caller.get(`/incident/${id}/timeline?kinds=DECISION`)).body.data.map(
    ({ lines }: { lines: { text: string }[] }) => lines.map(({ text }) => text).join(' | '),
  )

describe('a decision', () => {
  test('is proposed, told to who decides, confirmed by them, and stands in the timeline', async () => {
    const { lead, ana, incident } = await team()
    const decision = await proposed(lead, incident, { decider: ana.email })
    expect(decision).toMatchObject({ number: 1, state: 'PROPOSED', deciderName: 'Ana Sousa', isMine: false })
    const told = (await ana.get('/notifications')).body.data
    expect(told[0]).toMatchObject({ title: 'A decision waits for you', incidentId: incident.id })
    expect(told[0].details).toContain('D1: Close the site')
    const done = await confirmed(ana, decision, {
      reason: 'People first',
      acceptedRisk: 'A day without production',
    })
    expect(done).toMatchObject({
      state: 'DECIDED',
      decision: 'Close it now',
      decidedBy: ana.email,
      onBehalfReason: null,
      isMine: true,
    })
    expect(await linesOf(lead, incident)).toEqual([
      'Decision D1 decided: Close the site | Decision: Close it now | Decides: Ana Sousa | Reason: People first | Accepted risk: A day without production',
      'Decision D1 proposed: Close the site | Context: Water rises by 5 cm an hour. | Options: Close it now · Wait until noon | Decides: Ana Sousa',
    ])
  })

  test('is refused at its field', async () => {
    const { organisation, lead, bo, incident } = await team()
    const others = {
      guest: await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' }),
      archived: await muster.aUser(organisation, { active: false }),
      reader: await muster.aUser(organisation, { role: 'BUSINESS_USER' }),
      stranger: await muster.aUser(await muster.anOrganisation()),
    }
    for (const [who, { email }] of Object.entries(others)) {
      const refused = await proposing(lead, incident, { decider: email })
      expect(refused.status, who).toBe(400)
      expect(refused.body.fields.decider, who).toContain('Please choose somebody else.')
    }
    const refusals: [object, string, string][] = [
      [{ title: ' ' }, 'title', DECISION_TITLE_REQUIRED],
      [{ decider: '' }, 'decider', DECIDER_REQUIRED],
      [{ options: ['a', ' '] }, 'options.1', OPTION_REQUIRED],
      [{ options: Array.from({ length: 11 }, () => 'a') }, 'options', TOO_MANY_OPTIONS],
    ]
    for (const [body, field, sentence] of refusals) {
      const refused = await proposing(lead, incident, { decider: bo.email, ...body })
      expect(refused.status, field).toBe(400)
      expect(refused.body.fields).toEqual({ [field]: sentence })
    }
    expect(await listed(lead, incident)).toEqual({ data: [], total: 0 })
  })

  test('is confirmed only by who decides, or by an administrator who says why', async () => {
    const { lead, ana, bo, incident } = await team()
    const decision = await proposed(ana, incident, { decider: ana.email })
    expect((await confirming(bo, decision)).status).toBe(403)
    const silent = await confirming(lead, decision)
    expect(silent.body.fields).toEqual({ onBehalfReason: ON_BEHALF_REQUIRED })
    expect((await confirming(ana, decision, { decision: ' ' })).body.fields).toEqual({
      decision: DECISION_REQUIRED,
    })
    const later = await confirming(ana, decision, { decidedTimestamp: ago(-3_600_000) })
    expect(later.body.fields).toEqual({ decidedTimestamp: HAPPENED_LATER })
    const done = await confirmed(lead, decision, { onBehalfReason: 'By telephone' })
    expect(done).toMatchObject({ decidedBy: lead.email, onBehalfReason: 'By telephone' })
    expect((await linesOf(ana, incident))[0]).toContain('Confirmed on behalf of the decider: By telephone')
  })

  test('can be edited until it is decided, and never after', async () => {
    const { lead, ana, bo, incident } = await team()
    const decision = await proposed(lead, incident, { decider: ana.email })
    const put = (caller: Caller, body: object) => caller.put(`/incident/decision/${decision.id}`, body)
    const changes = { ...CLOSE, title: 'Close the gate', decider: bo.email, version: decision.version }
    const changed = await put(ana, changes)
    expect(changed.body).toMatchObject({ title: 'Close the gate', decider: bo.email, version: 2 })
    expect((await bo.get('/notifications')).body.data[0].title).toBe('A decision waits for you')
    const late = await put(lead, changes)
    expect(late.status).toBe(409)
    expect(late.body.message).toContain(ana.email)
    const done = await confirmed(bo, changed.body)
    const after = await put(lead, { ...changes, version: done.version })
    expect(after.status).toBe(409)
    expect(after.body.message).toContain('never changed')
    expect((await confirming(bo, done)).status).toBe(409)
    expect((await listed(lead, incident)).data[0]).toMatchObject({
      title: 'Close the gate',
      state: 'DECIDED',
    })
  })

  test('is superseded once the one in its place is decided, linked both ways', async () => {
    const { lead, ana, incident } = await team()
    const first = await confirmed(ana, await proposed(lead, incident, { decider: ana.email }))
    const second = await proposed(lead, incident, {
      title: 'Open the site',
      decider: ana.email,
      supersedes: first.id,
    })
    const rival = await proposed(lead, incident, { decider: ana.email, supersedes: first.id })
    expect((await listed(lead, incident)).data.find(({ number }) => number === 1)).toMatchObject({
      state: 'DECIDED',
    })
    const done = await confirmed(ana, second, { decision: 'Open it at six' })
    expect(done.supersedes).toEqual({ id: first.id, number: 1, state: 'SUPERSEDED' })
    expect((await listed(lead, incident)).data.find(({ number }) => number === 1)).toMatchObject({
      state: 'SUPERSEDED',
      supersededBy: { id: second.id, number: 2, state: 'DECIDED' },
    })
    const tooLate = await confirming(ana, rival)
    expect(tooLate.status).toBe(409)
    expect(tooLate.body.message).toContain('D1 is not in force')
    expect((await proposing(lead, incident, { decider: ana.email, supersedes: first.id })).status).toBe(409)
    expect(await linesOf(lead, incident)).toContain('Decision D1 superseded by D2: Close the site')
    const other = await declared(lead)
    expect((await proposing(lead, other, { decider: ana.email, supersedes: second.id })).status).toBe(404)
    if (!READS_PDF) return
    const file = await fetch(`${muster.url}/api/incident/file/${incident.id}`, { headers: lead.headers })
    const report = pdfText(Buffer.from(await file.arrayBuffer())).replace(/\s+/g, ' ')
    expect(report).toContain('Superseded by D2')
    expect(report).toContain('Supersedes D1')
  })

  test('has a number within its incident, also where several propose at once', async () => {
    const { lead, ana, bo, incident } = await team()
    const made = await Promise.all(
      [lead, ana, bo, lead].map((one) => proposing(one, incident, { decider: bo.email })),
    )
    expect(made.map(({ body }) => body.number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4])
    const other = await proposed(lead, await declared(lead), { decider: bo.email })
    expect(other.number).toBe(1)
  })

  test('of two who confirm at once one is refused', async () => {
    const { lead, ana, incident } = await team()
    const decision = await proposed(lead, incident, { decider: ana.email })
    const answers = await Promise.all([
      confirming(ana, decision, { decision: 'Yes' }),
      confirming(lead, decision, { decision: 'No', onBehalfReason: 'She is asleep' }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('is recorded after the resolution too, with the time at which it was decided', async () => {
    const { lead, incident } = await team()
    await resolve(lead, incident)
    const decidedTimestamp = ago(5_000)
    const done = await confirmed(lead, await proposed(lead, incident, { decider: lead.email }), {
      decidedTimestamp,
    })
    expect(done.decidedTimestamp).toBe(decidedTimestamp)
    const page = (await lead.get(`/incident/${incident.id}/timeline?kinds=DECISION`)).body
    expect(page.data.at(-1)).toMatchObject({
      happenedTimestamp: decidedTimestamp,
      recordedTimestamp: done.recordedTimestamp,
    })
  })

  test('is proposed from a chat message, with its words as the context', async () => {
    const { lead, ana, incident } = await team()
    const room = await madeRoom(lead, { userIds: [ana.uuid] })
    const message = await sent(lead, room.id, 'Shall we close the site?')
    const body = { incidentId: incident.id, type: 'DECISION' }
    const made = await ana.post(`/chat/messages/${message.id}/activity`, body)
    const [decision] = (await listed(ana, incident)).data
    expect(decision).toMatchObject({
      state: 'PROPOSED',
      title: 'Shall we close the site?',
      decider: ana.email,
      message: { id: message.id, roomId: room.id },
    })
    expect(decision!.context).toMatch(/wrote in the chat:\nShall we close the site\?$/)
    expect(made.body.activities).toEqual([{ id: decision!.id, incidentId: incident.id, type: 'DECISION' }])
    // The message can be something else of the incident, too.
    const task = await ana.post(`/chat/messages/${message.id}/activity`, { ...body, type: 'TASK' })
    expect(task.body.activities.map(({ type }: { type: string }) => type)).toEqual(['TASK', 'DECISION'])
  })
})
