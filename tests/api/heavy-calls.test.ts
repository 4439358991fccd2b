import { expect, test } from 'vitest'
import * as z from 'zod/mini'

import { type Endpoint, isHeavy } from '#contract/kit/endpoint.ts'
import { APIS } from '#server/nouns.ts'

const calls: [string, Endpoint][] = Object.entries(APIS).flatMap(([noun, api]) =>
  Object.entries(api).map(([name, endpoint]): [string, Endpoint] => [`${noun}.${name}`, endpoint]),
)
/** Whether a call takes a word to search for, as far as its schema accepts one. */
const searches = ({ query }: Endpoint): boolean =>
  query !== undefined &&
  [{ q: 'word' }, { searchWord: 'word' }, { filter: '{"q":"word"}' }].some((given) => {
    const parsed = z.safeParse(query, given)
    return parsed.success && JSON.stringify(parsed.data).includes('word')
  })
/** Few enough that nobody notices a search in them. */
const SMALL = ['api-keys.list', 'notification-templates.list']

test('calls that search say that they read much', () => {
  const silent = calls.filter(([name, call]) => searches(call) && !call.heavy && !SMALL.includes(name))
  expect(silent.map(([name]) => name)).toEqual([])
})

test('calls that read much only read', () => {
  const writing = calls.filter(
    ([, { heavy, method, repeatable }]) => heavy && method !== 'GET' && !repeatable,
  )
  expect(writing.map(([name]) => name)).toEqual([])
})

test('a word, and a page far behind, make a list heavy; its first pages are not', () => {
  const list = { heavy: 'by query' } as const
  for (const query of [
    { searchWord: 'a' },
    { q: 'a' },
    { filter: { q: 'a' } },
    { range: [9_950, 9_999] },
    { page: 400, size: 20 },
  ])
    expect(isHeavy(list, query)).toBe(true)
  for (const query of [
    undefined,
    {},
    { page: 0, size: 20 },
    { range: [0, 49], filter: { active: true } },
    { q: '' },
  ])
    expect(isHeavy(list, query)).toBe(false)
  expect(isHeavy({}, { q: 'a' })).toBe(false)
})
