import { setTimeout as wait } from 'node:timers/promises'

import { sql } from 'kysely'

import { IDEMPOTENCY_KEY_MAX } from '#contract/kit/endpoint.ts'

import { JsonReply, refusalReply } from './answers.ts'
import { clock, SECOND } from '../core/clock.ts'
import { type Database, type TransactionDb, unitOf } from '../database/db.ts'
import { Refusal } from '../core/refusal.ts'
import type { Secrets } from '../security/secrets.ts'

interface StoredRequest {
  key_hash: Buffer
  request_hash: Buffer
  /** Null until the response is stored. */
  status: number | null
  /** Sealed body; null without one. */
  answer: Buffer | null
  create_timestamp: string
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    /** Requests of people and API keys. Row-level security adds the organisation. */
    idempotent_requests: StoredRequest & { caller_id: string }
    /** Requests without a session, such as a sign-in; they belong to no organisation. */
    public_requests: StoredRequest
  }
}

/** A request that carries an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly keyHash: Buffer
  /** Hash of the method, the address and the input. */
  readonly requestHash: Buffer
}

const KEY = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX}}$`)
const INVALID_KEY = `The header Idempotency-Key takes 1 to ${IDEMPOTENCY_KEY_MAX} visible ASCII characters.`

/**
 * The hashed key of a request; null without a key. Both hashes are keyed with the installation's secret, because a body
 * may hold a password.
 * @throws Refusal 400 for a malformed key
 */
export function keyedRequest(
  secrets: Secrets,
  header: string | string[] | undefined,
  request: { readonly caller: string; readonly content: readonly string[] },
): KeyedRequest | null {
  if (header === undefined) return null
  const key = String(header)
  if (!KEY.test(key)) throw new Refusal(400, INVALID_KEY, { code: 'invalid_idempotency_key' })
  return {
    keyHash: Buffer.from(secrets.hash('idempotency key', request.caller, key), 'hex'),
    requestHash: Buffer.from(secrets.hash('idempotent request', ...request.content), 'hex'),
  }
}

const POLL_EVERY_MS = 100

const otherRequest = () =>
  new Refusal(422, 'This Idempotency-Key was used for another request.', { code: 'idempotency_key_reused' })
const withoutReply = () =>
  new Refusal(409, 'This request was made before, and is done or still being worked on.', {
    code: 'request_repeated',
  })

/** Encrypts replies for storage: some contain tokens or an API key. */
const sealedReply = (secrets: Secrets, { keyHash }: KeyedRequest, { status, body }: JsonReply) => ({
  status,
  answer: body === null ? null : secrets.seal(body, keyHash.toString('hex')),
})

/**
 * The stored reply of a request.
 * @throws Refusal 422 when the key was used for another request, 409 when the reply is unknown
 */
function storedReply(secrets: Secrets, request: KeyedRequest, row: StoredRequest): JsonReply {
  if (!row.request_hash.equals(request.requestHash)) throw otherRequest()
  if (row.status === null) throw withoutReply()
  const body = row.answer === null ? null : secrets.open(row.answer, request.keyHash.toString('hex'))
  return new JsonReply(row.status, body, { isReplay: true })
}

const findRequest = (db: TransactionDb, { keyHash }: KeyedRequest): Promise<StoredRequest | undefined> =>
  db.selectFrom('idempotent_requests').selectAll().where('key_hash', '=', keyHash).executeTakeFirst()

/**
 * Inserts the request and returns true, or returns false when it exists. Waits for a concurrent transaction that
 * inserts it.
 */
async function claim(db: TransactionDb, callerId: string, request: KeyedRequest): Promise<boolean> {
  const result = await db
    .insertInto('idempotent_requests')
    .values({
      caller_id: callerId,
      key_hash: request.keyHash,
      request_hash: request.requestHash,
      status: null,
      answer: null,
      create_timestamp: clock.timestamp(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

async function storeReply(
  db: TransactionDb,
  secrets: Secrets,
  request: KeyedRequest,
  answer: JsonReply,
): Promise<void> {
  await db
    .updateTable('idempotent_requests')
    .set(sealedReply(secrets, request, answer))
    .where('key_hash', '=', request.keyHash)
    .execute()
}

/**
 * Runs a request once, in the transaction of its changes: key and reply commit with them. A repetition gets the stored
 * reply.
 * @throws Refusal 409, 422
 */
export async function once(
  db: TransactionDb,
  secrets: Secrets,
  { callerId, request }: { readonly callerId: string; readonly request: KeyedRequest },
  run: () => Promise<JsonReply>,
): Promise<JsonReply> {
  if (!(await claim(db, callerId, request))) {
    const row = await findRequest(db, request)
    if (!row) throw withoutReply()
    return storedReply(secrets, request, row)
  }
  const answer = await run()
  await storeReply(db, secrets, request, answer)
  return answer
}

/** Opens a transaction of the caller's organisation. */
type Transaction<Caller> = <T>(work: (db: TransactionDb, caller: Caller) => Promise<T>) => Promise<T>

/** Ends a repeated handler, so that it undoes its preparations. */
class Repeated extends Error {
  readonly reply: JsonReply
  constructor(reply: JsonReply) {
    super('This request was done before.')
    this.reply = reply
  }
}

/**
 * Runs a handler once that opens its own transactions. Its reply transaction stores key and reply with the changes, so
 * that a crash leaves both or neither. The other transactions store no key: a repetition after a crash runs them again.
 * @param present creates the reply from the result of the reply transaction
 * @throws Refusal 409, 422
 */
export async function onceAcross<Caller>(
  transaction: Transaction<Caller>,
  secrets: Secrets,
  {
    keyed,
    present,
  }: {
    readonly keyed: { readonly callerId: string; readonly request: KeyedRequest }
    readonly present: (result: unknown) => JsonReply
  },
  run: (steps: {
    transaction: Transaction<Caller>
    replyTransaction: Transaction<Caller>
  }) => Promise<unknown>,
): Promise<JsonReply> {
  const stored = await transaction((db) => findRequest(db, keyed.request))
  if (stored) return storedReply(secrets, keyed.request, stored)
  const step: Transaction<Caller> = (work) =>
    transaction(async (db, caller) => {
      const result = await work(db, caller)
      if (unitOf(db).events.length > 0) throw new Error('Only the reply transaction records events.')
      return result
    })
  const replyTransaction: Transaction<Caller> = (work) =>
    transaction(async (db, caller) => {
      let result: Awaited<ReturnType<typeof work>> | undefined
      const reply = await once(db, secrets, keyed, async () => present((result = await work(db, caller))))
      if (reply.headers.isReplay) throw new Repeated(reply)
      return result!
    })
  try {
    return present(await run({ transaction: step, replyTransaction }))
  } catch (error) {
    if (error instanceof Repeated) return error.reply
    throw error
  }
}

/** Time after which a public request without a reply counts as lost: its process has ended. */
const LOST_AFTER = 30 * SECOND

/**
 * Runs a public request once. Its handler opens transactions itself, so the reply is stored afterwards, refusals too,
 * because their counts are committed.
 * @throws Refusal 409, 422
 */
export async function oncePublic(
  { directory }: Pick<Database, 'directory'>,
  secrets: Secrets,
  request: KeyedRequest,
  run: () => Promise<JsonReply>,
): Promise<JsonReply> {
  const lostBefore = () => new Date(clock.now() - LOST_AFTER).toISOString()
  for (const began = performance.now(); ;) {
    const { rows } = await sql`
      insert into public_requests (key_hash, request_hash, create_timestamp)
        values (${request.keyHash}, ${request.requestHash}, ${clock.timestamp()})
      on conflict (key_hash) do update set create_timestamp = excluded.create_timestamp
        where public_requests.status is null and public_requests.create_timestamp < ${lostBefore()}
          and public_requests.request_hash = excluded.request_hash
      returning 1`.execute(directory)
    if (rows.length > 0) break
    const row = await directory
      .selectFrom('public_requests')
      .selectAll()
      .where('key_hash', '=', request.keyHash)
      .executeTakeFirst()
    if (row && (row.status !== null || !row.request_hash.equals(request.requestHash)))
      return storedReply(secrets, request, row)
    if (performance.now() - began > LOST_AFTER) throw withoutReply()
    await wait(POLL_EVERY_MS)
  }
  let answer: JsonReply
  try {
    answer = await run()
  } catch (error) {
    if (!(error instanceof Refusal)) {
      await directory.deleteFrom('public_requests').where('key_hash', '=', request.keyHash).execute()
      throw error
    }
    answer = refusalReply(error)
  }
  await directory
    .updateTable('public_requests')
    .set(sealedReply(secrets, request, answer))
    .where('key_hash', '=', request.keyHash)
    .execute()
  return answer
}
