import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { sql } from 'kysely'

import { tooLargeFile } from '#contract/kit/files.ts'

import { blobPathOf, settle, sweepFolder, unfinishedIn } from './folder.ts'
import { DamagedBlob, FRAME_SIZE, Frames } from './frames.ts'
import { blobKeys } from './keys.ts'
import { openBlob } from './reader.ts'
import { clock } from '../clock.ts'
import { afterCommit, type Database, lockFor, type OrgDb, unitOf } from '../database/db.ts'
import { noteBuffers } from '../memory.ts'
import { Refusal } from '../http/refusal.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    blobs: { id: string; size: number; sha256: string; create_timestamp: string }
  }
}

/** What is known of stored bytes. */
export interface StoredBlob {
  readonly id: string
  readonly size: number
  /** Of the plain bytes, in hexadecimal. */
  readonly sha256: string
}

/**
 * Files, encrypted at rest with a key per organisation. Streams in and out; never in memory. Writing and reading ask
 * the database for the key: not from inside a transaction, which would wait for itself on the embedded database.
 */
export interface Blobs {
  /** Stores a stream. On failure nothing is left. What no row refers to within a day is swept: see `keepBlob`. */
  write(organisationId: string, content: Readable, limit?: number): Promise<StoredBlob>
  /**
   * The plain bytes, or a part of them, both ends included. Only authenticated bytes are released.
   * @throws DamagedBlob when the file is missing or damaged, as far as that shows before the first byte
   */
  read(organisationId: string, blob: StoredBlob, range?: { from: number; to: number }): Promise<Readable>
  remove(organisationId: string, id: string): Promise<void>
  /** Deletes unfinished and unreferenced files that are a day old. Returns their number. */
  sweep(): Promise<number>
}

/** Makes stored bytes last, in the transaction that refers to them: when that rolls back, they are swept. */
export async function keepBlob(db: OrgDb, stored: StoredBlob): Promise<void> {
  const { id, size, sha256 } = stored
  await db.insertInto('blobs').values({ id, size, sha256, create_timestamp: clock.timestamp() }).execute()
}

/** What is known of a kept blob of this organisation. */
export const findBlob = (db: OrgDb, id: string): Promise<StoredBlob | undefined> =>
  db.selectFrom('blobs').select(['id', 'size', 'sha256']).where('id', '=', id).executeTakeFirst()

/** Ends what `keepBlob` began. The bytes go once the transaction has committed, or else with the next sweep. */
export async function dropBlob(db: OrgDb, blobs: Blobs, id: string): Promise<void> {
  const { organisationId } = unitOf(db)
  await db.deleteFrom('blobs').where('id', '=', id).execute()
  afterCommit(db, () => void blobs.remove(organisationId, id).catch(() => {}))
}

/**
 * Bytes that the organisation stores. Takes a lock until the transaction ends, so that concurrent uploads are counted
 * one after another.
 */
export async function keptBytes(db: OrgDb): Promise<number> {
  await lockFor(db, 'blobs')
  const total = db.selectFrom('blobs').select(sql<number>`coalesce(sum(size), 0)`.as('bytes'))
  return (await total.executeTakeFirstOrThrow()).bytes
}

/** The first `length` bytes of a blob, fewer when the blob is shorter. Not for use inside a transaction. */
export async function headOf(
  blobs: Blobs,
  organisationId: string,
  blob: StoredBlob,
  length: number,
): Promise<Buffer> {
  if (blob.size === 0) return Buffer.alloc(0)
  return buffer(await blobs.read(organisationId, blob, { from: 0, to: Math.min(length, blob.size) - 1 }))
}

/** The plain length that is refused, said as the specification has it. */
export const tooLarge = (limit: number): Refusal => new Refusal(413, tooLargeFile(limit))

async function isKept(database: Database, organisationId: string, id: string): Promise<boolean> {
  const system = () => ({ kind: 'system', id: null, name: 'files' }) as const
  return database.withOrganisation(
    { organisationId, actor: system },
    async (db) => (await findBlob(db, id)) !== undefined,
  )
}

/** Blobs as files below one folder. */
export function diskBlobs(
  dir: string,
  database: Database,
  secret: Buffer,
  /** Throws when there is no room for more. */
  demandRoom: (bytes: number) => void = () => {},
): Blobs {
  const keyOf = blobKeys(database, secret)
  return {
    async write(organisationId, content, limit = Number.MAX_SAFE_INTEGER) {
      const id = crypto.randomUUID()
      // It may break off before the first byte is asked for, when nobody listens yet.
      content.on('error', () => {})
      try {
        const frames = new Frames(await keyOf(organisationId), id)
        const sha256 = createHash('sha256')
        const temporary = join(unfinishedIn(dir), id)
        await mkdir(unfinishedIn(dir), { recursive: true, mode: 0o700 })
        const file = await open(temporary, 'wx', 0o600)
        try {
          const size = await writeFrames(file, frames, content, { sha256, limit, demandRoom })
          await file.sync()
          await file.close()
          await settle(temporary, blobPathOf(dir, id))
          return { id, size, sha256: sha256.digest('hex') }
        } catch (error) {
          await file.close()
          await rm(temporary, { force: true })
          await rm(blobPathOf(dir, id), { force: true })
          throw error
        }
      } catch (error) {
        content.destroy()
        throw error
      }
    },
    async read(organisationId, blob, range) {
      const key = await keyOf(organisationId)
      try {
        return await openBlob(blobPathOf(dir, blob.id), blob, key, range)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        // Deleted meanwhile, or lost although it is still recorded.
        if (!(await isKept(database, organisationId, blob.id))) throw error
        throw new DamagedBlob('The file is missing.', { cause: error })
      }
    },
    remove: async (_organisationId, id) => rm(blobPathOf(dir, id), { force: true }),
    sweep: () => sweepFolder(dir, database),
  }
}

/** Frames that are written with one call. */
const BATCH = 8

/** Encrypts a stream into a file and returns its plain length; one batch is written while the next is encrypted. */
async function writeFrames(
  file: FileHandle,
  frames: Frames,
  content: Readable,
  { sha256, limit, demandRoom }: { sha256: Hash; limit: number; demandRoom: (bytes: number) => void },
): Promise<number> {
  const frame = Buffer.allocUnsafeSlow(FRAME_SIZE)
  let filled = 0
  let index = 0
  let size = 0
  let batch: Buffer[] = [frames.header]
  let position = 0
  let writing = Promise.resolve()

  const flush = async () => {
    await writing
    const buffers = batch
    const at = position
    batch = []
    const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    demandRoom(length)
    position += length
    noteBuffers(length)
    writing = writeAll(file, buffers, at)
    // The next flush throws the failure; until then it must not count as an unhandled rejection.
    writing.catch(() => {})
  }
  const seal = async (last: boolean) => {
    batch.push(...frames.seal(frame.subarray(0, filled), index++, last))
    filled = 0
    if (batch.length >= BATCH * 2) await flush()
  }

  for await (const chunk of content as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    size += bytes.length
    if (size > limit) throw tooLarge(limit)
    sha256.update(bytes)
    for (let offset = 0; offset < bytes.length;) {
      // Only when more is known to follow: the last frame is sealed as such.
      if (filled === FRAME_SIZE) await seal(false)
      const taken = bytes.copy(frame, filled, offset)
      filled += taken
      offset += taken
    }
  }
  await seal(true)
  await flush()
  await writing
  return size
}

async function writeAll(file: FileHandle, buffers: Buffer[], position: number): Promise<void> {
  const { bytesWritten } = await file.writev(buffers, position)
  if (bytesWritten === buffers.reduce((sum, buffer) => sum + buffer.length, 0)) return
  // A disk that is nearly full takes a part; the rest either fits or says why not.
  const all = Buffer.concat(buffers)
  for (let done = bytesWritten; done < all.length;)
    done += (await file.write(all, done, all.length - done, position + done)).bytesWritten
}
