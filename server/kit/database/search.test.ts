import { expect, test } from 'vitest'

import { prefixQuery, searchWords } from './search.ts'

test.each([
  ['Überdruck-Ventil v2', ['uberdruck', 'ventil', 'v2']],
  ['  a   A á ', ['a']],
  ['緊急停止', ['緊', '急', '停', '止']],
  ["'; drop | & ! :*", ['drop']],
  ['', []],
])('%j is found by %j', (text, words) => expect(searchWords(text)).toEqual(words))

test('a query finds words by their beginning', () => {
  expect(prefixQuery(searchWords('Über pumpe'))).toBe("'uber':* & 'pumpe':*")
})
