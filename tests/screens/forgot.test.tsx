import { act, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'

import { API, aProblem, configured, open, server, signedIn } from '#tests/support/client.tsx'

const INVALID = 'Please enter a valid email address.'
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const emailField = () => screen.findByLabelText('Email')

interface Reply {
  readonly status: number
  readonly body?: object
}
const NOTHING: Reply = { status: 204 }
const LOCKED: Reply = { status: 429, body: { ...aProblem('Too many.'), msUntilNextAttempt: 90_000 } }
/** Scripts both calls and records their input. */
function listen(reply: Reply | ((count: number) => Reply) = NOTHING) {
  const heard: unknown[] = []
  const respond = () => {
    const { status, body } = typeof reply === 'function' ? reply(heard.length) : reply
    return body ? HttpResponse.json(body, { status }) : new HttpResponse(null, { status })
  }
  server.use(
    http.post(`${API}/authentication/forgotPassword`, async ({ request }) => {
      heard.push(await request.json())
      return respond()
    }),
    http.get('*/registry', () => HttpResponse.json({ apiUrl: API })),
    http.post(`${API}/authentication/remindOrgCode`, ({ request }) => {
      heard.push(new URL(request.url).searchParams.get('email'))
      return respond()
    }),
  )
  return heard
}

/** The two pages, which differ only in their request. */
const PAGES = [
  {
    path: '/forgot',
    title: 'Forgot Password',
    send: 'Send link',
    asked: { enterpriseCode: 'demo', userId: 'ada@demo.example' },
    back: ['Back to sign-in', '/login'],
  },
  {
    path: '/forgot-org-code',
    title: 'Forgot organization code',
    send: 'Send code',
    asked: 'ada@demo.example',
    back: ['Back to organization code', '/setup'],
  },
] as const

describe.each(PAGES)('$path', ({ path, title, send, asked, back }) => {
  test('sends a mail and says the same for every address', async () => {
    configured()
    const heard = listen()
    const user = open(path)
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
    expect(document.title).toBe(`${title} · Muster`)
    await user.type(await emailField(), '  Ada@DEMO.example {Enter}')
    expect(await screen.findByRole('heading', { name: 'Check your email' })).toHaveFocus()
    expect(screen.getByText(/^If there is an account for/)).toHaveTextContent('ada@demo.example')
    expect(screen.getByText(/spam/)).toBeVisible()
    expect(heard).toEqual([asked])
    await user.click(screen.getByRole('button', { name: /another address/ }))
    expect(await emailField()).toHaveValue('ada@demo.example')
  })

  test('leads back', async () => {
    configured()
    const user = open(path)
    await user.click(await screen.findByRole('link', { name: back[0] }))
    expect(location.pathname).toBe(back[1])
  })

  test.each(['', 'a@b', 'ada', 'ada@demo.example, bo@demo.example'])('sends nothing to %j', async (typed) => {
    configured()
    const heard = listen()
    const user = open(path)
    const field = await emailField()
    await user.type(field, `${typed}{Enter}`)
    expect(await screen.findByText(INVALID)).toBeVisible()
    expect(field).toHaveAccessibleDescription(INVALID)
    expect(field).toHaveFocus()
    expect(heard).toEqual([])
  })

  test.each([
    [400, INVALID],
    [500, 'An unexpected error occurred.'],
  ])('keeps what was typed when the server answers %i', async (status, sentence) => {
    configured()
    listen({ status, body: aProblem('x') })
    const user = open(path)
    await user.type(await emailField(), 'ada@demo.example{Enter}')
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(await emailField()).toHaveValue('ada@demo.example')
  })

  test('counts down when it was asked too often, and can then be sent', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    configured()
    const heard = listen((count) => (count === 1 ? LOCKED : NOTHING))
    const user = open(path)
    await user.type(await emailField(), 'ada@demo.example{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /^Please wait 1 minute and (30|2\d) seconds before trying to submit again\.$/,
    )
    expect(screen.getByRole('button', { name: send })).toBeDisabled()
    await user.type(await emailField(), '{Enter}')
    await pass(30_000)
    expect(screen.getByRole('alert')).toHaveTextContent(
      /^Please wait (1 minute and 0|0 minutes and 5\d) seconds/,
    )
    await pass(61_000)
    await user.click(screen.getByRole('button', { name: send }))
    expect(await screen.findByText('Check your email')).toBeVisible()
    expect(heard).toHaveLength(2)
  })

  test('sends once for a double click', async () => {
    configured()
    const heard = listen()
    const user = open(path)
    await user.type(await emailField(), 'ada@demo.example')
    await user.dblClick(screen.getByRole('button', { name: send }))
    await screen.findByText('Check your email')
    expect(heard).toHaveLength(1)
  })

  test('is no place for somebody who is signed in', async () => {
    signedIn()
    open(path)
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(location.pathname).toBe('/')
  })
})

describe('the ways there', () => {
  test('from sign-in, with the address that was typed', async () => {
    configured()
    const user = open('/login')
    await user.type(await emailField(), 'ada@demo.example')
    await user.click(screen.getByRole('link', { name: 'Forgot Password' }))
    expect(await screen.findByRole('heading', { name: 'Forgot Password' })).toBeVisible()
    expect(await emailField()).toHaveValue('ada@demo.example')
  })

  test('from setup, for whoever does not know an organization yet', async () => {
    const user = open('/setup')
    await user.click(await screen.findByRole('link', { name: 'Forgot your organization code?' }))
    expect(location.pathname).toBe('/forgot-org-code')
    const heard = listen()
    await user.type(await emailField(), 'ada@demo.example{Enter}')
    await screen.findByText('Check your email')
    expect(heard).toEqual(['ada@demo.example'])
    await user.click(screen.getByRole('link', { name: 'Back to organization code' }))
    expect(location.pathname).toBe('/setup')
  })

  test('a forgotten password needs an organization first', async () => {
    open('/forgot')
    expect(await screen.findByLabelText('Organization code')).toBeVisible()
    expect(location.pathname).toBe('/setup')
  })

  test('a registry without an address is a failure', async () => {
    listen()
    server.use(http.get('*/registry', () => HttpResponse.json({})))
    const user = open('/forgot-org-code')
    await user.type(await emailField(), 'ada@demo.example{Enter}')
    expect(await screen.findByText('An unexpected error occurred.')).toBeVisible()
  })
})

describe('the legal texts', () => {
  test.each([
    ['Privacy Policy', '/privacy'],
    ['Terms of Use', '/terms'],
  ])('%s can be read before signing in', async (title, path) => {
    const user = open('/setup')
    await user.click(await screen.findByRole('link', { name: title }))
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    expect(location.pathname).toBe(path)
    await user.click(screen.getByRole('link', { name: 'Back to Muster' }))
    expect(await screen.findByLabelText('Organization code')).toBeVisible()
  })

  test('and while signed in', async () => {
    signedIn()
    const user = open('/privacy')
    expect(await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Terms of Use' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Terms of Use' })).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Back to Muster' }))
    expect(await screen.findByText('Safe')).toBeVisible()
  })
})
