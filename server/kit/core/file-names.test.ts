import { expect, test } from 'vitest'

import { distinctNames, safeFileName } from './file-names.ts'

test.each([
  ['Flood', 'Flood'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\Windows\\a', 'C__Windows_a'],
  ['  Plan B. ', 'Plan B'],
  ['CON', '_CON'],
  ['com1.txt', '_com1.txt'],
  ['a\u202Efdp\u0000', 'a_fdp_'],
  ['...', 'playbook'],
  ['', 'playbook'],
])('%j is called %j', (text, name) => {
  expect(safeFileName(text, 'playbook')).toBe(name)
})

test('a long name fits a file system, and no character is cut', () => {
  const name = safeFileName('🚨'.repeat(200), 'playbook')
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180)
  expect(name).toMatch(/^(🚨)+$/u)
  const families = safeFileName('👩‍👩‍👧'.repeat(20), 'playbook')
  expect(families).toBe('👩‍👩‍👧'.repeat(10))
})

test('equal names are told apart, also from a name that looks like a number of another', () => {
  const nameOf = distinctNames()
  const names = ['Flood', 'Flood (2)', 'flood', 'Flood', 'Fire'].map((name) => nameOf(name, 'pdf'))
  expect(names).toEqual(['Flood.pdf', 'Flood (2).pdf', 'flood (3).pdf', 'Flood (4).pdf', 'Fire.pdf'])
})
