import { describe, expect, test } from 'vitest'

import type { Contact } from '#contract/contacts/schema.ts'

import { isPhoneDoubtful, notificationsNeeded, notifiedContacts, wordProblems } from './rules.ts'

const contact = (email: string, ...lists: string[]): Contact => ({
  id: email,
  name: '',
  email,
  phone: null,
  valid: null,
  list: lists[0]!,
  lists,
})
const contacts = [
  contact('ana@x.example', 'A', 'B'),
  contact('bo@x.example', 'B'),
  contact('cy@x.example', 'C'),
]

describe('the contacts of a notification', () => {
  test('are each there once, with the chosen lists that they are in', () => {
    const found = notifiedContacts(contacts, { contactListIds: ['B', 'A'], contactIds: ['ana@x.example'] })
    expect(found.map(({ contact: { email }, lists, targeted }) => [email, lists, targeted])).toEqual([
      ['ana@x.example', ['A', 'B'], true],
      ['bo@x.example', ['B'], false],
    ])
  })

  test('are only those who were chosen', () => {
    expect(notifiedContacts(contacts, { contactListIds: [], contactIds: [] })).toEqual([])
    expect(notifiedContacts(contacts, { contactListIds: ['Z'], contactIds: ['cy@x.example'] })).toEqual([
      { contact: contacts[2], lists: [], targeted: true },
    ])
  })
})

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
