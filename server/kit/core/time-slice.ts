/** Milliseconds of file work between two turns of the event loop. */
const SLICE_MS = 1

const waiting: (() => void)[] = []
let isScheduled = false
let began = -Infinity

/**
 * Runs short work in slices of a millisecond, in order, and yields to the event loop between slices. Otherwise twenty
 * downloads would process all that they have read in each turn of the loop, and a request needs about twenty turns.
 * @returns the result of `work`; rejects with its error
 */
export function inTimeSlice<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const run = () => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    }
    if (!isScheduled && performance.now() - began < SLICE_MS) return run()
    waiting.push(run)
    schedule()
  })
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    began = performance.now()
    do waiting.shift()?.()
    while (waiting.length > 0 && performance.now() - began < SLICE_MS)
    if (waiting.length > 0) schedule()
  })
}
