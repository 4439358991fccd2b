import { renameSync, rmSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

import { makePrivate } from '#server/kit/database/lock.ts'

async function fsync(path: string): Promise<void> {
  // Windows refuses to sync what was opened for reading.
  if (process.platform === 'win32') return
  const file = await open(path)
  await file.sync()
  await file.close()
}

async function fsyncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await Promise.all([folder, ...entries.map((entry) => join(entry.parentPath, entry.name))].map(fsync))
}

/** Makes an empty database beside its place and moves it there whole, so that no crash leaves half of one. */
async function create(folder: string): Promise<void> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  makePrivate(draft)
  const db = new PGlite({ fs: new NodeFS(draft) })
  await db.waitReady
  await db.close()
  await fsyncTree(draft)
  renameSync(draft, folder)
  await fsync(dirname(folder))
}

// The parent process passes the folder as argument.
await create(process.argv[2]!)
process.exit(0)
