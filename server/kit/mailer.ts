import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'

import { clock, SECOND } from './clock.ts'
import { type Database, type EventActor, type OrgDb } from './db.ts'
import type { Job, Jobs } from './jobs.ts'
import type { Settings } from './settings.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Carries its link or code as well as the HTML does. */
  readonly text: string
  readonly html: string
}

/** Messages to people outside the product. */
export interface Post {
  /** Keeps mails in the transaction that causes them; they go out once that has committed. */
  mail(db: OrgDb, ...mails: readonly Mail[]): Promise<void>
}

/** How far a message has come. `KEPT` is the outbox: nobody sends it on. */
export type MessageState = 'QUEUED' | 'SENDING' | 'SENT' | 'FAILED' | 'KEPT'

declare module '#server/kit/db.ts' {
  interface Tables {
    messages: {
      id: string
      channel: 'EMAIL' | 'SMS' | 'VOICE_CALL'
      recipient: string
      subject: string | null
      text: string
      html: string | null
      state: MessageState
      /** What the provider said when it accepted the message. */
      provider_id: string | null
      reason: string | null
      create_timestamp: string
      done_timestamp: string | null
    }
  }
}

export interface PostParts {
  readonly settings: Pick<Settings, 'smtpUrl' | 'mailFrom'>
  readonly database: Database
  readonly jobs: Jobs
  readonly log: Logger
}

const QUEUE = 'mail'
/** Mails that one process hands to the mail server at once. */
const PARALLEL = 5
const REASON_MAX = 1_000

/** Sends by SMTP where that is set, and otherwise keeps everything in the outbox. */
export function makePost({ settings, database, jobs }: PostParts): Post {
  const { smtpUrl, mailFrom } = settings
  if (smtpUrl)
    jobs.handle<{ id: string }>(
      QUEUE,
      async (job) => deliver(database, await transportTo(smtpUrl), mailFrom, job),
      { parallel: PARALLEL },
    )
  return {
    async mail(db, ...mails) {
      if (mails.length === 0) return
      const now = clock.timestamp()
      const outcome = smtpUrl
        ? { state: 'QUEUED' as const, done_timestamp: null }
        : { state: 'KEPT' as const, done_timestamp: now }
      const rows = mails.map(({ to, subject, text, html }) => ({
        id: crypto.randomUUID(),
        channel: 'EMAIL' as const,
        recipient: to,
        subject,
        text,
        html,
        provider_id: null,
        reason: null,
        create_timestamp: now,
        ...outcome,
      }))
      await db.insertInto('messages').values(rows).execute()
      if (smtpUrl) await jobs.enqueue(db, QUEUE, ...rows.map(({ id }) => ({ id })))
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

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'mail' }

/**
 * One attempt. SMTP has no word for "again": between the server's acceptance and our note of it a crash leaves open
 * whether a mail went out. It is then sent again, because a missing mail is worse than a second one, and under the same
 * Message-ID, by which mail servers and readers know a second copy for what it is. In every other case once is once:
 * what is noted as sent or failed is never touched again.
 */
async function deliver(
  database: Database,
  to: Transporter,
  from: string,
  job: Job<{ id: string }>,
): Promise<void> {
  const { id } = job.data
  const inside = <T>(work: (db: OrgDb) => Promise<T>) =>
    database.withOrganisation({ organisationId: job.organisationId, actor: () => SYSTEM }, work)
  const note = (state: MessageState, more: { provider_id?: string; reason?: string | null } = {}) =>
    inside((db) =>
      db
        .updateTable('messages')
        .set({ state, ...more, done_timestamp: state === 'QUEUED' ? null : clock.timestamp() })
        .where('id', '=', id)
        .execute(),
    )

  const message = await inside((db) =>
    db
      .updateTable('messages')
      .set({ state: 'SENDING' })
      .where('id', '=', id)
      .where('state', 'in', ['QUEUED', 'SENDING'])
      .returning(['recipient', 'subject', 'text', 'html', 'create_timestamp'])
      .executeTakeFirst(),
  )
  if (!message) return
  try {
    const sent = await to.sendMail({
      from,
      // As an object: a list or a name in it would be read as such otherwise.
      to: { name: '', address: message.recipient },
      subject: message.subject ?? '',
      text: message.text,
      ...(message.html === null ? {} : { html: message.html }),
      messageId: `<${id}@${domainOf(from)}>`,
      date: message.create_timestamp,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    })
    await note('SENT', { provider_id: String(sent.response).slice(0, REASON_MAX), reason: null })
  } catch (error) {
    const reason = (error as Error).message.slice(0, REASON_MAX)
    if (isFinal(error)) return void (await note('FAILED', { reason }))
    await note(job.last ? 'FAILED' : 'QUEUED', { reason })
    throw error
  }
}

/** Whether the mail server refused this message for good, rather than for now or for reasons of its own. */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode === undefined || responseCode >= 500)
}

const domainOf = (from: string): string => /@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'

/** A message as the outbox shows it. */
export interface OutboxMessage {
  readonly channel: string
  readonly to: string
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
  readonly createTimestamp: string
}
const OUTBOX_MAX = 500

/** What would have been sent, newest first. */
export const listOutbox = (database: Database): Promise<OutboxMessage[]> =>
  database.withProvider({ kind: 'system', id: null, name: 'outbox' }, (db) =>
    db
      .selectFrom('messages')
      .select([
        'channel',
        'recipient as to',
        'subject',
        'text',
        'html',
        'create_timestamp as createTimestamp',
      ])
      .where('state', '=', 'KEPT')
      .orderBy('create_timestamp', 'desc')
      .limit(OUTBOX_MAX)
      .execute(),
  )
