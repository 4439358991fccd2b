import { LONG_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import {
  type NewReport,
  type ReportChange,
  type ReportReturn,
  type ReportState,
  REPORT_REQUIRED,
  RETURN_REASON_REQUIRED,
  saysReason,
  type SituationReport,
  type SituationReports,
  wrote,
} from '#contract/situation-reports/schema.ts'
import { demandColleague } from '#server/incident-roles/flows.ts'
import { noteReport } from '#server/incident-roles/rhythm.flows.ts'
import { opened } from '#server/incidents/access.flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { demand, notFound, Refusal, stale, wrongField } from '#server/kit/core/refusal.ts'
import { plainText, sanitise } from '#server/kit/core/rich-text.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { firstWords } from './first-words.flows.ts'
import {
  deleteReport,
  findReport,
  findUnpublished,
  insertReport,
  listPublished,
  listReports,
  updateReport,
} from './store.ts'

const THIS_REPORT = 'This situation report'
const NOT_A_DRAFT = 'Only a draft can be changed. Correct a published report with the next number.'
const NOT_WAITING = 'This situation report does not wait for approval any more.'
const OWN = 'You wrote this situation report. Please ask a second person to approve it.'
const CORRECTS_PUBLISHED = 'Only a published report of this incident can be corrected.'

type JobsPart = { readonly jobs: Pick<Services['jobs'], 'enqueueAt'> }
type Verb = 'drafted' | 'changed' | 'submitted' | 'sent back' | 'published' | 'discarded'

function recordReport(
  db: OrgDb,
  { id, incidentId }: Pick<SituationReport, 'id' | 'incidentId'>,
  verb: Verb,
  told: { readonly [field: string]: string | number | null } = {},
): void {
  const changes: Changes = Object.fromEntries(
    Object.entries(told).flatMap(([field, to]) => (to === null ? [] : [[field, { from: null, to }]])),
  )
  record(db, { noun: 'situation-reports', record: id, parent: incidentId, verb, changes, externals: [] })
}

/**
 * A page of the reports of an incident.
 * @throws Refusal 403, 404
 */
export async function reportsOf(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  page: { readonly offset: number; readonly size: number },
): Promise<SituationReports> {
  demandColleague(by)
  await opened(db, by, incidentId)
  return listReports(db, incidentId, page)
}

/** @throws Refusal 403, 404 */
export async function openReport(db: OrgDb, by: Acting, id: string): Promise<SituationReport> {
  demandColleague(by)
  const report = await findReport(db, id)
  if (!report) throw notFound(THIS_REPORT)
  return report
}

/** A report in one of some states and in the version that the caller knows, locked with its incident. */
async function heldReport(
  db: OrgDb,
  by: Acting,
  id: string,
  {
    version,
    states,
    problem,
  }: { readonly version: number | null; readonly states: readonly ReportState[]; readonly problem: string },
) {
  const { incidentId } = await openReport(db, by, id)
  const incident = await opened(db, by, incidentId, 'change')
  const report = await findReport(db, id, true)
  if (!report) throw notFound(THIS_REPORT)
  if (version !== null && version !== report.version) throw stale(report.updatedBy, ['situation report'])
  demand(states.includes(report.state), 409, problem)
  return { incident, report }
}

const reread = async (db: OrgDb, id: string): Promise<SituationReport> => (await findReport(db, id))!

/**
 * Begins a report: filled from the incident, or with the words of a report that it corrects.
 * @throws Refusal 403, 404, 409 while another one is written
 */
export async function draftReport(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  { corrects = null }: NewReport,
): Promise<SituationReport> {
  demandColleague(by)
  const incident = await opened(db, by, incidentId, 'change')
  const other = await findUnpublished(db, incidentId)
  if (other)
    throw new Refusal(
      409,
      `${other.createdBy} is writing a situation report already. Please go on with that one, or discard it.`,
    )
  const corrected = corrects === null ? null : await findReport(db, corrects)
  if (corrected !== null && (corrected?.incidentId !== incidentId || corrected.state !== 'PUBLISHED'))
    throw wrongField('corrects', CORRECTS_PUBLISHED)
  const [last] = await listPublished(db, incidentId, 1)
  const at = clock.timestamp()
  const report: SituationReport = {
    id: crypto.randomUUID(),
    incidentId,
    number: null,
    correctsNumber: corrected?.number ?? null,
    state: 'DRAFT',
    content:
      corrected?.content ?? sanitise(await firstWords(db, by, incident, last?.publishedTimestamp ?? null)),
    createdBy: by.name,
    createTimestamp: at,
    updatedBy: by.name,
    updateTimestamp: at,
    submittedBy: null,
    returnReason: null,
    returnedBy: null,
    approvedBy: null,
    publishedBy: null,
    publishedTimestamp: null,
    version: 1,
  }
  await insertReport(db, report)
  recordReport(db, report, 'drafted', { corrects: report.correctsNumber })
  return report
}

/**
 * Saves a draft.
 * @throws Refusal 400, 403, 404, 409
 */
export async function changeReport(
  db: OrgDb,
  by: Acting,
  id: string,
  { content: html, version }: ReportChange,
): Promise<SituationReport> {
  const { report } = await heldReport(db, by, id, { version, states: ['DRAFT'], problem: NOT_A_DRAFT })
  const content = sanitise(html)
  // Escaping lengthens text, and stored text must fit when it is sent back.
  if (content.length > LONG_TEXT_MAX) throw wrongField('content', tooLong(LONG_TEXT_MAX))
  if (plainText(content) === '') throw wrongField('content', REPORT_REQUIRED)
  if (content === report.content) return report
  await updateReport(db, id, { content, updatedBy: by.name, updateTimestamp: clock.timestamp() })
  recordReport(db, report, 'changed')
  return reread(db, id)
}

/** Publishes a report under the next number of its incident, which is locked. */
async function publish(
  { jobs }: JobsPart,
  db: OrgDb,
  by: Acting,
  report: SituationReport,
  approvedBy: string | null,
): Promise<SituationReport> {
  const [last] = await listPublished(db, report.incidentId, 1)
  const number = (last?.number ?? 0) + 1
  const at = clock.timestamp()
  await updateReport(db, report.id, {
    state: 'PUBLISHED',
    number,
    approvedBy,
    publishedBy: approvedBy === null ? by.name : (report.submittedBy ?? report.updatedBy),
    publishedTimestamp: at,
    returnReason: null,
    returnedBy: null,
  })
  recordReport(db, report, 'published', { number, corrects: report.correctsNumber, approvedBy })
  await noteReport(jobs, db, report.incidentId, { at, config: by.config })
  return reread(db, report.id)
}

/**
 * Publishes a draft, or lets it wait for a second person where the organisation demands that.
 * @throws Refusal 403, 404, 409
 */
export async function publishReport(
  services: JobsPart,
  db: OrgDb,
  by: Acting,
  id: string,
  { version }: { readonly version: number },
): Promise<SituationReport> {
  const { report } = await heldReport(db, by, id, { version, states: ['DRAFT'], problem: NOT_A_DRAFT })
  if (!by.config.situationReportApproval) return publish(services, db, by, report, null)
  await updateReport(db, id, {
    state: 'WAITING',
    submittedBy: by.name,
    returnReason: null,
    returnedBy: null,
  })
  recordReport(db, report, 'submitted')
  return reread(db, id)
}

/**
 * Publishes a report that waits, as the second person.
 * @throws Refusal 403 for those who wrote it, 404, 409
 */
export async function approveReport(
  services: JobsPart,
  db: OrgDb,
  by: Acting,
  id: string,
  { version }: { readonly version: number },
): Promise<SituationReport> {
  const { report } = await heldReport(db, by, id, { version, states: ['WAITING'], problem: NOT_WAITING })
  demand(!wrote(report, by.name), 403, OWN)
  return publish(services, db, by, report, by.name)
}

/**
 * Makes a report that waits a draft again.
 * @throws Refusal 400 without a reason from somebody who did not write it, 403, 404, 409
 */
export async function sendReportBack(
  db: OrgDb,
  by: Acting,
  id: string,
  { version, reason }: ReportReturn,
): Promise<SituationReport> {
  const { report } = await heldReport(db, by, id, { version, states: ['WAITING'], problem: NOT_WAITING })
  const kept = saysReason(reason) ? reason : null
  if (kept === null && !wrote(report, by.name)) throw wrongField('reason', RETURN_REASON_REQUIRED)
  await updateReport(db, id, {
    state: 'DRAFT',
    submittedBy: null,
    returnReason: kept,
    returnedBy: kept === null ? null : by.name,
  })
  recordReport(db, report, 'sent back', { reason: kept })
  return reread(db, id)
}

/**
 * Discards a draft.
 * @throws Refusal 403, 404, 409 for a report that waits or is published
 */
export async function discardReport(db: OrgDb, by: Acting, id: string): Promise<void> {
  const held = { version: null, states: ['DRAFT'], problem: NOT_A_DRAFT } as const
  const { report } = await heldReport(db, by, id, held)
  await deleteReport(db, id)
  recordReport(db, report, 'discarded')
}
