import { sql } from 'kysely'

import type { Config } from '#contract/config/catalogue.ts'
import type { Database, OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    organisations: {
      id: string
      code: string
      display_name: string
      enterprise_domain: string | null
      parent_id: string | null
      subscription_level: string
      max_users: number
      config: Partial<Config>
      create_timestamp: string
    }
    global_config: { key: string; value: unknown }
  }
}

/** What a stranger's call needs to find an organisation and open it. */
export interface FoundOrganisation {
  readonly id: string
  readonly code: string
  readonly display_name: string
  readonly config: Partial<Config>
}

/** The organisation behind a code, for callers who have proven nothing yet. */
export function findOrganisation(database: Database, code: string): Promise<FoundOrganisation | undefined> {
  return database.directory
    .selectFrom('organisations')
    .select(['id', 'code', 'display_name', 'config'])
    .where('code', '=', code)
    .executeTakeFirst()
}

/** Overrides that hold for every organisation. */
export async function findGlobalConfig(database: Database): Promise<Partial<Config>> {
  const rows = await database.directory.selectFrom('global_config').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map((row) => [row.key, row.value]))
}

/** The organisations below the opened one: the database shows no others. */
export const listChildren = (db: OrgDb) =>
  db
    .selectFrom('organisations')
    .select(['id', 'code', 'display_name', 'config'])
    .select(
      sql<Partial<Config> | null>`(select jsonb_object_agg(key, value) from global_config)`.as(
        'global_config',
      ),
    )
    .where(sql<boolean>`parent_id = current_organisation()`)
    .orderBy(sql`lower(display_name)`)
    .orderBy('id')
    .execute()
