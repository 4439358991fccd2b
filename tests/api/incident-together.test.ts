import { expect, test } from 'vitest'

import type { Activity, Incident } from '#contract/incidents/schema.ts'
import { added, again, declared, TASK, UPDATE } from '#tests/support/incidents.ts'
import { type Caller, type Reply, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, signedInAs } = await startTestServer()

const CLIENTS = 20
const change = (who: Caller, { id }: Activity, fields: object) =>
  who.patch(`/incident/activity/${id}`, fields)

/** Adds a line to a task's description like a form: read, change, save, and retry after a conflict. */
async function addLine(who: Caller, incident: Incident, task: Activity, line: string): Promise<Reply[]> {
  const replies: Reply[] = []
  while (replies.at(-1)?.status !== 200) {
    const { activities } = await again(who, incident)
    const now = activities.find(({ id }) => id === task.id)!
    const fields = { description: `${now.description}\n${line}`, version: now.version }
    replies.push(await change(who, task, fields))
    if (![200, 409].includes(replies.at(-1)!.status)) break
  }
  return replies
}

test('twenty who work on one incident at once lose nothing', { timeout: 120_000 }, async () => {
  const organisation = await anOrganisation()
  const people = await Promise.all(Array.from({ length: CLIENTS }, () => signedInAs(organisation)))
  const incident = await declared(people[0]!)
  const shared = await added(people[0]!, incident)
  const own: Activity[] = []
  for (const person of people) own.push(await added(person, incident, { ...TASK, assignedTo: person.email }))

  const replies = await Promise.all(
    people.map(async (person, n) => {
      const mine = own[n]!
      const all = await Promise.all([
        person.post(`/incident/${incident.id}/checkIn`),
        person.post(`/incident/${incident.id}/checkIn`),
        person.post(`/incident/${incident.id}/activity`, { ...UPDATE, description: `News ${n}` }),
        person.post(`/incident/${incident.id}/activity`, {
          parentActivityId: shared.id,
          description: `Below ${n}`,
        }),
        change(person, shared, { progress: [25, 50, 75][n % 3] }),
        change(person, mine, { status: 'COMPLETE' }),
        change(person, mine, { priority: 'HIGH' }),
        addLine(person, incident, shared, `line ${n};`),
      ])
      return all.flat()
    }),
  )
  // Only conflicts were refused.
  const statuses = replies.flat().map(({ status }) => status)
  expect(statuses.filter((status) => ![200, 201, 409].includes(status))).toEqual([])
  for (const { status, body } of replies.flat())
    if (status === 409) {
      expect(body.code).toBe('stale')
      expect(body.message).toMatch(/@.* changed the .*(progress|description)/)
    }

  const now = await again(people[0]!, incident)
  expect(now.checkIns.map(({ userId }) => userId).toSorted()).toEqual(
    people.map(({ uuid }) => uuid).toSorted(),
  )
  const words = (prefix: string) => people.map((_, n) => `${prefix} ${n}`).toSorted()
  const updates = now.activities.filter(({ type }) => type === 'UPDATE')
  expect(updates.map(({ description }) => description).toSorted()).toEqual(words('News'))
  const task = now.activities.find(({ id }) => id === shared.id)!
  expect(task.childActivities.map(({ description }) => description).toSorted()).toEqual(words('Below'))
  const lines = task.description.slice(TASK.description.length).match(/line \d+(?=;)/g)
  expect(lines?.toSorted()).toEqual(words('line'))
  for (const { id } of own)
    expect(now.activities.find((one) => one.id === id)).toMatchObject({
      status: 'COMPLETE',
      progress: 100,
      priority: 'HIGH',
      version: 3,
    })

  const { changes, broken } = await inside(organisation, async (db) => ({
    changes: await db
      .selectFrom('events')
      .select('changes')
      .where('record', '=', shared.id)
      .where('verb', '=', 'changed')
      .orderBy('sequence')
      .execute(),
    broken: await db
      .selectNoFrom((eb) => eb.fn<number | null>('first_broken_event').as('at'))
      .executeTakeFirst(),
  }))
  expect(broken?.at).toBeNull()
  // The stream has every version, and each starts from the previous one.
  expect(changes).toHaveLength(task.version - 1)
  for (const [field, first] of [
    ['description', TASK.description],
    ['progress', 0],
  ] as const) {
    const steps = changes.flatMap((one) => one.changes[field] ?? [])
    expect(steps.map(({ from }) => from)).toEqual([first, ...steps.map(({ to }) => to)].slice(0, -1))
    expect(steps.at(-1)?.to).toBe(task[field])
  }
})

test('a save that comes too late names everybody who was faster, and what they changed', async () => {
  const organisation = await anOrganisation()
  const [ana, ben, eve] = await Promise.all(
    Array.from({ length: 3 }, () => signedInAs(organisation, 'ADMIN')),
  )
  const incident = await declared(ana!)
  const task = await added(ana!, incident)
  await change(ana!, task, { title: 'Close both valves', priority: 'HIGH' })
  await change(ben!, task, { priority: 'LOW', assignedTo: eve!.email })
  const late = await change(eve!, task, { description: 'Mine', version: task.version })
  expect([late.status, late.body]).toEqual([
    409,
    {
      code: 'stale',
      message: `${ben!.email} and ${ana!.email} changed the priority, the assignee and the title meanwhile. Your changes were not saved.`,
    },
  ])
  // Only changes since the version read are named.
  const later = await change(eve!, task, { description: 'Mine', version: task.version + 1 })
  expect(later.body.message).toMatch(`${ben!.email} changed the priority and the assignee meanwhile.`)
  const invented = await change(eve!, task, { description: 'Mine', version: -2_000_000_000 })
  expect([invented.status, invented.body.code]).toEqual([409, 'stale'])

  await ana!.patch(`/incident/${incident.id}`, {
    estimatedTimeToRecovery: 3,
    estimatedTimeToRecoveryTimeUnit: 'HOURS',
  })
  const whole = await ben!.patch(`/incident/${incident.id}`, { title: 'Mine', version: incident.version })
  expect(whole.body.message).toBe(
    `${ana!.email} changed the estimated time to recovery meanwhile. Your changes were not saved.`,
  )
})
