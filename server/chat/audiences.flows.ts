import { allows } from '#contract/kit/access.ts'
import { mentionGroupsAccess } from '#contract/chat/access.ts'
import { HERE, mentionedHandles } from '#contract/chat/rules.ts'
import type { RoomGroup } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { withoutCode } from '#contract/kit/text.ts'
import { plainText } from '#server/kit/core/rich-text.ts'
import { type OrgDb, unitOf } from '#server/kit/database/db.ts'
import type { ChatPublisher } from '#server/kit/live/feed.ts'
import { notifyAudience, notifyMentioned } from '#server/notifications/flows.ts'

import { insertMentioned, listByHandles, listGroupsInRoom, updateAudiences } from './mentions.store.ts'
import { listActiveIds } from './members.store.ts'
import { listPeople, type MessageRow } from './messages.store.ts'
import { type Acting, openedRoom } from './rooms.flows.ts'
import { findTitle } from './rooms.store.ts'

type Sender = Pick<Acting, 'id' | 'permissions'>

/** Groups that the caller may mention in a room. */
export async function groupsInRoom(db: OrgDb, by: Sender, roomId: string, q: string): Promise<RoomGroup[]> {
  await openedRoom(db, by, roomId)
  return listGroupsInRoom(db, { roomId, except: by.id, q: q.trim() })
}

interface Audience {
  readonly handle: string
  readonly userIds: readonly string[]
}
/** The members of a room whom handles reach, for each handle that means something. */
async function audiencesOf(
  chat: ChatPublisher,
  db: OrgDb,
  by: Sender,
  { roomId, handles }: { roomId: string; handles: readonly string[] },
): Promise<Audience[]> {
  const groups = handles.filter((handle) => handle !== HERE)
  const found: Audience[] = []
  if (handles.includes(HERE)) {
    const members = await listActiveIds(db, roomId, by.id)
    found.push({ handle: HERE, userIds: chat.online(unitOf(db).organisationId, members) })
  }
  const maySee = allows(mentionGroupsAccess, { kind: 'person', permissions: by.permissions })
  if (groups.length > 0 && maySee)
    found.push(...(await listByHandles(db, { roomId, except: by.id, handles: groups })))
  return found
}

/** Handles in a safe text, without those in code. */
const handlesOf = (html: string): string[] =>
  html.includes('@') ? mentionedHandles(plainText(withoutCode(html))) : []

/**
 * Stores and notifies those whom a new or changed message mentions: by name, online for `@here`, and members of groups.
 * An audience that the message had before keeps the people whom it reached then. Returns the audiences' handles.
 */
export async function mention(
  chat: ChatPublisher,
  db: OrgDb,
  by: Sender,
  row: MessageRow,
): Promise<readonly string[]> {
  const { id, room_id: roomId, mentioned, author, audiences: before } = row
  const handles = handlesOf(row.html)
  const added = await audiencesOf(chat, db, by, {
    roomId,
    handles: handles.filter((handle) => !before.includes(handle)),
  })
  const kept = before.filter((handle) => handles.includes(handle))
  const audiences = [...kept, ...added.map(({ handle }) => handle)]
  if (row.edited_timestamp !== null || audiences.length > 0)
    await updateAudiences(db, id, { kept: kept.length > 0 ? 'everybody' : mentioned, audiences })
  const reached = [...new Set(added.flatMap(({ userIds }) => userIds))].filter(
    (userId) => !mentioned.includes(userId),
  )
  if (mentioned.length + reached.length === 0) return audiences
  await insertMentioned(db, id, [...mentioned, ...reached])
  const { name, isTabletop } = await findTitle(db, roomId)
  const notice = {
    roomId,
    messageId: id,
    author: fullName(author),
    name: name ?? 'Direct message',
    isTabletop,
  }
  if (mentioned.length > 0) await notifyMentioned(db, mentioned, notice)
  if (reached.length > 0)
    await notifyAudience(db, await listPeople(db, reached), {
      ...notice,
      handles: added.map(({ handle }) => handle),
    })
  return audiences
}
