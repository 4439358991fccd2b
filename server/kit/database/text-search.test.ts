import { expect, test } from 'vitest'

import { snippetOf, textQueries, textWords } from './text-search.ts'

test.each([
  ['Überdruck-Ventil v2', ['uberdruck', 'ventil', 'v2']],
  ['避難所 B', ['避難', '難所', '所', 'b']],
  ['', []],
])('%j is found by %j', (text, words) => expect(textWords(text)).toEqual(words))

test.each([
  ['Évac hall 3', "'evac':* & 'hall':* & '3'"],
  ['避難所', "'避難':* & '難所':*"],
  ['避', "'避':*"],
  ["'; drop | & ! :*", "'drop':*"],
])('a search for %j is the query %s', (search, query) => expect(textQueries(search)!.all).toBe(query))

test.each(['', '_', 'a', '3 b'])('a search for %j is none in texts', (search) =>
  expect(textQueries(search)).toBeNull(),
)

const marked = (text: string, search: string) =>
  snippetOf(text, search)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

test.each([
  ['The Évacuation of hall 3 and 33.', 'evac 3', 'The [Évacuation] of hall [3] and 33.'],
  ['第三避難所は閉鎖', '避難所', '第三[避難所]は閉鎖'],
  // Folding the first letter makes two of it.
  ['İzmir pumps', 'pump', 'İzmir [pumps]'],
  ['Nothing of it.', 'water', 'Nothing of it.'],
  ['😀 water', 'water', '😀 [water]'],
])('%j shows where %j is', (text, search, snippet) => expect(marked(text, search)).toBe(snippet))

test('of a long text the part around the first match is shown, between words', () => {
  const words = Array.from({ length: 100 }, (_, n) => `word${n}`)
  words[50] = 'water'
  const snippet = marked(words.join(' '), 'water')
  expect(snippet).toMatch(/^…word\d+ .*\[water\].* word\d+ ?…$/)
  expect(snippet.length).toBeGreaterThan(100)
  expect(snippet.length).toBeLessThan(156)
})
