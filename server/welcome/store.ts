import { sql } from 'kysely'

import { type Config, configOf } from '#contract/config/catalogue.ts'
import { USER_FIELDS } from '#contract/users/schema.ts'
import type {
  FileFolder,
  PackageUser,
  WarRoom,
  WelcomeErrorCode,
  WelcomeStatus,
} from '#contract/welcome/schema.ts'
import { selectionOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/** Saved contents of a package, without the main administrator. */
export interface PackageContents {
  readonly users: readonly Omit<PackageUser, 'isMainAdminUser'>[]
  readonly warRooms: readonly WarRoom[]
  readonly fileFolders: readonly FileFolder[]
}
export interface PackageRow {
  status: WelcomeStatus
  /** Hash of the link's identifier; null where the link was withdrawn. */
  hash: Buffer | null
  /** Key that the identifier is derived from. */
  link_key: string
  sent_timestamp: string | null
  sent_to: string | null
  expires_timestamp: string | null
  contents: PackageContents | null
  browser: string | null
  last_update_timestamp: string
  error_code: WelcomeErrorCode | null
  /** Reason of a failure, for staff. */
  failure: string | null
  tries: number
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    welcome_packages: PackageRow
  }
}

const COLUMNS = [
  'status',
  'hash',
  'link_key',
  'sent_timestamp',
  'sent_to',
  'expires_timestamp',
  'contents',
  'browser',
  'last_update_timestamp',
  'error_code',
  'failure',
  'tries',
] as const

export const findPackage = (db: OrgDb): Promise<PackageRow | undefined> =>
  db.selectFrom('welcome_packages').select(COLUMNS).executeTakeFirst()

/** The package, locked until the transaction ends. */
export const holdPackage = (db: OrgDb): Promise<PackageRow | undefined> =>
  db.selectFrom('welcome_packages').select(COLUMNS).forUpdate().executeTakeFirst()

/** Adds the organisation's package. The first of two concurrent ones stays. */
export async function insertPackage(
  db: OrgDb,
  row: Pick<PackageRow, 'link_key' | 'last_update_timestamp'>,
): Promise<void> {
  await db
    .insertInto('welcome_packages')
    .values({
      ...row,
      status: 'CREATED',
      hash: null,
      sent_timestamp: null,
      sent_to: null,
      expires_timestamp: null,
      contents: null,
      browser: null,
      error_code: null,
      failure: null,
      tries: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Changes the package and returns it. */
export const updatePackage = (
  db: OrgDb,
  { contents, ...changes }: Partial<PackageRow>,
): Promise<PackageRow> =>
  db
    .updateTable('welcome_packages')
    .set({
      ...changes,
      ...(contents && { contents: sql<PackageContents>`${JSON.stringify(contents)}::jsonb` }),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

/** The opened organisation as a package shows it. */
export interface WelcomedOrganisation {
  readonly id: string
  readonly code: string
  readonly displayName: string
  readonly maxUsers: number
  readonly config: Config
}
export async function findWelcomed(db: OrgDb): Promise<WelcomedOrganisation> {
  const row = await db
    .selectFrom('organisations')
    .select(['id', 'code', 'display_name', 'max_users', 'config'])
    .select(
      sql<Partial<Config> | null>`(select jsonb_object_agg(key, value) from global_config)`.as('global'),
    )
    .where(sql<boolean>`id = current_organisation()`)
    .executeTakeFirstOrThrow()
  const { id, code, display_name: displayName, max_users: maxUsers } = row
  return { id, code, displayName, maxUsers, config: configOf(row.config, row.global ?? {}) }
}

const USER_COLUMNS = selectionOf(['email', ...USER_FIELDS])
type FoundUser = Omit<PackageUser, 'isMainAdminUser'>

export const findPackageUser = (db: OrgDb, email: string): Promise<FoundUser | undefined> =>
  db.selectFrom('users').select(USER_COLUMNS).where('email', '=', email).executeTakeFirst()

/** The first administrator who can sign in. */
export const findMainAdministrator = (db: OrgDb): Promise<FoundUser | undefined> =>
  db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('role', '=', 'ADMIN')
    .where('type', '=', 'INTERNAL')
    .where('active', '=', true)
    .where('banned', '=', false)
    .orderBy('create_timestamp')
    .orderBy('email')
    .limit(1)
    .executeTakeFirst()

/** True when somebody other than administrators has an account. */
export async function hasOtherUsers(db: OrgDb): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '<>', 'ADMIN')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
