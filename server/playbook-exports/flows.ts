import { Readable } from 'node:stream'

import { DOCX_CONTENT_TYPE } from '#contract/playbook-exports/api.ts'
import type {
  NewPlaybookExport,
  PlaybookExport,
  PlaybookExportType,
} from '#contract/playbook-exports/schema.ts'
import type { PlaybookDocumentType, PlaybookSourceType } from '#contract/playbooks/schema.ts'
import { listPlaybookFiles } from '#server/attachments/store.ts'
import { findOrganisationName } from '#server/incident-reports/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { renderDocx } from '#server/kit/docx/docx.ts'
import { record } from '#server/kit/events/events.ts'
import { distinctNames, safeFileName } from '#server/kit/core/file-names.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import {
  type ArchiveContent,
  archiveFile,
  type Inside,
  makeArchives,
  newArchive,
  openedArchive,
} from '#server/kit/jobs/archives.ts'
import { DOCUMENT_TOO_LONG, renderPdf } from '#server/kit/pdf/pdf.ts'
import { inProcess } from '#server/kit/processes/processes.ts'
import type { Services } from '#server/kit/services.ts'
import { zip, type ZipEntry } from '#server/kit/core/zip.ts'
import { findCategoryName } from '#server/playbooks/store.ts'
import { openPlaybook } from '#server/playbooks/flows.ts'

import { documentOf, type PlaybookFacts } from './document.content.ts'
import { jsonOf } from './json.content.ts'
import { markdownOf, type SourcePlaybook } from './markdown.content.ts'
import { countPlaybooks, type ExportRow, exportStore } from './store.ts'

const QUEUE = 'playbook-exports'
const PLAYBOOK = 'This playbook'
/** Playbooks of one archive that are drawn concurrently: the concurrency of drawing. */
const DRAWN_AT_ONCE = 2
const ZIP = 'application/zip'

/** Characters above which a playbook is written as Markdown in a worker process; shorter ones take milliseconds. */
const LONG = 200_000
async function renderMarkdown(playbook: SourcePlaybook): Promise<Buffer> {
  const length = playbook.activities.reduce((sum, { description }) => sum + description.length, 0)
  if (length < LONG) return Buffer.from(markdownOf(playbook))
  return inProcess<SourcePlaybook, Buffer>({
    kind: 'making',
    module: new URL('./markdown.task.ts', import.meta.url),
    task: playbook,
    excess: DOCUMENT_TOO_LONG,
  })
}

const FORMATS: {
  readonly [type in PlaybookExportType]: {
    readonly ending: string
    readonly contentType: string
    readonly isText: boolean
    readonly draw: (facts: PlaybookFacts) => Promise<Buffer> | Buffer
  }
} = {
  PDF: {
    ending: 'pdf',
    contentType: 'application/pdf',
    isText: false,
    draw: (facts) => renderPdf(documentOf(facts)),
  },
  DOCX: {
    ending: 'docx',
    contentType: DOCX_CONTENT_TYPE,
    isText: false,
    draw: (facts) => renderDocx(documentOf(facts)),
  },
  MARKDOWN: {
    ending: 'md',
    contentType: 'text/markdown',
    isText: true,
    draw: ({ playbook, categoryName }) => renderMarkdown({ ...playbook, categoryName }),
  },
  JSON: {
    ending: 'json',
    contentType: 'application/json',
    isText: true,
    draw: ({ playbook, categoryName }) => Buffer.from(jsonOf([{ ...playbook, categoryName }])),
  },
}

/** The name of an export (operations §9), in UTC. */
function exportName(at: string, ending: string): string {
  const [date = '', time = ''] = at.slice(0, 19).split('T')
  const [year, month, day] = date.split('-')
  return `Playbooks_Export_${month}-${day}-${year}_${time.replaceAll(':', '-')}.${ending}`
}
const nameOf = ({ playbook }: PlaybookFacts) => safeFileName(playbook.name, 'playbook')

/** @throws Refusal 404 */
async function factsOf(db: OrgDb, id: string): Promise<PlaybookFacts> {
  const playbook = await openPlaybook(db, id)
  const { categoryId } = playbook
  return {
    playbook,
    categoryName: categoryId === null ? null : ((await findCategoryName(db, categoryId)) ?? null),
    files: await listPlaybookFiles(db, id),
    organisation: await findOrganisationName(db),
    at: clock.timestamp(),
  }
}

function fileReply(facts: PlaybookFacts, type: PlaybookExportType, name: string): FileReply {
  const { contentType, draw } = FORMATS[type]
  return { name, type: contentType, body: async () => draw(facts) }
}

/** A playbook as a document, drawn once the transaction has ended. */
export async function playbookDocument(
  db: OrgDb,
  id: string,
  type: PlaybookDocumentType,
): Promise<FileReply> {
  const facts = await factsOf(db, id)
  return fileReply(facts, type, exportName(facts.at, FORMATS[type].ending))
}

/** A playbook as an importable file, named after it. */
export async function playbookSource(db: OrgDb, id: string, type: PlaybookSourceType): Promise<FileReply> {
  const facts = await factsOf(db, id)
  return fileReply(facts, type, `${nameOf(facts)}.${FORMATS[type].ending}`)
}

/**
 * Playbooks as documents in an archive, a single one as the document itself.
 * @throws Refusal 404 where one of them does not exist
 */
export async function playbookArchive(
  db: OrgDb,
  ids: readonly string[],
  type: PlaybookDocumentType,
): Promise<FileReply> {
  const [first, ...others] = ids
  if (others.length === 0) return playbookDocument(db, first!, type)
  const all: PlaybookFacts[] = []
  for (const id of ids) all.push(await factsOf(db, id))
  const read = all.map((facts) => async () => facts)
  return {
    name: exportName(clock.timestamp(), 'zip'),
    type: ZIP,
    body: async () => Readable.from(zip(entriesOf(read, type)), { objectMode: false }),
  }
}

interface Drawn {
  readonly facts: PlaybookFacts
  readonly file: Buffer
}
type Read = () => Promise<PlaybookFacts | null>

/** Files of playbooks in their order, drawn ahead. Null for playbooks that do not exist. */
async function* drawnOf(reads: readonly Read[], type: PlaybookExportType): AsyncGenerator<Drawn | null> {
  const draw = async (read: Read): Promise<Drawn | null> => {
    const facts = await read()
    return facts && { facts, file: await FORMATS[type].draw(facts) }
  }
  const begun: Promise<Drawn | null>[] = []
  const begin = (read: Read) => {
    const one = draw(read)
    // Prevents an unhandled rejection: the error is thrown where the file is consumed.
    one.catch(() => {})
    begun.push(one)
  }
  for (const read of reads) {
    if (begun.length >= DRAWN_AT_ONCE) yield await begun.shift()!
    begin(read)
  }
  for (const one of begun) yield await one
}

/** The files of an archive, named after their playbooks. */
async function* entriesOf(
  reads: readonly Read[],
  type: PlaybookExportType,
  onEach: (isThere: boolean) => void = () => {},
): AsyncGenerator<ZipEntry> {
  const { ending, isText } = FORMATS[type]
  const distinct = distinctNames()
  for await (const drawn of drawnOf(reads, type)) {
    onEach(drawn !== null)
    if (!drawn) continue
    const { facts, file } = drawn
    yield {
      name: distinct(nameOf(facts), ending),
      at: facts.at,
      isText,
      async *content() {
        yield file
      },
    }
  }
}

const toExport = ({ id, state, progress, createTimestamp, expireTimestamp }: ExportRow): PlaybookExport => ({
  id,
  state,
  progress,
  createTimestamp,
  expireTimestamp,
})

/**
 * Requests an export in the background, for the caller.
 * @throws Refusal 404 where one of the playbooks does not exist
 */
export async function requestExport(
  { jobs }: Services,
  db: OrgDb,
  caller: Caller,
  { ids, type }: NewPlaybookExport,
): Promise<PlaybookExport> {
  const playbookIds = [...new Set(ids)]
  if ((await countPlaybooks(db, playbookIds)) < playbookIds.length) throw notFound(PLAYBOOK)
  const row: ExportRow = { ...newArchive(caller), type, playbookIds }
  await exportStore.insert(db, row)
  await jobs.enqueue(db, QUEUE, { id: row.id })
  const changes = { type: { from: null, to: type }, playbooks: { from: null, to: playbookIds.length } }
  record(db, { noun: 'playbook-exports', record: row.id, verb: 'requested', changes })
  return toExport(row)
}

export const exportProgress = async (db: OrgDb, caller: Caller, id: string): Promise<PlaybookExport> =>
  toExport(await openedArchive(exportStore, db, caller, id))

/** @throws Refusal 404, 409 while the export is being made */
export const exportFile = async (
  { blobs }: Services,
  db: OrgDb,
  caller: Caller,
  id: string,
): Promise<FileReply> => archiveFile(blobs, db, caller, await openedArchive(exportStore, db, caller, id))

/** Registers the handler of playbook exports; call before the jobs begin. */
export const makePlaybookExports = (services: Services): void =>
  makeArchives(services, { queue: QUEUE, store: exportStore, parallel: 1, open: (_, row) => contentOf(row) })

/** Reads a playbook in its own transaction; null for one that was deleted meanwhile. */
const readIn =
  (inside: Inside, id: string): Read =>
  () =>
    inside((db) => factsOf(db, id)).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return null
      throw error
    })

function contentOf({ playbookIds, type, createTimestamp }: ExportRow): ArchiveContent {
  let found = 0
  return {
    fileName: exportName(createTimestamp, 'zip'),
    steps: playbookIds.length,
    entries: ({ inside, onStep }) =>
      entriesOf(
        playbookIds.map((id) => readIn(inside, id)),
        type,
        (isThere) => {
          if (isThere) found += 1
          onStep()
        },
      ),
    // True when all of the playbooks are gone.
    isEmpty: () => found === 0,
  }
}
