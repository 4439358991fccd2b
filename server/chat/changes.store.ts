import { type RawBuilder, sql } from 'kysely'

import type { ChatChange, RoomRole } from '#contract/chat/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { listPeople, type MessageRow, SHOWN, toMessage } from './messages.store.ts'
import { THREAD, threadChangeOf, type ThreadRow } from './threads.store.ts'
import { SHARED, type SharedRow, toSharedRoom } from './shared-rooms.store.ts'

interface Span {
  /** Changes after this one count. */
  readonly after: number
  /** Last change that counts. */
  readonly upTo: number
  readonly limit: number
}
interface MemberChange {
  room_id: string
  user_id: string
  role: RoomRole
  has_left: boolean
  change_sequence: number
}

/** All changes of the organisation, or those in the rooms of one member. */
export type Scope = { readonly member: string } | 'everything'

const within = (row: string, { after, upTo }: Span) => {
  const column = sql.raw(`${row}.change_sequence`)
  return sql`${column} > ${after} and ${column} <= ${upTo}`
}
const cut = (row: string, { limit }: Span) => {
  const column = sql.raw(`${row}.change_sequence`)
  return sql`order by ${column} fetch first ${sql.lit(limit)} rows with ties`
}
const myRooms = (member: string) => sql`
  (select room_id from room_members where user_id = ${member} and not has_left)`

/** Reads only rooms with changes. */
async function listMessages(db: OrgDb, scope: Scope, span: Span): Promise<MessageRow[]> {
  const from: RawBuilder<unknown> =
    scope === 'everything'
      ? sql`room_messages m where ${within('m', span)}`
      : sql`rooms r cross join lateral (
          select * from room_messages one where one.room_id = r.id and ${within('one', span)} ${cut('one', span)}) m
        where r.id in ${myRooms(scope.member)} and r.message_change_sequence > ${span.after}`
  const { rows } = await sql<MessageRow>`select ${SHOWN} from ${from} ${cut('m', span)}`.execute(db)
  return rows
}

async function listRooms(db: OrgDb, scope: Scope, span: Span): Promise<SharedRow[]> {
  // A deleted room concerns everybody who was a member at its end.
  const mine = scope === 'everything' ? sql`true` : sql`r.id in ${myRooms(scope.member)}`
  const { rows } = await sql<SharedRow>`
    select ${SHARED} from rooms r where ${within('r', span)} and ${mine} ${cut('r', span)}`.execute(db)
  return rows
}

async function listThreads(db: OrgDb, scope: Scope, span: Span): Promise<ThreadRow[]> {
  const mine = scope === 'everything' ? sql`true` : sql`t.room_id in ${myRooms(scope.member)}`
  const { rows } = await sql<ThreadRow>`
    select ${THREAD} from room_threads t where ${within('t', span)} and ${mine} ${cut('t', span)}`.execute(db)
  return rows
}

async function listMembers(db: OrgDb, scope: Scope, span: Span): Promise<MemberChange[]> {
  const mine =
    scope === 'everything'
      ? sql`true`
      : sql`(m.user_id = ${scope.member} or m.room_id in ${myRooms(scope.member)})`
  const { rows } = await sql<MemberChange>`
    select m.room_id, m.user_id, m.role, m.has_left, m.change_sequence from room_members m
    where ${within('m', span)} and ${mine} ${cut('m', span)}`.execute(db)
  return rows
}

const last = (rows: readonly { change_sequence: number }[], limit: number): number =>
  rows.length < limit ? Infinity : rows.at(-1)!.change_sequence

/**
 * Changes in order, each record in its newest state. A page may exceed its limit by the rows of its last change.
 * @returns the sequence up to which the changes are complete
 */
export async function readChanges(
  db: OrgDb,
  scope: Scope,
  span: Span,
): Promise<{ changes: ChatChange[]; sequence: number }> {
  const messages = await listMessages(db, scope, span)
  const rooms = await listRooms(db, scope, span)
  const members = await listMembers(db, scope, span)
  const threads = await listThreads(db, scope, span)
  const horizon = Math.min(...[messages, rooms, members, threads].map((rows) => last(rows, span.limit)))
  const inPage = <Row extends { change_sequence: number }>(rows: readonly Row[]) =>
    rows.filter(({ change_sequence }) => change_sequence <= horizon)
  const told = inPage(messages)
  const answered = inPage(threads)
  const named = [...told.flatMap((row) => row.mentioned), ...answered.flatMap((row) => row.answers.users)]
  const known = await listPeople(db, [...new Set(named)])
  const people = new Map(known.map((person) => [person.uuid, person]))
  const changes: ChatChange[] = [
    ...told.map((row) =>
      messageChange(
        row,
        row.mentioned.flatMap((id) => people.get(id) ?? []),
      ),
    ),
    ...answered.map((row) => threadChangeOf(row, known)),
    ...inPage(rooms).map(roomChange),
    ...memberChanges(inPage(members)),
  ]
  return {
    changes: changes.toSorted((a, b) => a.sequence - b.sequence),
    sequence: Math.min(horizon, span.upTo),
  }
}

/** A new or changed message, with its author and the mentioned people. */
export const messageChange = (row: MessageRow, mentioned: readonly MessageRow['author'][]): ChatChange => ({
  type: 'chat',
  kind: 'message',
  sequence: row.change_sequence,
  roomId: row.room_id,
  message: toMessage(row),
  people: [row.author, ...mentioned],
})

const roomChange = (row: SharedRow): ChatChange => {
  const change = { type: 'chat', sequence: row.change_sequence, roomId: row.id } as const
  return row.is_deleted
    ? { ...change, kind: 'removed' }
    : { ...change, kind: 'room', room: toSharedRoom(row) }
}

const memberChanges = (rows: readonly MemberChange[]): ChatChange[] =>
  [...Map.groupBy(rows, (row) => `${row.change_sequence} ${row.room_id}`).values()].map((all) => ({
    type: 'chat',
    kind: 'members',
    sequence: all[0]!.change_sequence,
    roomId: all[0]!.room_id,
    members: all.map(({ user_id, role, has_left }) => ({ user_id, channel_role: role, left: has_left })),
  }))
