import { isIP } from 'node:net'

import { type Kysely, sql } from 'kysely'

import { UPLOADS_A_MINUTE } from '#contract/attachments/schema.ts'
import { LOCKED_OUT } from '#contract/sessions/schema.ts'

import { clock, DAY, HOUR, MINUTE, SECOND } from '../core/clock.ts'
import type { Tables } from '../database/db.ts'
import { Refusal } from '../core/refusal.ts'
import type { Secrets } from './secrets.ts'

/** First lockout; each further one doubles, up to the longest (decisions §3). */
const FIRST_LOCK = MINUTE
const LONGEST_LOCK = 15 * MINUTE
/** Time without a wrong attempt, beyond the end of a lockout, after which counters are reset. */
const QUIET = 15 * MINUTE

/** Wrong codes before a lockout: of one person from anywhere, and from one address. */
const CODES = { person: 5, address: 50 }
/** Wrong passwords before a lockout: for one account from one address, and for all accounts from one address. */
const PASSWORDS = { person: 10, address: 50 }
/**
 * Wrong passwords of one account in an hour, from any addresses, after which further attempts are delayed (decisions
 * §3).
 */
const FREE_FAILURES = 30
const FIRST_DELAY = SECOND
const LONGEST_DELAY = 30 * SECOND
/** Concurrently delayed attempts in this process: for an account from one address, for an account, and in all. */
const WAITING = { address: 2, account: 50, process: 1_000 }
/** Mails per minute, by `way` for one recipient and from one address; and per day. */
const MAILS = { recipient: 10, address: 60, day: 20 }
/** Checks of mailed links per minute from one address. */
const LINKS = 60
/** Answers per minute of one recipient of a question. */
const ANSWERS = 20
const TOO_MANY_ANSWERS = 'There were too many answers. Please wait a minute.'
const TOO_MANY_UPLOADS = 'There were too many uploads. Please wait before adding more.'

/** Keys of an attempt's counters: the person's own, and that of the client address. */
export interface Tries {
  readonly keys: readonly [person: string, address: string]
  readonly most: readonly [person: number, address: number]
  /** Keyed hash of the organisation of the person. */
  readonly owner?: string | undefined
}
export interface Verdict {
  /** 429 where a counter was locked: the attempt was not evaluated. */
  readonly refusal: Refusal | null
  /** True when this attempt has locked the person's counter. */
  readonly locks: boolean
}

/** A password attempt during its comparison. */
export interface PasswordTry {
  /**
   * Records the result of the comparison, before it has any effect. Waits where the limit was passed meanwhile. `slows`
   * is true for the single wrong password after which further attempts are delayed.
   */
  settle(right: boolean): Promise<Verdict & { readonly slows: boolean }>
}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    attempts: {
      key: string
      tries: number
      lockouts: number
      locked_until: string | null
      forget_timestamp: string
      owner: string | null
    }
  }
}

/** An organisation's transaction, or the connection without one. */
type Connection = Kysely<Tables>

/** Limits and locks out guessing. The only place that counts attempts; counters are rows, so they survive a restart. */
export interface Attempts {
  /** @param organisation the code of the person's organisation, whose lockouts can be ended together */
  codes(userId: string, address: string, organisation?: string): Tries
  /**
   * Begins a password attempt for an account; call outside of transactions. Delays the attempt after too many wrong
   * ones from all addresses together. Treats unknown accounts alike.
   * @throws Refusal 429 while the account is locked for the address, or when too many attempts are waiting
   */
  tryPassword(
    directory: Connection,
    account: { code: string; email: string },
    address: string,
  ): Promise<PasswordTry>
  /** The refusal while one of the keys is locked out, or null. Read-only, so that refusing further guesses is cheap. */
  refusal(db: Connection, keys: readonly string[]): Promise<Refusal | null>
  /**
   * Counts an attempt that was compared but has had no effect yet. Inside a transaction the count lasts only if it
   * commits: return the refusal instead of throwing it.
   */
  settle(db: Connection, tries: Tries, right: boolean): Promise<Verdict>
  /**
   * Counts a mail and returns the refusal above the limit for its recipient and `way`: 10 a minute, and 20 a day with
   * `daily`.
   */
  takeMail(
    db: Connection,
    way: string,
    recipient: string,
    options?: { readonly daily: boolean },
  ): Promise<Refusal | null>
  /** Rate limit of mails per client address. */
  takeMailFrom(db: Connection, address: string): Promise<Refusal | null>
  /** Rate limit of checks of mailed links per client address. */
  takeLinkFrom(db: Connection, address: string): Promise<Refusal | null>
  /** Returns true unless `what` was recorded within the last minute. */
  takeNote(db: Connection, what: string): Promise<boolean>
  /** Rate limit of wrong links without a secret of their own per client address. */
  takeWrongLink(db: Connection, address: string): Promise<Refusal | null>
  /** Rate limit of answers per recipient of a question. */
  takeAnswer(db: Connection, recipient: string): Promise<Refusal | null>
  /** Rate limit of uploads per person. */
  takeUpload(db: Connection, who: string): Promise<Refusal | null>
  /** Ends all waits, so that a stopping server responds at once. */
  close(): void
}

/** 429 with the time at which it ends. */
export function tooSoon(until: string, sentence = LOCKED_OUT): Refusal {
  return new Refusal(429, sentence, { msUntilNextAttempt: Math.max(1, Date.parse(until) - clock.now()) })
}

async function noteOwner(db: Connection, counters: readonly string[], owner: string): Promise<void> {
  await sql`select note_owner(${counters}::text[], ${owner})`.execute(db)
}

/** Keyed hash of an organisation's code. */
const ownerOf = (secrets: Secrets, organisation: string): string =>
  secrets.hash('attempts', 'organisation', organisation)

/**
 * Ends the lockouts of an organisation's people, by the organisation's code, or all lockouts, with every other count.
 * Returns the number of lockouts.
 */
export async function endLockouts(secrets: Secrets, db: Connection, organisation?: string): Promise<number> {
  const ended = await db
    .deleteFrom('attempts')
    .$if(organisation !== undefined, (some) => some.where('owner', '=', ownerOf(secrets, organisation!)))
    .returning(sql<boolean>`coalesce(locked_until > ${clock.timestamp()}::timestamptz, false)`.as('held'))
    .execute()
  return ended.filter(({ held }) => held).length
}

const milliseconds = (ms: number) => sql`${`${ms} milliseconds`}::interval`

async function failuresOf(db: Connection, counter: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    select failures_of(${counter}, ${clock.timestamp()}::timestamptz) as failures`.execute(db)
  return rows[0]!.failures
}

async function countFailure(db: Connection, counter: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    select count_failure(${counter}, ${milliseconds(HOUR)}, ${clock.timestamp()}::timestamptz) as failures`.execute(
    db,
  )
  return rows[0]!.failures
}

export function makeAttempts(secrets: Secrets): Attempts {
  const key = (...parts: string[]) => secrets.hash('attempts', ...parts)
  const tries = (kind: string, who: string, address: string, most: typeof CODES, code?: string): Tries => ({
    keys: [key(kind, 'person', who), key(kind, 'address', networkOf(address))],
    most: [most.person, most.address],
    owner: code === undefined ? undefined : ownerOf(secrets, code),
  })

  async function take(
    db: Connection,
    counter: string,
    most: number,
    { span = MINUTE, sentence }: { span?: number; sentence?: string } = {},
  ): Promise<Refusal | null> {
    const { rows } = await sql<{ until: string | null }>`
      select take_turn(${counter}, ${most}, ${milliseconds(span)}, ${clock.timestamp()}::timestamptz) as until`.execute(
      db,
    )
    const until = rows[0]?.until
    return until ? tooSoon(until, sentence) : null
  }

  const refusal: Attempts['refusal'] = async (db, keys) => {
    const { rows } = await sql<{ until: string | null }>`
      select locked_until(${keys}::text[], ${clock.timestamp()}::timestamptz) as until`.execute(db)
    const until = rows[0]?.until
    return until ? tooSoon(until) : null
  }
  const settle: Attempts['settle'] = async (db, { keys, most, owner }, right) => {
    const { rows } = await sql<{ until: string | null; locks: boolean }>`
      select * from settle_attempt(${keys}::text[], ${most}::integer[], ${right}, ${clock.timestamp()}::timestamptz,
        ${milliseconds(FIRST_LOCK)}, ${milliseconds(LONGEST_LOCK)}, ${milliseconds(QUIET)})`.execute(db)
    const { until, locks } = rows[0]!
    if (owner !== undefined && !right && !until) await noteOwner(db, [keys[0]], owner)
    return { refusal: until ? tooSoon(until) : null, locks }
  }
  const waits = boundedWaits()

  const tryPassword: Attempts['tryPassword'] = async (directory, { code, email }, address) => {
    const account = JSON.stringify([code, email])
    const from = JSON.stringify([code, email, networkOf(address)])
    const counter = key('passwords', 'account', account)
    const ofAddress = tries('passwords', from, address, PASSWORDS, code)
    const lockedOut = await refusal(directory, ofAddress.keys)
    if (lockedOut) throw lockedOut
    const delay = delayAfter(await failuresOf(directory, counter))
    await waits.wait(delay, counter, from)
    return {
      async settle(right) {
        const verdict = await settle(directory, ofAddress, right)
        if (verdict.refusal) return { ...verdict, slows: false }
        const before = right
          ? await failuresOf(directory, counter)
          : (await countFailure(directory, counter)) - 1
        if (!right) await noteOwner(directory, [counter], ownerOf(secrets, code))
        // Concurrent attempts pass the first check together; those above the limit wait here.
        if (delay === 0) await waits.wait(delayAfter(before), counter, from)
        return { ...verdict, slows: !right && before + 1 === FREE_FAILURES }
      },
    }
  }

  return {
    codes: (userId, address, organisation) => tries('codes', userId, address, CODES, organisation),
    tryPassword,
    refusal,
    settle,
    async takeMail(db, way, recipient, { daily } = { daily: false }) {
      const tooMany = await take(db, key('mail', way, recipient), MAILS.recipient)
      if (tooMany || !daily) return tooMany
      return take(db, key('mail a day', way, recipient), MAILS.day, { span: DAY })
    },
    takeMailFrom: (db, address) => take(db, key('mail', 'address', networkOf(address)), MAILS.address),
    takeLinkFrom: (db, address) => take(db, key('links', 'address', networkOf(address)), LINKS),
    takeWrongLink: (db, address) => take(db, key('wrong links', 'address', networkOf(address)), LINKS),
    takeAnswer: (db, recipient) =>
      take(db, key('answers', recipient), ANSWERS, { sentence: TOO_MANY_ANSWERS }),
    takeNote: async (db, what) => (await take(db, key('notes', what), 1)) === null,
    takeUpload: (db, who) => take(db, key('uploads', who), UPLOADS_A_MINUTE, { sentence: TOO_MANY_UPLOADS }),
    close: waits.close,
  }
}

/** Delay of a sign-in in milliseconds, by the number of wrong passwords for its account. */
const delayAfter = (failures: number): number =>
  failures < FREE_FAILURES ? 0 : Math.min(FIRST_DELAY * 2 ** (failures - FREE_FAILURES), LONGEST_DELAY)

/** Waits with a limit on concurrent ones, in all and per key. */
function boundedWaits() {
  const closing = new AbortController()
  const waiting = new Map<string, number>()
  const add = (name: string, by: 1 | -1) => {
    const now = (waiting.get(name) ?? 0) + by
    if (now === 0) waiting.delete(name)
    else waiting.set(name, now)
  }
  return {
    /** @throws Refusal 429 when too many are waiting */
    async wait(ms: number, account: string, address: string): Promise<void> {
      if (ms === 0) return
      const bounds = { all: WAITING.process, [account]: WAITING.account, [address]: WAITING.address }
      for (const [name, most] of Object.entries(bounds))
        if ((waiting.get(name) ?? 0) >= most) throw new Refusal(429, LOCKED_OUT, { msUntilNextAttempt: ms })
      const names = Object.keys(bounds)
      for (const name of names) add(name, 1)
      try {
        await clock.wait(ms, closing.signal)
      } finally {
        for (const name of names) add(name, -1)
      }
      if (closing.signal.aborted)
        throw new Refusal(503, 'The server is stopping. Please try again in a moment.')
    },
    close: () => closing.abort(),
  }
}

/** An IPv4 address as IPv6, in the spelling of the URL standard: `::ffff:cb00:7107` (RFC 4291). */
const MAPPED = /^::ffff:([\da-f]+):([\da-f]+)$/
/** Some proxies include the port, which differs per connection. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/

/** The part of an address that one customer of a network holds: half of an IPv6 address, the whole of any other. */
export function networkOf(address: string): string {
  const [, bracketed, dotted] = WITH_PORT.exec(address) ?? []
  const plain = (bracketed ?? dotted ?? address).split('%', 1)[0]!
  if (isIP(plain) !== 6) return plain
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [, high, low] = MAPPED.exec(canonical) ?? []
  if (high && low)
    return [high, low]
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.')
  const [head = '', tail] = canonical.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const between = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: between }, () => '0'), ...after].slice(0, 4).join(':')
}
