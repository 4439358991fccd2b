import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const AFTER_MS = 2_000

type Collect = (how: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }) => void
let known: Collect | undefined
function collector(): Collect {
  if (!known) {
    setFlagsFromString('--expose-gc')
    known = runInNewContext('gc') as Collect
  }
  return known
}

/**
 * Gives back, a little later, what this thread needed to start. V8 keeps it until new work presses for room, and an idle
 * server has none: it is a quarter of its memory. A collection of the last resort also returns the pages to the system.
 */
export function releaseMemorySoon(): void {
  setTimeout(() => collector()({ type: 'major', flavor: 'last-resort' }), AFTER_MS).unref()
}

/**
 * Bytes of off-heap buffers after which those that are no longer used are looked for. V8 counts them towards the limit
 * of its old generation: beyond about 12 MB of them it collects the whole heap, which takes this program 60 ms each time,
 * eight times for a file of a hundred megabytes. A minor collection that frees them takes 1 ms.
 */
const BUFFERS_MAX = 4 * 1024 * 1024
let passed = 0

/** Counts the bytes of buffers through which files pass. */
export function noteBuffers(bytes: number): void {
  passed += bytes
  if (passed < BUFFERS_MAX) return
  passed = 0
  collector()({ type: 'minor' })
}
