import { sql } from 'kysely'

import type { Decision } from '#contract/incident-decisions/schema.ts'
import { type ColumnsOf, selectionText, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

type Derived =
  | 'deciderName'
  | 'decidedByName'
  | 'supersedes'
  | 'supersededBy'
  | 'message'
  | 'isMine'
  | 'canConfirm'
/** A decision as stored. */
export interface DecisionRow extends Omit<Decision, Derived> {
  /** Id of a user; null for a deleted one. */
  readonly deciderId: string | null
  readonly supersedesId: string | null
  /** The chat message that it was made from. */
  readonly messageId: string | null
}
/** A decision with those before and after it. */
export type LinkedDecision = DecisionRow & Pick<Decision, 'supersedes' | 'supersededBy'>
declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_decisions: ColumnsOf<DecisionRow>
  }
}
const FIELDS = [
  'id',
  'incidentId',
  'number',
  'state',
  'title',
  'context',
  'options',
  'decision',
  'deciderId',
  'decider',
  'reason',
  'acceptedRisk',
  'createdBy',
  'createTimestamp',
  'updateTimestamp',
  'decidedBy',
  'onBehalfReason',
  'decidedTimestamp',
  'recordedTimestamp',
  'supersedesId',
  'messageId',
  'version',
] as const satisfies readonly (keyof DecisionRow)[]

const LINKED = sql.raw(`${selectionText(FIELDS, 'd.')},
  (select jsonb_build_object('id', b.id, 'number', b.number, 'state', b.state)
     from incident_decisions b where b.id = d.supersedes_id) as supersedes,
  (select jsonb_build_object('id', a.id, 'number', a.number, 'state', a.state)
     from incident_decisions a where a.supersedes_id = d.id
    order by a.state = 'PROPOSED', a.number desc limit 1) as "supersededBy"`)

/** A page of the decisions of an incident, newest first. */
export async function listDecisions(
  db: OrgDb,
  incidentId: string,
  { size, offset }: { readonly size: number; readonly offset: number },
): Promise<{ rows: LinkedDecision[]; total: number }> {
  const { rows } = await sql<LinkedDecision>`
    select ${LINKED} from incident_decisions d where d.incident_id = ${incidentId}
     order by d.number desc limit ${size} offset ${offset}`.execute(db)
  return { rows, total: await countDecisions(db, incidentId) }
}
/** All decisions of an incident in the order of their numbers, for its report. */
export async function listAllDecisions(db: OrgDb, incidentId: string): Promise<LinkedDecision[]> {
  const { rows } = await sql<LinkedDecision>`
    select ${LINKED} from incident_decisions d where d.incident_id = ${incidentId} order by d.number`.execute(
    db,
  )
  return rows
}

export async function findDecision(db: OrgDb, id: string): Promise<LinkedDecision | undefined> {
  const { rows } = await sql<LinkedDecision>`
    select ${LINKED} from incident_decisions d where d.id = ${id}`.execute(db)
  return rows[0]
}

export async function countDecisions(db: OrgDb, incidentId: string): Promise<number> {
  const counted = db.selectFrom('incident_decisions').select(sql<number>`count(*)`.as('count'))
  return (await counted.where('incident_id', '=', incidentId).executeTakeFirstOrThrow()).count
}

/** True when an incident has a decision made from a message. */
export async function hasDecisionOf(db: OrgDb, messageId: string, incidentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('incident_decisions')
    .select('id')
    .where('message_id', '=', messageId)
    .where('incident_id', '=', incidentId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertDecision(db: OrgDb, row: DecisionRow): Promise<void> {
  await db.insertInto('incident_decisions').values(valuesOf(row)).execute()
}

/** Changes a decision and increments its version. */
export async function updateDecision(
  db: OrgDb,
  id: string,
  changes: Partial<Omit<DecisionRow, 'id' | 'version'>>,
): Promise<void> {
  await db
    .updateTable('incident_decisions')
    .set({ ...valuesOf(changes), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}
