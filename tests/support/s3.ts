import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import type { S3Settings } from '#server/kit/core/settings.ts'

/** S3 refuses smaller parts, except the last one. */
const PART_MIN = 5 * 1024 * 1024
const REGION = 'eu-test-1'
const ACCESS_KEY = 'AKIATESTTESTTEST'
const SECRET_KEY = 'the-secret-of-the-tests'

interface Stored {
  readonly bytes: Buffer
  at: number
}
interface Upload {
  readonly key: string
  readonly parts: Map<number, Buffer>
  at: number
}
/** A small S3 on this machine that checks every signature and keeps everything in memory. */
export interface TestS3 {
  readonly settings: S3Settings
  readonly objects: Map<string, Stored>
  readonly uploads: Map<string, Upload>
  /** Requests such as `PUT files/…`. */
  readonly asked: string[]
  /** Answers the next calls with this status. */
  failNext(times: number, status?: number): void
  /** Runs before each response; an exception breaks the connection. */
  before: (request: IncomingMessage) => Promise<void> | void
  /** False makes listing uploads fail with 501. */
  listsUploads: boolean
  close(): Promise<void>
}

const hex = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const keyed = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** Checks the request's signature (Signature Version 4), including the body. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const authorization = headers.authorization ?? ''
  const part = (name: string) => new RegExp(`${name}=([^,\\s]+)`).exec(authorization)?.[1] ?? ''
  const names = part('SignedHeaders').split(';')
  const digest = String(headers['x-amz-content-sha256'])
  const date = String(headers['x-amz-date'])
  if (digest !== hex(body) || !names.includes('host') || !names.includes('x-amz-content-sha256')) return false
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&')
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const canonical = [method, url.pathname, query, lines, names.join(';'), digest].join('\n')
  const scope = `${date.slice(0, 8)}/${REGION}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, hex(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(keyed, `AWS4${SECRET_KEY}`)
  return (
    part('Credential') === `${ACCESS_KEY}/${scope}` &&
    part('Signature') === keyed(key, toSign).toString('hex')
  )
}

/** Starts on a free port. Lists are returned in pages of `pageSize`. */
export async function startS3({ pageSize = 1_000 } = {}): Promise<TestS3> {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Upload>()
  const asked: string[] = []
  let failing: { times: number; status: number } = { times: 0, status: 503 }

  const problem = (reply: ServerResponse, status: number, code: string) =>
    reply.writeHead(status).end(`<Error><Code>${code}</Code><Message>${code} was wanted.</Message></Error>`)

  function answerList(url: URL, reply: ServerResponse): void {
    const prefix = url.searchParams.get('prefix') ?? ''
    const after = url.searchParams.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
    const page = keys.slice(0, pageSize)
    const contents = page.map((key) => {
      const { bytes, at } = objects.get(key)!
      return `<Contents><Key>${key}</Key><LastModified>${new Date(at).toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
    })
    const more = keys.length > page.length
    reply.end(
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}${contents.join('')}</ListBucketResult>`,
    )
  }
  function answerUploads(reply: ServerResponse): void {
    const all = [...uploads].map(
      ([id, { key, at }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(at).toISOString()}</Initiated></Upload>`,
    )
    reply.end(`<ListMultipartUploadsResult>${all.join('')}</ListMultipartUploadsResult>`)
  }
  function answerObject(request: IncomingMessage, key: string, reply: ServerResponse): void {
    const found = objects.get(key)
    if (!found) return void problem(reply, 404, 'NoSuchKey')
    const { bytes } = found
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
    if (!range) return void reply.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
    const from = Number(range[1])
    if (from >= bytes.length) return void problem(reply, 416, 'InvalidRange')
    const part = bytes.subarray(from, range[2] ? Number(range[2]) + 1 : undefined)
    const headers = {
      'Content-Range': `bytes ${from}-${from + part.length - 1}/${bytes.length}`,
      'Content-Length': part.length,
    }
    reply.writeHead(206, headers).end(part)
  }
  function complete(uploadId: string, body: Buffer, reply: ServerResponse): void {
    const upload = uploads.get(uploadId)
    if (!upload) return void problem(reply, 404, 'NoSuchUpload')
    const named = [
      ...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;<\/ETag>/g),
    ]
    const parts = named.map(([, number, tag]) => {
      const bytes = upload.parts.get(Number(number))
      return bytes && hex(bytes) === tag ? bytes : undefined
    })
    if (parts.includes(undefined) || parts.length !== upload.parts.size)
      return void problem(reply, 400, 'InvalidPart')
    if (parts.slice(0, -1).some((part) => part!.length < PART_MIN))
      return void problem(reply, 400, 'EntityTooSmall')
    objects.set(upload.key, { bytes: Buffer.concat(parts as Buffer[]), at: Date.now() })
    uploads.delete(uploadId)
    reply.end('<CompleteMultipartUploadResult/>')
  }

  function change(method: string, key: string, url: URL, body: Buffer, reply: ServerResponse): void {
    const uploadId = url.searchParams.get('uploadId')
    if (method === 'POST' && url.searchParams.has('uploads')) {
      const id = crypto.randomUUID()
      uploads.set(id, { key, parts: new Map(), at: Date.now() })
      return void reply.end(`<Result><UploadId>${id}</UploadId></Result>`)
    }
    if (method === 'POST' && uploadId) return complete(uploadId, body, reply)
    if (method === 'PUT' && uploadId) {
      const upload = uploads.get(uploadId)
      if (!upload) return void problem(reply, 404, 'NoSuchUpload')
      upload.parts.set(Number(url.searchParams.get('partNumber')), body)
      return void reply.writeHead(200, { ETag: `"${hex(body)}"` }).end()
    }
    if (method === 'PUT') {
      objects.set(key, { bytes: body, at: Date.now() })
      return void reply.end()
    }
    if (uploadId) uploads.delete(uploadId)
    else objects.delete(key)
    reply.writeHead(204).end()
  }

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await buffer(request)
    await test.before(request)
    const { method = '' } = request
    const url = new URL(request.url ?? '/', test.settings.endpoint)
    const [, bucket, ...rest] = url.pathname.split('/')
    const key = rest.join('/')
    asked.push(`${method} ${key}`)
    if (failing.times > 0) {
      failing.times -= 1
      return void problem(reply, failing.status, 'SlowDown')
    }
    if (!isSigned(request, url, body)) return void problem(reply, 403, 'SignatureDoesNotMatch')
    if (bucket !== test.settings.bucket) return void problem(reply, 404, 'NoSuchBucket')
    if (method === 'GET' && key === '' && url.searchParams.has('uploads'))
      return test.listsUploads ? answerUploads(reply) : void problem(reply, 501, 'NotImplemented')
    if (method === 'GET' && key === '') return answerList(url, reply)
    if (method === 'GET' || method === 'HEAD') return answerObject(request, key, reply)
    change(method, key, url, body, reply)
  }

  const server = createServer((request, reply) => {
    answer(request, reply).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const test: TestS3 = {
    settings: {
      bucket: 'muster-test',
      endpoint: `http://127.0.0.1:${port}`,
      region: REGION,
      accessKeyId: ACCESS_KEY,
      secretAccessKey: SECRET_KEY,
    },
    objects,
    uploads,
    asked,
    failNext: (times, status = 503) => {
      failing = { times, status }
    },
    before: () => {},
    listsUploads: true,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return test
}

/** Environment variables that make a product use this S3. */
export const s3Environment = ({ settings }: Pick<TestS3, 'settings'>): Record<string, string> => ({
  S3_BUCKET: settings.bucket,
  S3_ENDPOINT: settings.endpoint,
  S3_REGION: settings.region,
  AWS_ACCESS_KEY_ID: settings.accessKeyId,
  AWS_SECRET_ACCESS_KEY: settings.secretAccessKey,
})
