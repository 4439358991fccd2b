import { domainToASCII } from 'node:url'

import { sql } from 'kysely'
import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'

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
import { orderedId } from '../database/ordered-id.ts'
import type { Settings } from '../core/settings.ts'
import { carrierOfTexts } from './sms.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Carries its link or code as well as the HTML does. */
  readonly text: string
  readonly html: string
}
/** One message to many recipients. */
export interface Spread {
  readonly channel: Channel
  readonly subject?: string
  readonly text: string
  readonly html?: string
  /** The number that an SMS or a call comes from, where it is not that of the settings; the name that a mail comes from. */
  readonly sender?: string | null
  /** Of a mail. */
  readonly priority?: Priority
  /** Addresses, or numbers with their dial codes. */
  readonly to: readonly string[]
}

/** One message of its own. */
export interface Single {
  readonly channel: Channel
  readonly to: string
  readonly subject: string | null
  readonly text: string
  /** Of a mail. */
  readonly html?: string | null
}

/** Messages to people outside the product. */
export interface Post {
  /** Keeps mails in the transaction that causes them; they go out once that has committed. */
  mail(db: TransactionDb, ...mails: readonly Mail[]): Promise<void>
  /**
   * Queues mails, SMS and voice calls to many people in the transaction, under the id of their notification. Returns
   * the state in which each of them begins, and what settles once they are queued.
   */
  spread(
    db: OrgDb,
    notificationId: string,
    ...spreads: readonly Spread[]
  ): { readonly states: readonly MessageState[]; readonly queued: Promise<unknown> }
  /**
   * Hands one message to its service at once, without a queue and without a record, and returns what came of it: for a
   * test of the service. Null where there is none. Not for use inside a transaction.
   */
  sendNow(message: Single): Promise<Outcome | null>
  /** Whether messages of a channel are sent, or kept in the outbox. */
  offers(channel: Channel): boolean
  /** Keeps a message in the outbox. */
  keep(db: TransactionDb, message: Single): Promise<void>
  /** The carriers that did not take the last message of this process, as sentences. */
  warnings(): string[]
}

export interface PostParts extends Omit<DeliverOptions, 'ids'> {
  readonly settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'twilio' | 'offersSms'>
  readonly database: Database
  readonly jobs: Jobs
  readonly log: Logger
}

const MAIL = 'mail'
/** Not the queue of single mails: nobody's code waits behind a thousand others. */
const MASS_MAIL = 'mass-mail'
const TEXTS = 'texts'
/** Mails that one process hands to the mail server at once. */
const PARALLEL = 5
/** Messages that one job delivers. */
const BATCH = 200
/** Seconds for a batch in which every message times out. */
const BATCH_SECONDS = 3_600
/** Fourteen within the first hour or so, then one every quarter of an hour: a day, after which messages are given up. */
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

/** The words of a spread as a row. */
const contentRow = (spread: Spread & { readonly contentId: string }) => ({
  id: spread.contentId,
  sender: spread.sender ?? null,
  priority: spread.priority ?? null,
  subject: spread.subject ?? null,
  text: spread.text,
  html: spread.html ?? null,
})

/** By the ends of each, because a queue takes long to write down a thousand ids. */
const inShares = (notificationId: string, ids: readonly string[]): Share[] =>
  Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, n) => ({
    notificationId,
    first: ids[n * BATCH]!,
    last: ids[Math.min((n + 1) * BATCH, ids.length) - 1]!,
  }))

const UNRECORDED = {
  sender: null,
  priority: null,
  notification_id: null,
  replyTo: null,
  again: false,
} as const

async function sendNow(
  carrier: Carrier | null,
  { to: recipient, html = null, ...message }: Single,
): Promise<Outcome | null> {
  if (!carrier) return null
  const unrecorded = { id: crypto.randomUUID(), recipient, html, create_timestamp: clock.timestamp() }
  // Only what was handed on before is looked up.
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

/** Watches carriers: their trouble is logged when it begins, and known until they accept or refuse a message again. */
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

/** Sends by SMTP and by telephone where those are set, and otherwise keeps everything in the outbox. */
export function makePost({ settings, database, jobs, log, ...hooks }: PostParts): Post {
  const { smtpUrl, mailFrom, twilio } = settings
  const { watch, warnings } = makeWatch(log)
  const mailCarrier = smtpUrl ? watch('Mail', carrierOfMail(smtpUrl, mailFrom)) : null
  const textCarrier = twilio ? watch('SMS and voice calls', carrierOfTexts(twilio)) : null
  if (mailCarrier) {
    const carrier = mailCarrier
    jobs.handle<{ id: string }>(
      MAIL,
      (job) => deliver(database, carrier, job, { ...hooks, ids: [job.data.id] }),
      { parallel: PARALLEL, retries: RETRIES },
    )
    handleBatches(MASS_MAIL, carrier)
  }
  if (textCarrier) handleBatches(TEXTS, textCarrier)
  function handleBatches(queue: string, carrier: Carrier): void {
    jobs.handle<Share | { ids: string[] }>(
      queue,
      (job) => {
        // A job of an earlier version names each of its messages.
        const ids = 'ids' in job.data ? job.data.ids : job.data
        return deliver(database, carrier, job, { ...hooks, ids })
      },
      { timeoutSeconds: BATCH_SECONDS, retries: RETRIES },
    )
  }

  const sends = (channel: Channel) => Boolean(channel === 'EMAIL' ? smtpUrl : twilio)
  const standing = (channel: Channel, now: string) =>
    sends(channel)
      ? { state: 'QUEUED' as const, done_timestamp: null }
      : { state: 'KEPT' as const, done_timestamp: now }

  return {
    sendNow: (message) => sendNow(message.channel === 'EMAIL' ? mailCarrier : textCarrier, message),
    offers: (channel) => channel === 'EMAIL' || settings.offersSms,
    keep,
    warnings,
    async mail(db, ...mails) {
      if (mails.length === 0) return
      const now = clock.timestamp()
      const rows = mails.map((mail) => ({ ...mailRow(mail, now), ...standing('EMAIL', now) }))
      await db.insertInto('messages').values(rows).execute()
      if (smtpUrl) await jobs.enqueue(db, MAIL, ...rows.map(({ id }) => ({ id })))
    },
    spread(db, notificationId, ...spreads) {
      const now = clock.timestamp()
      const states = spreads.map(({ channel }) => standing(channel, now).state)
      const some = spreads
        .filter(({ to }) => to.length > 0)
        .map((one) => ({
          ...one,
          contentId: crypto.randomUUID(),
          ids: one.to.map(orderedId),
          ...standing(one.channel, now),
        }))
      if (some.length === 0) return { states, queued: Promise.resolve() }
      const contents = some.map(contentRow)
      // Made of few values: a thousand rows are written in the time that reading longer lists would take. The organisation
      // is asked for once; as the column's default it would be for each row.
      const parts = some.map(
        ({ channel, contentId, state, done_timestamp, ids, to }) => sql`
          select (select current_organisation()), id, ${channel}::text, recipient, ${contentId}::uuid, ${notificationId}::uuid, ${state}::text,
            ${now}::timestamptz, ${done_timestamp}::timestamptz
          from unnest(${ids}::uuid[], ${to}::text[]) as m (id, recipient)`,
      )
      const queued = Promise.all([
        db.insertInto('message_contents').values(contents).execute(),
        sql`
          insert into messages (organisation_id, id, channel, recipient, content_id, notification_id, state, create_timestamp, done_timestamp)
          ${sql.join(parts, sql` union all `)}`.execute(db),
        ...some
          .filter(({ state }) => state !== 'KEPT')
          .map(({ channel, ids }) =>
            jobs.enqueue(db, channel === 'EMAIL' ? MASS_MAIL : TEXTS, ...inShares(notificationId, ids)),
          ),
      ])
      return { states, queued }
    },
  }
}

let transport: { readonly url: string; readonly to: Transporter } | undefined
/** The connections to the mail server, which are opened, and what opens them loaded, when they are first needed. */
async function transportTo(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  if (transport?.url === url) return transport.to
  const to = createTransport({
    url,
    pool: true,
    maxConnections: PARALLEL,
    // What became of a message when its connection broke is for the job to judge.
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
 * SMTP has no idempotency key: after a crash between the server's acceptance and our note of it, a mail is sent again,
 * because a missing mail is worse than a duplicate. The second copy has an equal Message-ID, by which mail servers and
 * clients can drop it. In every other case a mail is sent once.
 */
const carrierOfMail = (smtpUrl: string, from: string): Carrier => ({
  parallel: PARALLEL,
  together: PARALLEL,
  async send({ id, recipient, sender, priority, replyTo, subject, text, html, create_timestamp }) {
    try {
      const to = await transportTo(smtpUrl)
      const sent = await to.sendMail({
        from: sender === null ? from : { name: sender, address: addressIn(from) },
        ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
        ...(priority && { priority }),
        // As an object: a list or a name in it would be read as such otherwise.
        to: { name: '', address: recipient },
        subject: subject ?? '',
        text,
        ...(html === null ? {} : { html }),
        // Both are equal in every attempt.
        messageId: `<${id}@${domainOf(from)}>`,
        // A text would be written as it is, and RFC 5322 knows no ISO 8601.
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
  /** The code of the system, such as ECONNREFUSED. */
  readonly originalCode?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/** Replies about this server's sign-in (RFC 4954 §6), and the one with which a server ends every conversation. */
const SERVES_NOBODY = [421, 530, 534, 535, 538]
/** Replies to MAIL FROM that concern one message: its size, and an address in letters that the server does not know. */
const OF_ONE_MESSAGE = [552, 553]
/** Errors of a connection that was established: another message may get through. */
const BROKEN = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EPROTOCOL']
const NOT_CONNECTED = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** Whether a reply is one that every message would get. */
function isToEverybody({ command, responseCode = 0 }: SmtpError): boolean {
  if (SERVES_NOBODY.includes(responseCode)) return true
  if (command === 'CONN') return responseCode >= 400
  return command === 'MAIL FROM' && responseCode >= 500 && !OF_ONE_MESSAGE.includes(responseCode)
}
const isOfOneConnection = ({ code = '', originalCode = '' }: SmtpError): boolean =>
  BROKEN.includes(code) && !NOT_CONNECTED.test(originalCode)

function smtpOutcome(error: SmtpError): Outcome {
  const { code, response, responseCode = 0, message } = error
  const toEverybody = isToEverybody(error)
  if ((code === 'EENVELOPE' || code === 'EMESSAGE') && !toEverybody)
    return {
      state: responseCode > 0 && responseCode < 500 ? 'QUEUED' : 'FAILED',
      reason: response ?? message,
    }
  // Without a reply the code alone: a message may hold an address of the operator's network.
  const reason = response
    ? `The mail server does not serve this server: ${response}`
    : `The mail server cannot be reached: ${error.originalCode ?? code ?? message}`
  return { state: 'QUEUED', reason, trouble: isOfOneConnection(error) && !toEverybody ? 'ONE' : 'ALL' }
}

/** The address in `Name <address>`. */
const addressIn = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
/** The domain of the sender, as headers take it. */
const domainOf = (from: string): string =>
  domainToASCII(/@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? '') || 'localhost'
