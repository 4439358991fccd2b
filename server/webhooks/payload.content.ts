import type { Severity } from '#contract/incidents/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { TEST_TYPE, type WebhookEvent } from '#contract/webhooks/schema.ts'
import type { Changes } from '#server/kit/core/event.ts'

/** An event of the organisation's stream. */
export interface StreamEvent {
  readonly sequence: number
  readonly at: string
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string }
  readonly noun: string
  readonly record: string
  readonly parent: string | null
  readonly verb: string
  readonly changes: Changes
}
export interface Incident {
  readonly id: string
  readonly number: string
  readonly title: string
  readonly severity: Severity
  readonly isTabletop: boolean
  readonly isActive: boolean
}
export interface Task {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly priority: string
  readonly dueTimestamp: string | null
  /** Id of a person. */
  readonly assignedTo: string | null
}
export interface Person {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

const OF_INCIDENT: { readonly [verb: string]: WebhookEvent } = {
  created: 'incident.declared',
  changed: 'incident.changed',
  analysed: 'incident.changed',
  'duplicate received': 'incident.changed',
  resolved: 'incident.resolved',
  merged: 'incident.resolved',
  reopened: 'incident.reopened',
}
const TYPES: { readonly [noun: string]: (event: StreamEvent) => WebhookEvent | undefined } = {
  incidents: ({ verb }) => OF_INCIDENT[verb],
  activities: ({ verb, changes }) => {
    const isTask = changes['type']?.to === 'TASK'
    if (verb === 'added') return isTask ? 'task.added' : 'update.added'
    return verb === 'changed' && changes['status']?.to === 'COMPLETE' ? 'task.completed' : undefined
  },
  'check-ins': ({ verb }) => (verb === 'checked in' ? 'person.checked-in' : undefined),
  'incident-decisions': ({ verb }) => (verb === 'decided' ? 'decision.made' : undefined),
  'situation-reports': ({ verb }) => (verb === 'published' ? 'situation-report.published' : undefined),
}
/** Nouns of the stream that webhooks tell of. */
export const NOUNS = Object.keys(TYPES)
/** The type of an event; undefined for one that no webhook tells of. */
export const typeOf = (event: StreamEvent): WebhookEvent | undefined => TYPES[event.noun]?.(event)
export const incidentIdOf = ({ noun, record, parent }: StreamEvent): string =>
  noun === 'incidents' ? record : (parent ?? '')

/** Fields of an incident whose values are sent with a change. Others, such as the addresses of people, are only named. */
const SENT_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'severity',
  'isTabletop',
  'isActive',
  'number',
  'estimatedTimeToRecovery',
  'estimatedTimeToRecoveryTimeUnit',
  'openTasks',
  'outcome',
  'outcomeReason',
  'reason',
])

/** Records that the events of a batch name. */
export interface Known {
  readonly incidents: ReadonlyMap<string, Incident>
  readonly tasks: ReadonlyMap<string, Task>
  readonly people: readonly Person[]
}
/** Ids and addresses of people that an event names. */
export const peopleIn = ({ actor, noun, record, changes }: StreamEvent): string[] => [
  ...(actor.kind === 'person' && actor.id !== null ? [actor.id] : []),
  ...(noun === 'check-ins' ? [record] : []),
  ...(noun === 'incident-decisions' && typeof changes['decider']?.to === 'string'
    ? [changes['decider'].to]
    : []),
]

const nameIn = (people: readonly Person[], idOrEmail: unknown): string | null => {
  const person = people.find(({ id, email }) => id === idOrEmail || email === idOrEmail)
  return (person && fullName(person)) || null
}
/** The name of who acted. Addresses stand in for the names of people and staff, and are not sent. */
const actorName = ({ actor }: StreamEvent, people: readonly Person[]): string | null =>
  actor.kind === 'person' ? nameIn(people, actor.id) : actor.kind === 'key' ? actor.name : null

const toOf = (changes: Changes, field: string): unknown => changes[field]?.to ?? null

function taskIn({ record, changes }: StreamEvent, { tasks, people }: Known) {
  const task = tasks.get(record)
  if (!task) return { id: record, title: toOf(changes, 'title') }
  const { assignedTo, ...facts } = task
  return { ...facts, assignee: nameIn(people, assignedTo) }
}

const decisionIn = ({ record, changes }: StreamEvent, { people }: Known) => ({
  id: record,
  number: toOf(changes, 'number'),
  title: toOf(changes, 'title'),
  text: toOf(changes, 'decision'),
  decider: nameIn(people, changes['decider']?.to),
})

/** The facts of an event beside its incident. */
function factsOf(type: WebhookEvent, event: StreamEvent, known: Known): object {
  const { changes, record } = event
  switch (type) {
    case 'task.added':
    case 'task.completed':
      return { task: taskIn(event, known) }
    case 'update.added':
      return { update: { id: record, text: toOf(changes, 'description') } }
    case 'person.checked-in':
      return { person: nameIn(known.people, record) }
    case 'decision.made':
      return { decision: decisionIn(event, known) }
    case 'situation-report.published':
      return { situationReport: { id: record, number: toOf(changes, 'number') } }
    case 'incident.declared':
      return {}
    default: {
      const sent = Object.entries(changes).filter(([field]) => SENT_FIELDS.has(field))
      const named = Object.keys(changes).filter((field) => !SENT_FIELDS.has(field))
      return { changes: Object.fromEntries(sent), changedFields: [...sent.map(([field]) => field), ...named] }
    }
  }
}

interface Envelope {
  /** Stable over all attempts. */
  readonly id: string
  /** Code of the organisation. */
  readonly organisation: string
}

/** The JSON of an event; undefined where its incident is deleted. */
export function bodyOf(
  { id, organisation }: Envelope,
  type: WebhookEvent,
  event: StreamEvent,
  known: Known,
): string | undefined {
  const incident = known.incidents.get(incidentIdOf(event))
  if (!incident) return undefined
  const { isActive, ...facts } = incident
  return JSON.stringify({
    id,
    type,
    occurred: event.at,
    organisation,
    sequence: event.sequence,
    incident: { ...facts, state: isActive ? 'ONGOING' : 'RESOLVED' },
    by: actorName(event, known.people),
    ...factsOf(type, event, known),
  })
}
/** The JSON of a test. */
export const testBodyOf = ({ id, organisation }: Envelope, occurred: string): string =>
  JSON.stringify({ id, type: TEST_TYPE, occurred, organisation, incident: null })
