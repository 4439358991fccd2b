import { sql } from 'kysely'

import type { StakeholderLink } from '#contract/stakeholder-links/schema.ts'
import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'

/** A link as stored. */
export interface LinkRow extends Omit<StakeholderLink, 'state'> {
  readonly hash: Buffer
  readonly passcodeHash: string
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    stakeholder_links: ColumnsOf<LinkRow>
  }
}
const SHOWN = selectionOf([
  'id',
  'incidentId',
  'label',
  'createdBy',
  'createTimestamp',
  'expireTimestamp',
  'withdrawnBy',
  'withdrawnTimestamp',
  'visitsCount',
  'lastVisitTimestamp',
])
export type ShownLink = Omit<LinkRow, 'hash' | 'passcodeHash'>

/** A page of the links of an incident, newest first. */
export async function listLinks(
  db: OrgDb,
  incidentId: string,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ rows: ShownLink[]; total: number }> {
  const found = db.selectFrom('stakeholder_links').where('incident_id', '=', incidentId)
  const rows = await found
    .select(SHOWN)
    .orderBy('create_timestamp', 'desc')
    .orderBy('id')
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await found.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** The number of links of an incident that can be opened at `now`. */
export async function countOpen(db: OrgDb, incidentId: string, now: string): Promise<number> {
  const { count } = await db
    .selectFrom('stakeholder_links')
    .select(sql<number>`count(*)`.as('count'))
    .where('incident_id', '=', incidentId)
    .where('withdrawn_timestamp', 'is', null)
    .where('expire_timestamp', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export const findLink = (db: OrgDb, id: string): Promise<ShownLink | undefined> =>
  db.selectFrom('stakeholder_links').select(SHOWN).where('id', '=', id).executeTakeFirst()

export async function insertLink(db: OrgDb, row: LinkRow): Promise<void> {
  await db.insertInto('stakeholder_links').values(valuesOf(row)).execute()
}

/** Withdraws a link. Returns whether it was not withdrawn before. */
export async function updateWithdrawn(db: OrgDb, id: string, by: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stakeholder_links')
    .set({ withdrawn_by: by, withdrawn_timestamp: at })
    .where('id', '=', id)
    .where('withdrawn_timestamp', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countVisit(db: OrgDb, id: string, at: string): Promise<void> {
  await db
    .updateTable('stakeholder_links')
    .set({ visits_count: sql`visits_count + 1`, last_visit_timestamp: at })
    .where('id', '=', id)
    .execute()
}

/** A link that is opened, with its incident and organisation. */
export interface OpenedLink {
  readonly linkId: string
  readonly label: string
  readonly passcodeHash: string
  readonly incidentId: string
  readonly organisation: string
}
/** Finds a link by its token that can be opened. */
export const linkLookup = (hash: Buffer): Lookup => ({
  name: 'stakeholder_link',
  sql: `select l.id as "linkId", l.label, l.passcode_hash as "passcodeHash", l.incident_id as "incidentId",
      o.display_name as organisation
    from stakeholder_links l join organisations o on o.id = l.organisation_id
    where l.hash = decode($1, 'hex') and l.withdrawn_timestamp is null and l.expire_timestamp > $2::timestamptz`,
  values: [hash.toString('hex'), clock.timestamp()],
})
