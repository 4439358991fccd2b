import { sql } from 'kysely'

import type { OrgDb, Tables } from '#server/kit/database/db.ts'

/** An event of the stream. */
export type Happening = Omit<Tables['events'], 'hash' | 'externals'>
const happenings = (db: OrgDb) =>
  db
    .selectFrom('events')
    .select(['id', 'sequence', 'at', 'actor', 'noun', 'record', 'parent', 'verb', 'changes'])
    .orderBy('sequence')

/** Events of a record, oldest first. */
export const listEventsOf = (db: OrgDb, noun: string, record: string): Promise<Happening[]> =>
  happenings(db).where('noun', '=', noun).where('record', '=', record).execute()
export const listActivityEvents = (db: OrgDb, id: string): Promise<Happening[]> =>
  listEventsOf(db, 'activities', id)

/** Events of an incident and everything below it, oldest first. */
export const listIncidentEvents = (db: OrgDb, id: string): Promise<Happening[]> =>
  happenings(db)
    .where((eb) =>
      eb.or([eb('parent', '=', id), eb.and([eb('noun', '=', 'incidents'), eb('record', '=', id)])]),
    )
    .execute()

/** The latest events of a record, with author and changed fields. */
export const listLatestChanges = (
  db: OrgDb,
  noun: string,
  record: string,
  count: number,
): Promise<Pick<Happening, 'actor' | 'changes'>[]> =>
  db
    .selectFrom('events')
    .select(['actor', 'changes'])
    .where('noun', '=', noun)
    .where('record', '=', record)
    .orderBy('sequence', 'desc')
    .limit(count)
    .execute()

/** Events by their numbers, oldest first. */
export const listEventsBySequence = (db: OrgDb, sequences: readonly number[]): Promise<Happening[]> =>
  sequences.length === 0
    ? Promise.resolve([])
    : happenings(db)
        .where('sequence', '=', sql<number>`any(${sequences}::bigint[])`)
        .execute()
