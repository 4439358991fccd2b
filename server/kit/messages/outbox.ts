import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'

import { fromThisMachine } from '../http/health.ts'
import { check } from '../http/inputs.ts'
import {
  listOutbox,
  type OutboxCursor,
  type OutboxMessage,
  type OutboxSource,
  outboxBatches,
} from './outbox-messages.ts'
import { lockedPage, outboxPage } from './outbox-page.ts'
import { Refusal } from '../core/refusal.ts'
import { sameText, tokenHash } from '../security/secrets.ts'
import { isBehindProxy, type Settings } from '../core/settings.ts'

const PATH = '/outbox'
/** Browsers store it on https, and on loopback without. Its path rules out the prefix `__Host-`. */
const COOKIE = '__Secure-muster-outbox'
const PAGE = 50
const LIMIT_MAX = 1_000

const CURSOR = 'must be a time, or a time and an id as a Link header has them'
const Cursor = z.pipe(
  z
    .string()
    .check(z.regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z(,[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/, CURSOR))
    .check(z.refine((text) => !Number.isNaN(Date.parse(text.split(',')[0]!)), CURSOR)),
  z.transform((text): OutboxCursor => {
    const [createTimestamp = '', id] = text.split(',')
    return { createTimestamp, id }
  }),
)
const LIMIT = `must be a number from 1 to ${LIMIT_MAX}`
const Query = z.object({
  to: z.optional(z.string().check(z.trim(), z.maxLength(255))),
  before: z.optional(Cursor),
  after: z.optional(Cursor),
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,4}$/, LIMIT)),
      z.pipe(z.transform(Number), z.number().check(z.gte(1, LIMIT), z.lte(LIMIT_MAX, LIMIT))),
    ),
  ),
})
type Query = z.output<typeof Query>

export interface OutboxParts extends OutboxSource {
  readonly key: string
  readonly settings: Pick<Settings, 'allowOutbox' | 'publicUrl' | 'trustProxy'>
}

export const isOutboxOpen = (settings: OutboxParts['settings']): boolean =>
  settings.allowOutbox || !isBehindProxy(settings)

/**
 * `/outbox`: every message that would have been sent, for the operator on the machine itself. Its links let people in,
 * so it requires the outbox key as well as a local caller: 404 for everybody else, 401 for a local caller without the
 * key.
 */
export function registerOutbox(app: FastifyInstance, { key, settings, ...source }: OutboxParts): void {
  // A hash instead of the key, because all ports of a host name share cookies.
  const cookie = tokenHash(`outbox cookie ${key}`).toString('base64url')
  app.get(PATH, async (request, reply) => {
    if (!isOutboxOpen(settings) || !fromThisMachine(request)) throw new Refusal(404, 'There is nothing here.')
    reply.header('Cache-Control', 'no-store')
    const wantsJson = request.headers.accept?.includes('application/json') ?? false
    const { key: offered, ...query } = request.query as { key?: unknown }
    const isInQuery = typeof offered === 'string' && sameText(offered, key)
    if (isInQuery && !wantsJson) {
      reply.header('Set-Cookie', cookieHeader(cookie))
      const rest = new URLSearchParams(query).toString()
      return reply.redirect(rest ? `${PATH}?${rest}` : PATH, 303)
    }
    const isKnown = isInQuery || sameText(bearerOf(request), key) || sameText(cookieOf(request), cookie)
    if (!isKnown) return refuse(reply, wantsJson)
    const page = check(Query, query) as Query
    return wantsJson ? sendJson(source, page, reply) : sendPage(source, page, reply)
  })
}

const cookieHeader = (value: string): string =>
  `${COOKIE}=${value}; Path=${PATH}; HttpOnly; SameSite=Strict; Secure`

const bearerOf = ({ headers }: FastifyRequest): string =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''

const cookieOf = ({ headers }: FastifyRequest): string =>
  headers.cookie
    ?.split(/; */)
    .find((one) => one.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1) ?? ''

function refuse(reply: FastifyReply, wantsJson: boolean) {
  reply.status(401).header('WWW-Authenticate', 'Bearer realm="outbox"')
  if (!wantsJson) return reply.type('text/html; charset=utf-8').send(lockedPage())
  return reply.send(new Refusal(401, 'The outbox needs its key: Authorization: Bearer <key>.').toProblem())
}

async function sendPage(source: OutboxSource, query: Query, reply: FastifyReply) {
  const limit = query.limit ?? PAGE
  const found = await listOutbox(source, { ...query, limit: limit + 1 })
  const more = found.length > limit
  // The row beyond the page is the last one in reading direction.
  const messages = query.after ? found.slice(more ? 1 : 0) : found.slice(0, limit)
  const [newest, oldest] = [messages[0], messages.at(-1)]
  const linkTo = (direction: { before: string } | { after: string }) =>
    addressOf({ ...direction, to: query.to, limit: query.limit })
  return reply.type('text/html; charset=utf-8').send(
    outboxPage({
      messages,
      to: query.to ?? '',
      newer: newest && (query.after ? more : !!query.before) ? linkTo({ after: cursorText(newest) }) : null,
      older: oldest && (query.after ? true : more) ? linkTo({ before: cursorText(oldest) }) : null,
    }),
  )
}

async function sendJson(source: OutboxSource, query: Query, reply: FastifyReply) {
  reply.type('application/json; charset=utf-8')
  const { to, limit } = query
  if (limit === undefined && !query.before && !query.after) {
    const batches = outboxBatches(source, to)
    // A failure of the first batch gets an error response; a later one breaks the connection.
    const first = await batches.next()
    return reply.send(Readable.from(jsonArray(first.value ?? [], batches)))
  }
  const size = limit ?? LIMIT_MAX
  const messages = await listOutbox(source, { ...query, limit: size })
  const last = messages.at(-1)
  if (last && messages.length === size && !query.after)
    reply.header('Link', `<${addressOf({ before: cursorText(last), to, limit })}>; rel="next"`)
  return reply.send(JSON.stringify(messages.map(toReply)))
}

async function* jsonArray(first: readonly OutboxMessage[], batches: AsyncIterable<readonly OutboxMessage[]>) {
  yield '['
  yield first.map((message) => JSON.stringify(toReply(message))).join()
  for await (const batch of batches) for (const message of batch) yield `,${JSON.stringify(toReply(message))}`
  yield ']'
}

const toReply = ({ channel, to, subject, text, html, createTimestamp }: OutboxMessage): OutboxMessage => ({
  channel,
  to,
  subject,
  text,
  html,
  createTimestamp,
})

const cursorText = ({ createTimestamp, id }: OutboxCursor): string => `${createTimestamp},${id}`
function addressOf(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return `${PATH}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
