import { Readable } from 'node:stream'

import { createFolder } from '#server/files/flows.ts'
import { findItem } from '#server/files/store.ts'
import { addFile } from '#server/files/upload.flows.ts'
import { listOptions } from '#server/groups/store.ts'
import { keepBlob } from '#server/kit/blobs/blobs.ts'
import { HOUR, MINUTE } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Services } from '#server/kit/services.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { type DemoFolder, FOLDERS } from './files.content.ts'

/** Runs `work` as one of the demonstration's people, at a time. */
type As = <T>(email: string, time: number, work: (db: OrgDb, by: Acting) => Promise<T>) => Promise<T>

/** Adds folders and files of the last hour, some of them restricted. */
export async function addFolders(
  { blobs }: Pick<Services, 'blobs'>,
  as: As,
  organisationId: string,
  now: number,
): Promise<void> {
  let time = now - HOUR
  const next = () => (time += MINUTE)
  const addFiles = async (folderId: number, files: DemoFolder['files']) => {
    for (const { by: email, name, text } of files) {
      const blob = await blobs.write(organisationId, Readable.from([Buffer.from(text)]))
      await as(email, next(), async (db, by) => {
        await keepBlob(db, blob)
        const folder = (await findItem(db, folderId))!
        await addFile(db, folder, { name, extension: 'txt' }, { blob, type: 'text/plain' }, by.name)
      })
    }
  }
  for (const { by: email, name, folderType, groups = [], files, folders = [] } of FOLDERS) {
    const { id } = await as(email, next(), async (db, by) => {
      const known = await listOptions(db, by.id, false)
      const groupIds = known.flatMap((group) => (groups.includes(group.name) ? [group.id] : []))
      return createFolder(db, by, { name, parentFolderId: 0, folderType, groupIds })
    })
    await addFiles(id, files)
    for (const inner of folders) {
      const made = await as(email, next(), (db, by) =>
        createFolder(db, by, { name: inner.name, parentFolderId: id, groupIds: [] }),
      )
      await addFiles(made.id, inner.files)
    }
  }
}
