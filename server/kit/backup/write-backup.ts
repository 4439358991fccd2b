import pg from 'pg'

import type { Shelf } from '../blobs/blobs.ts'
import { sealedSize } from '../blobs/frames.ts'
import { blobKeyWrapping } from '../blobs/keys.ts'
import { holdForBackup } from '../database/backup-lock.ts'
import { appliedMigrations } from '../database/migrate.ts'
import { CannotStart } from '../core/start-problems.ts'
import { VERSION } from '../core/version.ts'
import { ArchiveWriter, DESCRIPTION, type Description, FORMAT, SECRET } from './archive.ts'
import type { BackupKey } from './keys.ts'
import { demandKnown } from './load.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { openStored, type RecordedFile } from './stored-files.ts'
import { nameOf, PLAIN_VALUES, type Table } from './tables.ts'

/** Largest part of a table, which is held in memory until its length is known. */
const PART_SIZE = 8 * 1024 * 1024

export interface BackupParts {
  readonly connection: pg.ClientConfig
  readonly migrations: string
  /** Text of the installation's secret, and the key made of it. */
  readonly secret: { readonly text: string; readonly key: Buffer }
  readonly shelf: Shelf
  readonly key: BackupKey
}
export interface Progress {
  readonly doing: 'counting' | 'tables' | 'files' | 'comparing'
  readonly done: number
  readonly of: number
}
export interface Made {
  readonly moment: string
  readonly rows: number
  readonly files: number
  readonly bytes: number
  /** Ids of files that are missing or damaged. */
  readonly damaged: readonly string[]
}

/**
 * Streams a backup of everything as it is at one moment, while the product may run.
 * @param write takes the encrypted bytes, in order
 * @throws CannotStart while another backup runs, or where the database is not one of this version or an earlier one
 */
export async function writeBackup(
  { connection, migrations, secret, shelf, key }: BackupParts,
  write: (bytes: Uint8Array) => Promise<unknown>,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Made> {
  const client = new pg.Client(connection)
  // The statement that loses its connection throws as well.
  client.on('error', () => {})
  await client.connect()
  try {
    if (!(await holdForBackup(client)))
      throw new CannotStart('Another backup of this installation is running. Wait until it has ended.')
    await client.query(PLAIN_VALUES)
    const applied = await appliedMigrations(client)
    if (applied === null) throw new CannotStart('The database holds no installation of Muster.')
    demandKnown(migrations, { migrations: applied })
    const snapshot = await openSnapshot(client, (done, of) => onProgress({ doing: 'counting', done, of }))
    const files = await listFiles(snapshot)
    const description: Description = {
      format: FORMAT,
      version: VERSION,
      moment: snapshot.moment,
      migrations: applied,
      jobsVersion: snapshot.jobsVersion,
      tables: snapshot.tables,
      sequences: await snapshot.sequences(),
      files: { count: files.length, bytes: files.reduce((sum, { size }) => sum + sealedSize(size), 0) },
    }
    const archive = new ArchiveWriter(snapshot.moment)
    let bytes = 0
    const encrypted = await archive.bytes(key)
    const written = (async () => {
      for await (const chunk of encrypted) {
        await write(chunk)
        bytes += chunk.length
      }
    })()
    const damaged: string[] = []
    const filled = (async () => {
      await archive.add(DESCRIPTION, JSON.stringify(description))
      await archive.add(SECRET, secret.text)
      const organisationKeys = await readOrganisationKeys(snapshot, secret.key)
      await addTables(archive, snapshot, onProgress)
      await snapshot.end()
      damaged.push(...(await addFiles(archive, { shelf, files, organisationKeys }, onProgress)))
      await archive.end(damaged)
    })()
    // Either side that fails ends the other one.
    filled.catch((error: Error) => archive.fail(error))
    written.catch((error: Error) => archive.fail(error))
    await Promise.all([filled, written])
    const rows = snapshot.tables.reduce((sum, table) => sum + table.rows, 0)
    return { moment: snapshot.moment, rows, files: files.length, bytes, damaged }
  } finally {
    await client.end().catch(() => {})
  }
}

const BLOBS = { schema: 'public', name: 'blobs' }
const BLOB_KEYS = { schema: 'public', name: 'blob_keys' }

const listFiles = (snapshot: Snapshot): Promise<RecordedFile[]> =>
  snapshot.query<RecordedFile>(
    BLOBS,
    `select organisation_id as "organisationId", id, size::float8 as size from blobs order by id`,
  )

/** Keys of the organisations' files. One that was sealed by another secret is missing. */
async function readOrganisationKeys(snapshot: Snapshot, secret: Buffer): Promise<Map<string, Buffer>> {
  const wrapping = blobKeyWrapping(secret)
  const rows = await snapshot.query<{ id: string; wrapped: Buffer }>(
    BLOB_KEYS,
    'select organisation_id as id, wrapped from blob_keys',
  )
  const keys = new Map<string, Buffer>()
  for (const { id, wrapped } of rows) {
    try {
      keys.set(id, wrapping.unwrap(id, wrapped))
    } catch {
      // Its files are named as damaged.
    }
  }
  return keys
}

/** Name of a part of a table, in the order of the tables. */
export const partName = (index: number, table: Table, part: number): string =>
  `tables/${String(index + 1).padStart(3, '0')}-${nameOf(table)}/${String(part).padStart(6, '0')}.copy`

async function addTables(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  for (const [index, table] of snapshot.tables.entries()) {
    onProgress({ doing: 'tables', done: index, of: snapshot.tables.length })
    if (table.rows === 0) continue
    let [part, length] = [1, 0]
    let chunks: Buffer[] = []
    const flush = async () => {
      await archive.addStream(partName(index, table, part++), length, chunks)
      chunks = []
      length = 0
    }
    for await (const chunk of snapshot.read(table)) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= PART_SIZE) await flush()
    }
    if (length > 0) await flush()
  }
}

interface FileParts {
  readonly shelf: Shelf
  readonly files: readonly RecordedFile[]
  readonly organisationKeys: ReadonlyMap<string, Buffer>
}
/** Adds the files as they are stored. Returns the ids of those that are missing or damaged. */
async function addFiles(
  archive: ArchiveWriter,
  { shelf, files, organisationKeys }: FileParts,
  onProgress: (progress: Progress) => void,
): Promise<string[]> {
  const damaged: string[] = []
  for (const [done, file] of files.entries()) {
    onProgress({ doing: 'files', done, of: files.length })
    const opened = await openStored(shelf, file, organisationKeys.get(file.organisationId))
    if (opened) await archive.addStream(`files/${file.id}`, opened.size, opened.content)
    if (!opened || opened.isDamaged()) damaged.push(file.id)
  }
  return damaged
}
