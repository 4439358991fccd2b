import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { FollowUp, FollowUps } from '#contract/follow-ups/schema.ts'
import type { Notification } from '#contract/notifications/schema.ts'
import { FOLLOW_UP_REMIND_BEFORE } from '#server/follow-ups/flows.ts'
import { declared, resolve } from '#tests/support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, services, signedInAs } = await startTestServer()

vi.setConfig({ testTimeout: 60_000 })

let org: Organisation
let [admin, ana, ben, reader] = [] as unknown as [Caller, Caller, Caller, Caller]
beforeEach(async () => {
  org = await anOrganisation({ multiIncident: true })
  admin = await signedInAs(org, 'ADMIN')
  ana = await signedInAs(org)
  ben = await signedInAs(org)
  reader = await signedInAs(org, 'BUSINESS_USER')
})

const from = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const DAY = 86_400_000
const ended = async (given: object = {}) => {
  const incident = await declared(ana, given)
  await resolve(ana, incident)
  return incident
}
const bodyFor = (owner: Caller, more: object = {}) => ({
  title: 'Check the valves',
  owner: owner.email,
  dueTimestamp: from(7 * DAY),
  ...more,
})
const made = async (incident: { id: string }, owner: Caller, more: object = {}): Promise<FollowUp> => {
  const reply = await ana.post(`/incident/${incident.id}/followUp`, bodyFor(owner, more))
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body
}
const listed = async (who: Caller, list: string): Promise<FollowUps> =>
  (await who.get(`/followUps?list=${list}`)).body
const titles = async (who: Caller, list: string) => (await listed(who, list)).data.map(({ title }) => title)
const finish = (who: Caller, { id, version }: FollowUp, isDone = true) =>
  who.put(`/followUp/${id}/done`, { isDone, version })
const noticesOf = async (who: Caller): Promise<string[]> =>
  (await who.get('/notifications')).body.data
    .map(({ title }: Notification) => title)
    .filter((title: string) => title.includes('follow-up'))
const until = (condition: () => Promise<void>) => vi.waitFor(condition, { timeout: 20_000, interval: 100 })

describe('a follow-up', () => {
  test('is added to a resolved incident, tells its owner and stays in their list until it is done', async () => {
    const incident = await ended({ title: 'Flood' })
    const one = await made(incident, ben, { details: 'All twelve.' })
    expect(one).toMatchObject({
      incidentTitle: 'Flood',
      details: 'All twelve.',
      owner: { email: ben.email },
      doneTimestamp: null,
      isMine: false,
      canEdit: true,
    })
    expect(await noticesOf(ben)).toEqual(['A follow-up is yours'])
    expect(await titles(ben, 'MINE')).toEqual(['Check the valves'])
    expect(await titles(ana, 'MINE')).toEqual([])
    const done = await finish(ben, one)
    expect(done.body).toMatchObject({ doneBy: ben.email, version: 2 })
    expect(await titles(ben, 'MINE')).toEqual([])
    expect(await titles(ana, 'DONE')).toEqual(['Check the valves'])
    expect((await finish(ana, done.body, false)).body).toMatchObject({ doneBy: null, doneTimestamp: null })
    expect(await titles(ben, 'MINE')).toEqual(['Check the valves'])
  })

  test('is refused while the incident is in progress, and stays when it is reopened', async () => {
    const running = await declared(ana)
    expect((await ana.post(`/incident/${running.id}/followUp`, bodyFor(ben))).status).toBe(409)
    await resolve(ana, running)
    const one = await made(running, ben)
    await ana.post(`/incident/${running.id}/reopen`, { reason: 'Water again.' })
    expect((await finish(ben, one)).status).toBe(200)
  })

  test('is refused at its fields, and nothing is written', async () => {
    const incident = await ended()
    const external = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    const wrong: [object, string][] = [
      [{ title: ' \u200b ' }, 'title'],
      [{ title: 'x'.repeat(256) }, 'title'],
      [{ details: 'x'.repeat(4_001) }, 'details'],
      [{ owner: '' }, 'owner'],
      [{ owner: external.email }, 'owner'],
      [{ owner: 'nobody@example.org' }, 'owner'],
      [{ dueTimestamp: from(-1_000) }, 'dueTimestamp'],
      [{ dueTimestamp: from(6 * 366 * DAY) }, 'dueTimestamp'],
      [{ dueTimestamp: 'tomorrow' }, 'dueTimestamp'],
    ]
    await Promise.all(
      wrong.map(async ([more, field]) => {
        const { status, body } = await ana.post(`/incident/${incident.id}/followUp`, bodyFor(ben, more))
        expect([status, Object.keys(body.fields ?? {})], JSON.stringify(more)).toEqual([400, [field]])
      }),
    )
    expect((await listed(ana, 'OPEN')).total).toBe(0)
  })

  test('is edited by one of two, and the other one is told', async () => {
    const one = await made(await ended(), ben)
    const { id, version } = one
    const moved = { ...bodyFor(reader), title: 'Check all valves', version }
    expect((await ana.put(`/followUp/${id}`, moved)).body).toMatchObject({
      title: 'Check all valves',
      owner: { email: reader.email },
      version: 2,
    })
    const late = await admin.put(`/followUp/${id}`, { ...bodyFor(ben), version })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect(await noticesOf(reader)).toEqual(['A follow-up is yours'])
    const done = await finish(ana, { ...one, version: 2 })
    expect((await ana.put(`/followUp/${id}`, { ...bodyFor(ben), version: done.body.version })).status).toBe(
      409,
    )
  })

  test('is done by an owner who only reads, and by no other reader', async () => {
    const incident = await ended()
    const [own, other] = [await made(incident, reader), await made(incident, ben)]
    expect((await finish(reader, other)).status).toBe(403)
    expect((await finish(reader, own)).status).toBe(200)
    expect((await reader.post(`/incident/${incident.id}/followUp`, bodyFor(ben))).status).toBe(403)
  })

  test('of an archived owner belongs to nobody until somebody gives it away', async () => {
    const { id, version } = await made(await ended(), ben)
    await inside(org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '=', ben.uuid).execute(),
    )
    const { data, counts } = await listed(admin, 'NOBODY')
    expect(data.map(({ owner }) => owner)).toEqual([null])
    expect(counts).toEqual({ MINE: 0, OPEN: 1, OVERDUE: 0, NOBODY: 1 })
    const mine = await admin.put(`/followUp/${id}`, { ...bodyFor(admin), version })
    expect(mine.body).toMatchObject({ isMine: true })
    expect((await listed(admin, 'NOBODY')).total).toBe(0)
  })

  test('stands in lists by due time, a page at a time', async () => {
    const [one, two] = [await ended({ title: 'One' }), await ended({ title: 'Two', isTabletop: true })]
    await made(one, ben, { title: 'later', dueTimestamp: from(3 * DAY) })
    const soon = await made(two, ben, { title: 'soon', dueTimestamp: from(2 * DAY) })
    await made(one, ana, { title: 'third', dueTimestamp: from(4 * DAY) })
    await inside(org, (db) =>
      db
        .updateTable('follow_ups')
        .set({ due_timestamp: from(-DAY) })
        .where('id', '=', soon.id)
        .execute(),
    )
    expect(await titles(ana, 'OPEN')).toEqual(['soon', 'later', 'third'])
    expect(await titles(ana, 'OVERDUE')).toEqual(['soon'])
    expect(await titles(ben, 'MINE')).toEqual(['soon', 'later'])
    const second = await ana.get('/followUps?list=OPEN&size=2&page=1')
    expect(second.body).toMatchObject({ total: 3, counts: { MINE: 1, OPEN: 3, OVERDUE: 1, NOBODY: 0 } })
    expect(second.body.data.map(({ title }: FollowUp) => title)).toEqual(['third'])
    const here = await ana.get(`/incident/${one.id}/followUps`)
    expect(here.body.data.map(({ title }: FollowUp) => title)).toEqual(['later', 'third'])
    expect((await ana.get('/followUps?size=101')).status).toBe(400)
  })

  test('stands in the timeline and the report, and external people see none', async () => {
    const external = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    const incident = await ended({ targetedUsers: [external.email] })
    const one = await made(incident, ben)
    await finish(ben, one)
    const { body } = await ana.get(`/incident/${incident.id}/timeline?kinds=FOLLOW_UP`)
    expect(body.data.map(({ lines }: { lines: { text: string }[] }) => lines[0]!.text)).toEqual([
      'Follow-up done: Check the valves',
      'Follow-up: Check the valves',
    ])
    expect((await external.get('/followUps')).status).toBe(403)
    expect((await external.get(`/incident/${incident.id}/followUps`)).status).toBe(403)
    expect((await finish(external, one)).status).toBe(403)
    const stranger = await signedInAs(await anOrganisation())
    expect((await finish(stranger, one)).status).toBe(404)
  })
})

describe('a reminder of a follow-up', () => {
  test('comes a day before and at the due time, once, and to administrators where nobody has it', async () => {
    const incident = await ended({ isTabletop: true })
    await made(incident, ben, { dueTimestamp: from(FOLLOW_UP_REMIND_BEFORE + 800) })
    await made(incident, reader, { dueTimestamp: from(800) })
    const finished = await made(incident, ana, { dueTimestamp: from(800) })
    await finish(ana, finished)
    const at = from(800)
    const left = await made(incident, ben, { dueTimestamp: at })
    await inside(org, async (db) => {
      await db.updateTable('follow_ups').set({ owner_id: null }).where('id', '=', left.id).execute()
      const job = { id: left.id, at, kind: 'DUE' }
      await services.jobs.enqueueAt(db, 'follow-up-reminders', at, job, job)
    })
    await until(async () =>
      expect(await noticesOf(ben)).toContain('EXERCISE: A follow-up of yours is due tomorrow'),
    )
    await until(async () =>
      expect(await noticesOf(reader)).toContain('EXERCISE: A follow-up of yours is due now'),
    )
    await until(async () =>
      expect(await noticesOf(admin)).toEqual(['EXERCISE: A follow-up that nobody has is due now']),
    )
    expect(await noticesOf(ana)).toEqual([])
  })
})
