import type {
  ChatChange,
  ChatSignal,
  ChatSummary,
  MembershipChanges,
  Message,
  MessageAttachment,
  MessageChanges,
  MessagePage,
  NamedMessage,
  NewMessage,
  NewMessageActivity,
  NewRoom,
  Room,
  RoomChanges,
  RoomGroup,
  RoomKind,
  RoomMember,
  RoomRole,
  NewScheduledMessage,
  SavedMessage,
  SavedPage,
  ScheduledChanges,
  ScheduledMessage,
  ThreadList,
  ThreadPage,
} from '#contract/chat/schema.ts'
import type { NewExport, RoomExport } from '#contract/room-exports/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'

import type { DownloadedFile } from '../api.ts'

/** Part of a list, and the length of the whole. */
export interface Slice<Item> {
  readonly items: readonly Item[]
  readonly total: number
}
/** The requested part of a list, from `first` on. */
export interface Part {
  readonly first: number
  readonly count: number
  readonly signal?: AbortSignal | undefined
}
/** A range of a room's messages: the newest, or those before, after or around a sequence. */
export interface MessageRange {
  readonly before?: number
  readonly after?: number
  readonly around?: number
  readonly signal?: AbortSignal | undefined
}
export interface MessageSearch {
  readonly q: string
  readonly roomId?: string | undefined
  readonly userId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly cursor?: string | undefined
  readonly signal?: AbortSignal | undefined
}
/** A page of search results. */
export interface FoundMessages {
  readonly messages: readonly Message[]
  readonly people: readonly NamedPerson[]
  /** Cursor of the next page; null for the last one. */
  readonly next: string | null
}
/** A file to save: an address for one download, or the bytes where the engine has no such addresses. */
export type ChatDownload = { readonly url: string } | DownloadedFile

/** A file in the list of a room's files. */
export interface RoomFile extends MessageAttachment {
  readonly messageId: string
  readonly messageSequence: number
  /** Id of the sender. */
  readonly user: string
}
/** Messages from a chat engine: changes with their records, transient events, or a gap after which screens reload. */
export type ChatNews = ChatChange | ChatSignal | { readonly type: 'chat-gap' }

/** Features that some engines lack. Screens hide them then. */
export type ChatFeature =
  | 'addToIncident'
  | 'audiences'
  | 'confirmations'
  | 'convertFiles'
  | 'export'
  | 'mentionList'
  | 'ownSettings'
  | 'pinInHeadquarters'
  | 'saved'
  | 'scheduled'
  | 'threads'
  | 'unreadFrom'

/**
 * A chat engine. Calls reject with an `HttpProblem` when the engine refuses. Changes of records are also
 * reported to the page that made them.
 */
export interface ChatProvider {
  /** Absent for an engine with all features. */
  readonly lacks?: ReadonlySet<ChatFeature>
  /** Reports news. Returns a function that unsubscribes. */
  subscribe(listener: (news: ChatNews) => void): () => void
  summary(): Promise<Pick<ChatSummary, 'sequence' | 'unreadMessages' | 'unreadThreads'>>
  /** Changes after a sequence, for pages without a connection; `isComplete` is false when there are more. */
  changes(after: number): Promise<{ changes: readonly ChatChange[]; sequence: number; isComplete: boolean }>

  rooms(query: { kind?: RoomKind; q?: string; isUnread?: boolean } & Part): Promise<Slice<Room>>
  room(id: string): Promise<Room>
  /** The breakout room of an incident, which the caller joins if it is open to them. */
  incidentRoom(incidentId: string): Promise<Room>
  createRoom(room: NewRoom): Promise<Room>
  updateRoom(id: string, changes: RoomChanges): Promise<Room>
  removeRoom(id: string): Promise<void>
  hideRoom(id: string): Promise<void>
  leaveRoom(id: string): Promise<void>
  /** Undoes that the caller has left a room. */
  returnToRoom(id: string): Promise<Room>
  markPrivileged(id: string, isPrivileged: boolean): Promise<Room>
  readRoom(id: string, sequence: number): Promise<void>
  /** Marks a message and those after it as unread. */
  unreadRoom(id: string, sequence: number): Promise<Room>
  /** Changes the caller's own settings of a room. */
  changeMembership(id: string, changes: MembershipChanges): Promise<Room>
  typeInRoom(id: string): Promise<void>

  members(
    roomId: string,
    query: { q?: string; active?: boolean; userIds?: readonly string[] } & Part,
  ): Promise<Slice<RoomMember>>
  addMembers(roomId: string, userIds: readonly string[]): Promise<Room>
  changeRole(roomId: string, userId: string, role: Exclude<RoomRole, 'owner'>): Promise<RoomMember>
  removeMember(roomId: string, userId: string): Promise<void>

  messages(roomId: string, range: MessageRange): Promise<MessagePage>
  message(id: string): Promise<NamedMessage>
  /** Answers to a message. */
  thread(id: string, range: MessageRange): Promise<ThreadPage>
  /** The threads in which the caller takes part, last answered first. */
  threads(part: { cursor?: string; signal?: AbortSignal }): Promise<ThreadList>
  readThread(id: string, sequence: number): Promise<void>
  /** Sends a message. Repeated with the same `clientId`, returns the message stored first. */
  send(roomId: string, message: NewMessage): Promise<Message>
  /** Keeps a message for a time. Repeated with the same `clientId`, returns the one kept first. */
  schedule(roomId: string, message: NewScheduledMessage): Promise<ScheduledMessage>
  /** The caller's scheduled messages, the next one first. */
  scheduled(signal?: AbortSignal): Promise<readonly ScheduledMessage[]>
  changeScheduled(id: string, changes: ScheduledChanges): Promise<ScheduledMessage>
  /** Sends a scheduled message now. */
  sendScheduled(id: string): Promise<Message>
  cancelScheduled(id: string): Promise<void>
  edit(messageId: string, changes: MessageChanges): Promise<Message>
  removeMessage(messageId: string): Promise<void>
  react(messageId: string, emoji: string, isOn: boolean): Promise<Message>
  pin(messageId: string, isPinned: boolean): Promise<Message>
  /** Adds a message to an incident, once per incident. */
  addToIncident(messageId: string, activity: NewMessageActivity): Promise<Message>
  pinned(roomId: string, signal?: AbortSignal): Promise<MessagePage>
  readers(messageId: string): Promise<{ people: readonly NamedPerson[]; total: number }>
  search(search: MessageSearch): Promise<FoundMessages>
  /** Messages that mention the caller, newest first. */
  mentions(part: { cursor?: string; signal?: AbortSignal }): Promise<FoundMessages>
  /** Saves a message for the caller; `remindAt` changes its reminder, null removes it. */
  save(messageId: string, remindAt?: string | null): Promise<SavedMessage>
  unsave(messageId: string): Promise<void>
  /** The caller's saved messages, last saved first. */
  saved(part: { cursor?: string; signal?: AbortSignal }): Promise<SavedPage>
  /** Groups that can be mentioned in a room. */
  groupsInRoom(roomId: string, q: string, signal?: AbortSignal): Promise<readonly RoomGroup[]>
  /** Ids of those people who have a page open. */
  presence(userIds: readonly string[]): Promise<readonly string[]>

  files(roomId: string, query: { q?: string } & Part): Promise<Slice<RoomFile>>
  /** Stores a file for a later message. `onProgress` gets the sent share, from 0 to 1. */
  upload(
    file: File,
    options: { signal?: AbortSignal; onProgress?: (share: number) => void },
  ): Promise<MessageAttachment>
  file(id: string, signal?: AbortSignal): Promise<DownloadedFile>
  /** A file to save. */
  download(id: string): Promise<ChatDownload>
  /** A file to show: images that not all browsers show are converted, one page at a time. */
  shownFile(id: string, page?: number): Promise<Blob>
  /** Deletes an uploaded file that no message carries. */
  removeFile(id: string): Promise<void>

  requestExport(wanted: NewExport): Promise<RoomExport>
  exportProgress(id: string): Promise<RoomExport>
  exportFile(id: string): Promise<DownloadedFile>
}
