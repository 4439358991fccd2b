import { describe, expect, test } from 'vitest'

import type { ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { readFile } from '#server/playbook-imports/formats/file.content.ts'

import { WIKI_FILES } from '#tests/support/wiki-files.ts'
import { randomFrom } from '#tests/support/random.ts'

import { jsonOf } from './json.content.ts'
import { markdownOf, type SourcePlaybook } from './markdown.content.ts'

type Task = SourcePlaybook['activities'][number]
const task = (changes: Partial<Task> = {}): Task => ({
  type: 'TASK',
  title: 'Call the bank',
  description: 'Use the number on the card.',
  formattedDescription: null,
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  ...changes,
})
const heading = (title: string, changes: Partial<Task> = {}): Task =>
  task({ type: 'HEADING', title, description: '', ...changes })
const playbook = (changes: Partial<SourcePlaybook> = {}): SourcePlaybook => ({
  name: 'Fraud',
  categoryName: null,
  description: '',
  activities: [task()],
  ...changes,
})

const sourceOf = ({
  type,
  title,
  description,
  formattedDescription,
  level,
  condition,
  priority,
  idealTitleToExecute,
  expectedTimeToComplete,
}: Task): Task => ({
  type,
  title,
  description,
  formattedDescription,
  level,
  condition,
  priority,
  idealTitleToExecute,
  expectedTimeToComplete,
})
const content = ({ name, categoryName, description, activities }: ImportedPlaybook): SourcePlaybook => ({
  name,
  categoryName,
  description,
  activities: activities.map(sourceOf),
})
async function again(playbook: SourcePlaybook, fileName = 'a.md', lineBreak = '\n'): Promise<SourcePlaybook> {
  const file = fileName.endsWith('.md') ? markdownOf(playbook) : jsonOf([playbook])
  const { playbooks } = await readFile({ fileName, content: file.replaceAll('\n', lineBreak) })
  expect(playbooks.flatMap(({ notes }) => notes)).toEqual([])
  return content(playbooks[0]!)
}

test('the condition of a heading comes back, from Markdown and JSON', async () => {
  const whole = playbook({
    activities: [
      heading('Rain', { condition: 'it *rains* (or #1) — [really]: yes' }),
      task(),
      heading('Outside', {
        condition: 'somebody is out',
        level: 2,
        description: 'Look *first*.\nThen call.',
      }),
      task({ title: 'Call' }),
    ],
  })
  expect(await again(whole)).toEqual(whole)
  expect(await again(whole, 'a.json')).toEqual(whole)
  expect(markdownOf(whole)).toContain('*Only if: somebody is out*')
})
test('a wiki states a condition before the steps of a heading', async () => {
  const content = '# Storm\n\n## Outside\n\nOnly if somebody is out:\n\n1. Call them\n'
  const { playbooks } = await readFile({ fileName: 'a.md', content })
  expect(playbooks[0]!.activities).toMatchObject([
    { title: 'Outside', condition: 'somebody is out', description: '' },
    { title: 'Call them' },
  ])
})

describe('a playbook as Markdown', () => {
  test('reads well', () => {
    const file = markdownOf(
      playbook({
        categoryName: 'Money',
        description: 'When money was sent to a stranger.',
        activities: [
          heading('Stop the payment'),
          task({ priority: 'HIGH', idealTitleToExecute: 'Finance lead', expectedTimeToComplete: 15 }),
          task({ description: 'Ask for:\n- the amount\n- the account_number\n\nNote the time.' }),
          task({ title: 'Tell the CFO', description: 'Tell the CFO' }),
          task({ title: 'Tell the police', description: 'Tell the police' }),
        ],
      }),
    )
    expect(file).toBe(`---
category: "Money"
---

# Fraud

When money was sent to a stranger.

## Stop the payment

1. Call the bank

   Use the number on the card.

   *Priority: High · Time: 15 min · Role: Finance lead*

2. Call the bank

   Ask for:\\
   \\- the amount\\
   \\- the account_number

   Note the time.

3. Tell the CFO
4. Tell the police
`)
  })

  test.each([
    '*stars*',
    '**bold**',
    '_under_ a_b __c',
    '# heading',
    '## a #',
    '#',
    '<script>alert(1)</script>',
    '<!-- a',
    '`code` ``',
    '```js',
    '1. one',
    '12) two',
    '- dash',
    '-',
    '---',
    '+ plus',
    '* star',
    '===',
    '> quote',
    '~~~',
    '~~a~~',
    '| a | b |',
    '[link](http://a.b)',
    '[a]: http://a.b',
    '![picture](x.png)',
    '[ ] box',
    '[x] box',
    '&amp; &copy; &#42; & co',
    'back\\slash\\',
    'a\\*b',
    '  leading',
    'trailing  ',
    '\ttab',
    'tab\tinside',
    '\u00A0wide\u3000',
    '🚨 فارسی עברית',
    'https://a.b/c_d_e?f=*&g=1',
    '=cmd()',
    'Priority: High',
    '*Priority: High*',
    'Role: somebody',
    'a\u2028b',
    '\u0001control',
    '\uFEFFmark',
    'x'.repeat(255),
    ':',
    'name: value',
    '-5 degrees',
    '#hashtag',
    '1.5 hours',
  ])('comes back equal with %j everywhere', async (text) => {
    const nasty = playbook({
      name: text.trim(),
      categoryName: text,
      description: text,
      activities: [
        heading(text),
        heading(text, { description: `${text}\n${text}\n\n${text}`, level: 3 }),
        task({ title: text, description: text }),
        task({ title: text, description: `${text}\n${text}\n\n${text}`, idealTitleToExecute: text.trim() }),
        task({ title: 'A', description: `\n${text}\n\n\n\n${text}\n` }),
      ],
    }) // prettier-ignore
    expect(await again(nasty)).toEqual(nasty)
    expect(await again(nasty, 'a.md', '\r\n')).toEqual(nasty)
    expect(await again(nasty, 'a.json')).toEqual(nasty)
  })

  test.each(Object.keys(WIKI_FILES))('comes back equal after a file of %s', async (kind) => {
    const file = { fileName: 'a.md', content: WIKI_FILES[kind]! }
    const first = content((await readFile(file)).playbooks[0]!)
    expect(await again(first)).toEqual(first)
    expect(await again(first, 'a.json')).toEqual(first)
  })

  test('comes back equal when it is put together by chance', async () => {
    const random = randomFrom(20_261_123)
    for (let n = 0; n < 400; n += 1) {
      const one = randomPlaybook(random)
      expect(await again(one)).toEqual(one)
      expect(await again(one, 'a.json')).toEqual(one)
    }
  })
})

const PIECES = [
  '*_#`~<>[]()!\\|&;:.,+-=1 2 \n\n \t\r"\'{}$%@^/?aZ é'.split(''),
  ['**', '__', '``', '```', '\n\n', '\r\n', '1.', '- ', '# ', '> ', '](', '<b>', '</b>', '<!--', '-->', '&amp;', '&#10;', '\\\n', '   '],
  ['word', 'two words', '🚨', 'שלום', 'مرحبا', '漢字', ' · ', 'Role: ', 'Time: 5 min', 'http://a.b', '---', '\u00A0', '\u200B', '[ ] '],
].flat() // prettier-ignore
function randomPlaybook(random: () => number): SourcePlaybook {
  const upTo = (max: number) => Math.floor(random() * max)
  const one = <T>(items: readonly T[]): T => items[upTo(items.length)]!
  const text = (max: number) => Array.from({ length: upTo(max) }, () => one(PIECES)).join('')
  const filled = (max: number) => text(max).trim() || 'word'
  const loose = (max: number) => {
    const found = text(max)
    return found.trim() === '' ? 'word' : found
  }
  const activity = (): Task => {
    if (random() < 0.2)
      return heading(loose(8), { level: 1 + upTo(5), description: random() < 0.5 ? '' : loose(20) })
    const title = loose(8)
    return task({
      title,
      description: random() < 0.2 ? title : loose(30),
      priority: one(['LOW', 'MEDIUM', 'HIGH'] as const),
      idealTitleToExecute: random() < 0.5 ? null : filled(6),
      expectedTimeToComplete: random() < 0.5 ? null : 1 + upTo(525_600),
    })
  }
  return playbook({
    name: filled(8),
    categoryName: random() < 0.5 ? null : filled(4),
    description: text(20),
    activities: Array.from({ length: 1 + upTo(8) }, activity),
  })
}
