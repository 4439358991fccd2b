import { sql } from 'kysely'

import type { Figures, FiguresGroup, IncidentFigures, Span } from '#contract/incident-figures/schema.ts'
import { SEVERITIES } from '#contract/incidents/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

interface Period {
  readonly from: string
  readonly to: string
  readonly isTabletop: string
  readonly timeZone: string
}
interface Row {
  readonly month: string | null
  readonly severity: string | null
  readonly kindId: string | null
  readonly kindName: string | null
  /** The columns that do not count: all of them (7), all but the month (3), the severity (5) or the kind (6). */
  readonly level: number
  readonly count: number
  readonly checkIn: readonly [number, number] | null
  readonly update: readonly [number, number] | null
  readonly resolution: readonly [number, number] | null
}

const LEVELS = { all: 7, month: 3, severity: 5, kind: 6 } as const
const NOTHING: Figures = { count: 0, checkIn: null, update: null, resolution: null }
const spanOf = (values: Row['checkIn']): Span => values && { median: values[0], most: values[1] }
const figuresOf = ({ count, checkIn, update, resolution }: Row): Figures => ({
  count,
  checkIn: spanOf(checkIn),
  update: spanOf(update),
  resolution: spanOf(resolution),
})

/** Figures of the incidents, or exercises, that were declared in a period. */
export async function findFigures(
  db: OrgDb,
  { from, to, isTabletop, timeZone }: Period,
): Promise<IncidentFigures> {
  const minutesTo = (at: ReturnType<typeof sql>) =>
    sql`extract(epoch from ${at} - i.create_timestamp)::float8 / 60`
  const spread = (column: string) =>
    sql`percentile_cont(array[0.5, 0.9]) within group (order by ${sql.ref(column)})`
  const { rows } = await sql<Row>`
    with one as (
      select to_char(i.create_timestamp at time zone ${timeZone}, 'YYYY-MM') as month, i.severity,
        coalesce(i.kind_id::text, '') as kind_id,
        ${minutesTo(sql`(select min(c."timestamp") from check_ins c where c.incident_id = i.id)`)} as check_in,
        ${minutesTo(sql`(select min(a.create_timestamp) from activities a where a.incident_id = i.id
          and a.type = 'UPDATE' and a.parent_activity_id is null)`)} as update_time,
        ${minutesTo(sql`i.resolve_timestamp`)} as resolution
        from incidents i
       where i.is_tabletop = ${isTabletop}::boolean and i.outcome is distinct from 'MERGED'
         and i.create_timestamp >= ${from}::date::timestamp at time zone ${timeZone}
         and i.create_timestamp < (${to}::date + 1)::timestamp at time zone ${timeZone}),
    grouped as (
      select month, severity, kind_id, grouping(month, severity, kind_id) as level, count(*) as count,
        ${spread('check_in')} as check_in, ${spread('update_time')} as update_time, ${spread('resolution')} as resolution
        from one group by grouping sets ((), (month), (severity), (kind_id)))
    select g.month, g.severity, g.kind_id as "kindId", k.name as "kindName", g.level, g.count, g.check_in as "checkIn",
      g.update_time as "update", g.resolution
      from grouped g left join incident_kinds k on k.id::text = g.kind_id
     order by g.month, k.sort_key nulls last`.execute(db)
  const groups = (level: number, keyOf: (row: Row) => string | null): FiguresGroup[] =>
    rows
      .filter((row) => row.level === level)
      .map((row) => ({ ...figuresOf(row), key: keyOf(row) ?? '', name: row.kindName }))
  const all = rows.find(({ level }) => level === LEVELS.all)
  const severities = groups(LEVELS.severity, ({ severity }) => severity)
  const rank = ({ key }: FiguresGroup) => SEVERITIES.findIndex((one) => one === key)
  return {
    all: all ? figuresOf(all) : NOTHING,
    months: groups(LEVELS.month, ({ month }) => month),
    severities: severities.toSorted((a, b) => rank(b) - rank(a)),
    kinds: groups(LEVELS.kind, ({ kindId }) => kindId),
  }
}
