import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, test, vi } from 'vitest'

import type { OrgDb, Tables } from './db.ts'
import { statement } from './statements.ts'

const sent: { sql: string; parameters: readonly unknown[] }[] = []
const db = new Kysely<Tables>({
  dialect: {
    createDriver: () => new DummyDriver(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  log: ({ query }) => {
    sent.push({ sql: query.sql, parameters: query.parameters })
  },
}) as unknown as OrgDb

const build = vi.fn(
  (of: Kysely<Tables>, order: 'asc' | 'desc', asked: { active?: boolean; email?: string | undefined }) => {
    let query = of.selectFrom('users').select('id').orderBy('email', order)
    if ('active' in asked) query = query.where('active', '=', asked.active!)
    if ('email' in asked) query = query.where('email', '=', asked.email!)
    return query
  },
)
const find = statement(build)

test('a shape is put together once and filled with the values of each call', async () => {
  await find(db, 'asc', { active: true, email: 'ana@a.example' })
  await find(db, 'asc', { active: false, email: 'ben@a.example' })
  expect(build).toHaveBeenCalledTimes(1)
  expect(sent.map(({ parameters }) => parameters)).toStrictEqual([
    [true, 'ana@a.example'],
    [false, 'ben@a.example'],
  ])
  expect(sent[0]!.sql).toBe(sent[1]!.sql)
})

test('another shape, or a value that is not given, is another query', async () => {
  sent.length = 0
  await find(db, 'desc', { active: true, email: undefined })
  await find(db, 'asc', { email: 'ana@a.example' })
  expect(sent).toStrictEqual([
    { sql: 'select "id" from "users" where "active" = $1 order by "email" desc', parameters: [true] },
    {
      sql: 'select "id" from "users" where "email" = $1 order by "email" asc',
      parameters: ['ana@a.example'],
    },
  ])
})
