import * as z from 'zod/mini'
import { sql } from 'kysely'

import { Activity } from '#contract/incidents/schema.ts'
import { fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { statement } from '#server/kit/database/statements.ts'

const StoredActivity = z.omit(Activity, {
  parentActivityId: true,
  assignedTo: true,
  attachedFileIds: true,
  canEdit: true,
  canDelete: true,
  childActivities: true,
  message: true,
})
/** A task or an update as stored. */
export interface ActivityRow extends z.infer<typeof StoredActivity> {
  parentActivityId: string | null
  /** Id of a user. */
  assignedTo: string | null
  /** The chat message that the activity was made from. */
  messageId: string | null
}

/** An activity with its assignee. */
export type AssignedRow = ActivityRow & {
  readonly email: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly active: boolean | null
  /** Room of the chat message, where the viewer is a member. */
  readonly roomId?: string | undefined
}
const ACTIVITY = [...fieldsOf(StoredActivity), 'parentActivityId', 'assignedTo', 'messageId'] as const
const assigned = (db: OrgDb) =>
  db
    .selectFrom('activities as a')
    .leftJoin('users as u', 'u.id', 'a.assigned_to')
    .select(selectionOf(ACTIVITY, 'a.'))
    .select(selectionOf(['email', 'firstName', 'lastName', 'active'], 'u.'))
    .orderBy('a.position')

/** All activities of incidents, including nested ones, in the order in which they were added. */
export const listActivities = (db: OrgDb, incidentIds: readonly string[]): Promise<AssignedRow[]> =>
  assigned(db)
    .where('a.incident_id', '=', sql<string>`any(${incidentIds}::uuid[])`)
    .execute()

const activitiesOf = statement<'', { id: string }, AssignedRow>((db, _, { id }) =>
  assigned(db as OrgDb).where('a.incident_id', '=', id),
)
export const listActivitiesOf = (db: OrgDb, id: string): Promise<AssignedRow[]> =>
  activitiesOf(db, '', { id })

/** An activity and those below it. */
export const listActivityTree = (db: OrgDb, id: string): Promise<AssignedRow[]> =>
  assigned(db)
    .where((eb) => eb.or([eb('a.id', '=', id), eb('a.parent_activity_id', '=', id)]))
    .execute()

/** True when an incident has an activity made from a message. */
export async function hasActivityOf(db: OrgDb, messageId: string, incidentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('activities')
    .select('id')
    .where('message_id', '=', messageId)
    .where('incident_id', '=', incidentId)
    .executeTakeFirst()
  return row !== undefined
}

/** Locks an activity until the transaction ends. */
export async function holdActivity(db: OrgDb, id: string): Promise<void> {
  await sql`select from activities where id = ${id} for no key update`.execute(db)
}

/** The incident id of an activity. */
export async function findIncidentOfActivity(db: OrgDb, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('activities')
    .select('incident_id as incidentId')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.incidentId
}

export async function countActivities(db: OrgDb, incidentId: string): Promise<number> {
  const counted = db.selectFrom('activities').select(sql<number>`count(*)`.as('count'))
  return (await counted.where('incident_id', '=', incidentId).executeTakeFirstOrThrow()).count
}

export async function insertActivities(db: OrgDb, rows: readonly ActivityRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('activities')
      .values(rows.map((row) => valuesOf(row)))
      .execute()
}

/** Changes an activity and increments its version. */
export async function updateActivity(
  db: OrgDb,
  id: string,
  changes: Partial<Omit<ActivityRow, 'id' | 'version'>>,
): Promise<void> {
  await db
    .updateTable('activities')
    .set({ ...valuesOf(changes), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Sets the conditions that tasks stand below. */
export async function updateConditions(
  db: OrgDb,
  tasks: readonly { readonly id: string; readonly conditionId: string; readonly isSkipped: boolean }[],
): Promise<void> {
  if (tasks.length === 0) return
  await sql`
    update activities a set condition_id = v.condition_id, is_skipped = v.is_skipped
      from unnest(${tasks.map(({ id }) => id)}::uuid[], ${tasks.map(({ conditionId }) => conditionId)}::uuid[],
        ${tasks.map(({ isSkipped }) => isSkipped)}::boolean[]) as v (id, condition_id, is_skipped)
     where a.id = v.id`.execute(db)
}

/** Skips the tasks below these conditions of an incident, and brings all others back. */
export async function updateSkipped(
  db: OrgDb,
  incidentId: string,
  conditionIds: readonly string[],
): Promise<void> {
  await sql`
    update activities set is_skipped = condition_id = any(${conditionIds}::uuid[])
     where incident_id = ${incidentId} and condition_id is not null`.execute(db)
}

/** Deletes an activity and those below it. */
export async function deleteActivity(db: OrgDb, id: string): Promise<void> {
  await db.deleteFrom('activities').where('id', '=', id).execute()
}

/** Rooms of messages that a person can read, by message id. */
export async function findRoomsOfMessages(
  db: OrgDb,
  userId: string,
  messageIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; room_id: string }>`
    select m.id, m.room_id from room_messages m
      join room_members o on o.room_id = m.room_id and o.user_id = ${userId} and not o.has_left
     where m.id = any(${messageIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.room_id]))
}
