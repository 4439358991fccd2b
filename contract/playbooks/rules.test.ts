import { describe, expect, test } from 'vitest'

import { conditionsOf, differencesBetween, proposalFit, proposed, rolesOf, tasksOf } from './rules.ts'
import { NO_PROPOSAL, NO_START, type PlaybookActivity, type PlaybookContent } from './schema.ts'

const anItem = (id: string, changes: Partial<PlaybookActivity> = {}): PlaybookActivity => ({
  id,
  type: 'TASK',
  title: `Task ${id}`,
  description: 'Do it.',
  formattedDescription: null,
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  attachedFileIds: [],
  index: 0,
  ...changes,
})
const aPlaybook = (
  items: readonly (string | PlaybookActivity)[],
  changes: Partial<PlaybookContent> = {},
): PlaybookContent => ({
  name: 'Ransomware',
  description: 'Files are encrypted.',
  categoryId: null,
  proposal: NO_PROPOSAL,
  start: NO_START,
  activities: items.map((item, index) => ({
    ...(typeof item === 'string' ? anItem(item) : item),
    index,
  })),
  ...changes,
})
const summaryOf = (before: PlaybookContent, after: PlaybookContent) =>
  differencesBetween(before, after).items.map(({ kind, item, moved }) =>
    [kind, item.id, ...(moved ? [`${moved.from}>${moved.to}`] : [])].join(' '),
  )

describe('the difference between two versions of a playbook', () => {
  test('is nothing where nothing changed, whichever order the items are listed in', () => {
    const playbook = aPlaybook(['a', 'b', 'c'])
    const listed = { ...playbook, activities: playbook.activities.toReversed() }
    expect(differencesBetween(playbook, listed)).toEqual({ fields: [], items: [] })
    expect(differencesBetween(aPlaybook([]), aPlaybook([]))).toEqual({ fields: [], items: [] })
  })

  test('names the changed fields of the playbook with old and new values', () => {
    const after = { name: 'Ransom', description: '', categoryId: 'c1' }
    expect(differencesBetween(aPlaybook(['a']), aPlaybook(['a'], after)).fields).toEqual([
      { field: 'name', before: 'Ransomware', after: 'Ransom' },
      { field: 'categoryId', before: null, after: 'c1' },
      { field: 'description', before: 'Files are encrypted.', after: '' },
    ])
  })

  test('lists added and removed items in the new order, removed ones where they stood', () => {
    const before = aPlaybook(['x', 'a', 'b', 'y', 'z', 'c'])
    expect(summaryOf(before, aPlaybook(['new', 'a', 'b', 'c', 'last']))).toEqual([
      'REMOVED x',
      'ADDED new',
      'REMOVED y',
      'REMOVED z',
      'ADDED last',
    ])
    expect(summaryOf(before, aPlaybook([]))).toHaveLength(6)
  })

  test.each([
    [['a', 'b', 'c', 'd', 'e'], ['e', 'a', 'b', 'c', 'd'], ['MOVED e 5>1']],
    [['a', 'b', 'c', 'd', 'e'], ['b', 'c', 'd', 'e', 'a'], ['MOVED a 1>5']],
    [['a', 'b', 'c', 'd', 'e'], ['a', 'd', 'b', 'c', 'e'], ['MOVED d 4>2']],
    [
      ['a', 'b', 'c'],
      ['new', 'b', 'c'],
      ['REMOVED a', 'ADDED new'],
    ],
  ])('from %j to %j is %j: a move of one item shifts no other', (from, to, expected) => {
    expect(summaryOf(aPlaybook(from), aPlaybook(to))).toEqual(expected)
  })

  test('of an item that was moved and changed is one change that says both', () => {
    const changed = anItem('c', { title: 'Call the police', priority: 'HIGH', attachedFileIds: ['f1'] })
    expect(differencesBetween(aPlaybook(['a', 'b', 'c']), aPlaybook([changed, 'a', 'b'])).items).toEqual([
      {
        kind: 'CHANGED',
        item: { ...changed, index: 0 },
        fields: [
          { field: 'title', before: 'Task c', after: 'Call the police' },
          { field: 'priority', before: 'MEDIUM', after: 'HIGH' },
          { field: 'attachedFileIds', before: [], after: ['f1'] },
        ],
        moved: { from: 3, to: 1 },
      },
    ])
  })

  test('does not mind the order of the files of a task', () => {
    const files = (...attachedFileIds: string[]) => aPlaybook([anItem('a', { attachedFileIds })])
    expect(differencesBetween(files('f1', 'f2'), files('f2', 'f1')).items).toEqual([])
  })

  test('of ten thousand reversed items keeps one in its place', () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => String(n))
    expect(summaryOf(aPlaybook(ids), aPlaybook(ids.toReversed()))).toHaveLength(9_999)
  })
})

describe('the tasks that an incident takes', () => {
  const heading = (id: string, level: number, description = ''): PlaybookActivity =>
    anItem(id, { type: 'HEADING', title: id, level, description })
  const sections = (...items: readonly (string | PlaybookActivity)[]) =>
    tasksOf(aPlaybook(items)).map(({ title, section, sectionDescription }) =>
      [title, section, ...(sectionDescription === null ? [] : [sectionDescription])].join(' | '),
    )

  test('stand below their heading and those of higher levels, with the texts that begin there', () => {
    expect(
      sections(
        heading('A', 1, 'About A.'),
        heading('B', 2, 'About B.'),
        'a',
        heading('C', 2, 'About C.'),
        'b',
        'c',
        heading('D', 1),
        'd',
      ),
    ).toEqual([
      'Task a | A › B | About A.\n\nAbout B.',
      'Task b | A › C | About C.',
      'Task c | A › C | About C.',
      'Task d | D',
    ])
  })

  test('lose no heading that has no task of its own', () => {
    expect(
      sections(heading('A', 1), heading('B', 3), heading('C', 1), 'a', heading('D', 2), heading('E', 2), 'b'),
    ).toEqual(['Task a | A › B › C', 'Task b | A › C › D › E'])
  })
})

describe('the conditions of a playbook', () => {
  const heading = (id: string, level: number, condition: string | null) =>
    anItem(id, { type: 'HEADING', level, condition })
  test('hold for what stands below their heading, in the innermost one', () => {
    const playbook = aPlaybook([
      'before',
      heading('A', 1, 'a'),
      'a1',
      heading('plain', 2, null),
      'a2',
      heading('B', 2, 'b'),
      'b1',
      heading('C', 1, 'c'),
      heading('D', 3, 'd'),
      'd1',
      heading('end', 1, null),
      'after',
    ])
    const found = conditionsOf(playbook).map(({ itemId, parentItemId, taskIds }) => [
      itemId,
      parentItemId,
      taskIds.join(' '),
    ])
    expect(found).toEqual([
      ['A', null, 'a1 a2'],
      ['B', 'A', 'b1'],
      ['C', null, ''],
      ['D', 'C', 'd1'],
    ])
  })
  test('are part of a difference', () => {
    const [before, after] = ['it rains', 'it snows'].map((words) => aPlaybook([heading('A', 1, words), 'a']))
    expect(differencesBetween(before!, after!).items).toMatchObject([
      { kind: 'CHANGED', fields: [{ field: 'condition', before: 'it rains', after: 'it snows' }] },
    ])
  })
})

test('ideal titles are asked once, whatever their case', () => {
  const titles = ['Warden', null, ' warden ', 'Caller', ''].map((idealTitleToExecute) => ({
    idealTitleToExecute,
  }))
  expect(rolesOf(titles)).toEqual(['Warden', 'Caller'])
})

describe('a proposal', () => {
  const declared = { isTabletop: false, severity: 'HIGH', title: 'Ransomware on the file server' } as const
  const fits = (proposal: object, changes: object = {}) =>
    proposalFit({ ...NO_PROPOSAL, ...proposal }, { ...declared, ...changes })
  test('without any part fits nothing', () => expect(fits({})).toBe(0))
  test('has to fit in every part that it has', () => {
    expect(fits({ severities: ['HIGH', 'CRITICAL'] })).toBeGreaterThan(0)
    expect(fits({ severities: ['LOW'] })).toBe(0)
    expect(fits({ kinds: ['EXERCISE'] })).toBe(0)
    expect(fits({ kinds: ['EXERCISE'] }, { isTabletop: true })).toBeGreaterThan(0)
    expect(fits({ words: ['ransom'], severities: ['LOW'] })).toBe(0)
  })
  test.each([
    ['ransom', true],
    ['FILE SERVER', true],
    ['server file', false],
    ['som', false],
    ['', false],
    ['.*', false],
  ])('finds “%s” in a title: %s', (word, isFound) => expect(fits({ words: [word] }) > 0).toBe(isFound))
  test('finds words with other accents', () =>
    expect(fits({ words: ['überfall'] }, { title: 'Uberfall' })).toBeGreaterThan(0))
  test('that fits best comes first', () => {
    const playbooks = [
      { id: 'kind', proposal: { ...NO_PROPOSAL, kinds: ['INCIDENT' as const] } },
      { id: 'none', proposal: NO_PROPOSAL },
      { id: 'word', proposal: { ...NO_PROPOSAL, words: ['ransomware'] } },
    ]
    expect(proposed(playbooks, declared).map(({ id }) => id)).toEqual(['word', 'kind'])
  })
  test('of a long title and many words is found in time', () => {
    const words = Array.from({ length: 50 }, () => 'a '.repeat(127))
    expect(fits({ words }, { title: 'a '.repeat(127) })).toBeGreaterThan(0)
  })
})
