import { expect, test } from 'vitest'

import { phoneOf } from './rules.ts'

test.each([
  [' +1 (416) 555-0123 ', '+14165550123'],
  ['416.555.0123', '4165550123'],
  ['+1', null],
  ['', null],
  ['none', null],
  ['=+49 30 1234', '49301234'],
])('of the number %j is kept %j', (written, kept) => {
  expect(phoneOf(written)).toBe(kept)
})
