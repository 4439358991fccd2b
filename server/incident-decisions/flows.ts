import {
  type ConfirmedDecision,
  type Decision,
  type DecisionChanges,
  type DecisionPage,
  type NewDecision,
  ON_BEHALF_REQUIRED,
} from '#contract/incident-decisions/schema.ts'
import { decisionCan } from '#contract/incident-decisions/rules.ts'
import { fullName } from '#contract/kit/names.ts'
import { isBlank } from '#contract/kit/text.ts'
import { demandHappened, demandInternal } from '#server/incident-timeline/entries.flows.ts'
import { meOf, opened } from '#server/incidents/access.flows.ts'
import { peopleNamed } from '#server/incidents/activities.flows.ts'
import { findRoomsOfMessages } from '#server/incidents/activities.store.ts'
import type { PersonRow } from '#server/incidents/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { demand, notFound, stale, wrongField } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { changesBetween, findLastEditor, record } from '#server/kit/events/events.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import { notify } from '#server/notifications/flows.ts'
import { listNamed } from '#server/users/people.store.ts'

import {
  countDecisions,
  type DecisionRow,
  findDecision,
  insertDecision,
  type LinkedDecision,
  listDecisions,
  updateDecision,
} from './store.ts'

const NOUN = 'incident-decisions'
const THIS_DECISION = 'This decision'
const NO_DECIDER = 'This is not an active colleague who can decide. Please choose somebody else.'
const DECIDED =
  'This decision was decided and is never changed. Please propose another one that supersedes it.'
const NOT_DECIDER = 'Only the person who decides, or an administrator on their behalf, can confirm this.'
const AUDITED = [
  'title',
  'context',
  'options',
  'decision',
  'decider',
  'reason',
  'acceptedRisk',
  'onBehalfReason',
] as const

const notInForce = (number: number) =>
  `D${number} is not in force. Please propose a decision that supersedes the one in force.`

/** @throws Refusal 403 for external people, who have no decisions */
export const demandReader = (by: Parameters<typeof demandInternal>[0]): void => demandInternal(by)

/** Decisions as the caller sees them. */
async function toDecisions(db: OrgDb, by: Acting, rows: readonly LinkedDecision[]): Promise<Decision[]> {
  const messageIds = rows.flatMap(({ messageId }) => messageId ?? [])
  const rooms = messageIds.length === 0 ? new Map() : await findRoomsOfMessages(db, by.id, messageIds)
  const people = await listNamed(
    db,
    rows.flatMap(({ decider, decidedBy }) => [decider, decidedBy ?? []].flat()),
  )
  const names = new Map(people.map((person) => [person.email, fullName(person) || person.email]))
  return rows.map(({ deciderId, messageId, ...row }) => {
    const roomId = messageId === null ? undefined : rooms.get(messageId)
    const isMine = by.kind === 'person' && deciderId === by.id
    return {
      ...row,
      deciderName: names.get(row.decider) ?? row.decider,
      decidedByName: row.decidedBy === null ? null : (names.get(row.decidedBy) ?? row.decidedBy),
      message: messageId === null || roomId === undefined ? null : { id: messageId, roomId },
      isMine,
      canConfirm:
        by.permissions.includes('incidents-full-access') &&
        decisionCan.confirm({ state: row.state, isMine }, meOf(by)),
    }
  })
}
const reread = async (db: OrgDb, by: Acting, id: string): Promise<Decision> =>
  (await toDecisions(db, by, [(await findDecision(db, id))!]))[0]!

/** A page of the decisions of an incident, newest first. */
export async function decisionsOf(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<DecisionPage> {
  await opened(db, by, incidentId)
  const { rows, total } = await listDecisions(db, incidentId, { size, offset: page * size })
  return { data: await toDecisions(db, by, rows), total }
}

/** @throws Refusal 400 at the field for somebody who is archived, banned, external or may change nothing */
async function deciderNamed(db: OrgDb, email: string): Promise<PersonRow> {
  const people = await peopleNamed(
    db,
    [{ field: 'decider', email }],
    ({ active, banned, dashboard_user, type, role }) =>
      active && !banned && !dashboard_user && type !== 'EXTERNAL' && role !== 'BUSINESS_USER',
    NO_DECIDER,
  )
  return people.get(email)!
}

const told = (facts: { readonly [field: string]: unknown }): Changes =>
  Object.fromEntries(Object.entries(facts).map(([field, to]) => [field, { from: null, to }]))
/** Number and title stand in every event, so that the timeline names the decision. */
function recordDecision(
  db: OrgDb,
  verb: 'proposed' | 'changed' | 'decided' | 'superseded',
  row: DecisionRow,
  changes: Changes,
  at: string,
): void {
  record(db, {
    noun: NOUN,
    record: row.id,
    parent: row.incidentId,
    verb,
    changes: { ...told({ number: row.number, title: row.title }), ...changes },
    at,
  })
}

/** Tells the person who decides. */
async function tellDecider(
  db: OrgDb,
  by: Acting,
  incident: { readonly id: string; readonly title: string; readonly isTabletop: boolean },
  { number, title, deciderId }: DecisionRow,
): Promise<void> {
  if (deciderId === null) return
  await notify(db, by, [deciderId], {
    title: 'A decision waits for you',
    details: `D${number}: ${title} – ${incident.title}`,
    incidentId: incident.id,
    activityId: null,
    isTabletop: incident.isTabletop,
    externals: [],
  })
}

/** @throws Refusal 404, 409 for one that is not in force */
async function demandInForce(db: OrgDb, incidentId: string, id: string): Promise<LinkedDecision> {
  const before = await findDecision(db, id)
  if (before?.incidentId !== incidentId) throw notFound(THIS_DECISION)
  demand(decisionCan.supersede(before), 409, notInForce(before.number))
  return before
}

/**
 * Proposes a decision and tells the person who decides.
 * @param messageId chat message that it is made from
 * @throws Refusal 400 for a person who cannot decide, 404, 409 where the one that it would supersede is not in force
 */
export async function propose(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  { decider, supersedes, ...words }: NewDecision,
  messageId: string | null = null,
): Promise<Decision> {
  // The lock makes the numbers follow each other.
  const incident = await opened(db, by, incidentId, 'change')
  const person = await deciderNamed(db, decider)
  const before = supersedes === null ? null : await demandInForce(db, incidentId, supersedes)
  const at = clock.timestamp()
  const row: DecisionRow = {
    id: crypto.randomUUID(),
    incidentId,
    number: (await countDecisions(db, incidentId)) + 1,
    state: 'PROPOSED',
    ...words,
    deciderId: person.id,
    decider: person.email,
    createdBy: by.name,
    createTimestamp: at,
    updateTimestamp: at,
    decidedBy: null,
    onBehalfReason: null,
    decidedTimestamp: null,
    recordedTimestamp: null,
    supersedesId: supersedes,
    messageId,
    version: 1,
  }
  await insertDecision(db, row)
  recordDecision(
    db,
    'proposed',
    row,
    { ...changesBetween(null, row, AUDITED), ...(before && told({ supersedes: before.number })) },
    at,
  )
  await tellDecider(db, by, incident, row)
  return reread(db, by, row.id)
}

/** A proposed decision with its incident, both locked until the transaction ends. */
async function held(db: OrgDb, by: Acting, id: string, version: number) {
  const found = await findDecision(db, id)
  if (!found) throw notFound(THIS_DECISION)
  const incident = await opened(db, by, found.incidentId, 'change')
  const row = (await findDecision(db, id))!
  demand(decisionCan.edit(row), 409, DECIDED)
  if (version !== row.version) throw stale(await findLastEditor(db, NOUN, id))
  return { incident, row }
}

/**
 * Changes a proposed decision. A new decider is told.
 * @throws Refusal 400, 404, 409 for a stale version and for a decided one
 */
export async function changeDecision(
  db: OrgDb,
  by: Acting,
  id: string,
  { version, decider, ...words }: DecisionChanges,
): Promise<Decision> {
  const { incident, row } = await held(db, by, id, version)
  // A decider who was archived since stays until somebody else is chosen.
  const person = decider === row.decider ? null : await deciderNamed(db, decider)
  const changes = { ...words, ...(person && { deciderId: person.id, decider: person.email }) }
  const after = { ...row, ...changes }
  const differing = changesBetween<DecisionRow>(row, after, AUDITED)
  if (Object.keys(differing).length === 0) return reread(db, by, id)
  const at = clock.timestamp()
  await updateDecision(db, id, { ...changes, updateTimestamp: at })
  recordDecision(db, 'changed', after, differing, at)
  if (person) await tellDecider(db, by, incident, after)
  return reread(db, by, id)
}

/**
 * Confirms a decision, and supersedes the one in the place of which it comes.
 * @throws Refusal 400 for a time that cannot be, and for an administrator without a reason; 403; 404; 409
 */
export async function confirmDecision(
  db: OrgDb,
  by: Acting,
  id: string,
  { version, decision, reason, acceptedRisk, onBehalfReason, decidedTimestamp }: ConfirmedDecision,
): Promise<Decision> {
  const { incident, row } = await held(db, by, id, version)
  const isMine = by.kind === 'person' && row.deciderId === by.id
  demand(decisionCan.confirm({ state: row.state, isMine }, meOf(by)), 403, NOT_DECIDER)
  if (!isMine && isBlank(onBehalfReason ?? '')) throw wrongField('onBehalfReason', ON_BEHALF_REQUIRED)
  if (decidedTimestamp !== null)
    demandHappened(decidedTimestamp, incident.createTimestamp, 'decidedTimestamp')
  const before = row.supersedesId === null ? null : await demandInForce(db, row.incidentId, row.supersedesId)
  const at = clock.timestamp()
  const changes = {
    state: 'DECIDED',
    decision,
    reason,
    acceptedRisk,
    decidedBy: by.name,
    onBehalfReason: isMine ? null : onBehalfReason,
    decidedTimestamp: decidedTimestamp ?? at,
    recordedTimestamp: at,
    updateTimestamp: at,
  } as const
  await updateDecision(db, id, changes)
  const after = { ...row, ...changes }
  const words = { decision, reason, acceptedRisk, onBehalfReason: after.onBehalfReason }
  recordDecision(
    db,
    'decided',
    after,
    {
      ...told(words),
      decider: { from: null, to: row.decider },
      ...(before && told({ supersedes: before.number })),
    },
    at,
  )
  if (before) {
    await updateDecision(db, before.id, { state: 'SUPERSEDED', updateTimestamp: at })
    recordDecision(db, 'superseded', before, told({ supersededBy: row.number }), at)
  }
  return reread(db, by, id)
}
