import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { USER_FIELDS } from '#contract/users/schema.ts'
import { answer, open, signedIn } from '#tests/support/client.tsx'
import { serveList } from '#tests/support/client-lists.ts'
import { aListedUser } from '#tests/support/client-users.ts'

/** Fields that share the column of another: the name, and the phone numbers with their extensions. */
const SHARED = ['lastName', 'phoneExtension', 'secondPhoneNumber', 'secondPhoneExtension']
const COLUMNS = USER_FIELDS.filter((field) => !SHARED.includes(field))

beforeEach(() => {
  signedIn()
  answer('get', '/useradmin/roles', [])
  answer('get', '/config', { nameCharacters: 'STANDARD', twilioAllowedCountryCodes: ['CA', 'US'] })
  serveList('/useradmin/users', () => [aListedUser()])
})

test('every field that administrators set is a column of the table and of its file', async () => {
  open('/user-admin')
  const headers = await screen.findAllByRole('columnheader')
  expect(headers.map((header) => header.dataset['field'])).toEqual(expect.arrayContaining(COLUMNS))
})

test('the form has an input for every field that administrators set', async () => {
  const uuid = crypto.randomUUID()
  const phones = {
    phoneNumber: '+14165550104',
    phoneExtension: '55',
    secondPhoneNumber: '+14165550105',
    secondPhoneExtension: '6',
  }
  serveList('/useradmin/users', () => [aListedUser({ uuid, ...phones })])
  open(`/user-admin?edit=${uuid}`)
  const form = await screen.findByRole('dialog', { name: /Edit/ })
  await screen.findByLabelText(/First Name/)
  const inputs = [...form.querySelectorAll('[name]')].map((input) => input.getAttribute('name'))
  expect(inputs).toEqual(expect.arrayContaining([...USER_FIELDS]))
})
