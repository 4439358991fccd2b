import { type ColumnType, type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'

import type { massNotificationsApi, NOTIFICATION_SORT_FIELDS } from '#contract/mass-notifications/api.ts'
import { type Delivery, type NotifiedPerson, SentNotification } from '#contract/mass-notifications/schema.ts'
import type { Question } from '#contract/notification-questions/schema.ts'
import { type ColumnsOf, fieldsOf, json, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { cutOf, orderOf, type Step } from '#server/kit/http/lists.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'
import { holdsEachPeopleWord, searchedWords, searchRows } from '#server/kit/database/search.ts'

import { insertRecipients, PERSON_AS_JSON } from './recipients.store.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    mass_notifications: ColumnsOf<StoredNotification> & {
      sort_key: GeneratedAlways<string>
      search_key: GeneratedAlways<string>
      settled_timestamp: ColumnType<string | null, string | null | undefined>
      language: ColumnType<string | null, string | null | undefined>
    }
    mass_notification_usage: { used: number; questions: number }
  }
}

/** Number of people that a notification was sent to, waits for and did not reach, each counted once. */
export type Reached = Pick<
  SentNotification,
  'sentCount' | 'reachedCount' | 'waitingCount' | 'notReachedCount'
>
/** A sent notification with all recipients. */
export type WholeNotification = Omit<SentNotification, 'question'> &
  QuestionColumns & {
    notifiedUserHistoryData: NotifiedPerson[]
    /** Chosen people whom none of its types could reach. */
    unreached: NotifiedPerson[]
  }
/** A question as stored; null without one. */
interface QuestionColumns {
  question: Question | null
  questionNumber: number | null
  questionEndTimestamp: string | null
  questionClosedTimestamp: string | null
  questionClosedBy: string | null
}
const QUESTION_FIELDS = [
  'question',
  'questionNumber',
  'questionEndTimestamp',
  'questionClosedTimestamp',
  'questionClosedBy',
] as const satisfies readonly (keyof QuestionColumns)[]
/** A notification as stored. Its counts are null while messages wait, and until a change of theirs is recounted. */
export type StoredNotification = Omit<
  SentNotification,
  keyof Reached | 'notifiedUserHistoryData' | 'question'
> &
  QuestionColumns & {
    sentCount: number | null
    reachedCount: number
    notReachedCount: number | null
  }
/** A stored notification, with all recipients where requested. */
export type FoundNotification = StoredNotification & Pick<SentNotification, 'notifiedUserHistoryData'>
const SHOWN = [
  ...selectionOf(
    fieldsOf(z.omit(SentNotification, { notifiedUserHistoryData: true, waitingCount: true, question: true })),
  ),
  ...selectionOf(QUESTION_FIELDS),
] as const
/** The notified people, whom a page of the list leaves out. */
const PEOPLE = sql<NotifiedPerson[]>`(
  select coalesce(json_agg(${PERSON_AS_JSON} order by p.place), '[]') from notification_recipients p
  where p.notification_id = mass_notifications.id and p.is_notified)`.as('notifiedUserHistoryData')

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

/** A page of the notifications about an incident, newest first, and their number. */
export async function listAbout(
  db: OrgDb,
  incidentId: string,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ rows: (FoundNotification & { askedCount: number })[]; total: number }> {
  const about = db.selectFrom('mass_notifications').where('incident_id', '=', incidentId)
  const rows = await about
    .select(SHOWN)
    .select(
      sql<number>`(select count(*) from notification_recipients p
        where p.notification_id = mass_notifications.id and p.place = p.person)`.as('askedCount'),
    )
    .orderBy('create_timestamp', 'desc')
    .orderBy('id')
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await about.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** The newest correction of a notification; null for none. */
export async function findCorrection(db: OrgDb, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('mass_notifications')
    .select('id')
    .where('corrects_id', '=', id)
    .orderBy('create_timestamp', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Stores the counts of a notification whose messages are sent or failed. */
export const updateReached = (
  db: OrgDb,
  id: string,
  { sentCount, reachedCount, notReachedCount }: Omit<Reached, 'waitingCount'>,
): Promise<unknown> =>
  db
    .updateTable('mass_notifications')
    .set({ sent_count: sentCount, reached_count: reachedCount, not_reached_count: notReachedCount })
    .where('id', '=', id)
    .execute()

/** Forgets the counts of notifications until they are recounted. Returns those that had some. */
export async function forgetReached(db: OrgDb, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .updateTable('mass_notifications')
    .set({ sent_count: null, not_reached_count: null })
    .where('id', 'in', ids)
    .where('sent_count', 'is not', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Notes that the last message of a notification was sent or failed. Returns false where that is known. */
export async function updateSettled(db: OrgDb, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mass_notifications')
    .set({ settled_timestamp: at })
    .where('id', '=', id)
    .where('settled_timestamp', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Progress of a notification's messages, by kind. */
export async function listDeliveries(db: OrgDb, id: string): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select channel as type,
      count(*) filter (where state in ('SENT', 'DELIVERED', 'KEPT')) as sent,
      count(*) filter (where state = 'DELIVERED') as delivered,
      count(*) filter (where state in ('QUEUED', 'SENDING')) as waiting,
      count(*) filter (where state = 'FAILED') as failed
    from messages where notification_id = ${id} group by channel`.execute(db)
  return rows
}

/** The used part of the quota, and the number of questions so far. */
export async function findUsage(db: OrgDb): Promise<{ used: number; questions: number }> {
  const row = await db.selectFrom('mass_notification_usage').select(['used', 'questions']).executeTakeFirst()
  return row ?? { used: 0, questions: 0 }
}

/**
 * Adds to the used part of the quota, serialised with other sends. Returns the amount used before, and the number of
 * the organisation's newest question.
 */
export async function addUsed(
  db: OrgDb,
  count: number,
  questions: 0 | 1,
): Promise<{ before: number; questions: number }> {
  const { rows } = await sql<{ before: number; questions: number }>`
    insert into mass_notification_usage as u (used, questions) values (${count}, ${questions})
    on conflict (organisation_id) do update
      set used = u.used + excluded.used, questions = u.questions + excluded.questions
    returning used - ${count} as before, questions`.execute(db)
  return rows[0]!
}

/** Inserts a sent notification with its recipients. Its counts are final where no message waits. */
export async function insertNotification(
  db: OrgDb,
  { waitingCount, sentCount, notReachedCount, notifiedUserHistoryData, unreached, ...one }: WholeNotification,
): Promise<void> {
  const isFinal = waitingCount === 0
  await Promise.all([
    db
      .insertInto('mass_notifications')
      .values({
        ...valuesOf(one),
        question: one.question && json(one.question),
        escalation: one.escalation && json(one.escalation),
        price: one.price ? json(one.price) : null,
        sent_count: isFinal ? sentCount : null,
        not_reached_count: isFinal ? notReachedCount : null,
      })
      .execute(),
    insertRecipients(db, one.id, notifiedUserHistoryData, unreached),
  ])
}

/** Closes a question that nobody has closed yet. Returns whether it was open. */
export async function updateClosed(db: OrgDb, id: string, by: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mass_notifications')
    .set({ question_closed_timestamp: at, question_closed_by: by })
    .where('id', '=', id)
    .where('question_closed_timestamp', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** A group with the numbers of its active members. */
export interface CountedGroup {
  readonly id: string
  readonly name: string
  readonly userCount: number
  /** The numbers of each member who has one, the first one first. */
  readonly phones: (string | null)[][]
  readonly canAccess: boolean
  readonly isOrdered: boolean
}

/** Groups by name, only those of `ids` where given. Without a person, all groups are accessible. */
export async function listCountedGroups(
  db: OrgDb,
  { memberId, ids }: { memberId: string | null; ids?: readonly string[] },
): Promise<CountedGroup[]> {
  const { rows } = await sql<CountedGroup>`
    select g.id, g.name, g.is_ordered as "isOrdered", count(u.id) as "userCount",
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
  /** Absent where the person was not found by their account. */
  readonly id?: string
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

/** All internal people who can sign in, by name. */
export async function listEverybody(db: OrgDb): Promise<Omit<Member, 'groupId' | 'groupName'>[]> {
  const { rows } = await sql<Omit<Member, 'groupId' | 'groupName'>>`
    select rtrim(first_name || ' ' || last_name) as name, email, phone_number as phone,
      second_phone_number as "secondPhone"
    from users where active and not banned and not dashboard_user and type = 'INTERNAL'
    order by given_key, id`.execute(db)
  return rows
}

/** Active members of groups, by the group's name and then by their own. */
export async function listMembers(db: OrgDb, groupIds: readonly string[]): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select u.id, rtrim(u.first_name || ' ' || u.last_name) as name, u.email, u.phone_number as phone,
      u.second_phone_number as "secondPhone", g.id as "groupId",
      g.name as "groupName"
    from group_members m join user_groups g on g.id = m.group_id
      join users u on u.id = m.user_id and u.active and not u.banned
    where g.id = any(${groupIds}::uuid[])
    order by g.sort_key, g.id, u.given_key, u.id`.execute(db)
  return rows
}
