/** Milliseconds after which a file is given up: a damaged one can keep its reader busy for ever. */
export const PATIENCE_MS = 20_000

/**
 * What a worker answers about a file. The worker is ended afterwards.
 * @throws Error where it cannot read the file
 */
export function readIn<T extends object>(worker: Worker, file: object): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = () => reject(new Error('The file cannot be read.'))
    const timer = setTimeout(fail, PATIENCE_MS)
    worker.addEventListener('error', fail)
    worker.addEventListener('message', ({ data }: MessageEvent<T | undefined>) => {
      clearTimeout(timer)
      if (data) resolve(data)
      else fail()
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
    worker.postMessage(file)
  }).finally(() => worker.terminate())
}
