import { describe, expect, test } from 'vitest'

import { minutesOf, priorityOf } from './columns.content.ts'
import { readTable } from './csv.content.ts'

const read = async (...lines: readonly string[]) => {
  const { playbooks } = await readTable(lines.join('\n'), 'file')
  return playbooks.map(({ name, activities, notes }) => ({
    name,
    items: activities.map(({ type, title, description, priority, expectedTimeToComplete: minutes }) =>
      [
        type === 'HEADING' ? '#' : '-',
        title,
        ...(description === title || !description ? [] : [`| ${description}`]),
        ...(priority === 'MEDIUM' ? [] : [priority]),
        ...(minutes === null ? [] : [minutes]),
      ].join(' '),
    ),
    notes: notes.map(({ line, message }) => `${line}: ${message}`),
  }))
}

describe('a table of a tracker', () => {
  test('of Jira is read by the names of its columns', async () => {
    expect(
      await read(
        'Summary,Issue Type,Priority,Original Estimate,Labels,Labels,Description',
        'Close the valve,Task,Highest,1800,red,hot,The red one',
        'Call,Bug,Lowest,,,,',
      ),
    ).toEqual([
      {
        name: 'file',
        items: ['- Close the valve | The red one\n\nLabels: red, hot HIGH 30', '- Call LOW'],
        notes: ['null: Columns that were left out: Issue Type.'],
      },
    ])
  })

  test('of Trello, Asana or Planner has headings, with the tasks of each together', async () => {
    const [trello] = await read(
      'Card Name,List Name,Board Name',
      'A,First,Flood',
      'B,Then,Flood',
      'C,First,Flood',
      'D,,Flood',
    )
    expect(trello).toMatchObject({ name: 'Flood', items: ['- D', '# First', '- A', '- C', '# Then', '- B'] })
    const [planner] = await read('Task Name\tBucket Name\tPriority', 'A\tFirst\tUrgent')
    expect(planner).toMatchObject({ items: ['# First', '- A HIGH'] })
  })

  test('with cells that do not fit leaves them out, and not the file', async () => {
    expect(
      await read(
        'Title,Priority,Minutes,Type',
        'Close,High,10,',
        'Call,P1,30 min,',
        'Wait,soon,never,Story',
        ',High,,',
        'End,,,,more',
      ),
    ).toEqual([
      {
        name: 'file',
        items: ['- Close HIGH 10', '- Call HIGH 30', '- Wait', '- End'],
        notes: [
          '4: Type: “Story” was left out.',
          '4: Priority: “soon” was left out.',
          '4: Minutes: “never” was left out.',
          '5: A row without a title was left out.',
          'null: Line 6: cells beyond the headings were left out.',
        ],
      },
    ])
  })

  test('may have semicolons, and cells of several lines', async () => {
    expect(
      await read('Title;Type;Description', '"First; hour";Heading;', 'Call;Task;"Two', 'lines"'),
    ).toMatchObject([{ items: ['# First; hour', '- Call | Two\nlines'] }])
  })

  test('without a known title is answered with its columns, and read as they are assigned', async () => {
    const content = 'Was,Wer,Priorität\nVentil schließen,Hausmeister,hoch\n,Bote,'
    const { playbooks, table } = await readTable(content, 'file')
    expect(playbooks).toEqual([])
    expect(table).toEqual({
      headings: ['Was', 'Wer', 'Priorität'],
      columns: [null, null, 'priority'],
      samples: [['Ventil schließen'], ['Hausmeister', 'Bote'], ['hoch']],
      rowsCount: 2,
    })
    const assigned = await readTable(content, 'file', ['title', 'role', 'priority'])
    expect(assigned.playbooks[0]!.activities).toMatchObject([
      { title: 'Ventil schließen', idealTitleToExecute: 'Hausmeister', priority: 'HIGH' },
    ])
  })
})

test.each([
  ['10', 10], ['30 min', 30], ['30m', 30], ['1h', 60], ['2 h 30', 150], ['2h 30m', 150], ['1.5 hours', 90], ['1d', 1_440], ['1 week', 10_080],
  ['PT30M', 30], ['P1DT2H', 1_560], ['0:45', 45], ['01:30:00', 90], ['0', undefined], ['P', undefined], ['PT', undefined], ['1y', undefined],
  ['2027-01-31', undefined], ['999999 days', undefined], ['h', undefined],
])('%s is a time', (text, minutes) => expect(minutesOf(text, false)).toBe(minutes)) // prettier-ignore

test.each([
  ['P1', 'HIGH'], ['Highest', 'HIGH'], ['Urgent', 'HIGH'], ['normal', 'MEDIUM'], ['P3', 'LOW'], ['Lowest', 'LOW'], ['blue', undefined],
])('%s is a priority', (text, priority) => expect(priorityOf(text)).toBe(priority)) // prettier-ignore
