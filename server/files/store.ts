import { type GeneratedAlways, type RawBuilder, sql } from 'kysely'

import { type FolderType, hasGroups, nameKey, type PathStep } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'
import { PERSON_COLUMNS } from '#server/kit/database/people.ts'
import { holdsEachWord, searchedWords, searchRows } from '#server/kit/database/search.ts'
import { cutOf, type Direction, orderOf, type Step } from '#server/kit/http/lists.ts'
import { type EventActor, type OrgDb, unitOf } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'

interface ItemColumns {
  id: GeneratedAlways<number>
  parent_id: number
  path: number[]
  root_id: number
  is_folder: boolean
  name: string
  extension: string
  name_key: string
  folder_type: FolderType
  size: number
  type: string | null
  sha256: string | null
  file_version: number
  is_held: boolean
  holds: number
  created_by: string
  create_timestamp: string
  update_timestamp: string
  version: number
  trash_id: number | null
  deleted_by: string | null
  delete_timestamp: string | null
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    file_items: ItemColumns
    file_groups: { folder_id: number; group_id: string }
  }
}

/** A file or folder as stored, with the name of its creator. */
export interface ItemRow {
  readonly id: number
  readonly parentFolderId: number
  /** Ids of the folders above the item, root folder first. */
  readonly path: readonly number[]
  readonly rootId: number
  readonly isFolder: boolean
  readonly name: string
  readonly extension: string
  readonly size: number
  readonly type: string | null
  readonly sha256: string | null
  readonly fileVersion: number
  readonly isHeld: boolean
  readonly holds: number
  readonly createdBy: string
  readonly createdByName: string
  readonly createTimestamp: string
  readonly updateTimestamp: string
  readonly version: number
  readonly trashId: number | null
  readonly deletedBy: string | null
  readonly deletedByName: string | null
  readonly deleteTimestamp: string | null
  /** True when the person of the transaction has starred the item. */
  readonly isStarred: boolean
}

/** A person's name, or else their address. */
const nameFrom = (person: string, address: string) =>
  sql.raw(`coalesce(nullif(btrim(${person}.first_name || ' ' || ${person}.last_name), ''), ${address})`)
const COLUMNS = sql`i.id, i.parent_id as "parentFolderId", i.path, i.root_id as "rootId", i.is_folder as "isFolder",
  i.name, i.extension, i.size, i.type, i.sha256, i.file_version as "fileVersion", i.is_held as "isHeld", i.holds,
  i.created_by as "createdBy", ${nameFrom('u', 'i.created_by')} as "createdByName",
  i.create_timestamp as "createTimestamp", i.update_timestamp as "updateTimestamp", i.version,
  i.trash_id as "trashId", i.deleted_by as "deletedBy", ${nameFrom('d', 'i.deleted_by')} as "deletedByName",
  i.delete_timestamp as "deleteTimestamp", m.item_id is not null as "isStarred"`
const PEOPLE = sql`left join users u on u.email = i.created_by left join users d on d.email = i.deleted_by`
const starsOf = ({ kind, id }: EventActor) => sql`left join file_marks m
  on m.item_id = i.id and m.user_id = ${kind === 'person' ? id : null}::uuid and m.starred_timestamp is not null`

/** Excludes the folders that the viewer may not open. */
const outside = (hidden: readonly number[]) => sql`root_id <> all(${hidden}::bigint[])`

/** The rows that a statement finds, with all columns. */
export async function readItems(
  db: OrgDb,
  found: RawBuilder<unknown>,
  order = sql`i.id`,
): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow & { path: string[] }>`
    select ${COLUMNS} from (select * from file_items where ${found}) i ${PEOPLE} ${starsOf(unitOf(db).actor)}
     order by ${order}`.execute(db)
  return rows.map((row) => ({ ...row, path: row.path.map(Number) }))
}

/** A file or folder outside the trash. */
export const findItem = async (db: OrgDb, id: number): Promise<ItemRow | undefined> =>
  (await readItems(db, sql`id = ${id} and trash_id is null`))[0]

/** Files and folders in the order of the given ids. */
export async function listItems(db: OrgDb, ids: readonly number[]): Promise<ItemRow[]> {
  const rows = await readItems(db, sql`id = any(${ids}::bigint[]) and trash_id is null`)
  const known = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** Files and folders in the trash, in the order of the given ids. */
export async function findTrashed(db: OrgDb, ids: readonly number[]): Promise<ItemRow[]> {
  const rows = await readItems(db, sql`id = any(${ids}::bigint[]) and trash_id is not null`)
  const known = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => known.get(id) ?? [])
}

export const nameKeyOf = (name: { name: string; extension: string }): string => nameKey(wholeName(name))

/** Visible items of a folder with one of these names. */
export const listNamed = (
  db: OrgDb,
  parentId: number,
  names: readonly { readonly name: string; readonly extension: string }[],
  hidden: readonly number[],
): Promise<ItemRow[]> =>
  readItems(
    db,
    sql`parent_id = ${parentId} and name_key = any(${names.map(nameKeyOf)}::text[]) and trash_id is null
      and ${outside(hidden)}`,
  )

/** Visible items by their folder and the key of their name. */
export const listAt = (
  db: OrgDb,
  places: readonly { readonly parentId: number; readonly key: string }[],
  hidden: readonly number[],
): Promise<ItemRow[]> =>
  readItems(
    db,
    sql`(parent_id, name_key) in (select * from unnest(${places.map(({ parentId }) => parentId)}::bigint[],
        ${places.map(({ key }) => key)}::text[]))
      and trash_id is null and ${outside(hidden)}`,
  )

/** A root folder that only some people may open. */
export interface Restriction {
  readonly id: number
  readonly folderType: FolderType
  readonly groupIds: readonly string[]
  /** True when the person is in one of the folder's groups. */
  readonly isMember: boolean
}
/** Restricted root folders, including those in the trash. */
export async function listRestrictions(db: OrgDb, userId: string): Promise<Restriction[]> {
  const { rows } = await sql<Restriction>`
    select f.id, f.folder_type as "folderType",
      array(select g.group_id from file_groups g where g.folder_id = f.id order by g.group_id) as "groupIds",
      exists (select from file_groups g join group_members m on m.group_id = g.group_id
               where g.folder_id = f.id and m.user_id = ${userId}) as "isMember"
      from file_items f where f.folder_type <> 'PUBLIC'`.execute(db)
  return rows
}

export type ItemSort = 'name' | 'updateTimestamp' | 'size' | 'extension'
export interface ItemQuery {
  readonly sort?: readonly [ItemSort, 'ASC' | 'DESC'] | undefined
  readonly range?: readonly [number, number] | undefined
}
const ORDERS: { readonly [F in ItemSort]: string } = {
  name: 'sort_key',
  updateTimestamp: 'update_timestamp',
  size: 'size',
  extension: 'extension',
}
const stepsOf = ([field, direction]: readonly [ItemSort, Direction], of: string): Step[] => [
  [sql.raw(`${of}is_folder`), 'DESC'],
  [sql.raw(`${of}${ORDERS[field]}`), direction],
  ...(field === 'name' ? [] : [[sql.raw(`${of}sort_key`), 'ASC'] as const]),
  [sql.raw(`${of}id`), 'ASC'],
]
const BY_NAME = ['name', 'ASC'] as const
const NOT_IN_TRASH = sql`trash_id is null`
/**
 * A page of the items outside the trash that match conditions, folders first. Pages far behind are read from the end.
 */
async function pageOfItems(
  db: OrgDb,
  conditions: readonly RawBuilder<unknown>[],
  { sort = BY_NAME, range }: ItemQuery,
  kept?: RawBuilder<number>,
): Promise<Page<ItemRow>> {
  const found = sql.join([NOT_IN_TRASH, ...conditions], sql` and `)
  const order = (of: string, isFromEnd = false) => orderOf(stepsOf(sort, of), isFromEnd)
  if (!range) {
    const rows = await readItems(db, sql`${found} order by ${order('')}`, order('i.'))
    return { rows, total: rows.length }
  }
  const counted = await sql<{ total: number }>`
    select ${kept ?? sql`(select count(*) from file_items where ${found})`} as total`.execute(db)
  const { total } = counted.rows[0]!
  const { limit, offset, isFromEnd } = cutOf(range, total)
  const page = sql`order by ${order('', isFromEnd)} limit ${limit} offset ${offset}`
  return { rows: await readItems(db, sql`${found} ${page}`, order('i.')), total }
}

export interface ChildrenFilter {
  /** Restricts to this creator. */
  readonly createdBy?: string | undefined
  readonly isFolder?: boolean | undefined
}
/** A page of the visible items of a folder. */
export const listChildren = (
  db: OrgDb,
  parentId: number,
  hidden: readonly number[],
  { createdBy, isFolder }: ChildrenFilter,
  query: ItemQuery,
): Promise<Page<ItemRow>> =>
  pageOfItems(
    db,
    [
      sql`parent_id = ${parentId}`,
      outside(hidden),
      ...(createdBy === undefined ? [] : [sql`created_by = ${createdBy}`]),
      ...(isFolder === undefined ? [] : [sql`is_folder = ${isFolder}`]),
    ],
    query,
    // Below the root, readers of a folder see everything in it.
    parentId !== 0 && createdBy === undefined && isFolder === undefined
      ? keptCount('file_items', [sql`${parentId}`])
      : undefined,
  )

/** A page of the visible items whose names contain each of some words. */
export async function searchItems(
  db: OrgDb,
  query: string,
  hidden: readonly number[],
  createdBy: string | undefined,
  { sort = BY_NAME, range }: ItemQuery,
): Promise<Page<ItemRow>> {
  const conditions = [outside(hidden), ...(createdBy === undefined ? [] : [sql`created_by = ${createdBy}`])]
  const words = searchedWords(query)
  if (words.length === 0) return pageOfItems(db, conditions, { sort, range })
  const { ids, page } = await searchRows<number>(db, {
    table: 'file_items',
    words,
    where: sql.join([NOT_IN_TRASH, ...conditions], sql` and `),
    order: orderOf(stepsOf(sort, '')),
    range,
  })
  const among = [...conditions, sql`id = any(${ids}::bigint[])`]
  const found = await pageOfItems(db, among, { sort, range: page ? undefined : range })
  return { ...found, ...page }
}

/** A page of the visible items among some, except those that `searchItems` finds by their names. */
export const listNotNamed = (
  db: OrgDb,
  ids: readonly number[],
  query: string,
  hidden: readonly number[],
  createdBy: string | undefined,
  page: ItemQuery,
): Promise<Page<ItemRow>> =>
  pageOfItems(
    db,
    [
      sql`id = any(${ids}::bigint[])`,
      sql`not ${holdsEachWord(query)}`,
      outside(hidden),
      ...(createdBy === undefined ? [] : [sql`created_by = ${createdBy}`]),
    ],
    page,
  )

/** All visible items, folders first and by name. */
export const listAll = (db: OrgDb, hidden: readonly number[]): Promise<ItemRow[]> =>
  readItems(db, sql`trash_id is null and ${outside(hidden)}`, sql`i.is_folder desc, i.sort_key, i.id`)

/** A file or folder and everything below it, including the trash. */
const withBelow = ({ id, rootId }: Pick<ItemRow, 'id' | 'rootId'>) =>
  sql`root_id = ${rootId} and (id = ${id} or ${id} = any(path))`

/** A file or folder and everything below it, each folder before its items. */
export const listTree = (db: OrgDb, top: ItemRow): Promise<ItemRow[]> =>
  readItems(db, sql`trash_id is null and ${withBelow(top)}`, sql`cardinality(i.path), i.id`)

/** The names of folders, by their ids. */
export async function listNames(db: OrgDb, ids: readonly number[]): Promise<Map<number, PathStep>> {
  const { rows } = await sql<PathStep>`
    select id, name from file_items where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Number and size of the files in a folder; without one, of all visible files. */
export async function measure(
  db: OrgDb,
  folder: Pick<ItemRow, 'id' | 'rootId'> | null,
  hidden: readonly number[],
): Promise<{ itemsCount: number; totalSize: number }> {
  const among = folder ? withBelow(folder) : outside(hidden)
  const { rows } = await sql<{ itemsCount: number; totalSize: number }>`
    select count(*) filter (where parent_id = ${folder?.id ?? 0}) as "itemsCount", coalesce(sum(size), 0) as "totalSize"
      from file_items where trash_id is null and ${among}`.execute(db)
  return rows[0]!
}

/** People who can open an item: users of files, and for a restricted folder only its own readers. */
const readersOf = (restriction: Restriction | undefined) => {
  const members = sql`id in (select m.user_id from group_members m where m.group_id = any(${restriction?.groupIds ?? []}::uuid[]))`
  const admitted =
    restriction === undefined
      ? sql`true`
      : sql`(role = 'ADMIN' or ${hasGroups(restriction.folderType) ? members : sql`false`})`
  return sql`from users where active and not banned and type = 'INTERNAL' and ${admitted}`
}
export async function countReaders(db: OrgDb, restriction: Restriction | undefined): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${readersOf(restriction)}`.execute(
    db,
  )
  return rows[0]!.total
}
/** A page of the people who can open an item, by name. */
export async function listReaders(
  db: OrgDb,
  restriction: Restriction | undefined,
  {
    sort,
    range,
  }: { sort?: readonly [string, 'ASC' | 'DESC'] | undefined; range?: readonly [number, number] | undefined },
): Promise<Page<NamedPerson>> {
  const direction = sql.raw(sort?.[1] === 'DESC' ? 'desc' : 'asc')
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<NamedPerson>`
    select ${PERSON_COLUMNS} ${readersOf(restriction)} order by given_key ${direction}, id ${page}`.execute(
    db,
  )
  return { rows, total: range ? await countReaders(db, restriction) : rows.length }
}

export type NewItem = Pick<ItemRow, 'parentFolderId' | 'path' | 'name' | 'extension' | 'isFolder'> &
  Partial<Pick<ItemRow, 'size' | 'type' | 'sha256'>> & {
    readonly folderType: FolderType
    readonly createdBy: string
    readonly at: string
  }
/** Inserts a file or folder and returns its id. */
export async function insertItem(db: OrgDb, item: NewItem): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into file_items (parent_id, path, root_id, is_folder, name, extension, name_key, folder_type, size, type,
        sha256, created_by, create_timestamp, update_timestamp)
      values (${item.parentFolderId}, ${item.path}::bigint[], ${item.path[0] ?? 0}, ${item.isFolder}, ${item.name},
        ${item.extension}, ${nameKeyOf(item)}, ${item.folderType}, ${item.size ?? 0}, ${item.type ?? null},
        ${item.sha256 ?? null}, ${item.createdBy}, ${item.at}, ${item.at})
      returning id`.execute(db)
  const { id } = rows[0]!
  if (item.path.length === 0) await sql`update file_items set root_id = id where id = ${id}`.execute(db)
  return id
}

type Updated = Partial<
  Pick<ItemColumns, 'name' | 'name_key' | 'folder_type' | 'size' | 'type' | 'sha256' | 'file_version'>
>
/** Changes a file or folder and increments its version. */
export async function updateItem(db: OrgDb, id: number, changes: Updated, at: string): Promise<void> {
  await db
    .updateTable('file_items')
    .set({ ...changes, update_timestamp: at })
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Replaces the groups that may open a root folder. */
export async function updateGroups(db: OrgDb, folderId: number, groupIds: readonly string[]): Promise<void> {
  await sql`delete from file_groups where folder_id = ${folderId} and group_id <> all(${groupIds}::uuid[])`.execute(
    db,
  )
  await sql`insert into file_groups (folder_id, group_id) select ${folderId}, unnest(${groupIds}::uuid[])
    on conflict do nothing`.execute(db)
}

/** Groups that exist among some, each with the person's membership. */
export async function listGroupsAmong(
  db: OrgDb,
  ids: readonly string[],
  userId: string,
): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ id: string; isMember: boolean }>`
    select g.id, exists (select from group_members m where m.group_id = g.id and m.user_id = ${userId}) as "isMember"
      from user_groups g where g.id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, isMember }) => [id, isMember]))
}

export async function listGroupNames(db: OrgDb, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ name: string }>`
    select name from user_groups where id = any(${ids}::uuid[]) order by sort_key, id`.execute(db)
  return rows.map(({ name }) => name)
}

/** Levels of a folder, including itself and everything below it that could be restored. */
export async function findHeight(db: OrgDb, top: ItemRow): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    select coalesce(max(cardinality(path)) - ${top.path.length} + 1, 0) as height
      from file_items where is_folder and ${withBelow(top)}`.execute(db)
  return rows[0]!.height
}

/** True when an item, or anything below it, is on legal hold. */
export async function hasHold(db: OrgDb, top: ItemRow): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from file_items where holds > 0 and ${withBelow(top)}) as found`.execute(db)
  return rows[0]!.found
}

/** Sets or releases the legal hold of an item and everything below it, including the trash. */
export async function updateHold(db: OrgDb, top: ItemRow, isHeld: boolean): Promise<void> {
  await sql`update file_items set is_held = case when id = ${top.id} then ${isHeld} else is_held end,
      holds = holds + ${isHeld ? 1 : -1} where ${withBelow(top)}`.execute(db)
}

export interface NewPlace {
  readonly parentId: number
  readonly path: readonly number[]
  readonly folderType: FolderType
  readonly name: string
}
/** Moves a file or folder, by another name where `place` has one, with everything below it. */
export async function updatePlace(db: OrgDb, top: ItemRow, place: NewPlace, at: string): Promise<void> {
  const rootId = place.path[0] ?? top.id
  const key = nameKeyOf({ name: place.name, extension: top.extension })
  await sql`
    update file_items set root_id = ${rootId}, path = ${place.path}::bigint[] || path[${top.path.length + 1}::int:],
      parent_id = case when id = ${top.id} then ${place.parentId} else parent_id end,
      folder_type = case when id = ${top.id} then ${place.folderType} else folder_type end,
      name = case when id = ${top.id} then ${place.name} else name end,
      name_key = case when id = ${top.id} then ${key} else name_key end,
      version = case when id = ${top.id} then version + 1 else version end,
      update_timestamp = case when id = ${top.id} then ${at}::timestamptz else update_timestamp end
     where ${withBelow(top)}`.execute(db)
}

export async function updateFilePlaces(
  db: OrgDb,
  files: readonly ItemRow[],
  { parentId, path }: { readonly parentId: number; readonly path: readonly number[] },
  at: string,
): Promise<void> {
  if (files.length === 0) return
  const ids = files.map(({ id }) => id)
  await sql`
    update file_items set parent_id = ${parentId}, path = ${path}::bigint[], version = version + 1,
      root_id = ${path.length > 0 ? path[0] : sql`id`}, update_timestamp = ${at}::timestamptz
     where id = any(${ids}::bigint[])`.execute(db)
}

export interface StoredEvent {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly actorName: string
  readonly verb: string
  readonly changes: { readonly [field: string]: { readonly from: unknown; readonly to: unknown } }
}
/**
 * A page of an item's events, with ZIP downloads of the folders now above it since it was added: an archive download is
 * recorded on the chosen folder only. After a move, the page therefore includes earlier downloads of the new folder;
 * those of the old one are in its own history.
 */
export async function listEvents(
  db: OrgDb,
  { id, path, createTimestamp }: Pick<ItemRow, 'id' | 'path' | 'createTimestamp'>,
  {
    sort,
    range,
  }: { sort?: readonly [string, 'ASC' | 'DESC'] | undefined; range?: readonly [number, number] | undefined },
): Promise<Page<StoredEvent>> {
  const direction = sql.raw(sort?.[1] === 'ASC' ? 'asc' : 'desc')
  const found = sql`noun = 'files' and (record = ${String(id)} or (verb = 'archived'
    and record = any(${path.map(String)}::text[]) and at >= ${createTimestamp}::timestamptz))`
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<StoredEvent>`
    select e.id, e.at, e.actor ->> 'name' as actor, e.verb, e.changes,
      coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), e.actor ->> 'name') as "actorName"
      from (select * from events where ${found} order by sequence ${direction} ${page}) e
      left join users u on u.email = e.actor ->> 'name' order by e.sequence ${direction}`.execute(db)
  if (!range) return { rows, total: rows.length }
  const counted = await sql<{ total: number }>`select count(*) as total from events where ${found}`.execute(
    db,
  )
  return { rows, total: counted.rows[0]!.total }
}
