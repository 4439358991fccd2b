import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { USER_FIELDS } from '#contract/users/schema.ts'
import { answer, open, signedIn } from '#tests/support/client.tsx'
import { serveList } from '#tests/support/client-lists.ts'
import { aListedUser } from '#tests/support/client-users.ts'

/** The name is one column for two fields. */
const COLUMNS = USER_FIELDS.filter((field) => field !== 'lastName')

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
  open('/user-admin?create=1')
  const form = await screen.findByRole('dialog', { name: 'Add User' })
  await screen.findByLabelText(/First Name/)
  const inputs = [...form.querySelectorAll('[name]')].map((input) => input.getAttribute('name'))
  expect(inputs).toEqual(expect.arrayContaining([...USER_FIELDS]))
})
