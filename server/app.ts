import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'

import { BODY_LIMIT, type Endpoint, isDownload, isUpload } from '#contract/kit/endpoint.ts'
import { DATABASE_UNAVAILABLE } from '#contract/kit/outage.ts'
import { registryApi } from '#contract/organisations/api.ts'
import { keyCredential, type UsageCounter } from '#server/api-keys/flows.ts'
import type { ChatMirror } from '#server/chat/hosted.flows.ts'
import { registerCalendar } from '#server/calendar-feed/calendar.flows.ts'
import { registerDeclarations } from '#server/declarations/calls.flows.ts'
import type { Bus } from '#server/kit/events/bus.ts'
import { refuseAddress, refuseClientError, registerClientErrors } from '#server/kit/http/client-errors.ts'
import type { DiskSpace } from '#server/kit/http/disk-space.ts'
import type { LiveFeed } from '#server/kit/live/feed.ts'
import { registerHealth } from '#server/kit/http/health.ts'
import { ConsoleLiveHub } from '#server/kit/live/console-live.ts'
import { LiveHub } from '#server/kit/live/live.ts'
import { registerDocs } from '#server/kit/openapi/openapi.ts'
import { registerHttpCarriers } from '#server/kit/messages/http-callbacks.ts'
import type { InboundSms } from '#server/kit/messages/messages.ts'
import { registerTwilio } from '#server/kit/messages/twilio-callbacks.ts'
import { registerOutbox } from '#server/kit/messages/outbox.ts'
import { makeLimits } from '#server/kit/http/limits.ts'
import { API_BASE, MANAGEMENT_BASE } from '#server/kit/noun.ts'
import { html, htmlPage } from '#server/kit/http/page.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import { type Caller, type Gate, type ServerContext, serve } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { registerSecurityTxt } from '#server/kit/http/security-txt.ts'
import { registerSite } from '#server/kit/http/site.ts'
import { outageProblem } from '#server/kit/database/outages.ts'
import { storageProblem } from '#server/kit/http/storage-problems.ts'
import { acceptUploads, holdUpload, receiveUpload } from '#server/kit/http/uploads.ts'
import { APIS, AUDIENCE, CONSOLE_HINTS, MANAGEMENT_APIS, MANAGEMENT_NOUNS, NOUNS } from '#server/nouns.ts'
import { registryRoutes } from '#server/organisations/routes.ts'
import { ReceivedTokens, sessionCredential, sessionCredentialOf } from '#server/sessions/flows.ts'
import { staffCredential } from '#server/staff/sign-in.flows.ts'
import { listOpenSessions } from '#server/staff/store.ts'
import type { ActivityLog } from '#server/users/activity.flows.ts'
import { measuring } from '#server/metrics/flows.ts'
import { takeKey, takeReply } from '#server/mass-notifications/replies.flows.ts'
import { registerAnswerPage } from '#server/mass-notifications/answer-page.flows.ts'
import { registerStakeholderPage } from '#server/stakeholder-links/page.flows.ts'
import { requireVerification } from '#server/verifications/flows.ts'

/**
 * One log line for each call, after its response: failures of the server at `error`, slow calls at `warn`, refusals at
 * `info`, successes, 401 and 404 at `debug`.
 */
class RequestLog extends LogController {
  readonly #slowMs: number
  constructor(slowMs: number) {
    super()
    this.#slowMs = slowMs
  }
  override incomingRequest(): void {}
  override routeNotFound(): void {}
  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const status = reply.statusCode
    const level =
      status >= 500 ? 'error' : status >= 400 && status !== 401 && status !== 404 ? 'info' : 'debug'
    // Tickets and tokens are credentials, so the log masks them.
    const params = (request.params as object | undefined) ?? {}
    const isSecret = Object.hasOwn(params, 'ticket') || Object.hasOwn(params, 'token')
    const path = isSecret ? request.routeOptions.url : request.url.split('?')[0]
    const ms = Math.round(reply.elapsedTime)
    const facts = { method: request.method, path, status, ms, ...callerOf(request) }
    if (ms >= this.#slowMs && level !== 'error' && !isTransfer(request)) request.log.warn(facts, 'slow call')
    else request.log[level](facts, 'answered')
  }
}

/** A call whose duration is that of the caller's line: an upload, a download, a socket. */
function isTransfer({ routeOptions, raw }: FastifyRequest): boolean {
  const { endpoint } = routeOptions.config
  if (!endpoint) return raw.headers.upgrade !== undefined
  return (endpoint.body !== undefined && isUpload(endpoint.body)) || isDownload(endpoint.reply)
}

/** The caller in log lines, by ids only. */
const callerOf = ({ caller }: FastifyRequest) =>
  caller && {
    caller: caller.kind,
    callerId: caller.id,
    ...(caller.kind === 'staff' ? {} : { organisationId: caller.organisation.id }),
  }

export interface AppParts {
  readonly services: Services
  readonly bus: Bus
  /** The parts of the live socket beside the event stream. */
  readonly feeds: readonly LiveFeed[]
  readonly log: Logger
  readonly usage: UsageCounter
  readonly activity: ActivityLog
  readonly space: DiskSpace
  readonly mirror: Pick<ChatMirror, 'isUsed'>
  /** Warnings of `/health/ready`. */
  readonly warnings: () => readonly string[]
  /** Folder of the built front end. */
  readonly siteDir: string
}

/** Authenticates a request: by API key where one is sent, otherwise by bearer token. */
const gateOf =
  (services: Services): Gate =>
  async (request) => {
    const code = header(request, 'enterprise-code')?.trim().toLowerCase()
    const key = header(request, 'x-api-key')
    if (key !== undefined) return keyCredential(services, key, code, request.ip)
    const token = /^Bearer (\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1]
    if (!token) throw new Refusal(401, 'Please sign in.')
    return sessionCredential(services, token, code)
  }

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Endpoints that work while the disk is full: signing in, staying signed in and reading. */
const ALWAYS: ReadonlySet<Endpoint> = new Set<Endpoint>(
  [...Object.values(NOUNS), ...Object.values(MANAGEMENT_NOUNS)].flatMap(({ api, needsNoDiskSpace }) =>
    Object.entries(api).flatMap(([name, endpoint]) =>
      needsNoDiskSpace === true || needsNoDiskSpace?.includes(name) ? [endpoint] : [],
    ),
  ),
)

/** Refuses writes while the disk is full, after authentication and before the body is read. */
function keepReserve({ method, routeOptions }: FastifyRequest, { space }: AppParts): void {
  const { endpoint } = routeOptions.config
  // Deletions pass, because they free space.
  if (endpoint && method !== 'GET' && method !== 'DELETE' && !ALWAYS.has(endpoint)) space.demandRoom()
}

interface App {
  readonly app: FastifyInstance
  readonly hub: LiveHub
  readonly consoleHub: ConsoleLiveHub
}

/** The live socket of the provider's console. */
const makeConsoleHub = ({ services, bus, log }: AppParts): ConsoleLiveHub =>
  new ConsoleLiveHub({
    database: services.database,
    bus,
    tokens: services.tokens,
    openSessions: (db, ids) => listOpenSessions(db, ids, services.settings),
    hints: CONSOLE_HINTS,
    origins: services.origins,
    onError: (error) => log.error(error, 'console live'),
  })

/** The context that handlers are given. */
function serverContext({ services, log, usage, activity }: AppParts): ServerContext {
  const received = new ReceivedTokens(services.database, (error) => log.error(error, 'received tokens'))
  return {
    database: services.database,
    secrets: services.secrets,
    gate: gateOf(services),
    staffGate: (request) => staffCredential(services, header(request, 'authorization')),
    requireVerification,
    noteRequest: (caller: Caller) => {
      if (caller.kind === 'key') return usage.noteUse(caller)
      received.note(caller)
      activity.seen(caller)
    },
    receive: receiveUpload(services.blobs),
    hold: holdUpload,
    limits: makeLimits(),
  }
}

/** Registers what people without an account and carriers reach: the outbox, answer pages and callbacks. */
function registerOutside(app: FastifyInstance, services: Services): void {
  registerOutbox(app, {
    database: services.database,
    ownLinks: services.ownLinks,
    key: services.outboxKey,
    settings: services.settings,
  })
  registerAnswerPage(app, services)
  registerStakeholderPage(app, services)
  registerCalendar(app, services)
  registerDeclarations(app, services)
  const reply = (sms: InboundSms) => takeReply(services, sms)
  registerHttpCarriers(app, services, { reply })
  registerTwilio(app, services, {
    reply,
    key: (organisationId, messageId, key) => takeKey(services, { organisationId, messageId, key }),
  })
}

/** Assembles the server; it does not listen yet. */
export function buildApp(parts: AppParts): App {
  const { services, bus, feeds, log } = parts
  const app = Fastify({
    loggerInstance: log,
    logController: new RequestLog(services.settings.slowCallMs),
    bodyLimit: BODY_LIMIT,
    // Trusts the nearest proxy only: earlier entries of the header may be forged.
    trustProxy: services.settings.trustProxy && ((_address, hop) => hop === 0),
    genReqId: () => crypto.randomUUID(),
    requestIdHeader: false,
    // Names of 255 characters take up to nine characters each in a path.
    routerOptions: { maxParamLength: 2_295 },
    forceCloseConnections: 'idle',
    http: { requireHostHeader: false },
    clientErrorHandler: refuseClientError,
    frameworkErrors: refuseAddress,
  }) as unknown as FastifyInstance
  // Bodies stay bytes until the caller is authenticated: a stranger's body is never parsed.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  acceptUploads(app)
  app.addHook('onRequest', async (request, reply) => void reply.header('X-Request-Id', request.id))
  app.setErrorHandler(refuse)
  app.addHook('preClose', async () => services.attempts.close())

  if (services.settings.databaseUrl === null)
    app.addHook('preParsing', async (request) => keepReserve(request, parts))

  registerSite(app, {
    siteDir: parts.siteDir,
    settings: services.settings,
    origins: services.origins,
    chatService: () => (parts.mirror.isUsed() ? services.settings.streamUrl : null),
  })
  registerClientErrors(app)
  registerSecurityTxt(app, services.settings)

  registerDocs(app, {
    apis: APIS,
    management: { apis: MANAGEMENT_APIS, base: MANAGEMENT_BASE },
    origins: services.origins,
  })
  registerOutside(app, services)

  const hub = new LiveHub({
    database: services.database,
    bus,
    feeds,
    tokens: services.tokens,
    prove: sessionCredentialOf,
    audience: AUDIENCE,
    origins: services.origins,
    onError: (error) => log.error(error, 'live'),
    onDropped: (reason) => log.debug({ reason }, 'message of a socket dropped'),
  })
  hub.register(app, API_BASE)
  const consoleHub = makeConsoleHub(parts)
  consoleHub.register(app, MANAGEMENT_BASE)
  const { warnings } = parts
  registerHealth(app, {
    ...services,
    warnings,
    measure: measuring({ services, bus, people: hub, console: consoleHub, warnings }),
  })

  const server = serverContext(parts)
  void app.register(async (scope) => {
    // Served at the root, because clients look the API's address up there.
    serve(scope, server, '', registryApi, registryRoutes(services))
    for (const noun of Object.values(NOUNS)) noun.serve(scope, server, services, API_BASE)
    for (const noun of Object.values(MANAGEMENT_NOUNS)) noun.serve(scope, server, services, MANAGEMENT_BASE)
  })
  return { app, hub, consoleHub }
}

const SENTENCES: { readonly [status: number]: string } = {
  400: 'The request is not valid.',
  404: 'There is nothing here.',
  413: 'The body is too large.',
  415: 'This content type is not accepted.',
}
const UNEXPECTED = 'An unexpected error occurred.'

function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply) {
  const problem = refusal.toProblem()
  reply.status(refusal.status)
  if (problem.msUntilNextAttempt !== undefined)
    reply.header('Retry-After', Math.ceil(problem.msUntilNextAttempt / 1_000))
  // A page that a browser opened by its address, such as the outbox, reloads itself.
  if (problem.code !== DATABASE_UNAVAILABLE || !request.headers.accept?.includes('text/html'))
    return reply.send(problem)
  const main = html`<h1>Trying again</h1>
    <p>${problem.message}</p>`
  return reply
    .header('Refresh', reply.getHeader('Retry-After'))
    .type('text/html; charset=utf-8')
    .send(htmlPage({ title: 'Muster', main }))
}

/**
 * The only place that turns thrown values into responses. Unexpected errors are logged and answered with one fixed
 * sentence.
 */
function refuse(
  this: FastifyInstance,
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (error instanceof Refusal) return sendRefusal(error, request, reply)
  const problem = storageProblem(error) ?? outageProblem(error)
  if (problem) {
    request.log.error(error)
    return sendRefusal(problem, request, reply)
  }
  const status = error.statusCode ?? 500
  if (status >= 500) {
    request.log.error(error)
    return reply.status(500).send({ code: 'unexpected', message: UNEXPECTED })
  }
  return reply.status(status).send(new Refusal(status, SENTENCES[status] ?? UNEXPECTED).toProblem())
}
