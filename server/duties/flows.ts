import { awareProblem, filedProblem, soonFrom } from '#contract/duties/rules.ts'
import {
  type ClockChanges,
  type ClocksStart,
  type DutyClock,
  type DutyClocks,
  type Filing,
  type NotNeeded,
  PROOF_REQUIRED,
} from '#contract/duties/schema.ts'
import { saysSomething } from '#contract/incidents/schema.ts'
import { isBlank, LONG_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import { demandColleague } from '#server/incident-roles/flows.ts'
import { findHolderOf } from '#server/incident-roles/store.ts'
import { demandInternal } from '#server/incident-timeline/entries.flows.ts'
import { opened } from '#server/incidents/access.flows.ts'
import { peopleNamed } from '#server/incidents/activities.flows.ts'
import { findDeclarer } from '#server/incidents/due.store.ts'
import { findIncident } from '#server/incidents/reading.store.ts'
import type { PersonRow } from '#server/incidents/store.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { demand, notFound, stale, wrongField } from '#server/kit/core/refusal.ts'
import { plainText, sanitise } from '#server/kit/core/rich-text.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { notify } from '#server/notifications/flows.ts'

import { listStartable } from './catalogue.store.ts'
import {
  type ClockNotice,
  type ClockRow,
  findClock,
  type HeldClock,
  insertClocks,
  listClocks,
  listFileIds,
  takeClock,
  updateClock,
} from './store.ts'

const QUEUE = 'duty-clocks'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'duty clocks' }
const THIS_CLOCK = 'This clock'
const NOT_RUNNING = 'This clock has ended. Please let it run again to change it.'
const RUNNING = 'This clock is running.'
const NO_HOLDER = 'This is not an active colleague who can file it. Please choose somebody else.'
const NO_DUTY = 'This duty was deleted. Please choose again.'
const NO_FILE = 'One of these files is no file of this incident. Please choose again.'

type JobsPart = { readonly jobs: Pick<Services['jobs'], 'enqueueAt'> }
/** Data of a notice. One for another due time than that of the clock is superseded. */
interface Notice {
  readonly id: string
  readonly at: string
  readonly kind: ClockNotice
  /** Time of the notice. */
  readonly when: string
}

const isoOf = (at: string | number): string => new Date(at).toISOString()
const toClock = ({ holderId: _holder, fileIds: _files, hours: _hours, ...clockOf }: HeldClock): DutyClock =>
  clockOf
const reread = async (db: OrgDb, id: string): Promise<DutyClock> => toClock((await findClock(db, id))!)

/** @throws Refusal 403 for external people, who have no clocks of duties */
export const demandReader = (by: Parameters<typeof demandInternal>[0]): void => demandInternal(by)

/**
 * The clocks of an incident, and the duties that can still be started.
 * @throws Refusal 403, 404
 */
export async function clocksOf(db: OrgDb, by: Acting, incidentId: string): Promise<DutyClocks> {
  demandColleague(by)
  await opened(db, by, incidentId)
  return {
    clocks: (await listClocks(db, incidentId)).map(toClock),
    startable: await listStartable(db, incidentId),
  }
}

/** @throws Refusal 400 at the field for somebody who is archived, banned, external or may change nothing */
async function holderNamed(db: OrgDb, email: string): Promise<PersonRow> {
  const people = await peopleNamed(
    db,
    [{ field: 'holder', email }],
    ({ active, banned, dashboard_user, type, role }) =>
      active && !banned && !dashboard_user && type !== 'EXTERNAL' && role !== 'BUSINESS_USER',
    NO_HOLDER,
  )
  return people.get(email)!
}
/** @throws Refusal 400 at a time in the future, or more than a year ago */
function demandAware(at: string): void {
  const problem = awareProblem(at, clock.now())
  if (problem !== null) throw wrongField('awareTimestamp', problem)
}

type Verb = 'started' | 'changed' | 'drafted' | 'filed' | 'not needed' | 'resumed'
const told = (facts: { readonly [field: string]: unknown }): Changes =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([field, to]) => (to === null ? [] : [[field, { from: null, to }]])),
  )
/** The name stands in every event, so that the timeline names the duty. */
function recordClock(
  db: OrgDb,
  verb: Verb,
  { id, incidentId, name }: Pick<ClockRow, 'id' | 'incidentId' | 'name'>,
  changes: Changes,
  at: string,
): void {
  const named = { name: { from: null, to: name }, ...changes }
  record(db, { noun: 'duties', record: id, parent: incidentId, verb, changes: named, externals: [], at })
}

/** Enqueues the notices in the transaction that sets a due time. Those whose time has passed are told at once. */
async function planNotices(
  { jobs }: JobsPart,
  db: OrgDb,
  row: Pick<ClockRow, 'id' | 'awareTimestamp' | 'dueTimestamp'>,
): Promise<void> {
  const at = row.dueTimestamp
  const [soon, late] = [soonFrom(row), Date.parse(at)]
  const now = clock.now()
  const notices: Notice[] = [
    ...(late > now ? [{ id: row.id, at, kind: 'SOON', when: isoOf(Math.max(soon, now)) } as const] : []),
    { id: row.id, at, kind: 'LATE', when: isoOf(Math.max(late, now)) },
  ]
  for (const notice of notices) await jobs.enqueueAt(db, QUEUE, notice.when, notice)
}

/**
 * Starts clocks from a time of awareness. Those that are there already stay as they are.
 * @throws Refusal 400, 403, 404
 */
export async function startClocks(
  services: JobsPart,
  db: OrgDb,
  by: Acting,
  incidentId: string,
  { awareTimestamp, dutyIds, holder }: ClocksStart,
): Promise<DutyClocks> {
  demandColleague(by)
  await opened(db, by, incidentId, 'change')
  demandAware(awareTimestamp)
  const person = holder === null ? null : await holderNamed(db, holder)
  const [known, startable] = [await listClocks(db, incidentId), await listStartable(db, incidentId)]
  const at = clock.timestamp()
  const aware = isoOf(awareTimestamp)
  const rows = [...new Set(dutyIds)].flatMap((dutyId): ClockRow[] => {
    if (known.some((one) => one.dutyId === dutyId)) return []
    const duty = startable.find(({ id }) => id === dutyId)
    if (!duty) throw wrongField('dutyIds', NO_DUTY)
    return [
      {
        id: crypto.randomUUID(),
        incidentId,
        dutyId,
        name: duty.name,
        hours: duty.hours,
        filedTo: duty.filedTo,
        hint: duty.hint,
        state: 'RUNNING',
        awareTimestamp: aware,
        dueTimestamp: isoOf(Date.parse(aware) + duty.hours * HOUR),
        holderId: person?.id ?? (by.kind === 'person' ? by.id : null),
        startedBy: by.name,
        startTimestamp: at,
        draft: '',
        filedTimestamp: null,
        filedBy: null,
        reference: null,
        link: null,
        fileIds: [],
        reason: null,
        updatedBy: by.name,
        updateTimestamp: at,
        version: 1,
      },
    ]
  })
  await insertClocks(db, rows)
  for (const row of rows) {
    const { dueTimestamp, filedTo } = row
    const named = { awareTimestamp: aware, dueTimestamp, filedTo, holder: person?.email ?? null }
    recordClock(db, 'started', row, told(named), at)
    await planNotices(services, db, row)
  }
  const [first] = rows
  if (person && first) await tell(db, by, [person.id], first, 'You file what is due')
  return clocksOf(db, by, incidentId)
}

/** Tells people of a clock of an incident. */
async function tell(
  db: OrgDb,
  by: { readonly id: string },
  to: readonly string[],
  { incidentId, name }: Pick<ClockRow, 'incidentId' | 'name'>,
  title: string,
): Promise<void> {
  const incident = await findIncident(db, incidentId)
  if (!incident) return
  await notify(db, by, to, {
    title,
    details: `${name} – ${incident.title}`,
    incidentId,
    activityId: null,
    isTabletop: incident.isTabletop,
    externals: [],
  })
}

/** A clock in the version that the caller knows, locked with its incident until the transaction ends. */
async function heldClock(
  db: OrgDb,
  by: Acting,
  id: string,
  { version, isRunning }: { readonly version: number; readonly isRunning: boolean },
): Promise<HeldClock> {
  demandColleague(by)
  const found = await findClock(db, id)
  if (!found) throw notFound(THIS_CLOCK)
  await opened(db, by, found.incidentId, 'change')
  const row = await findClock(db, id, true)
  if (!row) throw notFound(THIS_CLOCK)
  if (version !== row.version) throw stale(row.updatedBy, ['clock'])
  demand((row.state === 'RUNNING') === isRunning, 409, isRunning ? NOT_RUNNING : RUNNING)
  return row
}

/** The draft as it is stored; empty for one that says nothing. */
function draftOf(html: string): string {
  const draft = saysSomething(html) ? sanitise(html) : ''
  if (draft.length > LONG_TEXT_MAX) throw wrongField('draft', tooLong(LONG_TEXT_MAX))
  return draft
}

/** A clock after a change of its draft, its time of awareness or its holder. */
async function changedClock(db: OrgDb, row: HeldClock, { draft, holder, awareTimestamp }: ClockChanges) {
  if (awareTimestamp !== undefined) demandAware(awareTimestamp)
  const person = holder === undefined || holder === row.holder?.email ? null : await holderNamed(db, holder)
  const aware = awareTimestamp === undefined ? row.awareTimestamp : isoOf(awareTimestamp)
  const changes = {
    draft: draft === undefined ? row.draft : draftOf(draft),
    awareTimestamp: aware,
    dueTimestamp: isoOf(Date.parse(aware) + row.hours * HOUR),
    ...(person && { holderId: person.id }),
  }
  const differing: Changes = {
    ...changesBetween<ClockRow>(row, { ...row, ...changes }, ['awareTimestamp', 'dueTimestamp']),
    ...(person && { holder: { from: row.holder?.email ?? null, to: person.email } }),
  }
  return { person, changes, differing }
}

/**
 * Saves the draft of a running clock, its holder or its time of awareness. A new holder is told.
 * @throws Refusal 400, 403, 404, 409
 */
export async function changeClock(
  services: JobsPart,
  db: OrgDb,
  by: Acting,
  id: string,
  requested: ClockChanges,
): Promise<DutyClock> {
  const row = await heldClock(db, by, id, { version: requested.version, isRunning: true })
  const { person, changes, differing } = await changedClock(db, row, requested)
  const isDrafted = changes.draft !== row.draft
  if (!isDrafted && Object.keys(differing).length === 0) return reread(db, id)
  const at = clock.timestamp()
  await updateClock(db, id, { ...changes, updatedBy: by.name, updateTimestamp: at })
  if (Object.keys(differing).length > 0) recordClock(db, 'changed', row, differing, at)
  if (isDrafted) {
    const words = { from: plainText(row.draft), to: plainText(changes.draft) }
    recordClock(db, 'drafted', row, { draft: words }, at)
  }
  if (changes.dueTimestamp !== row.dueTimestamp) await planNotices(services, db, { ...row, ...changes })
  if (person) await tell(db, by, [person.id], row, 'You file what is due')
  return reread(db, id)
}

/**
 * Ends a clock with the proof of what was filed.
 * @throws Refusal 400 for a time that cannot be, and without any proof; 403; 404; 409
 */
export async function fileClock(
  db: OrgDb,
  by: Acting,
  id: string,
  { version, filedTimestamp, reference, link, fileIds }: Filing,
): Promise<DutyClock> {
  const row = await heldClock(db, by, id, { version, isRunning: true })
  const problem = filedProblem(filedTimestamp, row.awareTimestamp, clock.now())
  if (problem !== null) throw wrongField('filedTimestamp', problem)
  if (isBlank(reference ?? '') && link === null && fileIds.length === 0)
    throw wrongField('reference', PROOF_REQUIRED)
  const found = await listFileIds(db, row.incidentId, fileIds)
  if (found.length < new Set(fileIds).size) throw wrongField('fileIds', NO_FILE)
  const at = clock.timestamp()
  const proof = { filedTimestamp: isoOf(filedTimestamp), reference, link }
  await updateClock(db, id, {
    state: 'FILED',
    ...proof,
    fileIds: found,
    filedBy: by.name,
    updatedBy: by.name,
    updateTimestamp: at,
  })
  const after = (await findClock(db, id))!
  const files = after.files.map(({ name, extension }) => `${name}.${extension}`).join(', ') || null
  recordClock(db, 'filed', row, told({ ...proof, files, draft: plainText(row.draft) || null }), at)
  return toClock(after)
}

/**
 * Ends a clock that is not needed.
 * @throws Refusal 403, 404, 409
 */
export async function setClockAside(
  db: OrgDb,
  by: Acting,
  id: string,
  { version, reason }: NotNeeded,
): Promise<DutyClock> {
  const row = await heldClock(db, by, id, { version, isRunning: true })
  const at = clock.timestamp()
  await updateClock(db, id, { state: 'NOT_NEEDED', reason, updatedBy: by.name, updateTimestamp: at })
  recordClock(db, 'not needed', row, told({ reason }), at)
  return reread(db, id)
}

/**
 * Lets an ended clock run again. The events keep how it had ended.
 * @throws Refusal 403, 404, 409
 */
export async function resumeClock(
  services: JobsPart,
  db: OrgDb,
  by: Acting,
  id: string,
  version: number,
): Promise<DutyClock> {
  const row = await heldClock(db, by, id, { version, isRunning: false })
  const at = clock.timestamp()
  await updateClock(db, id, {
    state: 'RUNNING',
    filedTimestamp: null,
    filedBy: null,
    reference: null,
    link: null,
    fileIds: [],
    reason: null,
    updatedBy: by.name,
    updateTimestamp: at,
  })
  recordClock(db, 'resumed', row, {}, at)
  // Jobs that found the clock ended have ended without a word.
  await planNotices(services, db, row)
  return reread(db, id)
}

/** Takes the notice and tells its holder and who leads in one transaction, so that no repetition tells again. */
async function tellOfClock(db: OrgDb, notice: Notice): Promise<void> {
  const row = await takeClock(db, notice)
  if (!row) return
  const leader =
    (await findHolderOf(db, row.incidentId, 'COMMAND')) ?? (await findDeclarer(db, row.incidentId))
  const to = [row.holder === null ? [] : (row.holderId ?? []), leader ?? []].flat()
  const hours = Math.max(1, Math.round((Date.parse(row.dueTimestamp) - clock.now()) / HOUR))
  const title =
    notice.kind === 'LATE'
      ? 'Time to file is over'
      : `Due to be filed in ${hours} ${hours === 1 ? 'hour' : 'hours'}`
  await tell(db, { id: '' }, to, row, title)
}

/** Registers the job that tells of clocks; call before the jobs begin. */
export function watchDutyClocks({ jobs, database }: Pick<Services, 'jobs' | 'database'>): void {
  jobs.handle<Notice>(QUEUE, ({ organisationId, data }) =>
    database.withOrganisation({ organisationId, actor: () => SYSTEM }, async (db) => {
      // A job of an organisation that was suspended meanwhile may come early.
      if (Date.parse(data.when) > clock.now()) return jobs.enqueueAt(db, QUEUE, data.when, data)
      return tellOfClock(db, data)
    }),
  )
}
