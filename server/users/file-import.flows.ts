import { pick } from '#contract/kit/pick.ts'
import type { ImportReport, UndoOutcome } from '#contract/imports/schema.ts'
import { NO_PHONES } from '#contract/kit/phone-fields.ts'
import { type User, USER_FIELDS, type UserField } from '#contract/users/schema.ts'
import {
  insertRows,
  listRowsAfter,
  type ReadRow,
  type StoredRow,
  updateRowsUndone,
} from '#server/import-reports/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { deputyProblem, usableDeputies } from './deputies.flows.ts'
import { deleteSources, insertSources, updateKept } from './file-import.store.ts'
import {
  administers,
  deactivateUser,
  LAST_ADMINISTRATOR,
  reactivateUser,
  recordCreated,
  sendActivations,
} from './flows.ts'
import { countAdministrators, holdUsers, holdUsersByEmail, insertUsers, updateUser } from './store.ts'

const ARCHIVED = 'This user is archived. An import does not reactivate anybody.'
const KEYS_AND_RIGHTS = 'An API key can neither make administrators nor take their rights.'
const OWN_RIGHTS = 'You cannot take away your own administrator rights.'

type Fields = Pick<User, UserField>
const BLANK = {
  ...NO_PHONES,
  location: null,
  department: null,
  role: 'USER',
  type: 'INTERNAL',
  deputy: null,
} as const

/** Changes that would leave an organisation without administrators, or that a key must not make. */
class AdministratorRights {
  readonly #db: OrgDb
  readonly #caller: Pick<Caller, 'id' | 'kind'>
  #left: number | undefined
  constructor(db: OrgDb, caller: Pick<Caller, 'id' | 'kind'>) {
    this.#db = db
    this.#caller = caller
  }

  /** The reason why a user may not have these fields, undefined where they may. `before` is undefined for a new user. */
  async problem(before: User | undefined, after: Pick<User, 'role' | 'type'>): Promise<string | undefined> {
    const had = before !== undefined && administers(before)
    if (had === administers({ ...after, active: true })) return undefined
    if (this.#caller.kind === 'key') return KEYS_AND_RIGHTS
    if (!had) return undefined
    if (before.uuid === this.#caller.id) return OWN_RIGHTS
    this.#left ??= await countAdministrators(this.#db)
    if (this.#left <= 1) return LAST_ADMINISTRATOR
    this.#left -= 1
    return undefined
  }
}

type PlannedRow = Omit<StoredRow, 'undo'>
/** The planned outcome of a row of a file for a user. */
async function plannedRow(
  { n, row, email, values, message }: ReadRow,
  user: User | undefined,
  rights: AdministratorRights,
  deputies: ReadonlySet<string>,
): Promise<PlannedRow> {
  const base = { n, rowNumber: row, email, recordId: user?.uuid ?? null, before: null, after: null }
  const refused = (problem: string): PlannedRow => ({ ...base, outcome: 'PROBLEM', message: problem })
  if (message !== undefined) return refused(message)
  if (user && !user.active) return refused(ARCHIVED)
  const after: Fields = { ...(user ?? BLANK), ...(values as Pick<Fields, 'firstName' | 'lastName'>) }
  const problem = await rights.problem(user, after)
  if (problem !== undefined) return refused(problem)
  const wrongDeputy = after.deputy === user?.deputy ? null : deputyProblem(after.deputy, email, deputies)
  if (wrongDeputy !== null) return refused(wrongDeputy)
  if (!user) return { ...base, outcome: 'ADDED', after: pick(after, USER_FIELDS), message: null }
  const fields = USER_FIELDS.filter((field) => after[field] !== user[field])
  if (fields.length === 0) return { ...base, outcome: 'UNCHANGED', message: null }
  return {
    ...base,
    outcome: 'CHANGED',
    before: pick(user, fields),
    after: pick(after, fields),
    message: null,
  }
}

/** Changes fields of a user, as the form does. */
async function changeFields(db: OrgDb, user: User, after: Partial<Fields>): Promise<void> {
  await updateUser(db, user.uuid, after, clock.timestamp())
  const changes = changesBetween<Partial<Fields>>(user, { ...user, ...after }, USER_FIELDS)
  record(db, { noun: 'users', record: user.uuid, verb: 'updated', changes })
  if (after.role !== undefined) await runHook(db, 'userAdmitted', { userId: user.uuid })
}

/** The people whom rows name as deputies and who can be: those of the organisation, and those whom the file adds. */
async function deputiesIn(db: OrgDb, batches: readonly string[]): Promise<ReadonlySet<string>> {
  const named = new Set<string>()
  const added = new Set<string>()
  for (const batch of batches)
    for (const { email, values, message } of JSON.parse(batch) as ReadRow[]) {
      const { deputy, type = 'INTERNAL' } = values as Partial<Fields>
      if (deputy) named.add(deputy)
      if (message === undefined && type === 'INTERNAL') added.add(email)
    }
  if (named.size === 0) return named
  return usableDeputies(db, [...named], added)
}

/** A file of users, as it was read. */
export interface UserFile {
  /** Rows as JSON, some hundred in each. */
  readonly batches: readonly string[]
  readonly source: string
  /** True if those who are added are mailed a link. */
  readonly sends: boolean
}
/** Adds and changes the users of a file, and adds what it did to its report. */
export async function importUserFile(
  services: Services,
  db: OrgDb,
  caller: Caller,
  importId: string,
  { batches, source, sends }: UserFile,
): Promise<void> {
  const rights = new AdministratorRights(db, caller)
  const deputies = await deputiesIn(db, batches)
  for (const batch of batches) {
    const rows = JSON.parse(batch) as ReadRow[]
    const users = await holdUsersByEmail(
      db,
      rows.map(({ email }) => email),
    )
    const known = new Map(users.map((user) => [user.email, user]))
    const planned: PlannedRow[] = []
    for (const row of rows) planned.push(await plannedRow(row, known.get(row.email), rights, deputies))
    const ids = await addUsers(services, db, caller, planned, sends)
    for (const { outcome, email, after } of planned)
      if (outcome === 'CHANGED') await changeFields(db, known.get(email)!, after as Partial<Fields>)
    await insertRows(
      db,
      importId,
      planned.map((row) => ({ ...row, recordId: row.recordId ?? ids.get(row.email) ?? null })),
    )
  }
  await insertSources(db, importId, source)
}

/** Adds the new users of some rows. Returns their ids by address. */
async function addUsers(
  services: Services,
  db: OrgDb,
  caller: Caller,
  planned: readonly PlannedRow[],
  sends: boolean,
): Promise<ReadonlyMap<string, string>> {
  const rows = planned
    .filter(({ outcome }) => outcome === 'ADDED')
    .map(({ email, after }) => ({ email, ...(after as unknown as Fields) }))
    .toSorted((a, b) => (a.email < b.email ? -1 : 1))
  const added = await insertUsers(db, rows, clock.timestamp())
  for (const user of added) recordCreated(db, user)
  if (sends) await sendActivations(services, db, caller, added)
  return new Map(added.map(({ email, uuid }) => [email, uuid]))
}

/** Archives gone users, except administrators for an API key, the caller and the last administrator. */
export async function archiveGone(
  db: OrgDb,
  caller: Caller,
  importId: string,
  gone: readonly { readonly n: number; readonly userId: string }[],
): Promise<void> {
  const held = await holdUsers(
    db,
    gone.map(({ userId }) => userId),
  )
  const users = new Map(held.map((user) => [user.uuid, user]))
  const kept: { n: number; message: string }[] = []
  for (const { n, userId } of gone) {
    if (caller.kind === 'key' && administers(users.get(userId)!)) {
      kept.push({ n, message: 'An API key cannot archive administrators.' })
      continue
    }
    const message = await refusalOf(() => deactivateUser(db, caller, userId))
    if (message !== null) kept.push({ n, message })
  }
  if (kept.length > 0) await updateKept(db, importId, kept)
}

/** The message of a refusal that `work` throws before it writes anything; null where it is done. */
async function refusalOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message
  }
}

const SLICE = 200
/** Undoes an import of users: archives who was added and never signed in, and gives back what nobody changed since. */
export async function undoUsers(
  db: OrgDb,
  caller: Caller,
  { id, goneAction }: Pick<ImportReport, 'id' | 'goneAction'>,
): Promise<void> {
  const rights = new AdministratorRights(db, caller)
  for (let after = -1; ;) {
    const rows = await listRowsAfter(db, id, after, SLICE)
    const held = await holdUsers(
      db,
      rows.flatMap(({ recordId }) => recordId ?? []),
    )
    const users = new Map(held.map((user) => [user.uuid, user]))
    const results: { n: number; undo: UndoOutcome }[] = []
    for (const row of rows) {
      if (
        row.outcome === 'PROBLEM' ||
        (row.outcome === 'GONE' && (goneAction === 'KEEP' || row.message !== null))
      )
        continue
      const user = row.recordId === null ? undefined : users.get(row.recordId)
      results.push({ n: row.n, undo: user ? await undoRow(db, caller, row, user, rights) : 'MISSING' })
    }
    await updateRowsUndone(db, id, results)
    if (rows.length < SLICE) break
    after = rows.at(-1)!.n
  }
  await deleteSources(db, id)
}

async function undoRow(
  db: OrgDb,
  caller: Caller,
  { outcome, before, after }: StoredRow,
  user: User,
  rights: AdministratorRights,
): Promise<UndoOutcome> {
  if (outcome === 'GONE') {
    if (user.active) return 'CHANGED_SINCE'
    await reactivateUser(db, user.uuid)
    return 'UNDONE'
  }
  if (outcome === 'ADDED') {
    if (user.lastLoginTimestamp !== null || user.hasPasswordSet) return 'SIGNED_IN'
    return (await refusalOf(() => deactivateUser(db, caller, user.uuid))) === null ? 'UNDONE' : 'REFUSED'
  }
  const fields = USER_FIELDS.filter((field) => field in after!)
  const own = user.active ? fields.filter((field) => user[field] === after![field]) : []
  if (own.length === 0) return 'CHANGED_SINCE'
  const given = pick(before as unknown as Fields, own)
  if ((await rights.problem(user, { ...user, ...given })) !== undefined) return 'REFUSED'
  await changeFields(db, user, given)
  return own.length === fields.length ? 'UNDONE' : 'PARTLY'
}
