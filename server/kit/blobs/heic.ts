import { Worker } from 'node:worker_threads'

import type { Pixels } from './bmp.ts'
import type { HeicAnswer, HeicTask } from './heic-worker.ts'
import { SECOND } from '../clock.ts'

/** A damaged image can keep its decoder busy for ever. */
const PATIENCE = 20 * SECOND

/** The image has more pixels than are decoded. */
export class TooManyPixels extends Error {}

/**
 * Decodes the first image of a HEIC file, upright. A thread does it, which is ended with the memory that it took.
 * @throws TooManyPixels, Error where the file is no such image, is broken, or takes too long
 */
export async function readHeic(bytes: Buffer, maxPixels: number): Promise<Pixels> {
  const task: HeicTask = { bytes, maxPixels }
  const url = new URL('./heic-worker.ts', import.meta.url)
  // The decoder prints what is wrong with a file.
  const worker = new Worker(url, { workerData: task, execArgv: [], stdout: true, stderr: true })
  const { promise, resolve, reject } = Promise.withResolvers<HeicAnswer>()
  const timer = setTimeout(() => reject(new Error('The image takes too long.')), PATIENCE)
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('The decoder ended.')))
  try {
    const answer = await promise
    if (answer === 'too many pixels') throw new TooManyPixels()
    if (answer === 'broken') throw new Error('The image is broken.')
    const { width, height, data } = answer
    return { width, height, channels: 4, data: Buffer.from(data) }
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
