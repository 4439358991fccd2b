import { expect, test } from 'vitest'

import { isPhoneDoubtful, notificationsNeeded, wordProblems } from './rules.ts'

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
