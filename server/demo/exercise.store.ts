import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    demonstrations: { exercise_id: string | null; steps: number }
  }
}

/** Marks the organisation as a demonstration. */
export const insertDemonstration = (db: OrgDb): Promise<unknown> =>
  db.insertInto('demonstrations').values({ exercise_id: null, steps: 0 }).execute()

/** The exercise of a demonstration, locked; undefined in other organisations. */
export const holdDemonstration = (db: OrgDb) =>
  db.selectFrom('demonstrations').select(['exercise_id', 'steps']).forUpdate().executeTakeFirst()

export const updateDemonstration = (
  db: OrgDb,
  changes: { exercise_id?: string; steps: number },
): Promise<unknown> =>
  db
    .updateTable('demonstrations')
    .set(changes)
    .where(sql<boolean>`true`)
    .execute()

/** An incident in progress with its breakout room. */
export const findActive = (db: OrgDb, id: string) =>
  db
    .selectFrom('incidents')
    .select(['id', 'breakout_room_id'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()

/** Ids of an incident's tasks by title. */
export async function listTaskIds(db: OrgDb, incidentId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('activities')
    .select(['id', 'title'])
    .where('incident_id', '=', incidentId)
    .where('type', '=', 'TASK')
    .execute()
  return new Map(rows.map(({ id, title }) => [title, id]))
}
