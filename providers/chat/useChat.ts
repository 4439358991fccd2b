import { useCallback, useEffect, useSyncExternalStore } from 'react'

import type { Room, RoomKind } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import type { NamedPerson } from '#contract/users/schema.ts'

import { type People, usePeople } from '../people.ts'
import { type Chat, chat } from './chat.ts'
import type { RoomList } from './rooms.ts'
import type { OpenedThread } from './threads.ts'
import type { ChatMessage, Timeline } from './timeline.ts'

function useTopic<T>(topic: string, read: () => T): T {
  const watch = useCallback((watcher: () => void) => chat.watch(topic, watcher), [topic])
  return useSyncExternalStore(watch, read)
}

/** The chat's actions. Its engine is `chat.provider`. */
export const useChat = (): Chat => chat

/** A list of rooms, loaded when it is first shown. */
export function useRoomList(kind: RoomKind): RoomList {
  useEffect(() => void chat.loadList(kind), [kind])
  return useTopic(`list ${kind}`, () => chat.list(kind))
}
/**
 * A room; null for one that does not exist for the caller, undefined while it loads.
 * @param incidentId joins the room as the open one of an incident
 */
export function useRoom(id: string, incidentId: string | null = null): Room | null | undefined {
  useEffect(
    () => void (incidentId === null ? chat.loadRoom(id) : chat.enterRoom(id, incidentId)),
    [id, incidentId],
  )
  return useKnownRoom(id)
}
/** A room without loading it; undefined while it is not loaded. */
export const useKnownRoom = (id: string): Room | null | undefined =>
  useTopic(`room ${id}`, () => chat.room(id))
/** The messages of a room, as far as they are loaded: see `chat.open`. */
export const useTimeline = (roomId: string): Timeline =>
  useTopic(`timeline ${roomId}`, () => chat.timeline(roomId))
/** The person's unsent and failed messages of a room, oldest first. */
export const usePending = (roomId: string): readonly ChatMessage[] =>
  useTopic(`timeline ${roomId}`, () => chat.pending(roomId))
export const useTyping = (roomId: string): readonly string[] =>
  useTopic(`typing ${roomId}`, () => chat.typing(roomId))
/** Ids of the unread threads in which the person takes part. */
export const useUnreadThreads = (): ReadonlySet<string> => useTopic('threads', () => chat.unreadThreads())
export const useIsUnreadThread = (id: string): boolean =>
  useTopic('threads', () => chat.unreadThreads().has(id))
/** A thread that was opened, undefined until its first page has loaded or failed. */
export function useOpenedThread(id: string): OpenedThread | undefined {
  const thread = useTopic(`timeline ${id}`, () => chat.thread(id))
  return thread?.readSequence === undefined ? undefined : thread
}
/** True for a message that the person has saved. */
export const useIsSaved = (messageId: string): boolean => useTopic('saved', () => chat.isSaved(messageId))
/** Part of the query keys of members: it increases when members join, leave or change roles. */
export const useMemberChanges = (roomId: string): number =>
  useTopic(`members ${roomId}`, () => chat.memberChanges(roomId))

/** People of the chat by id. */
export interface ChatPeople {
  /** Null for an unknown person, undefined while loading. */
  readonly find: (userId: string) => NamedPerson | null | undefined
  /** Full name with '(External)' or '(Archived)'; 'Former Member' for an unknown person. */
  readonly nameOf: (userId: string) => string
  readonly byEmail: People['find']
  readonly nameByEmail: People['nameOf']
}
/** Name of a person whom the organisation no longer has (operations §6). */
const FORMER_MEMBER = 'Former Member'
/** Full name with the tag of external and archived people (operations §6). */
export const taggedName = (person: NamedPerson): string => {
  const tag = person.active ? (person.type === 'EXTERNAL' ? ' (External)' : '') : ' (Archived)'
  return fullName(person) + tag
}

export function useChatPeople(): ChatPeople {
  const { find, nameOf } = usePeople()
  useTopic('people', () => chat.peopleVersion)
  const findById = (userId: string) => {
    const email = chat.emailOf(userId)
    return email === undefined ? null : find(email)
  }
  return {
    find: findById,
    nameOf: (userId) => {
      const person = findById(userId)
      return person === undefined ? '…' : person === null ? FORMER_MEMBER : taggedName(person)
    },
    byEmail: find,
    nameByEmail: nameOf,
  }
}
