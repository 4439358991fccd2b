import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import { blobsOn, type Shelf } from './blobs.ts'
import { sealedSize } from './frames.ts'
import type { Database, EventActor } from '../database/db.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'files' }
/** Files per query. */
const PAGE = 500
/** Bytes copied at once. */
const PIECE = 1024 * 1024
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

interface Kept {
  readonly organisation_id: string
  readonly id: string
  readonly size: number
  readonly sha256: string
}

const listKept = (database: Database, after: string): Promise<Kept[]> =>
  database.withProvider(SYSTEM, async (db) => {
    const { rows } = await sql<Kept>`
      select organisation_id, id, size, sha256 from blobs where id > ${after} order by id limit ${PAGE}`.execute(
      db,
    )
    return rows
  })

async function copy(from: Shelf, to: Shelf, id: string): Promise<void> {
  const source = await from.open(id)
  try {
    await to.write(id, async (put) => {
      for (let position = 0; position < source.size;) {
        // Allocated for each piece, because a shelf may hold it until it is sent.
        const piece = Buffer.allocUnsafe(Math.min(PIECE, source.size - position))
        const read = await source.read(piece, position)
        if (read === 0) break
        await put([piece.subarray(0, read)], position)
        position += read
      }
    })
  } finally {
    await source.close()
  }
}

export interface Moved {
  readonly copied: number
  /** Files that the target had already. */
  readonly compared: number
  /** Ids of files that are missing or damaged, and were left in place. */
  readonly damaged: readonly string[]
}

/**
 * Copies all recorded files from one shelf to another, still encrypted, and verifies the hash of each on the target.
 * Files on the target are only verified, so that an interrupted move can be repeated.
 * @param remove deletes verified files from the first shelf
 */
export async function moveFiles(
  { database, secret }: { readonly database: Database; readonly secret: Buffer },
  { from, to, remove }: { readonly from: Shelf; readonly to: Shelf; readonly remove: boolean },
  onProgress: (done: number) => void = () => {},
): Promise<Moved> {
  const blobs = blobsOn(to, database, secret)
  const damaged: string[] = []
  let [copied, compared] = [0, 0]
  const isProven = async ({ organisation_id, id, size, sha256 }: Kept): Promise<boolean> => {
    const digest = createHash('sha256')
    try {
      const content = await blobs.read(organisation_id, { id, size, sha256 })
      for await (const chunk of content as AsyncIterable<Buffer>) digest.update(chunk)
    } catch {
      return false
    }
    return digest.digest('hex') === sha256
  }
  async function move(kept: Kept): Promise<void> {
    const { id, size } = kept
    const isThere = (await to.sizeOf(id)) === sealedSize(size) && (await isProven(kept))
    if (!isThere) {
      try {
        await copy(from, to, id)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        damaged.push(id)
        return
      }
      if (!(await isProven(kept))) {
        await to.remove(id)
        damaged.push(id)
        return
      }
    }
    if (isThere) compared += 1
    else copied += 1
    if (remove) await from.remove(id)
  }
  for (let page = await listKept(database, FIRST_ID); page.length > 0;) {
    for (const kept of page) {
      await move(kept)
      onProgress(copied + compared + damaged.length)
    }
    page = await listKept(database, page.at(-1)!.id)
  }
  return { copied, compared, damaged }
}
