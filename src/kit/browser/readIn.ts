/** Milliseconds until a worker is terminated: a damaged file can keep it busy for ever. */
export const PATIENCE_MS = 20_000

/**
 * Returns a worker's answer about a file, and terminates the worker.
 * @param refusalOf the error for a reason with which the worker refuses the file
 * @throws Error if the worker cannot read the file
 */
export function readIn<T extends object>(
  worker: Worker,
  file: object,
  refusalOf: (reason: string) => Error = (reason) => new Error(reason),
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = () => reject(new Error('The file cannot be read.'))
    const timer = setTimeout(fail, PATIENCE_MS)
    worker.addEventListener('error', fail)
    worker.addEventListener('message', ({ data }: MessageEvent<T | string | undefined>) => {
      clearTimeout(timer)
      if (typeof data === 'string') reject(refusalOf(data))
      else if (data) resolve(data)
      else fail()
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
    worker.postMessage(file)
  }).finally(() => worker.terminate())
}
