import { cut, splitEnds } from '#contract/kit/cut.ts'
import { TYPE_LABELS } from '#contract/mass-notifications/rules.ts'
import type { NotificationType } from '#contract/mass-notifications/schema.ts'
import { isIncomplete, recoveryMinutes } from '#contract/incidents/rules.ts'
import type { OpenTasks } from '#contract/incidents/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { fullName } from '#contract/kit/names.ts'
import { MINUTE } from '#server/kit/core/clock.ts'
import type { Changes } from '#server/kit/core/event.ts'
import type { Block, Cell, Line, PdfDocument } from '#server/kit/pdf/pdf.ts'
import { plainText, readRichText } from '#server/kit/core/rich-text.ts'

import type { FileRow } from '#server/attachments/store.ts'
import type { ConditionRow } from '#server/incident-playbooks/conditions.store.ts'
import type { AssignedRow } from '#server/incidents/activities.store.ts'
import type { Happening } from '#server/incidents/history.store.ts'
import type { IncidentWithPeople } from '#server/incidents/reading.store.ts'

export interface ReportFacts {
  readonly incident: IncidentWithPeople
  readonly activities: readonly AssignedRow[]
  readonly files: readonly FileRow[]
  readonly conditions: readonly Pick<
    ConditionRow,
    'id' | 'condition' | 'parentId' | 'answer' | 'reason' | 'decidedBy'
  >[]
  readonly happened: readonly Happening[]
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

const typeOf = ({ isTabletop }: { isTabletop: boolean }) => (isTabletop ? 'Exercise' : 'Incident')

/** The file name of a report. */
export function fileName({ incident, at }: ReportFacts): string {
  const words = incident.title.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
  const [, slug] = splitEnds(cut(words, 60), (character) => character === '_')
  return [typeOf(incident), 'Report', slug, at.slice(0, 10)].filter(Boolean).join('_') + '.pdf'
}

/** The name behind an address; undefined for unknown people and for keys. */
const nameOf = ({ people }: ReportFacts, email: string): string | undefined => {
  const person = people.find((one) => one.email === email)
  return (person && fullName(person)) || undefined
}
/** A person's name and address. */
const who = (facts: ReportFacts, email: string): string => {
  const name = nameOf(facts, email)
  return name ? `${name} (${email})` : email
}

/** A time as the report writes it, in UTC. */
const moment = (at: string) => at.slice(0, 19).replace('T', ' ')
const utc = (at: string) => `${moment(at)} UTC`

/** Formatters of a time zone, which are expensive to make. */
interface ZoneFormat {
  readonly time: Intl.DateTimeFormat
  readonly offset: Intl.DateTimeFormat
}
const zoneFormats = new Map<string, ZoneFormat>()
function zoneFormat(timeZone: string): ZoneFormat {
  const known = zoneFormats.get(timeZone)
  if (known) return known
  const made = {
    // Swedish dates are ISO 8601.
    time: new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
    offset: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
  }
  zoneFormats.set(timeZone, made)
  return made
}
/** A time in the organisation's zone, with its offset from UTC. */
function zoned(timeZone: string, at: string): string {
  const date = new Date(at)
  const { time, offset } = zoneFormat(timeZone)
  const name = offset.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${time.format(date)} ${name.replace('GMT', '') || '+00:00'}`
}
/** A time in a sentence: in the organisation's zone, with UTC beside it. */
const stamp = ({ timeZone }: ReportFacts, at: string): string =>
  timeZone === '' ? utc(at) : `${zoned(timeZone, at)} (${utc(at)})`
/** A time in a cell. */
const timeLines = ({ timeZone }: ReportFacts, at: string): Line[] =>
  timeZone === '' ? [say(moment(at))] : [say(zoned(timeZone, at)), say(utc(at), 'muted')]
/** Title of a column of times. */
const timeTitle = ({ timeZone }: ReportFacts, title: string): string =>
  timeZone === '' ? title.replace('Time', 'Time (UTC)') : title

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
const many = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

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
    ...decisions(facts),
    { kind: 'heading', text: 'Description' },
    { kind: 'rich', blocks: readRichText(incident.fullText) },
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
export function lengthOf({ incident, activities, files, happened, missing: absent }: ReportFacts): number {
  const rows = [happened, activities, files, incident.checkIns, absent].reduce(
    (sum, { length }) => sum + length,
    0,
  )
  const texts = [
    incident.fullText,
    incident.postmortemDetails,
    ...activities.flatMap(({ title, description }) => [title, description]),
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
    ['Type', typeOf(incident)],
    ['Severity', word(incident.severity)],
    ['State', incident.isActive ? 'Ongoing' : 'Resolved'],
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

/** The fate of the open tasks of a resolved incident. */
const OPEN_TASKS: { readonly [O in OpenTasks]: string } = { LEFT_OPEN: 'Left open', NOT_NEEDED: 'Not needed' }
function openTasksFact({ openTasks, openTasksReason }: IncidentWithPeople): [string, string][] {
  if (openTasks === null) return []
  return [['Open tasks', [OPEN_TASKS[openTasks], openTasksReason ?? []].flat().join(': ')]]
}

const WORDS: { readonly [value: string]: string } = {
  ...OPEN_TASKS,
  TO_DO: 'To Do',
  IN_PROGRESS: 'In Progress',
}
const word = (value: string) => WORDS[value] ?? value.charAt(0) + value.slice(1).toLowerCase()
const say = (text: string, tone?: Line['tone']): Line => ({ runs: [{ text }], ...(tone ? { tone } : {}) })
/** A text with its formatting where it has any. */
const formatted = (html: string | null, text: string, tone?: Line['tone']): Line =>
  html === null ? say(text, tone) : { runs: [], rich: readRichText(html), ...(tone && { tone }) }
const plain = (text: string): Cell => [say(text)]

const FIELDS: { readonly [field: string]: string } = {
  title: 'Title',
  fullText: 'Description',
  description: 'Description',
  severity: 'Severity',
  isTabletop: 'Exercise',
  estimatedTimeToRecovery: 'Estimated recovery',
  estimatedTimeToRecoveryTimeUnit: 'Unit of the estimate',
  targetedUsers: 'For',
  postmortemDetails: 'Analysis',
  status: 'Status',
  priority: 'Priority',
  progress: 'Progress',
  assignedTo: 'Owner',
  idealTitleToExecute: 'Ideal title',
  expectedTimeToComplete: 'Expected time',
  section: 'Section',
  dueTimestamp: 'Due',
  attachedFileIds: 'Files',
  openTasks: 'Open tasks',
  openTasksReason: 'Reason',
}
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
function displayText(field: string, value: unknown): string {
  if (value === null || value === '') return field === 'targetedUsers' ? 'everybody' : 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'everybody' : value.join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field === 'progress') return `${textOf(value)} %`
  if (field === 'expectedTimeToComplete') return many(Number(value), 'minute')
  if (field === 'dueTimestamp') return utc(textOf(value))
  if (field === 'fullText' || field === 'postmortemDetails') return plainText(textOf(value))
  const isWord = ['severity', 'status', 'priority', 'estimatedTimeToRecoveryTimeUnit', 'openTasks'].includes(
    field,
  )
  return isWord ? word(textOf(value)) : textOf(value)
}
/** Each change as a line with the old and new value. */
const changed = (changes: Changes): string[] =>
  Object.entries(changes).map(([field, { from, to }]) =>
    field === 'formatting'
      ? 'Formatting of the description changed'
      : `${FIELDS[field] ?? field}: ${displayText(field, from)} → ${displayText(field, to)}`,
  )

/** Numbers tasks in the order in which they were added; a deleted one keeps its number. */
function numbersOf({ happened, activities }: ReportFacts): Map<string, number> {
  const added = happened.filter(({ noun, verb, changes }) => {
    return noun === 'activities' && verb === 'added' && changes['type']?.to === 'TASK'
  })
  const ids = new Set([
    ...added.map(({ record }) => record),
    ...activities.filter(isTask).map(({ id }) => id),
  ])
  return new Map(Array.from(ids, (id, n) => [id, n + 1]))
}
const isTask = ({ type }: AssignedRow) => type === 'TASK'

/** Acts of one author, second and kind, which are one row. */
type Acts = readonly [Happening, ...Happening[]]
/** Kind of an act that may share a row with the next one; null for acts that stand alone. */
const kindOf = ({ noun, verb, changes, actor, at }: Happening): string | null => {
  const isNew = verb === 'added' && (noun === 'attachments' || changes['type']?.to === 'TASK')
  const isAssigned =
    noun === 'activities' && verb === 'changed' && Object.keys(changes).join() === 'assignedTo'
  if (!isNew && !isAssigned) return null
  return [noun, verb, actor.name, moment(at), isAssigned && changes['assignedTo']?.to].join(' ')
}
function grouped(happened: readonly Happening[]): Acts[] {
  const rows: [Happening, ...Happening[]][] = []
  for (const one of happened) {
    const last = rows.at(-1)
    if (last && kindOf(one) !== null && kindOf(last[0]) === kindOf(one)) last.push(one)
    else rows.push([one])
  }
  return rows
}
function timeline(facts: ReportFacts): Extract<Block, { kind: 'table' }> {
  const numbers = numbersOf(facts)
  const about = (one: Happening): Cell => {
    if (one.noun === 'incidents') return aboutIncident(one, facts.incident)
    if (one.noun === 'attachments') return aboutFile(one, numbers)
    if (one.noun === 'incident-playbooks') return aboutPlaybook(one)
    if (one.noun === 'incident-nudges') return aboutNudge(facts, one)
    if (one.noun === 'mass-notifications') return aboutNotification(facts, one)
    if (one.noun === 'incident-answers') return aboutIncidentAnswer(one)
    return one.noun === 'calls' ? aboutCall(facts, one) : aboutActivity(one, numbers)
  }
  const told = facts.happened.filter(({ noun }) => TOLD.includes(noun))
  const rows = grouped(told).map((acts, n): Cell[] => {
    const [{ at, actor: by }, ...more] = acts
    const cell = more.length > 0 ? aboutSeveral(acts, facts.happened, about) : about(acts[0])
    return [plain(String(n + 1)), [...timeLines(facts, at), ...actor(facts, by.name)], cell]
  })
  const columns = [
    { title: 'No.', width: 26 },
    { title: timeTitle(facts, 'Time, author'), width: 136 },
    { title: 'What happened' },
  ]
  return { kind: 'table', columns, rows }
}
/** The number of acts in a row, with a line of each. Tasks of a playbook are those added with it in one second. */
function aboutSeveral(acts: Acts, happened: readonly Happening[], about: (one: Happening) => Cell): Cell {
  const [{ noun, verb, at }] = acts
  const playbook = happened.find((one) => one.noun === 'incident-playbooks' && moment(one.at) === moment(at))
  const name = playbook?.changes['name']?.to
  const of = typeof name === 'string' ? ` of the playbook “${name}”` : ''
  const heading =
    noun === 'attachments'
      ? `${acts.length} files added`
      : `${acts.length} tasks${of} ${verb === 'added' ? 'added' : 'assigned'}`
  const lines = acts.flatMap((one) =>
    noun === 'activities' && verb === 'added' ? about(one).slice(0, 1) : about(one),
  )
  return [
    say(heading, 'strong'),
    ...lines.map(({ runs, tone }) => (tone === 'strong' ? { runs } : { runs, tone: 'muted' as const })),
  ]
}
/** Decisions and updates that lead a report. All of them stand in the timeline. */
const DECISIONS_SHOWN = 20
/** The last updates of the team and changes of the incident itself. */
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
    .filter(({ noun, verb }) => noun === 'incidents' && (verb === 'changed' || verb === 'resolved'))
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
  return [
    ...section('Decisions and updates', { kind: 'table', columns, rows }, 'There were no updates.'),
    ...(all.length > DECISIONS_SHOWN ? [{ kind: 'note', text: note } as const] : []),
  ]
}
/** The author of an event: name, with the address below it. */
function actor(facts: ReportFacts, email: string): Line[] {
  const name = nameOf(facts, email)
  return name ? [say(name), say(email, 'muted')] : [say(email, 'muted')]
}
const TOLD = [
  'incidents',
  'activities',
  'attachments',
  'incident-playbooks',
  'incident-nudges',
  'incident-answers',
  'mass-notifications',
  'calls',
]

function aboutIncident({ verb, changes }: Happening, incident: IncidentWithPeople): Cell {
  const type = typeOf(incident)
  if (verb === 'created') {
    const title = displayText('title', changes['title']?.to)
    return [
      say(`${type} declared: ${title}`, 'strong'),
      say(`Severity: ${displayText('severity', changes['severity']?.to)}`),
    ]
  }
  if (verb === 'resolved') {
    const { isActive: _, ...said } = changes
    return [say(`${type} resolved`, 'strong'), ...changed(said).map((text) => say(text))]
  }
  const heading = verb === 'analysed' ? 'Analysis written' : `${type} changed`
  const { fullText, postmortemDetails, ...short } = changes
  const before = fullText?.from ?? postmortemDetails?.from
  return [
    say(heading, 'strong'),
    ...changed(short).map((text) => say(text)),
    // The new text is in its own section, or in the event of the next change.
    ...(fullText || before
      ? [say('The text was before:', 'muted'), say(plainText(textOf(before ?? '')))]
      : []),
  ]
}

function aboutActivity({ record: id, verb, changes }: Happening, numbers: Map<string, number>): Cell {
  const now = (field: string) =>
    displayText(field, (verb === 'removed' ? changes[field]?.from : changes[field]?.to) ?? '')
  const has = (field: string) => now(field) !== 'none'
  const number = numbers.get(id)
  const parent = changes['parentActivityId']?.to ?? changes['parentActivityId']?.from
  const below = typeof parent === 'string' ? ` on task ${numbers.get(parent) ?? ''}` : ''
  const what = number === undefined ? `Update${below}` : `Task ${number}`
  if (verb === 'changed')
    return [say(`${what} changed`, 'strong'), ...changed(changes).map((text) => say(text))]
  const title = has('title') ? `: ${now('title')}` : ''
  const state = [
    'assignedTo',
    'priority',
    'status',
    'progress',
    'idealTitleToExecute',
    'expectedTimeToComplete',
    'section',
    'dueTimestamp',
  ]
    .filter((field) => number !== undefined && has(field))
    .map((field) => `${FIELDS[field]}: ${now(field)}`)
  const heading =
    number === undefined && verb === 'added' ? `${what}${title}` : `${what} ${DONE[verb] ?? verb}${title}`
  return [
    say(heading, 'strong'),
    ...(has('description') ? [say(now('description'))] : []),
    ...(has('attachedFileIds') ? [say(`Files: ${now('attachedFileIds')}`, 'muted')] : []),
    ...(state.length > 0 ? [say(state.join(' · '), 'muted')] : []),
  ]
}
const DONE: { readonly [verb: string]: string } = { added: 'added', removed: 'deleted' }

const ACTS: { readonly [act: string]: string } = {
  ROOM: 'Breakout room created',
  PEOPLE: 'People added',
  MESSAGE: 'First message sent',
  NOTIFICATION: 'Notification prepared',
}
const actsText = (value: unknown): string =>
  (Array.isArray(value) ? value : []).map((act) => ACTS[String(act)] ?? String(act)).join(', ')
const ANSWERS: { readonly [answer: string]: string } = {
  OPEN: 'Brought back',
  APPLIES: 'Applies',
  SKIPPED: 'Skipped',
}
const aboutStart = ({ changes }: Happening): Cell => {
  const { acts, people, firstMessage, leftOut } = changes
  return [
    say(`Done by the playbook at the start: ${actsText(acts?.to) || 'nothing'}`, 'strong'),
    ...(people ? [say(`People: ${displayText('targetedUsers', people.to)}`)] : []),
    ...(firstMessage ? [say(textOf(firstMessage.to))] : []),
    ...(leftOut ? [say(`Left out for lack of permission: ${actsText(leftOut.to)}`, 'muted')] : []),
  ]
}
const aboutAnswer = ({ changes }: Happening): Cell => [
  say(`${ANSWERS[textOf(changes['answer']?.to)] ?? ''}: ${textOf(changes['section']?.to ?? '')}`, 'strong'),
  say(`Only if ${textOf(changes['condition']?.to ?? '')}`),
  ...(changes['reason'] ? [say(`Reason: ${textOf(changes['reason'].to)}`)] : []),
]
function aboutPlaybook(one: Happening): Cell {
  if (one.verb === 'started') return aboutStart(one)
  return one.verb === 'condition answered' ? aboutAnswer(one) : aboutAdded(one)
}
const aboutAdded = ({ changes }: Happening): Cell => [
  say(`Playbook added: ${displayText('name', changes['name']?.to ?? '')}`, 'strong'),
  say(`Version ${textOf(changes['version']?.to ?? '')}`, 'muted'),
]

const listed = new Intl.ListFormat('en-GB')
/** People of an event by name, as a list in a sentence. */
function peopleIn(facts: ReportFacts, { from, to }: Changes[string] = { from: null, to: null }): string {
  const emails = [to ?? from].flat().filter((one) => typeof one === 'string')
  return listed.format(emails.map((email) => nameOf(facts, email) ?? email))
}

const CALLS: { readonly [verb: string]: string } = {
  started: 'started a call.',
  joined: 'joined the call.',
  left: 'left the call.',
  declined: 'declined the call.',
  missed: 'did not answer the call.',
}
/** A sentence about an act in a call. */
function aboutCall(facts: ReportFacts, { verb, changes, actor: { name } }: Happening): Cell {
  const people = peopleIn(facts, changes['participants'])
  if (verb === 'ended')
    return plain(people === '' ? 'The call ended.' : `The call ended with ${people} in it.`)
  if (verb === 'rung') return plain(`${nameOf(facts, name) ?? name} called ${people}.`)
  return plain(`${people} ${CALLS[verb] ?? `: ${verb}.`}`)
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

const NUDGES: { readonly [channel: string]: string } = {
  MESSAGE: 'message',
  SMS: 'SMS',
  CALL: 'a call',
}
function aboutNudge(facts: ReportFacts, { changes, actor: { name } }: Happening): Cell {
  const channel = NUDGES[textOf(changes['channel']?.to)] ?? 'message'
  const people = peopleIn(facts, changes['people'])
  return plain(`${nameOf(facts, name) ?? name} asked ${people} by ${channel} to check in.`)
}

const strings = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter((one) => typeof one === 'string')
const ASKED: { readonly [asked: string]: readonly [one: string, several: string] } = {
  PERSON: ['person was asked again', 'people were asked again'],
  DEPUTY: ['deputy was asked', 'deputies were asked'],
  NEXT: ['person of the group was asked next', 'people of the group were asked next'],
}
/** A step of an escalation with its number of people, or its end by somebody. */
function aboutEscalation(verb: string, changes: Happening['changes']): Cell {
  const title = changes['title']?.to ? [say(textOf(changes['title'].to))] : []
  if (verb !== 'escalated') return [say('Escalation stopped', 'strong'), ...title]
  const people = Number(changes['peopleNotified']?.to ?? 0)
  const [one, several] = ASKED[textOf(changes['asked']?.to)] ?? ASKED['PERSON']!
  const by = strings(changes['types']?.to).map((type) => TYPE_LABELS[type as NotificationType] ?? type)
  const line = `Escalation, step ${textOf(changes['step']?.to)}: ${people} ${people === 1 ? one : several}`
  const skipped = Number(changes['skipped']?.to ?? 0)
  return [
    say(line, 'strong'),
    ...title,
    say(`By ${by.join(', ')}`),
    ...(skipped > 0 ? [say(`Not asked: ${skipped}`)] : []),
  ]
}
/** A notification about the incident, with the answers until the report was made. */
function aboutNotification({ answers }: ReportFacts, { record: id, verb, changes }: Happening): Cell {
  if (verb !== 'sent') return aboutEscalation(verb, changes)
  const people = Number(changes['peopleNotified']?.to ?? 0)
  const counted = strings(changes['answers']?.to).map(
    (label) => `${label}: ${answers.get(id)?.get(label) ?? 0}`,
  )
  return [
    say(`Notification sent to ${people} ${people === 1 ? 'person' : 'people'}`, 'strong'),
    ...(changes['title']?.to ? [say(textOf(changes['title'].to))] : []),
    ...(counted.length > 0 ? [say(`Answers until this report: ${counted.join(', ')}`)] : []),
  ]
}

const ANSWERED: { readonly [verb: string]: string } = {
  'called for help': 'Help called for',
  'needs no more help': 'Help no longer called for',
  'answered on behalf': 'Answer entered on behalf',
}
function aboutIncidentAnswer({ verb, changes }: Happening): Cell {
  const { person, answer, note, reason } = changes
  return [
    say(`${ANSWERED[verb] ?? verb}: ${textOf(person?.to)}`, 'strong'),
    say(textOf(answer?.to)),
    ...(note?.to ? [say(textOf(note.to))] : []),
    ...(reason ? [say(`Entered on behalf: ${textOf(reason.to)}`, 'muted')] : []),
  ]
}

/** Exact size, so that copies can be compared. */
const bytes = (size: number) => `${size.toLocaleString('en-US')} bytes`

function aboutFile({ verb, changes }: Happening, numbers: Map<string, number>): Cell {
  const of = (field: string) => changes[field]?.to ?? changes[field]?.from ?? ''
  const name = wholeName({ name: textOf(of('name')), extension: textOf(of('extension')) })
  return [
    say(`File ${DONE[verb] ?? verb}${carrier(of('activityId'), numbers)}: ${name}`, 'strong'),
    say(`${bytes(Number(of('size')))} · SHA-256 ${textOf(of('sha256'))}`, 'muted'),
  ]
}
const carrier = (activityId: unknown, numbers: Map<string, number>): string =>
  typeof activityId !== 'string' || activityId === ''
    ? ''
    : numbers.has(activityId)
      ? ` (task ${numbers.get(activityId)})`
      : ' (update)'

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
