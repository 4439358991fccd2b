import type { ChatChange, Message, Room } from '#contract/chat/schema.ts'

import type { ChatNews } from '../provider.ts'
import { type RoomNumbers } from './numbers.ts'
import { messageOf, peopleIn, sharedRoomOf } from './records.ts'
import { roomIdOf, type WireEvent, type WireMessage } from './wire.ts'

/** The provider's state that translating an event needs. */
export interface Surroundings {
  readonly me: string
  readonly numbersOf: (roomId: string) => RoomNumbers
  readonly known: (roomId: string) => Room | undefined
}
type Change<Kind extends ChatChange['kind']> = Omit<
  ChatChange & { kind: Kind },
  'type' | 'sequence' | 'roomId'
>

/** A change of a record without its sequence. */
type Translated =
  | Change<'message'>
  | Change<'room'>
  | Change<'members'>
  | Change<'removed'>
  | Exclude<ChatNews, ChatChange>

function newMessage(event: WireEvent, roomId: string, { numbersOf }: Surroundings): Translated | undefined {
  const { message } = event
  if (!message) return undefined
  numbersOf(roomId).arrived(message)
  return changedMessage(message, roomId, numbersOf(roomId))
}
export const changedMessage = (
  message: WireMessage,
  roomId: string,
  numbers: RoomNumbers,
): Change<'message'> & { readonly message: Message } => ({
  kind: 'message',
  message: messageOf(message, roomId, numbers),
  people: peopleIn([message]),
})
const members = (event: WireEvent, left: boolean): Translated | undefined => {
  const user_id = event.member?.user_id ?? event.member?.user?.id ?? event.user?.id
  return user_id === undefined
    ? undefined
    : { kind: 'members', members: [{ user_id, channel_role: roleOf(event), left }] }
}
const roleOf = ({ member }: WireEvent) =>
  member?.channel_role === 'channel_moderator' ? 'channel_moderator' : 'member'

function room({ channel }: WireEvent, roomId: string, { known }: Surroundings): Translated | undefined {
  const before = known(roomId)
  const last = { sequence: before?.sequence ?? 0, at: before?.last_message_at ?? null }
  return channel && { kind: 'room', room: sharedRoomOf(channel, last) }
}
function read(event: WireEvent, roomId: string, { numbersOf, me }: Surroundings): Translated | undefined {
  const userId = event.user?.id ?? me
  const numbers = numbersOf(roomId)
  const named =
    event.last_read_message_id === undefined ? undefined : numbers.numberOf(event.last_read_message_id)
  return {
    type: 'chat-read',
    roomId,
    userId,
    sequence: named ?? (event.created_at ? numbers.at(event.created_at) : numbers.last),
  }
}

type Translator = (event: WireEvent, roomId: string, around: Surroundings) => Translated | undefined
const changed: Translator = ({ message }, roomId, { numbersOf }) =>
  message && changedMessage(message, roomId, numbersOf(roomId))
const TRANSLATORS: Readonly<Record<string, Translator>> = {
  'message.new': newMessage,
  // Sent for rooms that this connection does not watch.
  'notification.message_new': newMessage,
  'message.updated': changed,
  'message.deleted': changed,
  'message.undeleted': changed,
  'reaction.new': changed,
  'reaction.updated': changed,
  'reaction.deleted': changed,
  'channel.updated': room,
  'channel.deleted': () => ({ kind: 'removed' }),
  'notification.channel_deleted': () => ({ kind: 'removed' }),
  'member.added': (event) => members(event, false),
  'member.updated': (event) => members(event, false),
  'member.removed': (event) => members(event, true),
  'notification.added_to_channel': (event, _, { me }) => members({ ...event, user: { id: me } }, false),
  'notification.removed_from_channel': (event, _, { me }) => members({ ...event, user: { id: me } }, true),
  'typing.start': ({ user }, roomId, { me }) =>
    user && user.id !== me ? { type: 'chat-typing', roomId, userId: user.id } : undefined,
  'message.read': read,
  'notification.mark_read': read,
}

/** Translates an event of the service for the screens; undefined for one without a meaning for them. */
export function newsOf(event: WireEvent, around: Surroundings, next: () => number): ChatNews | undefined {
  const cid = event.cid ?? event.channel?.cid
  if (cid === undefined) return undefined
  const roomId = roomIdOf(cid)
  const translated = TRANSLATORS[event.type]?.(event, roomId, around)
  if (!translated) return undefined
  if ('type' in translated) return translated
  return { ...translated, type: 'chat', sequence: next(), roomId }
}
