import { expect, test } from 'vitest'

import { HttpProblem, isExpected } from './problem.ts'

test.each([
  [new HttpProblem('Please check your Internet connection.', 0), true],
  [new HttpProblem('You are signed out.', 401), true],
  [new TypeError('Failed to fetch'), true],
  [new TypeError('Load failed'), true],
  [new DOMException('Aborted', 'AbortError'), true],
  [new HttpProblem('Broken', 500), false],
  [new TypeError("Cannot read properties of undefined (reading 'id')"), false],
  ['a string', false],
  [undefined, false],
])('%s is expected: %s', (error, expected) => {
  expect(isExpected(error)).toBe(expected)
})
