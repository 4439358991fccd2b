import type { FoundSuppression, Suppression } from '#contract/suppressions/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, notFound } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { findSuppressions } from '#server/kit/messages/suppressions.ts'

import { holdSuppression, listOfUsers, updateLifted } from './store.ts'

const LIFTED = 'This address was allowed again already.'

/** An address as the event stream has it, which never names one. */
const masked = ({ kind, address }: Pick<Suppression, 'kind' | 'address'>): string =>
  kind === 'PHONE' ? `…${address.slice(-4)}` : `…${address.slice(address.lastIndexOf('@'))}`

/** Suppressions of these addresses, and of the numbers of users with these email addresses. */
export async function suppressionsOf(db: OrgDb, addresses: readonly string[]): Promise<FoundSuppression[]> {
  const own = await findSuppressions(db, addresses)
  const ofUsers = await listOfUsers(db, addresses)
  return [...own.map((one) => ({ ...one, owner: null })), ...ofUsers]
}

/**
 * Allows an address again, with an administrator's reason.
 * @throws Refusal 404, 409 for one that was allowed again already
 */
export async function liftSuppression(
  db: OrgDb,
  by: Pick<Caller, 'name'>,
  id: string,
  reason: string,
): Promise<void> {
  const found = await holdSuppression(db, id)
  if (!found) throw notFound('This address')
  demand(found.liftTimestamp === null, 409, LIFTED)
  await updateLifted(db, id, { at: clock.timestamp(), by: by.name, reason })
  record(db, {
    noun: 'suppressions',
    record: id,
    verb: 'lifted',
    changes: {
      address: { from: masked(found), to: null },
      suppressed: { from: found.reason, to: null },
      reason: { from: null, to: reason },
    },
  })
}
