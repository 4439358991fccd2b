/** Receives the sent share of a body, 0 to 1. */
export type OnProgress = (share: number) => void

/** Statuses without a response body. */
const BODILESS = [101, 204, 205, 304]
const stopped = () => new DOMException('The upload was stopped.', 'AbortError')

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const [name, ...value] = line.split(':')
    if (name) headers.append(name, value.join(':').trim())
  }
  return headers
}

/** A transport like `fetch` for text responses that reports upload progress, which `fetch` cannot. */
export const reporting =
  (onProgress: OnProgress): typeof fetch =>
  (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(stopped())
      const request = new XMLHttpRequest()
      const stop = () => request.abort()
      request.open(method, String(url instanceof Request ? url.url : url))
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onProgress(loaded / total)
      })
      request.addEventListener('load', () => {
        const { status, statusText } = request
        const content = BODILESS.includes(status) ? null : request.responseText
        resolve(new Response(content, { status, statusText, headers: headersOf(request) }))
      })
      request.addEventListener('error', () => reject(new TypeError('Failed to fetch')))
      request.addEventListener('abort', () => reject(stopped()))
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop))
      signal?.addEventListener('abort', stop)
      request.send(body as XMLHttpRequestBodyInit | null)
    })
