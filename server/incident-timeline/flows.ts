import {
  LINE_MAX,
  LINES_MAX,
  TIMELINE_KINDS,
  type TimelineFilters,
  type TimelineKind,
  type TimelineLine,
  type TimelinePage,
  type TimelineRow,
} from '#contract/incident-timeline/schema.ts'
import { cut } from '#contract/kit/cut.ts'
import { listIncidentPlaybooks } from '#server/incident-playbooks/store.ts'
import { opened } from '#server/incidents/access.flows.ts'
import { countIncidentAnswers } from '#server/incidents/answers.store.ts'
import { type Happening, listEventsBySequence } from '#server/incidents/history.store.ts'
import { findConfig } from '#server/config/flows.ts'
import type { Changes } from '#server/kit/core/event.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import { listNamed } from '#server/users/people.store.ts'

import { toEntries } from './entries.flows.ts'
import {
  about,
  type Act,
  actOfEntry,
  grouped,
  groupOf,
  type Lookups,
  moment,
  nameOf,
} from './sentences.content.ts'
import {
  countActs,
  listActs,
  listAdded,
  listAuthors,
  listEntriesById,
  type Place,
  type Sought,
} from './store.ts'

/** Most acts of one row, such as the tasks of a playbook. */
const GROUP_MAX = 2_000
/** Nouns of the event stream by the kind of their acts. Activities are tasks or updates. */
const KIND_OF: { readonly [noun: string]: TimelineKind } = {
  incidents: 'INCIDENT',
  activities: 'TASK',
  attachments: 'FILE',
  'check-ins': 'CHECK_IN',
  'incident-answers': 'ANSWER',
  'incident-decisions': 'DECISION',
  'incident-playbooks': 'PLAYBOOK',
  'incident-roles': 'ROLE',
  'situation-reports': 'REPORT',
  'stakeholder-links': 'REPORT',
  'follow-ups': 'FOLLOW_UP',
  duties: 'DUTY',
  'mass-notifications': 'NOTIFICATION',
  'incident-nudges': 'NOTIFICATION',
  confirmations: 'NOTIFICATION',
  calls: 'CALL',
  'incident-timeline': 'ENTRY',
}
const NOUNS = Object.keys(KIND_OF).filter((noun) => noun !== 'incident-timeline')

/** Fields of events that name people by address. */
const PEOPLE_FIELDS = ['participants', 'people', 'decider', 'holder', 'owner']
const emailsIn = (change: Changes[string] | undefined): string[] =>
  [change?.from, change?.to].flat().filter((one) => typeof one === 'string')
/** Addresses of the people whom the sentences about these events name. */
export const emailsOf = (happened: readonly Pick<Happening, 'actor' | 'changes'>[]): string[] =>
  happened.flatMap(({ actor, changes }) => [
    actor.name,
    ...PEOPLE_FIELDS.flatMap((field) => emailsIn(changes[field])),
  ])

interface Filter {
  readonly kinds?: readonly TimelineKind[] | undefined
  readonly person?: string | undefined
}
function soughtOf(incidentId: string, { kinds = TIMELINE_KINDS, person }: Filter): Sought {
  const [tasks, updates] = [kinds.includes('TASK'), kinds.includes('UPDATE')]
  return {
    incidentId,
    nouns: NOUNS.filter((noun) => kinds.includes(KIND_OF[noun]!) || (noun === 'activities' && updates)),
    activities: tasks === updates ? null : tasks ? 'TASK' : 'UPDATE',
    withEntries: kinds.includes('ENTRY'),
    person: person || null,
  }
}

const placeOf = (cursor: string): Place => {
  const [micros, source, n] = cursor.split('.')
  return { micros: micros!, source: source === '1' ? 1 : 0, n: n! }
}
const cursorOf = ({ micros, source, n }: Place) => [micros, source, n].join('.')

type PlacedAct = Act & { readonly place: Place }
/** Acts before a place, newest first. */
async function readActs(
  db: OrgDb,
  sought: Sought,
  before: Place | null,
  limit: number,
): Promise<PlacedAct[]> {
  const refs = await listActs(db, sought, before, limit)
  const events = await listEventsBySequence(
    db,
    refs.flatMap(({ sequence }) => sequence ?? []),
  )
  const entries = await listEntriesById(
    db,
    refs.flatMap(({ entryId }) => entryId ?? []),
  )
  const eventOf = new Map(events.map((one) => [one.sequence, one]))
  const entryOf = new Map(entries.map((one) => [one.id, one]))
  return refs.map(({ sequence, entryId, at, ...place }) => {
    if (entryId !== null) return { ...actOfEntry(entryOf.get(entryId)!), place }
    const event = eventOf.get(sequence!)!
    return { ...event, at, ...(event.at !== at && { recordedAt: event.at }), place }
  })
}

const isOneRow = (a: Act | undefined, b: Act | undefined): boolean =>
  a !== undefined && b !== undefined && groupOf(a) !== null && groupOf(a) === groupOf(b)
/** A page of acts that ends with a whole row, and its next cursor. */
async function readPage(db: OrgDb, sought: Sought, before: Place | null, size: number) {
  let acts = await readActs(db, sought, before, size + 1)
  let end = Math.min(size, acts.length)
  while (end > 0 && isOneRow(acts[end - 1], acts[end])) end -= 1
  if (end === 0 && acts.length > 0) {
    acts = await readActs(db, sought, before, GROUP_MAX + 1)
    end = 1
    while (end < GROUP_MAX && isOneRow(acts[end - 1], acts[end])) end += 1
  }
  const page = acts.slice(0, end)
  const last = page.at(-1)
  return { acts: page, next: last && end < acts.length ? cursorOf(last.place) : null }
}

/** Looks up what the sentences about these acts name. */
async function lookupsOf(
  db: OrgDb,
  incident: { readonly id: string; readonly isTabletop: boolean },
  acts: readonly Act[],
): Promise<Lookups & { readonly updates: ReadonlySet<string> }> {
  const isAbout = (...nouns: string[]) => acts.some(({ noun }) => nouns.includes(noun))
  const added = isAbout('activities', 'attachments') ? await listAdded(db, incident.id) : []
  const tasks = added.filter(({ type }) => type === 'TASK')
  const playbooks = isAbout('activities') ? await listIncidentPlaybooks(db, incident.id) : []
  const notifications = acts.filter(({ noun }) => noun === 'mass-notifications')
  const entries = acts.flatMap(({ entry }) => entry ?? [])
  return {
    incident,
    people: await listNamed(db, [...emailsOf(acts), ...entries.flatMap(({ removedBy }) => removedBy ?? [])]),
    answers: await countIncidentAnswers(db, [...new Set(notifications.map(({ record }) => record))]),
    answersUntil: 'now',
    timeZone: (await findConfig(db)).timeZone,
    numbers: new Map(tasks.map(({ record }, n) => [record, n + 1])),
    playbooks: new Map(
      playbooks.map(({ addedTimestamp, name }): [string, string] => [moment(addedTimestamp), name]),
    ),
    updates: new Set(added.filter(({ type }) => type === 'UPDATE').map(({ record }) => record)),
  }
}

const lineOf = ({ runs, tone }: ReturnType<typeof about>[number]): TimelineLine => ({
  text: cut(runs.map(({ text }) => text).join(''), LINE_MAX),
  tone: tone ?? null,
})

/** A page of a timeline, newest first. Acts of one row are never divided. */
export async function timelineOf(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  { size, cursor, ...filter }: Filter & { readonly size: number; readonly cursor?: string | undefined },
): Promise<TimelinePage> {
  const incident = await opened(db, by, incidentId)
  const { acts, next } = await readPage(
    db,
    soughtOf(incidentId, filter),
    cursor === undefined ? null : placeOf(cursor),
    size,
  )
  const lookups = await lookupsOf(db, incident, acts)
  const shown = await toEntries(
    db,
    by,
    acts.flatMap(({ entry }) => entry ?? []),
  )
  const entries = new Map(shown.map((one) => [one.id, one]))
  const rows = grouped(acts.toReversed()).map((one): TimelineRow => {
    const [{ id, noun, record, at, recordedAt, actor, entry }] = one
    const lines = about(lookups, one)
    return {
      id,
      kind: noun === 'activities' && lookups.updates.has(record) ? 'UPDATE' : (KIND_OF[noun] ?? 'INCIDENT'),
      happenedTimestamp: at,
      recordedTimestamp: recordedAt ?? null,
      author: nameOf(lookups, actor.name) ?? actor.name,
      lines: lines.slice(0, LINES_MAX).map(lineOf),
      moreCount: Math.max(0, lines.length - LINES_MAX),
      entry: (entry && entries.get(entry.id)) ?? null,
    }
  })
  return { data: rows.toReversed(), next }
}

/** The kinds and people of a timeline, with the numbers of their acts. */
export async function timelineFilters(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  person: string | undefined,
): Promise<TimelineFilters> {
  await opened(db, by, incidentId)
  const sought = soughtOf(incidentId, { person })
  const counts = new Map<TimelineKind, number>()
  for (const { noun, isUpdate, count } of await countActs(db, sought)) {
    const kind = isUpdate ? 'UPDATE' : KIND_OF[noun]!
    counts.set(kind, (counts.get(kind) ?? 0) + count)
  }
  const authors = await listAuthors(db, sought)
  const named = await listNamed(
    db,
    authors.map(({ author }) => author),
  )
  const people = { people: named }
  return {
    kinds: TIMELINE_KINDS.flatMap((kind) => {
      const count = counts.get(kind) ?? 0
      return count > 0 ? [{ kind, count }] : []
    }),
    people: authors.map(({ author, count }) => ({ author, name: nameOf(people, author) ?? author, count })),
  }
}
