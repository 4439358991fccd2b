import { describe, expect, test } from 'vitest'

import type { ImportedPlaybook } from '#contract/playbook-imports/schema.ts'

import { readCacao } from './cacao.content.ts'

type Workflow = Record<string, Record<string, unknown>>
const read = (workflow: Workflow, changes: object = {}): ImportedPlaybook =>
  readCacao({
    type: 'playbook',
    spec_version: 'cacao-2.0',
    name: 'Flood',
    workflow_start: 'start--1',
    workflow: {
      'start--1': { type: 'start', on_completion: Object.keys(workflow)[0] },
      'end--1': { type: 'end' },
      ...workflow,
    },
    ...changes,
  })
const outline = ({ activities }: ImportedPlaybook): string[] =>
  activities.map(({ type, level, title }) => `${type === 'HEADING' ? '#'.repeat(level) : '-'} ${title}`)
const action = (name: string, on_completion?: string, more: object = {}) => ({
  type: 'action',
  name,
  ...(on_completion && { on_completion }),
  ...more,
})

describe('branches of a CACAO playbook', () => {
  test('that share a step tell it once, after them, and an empty one says where it goes', () => {
    const file = read({
      'if-condition--1': {
        type: 'if-condition',
        condition: 'store is wet',
        on_true: 'action--pump',
        on_false: 'action--report',
      },
      'action--pump': action('Pump the water out', 'action--report'),
      'action--report': action('Report to the owner', 'end--1'),
    })
    expect(outline(file)).toEqual([
      '# If: store is wet',
      '- Pump the water out',
      '# Otherwise (not: store is wet)',
      '- Otherwise: go on with “Report to the owner”',
      '# Afterwards',
      '- Report to the owner',
    ])
  })

  test('within branches meet where all of them lead, although one of them ends', () => {
    const file = read({
      'if-condition--1': {
        type: 'if-condition',
        condition: 'a',
        on_true: 'if-condition--2',
        on_false: 'action--3',
      },
      'if-condition--2': {
        type: 'if-condition',
        condition: 'b',
        on_true: 'action--1',
        on_false: 'action--2',
      },
      'action--1': action('Stop', 'end--1'),
      'action--2': action('Two', 'action--4'),
      'action--3': action('Three', 'action--4'),
      'action--4': action('Report', 'end--1'),
    })
    expect(outline(file)).toEqual([
      '# If: a',
      '## If: b',
      '- Stop',
      '- Nothing more is to be done here',
      '## Otherwise (not: b)',
      '- Two',
      '- Go on with “Report”',
      '# Otherwise (not: a)',
      '- Three',
      '# Afterwards',
      '- Report',
    ])
  })

  test('have headings that differ, in order of the workflow', () => {
    const branch = (n: number) => ({
      type: 'if-condition',
      condition: 'wet',
      on_true: `action--${n}`,
      on_completion: n < 2 ? `if-condition--${n + 1}` : 'end--1',
    })
    const file = read({
      'if-condition--1': branch(1),
      'if-condition--2': branch(2),
      'action--1': action('One'),
      'action--2': action('Two'),
    })
    expect(outline(file)).toEqual(['# If: wet', '- One', '# If: wet (2)', '- Two'])
  })

  test('say where they go when they lead elsewhere', () => {
    const file = read({
      'switch-condition--1': {
        type: 'switch-condition',
        switch: 'colour',
        cases: { red: 'action--1', green: 'action--2', blue: 'end--1' },
      },
      'action--1': action('One', 'action--3'),
      'action--2': action('Two', 'action--3'),
      'action--3': action('Three', 'end--1'),
    })
    expect(outline(file)).toEqual([
      '# If colour is red',
      '- One',
      '- Three',
      '# If colour is green',
      '- Two',
      '- Go on with step 2, “Three”',
      '# If colour is blue',
      '- Nothing more is to be done here',
    ])
  })
})

describe('loops of a CACAO playbook', () => {
  test('that are conditions say when they end', () => {
    const file = read({
      'action--1': action('Begin', 'while-condition--1'),
      'while-condition--1': {
        type: 'while-condition',
        condition: 'water rises',
        on_true: 'action--2',
        on_completion: 'action--4',
      },
      'action--2': action('Pump', 'action--3'),
      'action--3': action('Measure', 'end--1'),
      'action--4': action('Report', 'end--1'),
    })
    expect(outline(file)).toEqual([
      '- Begin',
      '# As long as: water rises',
      '- Pump',
      '- Measure',
      '- Go back to step 2 until not: water rises',
      '# Afterwards',
      '- Report',
    ])
  })

  test('that lead back say to which step, and until when', () => {
    const file = read({
      'action--1': action('Pump', 'if-condition--1', { on_failure: 'action--1' }),
      'if-condition--1': {
        type: 'if-condition',
        condition: 'it is dry',
        on_true: 'action--2',
        on_false: 'action--1',
      },
      'action--2': action('Report', 'end--1'),
    })
    expect(outline(file)).toEqual([
      '- Pump',
      '# If: it is dry',
      '- Go on with “Report”',
      '# Otherwise (not: it is dry)',
      '- Otherwise: go back to step 1 until it is dry',
      '# Afterwards',
      '- Report',
      '# If this does not succeed: Pump',
      '- Go back to step 1 until it succeeds',
    ])
  })
})

describe('steps of a CACAO playbook', () => {
  test('that machines carry out say what those would have done', () => {
    const commands = [
      {
        type: 'http-api',
        command: 'POST /block',
        content_b64: 'eyJhIjoxfQ==',
        headers: { accept: ['json'] },
      },
      { type: 'bash', command_b64: 'cHdk', description: 'Where are we?' },
    ]
    const { activities, notes } = read(
      {
        'action--1': action('Block it', 'end--1', {
          commands,
          agent: 'security--1',
          targets: ['net--1'],
          timeout: 5,
        }),
      },
      {
        agent_definitions: { 'security--1': { type: 'security-category', name: 'Firewall' } },
        target_definitions: { 'net--1': { name: 'Web' } },
        labels: ['net'],
      },
    )
    expect(activities[0]).toMatchObject({
      title: 'Block it',
      idealTitleToExecute: null,
      description: [
        'A machine would do this (http-api):\nPOST /block\n{"accept":["json"]}\n{"a":1}',
        'A machine would do this (bash):\nWhere are we?\npwd',
        'By: Firewall',
        'On: Web',
      ].join('\n\n'),
    })
    expect(notes.map(({ message }) => message)).toEqual(['Left out: labels.', 'Left out of 1 step: timeout.'])
  })

  test('that fail alike are told once', () => {
    const fails = { on_failure: 'action--9' }
    const chain = Object.fromEntries(
      [1, 2, 3, 4].map((n) => [
        `action--${n}`,
        action(`Step ${n}`, n < 4 ? `action--${n + 1}` : 'end--1', fails),
      ]),
    )
    const file = read({ ...chain, 'action--9': action('Call for help') })
    expect(outline(file).slice(4)).toEqual([
      '# If this does not succeed: Step 1, Step 2, Step 3 and 1 more',
      '- Call for help',
    ])
    expect(file.activities[4]!.description).toBe('Step 1\nStep 2\nStep 3\nStep 4')
  })

  test('of version 1.1 are read alike', () => {
    const file = read(
      {
        'single--1': {
          type: 'single',
          name: 'Look',
          commands: [{ type: 'manual', command: 'Look closely' }],
          target: 'person--1',
          on_success: 'parallel--1',
        },
        'parallel--1': { type: 'parallel', next_steps: ['single--2', 'playbook--1'], on_completion: 'if--1' },
        'single--2': {
          type: 'single',
          name: 'Block',
          commands: [{ type: 'openc2-json', command: '{"action":"deny"}' }],
        },
        'playbook--1': { type: 'playbook', name: 'Inform', playbook_id: 'playbook--7' },
        'if--1': {
          type: 'if-condition',
          condition: 'gone',
          on_true: ['single--3', 'single--4'],
          on_false: ['end--1'],
        },
        'single--3': { type: 'single', name: 'Write' },
        'single--4': { type: 'single', name: 'Send' },
      },
      { spec_version: '1.1', targets: { 'person--1': { type: 'individual', name: 'Analyst' } } },
    )
    expect(outline(file)).toEqual([
      '- Look',
      '# At the same time (1 of 2)',
      '- Block',
      '# At the same time (2 of 2)',
      '- Inform',
      '# If: gone',
      '- Write',
      '- Send',
      '# Otherwise (not: gone)',
      '- Otherwise: nothing more is to be done here',
    ])
    expect(file.activities[0]).toMatchObject({ description: 'Look closely', idealTitleToExecute: 'Analyst' })
    expect(file.activities[2]!.description).toBe('A machine would do this (openc2-json):\n{"action":"deny"}')
  })

  test('that no step leads to are named', () => {
    const { notes } = read({ 'action--1': action('One', 'end--1'), 'action--2': action('Two') })
    expect(notes).toEqual([
      { line: null, message: 'workflow.action--2: “Two” was left out because no other step leads there.' },
    ])
  })
})

describe('a large workflow', () => {
  const COUNT = 7_000
  const titled = (file: ImportedPlaybook) =>
    file.activities.filter(({ title }) => title.startsWith('Step ')).length

  test('is read in time that does not multiply with its branches', { timeout: 30_000 }, () => {
    const ladder: Workflow = {}
    for (let n = 0; n < 1_000; n += 1) {
      const next = `if-condition--${n + 1}`
      ladder[`if-condition--${n}`] = {
        type: 'if-condition',
        condition: `c${n}`,
        on_true: `action--${n}a`,
        on_false: `action--${n}b`,
      }
      ladder[`action--${n}a`] = action(`Step ${n} a`, next)
      ladder[`action--${n}b`] = action(`Step ${n} b`, next)
    }
    ladder['if-condition--1000'] = action('Step 1000', 'end--1')
    const file = read(ladder)
    expect(titled(file)).toBe(2_001)
    expect(read(ladder)).toEqual(file)
  })

  test('may be a long row, each of whose steps fails to the next', { timeout: 30_000 }, () => {
    const row: Workflow = {}
    for (let n = 0; n < COUNT; n += 1)
      row[`action--${n}`] = action(
        `Step ${n}`,
        undefined,
        n + 1 < COUNT ? { on_success: `action--${n + 1}`, on_failure: `action--${n + 1}` } : {},
      )
    expect(() => read(row)).toThrow('more than 10000 headings and tasks')
    for (const step of Object.values(row)) delete step['on_failure']
    expect(titled(read(row))).toBe(COUNT)
  })

  test('whose steps all lead everywhere ends', { timeout: 30_000 }, () => {
    const ids = Array.from({ length: 150 }, (_, n) => `parallel--${n}`)
    const all = Object.fromEntries(
      ids.map((id, n) => [id, { type: 'parallel', description: `Step ${n}`, next_steps: ids }]),
    )
    const result = (() => {
      try {
        return titled(read(all))
      } catch (error) {
        return (error as Error).message
      }
    })()
    expect(result).toMatch(/more than 10000/)
  })
})
