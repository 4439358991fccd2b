import type * as z from 'zod/mini'

import type { Access } from './access.ts'
import type { Limited } from './limits.ts'

const KILOBYTE = 1_024
/** Bytes of a JSON body by default. */
export const BODY_LIMIT = 16 * KILOBYTE
/** For bodies with up to four long texts (24,000 characters of up to three bytes each). */
export const BODY_LIMIT_TEXTS = 320 * KILOBYTE
/** For bodies with lists of thousands; the largest limit (decisions §6). */
export const BODY_LIMIT_LISTS = 10 * KILOBYTE * KILOBYTE

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Schema = z.ZodMiniType

/** A file as reply: streamed, never buffered, with an RFC 6266 file name. */
export interface Download {
  readonly kind: 'download'
  /** Content types of the reply. */
  readonly types: readonly string[]
}
/** A list as reply: the whole list, or one page for a request with the simple-rest parameters of a range. */
export interface List<Item extends Schema = Schema> {
  readonly kind: 'list'
  readonly item: Item
}
/** Multipart form data as body: one streamed file in the field `file`, other fields as text. */
export interface Upload<Fields extends Schema = Schema> {
  readonly kind: 'upload'
  readonly fields: Fields
  /** Set when the file is buffered in memory for its handler, and stored nowhere. */
  readonly held?: Held
}
export interface Held {
  /** Bytes of the file; a low limit, because they are all in memory at once. */
  readonly max: number
  /** Message for a larger file. */
  readonly tooLarge: string
}
export interface HeldUpload<Fields extends Schema = Schema> extends Upload<Fields> {
  readonly held: Held
}

/** Raw bytes as body, such as a part of a file: streamed to the handler. */
export interface Bytes {
  readonly kind: 'bytes'
  /** Content type of the request. */
  readonly type: string
}

export type Reply = Schema | Download | List
export type Body = Schema | Upload | Bytes

/** An endpoint of the HTTP interface as one literal, with everything that server and client need. */
export interface Endpoint {
  readonly method: Method
  /** Path below the base, with parameters as `:name`. */
  readonly path: string
  readonly access: Access
  /** One sentence for the API reference. */
  readonly summary: string
  readonly params?: Schema
  readonly query?: Schema
  /** Request headers, by lower-case name. */
  readonly headers?: Schema
  readonly body?: Body
  /** Bytes of a JSON body; `BODY_LIMIT` by default. A longer one is refused unread (413). */
  readonly bodyLimit?: number
  /** True for idempotent calls; by default GET only. Other calls take the header `Idempotency-Key`. */
  readonly repeatable?: boolean
  /**
   * The limit per person that the call counts towards. `by query` for a list: searches with a search text,
   * whole lists without a range.
   */
  readonly limit?: Limited | 'by query'
  readonly reply: Reply
  /** Headers of a successful response, derived from its reply. */
  replyHeaders?(this: void, reply: unknown): { readonly [name: string]: string }
  /** Headers of every response, including refusals. */
  readonly everyHeaders?: { readonly [name: string]: string }
  /** Status of success: 200 by default, 204 for an empty reply. With 204 the reply is in the headers only. */
  readonly status?: 200 | 201 | 204
  /** Refusals particular to this endpoint, besides the usual 400, 401, 403, 404, 413, 415 and 429. */
  readonly errors?: { readonly [status: number]: string }
}

export type Api = { readonly [name: string]: Endpoint }

/** Declares the endpoints of a noun. Leaving out `access` does not compile. */
export function defineApi<const T extends Api>(api: T): T {
  return api
}

export const download = (...types: string[]): Download => ({ kind: 'download', types })
export const list = <Item extends Schema>(item: Item): List<Item> => ({ kind: 'list', item })
export const upload = <Fields extends Schema>(fields: Fields): Upload<Fields> => ({ kind: 'upload', fields })
export const bytes = (type: string): Bytes => ({ kind: 'bytes', type })
/** For a small file that is converted, such as a picture: the handler gets its bytes. */
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
/** True for a JSON body, described by a schema. */
export const isJson = (body: Body): body is Schema => !('kind' in body)

type Out<S> = S extends Schema ? z.output<S> : undefined
type In<S> = S extends Schema ? z.input<S> : undefined

/** Input of a handler, after validation. */
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

/** Input of the client. */
export type Request<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'headers', E['headers']> &
  Part<'body', E['body'] extends Upload | Bytes ? undefined : E['body']>

/** Result of the client. */
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
