import { expect, it } from 'vitest'

import { richOf } from './pastedText.ts'

it.each([
  [
    'a brief',
    '## Now\n\n- x < y\n- **z**\n\nThen',
    '<h2>Now</h2><ul><li><p>x &lt; y</p></li><li><p>**z**</p></li></ul><p>Then</p>',
  ],
  ['steps, from Windows', 'Do:\r\n1. a\r\n2. b', '<p>Do:</p><ol><li><p>a</p></li><li><p>b</p></li></ol>'],
  ['both kinds of list', '* a\n1. b', '<ul><li><p>a</p></li></ul><ol><li><p>b</p></li></ol>'],
])('%s becomes rich text', (_, text, html) => expect(richOf(text)).toBe(html))

it.each([['Plain words.\nOn two lines.'], ['-5 degrees'], ['#hashtag'], ['2026. '], ['3.5 km']])(
  '%j stays as it is',
  (text) => expect(richOf(text)).toBeNull(),
)
