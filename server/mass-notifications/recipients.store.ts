import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import type { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import {
  NOTIFICATION_TYPES,
  type NotificationDetail,
  type NotificationType,
  type NotifiedPerson,
  type PersonMessage,
  type Recipient,
  RECIPIENT_OUTCOMES,
} from '#contract/mass-notifications/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { holdsEachPeopleWord } from '#server/kit/database/search.ts'
import type { MessageState } from '#server/kit/messages/messages.ts'

import type { Reached } from './store.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    notification_recipients: {
      notification_id: string
      place: number
      person: number
      is_notified: boolean
      name: string
      email: string | null
      phone: string | null
      answer_id: string | null
    }
  }
}

/** Fields of a person with their columns and types. */
const PERSON = [
  ['name', 'name', 'text'],
  ['email', 'email', 'text'],
  ['phone', 'phone', 'text'],
  ['shqGroupId', 'shq_group_id', 'uuid'],
  ['shqGroupName', 'shq_group_name', 'text'],
  ['lists', 'lists', 'text[]'],
  ['targeted', 'targeted', 'boolean'],
  ['phoneProblem', 'phone_problem', 'text'],
] as const satisfies readonly (readonly [keyof NotifiedPerson, string, string])[]
/** A row `p` of a recipient as JSON. */
export const PERSON_AS_JSON = sql.raw(
  `json_build_object(${PERSON.map(([field, column]) => `'${field}', p.${column}`).join(', ')})`,
)
/** The fields of a row `p` of a recipient. */
export const PERSON_COLUMNS = sql.raw(PERSON.map(([field, column]) => `p.${column} as "${field}"`).join(', '))

/** The first place of each person: one with two numbers has two places. */
export function personPlaces(people: readonly NotifiedPerson[]): number[] {
  const places = new Map<string | null, number>()
  return people.map(({ email, phone }, place) => {
    const key = email ?? phone
    const first = places.get(key) ?? place
    places.set(key, first)
    return first
  })
}

/**
 * Inserts the recipients of a notification: the notified people by their index, and after them the others.
 * @param first place of the first of them
 */
export async function insertRecipients(
  db: OrgDb,
  notificationId: string,
  people: readonly NotifiedPerson[],
  unreached: readonly NotifiedPerson[],
  first = 0,
): Promise<void> {
  const all = [...people, ...unreached]
  const columns = PERSON.map(([, column]) => column).join(', ')
  const typed = PERSON.map(([field, , type]) => `"${field}" ${type}`).join(', ')
  const fields = PERSON.map(([field]) => `"${field}"`).join(', ')
  // One text for all rows: parsing ten thousand bind values takes longer. The organisation is queried once.
  await sql`
    insert into notification_recipients (organisation_id, notification_id, place, person, is_notified, ${sql.raw(columns)})
    select (select current_organisation()), ${notificationId}::uuid, n - 1 + ${first}::integer, person + ${first}::integer, n <= ${people.length}::integer, ${sql.raw(fields)}
    from rows from (
      json_to_recordset(${JSON.stringify(all)}::json) as (${sql.raw(typed)}),
      unnest(${personPlaces(all)}::integer[])
    ) with ordinality as p (${sql.raw(fields)}, person, n)`.execute(db)
}

/** The people whom a notification was sent to, in their order. */
export async function listNotified(db: OrgDb, id: string): Promise<NotifiedPerson[]> {
  const { rows } = await sql<NotifiedPerson>`select ${PERSON_COLUMNS} from notification_recipients p
    where p.notification_id = ${id} and p.is_notified order by p.place`.execute(db)
  return rows
}

/** Number of chosen contacts that a notification shows by name. */
export const NAMES_SHOWN = 10
/** Numbers of people by kind, and some of the chosen contacts by name. */
export async function countNotified(
  db: OrgDb,
  id: string,
): Promise<Pick<NotificationDetail, 'contactCount' | 'memberCount' | 'contactNames'>> {
  const { rows } = await sql<{ contactCount: number; memberCount: number; contactNames: string[] }>`
    select count(*) filter (where ${IS_CONTACT}) as "contactCount",
      count(*) filter (where p.shq_group_id is not null) as "memberCount",
      array(select coalesce((
          select nullif(q.name, '') from notification_recipients q
          where q.notification_id = n.id and q.is_notified and q.email = c.email limit 1
        ), c.email)
        from unnest(n.contact_ids[:${NAMES_SHOWN}::integer]) with ordinality c (email, place) order by place
      ) as "contactNames"
    from mass_notifications n left join notification_recipients p on p.notification_id = n.id and p.is_notified
    where n.id = ${id} group by n.id`.execute(db)
  return rows[0] ?? { contactCount: 0, memberCount: 0, contactNames: [] }
}
const IS_CONTACT = sql`p.name is not null and (p.shq_group_id is null or p.targeted or p.lists <> '{}')`

/** Order of states: of several messages of a type to somebody the one that came furthest counts. */
const FURTHEST = [
  'DELIVERED',
  'SENT',
  'KEPT',
  'SENDING',
  'QUEUED',
  'FAILED',
] as const satisfies MessageState[]
/**
 * All recipients of notifications, with the outcome of each type. An address or number gets one message at a time; in a
 * question, where each person has their own link, one for each person.
 */
export const toldOf = (ids: readonly string[]) => sql`
  with m as materialized (
    select distinct on (notification_id, channel, recipient collate "C", recipient_place)
      notification_id, channel, recipient, recipient_place, state, reason, done_timestamp
    from messages where notification_id = any(${ids}::uuid[])
    order by notification_id, channel, recipient collate "C", recipient_place,
      array_position(${[...FURTHEST]}::text[], state), create_timestamp desc
  ),
  p as materialized (
    select p.*, n.types, (p.notification_id, p.person) in (
        select notification_id, person from notification_answers
        where notification_id = any(${ids}::uuid[]) and channel <> 'ON_BEHALF'
      ) as has_answered
    from mass_notifications n join notification_recipients p on p.notification_id = n.id
    where n.id = any(${ids}::uuid[]) and p.notification_id = any(${ids}::uuid[])
  ),
  told as (
    select p.*, ${sql.join(TOLD_TYPES.map(([type, m]) => toldColumns(type, m)))},
      case
        when p.has_answered or states.delivered then 'REACHED'
        when cardinality(states.sent) >= cardinality(p.types) then 'SENT'
        when states.sent <> '{}' then 'PARTLY'
        when states.waiting then 'WAITING'
        else 'NOT_REACHED'
      end as outcome
    from p
      left join m e on e.channel = 'EMAIL' and e.recipient = p.email and e.notification_id = p.notification_id
        and coalesce(e.recipient_place, p.person) = p.person
      left join m s on s.channel = 'SMS' and s.recipient = p.phone and s.notification_id = p.notification_id
        and coalesce(s.recipient_place, p.person) = p.person
      left join m v on v.channel = 'VOICE_CALL' and v.recipient = p.phone and v.notification_id = p.notification_id
        and coalesce(v.recipient_place, p.person) = p.person
      cross join lateral (
        select array_positions(all_states, 'SENT') as sent, 'WAITING' = any(all_states) as waiting,
          'DELIVERED' in (e.state, s.state, v.state) as delivered
        from (select array[${stateOf('e')}, ${stateOf('s')}, ${stateOf('v')}] as all_states) of_types
      ) states
  )`
/** Types with their messages in `told`. */
const TOLD_TYPES = [
  ['EMAIL', 'e'],
  ['SMS', 's'],
  ['VOICE_CALL', 'v'],
] as const satisfies [NotificationType, string][]
function toldColumns(type: NotificationType, m: string) {
  return sql.raw(
    `${m}.state as "${type}", ${m}.reason as "reasonOf${type}", ${m}.done_timestamp as "timeOf${type}"`,
  )
}
function stateOf(message: 'e' | 's' | 'v'): RawBuilder<string> {
  const state = sql.ref(`${message}.state`)
  return sql`case when ${state} in ('DELIVERED', 'SENT', 'KEPT') then 'SENT' when ${state} = 'FAILED' then 'FAILED'
    when ${state} is null then 'NOT_SENT' else 'WAITING' end`
}

/**
 * Runs a query of `toldOf` without nested loops: right after a large notification was sent, the database expects one
 * row of it, and would compare every recipient with every message.
 */
export async function executeHashed<Row>(db: OrgDb, query: RawBuilder<Row>): Promise<Row[]> {
  const nestedLoops = (value: 'on' | 'off') =>
    sql`select set_config('enable_nestloop', ${value}, true)`.execute(db)
  const [, { rows }] = await Promise.all([nestedLoops('off'), query.execute(db), nestedLoops('on')])
  return rows
}

/** States and reasons of the messages of `told`, as `p`. */
export const MESSAGE_COLUMNS = sql.raw(
  NOTIFICATION_TYPES.map((type) => `p."${type}", p."reasonOf${type}", p."timeOf${type}"`).join(', '),
)

/** The state of a person's message of each type, and the reason for it. */
export type ToldMessages = Pick<NotifiedPerson, 'email' | 'phone' | 'phoneProblem'> & {
  readonly types: readonly NotificationType[]
} & { readonly [T in NotificationType]: MessageState | null } & {
  readonly [T in NotificationType as `reasonOf${T}` | `timeOf${T}`]: string | null
}
/** A recipient with the states of their messages. */
export type ToldPerson = NotifiedPerson &
  ToldMessages & {
    readonly person: number
    readonly outcome: Recipient['outcome']
    readonly total: number
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
    ...(of === 'members' ? [sql`p.shq_group_id is not null`] : []),
    ...(outcome === undefined ? [] : [sql`p.outcome = ${outcome}`]),
  ]
  const searched = q === undefined ? sql`` : sql`, fold(concat_ws(e'\n', name, email, phone)) as search_key`
  return executeHashed(
    db,
    sql<ToldPerson>`${toldOf([id])}
    select ${PERSON_COLUMNS}, p.person, p.types, ${MESSAGE_COLUMNS}, p.outcome, count(*) over () as total from (select *${searched} from told) p
    where ${sql.join(conditions, sql` and `)}
    order by array_position(${[...RECIPIENT_OUTCOMES]}::text[], outcome) ${sql.raw(sort?.[1] ?? 'ASC')}, is_notified, place
    ${range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``}`,
  )
}

/** Counts of `Reached` by notification id. */
export async function countReached(db: OrgDb, ids: readonly string[]): Promise<ReadonlyMap<string, Reached>> {
  if (ids.length === 0) return new Map()
  const rows = await executeHashed(
    db,
    sql<Reached & { id: string }>`${toldOf(ids)}
    select notification_id as id, count(*) filter (where sent) as "sentCount",
      count(*) filter (where reached) as "reachedCount",
      count(*) filter (where waiting and not sent) as "waitingCount",
      count(*) filter (where not waiting and not sent) as "notReachedCount"
    from (
      select notification_id, bool_or(outcome in ('REACHED', 'SENT', 'PARTLY')) as sent,
        bool_or(outcome = 'REACHED') as reached, bool_or(outcome = 'WAITING') as waiting
      from told group by notification_id, person
    ) one group by notification_id`,
  )
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** The messages to a person of a notification, to each of their addresses, and to their deputies. */
export async function listMessagesTo(
  db: OrgDb,
  id: string,
  person: number,
): Promise<
  (Omit<PersonMessage, 'attempts' | 'state'> & { readonly id: string; readonly state: MessageState })[]
> {
  const { rows } = await sql<
    Omit<PersonMessage, 'attempts' | 'state'> & { readonly id: string; readonly state: MessageState }
  >`
    select m.id, m.channel as type, m.recipient as address, m.state, m.reason,
      m.create_timestamp as "createTimestamp", m.done_timestamp as "doneTimestamp", d.name as deputy
    from messages m left join notification_deputies d
      on d.notification_id = m.notification_id and d.place = m.recipient_place and d.person = ${person}
    where m.notification_id = ${id} and (
      d.place is not null or coalesce(m.recipient_place, ${person}) = ${person} and exists (
        select from notification_recipients p where p.notification_id = ${id} and p.person = ${person}
          and m.recipient = case m.channel when 'EMAIL' then p.email else p.phone end
      ))
    order by m.create_timestamp, array_position(${[...NOTIFICATION_TYPES]}::text[], m.channel), m.id`.execute(
    db,
  )
  return rows
}

/** True where a notification has such a person. */
export async function hasPerson(db: OrgDb, id: string, person: number): Promise<boolean> {
  const { rows } = await sql`
    select from notification_recipients where notification_id = ${id} and place = ${person} and person = place`.execute(
    db,
  )
  return rows.length > 0
}
