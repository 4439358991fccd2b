import type { OrgDb, Tables } from '#server/kit/database/db.ts'

/** What happened, as the stream tells it; oldest first. */
export type Happening = Omit<Tables['events'], 'hash' | 'externals'>
const happenings = (db: OrgDb) =>
  db
    .selectFrom('events')
    .select(['id', 'sequence', 'at', 'actor', 'noun', 'record', 'parent', 'verb', 'changes'])
    .orderBy('sequence')

export const listActivityEvents = (db: OrgDb, id: string): Promise<Happening[]> =>
  happenings(db).where('noun', '=', 'activities').where('record', '=', id).execute()

/** Everything that happened to an incident and below it. */
export const listIncidentEvents = (db: OrgDb, id: string): Promise<Happening[]> =>
  happenings(db)
    .where((eb) =>
      eb.or([eb('parent', '=', id), eb.and([eb('noun', '=', 'incidents'), eb('record', '=', id)])]),
    )
    .execute()

/** What was done to a record last: by whom, and which fields it changed. */
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
