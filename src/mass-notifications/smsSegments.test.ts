import { expect, test } from 'vitest'

import { smsSegments } from './smsSegments.ts'

const seen = (text: string) => {
  const { alphabet, count, used, room } = smsSegments(text)
  return [alphabet, count, used, room]
}

test.each([
  ['', ['GSM7', 1, 0, 160]],
  ['a'.repeat(160), ['GSM7', 1, 160, 160]],
  ['a'.repeat(161), ['GSM7', 2, 161, 306]],
  ['a'.repeat(306), ['GSM7', 2, 306, 306]],
  ['a'.repeat(307), ['GSM7', 3, 307, 459]],
  ['Ünïted'.replace('ï', 'i'), ['GSM7', 1, 6, 160]],
  ['€[]', ['GSM7', 1, 6, 160]],
  // The last letter of the first SMS has room for one place only.
  [`${'a'.repeat(152)}€${'a'.repeat(10)}`, ['GSM7', 2, 164, 306]],
  [`${'a'.repeat(152)}€${'a'.repeat(151)}`, ['GSM7', 2, 305, 306]],
  [`${'a'.repeat(152)}€${'a'.repeat(152)}`, ['GSM7', 3, 306, 459]],
  ['ł', ['UCS2', 1, 1, 70]],
  [`${'a'.repeat(68)}\u{1f6a8}`, ['UCS2', 1, 70, 70]],
  [`${'a'.repeat(69)}\u{1f6a8}`, ['UCS2', 2, 71, 134]],
  [`${'ł'.repeat(66)}\u{1f6a8}${'ł'.repeat(66)}`, ['UCS2', 3, 134, 201]],
])('%j takes %j', (text, expected) => {
  expect(seen(text)).toEqual(expected)
})

test('names the letter that makes it longer', () => {
  expect(smsSegments('Zürich – ł').strange).toBe('–')
  expect(smsSegments('Zürich').strange).toBeUndefined()
})
