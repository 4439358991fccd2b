import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

/** A reminder of a task: before its due time, and once that has passed. */
export type ReminderKind = 'SOON' | 'OVERDUE'

export interface DueTask {
  readonly title: string
  readonly incidentId: string
  /** Id of a user. */
  readonly assignedTo: string | null
  readonly assigneeName: string | null
}

/**
 * Marks a task as reminded of for its due time. Returns it the first time; undefined afterwards, and for a task that is
 * complete, skipped, deleted, due at another time or of a resolved incident.
 */
export async function takeDue(
  db: OrgDb,
  { id, at, kind }: { readonly id: string; readonly at: string; readonly kind: ReminderKind },
): Promise<DueTask | undefined> {
  const marked = sql.ref(kind === 'SOON' ? 'reminded_due_timestamp' : 'overdue_due_timestamp')
  const { rows } = await sql<DueTask>`
    with due as (
      update activities a set ${marked} = due_timestamp
       where id = ${id} and due_timestamp = ${at} and type = 'TASK' and progress < 100 and not is_skipped
         and ${marked} is distinct from due_timestamp
         and exists (select from incidents i where i.id = a.incident_id and i.is_active)
      returning title, incident_id, assigned_to)
    select d.title, d.incident_id as "incidentId", d.assigned_to as "assignedTo",
      nullif(btrim(u.first_name || ' ' || u.last_name), '') as "assigneeName"
    from due d left join users u on u.id = d.assigned_to`.execute(db)
  return rows[0]
}

/** The active person who declared an incident. */
export async function findDeclarer(db: OrgDb, incidentId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select u.id from incidents i join users u on u.email = i.created_by
     where i.id = ${incidentId} and u.active and not u.banned`.execute(db)
  return rows[0]?.id
}
