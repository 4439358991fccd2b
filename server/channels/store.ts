import { sql } from 'kysely'

import {
  type Channel,
  CHANNEL_MEMBERS_MAX,
  type CHANNEL_ORDERS,
  type ChannelMember,
  type ChannelQuery,
  type ChannelWithMembers,
  type MemberQuery,
} from '#contract/channels/schema.ts'
import type { RoomRole } from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { PERSON } from '#server/kit/database/people.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'
import { patternOf } from '#server/kit/database/search.ts'

interface ChannelRow extends Omit<Channel, 'cid' | 'type' | 'privilegedStatus'> {
  privileged_by: string | null
  privileged_timestamp: string | null
  members: MemberRow[]
}
interface MemberRow {
  user_id: string
  channel_role: RoomRole
  created_at: string
  user: NamedPerson
}

const JOINED = sql`to_char(m.create_timestamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** Administrators of channels belong to the organisation, so the kept count may be read. */
const MEMBER_COUNT = keptCount('room_members', [sql`r.id`])
const channelWith = (
  members: number,
) => sql`r.id, r.name, r.description, r.kind = 'WAR_ROOM' as "isWarRoom", r.is_headquarters as "isHeadquarters",
  r.privileged_by, r.privileged_timestamp, r.last_message_timestamp as last_message_at,
  r.update_timestamp as updated_at, r.create_timestamp as created_at,
  ${MEMBER_COUNT} as member_count,
  (select i.id from incidents i where i.breakout_room_id = r.id) as "incidentId",
  array(select jsonb_build_object('user_id', m.user_id, 'channel_role', m.role, 'created_at', ${JOINED}, 'user', ${PERSON})
    from room_members m join users u on u.id = m.user_id
    where m.room_id = r.id and not m.has_left order by m.user_id limit ${members}) as members`

const toChannel = ({
  members,
  privileged_by,
  privileged_timestamp,
  ...row
}: ChannelRow): ChannelWithMembers => ({
  channel: {
    ...row,
    cid: `team:${row.id}`,
    type: 'team',
    privilegedStatus:
      privileged_by === null ? null : { uuid: privileged_by, timestamp: privileged_timestamp! },
  },
  members,
})

type Text = NonNullable<ChannelQuery['filter_conditions']['name']>
const partOf = (name: Text) =>
  typeof name === 'string'
    ? { equal: name }
    : '$eq' in name
      ? { equal: name.$eq }
      : { part: name.$autocomplete }
const nameMatches = (column: ReturnType<typeof sql>, name: Text | undefined) => {
  if (name === undefined) return sql`true`
  const wanted = partOf(name)
  return wanted.part === undefined
    ? sql`fold(${column}) = fold(${wanted.equal})`
    : sql`fold(${column}) like '%' || ${patternOf(wanted.part)} || '%'`
}
type Ids = NonNullable<ChannelQuery['filter_conditions']['id']>
const idMatches = (column: ReturnType<typeof sql>, ids: Ids | undefined) => {
  if (ids === undefined) return sql`true`
  const wanted = typeof ids === 'string' ? [ids] : '$eq' in ids ? [ids.$eq] : ids.$in
  return sql`${column} = any(${wanted}::uuid[])`
}

const COLUMNS = {
  last_message_at: sql`coalesce(r.last_message_timestamp, r.create_timestamp)`,
  created_at: sql`r.create_timestamp`,
  updated_at: sql`r.update_timestamp`,
  name: sql`fold(r.name)`,
  member_count: MEMBER_COUNT,
} satisfies Record<(typeof CHANNEL_ORDERS)[number], unknown>
/** A page of a team's rooms, Headquarters first, with the number of matches. */
export async function listChannels(
  db: OrgDb,
  query: ChannelQuery,
): Promise<{ channels: ChannelWithMembers[]; total: number }> {
  const { filter_conditions: filter, limit, offset } = query
  const orders =
    query.sort.length > 0 ? query.sort : [{ field: 'last_message_at' as const, direction: -1 as const }]
  const order = orders.map(
    ({ field, direction }) => sql`${COLUMNS[field]} ${sql.raw(direction === 1 ? 'asc' : 'desc')}`,
  )
  const found = sql`from rooms r
     where r.kind <> 'DIRECT_MESSAGE' and not r.is_deleted
       and ${filter.isWarRoom === undefined ? sql`true` : sql`(r.kind = 'WAR_ROOM') = ${filter.isWarRoom}`}
       and ${nameMatches(sql`r.name`, filter.name)} and ${idMatches(sql`r.id`, filter.id)}`
  const { rows } = await sql<ChannelRow>`select ${channelWith(query.memberLimit)} ${found}
     order by r.is_headquarters desc, ${sql.join(order)}, r.id limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  return { channels: rows.map(toChannel), total: counted.rows[0]!.total }
}

/** One room of a team; undefined for a direct message. */
export async function findChannel(db: OrgDb, id: string): Promise<ChannelWithMembers | undefined> {
  const { rows } = await sql<ChannelRow>`
    select ${channelWith(CHANNEL_MEMBERS_MAX)} from rooms r
     where r.id = ${id} and r.kind <> 'DIRECT_MESSAGE' and not r.is_deleted`.execute(db)
  return rows[0] && toChannel(rows[0])
}

/** A page of the members of a channel, by id. */
export async function listChannelMembers(db: OrgDb, query: MemberQuery): Promise<ChannelMember[]> {
  const { id, filter_conditions: filter, limit, user_id_gt: after } = query
  const direction = query.sort[0]?.direction === -1 ? 'desc' : 'asc'
  const { rows } = await sql<MemberRow>`
    select m.user_id, m.role as channel_role, m.create_timestamp as created_at, ${PERSON} as user
      from room_members m join users u on u.id = m.user_id
     where m.room_id = ${id} and not m.has_left
       and ${after === undefined ? sql`true` : sql`m.user_id > ${after}`}
       and ${nameMatches(sql`u.first_name || ' ' || u.last_name`, filter.name)} and ${idMatches(sql`m.user_id`, filter.user_id)}
     order by m.user_id ${sql.raw(direction)} limit ${limit}`.execute(db)
  return rows
}
