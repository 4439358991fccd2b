import type { Room, RoomKind } from '#contract/chat/schema.ts'

/** One of the three lists of rooms, as far as it is loaded. */
export interface RoomList {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly error: unknown
  readonly rooms: readonly Room[]
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
}

const freshness = ({ last_message_at, created_at }: Room): string => last_message_at ?? created_at
/** The server's order: Headquarters first, then the newest messages. */
export const inOrder = (a: Room, b: Room): number =>
  Number(b.isHeadquarters) - Number(a.isHeadquarters) ||
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
