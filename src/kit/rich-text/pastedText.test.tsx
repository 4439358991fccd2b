import { expect, it } from 'vitest'

import { richOf } from './pastedText.ts'

it.each([
  [
    'a brief',
    '## Now\n\n- x < y\n- **z**\n\nThen',
    '<h2>Now</h2><ul><li><p>x &lt; y</p></li><li><p>**z**</p></li></ul><p>Then</p>',
  ],
  ['steps, from Windows', 'Do:\r\n1. a\r\n2. b', '<p>Do:</p><ol><li><p>a</p></li><li><p>b</p></li></ol>'],
  [
    'lists in lists',
    '- a\n  - b\n    1. c\n    2. d\n  - e\n- f',
    '<ul><li><p>a</p><ul><li><p>b</p><ol><li><p>c</p></li><li><p>d</p></li></ol></li><li><p>e</p></li></ul></li><li><p>f</p></li></ul>',
  ],
  [
    'lists from Word, with tabs',
    '1.\tone\n\ta.\ttwo\n\to\tthree\n2.\tfour',
    '<ol><li><p>one</p><ol><li><p>two</p></li></ol><ul><li><p>three</p></li></ul></li><li><p>four</p></li></ol>',
  ],
  ['bullets', '• a\n\t◦ b', '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>'],
  [
    'an item of several lines, and the number after a text',
    '1. a\n   more\nText\n2. b',
    '<ol><li><p>a</p><p>more</p></li></ol><p>Text</p><ol start="2"><li><p>b</p></li></ol>',
  ],
  [
    'a table of a spreadsheet',
    'Team:\nName\tPhone\nAnn\t<12>\n\t13',
    '<p>Team:</p><table><tbody><tr><td><p>Name</p></td><td><p>Phone</p></td></tr><tr><td><p>Ann</p></td><td><p>&lt;12&gt;</p></td></tr><tr><td><p></p></td><td><p>13</p></td></tr></tbody></table>',
  ],
  [
    'a table of Markdown',
    '| a | b |\n|---|:-:|\n| c | |',
    '<table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr><tr><td><p>c</p></td><td><p></p></td></tr></tbody></table>',
  ],
  ['both kinds of list', '* a\n1. b', '<ul><li><p>a</p></li></ul><ol><li><p>b</p></li></ol>'],
])('%s becomes rich text', (_, text, html) => expect(richOf(text)).toBe(html))

it.each([
  ['Plain words.\nOn two lines.'],
  ['-5 degrees'],
  ['#hashtag'],
  ['2026. '],
  ['3.5 km'],
  ['\tindented\n\ttext'],
  ['one\ttab'],
  ['a. b\nb. c'],
])('%j stays as it is', (text) => expect(richOf(text)).toBeNull())
