import { open } from 'node:fs/promises'

/** Syncs the names of a folder's entries to disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and writes its entries with the file.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
