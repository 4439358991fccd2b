import { expect, test } from 'vitest'

import { orderedId } from './ordered-id.ts'

test('ids are in the order in which they were made, however fast', () => {
  const ids = Array.from({ length: 20_000 }, orderedId)
  expect(ids).toEqual([...new Set(ids)].toSorted())
  for (const id of ids.slice(0, 100))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
