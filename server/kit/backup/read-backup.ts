import { createHash } from 'node:crypto'

import pg from 'pg'

import type { Shelf } from '../blobs/blobs.ts'
import { claimForRestore } from '../blobs/bucket.ts'
import { ownerOf } from '../blobs/installation.ts'
import { CannotStart } from '../core/start-problems.ts'
import type { Settings } from '../core/settings.ts'
import { isUuid } from '../database/db.ts'
import { keyOf, sameBytes } from '../security/secrets.ts'
import {
  type ArchiveReader,
  type Description,
  MANIFEST,
  type Manifest,
  type ReadEntry,
  readManifest,
  SECRET,
} from './archive.ts'
import { type Loading, openLoading } from './load.ts'
import type { Filling, Target } from './target.ts'
import { partName, type Progress } from './write-backup.ts'

const FILE = /^files\/(.+)$/
const DAMAGED = 'The backup has something that it should not have, or lacks something. Nothing was restored.'

/**
 * Restores an opened backup, whose description was read, into a target: everything or nothing.
 * @returns the ids of files that were missing or damaged when the backup was made
 * @throws CannotStart where anything does not verify; the target is as it was then
 */
export async function restoreBackup(
  archive: ArchiveReader,
  description: Description,
  target: Target,
  { settings, migrations }: { readonly settings: Settings; readonly migrations: string },
  onProgress: (progress: Progress) => void = () => {},
): Promise<readonly string[]> {
  const secret = await archive.expect(SECRET)
  demandSecret(secret, settings)
  if (settings.s3) await claimForRestore(settings.s3, ownerOf(keyOf(secret)))
  const filling = await target.open()
  const added: string[] = []
  try {
    const loading = await openLoading(filling.client, migrations, description)
    const first = await loadTables(archive, description, loading, onProgress)
    const manifest = await takeFiles(archive, first, { filling, description, added }, onProgress)
    await archive.end(manifest)
    await loading.finish(description.sequences, (done, of) => onProgress({ doing: 'comparing', done, of }))
    await filling.keepSecret(secret)
    await filling.commit()
    return manifest.damaged
  } catch (error) {
    for (const id of added) await filling.shelf.remove(id).catch(() => {})
    await filling.abort()
    throw explained(error)
  }
}

/** The sentence about a database or disk that refuses; other errors as they are. */
function explained(error: unknown): unknown {
  const { message, syscall } = error as NodeJS.ErrnoException
  if (!(error instanceof pg.DatabaseError) && syscall === undefined) return error
  return new CannotStart(
    `The restore failed: ${message.replace(/\.$/, '')}. Nothing was restored; check the room on the disk and the rights of the database's user.`,
    { cause: error },
  )
}

/** @throws CannotStart where the settings give another secret */
function demandSecret(text: string, { secretKey }: Settings): void {
  if (secretKey && !sameBytes(keyOf(secretKey), keyOf(text)))
    throw new CannotStart(
      'The setting SECRET_KEY is not the one that this backup was made under, and without that one no file can be read. ' +
        'Set the right one, or leave it out: the backup has it.',
    )
}

/** Loads all tables, and returns the entry behind them. */
async function loadTables(
  archive: ArchiveReader,
  { tables }: Description,
  loading: Loading,
  onProgress: (progress: Progress) => void,
): Promise<ReadEntry | undefined> {
  let entry = await archive.next()
  for (const [index, table] of tables.entries()) {
    onProgress({ doing: 'tables', done: index, of: tables.length })
    if (table.rows === 0) continue
    const parts = async function* () {
      for (let part = 1; entry?.name === partName(index, table, part); part++) {
        yield* entry.content
        entry = await archive.next()
      }
    }
    await loading.load(table, parts())
  }
  return entry
}

interface Taking {
  readonly filling: Filling
  readonly description: Description
  /** Ids of files that were not there before. */
  readonly added: string[]
}

/** Stores all files, from the first entry that is no table's, and returns the manifest behind them. */
async function takeFiles(
  archive: ArchiveReader,
  first: ReadEntry | undefined,
  { filling, description, added }: Taking,
  onProgress: (progress: Progress) => void,
): Promise<Manifest> {
  let done = 0
  for (let entry = first; entry; entry = await archive.next()) {
    if (entry.name === MANIFEST) return readManifest(entry)
    const id = FILE.exec(entry.name)?.[1]
    if (id === undefined || !isUuid(id)) break
    onProgress({ doing: 'files', done: done++, of: description.files.count })
    if ((await filling.shelf.sizeOf(id)) === entry.size) await demandSame(filling.shelf, id, entry)
    else {
      added.push(id)
      await store(filling.shelf, id, entry)
    }
  }
  throw new CannotStart(DAMAGED)
}

const store = (shelf: Shelf, id: string, { content }: ReadEntry): Promise<void> =>
  shelf.write(id, async (put) => {
    let position = 0
    for await (const chunk of content) {
      await put([chunk], position)
      position += chunk.length
    }
  })

/**
 * Leaves a file that is there already, such as after a restore that was broken off.
 * @throws CannotStart where it is another one
 */
async function demandSame(shelf: Shelf, id: string, { content }: ReadEntry): Promise<void> {
  const [restored, stored] = [createHash('sha256'), createHash('sha256')]
  for await (const chunk of content) restored.update(chunk)
  const file = await shelf.open(id)
  try {
    const piece = Buffer.allocUnsafe(1024 * 1024)
    for (let position = 0; position < file.size;) {
      const read = await file.read(piece, position)
      if (read === 0) break
      stored.update(piece.subarray(0, read))
      position += read
    }
  } finally {
    await file.close()
  }
  if (!restored.digest().equals(stored.digest()))
    throw new CannotStart(
      `The file ${id} is there already, and is another one than the backup's. Delete it, and try again.`,
    )
}

async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  const chunks = content[Symbol.asyncIterator]()
  while (!(await chunks.next()).done);
}

/** Reads an opened backup to its end without restoring it. @throws CannotStart where anything does not verify */
export async function verifyBackup(archive: ArchiveReader): Promise<Manifest> {
  for (let entry = await archive.next(); entry; entry = await archive.next()) {
    if (entry.name === MANIFEST) {
      const manifest = await readManifest(entry)
      await archive.end(manifest)
      return manifest
    }
    await drain(entry.content)
  }
  throw new CannotStart(DAMAGED)
}
