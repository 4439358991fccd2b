import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import {
  type FollowUp,
  FOLLOW_UP_DUE_REQUIRED,
  FOLLOW_UP_OWNER_REQUIRED,
} from '#contract/follow-ups/schema.ts'
import { answer, aDashboard, open, signedIn } from '#tests/support/client.tsx'
import {
  aWhole,
  fill,
  GRACE,
  hearing,
  minutesAgo,
  page,
  preparePages,
  refused,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const aFollowUp = (n: number, changes: Partial<FollowUp> = {}): FollowUp => ({
  id: uuid(n),
  incidentId: uuid(1),
  incidentNumber: 'INC-2026-014',
  incidentTitle: 'Flood',
  isTabletop: false,
  title: 'Check the valves',
  details: null,
  owner: { email: GRACE.email, firstName: GRACE.firstName, lastName: GRACE.lastName },
  dueTimestamp: minutesAgo(-3_000),
  createdBy: GRACE.email,
  createTimestamp: minutesAgo(9),
  updateTimestamp: minutesAgo(9),
  doneBy: null,
  doneTimestamp: null,
  isMine: false,
  canEdit: true,
  canFinish: true,
  version: 1,
  ...changes,
})
const NONE = { MINE: 0, OPEN: 0, OVERDUE: 0, NOBODY: 0 }
const listing = (data: FollowUp[], counts: object = {}) =>
  hearing('get', '/followUps', () => ({ data, total: data.length, counts: { ...NONE, ...counts } }))
const ended = () => aWhole({ isActive: false, resolveTimestamp: minutesAgo(5) })

describe('the follow-ups of an incident', () => {
  test('are added below the analysis of a resolved one, with the sentences of the fields', async () => {
    const sent = hearing('post', `/incident/${uuid(1)}/followUp`, () => aFollowUp(7), 201)
    const { user } = page(ended())
    await user.click(await screen.findByRole('button', { name: 'Add follow-up' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a follow-up' }))
    await fill(user, dialog.getByRole('textbox', { name: 'What has to be done' }), 'Check the valves')
    await user.click(dialog.getByRole('button', { name: 'Add follow-up' }))
    expect(await dialog.findByText(FOLLOW_UP_DUE_REQUIRED)).toBeVisible()
    expect(sent.bodies).toEqual([])
    await fill(user, dialog.getByRole('textbox', { name: 'Due' }), '2031-05-02 14:00')
    hearing('post', `/incident/${uuid(1)}/followUp`, () =>
      refused(400, FOLLOW_UP_OWNER_REQUIRED, { fields: { owner: FOLLOW_UP_OWNER_REQUIRED } }),
    )
    await user.click(dialog.getByRole('button', { name: 'Add follow-up' }))
    expect(await dialog.findByText(FOLLOW_UP_OWNER_REQUIRED)).toBeVisible()
  })

  test('are a list with what is open and what is done', async () => {
    answer('get', '/incident/:id/followUps', {
      data: [
        aFollowUp(7),
        aFollowUp(8, {
          title: 'Buy pumps',
          doneBy: GRACE.email,
          doneTimestamp: minutesAgo(2),
          canEdit: false,
        }),
      ],
      total: 2,
    })
    const sent = hearing('put', `/followUp/${uuid(7)}/done`, () => aFollowUp(7, { version: 2 }))
    const { user } = page(ended())
    const list = within(await screen.findByRole('list', { name: 'Follow-ups' }))
    expect(list.getByRole('button', { name: 'Open again: Buy pumps' })).toBeVisible()
    expect(list.queryByRole('button', { name: 'Edit: Buy pumps' })).toBeNull()
    await user.click(list.getByRole('button', { name: 'Done: Check the valves' }))
    expect(await screen.findByText('“Check the valves” is done.')).toBeVisible()
    expect(sent.bodies).toEqual([{ isDone: true, version: 1 }])
  })

  test('are not offered to people who only read', async () => {
    const data = [aFollowUp(7, { canEdit: false, canFinish: false })]
    answer('get', '/incident/:id/followUps', { data, total: 1 })
    page(ended(), 'BUSINESS_USER')
    const list = within(await screen.findByRole('list', { name: 'Follow-ups' }))
    expect(list.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add follow-up' })).toBeNull()
  })
})

describe('the page of follow-ups', () => {
  test('has one’s own first, and shows another list by its number', async () => {
    signedIn()
    const asked = listing([aFollowUp(7, { isMine: true, dueTimestamp: minutesAgo(5) })], {
      MINE: 1,
      NOBODY: 2,
    })
    const user = open('/follow-ups')
    const list = within(await screen.findByRole('list', { name: 'Follow-ups' }))
    expect(list.getByText('Overdue')).toBeVisible()
    expect(list.getByRole('link', { name: /INC-2026-014/ })).toHaveAttribute('href', `/incidents/${uuid(1)}`)
    await user.click(screen.getByRole('button', { name: 'Nobody has it (2)' }))
    await waitFor(() => expect(location.search).toBe('?list=NOBODY'))
    expect(asked.urls.map(({ searchParams }) => searchParams.get('list'))).toEqual(
      expect.arrayContaining(['MINE', 'NOBODY']),
    )
  })

  test('says what to do where nothing is open, and where it could not be loaded', async () => {
    signedIn()
    answer('get', '/followUps', { code: 'failed', message: 'No.' }, 500)
    const user = open('/follow-ups')
    const retry = await screen.findByRole('button', { name: 'Try again' })
    listing([])
    await user.click(retry)
    expect(await screen.findByText(/^Nothing is open\. Follow-ups that you own/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Show all open ones' }))
    expect(await screen.findByText(/are added beside the analysis/)).toBeVisible()
  })
})

test('one’s own follow-ups stand on the dashboard on a calm day', async () => {
  signedIn('ADMIN')
  answer('get', '/dashboard', aDashboard())
  listing([aFollowUp(7, { isMine: true })], { MINE: 1, NOBODY: 1 })
  const user = open('/')
  const card = within(await screen.findByRole('region', { name: 'My follow-ups' }))
  expect(card.getByText('Check the valves')).toBeVisible()
  expect(card.getByRole('link', { name: '1 follow-up has nobody who does it' })).toHaveAttribute(
    'href',
    '/follow-ups?list=NOBODY',
  )
  await user.click(card.getByRole('link', { name: 'Go to all follow-ups' }))
  await waitFor(() => expect(location.pathname).toBe('/follow-ups'))
})
