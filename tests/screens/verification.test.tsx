import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { CONFIG } from '#contract/config/catalogue.ts'
import type { VerificationState } from '#contract/verifications/schema.ts'
import { getSession } from '#providers/session.ts'
import { answer, API, aProblem, open, server, signedIn } from '#tests/support/client.tsx'

const MINUTE = 60_000
const TITLE = 'Two-Factor Verification'
const INCORRECT = 'The code entered was incorrect.'
const CODES = Array.from({ length: 10 }, (_, index) => `12345${String(index).repeat(5)}`)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString()

const withMail = (changes: Partial<VerificationState> = {}): VerificationState => ({
  secondFactorType: 'EMAIL',
  initialized: true,
  confirmationCodeExpiryTimestamp: null,
  newConfirmationCodeExpiryTimestamp: null,
  verifiedUntil: null,
  recoveryCodesLeft: 0,
  ...changes,
})
const mailed = () => withMail({ confirmationCodeExpiryTimestamp: inMinutes(10) })
const withApp = (changes: Partial<VerificationState> = {}) =>
  withMail({ secondFactorType: 'TOTP', recoveryCodesLeft: 10, ...changes })

interface RecordedCall {
  readonly query: string
  readonly body: unknown
}
interface Reply {
  readonly status?: number
  readonly body?: JsonBodyType
}
/** Scripts a call and records its requests. */
function script(verb: 'post' | 'delete', path: string, respond: (count: number) => Reply): RecordedCall[] {
  const heard: RecordedCall[] = []
  server.use(
    http[verb](`${API}${path}`, async ({ request }) => {
      heard.push({ query: new URL(request.url).search, body: await request.json().catch(() => null) })
      const { status = 200, body } = respond(heard.length)
      return body === undefined
        ? new HttpResponse(null, { status: 204 })
        : HttpResponse.json(body, { status })
    }),
  )
  return heard
}
const required: Reply = { status: 403, body: aProblem('Please confirm first.', 'verification_required') }
const wrong: Reply = { status: 400, body: aProblem(INCORRECT, 'invalid') }
const locked = (ms: number): Reply => ({
  status: 429,
  body: { ...aProblem('Too many.', 'too_many_requests'), msUntilNextAttempt: ms },
})
const verified = (more: object = {}): Reply => ({ body: { verifiedUntil: inMinutes(15), ...more } })

/** Configures the second factor at sign-in. */
const demand = (changes: object) =>
  answer('get', '/config', {
    ...Object.fromEntries(Object.entries(CONFIG).map(([key, item]) => [key, item.default])),
    ...changes,
  })
/** Opens the second factor in the account dialog. */
async function openSecurity(state: VerificationState): Promise<UserEvent> {
  signedIn()
  answer('get', '/sfs/2fa', state)
  const user = open('/')
  await user.click(await screen.findByRole('button', { name: /^Account of/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Two-Factor Sign-In' }))
  await screen.findByRole('dialog', { name: 'Two-Factor Sign-In' })
  return user
}
/** Opens the dialog by an action that requires a verification. Returns the number of attempts. */
async function reach(state: VerificationState, begun: (count: number) => Reply = () => ({ body: state })) {
  let open = false
  const acts = script(
    'post',
    state.secondFactorType === 'EMAIL' ? '/sfs/2fa/initQR' : '/me/recoveryCodes',
    () => (open ? { body: { secret: 'JBSWY3DPEHPK3PXP', qrCode: QR, recoveryCodes: CODES } } : required),
  )
  const asked = script('post', '/sfs/2fa', begun)
  const user = await openSecurity(state)
  if (state.secondFactorType === 'EMAIL')
    await user.click(await screen.findByRole('button', { name: 'Set up authenticator app' }))
  else {
    await user.click(await screen.findByRole('button', { name: 'New recovery codes' }))
    const question = await screen.findByRole('dialog', { name: 'Make new recovery codes?' })
    await user.click(within(question).getByRole('button', { name: 'New recovery codes' }))
  }
  await screen.findByRole('dialog', { name: TITLE })
  return { user, acts, asked, letThrough: () => void (open = true) }
}
const tokens = {
  authenticationToken: 'replaced',
  authenticationTokenExpiry: inMinutes(15),
  refreshToken: 'replaced refresh',
  expiresAt: inMinutes(720),
}
const QR = 'data:image/png;base64,iVBORw0KGgo='
const button = (name: string) => screen.getByRole('button', { name })
const emailed = () => screen.findByLabelText('Confirmation code')
/** Lets tests advance the clock, which also runs by itself. */
const holdTime = () => vi.useFakeTimers({ shouldAdvanceTime: true })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => demand({}))

describe('an emailed code', () => {
  test('is asked for once, and what needed it is done again', async () => {
    const { user, acts, asked, letThrough } = await reach(mailed())
    const confirmed = script('post', '/sfs/2fa/confirm', () => {
      letThrough()
      return verified({ tokens })
    })
    const before = getSession().tokens?.refreshToken
    const field = await emailed()
    expect(field).toHaveFocus()
    expect(field).toHaveAccessibleDescription(/4-digit code that we emailed to ada@demo\.example/)
    expect(asked).toHaveLength(1)
    expect(button('Verify')).toBeDisabled()
    await user.type(field, '123')
    expect(button('Verify')).toBeDisabled()
    await user.type(field, 'x4')
    expect(button('Verify')).toBeEnabled()
    await user.click(button('Verify'))
    expect(await screen.findByRole('dialog', { name: 'Set up authenticator app' })).toBeVisible()
    expect(confirmed).toEqual([{ query: '', body: { confirmationCode: '1234', refreshToken: before } }])
    expect(acts).toHaveLength(2)
    // The server has replaced the tokens and refuses the old ones.
    const { authenticationToken, refreshToken } = tokens
    expect(getSession().tokens).toMatchObject({ authenticationToken, refreshToken })
    await waitFor(() => expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull())
  })

  test('that is left incomplete says what is missing, but not to somebody who cancels', async () => {
    const { user, acts } = await reach(mailed())
    await user.type(await emailed(), '12{Enter}')
    expect(await screen.findByText('Enter a valid token.')).toBeVisible()
    await user.type(await emailed(), '{Backspace}')
    expect(screen.queryByText('Enter a valid token.')).toBeNull()
    await user.click(button('Cancel'))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull())
    expect(acts).toHaveLength(1)
    expect(screen.getByRole('dialog', { name: 'Two-Factor Sign-In' })).toBeVisible()
  })

  test('that is wrong is said to be, and makes room for another', async () => {
    const { user } = await reach(mailed())
    script('post', '/sfs/2fa/confirm', () => wrong)
    const field = await emailed()
    for (const code of ['1111', '2222']) {
      await user.type(field, code)
      await user.click(button('Verify'))
      expect(await screen.findByText(INCORRECT)).toBeVisible()
      await waitFor(() => expect(field).toHaveValue(''))
      expect(field).toHaveFocus()
      await user.type(field, '3')
      expect(screen.queryByText(INCORRECT)).toBeNull()
      await user.clear(field)
    }
  })

  test.each([500, 404])('that cannot be checked (%i) stays, and says so', async (status) => {
    const { user } = await reach(mailed())
    script('post', '/sfs/2fa/confirm', () => ({ status, body: aProblem('x', 'unexpected') }))
    await user.type(await emailed(), '1234{Enter}')
    expect(await screen.findByText('Something went wrong.')).toBeVisible()
    expect(await emailed()).toHaveValue('1234')
  })

  test('locked out, counts down and can be tried again at zero', async () => {
    holdTime()
    const { user } = await reach(mailed())
    script('post', '/sfs/2fa/confirm', () => locked(61_000))
    await user.type(await emailed(), '1234{Enter}')
    expect(await screen.findByText('Please wait 1 minute and 1 second before attempting again')).toBeVisible()
    expect(button('Verify')).toBeDisabled()
    await pass(2_000)
    expect(screen.getByText(/^Please wait 0 minutes and 59 seconds before attempting again$/)).toBeVisible()
    await pass(60_000)
    expect(screen.getByText('You can try again now.')).toBeVisible()
    expect(button('Verify')).toBeEnabled()
    // A lockout does not sign out.
    expect(location.pathname).toBe('/')
  })

  test('is replaced by a new one, not before it may be asked for', async () => {
    holdTime()
    const { user, asked } = await reach(mailed(), (count) =>
      count === 2 ? locked(28_000) : { body: mailed() },
    )
    await user.type(await emailed(), '12')
    await user.click(button('Request new code'))
    expect(
      await screen.findByText('Please wait 0 minutes and 28 seconds before requesting again'),
    ).toBeVisible()
    expect(button('Request new code')).toBeDisabled()
    expect(await emailed()).toHaveValue('12')
    await pass(29_000)
    expect(screen.getByText('You can request a new code now.')).toBeVisible()
    await user.click(button('Request new code'))
    expect(
      await screen.findByText('Another code is on its way. The one before no longer works.'),
    ).toBeVisible()
    expect(asked).toHaveLength(3)
    expect(await emailed()).toHaveValue('')
    expect(await emailed()).toHaveFocus()
  })

  test('that was mailed a moment ago is still good when the dialog opens again', async () => {
    const { user, letThrough } = await reach(mailed(), () => locked(20_000))
    const confirmed = script('post', '/sfs/2fa/confirm', () => {
      letThrough()
      return verified()
    })
    await user.type(await emailed(), '1234{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Set up authenticator app' })).toBeVisible()
    expect(confirmed).toHaveLength(1)
  })

  test('that could not be mailed yet can be asked for later', async () => {
    holdTime()
    const { user } = await reach(withMail(), (count) => (count === 1 ? locked(20_000) : { body: mailed() }))
    expect(await emailed()).toHaveAccessibleDescription(/which we email to ada@demo\.example/)
    expect(screen.getByText(/before requesting again$/)).toBeVisible()
    await pass(21_000)
    await user.click(button('Request new code'))
    expect(await screen.findByText('A code is on its way.')).toBeVisible()
  })

  test('tells when it expires', async () => {
    holdTime()
    await reach(mailed())
    await emailed()
    expect(screen.getByText(/^This code expires in (10:00|9:5\d)\.$/)).toBeVisible()
    await pass(10 * MINUTE)
    expect(screen.getByText('This code has expired. Please request a new one.')).toBeVisible()
  })

  test('that cannot be asked for is asked for again', async () => {
    const { user } = await reach(mailed(), (count) =>
      count === 1 ? { status: 409, body: aProblem('x', 'conflict') } : { body: mailed() },
    )
    expect(await screen.findByText('Something went wrong.')).toBeVisible()
    await user.click(button('Try again'))
    expect(await emailed()).toBeVisible()
  })
})

describe('an authenticator app', () => {
  test('is asked for six digits; there is no code to request', async () => {
    const { user, acts, letThrough } = await reach(withApp())
    const confirmed = script('post', '/sfs/2fa/confirm', () => {
      letThrough()
      return verified()
    })
    const field = await screen.findByLabelText('Passcode')
    expect(screen.queryByRole('button', { name: 'Request new code' })).toBeNull()
    await user.type(field, '12345')
    expect(button('Verify')).toBeDisabled()
    await user.type(field, '6{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Save your recovery codes' })).toBeVisible()
    expect(confirmed[0]?.body).toMatchObject({ confirmationCode: '123456' })
    expect(acts).toHaveLength(2)
  })

  test('that is lost is replaced by a recovery code', async () => {
    const { user } = await reach(withApp())
    const confirmed = script('post', '/sfs/2fa/confirm', () => wrong)
    await user.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
    const field = screen.getByRole('textbox', { name: 'Recovery code' })
    expect(field).toHaveFocus()
    await user.paste('12345 67890')
    await user.click(button('Verify'))
    expect(await screen.findByText(INCORRECT)).toBeVisible()
    expect(confirmed[0]?.body).toMatchObject({ confirmationCode: '1234567890' })
    await user.click(button('Use the app'))
    expect(screen.getByLabelText('Passcode')).toHaveFocus()
  })

  test('is set up where the organization demands one, and its recovery codes are seen before going on', async () => {
    script('post', '/sfs/2fa/initQR', () => ({ body: { secret: 'JBSWY3DPEHPK3PXP', qrCode: QR } }))
    const { user, acts, letThrough } = await reach(withApp(), () => ({
      body: withApp({ initialized: false, recoveryCodesLeft: 0 }),
    }))
    const confirmed = script('post', '/sfs/2fa/confirm', () => {
      letThrough()
      return verified({ recoveryCodes: CODES })
    })
    expect(await screen.findByRole('img', { name: /QR code/ })).toHaveAttribute('src', QR)
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible()
    await user.type(screen.getByLabelText('Passcode'), '123456{Enter}')
    const codes = await screen.findByRole('dialog', { name: 'Save your recovery codes' })
    expect(confirmed).toMatchObject([
      { query: '?initConfirmation=true', body: { confirmationCode: '123456' } },
    ])
    expect(within(codes).getAllByRole('listitem')).toHaveLength(10)
    expect(acts).toHaveLength(1)
    await user.keyboard('{Escape}')
    expect(codes).toBeVisible()
    expect(within(codes).getByRole('button', { name: 'Done' })).toBeDisabled()
    await user.click(within(codes).getByLabelText('I have saved these codes'))
    await user.click(within(codes).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(acts).toHaveLength(2))
  })
})

describe('the second factor of an account', () => {
  const section = (name: string) => screen.findByRole('region', { name })

  test.each([
    [{}, 'Your organization asks for no second factor at sign-in.'],
    [{ auth2fa: true, auth2faType: 'EMAIL' }, 'Your organization asks for an emailed code at sign-in.'],
    [
      { auth2fa: true, auth2faType: 'TOTP' },
      'Your organization asks for a code of your authenticator app at sign-in.',
    ],
  ])('is told in plain words: %o', async (changes, sentence) => {
    demand(changes)
    await openSecurity(withApp())
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(await section('Authenticator app')).toHaveTextContent('In use')
    expect(await section('Recovery codes')).toHaveTextContent('10 left')
    const isDemanded = 'auth2faType' in changes && changes.auth2faType === 'TOTP'
    const remove = screen.queryByRole('button', { name: 'Remove authenticator app' })
    expect(remove === null).toBe(isDemanded)
  })

  test.each([
    [4, undefined],
    [3, 'You have 3 recovery codes left. Please make new ones while your phone works.'],
    [1, 'You have 1 recovery code left. Please make new ones while your phone works.'],
    [0, 'You have no recovery codes left. Please make new ones while your phone works.'],
  ])('warns when few recovery codes are left: %i', async (left, sentence) => {
    await openSecurity(withApp({ recoveryCodesLeft: left }))
    const codes = await section('Recovery codes')
    if (sentence) expect(within(codes).getByRole('alert')).toHaveTextContent(sentence)
    else expect(within(codes).queryByRole('alert')).toBeNull()
  })

  test('gets new recovery codes, which are copied and downloaded', async () => {
    script('post', '/me/recoveryCodes', () => ({ body: { recoveryCodes: CODES } }))
    const user = await openSecurity(withApp({ recoveryCodesLeft: 2 }))
    await user.click(await screen.findByRole('button', { name: 'New recovery codes' }))
    const question = await screen.findByRole('dialog', { name: 'Make new recovery codes?' })
    expect(question).toHaveTextContent('The recovery codes that you have stop working at once.')
    await user.click(within(question).getByRole('button', { name: 'New recovery codes' }))
    const dialog = await screen.findByRole('dialog', { name: 'Save your recovery codes' })
    expect(dialog).toHaveTextContent('Recovery codes that you had before no longer work.')
    await user.click(within(dialog).getByRole('button', { name: 'Copy' }))
    expect(await within(dialog).findByRole('button', { name: 'Copied' })).toBeVisible()
    expect((await navigator.clipboard.readText()).split('\n')).toEqual(
      CODES.map((code) => `${code.slice(0, 5)} ${code.slice(5)}`),
    )
    const files: Blob[] = []
    vi.stubGlobal(
      'URL',
      class extends URL {
        static override createObjectURL = (blob: Blob) => `blob:${files.push(blob)}`
        static override revokeObjectURL = () => undefined
      },
    )
    await user.click(within(dialog).getByRole('button', { name: 'Download .txt' }))
    expect(files).toHaveLength(1)
    const leaving = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(true)
    answer('get', '/sfs/2fa', withApp())
    await user.click(within(dialog).getByLabelText('I have saved these codes'))
    await user.click(within(dialog).getByRole('button', { name: 'Done' }))
    expect(await section('Recovery codes')).toHaveTextContent('10 left')
  })

  test('says for three seconds that its recovery codes were copied', async () => {
    holdTime()
    script('post', '/me/recoveryCodes', () => ({ body: { recoveryCodes: CODES } }))
    const user = await openSecurity(withApp())
    await user.click(await screen.findByRole('button', { name: 'New recovery codes' }))
    const question = await screen.findByRole('dialog', { name: 'Make new recovery codes?' })
    await user.click(within(question).getByRole('button', { name: 'New recovery codes' }))
    await user.click(await screen.findByRole('button', { name: 'Copy' }))
    await screen.findByRole('button', { name: 'Copied' })
    await pass(2_500)
    expect(button('Copied')).toBeVisible()
    await pass(600)
    expect(button('Copy')).toBeVisible()
  })

  test('loses its authenticator app after a question', async () => {
    const removed = script('delete', '/me/authenticator', () => ({}))
    const user = await openSecurity(withApp())
    await user.click(await screen.findByRole('button', { name: 'Remove authenticator app' }))
    const question = await screen.findByRole('dialog', { name: 'Remove your authenticator app?' })
    expect(removed).toEqual([])
    answer('get', '/sfs/2fa', withMail())
    await user.click(within(question).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Your authenticator app was removed.')).toBeInTheDocument()
    expect(await section('Authenticator app')).toHaveTextContent('Not set up')
  })

  test('keeps an authenticator app that the organization has begun to demand', async () => {
    const sentence = 'Your organization asks for an authenticator app. It cannot be removed.'
    script('delete', '/me/authenticator', () => ({ status: 409, body: aProblem(sentence, 'conflict') }))
    const user = await openSecurity(withApp())
    await user.click(await screen.findByRole('button', { name: 'Remove authenticator app' }))
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  test('is set up again where that took longer than its verification lasts', async () => {
    script('post', '/sfs/2fa/initQR', () => ({ body: { secret: 'JBSWY3DPEHPK3PXP', qrCode: QR } }))
    script('post', '/sfs/2fa/confirm', () => required)
    const user = await openSecurity(withMail())
    await user.click(await screen.findByRole('button', { name: 'Set up authenticator app' }))
    await user.type(await screen.findByLabelText('Passcode'), '123456{Enter}')
    expect(await screen.findByText('This took longer than 15 minutes. Please set it up again.')).toBeVisible()
    await waitFor(() => expect(screen.queryByLabelText('Passcode')).toBeNull())
  })

  test('that could not be read is asked for again', async () => {
    signedIn()
    answer('get', '/sfs/2fa', aProblem('x', 'not_found'), 404)
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: /^Account of/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Two-Factor Sign-In' }))
    const again = await screen.findByRole('button', { name: 'Try again' })
    answer('get', '/sfs/2fa', withMail())
    await user.click(again)
    expect(await section('Authenticator app')).toHaveTextContent('Not set up')
  })
})
