import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const AFTER_MS = 2_000

type Collect = (how?: { type: 'minor' }) => void
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
 * server has none: it is a quarter of its memory.
 */
export function releaseMemorySoon(): void {
  setTimeout(() => collector()(), AFTER_MS).unref()
}

/** Bytes of files after which their buffers are looked for. */
const BUFFERS_MAX = 24 * 1024 * 1024
let passed = 0

/**
 * Counts the bytes of files that passed through off-heap buffers, which hardly trigger the collector: without this, a
 * file of a hundred megabytes leaves tens of them in memory until much later.
 */
export function noteBuffers(bytes: number): void {
  passed += bytes
  if (passed < BUFFERS_MAX) return
  passed = 0
  collector()({ type: 'minor' })
}
