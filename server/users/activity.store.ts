import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    user_activity: { user_id: string; timestamp: string }
  }
}

/** Stores users' last activity, in one statement. */
export async function upsertActivity(db: OrgDb, seen: ReadonlyMap<string, string>): Promise<void> {
  await sql`insert into user_activity (user_id, timestamp)
    select u.id, seen.at from unnest(${[...seen.keys()]}::uuid[], ${[...seen.values()]}::timestamptz[]) as seen (id, at)
      join users u on u.id = seen.id
    on conflict (user_id) do update set timestamp = greatest(user_activity.timestamp, excluded.timestamp)`.execute(
    db,
  )
}

/** Stores sessions' last use, in one statement. */
export async function upsertSessionActivity(db: OrgDb, seen: ReadonlyMap<string, string>): Promise<void> {
  await sql`insert into session_activity (session_id, timestamp)
    select s.id, seen.at from unnest(${[...seen.keys()]}::uuid[], ${[...seen.values()]}::timestamptz[]) as seen (id, at)
      join sessions s on s.id = seen.id
    on conflict (session_id) do update set timestamp = greatest(session_activity.timestamp, excluded.timestamp)`.execute(
    db,
  )
}

/** Times at which users were last active; all of them, or these. */
export const listActivity = (
  db: OrgDb,
  userIds?: readonly string[],
): Promise<{ user_id: string; timestamp: string }[]> =>
  db
    .selectFrom('user_activity')
    .select(['user_id', 'timestamp'])
    .$if(userIds !== undefined, (query) => query.where('user_id', '=', sql<string>`any(${userIds}::uuid[])`))
    .execute()
