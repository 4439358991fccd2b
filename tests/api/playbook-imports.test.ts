import { beforeAll, describe, expect, test } from 'vitest'

import type { ImportedPlaybook, ImportPreview } from '#contract/playbook-imports/schema.ts'
import { excessOf } from '#contract/playbook-imports/rules.ts'
import type { StarterPlaybook } from '#contract/playbooks/schema.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, signedInAs } = await startTestServer()

let organisation: Organisation
let planner: Caller
beforeAll(async () => {
  organisation = await anOrganisation({ playbookMaxTemplates: 100 })
  planner = await signedInAs(organisation, 'PLAYBOOK_MANAGER')
})
const preview = (fileName: string, content: string) =>
  planner.post('/playbook/import/preview', { fileName, content })
async function read(fileName: string, content: string): Promise<ImportPreview> {
  const { status, body } = await preview(fileName, content)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
async function problem(fileName: string, content: string): Promise<string> {
  const { status, body } = await preview(fileName, content)
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(400)
  expect(body.fields.content).toBe(body.message)
  return body.message
}
const saved = ({ name, description, activities }: Omit<ImportedPlaybook, 'notes' | 'categoryName'>) =>
  planner.post('/playbook/template', {
    name,
    description,
    activities: activities.map(({ line: _line, ...activity }) => activity),
  })
const stored = () =>
  inside(organisation, async (db) => ({
    playbooks: await db.selectFrom('playbooks').select('id').execute(),
    events: await db.selectFrom('events').select('sequence').execute(),
  }))

describe('a file of playbooks', () => {
  test('is read, and stored only when it is saved', async () => {
    const before = await stored()
    const { format, playbooks } = await read(
      'Flood.md',
      '# Flood\n\nWater.\n\n## First\n\n- [ ] Close the valve\n',
    )
    expect(format).toBe('MARKDOWN')
    expect(playbooks).toMatchObject([
      {
        name: 'Flood',
        description: 'Water.',
        activities: [{ type: 'HEADING' }, { title: 'Close the valve' }],
      },
    ])
    expect(await stored()).toEqual(before)
    const { status, body } = await saved(playbooks[0]!)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.activities.map(({ title }: { title: string }) => title)).toEqual(['First', 'Close the valve'])
  })

  test('of 10,000 lines is read, and the preview says what exceeds', async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `${n + 1}. Step ${n + 1}`)
    const { playbooks } = await read('long.md', lines.join('\n'))
    expect(playbooks[0]!.activities).toHaveLength(10_000)
    expect(excessOf(playbooks[0]!, { maxActivities: 150 })).toMatchObject([
      { field: 'activities', message: 'The number of headings/tasks has exceeded the maximum of 150.' },
    ])
  })

  // A backtracking pattern doubled its time with each line and blocked the server.
  test('of lines that might be of two kinds is read at once', async () => {
    const front = `---\n${'- :\n'.repeat(5_000)}x\n\n- Close the valve`
    expect((await read('front.md', front)).playbooks[0]!.activities.at(-1)).toMatchObject({
      title: 'Close the valve',
    })
    const named = `---\nname: Flood${'\u2028 '.repeat(100_000)}\n---\n- Close the valve`
    expect((await read('named.md', named)).playbooks[0]!.activities).toHaveLength(1)
  })
  test('has its name and category between lines of dashes', async () => {
    const content =
      "---  \nname: Flood # of the river\n# more\n\n - list:\ncategory: 'Water'\n---\t\n- Close the valve"
    const { playbooks } = await read('front.md', content)
    expect(playbooks).toMatchObject([
      { name: 'Flood', categoryName: 'Water', activities: [{ title: 'Close the valve', line: 8 }] },
    ])
  })

  test('with scripts becomes plain text without them', async () => {
    const content = [
      '# Plan <script>alert(1)</script>',
      '<script>fetch("//evil")</script>',
      '- Press <img src=x onerror=alert(1)> the [button](javascript:alert(1)) and ![this](data:image/png;base64,AAAA)',
      '- See [the wiki](https://wiki.example/a) or <https://b.example>',
    ].join('\n\n')
    const { playbooks } = await read('plan.md', content)
    const [{ name, activities, notes }] = playbooks as [ImportedPlaybook]
    expect(name).toBe('Plan ')
    expect(activities.map(({ title }) => title)).toEqual([
      'Press  the button and ',
      'See the wiki (https://wiki.example/a) or https://b.example',
    ])
    expect(notes.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '1: A script or frame was left out (1 word).',
      '3: A script was left out (1 word).',
      '5: A picture was left out.',
      '5: A link was left out: javascript:alert(1)',
      '5: A picture was left out: this',
    ])
  })

  test.each([
    ['a.md', '', 'This file is empty.'],
    ['a.md', 'Only a paragraph.', 'No headings or tasks were found in this file.'],
    ['a.md', '> '.repeat(5_000), 'Line 1: lists and quotes are nested too deeply.'],
    ['a.md', `- ${'word '.repeat(120_000)}`, 'The file is too long. Please split it.'],
    ['a.json', '{\n"format": "muster-playbook",\n"playbooks": [}', 'Line 3: this is not valid JSON.'],
    ['a.json', '['.repeat(100_000), 'Line 1: this is not valid JSON.'],
    ['a.json', '{"format": "other"}', 'format: this JSON is neither of the format “muster-playbook” nor a CACAO playbook.'],
    ['a.json', '{"format": "muster-playbook", "version": 2}', 'version: only version 1 of muster-playbook can be read.'],
    ['a.json', '{"format":"muster-playbook","version":1,"playbooks":[{"name":"A","activities":[{"title":7}]}]}', /^playbooks\[0\]\.activities\[0\]\.title: /],
    ['a.csv', 'Title;Text', 'There are no rows below the headings.'],
    ['a.csv', 'Title\n"A\nB"\n"open', 'Line 4: a quotation mark is missing or stands in the wrong place.'],
    ['a.csv', 'Title\n"open', /^Line \d: a quotation mark is missing/],
  ])('%s with %j is refused with what is wrong, and where', async (fileName, content, sentence) => {
    const before = await stored()
    const found = await problem(fileName, content)
    if (typeof sentence === 'string') expect(found).toBe(sentence)
    else expect(found).toMatch(sentence)
    expect(await stored()).toEqual(before)
  }) // prettier-ignore

  test.each(['plan.docx', 'a.exe', '../../a.pdf', 'a.md'])(
    '%s with bytes is told what is accepted',
    async (fileName) => {
      expect(await problem(fileName, 'PK\u0003\u0004\u0000\u0001binary')).toBe(
        'This file cannot be read. Playbooks are imported from Markdown (.md), tables (CSV, TSV, XLSX), our own JSON and CACAO JSON.',
      )
    },
  )

  test('with a path in its name is named without it', async () => {
    const { playbooks } = await read('..\\..\\plans/Storm.md', '- Close the windows')
    expect(playbooks[0]!.name).toBe('Storm')
  })
})

describe('a CSV file', () => {
  test('whose headings name no title is read with the columns that are assigned', async () => {
    const content = 'What;Who\nClose the valve;Plumber\n'
    const { playbooks, table } = await read('plan.csv', content)
    expect([playbooks, table]).toMatchObject([
      [],
      { headings: ['What', 'Who'], columns: [null, null], rowsCount: 1 },
    ])
    const body = { fileName: 'plan.csv', content, columns: ['title', 'role'] }
    const { body: assigned } = await planner.post('/playbook/import/preview', body)
    expect(assigned).toMatchObject({
      table: null,
      playbooks: [{ activities: [{ title: 'Close the valve', idealTitleToExecute: 'Plumber' }] }],
    })
  })

  test('has a playbook for each name, and formulas stay text', async () => {
    const content =
      '\uFEFFTitle;Type;Description;Priority;Role;Minutes;Playbook;Category\r\n' +
      'First;heading;;;;;Flood;Water\r\n' +
      "=cmd|'/C calc'!A0;Task;@SUM(A1);high;+Pump;15;Flood;Water\r\n" +
      '-1 degree;;;;;;Frost;\r\n'
    const { format, playbooks } = await read('plans.csv', content)
    expect(format).toBe('CSV')
    expect(playbooks).toMatchObject([
      {
        name: 'Flood',
        categoryName: 'Water',
        activities: [
          { type: 'HEADING', title: 'First', line: 2 },
          { title: "=cmd|'/C calc'!A0", description: '@SUM(A1)', priority: 'HIGH', idealTitleToExecute: '+Pump', expectedTimeToComplete: 15, line: 3 },
        ],
      },
      { name: 'Frost', categoryName: null, activities: [{ title: '-1 degree', description: '-1 degree', line: 4 }] },
    ]) // prettier-ignore
  })
})

const CACAO = {
  type: 'playbook',
  spec_version: 'cacao-2.0',
  id: 'playbook--1',
  name: 'Phishing',
  description: 'Somebody clicked.',
  workflow_start: 'start--1',
  agent_definitions: { 'individual--1': { type: 'individual', name: 'Analyst' } },
  workflow: {
    'start--1': { type: 'start', on_completion: 'action--1' },
    'action--1': {
      type: 'action',
      name: 'Ask what was clicked',
      description: 'Calmly.',
      agent: 'individual--1',
      commands: [{ type: 'manual', command: 'Write it down.' }],
      on_completion: 'parallel--1',
    },
    'parallel--1': { type: 'parallel', name: 'Contain', next_steps: ['action--2', 'action--3'], on_completion: 'if-condition--1' },
    'action--2': { type: 'action', name: 'Block the sender', commands: [{ type: 'bash', command: 'block' }], on_completion: 'end--1' },
    'action--3': { type: 'action', name: 'Reset the password', commands: [{ type: 'manual', command_b64: 'SW4gcGVyc29uLg==' }] },
    'if-condition--1': { type: 'if-condition', condition: 'data was lost', on_true: 'playbook-action--1', on_completion: 'action--4' },
    'playbook-action--1': { type: 'playbook-action', name: 'Run the data breach playbook', playbook_id: 'playbook--2' },
    'action--4': { type: 'action', name: 'Tell everybody', commands: [{ type: 'manual', command: 'By phone.' }], on_success: 'end--1', on_failure: 'action--5' },
    'action--5': { type: 'action', name: 'Put up a notice', commands: [{ type: 'manual', command: 'At the door.' }] },
    'end--1': { type: 'end' },
  },
} // prettier-ignore
type Workflow = Record<string, Record<string, unknown>>
const changed = (change: (workflow: Workflow) => void): string => {
  const copy = structuredClone(CACAO)
  change(copy.workflow)
  return JSON.stringify(copy)
}

describe('a CACAO playbook', () => {
  test('is read in the order of its workflow', async () => {
    const { format, playbooks } = await read('phishing.json', JSON.stringify(CACAO))
    expect(format).toBe('CACAO')
    const [{ name, description, activities, notes }] = playbooks as [ImportedPlaybook]
    expect([name, description]).toEqual(['Phishing', 'Somebody clicked.'])
    expect(activities.map(({ type, title }) => `${type} ${title}`)).toEqual([
      'TASK Ask what was clicked',
      'HEADING At the same time (1 of 2): Contain',
      'TASK Block the sender',
      'HEADING At the same time (2 of 2): Contain',
      'TASK Reset the password',
      'HEADING If: data was lost',
      'TASK Run the data breach playbook',
      'HEADING Afterwards',
      'TASK Tell everybody',
      'HEADING If this does not succeed: Tell everybody',
      'TASK Put up a notice',
    ])
    expect(activities[0]).toMatchObject({
      description: 'Calmly.\n\nWrite it down.',
      idealTitleToExecute: 'Analyst',
    })
    expect(activities[4]).toMatchObject({ description: 'In person.' })
    expect(activities[2]).toMatchObject({ description: 'A machine would do this (bash):\nblock' })
    expect(notes).toEqual([])
  })

  test.each([
    [changed((all) => (all['action--1']!['on_completion'] = 'action--9')), 'workflow.action--1.on_completion: the step “action--9” does not exist.'],
    [changed((all) => (all['action--1']!['type'] = 'dance')), 'workflow.action--1.type: “dance” is no type of a step.'],
    [changed((all) => (all['action--1']!['commands'] = 'rm')), /^workflow\.action--1\.commands: /],
    [changed((all) => delete all['start--1']), 'workflow_start: the step “start--1” does not exist.'],
    [JSON.stringify({ ...CACAO, spec_version: '3.0' }), 'spec_version: only cacao-2.0 and 1.1 can be read.'],
    [JSON.stringify({ ...CACAO, workflow: [] }), /^workflow: /],
    [JSON.stringify({ ...CACAO, workflow_start: '__proto__' }), 'workflow_start: the step “__proto__” does not exist.'],
  ])('that is broken is refused with the field (%#)', async (content, sentence) => {
    const found = await problem('broken.json', content)
    if (typeof sentence === 'string') expect(found).toBe(sentence)
    else expect(found).toMatch(sentence)
  }) // prettier-ignore

  test('with thousands of steps in a row or in each other ends', async () => {
    const chain: Workflow = { 'end--1': { type: 'end' } }
    for (let n = 0; n < 5_000; n += 1)
      chain[`action--${n}`] = {
        type: 'action',
        name: `Step ${n}`,
        on_completion: n < 4_999 ? `action--${n + 1}` : 'end--1',
      }
    const long = await read(
      'a.json',
      JSON.stringify({ ...CACAO, workflow: chain, workflow_start: 'action--0' }),
    )
    expect(long.playbooks[0]!.activities).toHaveLength(5_000)
    const nested: Workflow = { 'parallel--5000': { type: 'end' } }
    for (let n = 0; n < 5_000; n += 1)
      nested[`parallel--${n}`] = { type: 'parallel', next_steps: [`parallel--${n + 1}`] }
    const deep = await problem(
      'a.json',
      JSON.stringify({ ...CACAO, workflow: nested, workflow_start: 'parallel--0' }),
    )
    expect(deep).toMatch(/^workflow\.parallel--\d+\.next_steps\[0\]: branches are nested too deeply\.$/)
  })
})

describe('the starter library', () => {
  test('offers six playbooks that can be saved as they are', async () => {
    const { body } = (await planner.get('/playbook/starters')) as { body: StarterPlaybook[] }
    expect(body.map(({ id }) => id).join(' ')).toBe(
      'ransomware data-breach business-email-compromise lost-device site-evacuation supplier-outage',
    )
    for (const { purpose: _purpose, ...starter } of body) {
      const activities = starter.activities.map((activity) => ({ ...activity, line: null }))
      expect(excessOf({ ...starter, activities }, { maxActivities: 150 })).toEqual([])
      const { status, body: made } = await saved({ ...starter, activities })
      expect(status, JSON.stringify(made)).toBe(201)
      expect(
        made.activities.filter(({ priority }: { priority: string }) => priority === 'HIGH').length,
      ).toBeGreaterThan(5)
    }
  })
})
