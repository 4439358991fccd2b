import * as library from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'

import { readContacts } from './rules.ts'
import type { ContactRow } from './schema.ts'

const phones = { library, country: null }
const row = (given: Partial<ContactRow>): ContactRow => ({
  name: 'Ana Costa',
  email: 'ana@example.org',
  phone: null,
  list: 'Board',
  phoneExtension: null,
  secondPhone: null,
  secondPhoneExtension: null,
  ...given,
})
const sentences = (...rows: ContactRow[]) =>
  readContacts(rows, { phones }).problems.map(({ message }) => message)

describe('a file of contacts', () => {
  test('reads an address without the invisible characters that were copied with it', () => {
    const { contacts, problems } = readContacts([row({ email: '\u200bana@example.org\u00ad' })], { phones })
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

  test.each([
    ['+1 (416) 555-0123 x5', { phone: '+14165550123', phoneExtension: '5', phoneCountry: 'CA' }],
    ['416.555.0123', { phone: '4165550123', phoneExtension: null, phoneCountry: '' }],
    ['(416) 555-0123 ext. 5', { phone: '4165550123', phoneExtension: '5', phoneCountry: '' }],
    ['+1 416 555', { phone: '+1416555', phoneCountry: '' }],
    ['+1', { phone: null, phoneCountry: null }],
    ['none', { phone: null }],
    ['ask reception', { phone: null }],
    ['1-800-FLOWERS', { phone: null }],
    ['1.4165E+10', { phone: null }],
    ['########', { phone: null }],
    [
      '+14165550123 / +14165550124 ext 7',
      {
        phone: '+14165550123',
        secondPhone: '+14165550124',
        secondPhoneExtension: '7',
        secondPhoneCountry: 'CA',
      },
    ],
    ['tba / +14165550124', { phone: '+14165550124', secondPhone: null }],
  ])('keeps of the number %j %j', (phone, kept) => {
    const { contacts, problems } = readContacts([row({ phone })], { phones })
    expect(problems).toEqual([])
    expect(contacts).toMatchObject([kept])
  })

  test.each(['1.4165E+10', '1,41655501e10', '14165550123.0', '14165550123,00'])(
    'says that %s was rounded, and keeps the person',
    (phone) => {
      const { contacts, warnings } = readContacts([row({}), row({ phone })], { phones })
      expect(contacts).toHaveLength(1)
      expect(warnings).toEqual([
        {
          index: 1,
          field: 'phone',
          written: phone,
          isKept: false,
          message: `The phone number (${phone}) in row 3 was rounded by a spreadsheet. Format its column as text and write it again.`,
        },
      ])
    },
  )
  test('says what is kept without being a number that can be called', () => {
    const { warnings } = readContacts([row({ phone: '(416) 555-0123', secondPhone: 'desk' })], { phones })
    expect(warnings.map(({ field, isKept, message }) => [field, isKept, message])).toEqual([
      ['phone', true, 'The phone number ((416) 555-0123) in row 2 must include a dial code, such as +1.'],
      ['secondPhone', false, 'The phone number (desk) in row 2 is not a number.'],
    ])
  })

  test('says so where something is too long, and counts rows as its file does', () => {
    const long = 'x'.repeat(256)
    const tooLong = 'Maximum length of 255 characters exceeded (in row 9).'
    const { problems } = readContacts([row({ name: long, phone: long, list: long })], {
      phones,
      rowOf: () => 9,
    })
    expect(problems).toEqual([
      { index: 0, field: 'name', message: tooLong },
      { index: 0, field: 'phone', message: tooLong },
      { index: 0, field: 'list', message: tooLong },
    ])
  })

  test('names each person once, with all lists and what the later row says', () => {
    const { contacts } = readContacts(
      [
        row({ email: ' Ana@Example.org ', phone: '+1 (416) 555-0123', secondPhone: '+14165550124' }),
        row({ name: 'Ana Costa Lima', list: ' City ' }),
        row({ list: 'Board' }),
      ],
      { phones },
    )
    expect(contacts).toEqual([
      {
        name: 'Ana Costa',
        email: 'ana@example.org',
        phone: '+14165550123',
        phoneExtension: null,
        phoneCountry: 'CA',
        secondPhone: '+14165550124',
        secondPhoneExtension: null,
        secondPhoneCountry: 'CA',
        lists: ['Board', 'City'],
      },
    ])
  })
})
