import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'

import type { Dashboard } from '#contract/dashboard/schema.ts'

import {
  aDashboard,
  anIncident,
  answer,
  API,
  aProblem,
  asked,
  change,
  config,
  FakeSocket,
  open,
  server,
  signedIn,
} from '#tests/support/client.tsx'

const another = (title: string, isTabletop = false, id = crypto.randomUUID()) =>
  anIncident({ id, title, isTabletop })
const exercise = another('Evacuation drill', true)
const state = () => screen.findByRole('region', { name: 'Current State' })
const tile = (name: string) =>
  screen.getByRole('link', { name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}`) })

function showing(dashboard: Dashboard) {
  signedIn()
  answer('get', '/dashboard', dashboard)
  return open('/')
}
/** Counts the requests for the dashboard, and replies with `dashboard()`. */
function counting(dashboard: () => Dashboard) {
  const asked = { times: 0 }
  server.use(
    http.get(`${API}/dashboard`, () => {
      asked.times++
      return HttpResponse.json(dashboard())
    }),
  )
  return asked
}

describe('the state', () => {
  test.each([
    ['safe', aDashboard(), 'Safe', 'View Incidents', '/incidents', 'success'],
    [
      'one incident',
      aDashboard([anIncident()]),
      'Incident In Progress',
      'View Incident',
      `/incidents/${anIncident().id}`,
      'error',
    ],
    [
      'two incidents',
      aDashboard([anIncident(), another('Flood')]),
      '2 Incidents In Progress',
      'View Incidents',
      '/incidents',
      'error',
    ],
    [
      'one exercise',
      aDashboard([exercise]),
      'Exercise In Progress',
      'View Exercise',
      `/incidents/${exercise.id}`,
      'warning',
    ],
    [
      'two exercises',
      aDashboard([exercise, another('B', true)]),
      '2 Exercises In Progress',
      'View Tabletop Exercises',
      '/incidents',
      'warning',
    ],
    [
      'both',
      aDashboard([anIncident(), exercise]),
      'Incident In Progress',
      'View Incident',
      `/incidents/${anIncident().id}`,
      'error',
    ],
  ])('says %s, and its button leads there', async (_, dashboard, words, button, target, tone) => {
    showing(dashboard)
    const banner = await state()
    expect(within(banner).getByRole('heading', { name: words })).toBeVisible()
    expect(within(banner).getByRole('link', { name: button })).toHaveAttribute('href', target)
    expect(banner).toHaveAttribute('data-tone', tone)
  })

  test('has a heading, tiles for time and people, and the title of the page', async () => {
    showing(aDashboard())
    expect(await screen.findByText('Time Incident-Free')).toBeVisible()
    expect(screen.getByRole('timer')).toHaveTextContent(/^1 day01 hours01 min0[1-3] sec$/)
    expect(screen.getByText('Number of Users')).toBeVisible()
    expect(screen.getByText('12 of 1,500')).toBeVisible()
    expect(screen.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument()
    expect(document.title).toBe('Dashboard · Muster')
  })

  test('counts on, second by second, by the clock of the server', async () => {
    // This computer's clock is a day behind.
    showing(aDashboard([anIncident()], { timestamp: new Date(Date.now() + 86_400_000).toISOString() }))
    expect(await screen.findByText('Time In Incident')).toBeVisible()
    const seconds = () => screen.getByRole('timer').textContent
    expect(seconds()).toMatch(/^00 hours05 min0[0-2] sec$/)
    const before = seconds()
    await waitFor(() => expect(seconds()).not.toBe(before))
  })
})

describe('actions', () => {
  test('Create Incident opens the form while a kind is left to create', async () => {
    showing(aDashboard([anIncident()]))
    await state()
    expect(tile('Create Incident')).toHaveAttribute('href', '/incidents/create')
    expect(tile('Update Incident(s)')).toHaveAttribute('href', `/incidents/${anIncident().id}`)
  })

  test.each([
    [['sfs'] as const, true],
    [['sfs-2fa'] as const, true],
    [['chats'] as const, false],
  ])('Secure File Storage is offered to who has %j: %s', async (permissions, isOffered) => {
    signedIn('USER', ['dashboard', ...permissions])
    answer('get', '/dashboard', aDashboard())
    open('/')
    await state()
    const found = screen.queryByRole('link', { name: /^Secure File Storage/ })
    if (isOffered) expect(found).toHaveAttribute('href', '/secure-file-storage')
    else expect(found).toBeNull()
  })

  test('Create Incident rests while an incident and an exercise are in progress', async () => {
    showing(aDashboard([anIncident(), exercise]))
    await state()
    expect(tile('Create Incident')).toHaveAttribute('aria-disabled', 'true')
    expect(tile('Create Incident')).not.toHaveAttribute('href')
  })

  test('Create Incident never rests where several may run', async () => {
    answer('get', '/config', { ...config, multiIncident: true })
    showing(aDashboard([anIncident(), exercise]))
    await state()
    await waitFor(() => expect(tile('Create Incident')).toHaveAttribute('href', '/incidents/create'))
  })

  test('Update Incident(s) rests while nothing is in progress', async () => {
    showing(aDashboard())
    await state()
    expect(tile('Update Incident(s)')).toHaveAttribute('aria-disabled', 'true')
    expect(tile('Create Incident')).toHaveAttribute('href', '/incidents/create')
  })

  test.each([
    ['ADMIN', 0],
    ['USER', 1],
  ] as const)(
    'lead a %s to the war rooms, and to messaging who administers no users',
    async (role, count) => {
      signedIn(role)
      open('/')
      await state()
      expect(tile('War Rooms')).toHaveAttribute('href', '/chat')
      const main = within(screen.getByRole('main'))
      expect(main.queryAllByRole('link', { name: /^Messaging/ })).toHaveLength(count)
    },
  )

  test('are not offered to somebody who may only read', async () => {
    signedIn('USER', ['dashboard', 'incidents-read-only'])
    open('/')
    await state()
    expect(screen.queryByText('Create Incident')).toBeNull()
    expect(screen.queryByText('Actions')).toBeNull()
  })
})

describe('news', () => {
  test('shows what the live socket tells of', async () => {
    let dashboard = aDashboard()
    counting(() => dashboard)
    signedIn()
    open('/')
    await screen.findByText('Safe')
    await waitFor(() =>
      expect(FakeSocket.last?.sent).toEqual([
        JSON.stringify({ ticket: 'ticket', after: null, chatAfter: null }),
      ]),
    )
    act(() => FakeSocket.last?.say({ type: 'ready', sequence: 7 }))
    dashboard = aDashboard([anIncident()])
    act(() =>
      FakeSocket.last?.say({
        type: 'event',
        sequence: 8,
        noun: 'incidents',
        record: anIncident().id,
        verb: 'created',
        parent: null,
      }),
    )
    expect(await screen.findByText('Incident In Progress')).toBeVisible()
    expect(localStorage.getItem('muster.live')).toBe('demo 8')
  })

  test('asks every 61 seconds while the socket is down', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const asked = counting(() => aDashboard())
    answer('post', '/live/ticket', aProblem('Not now.'), 503)
    signedIn()
    open('/')
    await screen.findByText('Safe')
    const before = asked.times
    await act(() => vi.advanceTimersByTimeAsync(58_000))
    expect(asked.times).toBe(before)
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    await waitFor(() => expect(asked.times).toBe(before + 1))
  })

  test('signs out when the server ends the session', async () => {
    signedIn()
    open('/')
    await screen.findByText('Safe')
    await waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
    act(() => FakeSocket.last?.say({ type: 'ended' }))
    expect(await screen.findByLabelText('Email')).toBeVisible()
    change({ ending: null })
  })
})

test('shows its outlines while it loads', async () => {
  signedIn()
  server.use(http.get(`${API}/dashboard`, () => new Promise<never>(() => undefined)))
  open('/')
  // The placeholder of any page comes first, then that of this page.
  await waitFor(() => expect(screen.getByRole('status', { name: 'Loading…' })).toBeVisible())
})

test('offers to try again when it could not be loaded', async () => {
  signedIn()
  answer('get', '/dashboard', aProblem('An unexpected error occurred.'), 500)
  const user = open('/')
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('This could not be loaded.')
  answer('get', '/dashboard', aDashboard())
  await user.click(within(alert).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Safe')).toBeVisible()
})

describe('where everybody who may has an account', () => {
  const full = { ...aDashboard(), currentUsers: 50, maxUsers: 50 }
  test.each([
    [
      'is thanked for',
      200,
      { name: 'MORE_USERS', requestTimestamp: new Date().toISOString() },
      'Thank you for your request, we will be in touch with your organization’s administrator.',
    ],
    [
      'was made lately',
      429,
      aProblem('This feature was already requested recently.'),
      'This feature was already requested recently.',
    ],
    ['fails', 500, aProblem('The staff is asleep.'), 'The staff is asleep.'],
  ])('a request for more that %s says so, and signs nobody out', async (_, status, body, said) => {
    const asked: string[] = []
    server.use(
      http.post(`${API}/feature/upgrade`, ({ request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json(body, { status })
      }),
    )
    const user = showing(full)
    await user.click(await screen.findByRole('button', { name: 'Request more users' }))
    expect(await screen.findByText(said)).toBeVisible()
    expect(asked).toEqual(['?name=MORE_USERS'])
    expect(screen.getByText('50 of 50')).toBeVisible()
  })

  test('is nothing to who administers no users', async () => {
    signedIn('USER')
    answer('get', '/dashboard', full)
    open('/')
    await screen.findByText('50 of 50')
    expect(screen.queryByText(/Everybody that your organization/)).toBeNull()
  })
})

describe('what is asked of me', () => {
  const incident = {
    incidentId: anIncident().id,
    incidentTitle: anIncident().title,
    isTabletop: false,
  }
  const aTask = (title: string) => ({
    ...incident,
    id: crypto.randomUUID(),
    title,
    priority: 'HIGH' as const,
  })

  test('is a check-in, which is made here', async () => {
    let isIn = false
    server.use(
      http.get(`${API}/dashboard/asked`, () =>
        HttpResponse.json(asked(isIn ? {} : { checkIns: [incident], checkInsCount: 1 })),
      ),
      http.post(`${API}/incident/${incident.incidentId}/checkIn`, () => {
        isIn = true
        return HttpResponse.json({ userId: crypto.randomUUID(), timestamp: new Date().toISOString() })
      }),
    )
    const user = showing(aDashboard([anIncident()]))
    const part = await screen.findByRole('region', { name: 'Asked of you' })
    await user.click(within(part).getByRole('button', { name: `Check in to “${incident.incidentTitle}”` }))
    expect(await within(part).findByText('Nothing is asked of you right now.')).toBeVisible()
  })

  test('are my open tasks, and the latest update of what goes on', async () => {
    answer(
      'get',
      '/dashboard/asked',
      asked({
        tasks: [aTask('Call the bank'), aTask('Stop the payments')],
        tasksCount: 7,
        latestUpdate: {
          ...incident,
          text: 'The backups are clean.',
          author: 'Grace Hopper',
          createTimestamp: new Date().toISOString(),
        },
      }),
    )
    showing(aDashboard([anIncident()]))
    const part = await screen.findByRole('region', { name: 'Asked of you' })
    expect(within(part).getByText('Your 7 open tasks')).toBeVisible()
    expect(within(part).getByRole('link', { name: 'Call the bank' })).toHaveAttribute(
      'href',
      `/incidents/${incident.incidentId}`,
    )
    expect(within(part).getByText('and 5 more tasks')).toBeVisible()
    const latest = screen.getByRole('region', { name: 'Latest update' })
    expect(within(latest).getByText('The backups are clean.')).toBeVisible()
    expect(latest).toHaveTextContent('Grace Hopper')
  })

  test('are decisions that wait for me, each with the way to it', async () => {
    const decision = { ...incident, id: crypto.randomUUID(), number: 2, title: 'Close the site' }
    answer('get', '/dashboard/asked', asked({ decisions: [decision], decisionsCount: 3 }))
    showing(aDashboard([anIncident()]))
    const part = await screen.findByRole('region', { name: 'Asked of you' })
    expect(within(part).getByText('3 decisions wait for you')).toBeVisible()
    expect(within(part).getByText('and 2 more decisions')).toBeVisible()
    expect(within(part).getByRole('link', { name: 'D2 Close the site' })).toHaveAttribute(
      'href',
      `/incidents/${incident.incidentId}?view=decisions`,
    )
  })

  test('is the next exercise on a calm day', async () => {
    answer('get', '/dashboard/asked', asked({ lastExerciseTimestamp: '2026-03-01T09:00:00.000Z' }))
    showing(aDashboard())
    expect(await screen.findByText('The last exercise began on March 1, 2026.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Start an exercise' })).toHaveAttribute(
      'href',
      '/incidents/create?kind=exercise',
    )
  })

  test('is not asked where it could not be loaded', async () => {
    answer('get', '/dashboard/asked', aProblem('Not now.'), 400)
    showing(aDashboard([anIncident()]))
    await state()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Asked of you' })).toBeNull())
    expect(screen.getByText('Time In Incident')).toBeVisible()
  })
})

test('a demonstration begins an exercise with colleagues, and ends it', async () => {
  signedIn()
  let exerciseId: string | null = null
  const calm = aDashboard([])
  answer('get', '/dashboard', calm)
  server.use(
    http.get(`${API}/dashboard/asked`, () => HttpResponse.json(asked({ demonstration: { exerciseId } }))),
    http.post(`${API}/demonstration/exercise`, () => {
      exerciseId = anIncident().id
      return HttpResponse.json({ id: exerciseId }, { status: 201 })
    }),
    http.delete(`${API}/demonstration/exercise`, () => {
      exerciseId = null
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const user = open('/')
  await user.click(await screen.findByRole('button', { name: 'Start with colleagues' }))
  await waitFor(() => expect(location.pathname).toBe(`/incidents/${anIncident().id}`))
  await waitFor(() => expect(screen.queryByText('This is a demonstration')).toBeNull())
  act(() => history.back())
  expect(await screen.findByRole('link', { name: 'Open it' })).toHaveAttribute(
    'href',
    `/incidents/${anIncident().id}`,
  )
  await user.click(screen.getByRole('button', { name: 'End it' }))
  expect(await screen.findByText('The exercise has ended.')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Start with colleagues' })).toBeVisible()
})
