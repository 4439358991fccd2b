import { Readable } from 'node:stream'

import type { Archive } from '#contract/kit/archives.ts'

import { type Blobs, findBlob, keepBlob } from '../blobs/blobs.ts'
import { clock, DAY, SECOND } from '../core/clock.ts'
import type { Database, EventActor, OrgDb } from '../database/db.ts'
import type { FileReply } from '../http/answers.ts'
import { demand, notFound } from '../core/refusal.ts'
import type { Caller } from '../http/serve.ts'
import { zip, type ZipEntry } from '../core/zip.ts'
import type { Job, Jobs } from './jobs.ts'

const EXPORT = 'This export'
const TRIES = 3
/** Lifetime of a finished archive, and time limit for making one. */
const KEPT = DAY
const TIMEOUT_SECONDS = 3_600
const PROGRESS_EVERY = SECOND
const ZIP = 'application/zip'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'exports' }

/** Row of a ZIP file that a job makes for one person. */
export interface ArchiveRow extends Archive {
  /** Id of the requester. */
  requestedBy: string
  tries: number
  updateTimestamp: string
  fileName: string | null
  blobId: string | null
}
export const ARCHIVE_FIELDS = [
  'id',
  'requestedBy',
  'state',
  'progress',
  'tries',
  'fileName',
  'blobId',
  'createTimestamp',
  'updateTimestamp',
  'expireTimestamp',
] as const satisfies readonly (keyof ArchiveRow)[]

export interface ArchiveStore<Row extends ArchiveRow> {
  readonly find: (db: OrgDb, id: string) => Promise<Row | undefined>
  /** Updates an archive in progress. Returns false when it no longer is. */
  readonly update: (db: OrgDb, id: string, changes: Partial<ArchiveRow>) => Promise<boolean>
}

const after = (span: number) => new Date(clock.now() + span).toISOString()

/** The row of a newly requested archive. */
export function newArchive(caller: Caller): ArchiveRow {
  const now = clock.timestamp()
  return {
    id: crypto.randomUUID(),
    requestedBy: caller.id,
    state: 'MAKING',
    progress: 0,
    tries: 0,
    fileName: null,
    blobId: null,
    createTimestamp: now,
    updateTimestamp: now,
    expireTimestamp: after(KEPT),
  }
}

/**
 * An unexpired archive that the caller requested.
 * @throws Refusal 404
 */
export async function openedArchive<Row extends ArchiveRow>(
  { find }: ArchiveStore<Row>,
  db: OrgDb,
  caller: Caller,
  id: string,
): Promise<Row> {
  const row = await find(db, id)
  if (row?.requestedBy !== caller.id || row.expireTimestamp <= clock.timestamp()) throw notFound(EXPORT)
  return row
}

/** @throws Refusal 404, 409 while it is being made */
export async function archiveFile(
  blobs: Blobs,
  db: OrgDb,
  caller: Caller,
  row: ArchiveRow,
): Promise<FileReply> {
  demand(row.state === 'READY', 409, 'The export is not ready.')
  const blob = await findBlob(db, row.blobId!)
  if (!blob) throw notFound(EXPORT)
  return {
    name: row.fileName!,
    type: ZIP,
    size: blob.size,
    body: () => blobs.read(caller.organisation.id, blob),
  }
}

/** Runs `work` in its own transaction. */
export type Inside = <T>(work: (db: OrgDb) => Promise<T>) => Promise<T>
/** Contents of an archive. */
export interface ArchiveContent {
  readonly fileName: string
  /** Number of `onStep` calls, for the progress. */
  readonly steps: number
  readonly entries: (parts: {
    readonly organisationId: string
    readonly inside: Inside
    readonly onStep: () => void
  }) => AsyncIterable<ZipEntry>
  /** Called at the end: an empty archive fails instead. */
  readonly isEmpty?: () => boolean
}
interface Maker<Row extends ArchiveRow> {
  readonly queue: string
  readonly store: ArchiveStore<Row>
  /** Archives that one process makes concurrently. */
  readonly parallel: number
  /** The contents of the archive; null where it may no longer be made. */
  readonly open: (db: OrgDb, row: Row) => Promise<ArchiveContent | null> | ArchiveContent
}

interface Parts {
  readonly database: Database
  readonly blobs: Blobs
  readonly jobs: Jobs
}
/** Registers the maker of a queue's archives; call before the jobs begin. */
export function makeArchives<Row extends ArchiveRow>(parts: Parts, maker: Maker<Row>): void {
  parts.jobs.handle<{ id: string }>(maker.queue, (job) => make(parts, maker, job), {
    parallel: maker.parallel,
    timeoutSeconds: TIMEOUT_SECONDS,
  })
}

async function make<Row extends ArchiveRow>(
  { database, blobs }: Parts,
  maker: Maker<Row>,
  job: Job<{ id: string }>,
): Promise<void> {
  const { organisationId, data } = job
  const inside: Inside = (work) => database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  const update = (db: OrgDb, changes: Partial<ArchiveRow>) =>
    maker.store.update(db, data.id, { updateTimestamp: clock.timestamp(), ...changes })
  const note = (changes: Partial<ArchiveRow>) => inside((db) => update(db, changes))
  const begun = await inside((db) => begin(db, maker, data.id))
  if (!begun) return
  const { row, content } = begun
  try {
    const onStep = progressOf(content.steps, note)
    const entries = content.entries({ organisationId, inside, onStep })
    const blob = await blobs.write(organisationId, Readable.from(zip(entries), { objectMode: false }))
    // A sweep deletes the written bytes.
    if (content.isEmpty?.()) return void (await note({ state: 'FAILED' }))
    await inside(async (db) => {
      await keepBlob(db, blob)
      const isDone = await update(db, {
        state: 'READY',
        progress: 100,
        fileName: content.fileName,
        blobId: blob.id,
        expireTimestamp: after(KEPT),
      })
      // Rolls back and leaves the bytes to the sweep: nobody waits for them.
      if (!isDone) throw new Error('The export was given up meanwhile.')
    })
  } catch (error) {
    if (row.tries < TRIES && !job.last) throw error
    await note({ state: 'FAILED' })
  }
}

/**
 * Counts an attempt, so that an archive that crashes the process is not retried forever. Null where there is nothing to
 * do.
 */
async function begin<Row extends ArchiveRow>(
  db: OrgDb,
  { store, open }: Maker<Row>,
  id: string,
): Promise<{ row: Row; content: ArchiveContent } | null> {
  const row = await store.find(db, id)
  if (row?.state !== 'MAKING') return null
  const tries = row.tries + 1
  const content = tries > TRIES ? null : await open(db, row)
  const updateTimestamp = clock.timestamp()
  await store.update(db, id, { tries, updateTimestamp, ...(content === null && { state: 'FAILED' }) })
  return content && { row: { ...row, tries }, content }
}

/** Stores progress now and then. A failed write is ignored. */
function progressOf(steps: number, note: (changes: Partial<ArchiveRow>) => Promise<unknown>): () => void {
  let [done, noted] = [0, clock.now()]
  return () => {
    done += 1
    if (clock.now() - noted < PROGRESS_EVERY) return
    noted = clock.now()
    note({ progress: Math.min(99, Math.floor((done / steps) * 100)) }).catch(() => {})
  }
}
