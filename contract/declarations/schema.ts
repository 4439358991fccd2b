import * as z from 'zod/mini'

import { Severity, SEVERITIES } from '#contract/incidents/schema.ts'
import { id, MEDIUM_TEXT_MAX, requiredText, timestamp, trimmedText } from '#contract/kit/text.ts'

export const SOURCE_NAME_REQUIRED = 'Please name this source.'
export const SOURCE_NAME_TAKEN = 'This name is already in use.'
export const FORM_KEPT = 'The form of a source cannot be changed. Create another source instead.'

/** Forms of what a source sends. */
export const SOURCE_FORMS = ['ALERTMANAGER', 'JSON'] as const
export const SourceForm = z.enum(SOURCE_FORMS)
export type SourceForm = z.infer<typeof SourceForm>

/** Path of the calls, before the source's `addressId`. */
export const DECLARE_PATH = '/webhooks/declare'

const words = z._default(trimmedText(MEDIUM_TEXT_MAX), '')
/** The fields of a source that a person chooses. */
export const sourceInputs = {
  name: requiredText(SOURCE_NAME_REQUIRED),
  form: SourceForm,
  isTabletop: z._default(z.boolean(), false),
  /** The source's own words for each severity, separated by commas. */
  criticalWords: words,
  highWords: words,
  mediumWords: words,
  lowWords: words,
  /** Severity of what none of the words names. */
  defaultSeverity: z._default(Severity, 'MEDIUM'),
}
const NewSource = z.object(sourceInputs)
export type NewSource = z.infer<typeof NewSource>

/** A program that declares incidents by signed calls. */
export const DeclarationSource = z.object({
  id,
  name: z.string(),
  form: SourceForm,
  /** Last part of the address that the source calls. */
  addressId: z.string(),
  isTabletop: z.boolean(),
  criticalWords: z.string(),
  highWords: z.string(),
  mediumWords: z.string(),
  lowWords: z.string(),
  defaultSeverity: Severity,
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type DeclarationSource = z.infer<typeof DeclarationSource>

/** A new source. No other response carries its secret. */
export const IssuedSource = z.extend(DeclarationSource, { secret: z.string() })
export type IssuedSource = z.infer<typeof IssuedSource>

/** Calls of a source that are kept. */
export const CALLS_KEPT = 100
export const CALL_RESULTS = ['DECLARED', 'UPDATED', 'UNCHANGED', 'REFUSED'] as const
const CallResult = z.enum(CALL_RESULTS)
export type CallResult = z.infer<typeof CallResult>

/** A call that a source has made. */
export const SourceCall = z.object({
  id,
  at: timestamp,
  result: CallResult,
  /** The outcome in a sentence. */
  sentence: z.string(),
  incidentId: z.nullable(id),
  /** Null without an incident. */
  incidentTitle: z.nullable(z.string()),
})
export type SourceCall = z.infer<typeof SourceCall>

/** Severities from the most severe on, with the field of a source that has their words. */
export const SEVERITY_WORDS = [
  ['CRITICAL', 'criticalWords'],
  ['HIGH', 'highWords'],
  ['MEDIUM', 'mediumWords'],
  ['LOW', 'lowWords'],
] as const satisfies readonly (readonly [(typeof SEVERITIES)[number], keyof typeof sourceInputs])[]
