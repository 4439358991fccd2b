/** Milliseconds of work on files between two looks at what else has arrived. */
const SLICE_MS = 1

const waiting: (() => void)[] = []
let isScheduled = false
let began = -Infinity

/**
 * Does short work on the event loop in slices of a millisecond, in the order in which it is asked for, and lets
 * everything else come between two slices. Twenty downloads would otherwise do all that they have read in each turn of
 * the loop, and a call needs about twenty turns.
 * @returns what the work returns; rejects where it throws
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
