import { sql } from 'kysely'

import type { Config } from '#contract/config/catalogue.ts'
import {
  CALLS_KEPT,
  type CallResult,
  DeclarationSource,
  SOURCE_NAME_TAKEN,
  type SourceCall,
} from '#contract/declarations/schema.ts'
import { type ColumnsOf, selectionText } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    declaration_sources: ColumnsOf<DeclarationSource> & { secret: Buffer }
    declarations: {
      id: string
      source_id: string
      key: string
      incident_id: string
      states: string[]
      create_timestamp: string
    }
    declaration_calls: {
      id: string
      source_id: string
      at: string
      result: CallResult
      sentence: string
      incident_id: string | null
    }
  }
}

const matchesName = (search = '') => {
  const pattern = `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`name ilike ${pattern}`
}

export const sources = plainNoun({
  noun: 'declarations',
  table: 'declaration_sources',
  label: 'This source',
  schema: DeclarationSource,
  fields: [
    'name',
    'form',
    'isTabletop',
    'criticalWords',
    'highWords',
    'mediumWords',
    'lowWords',
    'defaultSeverity',
  ],
  also: ['addressId', 'secret'],
  name: 'name',
  nameTaken: SOURCE_NAME_TAKEN,
  orders: { name: sql`natural_key(name)`, createTimestamp: sql`create_timestamp` },
  sort: ['name', 'ASC'],
  matches: matchesName,
})

const LOOKED_UP = [
  'id',
  'name',
  'form',
  'addressId',
  'isTabletop',
  'criticalWords',
  'highWords',
  'mediumWords',
  'lowWords',
  'defaultSeverity',
] as const
/** The source behind a call, with its sealed secret and its organisation's configuration. */
export interface CallingSource extends Readonly<Pick<DeclarationSource, (typeof LOOKED_UP)[number]>> {
  readonly secret: Buffer
  readonly config: Partial<Config>
  readonly globalConfig: Partial<Config> | null
}

/** Finds a source by its address, as a statement for the opening of a transaction. */
export const sourceLookup = (addressId: string, organisationColumns: string): Lookup => ({
  name: 'declaration_source',
  sql: `select ${organisationColumns}, ${selectionText(LOOKED_UP, 's.')}, s.secret
   from declaration_sources s join organisations o on o.id = s.organisation_id
   where s.address_id = $1`,
  values: [addressId],
})

export interface DeclaredRow {
  readonly id: string
  readonly incidentId: string
  readonly isActive: boolean
  readonly isKnown: boolean
}
/** The newest incident that a source has declared under a key, and whether the state was taken already. */
export async function findDeclared(
  db: OrgDb,
  sourceId: string,
  key: string,
  state: string,
): Promise<DeclaredRow | undefined> {
  const { rows } = await sql<DeclaredRow>`
    select d.id, d.incident_id as "incidentId", i.is_active as "isActive", ${state} = any(d.states) as "isKnown"
      from declarations d join incidents i on i.id = d.incident_id
     where d.source_id = ${sourceId} and d.key = ${key}
     order by d.create_timestamp desc, d.id limit 1`.execute(db)
  return rows[0]
}

export async function insertDeclaration(
  db: OrgDb,
  row: { readonly sourceId: string; readonly key: string; readonly incidentId: string; readonly at: string },
  state: string,
): Promise<void> {
  await db
    .insertInto('declarations')
    .values({
      id: crypto.randomUUID(),
      source_id: row.sourceId,
      key: row.key,
      incident_id: row.incidentId,
      states: [state],
      create_timestamp: row.at,
    })
    .execute()
}

/** States of an incident that are remembered. */
const STATES_KEPT = 100
/** Adds a state that was taken; the oldest are forgotten. */
export async function addState(db: OrgDb, id: string, state: string): Promise<void> {
  await sql`update declarations set states = (states || ${state}::text)[greatest(1, cardinality(states) + 2 - ${STATES_KEPT}::integer):]
    where id = ${id}`.execute(db)
}

/** Keeps a call, and forgets those before the last hundred. */
export async function insertCall(
  db: OrgDb,
  call: Omit<SourceCall, 'id' | 'incidentTitle'> & { readonly sourceId: string },
): Promise<void> {
  await db
    .insertInto('declaration_calls')
    .values({
      id: crypto.randomUUID(),
      source_id: call.sourceId,
      at: call.at,
      result: call.result,
      sentence: call.sentence,
      incident_id: call.incidentId,
    })
    .execute()
  await sql`delete from declaration_calls where id in (
    select id from declaration_calls where source_id = ${call.sourceId} order by at desc, id offset ${CALLS_KEPT})`.execute(
    db,
  )
}

/** A page of a source's calls, newest first. */
export async function listCalls(
  db: OrgDb,
  sourceId: string,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ data: SourceCall[]; total: number }> {
  const { rows } = await sql<SourceCall>`
    select c.id, c.at, c.result, c.sentence, c.incident_id as "incidentId", i.title as "incidentTitle"
      from declaration_calls c left join incidents i on i.id = c.incident_id
     where c.source_id = ${sourceId} order by c.at desc, c.id limit ${size} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from declaration_calls where source_id = ${sourceId}`.execute(db)
  return { data: rows, total: counted.rows[0]!.total }
}
