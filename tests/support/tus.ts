import { TUS_VERSION } from '#contract/files/schema.ts'

type Headers = Readonly<Record<string, string>>
const TUS = { 'Tus-Resumable': TUS_VERSION }
const PART = 'application/offset+octet-stream'

/** Headers that start a resumable upload. */
export const beginning = (
  name: string,
  length: number,
  more: Readonly<Record<string, string>> = {},
): Headers => ({
  ...TUS,
  'Upload-Length': String(length),
  'Upload-Metadata': Object.entries({ filename: name, ...more })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(),
})

export interface Where {
  readonly status: number
  readonly offset: number
  readonly headers: globalThis.Headers
  readonly body: { readonly code?: string; readonly message?: string; readonly id?: string }
}

/** A tus client for a caller, below the address of the API. */
export function tusFor(api: string, who: Headers) {
  async function ask(
    method: string,
    path: string,
    headers: Headers = {},
    body: BodyInit | null = null,
    signal: AbortSignal | null = null,
  ): Promise<Where> {
    const init = { method, headers: { ...who, ...TUS, ...headers }, body, signal, duplex: 'half' }
    const response = await fetch(`${api}/sfs/uploads${path}`, init)
    const text = await response.text()
    return {
      status: response.status,
      offset: Number(response.headers.get('Upload-Offset') ?? Number.NaN),
      headers: response.headers,
      body: text.startsWith('{') ? JSON.parse(text) : {},
    }
  }
  return {
    ask,
    /** Starts an upload. Returns its id. */
    begin: async (name: string, length: number, more: Readonly<Record<string, string>> = {}) => {
      const { status, headers, body } = await ask('POST', '', beginning(name, length, more))
      if (status !== 201) throw new Error(`${status}: ${body.message}`)
      return headers.get('Location')!.split('/').at(-1)!
    },
    tryBegin: (name: string, length: number, more: Readonly<Record<string, string>> = {}) =>
      ask('POST', '', beginning(name, length, more)),
    where: (id: string) => ask('HEAD', `/${id}`),
    send: (id: string, offset: number, bytes: BodyInit, signal?: AbortSignal) =>
      ask('PATCH', `/${id}`, { 'Upload-Offset': String(offset), 'Content-Type': PART }, bytes, signal),
    end: (id: string) => ask('DELETE', `/${id}`),
  }
}
