import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'

import type { ConfirmationRequest } from '#contract/confirmations/schema.ts'
import { answer } from '#tests/support/client.tsx'
import {
  anUpdate,
  aWhole,
  hearing,
  page,
  preparePages,
  refused,
  resolved,
  shown,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const AT = '2026-01-05T10:00:00.000Z'
const UPDATE = anUpdate(5)
const INCIDENT = aWhole({ activities: [UPDATE] })
const aRequest = (changes: Partial<ConfirmationRequest> = {}): ConfirmationRequest => ({
  id: uuid(80),
  messageId: null,
  activityId: UPDATE.id,
  createdById: uuid(3),
  createTimestamp: AT,
  askedCount: 3,
  confirmedCount: 1,
  isAsked: true,
  confirmTimestamp: null,
  canRemind: true,
  ...changes,
})
const bar = () => screen.findByRole('group', { name: 'Confirmation' })

test('an update is confirmed in one press, and says so', async () => {
  answer('get', '/confirmation', [aRequest()])
  hearing('post', `/confirmation/${uuid(80)}/confirm`, () =>
    aRequest({ confirmedCount: 2, confirmTimestamp: AT }),
  )
  const { user } = page(INCIDENT, 'BUSINESS_USER')
  const group = await bar()
  await user.click(within(group).getByRole('button', { name: 'I have read this' }))
  expect(await within(group).findByText('You confirmed')).toBeVisible()
  expect(within(group).getByRole('button', { name: '2 of 3 confirmed' })).toBeVisible()
  expect(within(group).queryByRole('button', { name: 'I have read this' })).toBeNull()
})

test('shows who has not confirmed and who has, and reminds the former', async () => {
  answer('get', '/confirmation', [aRequest({ isAsked: false })])
  hearing('get', `/confirmation/${uuid(80)}/people`, ({ url }) => {
    const confirmed = url.searchParams.get('confirmed') === 'true'
    const one = { uuid: uuid(1), firstName: 'Ana', lastName: 'Costa', confirmTimestamp: AT }
    const others = ['Bo', 'Cy'].map((firstName, n) => ({
      uuid: uuid(20 + n),
      firstName,
      lastName: 'Lee',
      confirmTimestamp: null,
    }))
    return { data: confirmed ? [one] : others, total: confirmed ? 1 : 2 }
  })
  hearing('post', `/confirmation/${uuid(80)}/remind`, () => ({ reminded: 2 }))
  const { user } = page(INCIDENT)
  await user.click(within(await bar()).getByRole('button', { name: '1 of 3 confirmed' }))
  const dialog = await screen.findByRole('dialog', { name: 'Confirmation' })
  expect(await within(dialog).findByText('Bo Lee')).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Remind 2 people' }))
  expect(await screen.findByText('2 people were reminded.')).toBeVisible()
  await user.click(within(dialog).getByRole('tab', { name: 'Confirmed (1)' }))
  expect(await within(dialog).findByText('Ana Costa')).toBeVisible()
  expect(within(dialog).queryByText('Bo Lee')).toBeNull()
})

test('a refusal is told, and the press stays', async () => {
  answer('get', '/confirmation', [aRequest()])
  hearing('post', `/confirmation/${uuid(80)}/confirm`, () =>
    refused(409, 'You are not asked to confirm this.'),
  )
  const { user } = page(INCIDENT)
  const group = await bar()
  await user.click(within(group).getByRole('button', { name: 'I have read this' }))
  expect(await screen.findByText('You are not asked to confirm this.')).toBeVisible()
  expect(within(group).getByRole('button', { name: 'I have read this' })).toBeEnabled()
})

test('is asked for from the menu of an update while the incident runs', async () => {
  const sent = hearing('post', '/confirmation', () => aRequest())
  const { user } = page(INCIDENT)
  await shown()
  await user.click(await screen.findByRole('button', { name: 'Actions for this update' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Ask for confirmation' }))
  expect(await screen.findByText('Everybody is asked to confirm.')).toBeVisible()
  expect(sent.bodies).toEqual([{ subject: 'UPDATE', id: UPDATE.id }])
})

test('is not asked for once the incident is resolved', async () => {
  const { user } = page(aWhole({ ...resolved, activities: [UPDATE] }))
  await shown()
  await user.click(await screen.findByRole('button', { name: 'Actions for this update' }))
  await screen.findByRole('menuitem', { name: /history/i })
  expect(screen.queryByRole('menuitem', { name: 'Ask for confirmation' })).toBeNull()
})
