import axe from 'axe-core'
import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'

import { type FoundSuppression, LIFT_REASON_REQUIRED } from '#contract/suppressions/schema.ts'
import { answer, API, aProblem, open, server, signedIn } from '#tests/support/client.tsx'
import { onAPhone, serveList } from '#tests/support/client-lists.ts'
import { aContact, serveNotifying } from '#tests/support/client-notifications.ts'
import { aListedUser, aSuppression as suppression } from '#tests/support/client-users.ts'

const bounced = (address: string) =>
  suppression({ kind: 'EMAIL', address, reason: 'BOUNCED', code: '5.1.1', said: 'No such user here' })
const ana = aListedUser({
  firstName: 'Ana',
  lastName: 'Silva',
  email: 'Ana@demo.example',
  phoneNumber: '+14165550100',
  secondPhoneNumber: '+14165550101',
})
const bo = aListedUser({ firstName: 'Bo', lastName: 'Lee', email: 'bo@demo.example' })

let suppressions: readonly FoundSuppression[] = []
/** Addresses of each request. */
let lookups: string[][] = []
/** Reasons that were sent, and the server's refusal, if any. */
let lifts: string[] = []
let refusal: { status: number; body: object } | undefined
beforeEach(() => {
  signedIn()
  lookups = []
  lifts = []
  refusal = undefined
  answer('get', '/useradmin/roles', [])
  server.use(
    http.post(`${API}/suppression/find`, async ({ request }) => {
      const { addresses } = (await request.json()) as { addresses: string[] }
      lookups.push(addresses)
      return HttpResponse.json(suppressions.filter(({ address }) => addresses.includes(address)))
    }),
    http.post(`${API}/suppression/:id/lift`, async ({ request, params }) => {
      lifts.push(((await request.json()) as { reason: string }).reason)
      if (refusal) return HttpResponse.json(refusal.body, { status: refusal.status })
      suppressions = suppressions.filter(({ id }) => id !== params['id'])
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

function users() {
  serveList('/useradmin/users', () => [ana, bo])
  return open('/user-admin')
}
/** Checks the page with axe, except colours, which need a layout. */
async function expectAccessible() {
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}
const mark = (name: RegExp | string) => screen.findByRole('button', { name })
const reason = () => screen.findByRole('textbox', { name: /^Reason/ })
const allow = () => screen.findByRole('button', { name: 'Allow again' })

test('the users table marks what is not tried, by one request for the page', async () => {
  suppressions = [suppression(), bounced('ana@demo.example')]
  users()
  expect(await mark('Unsubscribed: +14165550101')).toHaveAccessibleDescription(
    'Not tried: this person has unsubscribed from SMS (STOP) on 2026-05-04. START from that phone ends it, or an administrator.',
  )
  expect(await mark('No mailbox: ana@demo.example')).toHaveAccessibleDescription(
    /^Not tried: this mailbox did not exist on 2026-05-04\. Correct the address/,
  )
  expect(screen.getAllByRole('button', { name: /^(Unsubscribed|No mailbox)/ })).toHaveLength(2)
  expect(lookups).toEqual([['ana@demo.example', '+14165550100', '+14165550101', 'bo@demo.example']])
  await expectAccessible()
})

test('a mark opens what the carrier said and the way back; allowing again takes the mark away', async () => {
  suppressions = [bounced('ana@demo.example')]
  const user = users()
  await user.click(await mark(/^No mailbox/))
  const dialog = await screen.findByRole('dialog', { name: 'Not tried' })
  expect(within(dialog).getByRole('heading', { name: 'ana@demo.example' })).toBeVisible()
  expect(within(dialog).getByText('No such user here (5.1.1)')).toBeVisible()
  expect(within(dialog).getByText(/^Correct the address, or have an administrator/)).toBeVisible()
  await expectAccessible()
  await user.click(await allow())
  expect(await within(dialog).findByText(LIFT_REASON_REQUIRED)).toBeVisible()
  expect(lifts).toEqual([])
  await user.type(await reason(), 'The mailbox is back')
  await user.click(await allow())
  expect(await screen.findByText('ana@demo.example is tried again.')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByRole('button', { name: /^No mailbox/ })).toBeNull()
  expect(lifts).toEqual(['The mailbox is back'])
  await waitFor(() => expect(lookups).toHaveLength(2))
})

test('a refusal stands in the dialog and keeps what was typed', async () => {
  suppressions = [bounced('ana@demo.example')]
  const user = users()
  await user.click(await mark(/^No mailbox/))
  await user.type(await reason(), 'Try it')
  const message = 'This address was allowed again already.'
  refusal = { status: 409, body: aProblem(message, 'conflict') }
  await user.click(await allow())
  expect(await screen.findByText(message)).toBeVisible()
  expect(await reason()).toHaveValue('Try it')
  refusal = { status: 400, body: { ...aProblem('Wrong'), fields: { reason: 'That is too long.' } } }
  await user.click(await allow())
  expect(await screen.findByText('That is too long.')).toBeVisible()
  expect(await reason()).toBeInvalid()
  expect(screen.queryByText(message)).toBeNull()
})

test('two numbers of one person stand in one dialog, which stays until both are allowed', async () => {
  suppressions = [suppression(), suppression({ address: '+14165550100', reason: 'NO_SMS' })]
  const user = users()
  await user.click(await mark('Takes no SMS: +14165550100'))
  const first = within(await screen.findByRole('region', { name: '+1 416 555 0100' }))
  await user.type(first.getByRole('textbox', { name: /^Reason/ }), 'A mobile now')
  await user.click(first.getByRole('button', { name: 'Allow again' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: '+1 416 555 0100' })).toBeNull())
  expect(screen.getByRole('region', { name: '+1 416 555 0101' })).toBeVisible()
})

test('people who do not administer see the way back, and no field', async () => {
  signedIn('USER', ['mass-notifs'])
  const one = aContact('Ada')
  suppressions = [suppression({ address: '+19025550100' })]
  serveList('/contact/asList', () => [one])
  answer('get', '/contact/lists', [{ name: 'Suppliers', count: 1 }])
  const user = open('/mass-notifications/contacts?list=Suppliers')
  await user.click(await mark('Unsubscribed: +19025550100'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Not tried' }))
  expect(dialog.getByText('START from that phone ends it, or an administrator.')).toBeVisible()
  expect(dialog.queryByRole('textbox')).toBeNull()
  expect(dialog.queryByRole('button', { name: 'Allow again' })).toBeNull()
})

test('the cards of a phone have the marks', async () => {
  onAPhone()
  suppressions = [bounced('ana@demo.example')]
  const user = users()
  await user.click(await mark(/^No mailbox/))
  expect(await screen.findByRole('dialog', { name: 'Not tried' })).toBeVisible()
})

test('the form of a notification marks options and chosen contacts, and stays as it is when a mark is pressed', async () => {
  const ada = aContact('Ada')
  const cy = aContact('Cy', { phone: null })
  suppressions = [suppression({ address: '+19025550100' })]
  serveList('/massNotification/history', () => [])
  serveNotifying({ contacts: [ada, cy] })
  const user = open('/mass-notifications/send')
  const box = await screen.findByRole('combobox', { name: /^Find contacts/ })
  expect(lookups).toEqual([])
  await user.click(box)
  const option = await screen.findByRole('option', { name: /^Ada.*Unsubscribed$/ })
  await expectAccessible()
  expect(within(option).queryByRole('button')).toBeNull()
  expect(within(option).getByText('Unsubscribed')).toBeVisible()
  expect(screen.getByRole('option', { name: /^Cy/ })).not.toHaveTextContent('Unsubscribed')
  await user.click(option)
  await user.keyboard('{Escape}')
  await user.click(await mark('Unsubscribed: +19025550100'))
  expect(await screen.findByRole('dialog', { name: 'Not tried' })).toBeVisible()
  await user.type(await reason(), 'She asked for it')
  await user.click(await allow())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: 'Remove Ada' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Unsubscribed/ })).toBeNull()
})

test('without an answer about suppressions the table is whole, without marks', async () => {
  let refused = 0
  server.use(
    http.post(`${API}/suppression/find`, () => {
      refused += 1
      return HttpResponse.json(aProblem('Not now'), { status: 403 })
    }),
  )
  users()
  await waitFor(() => expect(screen.getByText('bo@demo.example')).toBeVisible())
  await waitFor(() => expect(refused).toBeGreaterThan(0))
  expect(screen.queryByRole('button', { name: /^(Unsubscribed|No mailbox)/ })).toBeNull()
})
