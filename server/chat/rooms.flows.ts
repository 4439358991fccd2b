import { sql } from 'kysely'

import { isManager, roomCan } from '#contract/chat/rules.ts'
import {
  cannotLeave,
  type MembershipChanges,
  NAME_TAKEN,
  type NewRoom,
  RECIPIENT_REQUIRED,
  type Room,
  type RoomChanges,
  type RoomMember,
  type RoomRole,
} from '#contract/chat/schema.ts'
import { isSelectable } from '#contract/users/rules.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { keepDeleted, undoDeletion } from '#server/kit/database/deletions.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import type { ChatPublisher } from '#server/kit/live/feed.ts'
import { demand, notFound, Refusal, stale, wrongField } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { readMentions } from '#server/notifications/flows.ts'
import { deleteMentionsIn } from '#server/notifications/store.ts'
import { listKnown } from '#server/users/people.store.ts'

import { deleteFiles, listFilesOfRoom } from './files.store.ts'
import { deleteMessages } from './messages.store.ts'
import {
  addMembers,
  listMembers,
  listStandings,
  removeMembers,
  restoreMember,
  type Standing,
  updateHidden,
  updateMembership,
  updateRead,
  updateRoles,
  updateUnread,
} from './members.store.ts'
import {
  directKeyOf,
  findDirect,
  findRoom,
  insertRoom,
  isNameTaken,
  isRoom,
  type MemberRow,
  markRoomDeleted,
  updateDirectKey,
  updateRoom,
} from './rooms.store.ts'
import { lockChat } from './heads.store.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** People leave a room or are removed; they are still members. */
    membersLeaving: { readonly roomId: string; readonly userIds: readonly string[] }
    /** A room is about to be deleted with everything in it. */
    roomDeleted: { readonly roomId: string; readonly blobs: Services['blobs'] }
  }
}

/** The part of a caller that the chat needs. */
export type Acting = Pick<Caller, 'id' | 'name' | 'type' | 'permissions' | 'config'>

const ROOM = 'This room'
export const NOT_A_MANAGER = 'Only the owner and admins of this chat can do this.'
export const HEADQUARTERS_STAYS = 'Headquarters cannot be edited or managed.'
const NOT_SELECTABLE = 'This is nobody who can be added.'
const NOT_A_MEMBER = 'This person is not in this chat.'

/**
 * A room of the caller, with `change` locked against other chat changes until the transaction ends.
 * @throws Refusal 404 for a room without the caller
 */
export async function openedRoom(
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  id: string,
  hold?: 'change',
): Promise<Room> {
  if (hold) await lockChat(db)
  const room = await findRoom(db, by.id, id)
  if (!room) throw notFound(ROOM)
  return room
}

export const meIn = (room: Room, by: Pick<Acting, 'id'>) => ({ userId: by.id, role: room.membership.role })
export const administersChat = (by: Pick<Acting, 'permissions'>): boolean =>
  by.permissions.includes('chat-admin')

/** Refuses acts that a room's rules do not allow its member. */
export function demandRule(
  room: { readonly isHeadquarters: boolean },
  holds: boolean,
  sentence = NOT_A_MANAGER,
): void {
  demand(holds, 403, room.isHeadquarters ? HEADQUARTERS_STAYS : sentence)
}

interface Named {
  readonly id: string
  readonly email: string
}
/**
 * The people whom a request names, who can be chosen and whom the caller may see.
 * @throws Refusal 400 at each unknown one
 */
export async function peopleFor(
  db: OrgDb,
  by: Pick<Acting, 'id' | 'type'>,
  userIds: readonly string[],
): Promise<Named[]> {
  const found = await listKnown(db, userIds, by)
  const selectable = new Map(found.filter(isSelectable).map((one) => [one.uuid, one]))
  const missing = userIds.flatMap((id, n) => (selectable.has(id) ? [] : [[`userIds.${n}`, NOT_SELECTABLE]]))
  if (missing.length > 0) throw new Refusal(400, NOT_SELECTABLE, { fields: Object.fromEntries(missing) })
  return [...new Set(userIds)].map((id) => ({ id, email: selectable.get(id)!.email }))
}

const emailsOf = (people: readonly { readonly email: string }[]): string[] =>
  people.map(({ email }) => email).sort()
const membersAdded = (people: readonly { readonly email: string }[]): Changes => ({
  members: { from: null, to: emailsOf(people) },
})
export function recordRoom(db: OrgDb, id: string, verb: string, changes: Changes = {}): void {
  record(db, { noun: 'rooms', record: id, verb, changes })
}

/** Creates a room, or finds the direct message of its people. */
export async function createRoom(db: OrgDb, by: Acting, given: NewRoom): Promise<Room> {
  const others = (await peopleFor(db, by, given.userIds)).filter(({ id }) => id !== by.id)
  if (given.kind === 'DIRECT_MESSAGE') return createDirect(db, by, others)
  demand(by.type === 'INTERNAL', 403, 'External people cannot make rooms.')
  await lockChat(db)
  if (await isNameTaken(db, given.name)) throw wrongField('name', NAME_TAKEN, 409)
  const { kind, name, description } = given
  const id = await makeRoom(db, {
    kind,
    name,
    description,
    owner: { id: by.id, email: by.name },
    members: others,
  })
  return openedRoom(db, by, id)
}

async function createDirect(db: OrgDb, by: Acting, others: readonly Named[]): Promise<Room> {
  if (others.length === 0) throw wrongField('userIds', RECIPIENT_REQUIRED)
  await lockChat(db)
  const known = await findDirect(db, directKeyOf([by.id, ...others.map(({ id }) => id)]))
  if (known) {
    await updateHidden(db, known.id, by.id, false)
    return openedRoom(db, by, known.id)
  }
  const owner = { id: by.id, email: by.name }
  const id = await makeRoom(db, {
    kind: 'DIRECT_MESSAGE',
    name: null,
    description: null,
    owner,
    members: others,
  })
  return openedRoom(db, by, id)
}

interface RoomToMake {
  readonly id?: string
  readonly kind: Room['kind']
  readonly name: string | null
  readonly description: string | null
  /** Null where a program requested the room. */
  readonly owner: Named | null
  readonly members: readonly Named[]
}
/** Adds a room with its members, and records it. Returns its id. */
export async function makeRoom(db: OrgDb, room: RoomToMake): Promise<string> {
  const { id = crypto.randomUUID(), kind, name, description, owner, members } = room
  const at = clock.timestamp()
  await insertRoom(db, { id, kind, name, description, created_by: owner?.id ?? null, at })
  const everybody = [...(owner ? [owner] : []), ...members.filter((one) => one.id !== owner?.id)]
  await addMembers(
    db,
    id,
    everybody.map((one) => ({ id: one.id, role: one.id === owner?.id ? 'owner' : 'member' })),
    at,
  )
  await updateDirectKey(db, id)
  const given = changesBetween<Partial<RoomToMake>>({}, { kind, name, description }, [
    'kind',
    'name',
    'description',
  ])
  recordRoom(db, id, 'created', { ...given, ...membersAdded(everybody) })
  return id
}

/** Texts of a room, which its members and chat administrators may change. */
export interface RoomTextChanges {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
}
/** Changes a room's name and description, where they differ. */
export async function changeText(
  db: OrgDb,
  room: { readonly id: string; readonly name: string | null; readonly description: string | null },
  changes: RoomTextChanges,
): Promise<void> {
  const name = changes.name ?? room.name
  const description =
    changes.description === undefined ? room.description : changes.description?.trim() || null
  const changed = changesBetween({ ...room }, { id: room.id, name, description }, ['name', 'description'])
  if (Object.keys(changed).length === 0) return
  if (name !== null && (await isNameTaken(db, name, room.id))) throw wrongField('name', NAME_TAKEN, 409)
  await updateRoom(db, room.id, { name, description }, clock.timestamp())
  recordRoom(db, room.id, 'updated', changed)
}

export async function changeRoom(db: OrgDb, by: Acting, id: string, changes: RoomChanges): Promise<Room> {
  const room = await openedRoom(db, by, id, 'change')
  if (changes.name !== undefined || changes.description !== undefined)
    demandRule(room, roomCan.edit(room, meIn(room, by)))
  if (changes.isWarRoom && !room.isWarRoom) demandRule(room, roomCan.makeWarRoom(room, meIn(room, by)))
  if (changes.version !== undefined && changes.version !== room.version) throw stale(null)
  await changeText(db, room, changes)
  if (changes.isWarRoom && !room.isWarRoom) {
    await updateRoom(db, id, { kind: 'WAR_ROOM' }, clock.timestamp())
    recordRoom(db, id, 'made a war room', { kind: { from: room.kind, to: 'WAR_ROOM' } })
  }
  return openedRoom(db, by, id)
}

/** Deletes a room with all its messages. */
export async function deleteRoom(
  { blobs }: Pick<Services, 'blobs'>,
  db: OrgDb,
  room: { readonly id: string; readonly name: string | null },
): Promise<void> {
  await runHook(db, 'roomDeleted', { roomId: room.id, blobs })
  await deleteFiles(db, blobs, await listFilesOfRoom(db, room.id))
  await deleteMessages(db, room.id)
  // Mentions in messages at the hosted chat service, which are not ours to delete.
  await deleteMentionsIn(db, room.id)
  await markRoomDeleted(db, room.id, clock.timestamp())
  recordRoom(db, room.id, 'deleted', { name: { from: room.name, to: null } })
}

export async function removeOwnRoom(services: Services, db: OrgDb, by: Acting, id: string): Promise<void> {
  const room = await openedRoom(db, by, id, 'change')
  demandRule(room, roomCan.delete(room, meIn(room, by)), 'Only the owner of this chat can delete it.')
  await deleteRoom(services, db, room)
}

export async function hideRoom(db: OrgDb, by: Acting, id: string): Promise<void> {
  const room = await openedRoom(db, by, id)
  demand(roomCan.hide(room), 409, 'Only direct messages without messages can be hidden.')
  await updateHidden(db, id, by.id, true)
}

/** Removes the caller. The owner hands the room to its longest-standing manager. */
export async function leaveRoom(db: OrgDb, by: Acting, id: string): Promise<void> {
  const room = await openedRoom(db, by, id, 'change')
  demandRule(room, !room.isHeadquarters)
  const managers = await listStandings(db, id, 'managers')
  const title = room.name ?? 'chat'
  demand(roomCan.leave(room, meIn(room, by), managers), 409, `${cannotLeave(title)} ${PROMOTE_OR_DELETE}`)
  const heir = room.membership.role === 'owner' ? managers.find((one) => isHeir(one, by)) : undefined
  const rowsOf = sql`t.room_id = ${id} and t.user_id`
  await keepDeleted(db, { noun: MEMBERSHIP, record: id, by }, [
    {
      table: 'room_members',
      where: sql`${rowsOf} = any(${[by.id, ...(heir ? [heir.userId] : [])]}::uuid[])`,
    },
    { table: 'notifications', where: sql`${rowsOf} = ${by.id}` },
  ])
  // Before the caller loses access to the room.
  await runHook(db, 'membersLeaving', { roomId: id, userIds: [by.id] })
  await removeMembers(db, id, [by.id])
  await deleteMentionsIn(db, id, [by.id])
  recordRoom(db, id, 'members removed', { members: { from: [by.name], to: null } })
  if (heir) await changeRoles(db, id, [heir], 'owner')
  await updateDirectKey(db, id)
}
const MEMBERSHIP = 'memberships'
const isHeir = (one: Standing, by: Pick<Acting, 'id'>) => one.active && one.userId !== by.id

/**
 * Undoes that the caller has left a room: role, settings, read mark and mentions return. An owner takes the room back
 * from the person whom it fell to; where it has another owner by now, they return as an admin.
 * @throws Refusal 403, 404, 409. External people do not see the room that they left: 404.
 */
export async function returnToRoom(db: OrgDb, by: Acting, id: string): Promise<Room> {
  await lockChat(db)
  await undoDeletion(db, { noun: MEMBERSHIP, record: id, by }, async ({ rows, restore }) => {
    const members = await rows<MemberRow>('room_members')
    const own = members.find(({ user_id }) => user_id === by.id)!
    const heir = members.find(({ user_id }) => user_id !== by.id)
    demand(await isRoom(db, id), 404, `${ROOM} does not exist.`)
    const isMember = (await findRoom(db, by.id, id)) !== undefined
    if (isMember) return
    const [owner] = heir ? await listStandings(db, id, [heir.user_id]) : []
    const isOwnerAgain = owner?.role === 'owner'
    const role = own.role === 'owner' && !isOwnerAgain ? 'channel_admin' : own.role
    if (heir && owner && isOwnerAgain) await changeRoles(db, id, [owner], heir.role)
    await restoreMember(db, { ...own, role })
    await restore('notifications')
    await updateDirectKey(db, id)
    recordRoom(db, id, 'members added', membersAdded([{ email: by.name }]))
  })
  return openedRoom(db, by, id)
}
const PROMOTE_OR_DELETE = 'Please make somebody else an admin first, or delete the chat.'

export async function addToRoom(
  db: OrgDb,
  by: Acting,
  id: string,
  userIds: readonly string[],
): Promise<Room> {
  const people = await peopleFor(db, by, userIds)
  const room = await openedRoom(db, by, id, 'change')
  demandRule(room, roomCan.addMembers(room, meIn(room, by)))
  await enterRoom(db, id, people)
  return openedRoom(db, by, id)
}

/** Adds people to a room and records the new members. */
export async function enterRoom(
  db: OrgDb,
  id: string,
  people: readonly Named[],
  options?: { returning: boolean },
): Promise<void> {
  const members = people.map((one) => ({ id: one.id, role: 'member' as const }))
  const newcomers = await addMembers(db, id, members, clock.timestamp(), options)
  if (newcomers.length === 0) return
  await updateDirectKey(db, id)
  recordRoom(db, id, 'members added', membersAdded(people.filter((one) => newcomers.includes(one.id))))
}

/** The member whom a request names. */
async function standingOf(db: OrgDb, room: Room, userId: string): Promise<Standing> {
  const [member] = await listStandings(db, room.id, [userId])
  if (!member) throw notFound('This member')
  return member
}

export async function removeMember(db: OrgDb, by: Acting, id: string, userId: string): Promise<void> {
  const room = await openedRoom(db, by, id, 'change')
  const member = await standingOf(db, room, userId)
  demandRule(room, roomCan.remove(room, meIn(room, by), member))
  await dismiss(db, id, [member])
}

/** Removes people from a room and records it. */
export async function dismiss(db: OrgDb, id: string, members: readonly Standing[]): Promise<void> {
  if (members.length === 0) return
  const userIds = members.map(({ userId }) => userId)
  await runHook(db, 'membersLeaving', { roomId: id, userIds })
  await removeMembers(db, id, userIds)
  await deleteMentionsIn(db, id, userIds)
  await updateDirectKey(db, id)
  recordRoom(db, id, 'members removed', { members: { from: emailsOf(members), to: null } })
}

/** Changes the roles of people and records it. */
export async function changeRoles(
  db: OrgDb,
  id: string,
  members: readonly Standing[],
  role: RoomRole,
): Promise<void> {
  const changing = members.filter((member) => member.role !== role)
  if (changing.length === 0) return
  await updateRoles(
    db,
    id,
    changing.map(({ userId }) => userId),
    role,
  )
  const shown = (of: (member: Standing) => RoomRole) =>
    changing.map((member) => `${member.email} ${of(member)}`).sort()
  const roles = { from: shown((member) => member.role), to: shown(() => role) }
  recordRoom(db, id, 'roles changed', { roles })
}

export async function changeRole(
  db: OrgDb,
  by: Acting,
  id: string,
  userId: string,
  role: RoomRole,
): Promise<RoomMember> {
  const room = await openedRoom(db, by, id, 'change')
  const member = await standingOf(db, room, userId)
  demandRole(room, by, [member], role)
  await changeRoles(db, id, [member], role)
  const { rows } = await listMembers(db, id, { filter: { userIds: [userId] }, isDescending: false })
  return rows[0]!
}

function demandRole(room: Room, by: Acting, members: readonly Standing[], role: RoomRole): void {
  const me = meIn(room, by)
  demandRule(room, isManager(me.role))
  for (const member of members) {
    demand(member.active || role === 'member', 409, 'Archived members cannot be made admins.')
    demandRule(room, roomCan.changeRole(room, me, member, role), OWN_OR_OWNER)
  }
}
const OWN_OR_OWNER = "Neither your own role nor the owner's can be changed."

/** Makes members moderators, or plain members again (operations §7). */
export async function changeModerators(
  db: OrgDb,
  by: Acting,
  id: string,
  userIds: readonly string[],
  role: 'channel_moderator' | 'member',
): Promise<Room> {
  const room = await openedRoom(db, by, id, 'change')
  const members = await standingsOf(db, id, userIds)
  demandRole(room, by, members, role)
  await changeRoles(db, id, members, role)
  return openedRoom(db, by, id)
}

/**
 * The members whom a request names.
 * @throws Refusal 400 for somebody who is not one
 */
export async function standingsOf(db: OrgDb, id: string, userIds: readonly string[]): Promise<Standing[]> {
  const members = await listStandings(db, id, userIds)
  const known = new Set(members.map(({ userId }) => userId))
  demand(
    userIds.every((one) => known.has(one)),
    400,
    NOT_A_MEMBER,
  )
  return members
}

/** Moves the caller's read mark, and notifies their own devices and the authors. */
export async function readRoom(
  chat: ChatPublisher,
  db: OrgDb,
  by: Acting,
  roomId: string,
  sequence: number,
): Promise<void> {
  const moved = await updateRead(db, { roomId, userId: by.id, sequence, at: clock.timestamp() })
  if (!moved) {
    await openedRoom(db, by, roomId)
    return
  }
  await readMentions(db, by, roomId, sequence)
  chat.read(db, { roomId, userId: by.id, ...moved })
}

/** Marks a message and those after it as unread for the caller. */
export async function unreadRoom(
  chat: ChatPublisher,
  db: OrgDb,
  by: Acting,
  roomId: string,
  sequence: number,
): Promise<Room> {
  if (await updateUnread(db, { roomId, userId: by.id, sequence })) chat.own(db, { roomId, userId: by.id })
  return openedRoom(db, by, roomId)
}

/** Changes the caller's own settings of a room. */
export async function changeMembership(
  chat: ChatPublisher,
  db: OrgDb,
  by: Acting,
  roomId: string,
  changes: MembershipChanges,
): Promise<Room> {
  await updateMembership(db, { ...changes, roomId, userId: by.id })
  chat.own(db, { roomId, userId: by.id })
  return openedRoom(db, by, roomId)
}

export async function typeInRoom(chat: ChatPublisher, db: OrgDb, by: Acting, id: string): Promise<void> {
  await openedRoom(db, by, id)
  chat.typing(db, { roomId: id, userId: by.id })
}

/** The people among these whom the caller may see. */
export const peopleKnown = async (
  db: OrgDb,
  by: Pick<Acting, 'id' | 'type'>,
  userIds: readonly string[],
): Promise<string[]> => (await listKnown(db, userIds, by)).map(({ uuid }) => uuid)
