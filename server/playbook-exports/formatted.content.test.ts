import { describe as group, expect, test } from 'vitest'

import { describe } from '#server/kit/core/formatted-text.ts'
import { readFile } from '#server/playbook-imports/formats/file.content.ts'
import { randomFrom } from '#tests/support/random.ts'

import { jsonOf } from './json.content.ts'
import { markdownOf, type SourcePlaybook } from './markdown.content.ts'

type Item = SourcePlaybook['activities'][number]
const plain: Item = {
  type: 'TASK',
  title: 'Call the bank',
  description: 'Use the number on the card.',
  formattedDescription: null,
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
}
const formatted = (html: string, changes: Partial<Item> = {}): Item => ({
  ...plain,
  ...describe(html),
  ...changes,
})
const heading = (html: string, changes: Partial<Item> = {}): Item =>
  formatted(html, { type: 'HEADING', title: 'Money', ...changes })
const playbook = (...activities: Item[]): SourcePlaybook => ({
  name: 'Fraud',
  categoryName: null,
  description: '',
  activities,
})
async function again(source: SourcePlaybook, fileName: string): Promise<SourcePlaybook> {
  const content = fileName.endsWith('.md') ? markdownOf(source) : jsonOf([source])
  const { playbooks } = await readFile({ fileName, content })
  const { name, categoryName, description, activities, notes } = playbooks[0]!
  expect(notes).toEqual([])
  return {
    name,
    categoryName,
    description,
    activities: activities.map(({ line: _line, ...item }) => item),
  }
}

test('reads well', () => {
  const html =
    '<p>Ask <strong>the bank</strong> for <a href="https://bank.example/a">the form</a>:</p><ul><li><p>amount</p></li><li><p><em>account</em> in <code>IBAN</code></p></li></ul><pre><code>transfer --stop\n\nlog</code></pre>'
  const source = playbook(
    heading('<p>Be <strong>quick</strong>.</p><ul><li><p>a</p></li></ul>'),
    formatted(html, { priority: 'HIGH' }),
    formatted('<p>Run <code>stop</code></p>', { title: 'Run stop' }),
  )
  expect(markdownOf(source)).toBe(`# Fraud

## Money

<div data-description>

Be **quick**.
- a

</div>

1. Call the bank

   Ask **the bank** for [the form](<https://bank.example/a>):
   - amount
   - *account* in \`IBAN\`

   \`\`\`
   transfer --stop

   log
   \`\`\`

   *Priority: High*

2. Run \`stop\`
`)
})

group('formatted text comes back equal from Markdown and JSON', () => {
  test.each([
    ['marks', '<p>a<strong>b</strong>c <em>d</em> <s>e</s><u>f</u> <code>`g`</code></p>'],
    ['marks in each other', '<p><strong>a <em>b</em></strong><em> c</em> <em><strong>d</strong></em></p>'],
    ['marks beside each other', '<p><em>a</em><strong>b</strong><em>c</em></p>'],
    ['marks around signs', '<p>x<strong>(a)</strong>y <em>*</em> <strong>"b"</strong>.</p>'],
    ['an emphasized end', '<p>a</p><p><em>Priority: High</em></p>'],
    ['a bold line', '<p><strong>First</strong></p><p>then</p>'],
    ['an emphasized condition', '<p><em>Only if: it rains</em></p><p>x</p>'],
    [
      'text like Markdown',
      '<p><b>*a*</b> # - 1. [x] &lt;b&gt; `c` &amp;amp; _d_ \\</p><p># <i>a</i></p><p>1. <u>b</u></p>',
    ],
    ['line breaks', '<p><strong>a</strong><br />- b<br /><em>c</em><br />d\\<br />e</p>'],
    [
      'links',
      '<p><a href="https://a.example/x_y?a=1&amp;copy=2">a <strong>b</strong></a>! <a href="https://b.example">https://b.example</a> <a href="mailto:a@b.example">a@b.example</a></p>',
    ],
    ['a link behind an exclamation mark', '<p>Careful!<a href="https://a.example">a]</a><em>x</em></p>'],
    [
      'lists',
      '<ul><li><p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul></li><li><p>d</p></li></ul><p><b>e</b></p>',
    ],
    [
      'numbers',
      '<p><b>x</b></p><ol start="3"><li><p>a</p><p>b</p><pre><code>c</code></pre></li><li><p>d</p></li></ol>',
    ],
    [
      'a list behind a list',
      '<ul><li><p>a</p></li></ul><ul><li><p>b</p></li></ul><ol><li><p>c</p></li></ol><ol><li><p>d</p></li></ol><ul><li><p>e</p></li></ul>',
    ],
    [
      'items that begin with blocks',
      '<ul><li><pre><code>a</code></pre></li><li><hr /><p>b</p></li><li><ul><li><p>c</p></li></ul></li><li><blockquote><p>d</p></blockquote></li><li><h2>e</h2></li></ul>',
    ],
    ['code', '<pre><code>```\n\tif (a &lt; b) {\n\n    # no heading\n}</code></pre><p>a</p>'],
    [
      'quotes',
      '<blockquote><p>a<br />b</p><ul><li><p>c</p></li></ul></blockquote><blockquote><p>d</p></blockquote>',
    ],
    ['headings and rules', '<h1>a #</h1><h3><em>b</em></h3><hr /><p>c</p>'],
    [
      'a table',
      '<table><tbody><tr><th><p>a | b</p></th><th><p><strong>c</strong></p></th></tr><tr><td><p><code>d|e</code></p></td><td></td></tr></tbody></table>',
    ],
    [
      'a table of blocks',
      '<table><tbody><tr><td><p>a</p><ul><li><p>b &lt;c&gt;</p></li></ul></td><td><pre><code>d\n\ne</code></pre></td></tr></tbody></table><p>f</p>',
    ],
    ['other alphabets', '<p><strong>שלום</strong> و<em>مرحبا</em>漢<strong>字</strong>🚨<em>🚨</em></p>'],
  ])('%s', async (_, html) => {
    const source = playbook(
      heading(html),
      formatted(html),
      formatted(html, { priority: 'HIGH', idealTitleToExecute: 'Lead' }),
      heading(html, { condition: 'it rains', level: 2 }),
      plain,
    )
    expect(source.activities[1]!.formattedDescription).not.toBeNull()
    expect(await again(source, 'a.md')).toEqual(source)
    expect(await again(source, 'a.json')).toEqual(source)
  })

  test('put together by chance', async () => {
    const random = randomFrom(20_261_128)
    for (let n = 0; n < 150; n += 1) {
      const source = randomPlaybook(random)
      expect(await again(source, 'a.md')).toEqual(source)
      expect(await again(source, 'a.json')).toEqual(source)
    }
  })
})

const PIECES = [
  '*_#`~[]()!\\|;:.,+-=1 2 "\'{}$%@^/?aZ é'.split(''),
  ['**', '```', ' ', ' ', '1. ', '- ', '](', '&lt;b&gt;', '&amp;', '&amp;#10;', '<br />', 'word', 'two words', '🚨', 'שלום', '漢字', '\u00A0', '[ ] '],
].flat() // prettier-ignore
function randomPlaybook(random: () => number): SourcePlaybook {
  const upTo = (max: number) => Math.floor(random() * max)
  const one = <T>(items: readonly T[]): T => items[upTo(items.length)]!
  const many = (max: number, make: () => string) => Array.from({ length: 1 + upTo(max) }, make).join('')
  const text = () => many(5, () => one(PIECES))
  const inline = (depth = 0): string =>
    many(4, () => {
      const tag = one(['strong', 'em', 's', 'u', 'code', 'a', '', '', ''])
      if (tag === '' || depth > 2) return text()
      return tag === 'a'
        ? `<a href="https://a.example/${upTo(9)}">${inline(3)}</a>`
        : `<${tag}>${inline(depth + 1)}</${tag}>`
    })
  const blocks = (depth = 0): string =>
    many(3, () => {
      const tag = one(['p', 'p', 'p', 'ul', 'ol', 'pre', 'blockquote', 'hr', 'h2', 'table'])
      if (tag === 'hr') return '<hr />'
      if (tag === 'pre') return `<pre><code>${text()}\n${text()}</code></pre>`
      if (depth > 2 || tag === 'p' || tag === 'h2') return `<p>${inline()}</p>`
      if (tag === 'blockquote') return `<blockquote>${blocks(depth + 1)}</blockquote>`
      if (tag === 'table') return `<table><tr>${many(3, () => `<th>${inline()}</th>`)}</tr><tr>${many(3, () => `<td>${inline()}</td>`)}</tr></table>`
      return `<${tag}>${many(3, () => `<li>${blocks(depth + 1)}</li>`)}</${tag}>`
    }) // prettier-ignore
  const item = (): Item => {
    const html = `<p>word</p>${blocks()}`
    return random() < 0.3
      ? heading(html, { level: 1 + upTo(5) })
      : formatted(html, { priority: one(['LOW', 'HIGH']) })
  }
  return playbook(...Array.from({ length: 1 + upTo(3) }, item))
}
