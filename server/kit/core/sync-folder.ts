import { open } from 'node:fs/promises'

/** Makes the names of a folder's entries last. */
export async function syncFolder(path: string): Promise<void> {
  // There a folder cannot be opened; its entries are written with the file.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
