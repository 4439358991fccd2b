import { utils, write } from '@e965/xlsx'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import type { Contact } from '#contract/contacts/schema.ts'
import {
  type FileImport,
  type ImportReport,
  type ImportReportRow,
  TABLE_TOO_LARGE,
} from '#contract/imports/schema.ts'
import type { User } from '#contract/users/schema.ts'
import { tryLockFor } from '#server/kit/database/db.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, inside, send, signedInAs } = await startTestServer()

const CONFIG = { contactsAndMassNotificationsEnabled: true, defaultPhoneCountry: 'CA' }
const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation({ ...CONFIG, ...config }, { maxUsers: 1_000 })
  return { org, admin: await signedInAs(org, 'ADMIN', { firstName: 'Zoe', lastName: 'Zz' }) }
}
type Keyed = Pick<Caller, 'headers'>
async function aKey(admin: Caller, mayImportUsers = true): Promise<Keyed> {
  const name = `HR ${crypto.randomUUID()}`
  const { body } = await admin.post('/apiManagement/credentials', { name, mayImportUsers })
  expect(body.mayImportUsers).toBe(mayImportUsers)
  return { headers: { 'X-Api-Key': body.key } }
}
interface Sent {
  readonly fields?: Readonly<Record<string, string>>
  readonly name?: string
  readonly headers?: Readonly<Record<string, string>>
}
function sendFile(
  by: Keyed,
  kind: 'users' | 'contacts',
  file: string | Uint8Array<ArrayBuffer>,
  { fields = {}, name = 'people.csv', headers = {} }: Sent = {},
) {
  const raw = new FormData()
  for (const [field, value] of Object.entries(fields)) raw.append(field, value)
  raw.append('file', new Blob([file]), name)
  return send('POST', `/imports/${kind}`, { headers: { ...by.headers, ...headers }, raw })
}
async function imported(...given: Parameters<typeof sendFile>): Promise<FileImport> {
  const { status, body } = await sendFile(...given)
  expect([status, body.message]).toEqual([200, undefined])
  return body
}
const csv = (...rows: string[]) => `${rows.join('\n')}\n`
const contactsIn = async (admin: Caller): Promise<Contact[]> => (await admin.get('/contact/asList')).body
const namesIn = async (admin: Caller) =>
  (await contactsIn(admin)).map(({ email, name, phone, lists }) => [email, name, phone, lists.join('; ')])
const usersIn = async (admin: Caller): Promise<User[]> =>
  ((await admin.get('/useradmin/users')).body as User[]).filter(({ email }) => email !== admin.email)
const rowsOf = async (by: Keyed, id: string | null, query = ''): Promise<ImportReportRow[]> =>
  (await send('GET', `/imports/${id}/rows${query}`, { headers: by.headers })).body
const undo = (admin: Caller, id: string | null) => admin.post(`/imports/${id}/undo`)

const CONTACTS = csv(
  'Name,Email Address,Phone Number,Contact List',
  'Ana Costa,ana@example.org,416 555 0123,Board; City',
  'Bo,bo@example.org,,City',
)

describe('a file of contacts by an API key', () => {
  test('adds, changes and leaves alone by address, and leaves a report of each', async () => {
    const { admin } = await aTeam()
    const key = await aKey(admin, false)
    const first = await imported(key, 'contacts', CONTACTS)
    expect(first).toMatchObject({ added: 2, changed: 0, unchanged: 0, gone: 0, problems: [] })
    expect(await namesIn(admin)).toEqual([
      ['ana@example.org', 'Ana Costa', '+14165550123', 'Board; City'],
      ['bo@example.org', 'Bo', null, 'City'],
    ])
    const again = csv(
      'Name,Email Address,Phone Number,Contact List',
      'Ana Lima,ANA@example.org,,Board; City',
      'Bo,bo@example.org,,City',
      'Cy,cy@example.org,,City',
    )
    const second = await imported(key, 'contacts', again)
    expect(second).toMatchObject({ added: 1, changed: 1, unchanged: 1, gone: 0 })
    const rows = await rowsOf(key, second.id)
    expect(rows.map(({ row, outcome, email }) => [row, outcome, email])).toEqual([
      [2, 'CHANGED', 'ana@example.org'],
      [4, 'ADDED', 'cy@example.org'],
    ])
    expect(rows[0]!.changes).toEqual([{ field: 'name', from: 'Ana Costa', to: 'Ana Lima' }])
    const reports = (await send('GET', '/imports', key)).body as ImportReport[]
    expect(reports.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(reports[1]).toMatchObject({
      kind: 'CONTACTS',
      fileName: 'people.csv',
      added: 2,
      goneAction: 'KEEP',
    })
    expect(reports[0]!.source).toBe(reports[0]!.actor)
  })

  test('in a dry run only says what it would do', async () => {
    const { admin } = await aTeam()
    const key = await aKey(admin)
    const dry = await imported(key, 'contacts', CONTACTS, { fields: { dryRun: 'true' } })
    expect(dry).toMatchObject({ id: null, added: 2 })
    expect(await contactsIn(admin)).toEqual([])
    expect((await send('GET', '/imports', key)).body).toEqual([])
    expect((await admin.get('/contact/lists')).body).toEqual([])
  })

  test('leaves out rows with problems and says all of them, or refuses the file where asked to', async () => {
    const { admin } = await aTeam()
    const key = await aKey(admin)
    const faulty = csv(
      'Name,Email Address,Phone Number,Contact List',
      'Ana,ana@example.org,12,Board',
      'Bo,nobody,,Board',
      'Cy,cy@example.org,,',
    )
    const strict = await sendFile(key, 'contacts', faulty, { fields: { strict: 'true' } })
    expect([strict.status, strict.body.fields['rows.3']]).toEqual([
      400,
      'Invalid email address nobody found in row 3.',
    ])
    expect(await contactsIn(admin)).toEqual([])
    const { id, added, problems } = await imported(key, 'contacts', faulty)
    expect(added).toBe(1)
    expect(problems.map(({ row }) => row)).toEqual([2, 3, 4])
    const kept = await rowsOf(key, id, `?filter=${JSON.stringify({ outcome: 'PROBLEM' })}`)
    expect(kept.map(({ row, message }) => ({ row, message }))).toEqual(
      problems.map(({ row, message }) => ({ row, message })),
    )
  })

  test('takes columns by the headings that are named, and lists for everybody', async () => {
    const { admin } = await aTeam()
    const key = await aKey(admin)
    const file = csv('Export of 2026-01-05', 'Chief;Reach;Labels', 'Ana Costa;ana@example.org;Sales')
    const fields = { columns: JSON.stringify({ fullName: 'Chief', email: 'reach' }), lists: 'Night; Day' }
    await imported(key, 'contacts', file, { fields })
    expect(await namesIn(admin)).toEqual([['ana@example.org', 'Ana Costa', null, 'Day; Night']])
    const unknown = await sendFile(key, 'contacts', file, { fields: { columns: '{"email":"Mail"}' } })
    expect([unknown.status, unknown.body.message]).toEqual([
      400,
      'The file has no column “Mail”. It has Chief, Reach, Labels.',
    ])
    const missing = await sendFile(key, 'contacts', csv('Name,Town', 'Ana,Oslo'))
    expect(missing.body.message).toBe(
      'The file has no column for Email Address, Contact List. It has Name, Town.',
    )
  })

  test('lists who is gone, and removes them from the named lists only where told', async () => {
    const { admin } = await aTeam()
    const key = await aKey(admin)
    const people = ['ana', 'bo', 'cy', 'di', 'ed', 'flo']
    const file = (some: readonly string[], list = 'City') =>
      csv('Email,List', ...some.map((name) => `${name}@example.org,${list}`))
    const fields = { source: 'HR' }
    await admin.post('/contact', [
      { email: 'own@example.org', list: 'City' },
      { email: 'ana@example.org', list: 'Board' },
    ])
    await imported(key, 'contacts', file(people), { fields })
    const kept = await imported(key, 'contacts', file(people.slice(1)), { fields })
    expect(kept).toMatchObject({ gone: 1, goneEmails: ['ana@example.org'], needsForce: false })
    expect((await contactsIn(admin))[0]!.lists).toEqual(['Board', 'City'])
    // Another source knows nobody who could be gone.
    const other = { ...fields, source: 'Shop', gone: 'REMOVE' }
    expect(await imported(key, 'contacts', file(['ed']), { fields: other })).toMatchObject({ gone: 0 })

    const removing = { ...fields, gone: 'REMOVE' }
    const { id } = await imported(key, 'contacts', file(people.slice(1)), { fields: removing })
    expect(await namesIn(admin)).toMatchObject([
      ['ana@example.org', '', null, 'Board'],
      ['bo@example.org', '', null, 'City'],
      ['cy@example.org', '', null, 'City'],
      ['di@example.org', '', null, 'City'],
      ['ed@example.org', '', null, 'City'],
      ['flo@example.org', '', null, 'City'],
      ['own@example.org', '', null, 'City'],
    ])
    expect((await undo(admin, id)).body.notUndone).toBe(0)
    expect((await contactsIn(admin))[0]!.lists).toEqual(['Board', 'City'])
  })

  test('removes more than a fifth, or while a row names nobody, only by force', async () => {
    const { admin } = await aTeam()
    const key = await aKey(admin)
    const fields = { source: 'HR', gone: 'REMOVE' }
    const people = ['ana', 'bo', 'cy', 'di', 'ed'].map((name) => `${name}@example.org,City`)
    await imported(key, 'contacts', csv('Email,List', ...people), { fields })
    const half = csv('Email,List', ...people.slice(0, 2))
    const refused = await sendFile(key, 'contacts', half, { fields })
    expect([refused.status, refused.body.code]).toEqual([409, 'force_needed'])
    const unclear = csv('Email,List', ...people.slice(0, 4), 'ed@@example.org,City')
    expect((await sendFile(key, 'contacts', unclear, { fields })).body.code).toBe('force_needed')
    expect(await contactsIn(admin)).toHaveLength(5)
    const dry = await imported(key, 'contacts', half, { fields: { ...fields, dryRun: 'true' } })
    expect(dry).toMatchObject({ gone: 3, needsForce: true })
    await imported(key, 'contacts', half, { fields: { ...fields, force: 'true' } })
    expect(await contactsIn(admin)).toHaveLength(2)
  })

  test('is done once for one Idempotency-Key', async () => {
    const { admin } = await aTeam()
    const key = await aKey(admin)
    const headers = { 'Idempotency-Key': 'night-of-5-January' }
    const first = await sendFile(key, 'contacts', CONTACTS, { headers })
    const second = await sendFile(key, 'contacts', CONTACTS, { headers })
    expect(second.body).toEqual(first.body)
    expect((await send('GET', '/imports', key)).body).toHaveLength(1)
  })

  test('reads a workbook, and refuses what is none', async () => {
    const { admin } = await aTeam()
    const key = await aKey(admin)
    const book = utils.book_new()
    const rows = [
      ['Name', 'Email', 'Phone', 'List'],
      ['Ana', 'ana@example.org', 14165550123, 'Board'],
      ['=1+1', 'bo@example.org', '', 'Board'],
    ]
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'People')
    const bytes = new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer)
    expect(await imported(key, 'contacts', bytes, { name: 'people.xlsx' })).toMatchObject({ added: 2 })
    expect((await contactsIn(admin)).map(({ name }) => name)).toEqual(['=1+1', 'Ana'])
    const pdf = await sendFile(key, 'contacts', '%PDF-1.7\n%âãÏÓ', { name: 'people.csv' })
    expect(pdf.status).toBe(415)
    const quotes = await sendFile(key, 'contacts', `Email,List\n${'"'.repeat(10_000_001)}`)
    expect([quotes.status, quotes.body.message]).toEqual([
      400,
      'A quotation mark is missing or has text behind it (in row 2).',
    ])
    expect((await sendFile(key, 'contacts', '')).status).toBe(400)
  })

  test('reads neither macros nor what a workbook links to, and refuses one that unpacks to too much', async () => {
    const { admin } = await aTeam()
    const key = await aKey(admin)
    const book = utils.book_new()
    const sheet = utils.aoa_to_sheet([
      ['Name', 'Email', 'List'],
      ['Ana', 'ana@example.org', 'Board'],
    ])
    sheet['A2'] = { t: 's', v: 'Ana', f: 'WEBSERVICE("http://127.0.0.1:9/name")' }
    utils.book_append_sheet(book, sheet, 'People')
    const workbook = new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer)
    const entries = unzipSync(workbook)
    const armed = zipSync({
      ...entries,
      'xl/vbaProject.bin': strToU8('macro'),
      'xl/externalLinks/externalLink1.xml': strToU8('<externalLink/>'),
    })
    expect(await imported(key, 'contacts', armed, { name: 'people.xlsm' })).toMatchObject({ added: 1 })
    expect((await contactsIn(admin)).map(({ name }) => name)).toEqual(['Ana'])
    const bomb = zipSync(
      { ...entries, 'xl/worksheets/sheet1.xml': new Uint8Array(300_000_000) },
      { level: 1 },
    )
    const { status, body } = await sendFile(key, 'contacts', bomb, { name: 'people.xlsx' })
    expect([status, body.message]).toEqual([413, TABLE_TOO_LARGE])
    expect((await send('GET', '/imports', key)).body).toHaveLength(1)
  })
})

describe('undoing an import of contacts', () => {
  test('deletes and gives back what nobody changed since, once', async () => {
    const { admin } = await aTeam()
    await admin.post('/contact', [
      { name: 'Ana Costa', email: 'ana@example.org', phone: '+14165550123', list: 'Board' },
      { name: 'Bo', email: 'bo@example.org', list: 'Board' },
    ])
    const file = csv(
      'Name,Email,Phone,List',
      'Ana Lima,ana@example.org,416 555 0199,City',
      'Bo Lee,bo@example.org,416 555 0188,City',
      'Cy,cy@example.org,,City',
      'Di,di@example.org,,City',
    )
    const { id } = await imported(admin, 'contacts', file)
    await admin.post('/contact', [
      { name: 'Bo Berg', email: 'bo@example.org', list: 'Board' },
      { name: 'Dina', email: 'di@example.org', list: 'City' },
    ])
    const undone = await undo(admin, id)
    expect(undone.body).toMatchObject({ notUndone: 2, undoneBy: admin.email })
    expect(await namesIn(admin)).toEqual([
      ['ana@example.org', 'Ana Costa', '+14165550123', 'Board'],
      ['bo@example.org', 'Bo Berg', null, 'Board'],
      ['di@example.org', 'Dina', null, 'City'],
    ])
    const kept = await rowsOf(admin, id, `?filter=${JSON.stringify({ isKept: true })}`)
    expect(kept.map(({ email, undo: how }) => [email, how])).toEqual([
      ['bo@example.org', 'PARTLY'],
      ['di@example.org', 'CHANGED_SINCE'],
    ])
    expect((await undo(admin, id)).status).toBe(409)
  })

  test('also undoes what a screen imported', async () => {
    const { admin } = await aTeam()
    const { body } = await admin.post('/contact?fileName=board.csv', [
      { email: 'ana@example.org', list: 'Board' },
    ])
    const [report] = (await admin.get('/imports')).body as ImportReport[]
    expect(report).toMatchObject({ id: body.importId, fileName: 'board.csv', source: null, added: 1 })
    await undo(admin, body.importId)
    expect(await contactsIn(admin)).toEqual([])
    expect((await admin.get('/contact/lists')).body).toEqual([])
  })
})

const USERS_HEAD = 'First Name,Last Name,Email,Phone,Role,External,Location,Department'
const user = (org: Organisation, name: string, rest = ',,,,') =>
  `${name},Silva,${name.toLowerCase()}@${org.code}.example,${rest}`

describe('a file of users', () => {
  test('needs a key that may import users, and nothing else opens to it', async () => {
    const { org, admin } = await aTeam()
    const file = csv(USERS_HEAD, user(org, 'Ana'))
    const without = await aKey(admin, false)
    expect((await sendFile(without, 'users', file)).status).toBe(403)
    const key = await aKey(admin)
    expect((await imported(key, 'users', file)).added).toBe(1)
    for (const path of ['/useradmin/users', '/useradmin/auditLog', '/useradmin/roles'])
      expect([path, (await send('GET', path, key)).status]).toEqual([path, 403])
    const reports = (await send('GET', '/imports', without)).body
    expect(reports).toEqual([])
  })

  test('adds with a mailed link, and changes what the file says, never more', async () => {
    const { org, admin } = await aTeam()
    const key = await aKey(admin)
    const first = csv(USERS_HEAD, user(org, 'Ana', '416 555 0123,USER,no,Oslo,Legal'), user(org, 'Bo'))
    const { added } = await imported(key, 'users', first)
    expect(added).toBe(2)
    const mails = await inside(org, (db) => sql`select 1 from messages`.execute(db))
    expect(mails.rows).toHaveLength(2)
    const second = csv(USERS_HEAD, user(org, 'Ana', ',,,Bergen,'), user(org, 'Bo', ',BUSINESS_USER,yes,,'))
    const { id, changed } = await imported(key, 'users', second)
    expect(changed).toBe(2)
    expect(await usersIn(admin)).toMatchObject([
      {
        firstName: 'Ana',
        location: 'Bergen',
        department: 'Legal',
        phoneNumber: '+14165550123',
        role: 'USER',
      },
      { firstName: 'Bo', role: 'BUSINESS_USER', type: 'EXTERNAL' },
    ])
    const rows = await rowsOf(key, id)
    expect(rows[0]!.changes).toEqual([{ field: 'location', from: 'Oslo', to: 'Bergen' }])
    expect((await imported(key, 'users', second)).unchanged).toBe(2)
  })

  test('never lets a key make or unmake administrators, and says so', async () => {
    const { org, admin } = await aTeam()
    const key = await aKey(admin)
    const boss = await aUser(org, { role: 'ADMIN', firstName: 'Bo' })
    const file = csv(
      USERS_HEAD,
      user(org, 'Ana', ',ADMIN,,,'),
      `Bo,Silva,${boss.email},,USER,,,`,
      `Zoe,Zz,${admin.email},,,yes,,`,
    )
    const { problems, added, changed } = await imported(key, 'users', file)
    expect([added, changed]).toEqual([0, 0])
    expect(problems.map(({ row, message }) => [row, message])).toEqual(
      [2, 3, 4].map((row) => [row, 'An API key can neither make administrators nor take their rights.']),
    )
    // A person may, except for the last administrator and themselves.
    const byPerson = await imported(admin, 'users', file)
    expect(byPerson).toMatchObject({ added: 1, changed: 1 })
    expect(byPerson.problems.map(({ message }) => message)).toEqual([
      'You cannot take away your own administrator rights.',
    ])
  })

  test('archives who is gone from its own source where told, but no administrator', async () => {
    const { org, admin } = await aTeam()
    const key = await aKey(admin)
    const fields = { source: 'HR', gone: 'ARCHIVE' }
    const others = ['Bo', 'Cy', 'Di', 'Ed', 'Flo'].map((name) => user(org, name))
    const stranger = await aUser(org)
    await imported(key, 'users', csv(USERS_HEAD, user(org, 'Ana'), ...others, `Zoe,Zz,${admin.email},,,,,`), {
      fields,
    })
    const left = csv(USERS_HEAD, ...others)
    expect((await sendFile(key, 'users', left, { fields })).body.code).toBe('force_needed')
    const { id, gone } = await imported(key, 'users', left, { fields: { ...fields, force: 'true' } })
    expect(gone).toBe(2)
    const archived = (await usersIn(admin)).filter(({ active }) => !active)
    expect(archived.map(({ firstName }) => firstName)).toEqual(['Ana'])
    expect((await rowsOf(key, id)).map(({ email, message }) => [email, message])).toEqual([
      [`ana@${org.code}.example`, null],
      [admin.email, 'An API key cannot archive administrators.'],
    ])
    expect((await usersIn(admin)).find(({ email }) => email === stranger.email)!.active).toBe(true)
    await undo(admin, id)
    expect((await usersIn(admin)).every(({ active }) => active)).toBe(true)
  })

  test('is undone: archives who never signed in, and gives values back', async () => {
    const { org, admin } = await aTeam()
    const bo = await aUser(org, { firstName: 'Bo', lastName: 'Silva' })
    const file = csv(
      USERS_HEAD,
      user(org, 'Ana'),
      `Bob,Silva,${bo.email},,BUSINESS_USER,,Oslo,`,
      user(org, 'Cy'),
    )
    const { id } = await imported(admin, 'users', file)
    await inside(org, (db) =>
      db
        .updateTable('users')
        .set({ last_login_timestamp: new Date().toISOString() })
        .where('first_name', '=', 'Cy')
        .execute(),
    )
    const { body } = await undo(admin, id)
    expect(body.notUndone).toBe(1)
    expect(
      (await usersIn(admin)).map(({ firstName, active, role, location }) => [
        firstName,
        active,
        role,
        location,
      ]),
    ).toEqual([
      ['Ana', false, 'USER', null],
      ['Bo', true, 'USER', null],
      ['Cy', true, 'USER', null],
    ])
    const kept = await rowsOf(admin, id, `?filter=${JSON.stringify({ isKept: true })}`)
    expect(kept.map(({ undo: how }) => how)).toEqual(['SIGNED_IN'])
    const key = await aKey(admin)
    expect((await send('POST', `/imports/${id}/undo`, key)).status).toBe(403)
  })

  test('leaves a report where a screen sent the rows', async () => {
    const { org, admin } = await aTeam()
    const rows = [{ firstName: 'Ana', lastName: 'Silva', email: `ana@${org.code}.example` }]
    const { body } = await admin.post('/useradmin/users?fileName=team.xlsx', rows)
    const report = (await admin.get(`/imports/${body.importId}`)).body as ImportReport
    expect(report).toMatchObject({ kind: 'USERS', fileName: 'team.xlsx', added: 1, actor: admin.email })
    await undo(admin, body.importId)
    expect(await usersIn(admin)).toMatchObject([{ firstName: 'Ana', active: false }])
  })
})

describe('a report', () => {
  test('belongs to its organisation', async () => {
    const [ours, theirs] = [await aTeam(), await aTeam()]
    const { id } = await imported(theirs.admin, 'contacts', CONTACTS)
    for (const path of ['', '/rows', '/export'])
      expect((await ours.admin.get(`/imports/${id}${path}`)).status).toBe(404)
    expect((await undo(ours.admin, id)).status).toBe(404)
    expect(await contactsIn(theirs.admin)).toHaveLength(2)
  })

  test('is a CSV file without formulas', async () => {
    const { admin } = await aTeam()
    const { id } = await imported(
      admin,
      'contacts',
      csv('Name,Email,List', '=1+1,ana@example.org,Board', 'Bo,@x,Board'),
    )
    const { text, headers } = await admin.get(`/imports/${id}/export`)
    expect(headers.get('content-type')).toContain('text/csv')
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('ana@example.org')
    expect(lines[2]).toContain('Invalid email address')
  })
})

describe('two imports at the same time', () => {
  test('of one kind: the second is refused, and works afterwards', async () => {
    const { org, admin } = await aTeam()
    const held = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<void>()
    const other = inside(org, async (db) => {
      await tryLockFor(db, 'import CONTACTS')
      taken.resolve()
      await held.promise
    })
    await taken.promise
    expect((await sendFile(admin, 'contacts', CONTACTS)).status).toBe(409)
    held.resolve()
    await other
    expect((await imported(admin, 'contacts', CONTACTS)).added).toBe(2)
  })
})
