import type { Readable } from 'node:stream'

import type { FastifyReply } from 'fastify'

import { type Endpoint, isList } from '#contract/kit/endpoint.ts'

import { Refusal } from './refusal.ts'
import type { Cut } from './replies.ts'

/** A file as a reply. Its body is read after the transaction has committed. */
export interface FileReply {
  readonly name: string
  readonly type: string
  /** Shown in a page rather than saved. What its address names never changes, so that browsers may keep it. */
  readonly lasting?: boolean
  /** Size in bytes, where known: sent as `Content-Length`, so that a client can show progress. */
  readonly size?: number
  readonly body: () => Promise<Buffer | Readable>
}
/** A page of a list and how many rows there are in all. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

interface ReplyHeaders {
  /** `Content-Range` of a page. */
  readonly range?: string
  /** Seconds of `Retry-After`. */
  readonly retryAfter?: number
  /** Whether it is the stored reply of an earlier request. */
  readonly isReplay?: boolean
}
/** A JSON reply, ready to be sent or stored. */
export class JsonReply {
  readonly status: number
  /** Null for no body. */
  readonly body: string | null
  readonly headers: ReplyHeaders

  constructor(status: number, body: string | null, headers: ReplyHeaders = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** The reply for a refusal. */
export function refusalReply(refusal: Refusal): JsonReply {
  const problem = refusal.toProblem()
  const wait = problem.msUntilNextAttempt
  const headers = wait === undefined ? {} : { retryAfter: Math.ceil(wait / 1_000) }
  return new JsonReply(refusal.status, JSON.stringify(problem), headers)
}

/** A handler's result as a reply, stripped to what its contract declares. A returned refusal becomes its own reply. */
export function jsonReply(
  { endpoint, cut }: { readonly endpoint: Endpoint; readonly cut: Cut },
  query: unknown,
  result: unknown,
): JsonReply {
  if (result instanceof Refusal) return refusalReply(result)
  if (isList(endpoint.reply)) {
    const { rows, total } = result as Page<unknown>
    const from = (query as { range?: [number, number] } | undefined)?.range?.[0] ?? 0
    const shown = rows.length === 0 ? '*' : `${from}-${from + rows.length - 1}`
    return new JsonReply(200, JSON.stringify(cut(rows)), { range: `items ${shown}/${total}` })
  }
  const body = cut(result)
  if (body === undefined) return new JsonReply(204, null)
  return new JsonReply(endpoint.status ?? 200, JSON.stringify(body))
}

export function sendJson(reply: FastifyReply, { status, body, headers }: JsonReply): FastifyReply {
  const { range, retryAfter, isReplay } = headers
  reply.status(status).header('Cache-Control', 'no-store')
  if (range !== undefined) reply.header('Content-Range', range)
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
  if (isReplay) reply.header('Idempotent-Replayed', 'true')
  return body === null ? reply.send() : reply.type('application/json').send(body)
}

const YEAR_SECONDS = 31_536_000
/** A file name for `Content-Disposition` in both of its spellings (RFC 6266). */
function disposition({ name, lasting }: FileReply): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const extended = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `${lasting ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${extended}`
}

export async function sendFile(reply: FastifyReply, file: FileReply): Promise<FastifyReply> {
  const body = await file.body()
  if (file.size !== undefined) reply.header('Content-Length', file.size)
  reply
    .header('Content-Type', file.type)
    .header('Content-Disposition', disposition(file))
    .header(
      'Cache-Control',
      file.lasting ? `private, max-age=${YEAR_SECONDS}, immutable` : 'private, no-store',
    )
  return reply.send(body)
}
