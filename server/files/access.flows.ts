import type { Caller } from '#server/kit/http/serve.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { lockFor } from '#server/kit/database/db.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import { demand, FORBIDDEN, notFound, stale } from '#server/kit/core/refusal.ts'
import { wholeName } from '#contract/kit/files.ts'
import {
  DEPTH_MAX,
  hasGroups,
  NOT_YOURS,
  ON_LEGAL_HOLD,
  ROOT,
  type StorageItem,
  TOO_DEEP,
} from '#contract/files/schema.ts'
import { findLastEditor } from '#server/kit/events/events.ts'

import { findItem, hasHold, type ItemRow, listRestrictions, type Restriction } from './store.ts'

export const ITEM = 'This file or folder'
export const NOUN = 'files'

export type Acting = Pick<Caller, 'id' | 'name' | 'role'>

/** A person who looks at files, with the restrictions that apply. */
export interface Viewer {
  readonly id: string
  readonly email: string
  readonly isAdmin: boolean
  /** Restrictions by root folder. Files outside of these are open to everybody. */
  readonly restrictions: ReadonlyMap<number, Restriction>
  /** Root folders that the viewer may not open. */
  readonly hidden: readonly number[]
}

/** The viewer's present restrictions: a change of groups counts with the next call. */
export async function viewerOf(db: OrgDb, by: Acting): Promise<Viewer> {
  const restrictions = await listRestrictions(db, by.id)
  const isAdmin = by.role === 'ADMIN'
  const isOpen = ({ folderType, isMember }: Restriction) => hasGroups(folderType) && isMember
  return {
    id: by.id,
    email: by.name,
    isAdmin,
    restrictions: new Map(restrictions.map((one) => [one.id, one])),
    hidden: isAdmin ? [] : restrictions.filter((one) => !isOpen(one)).map(({ id }) => id),
  }
}

/** The viewer's restrictions. Locks the organisation's files against other changes until the transaction ends. */
export async function changing(db: OrgDb, by: Acting): Promise<Viewer> {
  await lockFor(db, NOUN)
  return viewerOf(db, by)
}

/** True when the viewer may rename, move and delete an item, legal holds aside. */
export const owns = (viewer: Viewer, { createdBy }: Pick<ItemRow, 'createdBy'>): boolean =>
  viewer.isAdmin || viewer.email === createdBy

/** A file or folder as the viewer sees it. */
export function toItem(viewer: Viewer, row: ItemRow): StorageItem {
  const { rootId, path: _, isHeld: __, holds, trashId: ___, ...item } = row
  const restriction = viewer.restrictions.get(rootId)
  return {
    ...item,
    folderType: restriction?.folderType ?? 'PUBLIC',
    groupIds: [...(restriction?.groupIds ?? [])],
    isEditable: holds === 0 && owns(viewer, row),
    isOnHold: holds > 0,
  }
}

/**
 * A file or folder that the viewer may open.
 * @throws Refusal 404, also for an item that the viewer may not open
 */
export async function openedItem(db: OrgDb, viewer: Viewer, id: number): Promise<ItemRow> {
  const row = await findItem(db, id)
  if (!row || viewer.hidden.includes(row.rootId)) throw notFound(ITEM)
  return row
}

/**
 * A folder that the viewer may open; null for the root.
 * @throws Refusal 404
 */
export async function openedFolder(db: OrgDb, viewer: Viewer, id: number): Promise<ItemRow | null> {
  if (id === ROOT) return null
  const row = await openedItem(db, viewer, id)
  if (!row.isFolder) throw notFound('This folder')
  return row
}

/**
 * A file that the viewer may open.
 * @throws Refusal 404
 */
export async function openedFile(db: OrgDb, viewer: Viewer, id: number): Promise<ItemRow> {
  const row = await openedItem(db, viewer, id)
  if (row.isFolder) throw notFound('This file')
  return row
}

/** @throws Refusal 403, 409 on legal hold */
export function demandEditable(viewer: Viewer, row: ItemRow): void {
  demand(owns(viewer, row), 403, NOT_YOURS)
  demand(row.holds === 0, 409, ON_LEGAL_HOLD)
}
/** @throws Refusal 409 where an item, or anything below it, is on legal hold */
export async function demandNoHold(db: OrgDb, row: ItemRow): Promise<void> {
  demand(!(await hasHold(db, row)), 409, ON_LEGAL_HOLD)
}
/** @throws Refusal 409 where the item has changed since `version` */
export async function demandCurrent(db: OrgDb, row: ItemRow, version: number | undefined): Promise<void> {
  if (version !== undefined && version !== row.version)
    throw stale(await findLastEditor(db, NOUN, String(row.id), CHANGES))
}
/** Verbs of events that increment a version. */
const CHANGES = [
  'added',
  'renamed',
  'moved',
  'access changed',
  'version added',
  'version restored',
  'changed',
]

/** @throws Refusal 409 where a folder on legal hold would receive something new */
export const demandOpenToNew = (folder: ItemRow | null): void =>
  demand(folder === null || folder.holds === 0, 409, ON_LEGAL_HOLD)
/** @throws Refusal 403 */
export const demandAdmin = ({ role }: { readonly role: string }): void =>
  demand(role === 'ADMIN', 403, FORBIDDEN)

/** The path of items in a folder. */
export const pathIn = (folder: ItemRow | null): readonly number[] =>
  folder === null ? [] : [...folder.path, folder.id]
/**
 * Refuses folders that would be nested too deeply.
 * @param height levels of the new folder, including itself
 * @throws Refusal 400
 */
export const demandDepth = (folder: ItemRow | null, height: number): void =>
  demand(pathIn(folder).length + height <= DEPTH_MAX, 400, TOO_DEEP)

/** Records an event of a file or folder. */
export function recordItem(
  db: OrgDb,
  { id, name, extension }: Pick<ItemRow, 'id' | 'name' | 'extension'>,
  verb: string,
  changes: Changes = {},
): void {
  const named = verb === 'added' || verb === 'deleted' || verb === 'deleted for good'
  const whole = wholeName({ name, extension })
  const called = verb === 'added' ? { from: null, to: whole } : { from: whole, to: null }
  record(db, {
    noun: NOUN,
    record: String(id),
    verb,
    changes: { ...(named && { name: called }), ...changes },
  })
}
/** Changes in the event of a new content. */
export const contentChanges = (before: ItemRow | null, after: ItemRow): Changes =>
  changesBetween<ItemRow>(before, after, ['size', 'sha256', 'fileVersion'])
