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
  withoutCode,
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

/** The room of everybody (operations §5). */
export const HEADQUARTERS = 'Headquarters'
export const NAME_MIN = 3
/** Characters of a message without its markup, at which sending stops (decisions §5). */
export const MESSAGE_MAX = 5_000
/** Characters of a message with its markup. */
const HTML_MAX = 24_000
/** People that one call may add to a room (decisions §3). */
export const MEMBERS_AT_ONCE = 100
/** Files that a message may carry. */
export const FILES_PER_MESSAGE = 10
/** Page sizes (operations §9). */
export const ROOMS_PER_PAGE = 20
export const MESSAGES_PER_PAGE = 20
export const MESSAGES_MAX = 100
/** Changes per page of the catch-up; a page ends with all rows of its last change. */
export const CHANGES_MAX = 500
/** People returned with a direct message: the 15 of its title, and the caller. */
export const DIRECT_PEOPLE_MAX = 16
/** Extensions shown as embedded images (operations §5). */
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

/** The last change of a room's privileged mark: by whom and when (operations §3). */
export const PrivilegedStatus = z.object({ uuid: id, timestamp })
export type PrivilegedStatus = z.infer<typeof PrivilegedStatus>

/** The newest message of a room, as its line in a list shows it. */
export const LastMessage = z.object({
  user: id,
  /** The beginning of its text without markup, mentions as addresses. Empty for a deleted message. */
  text: z.string(),
  deleted: z.boolean(),
  hasAttachments: z.boolean(),
  isCall: z.boolean(),
  created_at: timestamp,
  /** Absent after a change, which names its people itself. */
  author: z.optional(NamedPerson),
})
export type LastMessage = z.infer<typeof LastMessage>

/** A room as all members see it. */
const shared = {
  id,
  /** `type:id`, as in the administration of channels. */
  cid: z.string(),
  type: z.enum(['team', 'messaging']),
  kind: RoomKind,
  /** Null for a direct message. */
  name: z.nullable(z.string()),
  description: z.nullable(z.string()),
  isWarRoom: z.boolean(),
  isHeadquarters: z.boolean(),
  privileged: z.boolean(),
  /** Null for a room whose mark never changed. */
  privilegedStatus: z.nullable(PrivilegedStatus),
  /** Number of the last message, from 1 without gaps; 0 for none. */
  sequence: z.int(),
  last_message_at: z.nullable(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
  member_count: z.int(),
  /** The ongoing call; null for none. */
  callDetails: z.nullable(CallDetails),
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
}
export const SharedRoom = z.object(shared)
export type SharedRoom = z.infer<typeof SharedRoom>

/** A member's own state in a room. */
export const Membership = z.object({
  role: RoomRole,
  /** Number of the last message read. */
  readSequence: z.int(),
  /** Messages after `readSequence`. */
  unread: z.int(),
  /** Unread messages that mention the member. Absent for none. */
  mentions: z.optional(z.int()),
  hidden: z.boolean(),
  /** True for a room that the member wants before the others. Absent for false. */
  isFavourite: z.optional(z.boolean()),
  /** True for a room that does not call the member's attention, except by mentions. Absent for false. */
  isMuted: z.optional(z.boolean()),
  created_at: timestamp,
})
export type Membership = z.infer<typeof Membership>

/** A room as one of its members sees it. */
export const Room = z.object({
  ...shared,
  membership: Membership,
  /** Number of the last message read by another member. */
  othersReadSequence: z.int(),
  /** The incident that the room was created for. */
  incidentId: z.nullable(id),
  /** True for a direct message whose other people are all archived (operations §8). */
  isArchived: z.boolean(),
  /** The first people of a direct message, with the caller; empty for other rooms. */
  people: z.array(NamedPerson),
  /** Absent for a room without messages. */
  lastMessage: z.optional(LastMessage),
})
export type Room = z.infer<typeof Room>

/** A member of a room (operations §3 "Channel member"). */
export const RoomMember = z.extend(NamedPerson, {
  user_id: id,
  fullName: z.string(),
  channel_role: RoomRole,
  isOwner: z.boolean(),
  isAdmin: z.boolean(),
  readSequence: z.int(),
})
export type RoomMember = z.infer<typeof RoomMember>

/** A file in a message (operations §3 "Message attachment"). */
export const MessageAttachment = z.object({
  id,
  type: z.enum(['image', 'file']),
  /** Path below the API base. */
  asset_url: z.string(),
  /** Null for files other than images. */
  image_url: z.nullable(z.string()),
  thumb_url: z.nullable(z.string()),
  /** The file's name with its extension. */
  title: z.string(),
  fallback: z.string(),
  /** The file's name without its extension. */
  name: z.string(),
  extension: z.string(),
  /** Bytes. */
  size: z.int(),
  mimeType: z.string(),
  updatedAt: timestamp,
})
export type MessageAttachment = z.infer<typeof MessageAttachment>

/** An emoji under a message, with the people who chose it, in that order. */
export const Reaction = z.object({ emoji: z.string(), userIds: z.array(id) })
export type Reaction = z.infer<typeof Reaction>

/** The quoted message of a reply. The text of a deleted one is empty. */
export const Quotation = z.object({
  id,
  sequence: z.int(),
  user: id,
  text: z.string(),
  deleted: z.boolean(),
  hasAttachments: z.boolean(),
})
export type Quotation = z.infer<typeof Quotation>

/** Parts of an incident that are made from messages. */
export const MessageActivityType = z.enum(['TASK', 'UPDATE', 'ENTRY', 'DECISION'])
export type MessageActivityType = z.infer<typeof MessageActivityType>
/** A task, update, timeline entry or decision of an incident that was made from a message. */
export const MessageActivity = z.object({ id, incidentId: id, type: MessageActivityType })
export type MessageActivity = z.infer<typeof MessageActivity>

/** The answers in the thread of a message. */
export const ThreadAnswers = z.object({
  /** Answers that were not deleted. */
  count: z.int(),
  last_at: timestamp,
  /** Ids of the latest authors, last one first. */
  users: z.array(id),
})
export type ThreadAnswers = z.infer<typeof ThreadAnswers>

/** A message (operations §3), the same record for all members of its room: no field depends on the reader. */
export const Message = z.object({
  id,
  roomId: id,
  /** Number of the message in its room; 0 for an answer that only its thread shows. */
  sequence: z.int(),
  clientId: id,
  /** Sanitised rich text. Mentions are `@` and an address; empty for a deleted message. */
  text: z.string(),
  /** Id of the sender. */
  user: id,
  created_at: timestamp,
  updated_at: timestamp,
  /** Null for an unedited text. */
  editedAt: z.nullable(timestamp),
  deletedAt: z.nullable(timestamp),
  /** Always received: messages in sending exist only in the browser. */
  status: z.literal('received'),
  attachments: z.array(MessageAttachment),
  hasAttachments: z.boolean(),
  isCall: z.boolean(),
  /** Present in the banner of a call only. */
  call: z.optional(MessageCall),
  /** True when the room was privileged at the time of sending. */
  privileged: z.boolean(),
  /** The change of the mark that posted this message. */
  privilegedStatus: z.nullable(PrivilegedStatus),
  mentioned_users: z.array(id),
  /** Handles of the audiences that it mentions: `here`, or those of groups. Absent for none. */
  audiences: z.optional(z.array(z.string())),
  replyTo: z.nullable(Quotation),
  reactions: z.array(Reaction),
  pinned: z.nullable(z.object({ user: id, timestamp })),
  /** Absent for none. */
  activities: z.optional(z.array(MessageActivity)),
  /** The thread that it answers in, by its first message, and its number there, from 1. Absent for others. */
  thread: z.optional(z.object({ id, sequence: z.int() })),
  /** Answers in its own thread. Absent without a thread. */
  answers: z.optional(ThreadAnswers),
})
export type Message = z.infer<typeof Message>

/** A message's id at the hosted chat service, chosen by its clients. */
export const HostedMessageId = text().check(
  z.regex(/^[\w@-]+$/, 'This is no id of a message at the chat service.'),
)

/** Messages of a room in order, with all people whom they name. */
export const MessagePage = z.object({
  messages: z.array(Message),
  people: z.array(NamedPerson),
  hasOlder: z.boolean(),
  hasNewer: z.boolean(),
  /** Ids of those that the caller has saved. Absent for none. */
  saved: z.optional(z.array(id)),
})
export type MessagePage = z.infer<typeof MessagePage>
/** A page of the answers in a thread, in order. */
export const ThreadPage = z.extend(MessagePage, {
  /** Null once `chatRetentionDays` has deleted it. */
  first: z.nullable(Message),
  /** Number of the last answer that the caller has read; null for somebody who does not take part. */
  readSequence: z.nullable(z.int()),
})
export type ThreadPage = z.infer<typeof ThreadPage>
/** A page of messages of several rooms, newest first, with all people whom they name. */
export const FoundMessages = z.object({
  messages: z.array(Message),
  people: z.array(NamedPerson),
  /** Cursor of the next page; null for the last one. */
  next: z.nullable(id),
})
export type FoundMessages = z.infer<typeof FoundMessages>
/** A thread in which a person takes part. */
export const ThreadEntry = z.object({
  /** Id of the first message. */
  id,
  roomId: id,
  answers: ThreadAnswers,
  /** Number of the last answer that the person has read. */
  readSequence: z.int(),
  isUnread: z.boolean(),
  /** Id of the message in the page that stands for the thread: the first one, or the first that is left. */
  messageId: id,
})
export type ThreadEntry = z.infer<typeof ThreadEntry>
/** A page of a person's threads. */
export const ThreadList = z.extend(FoundMessages, { threads: z.array(ThreadEntry) })
export type ThreadList = z.infer<typeof ThreadList>
/** A message with all people whom it names. */
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
  /** Members besides the creator. */
  userIds: z._default(ids(MEMBERS_AT_ONCE, { tooMany: TOO_MANY_MEMBERS }), []),
})
const DirectMessageInput = z.object({
  kind: z.literal('DIRECT_MESSAGE'),
  userIds: ids(MEMBERS_AT_ONCE, { required: RECIPIENT_REQUIRED, tooMany: TOO_MANY_MEMBERS }),
})
/** The body of a new room (operations §5 "Rooms"). */
export const NewRoom = z.discriminatedUnion('kind', [TeamRoomInput, DirectMessageInput])
export type NewRoom = z.infer<typeof NewRoom>

/** The body of a changed room. Absent fields stay; a war room cannot become another kind. */
export const RoomChanges = z.object({
  name: z.optional(roomName),
  description: z.optional(z.nullable(text(MEDIUM_TEXT_MAX))),
  isWarRoom: z.optional(z.literal(true)),
  version: z.optional(z.int()),
})
export type RoomChanges = z.infer<typeof RoomChanges>
/** Name and description alone, for the administration of channels. */
export const RoomText = z.object({
  name: z.optional(roomName),
  description: z.optional(z.nullable(text(MEDIUM_TEXT_MAX))),
})
export type RoomText = z.infer<typeof RoomText>

export const NewMembers = z.object({
  userIds: ids(MEMBERS_AT_ONCE, { required: MEMBER_REQUIRED, tooMany: TOO_MANY_MEMBERS }),
})
/** The new role of a member. Nobody can be made an owner. */
export const RoleChange = z.object({ role: z.enum(['channel_admin', 'channel_moderator', 'member']) })

// Code keeps its pipes, because a command without one is another command.
const messageText = text(HTML_MAX).check(
  z.refine((value) => !withoutCode(value).includes('|'), PIPE_RESERVED),
)
/** The body of a new message. */
export const NewMessage = z.object({
  /** Generated by the sender, so that a message sent twice is added once. */
  clientId: id,
  text: z._default(messageText, ''),
  /** Files that the sender uploaded and no message carries yet. */
  fileIds: z._default(ids(FILES_PER_MESSAGE, { tooMany: TOO_MANY_FILES }), []),
  /** The message replied to. */
  replyTo: z._default(z.nullable(id), null),
  /** The first message of the thread that it answers in. */
  threadId: z.optional(id),
  /** True for an answer that the room shows as well. */
  isAlsoInRoom: z.optional(z.boolean()),
})
export type NewMessage = z.infer<typeof NewMessage>
/** The body of an edited message. Files missing from `fileIds` are removed. */
export const MessageChanges = z.object({
  text: messageText,
  fileIds: z.optional(ids(FILES_PER_MESSAGE, { tooMany: TOO_MANY_FILES })),
})
export type MessageChanges = z.infer<typeof MessageChanges>

/**
 * A part of an incident to make from a message. The title of a task or a decision defaults to the first line; others
 * have none. A decision is proposed with the text as its context, and the caller decides it.
 */
export const NewMessageActivity = z.object({
  incidentId: id,
  type: MessageActivityType,
  title: z.optional(text(SHORT_TEXT_MAX)),
})
export type NewMessageActivity = z.infer<typeof NewMessageActivity>

/** A member's own settings of a room. Absent ones stay. */
export const MembershipChanges = z.object({
  isFavourite: z.optional(z.boolean()),
  isMuted: z.optional(z.boolean()),
})
export type MembershipChanges = z.infer<typeof MembershipChanges>

/** Days ahead up to which somebody can be reminded. */
export const REMINDER_DAYS_MAX = 365
export const REMINDER_PAST = 'Please choose a time in the future.'
export const REMINDER_TOO_LATE = `Please choose a time within ${REMINDER_DAYS_MAX} days.`
/** A message that a person has saved. */
export const SavedMessage = z.object({
  messageId: id,
  savedAt: timestamp,
  /** Null without a reminder, and once it was sent. */
  remindAt: z.nullable(timestamp),
})
export type SavedMessage = z.infer<typeof SavedMessage>
/** A page of a person's saved messages. */
export const SavedPage = z.extend(FoundMessages, { saved: z.array(SavedMessage) })
export type SavedPage = z.infer<typeof SavedPage>

/** Messages of a person that can wait for their time. */
export const SCHEDULED_MAX = 100
export const TOO_MANY_SCHEDULED = `You can have at most ${SCHEDULED_MAX} scheduled messages.`
/** The body of a message that is sent at a time. */
export const NewScheduledMessage = z.extend(NewMessage, { sendAt: timestamp })
export type NewScheduledMessage = z.infer<typeof NewScheduledMessage>
/** The body of a changed scheduled message. Absent fields stay. */
export const ScheduledChanges = z.object({
  text: z.optional(messageText),
  sendAt: z.optional(timestamp),
  version: z.int(),
})
export type ScheduledChanges = z.infer<typeof ScheduledChanges>
/** A message of the caller that waits for its time, or was refused at it. */
export const ScheduledMessage = z.object({
  /** The client id of the message that it becomes. */
  id,
  roomId: id,
  text: z.string(),
  fileCount: z.int(),
  threadId: z.nullable(id),
  sendAt: timestamp,
  /** The sentence with which it was refused at its time; null while it waits. */
  problem: z.nullable(z.string()),
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type ScheduledMessage = z.infer<typeof ScheduledMessage>

/** A group that can be mentioned in a room, with the number of the room's other members in it. */
export const RoomGroup = z.object({ handle: z.string(), name: z.string(), count: z.int() })
export type RoomGroup = z.infer<typeof RoomGroup>
/** Groups returned at once. */
export const ROOM_GROUPS_MAX = 10
/** Characters of the line of a room's newest message. */
export const LAST_LINE_MAX = 160

/** A single emoji, with skin tone and joined parts. */
export const emoji = z.string().check(
  z.maxLength(40),
  z.refine((value) => /^\p{RGI_Emoji}$/v.test(value), 'This is not an emoji.'),
)

const change = { type: z.literal('chat'), sequence: z.int(), roomId: id }
/**
 * A change of the chat, as members receive it on the live socket and from the catch-up. Records are complete
 * and current, so applying a change twice is harmless.
 *
 * - `message`: a message is new or changed
 * - `thread`: the answers of a thread were counted again
 * - `room`: the part of a room that all members see has changed
 * - `members`: people joined, left or changed roles. Recipients among `left` remove the room.
 * - `removed`: the room was deleted with all its content
 */
export const ChatChange = z.discriminatedUnion('kind', [
  z.object({ ...change, kind: z.literal('message'), message: Message, people: z.array(NamedPerson) }),
  z.object({
    ...change,
    kind: z.literal('thread'),
    threadId: id,
    answers: ThreadAnswers,
    people: z.array(NamedPerson),
  }),
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
 * Transient chat events of the socket, which the catch-up does not repeat: typing; a read mark, to the
 * reader's other devices and to the authors; a changed membership, to the member's own devices; a thread that became
 * unread or read, to the devices of a person who takes part; the sequence up to which the catch-up after a hello is
 * complete.
 */
export const ChatSignal = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chat-typing'), roomId: id, userId: id }),
  z.object({ type: z.literal('chat-read'), roomId: id, userId: id, sequence: z.int() }),
  z.object({ type: z.literal('chat-own'), roomId: id }),
  z.object({ type: z.literal('chat-thread'), roomId: id, threadId: id, isUnread: z.boolean() }),
  z.object({ type: z.literal('chat-ready'), sequence: z.int() }),
])
export type ChatSignal = z.infer<typeof ChatSignal>

/** A person's read mark in a room. */
export const ReadMark = z.object({ roomId: id, sequence: z.int() })
export type ReadMark = z.infer<typeof ReadMark>

/** Changes after a sequence. */
export const ChangePage = z.object({
  changes: z.array(ChatChange),
  /** The next request continues after this sequence. */
  sequence: z.int(),
  hasMore: z.boolean(),
})
export type ChangePage = z.infer<typeof ChangePage>

/** Unread threads that are counted. */
export const UNREAD_THREADS_MAX = 100
/** The caller's unread counts. */
export const ChatSummary = z.object({
  /** Sequence of the newest change: lists requested later are at least as new. */
  sequence: z.int(),
  unreadRooms: z.int(),
  unreadMessages: z.int(),
  /** Ids of unread threads in which the caller takes part, at most `UNREAD_THREADS_MAX`. Absent for none. */
  unreadThreads: z.optional(z.array(id)),
  warRooms: z.int(),
})
export type ChatSummary = z.infer<typeof ChatSummary>
