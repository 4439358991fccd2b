import type { CheckFrom, CheckResult } from '#contract/audit-log/schema.ts'
import { checkChain } from '#server/audit-log/flows.ts'
import type { ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { endLockouts } from '#server/kit/security/attempts.ts'
import type { Services } from '#server/kit/services.ts'
import { openOrganisation } from '#server/organisation-access/flows.ts'

/**
 * Ends all lockouts of an organisation's people, recorded in its log and in the provider's. Returns their number.
 * Lockouts of addresses, which belong to no organisation, stay.
 */
export async function endLockoutsOf(
  { secrets, database }: Pick<Services, 'secrets' | 'database'>,
  db: ProviderDb,
  { id, code }: { readonly id: string; readonly code: string },
): Promise<number> {
  const count = await endLockouts(secrets, db, code)
  await database.enterOrganisation(db, id, async (inside) =>
    record(inside, {
      noun: 'sign-ins',
      record: id,
      verb: 'lockouts ended',
      changes: { count: { from: null, to: count } },
    }),
  )
  return count
}

/** @throws Refusal 404 */
export async function endLockoutsIn(
  services: Pick<Services, 'secrets' | 'database'>,
  db: ProviderDb,
  id: string,
): Promise<{ ended: number }> {
  return { ended: await endLockoutsOf(services, db, await openOrganisation(db, id)) }
}

/**
 * Checks the next part of an organisation's chain of events; the result is recorded there.
 * @throws Refusal 404, 409
 */
export async function checkChainOf(
  { database }: Pick<Services, 'database'>,
  db: ProviderDb,
  id: string,
  from: CheckFrom,
): Promise<CheckResult> {
  await openOrganisation(db, id)
  return database.enterOrganisation(db, id, (inside) => checkChain(inside, from))
}
