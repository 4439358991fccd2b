import { File as NodeFile } from 'node:buffer'

import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Device } from '#contract/account/schema.ts'
import { CONFIG } from '#contract/config/catalogue.ts'
import type { SessionUser } from '#contract/sessions/schema.ts'

import {
  answer,
  API,
  aProblem,
  aUser,
  change,
  FakeSocket,
  open,
  server,
  sessionData,
  signedIn,
} from '#tests/support/client.tsx'

/** Signs in a person with these account fields. */
function signedInAs(changes: Partial<SessionUser> = {}) {
  const { permissions } = signedIn()
  const user = aUser(changes)
  change({ user })
  answer('get', '/me', { user, userPermissions: permissions })
  return user
}
async function openMenu(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: /^Account of/ }))
  return screen.findByRole('menu')
}
async function openDialog(user: UserEvent, entry: string | RegExp, title = entry) {
  await user.click(within(await openMenu(user)).getByRole('menuitem', { name: entry }))
  return screen.findByRole('dialog', { name: title })
}
/** Answers a call and records its bodies. */
function listen(
  verb: 'patch' | 'post' | 'delete',
  path: string,
  reply: () => JsonBodyType | Response | undefined,
) {
  const sent: unknown[] = []
  server.use(
    http[verb](`${API}${path}`, async ({ request }) => {
      // The body of a form with a file is not read: its encoding is this browser's, not the server's.
      const isJson = request.headers.get('content-type')?.includes('json')
      sent.push(isJson ? await request.json().catch(() => null) : request.headers.get('content-type'))
      const body = reply()
      if (body instanceof Response) return body
      return body === undefined ? new HttpResponse(null, { status: 204 }) : HttpResponse.json(body)
    }),
  )
  return sent
}
const failure = (status = 500, message = 'x', code = 'unexpected') =>
  HttpResponse.json(aProblem(message, code), { status })

beforeEach(() =>
  answer(
    'get',
    '/config',
    Object.fromEntries(Object.entries(CONFIG).map(([key, item]) => [key, item.default])),
  ),
)

describe('the account menu', () => {
  test('has an entry for each thing of the account', async () => {
    signedInAs({ phoneNumber: '+14165550123' })
    const user = open('/')
    const menu = await openMenu(user)
    const entries = within(menu)
      .getAllByRole('menuitem')
      .map((entry) => entry.textContent)
    expect(entries).toEqual([
      '+1 416 555 0123',
      'Change Password',
      'Two-Factor Sign-In',
      'Devices',
      'Manage Avatar',
      'Keyboard shortcuts',
      'Terms of Use',
      'Privacy Policy',
      'Sign Out',
    ])
    // Sign Out is separated from harmless entries.
    const signOut = within(menu).getByRole('menuitem', { name: 'Sign Out' })
    expect(signOut.previousElementSibling).toHaveClass('MuiDivider-root')
    expect(within(menu).getByRole('menuitem', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy')
    expect(within(menu).getByRole('menuitem', { name: 'Terms of Use' })).toHaveAttribute('href', '/terms')
  })

  test('marks that there is no phone number', async () => {
    signedInAs()
    const user = open('/')
    const entry = within(await openMenu(user)).getByRole('menuitem', { name: 'Set Phone Number' })
    expect(entry.querySelector('.MuiBadge-dot')).not.toHaveClass('MuiBadge-invisible')
  })

  test('can be used with the keyboard, and gives the focus back', async () => {
    signedInAs()
    const user = open('/')
    const button = await screen.findByRole('button', { name: /^Account of/ })
    button.focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('menu')
    await user.keyboard('{ArrowDown}{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Change Password' })).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(button).toHaveFocus()
  })
})

/** Neither an extension nor a second number. */
const NO_OTHER = { phoneExtension: null, secondPhoneNumber: null, secondPhoneExtension: null }

describe('the phone number', () => {
  const field = () => screen.findByRole('textbox', { name: 'Phone number' })

  test('is set as people write it, and the menu shows it', async () => {
    const me = signedInAs()
    const sent = listen('patch', '/me', () => ({ ...me, phoneNumber: '+14165550123' }))
    const user = open('/')
    const dialog = await openDialog(user, 'Set Phone Number')
    const country = await within(dialog).findByRole('combobox', { name: /Country/ })
    expect(country).toHaveTextContent('CA')
    await waitFor(async () => expect(await field()).toHaveAttribute('placeholder', '+1'))
    await user.click(country)
    const offered = within(await screen.findByRole('listbox')).getAllByRole('option')
    expect(offered.map(({ textContent }) => textContent)).toEqual(['Canada +1', 'United States +1'])
    await user.keyboard('{Escape}')
    // A number of another country changes neither the typed text nor the chosen country.
    await user.type(await field(), '+1 212 555 0123')
    expect(await field()).toHaveValue('+1 212 555 0123')
    expect(country).toHaveTextContent('CA')
    await user.tab()
    expect(country).toHaveTextContent('US')
    await user.clear(await field())
    await user.type(await field(), '(416) 555-0123')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Your phone number was saved.')).toBeVisible()
    expect(sent).toEqual([{ phoneNumber: '+14165550123', ...NO_OTHER }])
    const entry = within(await openMenu(user)).getByRole('menuitem', { name: /\+1 416 555 0123/ })
    expect(entry.querySelector('.MuiBadge-dot')).toHaveClass('MuiBadge-invisible')
    await user.click(entry)
    expect(await screen.findByRole('dialog', { name: 'Change Phone Number' })).toBeVisible()
  })

  test('that is none is refused here', async () => {
    signedInAs()
    const sent = listen('patch', '/me', () => undefined)
    const user = open('/')
    const dialog = await openDialog(user, 'Set Phone Number')
    await waitFor(async () => expect(await field()).toHaveAttribute('placeholder', '+1'))
    await user.type(await field(), '+1 234')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Please enter a valid phone number.')).toBeVisible()
    expect(sent).toEqual([])
  })

  test('that only the server refuses is refused at the field too', async () => {
    signedInAs()
    const sentence = 'Please enter a valid phone number.'
    listen('patch', '/me', () =>
      HttpResponse.json(
        { ...aProblem(sentence, 'invalid'), fields: { phoneNumber: sentence } },
        { status: 400 },
      ),
    )
    const user = open('/')
    const dialog = await openDialog(user, 'Set Phone Number')
    await user.type(await field(), '+14165550123')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(await field()).toBeInvalid()
  })

  test('can be taken away', async () => {
    const me = signedInAs({ phoneNumber: '+14165550123' })
    const sent = listen('patch', '/me', () => ({ ...me, phoneNumber: null }))
    const user = open('/')
    const dialog = await openDialog(user, /416 555/, 'Change Phone Number')
    await user.clear(await field())
    await user.type(await field(), '+1')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Your phone number was removed.')).toBeVisible()
    expect(sent).toEqual([{ phoneNumber: null, ...NO_OTHER }])
  })

  test('stays typed when it could not be saved, and is not lost by mistake', async () => {
    signedInAs()
    listen('patch', '/me', () => failure())
    const user = open('/')
    const dialog = await openDialog(user, 'Set Phone Number')
    await user.type(await field(), '+14165550123')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Something went wrong.')).toBeInTheDocument()
    expect((await field()).getAttribute('value')?.replaceAll(' ', '')).toBe('+14165550123')
    // The pressed button was disabled meanwhile, so it could not keep the focus.
    await waitFor(() => expect(dialog.parentElement).toContainElement(document.activeElement as HTMLElement))
    await user.keyboard('{Escape}')
    expect(await screen.findByRole('dialog', { name: 'Discard changes?' })).toBeVisible()
  })

  /** Opens the second page of this visit, so that there is one to go back to. */
  const onSecondPage = async () => {
    signedInAs()
    answer('get', '/incident', { data: [], page: 0, size: 20, total: 0, people: [] })
    const user = open('/')
    await user.click((await screen.findAllByRole('link', { name: 'Incidents' }))[0]!)
    await waitFor(() => expect(location.pathname).toBe('/incidents'))
    await openDialog(user, 'Set Phone Number')
    await field()
    return user
  }

  test('that is typed is left by Back after a question only', async () => {
    const user = await onSecondPage()
    await user.type(await field(), '+14165550123')
    act(() => history.back())
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard changes?' })).toBeNull())
    expect((await field()).getAttribute('value')?.replaceAll(' ', '')).toBe('+14165550123')
    expect(location.pathname).toBe('/incidents')
    act(() => history.back())
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(location.pathname).toBe('/')
  })

  test('is left by Back at once where nothing is typed', async () => {
    await onSecondPage()
    act(() => history.back())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(location.pathname).toBe('/')
  })
})

describe('the password', () => {
  const NEW = 'Other-horse-10'
  async function fill(user: UserEvent, password: string, confirmation = password) {
    const dialog = await openDialog(user, 'Change Password')
    if (password) await user.type(within(dialog).getByLabelText('New password'), password)
    if (confirmation) await user.type(within(dialog).getByLabelText('Confirm password'), confirmation)
    await user.click(within(dialog).getByRole('button', { name: 'Change Password' }))
    return dialog
  }

  test('is changed', async () => {
    signedInAs()
    const sent = listen('patch', '/me/changePassword', () => undefined)
    const user = open('/')
    await fill(user, NEW)
    expect(await screen.findByText('Your password was changed.')).toBeVisible()
    expect(sent).toEqual([{ password: NEW }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test.each([
    ['', '', ['Please enter new password.', 'Please confirm new password.']],
    [NEW, '', ['Please confirm new password.']],
    [NEW, `${NEW}1`, ['Passwords must match.']],
    ['Aa1!xyz', 'Aa1!xyz', ['Password must be at least 8 characters long.']],
    ['aaaa111!', 'aaaa111!', ['Password must contain at least 1 uppercase letter.']],
  ])('%j, confirmed with %j, is not sent', async (password, confirmation, said) => {
    signedInAs()
    const sent = listen('patch', '/me/changePassword', () => undefined)
    const user = open('/')
    await fill(user, password, confirmation)
    for (const sentence of said) expect(await screen.findByText(sentence)).toBeVisible()
    expect(sent).toEqual([])
  })

  test('ticks each rule as it is fulfilled, and can be looked at', async () => {
    signedInAs()
    const user = open('/')
    const dialog = await openDialog(user, 'Change Password')
    const ticked = () =>
      within(dialog)
        .getAllByRole('listitem')
        .filter((item) => item.textContent?.includes('fulfilled')).length
    expect(ticked()).toBe(0)
    const field = within(dialog).getByLabelText('New password')
    await user.type(field, 'abcdefgh')
    expect(ticked()).toBe(4)
    await user.type(field, 'A9!')
    expect(ticked()).toBe(7)
    await user.type(within(dialog).getByLabelText('Confirm password'), 'abcdefghA9!')
    expect(ticked()).toBe(8)
    expect(field).toHaveAttribute('type', 'password')
    await user.click(within(dialog).getAllByRole('button', { name: 'Show what is typed' })[0]!)
    expect(field).toHaveAttribute('type', 'text')
  })

  test('that the server refuses says so at the field, and is kept', async () => {
    signedInAs()
    const sentence = "Please choose a password you haven't used before."
    listen('patch', '/me/changePassword', () => failure(400, sentence, 'invalid'))
    const user = open('/')
    const dialog = await fill(user, NEW)
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(within(dialog).getByLabelText('New password')).toBeInvalid()
    expect(within(dialog).getByLabelText('New password')).toHaveValue(NEW)
  })

  describe('of somebody who signed in some time ago', () => {
    const REQUIRED = 'verification_required'
    /** Answers the calls in order. */
    function refusedFirst(...replies: (Response | undefined)[]) {
      return listen('patch', '/me/changePassword', () => replies.shift())
    }
    const current = (dialog: HTMLElement) => within(dialog).findByLabelText('Current password')
    const press = (user: UserEvent, dialog: HTMLElement) =>
      user.click(within(dialog).getByRole('button', { name: 'Change Password' }))

    test('is changed with the current one, and what was typed is kept', async () => {
      signedInAs()
      const sent = refusedFirst(failure(403, 'Please confirm first that it is you.', REQUIRED))
      const user = open('/')
      const dialog = await fill(user, NEW)
      await waitFor(async () => expect(await current(dialog)).toHaveFocus())
      expect(within(dialog).getByText(/Please enter your current password as well/)).toBeVisible()
      expect(within(dialog).getByLabelText('New password')).toHaveValue(NEW)
      expect(within(dialog).getByLabelText('Confirm password')).toHaveValue(NEW)
      await press(user, dialog)
      expect(await within(dialog).findByText('Please enter your current password.')).toBeVisible()
      expect(sent).toHaveLength(1)
      await user.type(await current(dialog), 'Old-horse-9')
      await press(user, dialog)
      expect(await screen.findByText('Your password was changed.')).toBeVisible()
      expect(sent).toEqual([{ password: NEW }, { password: NEW, currentPassword: 'Old-horse-9' }])
    })

    test('says at the field that the current one is wrong', async () => {
      signedInAs()
      const sentence = 'The current password is not correct.'
      const wrong = { ...aProblem(sentence, 'invalid'), fields: { currentPassword: sentence } }
      refusedFirst(failure(403, 'x', REQUIRED), HttpResponse.json(wrong, { status: 400 }))
      const user = open('/')
      const dialog = await fill(user, NEW)
      await user.type(await current(dialog), 'Wrong-horse-9')
      await press(user, dialog)
      expect(await within(dialog).findByText(sentence)).toBeVisible()
      expect(await current(dialog)).toBeInvalid()
      expect(within(dialog).getByLabelText('New password')).toBeValid()
    })

    test('counts a lockout down', async () => {
      signedInAs()
      const locked = { ...aProblem('x', 'too_many_requests'), msUntilNextAttempt: 90_000 }
      refusedFirst(failure(403, 'x', REQUIRED), HttpResponse.json(locked, { status: 429 }))
      const user = open('/')
      const dialog = await fill(user, NEW)
      await user.type(await current(dialog), 'Wrong-horse-9')
      await press(user, dialog)
      expect(await within(dialog).findByText(/^Please wait 1 minute and \d+ seconds before/)).toBeVisible()
      expect(within(dialog).getByRole('button', { name: 'Change Password' })).toBeDisabled()
      expect(within(dialog).getByLabelText('New password')).toHaveValue(NEW)
    })

    test('is changed with a code instead', async () => {
      signedInAs()
      const sent = refusedFirst(failure(403, 'x', REQUIRED))
      answer('post', '/sfs/2fa', {
        secondFactorType: 'TOTP',
        initialized: true,
        confirmationCodeExpiryTimestamp: null,
        newConfirmationCodeExpiryTimestamp: null,
        verifiedUntil: null,
      })
      answer('post', '/sfs/2fa/confirm', { verifiedUntil: new Date(Date.now() + 900_000).toISOString() })
      const user = open('/')
      const dialog = await fill(user, NEW)
      await current(dialog)
      const useCode = () => user.click(within(dialog).getByText('Confirm with a code instead'))
      await useCode()
      const question = await screen.findByRole('dialog', { name: 'Two-Factor Verification' })
      await user.click(await within(question).findByRole('button', { name: 'Cancel' }))
      expect(await current(dialog)).toBeInTheDocument()
      await useCode()
      const again = await screen.findByRole('dialog', { name: 'Two-Factor Verification' })
      await user.type(await within(again).findByRole('textbox'), '123456')
      await user.click(within(again).getByRole('button', { name: 'Verify' }))
      expect(await screen.findByText('Your password was changed.')).toBeVisible()
      expect(sent).toEqual([{ password: NEW }, { password: NEW }])
    })
  })

  test.each([409, 500, 503])(
    'that could not be changed for another reason (%i) says that much',
    async (status) => {
      signedInAs()
      listen('patch', '/me/changePassword', () => failure(status))
      const user = open('/')
      const dialog = await fill(user, NEW)
      expect(await within(dialog).findByText('Something went wrong.')).toBeVisible()
    },
  )
})

describe('the picture', () => {
  // Node's own class, to match the form that carries it, which is not this document's.
  const image = (name = 'me.png', bytes = 'pixels') =>
    new NodeFile([bytes], name, { type: 'image/png' }) as unknown as File
  const webp = () => new HttpResponse('converted', { headers: { 'Content-Type': 'image/webp' } })
  beforeEach(() => {
    let made = 0
    vi.stubGlobal(
      'URL',
      class extends URL {
        static override createObjectURL = () => `blob:preview-${++made}`
        static override revokeObjectURL = () => undefined
      },
    )
  })
  const chooser = () => document.querySelector<HTMLInputElement>('input[type=file]')!
  const save = (dialog: HTMLElement) => within(dialog).getByRole('button', { name: 'Save' })

  test('is converted by the server, shown, and saved', async () => {
    const me = signedInAs()
    const previews = listen('post', '/profileImage/convertedImagePreview', webp)
    const saves = listen('post', '/profileImage', () => ({ url: '/api/profileImage/mi_new' }))
    const user = open('/')
    const dialog = await openDialog(user, 'Manage Avatar')
    expect(within(dialog).getByRole('img', { name: 'Your picture as it is now' })).toHaveTextContent('AL')
    expect(save(dialog)).toBeDisabled()
    await user.upload(chooser(), image())
    expect(await within(dialog).findByRole('img', { name: 'Your picture as it will be' })).toBeVisible()
    expect(dialog.querySelector('img')).toHaveAttribute('src', 'blob:preview-1')
    expect(previews).toHaveLength(1)
    expect(saves).toHaveLength(0)
    answer('get', '/me', {
      user: { ...me, profileImageUrl: '/api/profileImage/mi_new' },
      userPermissions: ['dashboard'],
    })
    await user.click(save(dialog))
    expect(await screen.findByText('Your picture was saved.')).toBeVisible()
    expect(saves).toEqual([expect.stringMatching(/^multipart\/form-data/)])
    const header = screen.getByRole('button', { name: /^Account of/ })
    expect(header.querySelector('img')).toHaveAttribute('src', 'http://muster.test/api/profileImage/mi_new')
  })

  test('is dropped on the field', async () => {
    signedInAs()
    const previews = listen('post', '/profileImage/convertedImagePreview', webp)
    const user = open('/')
    const dialog = await openDialog(user, 'Manage Avatar')
    const field = within(dialog).getByText('or drop one here').parentElement!
    const drop = new Event('drop', { bubbles: true, cancelable: true })
    Object.assign(drop, { dataTransfer: { files: [image()], types: ['Files'] } })
    field.dispatchEvent(drop)
    expect(await within(dialog).findByRole('img', { name: 'Your picture as it will be' })).toBeVisible()
    expect(drop.defaultPrevented).toBe(true)
    expect(previews).toHaveLength(1)
  })

  test('stays as it was when the choice is left', async () => {
    signedInAs()
    listen('post', '/profileImage/convertedImagePreview', webp)
    const saves = listen('post', '/profileImage', () => ({ url: '/x' }))
    const user = open('/')
    const dialog = await openDialog(user, 'Manage Avatar')
    await user.upload(chooser(), image())
    await within(dialog).findByRole('img', { name: 'Your picture as it will be' })
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(saves).toEqual([])
  })

  test('that is too large is not sent', async () => {
    signedInAs()
    const previews = listen('post', '/profileImage/convertedImagePreview', webp)
    const user = open('/')
    const dialog = await openDialog(user, 'Manage Avatar')
    await user.upload(chooser(), image('large.png', 'x'.repeat(7 * 1024 * 1024 + 1)))
    expect(await within(dialog).findByText('The image must be less than 7 MB.')).toBeVisible()
    expect(previews).toEqual([])
    expect(save(dialog)).toBeDisabled()
  })

  test.each([
    [415, 'Please choose a JPEG, PNG or BMP image.', 'Please choose a JPEG, PNG or BMP image.'],
    [
      400,
      'An unexpected error occurred while converting the image.',
      'An unexpected error occurred while converting the image.',
    ],
  ])('that the server does not take (%i) says why', async (status, message, said) => {
    signedInAs()
    listen('post', '/profileImage/convertedImagePreview', () => failure(status, message, 'refused'))
    const user = open('/')
    const dialog = await openDialog(user, 'Manage Avatar')
    await user.upload(chooser(), image())
    expect(await within(dialog).findByText(said)).toBeVisible()
    expect(save(dialog)).toBeDisabled()
  })

  test('that could not be converted is tried again', async () => {
    signedInAs()
    let tries = 0
    listen('post', '/profileImage/convertedImagePreview', () => (++tries === 1 ? failure() : webp()))
    const user = open('/')
    const dialog = await openDialog(user, 'Manage Avatar')
    await user.upload(chooser(), image())
    expect(
      await within(dialog).findByText('An unexpected error occurred while converting the image.'),
    ).toBeVisible()
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }))
    expect(await within(dialog).findByRole('img', { name: 'Your picture as it will be' })).toBeVisible()
  })

  test('that could not be saved stays to be saved', async () => {
    signedInAs()
    listen('post', '/profileImage/convertedImagePreview', webp)
    let tries = 0
    listen('post', '/profileImage', () => (++tries === 1 ? failure() : { url: '/x' }))
    const user = open('/')
    const dialog = await openDialog(user, 'Manage Avatar')
    await user.upload(chooser(), image())
    await within(dialog).findByRole('img', { name: 'Your picture as it will be' })
    await user.click(save(dialog))
    expect(
      await within(dialog).findByText('An unexpected error occurred while saving the changes.'),
    ).toBeVisible()
    await user.click(save(dialog))
    expect(await screen.findByText('Your picture was saved.')).toBeVisible()
  })

  test('is removed', async () => {
    signedInAs({ profileImageUrl: '/api/profileImage/mi_old' })
    const removed = listen('delete', '/profileImage', () => undefined)
    const user = open('/')
    const dialog = await openDialog(user, 'Manage Avatar')
    await user.click(within(dialog).getByRole('button', { name: 'Remove Picture' }))
    expect(await screen.findByText('Your picture was removed.')).toBeVisible()
    expect(removed).toHaveLength(1)
  })
})

describe('devices', () => {
  const device = (changes: Partial<Device> = {}): Device => ({
    id: crypto.randomUUID(),
    name: 'Firefox on Linux',
    kind: 'DESKTOP',
    address: '192.0.2.7',
    createTimestamp: new Date(Date.now() - 3_600_000).toISOString(),
    lastActiveTimestamp: new Date().toISOString(),
    current: false,
    ...changes,
  })
  const here = device({ current: true, name: 'Chrome on Windows' })
  const there = device()
  const unknown = device({ name: null, kind: 'UNKNOWN' })

  test('are listed, this one marked', async () => {
    signedInAs()
    answer('get', '/me/sessions', [here, there, unknown])
    const user = open('/')
    const dialog = await openDialog(user, 'Devices')
    const rows = await within(dialog).findAllByText(/192\.0\.2\.7/)
    expect(rows).toHaveLength(3)
    const [first, ...others] = within(dialog).getAllByRole('listitem')
    expect(first).toHaveTextContent('Chrome on Windows')
    expect(first).toHaveTextContent('This device')
    expect(within(first!).queryByRole('button')).toBeNull()
    expect(others.map((row) => within(row).getByRole('button').getAttribute('aria-label'))).toEqual([
      'Sign out this device: Firefox on Linux',
      'Sign out this device: Unknown device',
    ])
  })

  test('are signed out one by one, after a question', async () => {
    signedInAs()
    answer('get', '/me/sessions', [here, there])
    const gone: string[] = []
    server.use(
      http.delete(`${API}/me/sessions/:id`, ({ params }) => {
        gone.push(String(params['id']))
        answer('get', '/me/sessions', [here])
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const user = open('/')
    const dialog = await openDialog(user, 'Devices')
    await user.click(await within(dialog).findByRole('button', { name: /^Sign out this device/ }))
    const question = await screen.findByRole('dialog', { name: 'Sign out this device?' })
    expect(question).toHaveTextContent('Firefox on Linux (192.0.2.7) will be signed out at once.')
    expect(gone).toEqual([])
    await user.click(within(question).getByRole('button', { name: 'Sign Out' }))
    expect(await screen.findByText('Firefox on Linux was signed out.')).toBeInTheDocument()
    expect(gone).toEqual([there.id])
    expect(await screen.findByText('You are signed in nowhere else.')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Sign Out All Other Devices' })).toBeNull()
  })

  test('are signed out all at once', async () => {
    signedInAs()
    answer('get', '/me/sessions', [here, there, unknown])
    const asked = listen('delete', '/me/sessions', () => undefined)
    const user = open('/')
    const dialog = await openDialog(user, 'Devices')
    await user.click(await within(dialog).findByRole('button', { name: 'Sign Out All Other Devices' }))
    const question = await screen.findByRole('dialog', { name: 'Sign out all other devices?' })
    expect(question).toHaveTextContent('2 devices will be signed out at once. This one stays.')
    await user.click(within(question).getByRole('button', { name: 'Sign Out' }))
    expect(await screen.findByText('All other devices were signed out.')).toBeInTheDocument()
    expect(asked).toHaveLength(1)
  })

  test('that sign in meanwhile appear', async () => {
    signedInAs()
    answer('get', '/me/sessions', [here])
    const user = open('/')
    const dialog = await openDialog(user, 'Devices')
    await within(dialog).findByText('Chrome on Windows')
    await waitFor(() => expect(FakeSocket.last).toBeDefined())
    FakeSocket.last!.say({ type: 'ready', sequence: 1 })
    answer('get', '/me/sessions', [here, there])
    FakeSocket.last!.say({
      type: 'event',
      sequence: 2,
      noun: 'sessions',
      record: there.id,
      verb: 'started',
      parent: aUser().uuid,
    })
    expect(await within(dialog).findByText('Firefox on Linux')).toBeVisible()
  })

  test('that could not be listed are asked for again', async () => {
    signedInAs()
    answer('get', '/me/sessions', aProblem('x', 'unexpected'), 404)
    const user = open('/')
    const dialog = await openDialog(user, 'Devices')
    const again = await within(dialog).findByRole('button', { name: 'Try again' })
    answer('get', '/me/sessions', [here])
    await user.click(again)
    expect(await within(dialog).findByText('Chrome on Windows')).toBeVisible()
  })
})

describe('the terms', () => {
  const dialog = () => screen.findByRole('dialog', { name: 'Action Required' })

  test('stand before everything until they are accepted', async () => {
    const me = signedInAs({ acceptedTerms: false })
    const sent = listen('patch', '/me', () => ({ ...me, acceptedTerms: true }))
    const user = open('/')
    const shown = await dialog()
    expect(
      within(shown)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Logout', 'I Agree'])
    const links = within(shown).getAllByRole('link')
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('target')])).toEqual([
      ['/terms', '_blank'],
      ['/privacy', '_blank'],
    ])
    await user.keyboard('{Escape}')
    await user.click(document.querySelector('.MuiDialog-container')!)
    expect(shown).toBeVisible()
    expect(sent).toEqual([])
    await user.click(within(shown).getByRole('button', { name: 'I Agree' }))
    expect(await screen.findByText('Terms accepted successfully.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toEqual([{ acceptedTerms: true }])
  })

  test('are not asked for again', async () => {
    signedInAs()
    open('/')
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('that could not be accepted stay', async () => {
    signedInAs({ acceptedTerms: false })
    listen('patch', '/me', () => failure())
    const user = open('/')
    await user.click(within(await dialog()).getByRole('button', { name: 'I Agree' }))
    expect(await screen.findByText('An unexpected error occurred, please try again later.')).toBeVisible()
    expect(await dialog()).toBeVisible()
  })

  test('can be left by signing out', async () => {
    signedInAs({ acceptedTerms: false })
    const asked = listen('post', '/authentication/logout', () => undefined)
    const user = open('/')
    await user.click(within(await dialog()).getByRole('button', { name: 'Logout' }))
    expect(await screen.findByLabelText('Email')).toBeVisible()
    expect(location.pathname).toBe('/login')
    await waitFor(() => expect(asked).toHaveLength(1))
  })
})

describe('a new password that an administrator asks for', () => {
  test('stands in place of the application until it is chosen', async () => {
    const me = signedInAs({ passwordChangeRequired: true })
    const sent = listen('patch', '/me/changePassword', () => {
      const { permissions } = sessionData()
      answer('get', '/me', { user: { ...me, passwordChangeRequired: false }, userPermissions: permissions })
      return undefined
    })
    const user = open('/')
    const shown = await screen.findByRole('dialog', { name: 'Change Password' })
    expect(within(shown).getByText(/^Your administrator asks you to choose a new password/)).toBeVisible()
    expect(within(shown).getByRole('button', { name: 'Logout' })).toBeVisible()
    expect(screen.queryByRole('navigation')).toBeNull()
    await user.type(within(shown).getByLabelText('New password'), 'Quite.New.7')
    await user.type(within(shown).getByLabelText('Confirm password'), 'Quite.New.7')
    await user.click(within(shown).getByRole('button', { name: 'Change Password' }))
    expect(await screen.findByText('Safe')).toBeVisible()
    expect(sent).toEqual([{ password: 'Quite.New.7' }])
  })
})

describe('without a picture', () => {
  test('initials stand on a colour that the length of the name chooses', async () => {
    const { Initials } = await import('#src/kit/layout/Initials.tsx')
    const { render } = await import('@testing-library/react')
    const colorOf = (firstName: string, lastName: string) => {
      const { container, unmount } = render(<Initials firstName={firstName} lastName={lastName} />)
      const color = getComputedStyle(container.firstElementChild!).backgroundColor
      const letters = container.textContent
      unmount()
      return { color, letters }
    }
    const [ada, bob, christa] = [
      colorOf('Ada', 'Lovelace'),
      colorOf('Bob', 'Marleyxy'),
      colorOf('Christa', 'Lovelace-Ng'),
    ]
    expect(ada.letters).toBe('AL')
    expect(bob.letters).toBe('BM')
    expect(bob.color).toBe(ada.color)
    expect(christa.color).not.toBe(ada.color)
  })

  test('or with one that cannot be loaded, the initials are shown', async () => {
    vi.stubGlobal(
      'Image',
      class {
        onerror: (() => void) | undefined
        set src(_: string) {
          queueMicrotask(() => this.onerror?.())
        }
      },
    )
    signedInAs({ profileImageUrl: '/api/profileImage/mi_gone' })
    open('/')
    const button = await screen.findByRole('button', { name: /^Account of/ })
    await waitFor(() => expect(button).toHaveTextContent('AL'))
  })
})
