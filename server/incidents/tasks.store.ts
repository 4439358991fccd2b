import { sql } from 'kysely'

import { type MyTask, type MyTasks, TASK_INCIDENTS_MAX, type TaskList } from '#contract/incidents/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

interface TasksQuery {
  readonly list: TaskList
  readonly incidentId?: string | undefined
  readonly page: number
  readonly size: number
  /** True for a viewer who may change these tasks while their incident is in progress. */
  readonly mayEdit: boolean
}

/** Open tasks of incidents in progress, by due time; complete ones of all incidents, the latest first. */
const OPEN = sql`a.progress < 100 and not a.is_skipped and i.is_active`
const conditionOf = (list: TaskList, userId: string) =>
  list === 'FREE'
    ? sql`a.assigned_to is null and ${OPEN}`
    : sql`a.assigned_to = ${userId} and ${list === 'DONE' ? sql`a.progress = 100` : OPEN}`
const orderOf = (list: TaskList) =>
  list === 'DONE'
    ? sql`a.update_timestamp desc, a.id`
    : sql`a.due_timestamp nulls last, array_position(array['HIGH', 'MEDIUM', 'LOW'], a.priority), i.is_tabletop, a.position`

/** A page of a person's tasks across the incidents that they see, and these incidents. */
export async function listTasks(
  db: OrgDb,
  viewer: { readonly id: string },
  { list, incidentId, page, size, mayEdit }: TasksQuery,
): Promise<Pick<MyTasks, 'data' | 'total' | 'incidents'>> {
  const all = sql`from activities a join incidents i on i.id = a.incident_id
    where a.type = 'TASK' and ${conditionOf(list, viewer.id)}`
  const one = incidentId === undefined ? sql`` : sql`and i.id = ${incidentId}`
  const [tasks, incidents, counted] = await Promise.all([
    sql<MyTask>`
      select a.id, i.id as "incidentId", i.title as "incidentTitle", i.is_tabletop as "isTabletop", a.title, a.status,
        a.priority, a.progress, a.due_timestamp as "dueTimestamp", a.update_timestamp as "updateTimestamp", a.version,
        ${mayEdit}::boolean and i.is_active as "canEdit"
      ${all} ${one} order by ${orderOf(list)} limit ${size} offset ${page * size}`.execute(db),
    sql<MyTasks['incidents'][number]>`
      select i.id, i.title, i.is_tabletop as "isTabletop" from incidents i
       where exists (select from activities a where a.incident_id = i.id and a.type = 'TASK'
         and ${conditionOf(list, viewer.id)})
       order by i.is_active desc, i.create_timestamp desc, i.id limit ${TASK_INCIDENTS_MAX}`.execute(db),
    sql<{ total: number }>`select count(*) as total ${all} ${one}`.execute(db),
  ])
  return { data: tasks.rows, incidents: incidents.rows, total: counted.rows[0]?.total ?? 0 }
}
