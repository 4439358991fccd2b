import { wholeName } from '#contract/kit/files.ts'
import { fullName } from '#contract/kit/names.ts'
import { TYPE_LABELS } from '#contract/mass-notifications/rules.ts'
import type { NotificationType } from '#contract/mass-notifications/schema.ts'
import type { OpenTasks, Outcome } from '#contract/incidents/schema.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { plainText } from '#server/kit/core/rich-text.ts'
import type { Cell, Line } from '#server/kit/pdf/pdf.ts'

import { isOwnField, ownLabel } from '#server/incident-fields/sentences.content.ts'
import type { AssignedRow } from '#server/incidents/activities.store.ts'
import type { Happening } from '#server/incidents/history.store.ts'

import type { EntryRow } from './store.ts'

/** Facts from which the sentences of a timeline are made, for the page and for the report alike. */
export interface Telling {
  readonly incident: { readonly isTabletop: boolean }
  /** People behind the addresses in the events. */
  readonly people: readonly {
    readonly firstName: string
    readonly lastName: string
    readonly email: string
  }[]
  /** Numbers of answers to the questions of its notifications, by notification and label. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Time until which they were counted, in a sentence. */
  readonly answersUntil: string
  /** IANA name; empty for UTC alone. */
  readonly timeZone: string
}
/** Facts with the lookups that sentences need: numbers of tasks, and names of playbooks by the second of their addition. */
export interface Lookups extends Telling {
  readonly numbers: ReadonlyMap<string, number>
  readonly playbooks: ReadonlyMap<string, string>
}

/** An act of the timeline: an event, at the time when it happened, or an entry by hand. */
export interface Act extends Happening {
  /** Time at which it was recorded, where `at` is another one. */
  readonly recordedAt?: string
  readonly entry?: EntryRow
}

/** Nouns of the event stream whose acts stand in the timeline of a report; check-ins have a table of their own there. */
export const TOLD = [
  'incidents',
  'activities',
  'attachments',
  'incident-playbooks',
  'incident-nudges',
  'incident-answers',
  'incident-decisions',
  'incident-roles',
  'situation-reports',
  'stakeholder-links',
  'follow-ups',
  'duties',
  'mass-notifications',
  'calls',
]

export const typeOf = ({ isTabletop }: { isTabletop: boolean }) => (isTabletop ? 'Exercise' : 'Incident')

/** The name behind an address; undefined for unknown people and for keys. */
export const nameOf = ({ people }: Pick<Telling, 'people'>, email: string): string | undefined => {
  const person = people.find((one) => one.email === email)
  return (person && fullName(person)) || undefined
}

/** A time as the report writes it, in UTC. */
export const moment = (at: string) => at.slice(0, 19).replace('T', ' ')
export const utc = (at: string) => `${moment(at)} UTC`

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
export const stamp = ({ timeZone }: Pick<Telling, 'timeZone'>, at: string): string =>
  timeZone === '' ? utc(at) : `${zoned(timeZone, at)} (${utc(at)})`
/** A time in a cell. */
export const timeLines = ({ timeZone }: Pick<Telling, 'timeZone'>, at: string): Line[] =>
  timeZone === '' ? [say(moment(at))] : [say(zoned(timeZone, at)), say(utc(at), 'muted')]
/** Title of a column of times. */
export const timeTitle = ({ timeZone }: Pick<Telling, 'timeZone'>, title: string): string =>
  timeZone === '' ? title.replace('Time', 'Time (UTC)') : title

export const many = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** The fate of the open tasks of a resolved incident. */
export const OPEN_TASKS: { readonly [O in OpenTasks]: string } = {
  LEFT_OPEN: 'Left open',
  NOT_NEEDED: 'Not needed',
}

/** The state of an incident that was resolved as something else than a handled one. */
const OUTCOMES: { readonly [O in Outcome]: string } = {
  FALSE_ALARM: 'False alarm',
  MERGED: 'Merged',
}
/** The state of an incident in the words of its screens. */
export const stateOf = (incident: { readonly isActive: boolean; readonly outcome: Outcome | null }): string =>
  incident.isActive ? 'Ongoing' : incident.outcome === null ? 'Resolved' : OUTCOMES[incident.outcome]

/** Headings of events that correct an incident, by their verb. */
export const CORRECTIONS: { readonly [verb: string]: string } = {
  reopened: 'reopened',
  merged: 'merged into another one',
  'duplicate received': 'received a duplicate',
}
/** Names of the fields of corrections. */
const CORRECTED_FIELDS: { readonly [field: string]: string } = {
  outcome: 'Outcome',
  outcomeReason: 'Reason of the outcome',
  mergedInto: 'Merged into',
  duplicate: 'Also reported as',
  tasksCopied: 'Tasks copied from it',
  reason: 'Reason',
}
/** A change in one sentence where the reader needs no old value: reasons, and links to other incidents. */
const isSaidAlone = (field: string, from: unknown): boolean => field in CORRECTED_FIELDS && from === null

const WORDS: { readonly [value: string]: string } = {
  ...OPEN_TASKS,
  ...OUTCOMES,
  TO_DO: 'To Do',
  IN_PROGRESS: 'In Progress',
}
export const word = (value: string) => WORDS[value] ?? value.charAt(0) + value.slice(1).toLowerCase()
export const say = (text: string, tone?: Line['tone']): Line => ({
  runs: [{ text }],
  ...(tone ? { tone } : {}),
})

export const plain = (text: string): Cell => [say(text)]

export const FIELDS: { readonly [field: string]: string } = {
  title: 'Title',
  number: 'Number',
  fullText: 'Description',
  description: 'Description',
  severity: 'Severity',
  isTabletop: 'Exercise',
  kind: 'Kind',
  labels: 'Labels',
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
  ...CORRECTED_FIELDS,
}
export const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
export function displayText(field: string, value: unknown): string {
  if (value === null || value === '') return field === 'targetedUsers' ? 'everybody' : 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'everybody' : value.join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field === 'progress') return `${textOf(value)} %`
  if (field === 'expectedTimeToComplete') return many(Number(value), 'minute')
  if (field === 'dueTimestamp') return utc(textOf(value))
  if (field === 'fullText' || field === 'postmortemDetails') return plainText(textOf(value))
  const isWord = [
    'severity',
    'status',
    'priority',
    'estimatedTimeToRecoveryTimeUnit',
    'openTasks',
    'outcome',
  ].includes(field)
  return isWord ? word(textOf(value)) : textOf(value)
}
/** The name of a field in an event; fields of the organisation carry their label. */
const fieldName = (field: string): string => FIELDS[field] ?? (isOwnField(field) ? ownLabel(field) : field)
/** Each change as a line with the old and new value. */
export const changed = (changes: Changes): string[] =>
  Object.entries(changes).map(([field, { from, to }]) =>
    field === 'formatting'
      ? 'Formatting of the description changed'
      : isSaidAlone(field, from)
        ? `${FIELDS[field]}: ${displayText(field, to)}`
        : `${fieldName(field)}: ${displayText(field, from)} → ${displayText(field, to)}`,
  )

/** Numbers tasks in the order in which they were added; a deleted one keeps its number. */
export function numbersOf({
  happened,
  activities,
}: {
  readonly happened: readonly Happening[]
  readonly activities: readonly AssignedRow[]
}): Map<string, number> {
  const added = happened.filter(({ noun, verb, changes }) => {
    return noun === 'activities' && verb === 'added' && changes['type']?.to === 'TASK'
  })
  const ids = new Set([
    ...added.map(({ record }) => record),
    ...activities.filter(isTask).map(({ id }) => id),
  ])
  return new Map(Array.from(ids, (id, n) => [id, n + 1]))
}
export const isTask = ({ type }: Pick<AssignedRow, 'type'>) => type === 'TASK'

/** Acts of one author, second and kind, which are one row. */
type Acts = readonly [Act, ...Act[]]
/** Kind of an act that may share a row with the next one; null for acts that stand alone. */
export const groupOf = ({ noun, verb, changes, actor, at }: Happening): string | null => {
  const isNew = verb === 'added' && (noun === 'attachments' || changes['type']?.to === 'TASK')
  const isAssigned =
    noun === 'activities' && verb === 'changed' && Object.keys(changes).join() === 'assignedTo'
  if (!isNew && !isAssigned) return null
  return [noun, verb, actor.name, moment(at), isAssigned && changes['assignedTo']?.to].join(' ')
}
/** Acts in their order, in rows. */
export function grouped(happened: readonly Act[]): Acts[] {
  const rows: [Act, ...Act[]][] = []
  for (const one of happened) {
    const last = rows.at(-1)
    if (last && groupOf(one) !== null && groupOf(last[0]) === groupOf(one)) last.push(one)
    else rows.push([one])
  }
  return rows
}

/** The number of acts in a row, with a line of each. Tasks of a playbook are those added with it in one second. */
function aboutSeveral(facts: Lookups, acts: Acts): Cell {
  const [{ noun, verb, at }] = acts
  const about = (one: Act) => aboutOne(facts, one)
  const name = facts.playbooks.get(moment(at))
  const of = name === undefined ? '' : ` of the playbook “${name}”`
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

/** The author of an event: name, with the address below it. */
export function actor(facts: Pick<Telling, 'people'>, email: string): Line[] {
  const name = nameOf(facts, email)
  return name ? [say(name), say(email, 'muted')] : [say(email, 'muted')]
}

/** A sentence about the incident itself. */
export function aboutIncident({ verb, changes }: Happening, incident: Telling['incident']): Cell {
  const type = typeOf(incident)
  if (verb === 'created') {
    const title = displayText('title', changes['title']?.to)
    return [
      say(`${type} declared: ${title}`, 'strong'),
      say(`Severity: ${displayText('severity', changes['severity']?.to)}`),
      ...Object.entries(changes).flatMap(([field, { to }]) =>
        isOwnField(field) ? [say(`${fieldName(field)}: ${displayText(field, to)}`)] : [],
      ),
    ]
  }
  if (verb === 'resolved') {
    const { isActive: _, ...said } = changes
    return [say(`${type} resolved`, 'strong'), ...changed(said).map((text) => say(text))]
  }
  if (CORRECTIONS[verb] !== undefined) {
    const { isActive: _, ...said } = changes
    return [say(`${type} ${CORRECTIONS[verb]}`, 'strong'), ...changed(said).map((text) => say(text))]
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

function aboutActivity({ record: id, verb, changes }: Happening, numbers: ReadonlyMap<string, number>): Cell {
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
function peopleIn(facts: Telling, { from, to }: Changes[string] = { from: null, to: null }): string {
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
function aboutCall(facts: Telling, { verb, changes, actor: { name } }: Happening): Cell {
  const people = peopleIn(facts, changes['participants'])
  if (verb === 'ended')
    return plain(people === '' ? 'The call ended.' : `The call ended with ${people} in it.`)
  if (verb === 'rung') return plain(`${nameOf(facts, name) ?? name} called ${people}.`)
  return plain(`${people} ${CALLS[verb] ?? `: ${verb}.`}`)
}

const NUDGES: { readonly [channel: string]: string } = {
  MESSAGE: 'message',
  SMS: 'SMS',
  CALL: 'a call',
}
function aboutNudge(facts: Telling, { changes, actor: { name } }: Happening): Cell {
  const channel = NUDGES[textOf(changes['channel']?.to)] ?? 'message'
  const people = peopleIn(facts, changes['people'])
  return plain(`${nameOf(facts, name) ?? name} asked ${people} by ${channel} to check in.`)
}

export const strings = (value: unknown): string[] =>
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
function aboutNotification(
  { answers, answersUntil }: Telling,
  { record: id, verb, changes }: Happening,
): Cell {
  if (verb !== 'sent') return aboutEscalation(verb, changes)
  const people = Number(changes['peopleNotified']?.to ?? 0)
  const counted = strings(changes['answers']?.to).map(
    (label) => `${label}: ${answers.get(id)?.get(label) ?? 0}`,
  )
  return [
    say(`Notification sent to ${people} ${people === 1 ? 'person' : 'people'}`, 'strong'),
    ...(changes['title']?.to ? [say(textOf(changes['title'].to))] : []),
    ...(counted.length > 0 ? [say(`Answers until ${answersUntil}: ${counted.join(', ')}`)] : []),
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
export const bytes = (size: number) => `${size.toLocaleString('en-US')} bytes`

function aboutFile({ verb, changes }: Happening, numbers: ReadonlyMap<string, number>): Cell {
  const of = (field: string) => changes[field]?.to ?? changes[field]?.from ?? ''
  const name = wholeName({ name: textOf(of('name')), extension: textOf(of('extension')) })
  return [
    say(`File ${DONE[verb] ?? verb}${carrier(of('activityId'), numbers)}: ${name}`, 'strong'),
    say(`${bytes(Number(of('size')))} · SHA-256 ${textOf(of('sha256'))}`, 'muted'),
  ]
}
export const carrier = (activityId: unknown, numbers: ReadonlyMap<string, number>): string =>
  typeof activityId !== 'string' || activityId === ''
    ? ''
    : numbers.has(activityId)
      ? ` (task ${numbers.get(activityId)})`
      : ' (update)'

const aboutCheckIn = (facts: Telling, { actor: { name } }: Happening): Cell =>
  plain(`${nameOf(facts, name) ?? name} checked in.`)

const CONFIRMED: { readonly [verb: string]: string } = {
  requested: 'asked to confirm that they have read an update',
  reminded: 'reminded to confirm that they have read an update',
}
function aboutConfirmation({ verb, changes }: Happening): Cell {
  const people = Number((changes['asked'] ?? changes['people'])?.to ?? 0)
  return plain(`${people} ${people === 1 ? 'person was' : 'people were'} ${CONFIRMED[verb] ?? verb}.`)
}

const DECIDED: { readonly [verb: string]: string } = {
  proposed: 'proposed',
  changed: 'changed',
  decided: 'decided',
  superseded: 'superseded',
}
/** Fields of a decision that a sentence names, in their order. */
const OF_DECISION: readonly (readonly [field: string, word: string])[] = [
  ['context', 'Context'],
  ['options', 'Options'],
  ['decision', 'Decision'],
  ['decider', 'Decides'],
  ['reason', 'Reason'],
  ['acceptedRisk', 'Accepted risk'],
  ['onBehalfReason', 'Confirmed on behalf of the decider'],
]
function aboutDecision(facts: Telling, { verb, changes }: Happening): Cell {
  const to = (field: string): string => {
    const value = changes[field]?.to
    if (Array.isArray(value)) return strings(value).join(' · ')
    if (value === null || value === undefined) return ''
    return field === 'decider' ? (nameOf(facts, textOf(value)) ?? textOf(value)) : textOf(value)
  }
  const by = to('supersededBy')
  const supersedes = to('supersedes')
  const heading = `Decision D${to('number')} ${DECIDED[verb] ?? verb}${by && ` by D${by}`}: ${to('title')}`
  const lines = OF_DECISION.flatMap(([field, name]) => {
    if (!changes[field] || (to(field) === '' && verb !== 'changed')) return []
    return [say(`${name}: ${to(field) || 'none'}`)]
  })
  return [
    say(heading, 'strong'),
    ...(supersedes ? [say(`Supersedes D${supersedes}`, 'muted')] : []),
    ...lines,
  ]
}

/** The text of an entry by hand; that of a removed one is struck. */
function aboutEntry(facts: Telling, entry: EntryRow): Cell {
  const { text, isAfterResolution, removedBy, removedTimestamp } = entry
  const type = typeOf(facts.incident).toLowerCase()
  return [
    removedTimestamp === null ? say(text) : { runs: [{ text, struck: true }] },
    ...(isAfterResolution ? [say(`Added after the resolution of the ${type}`, 'muted')] : []),
    ...(removedTimestamp === null
      ? []
      : [
          say(
            `Removed by ${nameOf(facts, removedBy!) ?? removedBy!}, ${stamp(facts, removedTimestamp)}`,
            'muted',
          ),
        ]),
  ]
}

const REPORT_VERBS: { readonly [verb: string]: string } = {
  drafted: 'Situation report begun',
  submitted: 'Situation report submitted for approval',
  'sent back': 'Situation report sent back',
  published: 'Situation report published',
  discarded: 'Draft of a situation report discarded',
}
type Told = Pick<Happening, 'verb' | 'changes'>
/** The new value of a field of an event as text; empty for none. */
const newValue = ({ changes }: Told, field: string): string => {
  const value = changes[field]?.to
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
const lineOf = (text: string, before = ''): Line[] => (text === '' ? [] : [say(`${before}${text}`)])

/** A sentence about a situation report. */
function aboutReport(told: Told): Cell {
  const number = newValue(told, 'number')
  const heading = (REPORT_VERBS[told.verb] ?? told.verb).replace(
    'report',
    number === '' ? 'report' : `report no. ${number}`,
  )
  return [
    say(heading, 'strong'),
    ...lineOf(newValue(told, 'corrects'), 'Corrects no. '),
    ...lineOf(newValue(told, 'reason')),
  ]
}

/** A sentence about a role or the rhythm of updates. */
function aboutRole(facts: Telling, told: Told): Cell {
  const role = newValue(told, 'role')
  const person = (value: unknown) => (typeof value === 'string' ? (nameOf(facts, value) ?? value) : 'nobody')
  const { from, to } = told.changes['holder'] ?? {}
  const statement = lineOf(newValue(told, 'statement'))
  switch (told.verb) {
    case 'next update set': {
      const due = newValue(told, 'dueTimestamp')
      return [
        say('Next update set', 'strong'),
        say(due === '' ? 'By the rhythm of the severity' : `Due ${stamp(facts, due)}`),
      ]
    }
    case 'released':
      return [say(`${role} released`, 'strong'), say(`Held by ${person(from)}`)]
    case 'handed over':
      return [
        say(`${role} handed over`, 'strong'),
        say(`From ${person(from)} to ${person(to)}`),
        ...statement,
      ]
    default:
      return [say(`${role}: ${person(to)}`, 'strong'), ...statement]
  }
}

const LINK_VERBS: { readonly [verb: string]: string } = {
  made: 'Page for stakeholders made',
  withdrawn: 'Page for stakeholders withdrawn',
  visited: 'Page for stakeholders visited',
  'passcode refused': 'Page for stakeholders: wrong passcode',
}
/** A sentence about a page for stakeholders. */
const aboutLink = (told: Told): Cell => [
  say(`${LINK_VERBS[told.verb] ?? told.verb}: ${newValue(told, 'label')}`, 'strong'),
]

const FOLLOW_UP_VERBS: { readonly [verb: string]: string } = {
  added: 'Follow-up',
  changed: 'Follow-up changed',
  done: 'Follow-up done',
  reopened: 'Follow-up opened again',
}
/** A sentence about a follow-up, with the person who does it and the due time as they are now. */
function aboutFollowUp(facts: Telling, told: Told): Cell {
  const [owner, due] = [newValue(told, 'owner'), newValue(told, 'dueTimestamp')]
  return [
    say(`${FOLLOW_UP_VERBS[told.verb] ?? told.verb}: ${newValue(told, 'title')}`, 'strong'),
    ...lineOf(newValue(told, 'details')),
    ...lineOf(owner && (nameOf(facts, owner) ?? owner), 'Owner: '),
    ...lineOf(due && stamp(facts, due), 'Due: '),
  ]
}

const DUTY_VERBS: { readonly [verb: string]: string } = {
  started: 'Clock started',
  changed: 'Clock changed',
  filed: 'Filed',
  'not needed': 'Not needed to file',
  resumed: 'Clock runs again',
}
/** A sentence about the clock of a duty, with the proof of what was filed. */
function aboutDuty(facts: Telling, told: Told): Cell {
  const time = (field: string) => {
    const at = newValue(told, field)
    return at && stamp(facts, at)
  }
  const holder = newValue(told, 'holder')
  return [
    say(`${DUTY_VERBS[told.verb] ?? told.verb}: ${newValue(told, 'name')}`, 'strong'),
    ...lineOf(newValue(told, 'filedTo'), 'To: '),
    ...lineOf(time('awareTimestamp'), 'Aware since: '),
    ...lineOf(time('dueTimestamp'), 'Due: '),
    ...lineOf(holder && (nameOf(facts, holder) ?? holder), 'Files it: '),
    ...lineOf(time('filedTimestamp'), 'Filed: '),
    ...lineOf(newValue(told, 'reference'), 'Reference number: '),
    ...lineOf(newValue(told, 'link')),
    ...lineOf(newValue(told, 'files'), 'Files: '),
    ...lineOf(newValue(told, 'reason'), 'Reason: '),
  ]
}

/** Saved drafts of situation reports and of duties, which are no news. */
export const isNews = ({ noun, verb }: Pick<Happening, 'noun' | 'verb'>): boolean =>
  !(noun === 'situation-reports' && verb === 'changed') && !(noun === 'duties' && verb === 'drafted')

/** A sentence about an act of a noun that has none of its own: what changed. */
const aboutOther = ({ noun, verb, changes }: Happening): Cell => [
  say(`${word(noun.replaceAll('-', ' '))}: ${verb}`, 'strong'),
  ...changed(changes).map((text) => say(text)),
]

const ABOUT: { readonly [noun: string]: (facts: Lookups, one: Act) => Cell } = {
  incidents: ({ incident }, one) => aboutIncident(one, incident),
  activities: ({ numbers }, one) => aboutActivity(one, numbers),
  attachments: ({ numbers }, one) => aboutFile(one, numbers),
  'incident-playbooks': (_, one) => aboutPlaybook(one),
  'incident-nudges': aboutNudge,
  'incident-answers': (_, one) => aboutIncidentAnswer(one),
  'incident-decisions': aboutDecision,
  'incident-roles': aboutRole,
  'situation-reports': (_, one) => aboutReport(one),
  'stakeholder-links': (_, one) => aboutLink(one),
  'follow-ups': aboutFollowUp,
  duties: aboutDuty,
  'mass-notifications': aboutNotification,
  'check-ins': aboutCheckIn,
  confirmations: (_, one) => aboutConfirmation(one),
  calls: aboutCall,
}
function aboutOne(facts: Lookups, one: Act): Cell {
  if (one.entry) return aboutEntry(facts, one.entry)
  return (ABOUT[one.noun] ?? ((_, other) => aboutOther(other)))(facts, one)
}
/** The sentence about a row, with its details. */
export const about = (facts: Lookups, acts: Acts): Cell =>
  acts.length > 1 ? aboutSeveral(facts, acts) : aboutOne(facts, acts[0])

/** Names of playbooks by the second in which they were added. */
export const playbooksOf = (happened: readonly Happening[]): Map<string, string> =>
  new Map(
    happened.flatMap(({ noun, at, changes }): [string, string][] => {
      const name = changes['name']?.to
      return noun === 'incident-playbooks' && typeof name === 'string' ? [[moment(at), name]] : []
    }),
  )

/** An entry by hand as an act, at the time when it happened. */
export const actOfEntry = (entry: EntryRow): Act => ({
  id: entry.id,
  sequence: 0,
  at: entry.happenedTimestamp,
  ...(entry.happenedTimestamp !== entry.createTimestamp && { recordedAt: entry.createTimestamp }),
  actor: { kind: 'person', id: null, name: entry.createdBy },
  noun: 'incident-timeline',
  record: entry.id,
  parent: entry.incidentId,
  verb: 'added',
  changes: {},
  entry,
})
