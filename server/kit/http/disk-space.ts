import { type StatsFs, statfsSync } from 'node:fs'

import { storageFull } from './storage-problems.ts'

export const MEGABYTE = 1024 * 1024
/**
 * Free bytes that writes must leave. The embedded database stops when it cannot write its log, so it needs room for two
 * checkpoints (32 MB each), and for sign-ins, jobs and uploads in progress.
 */
export const RESERVE = 128 * MEGABYTE
/** Maximum age of a measurement. */
const FRESH_MS = 500

type Measured = Pick<StatsFs, 'bavail' | 'bsize'>

export interface DiskSpace {
  /** Called before bytes are written. @throws Refusal 507 when they would use the reserve, or it is in use already */
  readonly demandRoom: (bytes?: number) => void
  /** Warnings for the operator; empty while there is room. */
  readonly warnings: () => readonly string[]
}

/**
 * Monitors the free space of the data folder's disk. A failed measurement counts as room: the write itself shows the
 * problem then.
 */
export function diskSpace(
  folder: string,
  measure: (folder: string) => Measured = statfsSync,
  now: () => number = () => performance.now(),
): DiskSpace {
  let free = Infinity
  let measuredAt = -Infinity
  const freeBytes = (): number => {
    if (now() - measuredAt < FRESH_MS) return free
    measuredAt = now()
    try {
      const { bavail, bsize } = measure(folder)
      free = bavail * bsize
    } catch {
      free = Infinity
    }
    return free
  }
  return {
    demandRoom: (bytes = 0) => {
      if (freeBytes() - bytes < RESERVE) throw storageFull()
      // Subtracts pending writes until the next measurement.
      free -= bytes
    },
    warnings: () =>
      freeBytes() < RESERVE
        ? [
            `The disk of the data folder is full: ${Math.floor(free / MEGABYTE)} MB are left, and nothing is saved below ` +
              `${RESERVE / MEGABYTE} MB. Reading still works. Make room.`,
          ]
        : [],
  }
}
