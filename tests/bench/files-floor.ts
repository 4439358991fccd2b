import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, rename } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'

import { type Floor, serveFloor, startFloorProcess } from './floor-process.ts'

export interface FilesPlan {
  /** On the disk of the product's files. */
  readonly folder: string
}

/** Starts the least program that hashes, encrypts and syncs files before it responds. */
export const startFilesFloor = (plan: FilesPlan): Promise<Floor> =>
  startFloorProcess(import.meta.filename, plan)

const FRAME = 64 * 1024
const TAG = 16
/** Frames per read or write. */
const BATCH = 8

function storing({ folder }: FilesPlan): RequestListener {
  const key = createSecretKey(randomBytes(32))
  const [path, temporary] = [join(folder, 'file'), join(folder, 'unfinished')]
  const nonceOf = (index: number) => {
    const nonce = Buffer.alloc(12)
    nonce.writeUInt32BE(index, 8)
    return nonce
  }

  async function put(request: IncomingMessage): Promise<string> {
    const file = await open(temporary, 'w')
    const sha256 = createHash('sha256')
    const frame = Buffer.allocUnsafeSlow(FRAME)
    let [filled, index] = [0, 0]
    let batch: Buffer[] = []
    let writing: Promise<unknown> = Promise.resolve()
    const flush = async () => {
      await writing
      writing = file.writev(batch)
      batch = []
    }
    const seal = () => {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index++))
      batch.push(cipher.update(frame.subarray(0, filled)))
      cipher.final()
      batch.push(cipher.getAuthTag())
      filled = 0
    }
    for await (const chunk of request as AsyncIterable<Buffer>) {
      sha256.update(chunk)
      for (let offset = 0; offset < chunk.length;) {
        const taken = chunk.copy(frame, filled, offset)
        filled += taken
        offset += taken
        if (filled === FRAME) seal()
      }
      if (batch.length >= BATCH * 2) await flush()
    }
    if (filled > 0) seal()
    await flush()
    await writing
    await file.sync()
    await file.close()
    await rename(temporary, path)
    return sha256.digest('hex')
  }

  async function get(response: ServerResponse): Promise<void> {
    const file = await open(path, 'r')
    const { size } = await file.stat()
    const sealed = FRAME + TAG
    response.writeHead(200, { 'Content-Length': size - Math.ceil(size / sealed) * TAG })
    const buffers = [Buffer.allocUnsafeSlow(sealed * BATCH), Buffer.allocUnsafeSlow(sealed * BATCH)]
    const read = (n: number) =>
      file.read(buffers[n % 2]!, 0, sealed * BATCH, n * sealed * BATCH).then(({ bytesRead }) => bytesRead)
    let next = read(0)
    for (let n = 0, index = 0; n * sealed * BATCH < size; n += 1) {
      const bytes = buffers[n % 2]!.subarray(0, await next)
      next = read(n + 1)
      for (let at = 0; at < bytes.length; at += sealed) {
        const stored = bytes.subarray(at, at + sealed)
        const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index++))
        decipher.setAuthTag(stored.subarray(stored.length - TAG))
        const plain = decipher.update(stored.subarray(0, stored.length - TAG))
        decipher.final()
        if (!response.write(plain)) await once(response, 'drain')
      }
    }
    await next
    await file.close()
    response.end()
  }

  return (request, response) => {
    const work =
      request.method === 'PUT' ? put(request).then((sha256) => response.end(sha256)) : get(response)
    work.catch((error: unknown) => response.destroy(error as Error))
  }
}

if (import.meta.main) serveFloor(storing)
