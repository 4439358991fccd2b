import { describe as group, expect, it } from 'vitest'

import { describe, describedBy, readFormatted, writeFormatted } from './formatted-text.ts'

const LINK = 'rel="noopener noreferrer nofollow" target="_blank"'

group('a description', () => {
  it.each([
    ['<p>a <strong>b</strong> c</p>', 'a b c'],
    ['<p>one<br />two</p><p><em>three</em></p>', 'one\ntwo\n\nthree'],
    [
      '<p>Ask for:</p><ul><li><p>a</p><ol start="3"><li><p>b</p></li></ol></li><li><p>c</p></li></ul>',
      'Ask for:\n- a\n  3. b\n- c',
    ],
    ['<p>Run</p><pre><code>if (a &lt; b) {\n  go\n\n}</code></pre>', 'Run\n\nif (a < b) {\n  go\n\n}'],
    [`<p><a href="https://example.org/a" ${LINK}>the page</a></p>`, 'the page (https://example.org/a)'],
    [
      `<p>See <a href="https://example.org" ${LINK}>https://example.org</a> <em>now</em></p>`,
      'See https://example.org now',
    ],
    ['<blockquote><p>Mind the step</p></blockquote><hr /><p>Go</p>', 'Mind the step\n\nGo'],
    [
      '<table><tbody><tr><th><p>Who</p></th><th><p>What</p></th><th><p>When</p></th></tr><tr><td><p>Ana</p></td><td><p>Calls</p></td><td><p></p></td></tr></tbody></table>',
      'Who · What · When\nWho: Ana · What: Calls',
    ],
    ['<h2>Then</h2><p><em><strong>x</strong></em></p>', 'Then\n\nx'],
  ])('keeps %s, and says it as text', (html, text) => {
    expect(describe(html)).toEqual({ description: text, formattedDescription: html })
  })

  it.each([
    ['other tags', '<p>a <b>b</b><i> c</i></p>', '<p>a <strong>b</strong> <em>c</em></p>'],
    [
      'items without paragraphs',
      '<ul><li>a<li>b<ul><li>c</ul></ul>',
      '<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li></ul>',
    ],
    ['another nesting', '<p><strong><em>a</em></strong></p>', '<p><em><strong>a</strong></em></p>'],
    ['divided marks', '<p><b>a</b><b> b</b></p>', '<p><strong>a b</strong></p>'],
    ['empty lines', '<p></p><p>a<br><br>b <u>c</u> </p><p> </p>', '<p>a</p><p>b <u>c</u></p>'],
    [
      'blocks in a paragraph',
      '<p>a<ul><li><b>b</b></ul>c</p>',
      '<p>a</p><ul><li><p><strong>b</strong></p></li></ul><p>c</p>',
    ],
    ['code of a program', '<pre class="x">\n\na\r\n  \nb\n</pre>', '<pre><code>a\n\nb</code></pre>'],
    [
      'cells of a program',
      '<table><thead><tr><th>a</thead><tr><td>b<table><tr><td>c</table></table>',
      '<table><tbody><tr><th><p>a</p></th></tr><tr><td><p>b</p><p>c</p></td></tr></tbody></table>',
    ],
  ])('has one form: %s', (_, sent, stored) => {
    expect(describe(sent).formattedDescription).toBe(stored)
    expect(describe(stored).formattedDescription).toBe(stored)
  })

  it.each([
    '<p>a</p>',
    'a<br>b',
    '<p>see <a href="https://example.org">https://example.org</a></p>',
    '<p><b> </b></p>',
  ])('is plain when %s is nothing but lines', (html) =>
    expect(describe(html).formattedDescription).toBeNull(),
  )

  it.each([
    ['a script', '<script>alert(1)</script><b>a</b>'],
    ['handlers', '<p onclick="alert(1)"><b>a</b><img src=x onerror=alert(1)>'],
    ['a link that acts', '<a href="javascript:alert(1)"><b>a</b></a>'],
    ['deep lists', `${'<ul><li>'.repeat(2_000)}<b>a</b>`],
    ['deep marks', `${'<b><i>'.repeat(4_000)}a`],
    ['ends without beginnings', '</p></ul></table><b>a</b></td>'],
    ['a table in a table', '<table><tr><td><ul><li><table><tr><td><b>a</b>'],
  ])('of %s is harmless, and the same when it is read again', (_, hostile) => {
    const { formattedDescription: html, description } = describe(hostile)
    expect(description).toContain('a')
    // The words of a script are text.
    expect(html).not.toMatch(
      /<(?!\/?(?:p|strong|em|a|ul|li|table|tbody|tr|td|br)\b)|<[^>]*(?:on\w+=|javascript:)/,
    )
    expect(describe(html!)).toEqual({ description, formattedDescription: html })
    expect(writeFormatted(readFormatted(html!))).toBe(html)
  })

  it.each([
    '<b>',
    '<p>',
    '<li>',
    '<ul><li>',
    '<td>',
    '<tr>',
    '<br>',
    '<a href="https://a.b">x',
    '</b>',
    ' ',
    '<b> </b>',
    '<pre>\n',
  ])('of %j alone is read in linear time', (piece) => {
    const started = performance.now()
    describe(`<p><b>a</b>${piece.repeat(24_000 / piece.length)}`)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

group('a request', () => {
  const stored = { description: 'a b', formattedDescription: '<p>a <strong>b</strong></p>' }
  const plain = { description: 'old', formattedDescription: null }
  it.each([
    [
      'with rich text derives the text',
      { description: 'ignored', formattedDescription: '<p><em>c</em></p>' },
      plain,
      { description: 'c', formattedDescription: '<p><em>c</em></p>' },
    ],
    [
      'with another text drops the formatting',
      { description: 'c' },
      stored,
      { description: 'c', formattedDescription: null },
    ],
    ['with the same text keeps the formatting', { description: 'a b' }, stored, stored],
    ['without both keeps both', {}, stored, stored],
    [
      'with null makes it plain',
      { formattedDescription: null },
      stored,
      { description: 'a b', formattedDescription: null },
    ],
    [
      'of a program that sends back what it read, with another text, changes the text',
      { ...stored, description: 'c' },
      stored,
      { description: 'c', formattedDescription: null },
    ],
    [
      'that repeats the rich text without a text changes nothing',
      { ...stored, description: '' },
      stored,
      stored,
    ],
    [
      'of another rich text goes before another text',
      { description: 'c', formattedDescription: '<p><u>d</u></p>' },
      stored,
      { description: 'd', formattedDescription: '<p><u>d</u></p>' },
    ],
  ])('%s', (_, sent, before, after) => expect(describedBy(sent, before)).toEqual(after))

  it('that becomes too long when it is escaped is refused', () =>
    expect(() => describedBy({ formattedDescription: `<b>a</b>${'&'.repeat(20_000)}` }, undefined)).toThrow(
      '24000',
    ))
})
