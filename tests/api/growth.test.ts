import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

import type { OrgDb } from '#server/kit/database/db.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'

import { startTestServer } from '../support/server.ts'

const muster = await startTestServer()
type Caller = Awaited<ReturnType<typeof muster.signedInAs>>
type Organisation = Awaited<ReturnType<typeof muster.anOrganisation>>

const MANY = 1_200
const query = (values: object): string =>
  `?${new URLSearchParams(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]))}`
const foundBy = (db: OrgDb, word: string) =>
  sql<{ ids: string[] | null }>`select visibility.search_incidents(array[${word}], 1000) as ids`
    .execute(db)
    .then(({ rows }) => rows[0]!.ids)

describe('a list of many', () => {
  let organisation: Organisation
  let admin: Caller

  beforeAll(async () => {
    organisation = await muster.anOrganisation()
    admin = await muster.signedInAs(organisation, 'ADMIN')
    await muster.inside(organisation, (db) =>
      sql`insert into users (email, first_name, last_name, role, type, active, accepted_terms, location, create_timestamp,
            update_timestamp)
          select 'person' || n || '@corp.example', 'Person', 'Number ' || n, 'USER', 'INTERNAL', n % 3 > 0, true,
            case when n % 5 > 0 then (array['Berlin', 'Lisbon', 'Oslo'])[1 + n % 3] end, now(), now()
          from generate_series(1, ${MANY}::int) n`.execute(db),
    )
  })
  const pageOf = async (values: object) => {
    const { status, body, headers } = await admin.get(`/useradmin/users${query(values)}`)
    expect(status).toBe(200)
    return {
      emails: (body as { email: string }[]).map(({ email }) => email),
      range: headers.get('content-range'),
      isMinimum: headers.get('total-is-minimum'),
    }
  }

  test.each([
    [['lastName', 'ASC']],
    [['lastName', 'DESC']],
    [['location', 'ASC']],
    [['location', 'DESC']],
    [['lastLoginTimestamp', 'ASC']],
    [['status', 'DESC']],
  ])('sorted by %j has pages behind its middle that follow each other', async (sort) => {
    const whole = await pageOf({ sort })
    const first = MANY - 25
    const [before, after] = [
      await pageOf({ sort, range: [first, first + 19] }),
      await pageOf({ sort, range: [first + 20, first + 39] }),
    ]
    expect([...before.emails, ...after.emails]).toEqual(whole.emails.slice(first))
    expect(before.range).toBe(`items ${first}-${first + 19}/${MANY + 1}`)
    const behind = await pageOf({ sort, range: [MANY + 10, MANY + 29] })
    expect([behind.emails, behind.range]).toEqual([[], `items */${MANY + 1}`])
  })

  test('is counted by what it is filtered by', async () => {
    const active = await pageOf({ range: [0, 4], filter: { active: true } })
    expect(active.range).toBe(`items 0-4/${(MANY / 3) * 2 + 1}`)
    const roles = await pageOf({ range: [0, 4], filter: { role: 'USER', active: false } })
    expect(roles.range).toBe(`items 0-4/${MANY / 3}`)
    const archived = await pageOf({ range: [0, 4], filter: { status: 'Archived' } })
    expect(archived.range).toBe(`items 0-4/${MANY / 3}`)
    expect((await pageOf({ range: [0, 4], filter: { status: 'archived' } })).range).toBe('items */0')
  })

  test('finds few by parts of words in any order, and counts them all', async () => {
    const found = await pageOf({ range: [0, 4], filter: { q: 'ber 1177 ERS' } })
    expect(found).toEqual({ emails: ['person1177@corp.example'], range: 'items 0-0/1', isMinimum: null })
    const some = await pageOf({ range: [0, 4], filter: { q: 'number 117' } })
    expect([some.range, some.isMinimum]).toEqual(['items 0-4/12', null])
    expect((await pageOf({ range: [0, 4], filter: { q: 'numberless' } })).range).toBe('items */0')
  })

  test('finds many in its order, counts them to a limit and says so', async () => {
    const whole = await pageOf({ filter: { q: 'corp' } })
    expect(whole.emails).toHaveLength(MANY)
    const first = await pageOf({ range: [0, 49], filter: { q: 'corp' } })
    expect(first).toEqual({ emails: whole.emails.slice(0, 50), range: 'items 0-49/501', isMinimum: 'true' })
    const further = await pageOf({ range: [1000, 1049], filter: { q: 'corp' } })
    expect(further.emails).toEqual(whole.emails.slice(1000, 1050))
    expect([further.range, further.isMinimum]).toEqual(['items 1000-1049/1051', 'true'])
    const last = await pageOf({ range: [1150, 1199], filter: { q: 'corp' } })
    expect([last.emails.length, last.range, last.isMinimum]).toEqual([50, `items 1150-1199/${MANY}`, null])
  })

  test('knows a word that many have, in whatever order their places are indexed', async () => {
    const found = (word: string) =>
      muster.inside(organisation, async (db) => {
        const { rows } = await sql<{
          ids: string[] | null
        }>`select visibility.search_users(array[${word}], 1000) as ids`.execute(db)
        return rows[0]!.ids
      })
    for (const place of ['berlin', 'lisbon', 'oslo']) expect(await found(place)).toBeNull()
    expect(await found('1177')).toHaveLength(1)
  })

  test('is read by statements that are not compiled', async () => {
    const { rows } = await muster.inside(organisation, (db) => sql<{ jit: string }>`show jit`.execute(db))
    expect(rows).toEqual([{ jit: 'off' }])
  })

  test('is paged in its order where it is that of a group or of a list of contacts', async () => {
    const made = await admin.post('/useradmin/group', {
      name: 'All',
      description: '',
      userIds: [admin.email],
    })
    const { id } = made.body
    await muster.inside(organisation, async (db) => {
      await sql`insert into group_members (group_id, user_id) select ${id}, id from users on conflict do nothing`.execute(
        db,
      )
      await sql`insert into contact_lists (name, name_key) values ('All', 'all'), ('Some', 'some')`.execute(
        db,
      )
      await sql`insert into contacts (email, name, create_timestamp, update_timestamp)
        select email, last_name, now(), now() from users`.execute(db)
      await sql`insert into contact_list_members (list_id, contact_id) select l.id, c.id from contact_lists l, contacts c
        where l.name_key = 'all' or c.email like 'person1%'`.execute(db)
    })
    const total = MANY + 1
    for (const path of [`/useradmin/group/${id}/members`, '/contact/asList']) {
      const of = path.startsWith('/contact') ? { filter: { list: 'all' } } : {}
      const page = async (range?: readonly number[]) => {
        const { body, headers } = await admin.get(`${path}${query({ ...of, ...(range && { range }) })}`)
        return [body.map(({ email }: { email: string }) => email), headers.get('content-range')]
      }
      const [whole] = await page()
      expect(new Set(whole).size).toBe(total)
      for (const first of [0, 500, total - 10])
        expect(await page([first, first + 9])).toEqual([
          whole.slice(first, first + 10),
          `items ${first}-${first + 9}/${total}`,
        ])
    }
    const { body: lists } = await admin.get('/contact/lists')
    expect(lists).toEqual([
      { name: 'All', count: total },
      { name: 'Some', count: 312 },
    ])
  })

  test('keeps its number as people come, change and go, also when it is added up', async () => {
    const total = async (filter: object) => (await pageOf({ range: [0, 0], filter })).range?.split('/')[1]
    const before = Number(await total({ active: true }))
    const people = await Promise.all(Array.from({ length: 20 }, () => muster.aUser(organisation)))
    expect(await total({ active: true })).toBe(String(before + 20))
    for (const { uuid } of people)
      await muster.inside(organisation, (db) =>
        db.updateTable('users').set({ active: false }).where('id', '=', uuid).execute(),
      )
    expect(await total({ active: true })).toBe(String(before))
    const { database, blobs } = muster.services
    await chores({ database, blobs }).get('row counts')!.run()
    expect(await total({ active: true })).toBe(String(before))
    const kept = await muster.inside(organisation, (db) =>
      sql`select from row_counts where counted = 'users' and facet[1] = 'true'`.execute(db),
    )
    expect(kept.rows.length).toBeLessThan(20)
    await muster.inside(organisation, (db) =>
      db
        .deleteFrom('users')
        .where(
          'id',
          'in',
          people.map(({ uuid }) => uuid),
        )
        .execute(),
    )
    expect(await total({})).toBe(String(MANY + 1))
  })
})

/** 250 incidents, more than a search reads without its index. */
const addOthers = (organisation: Organisation) =>
  muster.inside(organisation, (db) =>
    sql`insert into incidents (title, full_text, plain_text, preview_text, severity, is_tabletop, is_active, is_targeted, created_by,
          create_timestamp, update_timestamp)
        select 'Old ' || n, '', '', '', 'LOW', false, false, false, 'somebody@corp.example', now() - interval '1 year', now()
        from generate_series(1, 250) n`.execute(db),
  )

describe('what an index finds', () => {
  test('is never of another organisation', async () => {
    const [ours, theirs] = [await muster.anOrganisation(), await muster.anOrganisation()]
    const them = await muster.signedInAs(theirs, 'ADMIN')
    await addOthers(theirs)
    await them.post('/incident', { title: 'Quicksilver', fullText: '<p>Spilled</p>' })
    expect(await muster.inside(theirs, (db) => foundBy(db, 'quicks'))).toHaveLength(1)
    expect(await muster.inside(ours, (db) => foundBy(db, 'quicks'))).toEqual([])
    // Organisation ids are part of the index, but searching for one finds no rows.
    expect(await muster.inside(ours, (db) => foundBy(db, ` ${theirs.id}`))).toEqual([])
    await addOthers(ours)
    expect(await muster.inside(ours, (db) => foundBy(db, 'quicks'))).toEqual([])
    expect(await muster.inside(ours, (db) => foundBy(db, ` ${theirs.id}`))).toEqual([])
    const us = await muster.signedInAs(ours, 'ADMIN')
    expect((await us.get('/incident?searchWord=quicksilver')).body).toMatchObject({ data: [], total: 0 })
    const counts = await muster.inside(ours, (db) =>
      sql<{
        total: number
      }>`select sum(amount)::int as total from row_counts where counted = 'incidents'`.execute(db),
    )
    expect(counts.rows[0]!.total).toBe(250)
    const forged = muster.inside(ours, (db) =>
      sql`insert into row_counts (counted, facet, amount) values ('users', '{}', 1)`.execute(db),
    )
    await expect(forged).rejects.toThrow(/permission denied/)
  })

  test('is not for external people, who find only what they see', async () => {
    const organisation = await muster.anOrganisation({ multiIncident: true })
    const admin = await muster.signedInAs(organisation, 'ADMIN')
    const counsel = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    await addOthers(organisation)
    const declare = (title: string, more: object = {}) =>
      admin.post('/incident', { title, fullText: '<p>Quicksilver</p>', ...more })
    expect((await declare('Hidden', { targetedUsers: [admin.email] })).status).toBe(201)
    expect((await declare('Shown', { targetedUsers: [counsel.email] })).status).toBe(201)
    const search = async (caller: Caller) => {
      const { data, total } = (await caller.get('/incident?searchWord=quicks')).body
      return [total, ...data.map(({ title }: { title: string }) => title)]
    }
    expect(await search(admin)).toEqual([2, 'Shown', 'Hidden'])
    expect(await search(counsel)).toEqual([1, 'Shown'])
    expect((await counsel.get('/incident')).body.total).toBe(1)
  })

  test.each([
    ['of few', () => undefined],
    ['of many', addOthers],
  ])('%s holds quotes, backslashes, wildcards, single characters and accents', async (_, prepare) => {
    const organisation = await muster.anOrganisation({ multiIncident: true })
    const admin = await muster.signedInAs(organisation, 'ADMIN')
    await prepare(organisation)
    await admin.post('/incident', {
      title: String.raw`It's 100% C:\Temp_é`,
      fullText: '<p>Über :* & | !</p>',
    })
    await admin.post('/incident', { title: 'Other', fullText: '<p>Nothing of it</p>' })
    for (const word of ["t's", String.raw`C:\temp`, '00% mp_e', 'uber', String.raw`:\t`, ':* & |', 'é :'])
      expect((await admin.get(`/incident?searchWord=${encodeURIComponent(word)}`)).body.total, word).toBe(1)
    for (const word of ['%%%', '___', String.raw`\\\ `, "'; drop"])
      expect((await admin.get(`/incident?searchWord=${encodeURIComponent(word)}`)).body.total, word).toBe(0)
  })
})
