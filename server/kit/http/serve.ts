import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'

import type { Config } from '#contract/config/catalogue.ts'
import {
  type Access,
  allows,
  needsVerification,
  type Permission,
  type StaffRole,
} from '#contract/kit/access.ts'
import {
  type Api,
  BODY_LIMIT,
  type Bytes,
  type Endpoint,
  type Held,
  type HeldUpload,
  type Input,
  isDownload,
  isBytes,
  isJson,
  isRepeatable,
  isUpload,
  limitOf,
  type List,
  type Schema,
  type Upload,
} from '#contract/kit/endpoint.ts'

import {
  type FileReply,
  isStreamed,
  JsonReply,
  jsonReply,
  type Page,
  sendFile,
  sendJson,
  sendStreamed,
  type WholeList,
} from './answers.ts'
import type { Database, EventActor, OrgDb, ProviderDb, TransactionDb } from '../database/db.ts'
import type { Lookup } from '../database/lookup.ts'
import { keyedRequest, type KeyedRequest, once, onceAcross, oncePublic } from './idempotency.ts'
import { asJson, attempt, check, queryReader, type Read } from './inputs.ts'
import type { Limits } from './limits.ts'
import { FORBIDDEN, Refusal } from '../core/refusal.ts'
import { type Cut, cutterOf, type Write, writerOf } from './replies.ts'
import type { Rows } from './rows.ts'
import type { Secrets } from '../security/secrets.ts'

/** An authenticated caller, as in the database. */
export interface Caller {
  readonly kind: 'person' | 'key'
  readonly id: string
  /** Email address of a person, name of a key. */
  readonly name: string
  readonly role: string
  readonly type: 'INTERNAL' | 'EXTERNAL'
  readonly permissions: readonly Permission[]
  /** The session must set a new password before anything else. */
  readonly passwordChangeRequired: boolean
  readonly sessionId: string | null
  /** Hash of the refresh token that was exchanged for the access token. */
  readonly refreshHash?: string | undefined
  readonly organisation: { readonly id: string; readonly code: string; readonly displayName: string }
  readonly config: Config
}

/** The part of a caller that flows need. */
export type Acting = Pick<Caller, 'kind' | 'id' | 'name' | 'role' | 'type' | 'permissions' | 'config'>

/** A member of staff in the console, as in the database. */
export interface StaffCaller {
  readonly kind: 'staff'
  readonly role: StaffRole
  readonly id: string
  /** Email address. */
  readonly name: string
  readonly sessionId: string
}
type AnyCaller = Caller | StaffCaller

interface Unproven<C> {
  /** Finds the caller while the transaction is opened. */
  readonly lookup: Lookup
  /**
   * The caller from the row.
   * @throws Refusal 401 when there is none or it does not fit the request
   */
  readonly caller: (row: unknown) => C
  /** Records a refusal that `caller` threw, after its transaction was rolled back. */
  readonly refused?: (refusal: Refusal) => Promise<void>
}
/** A credential that is not verified against the organisation's rows yet. */
export interface Credential extends Unproven<Caller> {
  readonly organisationId: string
}
/** A console credential that is not verified against the provider's rows yet. */
export interface StaffCredential extends Unproven<StaffCaller> {
  readonly organisationId?: undefined
}
type AnyCredential = Credential | StaffCredential
/**
 * Reads credentials without the database.
 * @throws Refusal 401 when they are missing, forged or expired
 */
export type Gate<C extends AnyCredential = Credential> = (request: FastifyRequest) => Promise<C>

interface Meta {
  readonly requestId: string
  /** Client address. */
  readonly address: string
  readonly userAgent: string
  /** Host and protocol of the request, which may be forged: see `Origins`. */
  readonly host: string
  readonly protocol: 'http' | 'https'
  readonly log: FastifyRequest['log']
}
export interface PublicContext extends Meta {
  readonly request: FastifyRequest
}
export interface OrgContext extends Meta {
  readonly db: OrgDb
  readonly caller: Caller
  /** Opens a transaction after the handler's own has ended, and authenticates the caller again: for `Rows`. */
  readonly later: <T>(work: (db: OrgDb) => Promise<T>) => Promise<T>
}
/** Context of a console handler. */
export interface ProviderContext extends Meta {
  readonly db: ProviderDb
  readonly caller: StaffCaller
  /** As with a caller of an organisation. */
  readonly later: <T>(work: (db: ProviderDb) => Promise<T>) => Promise<T>
}
type Context<A extends Access> = A['realm'] extends 'public' ? PublicContext : GuardedContext<A>
type GuardedContext<A extends Access> = A['realm'] extends 'provider' ? ProviderContext : OrgContext
/** Context of a handler outside of any transaction. */
export interface OutsideTransactionContext<C = Caller, Db = OrgDb> extends Meta {
  readonly caller: C
  /** Opens a transaction of the organisation or the provider, and authenticates the caller again. */
  readonly transaction: <T>(work: (db: Db, caller: C) => Promise<T>) => Promise<T>
  /**
   * Opens the transaction of the changes. Its result is the reply, stored under the request's idempotency key. Only
   * this transaction records events.
   */
  readonly replyTransaction: <T>(work: (db: Db, caller: C) => Promise<T>) => Promise<T>
}
/** Context of a console handler outside of any transaction. */
export type ProviderOutsideTransactionContext = OutsideTransactionContext<StaffCaller, ProviderDb>
type OutsideContext<A extends Access> = OutsideTransactionContext<
  GuardedContext<A>['caller'],
  GuardedContext<A>['db']
>

type HandlerInput<E extends Endpoint> = Input<E> &
  (E['body'] extends HeldUpload
    ? { file: HeldFile }
    : E['body'] extends Upload
      ? { file: UploadedFile }
      : E['body'] extends Bytes
        ? { bytes: IncomingMessage }
        : unknown)
type Result<E extends Endpoint> =
  E['reply'] extends List<infer Item>
    ? Page<z.input<Item>> | WholeList<z.input<Item>>
    : E['reply'] extends Schema
      ? z.input<E['reply']> extends undefined
        ? void
        : z.input<E['reply']> | WithRows<z.input<E['reply']>>
      : FileReply
/** A reply with arrays that are read while they are sent. */
type WithRows<Reply> = {
  readonly [K in keyof Reply]: Reply[K] extends readonly (infer Row)[] ? Rows<Row> : Reply[K]
}

/**
 * One handler per endpoint of a contract; a missing handler or another result does not compile. A thrown refusal rolls
 * back the handler's changes; a returned one commits them, such as the count of a wrong code.
 */
export type Handlers<A extends Api> = {
  [K in keyof A]:
    | Handler<A[K]>
    | (A[K]['access']['realm'] extends 'public'
        ? never
        :
            | OutsideTransaction<HandlerInput<A[K]>, Result<A[K]>, OutsideContext<A[K]['access']>>
            | Ruled<Handler<A[K]>, GuardedContext<A[K]['access']>['caller']>)
}
type Handler<E extends Endpoint> = (
  input: HandlerInput<E>,
  context: Context<E['access']>,
) => Promise<Result<E> | Refusal>
/** A handler with a rule about the caller that is checked before the input, like a permission. */
export interface Ruled<Handle, C = Caller> {
  /** Throws when the caller is not allowed, before the input is read. */
  readonly first: (caller: C) => void
  readonly handle: Handle
}
/**
 * A slow handler, such as one that hashes a password or converts an image. Called outside of transactions, after the
 * caller is authenticated and allowed; opens its own.
 */
export interface OutsideTransaction<Input, Result, Outside = OutsideTransactionContext> {
  readonly outsideTransaction: (input: Input, context: Outside) => Promise<Result | Refusal>
}

/** A received file, stored encrypted under an id that its record is yet to refer to. */
export interface UploadedFile {
  readonly blobId: string
  /** The sender's file name, without a path. */
  readonly fileName: string
  readonly size: number
  readonly sha256: string
}
/** A received file in memory. */
export interface HeldFile {
  readonly bytes: Buffer
  /** The sender's file name, without a path. */
  readonly fileName: string
}
export interface ReceivedUpload {
  readonly fields: { readonly [name: string]: string }
  readonly file: UploadedFile | HeldFile
  readonly discard: () => Promise<void>
}

/** Services that `serve` uses. */
export interface ServerContext {
  readonly database: Database
  readonly secrets: Secrets
  readonly gate: Gate
  /** Gate of the realm `provider`. */
  readonly staffGate: Gate<StaffCredential>
  /** @throws Refusal 403 unless the caller's session was verified recently */
  readonly requireVerification: (db: OrgDb, caller: Caller) => Promise<void>
  readonly limits: Limits
  /** Called for each authenticated request of an organisation's caller. */
  readonly noteRequest: (caller: Caller) => void
  /** Streams the single file of a multipart body into the blob store. */
  readonly receive: (request: FastifyRequest, caller: Caller) => Promise<ReceivedUpload>
  /** Reads the single file of a multipart body into memory. */
  readonly hold: (request: FastifyRequest, held: Held) => Promise<ReceivedUpload>
}

type AnyOutsideContext = OutsideTransactionContext<AnyCaller, TransactionDb>
type AnyHandler =
  | ((input: unknown, context: unknown) => Promise<unknown>)
  | OutsideTransaction<unknown, unknown, AnyOutsideContext>
interface Route {
  readonly endpoint: Endpoint
  readonly first: (caller: AnyCaller) => void
  readonly handler: AnyHandler
  readonly cut: Cut
  readonly write: Write
  readonly readQuery: (request: FastifyRequest) => unknown
}

/**
 * Opens a transaction of the caller's organisation, or of the provider for staff, authenticates the caller, checks
 * access and, where required, the verification of the session, and runs `work`.
 */
async function asCaller<T>(
  { database, noteRequest, requireVerification }: ServerContext,
  request: FastifyRequest,
  access: Access,
  work: (db: TransactionDb, caller: AnyCaller) => Promise<T>,
) {
  let caller: AnyCaller | undefined
  const credential = request.credential!
  const { organisationId, lookup } = credential
  const actor = (row: unknown): EventActor => {
    const isFirst = !caller
    caller = credential.caller(row)
    request.caller = caller
    if (!allows(access, caller)) throw new Refusal(403, FORBIDDEN)
    if (isFirst && caller.kind !== 'staff') noteRequest(caller)
    return { kind: caller.kind, id: caller.id, name: caller.name }
  }
  const run = async (db: TransactionDb) => {
    if (needsVerification(access, caller!)) await requireVerification(db as OrgDb, caller as Caller)
    return work(db, caller!)
  }
  try {
    if (organisationId === undefined) return await database.withProvider({ lookup, actor }, run)
    const opening = { organisationId, lookup, actor }
    return await database.withOrganisation(opening, run)
  } catch (error) {
    if (error instanceof Refusal && !caller) await credential.refused?.(error)
    throw error
  }
}

/**
 * Registers a noun's handlers. Each call is authenticated (401), authorised (403) and validated (400), in this order;
 * then the handler runs in one transaction, and its reply is stripped to the contract.
 */
export function serve<A extends Api>(
  app: FastifyInstance,
  server: ServerContext,
  base: string,
  api: A,
  handlers: Handlers<A>,
): void {
  for (const [name, endpoint] of Object.entries(api)) {
    if (endpoint.access.realm === 'provider' && endpoint.body && !isJson(endpoint.body))
      throw new Error('Files are stored for organisations only.')
    const given = handlers[name] as unknown as AnyHandler | Ruled<AnyHandler, AnyCaller>
    const { first, handle: handler } = 'handle' in given ? given : { first: () => {}, handle: given }
    const route: Route = {
      endpoint,
      first,
      handler,
      cut: cutterOf(endpoint),
      write: writerOf(endpoint),
      readQuery: queryReader(endpoint.query),
    }
    app.route({
      method: endpoint.method,
      url: base + endpoint.path,
      config: { endpoint },
      bodyLimit: endpoint.bodyLimit ?? BODY_LIMIT,
      onRequest: async (request, reply) => {
        if (endpoint.everyHeaders) void reply.headers(endpoint.everyHeaders)
        await admit(server, route, request)
      },
      handler: (request, reply) => handle(server, route, request, reply),
    })
  }
}

/** Longest body that is read before its sender is authenticated. */
const UNPROVEN_BODY_MAX = BODY_LIMIT

const mayBeLong = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > UNPROVEN_BODY_MAX

/**
 * Reads the credential (401) before the body. For a long announced body, the caller is also authenticated and
 * authorised (401, 403) before it: a made-up credential must not make the server read or validate megabytes.
 */
async function admit(
  server: ServerContext,
  { endpoint, first }: Route,
  request: FastifyRequest,
): Promise<void> {
  const { realm } = endpoint.access
  if (realm === 'public') return
  const credential = await (realm === 'provider' ? server.staffGate(request) : server.gate(request))
  request.credential = credential
  // Uploads authenticate the caller later, before the file is read.
  const readsJson = endpoint.body && isJson(endpoint.body)
  if (readsJson && mayBeLong(request))
    await asCaller(server, request, endpoint.access, async (_, caller) => first(caller))
}

async function handle(
  server: ServerContext,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { endpoint, handler, readQuery } = route
  const meta: Meta = {
    requestId: request.id,
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    host: request.host,
    protocol: request.protocol,
    log: request.log,
  }
  // Parsed before the transaction opens, thrown after the caller is authorised: 403 comes before 400, and parsing a
  // large body does not hold a connection.
  const json = attempt(() => asJson(request.body))
  // Reading and validating megabytes are slow: other requests run in between.
  if (mayBeLong(request)) await setImmediate()
  const input = attempt(() => ({
    params: check(endpoint.params, request.params),
    query: readQuery(request),
    headers: check(endpoint.headers, request.headers),
    body: endpoint.body && isJson(endpoint.body) ? check(endpoint.body, json()) : undefined,
  }))
  if (mayBeLong(request)) await setImmediate()
  if (!request.credential) return handlePublic(server, route, request, reply, { ...meta, request }, input())
  const transaction: AnyOutsideContext['transaction'] = (work) =>
    asCaller(server, request, endpoint.access, work)
  if (typeof handler === 'function' && (!endpoint.body || isJson(endpoint.body))) {
    const result = await transaction(async (db, caller) => {
      route.first(caller)
      const given = input()
      countCall(server, endpoint, caller, given)
      const run = () => handler(given, { ...meta, db, caller, later: transaction })
      const keyed = keyOf(server, route, request, caller, given)
      return keyed
        ? once(db, server.secrets, keyed, async () => jsonReply(route, given.query, await run()))
        : run()
    })
    return sendResult(route, input(), result, reply)
  }
  const caller = await transaction(async (_, proven) => proven)
  route.first(caller)
  const given = input()
  countCall(server, endpoint, caller, given)
  const context = { ...meta, caller, transaction, replyTransaction: transaction }
  return handleInSteps(server, route, request, reply, context, given)
}

/** @throws Refusal 429 when the caller has reached the limit */
function countCall(
  { limits }: ServerContext,
  endpoint: Endpoint,
  { id }: AnyCaller,
  { query }: Pick<Read, 'query'>,
): void {
  const limit = limitOf(endpoint, query)
  if (limit) limits.take(limit, id)
}

async function handlePublic(
  server: ServerContext,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  context: PublicContext,
  input: Read,
): Promise<unknown> {
  const work = route.handler as Extract<AnyHandler, (...given: never) => unknown>
  const { body } = route.endpoint
  if (body && isBytes(body)) {
    demandType(request, body)
    return sendResult(route, input, await work({ ...input, bytes: request.raw }, context), reply)
  }
  const keyed = keyOf(server, route, request, null, input)
  const result = keyed
    ? await oncePublic(server.database, server.secrets, keyed.request, async () =>
        jsonReply(route, input.query, await work(input, context)),
      )
    : await work(input, context)
  return sendResult(route, input, result, reply)
}

/**
 * Checks the caller's access first, then runs the slow part without a transaction: receiving a file, or the handler
 * itself.
 */
async function handleInSteps(
  server: ServerContext,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  context: AnyOutsideContext,
  given: Read,
): Promise<unknown> {
  const { body } = route.endpoint
  if (body && isBytes(body)) {
    demandType(request, body)
    const input = { ...given, bytes: request.raw }
    return sendResult(route, given, await runInSteps(server, route, request, context, input), reply)
  }
  if (!body || !isUpload(body))
    return sendResult(route, given, await runInSteps(server, route, request, context, given), reply)
  const received = await (body.held
    ? server.hold(request, body.held)
    : server.receive(request, context.caller as Caller))
  let result: unknown
  try {
    const input = { ...given, body: check(body.fields, received.fields), file: received.file }
    result = await runInSteps(server, route, request, context, input)
    // A refusal discards the file, and a replay belongs to the first one.
    if (result instanceof Refusal) throw result
    if (result instanceof JsonReply && (result.headers.isReplay || result.status >= 400))
      await received.discard()
  } catch (error) {
    await received.discard()
    throw error
  }
  // A record refers to the file now, so it stays even when sending the reply fails.
  return sendResult(route, given, result, reply)
}

/** @throws Refusal 415 */
function demandType({ headers }: FastifyRequest, { type }: Bytes): void {
  if (headers['content-type'] !== type) throw new Refusal(415, `The body is sent as ${type}.`)
}

/** Runs a handler that opens its own transactions, or a handler of an upload. */
async function runInSteps(
  server: ServerContext,
  route: Route,
  request: FastifyRequest,
  context: AnyOutsideContext,
  input: Read & { readonly file?: ReceivedUpload['file'] },
): Promise<unknown> {
  const { handler } = route
  const { caller, transaction, replyTransaction: _, ...meta } = context
  const keyed = keyOf(server, route, request, caller, input)
  const present = (result: unknown) => jsonReply(route, input.query, result)
  if (typeof handler === 'function') {
    return transaction((db, proven) => {
      const run = () => handler(input, { ...meta, db, caller: proven, later: transaction })
      return keyed ? once(db, server.secrets, keyed, async () => present(await run())) : run()
    })
  }
  if (!keyed) return handler.outsideTransaction(input, context)
  return onceAcross(transaction, server.secrets, { keyed, present }, (steps) =>
    handler.outsideTransaction(input, { ...context, ...steps }),
  )
}

/** The idempotency key of a changing or sending request, with its caller; null without a key. */
function keyOf(
  { secrets }: ServerContext,
  { endpoint }: Route,
  request: FastifyRequest,
  caller: AnyCaller | null,
  input: Read & { readonly file?: ReceivedUpload['file'] },
): { readonly callerId: string; readonly request: KeyedRequest } | null {
  if (isRepeatable(endpoint)) return null
  const { file } = input
  const sent = file
    ? [JSON.stringify(input.body), file.fileName, sha256Of(file)]
    : [
        Buffer.isBuffer(request.body) ? sha256(request.body) : '',
        ...(endpoint.headers ? [JSON.stringify(input.headers)] : []),
      ]
  const keyed = keyedRequest(secrets, request.headers['idempotency-key'], {
    caller: caller?.id ?? 'public',
    content: [request.method, request.url, ...sent],
  })
  return keyed && { callerId: caller?.id ?? '', request: keyed }
}
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const sha256Of = (file: ReceivedUpload['file']): string =>
  'bytes' in file ? sha256(file.bytes) : file.sha256

/** Sends a handler's result, or the stored reply of its idempotency key. */
async function sendResult(route: Route, input: Read, result: unknown, reply: FastifyReply): Promise<unknown> {
  if (result instanceof Refusal) throw result
  if (isDownload(route.endpoint.reply) && !(result instanceof JsonReply))
    return sendFile(reply, result as FileReply)
  const { replyHeaders, status } = route.endpoint
  if (!replyHeaders && !(result instanceof JsonReply) && isStreamed(route.endpoint, result))
    return sendStreamed(reply, route, input.query, result)
  const answer = result instanceof JsonReply ? result : jsonReply(route, input.query, result)
  if (!replyHeaders || answer.status >= 400 || answer.body === null) return sendJson(reply, answer)
  void reply.headers(replyHeaders(JSON.parse(answer.body)))
  return sendJson(reply, status === 204 ? new JsonReply(204, null, answer.headers) : answer)
}

declare module 'fastify' {
  interface FastifyRequest {
    credential?: AnyCredential
    /** Known once the credential is proven, also where the call is refused. */
    caller?: AnyCaller
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}
