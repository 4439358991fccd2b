import { type Generated, sql } from 'kysely'

import type { FileLink, LinkDirection, LinkUpload } from '#contract/file-links/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { SessionRow } from '#server/sessions/store.ts'

interface LinkColumns {
  id: Generated<string>
  item_id: number
  direction: LinkDirection
  label: string
  hash: Buffer
  passcode_hash: string
  user_id: string
  openings_max: number | null
  openings: Generated<number>
  create_timestamp: string
  expires_timestamp: string
  last_opened_timestamp: string | null
  revoked_timestamp: string | null
  revoked_by: string | null
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    file_links: LinkColumns
    file_link_visits: {
      id: Generated<string>
      hash: Buffer
      link_id: string
      visitor: string
      create_timestamp: string
      expires_timestamp: string
    }
    file_link_uploads: {
      visit_id: string
      item_id: number
      name: string
      size: number
      sha256: string
      create_timestamp: string
    }
  }
}

/** An open link with its maker, whose rights decide. */
export interface LinkRow extends SessionRow {
  readonly linkId: string
  readonly itemId: number
  readonly direction: LinkDirection
  readonly label: string
  readonly passcodeHash: string
}
/** A visit with its link and the link's maker. */
export interface VisitRow extends LinkRow {
  readonly visitId: string
  readonly visitor: string
}

/** @param organisation columns of the organisation */
const linkOf = (
  organisation: string,
) => `l.id as "linkId", l.item_id as "itemId", l.direction, l.label, l.passcode_hash as "passcodeHash",
  u.id as "userId", u.email, u.role, u.type, false as "passwordChangeRequired", ${organisation}
  from file_links l join users u on u.id = l.user_id join organisations o on o.id = l.organisation_id`
const IS_OPEN = `l.revoked_timestamp is null and l.expires_timestamp > $2::timestamptz
  and u.active and not u.banned and u.type = 'INTERNAL'`
const visitOf = (organisation: string) =>
  `select v.id as "visitId", v.visitor, ${linkOf(organisation)} join file_link_visits v on v.link_id = l.id`
const valuesFor = (hash: Buffer): string[] => [hash.toString('hex'), clock.timestamp()]

/** Finds a link by its token that can be opened. */
export const linkLookup = (hash: Buffer, organisation: string): Lookup => ({
  name: 'file_link',
  sql: `select ${linkOf(organisation)} where l.hash = decode($1, 'hex') and ${IS_OPEN}
    and (l.openings_max is null or l.openings < l.openings_max)`,
  values: valuesFor(hash),
})
export const visitLookup = (hash: Buffer, organisation: string): Lookup => ({
  name: 'file_link_visit',
  sql: `${visitOf(organisation)} where v.hash = decode($1, 'hex') and v.expires_timestamp > $2::timestamptz and ${IS_OPEN}`,
  values: valuesFor(hash),
})
/** Finds the visit of a ticket. */
export const ticketLookup = (hash: Buffer, organisation: string): Lookup => ({
  name: 'file_link_ticket',
  sql: `${visitOf(organisation)} join file_tickets t on t.visit_id = v.id
    where t.hash = decode($1, 'hex') and t.expires_timestamp > $2::timestamptz and ${IS_OPEN}`,
  values: valuesFor(hash),
})

type NewLink = Pick<
  LinkColumns,
  | 'item_id'
  | 'direction'
  | 'label'
  | 'hash'
  | 'passcode_hash'
  | 'user_id'
  | 'openings_max'
  | 'expires_timestamp'
>
export async function insertLink(db: OrgDb, link: NewLink): Promise<string> {
  const { id } = await db
    .insertInto('file_links')
    .values({
      ...link,
      create_timestamp: clock.timestamp(),
      last_opened_timestamp: null,
      revoked_timestamp: null,
      revoked_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface Which {
  readonly id?: string | undefined
  readonly itemId?: number | undefined
  /** Restricts to one maker. */
  readonly userId?: string | undefined
}
interface ListQuery {
  readonly sort?: readonly [string, 'ASC' | 'DESC'] | undefined
  readonly range?: readonly [number, number] | undefined
}
/** A page of links to items that are not in the trash nor in a hidden root folder, newest first. */
export async function listLinks(
  db: OrgDb,
  { id, itemId, userId }: Which,
  hidden: readonly number[],
  { sort, range }: ListQuery = {},
): Promise<Page<FileLink>> {
  const direction = sql.raw(sort?.[1] === 'ASC' ? 'asc' : 'desc')
  const found = sql`from file_links l join file_items i on i.id = l.item_id join users u on u.id = l.user_id
    where i.trash_id is null and i.root_id <> all(${hidden}::bigint[])
      and ${id === undefined ? sql`true` : sql`l.id = ${id}`}
      and ${itemId === undefined ? sql`true` : sql`l.item_id = ${itemId}`}
      and ${userId === undefined ? sql`true` : sql`l.user_id = ${userId}`}`
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<Omit<FileLink, 'itemName'> & { name: string; extension: string }>`
    select l.id, l.item_id as "itemId", i.name, i.extension, i.is_folder as "isFolder", l.direction, l.label,
      u.email as "madeBy", coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), u.email) as "madeByName",
      l.create_timestamp as "createTimestamp", l.expires_timestamp as "expireTimestamp", l.openings,
      l.openings_max as "openingsMax", l.last_opened_timestamp as "lastOpenedTimestamp",
      case when l.revoked_timestamp is not null then 'WITHDRAWN'
           when l.expires_timestamp <= ${clock.timestamp()}::timestamptz or l.openings >= l.openings_max then 'ENDED'
           else 'OPEN' end as state
      ${found} order by l.create_timestamp ${direction}, l.id ${direction} ${page}`.execute(db)
  const links = rows.map(({ name, extension, ...link }) => ({
    ...link,
    itemName: wholeName({ name, extension }),
  }))
  if (!range) return { rows: links, total: links.length }
  const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  return { rows: links, total: counted.rows[0]!.total }
}

/** Ends a link. An ended one stays as it is. */
export async function updateRevoked(db: OrgDb, id: string, by: string): Promise<void> {
  await db
    .updateTable('file_links')
    .set({ revoked_timestamp: clock.timestamp(), revoked_by: by })
    .where('id', '=', id)
    .where('revoked_timestamp', 'is', null)
    .execute()
}

/** Ends the links to an item and to everything below it. */
export async function updateRevokedBelow(
  db: OrgDb,
  { id, rootId }: { readonly id: number; readonly rootId: number },
  by: string,
): Promise<void> {
  await sql`update file_links l set revoked_timestamp = ${clock.timestamp()}, revoked_by = ${by}
    from file_items i where i.id = l.item_id and l.revoked_timestamp is null
      and i.root_id = ${rootId} and (i.id = ${id} or ${id} = any(i.path))`.execute(db)
}

/** Ends the links of a person who is archived or banned. */
export async function updateRevokedOfBarred(db: OrgDb, userId: string): Promise<void> {
  await sql`update file_links l set revoked_timestamp = ${clock.timestamp()}, revoked_by = u.email
    from users u where u.id = l.user_id and u.id = ${userId} and l.revoked_timestamp is null
      and (u.banned or not u.active)`.execute(db)
}

/** Counts an opening. False where the last one was used meanwhile. */
export async function countLinkOpening(db: OrgDb, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('file_links')
    .set((eb) => ({ openings: eb('openings', '+', 1), last_opened_timestamp: clock.timestamp() }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('openings_max', 'is', null), eb('openings', '<', eb.ref('openings_max'))]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function insertVisit(
  db: OrgDb,
  visit: {
    readonly hash: Buffer
    readonly link_id: string
    readonly visitor: string
    readonly expires_timestamp: string
  },
): Promise<void> {
  await db
    .insertInto('file_link_visits')
    .values({ ...visit, create_timestamp: clock.timestamp() })
    .execute()
}

/** The file that a visit has sent already by this name with these bytes. */
export const findSent = (
  db: OrgDb,
  visitId: string,
  { name, sha256 }: { readonly name: string; readonly sha256: string },
) =>
  db
    .selectFrom('file_link_uploads')
    .select(['name', 'size', 'create_timestamp as createTimestamp'])
    .where('visit_id', '=', visitId)
    .where('name', '=', name)
    .where('sha256', '=', sha256)
    .executeTakeFirst()

export async function insertSent(
  db: OrgDb,
  sent: { visit_id: string; item_id: number; name: string; size: number; sha256: string },
): Promise<LinkUpload> {
  const createTimestamp = clock.timestamp()
  await db
    .insertInto('file_link_uploads')
    .values({ ...sent, create_timestamp: createTimestamp })
    .execute()
  return { name: sent.name, size: sent.size, createTimestamp }
}

/** Files that a visit has sent, oldest first. */
export const listSent = (db: OrgDb, visitId: string): Promise<LinkUpload[]> =>
  db
    .selectFrom('file_link_uploads')
    .select(['name', 'size', 'create_timestamp as createTimestamp'])
    .where('visit_id', '=', visitId)
    .orderBy('create_timestamp')
    .orderBy('item_id')
    .execute()
