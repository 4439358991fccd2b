import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { Shelf } from './blobs.ts'
import { blobPathOf, settle, sweepFolder, unfinishedIn } from './folder.ts'

/** Blobs as files below one folder. */
export const diskShelf = (dir: string): Shelf => ({
  async write(id, fill) {
    const temporary = join(unfinishedIn(dir), id)
    await mkdir(unfinishedIn(dir), { recursive: true, mode: 0o700 })
    const file = await open(temporary, 'wx', 0o600)
    try {
      const result = await fill((buffers, position) => writeAll(file, buffers, position))
      await file.sync()
      await file.close()
      await settle(temporary, blobPathOf(dir, id))
      return result
    } catch (error) {
      await file.close()
      await rm(temporary, { force: true })
      await rm(blobPathOf(dir, id), { force: true })
      throw error
    }
  },
  async open(id) {
    const file = await open(blobPathOf(dir, id), 'r')
    try {
      const { size } = await file.stat()
      return {
        size,
        read: async (into, position) => (await file.read(into, 0, into.length, position)).bytesRead,
        close: () => file.close(),
      }
    } catch (error) {
      await file.close()
      throw error
    }
  },
  sizeOf: async (id) => (await stat(blobPathOf(dir, id)).catch(() => null))?.size,
  remove: (id) => rm(blobPathOf(dir, id), { force: true }),
  sweep: (database) => sweepFolder(dir, database),
})

async function writeAll(file: FileHandle, buffers: Buffer[], position: number): Promise<void> {
  const { bytesWritten } = await file.writev(buffers, position)
  if (bytesWritten === buffers.reduce((sum, buffer) => sum + buffer.length, 0)) return
  // A nearly full disk accepts a part of the bytes; writing the rest either succeeds or reports the reason.
  const all = Buffer.concat(buffers)
  for (let done = bytesWritten; done < all.length;)
    done += (await file.write(all, done, all.length - done, position + done)).bytesWritten
}
