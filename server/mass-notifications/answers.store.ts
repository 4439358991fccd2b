import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import type { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import type { NotifiedPerson, Respondent } from '#contract/mass-notifications/schema.ts'
import {
  type AskedQuestion,
  GivenAnswer,
  type Question,
  type QuestionResult,
  type Standing,
  STANDINGS,
} from '#contract/notification-questions/schema.ts'
import { type ColumnsOf, fieldsOf, selectionText, valuesOf } from '#server/kit/database/columns.ts'
import type { Database, OrgDb } from '#server/kit/database/db.ts'
import { holdsEachPeopleWord } from '#server/kit/database/search.ts'

import {
  executeHashed,
  MESSAGE_COLUMNS,
  PERSON_COLUMNS,
  toldOf,
  type ToldMessages,
} from './recipients.store.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    notification_answers: ColumnsOf<NewAnswer> & { id: string }
  }
}

/** An answer as stored. */
export interface NewAnswer extends GivenAnswer {
  readonly notificationId: string
  readonly person: number
}
const ANSWER_FIELDS = fieldsOf(GivenAnswer)
/** Newest answers of a person that are shown. */
const ANSWERS_SHOWN = 10

/** The organisation of a short link. Its number never changes. */
export const findOrganisationId = async (database: Database, number: number): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`select id from organisations where number = ${number}`.execute(
    database.directory,
  )
  return rows[0]?.id
}

/** The number of the opened organisation, for short links. */
export async function findOrganisationNumber(db: OrgDb): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select number from organisations where id = current_organisation()`.execute(db)
  return rows[0]!.number
}

/** The question that a link leads to, for its recipient. */
export interface AskedPerson extends Pick<AskedQuestion, 'endTimestamp' | 'closedTimestamp'> {
  readonly notificationId: string
  readonly organisationId: string
  readonly organisation: string
  readonly isExercise: boolean
  readonly isTest: boolean
  /** The incident that the question is about; null for none. */
  readonly incidentId: string | null
  readonly title: string | null
  readonly emailMessage: string | null
  readonly smsMessage: string | null
  readonly createdBy: string
  /** Language of our words around it; null for one of an earlier release. */
  readonly language: string | null
  readonly question: Question
  /** Number of the person within the notification. */
  readonly person: number
  readonly name: string
  readonly email: string | null
  /** The deputy who is asked in the person's place; null for the person. */
  readonly deputy: string | null
  /** The answer that counts; null for none. */
  readonly given: Pick<GivenAnswer, 'answer' | 'note' | 'channel'> | null
}

/**
 * A recipient's question, also by the place of their deputy; undefined where there is none, and in an organisation that
 * is suspended or deleted.
 * @param isHeld locks the recipient until the transaction ends, so that answers are taken one after the other
 */
export async function findAsked(
  db: OrgDb,
  which: { readonly questionNumber: number } | { readonly notificationId: string },
  place: number,
  isHeld = false,
): Promise<AskedPerson | undefined> {
  const { rows } = await sql<AskedPerson>`
    select n.id as "notificationId", o.id as "organisationId", o.display_name as organisation, n.is_exercise as "isExercise", n.is_test as "isTest", n.incident_id as "incidentId", n.title,
      n.email_message as "emailMessage", n.sms_message as "smsMessage", n.created_by as "createdBy", n.language, n.question,
      n.question_end_timestamp as "endTimestamp", n.question_closed_timestamp as "closedTimestamp", p.person, p.name, p.email, d.name as deputy,
      ${givenOf(sql`p.answer_id`)} as given
    from mass_notifications n
      join organisations o on o.id = n.organisation_id
      left join notification_deputies d on d.notification_id = n.id and d.place = ${place}
      join notification_recipients p
        on p.notification_id = n.id and p.place = coalesce(d.person, ${place}::integer) and p.person = p.place
    where n.question is not null and n.organisation_id = current_organisation()
      and ${'questionNumber' in which ? sql`n.question_number = ${which.questionNumber}` : sql`n.id = ${which.notificationId}`}
    ${isHeld ? sql`for update of p` : sql``}`.execute(db)
  return rows[0]
}
const givenOf = (id: RawBuilder<unknown>) => sql`(
  select json_build_object('answer', a.answer, 'note', a.note, 'channel', a.channel)
  from notification_answers a where a.id = ${id})`

/** Adds an answer, which counts from now on. */
export async function insertAnswer(db: OrgDb, answer: NewAnswer): Promise<void> {
  const id = crypto.randomUUID()
  await db
    .insertInto('notification_answers')
    .values({ id, ...valuesOf(answer) })
    .execute()
  await db
    .updateTable('notification_recipients')
    .set({ answer_id: id })
    .where('notification_id', '=', answer.notificationId)
    .where('place', '=', answer.person)
    .execute()
}

/** People of questions, each once, with their state in it and the answer that counts, as `p`. */
const peopleOf = (notificationIds: readonly string[], question: RawBuilder<unknown>) => sql`
  ${toldOf(notificationIds)},
  reached as (
    select person, bool_or(outcome <> 'NOT_REACHED') as is_reached from told group by person
  ),
  people as (
    select p.*, a.answer, a.create_timestamp as answered,
      case
        when ${question} -> 'answers' -> a.answer ->> 'tone' = 'ATTENTION' then 'ATTENTION'
        when a.answer is not null then 'ANSWERED'
        when r.is_reached then 'NO_ANSWER'
        else 'NOT_REACHED'
      end as standing
    from told p join reached r on r.person = p.place left join notification_answers a
      on a.id = p.answer_id and a.notification_id = any(${notificationIds}::uuid[])
  )`
const questionOf = (id: string) => sql`(select question from mass_notifications where id = ${id})`

/** Numbers of people by their answers and states. */
export async function countAnswers(db: OrgDb, id: string, question: Question): Promise<QuestionResult> {
  const rows = await executeHashed(
    db,
    sql<{ answer: number | null; standing: Standing; count: number }>`
    ${peopleOf([id], questionOf(id))}
    select answer, standing, count(*) as count from people group by answer, standing`,
  )
  const answers = question.answers.map(() => 0)
  const standings = { ATTENTION: 0, NOT_REACHED: 0, NO_ANSWER: 0, ANSWERED: 0 }
  for (const { answer, standing, count } of rows) {
    standings[standing] += count
    if (answer !== null) answers[answer]! += count
  }
  return { answers, standings }
}

/** A person of a question with the states of their messages. */
export type RespondentRow = NotifiedPerson &
  ToldMessages & {
    readonly person: number
    readonly standing: Standing
    readonly answers: GivenAnswer[]
    readonly replies: Respondent['replies']
    readonly total: number
  }

/** People of a question: those first who call for attention, the longest of them first. All of them, or a page. */
export async function listRespondents(
  db: OrgDb,
  id: string,
  { sort, filter = {}, range }: Partial<z.output<(typeof massNotificationsApi)['respondents']['query']>>,
): Promise<RespondentRow[]> {
  const { q, standing, answer } = filter
  const conditions = [
    sql`true`,
    ...(q === undefined ? [] : [sql`${holdsEachPeopleWord(q)}`]),
    ...(standing === undefined ? [] : [sql`standing = ${standing}`]),
    ...(answer === undefined ? [] : [sql`answer = ${answer}`]),
  ]
  const searched = q === undefined ? sql`` : sql`, fold(concat_ws(e'\n', name, email, phone)) as search_key`
  const rows = await executeHashed(
    db,
    sql<RespondentRow>`${peopleOf([id], questionOf(id))},
    found as (
      select p.*, count(*) over () as total from (select *${searched} from people) p
      where ${sql.join(conditions, sql` and `)}
      order by array_position(${[...STANDINGS]}::text[], standing) ${sql.raw(sort?.[1] ?? 'ASC')},
        case when standing = 'ATTENTION' then answered end, is_notified, place
      ${range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``}
    )
    select ${PERSON_COLUMNS}, p.person, p.types, ${MESSAGE_COLUMNS}, p.standing, p.total, array(
        select to_json(a) from (
          select ${sql.raw(selectionText(ANSWER_FIELDS))} from notification_answers
          where notification_id = p.notification_id and person = p.person
          order by (id = p.answer_id) desc, create_timestamp desc limit ${ANSWERS_SHOWN}
        ) a
      ) as answers, array(
        select to_json(r) from (
          select i.text, i.create_timestamp as "createTimestamp" from inbound_messages i
          where i.notification_id = p.notification_id and p.person = any(i.people) and not i.is_answer
          order by i.create_timestamp desc limit ${ANSWERS_SHOWN}
        ) r
      ) as replies
    from found p
    order by array_position(${[...STANDINGS]}::text[], standing) ${sql.raw(sort?.[1] ?? 'ASC')},
      case when standing = 'ATTENTION' then answered end, is_notified, place`,
  )
  return rows.map((row) => ({
    ...row,
    answers: row.answers.map(withIsoTime),
    replies: row.replies.map(withIsoTime),
  }))
}
/** JSON has times with the offset of the connection. */
const withIsoTime = <One extends { createTimestamp: string }>(one: One): One => ({
  ...one,
  createTimestamp: new Date(one.createTimestamp).toISOString(),
})

/** The answers that count, by person. */
export async function listCounting(db: OrgDb, id: string): Promise<ReadonlyMap<number, GivenAnswer>> {
  const { rows } = await sql<GivenAnswer & { person: number }>`
    select ${sql.raw(selectionText(ANSWER_FIELDS, 'a.'))}, a.person
    from notification_recipients p join notification_answers a on a.id = p.answer_id
    where p.notification_id = ${id}`.execute(db)
  return new Map(rows.map(({ person, ...answer }) => [person, answer]))
}

/** Numbers of people who have answered, by notification. */
export async function countAnswered(db: OrgDb, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; count: number }>`
    select notification_id as id, count(*) as count from notification_recipients
    where notification_id = any(${ids}::uuid[]) and answer_id is not null group by notification_id`.execute(
    db,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** A person of an earlier notification. */
export interface Followed {
  readonly name: string
  readonly email: string
  readonly phone: string | null
}

/** The people in a state of a question who have an address, with their first number. */
export async function listFollowed(db: OrgDb, id: string, standing: Standing): Promise<Followed[]> {
  return executeHashed(
    db,
    sql<Followed>`${peopleOf([id], questionOf(id))}
    select name, email, phone from people where standing = ${standing} and email is not null order by place`,
  )
}
