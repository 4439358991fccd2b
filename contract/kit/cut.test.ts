import { expect, test, vi } from 'vitest'

import { cut, firstCharacters, splitEnds, withoutEnd } from './cut.ts'

test.each([
  ['Flood', 5, 'Flood'],
  ['Flood', 4, 'Floo'],
  ['ab🚨', 3, 'ab'],
  ['ab👩‍🚒c', 6, 'ab'],
  ['🇨🇦🇫🇷', 6, '🇨🇦'],
  ['e\u0301e\u0301', 3, 'e\u0301'],
  ['नि', 1, ''],
  ['', 0, ''],
])('%j cut to %i code units is %j', (text, max, short) => expect(cut(text, max)).toBe(short))

test('a letter below more marks than anybody writes is cut between code points', () => {
  expect(cut(`a${'\u0301'.repeat(500)}`, 100)).toHaveLength(100)
  expect(cut('\u{1d165}'.repeat(500), 99)).toBe('\u{1d165}'.repeat(49))
})

test('characters are counted as people see them', () => {
  expect(firstCharacters('👩‍🚒🇨🇦e\u0301x', 3)).toEqual(['👩‍🚒', '🇨🇦', 'e\u0301'])
  expect(firstCharacters('', 1)).toEqual([])
})

test('a browser without a segmenter cuts between code points', async () => {
  vi.stubGlobal('Intl', { ...Intl })
  vi.resetModules()
  const old = await import('./cut.ts')
  expect('Segmenter' in Intl).toBe(false)
  expect([old.cut('ab🚨', 3), old.cut('Flood', 4), old.firstCharacters('🚨bc', 2)]).toEqual([
    'ab',
    'Floo',
    ['🚨', 'b'],
  ])
  vi.unstubAllGlobals()
})

test('ends are taken off a text', () => {
  const isDot = (character: string) => character === '.'
  expect(withoutEnd('..a.b..', isDot)).toBe('..a.b')
  expect(splitEnds('..a.b.', isDot)).toEqual(['..', 'a.b', '.'])
  expect(splitEnds('...', isDot)).toEqual(['', '', '...'])
})
