import { sql } from 'kysely'

import { USER_HISTORY_MAX, USER_HISTORY_SINCE } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Changes } from '#server/kit/core/event.ts'

/** An event about a user. `kind` is its noun and verb, such as `users created`. */
export interface HistoryRow {
  readonly id: string
  readonly kind: string
  readonly at: string
  readonly actor: { readonly kind: string; readonly name: string }
  readonly changes: Changes
}

/** The newest events of the given kinds about each user, newest first. */
export async function listHistory(
  db: OrgDb,
  userIds: readonly string[],
  kinds: readonly string[],
): Promise<ReadonlyMap<string, HistoryRow[]>> {
  const nouns = [...new Set(kinds.map((one) => one.slice(0, one.indexOf(' '))))]
  const { rows } = await sql<HistoryRow & { user_id: string }>`
    select of.id as user_id, e.id, e.noun || ' ' || e.verb as kind, e.at, e.actor, e.changes
    from unnest(${userIds}::uuid[]) as of (id)
    cross join lateral (
      select * from events where noun = any(${nouns}::text[]) and record = of.id::text
        and noun || ' ' || verb = any(${kinds}::text[]) and at >= ${USER_HISTORY_SINCE}
      order by sequence desc limit ${USER_HISTORY_MAX}
    ) e order by e.sequence desc`.execute(db)
  return Map.groupBy(rows, ({ user_id }) => user_id)
}
