import { expect, test } from 'vitest'

import { isPhoneDoubtful, notificationsNeeded, smsSegments, wordProblems } from './rules.ts'

test('a notification takes one for each contact and type, and for each member who can be reached by it', () => {
  const group = { userCount: 5, userPhoneCount: 3 }
  expect(notificationsNeeded(2, [], ['EMAIL', 'SMS'])).toBe(4)
  expect(notificationsNeeded(0, [group], ['EMAIL', 'SMS', 'VOICE_CALL'])).toBe(5 + 3 + 3)
  expect(notificationsNeeded(2, [group, group], ['SMS'])).toBe(2 + 3 + 3)
  expect(notificationsNeeded(2, [group], [])).toBe(0)
})

test.each([
  ['+19025550100', true, false],
  ['+19025550100', false, true],
  ['+19025550100', null, true],
  [null, null, false],
])('whether the phone %s that is valid: %s may not be reached: %s', (phone, valid, doubtful) => {
  expect(isPhoneDoubtful({ phone, valid })).toBe(doubtful)
})

test('words are missing only where a type needs them', () => {
  const nothing = { title: ' ', emailMessage: null, smsMessage: '' }
  expect(Object.keys(wordProblems({ ...nothing, types: ['EMAIL'] }, 100))).toEqual(['title', 'emailMessage'])
  expect(Object.keys(wordProblems({ ...nothing, types: ['VOICE_CALL'] }, 100))).toEqual(['smsMessage'])
  expect(wordProblems({ ...nothing, smsMessage: `${'x'.repeat(5)} `, types: ['SMS'] }, 4)).toEqual({
    smsMessage: 'Maximum of 4 characters exceeded.',
  })
})

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
  // The first SMS has one septet left, and the last letter needs two.
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
