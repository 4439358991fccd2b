import { sql } from 'kysely'

import type { OrganisationAccess } from '#contract/organisation-access/schema.ts'
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

/** The access of a member of staff that lasts longest at a moment; undefined when there is none. */
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

/** The people who administer the organisation. */
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
