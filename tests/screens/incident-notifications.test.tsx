import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'

import type { HelpCall } from '#contract/incidents/schema.ts'
import type { IncidentNotification } from '#contract/mass-notifications/schema.ts'
import { answer } from '#tests/support/client.tsx'
import {
  aWhole,
  GRACE,
  hearing,
  page,
  person,
  preparePages,
  resolved,
  shown,
  teamOf,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const AT = '2026-01-05T10:00:00.000Z'
const aboutIt = (changes: Partial<IncidentNotification> = {}): IncidentNotification => ({
  id: uuid(70),
  title: 'Are you safe?',
  message: 'Fire at gate 2.',
  level: 'CRITICAL',
  notifiedCount: 1_000,
  createTimestamp: AT,
  createdBy: 'ada@demo.example',
  question: {
    isOpen: true,
    askedCount: 1_000,
    answers: [
      { label: 'Safe', tone: 'GOOD', count: 700 },
      { label: 'Need help', tone: 'ATTENTION', count: 2 },
    ],
  },
  ...changes,
})
const aCall = (name: string, changes: Partial<HelpCall> = {}): HelpCall => ({
  notificationId: uuid(70),
  person: 0,
  userId: null,
  name,
  label: 'Need help',
  note: '',
  timestamp: AT,
  ...changes,
})

test('a question is one row with its counts, and those who call for help lead the story on a phone', async () => {
  answer('get', '/incident/:id/massNotification', { data: [aboutIt()], total: 1 })
  answer('get', '/incident/:id/help', {
    data: [aCall('Cy Out', { note: 'Stairs B' }), aCall('Di Out', { person: 1 })],
    total: 2,
  })
  page(aWhole())
  await shown()
  const panel = await screen.findByRole('region', { name: 'Notifications' })
  const counts = within(panel).getByRole('list', { name: 'Answers' })
  expect(
    within(counts)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Need help2', 'Safe700', 'No answer yet 298'])
  const help = await within(panel).findByRole('list', { name: '2 people need help' })
  expect(
    within(help)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringMatching(/^Cy OutNeed help.*Stairs B$/), expect.stringMatching(/^Di OutNeed help/)])
  expect(within(panel).getByRole('link', { name: 'Are you safe?' })).toHaveAttribute(
    'href',
    `/mass-notifications/history/${uuid(70)}`,
  )
  // Before the feed.
  const feed = screen.getByRole('region', { name: 'Activity' })
  expect(panel.compareDocumentPosition(feed)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('people who may not notify see the answers without links', async () => {
  answer('get', '/incident/:id/massNotification', { data: [aboutIt()], total: 1 })
  answer('get', '/incident/:id/help', { data: [aCall('Cy Out')], total: 1 })
  page(aWhole(), 'USER')
  const panel = await screen.findByRole('region', { name: 'Notifications' })
  await within(panel).findByText('Cy Out')
  expect(within(panel).queryByRole('link')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Notify' })).toBeNull()
})

test('the team status says who needs help, also of somebody who has checked in', async () => {
  const incident = aWhole({ checkIns: [{ userId: GRACE.uuid, timestamp: AT }] })
  const answered = { label: 'Need help', note: '', needsHelp: true, timestamp: AT }
  const { user } = page(incident)
  hearing('get', `/incident/${uuid(1)}/teamStatus`, ({ url }) => {
    const team = teamOf(incident, [person(), GRACE], url)
    const data = team.data.map((row) => (row.id === GRACE.uuid ? { ...row, answer: answered } : row))
    return { ...team, data, helpCount: 7 }
  })
  hearing('get', `/incident/${uuid(1)}/help`, ({ url }) => {
    const [offset, size] = ['offset', 'size'].map((name) => Number(url.searchParams.get(name)))
    const all = Array.from({ length: 7 }, (_, n) => aCall(`Person ${n}`, { person: n }))
    return { data: all.slice(offset, offset! + size!), total: 7 }
  })
  await shown()
  await user.click(screen.getByRole('tab', { name: 'People' }))
  const team = await screen.findByRole('region', { name: 'Team status' })
  const help = await within(team).findByRole('list', { name: '7 people need help' })
  expect(within(help).getAllByRole('listitem')).toHaveLength(5)
  await user.click(within(team).getByRole('button', { name: 'Show 2 more' }))
  await waitFor(() => expect(within(help).getAllByRole('listitem')).toHaveLength(7))
  const row = within(team).getByRole('row', { name: /Grace/ })
  expect(row).toHaveTextContent('Need help')
})

test('a running incident offers to notify, a resolved one does not', async () => {
  page(aWhole())
  await shown()
  expect(screen.getByRole('link', { name: 'Notify' })).toHaveAttribute(
    'href',
    `/mass-notifications/send?about=${uuid(1)}`,
  )
})

test('a resolved incident offers no notification', async () => {
  page(aWhole(resolved))
  await shown()
  expect(screen.queryByRole('link', { name: 'Notify' })).toBeNull()
})
