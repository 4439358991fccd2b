import { describe, expect, it, test } from 'vitest'

import {
  activityCan,
  creatableKinds,
  dueAt,
  incidentCan,
  isIncomplete,
  isOverdue,
  mustCheckIn,
  previewOf,
  previewLabel,
  recoveryMinutes,
  SEVERITY_ORDER,
  withProgress,
  withStatus,
  withTaskState,
} from './rules.ts'
import {
  ActivityChanges,
  IncidentChanges,
  missingIn,
  NewActivity,
  NewIncident,
  type Progress,
  PROGRESS_STEPS,
  saysSomething,
  SEVERITIES,
  type TaskStatus,
} from './schema.ts'

describe('incidentCan', () => {
  it.each([
    ['edit', true, false],
    ['resolve', true, false],
    ['checkIn', true, false],
    ['addActivity', true, false],
    ['analyse', false, true],
  ] as const)('%s: active %s, resolved %s', (act, whileActive, afterwards) => {
    expect(incidentCan[act]({ isActive: true })).toBe(whileActive)
    expect(incidentCan[act]({ isActive: false })).toBe(afterwards)
  })
})

describe('activityCan', () => {
  const me = (role: string) => ({ email: 'me@example.org', role })
  const other = { email: 'other@example.org' }
  const mine = { createdBy: 'me@example.org', type: 'TASK', assignedTo: other }
  const theirs = { createdBy: 'other@example.org', type: 'TASK', assignedTo: other }
  const given = { ...theirs, assignedTo: { email: 'me@example.org' } }
  const open = { ...theirs, assignedTo: null }
  const update = { createdBy: 'other@example.org', type: 'UPDATE', assignedTo: null }
  const child = { createdBy: 'other@example.org' }

  it.each([
    ['my own task', mine, 'USER', true, true],
    ['my own update', { ...update, createdBy: 'me@example.org' }, 'USER', true, true],
    ["somebody's task for somebody else", theirs, 'USER', false, false],
    ['a task that was given to me', given, 'USER', true, false],
    ['a task for nobody', open, 'USER', true, false],
    ["somebody's update", update, 'USER', false, false],
    ["somebody's update below a task", child, 'USER', false, false],
    ['any task, as administrator', theirs, 'ADMIN', true, true],
    ['any update, as administrator', update, 'ADMIN', true, true],
    ['a task for nobody, as playbook manager', open, 'PLAYBOOK_MANAGER', true, false],
    ['my own task, as business user', mine, 'BUSINESS_USER', false, false],
    ['a task for nobody, as business user', open, 'BUSINESS_USER', false, false],
  ])('%s', (_, activity, role, edit, remove) => {
    expect(activityCan.edit(activity, me(role), { isActive: true })).toBe(edit)
    expect(activityCan.remove(activity, me(role), { isActive: true })).toBe(remove)
    expect(activityCan.edit(activity, me(role), { isActive: false })).toBe(false)
    expect(activityCan.remove(activity, me(role), { isActive: false })).toBe(false)
  })
})

test.each([
  [true, false, false, false, true],
  [true, false, true, false, false],
  [true, true, false, false, false],
  [true, true, false, true, true],
  [true, true, true, true, false],
  [false, false, false, false, false],
])(
  'mustCheckIn: active %s, targeted incident %s, checked in %s, target %s: %s',
  (isActive, isTargeted, checkedIn, targeted, must) =>
    expect(mustCheckIn({ isActive, isTargeted }, { checkedIn, targeted })).toBe(must),
)

describe('the state of a task', () => {
  it.each([
    [0, 'TO_DO', 0],
    [50, 'TO_DO', 0],
    [0, 'IN_PROGRESS', 25],
    [25, 'IN_PROGRESS', 25],
    [50, 'IN_PROGRESS', 50],
    [75, 'IN_PROGRESS', 75],
    [100, 'IN_PROGRESS', 25],
    [0, 'COMPLETE', 100],
    [75, 'COMPLETE', 100],
  ] as [Progress, TaskStatus, Progress][])('at %i, choosing %s makes it %i', (from, status, to) =>
    expect(withStatus(withProgress(from), status)).toEqual({ status, progress: to }),
  )

  it.each([
    [0, 'TO_DO'],
    [25, 'IN_PROGRESS'],
    [50, 'IN_PROGRESS'],
    [75, 'IN_PROGRESS'],
    [100, 'COMPLETE'],
  ] as [Progress, TaskStatus][])('choosing %i makes it %s', (progress, status) =>
    expect(withProgress(progress)).toEqual({ progress, status }),
  )

  const half = withProgress(50)
  it.each([
    ['nothing', {}, half],
    ['what it is already', { status: 'IN_PROGRESS', progress: 50 }, half],
    ['a status', { status: 'COMPLETE' }, withProgress(100)],
    ['a status with the old progress', { status: 'COMPLETE', progress: 50 }, withProgress(100)],
    ['a progress with the old status', { status: 'IN_PROGRESS', progress: 100 }, withProgress(100)],
    ['both, which disagree: the progress decides', { status: 'COMPLETE', progress: 75 }, withProgress(75)],
  ] as [string, Partial<typeof half>, typeof half][])('given %s', (_, change, expected) =>
    expect(withTaskState(half, change)).toEqual(expected),
  )

  it('is all that comes back of a task', () => {
    const task = { ...half, title: 'T' }
    expect(withTaskState(task, {})).toEqual(half)
  })

  it('always agrees in itself', () => {
    for (const from of PROGRESS_STEPS)
      for (const progress of PROGRESS_STEPS)
        for (const status of ['TO_DO', 'IN_PROGRESS', 'COMPLETE'] as const) {
          const task = withTaskState(withProgress(from), { progress, status })
          expect(task).toEqual(withProgress(task.progress))
        }
  })

  it.each([
    ['TASK', 0, true],
    ['TASK', 75, true],
    ['TASK', 100, false],
    ['UPDATE', 0, false],
  ] as const)('isIncomplete: %s at %i: %s', (type, progress, incomplete) =>
    expect(isIncomplete({ type, progress, isSkipped: false })).toBe(incomplete),
  )
  it('a skipped task is not incomplete', () =>
    expect(isIncomplete({ type: 'TASK', progress: 0, isSkipped: true })).toBe(false))
})

describe('the estimate', () => {
  it.each([
    [3, 'HOURS', 180],
    [2, 'DAYS', 2_880],
    [45, 'MINUTES', 45],
    [null, null, null],
    [undefined, undefined, null],
  ] as const)('%s %s is %s minutes', (time, unit, minutes) =>
    expect(recoveryMinutes(time, unit)).toBe(minutes),
  )

  const start = '2026-03-01T10:00:00.000Z'
  const incident = { isActive: true, createTimestamp: start, estimatedTimeToRecoveryInMinutes: 60 }
  const at = Date.parse('2026-03-01T11:00:00.000Z')
  it.each([
    ['before its end', incident, at - 60_000, false],
    ['at its end', incident, at, false],
    ['after its end', incident, at + 1, true],
    ['when resolved', { ...incident, isActive: false }, at + 1, false],
    ['without one', { ...incident, estimatedTimeToRecoveryInMinutes: null }, at + 1, false],
  ])('overdue %s', (_, which, now, overdue) => expect(isOverdue(which, now)).toBe(overdue))

  it('is due when it runs out', () => {
    expect(dueAt(incident)).toBe(at)
    expect(dueAt({ ...incident, estimatedTimeToRecoveryInMinutes: null })).toBeNull()
  })
})

test.each([
  [0, 0, false, true, true],
  [1, 0, false, false, true],
  [0, 1, false, true, false],
  [1, 1, false, false, false],
  [3, 2, true, true, true],
])(
  'creatableKinds: %i incidents, %i exercises, multiIncident %s: incident %s, exercise %s',
  (incidents, exercises, multi, incident, exercise) =>
    expect(creatableKinds({ incidents, exercises }, multi)).toEqual({ incident, exercise }),
)

test('severities rise', () =>
  expect(SEVERITIES.toSorted((a, b) => SEVERITY_ORDER[a] - SEVERITY_ORDER[b])).toEqual([
    'LOW',
    'MEDIUM',
    'HIGH',
    'CRITICAL',
  ]))

test('previewOf keeps the first 200 characters and no half ones', () => {
  expect(previewOf('x'.repeat(500))).toBe('x'.repeat(200))
  expect(previewOf('🚨'.repeat(300))).toBe('🚨'.repeat(200))
  expect(previewOf('  one\n\n two ')).toBe('one two')
})

test('previewShown says where the text goes on', () => {
  expect(previewLabel('All of it.')).toBe('All of it.')
  expect(previewLabel(previewOf('word '.repeat(60)))).toBe(`${'word '.repeat(39)}word…`)
  expect(previewLabel(previewOf(`${'word '.repeat(39)}longer word`))).toBe(`${'word '.repeat(38)}word…`)
  expect(previewLabel(previewOf('x'.repeat(500)))).toBe(`${'x'.repeat(200)}…`)
})

test.each([
  ['<p></p>', false],
  ['<p>&nbsp;<br></p> ', false],
  ['', false],
  ['<p>a</p>', true],
  ['a < b', true],
])('saysSomething(%j): %s', (html, says) => expect(saysSomething(html)).toBe(says))

describe('what is sent', () => {
  const problems = (result: {
    success: boolean
    error?: { issues: { path: PropertyKey[]; message: string }[] }
  }) => {
    const told = (result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])
    return told.filter(([field], n) => told.findIndex(([other]) => other === field) === n)
  }
  const named = <T extends readonly unknown[]>(cases: readonly T[]): [string, ...T][] =>
    cases.map((one) => [JSON.stringify(one[0]).slice(0, 70), ...one])
  const incident = { title: 'Flood', fullText: '<p>Water</p>' }

  it.each(
    named([
      [{ title: '  ' }, [['title', 'A title is required.']]],
      [{ title: 'x'.repeat(256) }, [['title', 'Maximum length of 255 characters exceeded.']]],
      [{ fullText: '' }, [['fullText', 'Description is a required field.']]],
      [{ fullText: '<p> </p>' }, [['fullText', 'Description is a required field.']]],
      [{ fullText: 'x'.repeat(24_001) }, [['fullText', 'Maximum length of 24000 characters exceeded.']]],
      [{ fullText: 'a\u0000b' }, [['fullText', 'This text contains characters that cannot be stored.']]],
      [
        { estimatedTimeToRecovery: 3 },
        [['estimatedTimeToRecovery', 'Please enter both a time and its unit.']],
      ],
      [
        { activityCreateRequests: [{ title: 'T', description: 'd' }, { type: 'UPDATE' }] },
        [['activityCreateRequests.1.description', 'Update description is required.']],
      ],
    ] as const),
  )('an incident with %s', (_, wrong, expected) =>
    expect(problems(NewIncident.safeParse({ ...incident, ...wrong }))).toEqual(expected),
  )

  it('an incident has defaults', () =>
    expect(NewIncident.parse(incident)).toMatchObject({ severity: 'MEDIUM', isTabletop: false }))

  it.each(
    named([
      [{}, ['title', 'description']],
      [{ title: 'T' }, ['description']],
      [{ title: 'T', description: ' ' }, ['description']],
      [{ type: 'UPDATE' }, ['description']],
      [{ type: 'UPDATE', description: 'd' }, []],
      [{ parentActivityId: crypto.randomUUID(), description: 'd' }, []],
      [{ type: 'HEADING', title: 'T', description: 'd' }, ['type']],
      [{ title: 'T', description: 'd', progress: 30 }, ['progress']],
      [{ title: 'T', description: 'd', progress: 125 }, ['progress']],
      [{ title: 'T', description: 'd', status: 'DONE' }, ['status']],
      [{ title: 'T', description: 'd', idealTitleToExecute: 'x'.repeat(256) }, ['idealTitleToExecute']],
      [{ title: 'x'.repeat(256), description: 'd' }, ['title']],
      [{ title: 'T', description: 'd', expectedTimeToComplete: 0.5 }, ['expectedTimeToComplete']],
    ] as const),
  )('an activity %s is wrong in %j', (_, given, fields) =>
    expect(problems(NewActivity.safeParse(given)).map(([field]) => field)).toEqual(fields),
  )

  it('a change may be of anything or nothing', () => {
    expect(IncidentChanges.parse({})).toEqual({})
    expect(ActivityChanges.parse({})).toEqual({})
    expect(IncidentChanges.parse({ postmortemDetails: '  <p>a</p> ' })).toEqual({
      postmortemDetails: '<p>a</p>',
    })
    expect(problems(IncidentChanges.safeParse({ postmortemDetails: 'x'.repeat(24_001) }))).toHaveLength(1)
  })

  it('what is missing is said in the words of its kind', () => {
    expect(missingIn('TASK', { title: ' ', description: '' })).toEqual({
      title: 'Title is a required field.',
      description: 'Description is a required field.',
    })
    expect(missingIn('UPDATE', { title: '', description: '' })).toEqual({
      description: 'Update description is required.',
    })
  })
})
