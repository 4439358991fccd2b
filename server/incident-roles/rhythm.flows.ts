import type { Config } from '#contract/config/catalogue.ts'
import {
  type HeldRole,
  NEXT_UPDATE_DAYS_MAX,
  NEXT_UPDATE_PAST,
  NEXT_UPDATE_TOO_LATE,
  type NextUpdate,
  type NextUpdateChange,
} from '#contract/incident-roles/schema.ts'
import { incidentCan } from '#contract/incidents/rules.ts'
import type { Severity } from '#contract/incidents/schema.ts'
import { findConfig } from '#server/config/flows.ts'
import { opened, RESOLVED, stateOf } from '#server/incidents/access.flows.ts'
import { findDeclarer } from '#server/incidents/due.store.ts'
import type { IncidentWithTargets } from '#server/incidents/reading.store.ts'
import { clock, DAY, MINUTE } from '#server/kit/core/clock.ts'
import { demand, FORBIDDEN, stale, wrongField } from '#server/kit/core/refusal.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { notify } from '#server/notifications/flows.ts'

import { findRhythm, holdRhythm, type RhythmFacts, upsertRhythm } from './rhythm.store.ts'
import { findHolderOf, listHeldRoles, listUpdating } from './store.ts'

const QUEUE = 'incident-rhythms'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'rhythm of updates' }
/** Time before and after a due time at which people are told. */
const TOLD = 5 * MINUTE
const NOT_LEADING =
  'Only those who lead the incident, who declared it, and administrators set the time of the next update.'

type JobsPart = Pick<Services['jobs'], 'enqueueAt'>
/** Data of a look at the rhythm. One for another time than the planned one is superseded. */
interface Look {
  readonly incidentId: string
  readonly at: string
}

const MINUTES_OF: { readonly [S in Severity]: keyof Config & `updateMinutes${string}` } = {
  CRITICAL: 'updateMinutesCritical',
  HIGH: 'updateMinutesHigh',
  MEDIUM: 'updateMinutesMedium',
  LOW: 'updateMinutesLow',
}
const minutesOf = (severity: Severity, config: Config): number => config[MINUTES_OF[severity]]
const isoOf = (at: number): string => new Date(at).toISOString()

interface Due {
  readonly at: number
  /** The moment from which it counts. */
  readonly since: number
  readonly setBy: string | null
}
/** The time by which the next update is due; null where none is. */
function dueOf(facts: RhythmFacts, config: Config): Due | null {
  if (!facts.isActive) return null
  const { createTimestamp, updateTimestamp, reportTimestamp, dueTimestamp, setTimestamp, setBy } = facts
  const last = Math.max(
    ...[createTimestamp, updateTimestamp, reportTimestamp].map((at) => (at === null ? 0 : Date.parse(at))),
  )
  const set = setTimestamp === null ? 0 : Date.parse(setTimestamp)
  if (dueTimestamp !== null && set >= last) return { at: Date.parse(dueTimestamp), since: set, setBy }
  const minutes = minutesOf(facts.severity, config)
  return minutes === 0 ? null : { at: last + minutes * MINUTE, since: last, setBy: null }
}
/** The time of the first notice. A rhythm of a few minutes is halved, so that no update is followed by its notice. */
const soonAt = ({ at, since }: Due): number => at - Math.min(TOLD, (at - since) / 2)

/** Plans the next look at a rhythm, unless it is planned already. */
async function plan(
  jobs: JobsPart,
  db: OrgDb,
  incidentId: string,
  { planned, at }: { readonly planned: string | null; readonly at: number | null },
): Promise<void> {
  const checkTimestamp = at === null ? null : isoOf(Math.max(at, clock.now()))
  if (checkTimestamp === planned) return
  await upsertRhythm(db, incidentId, { checkTimestamp })
  if (checkTimestamp !== null)
    await jobs.enqueueAt(db, QUEUE, checkTimestamp, { incidentId, at: checkTimestamp } satisfies Look)
}

/** Plans the notices of an incident that began or changed. */
export async function followRhythm(
  jobs: JobsPart,
  db: OrgDb,
  incidentId: string,
  config: Config,
): Promise<void> {
  const facts = await findRhythm(db, incidentId)
  if (!facts) return
  const due = dueOf(facts, config)
  const isTold = due !== null && facts.soonFor === isoOf(due.at)
  const at = due && (isTold ? due.at + TOLD : soonAt(due))
  await plan(jobs, db, incidentId, { planned: facts.checkTimestamp, at })
}

/** Counts a published situation report as an update. */
export async function noteReport(
  jobs: JobsPart,
  db: OrgDb,
  incidentId: string,
  { at, config }: { readonly at: string; readonly config: Config },
): Promise<void> {
  await upsertRhythm(db, incidentId, { reportTimestamp: at })
  await followRhythm(jobs, db, incidentId, config)
}

const leads = (
  by: Acting,
  { createdBy }: { readonly createdBy: string },
  roles: readonly HeldRole[],
): boolean =>
  by.permissions.includes('incidents-full-access') &&
  (by.kind === 'key' ||
    by.role === 'ADMIN' ||
    createdBy === by.name ||
    roles.some(({ duty, holder }) => (duty === 'COMMAND' || duty === 'DEPUTY') && holder?.email === by.name))

/** The time of the next update, as the caller sees it. */
export async function nextUpdateOf(
  db: OrgDb,
  by: Acting,
  incident: IncidentWithTargets,
  roles: readonly HeldRole[],
): Promise<NextUpdate> {
  const facts = (await findRhythm(db, incident.id))!
  const due = dueOf(facts, by.config)
  return {
    dueTimestamp: due && isoOf(due.at),
    setBy: due?.setBy ?? null,
    minutes: minutesOf(facts.severity, by.config),
    canSet: facts.isActive && leads(by, incident, roles),
    version: facts.version,
  }
}

/** The next updates that a person gives. */
export async function nextUpdatesOf(db: OrgDb, userId: string, config: Config) {
  const updates = []
  for (const incidentId of await listUpdating(db, userId)) {
    const facts = await findRhythm(db, incidentId)
    const due = facts && dueOf(facts, config)
    if (!due) continue
    const { title: incidentTitle, isTabletop } = facts
    updates.push({ incidentId, incidentTitle, isTabletop, at: isoOf(due.at) })
  }
  return updates
}

/** @throws Refusal 400 at a time that is past, or far away */
function demandSoon(at: string): void {
  const time = Date.parse(at)
  if (time <= clock.now()) throw wrongField('dueTimestamp', NEXT_UPDATE_PAST)
  if (time > clock.now() + NEXT_UPDATE_DAYS_MAX * DAY) throw wrongField('dueTimestamp', NEXT_UPDATE_TOO_LATE)
}

/**
 * Sets the time of the next update by hand, or returns to the rhythm of the severity.
 * @throws Refusal 400, 403 for those who do not lead, 404, 409
 */
export async function setNextUpdate(
  { jobs }: { readonly jobs: JobsPart },
  db: OrgDb,
  by: Acting,
  incidentId: string,
  { dueTimestamp, version }: NextUpdateChange,
): Promise<NextUpdate> {
  demand(by.type !== 'EXTERNAL', 403, FORBIDDEN)
  const incident = await opened(db, by, incidentId, 'change')
  const roles = await listHeldRoles(db, incidentId)
  demand(leads(by, incident, roles), 403, NOT_LEADING)
  demand(incidentCan.edit(stateOf(incident)), 409, RESOLVED)
  const facts = (await findRhythm(db, incidentId))!
  const before = dueOf(facts, by.config)
  const wasSet = before !== null && before.setBy !== null ? isoOf(before.at) : null
  const next = dueTimestamp === null ? null : isoOf(Date.parse(dueTimestamp))
  if (next === wasSet) return nextUpdateOf(db, by, incident, roles)
  if (version !== undefined && version !== facts.version)
    throw stale(facts.setBy, ['time of the next update'])
  if (next !== null) demandSoon(next)
  const at = clock.timestamp()
  await upsertRhythm(db, incidentId, {
    dueTimestamp: next,
    setTimestamp: at,
    setBy: by.name,
    version: facts.version + 1,
  })
  record(db, {
    noun: 'incident-roles',
    record: incidentId,
    parent: incidentId,
    verb: 'next update set',
    changes: { dueTimestamp: { from: before && isoOf(before.at), to: next } },
    externals: [],
    at,
  })
  await followRhythm(jobs, db, incidentId, by.config)
  return nextUpdateOf(db, by, incident, roles)
}

/** Tells one person of an update that is due, or late. */
async function tell(
  db: OrgDb,
  facts: RhythmFacts,
  incidentId: string,
  { title, to }: { readonly title: string; readonly to: string | undefined },
): Promise<void> {
  if (to === undefined) return
  const { isTabletop, title: details } = facts
  const notice = { title, details, incidentId, activityId: null, isTabletop, externals: [] }
  await notify(db, { id: '' }, [to], notice)
}

/**
 * Looks at the rhythm of an incident: tells of an update that is due or late, once for each due time, and plans the next
 * look. Updates plan nothing themselves, so the look after a late one comes before the next notice can be due.
 */
async function look(jobs: JobsPart, db: OrgDb, { incidentId, at: planned }: Look): Promise<void> {
  await holdRhythm(db, incidentId)
  const facts = await findRhythm(db, incidentId)
  if (facts?.checkTimestamp !== planned) return
  const config = await findConfig(db)
  const due = dueOf(facts, config)
  const next = (at: number | null) => plan(jobs, db, incidentId, { planned, at })
  if (!due) return next(null)
  const now = clock.now()
  const dueTimestamp = isoOf(due.at)
  if (now < soonAt(due)) return next(soonAt(due))
  if (now < due.at + TOLD) {
    if (facts.soonFor !== dueTimestamp && now < due.at) {
      const holder = await findHolderOf(db, incidentId, 'COMMUNICATIONS')
      const to =
        holder ?? (await findHolderOf(db, incidentId, 'COMMAND')) ?? (await findDeclarer(db, incidentId))
      const minutes = Math.max(1, Math.round((due.at - now) / MINUTE))
      const title = `The next update is due in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
      await tell(db, facts, incidentId, { title, to })
      await upsertRhythm(db, incidentId, { soonFor: dueTimestamp })
    }
    return next(due.at + TOLD)
  }
  if (facts.lateFor !== dueTimestamp) {
    const to = (await findHolderOf(db, incidentId, 'COMMAND')) ?? (await findDeclarer(db, incidentId))
    await tell(db, facts, incidentId, { title: 'The next update is late', to })
    await upsertRhythm(db, incidentId, { lateFor: dueTimestamp })
  }
  const minutes = minutesOf(facts.severity, config)
  if (minutes === 0) return next(null)
  return next(now + Math.max(MINUTE, minutes * MINUTE - Math.min(TOLD, (minutes * MINUTE) / 2)))
}

/** Registers the job that looks at rhythms; call before the jobs begin. */
export function keepRhythms({ jobs, database }: Services): void {
  jobs.handle<Look>(QUEUE, ({ organisationId, data }) =>
    database.withOrganisation({ organisationId, actor: () => SYSTEM }, (db) => look(jobs, db, data)),
  )
}
