import type { NewRoom, Room } from '#contract/chat/schema.ts'
import { pin, react, sendMessage } from '#server/chat/messages.flows.ts'
import { type Acting, createRoom, readRoom } from '#server/chat/rooms.flows.ts'
import { findRoom, listRooms } from '#server/chat/rooms.store.ts'
import { DAY, HOUR, MINUTE } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Services } from '#server/kit/services.ts'

import { BREAKOUT_ROOM, DIRECT, type DemoRoom, HEADQUARTERS_WORDS, WAR_ROOM } from './chat.content.ts'

/** Runs `work` as one of the demonstration's people, at a time. */
type As = <T>(email: string, time: number, work: (db: OrgDb, by: Acting) => Promise<T>) => Promise<T>

/** Adds rooms with conversations of the last two days, most of them read. */
export async function addRooms(
  { chat }: Pick<Services, 'chat'>,
  as: As,
  people: ReadonlyMap<string, { readonly id: string }>,
  now: number,
): Promise<void> {
  const morning = Math.floor(now / DAY) * DAY - 2 * DAY + 8 * HOUR
  const idsOf = (emails: readonly string[]) => emails.map((email) => people.get(email)!.id)

  async function converse(roomId: string, messages: DemoRoom['messages'], from: number) {
    const ids: string[] = []
    for (const message of messages) {
      const time = from + message.after * MINUTE
      const replyTo = message.answers === undefined ? null : ids[message.answers]!
      const { id } = await as(message.by, time, (db, by) =>
        sendMessage(chat, db, by, roomId, {
          clientId: crypto.randomUUID(),
          text: message.text,
          fileIds: [],
          replyTo,
        }),
      )
      ids.push(id)
      for (const [emoji, who] of message.reactions ?? [])
        await as(who, time + MINUTE, (db, by) => react(chat, db, by, { id, emoji }, true))
      if (message.isPinned) await as(message.by, time + MINUTE, (db, by) => pin(chat, db, by, id, true))
    }
    return ids.length
  }

  async function addRoom(
    room: NewRoom,
    { people: members, messages }: Pick<DemoRoom, 'people' | 'messages'>,
    from: number,
  ) {
    const { id } = await as(members[0]!, from - MINUTE, (db, by) => createRoom(db, by, room))
    const last = await converse(id, messages, from)
    // The last message is unread for everybody but its author.
    for (const email of members)
      await as(email, from + DAY / 2, (db, by) => readRoom(chat, db, by, id, last - 1))
  }

  const [first] = people.keys()
  const headquarters = await as(first!, morning, headquartersOf)
  const last = await converse(headquarters.id, HEADQUARTERS_WORDS, morning)
  for (const email of people.keys())
    await as(email, morning + HOUR, async (db, by) => {
      // External and archived people are not members.
      if (await findRoom(db, by.id, headquarters.id)) await readRoom(chat, db, by, headquarters.id, last)
    })
  for (const [index, [kind, room]] of (
    [
      ['WAR_ROOM', WAR_ROOM],
      ['BREAKOUT_ROOM', BREAKOUT_ROOM],
    ] as const
  ).entries()) {
    const { name, description, people: members } = room
    const given = { kind, name, description, userIds: idsOf(members.slice(1)) }
    await addRoom(given, room, morning + (index + 1) * 2 * HOUR)
  }
  await addRoom({ kind: 'DIRECT_MESSAGE', userIds: idsOf(DIRECT.people) }, DIRECT, morning + 8 * HOUR)
}

async function headquartersOf(db: OrgDb, by: Acting): Promise<Room> {
  const { rows } = await listRooms(db, by.id, { filter: {}, range: [0, 0], isOldestFirst: false })
  return rows[0]!
}
