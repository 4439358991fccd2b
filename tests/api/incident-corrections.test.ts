import { describe, expect, test } from 'vitest'

import { MULTIPLE_NOT_ENABLED } from '#contract/incidents/schema.ts'
import { added, again, declared, resolve, TASK } from '#tests/support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, signedInAs } = await startTestServer()

const several = () => anOrganisation({ multiIncident: true })
const reopen = (caller: Caller, { id }: { id: string }, reason: unknown = 'The water rises again.') =>
  caller.post(`/incident/${id}/reopen`, { reason })
const merge = (caller: Caller, from: { id: string }, into: { id: string }, given: object = {}) =>
  caller.post(`/incident/${from.id}/merge`, { into: into.id, reason: 'The same fire.', ...given })
const eventsOf = (organisation: Organisation, id: string) =>
  inside(organisation, (db) =>
    db
      .selectFrom('events')
      .select(['verb', 'changes'])
      .where('noun', '=', 'incidents')
      .where('record', '=', id)
      .orderBy('sequence')
      .execute(),
  )
const noticesOf = async (caller: Caller): Promise<{ title: string; incidentId: string }[]> =>
  (await caller.get('/notifications')).body.data

describe('a resolved incident that is reopened', () => {
  test('can be worked in again, keeps its analysis and says why', async () => {
    const org = await several()
    const ana = await signedInAs(org)
    const incident = await declared(ana)
    const task = await added(ana, incident)
    await ana.patch(`/incident/${incident.id}`, { isActive: false, openTasks: 'LEFT_OPEN' })
    await ana.patch(`/incident/${incident.id}`, { postmortemDetails: '<p>A pipe.</p>' })
    expect((await ana.patch(`/incident/activity/${task.id}`, { progress: 50 })).status).toBe(409)

    const { status, body } = await reopen(ana, incident)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      isActive: true,
      resolvedBy: null,
      resolveTimestamp: null,
      openTasks: null,
      hasIncompleteTasks: true,
      postmortemDetails: '<p>A pipe.</p>',
    })
    expect((await ana.patch(`/incident/activity/${task.id}`, { progress: 50 })).status).toBe(200)
    const last = (await eventsOf(org, incident.id)).at(-1)
    expect(last).toMatchObject({
      verb: 'reopened',
      changes: {
        isActive: { from: false, to: true },
        openTasks: { from: 'LEFT_OPEN', to: null },
        reason: { from: null, to: 'The water rises again.' },
      },
    })
    expect((await reopen(ana, incident)).status).toBe(409)
  })

  test('is reopened by those who declared or resolved it, and by administrators alone', async () => {
    const org = await several()
    const [admin, ana, ben, cem] = [
      await signedInAs(org, 'ADMIN'),
      await signedInAs(org, 'USER'),
      await signedInAs(org, 'USER'),
      await signedInAs(org, 'USER'),
    ]
    const incident = await declared(ana)
    for (const who of [ana, ben, admin]) {
      await resolve(ben, incident)
      expect((await reopen(cem, incident)).status).toBe(403)
      expect((await reopen(who, incident)).status).toBe(200)
    }
  })

  test('needs a reason and a free place where one incident at a time is allowed', async () => {
    const ana = await signedInAs(await anOrganisation())
    const first = await declared(ana)
    await resolve(ana, first)
    const blank = await reopen(ana, first, ' ')
    expect(blank.status).toBe(400)
    expect(Object.keys(blank.body.fields)).toEqual(['reason'])
    expect((await reopen(ana, first, 'x'.repeat(501))).status).toBe(400)
    const second = await declared(ana)
    const taken = await reopen(ana, first)
    expect([taken.status, taken.body.message]).toEqual([403, MULTIPLE_NOT_ENABLED])
    await resolve(ana, second)
    const both = await Promise.all([reopen(ana, first), reopen(ana, second)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 403]))
  })
})

describe('an incident resolved as a false alarm', () => {
  test('needs a reason, says so, and is a resolved one otherwise', async () => {
    const ana = await signedInAs(await several())
    const incident = await declared(ana)
    const end = (given: object) =>
      ana.patch(`/incident/${incident.id}`, { isActive: false, outcome: 'FALSE_ALARM', ...given })
    const bare = await end({})
    expect(bare.status).toBe(400)
    expect(Object.keys(bare.body.fields)).toEqual(['outcomeReason'])
    expect((await again(ana, incident)).isActive).toBe(true)
    expect((await end({ outcomeReason: 'A test of the siren.' })).body).toMatchObject({
      isActive: false,
      outcome: 'FALSE_ALARM',
      outcomeReason: 'A test of the siren.',
    })
    const list = await ana.get('/incident?isActive=false')
    expect(list.body.data[0]).toMatchObject({ id: incident.id, outcome: 'FALSE_ALARM' })
    expect((await reopen(ana, incident)).body).toMatchObject({ outcome: null, outcomeReason: null })
  })

  test('is no merged one, and an outcome alone changes nothing', async () => {
    const ana = await signedInAs(await several())
    const incident = await declared(ana)
    const merged = await ana.patch(`/incident/${incident.id}`, { isActive: false, outcome: 'MERGED' })
    expect(merged.status).toBe(400)
    await ana.patch(`/incident/${incident.id}`, { outcome: 'FALSE_ALARM', outcomeReason: 'No.' })
    expect(await again(ana, incident)).toMatchObject({ isActive: true, outcome: null, outcomeReason: null })
  })
})

describe('the reason of a change', () => {
  test('is kept with a changed title, severity or kind, and with nothing else', async () => {
    const org = await several()
    const ana = await signedInAs(org)
    const incident = await declared(ana)
    const path = `/incident/${incident.id}`
    await ana.patch(path, { severity: 'CRITICAL', reason: ' A second hall. ' })
    await ana.patch(path, {
      estimatedTimeToRecovery: 2,
      estimatedTimeToRecoveryTimeUnit: 'HOURS',
      reason: 'No.',
    })
    await ana.patch(path, { title: 'Two halls' })
    expect((await ana.patch(path, { severity: 'LOW', reason: 'x'.repeat(501) })).status).toBe(400)
    const [, severity, recovery, title, ...more] = await eventsOf(org, incident.id)
    expect(severity?.changes).toEqual({
      severity: { from: 'MEDIUM', to: 'CRITICAL' },
      reason: { from: null, to: 'A second hall.' },
    })
    expect(Object.keys(recovery?.changes ?? {})).not.toContain('reason')
    expect(Object.keys(title?.changes ?? {})).toEqual(['title'])
    expect(more).toEqual([])
  })
})

describe('a duplicate that is merged', () => {
  test('ends with links both ways, and its open tasks go on', async () => {
    const org = await several()
    const ana = await signedInAs(org)
    const ben = await signedInAs(org)
    const into = await declared(ana, { title: 'Fire in hall 3' })
    const from = await declared(ben, { title: 'Smoke & heat' })
    await added(ben, from, {
      ...TASK,
      assignedTo: ana.email,
      progress: 25,
      dueTimestamp: '2031-01-01T10:00:00.000Z',
    })
    await added(ben, from, { title: 'Done', description: 'Long ago.', status: 'COMPLETE' })
    const { status, body } = await merge(ana, from, into)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      isActive: false,
      outcome: 'MERGED',
      outcomeReason: 'The same fire.',
      mergedInto: { id: into.id, title: 'Fire in hall 3' },
      resolvedBy: ana.email,
    })
    const target = await again(ana, into)
    expect(target.duplicates).toMatchObject([{ id: from.id, title: 'Smoke & heat' }])
    expect(target.activities).toHaveLength(1)
    expect(target.activities[0]).toMatchObject({
      title: TASK.title,
      progress: 25,
      status: 'IN_PROGRESS',
      assignedTo: { email: ana.email },
      dueTimestamp: '2031-01-01T10:00:00.000Z',
    })
    expect(target.activities[0]!.description).toContain('Smoke & heat')
    expect((await eventsOf(org, into.id)).at(-1)).toMatchObject({
      verb: 'duplicate received',
      changes: {
        duplicate: { to: `${from.number} Smoke & heat` },
        tasksCopied: { to: 1 },
        reason: { to: 'The same fire.' },
      },
    })
    const reopened = await reopen(ben, from)
    expect(reopened.body).toMatchObject({ isActive: true, mergedInto: null, mergedIntoId: null })
    expect((await again(ana, into)).duplicates).toEqual([])
  })

  test('leaves its tasks where the caller says so', async () => {
    const ana = await signedInAs(await several())
    const [into, from] = [await declared(ana), await declared(ana)]
    await added(ana, from)
    await merge(ana, from, into, { copyTasks: false })
    expect((await again(ana, into)).activities).toEqual([])
  })

  test('brings its people, who are told once', async () => {
    const org = await several()
    const [ana, ben, cem] = [await signedInAs(org), await signedInAs(org), await signedInAs(org)]
    const into = await declared(ana, { targetedUsers: [ben.email] })
    const from = await declared(ana, { targetedUsers: [ben.email, cem.email] })
    await merge(ana, from, into)
    const target = await again(ana, into)
    expect(target.targetedUsers?.toSorted()).toEqual([ben.email, cem.email].sort())
    expect(target.isTargeted).toBe(true)
    const about = async (who: Caller) =>
      (await noticesOf(who)).filter(({ incidentId }) => incidentId === into.id)
    expect(await about(cem)).toHaveLength(1)
    expect(await about(ben)).toHaveLength(1)
  })

  test('widens an incident for selected people where it asked everybody', async () => {
    const org = await several()
    const [ana, ben] = [await signedInAs(org), await signedInAs(org)]
    const into = await declared(ana, { targetedUsers: [ben.email] })
    await merge(ana, await declared(ana), into)
    expect(await again(ana, into)).toMatchObject({ isTargeted: false, shouldCurrentUserCheckIn: true })
  })

  test('says in its room where to go', async () => {
    const ana = await signedInAs(await several())
    const into = await declared(ana, { title: 'Fire <b>3</b>' })
    const from = await declared(ana, { createBreakoutRoom: true })
    await merge(ana, from, into)
    const { body } = await ana.get(`/chat/rooms/${from.breakoutRoomId}/messages`)
    expect(JSON.stringify(body)).toContain(`was merged into ${into.number}, “Fire &lt;b&gt;3`)
  })

  test('is refused into itself, a resolved one, another kind, another organisation and in a circle', async () => {
    const ana = await signedInAs(await several())
    const stranger = await signedInAs(await several())
    const [one, two, exercise] = [
      await declared(ana),
      await declared(ana),
      await declared(ana, { isTabletop: true }),
    ]
    expect((await merge(ana, one, one)).status).toBe(400)
    expect((await merge(ana, one, exercise)).body.fields).toHaveProperty('into')
    expect((await merge(ana, one, await declared(stranger))).status).toBe(400)
    expect((await merge(ana, one, { id: crypto.randomUUID() })).status).toBe(400)
    expect((await merge(ana, one, { id: 'x' })).status).toBe(400)
    expect((await merge(ana, one, two, { reason: '' })).status).toBe(400)
    expect((await again(ana, one)).isActive).toBe(true)
    // Opposite merges at once: the second one finds its target resolved.
    const opposite = await Promise.all([merge(ana, one, two), merge(ana, two, one)])
    expect(new Set(opposite.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await merge(ana, one, two)).status).toBe(409)
  })
})
