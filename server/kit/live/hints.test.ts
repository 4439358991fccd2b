import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { makeHints } from './hints.ts'

const published: string[] = []
const hint = (record: string) => ({ organisationId: 'o1', noun: 'mass-notifications', record })
const records = () => published.map((payload) => (JSON.parse(payload) as { record: string }).record)
const bus = { publish: (_topic: string, payload: string) => void published.push(payload) }

beforeEach(() => {
  published.length = 0
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test('a thousand changes in a second are one hint at once and one after it', () => {
  const hints = makeHints(bus)
  for (let n = 0; n < 1_000; n += 1) hints.changed(hint('a'))
  expect(records()).toEqual(['a'])
  vi.advanceTimersByTime(1_000)
  expect(records()).toEqual(['a', 'a'])
  vi.advanceTimersByTime(10_000)
  expect(records()).toEqual(['a', 'a'])
})

test('a change after a quiet second is told at once, and records do not hold up each other', () => {
  const hints = makeHints(bus)
  hints.changed(hint('a'))
  hints.changed(hint('b'))
  vi.advanceTimersByTime(1_000)
  hints.changed(hint('a'))
  expect(records()).toEqual(['a', 'b', 'a'])
})
