import * as z from 'zod/mini'

import { mentionedEmails } from '#contract/chat/rules.ts'
import { fullName } from '#contract/kit/names.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { ServiceProblem } from '#server/kit/hosted-chat/service.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { OutsideTransactionContext } from '#server/kit/http/serve.ts'
import { plainText, sanitise } from '#server/kit/core/rich-text.ts'
import type { Services } from '#server/kit/services.ts'
import { notifyHostedMentioned, readHostedMentions as markRead } from '#server/notifications/flows.ts'
import { deleteMentions } from '#server/notifications/store.ts'

import { serviceOf } from './hosted.flows.ts'
import { findAccount, type SealedAccount } from './hosted.store.ts'
import { holdMentioned, updateHostedRead } from './mentions.store.ts'
import { listPeople } from './messages.store.ts'
import { type Acting, openedRoom } from './rooms.flows.ts'
import { findTitle } from './rooms.store.ts'

const MESSAGE = 'This message'
const NOT_HOSTED = "This organization's messages are in the built-in chat."
const UNREACHABLE = 'The chat service does not answer. Please try again in a moment.'

/** Fields of a message at the service. Other clients write there too, so the product's fields may hold anything. */
const Stored = z.object({
  message: z.object({
    cid: z.string(),
    user: z.object({ id: z.string() }),
    created_at: z.string().check(z.refine((time) => !Number.isNaN(Date.parse(time)))),
    deleted_at: z.nullish(z.string()),
    message_text_updated_at: z.nullish(z.string()),
    text: z.optional(z.unknown()),
    richText: z.optional(z.unknown()),
  }),
})
type HostedMessage = z.infer<typeof Stored>['message']

/**
 * Reads a message at the organisation's service; undefined where the service has none.
 * @throws Refusal 503 where the service does not answer, or refuses
 */
async function readAtService(
  services: Services,
  account: SealedAccount,
  id: string,
  log: OutsideTransactionContext['log'],
): Promise<HostedMessage | undefined> {
  try {
    const path = `/messages/${encodeURIComponent(id)}`
    return Stored.parse(await serviceOf(services, account).call('GET', path)).message
  } catch (error) {
    if (error instanceof ServiceProblem && error.status === 404) return undefined
    log.warn({ err: error }, 'hosted chat: a message could not be read')
    throw new Refusal(503, UNREACHABLE, { code: 'chat_service_unreachable' })
  }
}

/** Addresses mentioned in the displayed text of a message. */
function emailsIn({ text, richText }: HostedMessage): string[] {
  if (typeof richText === 'string') return mentionedEmails(plainText(sanitise(richText)))
  return typeof text === 'string' ? mentionedEmails(text) : []
}

/**
 * The organisation's account of the service.
 * @throws Refusal 409 for the built-in chat
 */
async function demandAccount(db: OrgDb): Promise<SealedAccount> {
  const account = await findAccount(db)
  if (!account) throw new Refusal(409, NOT_HOSTED)
  return account
}

/**
 * Updates the notifications of a message from its text at the service, because browsers cannot be trusted. Queries the
 * service outside of transactions.
 * @throws Refusal 404 for a message that is not in the room, 403 for one of somebody else, 503 while the service is
 * away
 */
export async function updateHostedMentions(
  services: Services,
  { transaction, log }: OutsideTransactionContext,
  roomId: string,
  messageId: string,
): Promise<void> {
  const { account, cid } = await transaction(async (db, by) => {
    const room = await openedRoom(db, by, roomId)
    return { account: await demandAccount(db), cid: room.cid }
  })
  const message = await readAtService(services, account, messageId, log)
  if (!message || (message.cid === cid && message.deleted_at)) {
    // The service decides, so any caller may trigger this.
    await transaction((db) => deleteMentions(db, { roomId, hostedMessageId: messageId }))
    if (!message) throw notFound(MESSAGE)
    return
  }
  if (message.cid !== cid) throw notFound(MESSAGE)
  const emails = emailsIn(message)
  await transaction(async (db, by) => {
    demand(message.user.id === by.id, 403, 'Only the sender of a message notifies the people in it.')
    // The membership may have ended meanwhile.
    await openedRoom(db, by, roomId)
    if (emails.length > 0) await notify(db, by, { roomId, messageId, emails, message })
  })
}

interface Mentioning {
  readonly roomId: string
  readonly messageId: string
  readonly emails: readonly string[]
  readonly message: HostedMessage
}
async function notify(
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  { roomId, messageId, emails, message }: Mentioning,
): Promise<void> {
  // The service sends microseconds; browsers have milliseconds.
  const at = new Date(Date.parse(message.created_at)).toISOString()
  const members = await holdMentioned(db, { roomId, authorId: by.id, emails, at })
  if (members.length === 0) return
  // People who read the message before the change have not read the mention.
  const mentioned = members.map((one) => ({
    ...one,
    hasRead: one.hasRead && !message.message_text_updated_at,
  }))
  const [author] = await listPeople(db, [by.id])
  const { name, isTabletop } = await findTitle(db, roomId)
  await notifyHostedMentioned(db, mentioned, {
    roomId,
    hostedMessageId: messageId,
    hostedMessageTimestamp: at,
    author: fullName(author!),
    name: name ?? 'Direct message',
    isTabletop,
  })
}

/** Stores the time up to which the caller has read a room at the service, and marks its notifications as read. */
export async function readHostedMentions(
  db: OrgDb,
  by: Pick<Acting, 'id' | 'type'>,
  roomId: string,
  until: string,
): Promise<void> {
  await openedRoom(db, by, roomId)
  await demandAccount(db)
  await updateHostedRead(db, { roomId, userId: by.id, until })
  await markRead(db, by, roomId, until)
}
