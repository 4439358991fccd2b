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

/** The caller, as the gate found them in the database. */
export interface Caller {
  readonly kind: 'person' | 'key'
  readonly id: string
  /** A person's email, a key's name. */
  readonly name: string
  readonly role: string
  readonly type: 'INTERNAL' | 'EXTERNAL'
  readonly permissions: readonly Permission[]
  /** This session has to choose a new password before anything else. */
  readonly passwordChangeRequired: boolean
  readonly sessionId: string | null
  /** Hash of the refresh token that a refresh issued their access token with. */
  readonly refreshHash?: string | undefined
  readonly organisation: { readonly id: string; readonly code: string; readonly displayName: string }
  readonly config: Config
}

/** The caller, as far as flows need to know who acts. */
export type Acting = Pick<Caller, 'kind' | 'id' | 'name' | 'role' | 'type' | 'permissions' | 'config'>

/** Staff of the provider in the console, as the gate found them in the database. */
export interface StaffCaller {
  readonly kind: 'staff'
  readonly role: StaffRole
  readonly id: string
  /** Their email. */
  readonly name: string
  readonly sessionId: string
}
type AnyCaller = Caller | StaffCaller

interface Unproven<C> {
  /** Finds the caller in the opening of the transaction. */
  readonly lookup: Lookup
  /** The caller from the row; throws 401 when there is none or it does not fit the request. */
  readonly caller: (row: unknown) => C
  /** Called with the refusal that `caller` threw, after its transaction was rolled back, to record it. */
  readonly refused?: (refusal: Refusal) => Promise<void>
}
/** A credential from a request that still has to be proven against the organisation's rows. */
export interface Credential extends Unproven<Caller> {
  readonly organisationId: string
}
/** A credential of the console that still has to be proven against the provider's rows. */
export interface StaffCredential extends Unproven<StaffCaller> {
  readonly organisationId?: undefined
}
type AnyCredential = Credential | StaffCredential
/** Reads credentials without the database. Throws 401 when they are missing, forged or expired. */
export type Gate<C extends AnyCredential = Credential> = (request: FastifyRequest) => Promise<C>

interface Meta {
  readonly requestId: string
  /** The address that the request came from. */
  readonly address: string
  readonly userAgent: string
  /** As the request names them, which a stranger may choose: see `Origins`. */
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
  /** Opens a transaction and proves the caller again in it, once the handler's own has ended: for `Rows`. */
  readonly later: <T>(work: (db: OrgDb) => Promise<T>) => Promise<T>
}
/** The context of a handler of the console. */
export interface ProviderContext extends Meta {
  readonly db: ProviderDb
  readonly caller: StaffCaller
}
type Context<A extends Access> = A['realm'] extends 'public' ? PublicContext : GuardedContext<A>
type GuardedContext<A extends Access> = A['realm'] extends 'provider' ? ProviderContext : OrgContext
/** The context of a handler that runs outside of any transaction. */
export interface OutsideTransactionContext<C = Caller, Db = OrgDb> extends Meta {
  readonly caller: C
  /** Opens one transaction of the organisation, or of the provider, and proves the caller again in it. */
  readonly transaction: <T>(work: (db: Db, caller: C) => Promise<T>) => Promise<T>
  /**
   * Opens the transaction that makes the changes. It returns what the call answers, which is stored in it under the
   * request's idempotency key: only it records events.
   */
  readonly replyTransaction: <T>(work: (db: Db, caller: C) => Promise<T>) => Promise<T>
}
/** The context of a handler of the console that runs outside of any transaction. */
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
/** A reply whose arrays are read while they are sent. */
type WithRows<Reply> = {
  readonly [K in keyof Reply]: Reply[K] extends readonly (infer Row)[] ? Rows<Row> : Reply[K]
}

/**
 * One handler for every endpoint of a contract; a missing handler or another result does not compile. A thrown refusal
 * rolls back the handler's changes; a returned one commits them, such as the count of a wrong code.
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
/** A handler with a rule about the caller that is checked before the input, as a permission is. */
export interface Ruled<Handle, C = Caller> {
  /** Throws when the caller is not allowed, before the input is read. */
  readonly first: (caller: C) => void
  readonly handle: Handle
}
/**
 * A slow handler, such as one that hashes a password or converts an image. It is called outside of any transaction,
 * after the caller is proven and allowed, and opens its own.
 */
export interface OutsideTransaction<Input, Result, Outside = OutsideTransactionContext> {
  readonly outsideTransaction: (input: Input, context: Outside) => Promise<Result | Refusal>
}

/** A received file, stored encrypted under an id that only its record will know. */
export interface UploadedFile {
  readonly blobId: string
  /** As the sender named it, without a path. */
  readonly fileName: string
  readonly size: number
  readonly sha256: string
}
/** A received file that is held in memory. */
export interface HeldFile {
  readonly bytes: Buffer
  /** As the sender named it, without a path. */
  readonly fileName: string
}
export interface ReceivedUpload {
  readonly fields: { readonly [name: string]: string }
  readonly file: UploadedFile | HeldFile
  /** Deletes the stored bytes. */
  readonly discard: () => Promise<void>
}

/** The services that `serve` uses. */
export interface ServerContext {
  readonly database: Database
  readonly secrets: Secrets
  readonly gate: Gate
  /** The gate of the calls in the realm `provider`. */
  readonly staffGate: Gate<StaffCredential>
  /** Throws 403 unless the caller's session was verified lately. */
  readonly requireVerification: (db: OrgDb, caller: Caller) => Promise<void>
  readonly limits: Limits
  /** Called for each request of an authenticated caller of an organisation. */
  readonly noteRequest: (caller: Caller) => void
  /** Streams the one file of a multipart body into the blob store. */
  readonly receive: (request: FastifyRequest, caller: Caller) => Promise<ReceivedUpload>
  /** Reads the one file of a multipart body into memory. */
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
 * Opens a transaction of the caller's organisation, or of the provider for staff, proves the caller, their access and,
 * where that asks for it, the verification of their session, and runs `work` in it.
 */
async function asCaller<T>(
  { database, noteRequest, requireVerification }: ServerContext,
  credential: AnyCredential,
  access: Access,
  work: (db: TransactionDb, caller: AnyCaller) => Promise<T>,
) {
  let caller: AnyCaller | undefined
  const { organisationId, lookup } = credential
  const actor = (row: unknown): EventActor => {
    const isFirst = !caller
    caller = credential.caller(row)
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
 * Registers a noun's handlers. For each call, in this order: who calls (401), may they (403), is what they sent
 * well-formed (400), then the handler in one transaction, then the reply stripped to what the contract declares.
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

/** The longest body that is read before its sender is proven. */
const UNPROVEN_BODY_MAX = BODY_LIMIT

const mayBeLong = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > UNPROVEN_BODY_MAX

/**
 * Reads the credential (401) before a byte of the body is read. A caller who announces a long body is proven and
 * allowed (401, 403) before that too: a made-up credential must not make the server read or check megabytes.
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
  // A file is read only after a proof of its own.
  const readsJson = endpoint.body && isJson(endpoint.body)
  if (readsJson && mayBeLong(request))
    await asCaller(server, credential, endpoint.access, async (_, caller) => first(caller))
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
  // Parsed before the transaction opens, thrown after the caller is proven: 403 comes before 400, and parsing a large
  // body does not hold the database.
  const json = attempt(() => asJson(request.body))
  // Reading megabytes and checking them each take a while: others come in between.
  if (mayBeLong(request)) await setImmediate()
  const input = attempt(() => ({
    params: check(endpoint.params, request.params),
    query: readQuery(request),
    headers: check(endpoint.headers, request.headers),
    body: endpoint.body && isJson(endpoint.body) ? check(endpoint.body, json()) : undefined,
  }))
  if (mayBeLong(request)) await setImmediate()
  const { credential } = request
  if (!credential) return handlePublic(server, route, request, reply, { ...meta, request }, input())
  const transaction: AnyOutsideContext['transaction'] = (work) =>
    asCaller(server, credential, endpoint.access, work)
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

/** @throws Refusal 429 when the caller has reached the limit of such calls */
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
  const keyed = keyOf(server, route, request, null, input)
  const result = keyed
    ? await oncePublic(server.database, server.secrets, keyed.request, async () =>
        jsonReply(route, input.query, await work(input, context)),
      )
    : await work(input, context)
  return sendResult(route, input, result, reply)
}

/**
 * Checks the caller's access first, then does the slow part without a transaction: receiving a file, or the handler
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
    if (request.headers['content-type'] !== body.type)
      throw new Refusal(415, `The body is sent as ${body.type}.`)
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
    // A refusal undoes what was done, and a replay belongs to the file that came first.
    if (result instanceof Refusal) throw result
    if (result instanceof JsonReply && (result.headers.isReplay || result.status >= 400))
      await received.discard()
  } catch (error) {
    await received.discard()
    throw error
  }
  // By now a record refers to the file, so it stays even when sending the reply fails.
  return sendResult(route, given, result, reply)
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

/** The idempotency key of a request that changes or sends something, with its caller; null without a key. */
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
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}
