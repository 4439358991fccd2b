import type { ChatMessage, Timeline } from '#providers/chat/timeline.ts'

/** A row of a room: a message, the first of a day, or the line above what is new. */
export type TimelineItem =
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: ChatMessage
      /** With the author's picture and name. */
      readonly startsGroup: boolean
      readonly isLatestOwn: boolean
    }

/** Messages of one author that are closer together stand below one name (operations §9). */
const GROUP_MS = 6 * 60 * 60_000

const dayOf = (at: string): string => new Date(at).toDateString()
const shown = (messages: Timeline['messages']): readonly ChatMessage[] => messages

/**
 * The rows of a room. `newAfter` is the sequence of the last message that was read when the room was opened; null shows no
 * line.
 */
export function timelineItems(
  timeline: Pick<Timeline, 'messages' | 'hasNewer'>,
  { pending, me, newAfter }: { pending: readonly ChatMessage[]; me: string; newAfter: number | null },
): TimelineItem[] {
  const messages = timeline.hasNewer ? shown(timeline.messages) : [...shown(timeline.messages), ...pending]
  const latestOwn = timeline.hasNewer ? undefined : messages.findLast(({ user }) => user === me)
  const items: TimelineItem[] = []
  let before: ChatMessage | undefined
  for (const message of messages) {
    let startsGroup =
      before === undefined ||
      before.user !== message.user ||
      Date.parse(message.created_at) - Date.parse(before.created_at) >= GROUP_MS
    if (before === undefined || dayOf(before.created_at) !== dayOf(message.created_at)) {
      items.push({ kind: 'day', key: `day ${dayOf(message.created_at)}`, at: message.created_at })
      startsGroup = true
    }
    const isFirstNew =
      newAfter !== null &&
      message.user !== me &&
      message.sequence > newAfter &&
      !items.some(({ kind }) => kind === 'new')
    if (isFirstNew) {
      items.push({ kind: 'new', key: 'new' })
      startsGroup = true
    }
    items.push({
      kind: 'message',
      key: message.clientId,
      message,
      startsGroup,
      isLatestOwn: message === latestOwn,
    })
    before = message
  }
  return items
}
