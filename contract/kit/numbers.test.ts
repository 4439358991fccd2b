import { describe, expect, test } from 'vitest'

import { wholeNumber } from './numbers.ts'

describe('a whole number', () => {
  test.each([
    ['1500', 1500],
    [' 1,500 ', 1500],
    ['1 500', 1500],
    ['1\u202f234\u202f567', 1_234_567],
    ['1’500', 1500],
    ['007', 7],
    ['0', 0],
  ])('%j is %d', (typed, number) => expect(wholeNumber(typed)).toBe(number))

  test.each(['', '1.5', '1,50', '1,500.00', '1,500 000', '-5', '+5', '5e3', '0x10', '1,,500', '٣'])(
    '%j is none',
    (typed) => expect(wholeNumber(typed)).toBeNaN(),
  )
})
