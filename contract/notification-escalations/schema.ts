import * as z from 'zod/mini'

import { id, listOf, timestamp } from '#contract/kit/text.ts'

/** People whom a step asks. */
export const ESCALATION_TARGETS = ['PERSON', 'DEPUTY'] as const
/** Channels of a step, as those of a notification. */
export const ESCALATION_CHANNELS = ['EMAIL', 'SMS', 'VOICE_CALL'] as const

export const STEPS_MAX = 6
export const ROUNDS_MAX = 3
/** Longest time of a step from the send, and longest pause, in minutes: a day. */
export const MINUTES_MAX = 1_440
export const STEP_REQUIRED = 'Please add at least one step, or remove the escalation.'
export const TOO_MANY_STEPS = `An escalation has at most ${STEPS_MAX} steps.`
export const STEP_MINUTES = `Please enter minutes from 1 to ${MINUTES_MAX.toLocaleString('en')}.`
export const STEPS_ASCEND = 'Each step has to come later than the one before it.'
export const ROUNDS_WRONG = `Please choose 1 to ${ROUNDS_MAX} rounds: an escalation has to end.`
export const ESCALATION_NEEDS_QUESTION =
  'An escalation needs a question: without one nobody can answer. Please ask one, or remove the escalation.'
export const ESCALATION_TOO_LONG =
  'The last step would come after the question has ended. Please shorten the steps, the pause or the rounds.'
export const DEPUTY_NEEDS_LINK =
  'A deputy cannot answer a call here. Please ask the deputy by email or SMS first.'
export const ORDER_NEEDS_GROUP = 'To ask in order, please select exactly one group and nobody else.'
export const ORDER_NEEDS_QUESTION =
  'Asking in order needs a question: without one nobody can answer. Please ask one.'
export const ORDER_OR_PLAN =
  'A group that is asked in order has no further steps. Please remove the escalation or the order.'
export const NO_ORDER = 'This group has no order. Please set it on the page of the group.'

const minutes = z.int(STEP_MINUTES).check(z.gte(1, STEP_MINUTES), z.lte(MINUTES_MAX, STEP_MINUTES))
/** Minutes after which the next member of a group is asked. */
export const OrderMinutes = minutes

/** A step of an escalation. */
export const EscalationStep = z.object({
  /** From the send; in later rounds the steps keep their distances. */
  afterMinutes: minutes,
  to: z.enum(ESCALATION_TARGETS),
  by: z.enum(ESCALATION_CHANNELS),
})
export type EscalationStep = z.infer<typeof EscalationStep>

/** A plan by which those who have not answered are asked again, until they answer or it ends. */
export const EscalationPlan = z
  .object({
    steps: listOf(EscalationStep, STEPS_MAX, { required: STEP_REQUIRED, tooMany: TOO_MANY_STEPS }),
    rounds: z._default(z.int(ROUNDS_WRONG).check(z.gte(1, ROUNDS_WRONG), z.lte(ROUNDS_MAX, ROUNDS_WRONG)), 1),
    /** From the last step of a round to the first of the next one. */
    pauseMinutes: z._default(minutes, 15),
  })
  .check(({ value: { steps }, issues }) => {
    for (const [n, { afterMinutes }] of steps.entries())
      if (n > 0 && afterMinutes <= steps[n - 1]!.afterMinutes)
        issues.push({
          code: 'custom',
          message: STEPS_ASCEND,
          path: ['steps', n, 'afterMinutes'],
          input: afterMinutes,
        })
  })
export type EscalationPlan = z.infer<typeof EscalationPlan>

/** Reasons why a step did not ask somebody. */
export const SKIP_REASONS = [
  'NO_DEPUTY',
  'DEPUTY_ARCHIVED',
  'MEMBER_ARCHIVED',
  'NO_ADDRESS',
  'QUOTA',
] as const
const SkipReason = z.enum(SKIP_REASONS)
export type SkipReason = z.infer<typeof SkipReason>

/** NEXT: the next member of a group that is asked in order. */
export const AskedKind = z.enum([...ESCALATION_TARGETS, 'NEXT'])
export type AskedKind = z.infer<typeof AskedKind>
const channels = z.array(z.enum(ESCALATION_CHANNELS))
/** Skipped people of a step that are shown by name. */
export const SKIPS_SHOWN = 5

/** A step that was taken. */
export const TakenStep = z.object({
  number: z.int(),
  round: z.int(),
  asked: AskedKind,
  types: channels,
  /** People to whom messages were made. */
  people: z.int(),
  /** Some of the people who were not asked, with the reason. */
  skips: z.array(z.object({ name: z.string(), reason: SkipReason })),
  /** Number of all of them. */
  skipped: z.int(),
  createTimestamp: timestamp,
})
export type TakenStep = z.infer<typeof TakenStep>

/**
 * The end of an escalation. ANSWERED: everybody has answered, or somebody of a group can. DONE: its last step was taken.
 * CLOSED: the question ended. CANCELLED: waiting messages were cancelled. STOPPED: somebody stopped it.
 */
export const ESCALATION_ENDS = ['ANSWERED', 'DONE', 'CLOSED', 'CANCELLED', 'STOPPED'] as const

/** An escalation with what comes next and what was done. */
export const Escalation = z.object({
  notificationId: id,
  /** Null once it has ended. */
  next: z.nullable(
    z.object({
      at: timestamp,
      round: z.int(),
      asked: AskedKind,
      types: channels,
      /** People who have not answered until now; at most one in a group that is asked in order. */
      people: z.int(),
    }),
  ),
  ended: z.nullable(z.enum(ESCALATION_ENDS)),
  endedBy: z.nullable(z.string()),
  endedTimestamp: z.nullable(timestamp),
  /** Newest first. */
  steps: z.array(TakenStep),
})
export type Escalation = z.infer<typeof Escalation>
