import * as z from 'zod/mini'

import {
  id,
  isBlank,
  LONG_TEXT_MAX,
  MEDIUM_TEXT_MAX,
  text,
  timestamp,
  trimmedText,
} from '#contract/kit/text.ts'
import { saysSomething } from '#contract/incidents/schema.ts'

export const REPORT_REQUIRED = 'Please write what the situation is.'
export const RETURN_REASON_REQUIRED = 'Please say what has to change.'
/** Reports per page. */
export const REPORTS_PAGE_MAX = 20

/** `WAITING` for the approval of a second person. */
export const ReportState = z.enum(['DRAFT', 'WAITING', 'PUBLISHED'])
export type ReportState = z.infer<typeof ReportState>

/** A situation report of an incident. A published one never changes. */
export const SituationReport = z.object({
  id,
  incidentId: id,
  /** Number within the incident; null before the publication. */
  number: z.nullable(z.int()),
  /** Number of the report that it corrects. */
  correctsNumber: z.nullable(z.int()),
  state: ReportState,
  /** Sanitised HTML. */
  content: z.string(),
  /** Email, or name of an API key, as in the fields below. */
  createdBy: z.string(),
  createTimestamp: timestamp,
  updatedBy: z.string(),
  updateTimestamp: timestamp,
  submittedBy: z.nullable(z.string()),
  /** Said by the second person who sent it back. */
  returnReason: z.nullable(z.string()),
  returnedBy: z.nullable(z.string()),
  approvedBy: z.nullable(z.string()),
  publishedBy: z.nullable(z.string()),
  publishedTimestamp: z.nullable(timestamp),
  /** Sent back with each act, so that a stale one is refused. */
  version: z.int(),
})
export type SituationReport = z.infer<typeof SituationReport>

/** A page of the reports: the one that is written first, then the newest. */
export const SituationReports = z.object({ data: z.array(SituationReport), total: z.int() })
export type SituationReports = z.infer<typeof SituationReports>

/** The body that begins a report: filled from the incident, or with the words of a report that it corrects. */
export const NewReport = z.object({ corrects: z.optional(z.nullable(id)) })
export type NewReport = z.infer<typeof NewReport>

const version = z.int()
/** The version that an act is based on. */
export const ReportVersion = z.object({ version })
export type ReportVersion = z.infer<typeof ReportVersion>
/** The body that saves a draft. */
export const ReportChange = z.object({
  content: text(LONG_TEXT_MAX).check(z.refine(saysSomething, REPORT_REQUIRED)),
  version,
})
export type ReportChange = z.infer<typeof ReportChange>
/** The body that sends a report back. Only those who wrote it need no reason. */
export const ReportReturn = z.object({
  reason: z._default(z.nullable(trimmedText(MEDIUM_TEXT_MAX)), null),
  version,
})
export type ReportReturn = z.infer<typeof ReportReturn>

/** True for somebody who wrote the report, who is no second person for it. */
export const wrote = (
  { createdBy, updatedBy, submittedBy }: Pick<SituationReport, 'createdBy' | 'updatedBy' | 'submittedBy'>,
  name: string,
): boolean => [createdBy, updatedBy, submittedBy].includes(name)
export const saysReason = (reason: string | null): reason is string => !isBlank(reason ?? '')
