import { Editor } from '@tiptap/core'
import { afterEach, expect, test } from 'vitest'

import { richTextKit } from './richTextKit.ts'
import { readablePaste } from './pastedHtml.ts'

let editor: Editor | undefined
afterEach(() => editor?.destroy())

/** HTML of the editor after a paste. */
function pasted(html: string): string {
  editor = new Editor({ extensions: richTextKit({ trailingNode: false }), content: readablePaste(html) })
  return editor.getHTML()
}
const p = (text: string) => `<p>${text}</p>`
const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${p(cell)}</td>`).join('')}</tr>`
const table = (...rows: string[]) => `<table><tbody>${rows.join('')}</tbody></table>`

test('a table of Excel stays a table, without its looks', () =>
  expect(
    pasted(
      '<html><head><style>td{color:red}</style></head><body><table width=128 style="width:96pt"><col width=64 span=2><tr height=20><td class=xl65>Name</td><td>Phone</td></tr><tr><td>Ann</td><td align=right>12</td></tr></table></body></html>',
    ),
  ).toBe(table(row('Name', 'Phone'), row('Ann', '12'))))

test('merged cells leave empty ones, so that columns stay below each other', () =>
  expect(
    pasted(
      '<table><tr><th rowspan="2">a</th><td colspan="2">b</td></tr><tr><td>c</td><td>d</td></tr></table>',
    ),
  ).toBe(table(`<tr><th>${p('a')}</th><td>${p('b')}</td><td>${p('')}</td></tr>`, row('', 'c', 'd'))))

test('a table in a cell becomes lines, and a frame of one cell its content', () => {
  expect(
    pasted('<table><tr><td>x</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>'),
  ).toBe(table(row('x', 'a, b')))
  expect(pasted('<table><tr><td><p>one</p><p>two</p></td></tr></table>')).toBe(p('one') + p('two'))
})

const word = (level: number, marker: string, text: string) =>
  `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>${marker}<span>&nbsp;&nbsp;</span></span><!--[endif]-->${text}<o:p></o:p></p>`
test('lists of Word keep their levels and lose their written bullets', () =>
  expect(
    pasted(
      `<p class=MsoNormal>Do:</p>${word(1, '·', 'a')}${word(2, 'o', 'b')}${word(3, '§', 'c')}${word(1, '·', 'd')}<p>Then</p>${word(1, '2.', 'e')}${word(2, 'a)', 'f')}`,
    ),
  ).toBe(
    '<p>Do:</p><ul><li><p>a</p><ul><li><p>b</p><ul><li><p>c</p></li></ul></li></ul></li><li><p>d</p></li></ul><p>Then</p><ol start="2"><li><p>e</p><ol><li><p>f</p></li></ol></li></ol>',
  ))

test('lists whose source nests them wrongly stay nested', () =>
  expect(pasted('<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>')).toBe(
    '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li><li><p>c</p></li></ul>',
  ))

test('the tab key goes from cell to cell and leaves behind the last one', () => {
  pasted(table(row('a', 'b'), row('c', 'd')))
  const at = () => editor!.state.selection.$from.parent.textContent
  const press = (shiftKey = false) => {
    const event = new KeyboardEvent('keydown', { key: 'Tab', shiftKey, cancelable: true, bubbles: true })
    editor!.view.dom.dispatchEvent(event)
    return event.defaultPrevented
  }
  editor!.commands.setTextSelection(4)
  const passed = [at(), press() && at(), press() && at(), press() && at(), press(), press(true) && at()]
  expect(passed).toEqual(['a', 'b', 'c', 'd', false, 'c'])
})

test('each item, quotation and table has its own side, and none of it is stored', () => {
  const html = `<ul><li><p>one</p></li><li><p>אחת</p></li></ul>${table(row('א', 'ב'))}`
  expect(pasted(html)).toBe(html)
  expect(editor!.view.dom.querySelectorAll('li[dir="auto"], table[dir="auto"]')).toHaveLength(3)
})
