import { Readable } from 'node:stream'

import { contactsTooMany } from '#contract/contacts/rules.ts'
import { reportKinds } from '#contract/imports/access.ts'
import type { importsApi } from '#contract/imports/api.ts'
import {
  FILE_USERS_MAX,
  type FileImport,
  GONE_MAX_SHARE,
  type ImportReport,
  type ImportReportRow,
  usersTooMany,
} from '#contract/imports/schema.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { CSV_FORMULA } from '#contract/kit/files.ts'
import { phoneCountryOf } from '#contract/kit/phone-country.ts'
import { applyContacts, planContacts, planGoneContacts, undoContacts } from '#server/contacts/import.flows.ts'
import { listColumns } from '#server/import-columns/store.ts'
import {
  finishReport,
  findReport,
  holdReport,
  insertReport,
  listReports,
  listRows,
  listRowsAfter,
  type StoredRow,
  updateUndone,
} from '#server/import-reports/store.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import { type OrgDb, tryLockFor } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { FileReply, Page } from '#server/kit/http/answers.ts'
import type { Caller, HeldFile, OrgContext, OutsideTransactionContext } from '#server/kit/http/serve.ts'
import { shortName } from '#server/kit/http/uploads.ts'
import { inProcess } from '#server/kit/processes/processes.ts'
import type { Services } from '#server/kit/services.ts'
import { archiveGone, importUserFile, undoUsers } from '#server/users/file-import.flows.ts'
import { planGoneUsers } from '#server/users/file-import.store.ts'

import type { PeopleTask, ReadPeople } from './read.task.ts'

const REPORT = 'This report'
const UNDER_WAY = 'Another import of this kind is under way. Please try again when it is done.'

type UsersInput = Input<(typeof importsApi)['users']>['body']
type ContactsInput = Input<(typeof importsApi)['contacts']>['body']
type Options = Omit<UsersInput, 'gone'> &
  Omit<ContactsInput, 'gone'> &
  Pick<ImportReport, 'kind' | 'goneAction'>
const usersOptions = ({ gone, ...options }: UsersInput): Options => ({
  ...options,
  kind: 'USERS',
  goneAction: gone,
})
const contactsOptions = ({ gone, ...options }: ContactsInput): Options => ({
  ...options,
  kind: 'CONTACTS',
  goneAction: gone,
  sendWelcomeSetPasswordEmail: false,
})

/** Reads the people of a file in a process of its own. */
async function readPeople(
  { caller: { config }, transaction }: OutsideTransactionContext,
  { bytes }: HeldFile,
  { kind, columns, lists }: Options,
): Promise<ReadPeople> {
  const most = kind === 'USERS' ? FILE_USERS_MAX : config.contactsUploadMaxLimit
  const task: PeopleTask = {
    kind,
    most,
    tooMany: kind === 'USERS' ? usersTooMany : contactsTooMany(most),
    headings: columns,
    lists: lists ?? '',
    remembered: await transaction((db) => listColumns(db, kind)),
    characters: config.nameCharacters,
    country: phoneCountryOf(config),
  }
  return inProcess<PeopleTask, ReadPeople>({
    kind: 'reading',
    module: new URL('./read.task.ts', import.meta.url),
    task,
    input: async () => bytes,
    excess: 'This file takes too long to be read. Please split it.',
  })
}

/** The result of a dry run, thrown to roll back what it planned. */
class DryRun extends Error {
  readonly result: FileImport
  constructor(result: FileImport) {
    super('Nothing is imported.')
    this.result = result
  }
}

/**
 * Imports the people of a file by their addresses in one transaction: a crash leaves all or nothing.
 * @throws Refusal 400 a file that cannot be read, or any problem with `strict`; 409 another import under way, or more
 * gone people than are archived or removed without `force`
 */
async function importFile(
  services: Services,
  context: OutsideTransactionContext,
  file: HeldFile,
  options: Options,
): Promise<FileImport> {
  const read = await readPeople(context, file, options)
  if (!options.dryRun)
    return context.replyTransaction((db, caller) => applyFile(services, db, caller, { file, options, read }))
  try {
    return await context.transaction(async (db, caller) => {
      throw new DryRun(await applyFile(services, db, caller, { file, options, read }))
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result
    throw error
  }
}

export const importUsersFile = (
  services: Services,
  context: OutsideTransactionContext,
  file: HeldFile,
  body: UsersInput,
): Promise<FileImport> => importFile(services, context, file, usersOptions(body))
export const importContactsFile = (
  services: Services,
  context: OutsideTransactionContext,
  file: HeldFile,
  body: ContactsInput,
): Promise<FileImport> => importFile(services, context, file, contactsOptions(body))

/** A file with what was read of it, and how it is imported. */
interface Work {
  readonly file: HeldFile
  readonly options: Options
  readonly read: ReadPeople
}
async function applyFile(
  services: Services,
  db: OrgDb,
  caller: Caller,
  { file, options, read }: Work,
): Promise<FileImport> {
  const { kind, goneAction, dryRun, strict } = options
  demand(await tryLockFor(db, `import ${kind}`), 409, UNDER_WAY)
  const source = options.source || caller.name
  const importId = await insertReport(db, { kind, source, fileName: shortName(file.fileName), goneAction })
  const { gone, report } = await (kind === 'USERS' ? applyUsers : applyContactsFile)(
    { services, db, caller, importId, source },
    { options, read },
  )
  const problems = report.problems === 0 ? [] : await listProblems(db, importId)
  if (strict) demandNone(problems)
  if (!dryRun) record(db, { noun: 'imports', record: importId, verb: 'made', changes: countsOf(report) })
  return {
    id: dryRun ? null : importId,
    added: report.added,
    changed: report.changed,
    unchanged: report.unchanged,
    gone: report.gone,
    goneEmails: [...gone.emails],
    needsForce: isDoubtful(gone, read),
    problems,
  }
}

const countsOf = ({ kind, source, added, changed, gone, problems }: ImportReport) =>
  Object.fromEntries(
    Object.entries({ kind, source, added, changed, gone, problems }).map(([field, to]) => [
      field,
      { from: null, to },
    ]),
  )

interface Gone {
  /** Number of people who came from the source before. */
  readonly known: number
  readonly emails: readonly string[]
}
/** True where acting on gone people needs `force`: they are many, or a row without an address may mean one of them. */
const isDoubtful = ({ known, emails }: Gone, { nameless }: ReadPeople): boolean =>
  emails.length > 0 && (nameless > 0 || emails.length > known * GONE_MAX_SHARE)

function demandCertain(gone: Gone, { options, read }: Pick<Work, 'options' | 'read'>): void {
  const { goneAction, force, dryRun } = options
  if (goneAction === 'KEEP' || force || dryRun || !isDoubtful(gone, read)) return
  const sentence =
    read.nameless > 0
      ? `${read.nameless} rows have no address that can be read, so it is not certain who is gone.`
      : `${gone.emails.length} of ${gone.known} people would be gone. Send force=true if that is right.`
  throw new Refusal(409, sentence, { code: 'force_needed' })
}

interface Importing {
  readonly services: Services
  readonly db: OrgDb
  readonly caller: Caller
  readonly importId: string
  readonly source: string
}
interface Applied {
  readonly gone: Gone
  readonly report: ImportReport
}
async function applyUsers(
  { services, db, caller, importId, source }: Importing,
  work: Pick<Work, 'options' | 'read'>,
): Promise<Applied> {
  const { goneAction, dryRun, sendWelcomeSetPasswordEmail } = work.options
  const sends = sendWelcomeSetPasswordEmail && !dryRun
  await importUserFile(services, db, caller, importId, { batches: work.read.batches, source, sends })
  const { known, gone } = await planGoneUsers(db, importId, source)
  const missing = { known, emails: gone.map(({ email }) => email) }
  demandCertain(missing, work)
  if (goneAction === 'ARCHIVE') await archiveGone(db, caller, importId, gone)
  return { gone: missing, report: await finishReport(db, importId) }
}

async function applyContactsFile(
  { db, importId, source }: Importing,
  work: Pick<Work, 'options' | 'read'>,
): Promise<Applied> {
  const { goneAction, dryRun } = work.options
  const listIds = await planContacts(db, importId, work.read)
  const gone = await planGoneContacts(db, importId, source, listIds)
  demandCertain(gone, work)
  const report = dryRun
    ? await finishReport(db, importId)
    : await applyContacts(db, importId, { source, listIds, goneAction })
  return { gone, report }
}

async function listProblems(db: OrgDb, importId: string): Promise<FileImport['problems']> {
  const { rows } = await listRows(db, importId, { outcome: 'PROBLEM' }, undefined)
  return rows.map(({ rowNumber, email, message }) => ({ row: rowNumber, email, message: message! }))
}

function demandNone(problems: FileImport['problems']): void {
  const [first] = problems
  if (!first) return
  const fields = problems.map(({ row, message }) => [`rows.${row}`, message] as const)
  throw new Refusal(400, first.message, { fields: Object.fromEntries(fields) })
}

type ListQuery = Input<(typeof importsApi)['list']>['query']
/** Reports of the kinds that the caller may read. */
export function findReports(
  db: OrgDb,
  { permissions }: Pick<Caller, 'permissions'>,
  { sort, range, filter }: ListQuery,
): Promise<Page<ImportReport>> {
  const kinds = reportKinds(permissions).filter((kind) => filter?.kind === undefined || kind === filter.kind)
  return listReports(db, { kinds, isOldestFirst: sort?.[1] === 'ASC', range })
}

/** @throws Refusal 404 also for a report of a kind that the caller may not read */
function demandReadable(report: ImportReport | undefined, { permissions }: Pick<Caller, 'permissions'>) {
  if (!report || !reportKinds(permissions).includes(report.kind)) throw notFound(REPORT)
  return report
}
export const openReport = async (db: OrgDb, caller: Caller, id: string): Promise<ImportReport> =>
  demandReadable(await findReport(db, id), caller)

type Value = NonNullable<StoredRow['after']>[string]
const asText = (value: Value | undefined): string | null =>
  value === null || value === undefined ? null : typeof value === 'object' ? value.join('; ') : String(value)
/** A row as responses show it. Nothing happens to gone people who are kept. */
const shownRow =
  ({ goneAction }: ImportReport) =>
  ({ n, rowNumber, outcome, email, before, after, message, undo }: StoredRow): ImportReportRow => ({
    n,
    row: rowNumber,
    outcome: outcome as ImportReportRow['outcome'],
    email,
    changes:
      outcome === 'GONE' && goneAction === 'KEEP'
        ? []
        : Object.entries(after ?? {})
            .map(([field, to]) => ({ field, from: asText(before?.[field]), to: asText(to) }))
            .filter(({ from, to }) => from !== to),
    message,
    undo,
  })

export async function findRows(
  db: OrgDb,
  caller: Caller,
  id: string,
  { filter = {}, range }: Input<(typeof importsApi)['rows']>['query'],
): Promise<Page<ImportReportRow>> {
  const report = await openReport(db, caller, id)
  const { rows, total } = await listRows(db, id, filter, range)
  return { rows: rows.map(shownRow(report)), total }
}

const EXPORTED_AT_ONCE = 500
const COLUMNS = ['Row', 'Outcome', 'Email Address', 'Changes', 'Problem', 'Undo']
/** All rows of a report as a file, streamed in parts. */
export async function exportReport(
  { db, caller, later }: Pick<OrgContext, 'db' | 'caller' | 'later'>,
  id: string,
): Promise<FileReply> {
  const report = await openReport(db, caller, id)
  async function* parts() {
    const { default: Papa } = await import('papaparse')
    const csv = (rows: (string | number)[][]) => `${Papa.unparse(rows, { escapeFormulae: CSV_FORMULA })}\r\n`
    // The byte order mark makes spreadsheets read UTF-8.
    yield `\uFEFF${csv([COLUMNS])}`
    for (let after = -1; ;) {
      const rows = await later((part) => listRowsAfter(part, id, after, EXPORTED_AT_ONCE))
      if (rows.length > 0) yield csv(rows.map(shownRow(report)).map(lineOf))
      if (rows.length < EXPORTED_AT_ONCE) return
      after = rows.at(-1)!.n
    }
  }
  return {
    name: `import-${report.createTimestamp.slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    body: async () => Readable.from(parts()),
  }
}
const lineOf = ({ row, outcome, email, changes, message, undo }: ImportReportRow): (string | number)[] => [
  row ?? '',
  outcome,
  email,
  changes.map(({ field, from, to }) => `${field}: ${from ?? '–'} → ${to ?? '–'}`).join('; '),
  message ?? '',
  undo ?? '',
]

/**
 * Undoes an import, once.
 * @throws Refusal 404, 409
 */
export async function undoImport(db: OrgDb, caller: Caller, id: string): Promise<ImportReport> {
  const report = demandReadable(await holdReport(db, id), caller)
  demand(report.undoTimestamp === null, 409, 'This import was undone already.')
  demand(await tryLockFor(db, `import ${report.kind}`), 409, UNDER_WAY)
  if (report.kind === 'USERS') await undoUsers(db, caller, report)
  else await undoContacts(db, report)
  await updateUndone(db, id)
  record(db, { noun: 'imports', record: id, verb: 'undone' })
  return (await findReport(db, id))!
}
