import { buffer } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import type { Activity, Incident } from '#contract/incidents/schema.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import { added, again, declared, NEW, resolve, TASK, UPDATE } from '#tests/support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, signedInAs, services } = await startTestServer()

const wholeStream = (organisation: Organisation) =>
  inside(organisation, (db) => db.selectFrom('events').selectAll().orderBy('sequence').execute())
const told = async (organisation: Organisation) =>
  (await wholeStream(organisation)).map(({ noun, verb }) => `${noun} ${verb}`)
const counted = (organisation: Organisation) =>
  inside(organisation, async (db) => ({
    incidents: (await db.selectFrom('incidents').select('id').execute()).length,
    activities: (await db.selectFrom('activities').select('id').execute()).length,
    events: (await db.selectFrom('events').select('id').execute()).length,
  }))

describe('an incident from start to end', () => {
  test.each([
    ['an incident', false, 'incident'],
    ['an exercise', true, 'exercise'],
  ])('%s', async (_, isTabletop, type) => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const ben = await signedInAs(org)
    const incident = await declared(ana, {
      isTabletop,
      estimatedTimeToRecovery: 3,
      estimatedTimeToRecoveryTimeUnit: 'HOURS',
    })
    expect(incident).toMatchObject({
      ...NEW,
      previewText: 'Water at pump 3.',
      type,
      isTabletop,
      severity: 'MEDIUM',
      isActive: true,
      createdBy: ana.email,
      resolvedBy: null,
      resolveTimestamp: null,
      postmortemDetails: null,
      estimatedTimeToRecoveryInMinutes: 180,
      isTargeted: false,
      shouldCurrentUserCheckIn: true,
      hasIncompleteTasks: false,
      targetedUsers: [],
      version: 1,
    })

    const task = await added(ana, incident, { ...TASK, assignedTo: ben.email, priority: 'HIGH' })
    expect(task).toMatchObject({ ...TASK, status: 'TO_DO', progress: 0, priority: 'HIGH' })
    expect(task.assignedTo).toMatchObject({ uuid: ben.uuid, email: ben.email, active: true })
    await added(ben, incident, { parentActivityId: task.id, description: 'It is stuck.' })
    await added(ben, incident, UPDATE)
    expect((await again(ben, incident)).hasIncompleteTasks).toBe(true)
    const done = await ben.patch(`/incident/activity/${task.id}`, { status: 'COMPLETE' })
    expect(done.body).toMatchObject({ status: 'COMPLETE', progress: 100, version: 2 })

    const first = await ben.post(`/incident/${incident.id}/checkIn`)
    expect(first).toMatchObject({ status: 200, body: { userId: ben.uuid } })
    const now = await again(ben, incident)
    expect(now).toMatchObject({
      tasksCount: 1,
      completeTasksCount: 1,
      updatesCount: 2,
      checkInsCount: 1,
      hasIncompleteTasks: false,
      shouldCurrentUserCheckIn: false,
      checkIns: [first.body],
    })
    expect(now.activities.map(({ description }) => description)).toEqual([
      TASK.description,
      UPDATE.description,
    ])
    expect(now.activities[0]?.childActivities).toMatchObject([
      { description: 'It is stuck.', createdBy: ben.email, parentActivityId: task.id },
    ])

    expect((await resolve(ana, incident)).body).toMatchObject({ isActive: false, resolvedBy: ana.email })
    const analysis = { id: incident.id, postmortemDetails: '  <p>We need <em>two</em> valves.</p>\n' }
    const whole = { ...(await again(ana, incident)), ...analysis }
    expect((await ana.put('/incident', whole)).body).toMatchObject({
      postmortemDetails: '<p>We need <em>two</em> valves.</p>',
      isActive: false,
    })
    expect(await told(org)).toEqual([
      'incidents created',
      'activities added',
      'notifications created',
      'activities added',
      'activities added',
      'activities changed',
      'check-ins checked in',
      'incidents resolved',
      'incidents analysed',
    ])
    const broken = await inside(org, (db) =>
      db.selectNoFrom((eb) => eb.fn<number | null>('first_broken_event').as('at')).executeTakeFirst(),
    )
    expect(broken?.at).toBeNull()
  })

  test('has each severity and each unit of time that there is', async () => {
    const ana = await signedInAs(await anOrganisation({ multiIncident: true }))
    for (const severity of ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])
      expect(await declared(ana, { severity })).toMatchObject({ severity })
    for (const [estimatedTimeToRecoveryTimeUnit, minutes] of [
      ['MINUTES', 2],
      ['HOURS', 120],
      ['DAYS', 2_880],
    ])
      expect(
        await declared(ana, { estimatedTimeToRecovery: 2, estimatedTimeToRecoveryTimeUnit }),
      ).toMatchObject({ estimatedTimeToRecoveryInMinutes: minutes })
  })

  test('begins with all of its tasks or not at all', async () => {
    const org = await anOrganisation({ multiIncident: true })
    const ana = await signedInAs(org)
    const tasks = Array.from({ length: 20 }, (_, n) => ({ ...TASK, title: `Task ${n}` }))
    const { status, body } = await ana.post('/incident/withActivities', {
      ...NEW,
      activityCreateRequests: [...tasks, UPDATE],
    })
    expect(status).toBe(201)
    expect(body.activities.map(({ title }: Activity) => title)).toEqual([
      ...tasks.map(({ title }) => title),
      '',
    ])
    const before = await counted(org)
    const refused = await ana.post('/incident/withActivities', {
      ...NEW,
      activityCreateRequests: [TASK, { ...TASK, assignedTo: 'nobody@example.org' }],
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { 'activityCreateRequests.1.assignedTo': expect.any(String) } },
    })
    expect(await counted(org)).toEqual(before)
  })
})

describe('what is taken', () => {
  test('as much as the limits allow, of which the feed shows the beginning', async () => {
    const ana = await signedInAs(await anOrganisation())
    const words = `${'word '.repeat(100)}end`
    const incident = await declared(ana, { title: 't'.repeat(255), fullText: `<p>${words}</p>` })
    expect(incident).toMatchObject({ title: 't'.repeat(255), previewText: words.slice(0, 200) })
    const full = { fullText: `<p>${'x'.repeat(24_000 - 7)}</p>` }
    expect((await ana.patch(`/incident/${incident.id}`, full)).body.fullText).toHaveLength(24_000)
    const task = {
      title: 't'.repeat(255),
      description: 'd'.repeat(24_000),
      idealTitleToExecute: 'i'.repeat(255),
    }
    expect(await added(ana, incident, task)).toMatchObject(task)
  })

  test.each([
    ['LOW', 45, 'MINUTES', 45],
    ['MEDIUM', 2, 'HOURS', 120],
    ['HIGH', 1, 'DAYS', 1_440],
    ['CRITICAL', 365, 'DAYS', 525_600],
  ])('a severity of %s, an estimate of %i %s', async (severity, time, unit, minutes) => {
    const ana = await signedInAs(await anOrganisation())
    const estimate = { estimatedTimeToRecovery: time, estimatedTimeToRecoveryTimeUnit: unit }
    expect(await declared(ana, { severity, ...estimate })).toMatchObject({
      severity,
      ...estimate,
      estimatedTimeToRecoveryInMinutes: minutes,
    })
  })
})

describe('a breakout room', () => {
  test('has its id from the start where one is wished for', async () => {
    const org = await anOrganisation({ multiIncident: true })
    const ana = await signedInAs(org)
    const [with1, with2] = [
      await declared(ana, { createBreakoutRoom: true }),
      await declared(ana, { createBreakoutRoom: true }),
    ]
    expect(with1.breakoutRoomId).toMatch(/^[0-9a-f-]{36}$/)
    expect(with2.breakoutRoomId).not.toBe(with1.breakoutRoomId)
    expect((await declared(ana)).breakoutRoomId).toBeNull()
    expect((await declared(ana, { createBreakoutRoom: false })).breakoutRoomId).toBeNull()
    const listed = (await ana.get('/incident')).body.data as Incident[]
    expect(listed.map(({ breakoutRoomId }) => breakoutRoomId)).toEqual([
      null,
      null,
      with2.breakoutRoomId,
      with1.breakoutRoomId,
    ])
    // A change cannot set it.
    const { body } = await ana.put('/incident', {
      ...with1,
      title: 'New',
      breakoutRoomId: crypto.randomUUID(),
    })
    expect(body).toMatchObject({ title: 'New', breakoutRoomId: with1.breakoutRoomId })
    expect((await ana.post('/incident', { ...NEW, createBreakoutRoom: 'yes' })).body.fields).toHaveProperty(
      'createBreakoutRoom',
    )
    const created = (await wholeStream(org)).filter(
      ({ noun, verb }) => noun === 'incidents' && verb === 'created',
    )
    expect(created.map(({ changes }) => changes['breakoutRoomId']?.to)).toEqual([
      with1.breakoutRoomId,
      with2.breakoutRoomId,
      undefined,
      undefined,
    ])
  })
})

describe('several incidents', () => {
  test('one of each kind where they are not enabled', async () => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const incident = await declared(ana)
    await declared(ana, { isTabletop: true })
    const refusal = { status: 403, body: { message: 'Error: multiple incidents are not enabled.' } }
    expect(await ana.post('/incident', NEW)).toMatchObject(refusal)
    expect(await ana.post('/incident', { ...NEW, isTabletop: true })).toMatchObject(refusal)
    expect(await ana.patch(`/incident/${incident.id}`, { isTabletop: true })).toMatchObject(refusal)
    await resolve(ana, incident)
    await declared(ana)
  })

  test('any number where they are', async () => {
    const ana = await signedInAs(await anOrganisation({ multiIncident: true }))
    const incident = await declared(ana)
    await declared(ana, { isTabletop: true })
    await declared(ana)
    const changed = await ana.patch(`/incident/${incident.id}`, { isTabletop: true })
    expect(changed.body.type).toBe('exercise')
  })

  test('of many who declare one at the same moment, one does', async () => {
    const org = await anOrganisation()
    const people = await Promise.all(Array.from({ length: 6 }, () => signedInAs(org)))
    const replies = await Promise.all(people.map((person) => person.post('/incident', NEW)))
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 403, 403, 403, 403, 403])
    expect((await counted(org)).incidents).toBe(1)
  })
})

describe('the list', () => {
  test('is paged, newest first, without overlap', async () => {
    const ana = await signedInAs(await anOrganisation({ multiIncident: true }))
    for (let n = 0; n < 25; n += 1) await declared(ana, { title: `Incident ${n}` })
    const pages = await Promise.all([0, 1, 2].map((page) => ana.get(`/incident?page=${page}&size=10`)))
    expect(pages.map(({ body }) => [body.data.length, body.page, body.size, body.total])).toEqual([
      [10, 0, 10, 25],
      [10, 1, 10, 25],
      [5, 2, 10, 25],
    ])
    const titles = pages.flatMap(({ body }) => body.data.map(({ title }: Incident) => title))
    expect(titles).toEqual(Array.from({ length: 25 }, (_, n) => `Incident ${24 - n}`))
    expect(await ana.get('/incident?page=9')).toMatchObject({ status: 200, body: { data: [], total: 25 } })
  })

  test('counts, and carries what is inside when asked', async () => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const incident = await declared(ana, {
      targetedUsers: [ana.email],
      activityCreateRequests: [{ ...TASK, status: 'COMPLETE' }, TASK, UPDATE],
    })
    await added(ana, incident, { parentActivityId: incident.activities[0]!.id, description: 'Done.' })
    await ana.post(`/incident/${incident.id}/checkIn`)
    const { data } = (await ana.get('/incident')).body
    expect(data[0]).toMatchObject({
      tasksCount: 2,
      completeTasksCount: 1,
      updatesCount: 2,
      checkInsCount: 1,
      hasIncompleteTasks: true,
      shouldCurrentUserCheckIn: false,
      isTargeted: true,
    })
    for (const key of ['activities', 'checkIns', 'targetedUsers']) expect(data[0]).not.toHaveProperty(key)
    const full = (await ana.get('/incident?populateActivitiesAndCheckInsAndTargetedUsers=true')).body.data[0]
    // Only a single incident has names, links and the caller's access to the room.
    const { people, breakoutRoomAccess, mergedInto: _, duplicates: __, ...whole } = await again(ana, incident)
    expect(full).toEqual(whole)
    expect(breakoutRoomAccess).toBe('NONE')
    expect(people.map(({ email }) => email)).toEqual([ana.email])
  })

  test('is searched by title and by what the text says, not by its markup', async () => {
    const ana = await signedInAs(await anOrganisation({ multiIncident: true }))
    await declared(ana, { title: 'Power 100% out' })
    await declared(ana, { title: 'Phishing', fullText: '<p>Mail from R&amp;D <strong>asks</strong></p>' })
    const found = async (word: string) =>
      (await ana.get(`/incident?searchWord=${encodeURIComponent(word)}`)).body.data.map(
        ({ title }: Incident) => title,
      )
    expect(await found('POWER')).toEqual(['Power 100% out'])
    expect(await found('R&D')).toEqual(['Phishing'])
    expect(await found('0% o')).toEqual(['Power 100% out'])
    expect(await found('strong')).toEqual([])
    expect(await found('%%%')).toEqual([])
    expect(await found('___')).toEqual([])
    expect(await found('ph')).toHaveLength(2)
  })

  test('can be of those in progress, or of those that are over', async () => {
    const ana = await signedInAs(await anOrganisation({ multiIncident: true }))
    const [flood] = [await declared(ana), await declared(ana, { title: 'Phishing' })]
    await resolve(ana, await declared(ana, { title: 'Flood, the last one' }))
    const found = async (query: string) => {
      const { data, total } = (await ana.get(`/incident?${query}`)).body
      expect(total).toBe(data.length)
      return data.map(({ title }: Incident) => title)
    }
    expect(await found('isActive=true')).toEqual(['Phishing', flood.title])
    expect(await found('isActive=true&searchWord=flood')).toEqual([flood.title])
    expect(await found('isActive=false')).toEqual(['Flood, the last one'])
    expect((await ana.get('/incident?isActive=maybe')).status).toBe(400)
  })

  test('can be of a severity, a kind or a time, and have what is active on top', async () => {
    const ana = await signedInAs(await anOrganisation({ multiIncident: true }))
    await declared(ana, { title: 'Old and active', severity: 'CRITICAL' })
    await declared(ana, { title: 'Drill', isTabletop: true })
    const over = await declared(ana, { title: 'Over', severity: 'CRITICAL' })
    await resolve(ana, over)
    const found = async (query: string) => {
      const { data, total } = (await ana.get(`/incident?${query}`)).body
      expect(total).toBe(data.length)
      return data.map(({ title }: Incident) => title)
    }
    expect(await found('')).toEqual(['Over', 'Drill', 'Old and active'])
    expect(await found('activeFirst=true')).toEqual(['Drill', 'Old and active', 'Over'])
    expect(await found('severity=CRITICAL')).toEqual(['Over', 'Old and active'])
    expect(await found('isTabletop=true')).toEqual(['Drill'])
    expect(await found('isTabletop=false&isActive=false')).toEqual(['Over'])
    expect(await found(`createdFrom=${over.createTimestamp}`)).toEqual(['Over'])
    const unknown = await ana.get('/incident?severity=AWFUL')
    expect([unknown.status, unknown.body.message]).toEqual([
      400,
      'Please choose one of: LOW, MEDIUM, HIGH, CRITICAL.',
    ])
  })

  test.each(['page=-1', 'size=0', 'size=101', 'page=1.5', 'page=x', 'searchWord=a%00bc'])(
    'refuses %s',
    async (query) => {
      const ana = await signedInAs(await anOrganisation())
      const { status, body } = await ana.get(`/incident?${query}`)
      expect(status).toBe(400)
      expect(body.fields).toHaveProperty(query.split('=')[0]!)
    },
  )
})

describe('whom an incident targets', () => {
  test('must check in; others need not', async () => {
    const org = await anOrganisation({ multiIncident: true })
    const ana = await signedInAs(org)
    const ben = await signedInAs(org)
    const incident = await declared(ana, { targetedUsers: [ben.email.toUpperCase(), ben.email] })
    expect(incident).toMatchObject({ targetedUsers: [ben.email], isTargeted: true })
    expect(incident.shouldCurrentUserCheckIn).toBe(false)
    expect((await again(ben, incident)).shouldCurrentUserCheckIn).toBe(true)
    const changed = await ana.patch(`/incident/${incident.id}`, { targetedUsers: [] })
    expect(changed.body).toMatchObject({ isTargeted: false, shouldCurrentUserCheckIn: true })
  })

  test('are active people who are not business users', async () => {
    const org = await anOrganisation({ multiIncident: true })
    const other = await signedInAs(await anOrganisation())
    const ana = await signedInAs(org)
    const business = await signedInAs(org, 'BUSINESS_USER')
    const archived = await signedInAs(org, 'USER', { active: false })
    const before = await counted(org)
    const targetedUsers = [ana, business, archived, other].map(({ email }) => email)
    const { status, body } = await ana.post('/incident', { ...NEW, targetedUsers })
    expect(status).toBe(400)
    expect(Object.keys(body.fields)).toEqual(['targetedUsers.1', 'targetedUsers.2', 'targetedUsers.3'])
    expect(await counted(org)).toEqual(before)
  })

  test('stay when they are archived later, so that the incident can still be saved whole', async () => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const ben = await signedInAs(org)
    const incident = await declared(ana, { targetedUsers: [ben.email] })
    await inside(org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '=', ben.uuid).execute(),
    )
    const saved = await ana.put('/incident', { ...incident, title: 'Renamed' })
    expect(saved).toMatchObject({ status: 200, body: { title: 'Renamed', targetedUsers: [ben.email] } })
  })

  test('external people see what targets them and nothing else', async () => {
    const org = await anOrganisation({ multiIncident: true })
    const ana = await signedInAs(org)
    const counsel = await signedInAs(org, 'ADMIN', { type: 'EXTERNAL' })
    const theirs = await declared(ana, { targetedUsers: [counsel.email], activityCreateRequests: [TASK] })
    const ours = await declared(ana, { activityCreateRequests: [TASK] })
    const list = await counsel.get('/incident')
    expect(list.body).toMatchObject({ total: 1, data: [{ id: theirs.id }] })
    expect((await counsel.get(`/incident/${theirs.id}`)).body.activities[0]).toMatchObject({
      canEdit: false,
      canDelete: false,
    })
    expect((await counsel.post(`/incident/${theirs.id}/checkIn`)).status).toBe(200)
    const activity = ours.activities[0]!.id
    expect((await counsel.get(`/incident/${ours.id}`)).status).toBe(404)
    expect((await counsel.get(`/incident/file/${ours.id}`)).status).toBe(404)
    expect((await counsel.get(`/incident/activity/${activity}/history`)).status).toBe(404)
    expect((await counsel.post(`/incident/${ours.id}/checkIn`)).status).toBe(404)
    expect((await counsel.post(`/incident/${theirs.id}/activity`, TASK)).status).toBe(403)
    const events = await wholeStream(org)
    const heard = events.filter(({ externals }) => externals.includes(counsel.uuid))
    expect(heard.map(({ noun, verb }) => `${noun} ${verb}`)).toEqual([
      'incidents created',
      'notifications created',
      'activities added',
      'check-ins checked in',
    ])
    const seen = (await counsel.get('/incident/userActivityTimestamps')).body
    expect(seen.map(({ userId }: { userId: string }) => userId)).toEqual([counsel.uuid])
  })
})

describe('the people in an answer', () => {
  test('are whom it shows by address, each once, archived ones too', async () => {
    const org = await anOrganisation()
    const [ana, ben, cleo] = [await signedInAs(org), await signedInAs(org), await signedInAs(org)]
    await signedInAs(org)
    const incident = await declared(ana, { targetedUsers: [cleo.email, ana.email] })
    await added(ben, incident, { ...TASK, assignedTo: cleo.email })
    await inside(org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '=', ben.uuid).execute(),
    )
    const { people } = (await resolve(ana, incident)).body
    expect(people.map(({ email }: { email: string }) => email).toSorted()).toEqual(
      [ana, ben, cleo].map(({ email }) => email).toSorted(),
    )
    expect(people.find(({ uuid }: { uuid: string }) => uuid === ben.uuid)).toMatchObject({ active: false })
    expect((await ana.get('/incident')).body.people.map(({ email }: { email: string }) => email)).toEqual([
      ana.email,
    ])
  })

  test('are named to external people as far as the answer shows them', async () => {
    const org = await anOrganisation()
    const [ana, ben] = [await signedInAs(org), await signedInAs(org)]
    const counsel = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    await signedInAs(org)
    const incident = await declared(ana, { targetedUsers: [counsel.email] })
    await added(ben, incident, UPDATE)
    const { people } = await again(counsel, incident)
    expect(people.map(({ email }) => email).toSorted()).toEqual(
      [ana, ben, counsel].map(({ email }) => email).toSorted(),
    )
  })
})

describe('what grows with the organisation', () => {
  const LEAN = 'populateCheckIns=false&populateTargetedUsers=false&populateGroupMembers=false'
  test('is left out where the query says so, from every answer, and the counts stay', async () => {
    const org = await anOrganisation({ multiIncident: true, groupsEnabled: true })
    const [ana, ben] = [await signedInAs(org, 'ADMIN'), await signedInAs(org)]
    const { body: group } = await ana.post('/useradmin/group', { name: 'Harbour', userIds: [ben.email] })
    const targets = { targetedUsers: [ana.email], targetedGroupIds: [group.id] }
    const incident = await declared(ana, targets)
    await ben.post(`/incident/${incident.id}/checkIn`)
    const lean = [
      (await ben.get(`/incident/${incident.id}?${LEAN}`)).body,
      (await ana.patch(`/incident/${incident.id}?${LEAN}`, { title: 'Renamed' })).body,
      (await ana.put(`/incident?${LEAN}`, { id: incident.id, title: 'Again' })).body,
      (await ana.post(`/incident?${LEAN}`, { ...NEW, ...targets })).body,
      (await ana.post(`/incident/withActivities?${LEAN}`, { ...NEW, ...targets })).body,
    ]
    for (const answered of lean) {
      expect(answered).toMatchObject({
        isTargeted: true,
        targetedGroups: [{ id: group.id, name: 'Harbour' }],
      })
      expect(Object.keys(answered.targetedGroups[0])).toEqual(['id', 'name'])
      for (const field of ['checkIns', 'targetedUsers']) expect(answered).not.toHaveProperty(field)
      expect(answered.people.map(({ email }: { email: string }) => email)).toEqual([ana.email])
    }
    expect(lean[0]).toMatchObject({ checkInsCount: 1, shouldCurrentUserCheckIn: false })
    const edited = '?populateCheckIns=false&populateGroupMembers=false'
    expect((await ana.get(`/incident/${incident.id}${edited}`)).body.targetedUsers).toEqual([ana.email])
    expect(await again(ana, incident)).toMatchObject({
      checkIns: [{ userId: ben.uuid }],
      targetedUsers: [ana.email],
      targetedGroups: [{ userIds: [ben.email] }],
    })
  })
})

describe('changing an incident', () => {
  test('changes only what is given, and tells only what differs', async () => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const incident = await declared(ana, { severity: 'LOW' })
    const changed = await ana.patch(`/incident/${incident.id}`, {
      title: ' Flood ',
      severity: 'LOW',
      fullText: '<p>Dry <script>x</script> & safe</p>',
      version: 1,
    })
    expect(changed.body).toMatchObject({
      title: 'Flood',
      fullText: '<p>Dry &lt;script&gt;x&lt;/script&gt; &amp; safe</p>',
      previewText: 'Dry <script>x</script> & safe',
      severity: 'LOW',
      version: 2,
    })
    const last = (await wholeStream(org)).at(-1)
    expect(Object.keys(last?.changes ?? {}).sort()).toEqual(['fullText', 'title'])
    expect(last?.changes['title']).toEqual({ from: NEW.title, to: 'Flood' })

    const events = (await counted(org)).events
    const same = await ana.put('/incident', changed.body)
    expect(same).toMatchObject({ status: 200, body: { version: 2 } })
    expect((await counted(org)).events).toBe(events)
  })

  test('keeps each field that is given', async () => {
    const ana = await signedInAs(await anOrganisation())
    const incident = await declared(ana, { severity: 'LOW' })
    const given = {
      title: 'Flood',
      fullText: '<p>Water</p>',
      severity: 'CRITICAL',
      estimatedTimeToRecovery: 3,
      estimatedTimeToRecoveryTimeUnit: 'DAYS',
    }
    expect((await ana.patch(`/incident/${incident.id}`, given)).body).toMatchObject(given)
    expect(await again(ana, incident)).toMatchObject(given)
  })

  test('is refused when it is stale, naming who was first', async () => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const ben = await signedInAs(org)
    const incident = await declared(ana)
    expect((await ana.patch(`/incident/${incident.id}`, { title: 'Mine', version: 1 })).status).toBe(200)
    const late = await ben.patch(`/incident/${incident.id}`, { title: 'Yours', version: 1 })
    expect(late).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect(late.body.message).toContain(ana.email)
    expect((await again(ben, incident)).title).toBe('Mine')
  })

  test('ends with its resolution; only the analysis comes after it', async () => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const incident = await declared(ana, { activityCreateRequests: [TASK] })
    const [task] = incident.activities
    const path = `/incident/${incident.id}`
    const early = await ana.patch(path, { postmortemDetails: '<p>Too early</p>' })
    expect(early.status).toBe(409)
    await resolve(ana, incident)
    const before = await counted(org)
    const refused = await Promise.all([
      ana.patch(path, { title: 'Other' }),
      ana.patch(path, { isActive: true }),
      ana.patch(path, { targetedUsers: [ana.email] }),
      ana.patch(path, { title: 'Other', postmortemDetails: '<p>And this</p>' }),
      ana.put('/incident', { ...incident, isActive: true }),
      ana.put('/incident', { id: incident.id, fullText: '<p>Other</p>' }),
      ana.post(`${path}/activity`, TASK),
      ana.post(`${path}/activity`, { parentActivityId: task!.id, description: 'x' }),
      ana.patch(`/incident/activity/${task!.id}`, { status: 'COMPLETE' }),
      ana.delete(`/incident/activity/${task!.id}`),
      ana.post(`${path}/checkIn`),
    ])
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 409))
    expect(await counted(org)).toEqual(before)
    expect((await resolve(ana, incident)).status).toBe(200)
    const analysed = await ana.patch(path, { postmortemDetails: '<p>Late <img src=x onerror=y></p>' })
    expect(analysed.body.postmortemDetails).toBe('<p>Late &lt;img src=x onerror=y&gt;</p>')
    expect((await ana.patch(path, { postmortemDetails: '<p> </p>' })).body.postmortemDetails).toBeNull()
  })

  test('is for those with full access', async () => {
    const org = await anOrganisation()
    const incident = await declared(await signedInAs(org), { activityCreateRequests: [TASK] })
    const business = await signedInAs(org, 'BUSINESS_USER')
    expect((await business.get(`/incident/${incident.id}`)).status).toBe(200)
    const activity = `/incident/activity/${incident.activities[0]!.id}`
    const refused = await Promise.all([
      business.post('/incident', NEW),
      business.post('/incident/withActivities', NEW),
      business.patch(`/incident/${incident.id}`, { isActive: false }),
      business.put('/incident', { id: incident.id, postmortemDetails: 'x' }),
      business.post(`/incident/${incident.id}/activity`, TASK),
      business.patch(activity, { status: 'COMPLETE' }),
      business.delete(activity),
    ])
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
    expect((await business.post(`/incident/${incident.id}/checkIn`)).status).toBe(200)
  })
})

describe('what is refused', () => {
  const rich = 'Maximum length of 24000 characters exceeded.'
  const short = 'Maximum length of 255 characters exceeded.'
  test.each<[string, object, Record<string, string>]>([
    ['no title', { title: '' }, { title: 'A title is required.' }],
    ['spaces for a title', { title: ' \n ' }, { title: 'A title is required.' }],
    ['a number for a title', { title: 7 }, { title: 'A title is required.' }],
    ['a long title', { title: 'x'.repeat(256) }, { title: short }],
    ['no text', { fullText: null }, { fullText: 'Description is a required field.' }],
    ['text of markup only', { fullText: '<p><br></p>' }, { fullText: 'Description is a required field.' }],
    ['long text', { fullText: 'x'.repeat(24_001) }, { fullText: rich }],
    ['text that is long once it is safe', { fullText: '<'.repeat(24_000) }, { fullText: rich }],
    ['a NUL', { title: 'a\u0000' }, { title: 'This text contains characters that cannot be stored.' }],
    ['half a character', { fullText: 'a\ud800b' }, { fullText: expect.any(String) }],
    ['an unknown severity', { severity: 'EXTREME' }, { severity: expect.any(String) }],
    [
      'an unknown unit of time',
      { estimatedTimeToRecovery: 3, estimatedTimeToRecoveryTimeUnit: 'WEEKS' },
      { estimatedTimeToRecoveryTimeUnit: expect.any(String) },
    ],
    [
      'an unknown unit',
      { estimatedTimeToRecovery: 3, estimatedTimeToRecoveryTimeUnit: 'WEEKS' },
      { estimatedTimeToRecoveryTimeUnit: expect.any(String) },
    ],
    ['a text for a switch', { isTabletop: 'yes' }, { isTabletop: expect.any(String) }],
    ['half an estimate', { estimatedTimeToRecovery: 3 }, { estimatedTimeToRecovery: expect.any(String) }],
    [
      'a negative estimate',
      { estimatedTimeToRecovery: -1, estimatedTimeToRecoveryTimeUnit: 'DAYS' },
      { estimatedTimeToRecovery: expect.any(String) },
    ],
    ['an object for people', { targetedUsers: { a: 1 } }, { targetedUsers: expect.any(String) }],
    ['no address', { targetedUsers: ['x'] }, { 'targetedUsers.0': expect.any(String) }],
    [
      'too many people',
      { targetedUsers: Array.from({ length: 10_001 }, (_, n) => `p${n}@example.org`) },
      { targetedUsers: expect.any(String) },
    ],
    [
      'a task without words',
      { activityCreateRequests: [TASK, { title: '', description: '' }] },
      {
        'activityCreateRequests.1.title': 'Title is a required field.',
        'activityCreateRequests.1.description': 'Description is a required field.',
      },
    ],
    [
      'a task below a task',
      { activityCreateRequests: [{ ...UPDATE, parentActivityId: crypto.randomUUID() }] },
      { 'activityCreateRequests.0.parentActivityId': expect.any(String) },
    ],
    [
      'more tasks than fit',
      { activityCreateRequests: Array.from({ length: 1_001 }, () => TASK) },
      { activityCreateRequests: 'The number of tasks/updates has reached the maximum of 1000.' },
    ],
  ])('%s', async (_, wrong, fields) => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const before = await counted(org)
    const { status, body } = await ana.post('/incident/withActivities', { ...NEW, ...wrong })
    expect(status).toBe(400)
    expect(body.fields).toEqual(fields)
    expect(await counted(org)).toEqual(before)
  })

  test('what belongs to another organisation does not exist', async () => {
    const org = await anOrganisation()
    const incident = await declared(await signedInAs(org), { activityCreateRequests: [TASK] })
    const stranger = await signedInAs(await anOrganisation(), 'ADMIN')
    const own = await declared(stranger)
    const before = await counted(org)
    const task = incident.activities[0]!.id
    const replies = await Promise.all([
      stranger.get(`/incident/${incident.id}`),
      stranger.patch(`/incident/${incident.id}`, { isActive: false }),
      stranger.put('/incident', { ...incident, title: 'Mine' }),
      stranger.post(`/incident/${incident.id}/checkIn`),
      stranger.get(`/incident/file/${incident.id}`),
      stranger.post(`/incident/${incident.id}/activity`, TASK),
      stranger.post(`/incident/${own.id}/activity`, { ...UPDATE, parentActivityId: task }),
      stranger.patch(`/incident/activity/${task}`, { status: 'COMPLETE' }),
      stranger.delete(`/incident/activity/${task}`),
      stranger.get(`/incident/activity/${task}/history`),
      stranger.get(`/incident/${crypto.randomUUID()}`),
    ])
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404))
    expect(await counted(org)).toEqual(before)
    expect((await stranger.get('/incident')).body.total).toBe(1)
  })
})

describe('many at once', () => {
  test('who check in are all there, each once', async () => {
    const org = await anOrganisation()
    const people = await Promise.all(Array.from({ length: 20 }, () => signedInAs(org)))
    const incident = await declared(people[0]!)
    const path = `/incident/${incident.id}/checkIn`
    const replies = await Promise.all(people.flatMap((one) => [one.post(path), one.post(path)]))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    const { checkIns } = await again(people[0]!, incident)
    expect(checkIns.map(({ userId }) => userId).sort()).toEqual(people.map(({ uuid }) => uuid).sort())
    for (const { body } of replies) expect(checkIns).toContainEqual(body)
    expect((await told(org)).filter((one) => one === 'check-ins checked in')).toHaveLength(20)
  })
})

test('when people were last active', async () => {
  const org = await anOrganisation()
  const ana = await signedInAs(org)
  const ben = await signedInAs(org)
  await ben.get('/incident')
  const { body } = await ana.get('/incident/userActivityTimestamps')
  expect(body.map(({ userId }: { userId: string }) => userId).sort()).toEqual([ana.uuid, ben.uuid].sort())

  const last = async () =>
    (await ana.get('/incident/userActivityTimestamps')).body.find(
      ({ userId }: { userId: string }) => userId === ben.uuid,
    ).timestamp
  const before = await last()
  const { now } = clock
  clock.now = () => now() + MINUTE
  try {
    expect(await last()).toBe(before)
    await ben.get('/incident')
    expect(Date.parse(await last())).toBeGreaterThanOrEqual(Date.parse(before) + MINUTE)
  } finally {
    clock.now = now
  }
})

describe('the report', () => {
  test('is a PDF whose issue is kept', async () => {
    const org = await anOrganisation()
    const ana = await signedInAs(org)
    const incident = await declared(ana, { title: 'R&D: “Überlauf” <1>', activityCreateRequests: [TASK] })
    const response = await fetchReport(ana, incident.id)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const day = new Date().toISOString().slice(0, 10)
    expect(response.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent(`Incident_Report_R_D_Überlauf_1_${day}.pdf`)}`,
    )
    const pdf = Buffer.from(await response.arrayBuffer())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const issued = await inside(org, (db) =>
      db
        .selectFrom('incident_reports as r')
        .innerJoin('blobs as b', 'b.id', 'r.blob_id')
        .select(['r.sha256', 'r.created_by', 'b.id', 'b.size'])
        .executeTakeFirstOrThrow(),
    )
    expect(issued).toMatchObject({ size: pdf.length, created_by: ana.email })
    const kept = await services.blobs.read(org.id, issued)
    expect((await buffer(kept)).equals(pdf)).toBe(true)
    const last = (await wholeStream(org)).at(-1)
    expect(last).toMatchObject({ noun: 'incident-reports', verb: 'issued', parent: incident.id })
    expect(last?.changes['sha256']?.to).toBe(issued.sha256)
  })

  test('is for everybody who sees the incident', async () => {
    const org = await anOrganisation()
    const incident = await declared(await signedInAs(org), { isTabletop: true })
    const business = await signedInAs(org, 'BUSINESS_USER')
    const response = await fetchReport(business, incident.id)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toContain('Exercise_Report_')
    expect((await business.get(`/incident/file/${incident.id}?type=DOCX`)).status).toBe(400)
  })

  const fetchReport = (caller: Caller, id: string) =>
    fetch(`${services.publicUrl()}/api/incident/file/${id}?type=PDF`, { headers: caller.headers })
})

describe('the open tasks of a resolved incident', () => {
  const end = async (changes: object) => {
    const ana = await signedInAs(await anOrganisation())
    const incident = await declared(ana)
    const reply = await ana.patch(`/incident/${incident.id}`, { isActive: false, ...changes })
    return { ana, incident, ...reply }
  }

  test('stay open for a reason, or are not needed', async () => {
    const left = await end({ openTasks: 'LEFT_OPEN', openTasksReason: ' The night shift. ' })
    expect(left.body).toMatchObject({ openTasks: 'LEFT_OPEN', openTasksReason: 'The night shift.' })
    const done = await end({ openTasks: 'NOT_NEEDED' })
    expect(done.body).toMatchObject({ openTasks: 'NOT_NEEDED', openTasksReason: null })
    expect((await end({})).body).toMatchObject({ openTasks: null, isActive: false })
  })

  test('are decided once, with the resolution', async () => {
    const { ana, incident } = await end({ openTasks: 'NOT_NEEDED' })
    await ana.patch(`/incident/${incident.id}`, { openTasks: 'LEFT_OPEN', openTasksReason: 'Why not.' })
    expect((await again(ana, incident)).openTasks).toBe('NOT_NEEDED')
  })
})
