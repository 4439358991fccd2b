import type { User } from '#contract/users/schema.ts'
import { Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { listUsableDeputies } from './store.ts'

const NO_SUCH_DEPUTY = 'Please choose an active, internal person of your organization as deputy.'
const OWN_DEPUTY = 'Nobody is their own deputy. Please choose somebody else.'

/**
 * The addresses of people who can be deputies.
 * @param added people who are added now
 */
export async function usableDeputies(
  db: OrgDb,
  emails: readonly string[],
  added: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const { known, usable } = await listUsableDeputies(db, emails)
  // Somebody who is archived is not added.
  return new Set([...usable, ...emails.filter((email) => added.has(email) && !known.includes(email))])
}

/** The sentence for a deputy who cannot be; null for one who can, and for nobody. */
export function deputyProblem(
  deputy: string | null,
  email: string,
  usable: ReadonlySet<string>,
): string | null {
  if (deputy === null) return null
  if (deputy === email) return OWN_DEPUTY
  return usable.has(deputy) ? null : NO_SUCH_DEPUTY
}

/** @throws Refusal 400 for a deputy who is oneself, external, archived or no person of the organisation */
export async function demandDeputy(db: OrgDb, deputy: string | null, email: string): Promise<void> {
  if (deputy === null) return
  const problem = deputyProblem(deputy, email, await usableDeputies(db, [deputy]))
  if (problem !== null) throw wrongField('deputy', problem)
}

/**
 * Checks the deputies of people who are added together, who may be deputies of each other.
 * @throws Refusal 400 that names each row
 */
export async function demandDeputies(
  db: OrgDb,
  users: readonly Pick<User, 'email' | 'type' | 'deputy'>[],
): Promise<void> {
  const named = [...new Set(users.flatMap(({ deputy }) => deputy ?? []))]
  if (named.length === 0) return
  const added = new Set(users.filter(({ type }) => type === 'INTERNAL').map(({ email }) => email))
  const usable = await usableDeputies(db, named, added)
  const problems = users.flatMap(({ email, deputy }, index) => {
    const problem = deputyProblem(deputy, email, usable)
    return problem === null ? [] : [[`${index}.deputy`, problem] as const]
  })
  const [first] = problems
  if (first) throw new Refusal(400, first[1], { fields: Object.fromEntries(problems) })
}
