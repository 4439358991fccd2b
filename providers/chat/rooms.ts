import {
  LAST_LINE_MAX,
  type LastMessage,
  type Message,
  type Room,
  type RoomKind,
} from '#contract/chat/schema.ts'
import { cut } from '#contract/kit/cut.ts'

import { lineOf } from './plainText.ts'

/** One of the three lists of rooms, as far as it is loaded. */
export interface RoomList {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly error: unknown
  readonly rooms: readonly Room[]
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
}

/** The line of a room whose newest message this is. */
export const lastMessageOf = (message: Message): LastMessage => ({
  user: message.user,
  text: cut(
    lineOf(message.text, (email) => email),
    LAST_LINE_MAX,
  ),
  deleted: message.deletedAt !== null,
  hasAttachments: message.hasAttachments,
  isCall: message.isCall,
  created_at: message.created_at,
})

const freshness = ({ last_message_at, created_at }: Room): string => last_message_at ?? created_at
/** The share of a room in the count of unread messages: of a muted one only mentions. */
export const attentionOf = ({ membership: { unread, mentions = 0, isMuted } }: Room): number =>
  isMuted ? mentions : unread
/** The server's order: Headquarters first, then favourites, then the newest messages. */
export const inOrder = (a: Room, b: Room): number =>
  Number(b.isHeadquarters) - Number(a.isHeadquarters) ||
  Number(b.membership.isFavourite ?? false) - Number(a.membership.isFavourite ?? false) ||
  freshness(b).localeCompare(freshness(a)) ||
  a.id.localeCompare(b.id)

/** The loaded part of a list: its rooms down to the last one of the last page. */
export interface Reach {
  readonly status: RoomList['status']
  readonly error: unknown
  readonly isLoadingMore: boolean
  /** The last room of the last page; null once the list is complete. */
  readonly last: Room | null
}
export const NO_REACH: Reach = { status: 'loading', error: undefined, isLoadingMore: false, last: null }

/** The loaded rooms of a kind, in order. A room loaded otherwise is left out until its page is loaded. */
export function listOf(rooms: Iterable<Room>, kind: RoomKind, { last, ...state }: Reach): RoomList {
  const mine = [...rooms].filter((room) => room.kind === kind && !room.membership.hidden).toSorted(inOrder)
  const shown = last === null ? mine : mine.filter((room) => inOrder(room, last) <= 0)
  return { ...state, rooms: shown, hasMore: last !== null }
}
