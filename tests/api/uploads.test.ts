import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect as connectTo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'

import { everybody } from '#contract/kit/access.ts'
import { upload } from '#contract/kit/endpoint.ts'
import { type Blobs, tooLarge } from '#server/kit/blobs/blobs.ts'
import type { Refusal } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { acceptUploads, receiveUpload } from '#server/kit/http/uploads.ts'

const kept = new Map<string, Buffer>()
/** Blobs in memory, with the rules of the real ones. */
const blobs = {
  write: async (_organisation: string, content: Readable, limit = Infinity) => {
    const bytes = await buffer(content)
    if (bytes.length > limit) throw tooLarge(limit)
    const id = crypto.randomUUID()
    kept.set(id, bytes)
    return { id, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  },
  remove: async (_organisation: string, id: string) => void kept.delete(id),
} as unknown as Blobs
const caller = { organisation: { id: 'o' }, config: { maxFileSize: 1 } } as unknown as Caller
const endpoint = {
  method: 'POST',
  path: '/',
  access: everybody,
  summary: '',
  body: upload(z.object({})),
  reply: z.unknown(),
} as const

let app: FastifyInstance
let url: string
beforeAll(async () => {
  app = Fastify()
  acceptUploads(app)
  const receive = receiveUpload(blobs)
  app.setErrorHandler((error: Refusal, _request, reply) => reply.status(error.status).send(error.toProblem()))
  app.post('/upload', { config: { endpoint } }, (request) => receive(request, caller))
  app.post('/other', async () => ({}))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())
beforeEach(() => kept.clear())

type Part = [name: string, value: string | File]
async function send(parts: Part[], path = '/upload') {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  const response = await fetch(url + path, { method: 'POST', body: form })
  return { status: response.status, body: await response.json() }
}
const file = (bytes: Buffer | string, name = 'plan.pdf') => new File([bytes as BlobPart], name)

describe('an upload', () => {
  test('keeps the file and reads the fields before and after it', async () => {
    const bytes = randomBytes(700_000)
    const { status, body } = await send([
      ['name', 'Évacuation – 避難'],
      ['file', file(bytes, 'plan “B” – 避難.pdf')],
      ['extension', 'pdf'],
    ])
    expect(status).toBe(200)
    expect(body.fields).toEqual({ name: 'Évacuation – 避難', extension: 'pdf' })
    expect(body.file).toMatchObject({ fileName: 'plan “B” – 避難.pdf', size: bytes.length })
    expect(kept.get(body.file.blobId)!.equals(bytes)).toBe(true)
  })

  test('takes an empty file', async () => {
    expect((await send([['file', file('')]])).body.file.size).toBe(0)
  })

  test.for([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\plan.pdf', 'plan.pdf'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ] as const)('cleans the name %s', async ([given, expected]) => {
    expect((await send([['file', file('x', given)]])).body.file.fileName).toBe(expected)
  })

  test('is refused without a file', async () => {
    for (const parts of [
      [],
      [['file', 'only text']],
      [['attachment', file('x')]],
      [['file', file('', '')]],
    ] as Part[][])
      expect(await send(parts)).toMatchObject({ status: 400, body: { message: 'Please choose a file.' } })
  })

  test('is refused with two files, and keeps neither', async () => {
    const two: Part[] = [
      ['file', file('a')],
      ['file', file('b')],
    ]
    expect((await send(two)).status).toBe(400)
    await expect.poll(() => kept.size).toBe(0)
  })

  test('is refused when it is too large, whether it says so or not', async () => {
    const message = 'Sorry, this file exceeds the maximum size of 1 MB.'
    const large = randomBytes(1024 * 1024 + 1)
    expect(await send([['file', file(large)]])).toMatchObject({ status: 413, body: { message } })
    const huge = randomBytes(8 * 1024 * 1024)
    expect(await send([['file', file(huge)]])).toMatchObject({ status: 413, body: { message } })
    await expect.poll(() => kept.size).toBe(0)
  })

  test('is refused with more fields, or larger ones, than any form has', async () => {
    const many = Array.from({ length: 30 }, (_, n): Part => [`field${n}`, 'x'])
    expect((await send([...many, ['file', file('x')]])).status).toBe(413)
    expect(
      (
        await send([
          ['name', 'x'.repeat(200_000)],
          ['file', file('x')],
        ])
      ).status,
    ).toBe(413)
    await expect.poll(() => kept.size).toBe(0)
  })

  test('is refused as another content type, and elsewhere', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const json = await fetch(`${url}/upload`, { method: 'POST', headers, body: '{}' })
    expect(json.status).toBe(415)
    expect((await send([['file', file('x')]], '/other')).status).toBe(415)
  })

  test.for(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=other'])(
    'is refused when it makes no sense: %s',
    async (type) => {
      const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf'
      const response = await fetch(`${url}/upload`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      })
      expect(response.status).toBe(400)
    },
  )

  test('that breaks off keeps nothing', async () => {
    const { port } = app.server.address() as AddressInfo
    const socket = connectTo(port, '127.0.0.1')
    await once(socket, 'connect')
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nfirst half'
    socket.write(
      `POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000\r\n\r\n${head}`,
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(kept.size).toBe(0)
    expect((await send([['file', file('still here')]])).status).toBe(200)
  })
})
