import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'

import { DATABASE_UNAVAILABLE } from '#contract/kit/outage.ts'
import type { Permission } from '#contract/kit/access.ts'
import { LANDINGS, SECTIONS } from '#src/app/sections.ts'

import {
  aDashboard,
  anIncident,
  answer,
  API,
  aProblem,
  change,
  config,
  FakeSocket,
  laidOut,
  open,
  server,
  signedIn,
} from '#tests/support/client.tsx'

const menu = () => screen.findByRole('navigation', { name: 'Main menu' })

describe('around every page', () => {
  test('stand header, menu and content, with a way past them', async () => {
    signedIn()
    const user = open('/')
    const banner = await screen.findByRole('banner')
    expect(within(banner).getByRole('link', { name: 'Muster, go to the dashboard' })).toHaveAttribute(
      'href',
      '/',
    )
    // Every page but this one shows its name in the banner.
    expect(within(banner).queryByRole('heading')).toBeNull()
    expect(screen.getByRole('main', { name: 'Dashboard' })).toBeVisible()
    expect(within(await menu()).getByRole('link', { name: 'Dashboard' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await user.tab()
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(screen.getByRole('main')).toHaveFocus()
  })

  test('the active incident leads to itself', async () => {
    signedIn()
    answer(
      'get',
      '/dashboard',
      aDashboard([anIncident(), anIncident({ id: crypto.randomUUID(), isTabletop: true })]),
    )
    open('/')
    const banner = await screen.findByRole('banner')
    const [link] = await within(banner).findAllByRole('link', { name: /^Active incident/ })
    expect(link).toHaveAttribute('href', `/incidents/${anIncident().id}`)
    expect(link).toHaveTextContent('Ransomware in the payment network')
    // Exercises are counted apart from incidents, and never in their colour.
    expect(within(banner).queryByRole('link', { name: /incidents$/ })).toBeNull()
    const exercise = within(banner).getByRole('link', { name: '1 exercise' })
    expect(exercise).toHaveAttribute('href', '/incidents?state=active')
    expect(getComputedStyle(exercise).backgroundColor).not.toBe(getComputedStyle(link!).backgroundColor)
  })

  test('several incidents are counted, and lead to all of them', async () => {
    signedIn()
    const more = [1, 2].map(() => anIncident({ id: crypto.randomUUID() }))
    answer('get', '/dashboard', aDashboard([anIncident(), ...more]))
    open('/')
    const banner = await screen.findByRole('banner')
    expect(await within(banner).findByRole('link', { name: '3 incidents' })).toHaveAttribute(
      'href',
      '/incidents?state=active',
    )
    expect(within(banner).queryByRole('link', { name: /exercise/ })).toBeNull()
  })

  test('it is said while live updates are interrupted, and only then', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    signedIn()
    open('/')
    const notice = () => screen.queryByText(/^Live updates are interrupted/)
    await waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
    act(() => FakeSocket.last!.say({ type: 'ready', sequence: 1 }))
    expect(notice()).toBeNull()
    answer('post', '/live/ticket', aProblem('Not now.'), 503)
    act(() => FakeSocket.last!.close())
    await act(() => vi.advanceTimersByTimeAsync(6_000))
    await waitFor(() => expect(notice()).toBeVisible())
    answer('post', '/live/ticket', { ticket: 't', expiresAt: new Date().toISOString() }, 201)
    const before = FakeSocket.last
    await act(() => vi.advanceTimersByTimeAsync(40_000))
    await waitFor(() => expect(FakeSocket.last).not.toBe(before))
    act(() => FakeSocket.last!.say({ type: 'ready', sequence: 2 }))
    await waitFor(() => expect(notice()).toBeNull())
  })

  test('it is said while the server cannot reach its database, and the page loads once it can', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    signedIn()
    answer('get', '/dashboard', aProblem('Please try again.', DATABASE_UNAVAILABLE), 503)
    open('/')
    const notice = () => screen.queryByText('The server is not available. Trying again…')
    await act(() => vi.advanceTimersByTimeAsync(3_000))
    await waitFor(() => expect(notice()).toBeVisible())
    answer('get', '/dashboard', aDashboard([anIncident()]))
    await act(() => vi.advanceTimersByTimeAsync(16_000))
    await waitFor(() => expect(notice()).toBeNull())
    expect((await screen.findAllByText('Ransomware in the payment network'))[0]).toBeVisible()
  })

  test("the organisation's name stands on every page", async () => {
    signedIn()
    open('/')
    const banner = await screen.findByRole('banner')
    expect(within(banner).getAllByText('Demonstration Company')[0]).toBeVisible()
  })

  test('an exercise says that it is one', async () => {
    signedIn()
    answer('get', '/dashboard', aDashboard([anIncident({ isTabletop: true })]))
    open('/')
    const [link] = await screen.findAllByRole('link', { name: /^EXERCISE/ })
    expect(link).toBeInTheDocument()
    expect(screen.queryByText('Active incident')).toBeNull()
  })

  test('another page begins at its start: title, focus, menu', async () => {
    signedIn()
    answer('get', '/incident', { data: [], page: 0, size: 20, total: 0, people: [] })
    const user = open('/')
    await user.click(within(await menu()).getByRole('link', { name: 'Incidents' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Incidents' })).toBeVisible()
    expect(screen.getByRole('main', { name: 'Incidents' })).toHaveFocus()
    expect(document.title).toBe('Incidents · Muster')
    expect(within(await menu()).getByRole('link', { name: 'Incidents' })).toHaveAttribute(
      'aria-current',
      'page',
    )
  })

  test('the menu lists what the person may see', async () => {
    signedIn('USER')
    open('/')
    const links = within(await menu()).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Dashboard',
      'Incidents',
      'My tasks',
      'Follow-ups',
      'Playbooks',
      'Messaging',
      'Files',
    ])
  })

  test('the menu of external people lacks what the server keeps from them', async () => {
    const { user: known, permissions } = signedIn('USER', ['chats', 'incidents-read-only'])
    const user = { ...known, type: 'EXTERNAL' as const }
    change({ user })
    answer('get', '/me', { user, userPermissions: permissions })
    open('/incidents')
    const links = within(await menu()).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual(['Incidents', 'My tasks', 'Messaging'])
  })

  test('an error that nothing else caught shows a way out', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    signedIn()
    answer('get', '/dashboard', {
      ...aDashboard([anIncident()]),
      activeIncident: { ...anIncident(), title: {} },
    })
    open('/')
    expect(await screen.findByRole('heading', { name: 'Oops!' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'click to reload the page.' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sign back in.' })).toHaveAttribute('href', '/login')
  })

  test('the menu can be made narrow, and stays so', async () => {
    signedIn()
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Collapse menu' }))
    expect(within(await menu()).getByRole('link', { name: 'Dashboard' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Expand menu' })).toBeVisible()
    change({ tokens: null })
    await screen.findByLabelText('Email')
    act(() => void signedIn())
    expect(await screen.findByRole('button', { name: 'Expand menu' })).toBeVisible()
  })
})

describe('the account menu', () => {
  test('says who is signed in and signs them out, here and on the server', async () => {
    signedIn()
    let asked = 0
    server.use(
      http.post(`${API}/authentication/logout`, () => {
        asked++
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lovelace' }))
    const items = await screen.findByRole('menu')
    expect(within(items).getByText('Ada Lovelace')).toBeVisible()
    expect(within(items).getByText('Admin')).toBeVisible()
    await user.click(within(items).getByRole('menuitem', { name: 'Sign Out' }))
    expect(await screen.findByLabelText('Email')).toBeVisible()
    expect(location.pathname).toBe('/login')
    expect(screen.queryByText('Your session has ended. Please sign in again.')).toBeNull()
    await waitFor(() => expect(asked).toBe(1))
    expect(localStorage.getItem('muster.session')).not.toContain('token-')
    // Messages between tabs are gone with the session; only the browser's own entries stay.
    const lasting = /^(appId|muster\.(session|email|scheme|live)|menu.*)$|^RaStore/
    expect(Object.keys(localStorage).filter((key) => !lasting.test(key))).toEqual([])
  })

  test('chooses the colour scheme', async () => {
    signedIn()
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lovelace' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }))
    expect(screen.getByRole('menuitemradio', { name: 'Dark' })).toHaveAttribute('aria-checked', 'true')
    expect(document.documentElement).toHaveAttribute('data-scheme', 'dark')
    expect(localStorage.getItem('muster.scheme')).toBe('dark')
    await user.click(screen.getByRole('menuitemradio', { name: 'System' }))
  })
})

describe('the guard', () => {
  test('sends unknown addresses home', async () => {
    signedIn()
    open('/nowhere/at/all')
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(location.pathname).toBe('/')
  })

  test('sends whoever may not see the dashboard to the first page that is theirs', async () => {
    laidOut()
    signedIn('BUSINESS_USER')
    open('/')
    expect(await screen.findByRole('heading', { level: 1, name: 'Messaging' })).toBeVisible()
    expect(location.pathname).toBe('/chat')
  })

  test('sends away from a page that is not theirs', async () => {
    signedIn('USER')
    open('/user-admin')
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(location.pathname).toBe('/')
  })

  test('says so when no page is allowed, and goes round in no circle', async () => {
    signedIn('USER', [])
    open('/')
    expect(await screen.findByText(/Your account has no access to any page/)).toBeVisible()
    expect(document.title).toBe('No access · Muster')
    expect(within(await menu()).queryAllByRole('link')).toEqual([])
  })

  test('waits for the permissions, also where some are known from before', async () => {
    signedIn()
    let tell: () => void = () => undefined
    const held = new Promise<void>((resolve) => (tell = resolve))
    const me = JSON.parse(localStorage.getItem('muster.session')!) as { user: object }
    server.use(
      http.get(`${API}/me`, async () => {
        await held
        return HttpResponse.json({ user: me.user, userPermissions: ['dashboard'] })
      }),
    )
    open('/')
    expect(await screen.findByRole('status', { name: 'Loading…' })).toBeVisible()
    await within(await menu()).findByRole('link', { name: 'Users' })
    expect(screen.queryByText('Safe')).toBeNull()
    tell()
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(within(await menu()).queryByRole('link', { name: 'Users' })).toBeNull()
  })

  test('goes on with what is known where no server answers', async () => {
    signedIn()
    server.use(http.get(`${API}/me`, () => HttpResponse.error()))
    open('/')
    expect(await screen.findByText('Safe')).toBeVisible()
  })

  test('takes a page away with the permission', async () => {
    const { user: me } = signedIn('USER')
    open('/')
    await screen.findByText('Safe')
    answer('get', '/me', { user: me, userPermissions: [] })
    answer('get', '/dashboard', aProblem('You may not do this.'), 403)
    act(() => void window.dispatchEvent(new Event('focus')))
    change({ permissions: [] satisfies Permission[] })
    expect(await screen.findByText(/no access to any page/)).toBeVisible()
  })

  test('lands on sections that exist', () => {
    const paths = SECTIONS.map(({ path }) => path)
    expect(paths).toContain(LANDINGS[0])
    expect(new Set(paths).size).toBe(paths.length)
  })
})

test('somebody else whom another tab signs in begins with nothing of the person before', async () => {
  signedIn()
  answer('get', '/dashboard', aDashboard([anIncident({ title: 'What only Ada may see' })]))
  open('/')
  const seen = () => screen.queryAllByText('What only Ada may see')
  await waitFor(() => expect(seen()).not.toEqual([]))
  answer('get', '/dashboard', aDashboard())
  change({ uuid: crypto.randomUUID() })
  await waitFor(() => expect(seen()).toEqual([]))
  expect(await screen.findByRole('main', { name: 'Dashboard' })).toBeVisible()
})

test('a session that the server no longer knows ends', async () => {
  signedIn()
  answer('get', '/me', aProblem('Please sign in.'), 401)
  answer('get', '/dashboard', aProblem('Please sign in.'), 401)
  answer('post', '/authentication/refreshToken', aProblem('Please sign in.'), 401)
  open('/')
  expect(await screen.findByText('Your session has ended. Please sign in again.')).toBeVisible()
})

test('an organisation that the registry no longer knows ends the session', async () => {
  signedIn()
  server.use(http.get('*/registry/:code', () => HttpResponse.json(aProblem('Gone.'), { status: 404 })))
  open('/')
  expect(await screen.findByLabelText('Email')).toBeVisible()
})

test('a browser that lost the address of the service ends the session', async () => {
  signedIn()
  const { organisation } = JSON.parse(localStorage.getItem('muster.session')!) as { organisation: object }
  change({ organisation: { ...organisation, apiUrl: undefined } })
  open('/')
  expect(await screen.findByLabelText('Email')).toBeVisible()
  expect(localStorage.getItem('muster.session')).not.toContain('token-')
})

test('a registry without an address ends the session', async () => {
  signedIn()
  server.use(http.get('*/registry/:code', () => HttpResponse.json({})))
  open('/')
  expect(await screen.findByLabelText('Email')).toBeVisible()
})

test('an organisation that was renamed has its new name, also when the page is opened again', async () => {
  signedIn()
  answer('get', '/config', { ...config, displayName: 'Harbour Authority' })
  open('/')
  expect(await screen.findByText('Harbour Authority')).toBeVisible()
  expect(JSON.parse(localStorage.getItem('muster.session')!)).toMatchObject({
    organisation: { config: { displayName: 'Harbour Authority' } },
    tokens: {},
  })
})

test('a service that moved is followed', async () => {
  signedIn()
  const there = 'http://moved.test/api'
  server.use(
    http.get('*/registry/:code', () => HttpResponse.json({ code: 'demo', apiUrl: there })),
    http.get(`${there}/*`, () => HttpResponse.json(aProblem('Not now.'), { status: 503 })),
  )
  open('/')
  await waitFor(() =>
    expect(JSON.parse(localStorage.getItem('muster.session')!)).toMatchObject({
      organisation: { apiUrl: there, config: { displayName: 'Demonstration Company' } },
      tokens: {},
    }),
  )
})
