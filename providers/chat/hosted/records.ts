import { cut } from '#contract/kit/cut.ts'
import {
  DIRECT_PEOPLE_MAX,
  IMAGE_EXTENSIONS,
  type Message,
  type MessageAttachment,
  type Reaction,
  type Room,
  type SharedRoom,
} from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'

import { lineOf } from '../plainText.ts'
import { lastMessageOf } from '../rooms.ts'
import type { RoomNumbers } from './numbers.ts'
import type { WireAttachment, WireChannel, WireMessage, WireState } from './wire.ts'

/** Characters of a quoted message. */
const QUOTED_MAX = 300

const escaped = (plain: string): string =>
  plain.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!)
/** Rich text of a message from another client of the service. */
const paragraphsOf = (plain: string): string =>
  plain === ''
    ? ''
    : plain
        .split(/\n+/)
        .map((line) => `<p>${escaped(line)}</p>`)
        .join('')

/** An emoji as a reaction type of the service, which allows letters, digits and hyphens. */
export const typeOfEmoji = (emoji: string): string =>
  Array.from(emoji, (character) => character.codePointAt(0)!.toString(16)).join('-')
/** The emoji of a reaction type; undefined for another client's type. */
export function emojiOfType(type: string): string | undefined {
  if (!/^[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$/.test(type)) return undefined
  const points = type.split('-').map((part) => Number.parseInt(part, 16))
  if (points.some((point) => point > 0x10ffff)) return undefined
  const emoji = String.fromCodePoint(...points)
  return /^\p{RGI_Emoji}$/v.test(emoji) ? emoji : undefined
}

/** Identity of an uploaded file: its address and name, because the service has no ids of files. */
interface FileId {
  readonly url: string
  readonly title: string
  readonly size: number
  readonly type: string
  readonly at: string
}
export const fileIdOf = ({ url, title, size, type, at }: FileId): string =>
  JSON.stringify({ url, title, size, type, at })
export const fileOfId = (id: string): FileId => JSON.parse(id) as FileId

export function attachmentOf(file: FileId): MessageAttachment {
  const { url, title, size, type, at } = file
  const dot = title.lastIndexOf('.')
  const [name, extension] = dot > 0 ? [title.slice(0, dot), title.slice(dot + 1)] : [title, '']
  const isImage = IMAGE_EXTENSIONS.some((one) => one === extension.toLowerCase())
  return {
    id: fileIdOf(file),
    type: isImage ? 'image' : 'file',
    asset_url: url,
    image_url: isImage ? url : null,
    thumb_url: isImage ? url : null,
    title,
    fallback: title,
    name,
    extension,
    size,
    mimeType: type,
    updatedAt: at,
  }
}
/** The files of a message, without other attachments such as previews of links. */
const filesOf = ({ attachments = [], created_at }: WireMessage): MessageAttachment[] =>
  attachments.flatMap(({ asset_url: url, title, file_size, mime_type, updatedAt }: WireAttachment) =>
    url === undefined
      ? []
      : attachmentOf({
          url,
          title: title ?? 'file',
          size: file_size ?? 0,
          type: mime_type ?? 'application/octet-stream',
          at: updatedAt ?? created_at,
        }),
  )
/** A file as an attachment of the service. */
export const wireAttachmentOf = (id: string): WireAttachment => {
  const { url, title, size, type, at } = fileOfId(id)
  const kind = attachmentOf({ url, title, size, type, at }).type
  return { type: kind, asset_url: url, title, file_size: size, mime_type: type, updatedAt: at }
}

function reactionsOf({ latest_reactions = [] }: WireMessage): Reaction[] {
  const first = [...latest_reactions].sort((a, b) => a.created_at.localeCompare(b.created_at))
  const byEmoji = Map.groupBy(first, ({ type }) => emojiOfType(type))
  return [...byEmoji].flatMap(([emoji, all]) =>
    emoji === undefined ? [] : { emoji, userIds: all.flatMap((one) => one.user_id ?? one.user?.id ?? []) },
  )
}
/** True for a message with more reactions than the newest ten that the service sends. */
export const lacksReactions = ({ latest_reactions = [], reaction_groups }: WireMessage): boolean =>
  Object.values(reaction_groups ?? {}).reduce((sum, { count }) => sum + count, 0) > latest_reactions.length

const isDeleted = ({ deleted_at }: WireMessage): boolean => (deleted_at ?? null) !== null
/** The plain text of a message. The service's own text of our messages also contains names of files. */
function plainOf(wire: WireMessage): string {
  if (isDeleted(wire)) return ''
  return wire.richText === undefined ? (wire.text ?? '') : lineOf(wire.richText, (email) => email)
}
function quotationOf(quoted: WireMessage, numbers: RoomNumbers): NonNullable<Message['replyTo']> {
  return {
    id: quoted.id,
    sequence: numbers.one(quoted),
    user: quoted.user?.id ?? '',
    text: cut(plainOf(quoted), QUOTED_MAX),
    deleted: isDeleted(quoted),
    hasAttachments: (quoted.attachments?.length ?? 0) > 0,
  }
}

const textOf = (wire: WireMessage): string =>
  isDeleted(wire) ? '' : (wire.richText ?? paragraphsOf(wire.text ?? ''))
const timesOf = (wire: WireMessage) => ({
  created_at: wire.created_at,
  updated_at: wire.updated_at ?? wire.created_at,
  editedAt: wire.message_text_updated_at ?? null,
  deletedAt: wire.deleted_at ?? null,
})
const pinOf = ({ pinned, pinned_at, pinned_by }: WireMessage): Message['pinned'] =>
  pinned && pinned_at ? { user: pinned_by?.id ?? '', timestamp: pinned_at } : null
/** Fields that our server or client adds to a message. */
const extrasOf = (wire: WireMessage) => ({
  isCall: wire.isCall ?? false,
  ...(wire.call && { call: wire.call }),
  privileged: wire.privileged ?? false,
  privilegedStatus: wire.privilegedStatus ?? null,
})

/** Converts a message of the service. */
export function messageOf(wire: WireMessage, roomId: string, numbers: RoomNumbers): Message {
  const attachments = isDeleted(wire) ? [] : filesOf(wire)
  return {
    id: wire.id,
    roomId,
    sequence: numbers.one(wire),
    clientId: wire.id,
    text: textOf(wire),
    user: wire.user?.id ?? '',
    ...timesOf(wire),
    status: 'received',
    attachments,
    hasAttachments: attachments.length > 0,
    ...extrasOf(wire),
    mentioned_users: (wire.mentioned_users ?? []).map(({ id }) => id),
    replyTo: wire.quoted_message ? quotationOf(wire.quoted_message, numbers) : null,
    reactions: reactionsOf(wire),
    pinned: pinOf(wire),
  }
}

/** All people named in messages, as far as the service knows them. */
export function peopleIn(messages: readonly WireMessage[]): NamedPerson[] {
  const users = messages.flatMap((message) => [
    message.user,
    message.quoted_message?.user,
    message.pinned_by,
    ...(message.mentioned_users ?? []),
    ...(message.latest_reactions ?? []).map(({ user }) => user),
  ])
  const people = users.flatMap((user) => user?.person ?? [])
  return [...new Map(people.map((person) => [person.uuid, person])).values()]
}

/** The part of a room that all members see. Its last message comes from this page. */
export function sharedRoomOf(
  channel: WireChannel,
  last: { sequence: number; at: string | null },
): SharedRoom {
  const isDirect = channel.type === 'messaging'
  const kind = isDirect ? 'DIRECT_MESSAGE' : (channel.kind ?? 'BREAKOUT_ROOM')
  return {
    id: channel.id,
    cid: channel.cid,
    type: isDirect ? 'messaging' : 'team',
    kind,
    name: isDirect ? null : (channel.name ?? ''),
    description: channel.description || null,
    isWarRoom: kind === 'WAR_ROOM',
    isHeadquarters: channel.isHeadquarters ?? false,
    privileged: channel.privileged ?? false,
    privilegedStatus: channel.privilegedStatus ?? null,
    sequence: last.sequence,
    last_message_at: last.at,
    created_at: channel.created_at,
    updated_at: channel.roomTimestamp ?? channel.updated_at ?? channel.created_at,
    member_count: channel.member_count ?? 0,
    callDetails: channel.callDetails ?? null,
    version: channel.version ?? 1,
  }
}

/** The caller's membership. Our server knows owners; the service knows managers as moderators. */
function membershipOf(state: WireState, me: string, last: number): Room['membership'] {
  const { channel, members = [], read = [] } = state
  const mine = state.membership ?? members.find((one) => (one.user_id ?? one.user?.id) === me)
  const unread = read.find(({ user }) => user.id === me)?.unread_messages ?? 0
  const isModerator = mine?.channel_role === 'channel_moderator'
  return {
    role: channel.owner === me ? 'owner' : isModerator ? 'channel_moderator' : 'member',
    readSequence: Math.max(0, last - unread),
    unread,
    hidden: state.hidden ?? false,
    created_at: mine?.created_at ?? channel.created_at,
  }
}
/** Number of the last message read by another member. */
function othersRead({ read = [] }: WireState, me: string, numbers: RoomNumbers): number {
  const marks = read.flatMap(({ user, last_read, last_read_message_id: id }) =>
    user.id === me ? [] : ((id === undefined ? undefined : numbers.numberOf(id)) ?? numbers.at(last_read)),
  )
  return Math.max(0, ...marks)
}

/** The room as its member, the caller, sees it. */
export function roomOf(state: WireState, me: string, numbers: RoomNumbers): Room {
  const { channel, messages = [], members = [] } = state
  numbers.newest(messages)
  const at = messages.at(-1)?.created_at ?? channel.last_message_at ?? null
  const people = members
    .flatMap(({ user }) => user?.person ?? [])
    .toSorted(
      (a, b) => Number(b.uuid === me) - Number(a.uuid === me) || a.firstName.localeCompare(b.firstName),
    )
  const isDirect = channel.type === 'messaging'
  const last = messages.at(-1)
  return {
    ...sharedRoomOf(channel, { sequence: numbers.last, at }),
    membership: membershipOf(state, me, numbers.last),
    othersReadSequence: othersRead(state, me, numbers),
    incidentId: channel.incidentId ?? null,
    isArchived: isDirect && people.length > 0 && people.every(({ uuid, active }) => uuid === me || !active),
    people: isDirect ? people.slice(0, DIRECT_PEOPLE_MAX) : [],
    ...(last && {
      lastMessage: { ...lastMessageOf(messageOf(last, channel.id, numbers)), author: last.user?.person },
    }),
  }
}
