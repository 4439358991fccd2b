import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import { aDashboard, answer, API, aProblem, laidOut, open, server, signedIn } from '#tests/support/client.tsx'
import { aPerson, aRoom } from '#tests/support/client-chat.ts'
import { anItem } from '#tests/support/client-files.ts'

const searched = new Map<string, string>()
const rooms = [aRoom(1, { name: 'Payments' }), aRoom(2, { name: 'Facilities' })]
rooms[1]!.membership.unread = 3
const listOf = (items: readonly object[]) =>
  HttpResponse.json(items, { headers: { 'Content-Range': `items 0-${items.length}/${items.length}` } })

beforeEach(() => {
  laidOut()
  searched.clear()
  answer('get', '/dashboard', aDashboard([]))
  server.use(
    http.get(`${API}/chat/rooms`, ({ request }) => {
      const { q = '', isUnread } = JSON.parse(new URL(request.url).searchParams.get('filter')!) as {
        q?: string
        isUnread?: boolean
      }
      searched.set('rooms', q)
      return listOf(
        rooms
          .filter(({ name }) => name!.toLowerCase().includes(q))
          .filter(({ membership }) => !isUnread || membership.unread > 0),
      )
    }),
    http.get(`${API}/authentication/users/search`, ({ request }) => {
      searched.set('people', new URL(request.url).searchParams.get('searchString')!)
      return HttpResponse.json({ users: [aPerson(1, { firstName: 'Pat' })], hasExternals: false })
    }),
    http.get(`${API}/incident`, ({ request }) => {
      searched.set('incidents', new URL(request.url).searchParams.get('searchWord')!)
      const data = [{ id: crypto.randomUUID(), title: 'Payment network down' }]
      return HttpResponse.json({ data, page: 0, size: 5, total: 1, people: [] })
    }),
    http.get(`${API}/playbook/templates`, () => listOf([{ id: crypto.randomUUID(), name: 'Pay ransom?' }])),
    http.get(`${API}/sfs/search`, () =>
      listOf([{ id: 7, name: 'payroll.pdf', isFolder: false, path: [{ id: 3, name: 'Finance' }] }]),
    ),
  )
})

async function opened() {
  const user = open('/')
  await screen.findByRole('main', { name: 'Dashboard' })
  await user.click(await screen.findByRole('button', { name: 'Find anything' }))
  return { user, box: await screen.findByRole('combobox', { name: 'Find anything' }) }
}
const groups = () =>
  screen
    .getAllByRole('group')
    .filter((group) => within(group).queryAllByRole('option').length > 0)
    .map((group) => group.firstElementChild!.textContent)

describe('the finder', () => {
  test('opens with Ctrl and K on any page, first the unread rooms, then acts and pages', async () => {
    signedIn()
    const user = open('/')
    await screen.findByRole('main', { name: 'Dashboard' })
    await user.keyboard('{Control>}k{/Control}')
    expect(await screen.findByRole('dialog', { name: 'Find anything' })).toBeVisible()
    const [first, second] = await screen.findAllByRole('option', { name: /Facilities|Payments/ })
    expect(first).toHaveTextContent('Facilitiesunread')
    expect(second).toHaveTextContent('Payments')
    expect(screen.getByRole('option', { name: 'Declare an incident' })).toBeVisible()
    expect(searched.has('incidents')).toBe(false)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('finds records of each kind by a part of their name', async () => {
    signedIn()
    const { user, box } = await opened()
    await user.type(box, 'pay')
    expect(await screen.findByRole('option', { name: /payroll\.pdf.*Finance/ })).toBeVisible()
    for (const name of ['Payments', /^Pat Hopper/, 'Payment network down', 'Pay ransom?'])
      expect(await screen.findByRole('option', { name })).toBeVisible()
    expect(groups()).toEqual(['Messaging', 'People', 'Incidents', 'Playbooks', 'Files'])
    expect(Object.fromEntries(searched)).toEqual({ rooms: 'pay', people: 'pay', incidents: 'pay' })
  })

  test('opens a file in its folder', async () => {
    signedIn()
    answer('get', '/sfs/folder/3', [])
    answer('get', '/sfs/item/7', { ...anItem(7, { name: 'payroll', extension: 'zip' }), path: [] })
    const { user, box } = await opened()
    await user.type(box, 'payroll')
    const file = await screen.findByRole('option', { name: /payroll\.pdf/ })
    await user.click(file)
    await waitFor(() =>
      expect(location.pathname + location.search).toBe('/secure-file-storage?folder=3&file=7'),
    )
    expect(await screen.findByRole('dialog', { name: 'payroll.zip' })).toBeVisible()
  })

  test('asks nothing that the person may not see', async () => {
    signedIn('USER', [])
    const { user, box } = await opened()
    await user.type(box, 'pa')
    expect(await screen.findByRole('option', { name: /^Pat Hopper/ })).toBeVisible()
    expect([...searched.keys()]).toEqual(['people'])
    expect(screen.queryByRole('option', { name: /Declare/ })).toBeNull()
  })

  test('names what could not be searched, and shows the rest', async () => {
    signedIn()
    answer('get', '/sfs/search', aProblem('No.'), 500)
    const { user, box } = await opened()
    await user.type(box, 'pay')
    expect(await screen.findByText('Could not be searched: Files.')).toBeVisible()
    expect(screen.getByRole('option', { name: 'Payments' })).toBeVisible()
  })
})

test('a question mark lists the shortcuts, but not while somebody types', async () => {
  signedIn()
  const { user, box } = await opened()
  await user.type(box, '?')
  expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('?')
  const list = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(within(list).getByText('Next unread chat').closest('div')).toHaveTextContent('AltShift↓')
  await user.click(within(list).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
