import type { Readable } from 'node:stream'

import { SEARCHED_EXTENSIONS, type SearchedExtension } from '#contract/files/rules.ts'
import { MEGABYTE } from '#contract/kit/files.ts'
import { DamagedBlob } from '#server/kit/blobs/frames.ts'
import { MINUTE } from '#server/kit/core/clock.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import type { Jobs } from '#server/kit/jobs/jobs.ts'
import { inProcess } from '#server/kit/processes/processes.ts'
import type { Services } from '#server/kit/services.ts'

import type { FileText } from './passages.content.ts'
import {
  deleteText,
  deleteTexts,
  findUnread,
  insertMissing,
  insertRequest,
  isSearched,
  listMissing,
  listUnwanted,
  type UnreadFile,
  updateText,
} from './store.ts'
import type { TextTask } from './text.task.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'file texts' }
const QUEUE = 'file-texts'
/** Apart, so that a new file does not wait for thousands of old ones. */
const BACKLOG = 'file-texts-backlog'
/** Old files that a round queues for each organisation. */
const BACKLOG_SIZE = 500

/** Larger files are not read; of texts and tables only their beginning. */
const FILE_MAX = 100 * MEGABYTE
const PLAIN_MAX = 4 * MEGABYTE
const PLAIN: readonly string[] = ['csv', 'txt'] satisfies SearchedExtension[]

const NO_TEXT: FileText = { words: '', passages: [] }

interface Requested {
  readonly itemId: number
}

/** Registers the reading of new files and of old ones; call before the jobs begin. */
export function readFileTexts(services: Services): void {
  for (const queue of [QUEUE, BACKLOG])
    services.jobs.handle<Requested>(queue, ({ organisationId, data }) =>
      readText(services, organisationId, data.itemId),
    )
  services.jobs.every('file texts', 10 * MINUTE, () => tidyTexts(services))
}

/** Forgets the text of a file's earlier content, and requests the new one where the organisation's contents are searched. */
export async function requestText(jobs: Jobs, db: OrgDb, itemId: number): Promise<void> {
  await deleteText(db, itemId)
  if ((await isSearched(db)) && (await insertRequest(db, itemId)))
    await jobs.enqueue(db, QUEUE, { itemId } satisfies Requested)
}

/** Deletes all texts where the organisation's contents are not searched any more. */
export async function forgetTexts(db: OrgDb): Promise<number> {
  return (await isSearched(db)) ? 0 : deleteTexts(db)
}

/**
 * Requests texts of files that were added before there was a search, or while it was off, and deletes those of
 * organisations for which the provider switched it off. Returns the number of both.
 */
export async function tidyTexts({ database, jobs }: Pick<Services, 'database' | 'jobs'>): Promise<number> {
  const { missing, unwanted } = await database.withProvider(SYSTEM, async (db) => ({
    missing: await listMissing(db),
    unwanted: await listUnwanted(db),
  }))
  let count = 0
  const inside = async (organisationId: string, work: (db: OrgDb) => Promise<number>) => {
    count += await database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  }
  for (const id of unwanted) await inside(id, forgetTexts)
  for (const id of missing)
    await inside(id, async (db) => {
      const ids = await insertMissing(db, BACKLOG_SIZE)
      await jobs.enqueue(db, BACKLOG, ...ids.map((itemId): Requested => ({ itemId })))
      return ids.length
    })
  return count
}

/** Reads and stores the text of a file, once. */
async function readText(services: Services, organisationId: string, itemId: number): Promise<void> {
  const inside = <T>(work: (db: OrgDb) => Promise<T>) =>
    services.database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  const file = await inside((db) => findUnread(db, itemId))
  if (!file) return
  const text = await textOf(services, organisationId, file)
  await inside((db) => updateText(db, file, text))
}

const isSearchedFormat = (extension: string): extension is SearchedExtension =>
  SEARCHED_EXTENSIONS.some((one) => one === extension)

/**
 * The text of a stored file; none where it is damaged, protected, too large or too much work.
 * @throws errors of the storage, and 503: the job is repeated
 */
async function textOf(
  { blobs }: Services,
  organisationId: string,
  { extension, blob }: UnreadFile,
): Promise<FileText> {
  const isPlain = PLAIN.includes(extension)
  if (!isSearchedFormat(extension) || (blob.size > FILE_MAX && !isPlain)) return NO_TEXT
  const range = isPlain && blob.size > PLAIN_MAX ? { from: 0, to: PLAIN_MAX - 1 } : undefined
  const input = (): Promise<Readable> => blobs.read(organisationId, blob, range)
  try {
    const module = new URL('./text.task.ts', import.meta.url)
    const text = await inProcess<TextTask, FileText | null>({
      kind: 'indexing',
      module,
      task: { extension, isCut: range !== undefined },
      input,
      excess: 'This file takes too much to be read.',
    })
    return text ?? NO_TEXT
  } catch (error) {
    if (error instanceof DamagedBlob || (error instanceof Refusal && error.status === 413)) return NO_TEXT
    throw error
  }
}
