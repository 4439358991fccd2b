import { type RawBuilder, sql } from 'kysely'

import type { CallDetails, CallParticipant } from '#contract/calls/schema.ts'
import type { SharedRoom } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'

import type { RoomRow } from './rooms.store.ts'

/** Number of members of the row `r` of rooms. External people cannot read the kept count. */
export const MEMBER_COUNT = sql<number>`case when current_setting('role') = 'muster_external'
  then (select count(*) from room_members one where one.room_id = r.id and not one.has_left)
  else ${keptCount('room_members', [sql`r.id`])} end`

/** A timestamp inside JSON, as ISO 8601. */
export const iso = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The call of the row `r` of rooms with its participants, in order of arrival. Few rooms have one. */
const CALL = sql`case when r.call_id is not null then (
  select jsonb_build_object(
    'callId', c.id, 'messageId', c.message_id, 'meetingId', c.meeting_id, 'startedAt', ${iso(sql`c.start_timestamp`)},
    'participants', (
      select coalesce(jsonb_agg(jsonb_build_object(
          'participantId', p.participant_id, 'userId', p.user_id, 'firstName', u.first_name, 'lastName', u.last_name,
          'avatar', u.profile_image_url, 'joinedAt', ${iso(sql`p.join_timestamp`)}) order by p.join_timestamp, p.id), '[]')
        from call_participants p join users u on u.id = p.user_id
       where p.call_id = c.id and p.leave_timestamp is null))
    from calls c where c.id = r.call_id) end`

/** Shared fields of the row `r` of rooms. */
export const SHARED = sql`r.id, r.kind, r.is_headquarters, r.name, r.description, r.is_privileged, r.privileged_by,
  r.privileged_timestamp, r.last_sequence, r.last_message_timestamp, r.create_timestamp, r.update_timestamp, r.version,
  r.is_deleted, r.change_sequence, ${MEMBER_COUNT} as member_count, ${CALL} as call`

export type SharedRow = Omit<
  RoomRow,
  'name_key' | 'direct_key' | 'created_by' | 'message_change_sequence' | 'call_id'
> & {
  member_count: number
  call: CallRow | null
}
type CallRow = Omit<CallDetails, 'participants'> & {
  participants: (Omit<CallParticipant, 'name'> & { firstName: string; lastName: string })[]
}
const toCall = ({ participants, ...call }: CallRow): CallDetails => ({
  ...call,
  participants: participants.map(({ firstName, lastName, ...one }) => ({
    ...one,
    name: fullName({ firstName, lastName }),
  })),
})

export const toSharedRoom = (row: SharedRow): SharedRoom => {
  const type = row.kind === 'DIRECT_MESSAGE' ? 'messaging' : 'team'
  return {
    id: row.id,
    cid: `${type}:${row.id}`,
    type,
    kind: row.kind,
    name: row.name,
    description: row.description,
    isWarRoom: row.kind === 'WAR_ROOM',
    isHeadquarters: row.is_headquarters,
    privileged: row.is_privileged,
    privilegedStatus:
      row.privileged_by === null ? null : { uuid: row.privileged_by, timestamp: row.privileged_timestamp! },
    sequence: row.last_sequence,
    last_message_at: row.last_message_timestamp,
    created_at: row.create_timestamp,
    updated_at: row.update_timestamp,
    member_count: row.member_count,
    callDetails: row.call && toCall(row.call),
    version: row.version,
  }
}
