import type {
  EntryChange,
  EntryChanges,
  NewEntry,
  TimelineEntry,
} from '#contract/incident-timeline/schema.ts'
import { canChangeEntry, happenedProblem } from '#contract/incident-timeline/rules.ts'
import { meOf, opened } from '#server/incidents/access.flows.ts'
import { findRoomsOfMessages } from '#server/incidents/activities.store.ts'
import { listEventsOf } from '#server/incidents/history.store.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, FORBIDDEN, notFound, Refusal, stale, wrongField } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import { changesBetween, findLastEditor, record } from '#server/kit/events/events.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { type EntryRow, findIncidentOfEntry, holdEntry, insertEntry, updateEntry } from './store.ts'

const NOUN = 'incident-timeline'
const THIS_ENTRY = 'This entry'
const NOT_YOURS = 'Only its author or an administrator can do this.'
const REMOVED = 'This entry was removed. Please write a new one.'
const AUDITED = ['text', 'happenedTimestamp', 'removedTimestamp'] as const

/** @throws Refusal 403 for external people, who have no timeline */
export function demandInternal(by: { readonly kind: string; readonly type?: string }): void {
  demand(by.type !== 'EXTERNAL', 403, FORBIDDEN)
}

/** @throws Refusal 400 at `field` for a time in the future or long before the incident */
export function demandHappened(at: string, start: string, field: string): void {
  const problem = happenedProblem(at, start, clock.now())
  if (problem !== null) throw wrongField(field, problem)
}

/** Entries as the caller sees them. */
export async function toEntries(db: OrgDb, by: Acting, rows: readonly EntryRow[]): Promise<TimelineEntry[]> {
  const messageIds = rows.flatMap(({ messageId }) => messageId ?? [])
  const rooms = messageIds.length === 0 ? new Map() : await findRoomsOfMessages(db, by.id, messageIds)
  return rows.map(({ messageId, ...row }) => {
    const roomId = messageId === null ? undefined : rooms.get(messageId)
    return {
      ...row,
      message: messageId === null || roomId === undefined ? null : { id: messageId, roomId },
      canEdit: by.permissions.includes('incidents-full-access') && canChangeEntry(row, meOf(by)),
    }
  })
}
const toEntry = async (db: OrgDb, by: Acting, row: EntryRow): Promise<TimelineEntry> =>
  (await toEntries(db, by, [row]))[0]!

function recordEntry(
  db: OrgDb,
  verb: 'added' | 'changed' | 'removed',
  before: EntryRow | null,
  after: EntryRow,
  at: string,
): void {
  const changes = changesBetween(before, after, AUDITED)
  record(db, { noun: NOUN, record: after.id, parent: after.incidentId, verb, changes, at })
}

/**
 * Writes an entry into a timeline, also after the resolution.
 * @param messageId chat message that the entry is made from
 * @throws Refusal 400 for a time in the future or long before the incident, 404
 */
export async function addEntry(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  { text, happenedTimestamp }: NewEntry,
  messageId: string | null = null,
): Promise<TimelineEntry> {
  const incident = await opened(db, by, incidentId, 'read')
  const at = clock.timestamp()
  if (happenedTimestamp !== null)
    demandHappened(happenedTimestamp, incident.createTimestamp, 'happenedTimestamp')
  const row: EntryRow = {
    id: crypto.randomUUID(),
    incidentId,
    text,
    happenedTimestamp: happenedTimestamp ?? at,
    createdBy: by.name,
    createTimestamp: at,
    updateTimestamp: at,
    isAfterResolution: !incident.isActive,
    removedBy: null,
    removedTimestamp: null,
    messageId,
    version: 1,
  }
  await insertEntry(db, row)
  recordEntry(db, 'added', null, row, at)
  return toEntry(db, by, row)
}

/** An entry that the caller may change, locked, with its incident. */
async function held(db: OrgDb, by: Acting, id: string) {
  const incidentId = await findIncidentOfEntry(db, id)
  if (incidentId === undefined) throw notFound(THIS_ENTRY)
  const incident = await opened(db, by, incidentId)
  const row = (await holdEntry(db, id))!
  demand(canChangeEntry({ ...row, removedTimestamp: null }, meOf(by)), 403, NOT_YOURS)
  return { incident, row }
}

/**
 * Changes text and time of an entry.
 * @throws Refusal 400, 403, 404, 409 for a stale version and for a removed entry
 */
export async function changeEntry(
  db: OrgDb,
  by: Acting,
  id: string,
  { version, text, happenedTimestamp }: EntryChanges,
): Promise<TimelineEntry> {
  const { incident, row } = await held(db, by, id)
  if (row.removedTimestamp !== null) throw new Refusal(409, REMOVED)
  if (version !== row.version) throw stale(await findLastEditor(db, NOUN, id))
  // The time of a message may be older than what can be typed.
  if (happenedTimestamp !== row.happenedTimestamp)
    demandHappened(happenedTimestamp, incident.createTimestamp, 'happenedTimestamp')
  if (text === row.text && happenedTimestamp === row.happenedTimestamp) return toEntry(db, by, row)
  const at = clock.timestamp()
  const changes = { text, happenedTimestamp, updateTimestamp: at }
  await updateEntry(db, id, changes)
  const after = { ...row, ...changes, version: row.version + 1 }
  recordEntry(db, 'changed', row, after, at)
  return toEntry(db, by, after)
}

/** Removes an entry, which stays as a struck one. Once is enough. */
export async function removeEntry(
  { chat }: Pick<Services, 'chat'>,
  db: OrgDb,
  by: Acting,
  id: string,
): Promise<void> {
  const { row } = await held(db, by, id)
  if (row.removedTimestamp !== null) return
  const at = clock.timestamp()
  const changes = { removedBy: by.name, removedTimestamp: at, updateTimestamp: at }
  await updateEntry(db, id, changes)
  recordEntry(db, 'removed', row, { ...row, ...changes }, at)
  await runHook(db, 'activityRemoved', { chat, messageId: row.messageId })
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
/** The former states of an entry, newest first. */
export async function entryHistory(db: OrgDb, by: Acting, id: string): Promise<EntryChange[]> {
  const incidentId = await findIncidentOfEntry(db, id)
  if (incidentId === undefined) throw notFound(THIS_ENTRY)
  await opened(db, by, incidentId)
  const happened = await listEventsOf(db, NOUN, id)
  return happened
    .filter(({ verb }) => verb !== 'added')
    .toReversed()
    .map(({ id: eventId, verb, actor, at, changes }) => ({
      id: eventId,
      verb,
      author: actor.name,
      timestamp: at,
      textBefore: textOrNull(changes['text']?.from),
      happenedBefore: textOrNull(changes['happenedTimestamp']?.from),
    }))
}
