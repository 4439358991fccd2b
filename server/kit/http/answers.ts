import { withoutDirectionMarks } from '#contract/kit/direction.ts'
import type { Readable } from 'node:stream'

import type { FastifyReply } from 'fastify'

import { type Endpoint, isList } from '#contract/kit/endpoint.ts'

import type { TypedContent } from '../blobs/images.ts'
import { Refusal } from '../core/refusal.ts'
import type { Cut, Write } from './replies.ts'
import { isLong, type Rows, streamOf } from './rows.ts'

/** A file as a reply. Its body is read after the commit. */
export interface FileReply {
  readonly name: string
  readonly type: string
  /** Displayed in a page rather than saved. Its content never changes, so that browsers may cache it. */
  readonly lasting?: boolean
  /** True when pages of other origins may embed it. */
  readonly isEmbeddable?: boolean
  /** Displayed by the product's viewer or player, with scripts disabled. */
  readonly isShown?: boolean
  /** The request's `Range` header, for a file of known size that supports ranges. */
  readonly parts?: { readonly range: string | undefined }
  /** Strong ETag for resumed downloads (RFC 9110 §13.1.5). */
  readonly etag?: string
  /** Size in bytes, where known: sent as `Content-Length`, so that clients can show progress. */
  readonly size?: number
  /** Called when the response ends, with the number of bytes handed to the connection, and whether those were all. */
  readonly onSent?: (bytes: number, isComplete: boolean) => Promise<void>
  /** The bytes, converted ones with their own type, or for a file with ranges one range of them, both ends included. */
  readonly body: (part?: Part) => Promise<Buffer | Readable | TypedContent>
}
/** A range of a file by its first and last byte. */
export interface Part {
  readonly from: number
  readonly to: number
}
/** A page of a list with the total number of rows. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /** True when counting stopped early, so that there may be more rows. */
  readonly isMinimum?: boolean | undefined
}
/** A whole list whose rows are read while they are sent. */
export interface WholeList<Row> {
  readonly rows: Rows<Row>
  readonly total: number
}

interface ReplyHeaders {
  /** `Content-Range` of a page. */
  readonly range?: string
  /** True when the total in `range` is a minimum. */
  readonly isMinimum?: boolean
  /** Seconds of `Retry-After`. */
  readonly retryAfter?: number
  /** True for the stored reply of an earlier request. */
  readonly isReplay?: boolean
}
/** A JSON reply, ready to be sent or stored. */
export class JsonReply {
  readonly status: number
  /** Null without a body. */
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

/** `Content-Range` of a list that starts at the query's range. */
function rangeOf(
  {
    rows,
    total,
    isMinimum = false,
  }: Page<unknown> | (WholeList<unknown> & { readonly isMinimum?: undefined }),
  query: unknown,
): ReplyHeaders {
  const from = (query as { range?: [number, number] } | undefined)?.range?.[0] ?? 0
  const count = Array.isArray(rows) ? rows.length : total
  const shown = count === 0 ? '*' : `${from}-${from + count - 1}`
  return { range: `items ${shown}/${total}`, isMinimum }
}

/** A handler's result as a reply, stripped to the fields of its contract. A returned refusal becomes its own reply. */
export function jsonReply(
  { endpoint, cut }: { readonly endpoint: Endpoint; readonly cut: Cut },
  query: unknown,
  result: unknown,
): JsonReply {
  if (result instanceof Refusal) return refusalReply(result)
  if (isList(endpoint.reply)) {
    const page = result as Page<unknown>
    return new JsonReply(200, JSON.stringify(cut(page.rows)), rangeOf(page, query))
  }
  const body = cut(result)
  if (body === undefined) return new JsonReply(204, null)
  return new JsonReply(endpoint.status ?? 200, JSON.stringify(body))
}

/** True when a handler's result is streamed. */
export const isStreamed = (endpoint: Endpoint, result: unknown): boolean =>
  isLong(isList(endpoint.reply) ? (result as Page<unknown>).rows : result)

/** Streams a long result, so that other requests do not wait for all of it (docs/decisions/065). */
export async function sendStreamed(
  reply: FastifyReply,
  { endpoint, write }: { readonly endpoint: Endpoint; readonly write: Write },
  query: unknown,
  result: unknown,
): Promise<FastifyReply> {
  const isListed = isList(endpoint.reply)
  const body = await streamOf(write, isListed ? (result as Page<unknown>).rows : result)
  setHeaders(reply, endpoint.status ?? 200, isListed ? rangeOf(result as Page<unknown>, query) : {})
  return reply.type('application/json').send(body)
}

export function sendJson(reply: FastifyReply, { status, body, headers }: JsonReply): FastifyReply {
  setHeaders(reply, status, headers)
  return body === null ? reply.send() : reply.type('application/json').send(body)
}

function setHeaders(reply: FastifyReply, status: number, headers: ReplyHeaders): void {
  const { range, isMinimum, retryAfter, isReplay } = headers
  reply.status(status).header('Cache-Control', 'no-store')
  if (range !== undefined) reply.header('Content-Range', range)
  if (isMinimum) reply.header('Total-Is-Minimum', 'true')
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
  if (isReplay) reply.header('Idempotent-Replayed', 'true')
}

const YEAR_SECONDS = 31_536_000
/** A file name for `Content-Disposition` in both spellings (RFC 6266). */
function disposition({ name: given, lasting, isShown }: FileReply): string {
  const name = withoutDirectionMarks(given).toWellFormed()
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const extended = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `${lasting || isShown ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${extended}`
}

/**
 * The single range of a file that a header requests (RFC 9110 §14.2); null for the whole file, also for several ranges.
 * @throws Refusal 416 for a range outside of the file
 */
export function partOf(range: string | undefined, size: number): Part | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  if (first !== '' && last !== '' && Number(last) < from) return null
  if (from > to) throw new Refusal(416, 'The file does not have this part.')
  return { from, to }
}

export async function sendFile(reply: FastifyReply, file: FileReply): Promise<FastifyReply> {
  const { size, parts } = file
  const part = parts && size !== undefined ? partIn(reply, parts.range, size) : null
  const body = await file.body(part ?? undefined)
  const { content, type } = 'content' in body ? body : { content: body, type: file.type }
  if (part) reply.status(206).header('Content-Range', `bytes ${part.from}-${part.to}/${size}`)
  if (size !== undefined) reply.header('Content-Length', part ? part.to - part.from + 1 : size)
  if (file.etag !== undefined) reply.header('ETag', file.etag)
  if (file.isEmbeddable) reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
  // Opened by itself, the file is a document of an opaque origin without scripts.
  if (file.isShown)
    reply.header('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'")
  reply
    .header('Content-Type', type)
    .header('Content-Disposition', disposition(file))
    .header(
      'Cache-Control',
      file.lasting ? `private, max-age=${YEAR_SECONDS}, immutable` : 'private, no-store',
    )
  if (file.onSent) reportSent(reply, file.onSent)
  return reply.send(content)
}

function reportSent({ raw, log }: FastifyReply, onSent: NonNullable<FileReply['onSent']>): void {
  const { socket } = raw
  const before = socket?.bytesWritten ?? 0
  raw.once('close', () => {
    const bytes = (socket?.bytesWritten ?? 0) - before
    onSent(bytes, raw.writableFinished).catch((error: unknown) => log.error(error))
  })
}

function partIn(reply: FastifyReply, range: string | undefined, size: number): Part | null {
  try {
    const part = partOf(range, size)
    reply.header('Accept-Ranges', 'bytes')
    return part
  } catch (error) {
    reply.header('Content-Range', `bytes */${size}`)
    throw error
  }
}
