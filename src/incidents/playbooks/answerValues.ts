import { roleKey } from '#contract/incidents/rules.ts'
import type { ConditionAnswer, NewIncident, RoleAssignment, StartAct } from '#contract/incidents/schema.ts'

/** A person's answers to the questions of a playbook. */
export interface PlaybookAnswers {
  /** By the heading of the condition; absent while open. */
  readonly conditions: Readonly<Record<string, { readonly answer: ConditionAnswer; readonly reason: string }>>
  /** Emails by the title as it is compared; null for nobody. */
  readonly roles: Readonly<Record<string, string | null>>
  /** Acts at the start that are not wanted. */
  readonly leftActs: readonly StartAct[]
}
export const NO_ANSWERS: PlaybookAnswers = { conditions: {}, roles: {}, leftActs: [] }

/** The part of a request that answers the questions of a playbook with these ideal titles. */
export function bodyOfAnswers(
  { conditions, roles }: PlaybookAnswers,
  titles: readonly string[],
): Pick<NewIncident, 'conditionAnswers' | 'roles'> {
  const conditionAnswers = Object.entries(conditions)
    .filter(([, { answer }]) => answer !== 'OPEN')
    .map(([itemId, { answer, reason }]) => ({
      itemId,
      answer,
      reason: answer === 'SKIPPED' ? reason.trim() || null : null,
    }))
  const people = titles.flatMap((title): RoleAssignment[] => {
    const assignedTo = roles[roleKey(title)]
    return assignedTo ? [{ title, assignedTo }] : []
  })
  return {
    ...(conditionAnswers.length > 0 && { conditionAnswers }),
    ...(people.length > 0 && { roles: people }),
  }
}
