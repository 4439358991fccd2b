import { setImmediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { inTimeSlice } from './time-slice.ts'

/** Keeps the processor busy for `ms` milliseconds. */
const busy = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until) continue
}

test('work of many is done in its order, and others come in between', async () => {
  const done: number[] = []
  const works = Array.from({ length: 100 }, (_, n) =>
    inTimeSlice(() => {
      busy(0.6)
      done.push(n)
    }),
  )
  let turns = 0
  while (done.length < works.length) {
    // oxlint-disable-next-line no-await-in-loop -- one turn of the loop after the other
    await setImmediate()
    turns += 1
  }
  expect(done).toEqual(Array.from({ length: 100 }, (_, n) => n))
  // Two tasks fill a slice.
  expect(turns).toBeGreaterThanOrEqual(45)
})

test('work that fails is reported to who asked for it, and the next one is done', async () => {
  const failing = inTimeSlice(() => {
    throw new RangeError('damaged')
  })
  const next = inTimeSlice(() => 'sound')
  await expect(failing).rejects.toThrow('damaged')
  expect(await next).toBe('sound')
})
