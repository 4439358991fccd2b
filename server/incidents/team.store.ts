import { type RawBuilder, sql } from 'kysely'

import type { TeamAnswer } from '#contract/incidents/schema.ts'
import type { UserType } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { isAskedByAll } from '#server/kit/database/people.ts'

/** The incident and viewer of a team status. */
export interface Team {
  readonly incidentId: string
  readonly isTargeted: boolean
  /** Condition for people whom the viewer may see. */
  readonly known: RawBuilder<boolean>
}
/** Rows of one part of the team status. */
export interface Slice {
  readonly offset: number
  readonly size: number
}
export interface TeamRow {
  readonly answer: TeamAnswer | null
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly profileImageUrl: string | null
  readonly checkInTimestamp: string | null
}

const MEMBER = [
  'users.id',
  'first_name as firstName',
  'last_name as lastName',
  'profile_image_url as profileImageUrl',
  'c.timestamp as checkInTimestamp',
] as const
const members = (db: OrgDb, { incidentId, known }: Team) =>
  db
    .selectFrom('users')
    .leftJoin('check_ins as c', (join) =>
      join.onRef('c.user_id', '=', 'users.id').on('c.incident_id', '=', incidentId),
    )
    .where(known)
const answerIn = (incidentId: string) =>
  sql<TeamAnswer | null>`(
  select json_build_object('label', a.label, 'note', a.note, 'needsHelp', a.tone = 'ATTENTION', 'timestamp', to_char(a.create_timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from incident_answers a where a.incident_id = ${incidentId} and a.user_id = users.id
  order by (a.tone = 'ATTENTION') desc, a.create_timestamp desc limit 1)`.as('answer')

/**
 * Condition for people who are asked to check in: the targets, and unless the incident is for them alone all internal
 * people (operations §4).
 */
const asked = ({ incidentId, isTargeted }: Team): RawBuilder<boolean> => {
  const targeted = sql<boolean>`users.id in (select user_id from incident_targets where incident_id = ${incidentId})`
  return isTargeted ? targeted : sql<boolean>`(${isAskedByAll('users')} or ${targeted})`
}

export const countTeam = (db: OrgDb, team: Team): Promise<{ checkedIn: number; waiting: number }> =>
  members(db, team)
    .select([
      sql<number>`count(*) filter (where c.user_id is not null)`.as('checkedIn'),
      sql<number>`count(*) filter (where c.user_id is null and ${asked(team)})`.as('waiting'),
    ])
    .executeTakeFirstOrThrow()

/** People who have checked in, asked or not, latest first. */
export const listCheckedIn = (db: OrgDb, team: Team, { offset, size }: Slice): Promise<TeamRow[]> =>
  members(db, team)
    .select(MEMBER)
    .select(answerIn(team.incidentId))
    .where('c.user_id', 'is not', null)
    .orderBy('c.timestamp', 'desc')
    .orderBy('given_key')
    .orderBy('users.id')
    .limit(size)
    .offset(offset)
    .execute()

/** People who were asked and have not checked in, by display name with their addresses: for a report. */
export const listMissing = (db: OrgDb, team: Team) =>
  members(db, team)
    .select(['first_name as firstName', 'last_name as lastName', 'email'])
    .where('c.user_id', 'is', null)
    .where(asked(team))
    .orderBy('given_key')
    .orderBy('users.id')
    .execute()

/** A waiting person with the addresses of a message. */
export interface WaitingPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly secondPhone: string | null
  readonly type: UserType
}
/** Narrows or widens the people who are waited for. */
export interface Waited {
  /** Only people among these; null for all. */
  readonly userIds: readonly string[] | null
  /** Includes people who have checked in. */
  readonly withCheckedIn: boolean
}
/** People who are waited for, by display name. */
export const listWaitingPeople = (
  db: OrgDb,
  team: Team,
  { userIds, withCheckedIn }: Waited,
): Promise<WaitingPerson[]> =>
  members(db, team)
    .select([
      'users.id',
      sql<string>`rtrim(first_name || ' ' || last_name)`.as('name'),
      'email',
      'phone_number as phone',
      'second_phone_number as secondPhone',
      'type',
    ])
    .where(
      withCheckedIn
        ? sql<boolean>`(c.user_id is not null or ${asked(team)})`
        : sql<boolean>`(c.user_id is null and ${asked(team)})`,
    )
    .$if(userIds !== null, (query) => query.where('users.id', '=', sql<string>`any(${userIds}::uuid[])`))
    .orderBy('given_key')
    .orderBy('users.id')
    .execute()

/** People who are waited for, by display name. */
export const listWaiting = (db: OrgDb, team: Team, { offset, size }: Slice): Promise<TeamRow[]> =>
  members(db, team)
    .select(MEMBER)
    .select(answerIn(team.incidentId))
    .where('c.user_id', 'is', null)
    .where(asked(team))
    .orderBy('given_key')
    .orderBy('users.id')
    .limit(size)
    .offset(offset)
    .execute()
