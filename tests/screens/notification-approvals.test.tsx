import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'

import type { NotificationApproval } from '#contract/notification-approvals/schema.ts'
import { answer, open, signedIn } from '#tests/support/client.tsx'
import { hearing, refused } from '#tests/support/client-incidents.ts'
import { aNotification } from '#tests/support/client-notifications.ts'

const ID = '00000000-0000-4000-8000-000000000077'
const AT = '2026-01-05T10:00:00.000Z'
const PATH = `/massNotification/approval/${ID}`
const anApproval = (changes: Partial<NotificationApproval> = {}): NotificationApproval => ({
  id: ID,
  title: 'Leave building 2',
  emailMessage: 'Please leave.',
  smsMessage: null,
  types: ['EMAIL'],
  level: 'CRITICAL',
  contactListIds: ['Suppliers'],
  contactIds: [],
  correction: null,
  groupNames: ['Fleet'],
  isExercise: false,
  answers: null,
  escalation: null,
  language: null,
  price: null,
  peopleCount: 1_200,
  needed: 1_200,
  requestedBy: 'grace@demo.example',
  createTimestamp: AT,
  expireTimestamp: '2026-01-06T10:00:00.000Z',
  state: 'WAITING',
  decidedBy: null,
  decideTimestamp: null,
  reason: null,
  notificationId: null,
  canDecide: true,
  canWithdraw: false,
  ...changes,
})
const opened = (approval: NotificationApproval) => {
  signedIn('ADMIN')
  answer('get', PATH, approval)
  return open(`/mass-notifications/approvals/${ID}`)
}

test('is approved after asking, and leads to what was sent', async () => {
  const user = opened(anApproval())
  expect(await screen.findByText('Suppliers, Fleet')).toBeVisible()
  const approved = hearing('post', `${PATH}/approve`, () => {
    answer('get', PATH, decided)
    return decided
  })
  const decided = anApproval({
    state: 'APPROVED',
    canDecide: false,
    decidedBy: 'ada@demo.example',
    decideTimestamp: AT,
    notificationId: ID,
  })
  await user.click(screen.getByRole('button', { name: 'Approve and send' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send to 1200 people?' })
  await user.click(within(dialog).getByRole('button', { name: 'Approve and send' }))
  expect(await screen.findByText('Approved and sent')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open the notification' })).toHaveAttribute(
    'href',
    `/mass-notifications/history/${ID}`,
  )
  expect(screen.queryByRole('button', { name: 'Approve and send' })).toBeNull()
  expect(approved.bodies).toHaveLength(1)
})

test('shows what it would cost, who is asked next, and the language of its words', async () => {
  opened(
    anApproval({
      price: { currency: 'EUR', amount: 54 },
      language: 'fr-CA',
      escalation: { steps: [{ afterMinutes: 5, to: 'DEPUTY', by: 'SMS' }], rounds: 1, pauseMinutes: 15 },
    }),
  )
  expect(await screen.findByText('About €54.00')).toBeVisible()
  expect(screen.getByText('Canadian French')).toBeVisible()
  expect(screen.getByText(/^After 5 minutes .*deputy.* by SMS/)).toBeVisible()
})

test('is refused with a reason only', async () => {
  const user = opened(anApproval())
  const sent = hearing('post', `${PATH}/refuse`, () => anApproval({ state: 'REFUSED' }))
  await user.click(await screen.findByRole('button', { name: 'Refuse' }))
  const dialog = await screen.findByRole('dialog', { name: 'Refuse this notification?' })
  const submit = within(dialog).getByRole('button', { name: 'Refuse' })
  expect(submit).toBeDisabled()
  await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'It is building 3')
  await user.click(submit)
  await waitFor(() => expect(sent.bodies).toEqual([{ reason: 'It is building 3' }]))
})

test('a decision that came too late says who was first', async () => {
  const user = opened(anApproval())
  hearing('post', `${PATH}/approve`, () => refused(409, 'It was refused by grace@demo.example already.'))
  await user.click(await screen.findByRole('button', { name: 'Approve and send' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Approve and send' }))
  expect((await screen.findAllByText(/It was refused by grace@demo.example already/))[0]).toBeVisible()
})

test('the one who asked withdraws it, and decides nothing', async () => {
  opened(anApproval({ canDecide: false, canWithdraw: true }))
  expect(await screen.findByRole('button', { name: 'Withdraw' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Approve and send' })).toBeNull()
})

test('the overview names what waits, and nothing where nothing does', async () => {
  signedIn('ADMIN')
  answer('get', '/massNotification', {
    subscribed: true,
    remainingEvents: 9,
    organisation: 'Demo',
    types: [],
    answerLink: '',
  })
  answer('get', '/massNotification/history', [])
  answer('get', '/massNotification/approval', { data: [anApproval()], total: 6 })
  open('/mass-notifications')
  const card = await screen.findByRole('region', { name: '6 notifications wait for approval' })
  expect(within(card).getByRole('link', { name: 'Leave building 2' })).toHaveAttribute(
    'href',
    `/mass-notifications/approvals/${ID}`,
  )
  expect(within(card).getByText('5 older ones wait, too.')).toBeVisible()
})

test('a correction is sent with the words that were prepared', async () => {
  signedIn('ADMIN')
  const notification = aNotification({
    id: ID,
    correction: 'It is berth 3.',
    types: ['EMAIL'],
    notifiedCount: 2,
  })
  answer('get', `/massNotification/history/${ID}`, notification)
  const sent = hearing('post', `/massNotification/history/${ID}/correction`, () => aNotification(), 201)
  const user = open(`/mass-notifications/history/${ID}`)
  await user.click(await screen.findByRole('button', { name: 'Send correction' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send a correction to 2 people?' })
  expect(within(dialog).getByRole('textbox')).toHaveValue('It is berth 3.')
  await user.click(within(dialog).getByRole('button', { name: 'Send correction' }))
  await waitFor(() => expect(sent.bodies).toEqual([{ text: 'It is berth 3.' }]))
})
