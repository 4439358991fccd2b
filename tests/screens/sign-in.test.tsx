import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'

import {
  answer,
  API,
  aProblem,
  change,
  configured,
  open,
  server,
  sessionData,
  setOnline,
  signedIn,
} from '#tests/support/client.tsx'

const UNABLE = 'Unable to connect to enterprise. Try again or contact your administrator.'
const UNREADABLE = 'Error getting enterprise information. Try again or contact your administrator.'
const INVALID = 'Please enter a valid email address.'
const codeField = () => screen.findByLabelText('Organization code')
const emailField = () => screen.findByLabelText('Email')
const passwordField = () => screen.findByLabelText('Password')
const press = () => screen.getByRole('button', { name: 'Sign in' })

test('after signing in the focus is in the page, which says where one is', async () => {
  configured()
  answer('post', '/authentication/upass', sessionData())
  const { user: me, permissions } = sessionData()
  answer('get', '/me', { user: me, userPermissions: permissions })
  const user = open('/login')
  await user.type(await emailField(), 'ada@demo.example')
  await user.type(await passwordField(), 'Correct-horse-9{Enter}')
  await waitFor(() => expect(screen.getByRole('main', { name: 'Dashboard' })).toHaveFocus())
})

describe('organisation setup', () => {
  test('finds the organisation by its code, however it is typed, and goes on to sign-in', async () => {
    const user = open('/incidents')
    await user.type(await codeField(), '  Demo ')
    expect(location.pathname).toBe('/setup')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await emailField()).toBeVisible()
    expect(location.pathname).toBe('/login')
    expect(document.title).toBe('Sign in · Muster')
    expect(screen.getByText('demo')).toBeVisible()
    expect(screen.getByText('Demonstration Company')).toBeVisible()
  })

  test('says what is wrong beside the field and keeps what was typed', async () => {
    const user = open('/setup')
    const field = await codeField()
    await user.type(field, '{Enter}')
    expect(await screen.findByText('Please enter an organization code.')).toBeVisible()
    expect(field).toHaveFocus()
    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription('Please enter an organization code.')
    await user.type(field, `${'a'.repeat(51)}{Enter}`)
    expect(await screen.findByText('Maximum length of 50 characters exceeded.')).toBeVisible()
    await user.clear(field)
    await user.type(field, 'nobody{Enter}')
    expect(await screen.findByText(UNABLE)).toBeVisible()
    expect(field).toHaveValue('nobody')
  })

  test.each([
    [
      'the registry fails',
      '*/registry/:code',
      () => HttpResponse.json(aProblem('x'), { status: 500 }),
      UNREADABLE,
    ],
    ['the registry is empty', '*/registry/:code', () => HttpResponse.json({}), UNABLE],
    [
      'the configuration fails',
      `${API}/config/public/:code`,
      () => HttpResponse.json(aProblem('x'), { status: 500 }),
      UNABLE,
    ],
  ])('blocks when %s', async (_, path, respond, sentence) => {
    server.use(http.get(path, respond))
    const user = open('/setup')
    await user.type(await codeField(), 'demo{Enter}')
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(location.pathname).toBe('/setup')
    expect(localStorage.getItem('muster.session')).toBeNull()
  })

  test('sends on whoever has an organisation, unless it is to be changed', async () => {
    configured()
    const user = open('/setup')
    await emailField()
    expect(location.pathname).toBe('/login')
    await user.click(screen.getByRole('link', { name: 'Change Organization' }))
    expect(await codeField()).toHaveValue('demo')
    expect(location.pathname).toBe('/setup')
  })
})

describe('sign-in', () => {
  test('opens the dashboard', async () => {
    configured()
    let asked: unknown
    server.use(
      http.post(`${API}/authentication/upass`, async ({ request }) => {
        asked = await request.json()
        return HttpResponse.json(sessionData())
      }),
    )
    answer('get', '/me', { user: sessionData().user, userPermissions: sessionData().permissions })
    const user = open('/login')
    await user.click(await emailField())
    await user.paste(' \u200bAda@demo.example\ufeff')
    await user.type(await passwordField(), 'secret{Enter}')
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(location.pathname).toBe('/')
    expect(asked).toEqual({ email: 'ada@demo.example', password: 'secret', enterpriseCode: 'demo' })
    expect(localStorage.getItem('muster.email')).toBeNull()
  })

  test('remembers the email when asked to', async () => {
    configured()
    answer('post', '/authentication/upass', sessionData())
    answer('get', '/me', { user: sessionData().user, userPermissions: sessionData().permissions })
    const user = open('/login')
    await user.type(await emailField(), 'ada@demo.example')
    await user.click(screen.getByLabelText('Remember my email'))
    await user.type(await passwordField(), 'secret{Enter}')
    await screen.findByText('Safe')
    change({ tokens: null })
    expect(await emailField()).toHaveValue('ada@demo.example')
    expect(screen.getByLabelText('Remember my email')).toBeChecked()
    expect(await passwordField()).toHaveValue('')
    // Clears the remembered address.
    await user.click(screen.getByLabelText('Remember my email'))
    await user.type(await passwordField(), 'secret{Enter}')
    await screen.findByText('Safe')
    change({ tokens: null })
    expect(await emailField()).toHaveValue('')
  })

  test('asks for what is missing at its field, the first of them in focus', async () => {
    configured()
    const user = open('/login')
    await emailField()
    await user.click(press())
    expect(await screen.findByText(INVALID)).toBeVisible()
    expect(screen.getByText('Please enter your password.')).toBeVisible()
    expect(await emailField()).toHaveFocus()
    await user.type(await emailField(), 'ada@demo.example{Enter}')
    await waitFor(async () => expect(await passwordField()).toHaveFocus())
    expect(screen.queryByText(INVALID)).toBeNull()
  })

  test.each(['a@b', 'ada', 'ada@demo.example, bo@demo.example', `${'a'.repeat(244)}@example.com`])(
    'sends nothing for the address %s',
    async (typed) => {
      configured()
      const user = open('/login')
      await user.click(await emailField())
      await user.paste(typed)
      await user.type(await passwordField(), 'secret{Enter}')
      const said = typed.length > 255 ? 'Maximum length of 255 characters exceeded.' : INVALID
      expect(await screen.findByText(said)).toBeVisible()
      // A call would have been refused by the scripted server with another message.
      expect(screen.queryByRole('alert')).toBeNull()
    },
  )

  test("shows the server's words and keeps what was typed", async () => {
    configured()
    answer('post', '/authentication/upass', aProblem('The email address or password is incorrect.'), 401)
    const user = open('/login')
    await user.type(await emailField(), 'ada@demo.example')
    await user.type(await passwordField(), 'wrong{Enter}')
    expect(
      within(await screen.findByRole('alert')).getByText('The email address or password is incorrect.'),
    ).toBeVisible()
    expect(await emailField()).toHaveValue('ada@demo.example')
    expect(await passwordField()).toHaveValue('wrong')
    expect(location.pathname).toBe('/login')
  })

  test('has words of its own for a failure that has none', async () => {
    configured()
    answer('post', '/authentication/upass', aProblem('An unexpected error occurred.'), 500)
    const user = open('/login')
    await user.type(await emailField(), 'ada@demo.example')
    await user.type(await passwordField(), 'secret{Enter}')
    expect(await screen.findByText('An unexpected error occurred, please try again.')).toBeVisible()
  })

  test('never submits twice', async () => {
    configured()
    let asked = 0
    let finish: () => void = () => undefined
    const held = new Promise<void>((resolve) => (finish = resolve))
    server.use(
      http.post(`${API}/authentication/upass`, async () => {
        asked++
        await held
        return HttpResponse.json(aProblem('No.'), { status: 401 })
      }),
    )
    const user = open('/login')
    await user.type(await emailField(), 'ada@demo.example')
    await user.type(await passwordField(), 'secret{Enter}{Enter}{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Signing in…' }))
    finish()
    await screen.findByText('No.')
    expect(asked).toBe(1)
  })

  test('returns to the page that was asked for, and explains a session that ended', async () => {
    signedIn()
    open('/')
    await screen.findByText('Safe')
    change({ tokens: null, user: null, permissions: null, ending: 'expired' })
    expect(await screen.findByText('Your session has ended. Please sign in again.')).toBeVisible()
    expect(location.pathname).toBe('/login')
    expect(history.state).toEqual({ next: '/' })
  })

  test.each(['/no-such-page', '/incidents-x', '/secure-file-storage?folder=3', '/'])(
    'is where %s leads who is signed out',
    async (path) => {
      configured()
      open(path)
      await emailField()
      expect(location.pathname).toBe('/login')
    },
  )

  test.each(['/login', '/setup'])('is no place for somebody who is signed in: %s', async (path) => {
    signedIn()
    open(path)
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(location.pathname).toBe('/')
  })
})

test('whoever signs in after the network was away is not left waiting', async () => {
  signedIn()
  open('/')
  await screen.findByText('Safe')
  act(() => setOnline(false))
  await screen.findByText('Device Offline')
  // Signs out in another tab, and the network returns without a session.
  act(() => change({ tokens: null }))
  act(() => setOnline(true))
  await emailField()
  act(() => void signedIn())
  expect(await screen.findByText('Safe')).toBeVisible()
})

test('everything makes way for the offline screen, and nothing typed is lost', async () => {
  configured()
  const user = open('/login')
  await user.type(await emailField(), 'ada')
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  window.dispatchEvent(new Event('offline'))
  expect(await screen.findByText('Device Offline')).toBeVisible()
  expect(screen.getByText('Please check your Internet connection.')).toBeVisible()
  expect(screen.getByLabelText('Email')).not.toBeVisible()
  network.mockReturnValue(true)
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(screen.queryByText('Device Offline')).toBeNull())
  expect(screen.getByLabelText('Email')).toHaveValue('ada')
})
