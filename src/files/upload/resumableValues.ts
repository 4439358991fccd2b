import { type HttpRequest, type HttpResponse, type HttpStack, Upload as TusUpload } from 'tus-js-client'

import { filesApi } from '#contract/files/api.ts'
import { OFFSET_CONFLICT, type OnConflict, UPLOAD_PART } from '#contract/files/schema.ts'
import { HttpProblem, NO_ANSWER } from '#providers/problem.ts'
import { reporting } from '#providers/progress.ts'
import { send } from '#providers/send.ts'
import { apiUrl } from '#providers/session.ts'

/** Delays before a lost request is retried, while no further bytes arrive. */
const RETRY_MS = [1_000, 3_000, 5_000]
/** Statuses of a proxy during a server restart, and of the server after a lost sender. */
const PASSING = new Set([0, 408, 502, 503, 504])

const isPassing = (problem: HttpProblem): boolean =>
  PASSING.has(problem.status) || problem.body.code === OFFSET_CONFLICT

const addressOf = (id: string): string => `${apiUrl()}${filesApi.beginUpload.path}/${id}`
const idIn = (url: string): string => url.split('/').at(-1)!

class Answer implements HttpResponse {
  readonly #status: number
  readonly #headers: Headers
  constructor(status: number, headers = new Headers()) {
    this.#status = status
    this.#headers = headers
  }
  getStatus = () => this.#status
  getHeader = (name: string) => this.#headers.get(name) ?? undefined
  getBody = () => ''
  getUnderlyingObject = () => undefined
}

/** A request of tus, made like every other call: with the session, its renewal, and the handling of refusals. */
class Call implements HttpRequest {
  readonly #method: string
  readonly #url: string
  readonly #headers: Record<string, string> = {}
  readonly #stop = new AbortController()
  readonly #onProblem: (problem: HttpProblem) => void
  #onProgress: (bytesSent: number) => void = () => {}
  constructor(method: string, url: string, onProblem: (problem: HttpProblem) => void) {
    this.#method = method
    this.#url = url
    this.#onProblem = onProblem
  }
  getMethod = () => this.#method
  getURL = () => this.#url
  setHeader = (name: string, value: string) => void (this.#headers[name] = value)
  getHeader = (name: string) => this.#headers[name]
  setProgressHandler = (handler: (bytesSent: number) => void) => void (this.#onProgress = handler)
  getUnderlyingObject = () => undefined
  abort = async () => this.#stop.abort()
  async send(body: Blob | null | undefined): Promise<HttpResponse> {
    try {
      const { status, headers } = await send({
        method: this.#method,
        url: this.#url,
        asPerson: true,
        // Only POST creates an upload, so only POST carries an `Idempotency-Key`.
        isAct: this.#method === 'POST',
        isResumed: this.#method === 'PATCH',
        headers: this.#headers,
        signal: this.#stop.signal,
        ...(body && { body, transport: reporting((share) => this.#onProgress(share * body.size)) }),
      })
      return new Answer(status, headers)
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error
      this.#onProblem(error)
      if (error.status === 0) throw error
      return new Answer(error.status)
    }
  }
}

/** Slices the file only when a part is sent. */
const fileReader = {
  openFile: async (file: Blob) => ({
    size: file.size,
    slice: async (start: number, end: number) => ({
      value: file.slice(start, end),
      done: end >= file.size,
    }),
    close: () => {},
  }),
}

export interface ResumableOptions {
  readonly parentFolderId: number
  readonly onConflict: OnConflict
  /** Id of an upload begun earlier; undefined for a new one. */
  readonly uploadId: string | undefined
  readonly onBegun: (uploadId: string) => void
  /** Called with the fraction sent, 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** One attempt: ends when the file has arrived, or with the first problem. */
function attempt(file: File, options: ResumableOptions): Promise<{ fileVersion: number }> {
  const { parentFolderId, onConflict, uploadId, onBegun, onProgress, signal } = options
  return new Promise((resolve, reject) => {
    let problem: HttpProblem | undefined
    const httpStack: HttpStack = {
      createRequest: (method, url) => new Call(method, url, (one) => (problem = one)),
      getName: () => 'muster',
    }
    const upload = new TusUpload(file, {
      // Without an endpoint, tus does not restart an upload that cannot be resumed.
      endpoint: uploadId === undefined ? apiUrl() + filesApi.beginUpload.path : null,
      uploadUrl: uploadId === undefined ? null : addressOf(uploadId),
      metadata: {
        filename: file.name,
        parentFolderId: String(parentFolderId),
        lastModified: String(file.lastModified),
        onConflict,
      },
      chunkSize: UPLOAD_PART,
      retryDelays: null,
      storeFingerprintForResuming: false,
      fingerprint: async () => '',
      fileReader,
      httpStack,
      onUploadUrlAvailable: () => upload.url && onBegun(idIn(upload.url)),
      onProgress: (sent, total) => onProgress(total === 0 ? 0 : sent / total),
      onSuccess: ({ lastResponse }) =>
        resolve({ fileVersion: Number(lastResponse.getHeader('File-Version') ?? 1) }),
      onError: (error) => reject(problem ?? error),
    })
    signal.addEventListener('abort', () => {
      void upload.abort()
      reject(new DOMException('The upload was stopped.', 'AbortError'))
    })
    upload.start()
  })
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Sends a file in parts, starting at the server's offset. Retries after lost connections for a while.
 * @throws HttpProblem if retrying is of no use, with status 0 without an answer
 */
export async function sendResumable(
  file: File,
  options: ResumableOptions,
): Promise<{ readonly fileVersion: number }> {
  let { uploadId } = options
  let [tries, furthest] = [0, 0]
  const onBegun = (id: string) => {
    uploadId = id
    options.onBegun(id)
  }
  const onProgress = (share: number) => {
    if (share > furthest) [tries, furthest] = [0, share]
    options.onProgress(share)
  }
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      return await attempt(file, { ...options, uploadId, onBegun, onProgress })
    } catch (error) {
      if (options.signal.aborted) throw error
      const problem = error instanceof HttpProblem ? error : new HttpProblem(NO_ANSWER, 0)
      // The upload has expired: starts from the beginning.
      if (problem.status === 404 && uploadId !== undefined) uploadId = undefined
      else if (!navigator.onLine || !isPassing(problem) || tries >= RETRY_MS.length) throw problem
      // oxlint-disable-next-line no-await-in-loop -- waits before the next try
      else await pause(RETRY_MS[tries++]!)
    }
  }
}
