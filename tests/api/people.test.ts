import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, inside, send, signedInAs } = await startTestServer()

const SEARCH = '/authentication/users/search'
const NAMED = '/authentication/users/named'

type Person = Parameters<typeof aUser>[1] & { department?: string; banned?: true; dashboard_user?: true }
async function add(org: Organisation, name: string, { department, banned, dashboard_user, ...more }: Person) {
  const [firstName = '', lastName = ''] = name.split(' ')
  const { uuid, email } = await aUser(org, { firstName, lastName, ...more })
  await inside(org, (db) =>
    db
      .updateTable('users')
      .set({
        department: department ?? null,
        banned: banned ?? false,
        dashboard_user: dashboard_user ?? false,
      })
      .where('id', '=', uuid)
      .execute(),
  )
  return email
}
async function aTeam() {
  const org = await anOrganisation()
  const me = await signedInAs(org, 'USER', { firstName: 'Zz', lastName: 'Zz', email: 'zz@team.example' })
  return { org, me }
}
const find = async (caller: Caller, searchString: string, more: Record<string, string> = {}) => {
  const { status, body } = await caller.get(`${SEARCH}?${new URLSearchParams({ searchString, ...more })}`)
  expect(status).toBe(200)
  return (body.users as { firstName: string; lastName: string }[]).map(
    ({ firstName, lastName }) => `${firstName} ${lastName}`,
  )
}
const nameAll = async (caller: Caller, emails: readonly string[]) => {
  const { status, body } = await caller.get(`${NAMED}?${new URLSearchParams({ emails: emails.join(',') })}`)
  expect(status).toBe(200)
  return (body.people as { email: string }[]).map(({ email }) => email).toSorted()
}

describe('the search for people', () => {
  test('finds by parts of name, department and address; first who has a word that begins so', async () => {
    const { org, me } = await aTeam()
    await add(org, 'Joanna Berg', { email: 'jb@team.example' })
    await add(org, 'Émile Anders', { email: 'ea@team.example' })
    await add(org, 'Bo Holm', { email: 'bo@team.example', department: 'Legal Analysis' })
    await add(org, 'Cy Lund', { email: 'annex@team.example' })
    await add(org, 'Dee Moss', { email: 'dee@team.example' })
    expect(await find(me, 'AN')).toEqual(['Bo Holm', 'Cy Lund', 'Émile Anders', 'Joanna Berg'])
    expect(await find(me, 'émi')).toEqual(['Émile Anders'])
    expect(await find(me, 'emi')).toEqual(['Émile Anders'])
    expect(await find(me, ' analysis  bo ')).toEqual(['Bo Holm'])
    expect(await find(me, 'bo analysis nobody')).toEqual([])
    expect(await find(me, '')).toEqual([
      'Bo Holm',
      'Cy Lund',
      'Dee Moss',
      'Émile Anders',
      'Joanna Berg',
      'Zz Zz',
    ])
  })

  test("finds nobody by their address's domain, unless an @ is typed", async () => {
    const { org, me } = await aTeam()
    await add(org, 'Ana Silva', { email: 'ana@corp.example' })
    await add(org, 'Bo Berg', { email: 'bo@corp.example' })
    expect(await find(me, 'corp')).toEqual([])
    expect(await find(me, '@corp')).toEqual(['Ana Silva', 'Bo Berg'])
    expect(await find(me, 'bo@CORP.example')).toEqual(['Bo Berg'])
  })

  test('takes %, _ and \\ as letters', async () => {
    const { org, me } = await aTeam()
    await add(org, 'Ana Silva', { email: 'a_na@team.example', department: '100% \\ safe' })
    await add(org, 'Bo Berg', { email: 'bo@team.example' })
    for (const letter of ['%', '_', '\\', '0%', 'a_n']) expect(await find(me, letter)).toEqual(['Ana Silva'])
    for (const letter of ['%%', 'n_', '\\\\', '_@team%']) expect(await find(me, letter)).toEqual([])
  })

  test('offers only whom one can choose, and says whether anybody is from outside', async () => {
    const { org, me } = await aTeam()
    await add(org, 'Gone Silva', { active: false })
    await add(org, 'Banned Silva', { banned: true })
    await add(org, 'Wall Silva', { dashboard_user: true })
    await add(org, 'Board Silva', { role: 'BUSINESS_USER' })
    const has = async () => (await me.get(SEARCH)).body.hasExternals as boolean
    expect(await has()).toBe(false)
    await add(org, 'Counsel Silva', { type: 'EXTERNAL' })
    expect(await has()).toBe(true)
    expect(await find(me, 'silva')).toEqual(['Board Silva', 'Counsel Silva'])
    expect(await find(me, 'silva', { isTargetable: 'true' })).toEqual(['Counsel Silva'])
    expect(await find(me, 'silva', { withExternals: 'false' })).toEqual(['Board Silva'])
    expect((await me.get(`${SEARCH}?withExternals=false&searchString=silva`)).body.hasExternals).toBe(true)
  })

  test('answers fifty, with what names and pickers show of a person', async () => {
    const { org, me } = await aTeam()
    await inside(org, (db) =>
      sql`insert into users (email, first_name, last_name, role, type, create_timestamp, update_timestamp)
        select 'p' || n || '@team.example', 'Person', 'N' || n, 'USER', 'INTERNAL', now(), now()
        from generate_series(1, 60) n`.execute(db),
    )
    const { body } = await me.get(`${SEARCH}?searchString=person`)
    expect(body.users).toHaveLength(50)
    expect(Object.keys(body.users[0]).toSorted()).toEqual([
      'active',
      'department',
      'email',
      'firstName',
      'lastName',
      'profileImageUrl',
      'role',
      'type',
      'uuid',
    ])
  })

  test('of very many, answers those first whose name begins so', async () => {
    const { org, me } = await aTeam()
    await inside(org, (db) =>
      sql`insert into users (email, first_name, last_name, role, type, create_timestamp, update_timestamp)
        select 'p' || n || '@team.example', 'Abe', 'Superperson ' || n, 'USER', 'INTERNAL', now(), now()
        from generate_series(1, 60) n`.execute(db),
    )
    await add(org, 'Zed Person', {})
    await add(org, 'Person Zed', {})
    const found = await find(me, 'PERSON')
    expect(found.slice(0, 3)).toEqual(['Person Zed', 'Zed Person', 'Abe Superperson 1'])
    expect(new Set(found).size).toBe(50)
    expect(await find(me, 'person zed')).toEqual(['Person Zed', 'Zed Person'])
  })

  test('and names are bounded, and take hostile input as text', async () => {
    const { me } = await aTeam()
    const statusOf = async (path: string, query: Record<string, string>) =>
      (await me.get(`${path}?${new URLSearchParams(query)}`)).status
    expect(await statusOf(SEARCH, { searchString: 'x'.repeat(256) })).toBe(400)
    expect(await statusOf(SEARCH, { searchString: 'a\u0000' })).toBe(400)
    expect(await statusOf(SEARCH, { isTargetable: 'perhaps' })).toBe(400)
    expect(await find(me, "'; drop table users; --")).toEqual([])
    expect(await find(me, '\u202e <script> ${7*7}')).toEqual([])
    expect(await statusOf(NAMED, {})).toBe(400)
    expect(await statusOf(NAMED, { emails: 'a\u0000@b.example' })).toBe(400)
    const hundred = Array.from({ length: 100 }, (_, n) => `p${n}@team.example`)
    expect(await nameAll(me, [...hundred.slice(1), me.email])).toEqual([me.email])
    expect(await statusOf(NAMED, { emails: [...hundred, me.email].join(',') })).toBe(400)
    expect(await nameAll(me, ["x' or true --", '', 'a@b@c'])).toEqual([])
    expect((await send('GET', SEARCH)).status).toBe(401)
  })
})

describe('names', () => {
  test('are told of everybody by their addresses, archived people and wall screens too', async () => {
    const { org, me } = await aTeam()
    const emails = [
      await add(org, 'Gone Silva', { active: false }),
      await add(org, 'Banned Silva', { banned: true }),
      await add(org, 'Wall Silva', { dashboard_user: true }),
      await add(org, 'Counsel Silva', { type: 'EXTERNAL' }),
    ]
    expect(await nameAll(me, [...emails, emails[0]!, 'nobody@team.example'])).toEqual(emails.toSorted())
  })

  test('and finds are those of the own organisation', async () => {
    const { org, me } = await aTeam()
    const { me: theirs } = await aTeam()
    const email = await add(org, 'Ana Silva', {})
    expect(await find(theirs, 'silva')).toEqual([])
    expect(await nameAll(theirs, [email])).toEqual([])
    expect(await nameAll(me, [email])).toEqual([email])
  })

  test('and finds are for people from outside those whom they work with', async () => {
    const { org, me } = await aTeam()
    const counsel = await signedInAs(org, 'USER', {
      type: 'EXTERNAL',
      firstName: 'Counsel',
      lastName: 'Berg',
    })
    const colleague = await add(org, 'Colleague Berg', {})
    const stranger = await add(org, 'Stranger Berg', {})
    const everybody = [counsel.email, colleague, stranger, me.email]
    expect(await find(counsel, 'berg')).toEqual(['Counsel Berg'])
    const made = await me.post('/incident', {
      title: 'Leak',
      fullText: '<p>Water in the archive.</p>',
      targetedUsers: [counsel.email, colleague],
    })
    expect(made.status).toBe(201)
    expect(await find(counsel, 'berg')).toEqual(['Colleague Berg', 'Counsel Berg'])
    expect(await nameAll(counsel, everybody)).toEqual([counsel.email, colleague, me.email].toSorted())
  })
})
