import { sql } from 'kysely'

import type { NudgeChannel } from '#contract/incident-nudges/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    /** The last nudge of a person by each channel. */
    nudges: { user_id: string; channel: NudgeChannel; nudge_timestamp: string }
  }
}

/** Time of the earliest among the last nudges of people by a channel. */
export async function findFirstNudge(
  db: OrgDb,
  userIds: readonly string[],
  channel: NudgeChannel,
): Promise<string | null> {
  const row = await db
    .selectFrom('nudges')
    .select((eb) => eb.fn.min('nudge_timestamp').as('at'))
    .where('channel', '=', channel)
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .executeTakeFirst()
  return row?.at ?? null
}

/**
 * Records a nudge at `at` of the people whose last one by the channel was at `before` or earlier. Returns their ids. Of
 * two concurrent nudges, the second waits and finds the first.
 */
export async function claimNudges(
  db: OrgDb,
  userIds: readonly string[],
  { channel, at, before }: { channel: NudgeChannel; at: string; before: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into nudges (user_id, channel, nudge_timestamp)
      select one.id, ${channel}, ${at} from unnest(${userIds}::uuid[]) as one (id) order by one.id
      on conflict (user_id, channel) do update set nudge_timestamp = excluded.nudge_timestamp
        where nudges.nudge_timestamp <= ${before}
      returning user_id as id`.execute(db)
  return rows.map(({ id }) => id)
}
