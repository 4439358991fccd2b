import type { ChatMessage, Timeline } from '#providers/chat/timeline.ts'

/** A row of a room: a message, a date, or the line above new messages. */
export type TimelineItem =
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: ChatMessage
      /** True if the row shows the author's picture and name. */
      readonly startsGroup: boolean
      readonly isLatestOwn: boolean
    }

/** Milliseconds within which messages of one author share a name (operations §9). */
const GROUP_MS = 6 * 60 * 60_000

interface Moment {
  readonly user: string
  /** In milliseconds. */
  readonly at: number
  /** Local date in the browser's time zone. */
  readonly day: string
}
const moments = new WeakMap<ChatMessage, Moment>()
/** Author and time of a message. Cached, because parsing dates is slow and every change visits all messages. */
function momentOf(message: ChatMessage): Moment {
  const known = moments.get(message)
  if (known) return known
  const date = new Date(message.created_at)
  const moment = { user: message.user, at: date.getTime(), day: date.toDateString() }
  moments.set(message, moment)
  return moment
}
const belongTogether = (before: Moment, { user, at }: Moment): boolean =>
  before.user === user && at - before.at < GROUP_MS

type MessageItem = Extract<TimelineItem, { readonly kind: 'message' }>
const messageItems = new WeakMap<ChatMessage, MessageItem>()
/** The row of a message, cached while it looks the same, so that it is not rendered again. */
function itemOf(message: ChatMessage, startsGroup: boolean, isLatestOwn: boolean): MessageItem {
  const known = messageItems.get(message)
  if (known?.startsGroup === startsGroup && known.isLatestOwn === isLatestOwn) return known
  const item = { kind: 'message', key: message.clientId, message, startsGroup, isLatestOwn } as const
  messageItems.set(message, item)
  return item
}

/**
 * The rows of a room. `newAfter` is the sequence of the last message that was read when the room was opened;
 * null shows no line.
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
  const isNew = ({ user, sequence }: ChatMessage) => newAfter !== null && user !== me && sequence > newAfter
  // The line needs a read message above it: without one loaded, it would stand above the first loaded message.
  let hasLine = timeline.hasOlder && (messages[0]?.sequence ?? 0) > (newAfter ?? 0) + 1
  let before: Moment | undefined
  for (const message of messages) {
    const moment = momentOf(message)
    const isFirstOfDay = before?.day !== moment.day
    let startsGroup = isFirstOfDay || !belongTogether(before!, moment)
    // Above the first loaded message it would stay the first row, and the list would hold to it as older ones come.
    if (isFirstOfDay && (before || !timeline.hasOlder))
      items.push({ kind: 'day', key: `day ${moment.day}`, at: message.created_at })
    if (!hasLine && isNew(message)) {
      hasLine = true
      items.push({ kind: 'new', key: 'new' })
      startsGroup = true
    }
    items.push(itemOf(message, startsGroup, message === latestOwn))
    before = moment
  }
  return items
}
