import type pg from 'pg'
import { expect, test } from 'vitest'

import { plainLookup, preparedLookup } from './lookup.ts'

const lookup = (...values: string[]) => ({ name: 'someone', sql: 'select $1::text, $2::text', values })
const connection = () => ({}) as pg.ClientBase

test('a connection prepares a lookup once, and looks up with other values after that', () => {
  const one = connection()
  expect(preparedLookup(one, lookup('a', 'b'))).toBe(
    `prepare someone as select $1::text, $2::text; execute someone('a','b')`,
  )
  expect(preparedLookup(one, lookup('c', 'd'))).toBe(`execute someone('c','d')`)
  expect(preparedLookup(connection(), lookup('e', 'f'))).toContain('prepare someone')
})

test('values are never taken for SQL, nor for places of other values', () => {
  const values = [`x'; drop table users; --`, '$1 \\ $2']
  expect(plainLookup(lookup(...values))).toBe(
    `select 'x''; drop table users; --'::text,  E'$1 \\\\ $2'::text`,
  )
  expect(preparedLookup(connection(), lookup(...values))).toContain(
    `execute someone('x''; drop table users; --', E'$1 \\\\ $2')`,
  )
})
