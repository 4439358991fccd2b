import * as z from 'zod/mini'

import { email, id, listOf, requiredText, SHORT_TEXT_MAX, text, timestamp } from '#contract/kit/text.ts'

export const DECISION_STATES = ['PROPOSED', 'DECIDED', 'SUPERSEDED'] as const
export const DecisionState = z.enum(DECISION_STATES)
export type DecisionState = z.infer<typeof DecisionState>

export const DECISION_TEXT_MAX = 4_000
export const OPTIONS_MAX = 10
export const ON_BEHALF_MAX = 500
/** Decisions per page. */
export const DECISIONS_PAGE_MAX = 100

export const DECISION_TITLE_REQUIRED = 'Please enter what has to be decided.'
export const OPTION_REQUIRED = 'Please enter the option, or remove it.'
export const TOO_MANY_OPTIONS = `A decision has at most ${OPTIONS_MAX} options.`
export const DECIDER_REQUIRED = 'Please choose who decides.'
export const DECISION_REQUIRED = 'Please enter what was decided.'
export const ON_BEHALF_REQUIRED =
  'Somebody else decides this. As an administrator you can confirm on their behalf: please enter why.'

const linked = z.object({ id, number: z.int(), state: DecisionState })

/** A decision of an incident. Texts are plain. */
export const Decision = z.object({
  id,
  incidentId: id,
  /** From 1 within the incident, shown as D1. */
  number: z.int(),
  state: DecisionState,
  title: z.string(),
  context: z.string(),
  options: z.array(z.string()),
  decision: z.string(),
  /** Email of the person who decides, and the name. */
  decider: z.string(),
  deciderName: z.string(),
  reason: z.string(),
  acceptedRisk: z.string(),
  createdBy: z.string(),
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  /** Email of the person who confirmed it, or name of an API key. */
  decidedBy: z.nullable(z.string()),
  decidedByName: z.nullable(z.string()),
  /** Present where somebody else than the decider confirmed it. */
  onBehalfReason: z.nullable(z.string()),
  decidedTimestamp: z.nullable(timestamp),
  recordedTimestamp: z.nullable(timestamp),
  supersedes: z.nullable(linked),
  /** The decision in its place, which counts once it is decided itself. */
  supersededBy: z.nullable(linked),
  /** The original chat message, visible to members of its room. */
  message: z.nullable(z.object({ id, roomId: id })),
  /** True for the person who decides. */
  isMine: z.boolean(),
  /** True for the person who decides, and for administrators on their behalf, while it is proposed. */
  canConfirm: z.boolean(),
  version: z.int(),
})
export type Decision = z.infer<typeof Decision>

export const DecisionPage = z.object({ data: z.array(Decision), total: z.int() })
export type DecisionPage = z.infer<typeof DecisionPage>

const words = () => z._default(text(DECISION_TEXT_MAX), '')
const fields = {
  title: requiredText(DECISION_TITLE_REQUIRED, SHORT_TEXT_MAX),
  context: words(),
  options: z._default(
    listOf(requiredText(OPTION_REQUIRED, SHORT_TEXT_MAX), OPTIONS_MAX, { tooMany: TOO_MANY_OPTIONS }),
    [],
  ),
  decision: words(),
  /** Email of an active colleague. */
  decider: z.pipe(requiredText(DECIDER_REQUIRED), email),
  reason: words(),
  acceptedRisk: words(),
}
/** The body of a proposed decision. */
export const NewDecision = z.object({
  ...fields,
  /** A decided one of the same incident, in the place of which this one comes once it is decided. */
  supersedes: z._default(z.nullable(id), null),
})
export type NewDecision = z.infer<typeof NewDecision>
/** The body of a changed proposal, with all fields. A stale version is refused. */
export const DecisionChanges = z.object({ ...fields, version: z.int() })
export type DecisionChanges = z.infer<typeof DecisionChanges>

/** The body that confirms a decision, with its last words. */
export const ConfirmedDecision = z.object({
  decision: requiredText(DECISION_REQUIRED, DECISION_TEXT_MAX),
  reason: words(),
  acceptedRisk: words(),
  /** Needed from an administrator who is not the decider. */
  onBehalfReason: z._default(z.nullable(text(ON_BEHALF_MAX)), null),
  /** Time at which it was decided; now without one. */
  decidedTimestamp: z._default(z.nullable(timestamp), null),
  version: z.int(),
})
export type ConfirmedDecision = z.infer<typeof ConfirmedDecision>
