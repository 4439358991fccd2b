import type { Message, MessageAttachment, Quotation } from '#contract/chat/schema.ts'

/** A message in a room, including one in sending or failed. */
export interface ChatMessage extends Omit<Message, 'status'> {
  readonly status: 'sending' | 'failed' | 'received'
  /** The server's reason for a failure. */
  readonly problem?: string | undefined
}

/** A message as its thread shows it: with its number there, which is 0 for the first message. */
export const inThread = (message: Message): Message => ({
  ...message,
  sequence: message.thread?.sequence ?? 0,
})
/** Id of the room or the thread that shows an unsent message, and in which answers to it stand. */
export const conversationOf = ({ roomId, thread }: Pick<ChatMessage, 'roomId' | 'thread'>): string =>
  thread?.id ?? roomId

/** The loaded part of a room's messages, without gaps. */
export interface Timeline {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly error: unknown
  readonly messages: readonly Message[]
  /** The room has messages before the first, and after the last loaded one. */
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}
export const NO_TIMELINE: Timeline = {
  status: 'loading',
  error: undefined,
  messages: [],
  hasOlder: false,
  hasNewer: false,
}

/** Adds messages in the order of the room; the newer copy of a message wins. */
export function merge(known: readonly Message[], added: readonly Message[]): readonly Message[] {
  const bySequence = new Map(known.map((message) => [message.sequence, message]))
  for (const message of added) bySequence.set(message.sequence, message)
  return [...bySequence.values()].toSorted((a, b) => a.sequence - b.sequence)
}

/** Updates the quotations of a changed message. */
const requoted = (messages: readonly Message[], { id, text, deletedAt }: Message): readonly Message[] =>
  messages.map((message) =>
    message.replyTo?.id === id
      ? { ...message, replyTo: { ...message.replyTo, text, deleted: deletedAt !== null } }
      : message,
  )

/**
 * Adds a new or changed message to a timeline. Ignores one outside the loaded range; one that does not follow
 * the last sets `hasNewer`.
 */
export function withMessage(timeline: Timeline, message: Message): Timeline {
  const { messages, hasOlder, hasNewer, status } = timeline
  if (status !== 'ready') return timeline
  const last = messages.at(-1)?.sequence ?? 0
  if (message.sequence > last) {
    if (hasNewer) return timeline
    if (messages.length > 0 && message.sequence > last + 1) return { ...timeline, hasNewer: true }
    return { ...timeline, messages: [...messages, message] }
  }
  if (message.sequence < (messages[0]?.sequence ?? 0))
    return hasOlder ? timeline : { ...timeline, messages: merge(messages, [message]) }
  const replaced = messages.map((one) => (one.sequence === message.sequence ? message : one))
  return { ...timeline, messages: requoted(replaced, message) }
}

/** An unsent message. */
export interface Pending {
  readonly clientId: string
  readonly roomId: string
  readonly text: string
  readonly files: readonly MessageAttachment[]
  readonly replyTo: Quotation | null
  /** The thread that it answers in. */
  readonly threadId?: string | undefined
  /** True for an answer that the room shows as well. */
  readonly isAlsoInRoom?: boolean | undefined
  readonly created_at: string
  readonly status: 'sending' | 'failed'
  readonly problem?: string | undefined
  /** True if it failed for want of a connection, so that it is sent again with the next one. */
  readonly isLost?: boolean
}

/** An unsent message as the room shows it, after all others. */
export const shownPending = (pending: Pending, user: string): ChatMessage => ({
  id: pending.clientId,
  roomId: pending.roomId,
  sequence: Number.MAX_SAFE_INTEGER,
  clientId: pending.clientId,
  text: pending.text,
  user,
  created_at: pending.created_at,
  updated_at: pending.created_at,
  editedAt: null,
  deletedAt: null,
  status: pending.status,
  problem: pending.problem,
  attachments: [...pending.files],
  hasAttachments: pending.files.length > 0,
  isCall: false,
  privileged: false,
  privilegedStatus: null,
  mentioned_users: [],
  replyTo: pending.replyTo,
  reactions: [],
  pinned: null,
  ...(pending.threadId !== undefined && {
    thread: { id: pending.threadId, sequence: Number.MAX_SAFE_INTEGER },
  }),
})
