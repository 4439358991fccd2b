// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import { plainText, readRichText, sanitise } from './rich-text.ts'

const LINK = 'rel="noopener noreferrer nofollow" target="_blank"'

describe('sanitise keeps what the editor makes', () => {
  it.each([
    '<p>One<br />two</p>',
    '<h1>a</h1><h2>b</h2><h3>c</h3>',
    '<p><strong>a</strong><b>b</b><em>c</em><i>d</i><u>e</u><s>f</s><code>g</code></p>',
    '<ul><li><p>a</p><ol start="3"><li><p>b</p></li></ol></li></ul>',
    '<table><tbody><tr><th><p>a</p></th><td><p>b</p></td></tr></tbody></table>',
    '<blockquote><p>a</p></blockquote><pre><code>b\n  c</code></pre><hr />',
    `<p><a href="https://example.org/?a=1&amp;b=2" ${LINK}>a</a></p>`,
    `<p><a href="mailto:desk@example.org" ${LINK}>b</a></p>`,
  ])('%s', (html) => expect(sanitise(html)).toBe(html))

  it('makes every link harmless to follow', () =>
    expect(sanitise('<a href="https://example.org" target="_self" rel="opener">a</a>')).toBe(
      `<a href="https://example.org" ${LINK}>a</a>`,
    ))
})

describe('sanitise drops the tags of programs that only lay text out, and keeps their text', () => {
  it.each([
    [
      `<p class=MsoNormal><span lang="EN-US" style='font-family:"Calibri",sans-serif'>a</span><o:p></o:p></p>`,
      '<p>a</p>',
    ],
    ['<p><SPAN>a</SPAN> <st1:place w:st="on">b</st1:place><w:sdt>c</w:sdt></p>', '<p>a bc</p>'],
    ['<div>a</div><div>b <b>c</b></div>d', 'a<br />b <b>c</b><br />d'],
    ['a<div><div>b</div></div>', 'a<br />b<br />'],
    ['<div class="WordSection1"><p>a</p>\n<ul><li>b</li></ul></div>', '<p>a</p>\n<ul><li>b</li></ul>'],
    ['<h4>a</h4><p>b</p>', 'a<br /><p>b</p>'],
    ['<sp<span>an onclick=alert(1)>a', '&lt;span onclick=alert(1)&gt;a'],
    ['<<span>script>alert(1)', '&lt;script&gt;alert(1)'],
    [
      'call <name> at <number>, <o:> <span and <divide>',
      'call &lt;name&gt; at &lt;number&gt;, &lt;o:&gt; &lt;span and &lt;divide&gt;',
    ],
  ])('%s', (sent, safe) => {
    expect(sanitise(sent)).toBe(safe)
    expect(sanitise(safe)).toBe(safe)
  })
  it('says line by line what stands in its blocks', () =>
    expect(plainText(sanitise('<div>a</div><div><span>b</span> c</div>'))).toBe('a\nb c'))
})

it('keeps the text of what is nested too deeply, without its tags', () => {
  const nested = sanitise(`${'<table><tr><td><b>'.repeat(1_000)}a`)
  expect(nested.match(/<table>/g)).toHaveLength(25)
  expect(plainText(nested)).toContain('a')
})
it.each(['\u200b', '\u2800 \u3164', '<b>\u2060</b><br />'])('says nothing in %j', (invisible) =>
  expect(plainText(sanitise(`<p>${invisible}</p>`))).toBe(''),
)

describe('sanitise turns everything else into the text that was typed', () => {
  it.each([
    ['a < b and c > d', 'a &lt; b and c &gt; d'],
    ['R&D', 'R&amp;D'],
    ['see <https://example.org/A?b=1&c=2>', 'see &lt;https://example.org/A?b=1&amp;c=2&gt;'],
    ['when x <b and nothing closes it', 'when x &lt;b and nothing closes it'],
    ['<a href="never closed>the rest', '&lt;a href="never closed&gt;the rest'],
    ['<!-- note --> text', '&lt;!-- note --&gt; text'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<IMG SRC=x onerror=alert(1)>', '&lt;IMG SRC=x onerror=alert(1)&gt;'],
    ['<svg/onload=alert(1)>', '&lt;svg/onload=alert(1)&gt;'],
    ['<scr<script>ipt>x', '&lt;scr&lt;script&gt;ipt&gt;x'],
    ['<style>p{}</style>', '&lt;style&gt;p{}&lt;/style&gt;'],
    [
      '<iframe src="https://example.org"></iframe>',
      '&lt;iframe src="https://example.org"&gt;&lt;/iframe&gt;',
    ],
  ])('%s', (typed, safe) => {
    expect(sanitise(typed)).toBe(safe)
    expect(plainText(sanitise(typed))).toBe(typed)
  })

  it.each([
    ['<p onclick="alert(1)" style="position:fixed" class="x">a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href=" java\nscript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="&#106;avascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="data:text/html,x">a</a>', '<a>a</a>'],
    ['<a href="//example.org">a</a>', '<a>a</a>'],
    ['<a href="/elsewhere">a</a>', '<a>a</a>'],
    ['<ol start="1;x"><li>a</li></ol>', '<ol><li>a</li></ol>'],
  ])('takes what acts out of %s', (typed, safe) => expect(sanitise(typed)).toBe(safe))

  // Browsers repair wrong nesting in their own way, and may turn text into an element.
  const read = (html: string) => new DOMParser().parseFromString(html, 'text/html').body
  it.each([
    '<script>alert(1)</script><SCRIPT SRC=//example.org/x.js></SCRIPT>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<p><img src=x onerror=alert(1)//',
    '<svg><g/onload=alert(1)//<p>',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<p title="</p><img src=x onerror=alert(1)>">a</p>',
    `<p a='"' onclick="alert(1)" b='"'>a</p>`,
    '<a href="https://example.org/&quot;onmouseover=&quot;alert(1)">a</a>',
    '<a href="https://example.org/"onclick=alert(1)>a</a>',
    '<a href="javascript:alert(1)" href="https://example.org">a</a>',
    '<a href="JAVA&Tab;SCRIPT&colon;alert(1)">a</a>',
    '<a href="\u0001javascript:alert(1)">a</a>',
    '<a href="https:javascript:alert(1)">a</a>',
    '<a href="data:text/html;base64,PHNjcmlwdD4=">a</a><a href="vbscript:x">b</a><a href="blob:x">c</a>',
    '<textarea><p></textarea><img src=x onerror=alert(1)>',
    '<title><p></title><img src=x onerror=alert(1)>',
    '<xmp><p title="</xmp><script>alert(1)</script>">',
    '<![CDATA[><img src=x onerror=alert(1)>]]><?xml <img src=x onerror=alert(1)> ?>',
    '<!--><img src=x onerror=alert(1)>--><!--!><p>',
    '&lt;img src=x onerror=alert(1)&gt;<p>&amp;lt;script&amp;gt;</p>',
    '<b><i><p><a href="https://example.org"><b></a><table><a><img src=x onerror=alert(1)>',
    '<table><tr><td background="javascript:alert(1)" onclick="alert(1)"><a href="javascript:alert(1)">x</a></td></tr>',
    '<table><td><svg><td onload=alert(1)></table><img src=x onerror=alert(1)><tr></p><tbody style="x">',
    '<isindex action=javascript:alert(1)><keygen autofocus onfocus=alert(1)><details open ontoggle=alert(1)>',
    '<ol start="1" onfocus=alert(1) style="x"><li value="javascript:x">a</ol>',
  ])('leaves nothing that acts in %s, however often it is read', (hostile) => {
    let html = sanitise(hostile)
    for (let times = 0; times < 3; times += 1) {
      const body = read(html)
      for (const { tagName, attributes } of body.querySelectorAll('*')) {
        expect(tagName).toMatch(
          /^(?:P|BR|STRONG|B|EM|I|U|S|CODE|PRE|H[123]|UL|OL|LI|BLOCKQUOTE|HR|A|TABLE|T(?:HEAD|BODY|R|H|D))$/,
        )
        for (const { name, value } of attributes) {
          expect(['href', 'rel', 'target', 'start']).toContain(name)
          if (name === 'href') expect(value).toMatch(/^(?:https?:\/\/|mailto:)/)
        }
      }
      html = body.innerHTML
    }
  })

  it('changes nothing when it is done again', () => {
    const once = sanitise('a < b <script>x</script> &amp;lt; <p>S&O <a href="https://example.org?a&b">x</a>')
    expect(sanitise(once)).toBe(once)
  })

  it.each(
    ['<p ', '<p a="', '<p a="<p b=" c="', '<a href="x', `<p a='"' b="' `, '<', '&'].concat([
      '<div>',
      '<span a="',
      '<b>a<i>',
      '<table><tr><td>a',
      ' ',
      '\u2028',
      '\u0301',
    ]),
  )('stays quick on %j, repeated', (part) => {
    const safe = sanitise(`<p>a${part.repeat(24_000 / part.length)}b</p>`)
    expect(plainText(safe)).toMatch(/^a[^]*b$/)
    expect(readRichText(safe)).not.toEqual([])
  })
})

describe('plainText', () => {
  it.each([
    ['<p>One &amp; two</p><p>three</p>', 'One & two\nthree'],
    ['<p>One<br />two</p>', 'One\ntwo'],
    ['<ul><li><p>a</p></li><li><p>b</p></li></ul>', 'a\nb'],
    [
      '<table><tr><td>a</td><td><p>b</p><p><b>c</b>d</p></td></tr><tr><td></td><td>e</td></tr></table>f',
      'a | b cd\n| e\nf',
    ],
    ['<p>x</p><table><tbody><tr><td><p></p></td><td> </td></tr></tbody></table>', 'x'],
    ['<td>a</td><td>b</td>', 'a | b'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['<p>  </p>', ''],
    ['<p>שלום 🚨</p>', 'שלום 🚨'],
  ])('%s', (html, text) => expect(plainText(html)).toBe(text))
})

describe('readRichText', () => {
  it('reads paragraphs with their looks', () =>
    expect(readRichText('<p>a <strong>b <em>c</em></strong><br />d</p>')).toEqual([
      {
        kind: 'paragraph',
        depth: 0,
        runs: [
          { text: 'a ' },
          { text: 'b ', bold: true },
          { text: 'c', bold: true, italic: true },
          { text: '\n' },
          { text: 'd' },
        ],
      },
    ]))

  it('numbers lists from where they start, at their depth', () =>
    expect(
      readRichText(
        '<ol start="4"><li><p>a</p><ul><li>b</li></ul></li><li>c</li></ol><blockquote><p>d</p></blockquote>',
      ).map(({ marker, depth, quoted, runs }) => [marker, depth, quoted, runs[0]?.text]),
    ).toEqual([
      ['4.', 1, undefined, 'a'],
      ['•', 2, undefined, 'b'],
      ['5.', 1, undefined, 'c'],
      [undefined, 1, true, 'd'],
    ]))

  it('keeps links, code and line breaks that were typed without the editor', () => {
    expect(readRichText(sanitise('one\ntwo <a href="https://example.org/?a=1&b=2">x</a>'))).toEqual([
      {
        kind: 'paragraph',
        depth: 0,
        runs: [{ text: 'one\ntwo ' }, { text: 'x', link: 'https://example.org/?a=1&b=2' }],
      },
    ])
    expect(readRichText('<pre><code>a\n  b</code></pre><hr />').map(({ kind }) => kind)).toEqual([
      'code',
      'rule',
    ])
  })

  const cells = (html: string) =>
    readRichText(html).map(({ kind, depth, rows, runs }) =>
      kind === 'table'
        ? [
            depth,
            rows!.map((row) =>
              row.map(({ isHeader, blocks }) => [
                isHeader,
                blocks.map((one) => one.runs.map(({ text }) => text).join('')),
              ]),
            ),
          ]
        : runs.map(({ text }) => text).join(''),
    )
  it('reads tables cell by cell', () =>
    expect(
      cells(
        sanitise(
          '<p>before</p><table><thead><tr><th>Name</th></tr></thead><tr><td>Ann</td><td><p>1</p><ul><li>2</li></ul></td></tr></table><p>after</p>',
        ),
      ),
    ).toEqual([
      'before',
      [
        0,
        [
          [[true, ['Name']]],
          [
            [false, ['Ann']],
            [false, ['1', '2']],
          ],
        ],
      ],
      'after',
    ]))

  it.each([
    [
      'text between cells',
      '<table>x<tr><td>a</td>y</tr></table>z',
      [
        [
          0,
          [
            [[false, ['x']]],
            [
              [false, ['a']],
              [false, ['y']],
            ],
          ],
        ],
        'z',
      ],
    ],
    [
      'a table in a cell',
      '<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>',
      [[0, [[[false, ['a | b']]]]]],
    ],
    ['cells without a table', '<td>a</td><td>b</td>', ['a', 'b']],
  ])('loses nothing of %s', (_, html, blocks) => expect(cells(sanitise(html))).toEqual(blocks))
})
