import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

import type { AwsClient } from 'aws4fetch'

import { Refusal } from '../core/refusal.ts'
import type { S3Settings } from '../core/settings.ts'

export interface ListedObject {
  readonly key: string
  readonly size: number
  /** Time of storage, in milliseconds of the epoch. */
  readonly at: number
}
/** A range of an object, with the object's length. */
export interface ObjectPart {
  readonly whole: number
  readonly body: ReadableStream<Uint8Array>
}

const UNREACHABLE = 'The storage of files does not answer. Please try again in a moment.'
/** Statuses of a service that is busy or away for a moment. */
const BUSY = new Set([408, 429, 500, 502, 503, 504])
const RETRY_MS = [200, 600, 1_800]

const missing = (key: string) => Object.assign(new Error(`There is no object ${key}.`), { code: 'ENOENT' })
const unescaped = (text: string) =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
/** Content of the first element with a name. Our own keys and numbers need no XML parser. */
const textIn = (xml: string, name: string): string | undefined => {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return found === undefined ? undefined : unescaped(found)
}
const elementsOf = (xml: string, name: string): string[] =>
  xml
    .split(`<${name}>`)
    .slice(1)
    .map((rest) => rest.split(`</${name}>`, 1)[0]!)

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer<ArrayBuffer>
  /** Statuses besides success that the caller handles. */
  readonly expected?: readonly number[]
}

/**
 * S3 calls for files. Retries for some seconds while the service is busy. Throws a refusal with 503 when the service
 * cannot be reached.
 */
export class Bucket {
  readonly #settings: S3Settings
  #client: Promise<AwsClient> | undefined

  constructor(settings: S3Settings) {
    this.#settings = settings
  }

  /** Loaded lazily, because most installations have no bucket. */
  #loaded(): Promise<AwsClient> {
    const { region, accessKeyId, secretAccessKey } = this.#settings
    return (this.#client ??= import('aws4fetch').then(
      ({ AwsClient: Client }) =>
        new Client({ region, accessKeyId, secretAccessKey, service: 's3', retries: 0 }),
    ))
  }

  async #once({ method, key = '', query = {}, headers = {}, body }: S3Request): Promise<Response> {
    const { endpoint, bucket } = this.#settings
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const client = await this.#loaded()
    // The digest is signed, so that the service refuses changed content.
    const signed = { ...headers, 'X-Amz-Content-Sha256': digest }
    return client.fetch(url, { method, headers: signed, body: body ?? null })
  }

  async #ask(asked: S3Request): Promise<Response> {
    const { expected = [] } = asked
    for (let tries = 0; ; tries++) {
      let problem: unknown
      try {
        const response = await this.#once(asked)
        if (response.ok || expected.includes(response.status)) return response
        const said = await response.text()
        problem = new Error(
          `The storage of files answered ${response.status} ${textIn(said, 'Code') ?? ''}: ${textIn(said, 'Message') ?? said.slice(0, 200)}`,
        )
        if (!BUSY.has(response.status)) throw problem
      } catch (error) {
        if (error === problem) throw error
        problem = error
      }
      if (tries >= RETRY_MS.length)
        throw Object.assign(new Refusal(503, UNREACHABLE, { code: 'storage_unreachable' }), {
          cause: problem,
        })
      await wait(RETRY_MS[tries])
    }
  }

  async put(key: string, body: Buffer<ArrayBuffer>): Promise<void> {
    const response = await this.#ask({ method: 'PUT', key, body })
    await response.arrayBuffer()
  }

  /**
   * An object from a position to its end, or to `to` inclusive.
   * @throws an error with the code ENOENT
   */
  async get(key: string, from: number, to?: number): Promise<ObjectPart> {
    const headers = { Range: `bytes=${from}-${to ?? ''}` }
    const response = await this.#ask({ method: 'GET', key, headers, expected: [404, 416] })
    const whole = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1] ?? Number.NaN)
    if (response.status === 206 && response.body && !Number.isNaN(whole))
      return { whole, body: response.body }
    await response.body?.cancel()
    if (response.status === 404) throw missing(key)
    if (response.status === 416) return { whole: from, body: new Blob([]).stream() }
    throw new Error('The storage of files does not answer ranges.')
  }

  /** The length of an object; undefined for an unknown key. */
  async sizeOf(key: string): Promise<number | undefined> {
    const response = await this.#ask({ method: 'HEAD', key, expected: [404] })
    return response.status === 404 ? undefined : Number(response.headers.get('Content-Length'))
  }

  async remove(key: string): Promise<void> {
    await this.#ask({ method: 'DELETE', key, expected: [404] })
  }

  /** Begins a multipart upload and returns its id. */
  async begin(key: string): Promise<string> {
    const xml = await (await this.#ask({ method: 'POST', key, query: { uploads: '' } })).text()
    const uploadId = textIn(xml, 'UploadId')
    if (!uploadId) throw new Error('The storage of files begins no upload.')
    return uploadId
  }

  /** Stores a part, numbered from 1, and returns its tag. */
  async putPart(key: string, uploadId: string, part: number, body: Buffer<ArrayBuffer>): Promise<string> {
    const query = { partNumber: String(part), uploadId }
    const response = await this.#ask({ method: 'PUT', key, query, body })
    await response.arrayBuffer()
    return response.headers.get('ETag') ?? ''
  }

  /** Completes a multipart upload. */
  async complete(key: string, uploadId: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map(
      (tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag.replace(/"/g, '&quot;')}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    const response = await this.#ask({ method: 'POST', key, query: { uploadId }, body, expected: [404] })
    const said = await response.text()
    // S3 may send status 200 before an error.
    if (response.ok && !said.includes('<Error>')) return
    // The response to a first attempt may be lost: then the upload is gone, and the object exists.
    if (response.status === 404 && (await this.sizeOf(key)) !== undefined) return
    throw new Error(`The storage of files did not put the parts together: ${textIn(said, 'Message')}`)
  }

  async abort(key: string, uploadId: string): Promise<void> {
    await this.#ask({ method: 'DELETE', key, query: { uploadId }, expected: [404] })
  }

  /** All objects with a key prefix. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const query: Record<string, string> = { 'list-type': '2', prefix }
      if (token !== undefined) query['continuation-token'] = token
      const xml = await (await this.#ask({ method: 'GET', query })).text()
      for (const one of elementsOf(xml, 'Contents'))
        yield {
          key: textIn(one, 'Key')!,
          size: Number(textIn(one, 'Size')),
          at: Date.parse(textIn(one, 'LastModified') ?? ''),
        }
      token = textIn(xml, 'IsTruncated') === 'true' ? textIn(xml, 'NextContinuationToken') : undefined
    }
  }

  /** The first thousand unfinished multipart uploads. None where the service does not support listing them (501). */
  async listUploads(prefix: string): Promise<{ key: string; uploadId: string; at: number }[]> {
    const response = await this.#ask({ method: 'GET', query: { uploads: '', prefix }, expected: [501] })
    const xml = await response.text()
    return elementsOf(response.ok ? xml : '', 'Upload').map((one) => ({
      key: textIn(one, 'Key')!,
      uploadId: textIn(one, 'UploadId')!,
      at: Date.parse(textIn(one, 'Initiated') ?? ''),
    }))
  }
}
