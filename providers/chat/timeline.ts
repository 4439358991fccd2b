import type { Message, MessageAttachment, Quotation } from '#contract/chat/schema.ts'

/** A message as a room shows it: also one that is still being sent, or could not be. */
export interface ChatMessage extends Omit<Message, 'status'> {
  readonly status: 'sending' | 'failed' | 'received'
  /** Why it could not be sent, where the server said so. */
  readonly problem?: string | undefined
}

/** The part of a room's messages that this page has, without gaps. */
export interface Timeline {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly error: unknown
  readonly messages: readonly Message[]
  /** Whether the room has messages before the first one, and after the last one. */
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

/** Adds messages to those that are known, in the order of the room; the newer copy of a message wins. */
export function merge(known: readonly Message[], added: readonly Message[]): readonly Message[] {
  const bySequence = new Map(known.map((message) => [message.sequence, message]))
  for (const message of added) bySequence.set(message.sequence, message)
  return [...bySequence.values()].toSorted((a, b) => a.sequence - b.sequence)
}

/** Shows quotations of a message as it is now. */
const requoted = (messages: readonly Message[], { id, text, deleted_at }: Message): readonly Message[] =>
  messages.map((message) =>
    message.replyTo?.id === id
      ? { ...message, replyTo: { ...message.replyTo, text, deleted: deleted_at !== null } }
      : message,
  )

/**
 * A timeline with a message that is new or has changed. One outside what is shown is left out; one that does not follow
 * the last one says that there are newer messages.
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

/** A message that is not sent yet. */
export interface Pending {
  readonly clientId: string
  readonly roomId: string
  readonly text: string
  readonly files: readonly MessageAttachment[]
  readonly replyTo: Quotation | null
  readonly created_at: string
  readonly status: 'sending' | 'failed'
  readonly problem?: string | undefined
}

/** A message that is not sent yet, as the room shows it, after all others. */
export const shownPending = (pending: Pending, user: string): ChatMessage => ({
  id: pending.clientId,
  roomId: pending.roomId,
  sequence: Number.MAX_SAFE_INTEGER,
  clientId: pending.clientId,
  text: pending.text,
  user,
  created_at: pending.created_at,
  updated_at: pending.created_at,
  edited_at: null,
  deleted_at: null,
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
})
