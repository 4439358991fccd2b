import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { describe, expect, test, vi } from 'vitest'

import type { SecondFactorData } from '#contract/sessions/schema.ts'
import {
  answer,
  API,
  aProblem,
  configured,
  open,
  server,
  sessionData,
  setOnline,
} from '#tests/support/client.tsx'

const MINUTE = 60_000
const EMAIL = 'ada@demo.example'
const WRONG = 'The confirmation code you entered is invalid or has expired.'
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString()

const pending = (changes: Partial<SecondFactorData> = {}): SecondFactorData => ({
  isSuccess: false,
  temporaryAuthenticationToken: 'temporary',
  initialized: true,
  secondFactorType: 'TOTP',
  confirmationCodeExpiryTimestamp: null,
  newConfirmationCodeExpiryTimestamp: null,
  ...changes,
})
const emailed = () =>
  pending({
    secondFactorType: 'EMAIL',
    confirmationCodeExpiryTimestamp: inMinutes(10),
    newConfirmationCodeExpiryTimestamp: inMinutes(1),
  })

/** Completes step 1. */
async function reach(data: SecondFactorData) {
  configured()
  answer('post', '/authentication/upass', data)
  answer('get', '/me', { user: sessionData().user, userPermissions: sessionData().permissions })
  const user = open('/login')
  await user.type(await screen.findByLabelText('Email'), ` ${EMAIL}`)
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
  return user
}

interface RecordedCall {
  readonly path: string
  readonly query: string
  readonly body: unknown
}
/** Scripts a call and records its requests. */
function script(
  path: string,
  respond: (count: number) => { status?: number; body: JsonBodyType },
): RecordedCall[] {
  const heard: RecordedCall[] = []
  server.use(
    http.post(`${API}/authentication/${path}`, async ({ request }) => {
      heard.push({ path, query: new URL(request.url).search, body: await request.json() })
      const { status = 200, body } = respond(heard.length)
      return HttpResponse.json(body, { status })
    }),
  )
  return heard
}
const locked = (ms: number) => ({
  status: 429,
  body: { ...aProblem('Too many.', 'too_many_requests'), msUntilNextAttempt: ms },
})
const wrong = { status: 401, body: aProblem('Not this one.', 'unauthenticated') }
const button = (name: string) => screen.getByRole('button', { name })
/** Lets tests advance the clock, which also runs by itself. */
const holdTime = () => vi.useFakeTimers({ shouldAdvanceTime: true })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('a code of the authenticator app', () => {
  test('completes the sign-in and opens the page that was asked for', async () => {
    const confirmed = script('confirm', () => ({ body: sessionData() }))
    const user = await reach(pending())
    const field = await screen.findByLabelText('Passcode')
    expect(field).toHaveFocus()
    expect(field).toHaveAttribute('inputmode', 'numeric')
    expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    expect(localStorage.getItem('muster.session')).not.toContain('temporary')
    await user.type(field, '12a34-5')
    expect(field).toHaveValue('12345')
    expect(button('Submit')).toBeDisabled()
    await user.type(field, '6{Enter}')
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(location.pathname).toBe('/')
    const body = { confirmationCode: '123456', temporaryAuthenticationToken: 'temporary' }
    expect(confirmed).toEqual([{ path: 'confirm', query: '', body }])
  })

  test('can be pasted as it is written in a message', async () => {
    const user = await reach(pending())
    const field = await screen.findByLabelText('Passcode')
    await user.click(field)
    await user.paste('Your code: 123 456.')
    expect(field).toHaveValue('123456')
    expect(button('Submit')).toBeEnabled()
    await user.keyboard('7')
    expect(field).toHaveValue('123456')
    // A single digit can be corrected, or all of them.
    await user.keyboard('{Home}{ArrowRight}9')
    expect(field).toHaveValue('193456')
    await user.keyboard('8')
    expect(field).toHaveValue('198456')
    await user.click(field)
    await user.keyboard('1')
    expect(field).toHaveValue('1')
  })

  test('has no Resend, and says what is missing when it is left incomplete', async () => {
    const user = await reach(pending())
    const field = await screen.findByLabelText('Passcode')
    expect(screen.queryByRole('button', { name: 'Resend' })).toBeNull()
    await user.type(field, '12345')
    await user.tab()
    expect(await screen.findByText('Enter a valid passcode.')).toBeVisible()
    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription(/Enter a valid passcode\./)
    await user.type(field, '6')
    expect(screen.queryByText('Enter a valid passcode.')).toBeNull()
  })

  test('sends nothing for Enter before it is complete, and says why', async () => {
    const confirmed = script('confirm', () => wrong)
    const user = await reach(pending())
    await user.type(await screen.findByLabelText('Passcode'), '123{Enter}')
    expect(await screen.findByText('Enter a valid passcode.')).toBeVisible()
    expect(confirmed).toEqual([])
  })

  test('makes way for a recovery code, and comes back', async () => {
    const confirmed = script('confirm', () => ({ body: sessionData() }))
    const user = await reach(pending())
    await user.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
    const field = screen.getByLabelText('Recovery code')
    expect(field).toHaveFocus()
    expect(screen.queryByText('Enter a valid passcode.')).toBeNull()
    await user.click(button('Use the authenticator app'))
    expect(screen.getByLabelText('Passcode')).toHaveFocus()
    await user.click(button('Use a recovery code'))
    await user.paste('12345 67890')
    expect(button('Submit')).toBeEnabled()
    await user.click(button('Submit'))
    await screen.findByText('Safe')
    expect(confirmed[0]?.body).toMatchObject({ confirmationCode: '1234567890' })
  })

  test.each([
    ['wrong', 401, WRONG],
    ['not judged', 500, 'An error occurred while validating your identity.'],
    ['misunderstood', 400, 'An error occurred while validating your identity.'],
  ])('stays on the screen when it is %s', async (_, status, sentence) => {
    script('confirm', () => ({ status, body: aProblem('x') }))
    const user = await reach(pending())
    const field = await screen.findByLabelText('Passcode')
    await user.type(field, '123456')
    await user.click(button('Submit'))
    expect(within(await screen.findByRole('alert')).getByText(sentence)).toBeVisible()
    expect(field).toHaveValue('123456')
    expect(field).toHaveFocus()
    // Typing replaces the refused code.
    await user.keyboard('9')
    expect(field).toHaveValue('9')
    expect(screen.queryByText(sentence)).toBeNull()
  })

  test('is sent once, however often it is submitted', async () => {
    let finish: () => void = () => undefined
    const held = new Promise<void>((resolve) => (finish = resolve))
    let asked = 0
    server.use(
      http.post(`${API}/authentication/confirm`, async () => {
        asked++
        await held
        return HttpResponse.json(aProblem('No.'), { status: 401 })
      }),
    )
    const user = await reach(pending())
    await user.type(await screen.findByLabelText('Passcode'), '123456{Enter}{Enter}')
    await user.dblClick(await screen.findByRole('button', { name: 'Checking…' }))
    finish()
    await screen.findByText(WRONG)
    expect(asked).toBe(1)
  })

  test('counts a lockout down, and can be submitted again at zero', async () => {
    holdTime()
    script('confirm', (count) => (count === 1 ? locked(62_000) : wrong))
    const user = await reach(pending())
    const field = await screen.findByLabelText('Passcode')
    await user.type(field, '123456')
    await user.click(button('Submit'))
    const note = await screen.findByRole('alert')
    expect(note).toHaveTextContent(/^Please wait 1 minute and [12] seconds? before trying to submit again\.$/)
    expect(button('Submit')).toBeDisabled()
    expect(within(note).getByRole('timer')).toHaveAttribute('aria-live', 'off')
    await pass(30_000)
    expect(note).toHaveTextContent(/^Please wait 0 minutes and 3\d seconds before trying to submit again\.$/)
    await pass(33_000)
    expect(note).toHaveTextContent('You can try again now.')
    expect(button('Submit')).toBeEnabled()
    await user.click(button('Submit'))
    expect(await screen.findByText(WRONG)).toBeVisible()
  })

  test('begins again with the password when the sign-in took too long', async () => {
    script('confirm', () => ({
      status: 401,
      body: aProblem('This sign-in has expired. Please start again.'),
    }))
    const user = await reach(pending())
    await user.type(await screen.findByLabelText('Passcode'), '123456{Enter}')
    expect(await screen.findByText('This sign-in has expired. Please start again.')).toBeVisible()
    expect(screen.getByLabelText('Email')).toHaveValue(` ${EMAIL}`.trim())
    expect(screen.getByLabelText('Password')).toHaveValue('')
  })

  test('is given up with Cancel', async () => {
    const user = await reach(pending())
    await screen.findByLabelText('Passcode')
    await user.click(button('Cancel'))
    expect(await screen.findByLabelText('Password')).toHaveValue('')
    expect(screen.getByLabelText('Email')).toBeVisible()
    expect(screen.queryByLabelText('Passcode')).toBeNull()
  })

  test('outlives a tunnel', async () => {
    const user = await reach(pending())
    await user.type(await screen.findByLabelText('Passcode'), '123')
    act(() => setOnline(false))
    expect(await screen.findByText('Device Offline')).toBeVisible()
    act(() => setOnline(true))
    await waitFor(() => expect(screen.queryByText('Device Offline')).toBeNull())
    expect(screen.getByLabelText('Passcode')).toHaveValue('123')
    expect(document.title).toBe("Confirm it's you · Muster")
  })
})

describe('an emailed code', () => {
  test('is four digits, and says where it went and until when it is taken', async () => {
    const confirmed = script('confirm', () => ({ body: sessionData() }))
    const user = await reach(emailed())
    const field = await screen.findByLabelText('Confirmation code')
    expect(field).toHaveAccessibleDescription(
      /emailed to ada@demo\.example\. This code expires in (10:00|9:\d\d)\./,
    )
    await user.type(field, '123')
    expect(button('Submit')).toBeDisabled()
    await user.tab()
    expect(await screen.findByText('Enter a valid confirmation code.')).toBeVisible()
    await user.type(field, '4{Enter}')
    await screen.findByText('Safe')
    expect(confirmed[0]?.body).toMatchObject({ confirmationCode: '1234' })
  })

  test('can be asked for again once it is time', async () => {
    holdTime()
    const resent = script('resend', () => ({
      body: {
        confirmationCodeExpiryTimestamp: inMinutes(10),
        newConfirmationCodeExpiryTimestamp: inMinutes(2),
      },
    }))
    const user = await reach(emailed())
    const field = await screen.findByLabelText('Confirmation code')
    await user.type(field, '12')
    expect(button('Resend')).toBeDisabled()
    expect(screen.getByText(/^in (1:00|0:5\d)$/)).toBeVisible()
    await pass(61_000)
    expect(screen.getByText(/^This code expires in 8:5\d\.$/)).toBeVisible()
    await user.click(button('Resend'))
    expect(
      await screen.findByText('Another code is on its way. The one before no longer works.'),
    ).toBeVisible()
    expect(screen.getByText(/^This code expires in (10:00|9:5\d)\.$/)).toBeVisible()
    expect(button('Resend')).toBeDisabled()
    expect(screen.getByLabelText('Confirmation code')).toHaveValue('')
    expect(screen.getByLabelText('Confirmation code')).toHaveFocus()
    expect(resent.map(({ body }) => body)).toEqual([{ temporaryAuthenticationToken: 'temporary' }])
    await pass(10 * MINUTE)
    expect(screen.getByText('This code has expired. Please ask for another one.')).toBeVisible()
  })

  test.each([
    ['fails', { status: 500, body: aProblem('x') }, 'An unexpected error occurred.'],
    ['comes too soon', locked(45_000), /^in 0:4\d$/],
  ])('says so when asking again %s', async (_, reply, sentence) => {
    script('resend', () => reply)
    const user = await reach({ ...emailed(), newConfirmationCodeExpiryTimestamp: inMinutes(-1) })
    await user.type(await screen.findByLabelText('Confirmation code'), '12')
    await user.click(button('Resend'))
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(screen.getByLabelText('Confirmation code')).toHaveValue('12')
  })
})

test('what was copied says so for three seconds', async () => {
  holdTime()
  script('initQR', () => ({ body: { secret: 'JBSWY3DPEHPK3PXP', qrCode: 'data:,' } }))
  const user = await reach(pending({ initialized: false }))
  await user.click(await screen.findByRole('button', { name: 'Copy setup key' }))
  await screen.findByRole('button', { name: 'Copied' })
  await pass(2_500)
  expect(button('Copied')).toBeVisible()
  await pass(600)
  expect(button('Copy setup key')).toBeVisible()
})

describe('setting an authenticator app up', () => {
  const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const QR = 'data:image/png;base64,iVBORw0KGgo='
  const CODES = Array.from({ length: 10 }, (_, n) => `${n}234567890`)
  const enrolling = () => pending({ initialized: false })

  test('shows the secret, takes a code, and opens only when the recovery codes are saved', async () => {
    const asked = script('initQR', () => ({ body: { secret: SECRET, qrCode: QR } }))
    const confirmed = script('confirm', () => ({ body: { ...sessionData(), recoveryCodes: CODES } }))
    const user = await reach(enrolling())
    expect(await screen.findByRole('img', { name: /QR code/ })).toHaveAttribute('src', QR)
    expect(screen.getByRole('heading', { name: 'Set up your authenticator app' })).toHaveFocus()
    expect(screen.getAllByRole('listitem')).toHaveLength(3)
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeVisible()
    await user.click(button('Copy setup key'))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(SECRET)
    expect(button('Verify')).toBeDisabled()
    await user.type(screen.getByLabelText('Passcode'), '123456')
    await user.click(button('Verify'))

    const list = await screen.findByRole('list', { name: 'Recovery codes' })
    expect(screen.getByRole('heading', { name: 'Save your recovery codes' })).toHaveFocus()
    expect(within(list).getAllByRole('listitem')).toHaveLength(10)
    expect(within(list).getByText('02345 67890')).toBeVisible()
    expect(asked).toHaveLength(1)
    expect(confirmed[0]?.query).toBe('?initConfirmation=true')
    // No session starts before the codes are shown.
    expect(localStorage.getItem('muster.session')).not.toContain('token-')
    await user.click(button('Copy codes'))
    await screen.findByRole('button', { name: 'Copied' })
    expect(await navigator.clipboard.readText()).toBe(CODES.map((_, n) => `${n}2345 67890`).join('\n'))
    expect(button('Continue')).toBeDisabled()
    await user.click(screen.getByLabelText('I have saved these codes'))
    await user.click(button('Continue'))
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(localStorage.getItem('muster.session')).not.toContain('02345')
  })

  test('hands the recovery codes over as a file', async () => {
    let saved: Blob | undefined
    let name: string | undefined
    vi.stubGlobal('URL', class extends URL {})
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => ((saved = blob), 'blob:codes'),
      revokeObjectURL: () => undefined,
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      name = this.download
    })
    script('initQR', () => ({ body: { secret: SECRET, qrCode: QR } }))
    script('confirm', () => ({ body: { ...sessionData(), recoveryCodes: CODES } }))
    const user = await reach(enrolling())
    await user.type(await screen.findByLabelText('Passcode'), '123456{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Download' }))
    expect(name).toBe('muster-recovery-codes-demo.txt')
    const text = await saved!.text()
    expect(text).toContain('Organization: demo\r\nAccount: ada@demo.example')
    for (const [n] of CODES.entries()) expect(text).toContain(`\r\n${n}2345 67890\r\n`)
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  test('can be loaded again when that failed', async () => {
    script('initQR', (count) =>
      count === 1 ? { status: 500, body: aProblem('x') } : { body: { secret: SECRET, qrCode: QR } },
    )
    const user = await reach(enrolling())
    expect(await screen.findByRole('alert')).toHaveTextContent('The setup could not be loaded.')
    await user.click(button('Try again'))
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible()
  })

  test('turns into a plain code when another device was quicker', async () => {
    script('initQR', () => ({ status: 409, body: aProblem('Enrolled already.') }))
    const confirmed = script('confirm', () => ({ body: sessionData() }))
    const user = await reach(enrolling())
    expect(await screen.findByRole('heading', { name: "Confirm it's you" })).toBeVisible()
    await user.type(screen.getByLabelText('Passcode'), '123456{Enter}')
    await screen.findByText('Safe')
    expect(confirmed[0]?.query).toBe('')
  })
})

test('a lockout of passwords counts down on the form', async () => {
  holdTime()
  configured()
  script('upass', (count) => (count === 1 ? locked(61_000) : wrong))
  const user = open('/login')
  await user.type(await screen.findByLabelText('Email'), EMAIL)
  await user.type(screen.getByLabelText('Password'), 'wrong{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^Please wait 1 minute and [01] seconds? before trying to submit again\.$/,
  )
  expect(button('Sign in')).toBeDisabled()
  expect(screen.getByLabelText('Password')).toHaveValue('wrong')
  await pass(62_000)
  expect(button('Sign in')).toBeEnabled()
  await user.click(button('Sign in'))
  expect(await screen.findByText('Not this one.')).toBeVisible()
})
