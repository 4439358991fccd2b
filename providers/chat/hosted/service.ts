import type { Event, StreamChat } from 'stream-chat'

import { channelsApi } from '#contract/channels/api.ts'

import { call } from '../../api.ts'
import { HttpProblem, NO_ANSWER } from '../../problem.ts'
import { getSession } from '../../session.ts'
import { type Connection, openConnection } from './connection.tsx'
import type { WireEvent } from './wire.ts'

/** Timeout of the screens, shorter than the service's own (foundation §9). */
const TIMEOUT_MS = 30_000

/** Error of the service's client, for a refusal or a missing response. */
interface ClientError {
  readonly code?: number | string | null
  readonly status?: number
  readonly message?: string
  readonly response?: unknown
}
/** Our messages for some error numbers of the service. */
const REFUSALS: Readonly<Record<number, { status: number; message: string }>> = {
  4: { status: 400, message: 'The chat service did not accept this.' },
  9: { status: 429, message: 'Too many requests. Please try again in a moment.' },
  16: { status: 404, message: 'This does not exist.' },
  17: { status: 403, message: 'You are not allowed to do this in this chat.' },
  22: { status: 413, message: 'This is too large for the chat service.' },
}
function problemOf(error: unknown): unknown {
  const { code, status, response, message } = error as ClientError
  if (error instanceof HttpProblem || (error instanceof DOMException && error.name === 'AbortError'))
    return error
  if (code === 'ERR_CANCELED') return new DOMException('The request was given up.', 'AbortError')
  const known = REFUSALS[Number(code)]
  if (known) return new HttpProblem(known.message, known.status, { code: 'refused', ...known })
  if (status !== undefined || response !== undefined) return new HttpProblem(message ?? '', status ?? 500)
  return new HttpProblem(NO_ANSWER, 0)
}

type Parameters_ = Readonly<Record<string, unknown>>

/** The connection of this page to its organisation's hosted chat service. */
export class HostedService {
  readonly #client: StreamChat
  readonly #connection: Connection
  private constructor(connection: Connection) {
    this.#connection = connection
    this.#client = connection.client
  }

  /** Connects as the signed-in person. @throws HttpProblem for a refusal of our server or the service */
  static async open(): Promise<HostedService> {
    const { uuid, organisation } = getSession()
    try {
      const first = await call(channelsApi.accessToken)
      let isFirst = true
      const connection = await openConnection({
        apiKey: organisation?.config.streamApiKey ?? '',
        userId: uuid ?? '',
        token: async () => {
          const { accessToken } = isFirst ? first : await call(channelsApi.accessToken)
          isFirst = false
          return accessToken
        },
        options: {
          ...(first.serviceUrl && { baseURL: first.serviceUrl }),
          timeout: TIMEOUT_MS,
          // The screens reload their rooms themselves.
          recoverStateOnReconnect: false,
        },
      })
      return new HostedService(connection)
    } catch (error) {
      throw problemOf(error)
    }
  }
  /** Calls `listener` with every event of the service's socket. */
  listen(listener: (event: WireEvent) => void): void {
    // The client types the service's own fields; `wire.ts` includes ours.
    this.#client.on((event: Event) => listener(event as unknown as WireEvent))
  }
  close(): void {
    this.#connection.close()
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw problemOf(error)
    }
  }
  #at = (path: string): string => this.#client.baseURL + path

  /** Sends a GET. `payload` is sent as JSON in the query string, as the service expects. */
  get<T>(
    path: string,
    {
      payload,
      signal,
      ...query
    }: { payload?: Parameters_; signal?: AbortSignal | undefined; limit?: number } = {},
  ): Promise<T> {
    const parameters = { ...query, ...(payload && { payload }) }
    return this.#try(() => this.#client.get<T>(this.#at(path), parameters, { ...(signal && { signal }) }))
  }
  post<T>(path: string, body: Parameters_, signal?: AbortSignal): Promise<T> {
    return this.#try(() => this.#client.post<T>(this.#at(path), body, { ...(signal && { signal }) }))
  }
  put<T>(path: string, body: Parameters_): Promise<T> {
    return this.#try(() => this.#client.put<T>(this.#at(path), body))
  }
  delete<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
    return this.#try(() => this.#client.delete<T>(this.#at(path), query))
  }
  /** Stores a file. Returns its address. */
  async upload(
    file: File,
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (share: number) => void },
  ): Promise<string> {
    const stored = await this.#try(() =>
      this.#client.uploadFile(file, file.name, file.type, undefined, {
        ...(signal && { signal }),
        onUploadProgress: ({ progress = 0 }) => onProgress?.(progress),
      }),
    )
    return stored.file
  }
}
