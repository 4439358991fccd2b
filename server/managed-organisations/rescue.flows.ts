import type { ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { endLockouts } from '#server/kit/security/attempts.ts'
import type { Services } from '#server/kit/services.ts'

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
