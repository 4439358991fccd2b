import { Readable } from 'node:stream'

import { sql } from 'kysely'

import { FOLLOW_UPS_MAX } from '#contract/follow-ups/schema.ts'
import { ReportRequest } from '#contract/incident-reports/schema.ts'
import { pick } from '#contract/kit/pick.ts'
import { listFiles } from '#server/attachments/store.ts'
import { listAllDecisions } from '#server/incident-decisions/store.ts'
import { listClocks } from '#server/duties/store.ts'
import { listOfIncident } from '#server/follow-ups/store.ts'
import { listConditions } from '#server/incident-playbooks/conditions.store.ts'
import { findConfig } from '#server/config/flows.ts'
import { emailsOf } from '#server/incident-timeline/flows.ts'
import { listEntries } from '#server/incident-timeline/store.ts'
import { countIncidentAnswers } from '#server/incidents/answers.store.ts'
import { opened } from '#server/incidents/access.flows.ts'
import { findIncident, type IncidentWithTargets, listCheckIns } from '#server/incidents/reading.store.ts'
import { listActivities } from '#server/incidents/activities.store.ts'
import { listIncidentEvents } from '#server/incidents/history.store.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { listMissing } from '#server/incidents/team.store.ts'
import { listNamed } from '#server/users/people.store.ts'
import { findBlob, keepBlob, type StoredBlob } from '#server/kit/blobs/blobs.ts'
import { clock, HOUR, MINUTE } from '#server/kit/core/clock.ts'
import { fieldsOf } from '#server/kit/database/columns.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Job } from '#server/kit/jobs/jobs.ts'
import { DOCUMENT_TOO_LONG } from '#server/kit/pdf/pdf.ts'
import { inProcess } from '#server/kit/processes/processes.ts'
import { demand, notFound } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { valuesInWords } from '#server/incident-fields/values.flows.ts'
import { listHoldings } from '#server/incident-roles/store.ts'
import { listPublished } from '#server/situation-reports/store.ts'
import type { CommandFacts } from './command.content.ts'
import { withoutDetails } from './details.content.ts'
import { fileName, lengthOf, type ReportFacts } from './report.ts'
import {
  findBeingMade,
  findLastSequence,
  findOrganisationName,
  findReady,
  findRequest,
  insertReport,
  insertRequest,
  type RequestRow,
  updateBeingMade,
} from './store.ts'

/**
 * Rows above which a report is made in the background: shorter ones are drawn within about two seconds on a busy
 * machine (docs/decisions/016).
 */
export const LONG = 500
/** Lifetime of a finished report, and time limit for making one. */
const KEPT = HOUR
/** Time after which a report that was begun counts as lost. */
const LOST_AFTER = 15 * MINUTE
const TRIES = 3
const QUEUE = 'incident-reports'
const NOT_READY = 'The report is not ready.'
const THIS_REPORT = 'This report'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'reports' }

const after = (span: number) => new Date(clock.now() + span).toISOString()

const isExternal = ({ type }: Pick<Caller, 'type'>): boolean => type === 'EXTERNAL'

/** Titles with their holders that a report shows. */
const HOLDINGS_MAX = 1_000
async function commandFacts(db: OrgDb, incidentId: string): Promise<CommandFacts> {
  const { data } = await listHoldings(db, incidentId, { key: null, offset: 0, size: HOLDINGS_MAX })
  const situationReports = await listPublished(db, incidentId)
  return { holdings: data.toReversed(), situationReports: situationReports.toReversed() }
}
const NO_COMMAND: CommandFacts = { holdings: [], situationReports: [] }
/** Nouns of the event stream that external people read nothing of. */
const OF_COMMAND: readonly string[] = [
  'incident-decisions',
  'incident-roles',
  'situation-reports',
  'stakeholder-links',
  'follow-ups',
  'duties',
]

interface Reader {
  readonly isForExternals: boolean
  /** The recipient; null for a report that is shared. */
  readonly by: string | null
}
/** Facts of a report. External people read neither entries by hand nor decisions, roles and situation reports. */
async function factsOf(
  db: OrgDb,
  incident: IncidentWithTargets,
  { isForExternals, by }: Reader,
): Promise<ReportFacts> {
  const { id, isTargeted } = incident
  const all = await listIncidentEvents(db, id)
  const happened = isForExternals ? withoutDetails(all.filter(({ noun }) => !OF_COMMAND.includes(noun))) : all
  const entries = isForExternals ? [] : await listEntries(db, id)
  const decisions = isForExternals ? [] : await listAllDecisions(db, id)
  const shown = [
    incident.createdBy,
    incident.resolvedBy ?? [],
    incident.targets.map(({ email }) => email),
    emailsOf(happened),
    entries.flatMap(({ createdBy, removedBy }) => [createdBy, removedBy ?? []].flat()),
    decisions.flatMap(({ decider, decidedBy }) => [decider, decidedBy ?? []].flat()),
  ]
  return {
    incident: {
      ...incident,
      ...(isForExternals && { kind: null, fieldValues: {}, labels: [] }),
      checkIns: await listCheckIns(db, id),
    },
    details: isForExternals ? [] : await valuesInWords(db, incident.fieldValues),
    activities: await listActivities(db, [id]),
    files: await listFiles(db, [id]),
    conditions: await listConditions(db, id),
    followUps: isForExternals ? [] : (await listOfIncident(db, id, { page: 0, size: FOLLOW_UPS_MAX })).data,
    clocks: isForExternals ? [] : await listClocks(db, id),
    command: isForExternals ? NO_COMMAND : await commandFacts(db, id),
    happened,
    entries,
    decisions,
    answers: await countIncidentAnswers(
      db,
      happened.filter(({ noun }) => noun === 'mass-notifications').map(({ record: one }) => one),
    ),
    missing: await listMissing(db, { incidentId: id, isTargeted, known: sql<boolean>`true` }),
    people: await listNamed(db, shown.flat()),
    organisation: await findOrganisationName(db),
    timeZone: (await findConfig(db)).timeZone,
    at: clock.timestamp(),
    by,
  }
}

/** Writes and draws a report in a worker process, because it may have thousands of rows. */
const drawReport = (facts: ReportFacts): Promise<Buffer> =>
  inProcess<ReportFacts, Buffer>({
    kind: 'making',
    module: new URL('./report.task.ts', import.meta.url),
    task: facts,
    excess: DOCUMENT_TOO_LONG,
  })

/** Records that a report was handed out, so that a copy can be proven later. */
async function issue(
  db: OrgDb,
  by: Pick<Caller, 'name'>,
  incidentId: string,
  { id, sha256, size }: StoredBlob,
): Promise<void> {
  const row = {
    id: crypto.randomUUID(),
    incidentId: incidentId,
    blobId: id,
    sha256,
    createdBy: by.name,
    createTimestamp: clock.timestamp(),
  }
  await insertReport(db, row)
  const changes = { sha256: { from: null, to: sha256 }, size: { from: null, to: size } }
  record(db, { noun: 'incident-reports', record: row.id, parent: incidentId, verb: 'issued', changes })
}

/** Reads the facts of a report and draws it after the transaction. Stores the file, and an event with its digest. */
export async function issueReport(
  services: Services,
  db: OrgDb,
  caller: Caller,
  id: string,
): Promise<FileReply> {
  const facts = await factsOf(db, await opened(db, caller, id), {
    isForExternals: isExternal(caller),
    by: caller.name,
  })
  const body = async () => {
    const pdf = await drawReport(facts)
    const organisationId = caller.organisation.id
    const blob = await services.blobs.write(organisationId, Readable.from([pdf]))
    const actor = () => ({ kind: caller.kind, id: caller.id, name: caller.name })
    await services.database.withOrganisation({ organisationId, actor }, async (again) => {
      await keepBlob(again, blob)
      await issue(again, caller, id, blob)
    })
    return pdf
  }
  return { name: fileName(facts), type: 'application/pdf', body }
}

const toReportRequest = (row: RequestRow): ReportRequest => pick(row, fieldsOf(ReportRequest))

/**
 * Requests a long report. Returns the existing one while it is being made, or when it is ready and nothing has happened
 * since; null for a short report.
 */
export async function requestReport(
  { jobs }: Services,
  db: OrgDb,
  caller: Caller,
  incidentId: string,
): Promise<ReportRequest | null> {
  const incident = await opened(db, caller, incidentId)
  const now = clock.timestamp()
  const isForExternals = isExternal(caller)
  const running = await findBeingMade(db, incidentId, isForExternals)
  if (running && Date.parse(running.updateTimestamp) > clock.now() - LOST_AFTER)
    return toReportRequest(running)
  if (running) await updateBeingMade(db, running.id, { state: 'FAILED', updateTimestamp: now })
  if (lengthOf(await factsOf(db, incident, { isForExternals, by: null })) < LONG) return null
  const sequence = await findLastSequence(db, incidentId)
  const ready = await findReady(db, incidentId, { sequence, after: now, isForExternals })
  if (ready) return toReportRequest(ready)
  const row: RequestRow = {
    id: crypto.randomUUID(),
    incidentId: incidentId,
    state: 'MAKING',
    progress: 0,
    tries: 0,
    sequence,
    fileName: null,
    blobId: null,
    createTimestamp: now,
    updateTimestamp: now,
    expireTimestamp: after(KEPT),
    isForExternals,
  }
  // The second of two concurrent requests waits and joins the first.
  if (await insertRequest(db, row)) await jobs.enqueue(db, QUEUE, { id: row.id })
  return toReportRequest((await findBeingMade(db, incidentId, isForExternals)) ?? row)
}

/** A report request for an incident that the caller may see now. */
async function requestFor(db: OrgDb, caller: Caller, id: string): Promise<RequestRow> {
  const row = await findRequest(db, id)
  if (!row || row.expireTimestamp <= clock.timestamp()) throw notFound(THIS_REPORT)
  if (isExternal(caller) && !row.isForExternals) throw notFound(THIS_REPORT)
  await opened(db, caller, row.incidentId)
  return row
}

export const reportProgress = async (db: OrgDb, caller: Caller, id: string): Promise<ReportRequest> =>
  toReportRequest(await requestFor(db, caller, id))

/** A finished report, stored and recorded like every report that was handed out. */
export async function requestedReport(
  { blobs }: Services,
  db: OrgDb,
  caller: Caller,
  id: string,
): Promise<FileReply> {
  const row = await requestFor(db, caller, id)
  demand(row.state === 'READY', 409, NOT_READY)
  const blob = await findBlob(db, row.blobId!)
  if (!blob) throw notFound(THIS_REPORT)
  await issue(db, caller, row.incidentId, blob)
  return {
    name: row.fileName!,
    type: 'application/pdf',
    size: blob.size,
    body: () => blobs.read(caller.organisation.id, blob),
  }
}

/** Registers the handler of report jobs; call before the jobs begin. */
export function makeReports(services: Services): void {
  services.jobs.handle<{ id: string }>(QUEUE, (job) => make(services, job), { parallel: 2 })
}

async function make({ database, blobs }: Services, job: Job<{ id: string }>): Promise<void> {
  const { organisationId, data } = job
  const inside = <T>(work: (db: OrgDb) => Promise<T>): Promise<T> =>
    database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  const note = (changes: Partial<RequestRow>) =>
    inside((db) => updateBeingMade(db, data.id, { updateTimestamp: clock.timestamp(), ...changes }))
  const begun = await inside((db) => begin(db, data.id))
  if (!begun) return
  try {
    const { facts, sequence } = begun
    const pdf = await drawReport(facts)
    const blob = await blobs.write(organisationId, Readable.from([pdf]))
    await inside(async (db) => {
      await keepBlob(db, blob)
      const done = await updateBeingMade(db, data.id, {
        state: 'READY',
        progress: 100,
        sequence,
        fileName: fileName(facts),
        blobId: blob.id,
        updateTimestamp: clock.timestamp(),
        expireTimestamp: after(KEPT),
      })
      // Rolls back and leaves the file to the sweep: nobody waits for it.
      if (!done) throw new Error('The report was given up meanwhile.')
    })
  } catch (error) {
    if (begun.tries < TRIES && !job.last) throw error
    await note({ state: 'FAILED' })
  }
}

/** Counts an attempt, so that a report which crashes the process is not retried for ever, and reads the facts. */
async function begin(db: OrgDb, id: string) {
  const request = await findRequest(db, id)
  if (request?.state !== 'MAKING') return null
  const tries = request.tries + 1
  const now = clock.timestamp()
  const incident = await findIncident(db, request.incidentId)
  const failed = tries > TRIES || !incident
  await updateBeingMade(db, id, { tries, updateTimestamp: now, ...(failed ? { state: 'FAILED' } : {}) })
  if (failed) return null
  const sequence = await findLastSequence(db, incident.id)
  return {
    tries,
    sequence,
    facts: await factsOf(db, incident, { isForExternals: request.isForExternals, by: null }),
  }
}
