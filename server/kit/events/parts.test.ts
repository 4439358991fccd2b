import { expect, test } from 'vitest'

import { Parts, partsOf } from './parts.ts'

const json = (length: number, sign = 'é') => JSON.stringify({ text: sign.repeat(length) })

test('texts of any length fit into notifications, and are the same afterwards', () => {
  for (const text of [json(1), json(1_000, 'a'), json(30_000), json(9_999, '😀'), 'organisation 12']) {
    const cut = partsOf(text)
    expect(cut.every((part) => Buffer.byteLength(part) < 8_000)).toBe(true)
    const parts = new Parts()
    const whole = cut.map((part) => parts.add(part))
    expect(whole.slice(0, -1).every((one) => one === undefined)).toBe(true)
    expect(whole.at(-1)!.startsWith('{') ? JSON.parse(whole.at(-1)!) : whole.at(-1)).toEqual(
      text.startsWith('{') ? JSON.parse(text) : text,
    )
  }
})

test('parts of several texts come between each other, and one without its beginning is dropped', () => {
  const parts = new Parts()
  const [one, two, torn] = [partsOf(json(5_000)), partsOf(json(5_000, 'ü')), partsOf(json(5_000))]
  const whole = [one[0]!, two[0]!, ...torn.slice(1), ...one.slice(1), ...two.slice(1)].flatMap(
    (part) => parts.add(part) ?? [],
  )
  expect(whole.map((text) => JSON.parse(text) as unknown)).toEqual([
    JSON.parse(json(5_000)),
    JSON.parse(json(5_000, 'ü')),
  ])
  parts.add(one[0]!)
  parts.clear()
  expect(one.slice(1).map((part) => parts.add(part))).toEqual(one.slice(1).map(() => undefined))
})
