import * as z from 'zod/mini'

import {
  id,
  listOf,
  MEDIUM_TEXT_MAX,
  optionalText,
  SHORT_TEXT_MAX,
  text,
  timestamp,
  tooLong,
  visible,
} from '#contract/kit/text.ts'
import { CallDetails, MessageCall } from '#contract/calls/schema.ts'
import { NamedPerson } from '#contract/users/schema.ts'

/** Team rooms are war rooms or breakout rooms (operations §3 "Channel"). */
export const ROOM_KINDS = ['WAR_ROOM', 'BREAKOUT_ROOM', 'DIRECT_MESSAGE'] as const
export const RoomKind = z.enum(ROOM_KINDS)
export type RoomKind = z.infer<typeof RoomKind>
export const ROOM_ROLES = ['owner', 'channel_admin', 'channel_moderator', 'member'] as const
export const RoomRole = z.enum(ROOM_ROLES)
export type RoomRole = z.infer<typeof RoomRole>

/** The room that everybody is in (operations §5). */
export const HEADQUARTERS = 'Headquarters'
export const NAME_MIN = 3
/** Characters of a message without its markup. Sending stops when they are reached (decisions §5). */
export const MESSAGE_MAX = 5_000
/** Characters of a message with its markup. */
const HTML_MAX = 24_000
/** People who are added to a room with one call (decisions §3). */
export const MEMBERS_AT_ONCE = 100
/** Files that one message carries. */
export const FILES_PER_MESSAGE = 10
/** Rooms of one page of a list, and messages of one page of a room (operations §9). */
export const ROOMS_PER_PAGE = 20
export const MESSAGES_PER_PAGE = 20
/** Most messages of one page. */
export const MESSAGES_MAX = 100
/** Most changes of one page of the catch-up; a page ends with all rows of its last change. */
export const CHANGES_MAX = 500
/** People of a direct message that come with it: the 15 of its title, and oneself. */
export const DIRECT_PEOPLE_MAX = 16
/** Embedded image extensions (operations §5). */
export const IMAGE_EXTENSIONS = ['png', 'jpg', 'jpeg', 'webp', 'bmp'] as const

export const NAME_REQUIRED = 'Please enter a name.'
export const NAME_TOO_SHORT = `The name must be at least ${NAME_MIN} characters long.`
export const NAME_TAKEN = 'A chat with this name already exists.'
export const RECIPIENT_REQUIRED = 'At least one recipient is required.'
export const MEMBER_REQUIRED = 'Please select at least one team member.'
export const TOO_MANY_MEMBERS = `A maximum of ${MEMBERS_AT_ONCE} team members can be added at once.`
export const PIPE_RESERVED = 'Sorry, the pipe | character is reserved for internal use.'
export const MESSAGE_REQUIRED = 'Please write a message or attach a file.'
export const MESSAGE_TOO_LONG = `A message can have at most ${MESSAGE_MAX - 1} characters.`
export const TOO_MANY_FILES = `A message can carry at most ${FILES_PER_MESSAGE} files.`
export const BAD_FILE = 'One or more files are unsupported types or exceed the 100 MB limit.'
export const MARKED_PRIVILEGED = 'Marked this war room as privileged.'
export const MARKED_NOT_PRIVILEGED = 'Marked this war room as not privileged.'
export const ARCHIVED_CHAT =
  'You are viewing an archive of this chat. You cannot send messages in archived chats.'
export const cannotLeave = (name: string) => `You cannot leave the ${name} because you are the only admin.`

/** Who marked a room as privileged, or took the mark away, and when (operations §3). */
export const PrivilegedStatus = z.object({ uuid: id, timestamp })
export type PrivilegedStatus = z.infer<typeof PrivilegedStatus>

/** What all members see of a room. */
const shared = {
  id,
  /** Type and id, as the administration of channels names it. */
  cid: z.string(),
  type: z.enum(['team', 'messaging']),
  kind: RoomKind,
  /** Null for a direct message. */
  name: z.nullable(z.string()),
  description: z.nullable(z.string()),
  isWarRoom: z.boolean(),
  isHeadquarters: z.boolean(),
  privileged: z.boolean(),
  /** The last change of the mark; null when there was none. */
  privilegedStatus: z.nullable(PrivilegedStatus),
  /** Of the last message; 0 for none. Messages are numbered from 1 without gaps. */
  sequence: z.int(),
  last_message_at: z.nullable(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
  member_count: z.int(),
  /** The call that goes on in it; null for none. */
  callDetails: z.nullable(CallDetails),
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
}
export const SharedRoom = z.object(shared)
export type SharedRoom = z.infer<typeof SharedRoom>

/** What one member's own place in a room is. */
export const Membership = z.object({
  role: RoomRole,
  /** The last message that was read. */
  read_sequence: z.int(),
  /** Messages after it. */
  unread: z.int(),
  hidden: z.boolean(),
  created_at: timestamp,
})
export type Membership = z.infer<typeof Membership>

/** A room as one of its members sees it. */
export const Room = z.object({
  ...shared,
  membership: Membership,
  /** The last message that another member has read. */
  othersReadSequence: z.int(),
  /** The incident that wished for it. */
  incidentId: z.nullable(id),
  /** A direct message whose other people are all archived (operations §8). */
  isArchived: z.boolean(),
  /** Of a direct message: who is in it, the caller included, the first ones of many. */
  people: z.array(NamedPerson),
})
export type Room = z.infer<typeof Room>

/** Somebody in a room (operations §3 "Channel member"). */
export const RoomMember = z.extend(NamedPerson, {
  user_id: id,
  fullName: z.string(),
  channel_role: RoomRole,
  isOwner: z.boolean(),
  isAdmin: z.boolean(),
  read_sequence: z.int(),
})
export type RoomMember = z.infer<typeof RoomMember>

/** A file in a message (operations §3 "Message attachment"). */
export const MessageAttachment = z.object({
  id,
  type: z.enum(['image', 'file']),
  /** Below the API base. */
  asset_url: z.string(),
  /** Of an image; null for other files. */
  image_url: z.nullable(z.string()),
  thumb_url: z.nullable(z.string()),
  /** The file's name with its extension. */
  title: z.string(),
  fallback: z.string(),
  /** Without the extension. */
  name: z.string(),
  extension: z.string(),
  /** Bytes. */
  size: z.int(),
  mime_type: z.string(),
  updatedAt: timestamp,
})
export type MessageAttachment = z.infer<typeof MessageAttachment>

/** An emoji under a message, with everybody who chose it, first come first. */
export const Reaction = z.object({ emoji: z.string(), userIds: z.array(id) })
export type Reaction = z.infer<typeof Reaction>

/** The message that another one answers, as far as a quotation shows it. Its text is empty when it was deleted. */
export const Quotation = z.object({
  id,
  sequence: z.int(),
  user: id,
  text: z.string(),
  deleted: z.boolean(),
  hasAttachments: z.boolean(),
})
export type Quotation = z.infer<typeof Quotation>

/** A task or an update of an incident that was made from a message. */
export const MessageActivity = z.object({ id, incidentId: id, type: z.enum(['TASK', 'UPDATE']) })
export type MessageActivity = z.infer<typeof MessageActivity>

/** A message (operations §3). */
export const Message = z.object({
  id,
  roomId: id,
  /** Its place in the room. */
  sequence: z.int(),
  clientId: id,
  /** Safe rich text. Mentions are `@` and an address; empty when the message was deleted. */
  text: z.string(),
  /** The sender's id. */
  user: id,
  created_at: timestamp,
  updated_at: timestamp,
  /** Null unless the text was changed. */
  edited_at: z.nullable(timestamp),
  deleted_at: z.nullable(timestamp),
  /** The server knows received messages only. */
  status: z.literal('received'),
  attachments: z.array(MessageAttachment),
  hasAttachments: z.boolean(),
  isCall: z.boolean(),
  /** Of a message with a call's banner; absent from others. */
  call: z.optional(MessageCall),
  /** Whether the room was privileged when it was sent. */
  privileged: z.boolean(),
  /** Of the message that a change of the mark posts. */
  privilegedStatus: z.nullable(PrivilegedStatus),
  mentioned_users: z.array(id),
  replyTo: z.nullable(Quotation),
  reactions: z.array(Reaction),
  pinned: z.nullable(z.object({ user: id, timestamp })),
  /** Absent where there is none. */
  activities: z.optional(z.array(MessageActivity)),
})
export type Message = z.infer<typeof Message>

/** The id of a message at the hosted chat service: clients of the service choose it. */
export const HostedMessageId = text().check(
  z.regex(/^[\w@-]+$/, 'This is no id of a message at the chat service.'),
)

/** Messages of a room in their order, with everybody whom they name. */
export const MessagePage = z.object({
  messages: z.array(Message),
  people: z.array(NamedPerson),
  hasOlder: z.boolean(),
  hasNewer: z.boolean(),
})
export type MessagePage = z.infer<typeof MessagePage>
/** One message with everybody whom it names. */
export const NamedMessage = z.object({ message: Message, people: z.array(NamedPerson) })
export type NamedMessage = z.infer<typeof NamedMessage>

const roomName = z.string(NAME_REQUIRED).check(
  z.trim(),
  z.minLength(1, { error: NAME_REQUIRED, abort: true }),
  visible(NAME_REQUIRED),
  z.minLength(NAME_MIN, { error: NAME_TOO_SHORT, abort: true }),
  z.maxLength(SHORT_TEXT_MAX, { error: tooLong(SHORT_TEXT_MAX), abort: true }),
  z.refine(
    (value) => text().safeParse(value).success,
    'This text contains characters that cannot be stored.',
  ),
)
const ids = (most: number, said: { required?: string; tooMany?: string } = {}) => listOf(id, most, said)

const TeamRoomInput = z.object({
  kind: z.enum(['WAR_ROOM', 'BREAKOUT_ROOM']),
  name: roomName,
  description: optionalText(MEDIUM_TEXT_MAX),
  /** Members beside the creator. */
  userIds: z._default(ids(MEMBERS_AT_ONCE, { tooMany: TOO_MANY_MEMBERS }), []),
})
const DirectMessageInput = z.object({
  kind: z.literal('DIRECT_MESSAGE'),
  userIds: ids(MEMBERS_AT_ONCE, { required: RECIPIENT_REQUIRED, tooMany: TOO_MANY_MEMBERS }),
})
/** The body of a new room (operations §5 "Rooms"). */
export const NewRoom = z.discriminatedUnion('kind', [TeamRoomInput, DirectMessageInput])
export type NewRoom = z.infer<typeof NewRoom>

/** The body of a changed room. What is left out stays; a war room stays one. */
export const RoomChanges = z.object({
  name: z.optional(roomName),
  description: z.optional(z.nullable(text(MEDIUM_TEXT_MAX))),
  isWarRoom: z.optional(z.literal(true)),
  version: z.optional(z.int()),
})
export type RoomChanges = z.infer<typeof RoomChanges>
/** Name and description alone, as the administration changes them. */
export const RoomText = z.object({
  name: z.optional(roomName),
  description: z.optional(z.nullable(text(MEDIUM_TEXT_MAX))),
})
export type RoomText = z.infer<typeof RoomText>

export const NewMembers = z.object({
  userIds: ids(MEMBERS_AT_ONCE, { required: MEMBER_REQUIRED, tooMany: TOO_MANY_MEMBERS }),
})
/** The role that an admin gives. Owners are made by nobody. */
export const RoleChange = z.object({ role: z.enum(['channel_admin', 'channel_moderator', 'member']) })

const messageText = text(HTML_MAX).check(z.refine((value) => !value.includes('|'), PIPE_RESERVED))
/** The body of a new message. */
export const NewMessage = z.object({
  /** Made by the sender: a message with it is added once, however often it is sent. */
  clientId: id,
  text: z._default(messageText, ''),
  /** Ids of files that the sender uploaded and no message carries yet. */
  fileIds: z._default(ids(FILES_PER_MESSAGE, { tooMany: TOO_MANY_FILES }), []),
  /** Id of the message that it answers. */
  replyTo: z._default(z.nullable(id), null),
})
export type NewMessage = z.infer<typeof NewMessage>
/** The body of an edited message. Files that are left out of `fileIds` are removed from it. */
export const MessageChanges = z.object({
  text: messageText,
  fileIds: z.optional(ids(FILES_PER_MESSAGE, { tooMany: TOO_MANY_FILES })),
})
export type MessageChanges = z.infer<typeof MessageChanges>

/** What a message becomes in an incident. An update has no title; that of a task is the first line unless it is given. */
export const NewMessageActivity = z.object({
  incidentId: id,
  type: z.enum(['TASK', 'UPDATE']),
  title: z.optional(text(SHORT_TEXT_MAX)),
})
export type NewMessageActivity = z.infer<typeof NewMessageActivity>

/** One emoji, with its skin tone and joined parts: nothing else is a reaction. */
export const emoji = z.string().check(
  z.maxLength(40),
  z.refine((value) => /^\p{RGI_Emoji}$/v.test(value), 'This is not an emoji.'),
)

const change = { type: z.literal('chat'), sequence: z.int(), roomId: id }
/**
 * A change of the chat, as members receive it on the live socket and from the catch-up. Records come whole and in their
 * newest state, so applying one twice changes nothing.
 *
 * - `message`: a message is new or changed
 * - `room`: what all members see of the room changed
 * - `members`: people entered, left or have another role. Who finds themselves `left` forgets the room.
 * - `removed`: the room was deleted with everything in it
 */
export const ChatChange = z.discriminatedUnion('kind', [
  z.object({ ...change, kind: z.literal('message'), message: Message, people: z.array(NamedPerson) }),
  z.object({ ...change, kind: z.literal('room'), room: SharedRoom }),
  z.object({
    ...change,
    kind: z.literal('members'),
    members: z.array(z.object({ user_id: id, channel_role: RoomRole, left: z.boolean() })),
  }),
  z.object({ ...change, kind: z.literal('removed') }),
])
export type ChatChange = z.infer<typeof ChatChange>

/**
 * What the socket says of the moment, and nobody receives later: somebody types; somebody read up to a message, told to
 * their own other devices and to the authors; the catch-up after a hello is complete up to a sequence.
 */
export const ChatSignal = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chat-typing'), roomId: id, userId: id }),
  z.object({ type: z.literal('chat-read'), roomId: id, userId: id, sequence: z.int() }),
  z.object({ type: z.literal('chat-ready'), sequence: z.int() }),
])
export type ChatSignal = z.infer<typeof ChatSignal>

/** Where somebody has read to in a room. */
export const ReadMark = z.object({ roomId: id, sequence: z.int() })
export type ReadMark = z.infer<typeof ReadMark>

/** Changes after a sequence. */
export const ChangePage = z.object({
  changes: z.array(ChatChange),
  /** To go on from. */
  sequence: z.int(),
  /** Whether there are more by now. */
  hasMore: z.boolean(),
})
export type ChangePage = z.infer<typeof ChangePage>

/** The caller's chat in numbers. */
export const ChatSummary = z.object({
  /** Of the newest change: lists that are asked for after it are at least as new. */
  sequence: z.int(),
  unreadRooms: z.int(),
  unreadMessages: z.int(),
  warRooms: z.int(),
})
export type ChatSummary = z.infer<typeof ChatSummary>
