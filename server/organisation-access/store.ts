import { sql } from 'kysely'

import type { Config } from '#contract/config/catalogue.ts'
import type { OrganisationAccess } from '#contract/organisation-access/schema.ts'
import type { SubscriptionLevel } from '#contract/organisations/schema.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    staff_access: {
      id: string
      staff_id: string
      reason: string
      create_timestamp: string
      expires_timestamp: string
    }
  }
}

/** Columns of an organisation that a transaction in it needs. */
export interface OrganisationRow {
  readonly id: string
  readonly code: string
  readonly display_name: string
  readonly enterprise_domain: string | null
  readonly parent_id: string | null
  readonly max_users: number
  readonly subscription_level: SubscriptionLevel
  readonly contract_number: string | null
  readonly config: Partial<Config>
  readonly global_config: Partial<Config> | null
  readonly create_timestamp: string
  readonly suspended_timestamp: string | null
}

const FIELDS = [
  'id',
  'code',
  'display_name',
  'enterprise_domain',
  'parent_id',
  'max_users',
  'subscription_level',
  'contract_number',
  'config',
  'create_timestamp',
  'suspended_timestamp',
] as const

/** An organisation; undefined when it does not exist or is being deleted. */
export const findOrganisationById = (db: ProviderDb, id: string): Promise<OrganisationRow | undefined> =>
  db
    .selectFrom('organisations')
    .select(FIELDS)
    .select(
      sql<Partial<Config> | null>`(select jsonb_object_agg(key, value) from global_config)`.as(
        'global_config',
      ),
    )
    .where('id', '=', id)
    .where('deleted_timestamp', 'is', null)
    .$castTo<OrganisationRow>()
    .executeTakeFirst()

/** The longest access that a member of staff has at a moment; undefined when there is none. */
export async function findAccess(
  db: ProviderDb,
  organisationId: string,
  staffId: string,
  at: string,
): Promise<OrganisationAccess | undefined> {
  return db
    .selectFrom('staff_access')
    .select(['id', 'reason', 'expires_timestamp as expiresAt'])
    .where(sql<boolean>`organisation_id = ${organisationId}`)
    .where('staff_id', '=', staffId)
    .where('expires_timestamp', '>', at)
    .orderBy('expires_timestamp', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertAccess(
  db: OrgDb,
  access: {
    id: string
    staff_id: string
    reason: string
    create_timestamp: string
    expires_timestamp: string
  },
): Promise<void> {
  await db.insertInto('staff_access').values(access).execute()
}

/** The organisation's administrators. */
export const listAdministrators = (db: OrgDb): Promise<{ id: string; email: string; firstName: string }[]> =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'first_name as firstName'])
    .where('role', '=', 'ADMIN')
    .where('type', '=', 'INTERNAL')
    .where('active', '=', true)
    .where('banned', '=', false)
    .orderBy('email')
    .execute()
