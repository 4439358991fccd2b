import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import type { IncidentCondition, IncidentPlaybook } from '#contract/incident-playbooks/schema.ts'
import type { Activity, PopulatedIncident } from '#contract/incidents/schema.ts'
import { tasksOf } from '#contract/playbooks/rules.ts'
import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { again, declared, NEW, resolve } from '#tests/support/incidents.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs } = muster

const heading = (title: string, more: object = {}) => ({ type: 'HEADING', title, ...more })
const task = (title: string, more: object = {}) => ({
  type: 'TASK',
  title,
  description: `${title}.`,
  ...more,
})
/** Outside stands below Rain, so that its tasks have both conditions. */
const ITEMS = [
  task('Look around', { idealTitleToExecute: 'Warden' }),
  heading('Rain', { condition: 'it rains' }),
  task('Close the roof', { expectedTimeToComplete: 30, idealTitleToExecute: ' warden ' }),
  heading('Outside', { condition: 'somebody is outside', level: 2 }),
  task('Call them in', { idealTitleToExecute: 'Caller' }),
  heading('After'),
  task('Count everybody'),
]
let [planner, user, helper, playbook] = [] as unknown as [Caller, Caller, Caller, OpenedPlaybook]
const aPlaybook = async (given: object = {}): Promise<OpenedPlaybook> => {
  const { status, body } = await planner.post('/playbook/template', {
    name: 'Storm',
    activities: ITEMS,
    ...given,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const itemId = (title: string) => playbook.activities.find((item) => item.title === title)!.id
const bodyWith = (given: object = {}) => ({
  activityCreateRequests: tasksOf(playbook),
  playbookId: playbook.id,
  playbookVersion: playbook.version,
  ...given,
})
const begun = (given: object = {}, who = user) => declared(who, bodyWith(given))
const refusal = async (given: object) => {
  const { status, body } = await user.post('/incident', { ...NEW, ...bodyWith(given) })
  return [status, Object.keys(body.fields ?? {})]
}
const playbooksOf = async ({ id }: { id: string }, who = user): Promise<IncidentPlaybook[]> =>
  (await who.get(`/incident/${id}/playbooks`)).body
const conditionsOf = async (incident: { id: string }) => (await playbooksOf(incident))[0]!.conditions
const decide = (incident: { id: string }, { id }: { id: string }, body: object, who = user) =>
  who.put(`/incident/${incident.id}/condition/${id}`, body)
const taskNamed = ({ activities }: PopulatedIncident, title: string): Activity =>
  activities.find((one) => one.title === title)!
const skippedIn = ({ activities }: PopulatedIncident) =>
  activities.filter(({ isSkipped }) => isSkipped).map(({ title }) => title)

beforeEach(async () => {
  const organisation = await anOrganisation({
    multiIncident: true,
    playbookMaxTemplates: 10,
    groupsEnabled: true,
    contactsAndMassNotificationsEnabled: true,
  })
  planner = await signedInAs(organisation, 'ADMIN')
  user = await signedInAs(organisation)
  helper = await signedInAs(organisation)
  playbook = await aPlaybook()
})

describe('the expected time of a task', () => {
  test('becomes its due time, counted from the moment at which the playbook is taken', async () => {
    const incident = await begun()
    const due = new Date(Date.parse(incident.createTimestamp) + 30 * 60_000).toISOString()
    expect(taskNamed(incident, 'Close the roof').dueTimestamp).toBe(due)
    expect(taskNamed(incident, 'Look around').dueTimestamp).toBeNull()
    const later = await declared(user)
    await user.post(`/incident/${later.id}/playbook`, { playbookId: playbook.id })
    const [{ addedTimestamp }] = (await playbooksOf(later)) as [IncidentPlaybook]
    const dueLater = new Date(Date.parse(addedTimestamp) + 30 * 60_000).toISOString()
    expect(taskNamed(await again(user, later), 'Close the roof').dueTimestamp).toBe(dueLater)
  })

  test('leaves a task its own due time, which can be changed and removed', async () => {
    const own = '2031-05-02T07:00:00.000Z'
    const requests = tasksOf(playbook).map((one) => ({ ...one, dueTimestamp: own }))
    const incident = await begun({ activityCreateRequests: requests })
    const { id, dueTimestamp } = taskNamed(incident, 'Close the roof')
    expect(dueTimestamp).toBe(own)
    const change = (body: object) => user.patch(`/incident/activity/${id}`, body)
    expect((await change({ expectedTimeToComplete: 5 })).body.dueTimestamp).toBe(own)
    expect((await change({ dueTimestamp: null })).body.dueTimestamp).toBeNull()
    expect((await change({ dueTimestamp: 'soon' })).status).toBe(400)
    const { body: history } = await user.get(`/incident/activity/${id}/history`)
    expect(history).toContainEqual(
      expect.objectContaining({ fieldName: 'dueTimestamp', oldValue: own, newValue: null }),
    )
  })

  test('gives no due time to a task that is no playbook’s', async () => {
    const incident = await declared(user, {
      activityCreateRequests: [task('Wait', { expectedTimeToComplete: 5 })],
    })
    expect(taskNamed(incident, 'Wait').dueTimestamp).toBeNull()
  })
})

describe('the condition of a heading', () => {
  test('is kept, and refused where it is too long', async () => {
    expect(playbook.activities.map(({ condition }) => condition)).toEqual([
      null,
      'it rains',
      null,
      'somebody is outside',
      null,
      null,
      null,
    ])
    for (const length of [201, 10_000]) {
      const activities = [heading('Rain', { condition: 'x'.repeat(length) }), task('Go')]
      const { status, body } = await planner.post('/playbook/template', { name: 'Long', activities })
      expect([status, body.fields]).toEqual([
        400,
        { 'activities.0.condition': 'Maximum length of 200 characters exceeded.' },
      ])
    }
    const blank = await aPlaybook({ activities: [heading('Rain', { condition: ' \u200b ' }), task('Go')] })
    expect(blank.activities[0]!.condition).toBeNull()
    const ofTask = await aPlaybook({ activities: [task('Go', { condition: 'it rains' })] })
    expect(ofTask.activities[0]!.condition).toBeNull()
  })

  test('answered with No at the start skips its tasks and those below', async () => {
    const answers = [{ itemId: itemId('Rain'), answer: 'SKIPPED', reason: 'It is dry.' }]
    const incident = await begun({ conditionAnswers: answers })
    expect(skippedIn(incident)).toEqual(['Close the roof', 'Call them in'])
    expect([incident.tasksCount, incident.completeTasksCount]).toEqual([2, 0])
    const [rain, outside] = (await conditionsOf(incident)) as [IncidentCondition, IncidentCondition]
    expect(rain).toMatchObject({
      title: 'Rain',
      condition: 'it rains',
      answer: 'SKIPPED',
      reason: 'It is dry.',
      decidedBy: user.email,
    })
    expect(outside).toMatchObject({ answer: 'OPEN', parentId: rain.id, decidedBy: null })
    expect(taskNamed(incident, 'Call them in').conditionId).toBe(outside.id)
  })

  test('is answered later, skipped with a reason and brought back', async () => {
    const incident = await begun()
    expect(skippedIn(incident)).toEqual([])
    const [rain, outside] = (await conditionsOf(incident)) as [IncidentCondition, IncidentCondition]
    const bare = await decide(incident, rain, { answer: 'SKIPPED', reason: ' ' })
    expect([bare.status, bare.body.fields]).toEqual([400, { reason: 'Please enter a reason.' }])
    const skipped = await decide(incident, outside, { answer: 'SKIPPED', reason: 'All are in.' })
    expect([skipped.status, skipped.body]).toMatchObject([200, { answer: 'SKIPPED', reason: 'All are in.' }])
    expect(skippedIn(await again(user, incident))).toEqual(['Call them in'])
    await decide(incident, rain, { answer: 'SKIPPED', reason: 'Dry.' }, helper)
    await decide(incident, outside, { answer: 'APPLIES' })
    // The condition above still holds them.
    expect(skippedIn(await again(user, incident))).toEqual(['Close the roof', 'Call them in'])
    expect((await conditionsOf(incident))[0]).toMatchObject({ decidedBy: helper.email })
    const back = await decide(incident, rain, { answer: 'OPEN' })
    expect(back.body).toMatchObject({ answer: 'OPEN', reason: null, decidedBy: null })
    expect(skippedIn(await again(user, incident))).toEqual([])
  })

  test('leaves a task that is complete as it is', async () => {
    const incident = await begun()
    const { id } = taskNamed(incident, 'Close the roof')
    await user.patch(`/incident/activity/${id}`, { status: 'COMPLETE' })
    const [rain] = await conditionsOf(incident)
    await decide(incident, rain!, { answer: 'SKIPPED', reason: 'Dry.' })
    const after = await again(user, incident)
    expect(skippedIn(after)).toEqual(['Call them in'])
    expect([after.tasksCount, after.completeTasksCount]).toEqual([3, 1])
  })

  test('is asked only for tasks that were taken', async () => {
    const incident = await declared(user)
    const { body } = await user.post(`/incident/${incident.id}/playbook`, {
      playbookId: playbook.id,
      activityIds: [itemId('Look around'), itemId('Count everybody')],
    })
    expect(body.conditions).toEqual([])
  })

  test('is that of the version which was taken', async () => {
    const old = playbook
    await planner.put(`/playbook/template/${playbook.id}`, {
      ...playbook,
      activities: [heading('Other', { condition: 'it snows' }), task('Shovel')],
    })
    const incident = await begun({ playbookVersion: old.version })
    expect((await conditionsOf(incident)).map(({ condition }) => condition)).toEqual([
      'it rains',
      'somebody is outside',
    ])
  })

  test('refuses strange answers, strangers and resolved incidents', async () => {
    const strange = [{ itemId: crypto.randomUUID(), answer: 'APPLIES' }]
    expect(await refusal({ conditionAnswers: strange })).toEqual([400, ['conditionAnswers.0.itemId']])
    expect((await user.get('/incident')).body.total).toBe(0)
    const incident = await begun()
    const [rain] = (await conditionsOf(incident)) as [IncidentCondition]
    const yes = { answer: 'APPLIES' }
    expect((await decide(incident, { id: crypto.randomUUID() }, yes)).status).toBe(404)
    expect((await decide(await declared(user), rain, yes)).status).toBe(404)
    expect((await decide(incident, rain, { answer: 'MAYBE' })).status).toBe(400)
    expect((await decide(incident, rain, { answer: 'SKIPPED', reason: 'x'.repeat(10_000) })).status).toBe(400)
    const board = await signedInAs(planner.organisation, 'BUSINESS_USER')
    expect((await decide(incident, rain, yes, board)).status).toBe(403)
    await resolve(user, incident)
    expect((await decide(incident, rain, yes)).status).toBe(409)
  })
})

describe('the people for ideal titles', () => {
  const roles = async (incident: { id: string }) => (await user.get(`/incident/${incident.id}/roles`)).body

  test('get the tasks of their title, once, and are kept for the next playbook', async () => {
    const incident = await begun({ roles: [{ title: 'Warden', assignedTo: helper.email }] })
    expect(taskNamed(incident, 'Look around').assignedTo?.email).toBe(helper.email)
    expect(taskNamed(incident, 'Close the roof').assignedTo?.email).toBe(helper.email)
    expect(taskNamed(incident, 'Call them in').assignedTo).toBeNull()
    expect(await roles(incident)).toEqual([{ title: 'Warden', assignedTo: helper.email }])
    // One notification for both tasks.
    const { body: told } = await helper.get('/notifications')
    expect(JSON.stringify(told)).toContain('2 tasks were assigned to you')
    const next = await aPlaybook({ activities: [task('Lock up', { idealTitleToExecute: 'WARDEN' })] })
    await user.post(`/incident/${incident.id}/playbook`, { playbookId: next.id })
    expect(taskNamed(await again(user, incident), 'Lock up').assignedTo?.email).toBe(helper.email)
    await user.post(`/incident/${incident.id}/playbook`, {
      playbookId: next.id,
      roles: [{ title: 'warden', assignedTo: user.email }],
    })
    expect(await roles(incident)).toEqual([{ title: 'warden', assignedTo: user.email }])
  })

  test('take no task from somebody', async () => {
    const requests = tasksOf(playbook).map((one) => ({ ...one, assignedTo: user.email }))
    const incident = await begun({
      activityCreateRequests: requests,
      roles: [{ title: 'Warden', assignedTo: helper.email }],
    })
    expect(taskNamed(incident, 'Look around').assignedTo?.email).toBe(user.email)
  })

  test('are active and of the organisation', async () => {
    const { organisation } = planner
    const guest = await signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const gone = await muster.aUser(organisation, { active: false })
    const stranger = await signedInAs(await anOrganisation())
    for (const { email } of [guest, gone, stranger])
      expect(await refusal({ roles: [{ title: 'Warden', assignedTo: email }] })).toEqual([
        400,
        ['roles.0.assignedTo'],
      ])
    expect((await refusal({ roles: [{ title: ' ', assignedTo: helper.email }] }))[0]).toBe(400)
    expect((await user.get('/incident')).body.total).toBe(0)
  })
})

describe('a proposal', () => {
  const PROPOSAL = { kinds: ['INCIDENT'], severities: ['HIGH', 'CRITICAL'], words: ['storm', 'gale'] }
  const named = async (hasProposal: boolean) => {
    const filter = encodeURIComponent(JSON.stringify({ hasProposal }))
    const { body } = await user.get(`/playbook/templates?range=[0,9]&filter=${filter}`)
    return body.map(({ name, proposal }: OpenedPlaybook) => [name, proposal.words])
  }

  test('is kept with the versions, listed, and left as it is by a save without it', async () => {
    const made = await aPlaybook({ name: 'Gale', proposal: PROPOSAL })
    expect(made.proposal).toEqual(PROPOSAL)
    expect(await named(true)).toEqual([['Gale', ['storm', 'gale']]])
    expect(await named(false)).toEqual([['Storm', []]])
    const { proposal: _, ...others } = made
    const saved = await planner.put(`/playbook/template/${made.id}`, { ...others, name: 'Gales' })
    expect(saved.body).toMatchObject({ version: 2, proposal: PROPOSAL })
    const changed = await planner.put(`/playbook/template/${made.id}`, {
      ...saved.body,
      proposal: { ...PROPOSAL, words: ['wind'] },
    })
    expect(changed.body).toMatchObject({ version: 3, proposal: { words: ['wind'] } })
    const restored = await planner.post(`/playbook/template/${made.id}/versions/1/restore`, {})
    expect(restored.body.proposal).toEqual(PROPOSAL)
  })

  test('refuses empty words, too many and strange kinds', async () => {
    const refused = [
      { words: [' '] },
      { words: Array.from({ length: 51 }, () => 'storm') },
      { words: ['x'.repeat(10_000)] },
      { kinds: ['PARTY'] },
      { severities: ['HUGE'] },
    ]
    for (const proposal of refused)
      expect(
        (await planner.post('/playbook/template', { name: 'No', activities: ITEMS, proposal })).status,
      ).toBe(400)
  })
})

describe('what a playbook does at the start', () => {
  const starting = async (start: object) => {
    playbook = await aPlaybook({ name: 'Begin', start })
    return playbook
  }
  const membersOf = async (roomId: string, who = user): Promise<string[]> =>
    (await who.get(`/chat/rooms/${roomId}/members`)).body.map(({ email }: { email: string }) => email)
  const textsIn = async (roomId: string, who = user): Promise<string[]> =>
    (await who.get(`/chat/rooms/${roomId}/messages`)).body.messages.map(({ text }: { text: string }) => text)
  const startedOf = async ({ id }: { id: string }) => {
    const { rows } = await muster.inside(planner.organisation, (db) =>
      sql<{ changes: Record<string, { to: unknown }> }>`select changes from events
        where parent = ${id} and noun = 'incident-playbooks' and verb = 'started'`.execute(db),
    )
    return rows[0]?.changes
  }

  test('opens the room with its people and groups and sends the first message, all at once', async () => {
    const ben = await signedInAs(planner.organisation)
    const { body: group } = await planner.post('/useradmin/group', { name: 'Fleet', userIds: [ben.email] })
    await starting({
      createRoom: true,
      people: [helper.email],
      groupIds: [group.id],
      firstMessage: 'Meet at <b>gate 4</b>\nnow.',
    })
    const incident = await begun()
    expect(incident.isTargeted).toBe(false)
    const members = await membersOf(incident.breakoutRoomId!)
    expect(members.toSorted()).toEqual([user.email, helper.email, ben.email].toSorted())
    expect(await textsIn(incident.breakoutRoomId!)).toEqual([
      '<p>Meet at &lt;b&gt;gate 4&lt;/b&gt;</p><p>now.</p>',
    ])
    expect(await startedOf(incident)).toMatchObject({
      acts: { to: ['ROOM', 'PEOPLE', 'MESSAGE'] },
      people: { to: [helper.email, 'group Fleet'] },
    })
  })

  test('targets its people where the incident is for selected people', async () => {
    await starting({ people: [helper.email] })
    const incident = await begun({ targetedUsers: [planner.email] })
    expect(incident.targetedUsers.toSorted()).toEqual([planner.email, helper.email].toSorted())
  })

  test('does what the person leaves in, and says what nobody could do', async () => {
    await starting({ createRoom: true, people: [helper.email], firstMessage: 'Go.' })
    const incident = await begun({ startActs: ['MESSAGE'] })
    expect(incident.breakoutRoomId).toBeNull()
    expect(await startedOf(incident)).toMatchObject({ acts: { to: [] }, leftOut: { to: ['MESSAGE'] } })
    const quiet = await begun({ startActs: [] })
    expect(await startedOf(quiet)).toBeUndefined()
  })

  test('offers its notification template to those who may send, and is left out for others', async () => {
    const { body: template } = await planner.post('/massNotification/template', {
      title: 'Storm warning',
      level: 'ALERT',
      emailMessage: 'Stay inside.',
      smsMessage: '',
    })
    await starting({ notificationTemplateId: template.id ?? crypto.randomUUID() })
    const incident = await begun({}, planner)
    expect((await playbooksOf(incident, planner))[0]!.notificationTemplateId).toBe(
      playbook.start.notificationTemplateId,
    )
    const other = await begun()
    expect((await playbooksOf(other))[0]!.notificationTemplateId).toBeNull()
    expect(await startedOf(other)).toMatchObject({ leftOut: { to: ['NOTIFICATION'] } })
    const sent = await muster.inside(planner.organisation, (db) =>
      sql`select from mass_notifications`.execute(db),
    )
    expect(sent.rows).toEqual([])
  })

  test('leaves out people and groups that have gone', async () => {
    const { body: group } = await planner.post('/useradmin/group', { name: 'Gone', userIds: [helper.email] })
    await starting({ createRoom: true, people: [helper.email], groupIds: [group.id] })
    await planner.delete(`/useradmin/group/${group.id}`)
    await muster.inside(planner.organisation, (db) =>
      sql`update users set active = false where email = ${helper.email}`.execute(db),
    )
    const incident = await begun()
    expect(await membersOf(incident.breakoutRoomId!)).toEqual([user.email])
    // The playbook can still be saved.
    const saved = await planner.put(`/playbook/template/${playbook.id}`, { ...playbook, name: 'Still' })
    expect(saved.status).toBe(200)
  })

  test('refuses archived and external people, and groups of another organisation', async () => {
    const stranger = await signedInAs(await anOrganisation({ groupsEnabled: true }), 'ADMIN')
    const { body: theirs } = await stranger.post('/useradmin/group', { name: 'Theirs', userIds: [] })
    const guest = await signedInAs(planner.organisation, 'USER', { type: 'EXTERNAL' })
    const gone = await muster.aUser(planner.organisation, { active: false })
    const refused = [
      [{ people: [guest.email] }, 'start.people.0'],
      [{ people: [helper.email, gone.email] }, 'start.people.1'],
      [{ people: [stranger.email] }, 'start.people.0'],
      [{ groupIds: [theirs.id] }, 'start.groupIds.0'],
      [{ firstMessage: 'x'.repeat(10_000) }, 'start.firstMessage'],
    ] as const
    for (const [start, field] of refused) {
      const { status, body } = await planner.post('/playbook/template', {
        name: 'No',
        activities: ITEMS,
        start,
      })
      expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
    }
  })

  test('is part of a draft, and nothing happens before it is published', async () => {
    const draft = { ...playbook, start: { ...playbook.start, createRoom: true }, asDraft: true }
    expect((await planner.put(`/playbook/template/${playbook.id}`, draft)).status).toBe(200)
    expect((await begun()).breakoutRoomId).toBeNull()
    const { body } = await planner.get(`/playbook/template/${playbook.id}/draft`)
    expect(body.content.start.createRoom).toBe(true)
    await planner.post(`/playbook/template/${playbook.id}/draft/publish`, { revision: body.revision })
    expect((await begun()).breakoutRoomId).not.toBeNull()
  })
})
