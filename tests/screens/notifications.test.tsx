import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'

import type { Notification } from '#contract/notifications/schema.ts'

import { answer, API, aProblem, FakeSocket, open, server, signedIn } from '#tests/support/client.tsx'

const INCIDENT = '0b6f6a53-5a3e-4c2b-9a55-6d1f6f1f0001'
const one = (details: string, hasBeenRead = false): Notification => ({
  id: crypto.randomUUID(),
  title: 'A task was assigned to you',
  details,
  createTimestamp: new Date().toISOString(),
  incidentId: INCIDENT,
  activityId: null,
  roomId: null,
  messageId: null,
  playbookId: null,
  approvalId: null,
  hasBeenRead,
})

/** A server that keeps one person's notifications. */
function keeping(...data: Notification[]) {
  const kept = { data, read: [] as string[] }
  const mark = (id: string | null) => {
    kept.read.push(id ?? 'all')
    kept.data = kept.data.map((each) =>
      id === null || each.id === id ? { ...each, hasBeenRead: true } : each,
    )
    return new HttpResponse(null, { status: 204 })
  }
  server.use(
    http.get(`${API}/notifications`, () =>
      HttpResponse.json({
        data: kept.data,
        unreadCount: kept.data.filter(({ hasBeenRead }) => !hasBeenRead).length,
      }),
    ),
    http.post(`${API}/notifications/read/:id`, ({ params }) => mark(String(params['id']))),
    http.post(`${API}/notifications/read`, () => mark(null)),
  )
  return kept
}
/** The icon is inlined by the bundler; a test has its path. */
const WITH_DOT = /^data:image\/svg|icon-dot\.svg/
const tabIcon = () => document.querySelector('link[rel=icon]')?.getAttribute('href')
const withIcon = () => {
  document.head.querySelector('link[rel=icon]')?.remove()
  document.head.insertAdjacentHTML('beforeend', '<link rel="icon" href="/icon.svg">')
}

describe('notifications', () => {
  test('are counted, listed, and read by following them', async () => {
    withIcon()
    const kept = keeping(one('Close the valve'), one('Call the port'), one('Old news', true))
    signedIn()
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
    expect(tabIcon()).toMatch(WITH_DOT)
    const panel = await screen.findByRole('dialog', { name: 'Notifications' })
    const rows = within(panel).getAllByRole('link')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Close the valve'),
      expect.stringContaining('Call the port'),
      expect.stringContaining('Old news'),
    ])
    await user.click(rows[0]!)
    expect(location.pathname).toBe(`/incidents/${INCIDENT}`)
    await waitFor(() => expect(kept.read).toEqual([kept.data[0]!.id]))
    await screen.findByRole('button', { name: 'Notifications, 1 unread' })
    expect(tabIcon()).toMatch(WITH_DOT)
  })

  test('of mentions lead to the message', async () => {
    const [roomId, messageId] = [crypto.randomUUID(), crypto.randomUUID()]
    keeping({ ...one('Headquarters'), incidentId: null, roomId, messageId })
    signedIn()
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
    const panel = await screen.findByRole('dialog', { name: 'Notifications' })
    const link = within(panel).getByRole('link', { name: /Headquarters/ })
    expect(link).toHaveAttribute('href', `/chat/${roomId}?message=${messageId}`)
  })

  test('of a review lead to the playbook', async () => {
    const playbookId = crypto.randomUUID()
    keeping({ ...one('Flood'), incidentId: null, playbookId })
    signedIn()
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
    const panel = await screen.findByRole('dialog', { name: 'Notifications' })
    expect(within(panel).getByRole('link', { name: /Flood/ })).toHaveAttribute(
      'href',
      `/playbooks/${playbookId}`,
    )
  })

  test('are marked as read all at once, and the tab loses its dot', async () => {
    withIcon()
    const kept = keeping(one('Close the valve'), one('Call the port'))
    signedIn()
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }))
    await waitFor(() => expect(kept.read).toEqual(['all']))
    await waitFor(() => expect(tabIcon()).toBe('/icon.svg'))
    expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
  })

  test('of mentions arrive with the message', async () => {
    const kept = keeping()
    const { uuid } = signedIn()
    open('/')
    await screen.findByRole('button', { name: 'Notifications' })
    await waitFor(() => expect(FakeSocket.last).toBeDefined())
    act(() => FakeSocket.last!.say({ type: 'ready', sequence: 7 }))
    kept.data = [one('Headquarters')]
    const message = { mentioned_users: [uuid] }
    act(() => FakeSocket.last!.say({ type: 'chat', kind: 'message', sequence: 1, message } as never))
    await screen.findByRole('button', { name: 'Notifications, 1 unread' })
  })

  test('arrive with the live socket', async () => {
    const kept = keeping()
    signedIn()
    open('/')
    await screen.findByRole('button', { name: 'Notifications' })
    await waitFor(() => expect(FakeSocket.last).toBeDefined())
    kept.data = [one('Close the valve')]
    act(() => {
      FakeSocket.last!.say({ type: 'ready', sequence: 7 })
      FakeSocket.last!.say({
        type: 'event',
        sequence: 8,
        noun: 'notifications',
        record: INCIDENT,
        verb: 'created',
        parent: null,
      })
    })
    await screen.findByRole('button', { name: 'Notifications, 1 unread' })
  })

  test('say when they could not be fetched', async () => {
    signedIn()
    server.use(http.get(`${API}/notifications`, () => HttpResponse.json(aProblem('Broken'), { status: 500 })))
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Notifications' }))
    expect(await screen.findByText('Something went wrong fetching notifications.')).toBeVisible()
    expect(screen.getByText(/The service has a problem/)).toBeVisible()
    expect(screen.queryByText(/Check the connection/)).toBeNull()
    keeping()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(/show up here/)).toBeVisible()
  })

  test('say when one could not be marked', async () => {
    keeping(one('Close the valve'))
    server.use(
      http.post(`${API}/notifications/read`, () => HttpResponse.json(aProblem('Broken'), { status: 500 })),
    )
    signedIn()
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }))
    expect(await screen.findByText('Something went wrong reading notification')).toBeVisible()
    await screen.findByRole('button', { name: 'Notifications, 1 unread', hidden: true })
  })
})

test.each([
  ['a day ahead', 86_400_000, true],
  ['a day ago', -86_400_000, false],
])('a badge that expires %s', async (_, ms, shown) => {
  answer('get', '/version/badges', [
    { path: '/incidents', label: 'New', expiryTimestamp: new Date(Date.now() + ms).toISOString() },
  ])
  signedIn()
  open('/')
  const menu = await screen.findByRole('navigation', { name: 'Main menu' })
  if (shown) await within(menu).findByText('New')
  else {
    await screen.findByRole('region', { name: 'Current State' })
    expect(within(menu).queryByText('New')).toBeNull()
  }
})
