import { type GeneratedAlways, sql } from 'kysely'

import type { IncidentLabel } from '#contract/incident-labels/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_labels: {
      incident_id: string
      position: number
      label: string
      folded: GeneratedAlways<string>
    }
  }
}

/** Labels that contain the text in any spelling, most used first. */
export async function listLabels(
  db: OrgDb,
  { search, size }: { readonly search: string; readonly size: number },
): Promise<IncidentLabel[]> {
  const { rows } = await sql<IncidentLabel>`
    select mode() within group (order by label) as label, count(*) as "usedCount"
      from incident_labels where strpos(folded, fold(${search.trim()})) > 0
     group by folded order by count(*) desc, folded limit ${size}`.execute(db)
  return rows
}

/** The labels without those that say the same in another spelling, in their order. */
export async function distinctLabels(db: OrgDb, labels: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ label: string }>`
    select label from (
      select distinct on (fold(label)) label, position
        from unnest(${labels}::text[]) with ordinality as one (label, position)
       order by fold(label), position) first
     order by position`.execute(db)
  return rows.map(({ label }) => label)
}

/** Replaces the labels of an incident by others, which are distinct. */
export async function writeLabels(db: OrgDb, incidentId: string, labels: readonly string[]): Promise<void> {
  await sql`delete from incident_labels where incident_id = ${incidentId}`.execute(db)
  if (labels.length > 0)
    await sql`insert into incident_labels (incident_id, position, label)
      select ${incidentId}, position, label
        from unnest(${labels}::text[]) with ordinality as one (label, position)`.execute(db)
}
