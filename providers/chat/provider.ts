import type {
  ChatChange,
  ChatSignal,
  ChatSummary,
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
  RoomKind,
  RoomMember,
  RoomRole,
} from '#contract/chat/schema.ts'
import type { NewExport, RoomExport } from '#contract/room-exports/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'

import type { DownloadedFile } from '../api.ts'

/** Part of a list, and how long the whole list is. */
export interface Slice<Item> {
  readonly items: readonly Item[]
  readonly total: number
}
/** The part of a list that is wanted, from `first` on. */
export interface Part {
  readonly first: number
  readonly count: number
  readonly signal?: AbortSignal | undefined
}
/** Which messages of a room: the newest ones, or those before, after or around a sequence. */
export interface MessageRange {
  readonly before?: number
  readonly after?: number
  readonly around?: number
  readonly signal?: AbortSignal | undefined
}
/** What a search looks for. */
export interface MessageSearch {
  readonly q: string
  readonly roomId?: string | undefined
  readonly userId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly cursor?: string | undefined
  readonly signal?: AbortSignal | undefined
}
/** A page of what a search found. */
export interface FoundMessages {
  readonly messages: readonly Message[]
  readonly people: readonly NamedPerson[]
  /** Where the next page begins; null for the last one. */
  readonly next: string | null
}
/** A file to be saved: an address for one download, or the bytes where the engine gives no such address. */
export type ChatDownload = { readonly url: string } | DownloadedFile

/** A file as the list of a room's files shows it. */
export interface RoomFile extends MessageAttachment {
  readonly messageId: string
  readonly messageSequence: number
  /** Who sent it. */
  readonly user: string
}
/** What a chat engine reports: changes with their records, what happens at the moment, or a gap after which all is asked for again. */
export type ChatNews = ChatChange | ChatSignal | { readonly type: 'chat-gap' }

/** What not every engine does: screens do not offer it where it is lacking. */
export type ChatFeature = 'addToIncident' | 'export' | 'pinInHeadquarters'

/**
 * A chat engine as the screens use it. Calls reject with an `HttpProblem` where the engine refuses. Changes of records come
 * back as news too, to this page as to all others.
 */
export interface ChatProvider {
  /** Absent where nothing is lacking. */
  readonly lacks?: ReadonlySet<ChatFeature>
  /** Reports news until the answer is called. */
  subscribe(listener: (news: ChatNews) => void): () => void
  summary(): Promise<Pick<ChatSummary, 'sequence' | 'unreadMessages'>>
  /** What changed after a sequence, for pages without a connection; false for `isComplete` where there is more. */
  changes(after: number): Promise<{ changes: readonly ChatChange[]; sequence: number; isComplete: boolean }>

  rooms(query: { kind?: RoomKind; q?: string; isUnread?: boolean } & Part): Promise<Slice<Room>>
  room(id: string): Promise<Room>
  /** The breakout room of an incident, which the caller enters where it is open to them. */
  incidentRoom(incidentId: string): Promise<Room>
  createRoom(room: NewRoom): Promise<Room>
  updateRoom(id: string, changes: RoomChanges): Promise<Room>
  removeRoom(id: string): Promise<void>
  hideRoom(id: string): Promise<void>
  leaveRoom(id: string): Promise<void>
  markPrivileged(id: string, isPrivileged: boolean): Promise<Room>
  readRoom(id: string, sequence: number): Promise<void>
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
  /** Sent again with the same `clientId` it is the message that was stored first. */
  send(roomId: string, message: NewMessage): Promise<Message>
  edit(messageId: string, changes: MessageChanges): Promise<Message>
  removeMessage(messageId: string): Promise<void>
  react(messageId: string, emoji: string, isOn: boolean): Promise<Message>
  pin(messageId: string, isPinned: boolean): Promise<Message>
  /** Makes a message a part of an incident, once for each. */
  addToIncident(messageId: string, activity: NewMessageActivity): Promise<Message>
  pinned(roomId: string, signal?: AbortSignal): Promise<MessagePage>
  readers(messageId: string): Promise<{ people: readonly NamedPerson[]; total: number }>
  search(search: MessageSearch): Promise<FoundMessages>
  /** Which of these people have a page open. */
  presence(userIds: readonly string[]): Promise<readonly string[]>

  files(roomId: string, query: { q?: string } & Part): Promise<Slice<RoomFile>>
  /** Stores a file until a message carries it. `onProgress` is told the share that has left, from 0 to 1. */
  upload(
    file: File,
    options: { signal?: AbortSignal; onProgress?: (share: number) => void },
  ): Promise<MessageAttachment>
  file(id: string, signal?: AbortSignal): Promise<DownloadedFile>
  /** A file to be saved. */
  download(id: string): Promise<ChatDownload>
  /** The same as it is shown: an image that not all browsers show is converted. */
  shownFile(id: string): Promise<Blob>
  /** Deletes an uploaded file that no message carries. */
  removeFile(id: string): Promise<void>

  requestExport(wanted: NewExport): Promise<RoomExport>
  exportProgress(id: string): Promise<RoomExport>
  exportFile(id: string): Promise<DownloadedFile>
}
