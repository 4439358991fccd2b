import { buffer } from 'node:stream/consumers'

import { read } from '@e965/xlsx'
import { Inflate } from 'fflate'
import * as library from 'libphonenumber-js/max'

import { contactRowsOf, contactValues, listKeyOf, readContacts } from '#contract/contacts/rules.ts'
import type { ImportKind } from '#contract/import-columns/schema.ts'
import { type ColumnHeadings, type FileImport, TABLE_TOO_LARGE } from '#contract/imports/schema.ts'
import { inRow } from '#contract/kit/csv.ts'
import {
  type Assignment,
  type Columns,
  CONTACT_FORMAT,
  foldedHeading,
  headingRowOf,
  headingsKey,
  missingFields,
  peopleOf,
  type PersonField,
  type PersonRow,
  suggestColumns,
  USER_FORMAT,
  widthOf,
} from '#contract/kit/person-table.ts'
import { firstSheet, readTable, type Sheet, TableError, type TableFault } from '#contract/kit/table.ts'
import { cleanEmail, isEmailAddress, normalisedEmail } from '#contract/kit/text.ts'
import { importRowOf, readImport, userValues } from '#contract/user-import/rules.ts'
import { externalType } from '#contract/users/rules.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import type { TaskOf } from '#server/kit/processes/task.ts'
import type { ReadRow } from '#server/import-reports/store.ts'

export interface PeopleTask {
  readonly kind: ImportKind
  /** Most rows, and the sentence for more of them. */
  readonly most: number
  readonly tooMany: string
  /** Columns that the caller named. */
  readonly headings: ColumnHeadings | undefined
  /** Contact lists of everybody, as the caller named them. */
  readonly lists: string
  /** Columns that people assigned before, by the key of their headings. */
  readonly remembered: { readonly [key: string]: Columns }
  /** Characters allowed in names. */
  readonly characters: string
  /** Country of numbers without a dial code. */
  readonly country: string | null
}
/** The people of a file. */
export interface ReadPeople {
  /** Rows as JSON, some hundred in each, which the main thread hands to the database as they are. */
  readonly batches: readonly string[]
  /** Number of people who can be imported. */
  readonly people: number
  /** Names of contact lists, the first spelling of each. */
  readonly lists: readonly string[]
  readonly problems: FileImport['problems']
  /** Number of rows that are left out. */
  readonly leftOut: number
  /** Number of rows without an address that can be read: nobody knows whom they mean. */
  readonly nameless: number
}

const EMPTY = 'This file is empty.'
const FAULTS: { readonly [F in TableFault]: readonly [status: number, sentence: string] } = {
  NOT_A_TABLE: [415, 'This file is no table. Please send CSV, TSV or XLSX.'],
  EMPTY: [400, EMPTY],
  QUOTES: [400, 'A quotation mark is missing or has text behind it.'],
  TOO_LARGE: [413, TABLE_TOO_LARGE],
  PASSWORD: [400, 'This file has a password.'],
  UNREADABLE: [400, 'This file is damaged.'],
}

function sheetOf(bytes: Uint8Array): { sheet: Sheet; isText: boolean } {
  try {
    const table = readTable(bytes, { readWorkbook: read, Inflate })
    return { sheet: table.sheets[firstSheet(table)]!, isText: table.delimiter !== null }
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    const [status, sentence] = FAULTS[error.fault]
    throw new Refusal(status, error.row === undefined ? sentence : inRow(sentence, error.row))
  }
}

/** Names of the fields in refusals. */
const FIELD_NAMES: { readonly [F in PersonField]?: string } = {
  firstName: 'First Name',
  lastName: 'Last Name',
  email: 'Email Address',
  list: 'Contact List',
}

/** The columns that the caller named. */
function namedColumns(headings: readonly string[], named: ColumnHeadings): Columns {
  const folded = headings.map(foldedHeading)
  const columns = Object.entries(named).flatMap(([field, heading]) =>
    heading === undefined ? [] : [[field, heading, folded.indexOf(foldedHeading(heading))] as const],
  )
  const missing = columns.filter(([, , at]) => at < 0).map(([, heading]) => `“${heading}”`)
  if (missing.length > 0)
    throw new Refusal(400, `The file has no column ${missing.join(', ')}. It has ${headings.join(', ')}.`)
  return Object.fromEntries(columns.map(([field, , at]) => [field, at]))
}

/** The row of the headings: the first one with a named heading, otherwise the one that looks like it. */
function headingRow({ rows }: Sheet, named: ColumnHeadings | undefined): number {
  const wanted = new Set(Object.values(named ?? {}).map((heading) => foldedHeading(heading ?? '')))
  const found = rows.findIndex((row) => row.some((cell) => wanted.has(foldedHeading(cell))))
  return found < 0 ? headingRowOf(rows) : found
}

/** The people below the headings. */
function peopleIn(bytes: Uint8Array, task: PeopleTask): PersonRow[] {
  const { sheet, isText } = sheetOf(bytes)
  const format = task.kind === 'USERS' ? USER_FORMAT : CONTACT_FORMAT
  const at = headingRow(sheet, task.headings)
  const headings = sheet.rows[at] ?? []
  const below = sheet.rows.slice(at + 1)
  const width = Math.max(headings.length, widthOf(below))
  const remembered = task.remembered[headingsKey(headings)]
  const isUsable = Object.values(remembered ?? {}).every((column) => column === undefined || column < width)
  const columns = task.headings
    ? namedColumns(headings, task.headings)
    : remembered && isUsable
      ? remembered
      : suggestColumns(headings, below, format).assignment.columns
  // Lists that the caller names stand in place of a column that was only guessed.
  const isNamed = task.lists !== '' && task.headings?.list === undefined
  const assignment: Assignment = {
    columns: isNamed ? { ...columns, list: undefined } : columns,
    list: task.lists,
  }
  const missing = missingFields(format, assignment).map((field) => FIELD_NAMES[field] ?? field)
  if (missing.length > 0)
    throw new Refusal(400, `The file has no column for ${missing.join(', ')}. It has ${headings.join(', ')}.`)
  const wide = sheet.rows.findIndex((row, index) => index > at && row.length > headings.length)
  if (isText && wide >= 0)
    throw new Refusal(
      400,
      inRow('There are more values than headings. Put values with commas in quotation marks.', wide + 1),
    )
  const people = peopleOf(sheet.rows, at, assignment)
  if (people.length === 0) throw new Refusal(400, EMPTY)
  if (people.length > task.most) throw new Refusal(400, task.tooMany)
  return people
}

const addressOf = ({ person }: PersonRow): string => {
  const email = normalisedEmail(cleanEmail(person.email))
  return isEmailAddress(email) ? email : ''
}

/** A message about the person at an index. */
interface Told {
  readonly index: number
  readonly message: string
}
interface Checked {
  /** Rows of the people without problems. */
  readonly rows: readonly Omit<ReadRow, 'n'>[]
  readonly lists: readonly string[]
  /** Problems of people who are left out. */
  readonly problems: readonly Told[]
  /** Values of others that are left out. */
  readonly warnings: readonly Told[]
}

function checkContacts(people: readonly PersonRow[], { country }: PeopleTask): Checked {
  const phones = { library, country }
  const check = (some: readonly PersonRow[]) => {
    const flat = contactRowsOf(some.map(({ person }) => person))
    const read = readContacts(
      flat.map(({ row }) => row),
      { phones, rowOf: (at) => some[flat[at]!.index]!.row },
    )
    const told = (all: readonly Told[]) =>
      // A person is read once for each of their lists.
      [
        ...new Map(
          all.map((one) => [one.message, { index: flat[one.index]!.index, message: one.message }]),
        ).values(),
      ]
    return { ...read, problems: told(read.problems), warnings: told(read.warnings) }
  }
  const first = check(people)
  const bad = new Set(first.problems.map(({ index }) => index))
  const good = people.filter((_, index) => !bad.has(index))
  const { contacts } = bad.size === 0 ? first : check(good)
  // The last row of an address counts.
  const numbers = new Map(good.map((one) => [addressOf(one), one.row]))
  const names = contacts.flatMap(({ lists }) => lists)
  return {
    rows: contacts.map((contact) => ({
      row: numbers.get(contact.email) ?? null,
      email: contact.email,
      values: contactValues(contact),
      lists: [...new Set(contact.lists.map(listKeyOf))],
    })),
    lists: [...new Map(names.toReversed().map((name) => [listKeyOf(name), name])).values()],
    problems: first.problems,
    warnings: first.warnings.filter(({ index }) => !bad.has(index)),
  }
}

const UNKNOWN_TYPE = 'is neither yes nor no in the column External'
function checkUsers(people: readonly PersonRow[], { country, characters }: PeopleTask): Checked {
  const check = (some: readonly PersonRow[]) =>
    readImport(
      some.map(({ person }) => importRowOf(person)),
      { characters, phones: { library, country }, rowOf: (index) => some[index]!.row },
    )
  const first = check(people)
  const types = people.flatMap(({ person: { type }, row }, index) =>
    externalType(type) === null ? [{ index, message: inRow(`“${type}” ${UNKNOWN_TYPE}`, row) }] : [],
  )
  const problems = [...first.problems, ...types]
  const bad = new Set(problems.map(({ index }) => index))
  const good = people.filter((_, index) => !bad.has(index))
  return {
    rows: check(good).users.map((user, index) => ({
      row: good[index]!.row,
      email: user.email,
      values: userValues(user, good[index]!.person),
    })),
    lists: [],
    problems,
    warnings: first.warnings.filter(({ index }) => !bad.has(index)),
  }
}

/** Users are compared on the main thread, contacts by the database. */
const BATCH = { USERS: 500, CONTACTS: 5_000 } as const
/** Reads the people of the file on the standard input. */
const readPeople: TaskOf<PeopleTask, ReadPeople> = async (task) => {
  const people = peopleIn(new Uint8Array(await buffer(process.stdin)), task)
  const { rows, lists, ...told } = (task.kind === 'USERS' ? checkUsers : checkContacts)(people, task)
  const messages = [...told.problems, ...told.warnings].toSorted((a, b) => a.index - b.index)
  const problems = messages.map(({ index, message }) => {
    const one = people[index]!
    return { row: one.row, email: addressOf(one), message }
  })
  const all: ReadRow[] = [...rows, ...problems].map((row, n) => ({ n, ...row }))
  const batch = BATCH[task.kind]
  const leftOut = new Set(told.problems.map(({ index }) => index))
  return {
    batches: Array.from({ length: Math.ceil(all.length / batch) }, (_, n) =>
      JSON.stringify(all.slice(n * batch, (n + 1) * batch)),
    ),
    people: rows.length,
    lists,
    problems,
    leftOut: leftOut.size,
    nameless: [...leftOut].filter((index) => addressOf(people[index]!) === '').length,
  }
}
export default readPeople
