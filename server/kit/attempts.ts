import { isIP } from 'node:net'

import { type Kysely, sql } from 'kysely'

import { UPLOADS_A_MINUTE } from '#contract/attachments/schema.ts'
import { LOCKED_OUT } from '#contract/sessions/schema.ts'

import { clock, MINUTE } from './clock.ts'
import type { Tables } from './db.ts'
import { Refusal } from './refusal.ts'
import type { Secrets } from './secrets.ts'

/** A lockout lasts so long the first time, and twice as long each further time, up to the longest (decisions §3). */
const FIRST_LOCK = MINUTE
const LONGEST_LOCK = 15 * MINUTE
/** After so long without a wrong attempt, beyond the end of a lockout, everything is forgotten. */
const QUIET = 15 * MINUTE

/** Wrong codes of one person, wherever they come from, and wrong codes from one address, before a lockout. */
const CODES = { person: 5, address: 5 }
/** Wrong passwords for one account from one address, and for all accounts from one address. */
const PASSWORDS = { person: 10, address: 50 }
/** Mails that may be asked for in a minute: by each way for one recipient, and from one address. */
const MAILS = { recipient: 10, address: 60 }
const TOO_MANY_UPLOADS = 'There were too many uploads. Please wait before adding more.'

/** What an attempt is counted under: the person's own counter, and that of the address it comes from. */
export interface Tries {
  readonly keys: readonly [person: string, address: string]
  readonly most: readonly [person: number, address: number]
}
export interface Verdict {
  /** 429 where a counter was locked: the attempt was not looked at, whether it was right or not. */
  readonly refusal: Refusal | null
  /** This attempt has locked the person's counter. */
  readonly locks: boolean
}

declare module '#server/kit/db.ts' {
  interface Tables {
    attempts: {
      key: string
      tries: number
      lockouts: number
      locked_until: string | null
      forget_timestamp: string
    }
  }
}

/** An organisation's transaction, or the connection that belongs to none. */
type Connection = Kysely<Tables>

/** Whoever guesses is locked out: the one place that counts. Counters are rows, so that they outlive a restart. */
export interface Attempts {
  codes(userId: string, address: string): Tries
  passwords(account: { code: string; email: string }, address: string): Tries
  /** The refusal of whoever is locked out. Nothing is written, so that guessing on is cheap to refuse. */
  refusal(db: Connection, keys: readonly string[]): Promise<Refusal | null>
  /**
   * Decides about an attempt that was compared already; nothing may have come of it yet. In a transaction, the count
   * lasts only if that commits: answer the refusal rather than throwing it.
   */
  settle(db: Connection, tries: Tries, right: boolean): Promise<Verdict>
  /** The refusal of a mail that is asked for too often, in one of the ways to ask for one. */
  askForMail(db: Connection, way: string, recipient: string): Promise<Refusal | null>
  /** The same for whoever asks from an address. */
  askFrom(db: Connection, address: string): Promise<Refusal | null>
  /** Whether something that may happen again and again was not written down in the last minute. */
  askToNote(db: Connection, what: string): Promise<boolean>
  /** The refusal of somebody who adds files faster than anybody has a use for them. */
  askToUpload(db: Connection, who: string): Promise<Refusal | null>
}

/** 429 with the time until when it lasts. */
export function tooSoon(until: string, sentence = LOCKED_OUT): Refusal {
  return new Refusal(429, sentence, { msUntilNextAttempt: Math.max(1, Date.parse(until) - clock.now()) })
}

const milliseconds = (ms: number) => sql`${`${ms} milliseconds`}::interval`

export function makeAttempts(secrets: Secrets): Attempts {
  const key = (...parts: string[]) => secrets.hash('attempts', ...parts)
  const tries = (kind: string, who: string, address: string, most: typeof CODES): Tries => ({
    keys: [key(kind, 'person', who), key(kind, 'address', networkOf(address))],
    most: [most.person, most.address],
  })

  async function take(
    db: Connection,
    asked: string,
    most: number,
    sentence?: string,
  ): Promise<Refusal | null> {
    const { rows } = await sql<{ until: string | null }>`
      select take_turn(${asked}, ${most}, ${milliseconds(MINUTE)}, ${clock.timestamp()}::timestamptz) as until`.execute(
      db,
    )
    const until = rows[0]?.until
    return until ? tooSoon(until, sentence) : null
  }

  return {
    codes: (userId, address) => tries('codes', userId, address, CODES),
    passwords: ({ code, email }, address) =>
      tries('passwords', JSON.stringify([code, email, networkOf(address)]), address, PASSWORDS),
    async refusal(db, keys) {
      const { rows } = await sql<{ until: string | null }>`
        select locked_until(${keys}::text[], ${clock.timestamp()}::timestamptz) as until`.execute(db)
      const until = rows[0]?.until
      return until ? tooSoon(until) : null
    },
    async settle(db, { keys, most }, right) {
      const { rows } = await sql<{ until: string | null; locks: boolean }>`
        select * from settle_attempt(${keys}::text[], ${most}::integer[], ${right}, ${clock.timestamp()}::timestamptz,
          ${milliseconds(FIRST_LOCK)}, ${milliseconds(LONGEST_LOCK)}, ${milliseconds(QUIET)})`.execute(db)
      const { until, locks } = rows[0]!
      return { refusal: until ? tooSoon(until) : null, locks }
    },
    askForMail: (db, way, recipient) => take(db, key('mail', way, recipient), MAILS.recipient),
    askFrom: (db, address) => take(db, key('mail', 'address', networkOf(address)), MAILS.address),
    askToNote: async (db, what) => (await take(db, key('notes', what), 1)) === null,
    askToUpload: (db, who) => take(db, key('uploads', who), UPLOADS_A_MINUTE, TOO_MANY_UPLOADS),
  }
}

/** The part of an address that one customer of a network holds: half of an IPv6 address, the whole of any other. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIP(plain) !== 6) return plain
  const [head = '', tail] = plain.replace(/(\d+)\.(\d+)\.\d+\.\d+$/, '0:0').split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const between = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: between }, () => '0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
