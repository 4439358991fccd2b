import { cut } from '#contract/kit/cut.ts'
import { isBlank, SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { type Held, isBytes, isUpload } from '#contract/kit/endpoint.ts'
import { MEGABYTE, NO_FILE, tooManyFiles } from '#contract/kit/files.ts'

import { type Blobs, tooLarge } from '../blobs/blobs.ts'
import { SECOND } from '../core/clock.ts'
import { Refusal } from '../core/refusal.ts'
import type { Caller, ReceivedUpload, ServerContext } from './serve.ts'

const INCOMPLETE = 'The form is not complete.'
const UPLOAD_TYPE = 'multipart/form-data'
/** Limits for the fields of a form beside its file. */
const FIELDS_MAX = 20
const FIELD_SIZE_MAX = 100 * 1024
const OVERHEAD_MAX = FIELDS_MAX * FIELD_SIZE_MAX
/** Time of silence after which a sender counts as gone. */
const SILENCE_MAX = 60 * SECOND

/** Content types of a part of a file (tus 1.0), and of a file. */
const BYTES_TYPES = ['application/offset+octet-stream', 'application/octet-stream']

/** Leaves multipart bodies and file parts unread for the calls that accept them; any other call refuses them. */
export function acceptUploads(app: FastifyInstance): void {
  app.addContentTypeParser(BYTES_TYPES, (request, _payload, done) => {
    const body = request.routeOptions.config.endpoint?.body
    done(body && isBytes(body) ? null : new Refusal(415, 'This content type is not accepted.'))
  })
  app.addContentTypeParser(UPLOAD_TYPE, (request, _payload, done) => {
    const body = request.routeOptions.config.endpoint?.body
    done(body && isUpload(body) ? null : new Refusal(415, 'This content type is not accepted.'))
  })
}

/**
 * Streams the single file of a multipart body into the blob store, and reads the other fields. Accepts
 * `maxFileUploadsAtOnce` concurrent uploads per caller in this process, and refuses further ones (409) unread.
 */
export function receiveUpload(blobs: Blobs): ServerContext['receive'] {
  /** Number of uploads in progress by sender. */
  const underWay = new Map<string, number>()
  return async (request, caller) => {
    const { id: sender, config } = caller
    const before = underWay.get(sender) ?? 0
    const most = config.maxFileUploadsAtOnce
    if (before >= most) throw new Refusal(409, tooManyFiles(most))
    underWay.set(sender, before + 1)
    try {
      return await receiveFile(blobs, request, caller)
    } finally {
      const left = underWay.get(sender)! - 1
      if (left > 0) underWay.set(sender, left)
      else underWay.delete(sender)
    }
  }
}

async function receiveFile(
  blobs: Blobs,
  request: FastifyRequest,
  { organisation, config }: Caller,
): Promise<ReceivedUpload> {
  const limit = config.maxFileSize * MEGABYTE
  const parser = parserFor(request)
  if (Number(request.headers['content-length'] ?? 0) > limit + OVERHEAD_MAX) throw tooLarge(limit)
  const form = await readForm(request.raw, parser, {
    keep: (file) => blobs.write(organisation.id, file, limit),
    discard: ({ id }) => blobs.remove(organisation.id, id),
  })
  const { id, size, sha256 } = form.stored
  return {
    fields: form.fields,
    file: { blobId: id, fileName: form.fileName, size, sha256 },
    discard: () => blobs.remove(organisation.id, id),
  }
}

/** Reads the single small file of a multipart body into memory, and the other fields. */
export const holdUpload: ServerContext['hold'] = async (request, { max, tooLarge: sentence }) => {
  const parser = parserFor(request)
  if (Number(request.headers['content-length'] ?? 0) > max + OVERHEAD_MAX) throw new Refusal(413, sentence)
  const form = await readForm(request.raw, parser, {
    keep: (file) => bytesOf(file, { max, tooLarge: sentence }),
    discard: async () => {},
  })
  const { fields, fileName, stored: bytes } = form
  return { fields, file: { bytes, fileName }, discard: async () => {} }
}

async function bytesOf(file: Readable, { max, tooLarge: sentence }: Held): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > max) throw new Refusal(413, sentence)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

interface Store<Stored> {
  readonly keep: (file: Readable) => Promise<Stored>
  readonly discard: (stored: Stored) => Promise<void>
}
interface Form<Stored> {
  readonly fields: { readonly [name: string]: string }
  readonly fileName: string
  readonly stored: Stored
}

/** Reads the parts of the form; on failure, deletes the stored bytes. */
async function readForm<Stored>(
  raw: IncomingMessage,
  parser: BusboyInstance,
  store: Store<Stored>,
): Promise<Form<Stored>> {
  const fields = new Map<string, string>()
  const { promise: whole, resolve, reject } = Promise.withResolvers<void>()
  const incomplete = () => reject(new Refusal(400, INCOMPLETE))
  const tooMany = () => reject(new Refusal(413, 'The form has too many fields.'))
  let fileName = ''
  let file: Readable | undefined
  let storing: Promise<Stored> | undefined

  parser.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) reject(new Refusal(413, 'A field of the form is too large.'))
    fields.set(name, value)
  })
  parser.on('file', (field, stream, name: string | undefined) => {
    // A form without a chosen file sends one without a name.
    if (field !== 'file' || !name) return void stream.resume()
    if (storing) {
      stream.resume()
      return reject(new Refusal(400, 'Please send one file at a time.'))
    }
    file = stream
    fileName = cleanName(name)
    storing = store.keep(stream)
    storing.catch(reject)
  })
  parser.on('fieldsLimit', tooMany).on('partsLimit', tooMany).on('filesLimit', tooMany)
  parser.on('error', incomplete).on('finish', resolve)

  const closed = () => raw.readableEnded || incomplete()
  const silence = setTimeout(() => reject(new Refusal(408, 'The upload stopped.')), SILENCE_MAX)
  const heard = () => void silence.refresh()
  raw.once('close', closed)
  raw.pipe(parser)
  raw.on('data', heard)
  try {
    await whole
    if (!storing) throw new Refusal(400, NO_FILE)
    return { fields: Object.fromEntries(fields), fileName, stored: await storing }
  } catch (error) {
    raw.unpipe(parser)
    file?.destroy(error as Error)
    storing?.then(store.discard).catch(() => {})
    // Drains the body, because browsers read the refusal only after they have sent everything.
    raw.resume()
    throw error
  } finally {
    clearTimeout(silence)
    raw.off('close', closed).off('data', heard)
  }
}

function parserFor(request: FastifyRequest): BusboyInstance {
  const type = request.headers['content-type'] ?? ''
  if (!type.toLowerCase().startsWith(UPLOAD_TYPE))
    throw new Refusal(415, 'A file is sent as multipart/form-data.')
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { files: 10, fields: FIELDS_MAX, fieldSize: FIELD_SIZE_MAX, headerPairs: 20 },
    })
  } catch {
    throw new Refusal(400, INCOMPLETE)
  }
}

/** A displayable file name: no path, nothing invisible. */
export function cleanName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1)!
  const visible = last.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').trim()
  return isBlank(visible) ? 'file' : visible
}

/** A clean name of bounded length, for files that have an id of their own. */
export function shortName(name: string): string {
  if (name.length <= SHORT_TEXT_MAX) return name
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  return cut(name, SHORT_TEXT_MAX - extension.length) + extension
}
