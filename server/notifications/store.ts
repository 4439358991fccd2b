import { sql } from 'kysely'

import type { Notification } from '#contract/notifications/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    notifications: {
      id: string
      user_id: string
      title: string
      details: string
      incident_id: string | null
      activity_id: string | null
      create_timestamp: string
      read_timestamp: string | null
    }
  }
}

export interface NewNotification {
  readonly title: string
  readonly details: string
  readonly incidentId: string
  readonly activityId: string | null
}

/** Inserts a notification for each of the people who can sign in and see its incident, in one statement. */
export async function insertNotifications(
  db: OrgDb,
  to: readonly string[],
  { title, details, incidentId, activityId }: NewNotification,
  at: string,
): Promise<void> {
  await sql`insert into notifications (id, user_id, title, details, incident_id, activity_id, create_timestamp)
    select gen_random_uuid(), id, ${title}, ${details}, ${incidentId}, ${activityId}, ${at}
    from users where id = any(${to}::uuid[]) and active and not banned and (type = 'INTERNAL' or exists (
      select from incident_targets t where t.incident_id = ${incidentId} and t.user_id = users.id
    ))`.execute(db)
}

/** The newest notifications of a person. */
export const listNotifications = (db: OrgDb, userId: string, limit: number): Promise<Notification[]> =>
  db
    .selectFrom('notifications')
    .select([
      'id',
      'title',
      'details',
      'create_timestamp as createTimestamp',
      'incident_id as incidentId',
      'activity_id as activityId',
      sql<boolean>`read_timestamp is not null`.as('hasBeenRead'),
    ])
    .where('user_id', '=', userId)
    .orderBy('create_timestamp', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countUnread(db: OrgDb, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notifications')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .where('read_timestamp', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Marks one of a person's notifications as read; false when it is not theirs. */
export async function updateRead(db: OrgDb, userId: string, id: string, at: string): Promise<boolean> {
  const row = await db
    .updateTable('notifications')
    .set({ read_timestamp: sql`coalesce(read_timestamp, ${at})` })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Marks what a person has not read yet; returns how many that were. */
export async function updateAllRead(db: OrgDb, userId: string, at: string): Promise<number> {
  const result = await db
    .updateTable('notifications')
    .set({ read_timestamp: at })
    .where('user_id', '=', userId)
    .where('read_timestamp', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Deletes the notifications of an incident for these people. */
export async function deleteNotifications(
  db: OrgDb,
  incidentId: string,
  userIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('incident_id', '=', incidentId)
    .where('user_id', 'in', userIds)
    .execute()
}
