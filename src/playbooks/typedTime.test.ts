import { describe, expect, test } from 'vitest'

import { minutesOf, readTime } from './typedTime.ts'

describe('a typed time', () => {
  test.each([
    ['90', 'MINUTES', 90],
    ['2', 'HOURS', 120],
    ['1,000', 'MINUTES', 1000],
    ['2h', 'MINUTES', 120],
    ['1h 30m', 'DAYS', 90],
    ['1 hr. 30 min.', 'MINUTES', 90],
    ['1.5 h', 'MINUTES', 90],
    ['1:30', 'MINUTES', 90],
    ['2 Days', 'MINUTES', 2880],
    ['', 'HOURS', null],
  ] as const)('%j in %s is %j minutes', (amount, unit, minutes) =>
    expect(minutesOf({ amount, unit })).toBe(minutes),
  )

  test.each(['soon', '-1', '0', '0h', '1:75', '1h 30', '1h and 30m', '0.01 h', '2 weeks', '99999999999'])(
    '%j is none',
    (amount) => expect(minutesOf({ amount, unit: 'MINUTES' })).toBeNaN(),
  )

  test('with units of its own changes the unit beside it', () => {
    expect(readTime({ amount: '2h', unit: 'DAYS' })).toEqual({ amount: '2', unit: 'HOURS' })
    expect(readTime({ amount: '2', unit: 'DAYS' })).toEqual({ amount: '2', unit: 'DAYS' })
  })
})
