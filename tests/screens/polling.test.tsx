import { act, screen } from '@testing-library/react'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { afterEach, describe, expect, test, vi } from 'vitest'

import type { Permission } from '#contract/kit/access.ts'

import {
  aDashboard,
  answer,
  API,
  aProblem,
  configured,
  FakeSocket,
  open,
  server,
  setOnline,
  signedIn,
  laidOut,
} from '#tests/support/client.tsx'
import { serveList } from '#tests/support/client-lists.ts'
import { peopleAre } from '#tests/support/client-people.ts'
import { aListedUser } from '#tests/support/client-users.ts'

/** Counts the requests for a path. */
function counting(path: string, body: JsonBodyType) {
  const asked = { times: 0 }
  server.use(
    http.get(`${API}${path}`, () => {
      asked.times++
      return HttpResponse.json(body)
    }),
  )
  return asked
}
/** Records the paths of all requests from now on. */
function listening(): string[] {
  const heard: string[] = []
  server.events.on('request:start', ({ request }) => {
    heard.push(new URL(request.url).pathname.replace('/api', ''))
  })
  return heard
}
afterEach(() => server.events.removeAllListeners())
const NO_INCIDENTS = { data: [], page: 0, size: 20, total: 0, people: [] }
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))

test.each([
  ['the signed-in person', '/me', 301],
  ['their notifications', '/notifications', 61],
  ['the incidents, whichever page is shown', '/incident', 601],
])('%s: %s is asked for every %i seconds while the socket is down', async (_, path, seconds) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  answer('post', '/live/ticket', aProblem('Not now.'), 503)
  const { user, permissions } = signedIn()
  const bodies: Record<string, JsonBodyType> = {
    '/me': { user, userPermissions: permissions },
    '/notifications': { data: [], unreadCount: 0 },
    '/incident': NO_INCIDENTS,
  }
  answer('get', '/dashboard', aDashboard())
  answer('get', '/incident', NO_INCIDENTS)
  const asked = counting(path, bodies[path])
  open('/')
  await screen.findByText('Safe')
  // Waits for all requests at the start of a session.
  await pass(5)
  await vi.waitFor(() => expect(asked.times).toBeGreaterThan(0))
  const first = asked.times
  // The clock also advances by itself a little, so only most of an interval is sure to be without requests.
  await pass(seconds - 30)
  expect(asked.times).toBe(first)
  await pass(30)
  await vi.waitFor(() => expect(asked.times).toBe(first + 1))
})

test('the people whom a page shows are asked for again every 601 seconds while the socket is down', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  answer('post', '/live/ticket', aProblem('Not now.'), 503)
  signedIn()
  const ana = aListedUser({ firstName: 'Ana', lastName: 'Silva', email: 'ana@demo.example' })
  const group = {
    id: crypto.randomUUID(),
    name: 'Crew',
    description: null,
    userCount: 0,
    createdBy: ana.email,
    createTimestamp: '2026-01-01T00:00:00.000Z',
    updateTimestamp: '2026-01-01T00:00:00.000Z',
    version: 1,
  }
  serveList('/useradmin/groups', () => [group])
  answer('get', `/useradmin/group/${group.id}/summary`, group)
  serveList(`/useradmin/group/${group.id}/members`, () => [])
  const { named } = peopleAre([ana])
  open('/groups')
  expect(await screen.findByText('Ana Silva')).toBeVisible()
  await pass(571)
  expect(named).toEqual([[ana.email]])
  peopleAre([{ ...ana, lastName: 'Costa' }])
  await pass(30)
  expect(await screen.findByText('Ana Costa')).toBeVisible()
})

test.each<[string, readonly Permission[] | undefined]>([
  ['on their own page', undefined],
  ['for somebody without a dashboard', ['incidents-read-only']],
])('the incidents are asked for once in 601 seconds %s, too', async (_, permissions) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  answer('post', '/live/ticket', aProblem('Not now.'), 503)
  signedIn('USER', permissions)
  const asked = counting('/incident', NO_INCIDENTS)
  open('/incidents')
  await screen.findByRole('heading', { level: 1, name: 'Incidents' })
  await pass(5)
  await vi.waitFor(() => expect(asked.times).toBeGreaterThan(0))
  const first = asked.times
  await pass(601)
  await vi.waitFor(() => expect(asked.times).toBe(first + 1))
})

test('the incidents are not asked for while the socket is open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  signedIn('USER')
  const asked = counting('/incident', NO_INCIDENTS)
  open('/')
  await screen.findByText('Safe')
  await vi.waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
  act(() => FakeSocket.last!.say({ type: 'ready', sequence: 1 }))
  await pass(605)
  expect(asked.times).toBe(0)
})

test('the incidents are not asked for by whoever may not see them', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  answer('post', '/live/ticket', aProblem('Not now.'), 503)
  signedIn('USER', ['dashboard'])
  const asked = counting('/incident', NO_INCIDENTS)
  open('/')
  await screen.findByText('Safe')
  await pass(605)
  expect(asked.times).toBe(0)
})

describe('a session begins', () => {
  const EVERYBODY = ['/me', '/version/badges', '/config', '/notifications']
  const KINDS = [...EVERYBODY, '/dashboard', '/incident/userActivityTimestamps', '/authentication/users']
  test.each<[string, readonly Permission[] | undefined, readonly string[]]>([
    ['with all that there is for an administrator', undefined, [...EVERYBODY, '/dashboard']],
    ['without the dashboard for whoever has none', ['incidents-read-only'], EVERYBODY],
    ['without incidents for whoever has none', ['dashboard'], [...EVERYBODY, '/dashboard']],
  ])('%s', async (_, permissions, expected) => {
    answer('get', '/incident', NO_INCIDENTS)
    signedIn('ADMIN', permissions)
    const heard = listening()
    open('/')
    await vi.waitFor(() => expect(heard).toContain('/config'), { timeout: 60_000 })
    await vi.waitFor(() =>
      expect([...new Set(heard)].filter((path) => KINDS.includes(path)).toSorted()).toEqual(
        expected.toSorted(),
      ),
    )
  })
})

describe('nothing is asked for', () => {
  test('while the device is offline', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    answer('get', '/incident', NO_INCIDENTS)
    signedIn()
    open('/')
    await screen.findByText('Safe')
    await pass(5)
    act(() => setOnline(false))
    const heard = listening()
    await pass(700)
    expect(heard).toEqual([])
  })

  test('while nobody is signed in', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    configured()
    open('/login')
    await screen.findByLabelText('Email')
    const heard = listening()
    await pass(700)
    expect(heard).toEqual([])
  })

  test('of a dashboard that somebody has not', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    laidOut()
    answer('post', '/live/ticket', aProblem('Not now.'), 503)
    answer('get', '/incident', NO_INCIDENTS)
    signedIn('BUSINESS_USER')
    const heard = listening()
    open('/')
    await screen.findByRole('heading', { level: 1, name: 'Messaging' })
    await pass(5)
    await vi.waitFor(() => expect(heard).toContain('/live/ticket'))
    const first = heard.filter((path) => path === '/notifications').length
    await pass(62)
    await vi.waitFor(() => expect(heard.filter((path) => path === '/notifications')).toHaveLength(first + 1))
    expect(heard).not.toContain('/dashboard')
  })
})
