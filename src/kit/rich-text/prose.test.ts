import { expect, test } from 'vitest'

import { trimmed, withoutTrailing, wordsOf } from './prose.ts'

test.each([
  ['', ''],
  ['<p>a</p>', '<p>a</p>'],
  ['<p><strong>a</strong></p>', '<p><strong>a</strong></p>'],
  ['<ul><li><p>a </p></li></ul>', '<ul><li><p>a</p></li></ul>'],
  ['<p></p> <p>&nbsp;<br></p><p> &nbsp;<em>a</em>&nbsp; </p><p> </p>\n', '<p><em>a</em></p>'],
  ['<p>a</p><hr>', '<p>a</p><hr>'],
  ['<pre><code>  a:\n    b\n</code></pre>', '<pre><code>  a:\n    b</code></pre>'],
  ['a > b', 'a > b'],
  ['</p></p>', '</p></p>'],
])('%j is trimmed to %j', (html, short) => expect(trimmed(html)).toBe(short))

test.each([
  ['<p>a</p><p></p><p><br></p>', '<p>a</p>'],
  ['<p>a</p><p>b</p>', '<p>a</p><p>b</p>'],
  ['<p></p>', ''],
])('%j without its empty lines is %j', (html, short) => expect(withoutTrailing(html)).toBe(short))

test('words are read block by block and row by row', () => {
  expect(wordsOf('<p>a</p><p>b<br>c</p>')).toBe('a\nb\nc')
  expect(wordsOf('<table><tbody><tr><td><p>a</p></td><td>b</td></tr></tbody></table>')).toBe('a | b')
})

test.each([' ', '&nbsp;', '<p></p>', '</p>', '<p>', '</p></td><td>', '>', '<'])(
  'stays quick on %j, repeated',
  (part) => {
    const html = `<p>a${part.repeat(24_000 / part.length)}b</p>`
    expect(trimmed(html)).toContain('b')
    expect(wordsOf(html)).toMatch(/^a/)
  },
)
