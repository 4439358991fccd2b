import { type Generated, type GeneratedAlways, type Kysely, sql } from 'kysely'

import type { Config } from '#contract/config/catalogue.ts'
import { type ColumnsOf, selectionOf } from '#server/kit/database/columns.ts'
import {
  type Database,
  type OrgDb,
  PROVIDER_ID,
  type ProviderDb,
  type Tables,
} from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    organisations: ColumnsOf<OrganisationRow> & {
      contract_number: Generated<string | null>
      suspended_timestamp: Generated<string | null>
      deleted_timestamp: Generated<string | null>
      removal_timestamp: Generated<string | null>
      is_closed: GeneratedAlways<boolean>
      deletion_progress: Generated<number>
      deletion_failure: Generated<string | null>
      sort_key: GeneratedAlways<string>
      search_key: GeneratedAlways<string>
    }
    global_config: { key: string; value: unknown }
  }
}

export interface OrganisationRow {
  id: string
  code: string
  displayName: string
  enterpriseDomain: string | null
  parentId: string | null
  subscriptionLevel: string
  maxUsers: number
  config: Partial<Config>
  createTimestamp: string
}

const FOUND = ['id', 'code', 'displayName', 'config'] as const
/** Columns that an anonymous call needs to find and open an organisation. */
export interface FoundOrganisation extends Readonly<Pick<OrganisationRow, (typeof FOUND)[number]>> {
  /** Suspended or deleted: its people cannot do anything. */
  readonly isClosed: boolean
  readonly isDeleted: boolean
}

/** An organisation by code, until it is removed, for anonymous callers. */
export function findOrganisation(database: Database, code: string): Promise<FoundOrganisation | undefined> {
  return database.directory
    .selectFrom('organisations')
    .select([
      ...selectionOf(FOUND),
      'is_closed as isClosed',
      sql<boolean>`deleted_timestamp is not null`.as('isDeleted'),
    ])
    .where('code', '=', code)
    .where('id', '<>', PROVIDER_ID)
    .where('removal_timestamp', 'is', null)
    .executeTakeFirst()
}

/** True before the first organisation is created. */
export async function hasNoOrganisation(database: Database): Promise<boolean> {
  const row = await database.directory
    .selectFrom('organisations')
    .select('id')
    .where('id', '<>', PROVIDER_ID)
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}

/** Overrides that hold for every organisation. */
export const findGlobalConfig = ({ directory }: Database): Promise<Partial<Config>> =>
  findGlobalConfigIn(directory)
export async function findGlobalConfigIn(db: Kysely<Tables>): Promise<Partial<Config>> {
  const rows = await db.selectFrom('global_config').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map((row) => [row.key, row.value]))
}

/** An organisation with the columns that its configuration is made of. */
const CONFIGURED = [
  ...selectionOf(FOUND),
  sql<Partial<Config> | null>`(select jsonb_object_agg(key, value) from global_config)`.as('globalConfig'),
] as const

/** The opened organisation; undefined while it is closed. */
export const findOwn = (db: OrgDb) =>
  db
    .selectFrom('organisations')
    .select(CONFIGURED)
    .where(sql<boolean>`id = current_organisation()`)
    .executeTakeFirst()

/** A child organisation, locked so that it stays a child until the transaction ends. */
export const holdChild = (db: ProviderDb, parentId: string, id: string) =>
  db
    .selectFrom('organisations')
    .select(CONFIGURED)
    .where('id', '=', id)
    .where('parent_id', '=', parentId)
    .where('is_closed', '=', false)
    .forShare()
    .executeTakeFirst()

/** The organisations below the opened one, with their playbook counts. Row-level security hides all others. */
export const listChildren = (db: OrgDb) =>
  db
    .selectFrom('organisations')
    .select(CONFIGURED)
    .select(
      sql<number>`(select c.playbooks from visibility.child_playbooks() c where c.child_id = organisations.id)`.as(
        'playbooks',
      ),
    )
    .where(sql<boolean>`parent_id = current_organisation()`)
    .orderBy(sql`lower(display_name)`)
    .orderBy('id')
    .execute()
