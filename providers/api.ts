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

/** A downloaded file with the name that the server gives it. */
export interface DownloadedFile {
  readonly blob: Blob
  readonly fileName: string
}
/** The result of a call. */
export type Result<E extends Endpoint> = E['reply'] extends Download ? DownloadedFile : ReplyOf<E>

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** The base URL; by default the address of the session's calls. */
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

/** Makes a call of the contract and returns the response of a success, unread. */
export const request = (endpoint: Endpoint, { json, signal, ...parts }: RequestParts): Promise<Response> =>
  send({
    method: endpoint.method,
    url: urlOf(endpoint, parts),
    asPerson: endpoint.access.realm !== 'public',
    isAct: !isRepeatable(endpoint),
    // As its contract declares them.
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

/** Makes a call of the contract; its endpoint types the arguments and the result. */
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
    /** The form fields beside the file. */
    readonly fields?: Readonly<Record<string, string>>
  }

/** Makes a call whose body is a file. A large one wants to show how far it has come: see `reporting`. */
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

/** Where something is that the service names by a path, such as a picture: at the service's own origin. */
export const addressOf = (path: string): string => new URL(path, new URL(apiUrl() || '/', location.href)).href
