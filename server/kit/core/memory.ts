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
 * Releases the memory that this thread needed to start. V8 keeps it until new work presses for room, and an idle server
 * has none: it is a quarter of its memory. A last-resort collection also returns the pages to the system.
 */
export function releaseMemorySoon(): void {
  setTimeout(() => collector()({ type: 'major', flavor: 'last-resort' }), AFTER_MS).unref()
}

/**
 * Bytes of off-heap buffers after which a minor collection frees unused ones (1 ms). V8 counts them towards the limit
 * of its old generation: beyond about 12 MB it collects the whole heap, which takes 60 ms each time, eight times for a
 * file of a hundred megabytes.
 */
const BUFFERS_MAX = 4 * 1024 * 1024
let passed = 0

/** Counts bytes of file buffers. */
export function noteBuffers(bytes: number): void {
  passed += bytes
  if (passed < BUFFERS_MAX) return
  passed = 0
  collector()({ type: 'minor' })
}
