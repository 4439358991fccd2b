import { DEPUTY_NEEDS_LINK, type EscalationPlan, type EscalationStep, type SkipReason } from './schema.ts'

const MINUTE = 60_000

/** Number of all steps, of all rounds. */
export const stepCount = ({ steps, rounds }: EscalationPlan): number => steps.length * rounds

/** A step of all rounds by its number from 0. */
export interface PlannedStep extends EscalationStep {
  /** From 1. */
  readonly round: number
  /** Minutes from the send. */
  readonly dueMinutes: number
}
/** The step of a number; undefined after the last one. */
export function plannedStep(plan: EscalationPlan, number: number): PlannedStep | undefined {
  const { steps, pauseMinutes } = plan
  if (number >= stepCount(plan)) return undefined
  const round = Math.floor(number / steps.length)
  const step = steps[number % steps.length]!
  const length = steps.at(-1)!.afterMinutes - steps[0]!.afterMinutes + pauseMinutes
  return { ...step, round: round + 1, dueMinutes: step.afterMinutes + round * length }
}

/** Time of a step in milliseconds. */
export const dueAt = (start: number, { dueMinutes }: Pick<PlannedStep, 'dueMinutes'>): number =>
  start + dueMinutes * MINUTE

/** Minutes from the send to the last step. */
export const planMinutes = (plan: EscalationPlan): number =>
  plannedStep(plan, stepCount(plan) - 1)?.dueMinutes ?? 0

/** Channels that a plan needs beside those of its notification. */
export const channelsOf = (plan: EscalationPlan | null | undefined): EscalationStep['by'][] => [
  ...new Set(plan?.steps.map(({ by }) => by)),
]

/**
 * The problems of a plan where some channels are not offered, by field below the plan.
 * @param off the sentence for a channel that is not offered
 */
export function planProblems(
  { steps }: EscalationPlan,
  offers: (by: EscalationStep['by']) => boolean,
  takesKeys: boolean,
  off: string,
): Record<string, string> {
  const problems: Record<string, string> = {}
  let hasLink = false
  for (const [n, { to, by }] of steps.entries()) {
    if (!offers(by)) problems[`steps.${n}.by`] = off
    else if (to === 'DEPUTY' && by === 'VOICE_CALL' && !takesKeys && !hasLink)
      problems[`steps.${n}.by`] = DEPUTY_NEEDS_LINK
    if (to === 'DEPUTY' && by !== 'VOICE_CALL') hasLink = true
  }
  return problems
}

export const SKIP_LABELS: { readonly [R in SkipReason]: string } = {
  NO_DEPUTY: 'no deputy',
  DEPUTY_ARCHIVED: 'the deputy is archived or may not sign in',
  MEMBER_ARCHIVED: 'archived or may not sign in',
  NO_ADDRESS: 'no address or number for this channel',
  QUOTA: 'no notifications remained',
}
