import { sql } from 'kysely'

import {
  type PlaybookUse,
  type TaskUse,
  USES_COUNTED,
  USES_EVALUATED,
} from '#contract/incident-playbooks/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'

/** The newest uses of a playbook, one row for each time that an incident took tasks from it. */
const newestUses = (playbookId: string, limit: number) => sql`
  select i.incident_id, i.added_timestamp from incident_playbooks i
   where i.playbook_id = ${playbookId} order by i.added_timestamp desc limit ${limit}`

/** The incidents and exercises that used a playbook, among its newest uses. */
export async function findUse(db: OrgDb, playbookId: string): Promise<PlaybookUse> {
  const { rows } = await sql<Omit<PlaybookUse, 'last'>>`
    with uses as (${newestUses(playbookId, USES_COUNTED + 1)})
    select count(distinct x.id) filter (where not x.is_tabletop) as "incidentsCount",
      count(distinct x.id) filter (where x.is_tabletop) as "exercisesCount",
      (select count(*) from uses) > ${USES_COUNTED} as "hasMore"
      from uses u join incidents x on x.id = u.incident_id`.execute(db)
  const last = await sql<NonNullable<PlaybookUse['last']>>`
    with uses as (${newestUses(playbookId, 1)})
    select x.id as "incidentId", x.title, x.is_tabletop as "isTabletop", u.added_timestamp as "timestamp"
      from uses u join incidents x on x.id = u.incident_id`.execute(db)
  return { ...rows[0]!, last: last.rows[0] ?? null }
}

/**
 * The tasks of a playbook with their outcomes in the newest resolved incidents and exercises that used it, the most
 * skipped ones first.
 */
export async function listTaskUses(
  db: OrgDb,
  playbookId: string,
  [first, last]: readonly [number, number],
): Promise<Page<TaskUse>> {
  const { rows } = await sql<TaskUse & { total: number }>`
    with uses as materialized (
      select i.id from incident_playbooks i join incidents x on x.id = i.incident_id and not x.is_active
       where i.playbook_id = ${playbookId} order by i.added_timestamp desc limit ${USES_EVALUATED}
    ), outcomes as (
      select t.item_id, count(*) as taken,
        count(*) filter (where a.status = 'COMPLETE') as completed,
        count(*) filter (where a.status <> 'COMPLETE') as open,
        count(*) filter (where a.id is null) as deleted
        from uses u join incident_playbook_tasks t on t.incident_playbook_id = u.id
        left join activities a on a.id = t.activity_id
       group by t.item_id
    )
    select item ->> 'id' as "itemId", item ->> 'title' as title, o.taken as "takenCount",
      o.completed as "completedCount", o.open as "openCount", o.deleted as "deletedCount",
      count(*) over () as total
      from playbooks p, jsonb_array_elements(p.activities) item join outcomes o on o.item_id = (item ->> 'id')::uuid
     where p.id = ${playbookId}
     order by o.open + o.deleted desc, o.taken desc, (item ->> 'index')::integer
     limit ${last - first + 1} offset ${first}`.execute(db)
  return { rows, total: rows[0]?.total ?? 0 }
}
