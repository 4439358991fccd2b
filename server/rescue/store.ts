import { sql } from 'kysely'

import type { Database, OrgDb } from '#server/kit/database/db.ts'
import { PROVIDER_ID } from '#server/kit/database/db.ts'

/** An organisation by its code. */
export interface Named {
  readonly id: string
  readonly code: string
}

/** All organisations by code, suspended and deleted ones too, until they are removed. */
export const listOrganisations = ({ directory }: Database): Promise<Named[]> =>
  directory
    .selectFrom('organisations')
    .select(['id', 'code'])
    .where('id', '<>', PROVIDER_ID)
    .where('removal_timestamp', 'is', null)
    .orderBy('code')
    .execute()

/** The first event that was changed, removed or inserted, with the number of events; null for an intact chain. */
export async function findFirstBroken(db: OrgDb): Promise<{ events: number; broken: number | null }> {
  const { rows } = await sql<{ events: number; broken: number | null }>`
    select (select count(*) from events) as events, first_broken_event() as broken`.execute(db)
  return rows[0]!
}

/** Names of the API keys that somebody made. */
export const listKeysMadeBy = (db: OrgDb, email: string): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('created_by', '=', email)
    .orderBy(sql`lower(name)`)
    .execute()

/** Amounts of what the opened organisation stores. */
export interface Stored {
  readonly people: number
  readonly incidents: number
  readonly rooms: number
  readonly messages: number
  readonly files: number
  readonly bytes: number
  readonly events: number
  /** Time of the first event. */
  readonly oldest: string | null
  readonly newest: string | null
}

export async function findStored(db: OrgDb): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select (select count(*) from users) as people, (select count(*) from incidents) as incidents,
      (select count(*) from rooms where not is_deleted) as rooms, (select count(*) from room_messages) as messages,
      b.files, b.bytes, e.events, e.oldest, e.newest
    from (select count(*) as files, coalesce(sum(size), 0)::bigint as bytes from blobs) b,
      (select count(*) as events, min(at) as oldest, max(at) as newest from events) e`.execute(db)
  return rows[0]!
}
