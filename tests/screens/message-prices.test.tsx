import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'

import { API, open, server, signedIn } from '#tests/support/client.tsx'
import { serveList } from '#tests/support/client-lists.ts'
import { aContact, serveNotifying } from '#tests/support/client-notifications.ts'

const CONTACTS = ['Ana Costa', 'Bo Berg'].map((name) => aContact(name, { lists: ['Board'] }))
const prices = { currency: 'USD', SMS: 12.5, VOICE_CALL: 30, unpriced: { SMS: 1, VOICE_CALL: 0 } }

beforeEach(() => {
  signedIn()
  serveList('/massNotification/history', () => [])
  serveNotifying({ contacts: CONTACTS, config: { massNotifsConfirmAbove: 1 } })
})
/** A form with an SMS to two people. */
async function written(counted: object) {
  const suppressed = { EMAIL: 0, SMS: 0, VOICE_CALL: 0 }
  const counts = { contacts: 2, doubtful: 0, withoutPhone: 0, emails: 2, phones: 2, suppressed }
  server.use(
    http.post(`${API}/massNotification/reach`, () =>
      HttpResponse.json({ ...counts, waiting: 0, waitingPhones: 0, ...counted }),
    ),
  )
  const user = open('/mass-notifications/send')
  await user.click(await screen.findByRole('checkbox', { name: 'Email' }))
  await user.click(screen.getByRole('textbox', { name: /^SMS/ }))
  await user.paste(`Berth 1 is closed. ${'x'.repeat(60)}`)
  await user.click(await screen.findByRole('checkbox', { name: /^Board/ }))
  return user
}
const list = () => screen.findByRole('list', { name: 'Price of SMS and calls' })

test('the form says what the SMS cost about, and which letter makes it more', async () => {
  const user = await written({ prices })
  expect(await list()).toHaveTextContent('Costs about $12.50 for the chosen people.')
  expect(await list()).toHaveTextContent('The price list lacks 1 of these numbers.')
  await user.click(screen.getByRole('textbox', { name: /^SMS/ }))
  await user.paste(' – soon')
  expect(await list()).toHaveTextContent('“–” makes it 2 SMS instead of 1. Replace it by a plain letter.')
  expect(await list()).toHaveTextContent('Costs about $25.00')
  await user.click(screen.getByRole('checkbox', { name: 'Automated Voice' }))
  expect(await list()).toHaveTextContent('Costs about $55.00')
  await user.click(screen.getByRole('button', { name: 'Send Notification' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('About $55.00')).toBeVisible()
})

test('without a price list nothing is said of prices', async () => {
  await written({})
  expect(await screen.findByText(/SMS of GSM-7/)).toBeVisible()
  expect(screen.queryByText(/Costs about/)).toBeNull()
})
