import { cut, splitEnds } from '#contract/kit/cut.ts'
import { isIncomplete, recoveryMinutes } from '#contract/incidents/rules.ts'
import { wholeName } from '#contract/kit/files.ts'
import { fullName } from '#contract/kit/names.ts'
import {
  aboutIncident,
  actor,
  bytes,
  carrier,
  changed,
  CORRECTIONS,
  isTask,
  many,
  moment,
  nameOf,
  numbersOf,
  OPEN_TASKS,
  plain,
  say,
  stamp,
  stateOf,
  strings,
  timeLines,
  timeTitle,
  typeOf,
  utc,
  word,
} from '#server/incident-timeline/sentences.content.ts'
import { MINUTE } from '#server/kit/core/clock.ts'
import type { Block, Cell, Line, PdfDocument } from '#server/kit/pdf/pdf.ts'
import { readRichText } from '#server/kit/core/rich-text.ts'

import { type CommandFacts, roleBlocks, situationBlocks } from './command.content.ts'
import type { FileRow } from '#server/attachments/store.ts'
import type { LinkedDecision } from '#server/incident-decisions/store.ts'
import type { ConditionRow } from '#server/incident-playbooks/conditions.store.ts'
import type { HeldClock } from '#server/duties/store.ts'
import type { OwnedRow } from '#server/follow-ups/store.ts'
import type { EntryRow } from '#server/incident-timeline/store.ts'
import type { AssignedRow } from '#server/incidents/activities.store.ts'
import type { Happening } from '#server/incidents/history.store.ts'
import type { IncidentWithPeople } from '#server/incidents/reading.store.ts'

import { type Details, detailFacts } from './details.content.ts'
import { decisionsTable } from './decisions.content.ts'
import { dutyBlocks } from './duties.content.ts'
import { followUpBlocks } from './follow-ups.content.ts'
import { timeline } from './timeline.content.ts'

export interface ReportFacts {
  readonly incident: IncidentWithPeople
  /** Values of the organisation's own fields, by label. */
  readonly details: Details
  readonly activities: readonly AssignedRow[]
  readonly files: readonly FileRow[]
  readonly conditions: readonly Pick<
    ConditionRow,
    'id' | 'condition' | 'parentId' | 'answer' | 'reason' | 'decidedBy'
  >[]
  readonly happened: readonly Happening[]
  /** Entries by hand, removed ones too. */
  readonly entries: readonly EntryRow[]
  readonly decisions: readonly LinkedDecision[]
  /** Holders of roles, and the published situation reports. */
  readonly command: CommandFacts
  readonly followUps: readonly OwnedRow[]
  /** Clocks of duties to report. */
  readonly clocks: readonly HeldClock[]
  /** Numbers of answers to the questions of its notifications, by notification and label. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** People who were asked and did not check in, by name. */
  readonly missing: readonly {
    readonly firstName: string
    readonly lastName: string
    readonly email: string
  }[]
  /** People behind the addresses in the report. */
  readonly people: readonly {
    readonly firstName: string
    readonly lastName: string
    readonly email: string
  }[]
  readonly organisation: string
  /** IANA name; empty for UTC alone. */
  readonly timeZone: string
  /** Time at which it is made. */
  readonly at: string
  /** The recipient; null for a report that is shared. */
  readonly by: string | null
}

/** The file name of a report. */
export function fileName({ incident, at }: ReportFacts): string {
  const words = incident.title.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
  const [, slug] = splitEnds(cut(words, 60), (character) => character === '_')
  return [typeOf(incident), 'Report', slug, at.slice(0, 10)].filter(Boolean).join('_') + '.pdf'
}

/** A person's name and address. */
const who = (facts: ReportFacts, email: string): string => {
  const name = nameOf(facts, email)
  return name ? `${name} (${email})` : email
}

/** A duration in words, to the minute. */
export function duration(from: string, to: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / MINUTE))
  const parts: [number, string][] = [
    [Math.floor(minutes / 1_440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ]
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => many(count, unit))
  return said.join(' ') || 'Less than a minute'
}
/** The report as a document: the analysis and decisions first, then everything in chronological order. */
export function reportOf(facts: ReportFacts): PdfDocument {
  const { incident, organisation, timeZone, at, by } = facts
  const type = typeOf(incident)
  const analysis = incident.postmortemDetails
  const blocks: Block[] = [
    { kind: 'title', over: `${type} report`.toUpperCase(), text: incident.title },
    { kind: 'facts', rows: factsOf(facts) },
    { kind: 'heading', text: `Post-${type} Analysis` },
    analysis === null
      ? { kind: 'note', text: 'No analysis has been written.' }
      : { kind: 'rich', blocks: readRichText(analysis) },
    ...followUpBlocks(facts.followUps, writers(facts)),
    ...dutyBlocks(facts.clocks, writers(facts)),
    ...decisions(facts),
    { kind: 'heading', text: 'Description' },
    { kind: 'rich', blocks: readRichText(incident.fullText) },
    ...situationBlocks(facts.command, writers(facts)),
    ...roleBlocks(facts.command, writers(facts)),
    ...section('Timeline', timeline(facts), 'Nothing happened.'),
    ...section('Tasks', tasks(facts), 'There were no tasks.'),
    ...section('Check-ins', checkIns(facts), 'Nobody has checked in.'),
    ...section('Not checked in', missing(facts), 'Everybody who was asked has checked in.'),
    ...calls(facts),
    ...section('Attachments', attachments(facts), 'No files were attached.'),
  ]
  return {
    title: `${type} report: ${incident.title}`,
    author: organisation,
    header: [organisation, `${type} report`],
    ...(incident.isTabletop ? { band: 'EXERCISE' } : {}),
    footer: `Made ${utc(at)}${by === null ? '' : ` for ${by}`}. ${
      timeZone === '' ? 'All times are in UTC.' : `Times are in ${timeZone} and in UTC.`
    }`,
    createTimestamp: at,
    blocks,
  }
}

/** Average characters of a row; longer texts count as several rows. */
const ROW_LENGTH = 400
/**
 * Estimated length of a report in average rows, each of which takes about 4 ms to draw on a busy machine. Estimated
 * from the facts, because writing a long report takes a while too.
 */
export function lengthOf(facts: ReportFacts): number {
  const {
    incident,
    activities,
    files,
    happened,
    entries,
    followUps,
    clocks,
    decisions: decided,
    missing: absent,
    command,
  } = facts
  const rows = [happened, entries, decided, followUps, activities, files, incident.checkIns, absent].reduce(
    (sum, { length }) => sum + length,
    0,
  )
  const texts = [
    incident.fullText,
    incident.postmortemDetails,
    ...activities.flatMap(({ title, description }) => [title, description]),
    ...entries.map(({ text }) => text),
    ...clocks.map(({ draft }) => draft),
    ...followUps.flatMap(({ title, details }) => [title, details]),
    ...decided.flatMap((one) => [one.context, one.decision, one.reason, one.acceptedRisk]),
    ...command.situationReports.map(({ content }) => content),
    ...happened.flatMap(({ changes }) => Object.values(changes).flatMap(({ from, to }) => [from, to])),
  ]
  const characters = texts.reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  )
  return Math.max(rows, Math.ceil(characters / ROW_LENGTH))
}

function section(title: string, rows: Extract<Block, { kind: 'table' }>, nothing: string): Block[] {
  const heading = { kind: 'heading', text: title } as const
  return [heading, rows.rows.length > 0 ? rows : { kind: 'note', text: nothing }]
}

function factsOf(facts: ReportFacts): (readonly [string, string])[] {
  const { incident, at } = facts
  const end = incident.resolveTimestamp
  const {
    createTimestamp: start,
    estimatedTimeToRecovery: time,
    estimatedTimeToRecoveryTimeUnit: unit,
  } = incident
  const minutes = recoveryMinutes(time, unit)
  const due = minutes === null ? '' : new Date(Date.parse(start) + minutes * MINUTE).toISOString()
  const targets = incident.targets.map(({ email }) => who(facts, email))
  return [
    ['Number', incident.number],
    ['Type', typeOf(incident)],
    ...detailFacts(incident, facts.details),
    ['Severity', word(incident.severity)],
    ['State', stateOf(incident)],
    ...(incident.outcomeReason ? [['Reason', incident.outcomeReason] as const] : []),
    ['Declared', `${stamp(facts, start)}, by ${who(facts, incident.createdBy)}`],
    [
      'Resolved',
      end === null ? 'Not yet' : `${stamp(facts, end)}, by ${who(facts, incident.resolvedBy ?? '')}`,
    ],
    ['Duration', `${duration(start, end ?? at)}${end === null ? ' until this report' : ''}`],
    [
      'Estimated recovery',
      time === null || unit === null
        ? 'None given'
        : `${many(time, unit.toLowerCase().slice(0, -1))}, until ${stamp(facts, due)}`,
    ],
    ['For', [...(incident.isTargeted ? [] : ['Everybody in the organization']), ...targets].join(', ')],
    ...openTasksFact(incident),
    ['Reference', incident.id],
  ]
}

function openTasksFact({ openTasks, openTasksReason }: IncidentWithPeople): [string, string][] {
  if (openTasks === null) return []
  return [['Open tasks', [OPEN_TASKS[openTasks], openTasksReason ?? []].flat().join(': ')]]
}

/** A text with its formatting where it has any. */
const formatted = (html: string | null, text: string, tone?: Line['tone']): Line =>
  html === null ? say(text, tone) : { runs: [], rich: readRichText(html), ...(tone && { tone }) }
/** Writers of the parts in other files. */
const writers = (facts: ReportFacts) => ({
  times: (at: string) => timeLines(facts, at),
  stamp: (at: string) => stamp(facts, at),
  who: (email: string) => who(facts, email),
  timeTitle: (title: string) => timeTitle(facts, title),
  end: facts.incident.resolveTimestamp,
})
/** Decisions and updates that lead a report. All of them stand in the timeline. */
const DECISIONS_SHOWN = 20
/** The decisions, and the last updates of the team and changes of the incident itself. */
function decisions(facts: ReportFacts): Block[] {
  const numbers = numbersOf(facts)
  const updates = facts.activities
    .filter((one) => !isTask(one))
    .map(({ createTimestamp: at, createdBy: by, title, description, parentActivityId }) => ({
      at,
      by,
      cell: [
        ...(title === '' ? [] : [say(title, 'strong')]),
        say(description),
        ...(parentActivityId ? [say(`On task ${numbers.get(parentActivityId) ?? ''}`, 'muted')] : []),
      ],
    }))
  const changes = facts.happened
    .filter(
      ({ noun, verb }) =>
        noun === 'incidents' && (verb === 'changed' || verb === 'resolved' || verb in CORRECTIONS),
    )
    .map((one) => ({ at: one.at, by: one.actor.name, cell: aboutIncident(one, facts.incident) }))
  const all = [...updates, ...changes].sort((a, b) => a.at.localeCompare(b.at))
  const rows = all
    .slice(-DECISIONS_SHOWN)
    .map(({ at, by, cell }): Cell[] => [[...timeLines(facts, at), ...actor(facts, by)], cell])
  const columns = [
    { title: timeTitle(facts, 'Time, author'), width: 136 },
    { title: 'What was decided or told' },
  ]
  const note = `The last ${DECISIONS_SHOWN} of ${all.length}. All of them are in the timeline.`
  const [heading, ...updatesTable] = section(
    'Decisions and updates',
    { kind: 'table', columns, rows },
    'There were no updates.',
  )
  return [
    heading!,
    ...decisionsTable(facts),
    ...updatesTable,
    ...(all.length > DECISIONS_SHOWN ? [{ kind: 'note', text: note } as const] : []),
  ]
}
/** A stay of a person in a call; `left` is null for one that went on when the report was made. */
interface Stay {
  /** Number of the call, from 1. */
  readonly call: number
  readonly email: string
  readonly joined: string
  left: string | null
}
/** The stays in the calls of the incident's room, in the order in which they began. A second device is a second stay. */
function staysOf(happened: readonly Happening[]): Stay[] {
  const stays: Stay[] = []
  const numbers = new Map<string, number>()
  for (const { noun, verb, record, at, changes } of happened) {
    if (noun !== 'calls') continue
    const call = numbers.get(record) ?? numbers.size + 1
    numbers.set(record, call)
    const open = stays.filter((stay) => stay.call === call && stay.left === null)
    const { from, to } = changes['participants'] ?? { from: null, to: null }
    if (verb === 'started' || verb === 'joined')
      for (const email of strings(to)) stays.push({ call, email, joined: at, left: null })
    else if (verb === 'ended') for (const stay of open) stay.left = at
    else if (verb === 'left')
      for (const email of strings(from)) {
        const stay = open.find((one) => one.email === email)
        if (stay) stay.left = at
      }
  }
  return stays
}
/** Everybody who was in the calls, each from when to when; nothing without a call. */
function calls(facts: ReportFacts): Block[] {
  const stays = staysOf(facts.happened)
  if (stays.length === 0) return []
  const rows = stays.map(({ call, email, joined, left }): Cell[] => [
    plain(String(call)),
    [...actor(facts, email)],
    timeLines(facts, joined),
    left === null
      ? plain('Still in the call')
      : [...timeLines(facts, left), say(duration(joined, left), 'muted')],
  ])
  const columns = [
    { title: 'Call', width: 30 },
    { title: 'Name' },
    { title: timeTitle(facts, 'Time from'), width: 136 },
    { title: timeTitle(facts, 'Time until'), width: 136 },
  ]
  return [
    { kind: 'heading', text: 'Who was in calls' },
    { kind: 'table', columns, rows },
  ]
}

function attachments(facts: ReportFacts): Extract<Block, { kind: 'table' }> {
  const numbers = numbersOf(facts)
  const carriers = ({ carriers: ids }: FileRow) => ids.map((id) => carrier(id, numbers)).join('')
  const rows = facts.files.map((file): Cell[] => [
    [say(`${wholeName(file)}${carriers(file)}`, 'strong'), say(file.sha256, 'muted')],
    plain(bytes(file.size)),
    [...timeLines(facts, file.createTimestamp), say(file.createdByName), say(file.createdBy, 'muted')],
  ])
  const columns = [
    { title: 'File, SHA-256' },
    { title: 'Size', width: 92 },
    { title: timeTitle(facts, 'Time, author'), width: 136 },
  ]
  return { kind: 'table', columns, rows }
}

const TASKS = [
  { title: 'No.', width: 26 },
  { title: 'Task' },
  { title: 'Owner', width: 96 },
  { title: 'Priority', width: 42 },
  { title: 'Status', width: 62 },
]
/** The reason why a task was skipped: the nearest skipped condition. */
function skippedLine({ conditions }: ReportFacts, { conditionId, isSkipped, progress }: AssignedRow): Line[] {
  if (!isSkipped || progress === 100) return []
  const byId = new Map(conditions.map((one) => [one.id, one]))
  let at = byId.get(conditionId ?? '')
  while (at && at.answer !== 'SKIPPED') at = byId.get(at.parentId ?? '')
  if (!at) return []
  const why = at.reason === null ? '' : `: ${at.reason}`
  return [say(`Skipped by ${at.decidedBy}${why} (only if ${at.condition})`)]
}

/** The state of a task: skipped with its section, or not needed since the incident ended. */
function stateWord(task: AssignedRow, isNotNeeded: boolean): string {
  if (task.progress < 100 && task.isSkipped) return 'Skipped'
  return isNotNeeded && isIncomplete(task) ? OPEN_TASKS.NOT_NEEDED : word(task.status)
}

function tasks(facts: ReportFacts): Extract<Block, { kind: 'table' }> {
  const numbers = numbersOf(facts)
  const changes = Map.groupBy(
    facts.happened.filter(({ noun, verb }) => noun === 'activities' && verb === 'changed'),
    ({ record }) => record,
  )
  const all = facts.activities.filter(isTask)
  const isNotNeeded = facts.incident.openTasks === 'NOT_NEEDED'
  const rows = all.map((task, n): Cell[] => {
    const beginsSection = task.section !== null && task.section !== all[n - 1]?.section
    const owner = task.email
      ? [say(`${task.firstName} ${task.lastName}`.trim()), say(task.email, 'muted')]
      : plain('Nobody')
    return [
      plain(String(numbers.get(task.id))),
      [
        say(task.title, 'strong'),
        formatted(task.formattedDescription, task.description),
        ...(task.section ? [say(`Section: ${task.section}`, 'muted')] : []),
        ...(beginsSection && task.sectionDescription
          ? [formatted(task.formattedSectionDescription, task.sectionDescription, 'muted')]
          : []),
        ...(task.idealTitleToExecute ? [say(`Ideal title: ${task.idealTitleToExecute}`, 'muted')] : []),
        ...(task.expectedTimeToComplete
          ? [say(`Expected time: ${many(task.expectedTimeToComplete, 'minute')}`, 'muted')]
          : []),
        ...(task.dueTimestamp ? [say(`Due: ${utc(task.dueTimestamp)}`, 'muted')] : []),
        ...skippedLine(facts, task),
        ...(changes.get(task.id) ?? []).map(({ at, actor, changes: all }) =>
          say(
            `${facts.timeZone === '' ? moment(at) : stamp(facts, at)} ${actor.name}: ${changed(all).join('; ')}`,
            'muted',
          ),
        ),
      ],
      owner,
      plain(word(task.priority)),
      [say(stateWord(task, isNotNeeded)), say(`${task.progress} %`, 'muted')],
    ]
  })
  return { kind: 'table', columns: TASKS, rows }
}

const checkIns = (facts: ReportFacts): Extract<Block, { kind: 'table' }> => ({
  kind: 'table',
  columns: [
    { title: 'Name' },
    { title: 'Email', width: 190 },
    { title: timeTitle(facts, 'Time'), width: 136 },
  ],
  rows: facts.incident.checkIns.map(({ name, email, timestamp }) => [
    plain(name),
    plain(email),
    timeLines(facts, timestamp),
  ]),
})

const MISSING = [{ title: 'Name' }, { title: 'Email', width: 310 }]
const missing = (facts: ReportFacts): Extract<Block, { kind: 'table' }> => ({
  kind: 'table',
  columns: MISSING,
  rows: facts.missing.map((person) => [plain(fullName(person)), plain(person.email)]),
})
