import { Readable } from 'node:stream'

import { wholeName } from '#contract/kit/files.ts'
import { ROOT } from '#contract/files/schema.ts'
import type { StoredBlob } from '#server/kit/blobs/blobs.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { safeFileName } from '#server/kit/core/file-names.ts'
import { zip, type ZipEntry } from '#server/kit/core/zip.ts'

import { type Acting, ITEM, recordItem, type Viewer, viewerOf } from './access.flows.ts'
import { tops } from './moves.flows.ts'
import { type ItemRow, listAll, listItems, listTree } from './store.ts'
import { listBlobs } from './versions.store.ts'

/** Files and folders with everything below them as a ZIP file, written while it is sent. */
export async function archiveOf(
  { blobs }: Services,
  db: OrgDb,
  by: Acting & Pick<Caller, 'organisation'>,
  ids: readonly number[],
): Promise<FileReply> {
  const viewer = await viewerOf(db, by)
  const chosen = await chosenItems(db, viewer, ids)
  const rows = chosen ? await withContents(db, chosen) : await listAll(db, viewer.hidden)
  const noted = chosen ?? rows.filter(({ parentFolderId }) => parentFolderId === ROOT)
  for (const row of noted) recordItem(db, row, 'archived')
  const contents = await listBlobs(
    db,
    rows.flatMap(({ id, isFolder }) => (isFolder ? [] : [id])),
  )
  const read = (blob: StoredBlob) => blobs.read(by.organisation.id, blob)
  const [only, ...more] = chosen ?? []
  const name = only && more.length === 0 ? only.name : `files-${clock.timestamp().slice(0, 10)}`
  return {
    name: `${name}.zip`,
    type: 'application/zip',
    body: async () => Readable.from(zip(entriesOf(rows, contents, read)), { objectMode: false }),
  }
}

/**
 * Chosen files and folders that the viewer may open, without those that lie in another chosen one; null for the root,
 * which contains everything.
 * @throws Refusal 404
 */
export async function chosenItems(
  db: OrgDb,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ItemRow[] | null> {
  if (ids.includes(ROOT)) return null
  const rows = await listItems(db, ids)
  if (rows.length < ids.length || rows.some(({ rootId }) => viewer.hidden.includes(rootId)))
    throw notFound(ITEM)
  return tops(rows)
}

async function withContents(db: OrgDb, chosen: readonly ItemRow[]): Promise<ItemRow[]> {
  const rows: ItemRow[] = []
  for (const row of chosen) rows.push(...(row.isFolder ? await listTree(db, row) : [row]))
  return rows
}

/** Paths of files and folders in the archive. A number tells equal names apart. */
function pathsOf(rows: readonly ItemRow[]): Map<number, string> {
  const folders = new Map<number, string>()
  const taken = new Set<string>()
  // Next number to try, by path.
  const next = new Map<string, number>()
  const distinct = (above: string, name: string, extension: string): string => {
    const numbered = (n: number) => above + wholeName({ name: n > 1 ? `${name} (${n})` : name, extension })
    const key = numbered(1).toLowerCase()
    let number = next.get(key) ?? 1
    while (taken.has(numbered(number).toLowerCase())) number += 1
    next.set(key, number + 1)
    taken.add(numbered(number).toLowerCase())
    return numbered(number)
  }
  const sorted = rows.toSorted((a, b) => a.path.length - b.path.length || a.id - b.id)
  return new Map(
    sorted.map((row) => {
      const extension = row.extension === '' ? '' : safeFileName(row.extension, '_')
      const path = distinct(folders.get(row.parentFolderId) ?? '', safeFileName(row.name, '_'), extension)
      if (row.isFolder) folders.set(row.id, `${path}/`)
      return [row.id, row.isFolder ? `${path}/` : path]
    }),
  )
}

async function* nothing(): AsyncGenerator<Buffer> {}

async function* entriesOf(
  rows: readonly ItemRow[],
  contents: ReadonlyMap<number, StoredBlob>,
  read: (blob: StoredBlob) => Promise<Readable>,
): AsyncGenerator<ZipEntry> {
  const paths = pathsOf(rows)
  for (const row of rows) {
    const about = { name: paths.get(row.id)!, at: row.updateTimestamp, isText: false }
    const blob = contents.get(row.id)
    if (row.isFolder) yield { ...about, content: nothing }
    if (!blob) continue
    // Deleted meanwhile: the archive leaves the file out.
    const content = await read(blob).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (!content) continue
    try {
      yield { ...about, isText: row.type?.startsWith('text/') ?? false, content: () => content }
    } finally {
      // The client may have disconnected before this entry.
      content.destroy()
    }
  }
}
