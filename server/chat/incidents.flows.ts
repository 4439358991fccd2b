import { NAME_MIN, type Room } from '#contract/chat/schema.ts'
import { escapedText } from '#contract/kit/paragraphs.ts'
import { briefOf } from '#contract/playbooks/rules.ts'
import { opened } from '#server/incidents/access.flows.ts'
import type { Start } from '#server/incidents/start.flows.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand, notFound } from '#server/kit/core/refusal.ts'
import type { ChatPublisher } from '#server/kit/live/feed.ts'
import type { Acting, Caller } from '#server/kit/http/serve.ts'

import { freeName, listAskedOutside, listMissing, type Targets } from './incidents.store.ts'
import { sendMessage } from './messages.flows.ts'
import { enterRoom, makeRoom, openedRoom } from './rooms.flows.ts'
import { findRoom, isRoomThere } from './rooms.store.ts'
import { lockChat } from './heads.store.ts'

export const NOT_IN_ROOM = 'You are not in the breakout room of this incident.'

/**
 * Creates the breakout room of a new incident, under the id that the incident has for it, owned by its creator; without
 * owner where a program declared the incident. Call after the last other lock of the transaction.
 */
export async function makeBreakoutRoom(
  db: OrgDb,
  by: Pick<Caller, 'kind' | 'id' | 'name'>,
  incident: { readonly id: string; readonly title: string; readonly breakoutRoomId: string },
): Promise<void> {
  await lockChat(db)
  const title = incident.title.length < NAME_MIN ? `Incident ${incident.title}` : incident.title
  await makeRoom(db, {
    id: incident.breakoutRoomId,
    kind: 'BREAKOUT_ROOM',
    name: await freeName(db, title),
    description: null,
    owner: by.kind === 'person' ? { id: by.id, email: by.name } : null,
    members: [],
  })
  await enterTargets(db, { incidentId: incident.id })
}

/** Adds the people whom a playbook names to a new room, and sends its first message. */
export async function startRoom(
  chat: ChatPublisher,
  db: OrgDb,
  by: Acting,
  roomId: string,
  { people, firstMessage }: Start,
): Promise<void> {
  await enterRoom(db, roomId, people)
  if (firstMessage === '') return
  const text = briefOf({ description: firstMessage })
  await sendMessage(chat, db, by, roomId, { clientId: crypto.randomUUID(), text, fileIds: [], replyTo: null })
}

/** Tells the members of a merged incident's room where it goes on, where the caller is one of them. */
export async function sayWhereToGo(
  chat: ChatPublisher,
  db: OrgDb,
  by: Acting,
  roomId: string,
  { number, title }: { readonly number: string; readonly title: string },
): Promise<void> {
  if (!(await findRoom(db, by.id, roomId))) return
  const text = `<p>${escapedText(`This incident was merged into ${number}, “${title}”. Please go on there.`)}</p>`
  await sendMessage(chat, db, by, roomId, { clientId: crypto.randomUUID(), text, fileIds: [], replyTo: null })
}

/**
 * Adds people whom an incident targets, by name or through a group, to its breakout room. Groups target archived,
 * banned and business users only after they are reactivated, unbanned or given another role. People who were removed
 * stay out.
 */
export async function enterTargets(db: OrgDb, of: Targets): Promise<void> {
  if ((await listMissing(db, of)).length === 0) return
  await lockChat(db)
  const missing = Map.groupBy(await listMissing(db, of), ({ roomId }) => roomId)
  for (const [roomId, people] of missing) await enterRoom(db, roomId, people, { returning: false })
}

/**
 * The breakout room of an incident. The caller becomes a member where the incident asks everybody to check in. People
 * who left or were removed stay out.
 * @throws Refusal 404 without such an incident or room, 403 where the room is closed to the caller
 */
export async function openIncidentRoom(db: OrgDb, by: Caller, id: string): Promise<Room> {
  const { breakoutRoomId } = await opened(db, by, id)
  if (breakoutRoomId === null || !(await isRoomThere(db, breakoutRoomId))) throw notFound('This room')
  await enterOpenRoom(db, by, breakoutRoomId)
  return openedRoom(db, by, breakoutRoomId)
}

/**
 * Makes the caller a member of an incident's room, where the incident asks everybody to check in.
 * @throws Refusal 403 where the room is closed to the caller
 */
export async function enterOpenRoom(db: OrgDb, by: Pick<Caller, 'id'>, roomId: string): Promise<void> {
  if (await findRoom(db, by.id, roomId)) return
  await lockChat(db)
  const [me] = await listAskedOutside(db, roomId, { userId: by.id })
  demand(me !== undefined, 403, NOT_IN_ROOM)
  await enterRoom(db, roomId, [me], { returning: false })
}

/**
 * Adds everybody to the room of an incident that asks everybody to check in, except those who left it. Returns false,
 * and adds nobody, where it would be more than `limit` people. Call with the chat locked.
 */
export async function enterEverybodyAsked(db: OrgDb, roomId: string, limit: number): Promise<boolean> {
  const people = await listAskedOutside(db, roomId, { limit: limit + 1 })
  if (people.length > limit) return false
  await enterRoom(db, roomId, people, { returning: false })
  return true
}
