import { describe, expect, it, test } from 'vitest'

import type { FileRow } from '#server/attachments/store.ts'
import type { Block, Cell } from '#server/kit/pdf/pdf.ts'

import { duration, type ReportFacts, reportOf } from './report.ts'
import type { HeldClock } from '#server/duties/store.ts'
import type { OwnedRow } from '#server/follow-ups/store.ts'
import type { AssignedRow } from '#server/incidents/activities.store.ts'
import type { Happening } from '#server/incidents/history.store.ts'
import type { IncidentWithPeople } from '#server/incidents/reading.store.ts'

const INCIDENT: IncidentWithPeople = {
  id: 'a3c1f0de-0000-4000-8000-000000000001',
  title: 'Gate & pump <4>',
  fullText: '<p>R&amp;D says <strong>a &lt; b</strong></p>',
  previewText: '',
  severity: 'HIGH',
  number: 'INC-2031-007',
  isTabletop: false,
  isActive: false,
  outcome: null,
  outcomeReason: null,
  mergedIntoId: null,
  isTargeted: true,
  estimatedTimeToRecovery: 1,
  estimatedTimeToRecoveryTimeUnit: 'HOURS',
  createdBy: 'ana@example.org',
  createTimestamp: '2031-05-02T06:40:00.000Z',
  resolvedBy: 'ben@example.org',
  resolveTimestamp: '2031-05-03T08:45:30.000Z',
  openTasks: null,
  openTasksReason: null,
  postmortemDetails: '<p>Two valves.</p>',
  breakoutRoomId: null,
  kindId: null,
  kind: null,
  fieldValues: {},
  labels: [],
  version: 4,
  targets: [{ userId: 'u1', email: 'ana@example.org', type: 'INTERNAL', named: true }],
  groups: [],
  checkIns: [
    { userId: 'u1', email: 'ana@example.org', name: 'Ana Sousa', timestamp: '2031-05-02T06:50:00.000Z' },
  ],
}
const TASK: AssignedRow = {
  id: 't1',
  incidentId: INCIDENT.id,
  parentActivityId: null,
  messageId: null,
  type: 'TASK',
  title: 'Close valve',
  description: 'The red one\nbehind pump 3',
  status: 'COMPLETE',
  priority: 'HIGH',
  progress: 100,
  assignedTo: 'u1',
  idealTitleToExecute: 'Plumber',
  section: null,
  sectionDescription: null,
  formattedDescription: null,
  formattedSectionDescription: null,
  expectedTimeToComplete: 90,
  dueTimestamp: null,
  conditionId: null,
  isSkipped: false,
  createdBy: 'ana@example.org',
  createTimestamp: '2031-05-02T07:00:00.000Z',
  updateTimestamp: '2031-05-02T07:00:00.000Z',
  version: 2,
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: 'Sousa',
  active: true,
}

const SHA256 = 'ab'.repeat(32)
const FILE: FileRow = {
  id: 'f1',
  incidentId: INCIDENT.id,
  playbookId: null,
  activityId: 't1',
  blobId: 'b1',
  name: 'Plan R&D',
  extension: 'pdf',
  type: 'application/pdf',
  createdBy: 'ana@example.org',
  createTimestamp: '2031-05-02T07:30:00.000Z',
  size: 1_234_567,
  sha256: SHA256,
  createdByName: 'Ana Sousa',
  carriers: ['t1', 'u1'],
}

let sequence = 0
const happening = (
  noun: string,
  record: string,
  verb: string,
  changes: Record<string, [unknown, unknown]>,
): Happening => ({
  id: `e${(sequence += 1)}`,
  sequence,
  at: `2031-05-02T07:${String(sequence).padStart(2, '0')}:07.000Z`,
  actor: { kind: 'person', id: null, name: 'ana@example.org' },
  noun,
  record,
  parent: noun === 'incidents' ? null : INCIDENT.id,
  verb,
  changes: Object.fromEntries(Object.entries(changes).map(([field, [from, to]]) => [field, { from, to }])),
})
const activity = (record: string, verb: string, changes: Record<string, [unknown, unknown]>) =>
  happening('activities', record, verb, changes)

const HAPPENED = [
  happening('incidents', INCIDENT.id, 'created', {
    title: [null, INCIDENT.title],
    severity: [null, 'LOW'],
  }),
  activity('t1', 'added', {
    type: [null, 'TASK'],
    title: [null, 'Close valve'],
    description: [null, 'The red one'],
    status: [null, 'TO_DO'],
    progress: [null, 0],
    priority: [null, 'HIGH'],
    assignedTo: [null, null],
  }),
  activity('t2', 'added', {
    type: [null, 'TASK'],
    title: [null, 'Ring P&O'],
    description: [null, 'Their desk'],
  }),
  activity('c1', 'added', {
    type: [null, 'UPDATE'],
    parentActivityId: [null, 't1'],
    description: [null, 'It is stuck'],
  }),
  activity('u1', 'added', { type: [null, 'UPDATE'], description: [null, '<https://example.org>'] }),
  activity('t1', 'changed', { status: ['TO_DO', 'COMPLETE'], progress: [0, 100] }),
  activity('t2', 'removed', { title: ['Ring P&O', null], description: ['Their desk', null] }),
  happening('attachments', 'f1', 'added', {
    name: [null, 'Plan R&D'],
    extension: [null, 'pdf'],
    size: [null, 1_234_567],
    sha256: [null, SHA256],
    activityId: [null, 't1'],
  }),
  happening('attachments', 'f2', 'removed', {
    name: ['notes', null],
    extension: ['txt', null],
    size: [12, null],
    sha256: ['cd', null],
  }),
  happening('check-ins', 'u1', 'checked in', {}),
  happening('incidents', INCIDENT.id, 'changed', {
    severity: ['LOW', 'HIGH'],
    fullText: ['<p>Old &amp; gone</p>', INCIDENT.fullText],
  }),
  happening('incidents', INCIDENT.id, 'resolved', { isActive: [true, false] }),
  happening('incidents', INCIDENT.id, 'analysed', {
    postmortemDetails: ['<p>One valve.</p>', INCIDENT.postmortemDetails],
  }),
]

const facts: ReportFacts = {
  incident: INCIDENT,
  details: [],
  missing: [{ firstName: 'Ben', lastName: 'Okafor', email: 'ben@example.org' }],
  people: [
    { firstName: 'Ana', lastName: 'Sousa', email: 'ana@example.org' },
    { firstName: 'Ben', lastName: 'Okafor', email: 'ben@example.org' },
  ],
  activities: [TASK],
  files: [FILE],
  conditions: [],
  command: { holdings: [], situationReports: [] },
  happened: HAPPENED,
  entries: [],
  decisions: [],
  followUps: [],
  clocks: [],
  answers: new Map(),
  organisation: 'Harbour & Rail',
  timeZone: '',
  at: '2031-05-04T10:00:00.000Z',
  by: 'ben@example.org',
}
const said = (cell: Cell = []) => cell.map(({ runs }) => runs.map(({ text }) => text).join('')).join(' | ')
const below = (blocks: readonly Block[], heading: string): Block | undefined =>
  blocks[blocks.findIndex((block) => block.kind === 'heading' && block.text === heading) + 1]
const rowsOf = (heading: string, given = facts) => {
  const block = below(reportOf(given).blocks, heading)
  return block?.kind === 'table' ? block.rows.map((row) => row.map(said)) : block
}

const HOLDER = {
  uuid: 'u1',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: 'Sousa',
  isActive: true,
}
describe('the parts for command', () => {
  const led: ReportFacts = {
    ...facts,
    command: {
      holdings: [
        {
          id: 'h1',
          title: 'Commander',
          holder: HOLDER,
          fromTimestamp: '2031-05-02T07:00:00.000Z',
          untilTimestamp: null,
          givenBy: 'ben@example.org',
          statement: 'Feed B is down.',
        },
      ],
      situationReports: [
        {
          id: 's2',
          incidentId: INCIDENT.id,
          number: 2,
          correctsNumber: 1,
          state: 'PUBLISHED',
          content: '<p>Pumps run.</p>',
          createdBy: 'ana@example.org',
          createTimestamp: '2031-05-02T08:00:00.000Z',
          updatedBy: 'ana@example.org',
          updateTimestamp: '2031-05-02T08:00:00.000Z',
          submittedBy: null,
          returnReason: null,
          returnedBy: null,
          approvedBy: 'ben@example.org',
          publishedBy: 'ana@example.org',
          publishedTimestamp: '2031-05-02T08:10:00.000Z',
          version: 3,
        },
      ],
    },
    happened: [
      happening('incident-roles', 'r1', 'handed over', {
        role: [null, 'Commander'],
        holder: ['ben@example.org', 'ana@example.org'],
        statement: [null, 'Feed B is down.'],
      }),
      happening('situation-reports', 's2', 'changed', {}),
      happening('situation-reports', 's2', 'published', { number: [null, 2], corrects: [null, 1] }),
    ],
  }

  it('name who held a role until when, with the statement', () =>
    expect(rowsOf('Roles', led)).toEqual([
      [
        'Commander',
        'Ana Sousa | ana@example.org | Given by Ben Okafor (ben@example.org) | Feed B is down.',
        '2031-05-02 07:00:00',
        '2031-05-03 08:45:30',
      ],
    ]))

  it('show a published situation report with its approval', () =>
    expect(below(reportOf(led).blocks, 'Situation report no. 2')).toEqual({
      kind: 'note',
      text: 'Published 2031-05-02 08:10:00 UTC by Ana Sousa (ana@example.org), approved by Ben Okafor (ben@example.org). It corrects no. 1.',
    }))

  it('stand in the timeline, without drafts that were only saved', () => {
    const rows = rowsOf('Timeline', led) as string[][]
    expect(rows.map((row) => row[2])).toEqual([
      'Commander handed over | From Ben Okafor to Ana Sousa | Feed B is down.',
      'Situation report no. 2 published | Corrects no. 1',
    ])
  })
})

describe('a report', () => {
  it('begins with the facts', () => {
    const [title, table] = reportOf(facts).blocks
    expect(title).toEqual({ kind: 'title', over: 'INCIDENT REPORT', text: 'Gate & pump <4>' })
    expect(table).toEqual({
      kind: 'facts',
      rows: [
        ['Number', 'INC-2031-007'],
        ['Type', 'Incident'],
        ['Severity', 'High'],
        ['State', 'Resolved'],
        ['Declared', '2031-05-02 06:40:00 UTC, by Ana Sousa (ana@example.org)'],
        ['Resolved', '2031-05-03 08:45:30 UTC, by Ben Okafor (ben@example.org)'],
        ['Duration', '1 day 2 hours 5 minutes'],
        ['Estimated recovery', '1 hour, until 2031-05-02 07:40:00 UTC'],
        ['For', 'Ana Sousa (ana@example.org)'],
        ['Reference', INCIDENT.id],
      ],
    })
  })

  it('has its parts in their order', () =>
    expect(reportOf(facts).blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : []))).toEqual(
      [
        'Post-Incident Analysis',
        'Decisions and updates',
        'Description',
        'Timeline',
        'Tasks',
        'Check-ins',
        'Not checked in',
        'Attachments',
      ],
    ))

  it('tells who was in the calls of its room', () => {
    const called = (verb: string, from: string[] | null, to: string[] | null) =>
      happening('calls', 'k1', verb, { participants: [from, to] })
    const happened = [
      called('started', null, ['ana@example.org']),
      called('rung', null, ['ben@example.org', 'cleo@example.org']),
      called('joined', null, ['ben@example.org']),
      called('missed', null, ['cleo@example.org']),
      called('left', ['ben@example.org'], null),
      called('ended', ['ana@example.org'], null),
      happening('calls', 'k1', 'ended', {}),
    ]
    const rows = rowsOf('Timeline', { ...facts, happened }) as string[][]
    expect(rows.map((row) => row[2])).toEqual([
      'Ana Sousa started a call.',
      'Ana Sousa called Ben Okafor and cleo@example.org.',
      'Ben Okafor joined the call.',
      'cleo@example.org did not answer the call.',
      'Ben Okafor left the call.',
      'The call ended with Ana Sousa in it.',
      'The call ended.',
    ])
  })

  it('lists everybody who was in a call, each from when to when', () => {
    const called = (minute: number, verb: string, from: string[] | null, to: string[] | null): Happening => ({
      ...happening('calls', 'k1', verb, { participants: [from, to] }),
      at: `2031-05-02T07:${String(minute).padStart(2, '0')}:00.000Z`,
    })
    const happened = [
      called(0, 'started', null, ['ana@example.org']),
      called(1, 'rung', null, ['ben@example.org', 'cleo@example.org']),
      called(2, 'joined', null, ['ben@example.org']),
      called(5, 'left', ['ben@example.org'], null),
      called(6, 'joined', null, ['ben@example.org']),
      called(20, 'ended', ['ana@example.org'], null),
      {
        ...happening('calls', 'k2', 'started', { participants: [null, ['ben@example.org']] }),
        at: '2031-05-02T08:00:00.000Z',
      },
    ]
    const rows = rowsOf('Who was in calls', { ...facts, happened }) as unknown[][]
    const words = rows.map((row) => row.flat().join(' '))
    expect(words).toHaveLength(4)
    expect(words[0]).toMatch(/^1 Ana Sousa.*20 minutes$/)
    expect(words[1]).toMatch(/^1 Ben Okafor.*3 minutes$/)
    expect(words[2]).toMatch(/^1 Ben Okafor.*14 minutes$/)
    expect(words[3]).toMatch(/^2 Ben Okafor.*Still in the call$/)
  })

  it('writes acts of one author, second and kind as one row', () => {
    const at = '2031-05-02T07:30:00.123Z'
    const together = (one: Happening): Happening => ({ ...one, at })
    const happened = [
      together(activity('t7', 'added', { type: [null, 'TASK'], title: [null, 'Close valve'] })),
      together(activity('t8', 'added', { type: [null, 'TASK'], title: [null, 'Ring P&O'] })),
      together(happening('incident-playbooks', 'p1', 'added', { name: [null, 'Flood'], version: [null, 3] })),
      activity('t7', 'changed', { assignedTo: [null, 'ben@example.org'] }),
      activity('t9', 'added', { type: [null, 'TASK'], title: [null, 'Alone'] }),
    ]
    const rows = rowsOf('Timeline', { ...facts, activities: [], happened }) as string[][]
    expect(rows.map(([number, , what]) => [number, what])).toEqual([
      ['1', '2 tasks of the playbook “Flood” added | Task 1 added: Close valve | Task 2 added: Ring P&O'],
      ['2', 'Playbook added: Flood | Version 3'],
      ['3', 'Task 1 changed | Owner: none → ben@example.org'],
      ['4', 'Task 3 added: Alone'],
    ])
  })

  it('leads with the analysis, the decisions and the updates', () => {
    const update: AssignedRow = {
      ...TASK,
      id: 'u9',
      type: 'UPDATE',
      title: '',
      description: 'The pump runs.',
      createTimestamp: '2031-05-02T07:00:30.000Z',
    }
    const rows = rowsOf('Decisions and updates', { ...facts, activities: [TASK, update] }) as string[][]
    expect(rows.map((row) => row[1])).toEqual([
      'The pump runs.',
      'Incident changed | Severity: Low → High | The text was before: | Old & gone',
      'Incident resolved',
    ])
  })

  it('has the follow-ups with who does them and until when', () => {
    const open: OwnedRow = {
      id: 'f1',
      incidentId: INCIDENT.id,
      incidentNumber: INCIDENT.number,
      incidentTitle: INCIDENT.title,
      isTabletop: false,
      title: 'Check the valves',
      details: 'All twelve.',
      ownerId: null,
      owner: null,
      dueTimestamp: '2031-06-01T10:00:00.000Z',
      createdBy: 'ana@example.org',
      createTimestamp: '2031-05-02T10:00:00.000Z',
      updateTimestamp: '2031-05-02T10:00:00.000Z',
      doneBy: null,
      doneTimestamp: null,
      version: 1,
    }
    const done = {
      ...open,
      details: null,
      owner: { email: 'ben@example.org', firstName: 'Ben', lastName: 'Okafor' },
      doneBy: 'ana@example.org',
      doneTimestamp: '2031-05-20T10:00:00.000Z',
    }
    expect(rowsOf('Follow-ups', { ...facts, followUps: [open, done] })).toEqual([
      ['Check the valves | All twelve.', 'Nobody', '2031-06-01 10:00:00', 'Open'],
      [
        'Check the valves',
        'Ben Okafor | ben@example.org',
        '2031-06-01 10:00:00',
        'Done | 2031-05-20 10:00:00 | Ana Sousa (ana@example.org)',
      ],
    ])
  })

  it('has the duties to report with the proof of what was filed, and their drafts', () => {
    const running: HeldClock = {
      id: 'c1',
      incidentId: INCIDENT.id,
      dutyId: null,
      name: 'Early warning',
      hours: 24,
      filedTo: 'CSIRT',
      hint: null,
      state: 'RUNNING',
      awareTimestamp: '2031-05-02T06:00:00.000Z',
      dueTimestamp: '2031-05-03T06:00:00.000Z',
      holderId: null,
      holder: null,
      startedBy: 'ana@example.org',
      startTimestamp: '2031-05-02T07:00:00.000Z',
      draft: '',
      filedTimestamp: null,
      filedBy: null,
      reference: null,
      link: null,
      fileIds: [],
      files: [],
      reason: null,
      updatedBy: 'ana@example.org',
      updateTimestamp: '2031-05-02T07:00:00.000Z',
      version: 1,
    }
    const filed: HeldClock = {
      ...running,
      state: 'FILED',
      draft: '<p>Pumps failed.</p>',
      filedTimestamp: '2031-05-02T09:00:00.000Z',
      filedBy: 'ana@example.org',
      reference: 'BSI-7',
      files: [{ id: 'f', name: 'receipt', extension: 'pdf' }],
    }
    const times = ['2031-05-02 06:00:00', '2031-05-03 06:00:00']
    const clocked = { ...facts, clocks: [running, filed] }
    expect(rowsOf('Duties to report', clocked)).toEqual([
      ['Early warning | To: CSIRT', ...times, 'Not filed yet'],
      [
        'Early warning | To: CSIRT',
        ...times,
        'Filed | 2031-05-02 09:00:00 | Ana Sousa (ana@example.org) | Reference number: BSI-7 | Files: receipt.pdf',
      ],
    ])
    expect(JSON.stringify(reportOf(clocked).blocks)).toContain('Pumps failed.')
  })

  it('writes times in a zone with UTC beside them', () => {
    const zoned = { ...facts, timeZone: 'Europe/Zurich' }
    const { blocks, footer } = reportOf(zoned)
    expect(blocks[1]).toMatchObject({
      rows: expect.arrayContaining([
        ['Declared', '2031-05-02 08:40:00 +02:00 (2031-05-02 06:40:00 UTC), by Ana Sousa (ana@example.org)'],
      ]),
    })
    expect(rowsOf('Check-ins', zoned)).toEqual([
      ['Ana Sousa', 'ana@example.org', '2031-05-02 08:50:00 +02:00 | 2031-05-02 06:50:00 UTC'],
    ])
    expect(footer).toMatch(/ Times are in Europe\/Zurich and in UTC\.$/)
  })

  it('says what became of the open tasks', () => {
    const left = { openTasks: 'LEFT_OPEN', openTasksReason: 'The night shift does them.' } as const
    const open: AssignedRow = { ...TASK, status: 'TO_DO', progress: 0 }
    const stateOf = (incident: object) =>
      (
        rowsOf('Tasks', {
          ...facts,
          activities: [open],
          incident: { ...INCIDENT, ...incident },
        }) as string[][]
      )[0]![4]
    expect(reportOf({ ...facts, incident: { ...INCIDENT, ...left } }).blocks[1]).toMatchObject({
      rows: expect.arrayContaining([['Open tasks', 'Left open: The night shift does them.']]),
    })
    expect(stateOf(left)).toBe('To Do | 0 %')
    expect(stateOf({ openTasks: 'NOT_NEEDED' })).toBe('Not needed | 0 %')
  })

  it('tells who was asked to check in', () => {
    const happened = [
      happening('incident-nudges', 'n1', 'sent', {
        channel: [null, 'SMS'],
        people: [null, ['ben@example.org']],
      }),
    ]
    expect((rowsOf('Timeline', { ...facts, happened }) as string[][])[0]![2]).toBe(
      'Ana Sousa asked Ben Okafor by SMS to check in.',
    )
  })

  it('tells everything that happened, numbered, with its time and author', () => {
    const rows = rowsOf('Timeline') as string[][]
    expect(rows.map(([number]) => number)).toEqual(rows.map((_, n) => String(n + 1)))
    expect(rows[0]?.[1]).toBe(
      `${HAPPENED[0]?.at.slice(0, 19).replace('T', ' ')} | Ana Sousa | ana@example.org`,
    )
    expect(rows.map((row) => row[2])).toEqual([
      'Incident declared: Gate & pump <4> | Severity: Low',
      'Task 1 added: Close valve | The red one | Priority: High · Status: To Do · Progress: 0 %',
      'Task 2 added: Ring P&O | Their desk',
      'Update on task 1 | It is stuck',
      'Update | <https://example.org>',
      'Task 1 changed | Status: To Do → Complete | Progress: 0 % → 100 %',
      'Task 2 deleted: Ring P&O | Their desk',
      `File added (task 1): Plan R&D.pdf | 1,234,567 bytes · SHA-256 ${SHA256}`,
      'File deleted: notes.txt | 12 bytes · SHA-256 cd',
      'Incident changed | Severity: Low → High | The text was before: | Old & gone',
      'Incident resolved',
      'Analysis written | The text was before: | One valve.',
    ])
  })

  it('tells of tasks as they are and how they came to be so', () =>
    expect(rowsOf('Tasks')).toEqual([
      [
        '1',
        'Close valve | The red one\nbehind pump 3 | Ideal title: Plumber | Expected time: 90 minutes | ' +
          `${HAPPENED[5]?.at.slice(0, 19).replace('T', ' ')} ana@example.org: ` +
          'Status: To Do → Complete; Progress: 0 % → 100 %',
        'Ana Sousa | ana@example.org',
        'High',
        'Complete | 100 %',
      ],
    ]))

  it('tells who checked in', () =>
    expect(rowsOf('Check-ins')).toEqual([['Ana Sousa', 'ana@example.org', '2031-05-02 06:50:00']]))

  it('tells who did not check in', () =>
    expect(rowsOf('Not checked in')).toEqual([['Ben Okafor', 'ben@example.org']]))

  it('lists the files with what proves a copy', () =>
    expect(rowsOf('Attachments')).toEqual([
      [
        `Plan R&D.pdf (task 1) (update) | ${SHA256}`,
        '1,234,567 bytes',
        '2031-05-02 07:30:00 | Ana Sousa | ana@example.org',
      ],
    ]))

  it('says where there is nothing', () => {
    const bare = {
      ...facts,
      activities: [],
      files: [],
      conditions: [],
      happened: [],
      incident: { ...INCIDENT, checkIns: [], postmortemDetails: null },
    }
    expect(rowsOf('Attachments', bare)).toEqual({ kind: 'note', text: 'No files were attached.' })
    expect(rowsOf('Tasks', bare)).toEqual({ kind: 'note', text: 'There were no tasks.' })
    expect(below(reportOf(bare).blocks, 'Post-Incident Analysis')).toEqual({
      kind: 'note',
      text: 'No analysis has been written.',
    })
  })

  it('of an exercise cannot be taken for the real thing', () => {
    const exercise = reportOf({ ...facts, incident: { ...INCIDENT, isTabletop: true } })
    expect(exercise).toMatchObject({
      band: 'EXERCISE',
      title: 'Exercise report: Gate & pump <4>',
      header: ['Harbour & Rail', 'Exercise report'],
    })
    expect(reportOf(facts).band).toBeUndefined()
  })
})

test.each([
  ['2031-01-01T00:00:00Z', '2031-01-01T00:00:30Z', 'Less than a minute'],
  ['2031-01-01T00:00:00Z', '2031-01-01T01:01:59Z', '1 hour 1 minute'],
  ['2031-01-01T00:00:00Z', '2031-01-03T00:00:00Z', '2 days'],
  ['2031-01-01T00:00:00Z', '2030-12-31T00:00:00Z', 'Less than a minute'],
])('from %s to %s: %s', (from, to, words) => expect(duration(from, to)).toBe(words))

describe('a playbook in a report', () => {
  const condition = {
    id: 'c1',
    condition: 'it rains',
    parentId: null,
    answer: 'SKIPPED',
    reason: 'The radar is clear.',
    decidedBy: 'ana@example.org',
  } as const
  const below = {
    ...condition,
    id: 'c2',
    condition: 'somebody is out',
    parentId: 'c1',
    answer: 'OPEN',
  } as const
  it('says why a task was skipped, by the nearest condition that is', () => {
    const skipped = { ...TASK, status: 'TO_DO', progress: 0, conditionId: 'c2', isSkipped: true } as const
    const [row] = rowsOf('Tasks', {
      ...facts,
      activities: [skipped],
      conditions: [condition, below],
    }) as string[][]
    expect(row![1]).toContain('Skipped by ana@example.org: The radar is clear. (only if it rains)')
    expect(row![4]).toContain('Skipped')
    const [done] = rowsOf('Tasks', {
      ...facts,
      activities: [{ ...TASK, conditionId: 'c2', isSkipped: true }],
      conditions: [condition, below],
    }) as string[][]
    expect(done![1]).not.toContain('Skipped')
  })
  it('tells a notification with the counts of its answers, and each call for help', () => {
    const sentOne = happening('mass-notifications', 'n1', 'sent', {
      title: [null, 'Are you safe?'],
      peopleNotified: [null, 1_000],
      answers: [null, ['Safe', 'Need help']],
    })
    const plainOne = happening('mass-notifications', 'n2', 'sent', {
      title: [null, null],
      peopleNotified: [null, 1],
    })
    const called = happening('incident-answers', 'u1', 'called for help', {
      person: [null, 'Bo Lee'],
      answer: [null, 'Need help'],
      note: [null, 'Stairs B'],
    })
    const entered = happening('incident-answers', 'u1', 'needs no more help', {
      person: [null, 'Bo Lee'],
      answer: [null, 'Safe'],
      note: [null, ''],
      reason: [null, 'By telephone'],
    })
    const answers = new Map([['n1', new Map([['Safe', 12]])]])
    const escalated = happening('mass-notifications', 'n1', 'escalated', {
      title: [null, 'Are you safe?'],
      step: [null, 2],
      asked: [null, 'DEPUTY'],
      types: [null, ['SMS']],
      peopleNotified: [null, 3],
      skipped: [null, 1],
    })
    const stopped = happening('mass-notifications', 'n1', 'escalation stopped', {
      title: [null, 'Are you safe?'],
    })
    const happened = [sentOne, plainOne, escalated, stopped, called, entered]
    const rows = rowsOf('Timeline', { ...facts, happened, answers }) as string[][]
    expect(rows.map((row) => row[2])).toEqual([
      'Notification sent to 1000 people | Are you safe? | Answers until this report: Safe: 12, Need help: 0',
      'Notification sent to 1 person',
      'Escalation, step 2: 3 deputies were asked | Are you safe? | By SMS | Not asked: 1',
      'Escalation stopped | Are you safe?',
      'Help called for: Bo Lee | Need help | Stairs B',
      'Help no longer called for: Bo Lee | Safe | Entered on behalf: By telephone',
    ])
  })
  it('tells the acts at the start, and those that were left out', () => {
    const started = happening('incident-playbooks', 'p1', 'started', {
      acts: [null, ['ROOM', 'PEOPLE']],
      people: [null, ['ana@example.org', 'group Fleet']],
      leftOut: [null, ['NOTIFICATION']],
    })
    const answered = happening('incident-playbooks', 'p1', 'condition answered', {
      section: [null, 'Rain'],
      condition: [null, 'it rains'],
      answer: ['OPEN', 'SKIPPED'],
      reason: [null, 'Dry.'],
    })
    const rows = rowsOf('Timeline', { ...facts, happened: [started, answered] }) as string[][]
    expect(rows.map((row) => row[2])).toEqual([
      'Done by the playbook at the start: Breakout room created, People added | People: ana@example.org, group Fleet | Left out for lack of permission: Notification prepared',
      'Skipped: Rain | Only if it rains | Reason: Dry.',
    ])
  })
})
