import { sql } from 'kysely'

import type { Feature } from '#contract/features/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    feature_requests: {
      name: string
      requested_by: string
      request_timestamp: string
    }
  }
}

/** Stores a request unless there was one since `before`. The second of two concurrent requests finds the first. */
export async function upsertRequest(
  db: OrgDb,
  name: Feature,
  by: string,
  { at, before }: { at: string; before: string },
): Promise<boolean> {
  const { rows } = await sql`insert into feature_requests (name, requested_by, request_timestamp)
    values (${name}, ${by}, ${at})
    on conflict (organisation_id, name) do update
      set requested_by = excluded.requested_by, request_timestamp = excluded.request_timestamp
      where feature_requests.request_timestamp <= ${before}
    returning name`.execute(db)
  return rows.length > 0
}

export async function findRequest(db: OrgDb, name: Feature): Promise<string | undefined> {
  const row = await db
    .selectFrom('feature_requests')
    .select('request_timestamp')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.request_timestamp
}
