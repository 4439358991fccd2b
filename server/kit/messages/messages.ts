import { type ColumnType, sql } from 'kysely'

import { cut } from '#contract/kit/cut.ts'
import type { SuppressionReason } from '#contract/suppressions/schema.ts'

import { clock } from '../core/clock.ts'
import type { Database, EventActor, OrgDb } from '../database/db.ts'
import type { Job } from '../jobs/jobs.ts'
import { type Confirmation, note, type Noted } from './ledger.ts'
import type { Linked, OwnLinks } from './own-links.ts'
import { findWithheldMessages, WITHHELD_BY } from './suppressions.ts'

/** Priority of a mail. */
export type Priority = 'high' | 'normal' | 'low'
export type Channel = 'EMAIL' | 'SMS' | 'VOICE_CALL'
/** Delivery state of a message. `KEPT` is the outbox: nobody sends it on. Only a carrier's confirmation makes it `DELIVERED`. */
export type MessageState = 'QUEUED' | 'SENDING' | 'SENT' | 'DELIVERED' | 'FAILED' | 'KEPT'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    messages: {
      id: string
      channel: Channel
      recipient: string
      subject: string | null
      /** Null where many messages share their content. */
      text: string | null
      html: string | null
      content_id: string | null
      /** The mass notification that the message belongs to, if any. */
      notification_id: string | null
      /** The recipient within the notification whose link the text gets; null for none. */
      recipient_place: ColumnType<number | null, number | null | undefined>
      /** Name that the text gets; null for none. */
      recipient_name: ColumnType<string | null, string | null | undefined>
      state: MessageState
      /** Id that the provider returned when it accepted the message. */
      provider_id: string | null
      reason: string | null
      /** True when a waiting message waits for its carrier, which serves nobody or unreliably. */
      carrier_trouble: ColumnType<boolean, boolean | undefined>
      /** Carrier that it was handed to last, of several; null where there is one. */
      carrier: ColumnType<string | null, string | null | undefined>
      create_timestamp: string
      /** Time at which a message became what it is: sent, delivered, failed or kept; null for one that waits. */
      done_timestamp: string | null
    }
    message_contents: {
      id: string
      /** Sender number of an SMS or call, null for that of the settings; sender name of a mail. */
      sender: string | null
      /** Priority of a mail, where it is not normal. */
      priority: Priority | null
      subject: string | null
      text: string
      html: string | null
      /** Beginning of the links that take the place of `OWN_LINK`, if any. */
      link_prefix: ColumnType<string | null, string | null | undefined>
      /** Number of keys that answer a call. */
      keys: ColumnType<number | null, number | null | undefined>
      /** Language of a call. */
      language: ColumnType<string | null, string | null | undefined>
    }
  }
}

/** A message in delivery. */
export interface Outgoing {
  readonly id: string
  /** Null for a message without a record. */
  readonly organisationId: string | null
  readonly channel: Channel
  readonly recipient: string
  /** Sender number, null for that of the settings; sender name of a mail. */
  readonly sender: string | null
  readonly priority: Priority | null
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
  /** Number of keys that answer a call; null for none. */
  readonly keys: number | null
  /** Language of a call; null for the carrier's own. */
  readonly language: string | null
  readonly create_timestamp: string
  readonly notification_id: string | null
  /** Reply-to address of a mail; null for its sender's. */
  readonly replyTo: string | null
  /** True when it was sent before with an unknown outcome: the process ended, or the connection broke. */
  readonly again: boolean
  /** Carrier that has or gets it, of several; null where there is one. */
  readonly carrier: string | null
  /** Reason of the last attempt; null without one, such as after a crash. */
  readonly reason: string | null
}
/** An attempt at a carrier that has certainly not accepted the message. */
export interface Refused {
  readonly carrier: string
  readonly reason: string
  readonly code?: string
  readonly at: string
}
/** The way of a message through several carriers. */
interface Via {
  /** Carrier of the outcome. */
  readonly carrier: string
  /** Attempts before it. */
  readonly refused: readonly Refused[]
  /** True where no carrier was asked. */
  readonly isUntried?: boolean
}
export type Outcome = (
  | { readonly state: 'SENT'; readonly providerId: string }
  /** `code` is the carrier's. A failure may suppress the address: it is not tried again. */
  | {
      readonly state: 'FAILED'
      readonly reason: string
      readonly code?: string
      readonly suppression?: SuppressionReason | undefined
    }
  /** Retry later. `SENDING` means that the provider may have it. */
  | {
      readonly state: 'QUEUED' | 'SENDING'
      readonly reason: string
      readonly code?: string
      readonly trouble?: Trouble
    }
) & { readonly via?: Via }
/**
 * A failure of the carrier rather than of the message. `ALL`: it serves nobody now, so that trying others is useless,
 * as with a refused sign-in or no connection. `ONE`: others may succeed, as after a server error.
 */
export type Trouble = 'ALL' | 'ONE'

/** A delivery service. */
export interface Carrier {
  /** Name in the ledger of attempts. */
  readonly name: string
  /** Number of concurrent messages. */
  readonly parallel: number
  /** Messages recorded in one transaction before and after sending; a crash leaves these in doubt. */
  readonly together: number
  /** Returns every delivery failure as an outcome, never throws it. */
  send(message: Outgoing, inside: Inside): Promise<Outcome>
  /** Final report about a message that it accepted; null while that is open. Absent where it cannot be asked. */
  ask?(channel: Channel, providerId: string, carrier: string | null): Promise<Report | null>
  /** The message after an attempt without an answer; undefined where it never arrived. Absent where nobody can tell. */
  find?(message: Outgoing, inside: Inside): Promise<Outcome | undefined>
  /** Carriers by the beginnings of the numbers that they serve, of several. */
  plan?(): readonly Planned[]
  /** SMS to a number of ours since a time in milliseconds, oldest first. Absent where there is no such list. */
  listInbound?(to: string, since: number): Promise<InboundSms[]>
}
/** A carrier that serves numbers with a beginning; the longest beginning comes first, then the lowest rank. */
export interface Planned {
  readonly carrier: string
  readonly channel: Channel
  readonly prefix: string
  readonly rank: number
}
/** An SMS that a carrier has received. */
export interface InboundSms {
  readonly carrier: string
  /** Id at the carrier, by which it is taken once. */
  readonly providerId: string
  readonly from: string
  readonly to: string
  readonly text: string
}
/** Final report about a message. */
export type Report = Pick<Confirmation, 'state' | 'code' | 'reason' | 'suppression'>
/** Runs `work` in a transaction of the message's organisation. */
export type Inside = <T>(work: (db: OrgDb) => Promise<T>) => Promise<T>

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'messages' }
const REASON_MAX = 1_000
const CLOSED = 'The organization is suspended.'

type Claimed = Omit<Outgoing, 'replyTo' | 'organisationId'> & Linked

/**
 * Marks messages as being sent, with the carrier that they are handed to, and returns them. Messages that are sent or
 * failed stay unchanged.
 */
async function claim(db: OrgDb, ids: readonly string[], plan: readonly Planned[]): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as materialized (
      select id, state from messages where id = any(${ids}::uuid[]) and state in ('QUEUED', 'SENDING') for update
    ), claimed as (
      update messages m set state = 'SENDING',
        carrier = case when due.state = 'SENDING' then m.carrier else (
          select p.carrier from unnest(${plan.map(({ carrier }) => carrier)}::text[],
            ${plan.map(({ channel }) => channel)}::text[], ${plan.map(({ prefix }) => prefix)}::text[],
            ${plan.map(({ rank }) => rank)}::integer[]) as p (carrier, channel, prefix, rank)
          where p.channel = m.channel and starts_with(m.recipient, p.prefix)
          order by length(p.prefix) desc, p.rank limit 1) end
      from due where m.id = due.id
      returning m.*, due.state = 'SENDING' as again
    )
    select m.id, m.channel, m.recipient, c.sender, c.priority, coalesce(m.subject, c.subject) as subject, coalesce(m.text, c.text) as text,
      coalesce(m.html, c.html) as html, m.create_timestamp, m.carrier, m.reason,
      m.notification_id, m.recipient_place, m.recipient_name, c.link_prefix, c.keys, c.language, m.again
    from claimed m left join message_contents c on c.id = m.content_id`.execute(db)
  return rows
}

/** True unless the organisation is suspended or deleted, when it is hidden here. */
async function maySend(db: OrgDb): Promise<boolean> {
  const { rows } = await sql`select from organisations where id = current_organisation()`.execute(db)
  return rows.length > 0
}

/** A range of a notification's messages by id. */
export interface Share {
  readonly notificationId: string
  readonly first: string
  readonly last: string
}

/** The ids of a share, in creation order. */
async function listShare(db: OrgDb, { notificationId, first, last }: Share): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('notification_id', '=', notificationId)
    .where('id', '>=', first)
    .where('id', '<=', last)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Records why untried messages wait: their carrier serves nobody. */
const noteUntried = (db: OrgDb, ids: readonly string[], reason: string): Promise<unknown> =>
  db
    .updateTable('messages')
    .set({ reason: cut(reason, REASON_MAX), carrier_trouble: true })
    .where('id', 'in', ids)
    .where('state', '=', 'QUEUED')
    .execute()

/** Called in the transaction that records the last message of a notification as sent or failed. */
export type Settled = (db: OrgDb, notificationId: string) => Promise<void>

/**
 * True when every message of a notification is sent or failed. A lock serialises concurrent transactions that record
 * the last ones.
 */
export async function isSettled(db: OrgDb, notificationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('notification_id', '=', notificationId)
    .where('state', 'in', ['QUEUED', 'SENDING'])
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}
/** Takes the lock of a notification's messages until the transaction ends. */
export const holdNotification = (db: OrgDb, id: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('messages of ' || ${id}::text, 0))`.execute(db)
/** Keeps others from taking that lock, for a change of what they would count. */
export const shareNotification = (db: OrgDb, id: string) =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended('messages of ' || ${id}::text, 0))`.execute(db)

/**
 * Cancels the messages of a notification that no carrier has yet: they fail with this reason. Returns their number.
 */
export async function cancelWaiting(
  db: OrgDb,
  notificationId: string,
  { reason, settled }: { readonly reason: string; readonly settled: Settled },
): Promise<number> {
  await holdNotification(db, notificationId)
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ state: 'FAILED', reason: cut(reason, REASON_MAX), carrier_trouble: false })
    .set({ done_timestamp: clock.timestamp() })
    .where('notification_id', '=', notificationId)
    .where('state', '=', 'QUEUED')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n && (await isSettled(db, notificationId))) await settled(db, notificationId)
  return Number(numUpdatedRows)
}

/** Maps items with at most `parallel` concurrent calls of `work`. */
export async function inTurns<T, R>(
  some: readonly T[],
  parallel: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < some.length) {
      const n = next++
      results[n] = await work(some[n]!)
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return results
}

/** The outcome of a message that is not tried again. */
const givenUp = ({
  reason,
  code,
  via,
}: Pick<Outcome, 'via'> & { readonly reason: string; readonly code?: string }): Outcome => ({
  state: 'FAILED',
  reason,
  ...(code !== undefined && { code }),
  ...(via && { via }),
})

export interface DeliverOptions {
  readonly ids: readonly string[] | Share
  readonly settled?: Settled
  /** Reply-to address of the organisation's mails; null for the sender's. */
  readonly findReplyTo?: (db: OrgDb) => Promise<string | null>
  /** Links of single recipients, filled into shared texts. */
  readonly ownLinks: OwnLinks
}

/**
 * One attempt to send messages, a few at a time. Sent and failed ones are final; the rest is retried with the job's
 * next attempt, and fails with its last one.
 */
export async function deliver(
  database: Database,
  carrier: Carrier,
  job: Omit<Job, 'data'>,
  { ids: given, settled, findReplyTo, ownLinks }: DeliverOptions,
): Promise<void> {
  const { organisationId, last, isStopping } = job
  const inside: Inside = (work) => database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  let noted: Noted[] = []
  let waiting: string | undefined
  /**
   * Reason why the carrier serves nobody, after which this attempt tries no further messages. The last attempt tries
   * all.
   */
  let closed: string | undefined
  const notifications = new Set<string>()
  let ids: readonly string[] | undefined
  let replyTo: string | null | undefined
  let untried: readonly string[] = []
  for (let from = 0; ids === undefined || from < ids.length; from += carrier.together) {
    if (isStopping() && from > 0 && !last) {
      waiting ??= 'The server stops.'
      break
    }
    const before = noted
    const { listed, address, messages, isOpen, withheld } = await inside(async (db) => {
      const listed = ids ?? ('first' in given ? await listShare(db, given) : given)
      const part = listed.slice(from, from + carrier.together)
      const isOpen = await maySend(db)
      const [claimed, withheld, address] = await Promise.all([
        isOpen ? claim(db, part, carrier.plan?.() ?? []) : [],
        findWithheldMessages(db, part),
        replyTo === undefined ? (findReplyTo?.(db) ?? null) : replyTo,
        before.length > 0 && note(db, carrier.name, before),
      ])
      const filled = claimed.map((one) => ownLinks.fillIn(organisationId, one))
      const messages = filled.map((one) => ({ ...one, organisationId, replyTo: address }))
      return { listed, address, messages, isOpen, withheld }
    })
    if (!isOpen) {
      noted = []
      waiting = CLOSED
      break
    }
    ids = listed
    replyTo = address
    for (const { notification_id: id } of messages) if (id !== null) notifications.add(id)
    noted = await inTurns(messages, carrier.parallel, async (message): Promise<Noted> => {
      const { id, again } = message
      const reason = again ? undefined : withheld.get(id)
      if (reason !== undefined)
        return { id, outcome: { state: 'FAILED', reason }, at: clock.timestamp(), carrier: WITHHELD_BY }
      const asked = closed === undefined
      const from = clock.timestamp()
      const outcome: Outcome = asked
        ? await carrier.send(message, inside)
        : { state: again ? 'SENDING' : 'QUEUED', reason: closed!, trouble: 'ALL' }
      const at = asked && outcome.via?.isUntried !== true ? from : null
      if (outcome.state === 'SENT' || outcome.state === 'FAILED') return { id, outcome, at }
      if (last) return { id, outcome: givenUp(outcome), at }
      if (outcome.trouble === 'ALL') closed = outcome.reason
      waiting = outcome.reason
      return { id, outcome, at }
    })
    if (closed !== undefined) {
      untried = ids.slice(from + carrier.together)
      break
    }
  }
  if (noted.length > 0)
    await inside(async (db) => {
      for (const id of notifications) await holdNotification(db, id)
      await note(db, carrier.name, noted)
      if (closed !== undefined && untried.length > 0) await noteUntried(db, untried, closed)
      for (const id of notifications) if (settled && (await isSettled(db, id))) await settled(db, id)
    })
  if (waiting !== undefined) throw new Error(waiting)
}
