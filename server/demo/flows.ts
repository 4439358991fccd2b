import { configOf } from '#contract/config/catalogue.ts'
import type { NewActivity } from '#contract/incidents/schema.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import { addActivity, changeActivity } from '#server/incidents/activities.flows.ts'
import { addRooms } from './chat.flows.ts'
import { addFolders } from './files.flows.ts'
import { addContactsAndTemplates, addHistory, sentAt } from './notifications.flows.ts'
import { createGroup } from '#server/groups/flows.ts'
import { changeIncident, checkIn, createIncident } from '#server/incidents/flows.ts'
import { clock, DAY, HOUR, MINUTE } from '#server/kit/core/clock.ts'
import { valuesOf } from '#server/kit/database/columns.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import type { OrganisationRow } from '#server/organisations/store.ts'
import { record } from '#server/kit/events/events.ts'
import { hashPassword } from '#server/kit/security/passwords.ts'
import type { Services } from '#server/kit/services.ts'
import { readAll } from '#server/notifications/flows.ts'
import { deactivateUser } from '#server/users/flows.ts'
import { insertUser, updateLastLogin } from '#server/users/store.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import {
  CHILD,
  type DemoOrganisation,
  type DemoPerson,
  type DemoStep,
  type DemoStory,
  PARENT,
  PLANNER,
  STORIES,
} from './content.ts'
import { insertDemonstration } from './exercise.store.ts'
import { addPlaybooks } from './playbooks.flows.ts'
import { insertFirstOrganisations } from './store.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'demonstration' }
/** Age of the demonstration organisations. */
const AGE = 120 * DAY

/**
 * Creates the demonstration organisations on the first start, when there is no organisation yet. Returns whether it
 * did. Uses the nouns' own flows, so that the data is what people would have created.
 */
export async function seedDemo(services: Services, password: string): Promise<boolean> {
  const now = clock.now()
  const [parentId, childId] = [crypto.randomUUID(), crypto.randomUUID()]
  const rowOf = (
    id: string,
    { code, displayName, config }: DemoOrganisation,
    parent: string | null,
  ): OrganisationRow => ({
    id,
    code,
    displayName,
    enterpriseDomain: `${code}.example`,
    parentId: parent,
    subscriptionLevel: 'ENTERPRISE',
    maxUsers: 50,
    config,
    createTimestamp: new Date(now - AGE).toISOString(),
  })
  const organisations = [rowOf(parentId, PARENT, null), rowOf(childId, CHILD, parentId)].map((row) =>
    valuesOf(row),
  )
  if (!(await services.database.withProvider(SYSTEM, (db) => insertFirstOrganisations(db, organisations))))
    return false

  const passwordHash = await hashPassword(password)
  await addPeople(services, childId, CHILD, passwordHash, now)
  const people = await addPeople(services, parentId, PARENT, passwordHash, now)
  const as = <T>(email: string, time: number, work: (db: OrgDb, by: Acting) => Promise<T>) => {
    const by = people.get(email)!
    return at(time, () =>
      services.database.withOrganisation({ organisationId: parentId, actor: () => actorOf(by) }, (db) =>
        work(db, by),
      ),
    )
  }
  await as(PLANNER, now - AGE / 2 + HOUR, (db, by) => addPlaybooks(services, db, by))
  for (const story of STORIES) await play(services, parentId, people, story, now)
  const [admin] = people.values()
  const asAdmin = (time: number, work: (db: OrgDb, by: Acting) => Promise<void>) =>
    at(time, () =>
      services.database.withOrganisation({ organisationId: parentId, actor: () => actorOf(admin!) }, (db) =>
        work(db, admin!),
      ),
    )
  await asAdmin(sentAt(now) - DAY, addContactsAndTemplates)
  await asAdmin(sentAt(now), (db, by) => addHistory(db, { ...by, organisation: PARENT }))
  await addRooms(services, as, people, now)
  await addFolders(services, as, parentId, now)
  await services.database.withOrganisation({ organisationId: parentId, actor: () => SYSTEM }, async (db) => {
    await insertDemonstration(db)
    record(db, { noun: 'demonstration', record: parentId, verb: 'completed' })
  })
  return true
}

/** Runs `work` with the clock set to another time. Nothing else may run meanwhile. */
async function at<T>(time: number, work: () => Promise<T>): Promise<T> {
  const { now } = clock
  clock.now = () => time
  try {
    return await work()
  } finally {
    clock.now = now
  }
}

type People = ReadonlyMap<string, Acting>

async function addPeople(
  services: Services,
  organisationId: string,
  { people, groups, config }: DemoOrganisation,
  passwordHash: string,
  now: number,
): Promise<People> {
  const added = new Map<string, Acting>()
  await at(now - AGE, () =>
    services.database.withOrganisation({ organisationId, actor: () => SYSTEM }, async (db) => {
      for (const [index, person] of people.entries()) {
        const id = await addPerson(db, person, passwordHash, now - (index * 5 + 1) * HOUR)
        const { email, role = 'USER', type = 'INTERNAL' } = person
        const chosen = configOf(config)
        const permissions = permissionsOf({ role, type }, chosen, false)
        added.set(email, { kind: 'person', id, name: email, role, type, permissions, config: chosen })
      }
    }),
  )
  const [admin] = added.values()
  const gone = people.filter(({ standing }) => standing === 'archived').map(({ email }) => added.get(email)!)
  await at(now - AGE / 2, () =>
    services.database.withOrganisation({ organisationId, actor: () => actorOf(admin!) }, async (db) => {
      for (const { name, description, members } of groups)
        await createGroup(db, admin!, { name, description, userIds: [...members] })
      for (const { id } of gone) await deactivateUser(db, admin!, id)
    }),
  )
  return added
}

async function addPerson(
  db: OrgDb,
  person: DemoPerson,
  passwordHash: string,
  lastActive: number,
): Promise<string> {
  const { standing = 'active', role = 'USER', type = 'INTERNAL' } = person
  const started = standing !== 'invited' && standing !== 'added'
  const user = await insertUser(
    db,
    {
      email: person.email,
      firstName: person.firstName,
      lastName: person.lastName,
      phoneNumber: person.phone ?? null,
      location: person.location ?? null,
      department: person.department ?? null,
      role,
      type,
      passwordHash: started ? passwordHash : null,
      acceptedTerms: started,
      wasSentActivationEmail: standing !== 'added',
    },
    clock.timestamp(),
  )
  const { uuid: id } = user!
  if (standing === 'active') await updateLastLogin(db, id, new Date(lastActive).toISOString())
  record(db, { noun: 'users', record: id, verb: 'created' })
  return id
}

/** Nothing of a story of the past is left to do. */
const NO_JOBS = { enqueueAt: () => Promise.resolve() }

const actorOf = ({ id, name }: Acting): EventActor => ({ kind: 'person', id, name })

/** Plays a story: its people act one after the other. */
async function play(
  services: Pick<Services, 'database' | 'chat'>,
  organisationId: string,
  people: People,
  story: DemoStory,
  now: number,
): Promise<void> {
  const start = Math.floor(now / DAY) * DAY - story.daysAgo * DAY + story.at * MINUTE
  const as = <T>(email: string, minutes: number, work: (db: OrgDb, by: Acting) => Promise<T>) => {
    const by = people.get(email)!
    return at(start + minutes * MINUTE, () =>
      services.database.withOrganisation({ organisationId, actor: () => actorOf(by) }, (db) => work(db, by)),
    )
  }
  const { incident, activities } = await as(story.by, 0, (db, by) =>
    createIncident({ chat: services.chat, jobs: NO_JOBS }, db, by, {
      title: story.title,
      fullText: story.text,
      severity: story.severity,
      isTabletop: story.isTabletop,
      estimatedTimeToRecovery: story.recovery?.[0] ?? null,
      estimatedTimeToRecoveryTimeUnit: story.recovery?.[1] ?? null,
      createBreakoutRoom: false,
      targetedUsers: [...story.targets],
      targetedGroupIds: [],
      activityCreateRequests: story.tasks.map(taskOf),
    }),
  )
  const tasks = new Map(activities.map(({ title, id }) => [title, id]))
  for (const step of story.steps)
    await as(step.by, step.after, (db, by) => take(step, db, by, incident.id, tasks))
  // The incident ended long ago, so its notifications are read.
  for (const [email] of people) await as(email, story.steps.at(-1)!.after, readAll)
}

export const taskOf = (task: Extract<DemoStep, { task: unknown }>['task']): NewActivity => ({
  type: 'TASK',
  title: task.title,
  description: task.description,
  priority: task.priority,
  assignedTo: task.to,
  idealTitleToExecute: task.idealTitle,
  expectedTimeToComplete: task.minutes,
})

async function take(
  step: DemoStep,
  db: OrgDb,
  by: Acting,
  incidentId: string,
  tasks: Map<string, string>,
): Promise<unknown> {
  if ('checkIn' in step) return checkIn(db, by, incidentId)
  if ('resolve' in step) return changeIncident({ jobs: NO_JOBS }, db, by, incidentId, { isActive: false })
  if ('analysis' in step)
    return changeIncident({ jobs: NO_JOBS }, db, by, incidentId, { postmortemDetails: step.analysis })
  if ('reached' in step) return changeActivity(db, by, tasks.get(step.of)!, { progress: step.reached })
  if ('task' in step) {
    const { tree } = await addActivity(db, by, incidentId, taskOf(step.task))
    return tasks.set(step.task.title, tree[0].id)
  }
  const words = 'note' in step ? step.note : step.update
  const parentActivityId = 'note' in step ? tasks.get(step.of)! : null
  return addActivity(db, by, incidentId, { type: 'UPDATE', title: '', description: words, parentActivityId })
}
