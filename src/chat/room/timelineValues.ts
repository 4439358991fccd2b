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

const belongTogether = (before: ChatMessage, message: ChatMessage): boolean =>
  before.user === message.user && Date.parse(message.created_at) - Date.parse(before.created_at) < GROUP_MS

/**
 * The rows of a room. `newAfter` is the sequence of the last message that was read when the room was opened; null shows no
 * line.
 */
export function timelineItems(
  timeline: Pick<Timeline, 'messages' | 'hasOlder' | 'hasNewer'>,
  { pending, me, newAfter }: { pending: readonly ChatMessage[]; me: string; newAfter: number | null },
): TimelineItem[] {
  const messages: readonly ChatMessage[] = timeline.hasNewer
    ? timeline.messages
    : [...timeline.messages, ...pending]
  const latestOwn = timeline.hasNewer ? undefined : messages.findLast(({ user }) => user === me)
  const items: TimelineItem[] = []
  // Without what was read before it, the line would stand above the first loaded message.
  let hasLine = timeline.hasOlder && (messages[0]?.sequence ?? 0) > (newAfter ?? 0) + 1
  let before: ChatMessage | undefined
  for (const message of messages) {
    const isFirstOfDay = before === undefined || dayOf(before.created_at) !== dayOf(message.created_at)
    let startsGroup = isFirstOfDay || !belongTogether(before!, message)
    if (isFirstOfDay)
      items.push({ kind: 'day', key: `day ${dayOf(message.created_at)}`, at: message.created_at })
    if (!hasLine && newAfter !== null && message.user !== me && message.sequence > newAfter) {
      hasLine = true
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
