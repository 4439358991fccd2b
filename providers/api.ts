import {
  type ReplyOf,
  type Download,
  type Endpoint,
  isDownload,
  isRepeatable,
  pathOf,
  type Request,
  type Upload,
} from '#contract/kit/endpoint.ts'

import { type Outgoing, send } from './send.ts'
import { apiUrl } from './session.ts'

/** A downloaded file with the server's name for it. */
export interface DownloadedFile {
  readonly blob: Blob
  readonly fileName: string
}
export type Result<E extends Endpoint> = E['reply'] extends Download ? DownloadedFile : ReplyOf<E>

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Base URL; by default that of the session. */
  readonly base?: string
}
type Parts = { params?: unknown; query?: unknown; headers?: unknown; body?: unknown }
type CallArguments<E extends Endpoint> =
  Partial<Request<E>> extends Request<E>
    ? [request?: Request<E> & CallOptions]
    : [request: Request<E> & CallOptions]

function urlOf(endpoint: Endpoint, { params, query, base }: Parts & CallOptions): string {
  const path = pathOf(endpoint, (params ?? {}) as Record<string, unknown>)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, string | number | boolean>))
    if (value !== undefined) search.set(name, String(value))
  const text = search.toString()
  return (base ?? apiUrl()) + path + (text && `?${text}`)
}

/** The parts of a request, its body as JSON. */
interface RequestParts extends Omit<CallOptions, 'signal'> {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly json?: string | undefined
  readonly signal?: AbortSignal | null | undefined
}

/** Calls an endpoint and returns the successful response, unread. */
export const request = (endpoint: Endpoint, { json, signal, ...parts }: RequestParts): Promise<Response> =>
  send({
    method: endpoint.method,
    url: urlOf(endpoint, parts),
    asPerson: endpoint.access.realm !== 'public',
    isAct: !isRepeatable(endpoint),
    // The contract declares the types of these headers.
    headers: parts.headers as Outgoing['headers'],
    body: json,
    signal: signal ?? undefined,
  })

/** The file name of a Content-Disposition header (RFC 6266): the extended form wins. */
export function fileNameOf(disposition: string | null): string {
  const extended = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (extended) return decodeURIComponent(extended.trim())
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition ?? '')
  return (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2])?.trim() ?? 'download'
}

/** Reads a response as its endpoint declares it. */
async function resultOf<E extends Endpoint>({ reply }: E, response: Response): Promise<Result<E>> {
  if (isDownload(reply)) {
    const file: DownloadedFile = {
      blob: await response.blob(),
      fileName: fileNameOf(response.headers.get('Content-Disposition')),
    }
    return file as Result<E>
  }
  if (response.status === 204) return undefined as Result<E>
  return (await response.json()) as Result<E>
}

/** Calls an endpoint, which types the arguments and the result. */
export async function call<const E extends Endpoint>(
  endpoint: E,
  ...[given]: CallArguments<E>
): Promise<Result<E>> {
  const { body, ...parts }: Parts & CallOptions = given ?? {}
  const json = body === undefined ? undefined : JSON.stringify(body)
  return resultOf(endpoint, await request(endpoint, { ...parts, json }))
}

type FileCallOptions<E extends Endpoint> = Omit<Request<E>, 'body'> &
  CallOptions &
  Pick<Outgoing, 'transport'> & {
    /** Form fields besides the file. */
    readonly fields?: Readonly<Record<string, string>>
  }

/** Calls an endpoint with a file as body. For the progress of large files see `reporting`. */
export async function callWithFile<const E extends Endpoint & { body: Upload }>(
  endpoint: E,
  file: File,
  ...[options]: Partial<FileCallOptions<E>> extends FileCallOptions<E>
    ? [options?: FileCallOptions<E>]
    : [options: FileCallOptions<E>]
): Promise<Result<E>> {
  const { signal, transport, fields = {} } = options ?? {}
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file)
  const url = urlOf(endpoint, options ?? {})
  const { method } = endpoint
  const isAct = !isRepeatable(endpoint)
  return resultOf(endpoint, await send({ method, url, asPerson: true, isAct, body: form, signal, transport }))
}

/** Absolute address of a path of the service, such as a picture's. */
export const addressOf = (path: string): string => new URL(path, new URL(apiUrl() || '/', location.href)).href
