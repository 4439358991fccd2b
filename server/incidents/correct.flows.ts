import { canReopen, isIncomplete } from '#contract/incidents/rules.ts'
import {
  INTO_ITSELF,
  INTO_OTHER_KIND,
  INTO_RESOLVED,
  type Merge,
  type NewActivity,
  NO_SUCH_INCIDENT,
  type Reopening,
} from '#contract/incidents/schema.ts'
import { paragraphsOf } from '#contract/kit/paragraphs.ts'
import { LONG_TEXT_MAX } from '#contract/kit/text.ts'
import { clock } from '#server/kit/core/clock.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import { demand, wrongField } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { meOf, opened, RESOLVED, targetedExternals } from './access.flows.ts'
import { addActivities, eventContextOf } from './activities.flows.ts'
import { type AssignedRow, listActivitiesOf } from './activities.store.ts'
import { aimOf, demandKind, findWhole, IN_PROGRESS, type Whole } from './flows.ts'
import { findIncident, type IncidentWithTargets, type Populated } from './reading.store.ts'
import { holdIncident, listPeople, updateIncident } from './store.ts'
import { type Aim, isNarrowed, notifyNewcomers, retarget, wordsOf } from './targets.flows.ts'

const NOT_RESOLVED = 'This incident is in progress.'
const NOT_YOURS = 'Only an administrator, or the person who declared or resolved it, can reopen this.'

/** Fields that a resolution sets, and a reopening clears. */
const ENDED = ['isActive', 'openTasks', 'openTasksReason', 'outcome', 'outcomeReason'] as const

/** An incident as another one names it in its history. */
const linkOf = ({ number, title }: IncidentWithTargets): string => `${number} ${title}`

/**
 * Reopens a resolved incident. Tasks that were left open are open again; the analysis stays.
 * @throws Refusal 403 for others than administrators and the people who declared or resolved it, and where another
 * incident is in progress without `multiIncident`; 404; 409 for an incident in progress
 */
export async function reopenIncident(
  { jobs }: Pick<Services, 'jobs'>,
  db: OrgDb,
  by: Acting,
  id: string,
  { reason }: Reopening,
  populated?: Populated,
): Promise<Whole> {
  const before = await opened(db, by, id, 'change')
  demand(!before.isActive, 409, NOT_RESOLVED)
  demand(canReopen(before, meOf(by)), 403, NOT_YOURS)
  await demandKind(db, by, before.isTabletop)
  const other = before.mergedIntoId === null ? undefined : await findIncident(db, before.mergedIntoId)
  const mergedInto = other ? linkOf(other) : null
  const at = clock.timestamp()
  await updateIncident(db, id, { ...IN_PROGRESS, updateTimestamp: at })
  const changes = changesBetween(
    { ...before, mergedInto, reason: null },
    { ...before, ...IN_PROGRESS, mergedInto: null, reason },
    [...ENDED, 'mergedInto', 'reason'],
  )
  record(db, {
    noun: 'incidents',
    record: id,
    verb: 'reopened',
    changes,
    externals: targetedExternals(before),
    at,
  })
  const { breakoutRoomId } = before
  await runHook(db, 'incidentChanged', { by, incidentId: id, breakoutRoomId, jobs })
  return findWhole(db, by, id, populated)
}

/** Both incidents of a merge, locked in the order of their ids, so that two opposite merges wait instead of failing. */
async function heldPair(db: OrgDb, by: Acting, id: string, { into }: Merge) {
  if (into === id) throw wrongField('into', INTO_ITSELF)
  for (const one of [id, into].sort()) await holdIncident(db, one, 'change')
  const from = await opened(db, by, id)
  const target = await findIncident(db, into)
  if (!target) throw wrongField('into', NO_SUCH_INCIDENT)
  demand(from.isActive, 409, RESOLVED)
  if (!target.isActive) throw wrongField('into', INTO_RESOLVED, 409)
  if (target.isTabletop !== from.isTabletop) throw wrongField('into', INTO_OTHER_KIND)
  return { from, target }
}

const both = <T extends { readonly id: string }>(some: readonly T[], others: readonly T[]): T[] => [
  ...new Map([...some, ...others].map((one) => [one.id, one])).values(),
]

/** The targets of an incident together with those of its duplicate. One that asks everybody adds only externals. */
function joinedAim(target: IncidentWithTargets, from: IncidentWithTargets): Aim {
  const now = aimOf(target)
  if (target.isTargeted) {
    const added = aimOf(from)
    return { users: both(now.users, added.users), groups: both(now.groups, added.groups) }
  }
  const externals = from.targets
    .filter(({ type }) => type === 'EXTERNAL')
    .map(({ userId, email }) => ({ id: userId, email }))
  return { users: both(now.users, externals), groups: now.groups }
}

/** Asks the people of the duplicate in the incident that goes on. Each newcomer is told once. */
async function joinTargets(db: OrgDb, by: Acting, target: IncidentWithTargets, from: IncidentWithTargets) {
  const was = aimOf(target)
  const to = joinedAim(target, from)
  const wasWithEverybody = !target.isTargeted
  const withEverybody = wasWithEverybody || !from.isTargeted
  const targeted = target.targets.map(({ userId, type }) => ({ id: userId, type }))
  const targeting = await retarget(db, target.id, { from: was, to, targeted })
  await notifyNewcomers(db, by, target, targeting)
  return {
    isTargeted: isNarrowed(to, withEverybody),
    from: wordsOf(was, wasWithEverybody),
    to: wordsOf(to, withEverybody),
    externals: targeting.externals,
  }
}

/** An open task as one of another incident, with a note of its origin as far as the text has room for it. */
function copyOf(task: AssignedRow, note: string, assignable: ReadonlySet<string>): NewActivity {
  const { formattedDescription: html, description } = task
  const formatted = html === null ? null : `${html}${paragraphsOf(note)}`
  const plain = description === '' ? note : `${description}\n\n${note}`
  const hasRoom = Math.max(plain.length, formatted?.length ?? 0) <= LONG_TEXT_MAX
  return {
    type: 'TASK',
    title: task.title,
    description: hasRoom ? plain : description,
    formattedDescription: hasRoom ? formatted : html,
    status: task.status,
    progress: task.progress,
    priority: task.priority,
    assignedTo: task.email !== null && assignable.has(task.email) ? task.email : null,
    idealTitleToExecute: task.idealTitleToExecute,
    expectedTimeToComplete: task.expectedTimeToComplete,
    dueTimestamp: task.dueTimestamp,
    section: task.section,
    sectionDescription: task.sectionDescription,
    formattedSectionDescription: task.formattedSectionDescription,
  }
}

/** Copies the open tasks of the duplicate; files and completed tasks stay with it. Returns their number. */
async function copyTasks(
  db: OrgDb,
  by: Acting,
  { from, target, at }: { from: IncidentWithTargets; target: IncidentWithTargets; at: string },
): Promise<number> {
  const tasks = (await listActivitiesOf(db, from.id)).filter(isIncomplete)
  const people = await listPeople(db, [...new Set(tasks.flatMap(({ email }) => email ?? []))])
  const assignable = new Set(people.filter((one) => one.active && !one.banned).map(({ email }) => email))
  const note = `From the merged incident ${from.number}, “${from.title}”.`
  const requests = tasks.map((task) => copyOf(task, note, assignable))
  await addActivities(db, by, eventContextOf(target, at), requests, { copies: new Map() })
  return requests.length
}

/**
 * Ends an incident as the duplicate of another one, which asks its people, too.
 * @throws Refusal 400 for another kind or the incident itself, 404, 409 where one of the two is resolved
 */
export async function mergeIncident(
  { chat, jobs }: Pick<Services, 'chat' | 'jobs'>,
  db: OrgDb,
  by: Acting,
  id: string,
  given: Merge,
  populated?: Populated,
): Promise<Whole> {
  const { from, target } = await heldPair(db, by, id, given)
  const { reason } = given
  const at = clock.timestamp()
  const ended = { isActive: false, outcome: 'MERGED', outcomeReason: reason } as const
  await updateIncident(db, id, {
    ...ended,
    mergedIntoId: target.id,
    resolvedBy: by.name,
    resolveTimestamp: at,
    updateTimestamp: at,
  })
  record(db, {
    noun: 'incidents',
    record: id,
    verb: 'merged',
    changes: {
      ...changesBetween<Partial<IncidentWithTargets>>(from, { ...from, ...ended }, ['isActive', 'outcome']),
      mergedInto: { from: null, to: linkOf(target) },
      reason: { from: null, to: reason },
    },
    externals: targetedExternals(from),
    at,
  })
  const targets = await joinTargets(db, by, target, from)
  await updateIncident(db, target.id, { isTargeted: targets.isTargeted, updateTimestamp: at })
  const copied = given.copyTasks ? await copyTasks(db, by, { from, target, at }) : 0
  record(db, {
    noun: 'incidents',
    record: target.id,
    verb: 'duplicate received',
    changes: {
      duplicate: { from: null, to: linkOf(from) },
      ...changesBetween({ targetedUsers: targets.from }, { targetedUsers: targets.to }, ['targetedUsers']),
      ...(copied > 0 && { tasksCopied: { from: null, to: copied } }),
      reason: { from: null, to: reason },
    },
    externals: targets.externals,
    at,
  })
  const { breakoutRoomId } = target
  await runHook(db, 'incidentChanged', { by, incidentId: target.id, breakoutRoomId, jobs })
  await runHook(db, 'incidentMerged', { by, from, into: target, chat })
  return findWhole(db, by, id, populated)
}
