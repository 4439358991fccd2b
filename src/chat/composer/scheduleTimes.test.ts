import { expect, test } from 'vitest'

import { scheduleTimes } from './scheduleTimes.ts'

const at = (year: number, month: number, day: number, hour: number, minute = 0) =>
  new Date(year, month - 1, day, hour, minute).getTime()

test('on a morning the times are later today, tomorrow and Monday at nine', () => {
  // A Wednesday.
  expect(scheduleTimes(at(2026, 3, 11, 10, 20))).toEqual([
    { name: 'laterToday', at: at(2026, 3, 11, 13) },
    { name: 'tomorrow', at: at(2026, 3, 12, 9) },
    { name: 'monday', at: at(2026, 3, 16, 9) },
  ])
})

test('late in the evening there is no later today, and on a Sunday Monday is tomorrow', () => {
  expect(scheduleTimes(at(2026, 3, 15, 22))).toEqual([{ name: 'tomorrow', at: at(2026, 3, 16, 9) }])
})

test('on a Monday the next one is meant, across the change of the clocks as well', () => {
  expect(scheduleTimes(at(2026, 3, 23, 8)).at(-1)).toEqual({ name: 'monday', at: at(2026, 3, 30, 9) })
})
