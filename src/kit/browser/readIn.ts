import { Unpreviewable, type Unpreviewed } from './previewValues.ts'

/** Milliseconds until a worker is terminated: a damaged file can keep it busy for ever. */
export const PATIENCE_MS = 20_000

/**
 * Returns a worker's answer about a file, and terminates the worker.
 * @throws Unpreviewable for the reason that it replies; Error if it cannot read the file
 */
export function readIn<T extends object>(worker: Worker, file: object): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = () => reject(new Error('The file cannot be read.'))
    const timer = setTimeout(fail, PATIENCE_MS)
    worker.addEventListener('error', fail)
    worker.addEventListener('message', ({ data }: MessageEvent<T | Unpreviewed | undefined>) => {
      clearTimeout(timer)
      if (typeof data === 'string') reject(new Unpreviewable(data))
      else if (data) resolve(data)
      else fail()
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
    worker.postMessage(file)
  }).finally(() => worker.terminate())
}
