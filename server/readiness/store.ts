import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import type { readinessApi } from '#contract/readiness/api.ts'
import type { Gap, GroupReach, Readiness, ReadinessPerson } from '#contract/readiness/schema.ts'
import { withheldReason } from '#contract/suppressions/rules.ts'
import type { SuppressionReason } from '#contract/suppressions/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { holdsEachPeopleWord } from '#server/kit/database/search.ts'
import type { Page } from '#server/kit/http/answers.ts'

/**
 * Addresses and numbers that are not tried (decision 109), with the newest reason: all reasons count, STOP too, because
 * the person is not reached by SMS. What is delivered later by a single mail takes none out; a lift does.
 */
const BOUNCED_ADDRESSES = sql`
  select distinct on (address) address, reason, to_char(create_timestamp at time zone 'UTC', 'YYYY-MM-DD') as day
  from suppressions where lift_timestamp is null
  order by address, create_timestamp desc, reason`

/** People who can sign in: internal ones, without wall screens. */
const PEOPLE = sql`u.active and not u.banned and not u.dashboard_user and u.type = 'INTERNAL'`
/** Members whom a notification to their group is for. */
const MEMBERS = sql`u.active and not u.banned`

interface Since {
  /** Time since which deliveries and answers count. */
  readonly since: string
  /** True where sign-ins need an authenticator app. */
  readonly needsApp: boolean
}
/** Numbers whose person answered by them, ever. */
const ANSWERED_NUMBERS = sql`
  select r.phone from notification_answers g
    join notification_recipients r on r.notification_id = g.notification_id and r.place = g.person
  where g.channel in ('SMS', 'VOICE_CALL') and r.phone is not null
  union
  select r.phone from mass_notifications n join notification_answers g on g.notification_id = n.id
    join notification_recipients r on r.notification_id = g.notification_id and r.place = g.person
  where n.question is not null and not 'EMAIL' = any(n.types) and g.channel = 'LINK' and r.phone is not null`

/**
 * People with what each lacks, as `person`. The newest delivery is looked up once for each address, the answers
 * that count are read for notifications of the days, and those by telephone at any time.
 */
const peopleOf = ({ since, needsApp }: Since, whom: RawBuilder<unknown>) => sql`
  with bounced as materialized (${BOUNCED_ADDRESSES}),
  people as materialized (
    select u.id, u.email, u.first_name, u.last_name, u.family_key, u.search_key, u.phone_number, u.second_phone_number,
      u.last_login_timestamp is null as never_signed_in,
      u.last_login_timestamp is null and u.password_hash is null as is_invitable,
      ${needsApp ? sql`u.last_login_timestamp is not null and not exists (select from authenticators f where f.user_id = u.id)` : sql`false`}
        as lacks_app
    from users u where ${whom}
  ),
  addresses as materialized (
    select p.id, a.address, a.is_number, d.at as delivered
    from people p
      cross join lateral (
        values (p.email, false), (p.phone_number, true), (p.second_phone_number, true)
      ) a (address, is_number)
      left join lateral (
        select m.done_timestamp as at from messages m
        where m.state = 'DELIVERED' and m.recipient = a.address order by m.done_timestamp desc limit 1
      ) d on true
    where a.address is not null
  ),
  answered as materialized (
    select distinct r.email from mass_notifications n
      join notification_recipients r on r.notification_id = n.id and r.answer_id is not null
    where n.create_timestamp >= ${since} and n.question is not null and r.answer_id not in (
      select g.id from notification_answers g where g.channel = 'ON_BEHALF' and g.create_timestamp >= ${since})
  ),
  answered_numbers as materialized (${ANSWERED_NUMBERS}),
  proof as materialized (
    select a.id, bool_or(a.delivered >= ${since}) as is_delivered,
      count(*) filter (where a.is_number and a.delivered is null and g.phone is null) as unproved,
      min(b.address) as bounce
    from addresses a left join bounced b on b.address = lower(a.address)
      left join answered_numbers g on g.phone = a.address
    group by a.id
  ),
  person as materialized (
    select p.*, array_remove(array[p.phone_number, p.second_phone_number], null) as phones, f.unproved, f.bounce,
      case when f.is_delivered or n.email is not null then 'PROVED'
        when coalesce(p.phone_number, p.second_phone_number) is not null and f.bounce is null then 'ADDRESSED'
        else 'LACKING' end as reach
    from people p join proof f on f.id = p.id left join answered n on n.email = p.email
  )`

type Counts = Pick<
  Readiness,
  | 'people'
  | 'proved'
  | 'addressed'
  | 'lacking'
  | 'bounced'
  | 'withoutNumber'
  | 'numbers'
  | 'numbersUnproved'
  | 'neverSignedIn'
  | 'invitable'
  | 'withoutSecondFactor'
>
const REACHES = sql`
  count(*) filter (where reach = 'PROVED') as proved,
  count(*) filter (where reach = 'ADDRESSED') as addressed,
  count(*) filter (where reach = 'LACKING') as lacking`

/** Counts of people by what they lack. */
export async function countPeople(db: OrgDb, since: Since): Promise<Counts> {
  const { rows } = await sql<Counts>`${peopleOf(since, PEOPLE)}
    select count(*) as people, ${REACHES},
      count(*) filter (where bounce is not null) as bounced,
      count(*) filter (where phones = '{}') as "withoutNumber",
      coalesce(sum(cardinality(phones)), 0) as numbers,
      coalesce(sum(unproved), 0) as "numbersUnproved",
      count(*) filter (where never_signed_in) as "neverSignedIn",
      count(*) filter (where is_invitable) as invitable,
      count(*) filter (where lacks_app) as "withoutSecondFactor"
    from person`.execute(db)
  return rows[0]!
}

/** The newest exercise, and the published playbooks with those past their review. */
export async function findPractice(
  db: OrgDb,
  today: string,
): Promise<{ lastExerciseTimestamp: string | null; count: number; due: number }> {
  const { rows } = await sql<{ lastExerciseTimestamp: string | null; count: number; due: number }>`
    select (select max(create_timestamp) from incidents where is_tabletop) as "lastExerciseTimestamp",
      count(*) as count, count(*) filter (where review_date <= ${today}::date) as due
    from playbooks where is_published and archive_timestamp is null and delete_timestamp is null`.execute(db)
  return rows[0]!
}

/** Groups with their members by how well they are reached. All of them, or a page. */
export async function listGroupReach(
  db: OrgDb,
  since: Since,
  { sort, filter, range }: z.output<(typeof readinessApi)['groups']['query']>,
): Promise<Page<GroupReach>> {
  const [by, direction] = sort ?? (['lacking', 'DESC'] as const)
  const order =
    by === 'name' ? sql`sort_key ${sql.raw(direction)}` : sql`lacking ${sql.raw(direction)}, sort_key`
  const people = peopleOf(
    since,
    sql`${MEMBERS} and exists (select from group_members m where m.user_id = u.id)`,
  )
  return pageOf<GroupReach>(
    db,
    range,
    (cut) => sql`${people}
    select id, name, people, proved, addressed, lacking, count(*) over () as total
    from (
      select g.id, g.name, g.sort_key, count(person.id) as people, ${REACHES}
      from user_groups g left join group_members m on m.group_id = g.id left join person on person.id = m.user_id
      where strpos(g.search_key, fold(${filter?.q ?? ''})) > 0
      group by g.id
    ) reached
    order by ${order}, id ${cut}`,
  )
}

const HAS_GAP: { readonly [G in Gap]: RawBuilder<boolean> } = {
  BOUNCED: sql<boolean>`bounce is not null`,
  NO_NUMBER: sql<boolean>`phones = '{}'`,
  NUMBER_UNPROVED: sql<boolean>`unproved > 0`,
  NEVER_SIGNED_IN: sql<boolean>`never_signed_in`,
  NO_SECOND_FACTOR: sql<boolean>`lacks_app`,
}
const GAPS_OF = sql`array_remove(array[${sql.join(
  Object.entries(HAS_GAP).map(([gap, has]) => sql`case when ${has} then ${sql.lit(gap)} end`),
)}], null)`

type BouncedPerson = Omit<ReadinessPerson, 'bounce'> & {
  readonly bounce: {
    readonly address: string
    readonly reason: SuppressionReason
    readonly day: string
  } | null
}
/** People behind a number of the board, by name: all of them, or a page. */
export async function listPeople(
  db: OrgDb,
  since: Since,
  { sort, filter = {}, range }: z.output<(typeof readinessApi)['people']['query']>,
): Promise<Page<ReadinessPerson>> {
  const { gap, reach, groupId, q } = filter
  const whom = groupId
    ? sql`${MEMBERS} and exists (select from group_members m where m.user_id = u.id and m.group_id = ${groupId})`
    : PEOPLE
  const conditions = [
    sql`true`,
    ...(gap === undefined ? [] : [HAS_GAP[gap]]),
    ...(reach === undefined ? [] : [sql`reach = ${reach}`]),
    ...(q === undefined ? [] : [holdsEachPeopleWord(q)]),
  ]
  const { rows, total } = await pageOf<BouncedPerson>(
    db,
    range,
    (cut) => sql`${peopleOf(since, whom)}
    select person.id as uuid, first_name as "firstName", last_name as "lastName", email, phones, reach,
      ${GAPS_OF} as gaps, count(*) over () as total,
      (select json_build_object('address', b.address, 'reason', b.reason, 'day', b.day) from bounced b
        where b.address = bounce) as bounce
    from person where ${sql.join(conditions, sql` and `)}
    order by family_key ${sql.raw(sort?.[1] ?? 'ASC')}, person.id ${cut}`,
  )
  return {
    rows: rows.map(({ bounce, ...person }) => ({
      ...person,
      bounce: bounce && { address: bounce.address, reason: withheldReason(bounce.reason, bounce.day) },
    })),
    total,
  }
}

/** People who never signed in and have no password, some of them after an id. */
export async function listInvitable(db: OrgDb, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u
    where ${PEOPLE} and u.last_login_timestamp is null and u.password_hash is null
      and ${after === null ? sql`true` : sql`u.id > ${after}::uuid`}
    order by u.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export type Range = readonly [number, number] | undefined
type Counted<Row> = Row & { readonly total: number }
/** A page of a query that counts all its rows, or all rows. */
export async function pageOf<Row extends object>(
  db: OrgDb,
  range: Range,
  query: (cut: RawBuilder<unknown>) => RawBuilder<Counted<Row>>,
): Promise<Page<Row>> {
  const cut = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await query(cut).execute(db)
  // A page behind the end still says how many rows there are.
  const counted = rows.length > 0 || !range?.[0] ? rows : (await query(sql`limit 1`).execute(db)).rows
  return { rows, total: counted[0]?.total ?? 0 }
}
