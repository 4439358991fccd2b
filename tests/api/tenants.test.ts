import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'

import { startTestServer } from '../support/server.ts'
import { tamperWithEvents } from '../support/tampering.ts'

const muster = await startTestServer()
const { pool } = muster.services.database

test('every table that holds an organisation has forced row-level security and both policies', async () => {
  const { rows } = await pool.query<{ table: string; forced: boolean; policies: string[] }>(`
    select c.relname as table, c.relrowsecurity and c.relforcerowsecurity as forced,
      array(select policyname::text from pg_policies p where p.tablename = c.relname order by 1) as policies
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`)
  expect(rows.length).toBeGreaterThan(10)
  expect(
    rows.filter((row) => !row.forced || !/^provider,tenant(,viewer)?$/.test(row.policies.join())),
  ).toEqual([])
})

test('every policy of organisations is evaluated once per statement, not for each row', async () => {
  const { rows } = await pool.query<{ table: string; policy: string; condition: string }>(`
    select tablename as table, policyname as policy, unnest(array[qual, with_check]) as condition
    from pg_policies where 'muster_member' = any (roles) order by 1, 2`)
  const conditions = rows.filter(({ condition }) => condition !== null)
  const once = "( SELECT (current_setting('app.organisation'::text))::uuid AS current_setting)"
  const entered = "( SELECT (COALESCE(current_setting('app.entered'::text, true), ''::text) = 'on'::text))"
  for (const { table, policy, condition } of conditions) {
    if (policy === 'tenant') expect(condition, table).toBe(`(organisation_id = ${once})`)
    // Besides its sub-selects, a condition refers only to columns and operators.
    const rest = condition.replaceAll(once, '').replaceAll(entered, '')
    expect(rest, `${table} ${policy}`).not.toMatch(/current_(setting|organisation)/)
  }
  const tables = conditions.filter(({ policy }) => policy === 'tenant').map(({ table }) => table)
  expect(new Set(tables).size).toBeGreaterThan(10)
})

test('a statement of an organisation looks its rows up with the result of that evaluation', async () => {
  const organisation = await muster.anOrganisation()
  const plan = await muster.inside(organisation, async (db) => {
    await sql`set local enable_seqscan = off`.execute(db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select count(*) from users where active and role = 'USER'`.execute(db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  // PostgreSQL 15 names the result of an InitPlan by its number.
  expect(plan).toMatch(/Index Cond: \(+organisation_id = (\(InitPlan 1\)|\$0)/)
})

test('no other table is open to organisations, except what they may read of themselves', async () => {
  const { rows } = await pool.query<{ grant: string }>(`
    select distinct table_name || ' ' || privilege_type as grant from information_schema.role_table_grants
    where grantee = 'muster_member' and table_schema = 'public'
      and table_name not in (select table_name from information_schema.columns where column_name = 'organisation_id')`)
  expect(rows.map((row) => row.grant).sort()).toEqual(['global_config SELECT', 'organisations SELECT'])
})

test('an organisation sees, changes and writes only its own rows', async () => {
  const [ours, theirs] = [await muster.anOrganisation(), await muster.anOrganisation()]
  const them = await muster.aUser(theirs)
  await muster.aUser(ours)
  const seen = await muster.inside(ours, (db) => db.selectFrom('users').select('email').execute())
  expect(seen.map((row) => row.email)).not.toContain(them.email)
  const changed = await muster.inside(ours, (db) =>
    db.updateTable('users').set({ first_name: 'Taken' }).where('id', '=', them.uuid).executeTakeFirst(),
  )
  expect(Number(changed.numUpdatedRows)).toBe(0)
  const organisations = await muster.inside(ours, (db) =>
    db.selectFrom('organisations').select('code').execute(),
  )
  expect(organisations).toEqual([{ code: ours.code }])

  const forged = pool.connect().then(async (client) => {
    try {
      await client.query(`begin; set local role muster_member; set local app.organisation = '${ours.id}'`)
      await client.query(
        `insert into user_activity (organisation_id, user_id, timestamp) values ($1, $2, now())`,
        [theirs.id, them.uuid],
      )
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
  await expect(forged).rejects.toThrow(/row-level security/)
})

test('a transaction that opened no organisation fails instead of showing all', async () => {
  const client = await pool.connect()
  try {
    await client.query('begin; set local role muster_member')
    await expect(client.query('select * from users')).rejects.toThrow(pg.DatabaseError)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('the event stream cannot be rewritten by the product, and shows when somebody else did it', async () => {
  const organisation = await muster.anOrganisation()
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  for (const title of ['One', 'Two', 'Three']) {
    const { body } = await admin.post('/incident', { title, fullText: '<p>Text</p>' })
    await admin.patch(`/incident/${body.id}`, { isActive: false })
  }
  const broken = () =>
    muster.inside(organisation, async (db) => {
      const rows = await db
        .selectNoFrom((eb) => eb.fn<number | null>('first_broken_event').as('at'))
        .executeTakeFirstOrThrow()
      return rows.at
    })
  expect(await broken()).toBeNull()
  await expect(muster.inside(organisation, (db) => db.deleteFrom('events').execute())).rejects.toThrow(
    /permission denied/,
  )

  const ours = `organisation_id = '${organisation.id}'`
  await tamperWithEvents(pool, `update events set verb = 'forged' where ${ours} and sequence = 3`)
  expect(await broken()).toBe(3)
  await tamperWithEvents(pool, `delete from events where ${ours} and sequence = 2`)
  expect(await broken()).toBe(2)
})
