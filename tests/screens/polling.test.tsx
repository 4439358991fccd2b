import { act, screen } from '@testing-library/react'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { expect, test, vi } from 'vitest'

import { aDashboard, answer, API, aProblem, open, server, signedIn } from '#tests/support/client.tsx'

/** Counts how often something is asked for. */
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
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))

test.each([
  ['the signed-in person', '/me', 301],
  ['their notifications', '/notifications', 61],
  ['the people of the organisation', '/authentication/users', 601],
])('%s: %s is asked for every %i seconds while the socket is down', async (_, path, seconds) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  answer('post', '/live/ticket', aProblem('Not now.'), 503)
  const { user, permissions } = signedIn()
  const bodies: Record<string, JsonBodyType> = {
    '/me': { user, userPermissions: permissions },
    '/notifications': { data: [], unreadCount: 0 },
    '/authentication/users': { users: [] },
  }
  answer('get', '/dashboard', aDashboard())
  const asked = counting(path, bodies[path])
  open('/')
  await screen.findByText('Safe')
  // Until everything that a session begins with was asked for.
  await pass(5)
  await vi.waitFor(() => expect(asked.times).toBeGreaterThan(0))
  const first = asked.times
  // The clock goes on by itself as well, a little: what is sure is that most of an interval asks nothing.
  await pass(seconds - 30)
  expect(asked.times).toBe(first)
  await pass(30)
  await vi.waitFor(() => expect(asked.times).toBe(first + 1))
})
