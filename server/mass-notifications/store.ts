import { type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'

import type { massNotificationsApi, NOTIFICATION_SORT_FIELDS } from '#contract/mass-notifications/api.ts'
import {
  type Delivery,
  type NotificationDetail,
  type NotificationType,
  type NotifiedPerson,
  type Recipient,
  RECIPIENT_OUTCOMES,
  SentNotification,
} from '#contract/mass-notifications/schema.ts'
import { type ColumnsOf, fieldsOf, json, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { MessageState } from '#server/kit/messages/messages.ts'
import { cutOf, orderOf, type Step } from '#server/kit/http/lists.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'
import { holdsEachPeopleWord, searchedWords, searchRows } from '#server/kit/database/search.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    mass_notifications: ColumnsOf<StoredNotification> & {
      sort_key: GeneratedAlways<string>
      search_key: GeneratedAlways<string>
    }
    mass_notification_usage: { used: number }
  }
}

/** Number of people that a notification was sent to, waits for and did not reach, each counted once. */
export type Reached = Pick<SentNotification, 'sentCount' | 'waitingCount' | 'notReachedCount'>
/** A sent notification with all recipients. */
export type WholeNotification = SentNotification & {
  notifiedUserHistoryData: NotifiedPerson[]
  /** Chosen people whom none of its types could reach. */
  unreached: NotifiedPerson[]
}
/** A notification as stored: its counts are final, or null while messages wait. */
type StoredNotification = Omit<WholeNotification, keyof Reached> & {
  sentCount: number | null
  notReachedCount: number | null
}
/** A stored notification, with all recipients where requested. */
export type FoundNotification = Omit<StoredNotification, 'notifiedUserHistoryData' | 'unreached'> &
  Pick<SentNotification, 'notifiedUserHistoryData'>
/** Columns that a page of the list leaves out. */
const WHOLE_ONLY = { notifiedUserHistoryData: true } as const
const SHOWN = selectionOf(fieldsOf(z.omit(SentNotification, { ...WHOLE_ONLY, waitingCount: true })))
const PEOPLE = selectionOf(fieldsOf(z.pick(SentNotification, WHOLE_ONLY)))

const BY: { readonly [F in (typeof NOTIFICATION_SORT_FIELDS)[number]]: RawBuilder<unknown> } = {
  createTimestamp: sql`create_timestamp`,
  // Sorts the most urgent level highest.
  level: sql`array_position(array['LOW', 'NORMAL', 'CRITICAL'], level)`,
  notifiedCount: sql`notified_count`,
  title: sql`sort_key`,
}

/** Sent notifications, newest first unless a sort is given. Only the whole list includes recipients. */
export async function listNotifications(
  db: OrgDb,
  { sort, range, filter }: z.output<(typeof massNotificationsApi)['list']['query']>,
): Promise<Page<FoundNotification>> {
  const [field, direction] = sort ?? (['createTimestamp', 'DESC'] as const)
  const steps: Step[] = [
    [BY[field], direction],
    ...(field === 'createTimestamp' ? [] : [[BY.createTimestamp, 'DESC'] as const]),
    [sql`id`, 'ASC'],
  ]
  const words = searchedWords(filter?.q)
  const search =
    words.length === 0
      ? null
      : await searchRows(db, {
          table: 'mass_notifications',
          words,
          where: sql`true`,
          order: orderOf(steps),
          range,
        })
  const list = db
    .selectFrom('mass_notifications')
    .select(SHOWN)
    .$if(!range, (whole) => whole.select(PEOPLE))
    .$if(search !== null, (found) => found.where('id', '=', sql<string>`any(${search!.ids}::uuid[])`))
  if (!range || search?.page) {
    const rows = await list.orderBy(sql`${orderOf(steps)}`).execute()
    return { rows, ...(search?.page ?? { total: rows.length }) }
  }
  const counted = search
    ? sql<number>`(select count(*) from mass_notifications where id = any(${search.ids}::uuid[]))`
    : keptCount('mass_notifications')
  const { total } = await db.selectNoFrom(counted.as('total')).executeTakeFirstOrThrow()
  const { limit, offset, isFromEnd } = cutOf(range, total)
  const rows = await list
    .orderBy(sql`${orderOf(steps, isFromEnd)}`)
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows: isFromEnd ? rows.toReversed() : rows, total }
}

/** A sent notification, with all recipients where requested. */
export const findNotification = (
  db: OrgDb,
  id: string,
  withPeople: boolean,
): Promise<FoundNotification | undefined> =>
  db
    .selectFrom('mass_notifications')
    .select(SHOWN)
    .$if(withPeople, (query) => query.select(PEOPLE))
    .where('id', '=', id)
    .executeTakeFirst()

/** Number of chosen contacts that a notification shows by name. */
export const NAMES_SHOWN = 10
const AS_PEOPLE = sql.raw(
  `as (name text, email text, phone text, "shqGroupId" uuid, "shqGroupName" text, lists json, targeted boolean, "phoneProblem" text)`,
)
/** People in a JSON column of a notification, with their `ordinality`. */
const peopleIn = (column: 'notified_user_history_data' | 'unreached') =>
  sql`lateral rows from (json_to_recordset(n.${sql.raw(column)}) ${AS_PEOPLE}) with ordinality`

/** Numbers of people by kind, and some of the chosen contacts by name. */
export async function countNotified(
  db: OrgDb,
  id: string,
): Promise<Pick<NotificationDetail, 'contactCount' | 'memberCount' | 'contactNames'>> {
  const { rows } = await sql<{ contactCount: number; memberCount: number; contactNames: string[] }>`
    select count(*) filter (where ${IS_CONTACT}) as "contactCount",
      count(*) filter (where p."shqGroupId" is not null) as "memberCount",
      array(select coalesce((
          select nullif(q.name, '') from ${peopleIn('notified_user_history_data')} q where q.email = c.email limit 1
        ), c.email)
        from unnest(n.contact_ids[:${NAMES_SHOWN}::integer]) with ordinality c (email, place) order by place
      ) as "contactNames"
    from mass_notifications n left join ${peopleIn('notified_user_history_data')} p on true
    where n.id = ${id} group by n.id`.execute(db)
  return rows[0] ?? { contactCount: 0, memberCount: 0, contactNames: [] }
}
const IS_CONTACT = sql`p.name is not null and (p."shqGroupId" is null or p.targeted or json_array_length(p.lists) > 0)`

/** All recipients of notifications, with the outcome of each type. An address or number gets one message. */
const toldOf = (ids: readonly string[]) => sql`
  with n as materialized (select * from mass_notifications where id = any(${ids}::uuid[])),
  m as materialized (
    select notification_id, channel, recipient, state, reason from messages
    where notification_id = any(${ids}::uuid[])
  ),
  p as materialized (
    select n.id as notification_id, n.types, p.*, 1 as part
      from n, ${peopleIn('notified_user_history_data')} p
    union all select n.id, n.types, p.*, 0 from n, ${peopleIn('unreached')} p
  ),
  told as (
    select p.*,
      e.state as "EMAIL", e.reason as "reasonOfEMAIL", s.state as "SMS", s.reason as "reasonOfSMS",
      v.state as "VOICE_CALL", v.reason as "reasonOfVOICE_CALL",
      case
        when cardinality(states.sent) = cardinality(p.types) then 'SENT'
        when states.sent <> '{}' then 'PARTLY'
        when states.waiting then 'WAITING'
        else 'NOT_REACHED'
      end as outcome
    from p
      left join m e on e.channel = 'EMAIL' and e.recipient = p.email and e.notification_id = p.notification_id
      left join m s on s.channel = 'SMS' and s.recipient = p.phone and s.notification_id = p.notification_id
      left join m v
        on v.channel = 'VOICE_CALL' and v.recipient = p.phone and v.notification_id = p.notification_id
      cross join lateral (
        select array_positions(all_states, 'SENT') as sent, 'WAITING' = any(all_states) as waiting
        from (select array[${stateOf('e')}, ${stateOf('s')}, ${stateOf('v')}] as all_states) of_types
      ) states
  )`
function stateOf(message: 'e' | 's' | 'v'): RawBuilder<string> {
  const state = sql.ref(`${message}.state`)
  return sql`case when ${state} in ('SENT', 'KEPT') then 'SENT' when ${state} = 'FAILED' then 'FAILED'
    when ${state} is null then 'NOT_SENT' else 'WAITING' end`
}

/** A recipient with the state of their message of each type, and the reason for it. */
export type ToldPerson = NotifiedPerson & {
  readonly types: readonly NotificationType[]
  readonly outcome: Recipient['outcome']
  readonly total: number
} & { readonly [T in NotificationType]: MessageState | null } & {
  readonly [T in NotificationType as `reasonOf${T}`]: string | null
}

/** Recipients, those first to whom nothing was sent: all of them, or a page. */
export async function listTold(
  db: OrgDb,
  id: string,
  { sort, filter = {}, range }: Partial<z.output<(typeof massNotificationsApi)['recipients']['query']>>,
): Promise<ToldPerson[]> {
  const { q, of, outcome } = filter
  const conditions = [
    sql`true`,
    ...(q === undefined ? [] : [sql`${holdsEachPeopleWord(q)}`]),
    ...(of === 'contacts' ? [IS_CONTACT] : []),
    ...(of === 'members' ? [sql`p."shqGroupId" is not null`] : []),
    ...(outcome === undefined ? [] : [sql`p.outcome = ${outcome}`]),
  ]
  const searched = q === undefined ? sql`` : sql`, fold(concat_ws(e'\n', name, email, phone)) as search_key`
  const { rows } = await sql<ToldPerson>`${toldOf([id])}
    select p.*, count(*) over () as total from (select *${searched} from told) p
    where ${sql.join(conditions, sql` and `)}
    order by array_position(${[...RECIPIENT_OUTCOMES]}::text[], outcome) ${sql.raw(sort?.[1] ?? 'ASC')}, part, ordinality
    ${range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``}`.execute(db)
  return rows
}

/** Counts of `Reached` by notification id. */
export async function countReached(db: OrgDb, ids: readonly string[]): Promise<ReadonlyMap<string, Reached>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Reached & { id: string }>`${toldOf(ids)}
    select notification_id as id, count(*) filter (where sent) as "sentCount",
      count(*) filter (where waiting and not sent) as "waitingCount",
      count(*) filter (where not waiting and not sent) as "notReachedCount"
    from (
      select notification_id, bool_or(outcome in ('SENT', 'PARTLY')) as sent, bool_or(outcome = 'WAITING') as waiting
      from told group by notification_id, coalesce(email, phone)
    ) one group by notification_id`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Stores the final counts of a notification. */
export const updateReached = (
  db: OrgDb,
  id: string,
  { sentCount, notReachedCount }: Omit<Reached, 'waitingCount'>,
): Promise<unknown> =>
  db
    .updateTable('mass_notifications')
    .set({ sent_count: sentCount, not_reached_count: notReachedCount })
    .where('id', '=', id)
    .execute()

/** Progress of a notification's messages, by kind. */
export async function listDeliveries(db: OrgDb, id: string): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select channel as type,
      count(*) filter (where state in ('SENT', 'KEPT')) as sent,
      count(*) filter (where state in ('QUEUED', 'SENDING')) as waiting,
      count(*) filter (where state = 'FAILED') as failed
    from messages where notification_id = ${id} group by channel`.execute(db)
  return rows
}

/** The used part of the quota. */
export async function findUsed(db: OrgDb): Promise<number> {
  const row = await db.selectFrom('mass_notification_usage').select('used').executeTakeFirst()
  return row?.used ?? 0
}

/** Adds to the used part of the quota, serialised with other sends. Returns the amount used before. */
export async function addUsed(db: OrgDb, count: number): Promise<number> {
  const { rows } = await sql<{ before: number }>`
    insert into mass_notification_usage as u (used) values (${count})
    on conflict (organisation_id) do update set used = u.used + excluded.used
    returning used - ${count} as before`.execute(db)
  return rows[0]!.before
}

/** Inserts a sent notification. Its counts are final where no message waits. */
export async function insertNotification(
  db: OrgDb,
  { waitingCount, sentCount, notReachedCount, ...one }: WholeNotification,
): Promise<void> {
  const isFinal = waitingCount === 0
  await db
    .insertInto('mass_notifications')
    .values({
      ...valuesOf(one),
      sent_count: isFinal ? sentCount : null,
      not_reached_count: isFinal ? notReachedCount : null,
      notified_user_history_data: json(one.notifiedUserHistoryData),
      unreached: json(one.unreached),
    })
    .execute()
}

/** A group with the numbers of its active members. */
export interface CountedGroup {
  readonly id: string
  readonly name: string
  readonly userCount: number
  /** The numbers of each member who has one, the first one first. */
  readonly phones: (string | null)[][]
  readonly canAccess: boolean
}

/** Groups by name, only those of `ids` where given. Without a person, all groups are accessible. */
export async function listCountedGroups(
  db: OrgDb,
  { memberId, ids }: { memberId: string | null; ids?: readonly string[] },
): Promise<CountedGroup[]> {
  const { rows } = await sql<CountedGroup>`
    select g.id, g.name, count(u.id) as "userCount",
      coalesce(json_agg(json_build_array(u.phone_number, u.second_phone_number))
        filter (where coalesce(u.phone_number, u.second_phone_number) is not null), '[]') as phones,
      ${memberId === null ? sql`true` : sql`coalesce(bool_or(m.user_id = ${memberId}), false)`} as "canAccess"
    from user_groups g left join group_members m on m.group_id = g.id
      left join users u on u.id = m.user_id and u.active and not u.banned
    ${ids === undefined ? sql`` : sql`where g.id = any(${ids}::uuid[])`}
    group by g.id order by g.sort_key, g.id`.execute(db)
  return rows
}

export interface Member {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly secondPhone: string | null
  readonly groupId: string
  readonly groupName: string
}

/** Active members of groups, de-duplicated below the first of their groups; all of them or a page. */
export async function listMembersOnce(
  db: OrgDb,
  groupIds: readonly string[],
  { filter, range }: z.output<(typeof massNotificationsApi)['members']['query']>,
): Promise<Page<Member>> {
  const found = sql`
    select distinct on (u.id) rtrim(u.first_name || ' ' || u.last_name) as name, u.email, u.phone_number as phone,
      u.second_phone_number as "secondPhone", g.id as "groupId", g.name as "groupName", g.sort_key, u.given_key, u.id
    from group_members m join user_groups g on g.id = m.group_id
      join users u on u.id = m.user_id and u.active and not u.banned
    where g.id = any(${groupIds}::uuid[]) and u.id in (select id from users where ${holdsEachPeopleWord(filter?.q)})
    order by u.id, g.sort_key, g.id`
  const { rows } = await sql<Member>`
    select name, email, phone, "secondPhone", "groupId", "groupName" from (${found}) member
    order by sort_key, "groupId", given_key, id
    ${range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``}`.execute(db)
  if (!range) return { rows, total: rows.length }
  const counted = await sql<{ total: number }>`select count(*) as total from (${found}) member`.execute(db)
  return { rows, total: counted.rows[0]!.total }
}

/** Active members of groups, by the group's name and then by their own. */
export async function listMembers(db: OrgDb, groupIds: readonly string[]): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select rtrim(u.first_name || ' ' || u.last_name) as name, u.email, u.phone_number as phone,
      u.second_phone_number as "secondPhone", g.id as "groupId",
      g.name as "groupName"
    from group_members m join user_groups g on g.id = m.group_id
      join users u on u.id = m.user_id and u.active and not u.banned
    where g.id = any(${groupIds}::uuid[])
    order by g.sort_key, g.id, u.given_key, u.id`.execute(db)
  return rows
}
