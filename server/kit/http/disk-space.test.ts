import { expect, test } from 'vitest'

import { diskSpace, MEGABYTE, RESERVE } from './disk-space.ts'
import { Refusal } from '../core/refusal.ts'

/** A disk with `free` bytes, measured on each check. */
function diskWith(free: number) {
  const disk = { free, at: 0, failing: false }
  const space = diskSpace(
    '/data',
    () => {
      if (disk.failing) throw new Error('ESTALE')
      return { bavail: disk.free / 4_096, bsize: 4_096 }
    },
    () => (disk.at += 1_000),
  )
  return { disk, space }
}
const refusal = (work: () => void): Refusal | null => {
  try {
    work()
    return null
  } catch (error) {
    return error as Refusal
  }
}

test('there is room down to the reserve, and again as soon as it is free', () => {
  const { disk, space } = diskWith(RESERVE)
  expect(refusal(() => space.demandRoom())).toBeNull()
  expect(space.warnings()).toEqual([])
  disk.free = RESERVE - 4_096
  expect(refusal(() => space.demandRoom())?.toProblem()).toEqual({
    code: 'insufficient_storage',
    message: 'The server has no room left to store anything. Nothing was saved. Please try again later.',
  })
  expect(refusal(() => space.demandRoom())?.status).toBe(507)
  expect(space.warnings()).toEqual([
    'The disk of the data folder is full: 127 MB are left, and nothing is saved below 128 MB. Reading still works. Make room.',
  ])
  disk.free = RESERVE
  expect(refusal(() => space.demandRoom())).toBeNull()
  expect(space.warnings()).toEqual([])
})

test('a file that would touch the reserve has no room, however much is free', () => {
  const { space } = diskWith(RESERVE + 10 * MEGABYTE)
  expect(refusal(() => space.demandRoom(10 * MEGABYTE))).toBeNull()
  expect(refusal(() => space.demandRoom(10 * MEGABYTE + 1))?.status).toBe(507)
})

test('a disk that cannot be measured is written to', () => {
  const { disk, space } = diskWith(0)
  disk.failing = true
  expect(refusal(() => space.demandRoom())).toBeNull()
})

test('the disk is measured at most twice a second', () => {
  let measured = 0
  let at = 0
  const space = diskSpace(
    '/data',
    () => ({ bavail: (measured += 1), bsize: RESERVE }),
    () => at,
  )
  for (at = 0; at < 1_000; at += 100) space.demandRoom()
  expect(measured).toBe(2)
})

test('what was let through since the disk was measured counts as written', () => {
  const space = diskSpace(
    '/data',
    () => ({ bavail: RESERVE + 10 * MEGABYTE, bsize: 1 }),
    () => 0,
  )
  expect(refusal(() => space.demandRoom(6 * MEGABYTE))).toBeNull()
  expect(refusal(() => space.demandRoom(6 * MEGABYTE))?.status).toBe(507)
  expect(refusal(() => space.demandRoom(4 * MEGABYTE))).toBeNull()
})
