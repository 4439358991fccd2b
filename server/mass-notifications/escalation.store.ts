import { type ColumnType, sql } from 'kysely'

import {
  type Escalation,
  type ESCALATION_ENDS,
  SKIPS_SHOWN,
  type SkipReason,
  type TakenStep,
} from '#contract/notification-escalations/schema.ts'
import type { NotifiedPerson } from '#contract/mass-notifications/schema.ts'
import { selectionOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { insertRecipients, PERSON_COLUMNS } from './recipients.store.ts'

export type EscalationEnd = (typeof ESCALATION_ENDS)[number]

declare module '#server/kit/database/db.ts' {
  interface Tables {
    notification_escalations: {
      notification_id: string
      start_timestamp: string
      number: ColumnType<number, number | undefined>
      next_timestamp: string | null
      ended: ColumnType<EscalationEnd | null, EscalationEnd | null | undefined>
      ended_by: ColumnType<string | null, string | null | undefined>
      ended_timestamp: ColumnType<string | null, string | null | undefined>
      queue: string[]
    }
    notification_steps: {
      notification_id: string
      number: number
      round: number
      asked: TakenStep['asked']
      types: TakenStep['types']
      people: number
      create_timestamp: string
    }
  }
}

/** The state of an escalation. */
export interface EscalationRow {
  readonly notificationId: string
  readonly startTimestamp: string
  /** Number of the next step, from 0. */
  readonly number: number
  readonly nextTimestamp: string | null
  readonly ended: Escalation['ended']
  readonly endedBy: string | null
  readonly endedTimestamp: string | null
  /** Members of a group who were not asked yet. */
  readonly queue: string[]
}
const ROW = selectionOf([
  'notificationId',
  'startTimestamp',
  'number',
  'nextTimestamp',
  'ended',
  'endedBy',
  'endedTimestamp',
  'queue',
])

export const insertEscalation = (
  db: OrgDb,
  row: Pick<EscalationRow, 'notificationId' | 'startTimestamp' | 'queue'> & {
    readonly nextTimestamp: string
  },
): Promise<unknown> =>
  db
    .insertInto('notification_escalations')
    .values({
      notification_id: row.notificationId,
      start_timestamp: row.startTimestamp,
      next_timestamp: row.nextTimestamp,
      queue: row.queue,
    })
    .execute()

export const findEscalation = (db: OrgDb, notificationId: string): Promise<EscalationRow | undefined> =>
  db
    .selectFrom('notification_escalations')
    .select(ROW)
    .where('notification_id', '=', notificationId)
    .executeTakeFirst()

/**
 * An escalation, locked until the transaction ends. Take this lock before others of the notification.
 * @param isPatient false returns undefined where somebody else holds it
 */
export const holdEscalation = (
  db: OrgDb,
  notificationId: string,
  isPatient = true,
): Promise<EscalationRow | undefined> =>
  db
    .selectFrom('notification_escalations')
    .select(ROW)
    .where('notification_id', '=', notificationId)
    .forUpdate()
    .$if(!isPatient, (query) => query.skipLocked())
    .executeTakeFirst()

/** Stores what is due next. */
export const updateNext = (
  db: OrgDb,
  notificationId: string,
  next: Partial<Pick<EscalationRow, 'startTimestamp' | 'number' | 'queue'>> & {
    readonly nextTimestamp: string
  },
): Promise<unknown> =>
  db
    .updateTable('notification_escalations')
    .set({
      next_timestamp: next.nextTimestamp,
      ...(next.startTimestamp !== undefined && { start_timestamp: next.startTimestamp }),
      ...(next.number !== undefined && { number: next.number }),
      ...(next.queue !== undefined && { queue: next.queue }),
    })
    .where('notification_id', '=', notificationId)
    .execute()

/** Ends an escalation that goes on. Returns whether it did. */
export async function updateEnded(
  db: OrgDb,
  notificationId: string,
  end: { readonly ended: EscalationEnd; readonly by: string | null; readonly at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notification_escalations')
    .set({ next_timestamp: null, ended: end.ended, ended_by: end.by, ended_timestamp: end.at, queue: [] })
    .where('notification_id', '=', notificationId)
    .where('ended', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The name of the opened organisation. */
export async function findOrganisationName(db: OrgDb): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select display_name as name from organisations where id = current_organisation()`.execute(db)
  return rows[0]!.name
}

/** An address of a person who has not answered. */
export interface UnansweredRow extends NotifiedPerson {
  readonly person: number
}
/** The people of a question who have not answered, with each of their numbers. */
export async function listUnanswered(db: OrgDb, id: string): Promise<UnansweredRow[]> {
  const { rows } = await sql<UnansweredRow>`
    select ${PERSON_COLUMNS}, p.person from notification_recipients p
      join notification_recipients f on f.notification_id = p.notification_id and f.place = p.person
    where p.notification_id = ${id} and f.answer_id is null order by p.person, p.place`.execute(db)
  return rows
}
/** Number of the people of a question who have not answered. */
export async function countUnanswered(db: OrgDb, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from notification_recipients
    where notification_id = ${id} and place = person and answer_id is null`.execute(db)
  return rows[0]!.count
}
/** The answers that count, as indexes. */
export async function listAnswersGiven(db: OrgDb, id: string): Promise<number[]> {
  const { rows } = await sql<{ answer: number }>`
    select distinct a.answer from notification_recipients p join notification_answers a on a.id = p.answer_id
    where p.notification_id = ${id}`.execute(db)
  return rows.map(({ answer }) => answer)
}

/** The deputy of a person who has not answered; the deputy's fields are null for none. */
export interface DeputyRow {
  readonly person: number
  /** Name of the person. */
  readonly name: string
  readonly isUsable: boolean | null
  readonly deputyName: string | null
  readonly deputyEmail: string | null
  readonly phone: string | null
  readonly secondPhone: string | null
}
/** The people of a question who have not answered, with their deputies of now. */
export async function listDeputies(db: OrgDb, id: string): Promise<DeputyRow[]> {
  const { rows } = await sql<DeputyRow>`
    select p.person, p.name, d.active and not d.banned and d.type = 'INTERNAL' as "isUsable",
      rtrim(d.first_name || ' ' || d.last_name) as "deputyName", d.email as "deputyEmail",
      d.phone_number as phone, d.second_phone_number as "secondPhone"
    from notification_recipients p
      left join users u on u.email = p.email
      left join users d on d.email = u.deputy and d.email <> p.email
    where p.notification_id = ${id} and p.place = p.person and p.answer_id is null order by p.place`.execute(
    db,
  )
  return rows
}

export interface NewDeputy {
  readonly person: number
  readonly name: string
  readonly email: string
  readonly phone: string | null
}
/** Adds deputies, each once for a person. Returns the places of their links by person. */
export async function insertDeputies(
  db: OrgDb,
  id: string,
  deputies: readonly NewDeputy[],
): Promise<ReadonlyMap<number, number>> {
  if (deputies.length === 0) return new Map()
  const { rows } = await sql<{ person: number; place: number }>`
    insert into notification_deputies (organisation_id, notification_id, place, person, name, email, phone)
    select (select current_organisation()), ${id}::uuid, last.place + n, d.person, d.name, d.email, d.phone
    from unnest(${deputies.map(({ person }) => person)}::integer[], ${deputies.map(({ name }) => name)}::text[],
      ${deputies.map(({ email }) => email)}::text[], ${deputies.map(({ phone }) => phone)}::text[])
      with ordinality as d (person, name, email, phone, n), (
        select greatest(
          (select max(place) from notification_recipients where notification_id = ${id}),
          (select max(place) from notification_deputies where notification_id = ${id})) as place
      ) last
    on conflict (notification_id, person, email) do update set name = excluded.name, phone = excluded.phone
    returning person, place`.execute(db)
  return new Map(rows.map(({ person, place }) => [person, place]))
}

/** A person whom a step did not ask. */
export interface Skip {
  readonly person: number
  readonly name: string
  readonly reason: SkipReason
}
/** Adds a step that was taken. */
export async function insertStep(
  db: OrgDb,
  id: string,
  step: Omit<TakenStep, 'skips' | 'skipped'>,
  skips: readonly Skip[],
): Promise<void> {
  const { number, round, asked, types, people, createTimestamp } = step
  await db
    .insertInto('notification_steps')
    .values({ notification_id: id, number, round, asked, types, people, create_timestamp: createTimestamp })
    .execute()
  if (skips.length === 0) return
  await sql`
    insert into notification_step_skips (organisation_id, notification_id, number, person, name, reason)
    select (select current_organisation()), ${id}::uuid, ${number}::integer, s.*
    from unnest(${skips.map(({ person }) => person)}::integer[], ${skips.map(({ name }) => name)}::text[],
      ${skips.map(({ reason }) => reason)}::text[]) as s (person, name, reason)`.execute(db)
}

/** The steps that were taken, newest first. */
export async function listSteps(db: OrgDb, id: string): Promise<TakenStep[]> {
  const { rows } = await sql<TakenStep>`
    select s.number, s.round, s.asked, s.types, s.people, s.create_timestamp as "createTimestamp",
      (select count(*) from notification_step_skips k
        where k.notification_id = s.notification_id and k.number = s.number) as skipped,
      array(select json_build_object('name', k.name, 'reason', k.reason) from notification_step_skips k
        where k.notification_id = s.notification_id and k.number = s.number order by k.person limit ${SKIPS_SHOWN}
      ) as skips
    from notification_steps s where s.notification_id = ${id} order by s.number desc`.execute(db)
  return rows
}

/** A member of a group that is asked in order. */
export interface QueuedRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly secondPhone: string | null
  readonly isUsable: boolean
}
/** Members by id, in the order of the ids. */
export async function listQueued(db: OrgDb, ids: readonly string[]): Promise<QueuedRow[]> {
  const { rows } = await sql<QueuedRow>`
    select id, rtrim(first_name || ' ' || last_name) as name, email, phone_number as phone,
      second_phone_number as "secondPhone", active and not banned as "isUsable"
    from users where id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], id)`.execute(db)
  return rows
}
/** The ids of the members of a group in its order; null for a group without one. */
export async function listGroupOrder(db: OrgDb, groupId: string): Promise<string[] | null> {
  const { rows } = await sql<{ ids: string[]; isOrdered: boolean }>`
    select g.is_ordered as "isOrdered", array(
        select m.user_id from group_members m join users u on u.id = m.user_id
        where m.group_id = g.id and u.active and not u.banned
        order by m.place, u.given_key, u.id
      ) as ids
    from user_groups g where g.id = ${groupId}`.execute(db)
  return rows[0]?.isOrdered ? rows[0].ids : null
}

/** The place of the last recipient. */
export async function findLastPlace(db: OrgDb, id: string): Promise<number> {
  const { rows } = await sql<{ place: number | null }>`
    select max(place) as place from notification_recipients where notification_id = ${id}`.execute(db)
  return rows[0]?.place ?? -1
}

/** Adds the next person of a group to the recipients. Returns their place. */
export async function addRecipient(db: OrgDb, id: string, person: NotifiedPerson): Promise<number> {
  const place = (await findLastPlace(db, id)) + 1
  await insertRecipients(db, id, [person], [], place)
  await sql`update mass_notifications set notified_count = notified_count + 1 where id = ${id}`.execute(db)
  return place
}
/** The group that the people of a notification were chosen by. */
export async function findGroupOf(
  db: OrgDb,
  id: string,
): Promise<Pick<NotifiedPerson, 'shqGroupId' | 'shqGroupName'>> {
  const { rows } = await sql<Pick<NotifiedPerson, 'shqGroupId' | 'shqGroupName'>>`
    select shq_group_id as "shqGroupId", shq_group_name as "shqGroupName" from notification_recipients
    where notification_id = ${id} order by place limit 1`.execute(db)
  return rows[0] ?? { shqGroupId: null, shqGroupName: null }
}
