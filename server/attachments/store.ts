import { type GeneratedAlways, sql } from 'kysely'
import * as z from 'zod/mini'

import { Attachment } from '#contract/attachments/schema.ts'
import { type Blobs, dropBlob } from '#server/kit/blobs/blobs.ts'
import { type ColumnsOf, fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { statement } from '#server/kit/database/statements.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    attachments: ColumnsOf<AttachmentRow> & { position: GeneratedAlways<number> }
    activity_attachments: { attachment_id: string; activity_id: string }
  }
}

/** Fields of an attachment that come from its bytes, its author and what it is attached to. */
const COMPUTED = {
  size: true,
  sha256: true,
  createdByName: true,
  lastUpdated: true,
  parentType: true,
  parentId: true,
} as const
const Stored = z.omit(Attachment, COMPUTED)
/** A file as stored. */
export interface AttachmentRow extends z.infer<typeof Stored> {
  incidentId: string | null
  /** Set instead of an incident. */
  playbookId: string | null
  /** The task or update that the file was added to; null for the incident itself. */
  activityId: string | null
  blobId: string
  createTimestamp: string
}
const ROW = [
  ...fieldsOf(Stored),
  'incidentId',
  'playbookId',
  'activityId',
  'blobId',
  'createTimestamp',
] as const satisfies readonly (keyof AttachmentRow)[]

/** A file with its bytes, its author and the tasks and updates that carry it. */
export type FileRow = AttachmentRow &
  Pick<Attachment, 'size' | 'sha256' | 'createdByName'> & { readonly carriers: readonly string[] }

const selectFiles = (db: OrgDb) =>
  db
    .selectFrom('attachments as f')
    .innerJoin('blobs as b', 'b.id', 'f.blob_id')
    .leftJoin('users as u', 'u.email', 'f.created_by')
    .select(selectionOf(ROW, 'f.'))
    .select([
      'b.size',
      'b.sha256',
      sql<string>`coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), f.created_by)`.as(
        'createdByName',
      ),
      sql<string[]>`array(select c.activity_id from activity_attachments c where c.attachment_id = f.id)`.as(
        'carriers',
      ),
    ])
    .orderBy('f.position')

/** All files of incidents, including those of tasks and updates, in the order in which they were added. */
export const listFiles = (db: OrgDb, incidentIds: readonly string[]): Promise<FileRow[]> =>
  selectFiles(db)
    .where('f.incident_id', '=', sql<string>`any(${incidentIds}::uuid[])`)
    .execute()

const filesOf = statement<'', { id: string }, FileRow>((db, _, { id }) =>
  selectFiles(db as OrgDb).where('f.incident_id', '=', id),
)
export const listFilesOf = (db: OrgDb, id: string): Promise<FileRow[]> => filesOf(db, '', { id })

/** The files that tasks and updates carry. */
export const listFilesCarried = (db: OrgDb, activityIds: readonly string[]): Promise<FileRow[]> =>
  selectFiles(db)
    .where(
      sql<boolean>`f.id in (select attachment_id from activity_attachments where activity_id = any(${activityIds}::uuid[]))`,
    )
    .execute()

export const findFile = (db: OrgDb, id: string): Promise<FileRow | undefined> =>
  selectFiles(db).where('f.id', '=', id).executeTakeFirst()

export const listPlaybookFiles = (db: OrgDb, playbookId: string): Promise<FileRow[]> =>
  selectFiles(db).where('f.playbook_id', '=', playbookId).execute()

/** The ids of all files of playbooks. */
export async function listFilesInPlaybooks(db: OrgDb): Promise<Set<string>> {
  const rows = await db.selectFrom('attachments').select('id').where('playbook_id', 'is not', null).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Total size of the files of these playbooks, in bytes. */
export async function sumPlaybookFiles(db: OrgDb, playbookIds: readonly string[]): Promise<number> {
  const { bytes } = await db
    .selectFrom('attachments as f')
    .innerJoin('blobs as b', 'b.id', 'f.blob_id')
    .select(sql<number>`coalesce(sum(b.size), 0)`.as('bytes'))
    .where('f.playbook_id', '=', sql<string>`any(${playbookIds}::uuid[])`)
    .executeTakeFirstOrThrow()
  return bytes
}

/** The files of an incident itself, or of a playbook, locked until the transaction ends. */
export const listOwnFiles = (
  db: OrgDb,
  of: { readonly incident: string } | { readonly playbook: string },
): Promise<AttachmentRow[]> =>
  db
    .selectFrom('attachments')
    .select(selectionOf(ROW))
    .$if('incident' in of, (query) =>
      query.where('incident_id', '=', 'incident' in of ? of.incident : '').where('activity_id', 'is', null),
    )
    .$if('playbook' in of, (query) => query.where('playbook_id', '=', 'playbook' in of ? of.playbook : ''))
    .orderBy('position')
    .forKeyShare()
    .execute()

export async function insertFiles(db: OrgDb, rows: readonly AttachmentRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('attachments')
      .values(rows.map((row) => valuesOf(row)))
      .execute()
}

/**
 * Deletes files. Their bytes are deleted after the commit, unless a copy or a deletion that can be undone still refers to
 * them. The bytes' row is locked
 * first, so that of two concurrent deletions the later one sees that it is the last.
 */
export async function deleteFiles(db: OrgDb, blobs: Blobs, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const gone = await db
    .deleteFrom('attachments')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('blob_id')
    .execute()
  const blobIds = gone.map(({ blob_id }) => blob_id)
  await sql`select from blobs where id = any(${blobIds}::uuid[]) order by id for update`.execute(db)
  const { rows: free } = await sql<{ id: string }>`
    select id from blobs b where id = any(${blobIds}::uuid[])
      and not exists (select from attachments where blob_id = b.id)
      and not exists (select from deletions where blob_ids @> array[b.id])`.execute(db)
  for (const { id } of free) await dropBlob(db, blobs, id)
}

/** Returns the ids that are files of an incident. */
export async function listFileIds(
  db: OrgDb,
  incidentId: string,
  among: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('attachments')
    .select('id')
    .where('incident_id', '=', incidentId)
    .where('id', '=', sql<string>`any(${among}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Adds files to those that a task or update carries, and removes others. */
export async function updateCarried(
  db: OrgDb,
  activityId: string,
  { added, removed = [] }: { added: readonly string[]; removed?: readonly string[] },
): Promise<void> {
  if (removed.length > 0)
    await sql`delete from activity_attachments
      where activity_id = ${activityId} and attachment_id = any(${removed}::uuid[])`.execute(db)
  if (added.length > 0)
    await sql`insert into activity_attachments (activity_id, attachment_id)
      select ${activityId}, unnest(${added}::uuid[])`.execute(db)
}
