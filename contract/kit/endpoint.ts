import type * as z from 'zod/mini'

import type { Access } from './access.ts'
import type { Limited } from './limits.ts'

const KILOBYTE = 1_024
/** Bytes of a JSON body where its endpoint declares no other limit. */
export const BODY_LIMIT = 16 * KILOBYTE
/** For bodies with one or two long texts (24,000 characters of up to three bytes each). */
export const BODY_LIMIT_TEXTS = 256 * KILOBYTE
/** For bodies with lists of thousands: the largest of all (decisions §6). */
export const BODY_LIMIT_LISTS = 10 * KILOBYTE * KILOBYTE

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Schema = z.ZodMiniType

/** A reply that is a file: streamed, never held in memory, with an RFC 6266 file name. */
export interface Download {
  readonly kind: 'download'
  /** The content types that the call may answer with. */
  readonly types: readonly string[]
}
/** A reply that is a list: the whole array, or one page of it when the simple-rest parameters ask for a page. */
export interface List<Item extends Schema = Schema> {
  readonly kind: 'list'
  readonly item: Item
}
/** A body that is multipart form data: one streamed file in the field `file`, other fields as text. */
export interface Upload<Fields extends Schema = Schema> {
  readonly kind: 'upload'
  readonly fields: Fields
  /** Where the file is held in memory for its handler, and stored nowhere. */
  readonly held?: Held
}
export interface Held {
  /** Bytes that the file may have: few, because all of them are in memory at once. */
  readonly max: number
  /** What is said of a larger one. */
  readonly tooLarge: string
}
export interface HeldUpload<Fields extends Schema = Schema> extends Upload<Fields> {
  readonly held: Held
}

/** A body that is bytes and nothing else, such as a part of a file: streamed to its handler. */
export interface Bytes {
  readonly kind: 'bytes'
  /** The content type that it is sent with. */
  readonly type: string
}

export type Reply = Schema | Download | List
export type Body = Schema | Upload | Bytes

/** One call of the HTTP interface: everything that the server checks and the client needs, as one literal. */
export interface Endpoint {
  readonly method: Method
  /** Below the base, parameters as `:name`. */
  readonly path: string
  readonly access: Access
  /** One sentence for the reading page. */
  readonly summary: string
  readonly params?: Schema
  readonly query?: Schema
  /** Headers that the call reads, by their names in lower case. */
  readonly headers?: Schema
  readonly body?: Body
  /** Bytes that a JSON body may have; `BODY_LIMIT` where nothing is said. A longer one is refused (413) unread. */
  readonly bodyLimit?: number
  /**
   * Whether a repetition does no harm. A GET is repeatable and every other call is not, unless this says otherwise. A call
   * that is not takes the header `Idempotency-Key`.
   */
  readonly repeatable?: boolean
  /**
   * The limit for a person that the call counts towards. `by query` for a list: towards searches where words are looked for,
   * towards whole lists where no range is asked for.
   */
  readonly limit?: Limited | 'by query'
  readonly reply: Reply
  /** Headers of a success, made of its reply. */
  replyHeaders?(this: void, reply: unknown): { readonly [name: string]: string }
  /** Headers of every answer, refusals too. */
  readonly everyHeaders?: { readonly [name: string]: string }
  /** Status of success; 200 unless said, 204 when the reply is nothing. With 204 a reply is in its headers alone. */
  readonly status?: 200 | 201 | 204
  /** Refusals that are particular to this call, beside the usual 400, 401, 403, 404, 413, 415 and 429. */
  readonly errors?: { readonly [status: number]: string }
}

export type Api = { readonly [name: string]: Endpoint }

/** Declares the calls of a noun. Leaving out `access` does not compile. */
export function defineApi<const T extends Api>(api: T): T {
  return api
}

export const download = (...types: string[]): Download => ({ kind: 'download', types })
export const list = <Item extends Schema>(item: Item): List<Item> => ({ kind: 'list', item })
export const upload = <Fields extends Schema>(fields: Fields): Upload<Fields> => ({ kind: 'upload', fields })
export const bytes = (type: string): Bytes => ({ kind: 'bytes', type })
/** For a small file that becomes something else, such as a picture: its handler is given the bytes. */
export const heldUpload = <Fields extends Schema>(fields: Fields, held: Held): HeldUpload<Fields> => ({
  kind: 'upload',
  fields,
  held,
})

/** Characters of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY_MAX = 255
export const isRepeatable = ({
  method,
  repeatable = method === 'GET',
}: Pick<Endpoint, 'method' | 'repeatable'>): boolean => repeatable

interface ListingQuery {
  readonly filter?: { readonly q?: string }
  readonly q?: string
  readonly searchWord?: string
  readonly searchString?: string
  readonly query?: string
  readonly range?: readonly [number, number]
}
/** The limit that a call with this query counts towards. */
export function limitOf(
  { limit, reply }: Pick<Endpoint, 'limit' | 'reply'>,
  query: unknown,
): Limited | undefined {
  if (limit !== 'by query') return limit
  const { filter, q, searchWord, searchString, query: words, range } = (query ?? {}) as ListingQuery
  if ([filter?.q, q, searchWord, searchString, words].some(Boolean)) return 'searches'
  return isList(reply) && range === undefined ? 'whole lists' : undefined
}

export const isDownload = (reply: Reply): reply is Download => 'kind' in reply && reply.kind === 'download'
export const isList = (reply: Reply): reply is List => 'kind' in reply && reply.kind === 'list'
export const isUpload = (body: Body): body is Upload => 'kind' in body && body.kind === 'upload'
export const isBytes = (body: Body): body is Bytes => 'kind' in body && body.kind === 'bytes'
/** Whether a body is JSON, which a schema describes. */
export const isJson = (body: Body): body is Schema => !('kind' in body)

type Out<S> = S extends Schema ? z.output<S> : undefined
type In<S> = S extends Schema ? z.input<S> : undefined

/** What a handler is given, after every part was checked. */
export interface Input<E extends Endpoint> {
  params: Out<E['params']>
  query: Out<E['query']>
  headers: Out<E['headers']>
  body: E['body'] extends Upload<infer F> ? z.output<F> : Out<E['body']>
}

type Part<Name extends string, S> = S extends Schema
  ? undefined extends In<S>
    ? { [K in Name]?: In<S> }
    : Record<string, never> extends In<S>
      ? { [K in Name]?: In<S> }
      : { [K in Name]: In<S> }
  : { [K in Name]?: undefined }

/** What a client sends. */
export type Request<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'headers', E['headers']> &
  Part<'body', E['body'] extends Upload | Bytes ? undefined : E['body']>

/** What a client gets back. */
export type ReplyOf<E extends Endpoint> =
  E['reply'] extends List<infer Item>
    ? z.output<Item>[]
    : E['reply'] extends Download
      ? Blob
      : E['reply'] extends Schema
        ? z.output<E['reply']>
        : never

/** The path with its parameters filled in. */
export function pathOf(endpoint: Endpoint, params: Record<string, unknown> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
