import { sql } from 'kysely'

import { SEARCHED_EXTENSIONS } from '#contract/files/rules.ts'
import type { StoredBlob } from '#server/kit/blobs/blobs.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'

import type { FileText } from './passages.content.ts'

const ORGANISATION_WORD = sql`array_to_tsvector(array[':' || current_organisation()])`
const IS_SEARCHED = sql`not i.is_folder and lower(i.extension) = any(${SEARCHED_EXTENSIONS}::text[])`
/** True for organisations whose contents are searched. */
const IS_ON = sql`coalesce((o.config ->> 'fileContentSearch')::boolean,
  (select (value #>> '{}')::boolean from global_config where key = 'fileContentSearch'), true)`

/** Deletes the text of a file. */
export async function deleteText(db: OrgDb, itemId: number): Promise<void> {
  await sql`delete from file_texts where item_id = ${itemId}`.execute(db)
}

/** Notes that the text of a file is to be read. Returns false for other formats. */
export async function insertRequest(db: OrgDb, itemId: number): Promise<boolean> {
  const { rows } = await sql`
    insert into file_texts (item_id, file_version, words)
    select i.id, i.file_version, ${ORGANISATION_WORD} from file_items i where i.id = ${itemId} and ${IS_SEARCHED}
    returning item_id`.execute(db)
  return rows.length > 0
}

/** Notes files whose text was never requested, newest first. Returns their ids. */
export async function insertMissing(db: OrgDb, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into file_texts (item_id, file_version, words)
    select i.id, i.file_version, ${ORGANISATION_WORD} from file_items i
     where i.trash_id is null and ${IS_SEARCHED} and not exists (select from file_texts t where t.item_id = i.id)
     order by i.id desc limit ${limit}
    on conflict do nothing returning item_id as id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Open organisations with files whose text was never requested. */
export async function listMissing(db: ProviderDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from organisations o where not o.is_closed and ${IS_ON} and exists (
      select from file_items i where i.organisation_id = o.id and i.trash_id is null and ${IS_SEARCHED}
         and not exists (select from file_texts t where t.item_id = i.id))`.execute(db)
  return rows.map(({ id }) => id)
}

/** Organisations with texts although their contents are not searched. */
export async function listUnwanted(db: ProviderDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from organisations o
     where not ${IS_ON} and exists (select from file_texts t where t.organisation_id = o.id)`.execute(db)
  return rows.map(({ id }) => id)
}

/** True when the organisation's contents are searched. */
export async function isSearched(db: OrgDb): Promise<boolean> {
  const { rows } = await sql<{ isOn: boolean }>`
    select ${IS_ON} as "isOn" from organisations o where o.id = current_organisation()`.execute(db)
  return rows[0]!.isOn
}

/** Deletes the texts of all files. Returns their number. */
export async function deleteTexts(db: OrgDb): Promise<number> {
  await sql`delete from file_passages`.execute(db)
  const { numAffectedRows } = await sql`delete from file_texts`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** A file whose text is requested and not read. */
export interface UnreadFile {
  readonly itemId: number
  readonly fileVersion: number
  readonly extension: string
  readonly blob: StoredBlob
}
export async function findUnread(db: OrgDb, itemId: number): Promise<UnreadFile | undefined> {
  const { rows } = await sql<Omit<UnreadFile, 'blob'> & StoredBlob>`
    select t.item_id as "itemId", t.file_version as "fileVersion", lower(v.extension) as extension, b.id, b.size, b.sha256
      from file_texts t join file_versions v on v.item_id = t.item_id and v.file_version = t.file_version
      join blobs b on b.id = v.blob_id
     where t.item_id = ${itemId} and not t.is_read`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { id, size, sha256, ...file } = row
  return { ...file, blob: { id, size, sha256 } }
}

/** Passages stored per statement. */
const BATCH = 100
/** Stores the text of a file, unless it has a newer content or is not searched any more. */
export async function updateText(
  db: OrgDb,
  { itemId, fileVersion }: Pick<UnreadFile, 'itemId' | 'fileVersion'>,
  { words, passages }: FileText,
): Promise<void> {
  const { rows } = await sql`
    update file_texts set is_read = true, words = ${words}::tsvector || ${ORGANISATION_WORD}
     where item_id = ${itemId} and file_version = ${fileVersion} and not is_read returning item_id`.execute(
    db,
  )
  if (rows.length === 0) return
  for (let at = 0; at < passages.length; at += BATCH) {
    const some = passages.slice(at, at + BATCH)
    // oxlint-disable-next-line no-await-in-loop -- one statement after the other in a transaction
    await sql`
      insert into file_passages (item_id, number, page, text, words)
      select ${itemId}, ${at} + place, page, text, words::tsvector from unnest(
        ${some.map(({ page }) => page)}::integer[], ${some.map(({ text }) => text)}::text[],
        ${some.map((passage) => passage.words)}::text[]) with ordinality as passage (page, text, words, place)`.execute(
      db,
    )
  }
}
