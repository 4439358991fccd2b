import { type RawBuilder, sql } from 'kysely'

import { CONFIRMATIONS_MAX, type ConfirmingPerson } from '#contract/confirmations/schema.ts'
import type { ColumnsOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { isAskedByAll } from '#server/kit/database/people.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    confirmation_requests: ColumnsOf<RequestRow> & { reminded_timestamp: string | null }
  }
}

/** A request as stored. */
export interface RequestRow {
  readonly id: string
  readonly messageId: string | null
  readonly roomId: string | null
  readonly activityId: string | null
  readonly incidentId: string | null
  readonly createdById: string | null
  readonly createTimestamp: string
}
/** A request with its counts, as one person sees it. */
export interface CountedRequest extends RequestRow {
  readonly askedCount: number
  readonly confirmedCount: number
  readonly isAsked: boolean
  readonly confirmTimestamp: string | null
}
/** The room or the incident whose people are asked. */
export type Place = { readonly roomId: string } | { readonly incidentId: string }

/** Ids of the people of a room or an incident who have an account in use. */
const peopleOf = (place: Place): RawBuilder<unknown> =>
  'roomId' in place
    ? sql`select u.id from room_members m join users u on u.id = m.user_id
        where m.room_id = ${place.roomId} and not m.has_left and u.active and not u.banned`
    : sql`select u.id from users u, incidents i where i.id = ${place.incidentId} and u.active and not u.banned
        and ((not i.is_targeted and ${isAskedByAll('u')})
          or exists (select from incident_targets t where t.incident_id = i.id and t.user_id = u.id))`
const isIn = (place: Place): RawBuilder<boolean> =>
  'roomId' in place ? sql`r.room_id = ${place.roomId}` : sql`r.incident_id = ${place.incidentId}`

/**
 * The newest requests of a place that can still be seen, or one of them. Whoever confirmed counts as asked, also after
 * leaving the place.
 */
export async function listRequests(
  db: OrgDb,
  place: Place,
  viewerId: string,
  id: string | null = null,
): Promise<CountedRequest[]> {
  const { rows } = await sql<CountedRequest>`
    with people as materialized (${peopleOf(place)}),
    shown as materialized (
      select r.* from confirmation_requests r left join room_messages m on m.id = r.message_id
      where ${isIn(place)} and (${id}::uuid is null or r.id = ${id}) and m.deleted_timestamp is null
      order by r.create_timestamp desc, r.id limit ${CONFIRMATIONS_MAX}
    )
    select r.id, r.message_id as "messageId", r.room_id as "roomId", r.activity_id as "activityId",
      r.incident_id as "incidentId", r.created_by_id as "createdById", r.create_timestamp as "createTimestamp",
      (select count(*) from people where id is distinct from r.created_by_id)
        + c.outside as "askedCount", c.confirmed as "confirmedCount",
      r.created_by_id is distinct from ${viewerId}::uuid and ${viewerId}::uuid in (select id from people) as "isAsked",
      (select confirm_timestamp from confirmations where request_id = r.id and user_id = ${viewerId}) as "confirmTimestamp"
    from shown r cross join lateral (
      select count(*) as confirmed, count(*) filter (where user_id not in (select id from people)) as outside
      from confirmations where request_id = r.id
    ) c order by r.create_timestamp desc, r.id`.execute(db)
  return rows
}

/** A request; undefined where the viewer sees none. */
export const findRequest = (db: OrgDb, id: string): Promise<RequestRow | undefined> =>
  db
    .selectFrom('confirmation_requests')
    .select([
      'id',
      'message_id as messageId',
      'room_id as roomId',
      'activity_id as activityId',
      'incident_id as incidentId',
      'created_by_id as createdById',
      'create_timestamp as createTimestamp',
    ])
    .where('id', '=', id)
    .executeTakeFirst()

/** Inserts a request unless its message or update has one. Returns the id of the one there is, and true for a new one. */
export async function insertRequest(db: OrgDb, row: RequestRow): Promise<{ id: string; isNew: boolean }> {
  const { rows } = await sql<{ id: string }>`
    insert into confirmation_requests (id, message_id, room_id, activity_id, incident_id, created_by_id, create_timestamp)
    values (${row.id}, ${row.messageId}, ${row.roomId}, ${row.activityId}, ${row.incidentId}, ${row.createdById}, ${row.createTimestamp})
    on conflict do nothing returning id`.execute(db)
  if (rows[0]) return { id: rows[0].id, isNew: true }
  const found = await db
    .selectFrom('confirmation_requests')
    .select('id')
    .where((eb) => eb.or([eb('message_id', '=', row.messageId), eb('activity_id', '=', row.activityId)]))
    .executeTakeFirstOrThrow()
  return { id: found.id, isNew: false }
}

/** Stores the first confirmation of a person. */
export async function insertConfirmation(
  db: OrgDb,
  requestId: string,
  userId: string,
  at: string,
): Promise<void> {
  await sql`insert into confirmations (request_id, user_id, confirm_timestamp) values (${requestId}, ${userId}, ${at})
    on conflict do nothing`.execute(db)
}

/**
 * The people who have confirmed, or those who are asked and have not, by name.
 * @param known condition for people whom the viewer may see
 */
export async function listConfirming(
  db: OrgDb,
  {
    id,
    createdById,
    place,
  }: { readonly id: string; readonly createdById: string | null; readonly place: Place },
  known: RawBuilder<boolean>,
  {
    confirmed,
    offset,
    size,
  }: { readonly confirmed: boolean; readonly offset: number; readonly size: number },
): Promise<{ data: ConfirmingPerson[]; total: number }> {
  const found = sql`users left join confirmations c on c.request_id = ${id} and c.user_id = users.id
    where ${known} and ${
      confirmed
        ? sql`c.user_id is not null`
        : sql`c.user_id is null and users.id is distinct from ${createdById}::uuid and users.id in (${peopleOf(place)})`
    }`
  const { rows } = await sql<ConfirmingPerson>`
    select users.id as uuid, first_name as "firstName", last_name as "lastName", c.confirm_timestamp as "confirmTimestamp"
    from ${found} order by given_key, users.id limit ${size} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from ${found}`.execute(db)
  return { data: rows, total: counted.rows[0]!.total }
}

/** Ids and types of the people who are asked, or of those who have not confirmed. */
export async function listAsked(
  db: OrgDb,
  {
    id,
    createdById,
    place,
  }: { readonly id: string; readonly createdById: string | null; readonly place: Place },
): Promise<{ uuid: string; type: 'INTERNAL' | 'EXTERNAL'; hasConfirmed: boolean }[]> {
  const { rows } = await sql<{ uuid: string; type: 'INTERNAL' | 'EXTERNAL'; hasConfirmed: boolean }>`
    select u.id as uuid, u.type, exists (
        select from confirmations c where c.request_id = ${id} and c.user_id = u.id) as "hasConfirmed"
    from users u where u.id in (${peopleOf(place)}) and u.id is distinct from ${createdById}::uuid`.execute(
    db,
  )
  return rows
}

/** Records a reminder at `at` where the last one was at `before` or earlier. Returns false otherwise. */
export async function claimReminder(db: OrgDb, id: string, at: string, before: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update confirmation_requests set reminded_timestamp = ${at}
    where id = ${id} and (reminded_timestamp is null or reminded_timestamp <= ${before})`.execute(db)
  return numAffectedRows === 1n
}
export async function findReminded(db: OrgDb, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('confirmation_requests')
    .select('reminded_timestamp as at')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.at ?? null
}
