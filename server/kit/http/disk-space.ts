import { type StatsFs, statfsSync } from 'node:fs'

import { storageFull } from './storage-problems.ts'

export const MEGABYTE = 1024 * 1024
/**
 * Free bytes that writing calls leave alone. The embedded database stops when it cannot write its log, so it needs room
 * for two checkpoints (32 MB each), and for sign-ins, jobs and uploads in progress.
 */
export const RESERVE = 128 * MEGABYTE
/** How old a measurement may be. */
const FRESH_MS = 500

type Measured = Pick<StatsFs, 'bavail' | 'bsize'>

export interface DiskSpace {
  /** Asked before bytes are written. @throws Refusal 507 when they would touch the reserve, or it is touched already */
  readonly demandRoom: (bytes?: number) => void
  /** Warnings for the operator; empty while there is room. */
  readonly warnings: () => readonly string[]
}

/** Watches how much room is left where the data folder is. A failed measurement counts as room: writing shows it then. */
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
      // About to be written, which the next measurement shows.
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
