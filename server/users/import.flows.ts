import { pick } from '#contract/kit/pick.ts'
import { readImport } from '#contract/user-import/rules.ts'
import { type ImportResult, type ImportRow } from '#contract/user-import/schema.ts'
import { type User, USER_FIELDS } from '#contract/users/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import { phoneReader } from '#server/kit/messages/phones.ts'
import type { Services } from '#server/kit/services.ts'
import { finishReport, insertReport, insertRows } from '#server/import-reports/store.ts'
import { demandDeputies } from './deputies.flows.ts'
import { type Administrator, recordCreated, sendActivations } from './flows.ts'
import { insertUsers, listByEmail } from './store.ts'

/**
 * Adds many users in one transaction and mails a link to each row that requests one. Existing users stay unchanged.
 * @throws Refusal 400 with every invalid row, at its fields; nothing is imported then
 */
export async function importUsers(
  services: Services,
  db: OrgDb,
  caller: Omit<Administrator, 'id'>,
  rows: readonly ImportRow[],
  fileName = '',
): Promise<ImportResult> {
  const { users, problems, warnings } = readImport(rows, {
    characters: caller.config.nameCharacters,
    phones: phoneReader(caller.config),
  })
  // Screens send the numbers that they read. A program hears of numbers that would be left out.
  const refused = [...problems, ...warnings]
  const [first] = refused
  if (first) {
    const fields = refused.map(({ index, field, message }) => [`${index}.${field}`, message] as const)
    throw new Refusal(400, first.message, { fields: Object.fromEntries(fields) })
  }
  const known = await listByEmail(
    db,
    users.map(({ email }) => email),
  )
  await demandDeputies(db, users)
  const there = new Map(known.map(({ email, active }) => [email, active]))
  const given = new Map(users.filter(({ email }) => !there.has(email)).map((user) => [user.email, user]))
  // A fixed order, so that concurrent imports of overlapping users cannot deadlock.
  const inOrder = [...given.values()].toSorted((a, b) => (a.email < b.email ? -1 : 1))
  const inserted = await insertUsers(db, inOrder, clock.timestamp())
  const added = new Map(inserted.map((user) => [user.email, user]))
  for (const user of added.values()) recordCreated(db, user)
  const invited = [...added.values()].filter(({ email }) => given.get(email)!.sendWelcomeSetPasswordEmail)
  for (const user of await sendActivations(services, db, caller, invited)) added.set(user.email, user)
  const importId = await keepReport(
    db,
    fileName,
    users.map(({ email }) => ({ email, user: added.get(email) })),
  )
  return {
    importId,
    created: users.flatMap(({ email }) => added.get(email) ?? []),
    skipped: users
      .filter(({ email }) => !added.has(email))
      .map(({ email }) => ({ email, reason: there.get(email) === false ? 'ARCHIVED' : 'EXISTS' })),
  }
}

/** Keeps the report of an import that only adds. Returns its id. */
async function keepReport(
  db: OrgDb,
  fileName: string,
  people: readonly { readonly email: string; readonly user: User | undefined }[],
): Promise<string> {
  const importId = await insertReport(db, { kind: 'USERS', source: null, fileName, goneAction: 'KEEP' })
  await insertRows(
    db,
    importId,
    people.map(({ email, user }, n) => ({
      n,
      rowNumber: null,
      outcome: user ? 'ADDED' : 'UNCHANGED',
      email,
      recordId: user?.uuid ?? null,
      before: null,
      after: user ? pick(user, USER_FIELDS) : null,
      message: null,
    })),
  )
  await finishReport(db, importId)
  return importId
}
