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
import { findBlob, keepBlob } from '#server/kit/blobs/blobs.ts'
import { clock, DAY, SECOND } from '#server/kit/clock.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { renderDocx } from '#server/kit/docx/docx.ts'
import { record } from '#server/kit/events/events.ts'
import { distinctNames, safeFileName } from '#server/kit/file-names.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { demand, notFound, Refusal } from '#server/kit/http/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Job } from '#server/kit/jobs/jobs.ts'
import { renderPdf } from '#server/kit/pdf/pdf.ts'
import type { Services } from '#server/kit/services.ts'
import { zip, type ZipEntry } from '#server/kit/zip.ts'
import { findCategoryName } from '#server/playbook-categories/store.ts'
import { openPlaybook } from '#server/playbooks/flows.ts'

import { documentOf, type PlaybookFacts } from './document.content.ts'
import { jsonOf } from './json.content.ts'
import { markdownOf } from './markdown.content.ts'
import { countPlaybooks, type ExportRow, findExport, insertExport, updateExport } from './store.ts'

const QUEUE = 'playbook-exports'
const EXPORT = 'This export'
const PLAYBOOK = 'This playbook'
const TRIES = 3
/** How long a finished export can be fetched, and how long one may take. */
const KEPT = DAY
const TIMEOUT_SECONDS = 3_600
const PROGRESS_EVERY = SECOND
/** Playbooks of one archive that are drawn at once, as many as documents are. */
const DRAWN_AT_ONCE = 2
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'exports' }
const ZIP = 'application/zip'

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
    draw: ({ playbook, categoryName }) => Buffer.from(markdownOf({ ...playbook, categoryName })),
  },
  JSON: {
    ending: 'json',
    contentType: 'application/json',
    isText: true,
    draw: ({ playbook, categoryName }) => Buffer.from(jsonOf([{ ...playbook, categoryName }])),
  },
}

const after = (span: number) => new Date(clock.now() + span).toISOString()
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

/** A playbook as a document. It is drawn once the transaction has ended. */
export async function playbookDocument(
  db: OrgDb,
  id: string,
  type: PlaybookDocumentType,
): Promise<FileReply> {
  const facts = await factsOf(db, id)
  return fileReply(facts, type, exportName(facts.at, FORMATS[type].ending))
}

/** A playbook as a file that can be imported again, named after it. */
export async function playbookSource(db: OrgDb, id: string, type: PlaybookSourceType): Promise<FileReply> {
  const facts = await factsOf(db, id)
  return fileReply(facts, type, `${nameOf(facts)}.${FORMATS[type].ending}`)
}

/**
 * Some playbooks as documents in an archive, a single one as the document itself.
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

/** Files of playbooks in their order, some of them drawn ahead. Playbooks that do not exist are null. */
async function* drawnOf(reads: readonly Read[], type: PlaybookExportType): AsyncGenerator<Drawn | null> {
  const draw = async (read: Read): Promise<Drawn | null> => {
    const facts = await read()
    return facts && { facts, file: await FORMATS[type].draw(facts) }
  }
  const begun: Promise<Drawn | null>[] = []
  const begin = (read: Read) => {
    const one = draw(read)
    // The error is thrown where the file is taken, which may be later.
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
 * Has playbooks exported in the background, for the caller.
 * @throws Refusal 404 where one of them does not exist
 */
export async function requestExport(
  { jobs }: Services,
  db: OrgDb,
  caller: Caller,
  { ids, type }: NewPlaybookExport,
): Promise<PlaybookExport> {
  const playbookIds = [...new Set(ids)]
  if ((await countPlaybooks(db, playbookIds)) < playbookIds.length) throw notFound(PLAYBOOK)
  const now = clock.timestamp()
  const row: ExportRow = {
    id: crypto.randomUUID(),
    requestedBy: caller.id,
    type,
    playbookIds,
    state: 'MAKING',
    progress: 0,
    tries: 0,
    fileName: null,
    blobId: null,
    createTimestamp: now,
    updateTimestamp: now,
    expireTimestamp: after(KEPT),
  }
  await insertExport(db, row)
  await jobs.enqueue(db, QUEUE, { id: row.id })
  const changes = { type: { from: null, to: type }, playbooks: { from: null, to: playbookIds.length } }
  record(db, { noun: 'playbook-exports', record: row.id, verb: 'requested', changes })
  return toExport(row)
}

/** An export that the caller asked for. */
async function openedExport(db: OrgDb, caller: Caller, id: string): Promise<ExportRow> {
  const row = await findExport(db, id)
  if (row?.requestedBy !== caller.id || row.expireTimestamp <= clock.timestamp()) throw notFound(EXPORT)
  return row
}

export const exportProgress = async (db: OrgDb, caller: Caller, id: string): Promise<PlaybookExport> =>
  toExport(await openedExport(db, caller, id))

/** @throws Refusal 404, 409 while it is being made */
export async function exportFile(
  { blobs }: Services,
  db: OrgDb,
  caller: Caller,
  id: string,
): Promise<FileReply> {
  const row = await openedExport(db, caller, id)
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

/** Says, before the jobs begin, who exports playbooks. */
export function makePlaybookExports(services: Services): void {
  services.jobs.handle<{ id: string }>(QUEUE, (job) => make(services, job), {
    parallel: 1,
    timeoutSeconds: TIMEOUT_SECONDS,
  })
}

type Inside = <T>(work: (db: OrgDb) => Promise<T>) => Promise<T>

/** Reads a playbook in a transaction of its own; null for one that was deleted meanwhile. */
const readIn =
  (inside: Inside, id: string): Read =>
  () =>
    inside((db) => factsOf(db, id)).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return null
      throw error
    })

async function make({ database, blobs }: Services, job: Job<{ id: string }>): Promise<void> {
  const { organisationId, data } = job
  const inside: Inside = (work) => database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  const note = (changes: Partial<ExportRow>) =>
    inside((db) => updateExport(db, data.id, { updateTimestamp: clock.timestamp(), ...changes }))
  const row = await inside((db) => begin(db, data.id))
  if (!row) return
  try {
    const { playbookIds: ids, type } = row
    let [done, found, noted] = [0, 0, clock.now()]
    const reads = ids.map((id) => readIn(inside, id))
    const entries = entriesOf(reads, type, (isThere) => {
      done += 1
      if (isThere) found += 1
      if (clock.now() - noted < PROGRESS_EVERY) return
      noted = clock.now()
      // Whether the progress can be written down changes nothing.
      note({ progress: Math.min(99, Math.floor((done / ids.length) * 100)) }).catch(() => {})
    })
    const blob = await blobs.write(organisationId, Readable.from(zip(entries), { objectMode: false }))
    // All of them are gone: the empty archive is swept.
    if (found === 0) return void (await note({ state: 'FAILED' }))
    await inside(async (db) => {
      await keepBlob(db, blob)
      const isDone = await updateExport(db, data.id, {
        state: 'READY',
        progress: 100,
        fileName: exportName(row.createTimestamp, 'zip'),
        blobId: blob.id,
        updateTimestamp: clock.timestamp(),
        expireTimestamp: after(KEPT),
      })
      // Undone, and swept: nobody waits for it.
      if (!isDone) throw new Error('The export was given up meanwhile.')
    })
  } catch (error) {
    if (row.tries < TRIES && !job.last) throw error
    await note({ state: 'FAILED' })
  }
}

/** Counts a try, so that an export which ends the process does not do so for ever. Null where there is nothing to do. */
async function begin(db: OrgDb, id: string): Promise<ExportRow | null> {
  const row = await findExport(db, id)
  if (row?.state !== 'MAKING') return null
  const tries = row.tries + 1
  const failed = tries > TRIES
  await updateExport(db, id, {
    tries,
    updateTimestamp: clock.timestamp(),
    ...(failed ? { state: 'FAILED' } : {}),
  })
  return failed ? null : { ...row, tries }
}
