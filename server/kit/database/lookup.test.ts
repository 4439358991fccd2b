import type pg from 'pg'
import { expect, test } from 'vitest'

import { connectionLookups, sessionLookups } from './lookup.ts'

const lookup = (...values: string[]) => ({ name: 'someone', sql: 'select $1::text, $2::text', values })
const connection = () => ({}) as pg.ClientBase
const HOSTILE = [`x'; drop table users; --`, '$1 \\ $2']
const EXECUTE_HOSTILE = `execute someone('x''; drop table users; --', E'$1 \\\\ $2')`

test('a connection prepares a lookup once, and looks up with other values after that', () => {
  const textOf = connectionLookups()
  const one = connection()
  expect(textOf(one, lookup('a', 'b'))).toBe(
    `prepare someone as select $1::text, $2::text; execute someone('a','b')`,
  )
  expect(textOf(one, lookup('c', 'd'))).toBe(`execute someone('c','d')`)
  expect(textOf(connection(), lookup('e', 'f'))).toContain('prepare someone')
})

test('in a shared session values are inlined until a lookup is prepared, which is tried again when it failed', async () => {
  const sent: string[] = []
  const textOf = sessionLookups('one_', async (sql) => {
    if (sent.push(sql) === 1) throw new Error('The connection is lost.')
  })
  const text = () => textOf(connection(), lookup('a', 'b'))
  const inlined = `select 'a'::text, 'b'::text`
  expect([text(), text()]).toEqual([inlined, inlined])
  await new Promise(setImmediate)
  expect(text()).toBe(inlined)
  await new Promise(setImmediate)
  expect(text()).toBe(`execute one_someone('a','b')`)
  expect(sent).toEqual(Array(2).fill('prepare one_someone as select $1::text, $2::text'))
})

test('values are never taken for SQL, nor for places of other values', async () => {
  const textOf = sessionLookups('', async () => {})
  expect(textOf(connection(), lookup(...HOSTILE))).toBe(
    `select 'x''; drop table users; --'::text,  E'$1 \\\\ $2'::text`,
  )
  await new Promise(setImmediate)
  expect(textOf(connection(), lookup(...HOSTILE))).toBe(EXECUTE_HOSTILE)
  expect(connectionLookups()(connection(), lookup(...HOSTILE))).toContain(EXECUTE_HOSTILE)
})
