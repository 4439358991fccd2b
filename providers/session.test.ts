import { expect, test } from 'vitest'

import { appId } from './session.ts'

test('a browser has an identifier of its own, which is made once', () => {
  expect(localStorage.getItem('appId')).toBeNull()
  const made = appId()
  expect(made).toMatch(/^[0-9a-f]{32}$/)
  expect(localStorage.getItem('appId')).toBe(made)
  expect(appId()).toBe(made)
  localStorage.clear()
  expect(appId()).not.toBe(made)
})
