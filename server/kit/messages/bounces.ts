import { setTimeout as wait } from 'node:timers/promises'

import { sql } from 'kysely'
import type { Logger } from 'pino'

import { suppressionOfCode } from '#contract/suppressions/rules.ts'

import { clock, MINUTE, SECOND } from '../core/clock.ts'
import type { Settings } from '../core/settings.ts'
import { type Database, type EventActor, isUuid, PROVIDER_ID } from '../database/db.ts'
import { inProcess } from '../processes/processes.ts'
import type { Bounce, BouncedRecipient } from './bounce-report.ts'
import type { ReadMail } from './bounces.task.ts'
import { bounceReason } from './bounce-reasons.ts'
import { domainOf, MAIL_CARRIER, type Post } from './mailer.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    bounce_mailboxes: { mailbox: string; uid_validity: string; last_uid: number; leased_until: string }
  }
}

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'bounces' }
/** Interval between looks. */
const EVERY = MINUTE
/** Time for which one process has the mailbox to itself; longer than a look may take. */
const LEASE = 10 * MINUTE
/** Mails of a look; the rest follows with the next one. */
const LOOK_MAX = 1_000
/** Mails that are read and noted together. */
const BATCH = 20
/** Size of a mail in bytes beyond which it is not read: reports are small, and quote little. */
export const BOUNCE_BYTES_MAX = 256 * 1_024

/** Numbers of mails of a look, by what they were. */
export interface BounceCounts {
  /** Reports about mails of ours that have failed for good. */
  failed: number
  /** Reports about mails that are delayed or were delivered. */
  passing: number
  /** Mails that are no reports, and reports about mails that are not ours. */
  foreign: number
  tooLarge: number
  unreadable: number
}

export interface BounceParts {
  readonly settings: Pick<Settings, 'bouncesUrl' | 'mailFrom'>
  readonly database: Database
  readonly post: Pick<Post, 'confirm'>
  readonly log: Logger
}

/** Progress in a mailbox. */
interface Progress {
  readonly uidValidity: string
  readonly lastUid: number
}

/** Takes the lease of a mailbox. Null while another process has it. */
function takeLease(database: Database, mailbox: string): Promise<Progress | null> {
  return database.withProvider(SYSTEM, async (db) => {
    const now = clock.now()
    const until = new Date(now + LEASE).toISOString()
    const { rows } = await sql<Progress>`
      insert into bounce_mailboxes as b (mailbox, uid_validity, last_uid, leased_until) values (${mailbox}, '', 0, ${until})
      on conflict (mailbox) do update set leased_until = excluded.leased_until
        where b.leased_until < ${new Date(now).toISOString()}
      returning uid_validity as "uidValidity", last_uid as "lastUid"`.execute(db)
    return rows[0] ?? null
  })
}
const endLease = (database: Database, mailbox: string): Promise<unknown> =>
  database.withProvider(SYSTEM, (db) =>
    db
      .updateTable('bounce_mailboxes')
      .set({ leased_until: clock.timestamp() })
      .where('mailbox', '=', mailbox)
      .execute(),
  )
const keepProgress = (database: Database, mailbox: string, { uidValidity, lastUid }: Progress) =>
  database.withProvider(SYSTEM, (db) =>
    db
      .updateTable('bounce_mailboxes')
      .set({
        uid_validity: uidValidity,
        last_uid: lastUid,
        leased_until: new Date(clock.now() + LEASE).toISOString(),
      })
      .where('mailbox', '=', mailbox)
      .execute(),
  )

/** Opens the mailbox of the setting for reading. */
async function openMailbox(address: string) {
  const { ImapFlow } = await import('imapflow')
  const { protocol, hostname, port, username, password, pathname } = new URL(address)
  const secure = protocol === 'imaps:'
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 20 * SECOND,
    greetingTimeout: 20 * SECOND,
    socketTimeout: MINUTE,
    maxLiteralSize: 4 * BOUNCE_BYTES_MAX,
  })
  // Failures reach the awaited calls, too.
  client.on('error', () => {})
  await client.connect()
  const lock = await client.getMailboxLock(decodeURIComponent(pathname.slice(1)) || 'INBOX', {
    readOnly: true,
  })
  return { client, lock }
}
type Client = Awaited<ReturnType<typeof openMailbox>>['client']

const read = (sources: readonly Buffer[]): Promise<ReadMail[]> =>
  inProcess<readonly Uint8Array[], ReadMail[]>({
    kind: 'indexing',
    module: new URL('./bounces.task.ts', import.meta.url),
    task: sources,
    excess: 'The mails took too long to read.',
  })
/** Reads mails in a process of their own; one that ends the process is left out. */
async function readMails(sources: readonly Buffer[]): Promise<ReadMail[]> {
  if (sources.length === 0) return []
  try {
    return await read(sources)
  } catch {
    if (sources.length === 1) return [undefined]
    const apart: ReadMail[] = []
    for (const source of sources) apart.push(...(await readMails([source])))
    return apart
  }
}

/** Sources of mails that are not too large, and the number of those that are. */
async function fetchMails(client: Client, uids: readonly number[]) {
  const sizes = await client.fetchAll(uids.join(','), { uid: true, size: true }, { uid: true })
  const small = sizes.filter(({ size }) => size !== undefined && size <= BOUNCE_BYTES_MAX)
  if (small.length === 0) return { sources: [], tooLarge: sizes.length }
  const mails = await client.fetchAll(
    small.map(({ uid }) => uid).join(','),
    { uid: true, source: { maxLength: BOUNCE_BYTES_MAX } },
    { uid: true },
  )
  const sources = mails.flatMap(({ source }) => (source ? [source] : []))
  return { sources, tooLarge: sizes.length - small.length }
}

/** The message of ours that a report is about. */
interface Bounced {
  readonly id: string
  readonly organisationId: string
  readonly recipient: string
  /** Id of the attempt at the mail server; null for one whose answer was lost. */
  readonly providerId: string | null
}
function findBounced(database: Database, ids: readonly string[]): Promise<Bounced | undefined> {
  return database.withProvider(SYSTEM, async (db) => {
    const { rows } = await sql<Bounced>`
      select m.id, m.organisation_id as "organisationId", lower(m.recipient) as recipient, (
          select a.provider_id from message_attempts a where a.message_id = m.id and a.state = 'SENT'
          order by a.number desc limit 1
        ) as "providerId"
      from messages m
      where m.id = any(${ids}::uuid[]) and m.channel = 'EMAIL' and m.organisation_id <> ${PROVIDER_ID}
        and m.state in ('SENT', 'SENDING') limit 1`.execute(db)
    return rows[0]
  })
}

/** True for an outcome that nothing follows. */
const isFinal = ({ action, status }: BouncedRecipient): boolean =>
  action === 'failed' && (status === '' || /^[45]\./.test(status))

/** Takes a report: a failure of a mail of ours fails its message, and may suppress the address. */
async function takeBounce(
  { database, post, settings }: BounceParts,
  { recipients, messageIds }: Bounce,
): Promise<keyof BounceCounts> {
  const ours = `@${domainOf(settings.mailFrom)}`
  const ids = messageIds
    .filter((id) => id.toLowerCase().endsWith(ours))
    .map((id) => id.slice(0, -ours.length))
    .filter(isUuid)
  const found = ids.length === 0 ? undefined : await findBounced(database, ids)
  // The report about a forwarded mail may concern another person's mailbox.
  const about = found && recipients.find(({ addresses }) => addresses.includes(found.recipient))
  if (!found || !about) return 'foreign'
  if (!isFinal(about)) return 'passing'
  const code = about.status === '' ? null : about.status
  await post.confirm(found.organisationId, [
    {
      messageId: found.id,
      carrier: MAIL_CARRIER,
      providerId: found.providerId ?? 'returned',
      state: 'FAILED',
      code,
      reason: bounceReason(code),
      suppression: suppressionOfCode(code),
    },
  ])
  return 'failed'
}

async function readNew(
  parts: BounceParts,
  client: Client,
  mailbox: string,
  before: Progress,
): Promise<BounceCounts> {
  const counts: BounceCounts = { failed: 0, passing: 0, foreign: 0, tooLarge: 0, unreadable: 0 }
  const opened = client.mailbox
  if (!opened) return counts
  const uidValidity = String(opened.uidValidity)
  const last = before.uidValidity === uidValidity ? before.lastUid : 0
  const found = (await client.search({ uid: `${last + 1}:*` }, { uid: true })) || []
  // The range names the last mail even where that is an older one.
  const uids = found
    .filter((uid) => uid > last)
    .toSorted((a, b) => a - b)
    .slice(0, LOOK_MAX)
  for (let from = 0; from < uids.length; from += BATCH) {
    const some = uids.slice(from, from + BATCH)
    const { sources, tooLarge } = await fetchMails(client, some)
    counts.tooLarge += tooLarge
    for (const mail of await readMails(sources)) {
      const kind =
        mail === undefined ? 'unreadable' : mail === null ? 'foreign' : await takeBounce(parts, mail)
      counts[kind] += 1
    }
    // Afterwards: a mail that a crash has read twice changes nothing.
    await keepProgress(parts.database, mailbox, { uidValidity, lastUid: some.at(-1)! })
  }
  return counts
}

/**
 * Reads mails that came back since the last look, once each. Null while another process does so.
 * @throws Error where the mailbox cannot be read
 */
export async function readBounces(parts: BounceParts): Promise<BounceCounts | null> {
  const address = parts.settings.bouncesUrl
  if (address === null) return null
  const { username, host, pathname } = new URL(address)
  const mailbox = `${username}@${host}${pathname}`
  const before = await takeLease(parts.database, mailbox)
  if (!before) return null
  try {
    const { client, lock } = await openMailbox(address)
    try {
      return await readNew(parts, client, mailbox, before)
    } finally {
      lock.release()
      client.close()
    }
  } finally {
    await endLease(parts.database, mailbox)
  }
}

/** Looks for mails that came back, every minute in the background. */
export function watchBounces(parts: BounceParts): { stop(): Promise<void> } {
  const { log, settings } = parts
  if (settings.bouncesUrl === null) return { stop: () => Promise.resolve() }
  const ended = new AbortController()
  let failure: string | undefined
  async function watch(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        const counts = await readBounces(parts)
        if (counts && Object.values(counts).some((count) => count > 0)) log.info(counts, 'mails came back')
        failure = undefined
      } catch (error) {
        // The message may name the mailbox, but never its password.
        const { message, code } = error as Error & { code?: string }
        if (failure !== message) log.error({ message, code }, 'mails that came back could not be read')
        failure = message
      }
      await wait(EVERY, undefined, { ref: false, signal: ended.signal }).catch(() => {})
    }
  }
  const watching = watch()
  return {
    stop: async () => {
      ended.abort()
      await watching
    },
  }
}
