import { describe, expect, test } from 'vitest'

import { phoneOf, readContacts } from './rules.ts'
import type { ContactRow } from './schema.ts'

const row = (given: Partial<ContactRow>): ContactRow => ({
  name: 'Ana Costa',
  email: 'ana@example.org',
  phone: null,
  list: 'Board',
  ...given,
})
const sentences = (...rows: ContactRow[]) => readContacts(rows).problems.map(({ message }) => message)

describe('a file of contacts', () => {
  test('says what is wrong with each row, counting from 2', () => {
    expect(
      sentences(
        row({}),
        row({ email: '  ' }),
        row({ email: '(blank)' }),
        row({ email: 'bo@example.org', list: ' ' }),
        row({ email: null, list: null }),
      ),
    ).toEqual([
      'A contact is missing an email address from row 3.',
      'Invalid email address (blank) found in row 4.',
      'A contact (bo@example.org) was not assigned a contact list (in row 5).',
      'A contact is missing an email address from row 6.',
      'A contact () was not assigned a contact list (in row 6).',
    ])
  })

  test('names each person once, with all lists and what the later row says', () => {
    expect(
      readContacts([
        row({ email: ' Ana@Example.org ', phone: '+1 (416) 555-0123' }),
        row({ name: 'Ana Costa Lima', list: ' City ' }),
        row({ list: 'Board' }),
      ]).contacts,
    ).toEqual([
      { name: 'Ana Costa', email: 'ana@example.org', phone: '+14165550123', lists: ['Board', 'City'] },
    ])
  })
})

test.each([
  [' +1 (416) 555-0123 ', '+14165550123'],
  ['416.555.0123', '4165550123'],
  ['+1', null],
  ['', null],
  ['none', null],
  ['=+49 30 1234', '49301234'],
])('of the number %j is kept %j', (written, kept) => {
  expect(phoneOf(written)).toBe(kept)
})
