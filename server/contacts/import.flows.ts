import { setImmediate } from 'node:timers/promises'

import {
  contactsTooMany,
  type ContactsRead,
  contactValues,
  listKeyOf,
  readingContacts,
} from '#contract/contacts/rules.ts'
import type { ContactImport, ContactRow } from '#contract/contacts/schema.ts'
import type { GoneAction, ImportReport } from '#contract/imports/schema.ts'
import { finishReport, insertReport, type ReadRow } from '#server/import-reports/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, Refusal } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { phoneReader } from '#server/kit/messages/phones.ts'

import {
  applyRows,
  type Gone,
  listNamesOf,
  listsToRestore,
  planGone,
  planRows,
  planUndo,
  removeGone,
  undoRows,
} from './import.store.ts'
import { deleteEmpty, insertLists, listLists, lockContacts } from './store.ts'

const BATCH = 5_000
/** Rows read without other work in between: some milliseconds. */
const TURN = 200

/** Reads rows in turns with other requests: each number takes a tenth of a millisecond. */
async function readInTurns(rows: readonly ContactRow[], config: Caller['config']): Promise<ContactsRead> {
  const reading = readingContacts(rows, { phones: phoneReader(config) })
  for (let n = 1; ; n += 1) {
    const step = reading.next()
    if (step.done) return step.value
    if (n % TURN === 0) await setImmediate()
  }
}

/**
 * Adds contacts to their lists and updates existing contacts, with a report.
 * @throws Refusal 400 with every invalid row, at its fields; nothing is imported then
 */
export async function importContacts(
  db: OrgDb,
  { config }: Pick<Caller, 'config'>,
  rows: readonly ContactRow[],
  fileName = '',
): Promise<ContactImport> {
  const limit = config.contactsUploadMaxLimit
  demand(rows.length <= limit, 400, contactsTooMany(limit))
  const { contacts, problems, warnings } = await readInTurns(rows, config)
  const [first] = problems
  if (first) {
    const fields = problems.map(({ index, field, message }) => [`${index}.${field}`, message] as const)
    throw new Refusal(400, first.message, { fields: Object.fromEntries(fields) })
  }
  // The first of two spellings of a list's name wins.
  const names = new Map(
    contacts
      .flatMap(({ lists }) => lists)
      .toReversed()
      .map((name) => [listKeyOf(name), name]),
  )
  const importId = await insertReport(db, { kind: 'CONTACTS', source: null, fileName, goneAction: 'KEEP' })
  const read = contacts.map((contact, n): ReadRow => ({
    n,
    row: null,
    email: contact.email,
    values: contactValues(contact),
    lists: [...new Set(contact.lists.map(listKeyOf))],
  }))
  const batches = Array.from({ length: Math.ceil(read.length / BATCH) }, (_, n) =>
    JSON.stringify(read.slice(n * BATCH, (n + 1) * BATCH)),
  )
  const listIds = await planContacts(db, importId, { batches, lists: [...names.values()] })
  const { added, changed, unchanged } = await applyContacts(db, importId, { source: null, listIds })
  return {
    importId,
    created: added,
    updated: changed + unchanged,
    lists: await listLists(db, [...names.keys()]),
    warnings,
  }
}

/** Contacts of a file, as they were read. */
export interface ReadContacts {
  /** Rows as JSON, some hundred in each. */
  readonly batches: readonly string[]
  /** Names of all their lists. */
  readonly lists: readonly string[]
}
/** Adds the rows of a file to its report, with what each is going to do. Returns the ids of its lists. */
export async function planContacts(
  db: OrgDb,
  importId: string,
  { batches, lists }: ReadContacts,
): Promise<string[]> {
  await lockContacts(db)
  const ids = await insertLists(db, lists)
  await planRows(db, importId, batches)
  return [...ids.values()]
}

/** Adds those to the report who came from the source before and are no longer in the file. */
export const planGoneContacts = (
  db: OrgDb,
  importId: string,
  source: string,
  listIds: readonly string[],
): Promise<Gone> => planGone(db, importId, source, listIds)

interface Applied {
  readonly source: string | null
  readonly listIds: readonly string[]
  readonly goneAction?: GoneAction
}
/** Does what the report of an import plans. */
export async function applyContacts(
  db: OrgDb,
  importId: string,
  { source, listIds, goneAction = 'KEEP' }: Applied,
): Promise<ImportReport> {
  // Before empty lists go.
  const lists = await listNamesOf(db, listIds)
  await applyRows(db, importId, source, clock.timestamp())
  if (goneAction === 'REMOVE') {
    await removeGone(db, importId)
    await deleteEmpty(db)
  }
  const report = await finishReport(db, importId)
  record(db, {
    noun: 'contacts',
    record: importId,
    verb: 'imported',
    changes: {
      created: { from: null, to: report.added },
      updated: { from: null, to: report.changed + report.unchanged },
      lists: { from: null, to: lists },
      ...(goneAction === 'REMOVE' && { removed: { from: null, to: report.gone } }),
    },
  })
  return report
}

/** Undoes an import of contacts: what nobody changed since is as before. */
export async function undoContacts(
  db: OrgDb,
  { id, source, goneAction }: Pick<ImportReport, 'id' | 'source' | 'goneAction'>,
): Promise<void> {
  await lockContacts(db)
  const hasRemoved = goneAction === 'REMOVE'
  await planUndo(db, id, hasRemoved)
  if (hasRemoved) await insertLists(db, await listsToRestore(db, id))
  await undoRows(db, id, source, clock.timestamp())
  await deleteEmpty(db)
  record(db, { noun: 'contacts', record: id, verb: 'import undone' })
}
