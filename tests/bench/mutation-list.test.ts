import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { MUTATIONS } from './mutation-list.ts'

const ROOT = join(import.meta.dirname, '../..')

// The mutations run rarely. This test reports at once when code at one of their places changes.
describe.each(MUTATIONS)('$name', ({ file, from, to, tests }) => {
  test('changes one place', () => {
    expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2)
    expect(to).not.toBe(from)
  })

  test('names tests that exist', () => {
    const missing = tests.filter((path) => !existsSync(join(ROOT, path)))
    expect(missing).toEqual([])
  })
})
