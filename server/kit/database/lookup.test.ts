import type pg from 'pg'
import { expect, test } from 'vitest'

import { preparedLookups } from './lookup.ts'

const lookup = (...values: string[]) => ({ name: 'someone', sql: 'select $1::text, $2::text', values })
const connection = () => ({}) as pg.ClientBase
const HOSTILE = [`x'; drop table users; --`, '$1 \\ $2']
const EXECUTE_HOSTILE = `execute someone('x''; drop table users; --', E'$1 \\\\ $2')`

test('a connection prepares a lookup once, and looks up with other values after that', () => {
  const textOf = preparedLookups()
  const one = connection()
  expect(textOf(one, lookup('a', 'b'))).toBe(
    `prepare someone as select $1::text, $2::text; execute someone('a','b')`,
  )
  expect(textOf(one, lookup('c', 'd'))).toBe(`execute someone('c','d')`)
  expect(textOf(connection(), lookup('e', 'f'))).toContain('prepare someone')
})

test('values are never taken for SQL, nor for places of other values', () => {
  expect(preparedLookups()(connection(), lookup(...HOSTILE))).toContain(EXECUTE_HOSTILE)
})
