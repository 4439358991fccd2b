import {
  type FollowUp,
  FOLLOW_UP_DUE_PAST,
  FOLLOW_UP_DUE_TOO_LATE,
  FOLLOW_UP_YEARS_MAX,
  type FollowUpChanges,
  type FollowUpDone,
  type FollowUpList,
  type FollowUpPage,
  type FollowUps,
  FOLLOW_UPS_MAX,
  type NewFollowUp,
  TOO_MANY_FOLLOW_UPS,
} from '#contract/follow-ups/schema.ts'
import { demandColleague } from '#server/incident-roles/flows.ts'
import { demandInternal } from '#server/incident-timeline/entries.flows.ts'
import { opened } from '#server/incidents/access.flows.ts'
import { peopleNamed } from '#server/incidents/activities.flows.ts'
import type { PersonRow } from '#server/incidents/store.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { demand, FORBIDDEN, notFound, Refusal, stale, wrongField } from '#server/kit/core/refusal.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { changesBetween, findLastEditor, record } from '#server/kit/events/events.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { notify } from '#server/notifications/flows.ts'

import {
  countOfIncident,
  findFollowUp,
  type FollowUpReminder,
  type FollowUpRow,
  insertFollowUp,
  listAdministrators,
  listFollowUps,
  listOfIncident,
  type OwnedRow,
  takeFollowUp,
  updateFollowUp,
} from './store.ts'

const NOUN = 'follow-ups'
const QUEUE = 'follow-up-reminders'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'reminders' }
const THIS_FOLLOW_UP = 'This follow-up'
const IN_PROGRESS =
  'This incident is in progress. Please add a task now, and follow-ups once the incident is resolved.'
const DONE = 'This follow-up is done. Please open it again to change it.'
const NO_OWNER = 'This is not an active colleague. Please choose somebody else.'
/** Time before the due time at which the owner is reminded. */
export const FOLLOW_UP_REMIND_BEFORE = DAY

type JobsPart = { readonly jobs: Pick<Services['jobs'], 'enqueueAt'> }
interface Reminder {
  readonly id: string
  /** Due time that the follow-up has while this reminder is valid. */
  readonly at: string
  readonly kind: FollowUpReminder
}

const mayWrite = (by: Acting): boolean => by.permissions.includes('incidents-full-access')
const toFollowUp =
  (by: Acting) =>
  ({ ownerId, ...row }: OwnedRow): FollowUp => {
    const isMine = by.kind === 'person' && ownerId === by.id
    return {
      ...row,
      isMine,
      canEdit: mayWrite(by) && row.doneTimestamp === null,
      canFinish: mayWrite(by) || isMine,
    }
  }
const reread = async (db: OrgDb, by: Acting, id: string): Promise<FollowUp> =>
  toFollowUp(by)((await findFollowUp(db, id))!)

/** @throws Refusal 403 for external people, who have no follow-ups */
export const demandReader = (by: Parameters<typeof demandInternal>[0]): void => demandInternal(by)

/**
 * A page of the follow-ups across incidents.
 * @throws Refusal 403
 */
export async function followUpsOf(
  db: OrgDb,
  by: Acting,
  query: { readonly list: FollowUpList; readonly page: number; readonly size: number },
): Promise<FollowUps> {
  demandColleague(by)
  const { data, ...rest } = await listFollowUps(db, by.id, { ...query, now: clock.timestamp() })
  return { ...rest, data: data.map(toFollowUp(by)) }
}

/**
 * A page of the follow-ups of an incident.
 * @throws Refusal 403, 404
 */
export async function followUpsOfIncident(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  page: { readonly page: number; readonly size: number },
): Promise<FollowUpPage> {
  demandColleague(by)
  await opened(db, by, incidentId)
  const { data, total } = await listOfIncident(db, incidentId, page)
  return { data: data.map(toFollowUp(by)), total }
}

/** @throws Refusal 400 at the field for somebody who is archived, banned or external */
async function ownerNamed(db: OrgDb, email: string): Promise<PersonRow> {
  const people = await peopleNamed(
    db,
    [{ field: 'owner', email }],
    ({ active, banned, dashboard_user, type }) => active && !banned && !dashboard_user && type !== 'EXTERNAL',
    NO_OWNER,
  )
  return people.get(email)!
}

/** @throws Refusal 400 at a time that has passed, or is years away */
function demandAhead(at: string): void {
  const time = Date.parse(at)
  if (time <= clock.now()) throw wrongField('dueTimestamp', FOLLOW_UP_DUE_PAST)
  if (time > clock.now() + FOLLOW_UP_YEARS_MAX * 366 * DAY)
    throw wrongField('dueTimestamp', FOLLOW_UP_DUE_TOO_LATE)
}

/** A follow-up as its history shows it: the owner by address. */
const audited = (row: Pick<FollowUpRow, 'details' | 'dueTimestamp' | 'title'>, owner: string | null) => ({
  title: row.title,
  details: row.details,
  owner,
  dueTimestamp: row.dueTimestamp,
})
const AUDITED = ['title', 'details', 'owner', 'dueTimestamp'] as const
/** The title stands in every event, so that the timeline names the follow-up. */
function recordFollowUp(
  db: OrgDb,
  verb: 'added' | 'changed' | 'done' | 'reopened',
  { id, incidentId, title }: Pick<FollowUpRow, 'id' | 'incidentId' | 'title'>,
  changes: Changes,
  at: string,
): void {
  const named = { title: { from: null, to: title }, ...changes }
  record(db, { noun: NOUN, record: id, parent: incidentId, verb, changes: named, externals: [], at })
}

/** Tells the owner, and reminds before and at the due time. */
async function tellOwner(
  db: OrgDb,
  by: { readonly id: string },
  to: string,
  {
    title,
    incident,
  }: {
    readonly title: string
    readonly incident: Pick<OwnedRow, 'incidentId' | 'incidentTitle' | 'isTabletop'>
  },
  what = 'A follow-up is yours',
): Promise<void> {
  await notify(db, by, [to], {
    title: what,
    details: `${title} – ${incident.incidentTitle}`,
    incidentId: incident.incidentId,
    activityId: null,
    isTabletop: incident.isTabletop,
    externals: [],
  })
}
const timeOf = ({ at, kind }: Reminder): number =>
  Date.parse(at) - (kind === 'SOON' ? FOLLOW_UP_REMIND_BEFORE : 0)
const whenOf = (reminder: Reminder): string => new Date(timeOf(reminder)).toISOString()
/** Enqueues the reminders in the transaction that sets a due time. A time that has passed by then reminds nobody. */
async function planReminders({ jobs }: JobsPart, db: OrgDb, id: string, at: string): Promise<void> {
  const reminders: Reminder[] = [
    { id, at, kind: 'SOON' },
    { id, at, kind: 'DUE' },
  ]
  for (const reminder of reminders)
    if (timeOf(reminder) > clock.now()) await jobs.enqueueAt(db, QUEUE, whenOf(reminder), reminder)
}

/**
 * Adds a follow-up to a resolved incident and tells its owner.
 * @throws Refusal 400, 403, 404, 409 while the incident is in progress
 */
export async function addFollowUp(
  services: JobsPart,
  db: OrgDb,
  by: Acting,
  incidentId: string,
  { owner, dueTimestamp, ...words }: NewFollowUp,
): Promise<FollowUp> {
  demandColleague(by)
  const incident = await opened(db, by, incidentId, 'change')
  demand(!incident.isActive, 409, IN_PROGRESS)
  if ((await countOfIncident(db, incidentId)) >= FOLLOW_UPS_MAX) throw new Refusal(400, TOO_MANY_FOLLOW_UPS)
  const person = await ownerNamed(db, owner)
  demandAhead(dueTimestamp)
  const at = clock.timestamp()
  const row: FollowUpRow = {
    id: crypto.randomUUID(),
    incidentId,
    ...words,
    ownerId: person.id,
    dueTimestamp: new Date(dueTimestamp).toISOString(),
    createdBy: by.name,
    createTimestamp: at,
    updateTimestamp: at,
    doneBy: null,
    doneTimestamp: null,
    version: 1,
  }
  await insertFollowUp(db, row)
  recordFollowUp(db, 'added', row, changesBetween(null, audited(row, person.email), AUDITED), at)
  const made = (await findFollowUp(db, row.id))!
  await tellOwner(db, by, person.id, { title: row.title, incident: made })
  await planReminders(services, db, row.id, row.dueTimestamp)
  return toFollowUp(by)(made)
}

/** A follow-up in the version that the caller knows, locked with its incident until the transaction ends. */
async function heldFollowUp(db: OrgDb, by: Acting, id: string, version: number): Promise<OwnedRow> {
  demandColleague(by)
  const found = await findFollowUp(db, id)
  if (!found) throw notFound(THIS_FOLLOW_UP)
  await opened(db, by, found.incidentId, 'change')
  const row = await findFollowUp(db, id, true)
  if (!row) throw notFound(THIS_FOLLOW_UP)
  if (version !== row.version) throw stale(await findLastEditor(db, NOUN, id), ['follow-up'])
  return row
}

/**
 * Changes an open follow-up. A new owner is told, and a new due time reminds anew.
 * @throws Refusal 400, 403, 404, 409
 */
export async function changeFollowUp(
  services: JobsPart,
  db: OrgDb,
  by: Acting,
  id: string,
  { version, owner, dueTimestamp, ...words }: FollowUpChanges,
): Promise<FollowUp> {
  const row = await heldFollowUp(db, by, id, version)
  demand(row.doneTimestamp === null, 409, DONE)
  const person = row.owner?.email === owner ? null : await ownerNamed(db, owner)
  const due = new Date(dueTimestamp).toISOString()
  const isMoved = due !== row.dueTimestamp
  if (isMoved) demandAhead(due)
  const after = { ...row, ...words, dueTimestamp: due }
  const changes = changesBetween(
    audited(row, row.owner?.email ?? null),
    audited(after, person?.email ?? owner),
    AUDITED,
  )
  if (Object.keys(changes).length === 0) return reread(db, by, id)
  const at = clock.timestamp()
  await updateFollowUp(db, id, {
    ...words,
    dueTimestamp: due,
    ...(person && { ownerId: person.id }),
    updateTimestamp: at,
  })
  recordFollowUp(db, 'changed', after, changes, at)
  if (person) await tellOwner(db, by, person.id, { title: after.title, incident: row })
  if (isMoved) await planReminders(services, db, id, due)
  return reread(db, by, id)
}

/**
 * Marks a follow-up as done, or opens it again.
 * @throws Refusal 403 for people who neither own it nor change incidents, 404, 409
 */
export async function finishFollowUp(
  services: JobsPart,
  db: OrgDb,
  by: Acting,
  id: string,
  { isDone, version }: FollowUpDone,
): Promise<FollowUp> {
  const row = await heldFollowUp(db, by, id, version)
  demand(toFollowUp(by)(row).canFinish, 403, FORBIDDEN)
  if (isDone === (row.doneTimestamp !== null)) return reread(db, by, id)
  const at = clock.timestamp()
  await updateFollowUp(db, id, {
    doneBy: isDone ? by.name : null,
    doneTimestamp: isDone ? at : null,
    updateTimestamp: at,
  })
  recordFollowUp(db, isDone ? 'done' : 'reopened', row, {}, at)
  // A job that found the follow-up done has ended without a word.
  if (!isDone) await planReminders(services, db, id, row.dueTimestamp)
  return reread(db, by, id)
}

/** Takes the reminder and notifies in one transaction, so that no repetition of the job notifies again. */
async function remind(db: OrgDb, reminder: Reminder): Promise<void> {
  const row = await takeFollowUp(db, reminder)
  if (!row) return
  const to = row.owner === null ? await listAdministrators(db) : [row.ownerId!]
  const when = reminder.kind === 'SOON' ? 'is due tomorrow' : 'is due now'
  const whose = row.owner === null ? 'A follow-up that nobody has' : 'A follow-up of yours'
  for (const id of to)
    await tellOwner(db, { id: '' }, id, { title: row.title, incident: row }, `${whose} ${when}`)
}

/** Registers the job that reminds of follow-ups; call before the jobs begin. */
export function remindOfFollowUps({ jobs, database }: Pick<Services, 'jobs' | 'database'>): void {
  jobs.handle<Reminder>(QUEUE, ({ organisationId, data }) =>
    database.withOrganisation({ organisationId, actor: () => SYSTEM }, async (db) => {
      // A job of an organisation that was suspended meanwhile may come early.
      if (timeOf(data) > clock.now()) return jobs.enqueueAt(db, QUEUE, whenOf(data), data)
      return remind(db, data)
    }),
  )
}
