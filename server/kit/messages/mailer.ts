import { domainToASCII } from 'node:url'

import { sql } from 'kysely'
import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'

import { suppressionOfCode } from '#contract/suppressions/rules.ts'

import { clock, SECOND } from '../core/clock.ts'
import type { Database, OrgDb, TransactionDb } from '../database/db.ts'
import type { Jobs } from '../jobs/jobs.ts'
import {
  type Carrier,
  type Channel,
  deliver,
  type DeliverOptions,
  type MessageState,
  type Outcome,
  type Priority,
  type Share,
} from './messages.ts'
import { askLater, type ConfirmationHooks, handleQuestions, takeConfirmations } from './confirmations.ts'
import { handleLooks, lookForReplies, type ReplyHooks } from './inbound.ts'
import { handleSimulations, simulate } from './simulator.ts'
import type { Confirmation } from './ledger.ts'
import { isCallable } from '../core/hosts.ts'
import { orderedId } from '../database/ordered-id.ts'
import type { Settings } from '../core/settings.ts'
import { WITHHELD_BY } from './suppressions.ts'
import { hasSimulator, openTelephone } from './telephone.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Includes the link or code of the HTML. */
  readonly text: string
  readonly html: string
}
/** One message to many recipients. */
export interface Spread {
  readonly channel: Channel
  readonly subject?: string
  readonly text: string
  readonly html?: string
  /** Sender number of an SMS or call, where it differs from the settings; sender name of a mail. */
  readonly sender?: string | null
  /** For mails only. */
  readonly priority?: Priority
  /** Addresses, or numbers with their dial codes. */
  readonly to: readonly string[]
  /** Reason why an address is not tried; undefined for one that is. By default all are. */
  readonly withheld?: (address: string) => string | undefined
  /** Number of keys that answer a call; by default none do. */
  readonly keys?: number
  /** Language in which a call is spoken. */
  readonly language?: string
  /** Links of single recipients, which take the place of `OWN_LINK`; places in the order of `to`. */
  readonly links?: { readonly prefix: string; readonly places: readonly number[] }
  /** Names that take the place of `OWN_NAME`, in the order of `to`. */
  readonly names?: readonly string[]
}

/** A message to one recipient. */
export interface Single {
  readonly channel: Channel
  readonly to: string
  readonly subject: string | null
  readonly text: string
  /** For mails only. */
  readonly html?: string | null
}

/** Messages to people outside the product. */
export interface Post {
  /** Stores mails in the transaction that causes them; sent after the commit. */
  mail(db: TransactionDb, ...mails: readonly Mail[]): Promise<void>
  /**
   * Queues mails, SMS and voice calls to many people in the transaction, under the id of their notification. Returns
   * the initial state of each message, and a promise for the queueing.
   */
  spread(
    db: OrgDb,
    notificationId: string,
    ...spreads: readonly Spread[]
  ): { readonly states: readonly MessageState[]; readonly queued: Promise<unknown> }
  /**
   * Sends one message immediately, without queue and record, and returns the outcome: for a test of the carrier. Null
   * without a carrier. Call outside of transactions.
   */
  sendNow(message: Single): Promise<Outcome | null>
  /** True when a channel is available: sent, or kept in the outbox. */
  offers(channel: Channel): boolean
  /** True where SMS can be replied to. */
  readonly takesReplies: boolean
  /** True where keys of a call come in. */
  readonly takesKeys: boolean
  /** Takes what a carrier reports of messages. Call outside of transactions. */
  confirm(organisationId: string, reports: readonly Confirmation[]): Promise<void>
  /** Stores a message in the outbox. */
  keep(db: TransactionDb, message: Single): Promise<void>
  /** Sentences about carriers that refused the last message of this process. */
  warnings(): string[]
}

export interface PostParts extends Omit<DeliverOptions, 'ids'>, ConfirmationHooks {
  readonly settings: Pick<
    Settings,
    'smtpUrl' | 'mailFrom' | 'twilio' | 'carriers' | 'offersSms' | 'publicUrl' | 'simulates'
  >
  readonly database: Database
  readonly jobs: Jobs
  readonly log: Logger
  /** Hooks for SMS that come in; without them nobody looks for any. */
  readonly replies?: ReplyHooks
}

/** Name of the mail server in the ledger. */
export const MAIL_CARRIER = 'Mail server'

const MAIL = 'mail'
/** Separate from the queue of single mails: no sign-in code waits behind a thousand others. */
const MASS_MAIL = 'mass-mail'
const TEXTS = 'texts'
/** Queues whose jobs hand messages of a channel to a carrier. */
export const QUEUES: { readonly [C in Channel]: readonly string[] } = {
  EMAIL: [MAIL, MASS_MAIL],
  SMS: [TEXTS],
  VOICE_CALL: [TEXTS],
}
/** Concurrent mails per process. */
const PARALLEL = 5
/** Messages per job. */
const BATCH = 200
/** Seconds for a batch in which every message times out. */
const BATCH_SECONDS = 3_600
/** Fourteen within the first hour or so, then one every quarter of an hour: a day, after which messages fail. */
const RETRIES = 14 + 23 * 4

/** A single mail as a row, without its state. */
const mailRow = ({ to, subject, text, html }: Mail, now: string) => ({
  id: orderedId(),
  channel: 'EMAIL' as const,
  recipient: to,
  subject,
  text,
  html,
  content_id: null,
  notification_id: null,
  provider_id: null,
  reason: null,
  create_timestamp: now,
})

/** The shared content of a spread as a row. */
const contentRow = (spread: Spread & { readonly contentId: string }) => ({
  id: spread.contentId,
  sender: spread.sender ?? null,
  priority: spread.priority ?? null,
  subject: spread.subject ?? null,
  text: spread.text,
  html: spread.html ?? null,
  link_prefix: spread.links?.prefix ?? null,
  keys: spread.keys ?? null,
  language: spread.language ?? null,
})

/** First and last ids of each share, because queueing a thousand ids is slow. */
const inShares = (notificationId: string, ids: readonly string[]): Share[] =>
  Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, n) => ({
    notificationId,
    first: ids[n * BATCH]!,
    last: ids[Math.min((n + 1) * BATCH, ids.length) - 1]!,
  }))

const UNRECORDED = {
  organisationId: null,
  sender: null,
  priority: null,
  notification_id: null,
  replyTo: null,
  again: false,
  keys: null,
  language: null,
  carrier: null,
  reason: null,
} as const

async function sendNow(
  carrier: Carrier | null,
  { to: recipient, html = null, ...message }: Single,
): Promise<Outcome | null> {
  if (!carrier) return null
  const unrecorded = { id: crypto.randomUUID(), recipient, html, create_timestamp: clock.timestamp() }
  // Only messages that were sent before are looked up.
  const inside = () => Promise.reject(new Error('There is no record of this message.'))
  return carrier.send({ ...message, ...UNRECORDED, ...unrecorded }, inside)
}

async function keep(db: TransactionDb, { to: recipient, ...message }: Single): Promise<void> {
  const now = clock.timestamp()
  const row = { ...mailRow({ to: recipient, subject: '', text: '', html: '' }, now), html: null, ...message }
  await db
    .insertInto('messages')
    .values({ ...row, state: 'KEPT', done_timestamp: now })
    .execute()
}

/** Monitors carriers: logs trouble when it begins, and keeps it until they accept or refuse a message again. */
function makeWatch(log: Logger) {
  const troubles = new Map<string, string>()
  const watch = (name: string, carrier: Carrier): Carrier => ({
    ...carrier,
    async send(message, inside) {
      const outcome = await carrier.send(message, inside)
      if (outcome.state === 'SENT' || outcome.state === 'FAILED') troubles.delete(name)
      else if (outcome.trouble) {
        const { reason } = outcome
        if (outcome.trouble === 'ALL' && troubles.get(name) !== reason)
          log.error({ carrier: name, reason }, 'carrier in trouble')
        troubles.set(name, reason)
      }
      return outcome
    },
  })
  const warnings = () => [...troubles].map(([name, reason]) => `${name} cannot be sent: ${reason}`)
  return { watch, warnings }
}

/** Sends by SMTP and by telephone where configured, and otherwise stores everything in the outbox. */
export function makePost({ settings, database, jobs, log, replies, ...hooks }: PostParts): Post {
  const { smtpUrl, mailFrom, publicUrl, carriers } = settings
  const { watch, warnings } = makeWatch(log)
  const mailCarrier = smtpUrl ? watch('Mail', carrierOfMail(smtpUrl, mailFrom)) : null
  const isCalled = isCallable(publicUrl)
  const telephone = openTelephone({ settings, database, jobs, watch })
  const textCarrier = telephone?.carrier ?? null
  if (mailCarrier) {
    const carrier = mailCarrier
    jobs.handle<{ id: string }>(
      MAIL,
      (job) => deliver(database, carrier, job, { ...hooks, ids: [job.data.id] }),
      { parallel: PARALLEL, retries: RETRIES },
    )
    handleBatches(MASS_MAIL, carrier)
  }
  if (textCarrier) {
    handleBatches(TEXTS, textCarrier)
    handleQuestions({ database, jobs, log }, textCarrier, hooks)
    if (replies) handleLooks({ database, jobs }, textCarrier, replies)
  }
  const simulates = settings.simulates && replies !== undefined
  if (replies && (simulates || hasSimulator(carriers))) handleSimulations({ database, jobs, hooks, replies })
  function handleBatches(queue: string, carrier: Carrier): void {
    jobs.handle<Share | { ids: string[] }>(
      queue,
      (job) => {
        // Jobs of an earlier version name each message.
        const ids = 'ids' in job.data ? job.data.ids : job.data
        return deliver(database, carrier, job, { ...hooks, ids })
      },
      { timeoutSeconds: BATCH_SECONDS, retries: RETRIES },
    )
  }

  const sends = (channel: Channel) =>
    Boolean(channel === 'EMAIL' ? smtpUrl : telephone?.channels.includes(channel))
  const standing = (channel: Channel, now: string) =>
    sends(channel)
      ? { state: 'QUEUED' as const, done_timestamp: null }
      : { state: 'KEPT' as const, done_timestamp: now }

  return {
    sendNow: (message) => sendNow(message.channel === 'EMAIL' ? mailCarrier : textCarrier, message),
    offers: (channel) =>
      channel === 'EMAIL' || (carriers ? telephone!.channels.includes(channel) : settings.offersSms),
    takesReplies: telephone?.takesReplies ?? simulates,
    takesKeys: telephone?.takesKeys ?? simulates,
    keep,
    warnings,
    async confirm(organisationId, reports) {
      const actor = () => ({ kind: 'system', id: null, name: 'messages' }) as const
      await database.withOrganisation({ organisationId, actor }, (db) =>
        takeConfirmations(db, hooks, reports),
      )
    },
    async mail(db, ...mails) {
      if (mails.length === 0) return
      const now = clock.timestamp()
      const rows = mails.map((mail) => ({ ...mailRow(mail, now), ...standing('EMAIL', now) }))
      await db.insertInto('messages').values(rows).execute()
      if (smtpUrl) await jobs.enqueue(db, MAIL, ...rows.map(({ id }) => ({ id })))
    },
    spread: (db, notificationId, ...spreads) =>
      spreadOut(
        { jobs, standing, isCalled, simulates, numbers: (replies && telephone?.numbers) ?? [] },
        db,
        notificationId,
        spreads,
      ),
  }
}

interface SpreadParts {
  readonly jobs: Jobs
  readonly standing: (
    channel: Channel,
    now: string,
  ) => { state: 'QUEUED' | 'KEPT'; done_timestamp: string | null }
  /** True where the telephone carrier reports what became of messages. */
  readonly isCalled: boolean
  /** True where the simulator plays scripted messages of the outbox. */
  readonly simulates: boolean
  /** Numbers of the settings that people reply to, where replies have to be looked for. */
  readonly numbers: readonly string[]
}
/** Stores and queues messages to many people. */
function spreadOut(
  { jobs, standing, isCalled, simulates, numbers }: SpreadParts,
  db: OrgDb,
  notificationId: string,
  spreads: readonly Spread[],
): ReturnType<Post['spread']> {
  const now = clock.timestamp()
  const states = spreads.map(({ channel }) => standing(channel, now).state)
  const some = spreads
    .filter(({ to }) => to.length > 0)
    .map((one) => ({
      ...one,
      contentId: crypto.randomUUID(),
      ids: one.to.map(orderedId),
      why: one.to.map((address) => one.withheld?.(address) ?? null),
      ...standing(one.channel, now),
    }))
  if (some.length === 0) return { states, queued: Promise.resolve() }
  const contents = some.map(contentRow)
  // Few bind values: writing a thousand rows takes less time than parsing longer lists. The organisation is queried
  // once; the column's default would query it per row.
  const parts = some.map(
    ({ channel, contentId, state, done_timestamp, ids, to, links, names, why }) => sql`
          select (select current_organisation()), id, ${channel}::text, recipient, place, name, ${contentId}::uuid, ${notificationId}::uuid,
            case when why is null then ${state}::text else 'FAILED' end, why,
            ${now}::timestamptz, case when why is null then ${done_timestamp}::timestamptz else ${now}::timestamptz end
          from unnest(${ids}::uuid[], ${to}::text[], ${links?.places ?? []}::integer[], ${names ?? []}::text[],
            ${why.some(Boolean) ? why : []}::text[]) as m (id, recipient, place, name, why)`,
  )
  const queued = Promise.all([
    db.insertInto('message_contents').values(contents).execute(),
    sql`
          insert into messages (organisation_id, id, channel, recipient, recipient_place, recipient_name, content_id, notification_id, state, reason, create_timestamp, done_timestamp)
          ${sql.join(parts, sql` union all `)}`.execute(db),
    noteWithheld(
      db,
      some.flatMap(({ ids, why }) => ids.flatMap((id, n) => (why[n] ? [{ id, reason: why[n] }] : []))),
      now,
    ),
    ...some
      .filter(({ state }) => state !== 'KEPT')
      .map(({ channel, ids }) =>
        jobs.enqueue(db, channel === 'EMAIL' ? MASS_MAIL : TEXTS, ...inShares(notificationId, ids)),
      ),
    ...some
      .filter(({ state, channel }) => state !== 'KEPT' && channel !== 'EMAIL')
      .map(({ ids }) => askLater(jobs, db, inShares(notificationId, ids), isCalled)),
    ...some
      .filter(({ state }) => state === 'KEPT' && simulates)
      .map(({ ids }) => simulate(jobs, db, inShares(notificationId, ids))),
    ...some
      .filter(({ channel, links }) => channel === 'SMS' && links !== undefined && numbers.length > 0)
      .flatMap(({ sender }) => [...new Set(sender ? [sender] : numbers)])
      .map((to) => lookForReplies(jobs, db, { notificationId, to })),
  ])
  return { states, queued }
}

/** Records in the ledger that messages were given to no carrier. */
async function noteWithheld(
  db: OrgDb,
  messages: readonly { readonly id: string; readonly reason: string }[],
  at: string,
): Promise<void> {
  if (messages.length === 0) return
  await sql`
    insert into message_attempts (organisation_id, message_id, number, carrier, state, reason, create_timestamp, update_timestamp)
    select (select current_organisation()), id, 1, ${WITHHELD_BY}, 'FAILED', reason, ${at}, ${at}
    from unnest(${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ reason }) => reason)}::text[]) as m (id, reason)`.execute(
    db,
  )
}

let transport: { readonly url: string; readonly to: Transporter } | undefined
/** The pool of mail server connections; library and connections load lazily. */
async function transportTo(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  if (transport?.url === url) return transport.to
  const to = createTransport({
    url,
    pool: true,
    maxConnections: PARALLEL,
    // The job decides about a message whose connection broke.
    maxRequeues: 0,
    idleTimeout: 10 * SECOND,
    connectionTimeout: 20 * SECOND,
    greetingTimeout: 20 * SECOND,
    socketTimeout: 60 * SECOND,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  transport = { url, to }
  return to
}

/**
 * SMTP has no idempotency key: after a crash between the server's acceptance and its record here, a mail is sent again,
 * because a missing mail is worse than a duplicate. The second copy has an equal Message-ID, by which mail servers and
 * clients can drop it. In every other case a mail is sent once.
 */
const carrierOfMail = (smtpUrl: string, from: string): Carrier => ({
  name: MAIL_CARRIER,
  parallel: PARALLEL,
  together: PARALLEL,
  async send({ id, recipient, sender, priority, replyTo, subject, text, html, create_timestamp }) {
    try {
      const to = await transportTo(smtpUrl)
      const sent = await to.sendMail({
        from: sender === null ? from : { name: sender, address: addressIn(from) },
        ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
        ...(priority && { priority }),
        // As an object, because a string would be parsed for lists and names.
        to: { name: '', address: recipient },
        subject: subject ?? '',
        text,
        ...(html === null ? {} : { html }),
        // Equal in every attempt.
        messageId: `<${id}@${domainOf(from)}>`,
        // As a date, because a string would be written unchanged, and RFC 5322 does not allow ISO 8601.
        date: new Date(create_timestamp),
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
      return { state: 'SENT', providerId: String(sent.response) }
    } catch (error) {
      return smtpOutcome(error as SmtpError)
    }
  },
})

/** An error of nodemailer. */
interface SmtpError extends Error {
  readonly code?: string
  /** System error code, such as ECONNREFUSED. */
  readonly originalCode?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/** Replies about this server's sign-in (RFC 4954 §6), and the reply with which a server ends every conversation. */
const SERVES_NOBODY = [421, 530, 534, 535, 538]
/**
 * Replies to MAIL FROM about one message: its size, or an internationalised address that the server does not support.
 */
const OF_ONE_MESSAGE = [552, 553]
/** Errors of an established connection: another message may get through. */
const BROKEN = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EPROTOCOL']
const NOT_CONNECTED = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** True for a reply that every message would get. */
function isToEverybody({ command, responseCode = 0 }: SmtpError): boolean {
  if (SERVES_NOBODY.includes(responseCode)) return true
  if (command === 'CONN') return responseCode >= 400
  return command === 'MAIL FROM' && responseCode >= 500 && !OF_ONE_MESSAGE.includes(responseCode)
}
const isOfOneConnection = ({ code = '', originalCode = '' }: SmtpError): boolean =>
  BROKEN.includes(code) && !NOT_CONNECTED.test(originalCode)

/** The enhanced status code of a reply (RFC 3463), such as 5.1.1. */
const enhancedCode = (response = ''): string | undefined =>
  /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?!\d)/.exec(response)?.[1]

/** The outcome of a reply about one message. A code suppresses only where it is said of the recipient, not of the words. */
function refusedOutcome({ command, response, responseCode = 0, message }: SmtpError): Outcome {
  const reason = response ?? message
  if (responseCode === 0) return { state: 'FAILED', reason }
  const enhanced = enhancedCode(response)
  const code = enhanced ?? String(responseCode)
  if (responseCode < 500) return { state: 'QUEUED', reason, code }
  const suppression = command === 'RCPT TO' ? suppressionOfCode(enhanced) : undefined
  return { state: 'FAILED', reason, code, suppression }
}

function smtpOutcome(error: SmtpError): Outcome {
  const { code, response, message } = error
  const toEverybody = isToEverybody(error)
  if ((code === 'EENVELOPE' || code === 'EMESSAGE') && !toEverybody) return refusedOutcome(error)
  // Without a reply only the code: a message may contain an address of the operator's network.
  const reason = response
    ? `The mail server does not serve this server: ${response}`
    : `The mail server cannot be reached: ${error.originalCode ?? code ?? message}`
  return { state: 'QUEUED', reason, trouble: isOfOneConnection(error) && !toEverybody ? 'ONE' : 'ALL' }
}

/** The address in `Name <address>`. */
const addressIn = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
/** The sender's domain in ASCII, for headers. */
export const domainOf = (from: string): string =>
  domainToASCII(/@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? '') || 'localhost'
