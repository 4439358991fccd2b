import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    /** Users whom the files of a source have named, with the first import that did. */
    user_sources: { source: string; user_id: string; import_id: string }
  }
}

/** Notes that the users of a report came from a source. */
export async function insertSources(db: OrgDb, importId: string, source: string): Promise<void> {
  await sql`insert into user_sources (source, user_id, import_id)
    select ${source}, record_id, ${importId} from import_rows
    where import_id = ${importId} and record_id is not null and outcome <> 'GONE'
    on conflict do nothing`.execute(db)
}

/** Forgets who came first with an import. */
export async function deleteSources(db: OrgDb, importId: string): Promise<void> {
  await sql`delete from user_sources where import_id = ${importId}`.execute(db)
}

/** Adds rows for active users who came from the source and are not in the file. Returns how many came from it. */
export async function planGoneUsers(
  db: OrgDb,
  importId: string,
  source: string,
): Promise<{ known: number; gone: { n: number; email: string; userId: string }[] }> {
  const { rows } = await sql<{ n: number; email: string; userId: string }>`
    insert into import_rows (import_id, n, email, record_id, outcome, before, after)
    select ${importId}, (select coalesce(max(n), -1) from import_rows where import_id = ${importId})
        + row_number() over (order by u.email), u.email, u.id, 'GONE', '{"active": true}', '{"active": false}'
    from user_sources s join users u on u.id = s.user_id
    where s.source = ${source} and u.active and not exists (
      select from import_rows r where r.import_id = ${importId} and r.email = u.email)
    returning n, email, record_id as "userId"`.execute(db)
  const { rows: counts } = await sql<{ known: number }>`
    select count(*) as known from user_sources s join users u on u.id = s.user_id
    where s.source = ${source} and u.active`.execute(db)
  return { known: counts[0]!.known, gone: rows }
}

/** Notes why gone users were kept. */
export async function updateKept(
  db: OrgDb,
  importId: string,
  kept: readonly { readonly n: number; readonly message: string }[],
): Promise<void> {
  await sql`update import_rows r set message = k.message, before = null, after = null
    from unnest(${kept.map(({ n }) => n)}::integer[], ${kept.map(({ message }) => message)}::text[]) as k (n, message)
    where r.import_id = ${importId} and r.n = k.n`.execute(db)
}
