import { render } from '@testing-library/react'
import { CoreAdminContext } from 'react-admin'
import { describe, expect, test } from 'vitest'

import { i18nProvider } from '#providers/i18nProvider.ts'

import { RichTextView } from './RichTextView.tsx'

function show(html: string): HTMLElement {
  const { container } = render(
    <CoreAdminContext i18nProvider={i18nProvider}>
      <RichTextView html={html} />
    </CoreAdminContext>,
  )
  return container.querySelector<HTMLElement>('[dir="auto"]')!
}
const everything = (root: HTMLElement) => [...root.querySelectorAll('*')]

test('shows what the editor makes, with headings below those of the page', () => {
  const shown = show(
    '<h2>a</h2><p><strong>b</strong> <a href="https://example.org/?a=1&amp;b=2">c</a></p><ol start="3"><li>d</li></ol>',
  )
  expect(shown.querySelector('h4')).toHaveTextContent('a')
  expect(shown.querySelector('strong')).toHaveTextContent('b')
  expect(shown.querySelector('ol')).toHaveAttribute('start', '3')
  const link = shown.querySelector('a')!
  expect(link.getAttribute('href')).toBe('https://example.org/?a=1&b=2')
  expect(link.target).toBe('_blank')
  expect(link.rel).toBe('noopener noreferrer nofollow')
})

test('shows tables cell by cell, in a frame that the keyboard scrolls', () => {
  const shown = show(
    '<table><tbody> <tr><th>Name</th><th>Phone</th></tr><tr><td><p>Ann</p></td><td>12</td></tr></tbody></table>',
  )
  const frame = shown.querySelector('[role="group"]')!
  expect(frame).toHaveAttribute('tabindex', '0')
  expect(frame).toHaveAttribute('aria-label')
  const cells = [...frame.querySelectorAll('tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  )
  expect(cells).toEqual([
    ['Name', 'Phone'],
    ['Ann', '12'],
  ])
})

test('lets each item and quotation begin on its own side', () => {
  const shown = show('<ul><li><p>one</p></li><li><p>אחת</p></li></ul><blockquote><p>אחת</p></blockquote>')
  expect([...shown.querySelectorAll('li, blockquote')].map((one) => one.getAttribute('dir'))).toEqual([
    'auto',
    'auto',
    'auto',
  ])
  // A `dir` attribute would hide the text from the direction of the item around it.
  expect(shown.querySelector('p')).not.toHaveAttribute('dir')
})

// The server has sanitised the HTML; the view renders nothing active even if it had not.
describe('shows nothing that acts', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)><script>alert(1)</script></svg>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="data:text/html,<script>alert(1)</script>"></object>',
    '<p onclick="alert(1)" style="position:fixed;inset:0" id="root" class="x">p</p>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" JaVa&#10;Script:alert(1)">x</a>',
    '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<form action="https://example.org"><input name="a"><button>x</button></form>',
    '<style>* { display: none }</style><link rel="stylesheet" href="https://example.org/x.css">',
    '<meta http-equiv="refresh" content="0;url=https://example.org"><base href="https://example.org">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<template><img src=x onerror=alert(1)></template>',
    '<video><source onerror="alert(1)"></video><audio src=x onerror=alert(1)></audio>',
    '<p><b><p><a href="https://example.org"><b></a><table><i><a href="javascript:alert(1)">x',
  ])('%s', (html) => {
    const shown = show(html)
    expect(
      everything(shown).filter(
        ({ tagName }) =>
          !/^(?:P|STRONG|EM|U|S|CODE|PRE|UL|OL|LI|A|HR|BR|TABLE|TBODY|TR|TD|DIV)$/.test(tagName),
      ),
    ).toEqual([])
    for (const element of everything(shown))
      for (const { name, value } of element.attributes) {
        expect([
          'href',
          'rel',
          'target',
          'start',
          'dir',
          'class',
          'role',
          'aria-label',
          'tabindex',
        ]).toContain(name)
        if (name === 'href') expect(value).toMatch(/^https:\/\/example\.org/)
      }
  })
})
