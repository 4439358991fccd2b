import { describe, expect, test } from 'vitest'

import { findIn, pageText } from './pdfSearch.ts'

/** Lines of a page; each line's pieces are separated by a bar. */
const page = (...lines: readonly string[]) =>
  lines.flatMap((line) => {
    const pieces = line.split('|')
    return pieces.map((str, n) => ({ str, hasEOL: n === pieces.length - 1 }))
  })
const found = (lines: readonly string[], words: string) => findIn(pageText(page(...lines)), words, 1)
/** The matched characters, from the pieces. */
const marked = (lines: readonly string[], words: string) => {
  const pieces = page(...lines)
  return found(lines, words).map(({ from, to }) =>
    from.piece === to.piece
      ? pieces[from.piece]!.str.slice(from.offset, to.offset)
      : [
          pieces[from.piece]!.str.slice(from.offset),
          ...pieces.slice(from.piece + 1, to.piece).map(({ str }) => str),
          pieces[to.piece]!.str.slice(0, to.offset),
        ].join('|'),
  )
}

describe('words in a page', () => {
  test.each<[string, readonly string[], string, readonly string[]]>([
    ['in any case', ['Close the Valve, the VALVE'], 'valve', ['Valve', 'VALVE']],
    ['without their accents', ['Évacuer l’hôtel'], 'evacuer l’hotel', ['Évacuer l’hôtel']],
    ['with accents that the page lacks', ['Zurich'], 'Zürich', ['Zurich']],
    ['in ligatures', ['the ﬁre of ﬂats'], 'fire', ['ﬁre']],
    ['across pieces', ['Em|erg|ency'], 'mergen', ['m|erg|en']],
    ['across lines', ['close the', 'valve now'], 'the valve', ['the|valve']],
    [
      'that are divided at the end of a line',
      ['Evacu-', 'ation of the quay'],
      'evacuation',
      ['Evacu-|ation'],
    ],
    ['of Japanese lines', ['避難', '場所'], '難場', ['難|場']],
    ['with other blanks', ['pump\u00a0 3'], ' pump  3 ', ['pump\u00a0 3']],
    ['beside each other', ['aaaa'], 'aa', ['aa', 'aa']],
  ])('are found %s', (_, lines, words, expected) => expect(marked(lines, words)).toEqual(expected))

  test.each(['', '   ', 'pier'])('%j is not found', (words) => expect(found(['quay 7'], words)).toEqual([]))

  test('end at their last character, also where it takes two code units', () => {
    expect(found(['flood 🌊 wave'], 'd 🌊')).toEqual([
      { page: 1, from: { piece: 0, offset: 4 }, to: { piece: 0, offset: 8 } },
    ])
  })
})
