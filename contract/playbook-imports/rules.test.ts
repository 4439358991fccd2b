import { describe, expect, test } from 'vitest'

import {
  cutText,
  detailsLine,
  excessOf,
  hasOnlyTexts,
  readCondition,
  readDetails,
  split,
  trimmed,
  withContinuedIntroduction,
  withoutItem,
  withTasksFromTexts,
} from './rules.ts'
import type { ImportedActivity, ImportedPlaybook } from './schema.ts'

const item = (changes: Partial<ImportedActivity> = {}): ImportedActivity => ({
  type: 'TASK',
  title: 'Call the bank',
  description: 'Use the number on the card.',
  formattedDescription: null,
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  line: 1,
  ...changes,
})
const heading = (title: string) => item({ type: 'HEADING', title, description: '' })
const playbook = (changes: Partial<ImportedPlaybook> = {}): ImportedPlaybook => ({
  name: 'Fraud',
  categoryName: null,
  description: '',
  activities: [heading('First'), item()],
  notes: [],
  ...changes,
})
const LIMITS = { maxActivities: 150 }

describe('what exceeds a limit', () => {
  test('is nothing of a playbook that can be saved', () => {
    expect(excessOf(playbook(), LIMITS)).toEqual([])
  })

  test('is named by item and field, in the sentences of the form', () => {
    const found = excessOf(
      playbook({
        name: ' ',
        description: 'b'.repeat(1_001),
        activities: [
          heading(' '),
          item({ title: 't'.repeat(256), description: 'd'.repeat(24_001) }),
          item({ title: '', description: '\n', idealTitleToExecute: 'r'.repeat(256) }),
          item({ expectedTimeToComplete: 0 }),
        ],
      }),
      { maxActivities: 3 },
    )
    expect(found.map(({ item, field, message }) => `${item} ${field}: ${message}`)).toEqual([
      'null name: Playbook name is required.',
      'null description: Maximum length of 1000 characters exceeded.',
      'null activities: The number of headings/tasks has exceeded the maximum of 3.',
      '0 title: Heading cannot be empty.',
      '1 title: Maximum length of 255 characters exceeded.',
      '1 description: Maximum length of 24000 characters exceeded.',
      '2 title: Title cannot be empty.',
      '2 description: Description cannot be empty.',
      '2 idealTitleToExecute: Maximum length of 255 characters exceeded.',
      '3 expectedTimeToComplete: Must be between 1 and 525600 minutes.',
    ])
    expect(excessOf(playbook({ activities: [] }), LIMITS)).toMatchObject([
      { message: 'Please include at least one heading or task.' },
    ])
  })

  test('is gone after trimming, and a title that was cut stands whole in the description', () => {
    const title = 'Tell the '.repeat(40)
    const before = playbook({
      name: 'n '.repeat(200),
      description: 'b'.repeat(2_000),
      activities: [
        heading(''),
        item({ title }),
        item({ title: '', description: 'First line\nSecond' }),
        item({ description: ' ', expectedTimeToComplete: 1e9, idealTitleToExecute: 'r'.repeat(300) }),
        ...Array.from({ length: 200 }, () => item()),
      ],
    })
    const after = trimmed(before, LIMITS)
    expect(excessOf(after, LIMITS)).toEqual([])
    expect(after.activities).toHaveLength(150)
    expect(after.activities[0]!.title).toMatch(/the…$/)
    expect(after.activities[0]!.description).toBe(`${title}\n\nUse the number on the card.`)
    expect(after.activities[1]).toMatchObject({ title: 'First line', description: 'First line\nSecond' })
    expect(after.activities[2]).toMatchObject({
      description: 'Call the bank',
      expectedTimeToComplete: null,
    })
  })
})

test('a text is cut at a word, and never inside a character', () => {
  expect(cutText('Tell the bank', 13)).toBe('Tell the bank')
  expect(cutText('Tell the bank', 12)).toBe('Tell the…')
  expect(cutText('x'.repeat(20), 10)).toBe(`${'x'.repeat(9)}…`)
  expect(cutText('🚨'.repeat(10), 10)).toBe(`${'🚨'.repeat(4)}…`)
})

describe('dividing', () => {
  test('keeps all items in order, and sections whole where they fit', () => {
    const section = (name: string, tasks: number) => [
      heading(name),
      ...Array.from({ length: tasks }, (_, n) => item({ title: `${name} ${n}` })),
    ]
    const whole = playbook({ activities: [...section('A', 3), ...section('B', 3), ...section('C', 1)] })
    const parts = split(whole, 6)
    expect(parts.map(({ name }) => name)).toEqual(['Fraud (1 of 2)', 'Fraud (2 of 2)'])
    expect(parts.map(({ activities }) => activities.length)).toEqual([4, 6])
    expect(parts.flatMap(({ activities }) => activities)).toEqual(whole.activities)
  })

  test('repeats the heading of a section that is too long for one', () => {
    const tasks = Array.from({ length: 10 }, (_, n) => item({ title: `${n}` }))
    const parts = split(playbook({ activities: [heading('Long'), ...tasks] }), 4)
    expect(parts.map(({ activities }) => activities.map(({ title }) => title).join(' '))).toEqual([
      'Long 0 1 2',
      'Long 3 4 5',
      'Long 6 7 8',
      'Long 9',
    ])
    expect(split(playbook({ activities: tasks }), 1)).toHaveLength(10)
  })

  test('leaves a playbook alone that fits, and names within their limit', () => {
    expect(split(playbook(), 2)).toEqual([playbook()])
    const [first] = split(playbook({ name: 'n'.repeat(255) }), 1)
    expect(first!.name).toHaveLength(255)
    expect(first!.name).toMatch(/… \(1 of 2\)$/)
  })
})

test('an item is left out by its position', () => {
  expect(withoutItem(playbook(), 0).activities).toEqual([item()])
})

test('the details of a task come back from their line', () => {
  const details = {
    priority: 'HIGH',
    idealTitleToExecute: 'A · Time: 5 min',
    expectedTimeToComplete: 30,
  } as const
  expect(detailsLine(details)).toBe('Priority: High · Time: 30 min · Role: A · Time: 5 min')
  expect(readDetails(detailsLine(details)!)).toEqual(details)
  const role = { priority: 'MEDIUM', idealTitleToExecute: 'IT', expectedTimeToComplete: null } as const
  expect(readDetails(detailsLine(role)!)).toEqual(role)
  expect(detailsLine({ ...role, idealTitleToExecute: null })).toBeNull()
  expect(readDetails('Priority: Urgent')).toBeNull()
  expect(readDetails('Time is short')).toBeNull()
})

describe('an introduction that is too long', () => {
  test('goes on in the first task, with every word once', () => {
    const description = Array.from({ length: 400 }, (_, n) => `Word ${n}.`).join(' ')
    const { description: begin, activities } = withContinuedIntroduction(
      playbook({ description }),
      'Introduction',
    )
    expect(begin.length).toBeLessThanOrEqual(1_000)
    expect(activities.map(({ title }) => title)).toEqual(['Introduction', 'First', 'Call the bank'])
    expect(`${begin} ${activities[0]!.description}`).toBe(description)
    expect(excessOf(playbook({ description: begin, activities }), LIMITS)).toEqual([])
  })

  test('without a blank goes on too, in several tasks', () => {
    const description = 'x'.repeat(50_000)
    const { description: begin, activities } = withContinuedIntroduction(
      playbook({ description }),
      'Introduction',
    )
    expect(
      begin + activities.map((one) => (one.title === 'Introduction' ? one.description : '')).join(''),
    ).toBe(description)
  })
})

test('texts of headings become tasks where there are none', () => {
  const text = playbook({
    activities: [{ ...heading('Call'), description: 'Call the bank.\nAt once.' }, heading('End')],
  })
  expect(hasOnlyTexts(text)).toBe(true)
  expect(hasOnlyTexts(playbook())).toBe(false)
  expect(withTasksFromTexts(text).activities).toMatchObject([
    { type: 'HEADING', title: 'Call', description: '' },
    { type: 'TASK', title: 'Call the bank.', description: 'Call the bank.\nAt once.' },
    { type: 'HEADING', title: 'End' },
  ])
})

test('a title that is too long is shortened to its first sentence', () => {
  const title = `Call the bank. ${'Then wait. '.repeat(40)}`
  const { activities } = trimmed(playbook({ activities: [item({ title, description: title })] }), LIMITS)
  expect(activities[0]).toMatchObject({ title: 'Call the bank.', description: title })
})

test.each([
  ['Only if: it rains', 'it rains'],
  ['Only if the servers are down:', 'the servers are down'],
  ['only if it rains : ', 'it rains'],
  ['Only if it rains', null],
  ['Only if:', null],
  ['Not only if it rains:', null],
  [`Only if: ${'x'.repeat(201)}`, null],
])('the line “%s” states the condition %s', (line, condition) => expect(readCondition(line)).toBe(condition))
test('an emphasized line needs no colon', () =>
  expect(readCondition('Only if it rains', true)).toBe('it rains'))
