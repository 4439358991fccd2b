import { type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'

import type { massNotificationsApi, NOTIFICATION_SORT_FIELDS } from '#contract/mass-notifications/api.ts'
import { type Delivery, type NotifiedPerson, SentNotification } from '#contract/mass-notifications/schema.ts'
import { type ColumnsOf, fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { lockFor, type OrgDb } from '#server/kit/database/db.ts'
import { pageOf } from '#server/kit/http/lists.ts'
import { holdsEachWord } from '#server/kit/database/search.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    mass_notifications: ColumnsOf<WholeNotification> & {
      sort_key: GeneratedAlways<string>
      search_key: GeneratedAlways<string>
    }
    mass_notification_usage: { used: number }
  }
}

/** A sent notification with everybody who was notified. */
export type WholeNotification = SentNotification & { notifiedUserHistoryData: NotifiedPerson[] }
/** What a page of the list leaves out. */
const WHOLE_ONLY = { notifiedUserHistoryData: true } as const
const SHOWN = selectionOf(fieldsOf(z.omit(SentNotification, WHOLE_ONLY)))
const PEOPLE = selectionOf(fieldsOf(z.pick(SentNotification, WHOLE_ONLY)))

const BY: { readonly [F in (typeof NOTIFICATION_SORT_FIELDS)[number]]: RawBuilder<unknown> } = {
  createTimestamp: sql`create_timestamp`,
  // The most urgent ones are the highest.
  level: sql`array_position(array['LOW', 'NORMAL', 'CRITICAL'], level)`,
  notifiedCount: sql`notified_count`,
  title: sql`sort_key`,
}

/** Sent notifications, newest first unless a sort is given. Only the whole list includes the recipients. */
export async function listNotifications(
  db: OrgDb,
  { sort, range, filter }: z.output<(typeof massNotificationsApi)['list']['query']>,
): Promise<Page<SentNotification>> {
  const [field, direction] = sort ?? ['createTimestamp', 'DESC']
  const list = db
    .selectFrom('mass_notifications')
    .select(SHOWN)
    .$if(!range, (whole) => whole.select(PEOPLE))
    .where(holdsEachWord(filter?.q))
    .orderBy(sql`${BY[field]} ${sql.raw(direction)}`)
    .$if(field !== 'createTimestamp', (sorted) => sorted.orderBy('create_timestamp', 'desc'))
    .orderBy('id')
  return pageOf(list, range)
}

export const findNotification = (db: OrgDb, id: string): Promise<WholeNotification | undefined> =>
  db
    .selectFrom('mass_notifications')
    .select([...SHOWN, ...PEOPLE])
    .where('id', '=', id)
    .executeTakeFirst()

/** How far the messages of a notification have come, by their kind. */
export async function listDeliveries(db: OrgDb, id: string): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select channel as type,
      count(*) filter (where state in ('SENT', 'KEPT')) as sent,
      count(*) filter (where state in ('QUEUED', 'SENDING')) as waiting,
      count(*) filter (where state = 'FAILED') as failed
    from messages where notification_id = ${id} group by channel`.execute(db)
  return rows
}

/** One send of an organisation at a time, so that what remains of the quota is counted once. */
export const lockSending = (db: OrgDb): Promise<void> => lockFor(db, 'mass notifications')

/** How much of the quota was used. */
export async function findUsed(db: OrgDb): Promise<number> {
  const row = await db.selectFrom('mass_notification_usage').select('used').executeTakeFirst()
  return row?.used ?? 0
}

/** Uses some of the quota. */
export async function addUsed(db: OrgDb, count: number): Promise<void> {
  await sql`insert into mass_notification_usage as u (used) values (${count})
    on conflict (organisation_id) do update set used = u.used + excluded.used`.execute(db)
}

/** Inserts a sent notification. */
export async function insertNotification(db: OrgDb, one: WholeNotification): Promise<void> {
  const people = JSON.stringify(one.notifiedUserHistoryData)
  await db
    .insertInto('mass_notifications')
    // An array would be sent as one of PostgreSQL's; the column is JSON.
    .values({ ...valuesOf(one), notified_user_history_data: people as unknown as NotifiedPerson[] })
    .execute()
}

/** A group with the numbers of its active members. */
export interface CountedGroup {
  readonly id: string
  readonly name: string
  readonly userCount: number
  readonly phones: string[]
  readonly canAccess: boolean
}

/** Groups by name, only those of `ids` where they are given. Without a person everybody has access to all of them. */
export async function listCountedGroups(
  db: OrgDb,
  { memberId, ids }: { memberId: string | null; ids?: readonly string[] },
): Promise<CountedGroup[]> {
  const { rows } = await sql<CountedGroup>`
    select g.id, g.name, count(u.id) as "userCount",
      coalesce(array_agg(u.phone_number) filter (where u.phone_number is not null), '{}') as phones,
      ${memberId === null ? sql`true` : sql`coalesce(bool_or(m.user_id = ${memberId}), false)`} as "canAccess"
    from user_groups g left join group_members m on m.group_id = g.id
      left join users u on u.id = m.user_id and u.active and not u.banned
    ${ids === undefined ? sql`` : sql`where g.id = any(${ids}::uuid[])`}
    group by g.id order by g.sort_key, g.id`.execute(db)
  return rows
}

/** An active member of a group. */
export interface Member {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly groupId: string
  readonly groupName: string
}

/** The active members of groups, by the group's name and then by their own. */
export async function listMembers(db: OrgDb, groupIds: readonly string[]): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select u.first_name || ' ' || u.last_name as name, u.email, u.phone_number as phone, g.id as "groupId",
      g.name as "groupName"
    from group_members m join user_groups g on g.id = m.group_id
      join users u on u.id = m.user_id and u.active and not u.banned
    where g.id = any(${groupIds}::uuid[])
    order by g.sort_key, g.id, u.given_key, u.id`.execute(db)
  return rows
}
