import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import { answer, API, configured, open, server } from '#tests/support/client.tsx'

const USER = '7f8a4b62-7a0b-4a5c-9a3e-0d8f4c1b2a90'
const link = (changes: Record<string, string | undefined> = {}) => {
  const parts = { u: USER, e: 'demo', t: 'once', a: btoa(API), ...changes }
  return `/set-password?${new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== undefined))}`
}
const fields = async () => ({
  password: await screen.findByLabelText('New password'),
  confirmation: screen.getByLabelText('Confirm password'),
  submit: screen.getByRole('button', { name: 'Set password' }),
})
const listen = (status: number, body?: object) => {
  const sent: unknown[] = []
  server.use(
    http.post(`${API}/authentication/changePassword`, async ({ request }) => {
      sent.push(await request.json())
      return status === 204 ? new HttpResponse(null, { status }) : HttpResponse.json(body, { status })
    }),
  )
  return sent
}

const EXPIRED = { code: 'token_expired', message: 'Your authorization token has expired.' }
// Links are valid by default.
beforeEach(() => answer('post', '/authentication/checkPasswordLink', undefined))

describe('the page behind a mailed link', () => {
  test.each(['u', 'e', 't', 'a'])('is left when the link lacks %s', async (part) => {
    open(link({ [part]: undefined }))
    await waitFor(() => expect(location.pathname).toBe('/setup'))
  })

  test('ticks each rule as it is fulfilled and lets go only when all are', async () => {
    const user = open(link())
    const { password, confirmation, submit } = await fields()
    const ticked = () =>
      screen.getAllByRole('listitem').filter((item) => item.textContent?.includes('fulfilled')).length
    expect(ticked()).toBe(0)
    expect(screen.getByRole('status')).toBeEmptyDOMElement()
    await user.type(password, 'abcdefgh')
    expect(ticked()).toBe(4)
    await user.type(password, 'A9')
    expect(ticked()).toBe(6)
    expect(screen.getByRole('status')).toHaveTextContent('2 of 8 still open')
    expect(screen.getByText('A special character', { exact: false }).closest('li')).toHaveTextContent(
      'still open',
    )
    await user.type(password, '!')
    expect(ticked()).toBe(7)
    expect(submit).toBeDisabled()
    await user.type(confirmation, 'abcdefghA9!')
    expect(submit).toBeEnabled()
    expect(screen.getByRole('status')).toHaveTextContent('All fulfilled')
    await user.type(password, '<')
    expect(submit).toBeDisabled()
  })

  test('says what is missing when a field is left empty', async () => {
    const user = open(link())
    const { password, confirmation } = await fields()
    await user.click(password)
    await user.click(confirmation)
    expect(await screen.findByText('Please enter a new password.')).toBeVisible()
    await user.tab()
    expect(await screen.findByText('Please confirm the new password.')).toBeVisible()
  })

  test.each([
    ['Aa1!xyz', 'Password must be at least 8 characters long.'],
    [`Aa1!${'x'.repeat(252)}`, 'Password cannot be more than 255 characters long.'],
    ['AAAA1111!', 'Password must contain at least 1 lowercase letter.'],
    ['aaaa1111!', 'Password must contain at least 1 uppercase letter.'],
    ['Aaaaaaaa!', 'Password must contain at least 1 number.'],
    ['Aaaaaaa1_', 'Password must contain at least 1 special character.'],
    ['Aaaaaaa1!|', 'Password cannot contain any of the characters <>^()/\\|\'".'],
  ])(
    'says what is wrong with %s once it is left, and no longer when it is put right',
    async (typed, said) => {
      const user = open(link())
      const { password, confirmation } = await fields()
      await user.click(password)
      await user.paste(typed)
      expect(screen.queryByText(said)).toBeNull()
      await user.click(confirmation)
      expect(await screen.findByText(said)).toBeVisible()
      expect(password).toHaveAccessibleDescription(said)
      await user.clear(password)
      await user.type(password, 'Correct-horse-9')
      expect(screen.queryByText(said)).toBeNull()
      await user.type(confirmation, 'Correct-horse-8')
      await user.tab()
      expect(await screen.findByText('Passwords must match.')).toBeVisible()
      await user.type(password, '{Backspace}8')
      expect(screen.queryByText('Passwords must match.')).toBeNull()
    },
  )

  test('sets the password and leads to sign-in of that organisation', async () => {
    const sent = listen(204)
    const user = open(link())
    const { password, confirmation, submit } = await fields()
    await user.type(password, 'Correct-horse-9')
    await user.type(confirmation, 'Correct-horse-9')
    await user.click(submit)
    expect(await screen.findByText('Your password was set')).toBeVisible()
    expect(sent).toEqual([
      { newPassword: 'Correct-horse-9', enterpriseCode: 'demo', userId: USER, oneTimePasscode: 'once' },
    ])
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByLabelText('Email')).toBeVisible()
    expect(screen.getByText('demo')).toBeVisible()
  })

  test.each([
    ['was used or is too old', link(), true],
    ['names another service than the registry', link({ a: btoa('https://elsewhere.example/api') }), false],
    ['names no service', link({ a: '%%%' }), false],
  ])('tells of a link that %s before anything is typed', async (_, path, isOurs) => {
    const sent = listen(204)
    const checked: unknown[] = []
    server.use(
      http.post(`${API}/authentication/checkPasswordLink`, async ({ request }) => {
        checked.push(await request.json())
        return HttpResponse.json(EXPIRED, { status: 400 })
      }),
    )
    const user = open(path)
    expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeVisible()
    expect(screen.queryByLabelText('New password')).toBeNull()
    const asked = { enterpriseCode: 'demo', userId: USER, oneTimePasscode: 'once' }
    if (isOurs) expect(checked).toContainEqual(asked)
    else expect(checked).not.toContainEqual(asked)
    // A link to another service shows no name that could lend it credibility.
    const name = () => screen.queryAllByText('Demonstration Company')
    await waitFor(() => expect(name()).toHaveLength(isOurs ? 1 : 0))
    await user.click(screen.getByRole('button', { name: 'Request a new link' }))
    expect(await screen.findByLabelText('Organization code')).toBeVisible()
    expect(sent).toEqual([])
  })

  test.each([429, 500])('shows the form when the check of the link answers %d', async (status) => {
    const checked: unknown[] = []
    server.use(
      http.post(`${API}/authentication/checkPasswordLink`, () => {
        checked.push(status)
        return HttpResponse.json({ code: 'unexpected', message: 'x' }, { status })
      }),
    )
    const sent = listen(204)
    const user = open(link())
    const { password, confirmation, submit } = await fields()
    await waitFor(() => expect(checked).not.toEqual([]))
    await user.type(password, 'Correct-horse-9')
    await user.type(confirmation, 'Correct-horse-9')
    await user.click(submit)
    expect(await screen.findByText('Your password was set')).toBeVisible()
    expect(sent).toHaveLength(1)
  })

  test('says that the password was not set when the link was used meanwhile', async () => {
    const sent = listen(400, EXPIRED)
    const user = open(link())
    const { password, confirmation, submit } = await fields()
    await user.type(password, 'Correct-horse-9')
    await user.type(confirmation, 'Correct-horse-9')
    await user.click(submit)
    expect(await screen.findByText('Your password was not set!')).toBeVisible()
    expect(screen.getByText(/^Your authorization token has expired\. .*administrator/)).toBeVisible()
    expect(sent).toHaveLength(1)
    expect(screen.getByText('Demonstration Company')).toBeVisible()
    // The page also offers another link.
    await user.click(screen.getByRole('button', { name: 'Request a new link' }))
    expect(await screen.findByLabelText('Organization code')).toBeVisible()
  })

  test('that has expired leads to a new one, in the organisation of this browser', async () => {
    configured()
    listen(400, EXPIRED)
    const user = open(link({ m: 'ada@demo.example' }))
    const name = 'Demonstration Company'
    expect(await screen.findByText(name)).toBeVisible()
    const { password, confirmation, submit } = await fields()
    // Password managers need the username.
    expect(document.querySelector('input[autocomplete="username"]')).toHaveValue('ada@demo.example')
    await user.type(password, 'Correct-horse-9')
    await user.type(confirmation, 'Correct-horse-9')
    await user.click(submit)
    expect(await screen.findByText('Your password was not set!')).toBeVisible()
    expect(screen.getByText(name)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Request a new link' }))
    expect(await screen.findByLabelText('Email')).toHaveValue('ada@demo.example')
    expect(location.pathname).toBe('/forgot')
  })

  test.each([
    "Please choose a password you haven't used before.",
    'Please choose a password that is harder to guess.',
  ])('passes on why a password is not taken, and keeps it: %s', async (message) => {
    const sent = listen(400, { code: 'invalid', message, fields: { newPassword: message } })
    const user = open(link())
    const { password, confirmation, submit } = await fields()
    await user.type(password, 'Password1!')
    await user.type(confirmation, 'Password1!')
    await user.dblClick(submit)
    expect(await screen.findByRole('alert')).toHaveTextContent(`Your password was not set! ${message}`)
    expect(password).toHaveValue('Password1!')
    expect(confirmation).toHaveValue('Password1!')
    expect(submit).toBeEnabled()
    expect(sent).toHaveLength(1)
  })

  test('keeps what was typed when the server fails', async () => {
    listen(500, { code: 'unexpected', message: 'x' })
    const user = open(link())
    const { password, confirmation, submit } = await fields()
    await user.type(password, 'Correct-horse-9')
    await user.type(confirmation, 'Correct-horse-9')
    await user.click(submit)
    expect(await screen.findByText('Your password was not set!')).toBeVisible()
    expect(screen.getByLabelText('New password')).toHaveValue('Correct-horse-9')
  })
})
