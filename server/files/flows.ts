import type { filesApi } from '#contract/files/api.ts'
import { itemEventInWords } from '#contract/files/rules.ts'
import {
  ADMIN_FOLDERS_BY_ADMINS,
  type FileVersion,
  FOLDER_NAME_REQUIRED,
  FOLDER_ACCESS,
  type FolderType,
  GROUP_REQUIRED,
  hasGroups,
  type ItemChanges,
  type ItemDetails,
  type ItemEvent,
  NAME_TAKEN,
  type NewFolder,
  NOT_YOUR_GROUP,
  OWN_GROUPS_NEEDED,
  type PathStep,
  ROOT,
  ROOT_LEVEL_ONLY,
  type StorageItem,
  type StorageTree,
  UNKNOWN_GROUP,
} from '#contract/files/schema.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { wholeName } from '#contract/kit/files.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Change, Changes } from '#server/kit/core/event.ts'
import { changesBetween } from '#server/kit/events/events.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { demand, wrongField } from '#server/kit/core/refusal.ts'

import {
  type Acting,
  changing,
  demandCurrent,
  demandDepth,
  demandEditable,
  demandNoHold,
  demandOpenToNew,
  openedFile,
  openedFolder,
  openedItem,
  pathIn,
  recordItem,
  toItem,
  type Viewer,
  viewerOf,
} from './access.flows.ts'
import {
  countReaders,
  findItem,
  insertItem,
  type ItemRow,
  listAll,
  listChildren,
  listEvents,
  listGroupNames,
  listGroupsAmong,
  listNamed,
  listNames,
  listReaders,
  measure,
  nameKeyOf,
  updateGroups,
  updateHold,
  updateItem,
} from './store.ts'
import { listVersions } from './versions.store.ts'

type Query<Name extends keyof typeof filesApi> = Input<(typeof filesApi)[Name]>['query']

const THE_BEGINNING = new Date(0).toISOString()
/** The root as a folder; it has no row. */
const rootItem = (isEditable = false): StorageItem => ({
  id: ROOT,
  name: '',
  extension: '',
  size: 0,
  isFolder: true,
  parentFolderId: ROOT,
  folderType: 'PUBLIC',
  groupIds: [],
  createdBy: '',
  createdByName: '',
  createTimestamp: THE_BEGINNING,
  updateTimestamp: THE_BEGINNING,
  isEditable,
  isOnHold: false,
  isStarred: false,
  type: null,
  sha256: null,
  fileVersion: 1,
  version: 1,
})

/** All items that the caller may open, as a tree. */
export async function treeOf(db: OrgDb, by: Acting): Promise<StorageTree> {
  const viewer = await viewerOf(db, by)
  const children = Map.groupBy(await listAll(db, viewer.hidden), ({ parentFolderId }) => parentFolderId)
  const below = (id: number): StorageTree[] =>
    (children.get(id) ?? []).map((row) => {
      const item = toItem(viewer, row)
      return row.isFolder ? { ...item, children: below(row.id) } : item
    })
  return { ...rootItem(), children: below(ROOT) }
}

/** A page of a folder's items. */
export async function itemsIn(
  db: OrgDb,
  by: Acting,
  id: number,
  { filter = {}, ...query }: Query<'folder'>,
): Promise<Page<StorageItem>> {
  const viewer = await viewerOf(db, by)
  const folder = await openedFolder(db, viewer, id)
  const among = {
    createdBy: filter.isCreatedByMe ? viewer.email : undefined,
    isFolder: filter.isFolder,
  }
  const { rows, total } = await listChildren(db, folder?.id ?? ROOT, viewer.hidden, among, query)
  return { rows: rows.map((row) => toItem(viewer, row)), total }
}

/** The folders from the root to each row's folder. */
export async function placesOf(db: OrgDb, rows: readonly Pick<ItemRow, 'path'>[]): Promise<PathStep[][]> {
  const ids = [...new Set(rows.flatMap(({ path }) => path))]
  const names = ids.length === 0 ? new Map<number, PathStep>() : await listNames(db, ids)
  return rows.map(({ path }) => path.flatMap((id) => names.get(id) ?? []))
}

/** A file or folder with its path, size and number of readers. */
export async function detailsOf(db: OrgDb, by: Acting, id: number): Promise<ItemDetails> {
  const viewer = await viewerOf(db, by)
  const row = id === ROOT ? null : await openedItem(db, viewer, id)
  const content =
    row === null || row.isFolder
      ? await measure(db, row, viewer.hidden)
      : { itemsCount: 0, totalSize: row.size }
  return {
    ...(row === null ? rootItem() : toItem(viewer, row)),
    ...content,
    path: row ? (await placesOf(db, [row]))[0]! : [],
    peopleCount: await countReaders(db, row === null ? undefined : viewer.restrictions.get(row.rootId)),
  }
}

/** People who can open a file or folder. */
export async function readersOf(
  db: OrgDb,
  by: Acting,
  id: number,
  query: Query<'readers'>,
): Promise<Page<NamedPerson>> {
  const viewer = await viewerOf(db, by)
  const row = id === ROOT ? null : await openedItem(db, viewer, id)
  return listReaders(db, row === null ? undefined : viewer.restrictions.get(row.rootId), query)
}

/** Events of a file or folder, for administrators, including downloads of a folder above it. */
export async function eventsOf(
  db: OrgDb,
  by: Acting,
  id: number,
  query: Query<'events'>,
): Promise<Page<ItemEvent>> {
  const viewer = await viewerOf(db, by)
  const row = await openedItem(db, viewer, id)
  const { rows, total } = await listEvents(db, row, query)
  return {
    rows: rows.map(({ verb, changes, ...event }) => ({
      ...event,
      what: itemEventInWords(verb, changes),
      address: textIn(changes['address']),
      userAgent: textIn(changes['userAgent']),
    })),
    total,
  }
}

const textIn = (change: Change | undefined): string | null =>
  typeof change?.to === 'string' ? change.to : null

/** The versions of a file. */
export async function versionsOf(db: OrgDb, by: Acting, id: number): Promise<FileVersion[]> {
  const viewer = await viewerOf(db, by)
  await openedFile(db, viewer, id)
  return listVersions(db, id)
}

/**
 * @param except the item that gets the name
 * @throws Refusal 409 where the viewer sees another item of this name in the folder
 */
export async function demandFree(
  db: OrgDb,
  viewer: Viewer,
  parentId: number,
  named: { readonly name: string; readonly extension: string },
  except?: number,
): Promise<void> {
  const taken = await listNamed(db, parentId, [named], viewer.hidden)
  if (taken.some(({ id }) => id !== except)) throw wrongField('name', NAME_TAKEN, 409)
}

interface Access {
  readonly folderType: FolderType
  readonly groupIds: readonly string[]
}
/**
 * Validates the groups that may open a root folder. People other than administrators choose among their own groups, and
 * cannot lock themselves out.
 * @throws Refusal 400, 403
 */
async function demandAccess(
  db: OrgDb,
  viewer: Viewer,
  { folderType, groupIds }: Access,
  before: readonly string[] = [],
): Promise<void> {
  if (!viewer.isAdmin && FOLDER_ACCESS[folderType].changes === 'nobody')
    throw wrongField('folderType', ADMIN_FOLDERS_BY_ADMINS, 403)
  if (!hasGroups(folderType)) return
  if (groupIds.length === 0) throw wrongField('groupIds', GROUP_REQUIRED)
  const known = await listGroupsAmong(db, groupIds, viewer.id)
  if (viewer.isAdmin) {
    if (groupIds.some((id) => !known.has(id))) throw wrongField('groupIds', UNKNOWN_GROUP)
    return
  }
  if (!groupIds.some((id) => known.get(id))) {
    const wasMember = before.length > 0
    throw wrongField('groupIds', wasMember ? OWN_GROUPS_NEEDED : NOT_YOUR_GROUP, 403)
  }
  const added = groupIds.filter((id) => !before.includes(id))
  if (added.some((id) => !known.get(id))) throw wrongField('groupIds', NOT_YOUR_GROUP, 403)
}

export async function createFolder(db: OrgDb, by: Acting, given: NewFolder): Promise<StorageItem> {
  const viewer = await changing(db, by)
  const parent = await openedFolder(db, viewer, given.parentFolderId)
  if (parent && (given.folderType !== undefined || given.groupIds.length > 0))
    throw wrongField(given.folderType === undefined ? 'groupIds' : 'folderType', ROOT_LEVEL_ONLY)
  demandOpenToNew(parent)
  demandDepth(parent, 1)
  const folderType = given.folderType ?? 'PUBLIC'
  const access: Access = { folderType, groupIds: hasGroups(folderType) ? given.groupIds : [] }
  await demandAccess(db, viewer, access)
  await demandFree(db, viewer, parent?.id ?? ROOT, { name: given.name, extension: '' })
  const id = await addFolder(db, parent, { name: given.name, ...access, createdBy: viewer.email })
  return toItem(await viewerOf(db, by), (await findItem(db, id))!)
}

/** Stores a folder and records an event. */
export async function addFolder(
  db: OrgDb,
  parent: ItemRow | null,
  folder: Access & { readonly name: string; readonly createdBy: string },
): Promise<number> {
  const named = { name: folder.name, extension: '' }
  const id = await insertItem(db, {
    ...named,
    isFolder: true,
    parentFolderId: parent?.id ?? ROOT,
    path: pathIn(parent),
    folderType: folder.folderType,
    createdBy: folder.createdBy,
    at: clock.timestamp(),
  })
  if (folder.groupIds.length > 0) await updateGroups(db, id, folder.groupIds)
  recordItem(db, { id, ...named }, 'added', await accessChanges(db, null, parent === null ? folder : null))
  return id
}

/** Changes of access for the event: groups by their present names. */
async function accessChanges(db: OrgDb, before: Access | null, after: Access | null): Promise<Changes> {
  const told = async (access: Access | null) =>
    access && { folderType: access.folderType, groups: await listGroupNames(db, access.groupIds) }
  return changesBetween(await told(before), await told(after), ['folderType', 'groups'])
}

/**
 * Renames a file or folder, or changes who may open a root folder. A folder above something on legal hold keeps its
 * name and access, because both decide where evidence lies and who reads it.
 * @throws Refusal 400, 403, 404, 409
 */
export async function changeItem(
  db: OrgDb,
  by: Acting,
  id: number,
  { name, folderType, groupIds, version }: ItemChanges,
): Promise<StorageItem> {
  const viewer = await changing(db, by)
  const row = await openedItem(db, viewer, id)
  demandEditable(viewer, row)
  await demandNoHold(db, row)
  await demandCurrent(db, row, version)
  const isAccess = folderType !== undefined || groupIds !== undefined
  if (isAccess && !(row.isFolder && row.parentFolderId === ROOT))
    throw wrongField(folderType === undefined ? 'groupIds' : 'folderType', ROOT_LEVEL_ONLY)
  const at = clock.timestamp()
  if (name !== undefined && name !== row.name) {
    const named = { name, extension: row.extension }
    demand(name !== '', 400, FOLDER_NAME_REQUIRED)
    await demandFree(db, viewer, row.parentFolderId, named, id)
    await updateItem(db, id, { name, name_key: nameKeyOf(named) }, at)
    recordItem(db, row, 'renamed', { name: { from: wholeName(row), to: wholeName(named) } })
  }
  if (isAccess) await changeAccess(db, viewer, (await findItem(db, id))!, { folderType, groupIds }, at)
  return toItem(await viewerOf(db, by), (await findItem(db, id))!)
}

async function changeAccess(
  db: OrgDb,
  viewer: Viewer,
  row: ItemRow,
  given: { readonly folderType: FolderType | undefined; readonly groupIds: readonly string[] | undefined },
  at: string,
): Promise<void> {
  const restriction = viewer.restrictions.get(row.id)
  const before: Access = {
    folderType: restriction?.folderType ?? 'PUBLIC',
    groupIds: restriction?.groupIds ?? [],
  }
  const folderType = given.folderType ?? before.folderType
  const chosen = [...new Set(given.groupIds ?? before.groupIds)].toSorted()
  const after: Access = { folderType, groupIds: hasGroups(folderType) ? chosen : [] }
  await demandAccess(db, viewer, after, before.groupIds)
  const isSame = folderType === before.folderType && after.groupIds.join() === before.groupIds.join()
  if (isSame) return
  const changes = await accessChanges(db, before, after)
  if (folderType === 'PUBLIC') await demandFree(db, viewer, ROOT, row, row.id)
  await updateGroups(db, row.id, after.groupIds)
  await updateItem(db, row.id, { folder_type: after.folderType }, at)
  recordItem(db, row, 'access changed', changes)
}

/** Sets or releases the legal hold of a file or folder and everything below it. */
export async function holdItem(db: OrgDb, by: Acting, id: number, isOnHold: boolean): Promise<StorageItem> {
  const viewer = await changing(db, by)
  const row = await openedItem(db, viewer, id)
  if (row.isHeld !== isOnHold) {
    await updateHold(db, row, isOnHold)
    recordItem(db, row, isOnHold ? 'put on legal hold' : 'taken off legal hold')
  }
  return toItem(viewer, (await findItem(db, id))!)
}
