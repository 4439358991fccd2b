import { describe, expect, test } from 'vitest'

import { phoneOf, readContacts } from './rules.ts'
import type { ContactRow } from './schema.ts'

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

const row = (given: Partial<ContactRow>): ContactRow => ({
  name: 'Ana Costa',
  email: 'ana@example.org',
  phone: null,
  list: 'Board',
  ...given,
})
const sentences = (...rows: ContactRow[]) => readContacts(rows).problems.map(({ message }) => message)

describe('a file of contacts', () => {
  test('reads an address without the invisible characters that were copied with it', () => {
    const { contacts, problems } = readContacts([row({ email: '\u200bana@example.org\u00ad' })])
    expect(problems).toEqual([])
    expect(contacts.map(({ email }) => email)).toEqual(['ana@example.org'])
  })

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

  test.each(['1.4165E+10', '1,41655501e10', '14165550123.0', '14165550123,00'])(
    'does not take %s for a phone number',
    (phone) => {
      expect(sentences(row({}), row({ phone }))).toEqual([
        `The phone number (${phone}) in row 3 was rounded by a spreadsheet. Format its column as text and write it again.`,
      ])
    },
  )
  test('takes numbers with dots and brackets', () => {
    expect(sentences(row({ phone: '416.555.0123' }), row({ phone: '(416) 555-0123' }))).toEqual([])
  })

  test('says so where something is too long, and counts rows as its file does', () => {
    const long = 'x'.repeat(256)
    const tooLong = 'Maximum length of 255 characters exceeded (in row 9).'
    const { problems } = readContacts([row({ name: long, phone: long, list: long })], () => 9)
    expect(problems).toEqual([
      { index: 0, field: 'name', message: tooLong },
      { index: 0, field: 'phone', message: tooLong },
      { index: 0, field: 'list', message: tooLong },
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
