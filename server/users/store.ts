import type { UserRole, UserType } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/db.ts'

declare module '#server/kit/db.ts' {
  interface Tables {
    users: UserRow
    user_activity: { user_id: string; timestamp: string }
    one_time_tokens: {
      hash: Buffer
      user_id: string
      purpose: string
      expires_timestamp: string
      used_timestamp: string | null
    }
  }
}

export interface UserRow {
  id: string
  email: string
  first_name: string
  last_name: string
  phone_number: string | null
  location: string | null
  department: string | null
  role: UserRole
  type: UserType
  active: boolean
  banned: boolean
  dashboard_user: boolean
  profile_image_url: string | null
  password_hash: string | null
  accepted_terms: boolean
  was_sent_activation_email: boolean
  last_login_timestamp: string | null
  create_timestamp: string
  update_timestamp: string
  version: number
}

export const findUserByEmail = (db: OrgDb, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

export const findUser = (db: OrgDb, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

export async function updateLastLogin(db: OrgDb, id: string, at: string): Promise<void> {
  await db.updateTable('users').set({ last_login_timestamp: at }).where('id', '=', id).execute()
}
