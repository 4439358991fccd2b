import { CannotStart } from '../core/start-problems.ts'
import type { Shelf } from './blobs.ts'
import type { SealedBytes } from './reader.ts'
import { Bucket } from './s3.ts'
import { clock, DAY } from '../core/clock.ts'
import type { S3Settings } from '../core/settings.ts'
import { type Database, isUuid } from '../database/db.ts'
import { unknownAmong } from './folder.ts'

/** Bytes per part; S3 refuses smaller ones except the last. */
const PART_SIZE = 8 * 1024 * 1024
const PREFIX = 'files/'
const keyOf = (id: string): string => {
  if (!isUuid(id)) throw new Error('Not an identifier.')
  return PREFIX + id
}
/** Metadata key that names a bucket's installation, so that files of another one are never swept. */
const OWNER = 'installation'
/** Blobs per query. */
const ASKED_AT_ONCE = 500

/** Sends the bytes in parts, one while the next is filled. */
class PartWriter {
  readonly #bucket: Bucket
  readonly #key: string
  #buffers: Buffer[] = []
  #length = 0
  #uploadId: string | undefined
  readonly #tags: string[] = []
  #sending: Promise<void> = Promise.resolve()

  constructor(bucket: Bucket, key: string) {
    this.#bucket = bucket
    this.#key = key
  }

  async put(buffers: readonly Buffer[]): Promise<void> {
    for (const one of buffers) {
      this.#buffers.push(one)
      this.#length += one.length
    }
    if (this.#length >= PART_SIZE) await this.#send()
  }

  #taken(): Buffer<ArrayBuffer> {
    const bytes = Buffer.concat(this.#buffers, this.#length)
    this.#buffers = []
    this.#length = 0
    return bytes
  }

  async #send(): Promise<void> {
    await this.#sending
    const bytes = this.#taken()
    this.#sending = this.#sendPart(bytes)
    // The next call throws the failure; until then it would count as an unhandled rejection.
    this.#sending.catch(() => {})
  }

  async #sendPart(bytes: Buffer<ArrayBuffer>): Promise<void> {
    this.#uploadId ??= await this.#bucket.begin(this.#key)
    const tag = await this.#bucket.putPart(this.#key, this.#uploadId, this.#tags.length + 1, bytes)
    this.#tags.push(tag)
  }

  async end(): Promise<void> {
    await this.#sending
    if (this.#uploadId === undefined) return this.#bucket.put(this.#key, this.#taken())
    if (this.#length > 0) await this.#sendPart(this.#taken())
    await this.#bucket.complete(this.#key, this.#uploadId, this.#tags)
  }

  /** Cancels the upload, so that nothing is left. */
  async abort(): Promise<void> {
    await this.#sending.catch(() => {})
    if (this.#uploadId !== undefined) await this.#bucket.abort(this.#key, this.#uploadId)
    await this.#bucket.remove(this.#key)
  }
}

/** Reads an object sequentially with one request; a jump makes another request. */
class ObjectBytes implements SealedBytes {
  size = 0
  readonly #bucket: Bucket
  readonly #key: string
  #at = 0
  #chunks: ReadableStreamDefaultReader<Uint8Array> | undefined
  #rest: Uint8Array = new Uint8Array()

  constructor(bucket: Bucket, key: string) {
    this.#bucket = bucket
    this.#key = key
  }

  async openAt(position: number): Promise<void> {
    await this.close()
    const { whole, body } = await this.#bucket.get(this.#key, position)
    this.size = whole
    this.#at = position
    this.#rest = new Uint8Array()
    this.#chunks = body.getReader()
  }

  async read(into: Buffer, position: number): Promise<number> {
    if (position >= this.size) return 0
    if (position !== this.#at) await this.openAt(position)
    if (this.#rest.length === 0) {
      const { done, value } = await this.#chunks!.read()
      if (done) return 0
      this.#rest = value
    }
    const part = this.#rest.subarray(0, into.length)
    into.set(part)
    this.#rest = this.#rest.subarray(part.length)
    this.#at += part.length
    return part.length
  }

  async close(): Promise<void> {
    await this.#chunks?.cancel().catch(() => {})
    this.#chunks = undefined
  }
}

/** Blobs as objects of a bucket. */
export const bucketShelf = (settings: S3Settings): Shelf => {
  const bucket = new Bucket(settings)
  return {
    async write(id, fill) {
      const writer = new PartWriter(bucket, keyOf(id))
      try {
        const result = await fill((buffers) => writer.put(buffers))
        await writer.end()
        return result
      } catch (error) {
        // A sweep deletes what cannot be removed now.
        await writer.abort().catch(() => {})
        throw error
      }
    },
    async open(id) {
      const object = new ObjectBytes(bucket, keyOf(id))
      await object.openAt(0)
      return object
    },
    sizeOf: (id) => bucket.sizeOf(keyOf(id)),
    remove: (id) => bucket.remove(keyOf(id)),
    sweep: (database) => sweepBucket(bucket, database),
  }
}

/** Deletes objects that are a day old and not recorded, and their unfinished uploads. Returns their number. */
async function sweepBucket(bucket: Bucket, database: Database): Promise<number> {
  let removed = 0
  const isOld = (at: number) => at < clock.now() - DAY
  let asked: string[] = []
  const removeUnknown = async () => {
    const unknown = asked.length === 0 ? [] : await unknownAmong(database, asked)
    for (const id of unknown) await bucket.remove(keyOf(id))
    removed += unknown.length
    asked = []
  }
  for await (const { key, at } of bucket.list(PREFIX)) {
    const id = key.slice(PREFIX.length)
    if (!isUuid(id) || !isOld(at)) continue
    asked.push(id)
    if (asked.length >= ASKED_AT_ONCE) await removeUnknown()
  }
  await removeUnknown()
  // Last, because not every service lists uploads.
  for (const { key, uploadId, at } of await bucket.listUploads(PREFIX)) {
    if (!isOld(at)) continue
    await bucket.abort(key, uploadId)
    removed += 1
  }
  return removed
}

/**
 * Verifies that a bucket belongs to this installation, and marks an unmarked one.
 * @param owner identifies the installation and reveals nothing else
 * @param mayMark accepts an unmarked bucket; false where recorded files cannot be in it
 * @throws CannotStart
 */
export async function claimBucket(settings: S3Settings, owner: string, mayMark: boolean): Promise<void> {
  const bucket = new Bucket(settings)
  const name = `The bucket ${settings.bucket}`
  let found: string | undefined
  try {
    found = await new Response((await bucket.get(OWNER, 0)).body).text()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      const { message } = ((error as Error).cause ?? error) as Error
      throw new CannotStart(
        `${name} cannot be used: ${message}. Check the settings that begin with S3_ and AWS_.`,
        {
          cause: error,
        },
      )
    }
  }
  if (found === owner) return
  if (found !== undefined)
    throw new CannotStart(`${name} belongs to another installation. Set S3_BUCKET to one of its own.`)
  if (!mayMark)
    throw new CannotStart(
      `${name} does not have the files that the database refers to. Move them with npm run move-files -- --to s3, ` +
        'or set S3_BUCKET to the one that has them.',
    )
  await bucket.put(OWNER, Buffer.from(owner))
}

/**
 * Claims a bucket for files that are about to come: one that is empty, or one that belongs to the installation already.
 * @throws CannotStart for any other
 */
export async function claimForRestore(settings: S3Settings, owner: string): Promise<void> {
  const bucket = new Bucket(settings)
  // An unmarked bucket may belong to something else.
  const hasMark = (await bucket.sizeOf(OWNER)) !== undefined
  if (!hasMark && !(await bucket.list('').next()).done)
    throw new CannotStart(
      `The bucket ${settings.bucket} is not empty, and has no mark of this installation. Set S3_BUCKET to an empty one.`,
    )
  await claimBucket(settings, owner, true)
}
