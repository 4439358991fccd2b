import { describe, expect, test } from 'vitest'

import type { ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { WIKI_FILES } from '#tests/support/wiki-files.ts'

import { readMarkdown } from './markdown.content.ts'

/** A playbook as indented lines: headings by level, tasks with their descriptions. */
const outline = ({ activities }: ImportedPlaybook): string[] =>
  activities.map(({ type, level, title, description }) => {
    const text =
      description === title || description === '' ? '' : ` | ${description.replaceAll('\n', ' / ')}`
    return `${type === 'HEADING' ? '#'.repeat(level) : '-'} ${title}${text}`
  })
const notesOf = ({ notes }: ImportedPlaybook) => notes.map(({ line, message }) => `${line}: ${message}`)
const read = (...lines: readonly string[]) => readMarkdown(lines.join('\n'), 'file')

describe('steps in Markdown', () => {
  test('that are wrapped are one title', () => {
    const file = read(
      '1. Call the site manager and ask whether the generator has started,',
      '   then write down the time.',
      '2. Move the stock  ',
      '   to the truck.',
    )
    expect(outline(file)).toEqual([
      '- Call the site manager and ask whether the generator has started, then write down the time.',
      '- Move the stock | to the truck.',
    ])
  })

  test('have their boxes, callouts, code and diagrams', () => {
    const file = read(
      '# Till',
      '## Steps',
      '> [!WARNING]',
      '> Mind the drawer.',
      '- [ ] Pull the plug',
      '  - [ ] of the till',
      '  - [x] of the screen',
      '- [x] Wait',
      '',
      '```mermaid',
      'graph TD; A-->B',
      '```',
      '',
      '> Note: it hums.',
    )
    expect(outline(file)).toEqual([
      '# Steps | Warning: Mind the drawer.',
      '- Pull the plug | - of the till / - of the screen',
      '- Wait | graph TD; A-->B /  / Note: it hums.',
    ])
  })

  test('keep the text between them, and headings the text below them', () => {
    const file = read(
      '# Plan',
      'Why.',
      '',
      '## First',
      'Read this.',
      '',
      '1. One',
      '',
      'Stop and think.',
      '',
      '2. Two',
    )
    expect(file.description).toBe('Why.')
    expect(outline(file)).toEqual(['# First | Read this.', '- One | Stop and think.', '- Two'])
  })

  test('with a long first paragraph have its first sentence as title, and the whole as text', () => {
    const [long] = read(`- Call the bank. ${'And wait for them. '.repeat(30)}`).activities
    expect(long!.title).toBe('Call the bank.')
    expect(long!.description).toMatch(/^Call the bank\. And wait for them\. And/)
  })
})

describe('headings in Markdown', () => {
  test.each([
    ['below the name', ['# Name', '## A', '#### B', '- x'], ['# A', '### B', '- x']],
    ['beside the name', ['# Name', '# A', '## B', '- x'], ['# A', '## B', '- x']],
    ['below a deep name', ['##### Name', '**A**', '- x', '**B**', '- y'], ['# A', '- x', '# B', '- y']],
    ['of bold lines below others', ['# Name', '## A', '**B**', '- x'], ['# A', '## B', '- x']],
    ['underlined', ['Name\n====', 'A\n---', '- x'], ['# A', '- x']],
    ['of the deepest kind', ['Text', '# A', '###### B', '- x'], ['# A', '##### B', '- x']],
  ])('%s keep their levels', (_, lines, expected) => {
    expect(outline(readMarkdown(lines.join('\n\n'), 'file'))).toEqual(expected)
  })
})

describe('HTML in Markdown', () => {
  test('folds steps below their summary, and goes on below the heading before it', () => {
    const folded = (title: string, ...steps: string[]) =>
      `<details>\n<summary>${title}</summary>\n\n${steps.map((one) => `1. ${one}`).join('\n')}\n\n</details>\n`
    const file = read(
      '# Till',
      '## Restart',
      folded('On the <b>old</b> till', 'Hold the key'),
      folded('On the new till', 'Wait'),
      '',
      '- Open the shop',
    )
    expect(outline(file)).toEqual([
      '# Restart',
      '## On the old till',
      '- Hold the key',
      '## On the new till',
      '- Wait',
      '# Restart',
      '- Open the shop',
    ])
  })

  test('that folds a text belongs to the step before', () => {
    expect(
      outline(read('- Call', '', '<details><summary>Numbers</summary>', '', 'Ext. 12', '', '</details>')),
    ).toEqual(['- Call | Numbers: / Ext. 12'])
  })

  test('keeps tables, lists, keys and breaks', () => {
    const file = read(
      '- Call the plumber',
      '',
      '<table><tr><td>Plumber</td><td>Ext. 12</td></tr>',
      '<tr><td>Insurer</td><td>Ext. 34<br>at night: 35</td></tr></table>',
      '',
      '<div align="center"><ul><li>Press <kbd>Esc</kbd></li><li>Wait</li></ul></div>',
    )
    expect(outline(file)).toEqual([
      '- Call the plumber | Plumber: Ext. 12 / Insurer: Ext. 34, at night: 35',
      '- Press Esc',
      '- Wait',
    ])
  })

  test('leaves out scripts, frames, styles and forms, and says where and how much', () => {
    const file = read(
      '- One',
      '',
      '<script>let a = 1</script>',
      '',
      '<iframe src="//x">a frame</iframe>',
      '',
      'A <style>b {}</style> line',
      '',
      '<form>Your name <input> <button>Send</button></form>',
    )
    expect(outline(file)).toEqual(['- One | A  line'])
    expect(notesOf(file)).toEqual([
      '3: A script was left out (4 words).',
      '5: A frame was left out (2 words).',
      '7: A script or frame was left out (2 words).',
      '9: A form was left out (3 words).',
    ])
  })

  test.each([
    ['a tag', '<div title="never closed'],
    ['a comment', '<!-- never closed'],
    ['a declaration', '<?php never closed'],
    ['a field', '<p><textarea>never closed</p>'],
    ['a title', '<title>never closed'],
  ])('with %s without an end hides nothing of what follows', (_, html) => {
    const file = read('# Name', '', html, '', '## Then', '', '- Step')
    expect(outline(file)).toEqual(['# Then', '- Step'])
  })
})

describe('a table in Markdown', () => {
  test('of two columns is read line by line', () => {
    const file = read(
      '# A',
      '## Roles',
      '| Who | What |',
      '| --- | --- |',
      '| Manager | Decides |',
      '| Scribe | Writes |',
      '',
      '- Go',
    )
    expect(outline(file)).toEqual(['# Roles | Who: What / Manager: Decides / Scribe: Writes', '- Go'])
  })

  test('of more columns repeats their headings, and loses no row and no heading', () => {
    const file = read(
      '- Go',
      '',
      '| Who | What | When |',
      '|-|-|-|',
      '| Ana | Calls | |',
      '| Ben | | Now |',
      '| | | |',
      '| a \\| b | c | d |',
    )
    expect(outline(file)).toEqual([
      '- Go | Who: Ana · What: Calls / Who: Ben · When: Now / Who: a | b · What: c · When: d',
    ])
    expect(outline(read('- Go', '', '| A | B | C |', '|-|-|-|', '| 1 | 2 | |'))).toEqual([
      '- Go | A · B · C / A: 1 · B: 2',
    ])
  })
})

describe('the lines at the top of Markdown', () => {
  test('are YAML: name and category, and notes of the others', () => {
    const file = read(
      '---',
      'title: Flood',
      'category: "Water: all"',
      'tags: [a,',
      '  b]',
      'owner:',
      '  name: Ana',
      '---',
      '- One',
    )
    expect([file.name, file.categoryName]).toEqual(['Flood', 'Water: all'])
    expect(notesOf(file)).toEqual(['4: tags: a, b', '6: owner: name: Ana'])
    expect(file.activities[0]!.line).toBe(9)
  })

  test.each([
    ['no YAML', ['title: Flood: again', '  - x'], 'Flood: again'],
    [
      'aliases that multiply',
      ['a: &a [x, x, x]', 'b: &b [*a, *a, *a]', 'c: &c [*b, *b, *b]', 'd: [*c, *c, *c]', 'title: Flood'],
      'Flood',
    ],
    ['brackets without an end', [`a: ${'['.repeat(10_000)}`, 'title: Flood'], 'Flood'],
    ['a key of another kind', ['? [a, b]', ': c', 'title: Flood'], 'Flood'],
  ])('may be %s', (_, lines, name) => {
    expect(readMarkdown(['---', ...lines, '---', '- One'].join('\n'), 'file').name).toBe(name)
  })

  test('may be a rule and a text', () => {
    const file = read('---', '', 'Call us.', '', '---', '', '- One')
    expect(file.description).toBe('Call us.')
  })
})

describe('every word', () => {
  const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []
  /** The words that a reader of the file sees. */
  const visible = (source: string) =>
    source
      .replace(/<!\[CDATA\[(.*?)\]\]>/gs, '$1')
      .replace(/<\/?[a-z][^>]*>/gi, ' ')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/^\s*\d+[.)]/gm, '')
      .replace(/```(bash|mermaid)/g, '')
      .replace(/&\w+;/g, ' ')

  test.each(Object.keys(WIKI_FILES))('of a file of %s is in the playbook, or in a note', (kind) => {
    const source = WIKI_FILES[kind]!
    const { name, description, activities, notes } = readMarkdown(source, 'file')
    const texts = [
      name,
      description,
      ...activities.flatMap((one) => [one.title, one.description]),
      ...notes.map(({ message }) => message),
    ]
    const found = new Set(wordsOf(texts.join('\n')))
    expect(
      wordsOf(visible(source)).filter((word) => !found.has(word) && !/^(TOC|IMPORTANT|tip|x)$/.test(word)),
    ).toEqual([])
    expect(activities.some(({ type }) => type === 'TASK')).toBe(true)
  })
})

describe('a hostile file', () => {
  const filled = (piece: string) => piece.repeat(Math.floor(200_000 / piece.length))
  // Quadratic work would take minutes.
  test.each([
    '[', '](', '*a ', '_a_ ', '`', '- ', '> - ', '![](', '\\', '&amp;', '<b>', '</b>', '<b>\n\n', '<li><p>', '<div>\n\n', '<td>', '<!--', '<?', '<x',
    '<a href="', '<script>', '<pre>', '<br>', '|a', 'a|b|c\n', '[^1]: a\n', '1. a\n', '<details><summary>a</summary>\n\n- b\n\n',
  ])('of %j alone is read or refused', { timeout: 60_000 }, (piece) => {
    try {
      readMarkdown(`- step\n\n${filled(piece)}`, 'file')
    } catch (error) {
      expect((error as Error).message).toMatch(/nested too deeply|more than 10000/)
    }
  }) // prettier-ignore

  test('does not multiply the headings of a table', () => {
    const head = `| ${'h'.repeat(2_000)} | b | c |\n|---|---|---|\n`
    const { activities } = readMarkdown(`- step\n\n${head}${'|a|b|c\n'.repeat(10_000)}`, 'file')
    expect(activities[0]!.description.length).toBeLessThan(1_000_000)
  })
})
