import { expect, it } from 'vitest'

import { pastedHtml, richOf } from './pastedText.ts'

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

it.each([
  ['YAML', 'services:\n  - name: web\n    port: 80\n\n  - name: db'],
  ['JSON', '{\n  "a": [1, 2]\n}'],
  ['a log', '2026-01-05 06:00:01 WARN  disk | full\n2026-01-05 06:00:02 ERROR gone'],
  ['a stack trace', 'Error: <gone>\n    at read (disk.ts:3:1)\n\n    at main (main.ts:1:1)'],
])('%s is pasted as code, blank for blank', (_, text) => {
  const holder = document.createElement('div')
  holder.innerHTML = pastedHtml(text)
  expect(holder.querySelector('pre > code')!.textContent).toBe(text)
})

it.each([
  ['blanks and blank lines stay', '  one\n\n\ttwo', '<p>  one</p><p></p><p>\ttwo</p>'],
  ['a list stays a list', '- a: x\n  - b: y', '<ul><li><p>a: x</p><ul><li><p>b: y</p></li></ul></li></ul>'],
  ['a card of a person is no code', 'Name: Ann\nPhone: 12', '<p>Name: Ann</p><p>Phone: 12</p>'],
])('%s', (_, text, html) => expect(pastedHtml(text)).toBe(html))
