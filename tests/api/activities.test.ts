import { describe, expect, test } from 'vitest'

import { added, again, declared, NEW, TASK, UPDATE } from '#tests/support/incidents.ts'
import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, signedInAs, send } = await startTestServer()

describe('what is refused', () => {
  const rich = 'Maximum length of 24000 characters exceeded.'
  const short = 'Maximum length of 255 characters exceeded.'
  test.each<[string, object, string, string | undefined]>([
    ['a task without a title', { description: 'd' }, 'title', 'Title is a required field.'],
    ['a task without a description', { title: 't' }, 'description', 'Description is a required field.'],
    ['an update without words', { type: 'UPDATE' }, 'description', 'Update description is required.'],
    ['a long title of an update', { ...UPDATE, title: 'x'.repeat(256) }, 'title', short],
    ['a long description', { ...UPDATE, description: 'x'.repeat(24_001) }, 'description', rich],
    ['a heading', { ...TASK, type: 'HEADING' }, 'type', undefined],
    ['a progress between the steps', { ...TASK, progress: 30 }, 'progress', undefined],
    ['an unknown status', { ...TASK, status: 'DONE' }, 'status', undefined],
    ['an unknown priority', { ...TASK, priority: 'URGENT' }, 'priority', undefined],
    ['somebody unknown', { ...TASK, assignedTo: 'nobody@example.org' }, 'assignedTo', undefined],
    ['a parent that is no id', { ...UPDATE, parentActivityId: '1' }, 'parentActivityId', undefined],
  ])('%s', async (_, wrong, field, sentence) => {
    const ana = await signedInAs(await anOrganisation())
    const incident = await declared(ana)
    const { status, body } = await ana.post(`/incident/${incident.id}/activity`, wrong)
    expect(status).toBe(400)
    expect(body.fields).toEqual({ [field]: sentence ?? expect.any(String) })
    expect((await again(ana, incident)).activities).toEqual([])
  })
})

describe('tasks and updates', () => {
  test('keep status and progress together', async () => {
    const ana = await signedInAs(await anOrganisation())
    const incident = await declared(ana)
    const { id } = await added(ana, incident, { ...TASK, progress: 50 })
    const after = async (change: object) => {
      const { status, progress } = (await ana.patch(`/incident/activity/${id}`, change)).body
      return [status, progress]
    }
    expect(await after({ status: 'IN_PROGRESS' })).toEqual(['IN_PROGRESS', 50])
    expect(await after({ status: 'TO_DO' })).toEqual(['TO_DO', 0])
    expect(await after({ status: 'IN_PROGRESS' })).toEqual(['IN_PROGRESS', 25])
    expect(await after({ progress: 100 })).toEqual(['COMPLETE', 100])
    expect(await after({ status: 'IN_PROGRESS', progress: 100 })).toEqual(['IN_PROGRESS', 25])
    expect(await after({ progress: 0 })).toEqual(['TO_DO', 0])
    expect(await after({ status: 'COMPLETE' })).toEqual(['COMPLETE', 100])
  })

  test('store every field, and give up what is cleared', async () => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const ben = await signedInAs(org, 'USER', { firstName: 'Ben', lastName: 'Okafor' })
    const incident = await declared(ana)
    const full = {
      ...TASK,
      priority: 'LOW',
      status: 'IN_PROGRESS',
      progress: 75,
      idealTitleToExecute: 'Plumber',
      expectedTimeToComplete: 90,
    }
    const task = await added(ana, incident, { ...full, assignedTo: ben.email })
    expect(task).toMatchObject({ ...full, assignedTo: { firstName: 'Ben', lastName: 'Okafor' } })
    expect((await again(ana, incident)).activities).toEqual([task])
    const cleared = { assignedTo: null, idealTitleToExecute: null, expectedTimeToComplete: null }
    expect((await ana.patch(`/incident/activity/${task.id}`, cleared)).body).toMatchObject({
      ...full,
      ...cleared,
    })
  })

  test('say who may change them, and mean it', async () => {
    const org = await anOrganisation()
    const [author, owner, other, admin] = await Promise.all([
      signedInAs(org),
      signedInAs(org),
      signedInAs(org),
      signedInAs(org, 'ADMIN'),
    ])
    const incident = await declared(author)
    const given = await added(author, incident, { ...TASK, assignedTo: owner.email })
    const open = await added(author, incident)
    const update = await added(author, incident, UPDATE)
    const child = await added(author, incident, { parentActivityId: open.id, description: 'Below' })
    const who = { author, owner, other, admin }
    const may = {
      author: { given: 'ED', open: 'ED', update: 'ED', child: 'ED' },
      owner: { given: 'E', open: 'E', update: '', child: '' },
      other: { given: '', open: 'E', update: '', child: '' },
      admin: { given: 'ED', open: 'ED', update: 'ED', child: 'ED' },
    }
    for (const [name, rights] of Object.entries(may)) {
      const caller = who[name as keyof typeof who]
      const { activities } = await again(caller, incident)
      const all = [...activities, ...activities.flatMap(({ childActivities }) => childActivities)]
      for (const [which, right] of Object.entries(rights)) {
        const { id } = { given, open, update, child }[which]!
        const flags = all.find((one) => one.id === id)
        expect([name, which, flags?.canEdit, flags?.canDelete]).toEqual([
          name,
          which,
          right.includes('E'),
          right.includes('D'),
        ])
        const edited = await caller.patch(`/incident/activity/${id}`, { description: `by ${name}` })
        expect([name, which, edited.status]).toEqual([name, which, right.includes('E') ? 200 : 403])
        if (!right.includes('D')) expect((await caller.delete(`/incident/activity/${id}`)).status).toBe(403)
      }
    }
    expect((await admin.delete(`/incident/activity/${update.id}`)).status).toBe(204)
    expect((await author.delete(`/incident/activity/${open.id}`)).status).toBe(204)
    expect((await author.delete(`/incident/activity/${open.id}`)).status).toBe(404)
    expect((await again(author, incident)).activities.map(({ id }) => id)).toEqual([given.id])
    expect((await author.patch(`/incident/activity/${child.id}`, { description: 'x' })).status).toBe(404)
  })

  test('are refused below anything but a task of the same incident', async () => {
    const ana = await signedInAs(await anOrganisation({ multiIncident: true }))
    const incident = await declared(ana)
    const elsewhere = await added(ana, await declared(ana))
    const update = await added(ana, incident, UPDATE)
    const task = await added(ana, incident)
    const child = await added(ana, incident, { ...TASK, parentActivityId: task.id })
    expect(child).not.toHaveProperty('title')
    const below = async (parentActivityId: string) =>
      (await ana.post(`/incident/${incident.id}/activity`, { ...UPDATE, parentActivityId })).status
    expect(await below(elsewhere.id)).toBe(404)
    expect(await below(crypto.randomUUID())).toBe(404)
    expect(await below(update.id)).toBe(400)
    expect(await below(child.id)).toBe(400)
    const moved = await ana.patch(`/incident/activity/${task.id}`, {
      title: 'x',
      incidentId: elsewhere.incidentId,
    })
    expect(moved).toMatchObject({ status: 400, body: { fields: { incidentId: expect.any(String) } } })
  })

  test('end at the number that the organisation allows', async () => {
    const ana = await signedInAs(await anOrganisation({ maxActivitiesPerIncident: 3 }))
    const incident = await declared(ana, { activityCreateRequests: [TASK] })
    await added(ana, incident, { parentActivityId: incident.activities[0]!.id, description: 'One' })
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => ana.post(`/incident/${incident.id}/activity`, UPDATE)),
    )
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400, 400, 400])
    expect(replies.find(({ status }) => status === 400)?.body.message).toBe(
      'The number of tasks/updates has reached the maximum of 3.',
    )
  })

  test('change of an update touches its words only', async () => {
    const ana = await signedInAs(await anOrganisation())
    const update = await added(ana, await declared(ana), { ...UPDATE, priority: 'HIGH', progress: 100 })
    const words = { title: 'New', description: 'a < b & <c>' }
    const changed = await ana.patch(`/incident/activity/${update.id}`, { ...words, status: 'COMPLETE' })
    expect(changed.body).toMatchObject({ ...words, status: 'TO_DO', progress: 0, priority: 'MEDIUM' })
    const empty = await ana.patch(`/incident/activity/${update.id}`, { description: ' ' })
    expect(empty.body.fields).toEqual({ description: 'Update description is required.' })
  })

  test('an API key works for the organisation', async () => {
    const org = await anOrganisation()
    const admin = await signedInAs(org, 'ADMIN')
    const made = await admin.post('/apiManagement/credentials', { name: 'Pager' })
    const headers = { 'X-Api-Key': made.body.key, 'Enterprise-Code': org.code }
    const created = await send('POST', '/incident', {
      headers,
      body: { ...NEW, activityCreateRequests: [TASK] },
    })
    expect(created).toMatchObject({
      status: 201,
      body: { createdBy: 'Pager', shouldCurrentUserCheckIn: false },
    })
    const theirs = await added(admin, created.body)
    const path = `/incident/activity/${theirs.id}`
    expect((await send('PATCH', path, { headers, body: { progress: 50 } })).status).toBe(200)
    expect((await send('POST', `/incident/${created.body.id}/checkIn`, { headers })).status).toBe(403)
  })
})

describe('many at once', () => {
  test('who change different fields of a task lose nothing', async () => {
    const org = await anOrganisation()
    const people = await Promise.all(Array.from({ length: 20 }, () => signedInAs(org, 'ADMIN')))
    const incident = await declared(people[0]!)
    const task = await added(people[0]!, incident)
    const fields = [
      { title: 'Title' },
      { description: 'Description' },
      { priority: 'HIGH' },
      { idealTitleToExecute: 'Ideal' },
      { expectedTimeToComplete: 5 },
    ]
    const replies = await Promise.all(
      people.map((one, n) => one.patch(`/incident/activity/${task.id}`, fields[n % fields.length])),
    )
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    const [now] = (await again(people[0]!, incident)).activities
    expect(now).toMatchObject(Object.assign({}, ...fields))
    expect(now?.version).toBe(1 + fields.length)
  })

  test('who add updates find them all, in one order for everybody', async () => {
    const org = await anOrganisation()
    const people = await Promise.all(Array.from({ length: 20 }, () => signedInAs(org)))
    const incident = await declared(people[0]!)
    const replies = await Promise.all(
      people.map((one) => one.post(`/incident/${incident.id}/activity`, UPDATE)),
    )
    const { activities } = await again(people[0]!, incident)
    expect(activities.map(({ id }) => id).sort()).toEqual(replies.map(({ body }): string => body.id).sort())
  })

  test('who save the same version: one wins', async () => {
    const org = await anOrganisation()
    const people = await Promise.all(Array.from({ length: 8 }, () => signedInAs(org, 'ADMIN')))
    const incident = await declared(people[0]!)
    const task = await added(people[0]!, incident)
    const replies = await Promise.all(
      people.map((one, n) => one.patch(`/incident/activity/${task.id}`, { title: `Title ${n}`, version: 1 })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status, body }) => status === 409 && body.code === 'stale')).toHaveLength(7)
  })
})

describe('the history of an activity', () => {
  test('names each changed field, newest first', async () => {
    const org = await anOrganisation()
    const ana = await signedInAs(org, 'ADMIN')
    const ben = await signedInAs(org)
    const { id } = await added(ana, await declared(ana))
    const path = `/incident/activity/${id}`
    expect((await ana.get(`${path}/history`)).body).toEqual([])
    await ana.patch(path, { priority: 'HIGH' })
    await ben.patch(path, { status: 'IN_PROGRESS' })
    await ana.patch(path, { title: 'Close both', assignedTo: ben.email })
    await ana.patch(path, { assignedTo: null, expectedTimeToComplete: 30 })
    const { body } = await ben.get(`${path}/history`)
    expect(
      body.map((one: any) => [one.fieldName, one.fieldType, one.oldValue, one.newValue, one.createdBy]),
    ).toEqual([
      ['assignedTo', 'String', ben.email, null, ana.email],
      ['expectedTimeToComplete', 'Long', null, '30', ana.email],
      ['title', 'String', TASK.title, 'Close both', ana.email],
      ['assignedTo', 'String', null, ben.email, ana.email],
      ['status', 'ActivityStatus', 'TO_DO', 'IN_PROGRESS', ben.email],
      ['progress', 'Integer', '0', '25', ben.email],
      ['priority', 'ActivityPriority', 'MEDIUM', 'HIGH', ana.email],
    ])
    expect(body.every((one: any) => one.activityId === id && one.isDelete === false)).toBe(true)
    expect(new Set(body.map((one: any) => one.id)).size).toBe(body.length)
    expect((await ana.get(`${path}/history`)).body).toEqual(body)

    await ana.delete(path)
    const [last] = (await ana.get(`${path}/history`)).body
    expect(last).toMatchObject({ isDelete: true, newValue: null, createdBy: ana.email })
  })
})

describe('several tasks', () => {
  test('are assigned at once, with one notification', async () => {
    const organisation = await anOrganisation()
    const ana = await signedInAs(organisation, 'ADMIN')
    const ben = await signedInAs(organisation)
    const incident = await declared(ana)
    const tasks = [await added(ana, incident), await added(ana, incident), await added(ana, incident)]
    const ids = tasks.map(({ id }) => id)
    const assign = (body: object) => ana.post(`/incident/${incident.id}/assign`, body)
    const { status, body } = await assign({ activityIds: ids.slice(0, 2), assignedTo: ben.email })
    expect([status, body.length]).toEqual([200, 2])
    const assignees = async () =>
      (await again(ana, incident)).activities.map(({ assignedTo }) => assignedTo?.email ?? null)
    expect(await assignees()).toEqual([ben.email, ben.email, null])
    expect((await ben.get('/notifications')).body.data).toMatchObject([
      { title: '2 tasks were assigned to you', incidentId: incident.id },
    ])
    await assign({ activityIds: ids, assignedTo: null })
    expect(await assignees()).toEqual([null, null, null])
  })

  test('are all left alone where one cannot be assigned', async () => {
    const organisation = await anOrganisation({ multiIncident: true })
    const ana = await signedInAs(organisation, 'ADMIN')
    const ben = await signedInAs(organisation)
    const [incident, other] = [await declared(ana), await declared(ana)]
    const [free, anas, elsewhere, update] = [
      await added(ana, incident),
      await added(ana, incident, { ...TASK, assignedTo: ana.email }),
      await added(ana, other),
      await added(ana, incident, UPDATE),
    ]
    const assign = async (...ids: string[]) =>
      (await ben.post(`/incident/${incident.id}/assign`, { activityIds: ids, assignedTo: ben.email })).status
    expect(await assign(free.id, anas.id)).toBe(403)
    expect(await assign(free.id, elsewhere.id)).toBe(404)
    expect(await assign(free.id, update.id)).toBe(404)
    expect((await again(ana, incident)).activities[0]!.assignedTo).toBeNull()
  })
})
