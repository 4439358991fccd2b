import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { sql } from 'kysely'

import { tooLargeFile } from '#contract/kit/files.ts'

import type { Source } from './detect.ts'
import { diskShelf } from './disk.ts'
import { DamagedBlob, FRAME_SIZE, Frames } from './frames.ts'
import { blobKeys } from './keys.ts'
import { openBlob, type SealedBytes } from './reader.ts'
import { clock } from '../core/clock.ts'
import { isBackupRunning } from '../database/backup-lock.ts'
import { afterCommit, type Database, lockFor, type OrgDb, unitOf } from '../database/db.ts'
import { noteBuffers } from '../core/memory.ts'
import { Refusal } from '../core/refusal.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    blobs: { id: string; size: number; sha256: string; create_timestamp: string }
  }
}

/** Metadata of stored bytes. */
export interface StoredBlob {
  readonly id: string
  readonly size: number
  /** Hash of the plain bytes, in hexadecimal. */
  readonly sha256: string
}

/**
 * Files, encrypted at rest with a key per organisation. Content is streamed, never held in memory. Writing and reading
 * query the database for the key: call outside of transactions, which would hold two connections at once.
 */
export interface Blobs {
  /** Stores a stream, all or nothing. A sweep deletes bytes without a row after a day: see `keepBlob`. */
  write(organisationId: string, content: Readable, limit?: number): Promise<StoredBlob>
  /**
   * The plain bytes, or a range of them, both ends included. Only authenticated bytes are released.
   * @throws DamagedBlob when the file is missing or damaged, as far as that shows before the first byte
   */
  read(organisationId: string, blob: StoredBlob, range?: { from: number; to: number }): Promise<Readable>
  /** Deletes a file whose row is gone, after the commit. While a backup runs the file stays, and is swept a day later. */
  remove(organisationId: string, id: string): Promise<void>
  /** Deletes unfinished and unreferenced files that are a day old. Returns their number. */
  sweep(): Promise<number>
}

/** Makes stored bytes permanent, in the transaction that refers to them. After a rollback they are swept. */
export async function keepBlob(db: OrgDb, stored: StoredBlob): Promise<void> {
  const { id, size, sha256 } = stored
  await db.insertInto('blobs').values({ id, size, sha256, create_timestamp: clock.timestamp() }).execute()
}

/** Metadata of a kept blob of this organisation. */
export const findBlob = (db: OrgDb, id: string): Promise<StoredBlob | undefined> =>
  db.selectFrom('blobs').select(['id', 'size', 'sha256']).where('id', '=', id).executeTakeFirst()

/** Reverses `keepBlob`. The bytes are deleted after the commit, or else with the next sweep. */
export async function dropBlob(db: OrgDb, blobs: Blobs, id: string): Promise<void> {
  const { organisationId } = unitOf(db)
  await db.deleteFrom('blobs').where('id', '=', id).execute()
  afterCommit(db, () => void blobs.remove(organisationId, id).catch(() => {}))
}

/**
 * Bytes that the organisation stores, without those of deletions that can still be undone. Takes a lock until the transaction ends, which serialises the counting of
 * concurrent uploads.
 */
export async function keptBytes(db: OrgDb): Promise<number> {
  await lockFor(db, 'blobs')
  const kept = sql<number>`coalesce(sum(size), 0) - (
    select coalesce(sum(b.size), 0) from blobs b where b.id in (select unnest(blob_ids) from deletions)
       and not exists (select from attachments a where a.blob_id = b.id))`
  const total = db.selectFrom('blobs').select(kept.as('bytes'))
  return (await total.executeTakeFirstOrThrow()).bytes
}

/** A stored file, to be read in parts. Not for use inside a transaction. */
export const blobSource = (blobs: Blobs, organisationId: string, blob: StoredBlob): Source => ({
  size: blob.size,
  read: async (from, to) =>
    from === to ? Buffer.alloc(0) : buffer(await blobs.read(organisationId, blob, { from, to: to - 1 })),
})

/** The refusal of a file beyond `limit` plain bytes, in the specification's words. */
export const tooLarge = (limit: number): Refusal => new Refusal(413, tooLargeFile(limit))

async function isKept(database: Database, organisationId: string, id: string): Promise<boolean> {
  const system = () => ({ kind: 'system', id: null, name: 'files' }) as const
  return database.withOrganisation(
    { organisationId, actor: system },
    async (db) => (await findBlob(db, id)) !== undefined,
  )
}

/** Storage of sealed blobs: a folder, or a bucket. Sees ciphertext only. */
export interface Shelf {
  /**
   * Stores what `fill` puts, in order and without gaps. The bytes are durable once this resolves; on failure nothing is
   * left.
   * @throws errors of `fill` and of the storage
   */
  write<T>(id: string, fill: (put: Put) => Promise<T>): Promise<T>
  /** @throws an error with the code `ENOENT` for an unknown id */
  open(id: string): Promise<SealedBytes>
  /** The length of a sealed blob; undefined for an unknown id. */
  sizeOf(id: string): Promise<number | undefined>
  remove(id: string): Promise<void>
  /** Deletes files that are a day old and unfinished or unrecorded. Returns their number. */
  sweep(database: Database): Promise<number>
}
export type Put = (buffers: Buffer[], position: number) => Promise<void>

/** Encrypted blobs on a shelf. */
export function blobsOn(
  shelf: Shelf,
  database: Database,
  secret: Buffer,
  /** @throws Refusal 507 without room for more */
  demandRoom: (bytes: number) => void = () => {},
): Blobs {
  const keyOf = blobKeys(database, secret)
  return {
    async write(organisationId, content, limit = Number.MAX_SAFE_INTEGER) {
      const id = crypto.randomUUID()
      // The stream may fail before anybody listens.
      content.on('error', () => {})
      try {
        const frames = new Frames(await keyOf(organisationId), id)
        const sha256 = createHash('sha256')
        const size = await shelf.write(id, (put) =>
          writeFrames(put, frames, content, { sha256, limit, demandRoom }),
        )
        return { id, size, sha256: sha256.digest('hex') }
      } catch (error) {
        content.destroy()
        throw error
      }
    },
    async read(organisationId, blob, range) {
      const key = await keyOf(organisationId)
      try {
        return await openBlob(() => shelf.open(blob.id), blob, key, range)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        // Deleted meanwhile, or lost although still recorded.
        if (!(await isKept(database, organisationId, blob.id))) throw error
        throw new DamagedBlob('The file is missing.', { cause: error })
      }
    },
    async remove(_organisationId, id) {
      // Swept a day later instead.
      if (!(await isBackupRunning(database.directory))) await shelf.remove(id)
    },
    sweep: () => shelf.sweep(database),
  }
}

/** Blobs as files below one folder. */
export const diskBlobs = (
  dir: string,
  database: Database,
  secret: Buffer,
  demandRoom?: (bytes: number) => void,
): Blobs => blobsOn(diskShelf(dir), database, secret, demandRoom)

/** Frames written per call. */
const BATCH = 8

/**
 * Encrypts a stream onto a shelf and returns its plain length. Encrypts one batch while the previous one is written.
 */
async function writeFrames(
  put: Put,
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
    // Plain and sealed bytes.
    noteBuffers(length * 2)
    writing = put(buffers, at)
    // The next flush throws the failure; until then it would count as an unhandled rejection.
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
      // Only once more bytes follow, because the last frame is sealed as such.
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
