import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import type { User, UserHistoryEntry } from '#contract/users/schema.ts'
import {
  aDashboard,
  answer,
  API,
  aProblem,
  aUser,
  change,
  FakeSocket,
  open,
  server,
  pageReloads,
  sessionEnds,
  signedIn,
} from '#tests/support/client.tsx'
import { filterNow, filteredBy, onAPhone, receive, serveList } from '#tests/support/client-lists.ts'
import { peopleAre } from '#tests/support/client-people.ts'
import { aListedUser } from '#tests/support/client-users.ts'

const PATH = '/useradmin/users'
const ROLES = [
  { role: 'USER', visibleName: 'User', description: 'Works in incidents.' },
  { role: 'ADMIN', visibleName: 'Admin', description: 'Administers everything.' },
  { role: 'BUSINESS_USER', visibleName: 'Business User', description: 'Follows incidents.' },
]
const ana = aListedUser({ firstName: 'Ana', lastName: 'Silva', email: 'ana@demo.example' })
const archived = aListedUser({
  firstName: 'Zoe',
  lastName: 'Old',
  email: 'zoe@demo.example',
  active: false,
})

beforeEach(() => {
  signedIn()
  answer('get', '/useradmin/roles', ROLES)
  answer('get', '/config', { nameCharacters: 'STANDARD', twilioAllowedCountryCodes: ['CA', 'US'] })
})

function opened(rows: readonly User[] = [ana, archived], path = '/user-admin') {
  for (const row of rows) answer('get', `/useradmin/user/${row.uuid}`, row)
  const asked = serveList(PATH, () => rows)
  return { asked, user: open(path) }
}
const form = (name: string) => screen.findByRole('dialog', { name })
const field = (name: RegExp | string) => screen.findByLabelText(name)

describe('the table', () => {
  test('has numbers that can be called, in the groups of their country', async () => {
    opened([
      aListedUser({
        lastName: 'A',
        phoneNumber: '+442079460958',
        phoneExtension: '12',
        secondPhoneNumber: '+14165550123',
      }),
      aListedUser({ lastName: 'B' }),
    ])
    const first = await screen.findByRole('link', { name: '+44 20 7946 0958 ext. 12' })
    expect(first).toHaveAttribute('href', 'tel:+442079460958;ext=12')
    expect(screen.getByRole('link', { name: '+1 416 555 0123' })).toHaveAttribute('href', 'tel:+14165550123')
    expect(screen.getAllByText('–').length).toBeGreaterThan(0)
  })

  test('shows who they are and where they stand', async () => {
    const states = [
      aListedUser({ lastName: 'A' }),
      aListedUser({ lastName: 'B', lastLoginTimestamp: null }),
      aListedUser({ lastName: 'C', lastLoginTimestamp: null, hasPasswordSet: false }),
      aListedUser({
        lastName: 'D',
        lastLoginTimestamp: null,
        hasPasswordSet: false,
        wasSentActivationEmail: false,
      }),
      aListedUser({ lastName: 'E', active: false }),
    ]
    opened(states, `/user-admin?${filteredBy({ archived: true })}`)
    const rows = await screen.findAllByText(
      /^(Active|Has Set Password|Sent Activation Email|Uninitialized|Archived)$/,
    )
    expect(rows.map((row) => row.textContent)).toEqual([
      'Active',
      'Has Set Password',
      'Sent Activation Email',
      'Uninitialized',
      'Archived',
    ])
    // Only unusual statuses have an icon.
    expect(rows.map((row) => row.querySelector('svg') !== null)).toEqual([false, false, true, true, true])
    for (const name of [
      'Name',
      'Email',
      'Phone',
      'Role',
      'Type',
      'Status',
      'Location',
      'Department',
      'Last Login',
    ])
      await waitFor(() => expect(screen.getAllByText(name).at(-1)).toBeVisible())
  })

  test('holds archived people only while the toggle is on', async () => {
    const { asked, user } = opened()
    // A table becomes visible once it is complete.
    await waitFor(() => expect(screen.getByText('Ana Silva')).toBeVisible())
    expect(screen.queryByText('Zoe Old')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show archived' }))
    expect(await screen.findByText('Zoe Old')).toBeVisible()
    expect(asked.at(-1)?.filter).toEqual({})
    expect(filterNow()).toEqual({ archived: true })
    expect(screen.getByRole('button', { name: 'Show archived' })).toHaveAttribute('aria-pressed', 'true')
  })

  test('offers for an archived person nothing but their history and the way back', async () => {
    const { user } = opened(undefined, `/user-admin?${filteredBy({ archived: true })}`)
    await user.click(await screen.findByLabelText('Actions for Zoe Old'))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'View History',
      'Reactivate',
    ])
  })

  test('does not offer people to deactivate themselves', async () => {
    const { user } = opened([aListedUser(aUser())])
    await user.click(await screen.findByLabelText('Actions for Ada Lovelace'))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Edit',
      'View History',
      'Send Password Reset Email',
      'Send Activation Email',
      'Reset Authenticator Enrolment',
    ])
  })
})

describe('adding', () => {
  const typed = async (user: ReturnType<typeof open>) => {
    await user.click(await screen.findByRole('button', { name: 'Add User' }))
    await form('Add User')
    await user.type(await field(/^First Name/), 'Ana')
    await user.type(await field(/^Last Name/), 'de la Cruz')
    await user.click(await field(/^Email/))
    // Pasted with invisible characters.
    await user.paste('\u200bAna@Demo.example\u00ad ')
  }
  const submit = async (user: ReturnType<typeof open>) =>
    user.click(within(await form('Add User')).getByRole('button', { name: 'Add User' }))

  test('sends what was typed, as a user who is told by mail', async () => {
    const { user } = opened()
    const bodies = receive('post', '/useradmin/user', (body) => ({ ...ana, ...body }))
    await typed(user)
    expect(screen.getByRole('combobox', { name: 'Role' })).toHaveTextContent('User')
    expect(await screen.findByText('Works in incidents.')).toBeVisible()
    expect(screen.getByRole('checkbox', { name: 'Send activation email' })).toBeChecked()
    await user.type(await field('Phone'), '(416) 555-0123')
    await user.type(await field('Location'), 'Toronto')
    await submit(user)
    expect(await screen.findByText('User created successfully.')).toBeVisible()
    expect(bodies).toEqual([
      {
        firstName: 'Ana',
        lastName: 'de la Cruz',
        email: 'ana@demo.example',
        phoneNumber: '+14165550123',
        phoneExtension: null,
        secondPhoneNumber: null,
        secondPhoneExtension: null,
        role: 'USER',
        type: 'INTERNAL',
        location: 'Toronto',
        department: null,
        deputy: null,
        active: true,
        passwordChangeRequired: false,
        sendWelcomeSetPasswordEmail: true,
      },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('offers the roles of the server, with what they mean', async () => {
    const { user } = opened()
    await typed(user)
    await screen.findByText('Works in incidents.')
    await user.click(screen.getByRole('combobox', { name: 'Role' }))
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'UserWorks in incidents.',
      'AdminAdministers everything.',
      'Business UserFollows incidents.',
    ])
  })

  test('says at each field what is wrong with it', async () => {
    const { user } = opened()
    await user.click(await screen.findByRole('button', { name: 'Add User' }))
    await form('Add User')
    await submit(user)
    expect(await screen.findByText('Please enter a first name.')).toBeVisible()
    expect(screen.getByText('Please enter a last name.')).toBeVisible()
    expect(screen.getByText('Please enter a valid email address.')).toBeVisible()
    expect(await field(/^First Name/)).toHaveFocus()
    await user.type(await field(/^First Name/), 'An4')
    expect(await screen.findByText('Only alphabetical characters and spaces are allowed.')).toBeVisible()
  })

  test('takes a bare country code for no number, and refuses half a one', async () => {
    const { user } = opened()
    const bodies = receive('post', '/useradmin/user', (body) => ({ ...ana, ...body }))
    await typed(user)
    await user.type(await field('Phone'), '+1 416 555')
    await submit(user)
    expect(await screen.findByText('Only valid phone numbers are allowed.')).toBeVisible()
    await user.clear(await field('Phone'))
    await user.type(await field('Phone'), '+1')
    await submit(user)
    await waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]?.['phoneNumber']).toBeNull()
  })

  test('shows a refusal of the server at its field and keeps what was typed', async () => {
    const { user } = opened()
    const taken = 'A user with this email address already exists.'
    await typed(user)
    answer('post', '/useradmin/user', { ...aProblem(taken, 'conflict'), fields: { email: taken } }, 409)
    await submit(user)
    expect(await screen.findByText(taken)).toBeVisible()
    expect(await field(/^Email/)).toHaveAccessibleDescription(taken)
    expect(await field(/^First Name/)).toHaveValue('Ana')
  })

  test.each([
    [400, aProblem('The organization is full.'), 'The organization is full.'],
    [500, {}, 'Something went wrong.'],
  ])('shows a failure (%i) in the words that there are', async (status, body, words) => {
    const { user } = opened()
    await typed(user)
    answer('post', '/useradmin/user', body, status)
    await submit(user)
    expect(await screen.findByRole('alert')).toHaveTextContent(words)
    expect(await field(/^First Name/)).toHaveValue('Ana')
  })

  test('warns where the organization pays for no more users', async () => {
    answer('get', '/dashboard', aDashboard([], { currentUsers: 50, maxUsers: 50 }))
    const { user } = opened()
    await typed(user)
    expect(
      await screen.findByText(
        'Your organization has used 50 of its 50 users. Adding another one may result in additional charges.',
      ),
    ).toBeVisible()
    receive('post', '/useradmin/user', (body) => ({ ...ana, ...body }))
    await submit(user)
    expect(await screen.findByText('User created successfully.')).toBeVisible()
  })

  test('asks before it throws away what was typed', async () => {
    const { user } = opened()
    await typed(user)
    await user.keyboard('{Escape}')
    const question = await form('Discard changes?')
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
    expect(await field(/^First Name/)).toHaveValue('Ana')
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await user.click(within(await form('Discard changes?')).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(location.search).toBe('')
  })

  test('asks the same before Back throws it away', async () => {
    const { user } = opened()
    await typed(user)
    act(() => history.back())
    await user.click(within(await form('Discard changes?')).getByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard changes?' })).toBeNull())
    expect(await field(/^First Name/)).toHaveValue('Ana')
    expect(location.search).toBe('?create=1')
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
    act(() => history.back())
    await user.click(within(await form('Discard changes?')).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(location.search).toBe('')
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
  })

  test('is left by Back without a question where nothing is typed', async () => {
    const { user } = opened()
    await user.click(await screen.findByRole('button', { name: 'Add User' }))
    await field(/^First Name/)
    act(() => history.back())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('editing', () => {
  const PERSON = `/useradmin/user/${ana.uuid}`
  const edited = async (row: User = ana) => {
    const { user } = opened([row])
    await user.click(await screen.findByRole('button', { name: `${row.firstName} ${row.lastName}` }))
    await form('Edit User')
    return user
  }

  test('keeps the address, and sends no mail unless asked', async () => {
    const user = await edited()
    const bodies = receive('put', PERSON, (body) => ({ ...ana, ...body }))
    expect(await field(/^Email/)).toHaveAttribute('readonly')
    expect(screen.queryByRole('checkbox')).toBeNull()
    await user.type(await field('Department'), 'Legal')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('User updated successfully.')).toBeVisible()
    expect(bodies[0]).toMatchObject({ department: 'Legal', version: 1, sendWelcomeSetPasswordEmail: false })
  })

  test('asks nothing once it is saved, and Back asks before the next change is lost', async () => {
    const user = await edited()
    receive('put', PERSON, (body) => ({ ...ana, ...body }))
    await user.type(await field('Department'), 'Legal')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Ana Silva' }))
    await user.type(await field('Location'), 'Oslo')
    act(() => history.back())
    expect(await form('Discard changes?')).toBeVisible()
  })

  test('leaves a playbook manager the role', async () => {
    const manager: User = { ...ana, role: 'PLAYBOOK_MANAGER' }
    const user = await edited(manager)
    const bodies = receive('put', PERSON, (body) => ({ ...manager, ...body }))
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Role' })).toHaveTextContent('Playbook Manager'),
    )
    await user.type(await field('Location'), 'Lagos')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(bodies[0]?.['role']).toBe('PLAYBOOK_MANAGER'))
  })

  test('opens from a link, and not for an archived person', async () => {
    opened(undefined, `/user-admin?edit=${archived.uuid}`)
    const said = within(await form('Edit User'))
    expect(await said.findByText('This cannot be edited any more.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  test.each([
    [404, aProblem('This user does not exist.', 'not_found')],
    [400, aProblem('Invalid input', 'invalid')],
  ])('says of a link to nobody that nobody is there (%i), and closes', async (status, body) => {
    answer('get', '/useradmin/user/nobody', body, status)
    serveList(PATH, () => [ana])
    const user = open('/user-admin?edit=nobody')
    const said = within(await form('Edit User'))
    expect(await said.findByText('This does not exist any more.')).toBeVisible()
    await user.click(said.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  const changedMeanwhile = async (now: User) => {
    let asked = false
    server.use(
      http.get(`${API}${PERSON}`, () => {
        asked = true
        return HttpResponse.json(now)
      }),
    )
    act(() => {
      FakeSocket.last!.say({ type: 'ready', sequence: 1 })
      FakeSocket.last!.say({
        type: 'event',
        sequence: 2,
        noun: 'users',
        record: ana.uuid,
        verb: 'updated',
        parent: null,
      })
    })
    await waitFor(() => expect(asked).toBe(true))
  }

  test('goes on from what others change while something else is typed', async () => {
    const user = await edited()
    await user.type(await field('Department'), 'Legal')
    const theirs: User = { ...ana, location: 'Oslo', version: 2 }
    await changedMeanwhile(theirs)
    await waitFor(async () => expect(await field('Location')).toHaveValue('Oslo'))
    expect(await field('Department')).toHaveValue('Legal')
    const bodies = receive('put', PERSON, (body) => ({ ...theirs, ...body }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('User updated successfully.')).toBeVisible()
    expect(bodies[0]).toMatchObject({ department: 'Legal', location: 'Oslo', version: 2 })
  })

  test('does not go over what others type in the same field', async () => {
    const user = await edited()
    await user.type(await field('Department'), 'Legal')
    await changedMeanwhile({ ...ana, department: 'Finance', location: 'Oslo', version: 2 })
    const bodies = receive('put', PERSON, (body) => ({ ...ana, ...body }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(bodies[0]).toMatchObject({ department: 'Legal', version: 1 }))
  })

  test('keeps what is typed of somebody who is archived meanwhile, and says so when it is saved', async () => {
    const user = await edited()
    await user.type(await field('Department'), 'Legal')
    await changedMeanwhile({ ...ana, active: false, version: 2 })
    const refusal = 'An archived user cannot be edited. Reactivate the user first.'
    answer('put', PERSON, aProblem(refusal, 'conflict'), 409)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(refusal)
    expect(await field('Department')).toHaveValue('Legal')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await form('Discard changes?')).toBeVisible()
  })

  describe('when the session ends', () => {
    const LINK = `/user-admin?edit=${ana.uuid}`
    const endedWhileTyping = async (ending: string) => {
      const { user } = opened([ana], LINK)
      await user.type(await field('Department'), 'Legal')
      await sessionEnds(ending)
    }

    test('keeps what is typed for the same person, who comes back to it', async () => {
      await endedWhileTyping('expired')
      expect(history.state).toEqual({ next: LINK })
      signedIn()
      const user = open(LINK)
      await waitFor(async () => expect(await field('Department')).toHaveValue('Legal'))
      expect(screen.getByText(/^What you typed before you were signed out is back/)).toBeVisible()
      const bodies = receive('put', PERSON, (body) => ({ ...ana, ...body }))
      await user.click(screen.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(bodies[0]).toMatchObject({ department: 'Legal', location: ana.location }))
    })

    test.each([
      ['gives it up for who signed out', 'left', {}],
      ['shows it to nobody else', 'expired', { uuid: '5f0a6d0a-7b1c-4c57-9d0b-1f6f7c1f0c11' }],
    ])('%s', async (_, ending, another) => {
      await endedWhileTyping(ending)
      signedIn()
      change(another)
      open(LINK)
      expect(await field('Department')).toHaveValue(ana.department ?? '')
      expect(screen.queryByText(/^What you typed before/)).toBeNull()
      expect(sessionStorage.getItem('muster.drafts')).toBeNull()
    })
  })

  test('keeps what is typed over a reload', async () => {
    const link = `/user-admin?edit=${ana.uuid}`
    const { user } = opened([ana], link)
    await user.type(await field('Department'), 'Legal')
    await pageReloads()
    open(link)
    // The toast disappears soon, so it is checked first.
    expect(await screen.findByText(/^What you typed before the page was reloaded is back/)).toBeVisible()
    expect(await field('Department')).toHaveValue('Legal')
  })

  test('says who was faster, keeps what was typed and shows what they changed', async () => {
    const user = await edited()
    await user.clear(await field('Department'))
    await user.type(await field('Department'), 'Legal')
    const theirs: User = { ...ana, department: 'Finance', location: 'Oslo', version: 2 }
    const refusal = 'Maya Lindqvist changed this meanwhile. Your changes were not saved.'
    answer('put', PERSON, aProblem(refusal, 'stale'), 409)
    answer('get', PERSON, theirs)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(refusal)
    expect(await field('Department')).toHaveValue('Legal')
    expect(await field('Department')).toHaveAccessibleDescription('Changed meanwhile to: Finance')
    expect(await field('Location')).toHaveValue('Oslo')
    const bodies = receive('put', PERSON, (body) => ({ ...theirs, ...body }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('User updated successfully.')).toBeVisible()
    expect(bodies[0]).toMatchObject({ department: 'Legal', location: 'Oslo', version: 2 })
  })
})

describe('helping somebody in', () => {
  const chosen = async (action: string) => {
    const { user } = opened()
    await user.click(await screen.findByLabelText('Actions for Ana Silva'))
    await user.click(screen.getByRole('menuitem', { name: action }))
    return user
  }
  const RESET = `/useradmin/user/removeAuthenticatorInitialization/${ana.uuid}`

  test.each([
    ['Send Password Reset Email', 'forgotPassword', 'Password reset email sent to ana@demo.example.'],
    ['Send Activation Email', 'sendWelcomeEmail', 'Activation email sent to ana@demo.example.'],
  ])('%s says that it went out, or that it did not', async (action, path, words) => {
    answer('get', `/useradmin/user/${path}/${ana.uuid}`, undefined)
    const user = await chosen(action)
    expect(await screen.findByText(words)).toBeVisible()
    answer('get', `/useradmin/user/${path}/${ana.uuid}`, {}, 500)
    await user.click(await screen.findByLabelText('Actions for Ana Silva'))
    await user.click(screen.getByRole('menuitem', { name: action }))
    expect(await screen.findByText('Something went wrong.')).toBeVisible()
  })

  test('signs all devices of somebody out after asking', async () => {
    const path = `/useradmin/user/${ana.uuid}/sessions`
    answer('delete', path, undefined)
    const user = await chosen('Sign Out All Devices')
    const question = await form('Sign out all devices?')
    expect(question).toHaveTextContent(
      'Ana Silva (ana@demo.example) will be signed out everywhere at once, and can sign in again.',
    )
    await user.click(within(question).getByRole('button', { name: 'Sign Out All Devices' }))
    expect(await screen.findByText('ana@demo.example has been signed out on all devices.')).toBeVisible()
    answer('delete', path, {}, 500)
    await user.click(await screen.findByLabelText('Actions for Ana Silva'))
    await user.click(screen.getByRole('menuitem', { name: 'Sign Out All Devices' }))
    const again = await form('Sign out all devices?')
    await user.click(within(again).getByRole('button', { name: 'Sign Out All Devices' }))
    expect(await screen.findByText('Error signing out ana@demo.example.')).toBeVisible()
  })

  test('resets an authenticator app after asking', async () => {
    answer('delete', RESET, undefined)
    const user = await chosen('Reset Authenticator Enrolment')
    const question = await form('Reset authenticator enrolment?')
    expect(question).toHaveTextContent('Ana Silva (ana@demo.example)')
    await user.click(within(question).getByRole('button', { name: 'Reset Authenticator Enrolment' }))
    expect(await screen.findByText('TOTP enrolment has been reset for ana@demo.example.')).toBeVisible()
  })

  test.each([
    [400, aProblem('This user has not enrolled an authenticator app.')],
    [500, {}],
  ])('says why an authenticator app was not reset (%i)', async (status, body) => {
    answer('delete', RESET, body, status)
    const user = await chosen('Reset Authenticator Enrolment')
    const question = await form('Reset authenticator enrolment?')
    await user.click(within(question).getByRole('button', { name: 'Reset Authenticator Enrolment' }))
    const words =
      status === 400
        ? 'This user has not enrolled an authenticator app.'
        : "An error occurred while resetting the user's TOTP enrolment."
    expect(await screen.findByText(words)).toBeVisible()
  })
})

describe('the history', () => {
  const at = '2026-01-05T10:00:00.000Z'
  const entry = (changes: Partial<UserHistoryEntry>): UserHistoryEntry => ({
    id: crypto.randomUUID(),
    event: 'CREATED',
    createTimestamp: at,
    actor: null,
    changes: [],
    ...changes,
  })
  const shown = async (userHistoryEntities: readonly UserHistoryEntry[]) => {
    const { user } = opened()
    answer('get', `/useradmin/user/${ana.uuid}`, { ...ana, userHistoryEntities: [...userHistoryEntities] })
    peopleAre([ana])
    await user.click(await screen.findByLabelText('Actions for Ana Silva'))
    await user.click(screen.getByRole('menuitem', { name: 'View History' }))
    return { user, history: await form('History of Ana Silva') }
  }

  test('tells what happened, when, by whom, and what became what', async () => {
    const { user, history } = await shown([
      entry({
        event: 'UPDATED',
        actor: 'ana@demo.example',
        changes: [
          { field: 'role', from: 'USER', to: 'ADMIN' },
          { field: 'location', from: null, to: 'Oslo' },
        ],
      }),
      entry({ event: 'DEACTIVATED', actor: 'Pager bridge' }),
      entry({}),
    ])
    const entries = await within(history).findAllByRole('listitem')
    const [changed] = entries
    expect(changed).toHaveTextContent(/^Changed.*Jan 5, 2026/)
    expect(changed).toHaveTextContent('Role: User → Admin')
    expect(changed).toHaveTextContent('Location: – → Oslo')
    await waitFor(() => expect(changed).toHaveTextContent('by Ana Silva'))
    expect(history).toHaveTextContent('by Pager bridge')
    expect(entries.at(-1)).not.toHaveTextContent('by')
    expect(history).toHaveTextContent('History is tracked since December 1, 2024.')
    await user.click(within(history).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('that is empty says so', async () => {
    const { history } = await shown([])
    expect(await within(history).findByText('Nothing has been recorded yet.')).toBeVisible()
  })
})

describe('deactivating and reactivating', () => {
  const chosen = async (person: string, action: string) => {
    const { user } = opened(undefined, `/user-admin?${filteredBy({ archived: true })}`)
    await user.click(await screen.findByLabelText(`Actions for ${person}`))
    await user.click(screen.getByRole('menuitem', { name: action }))
    const question = await screen.findByRole('dialog')
    return { user, question, act: () => user.click(within(question).getByRole('button', { name: action })) }
  }

  test('deactivates after asking, and takes it back', async () => {
    answer('delete', `/useradmin/user/${ana.uuid}`, undefined)
    answer('post', `/useradmin/user/${ana.uuid}`, ana)
    const { user, question, act } = await chosen('Ana Silva', 'Deactivate')
    expect(question).toHaveTextContent('Ana Silva (ana@demo.example)')
    await act()
    expect(await screen.findByText('ana@demo.example has been deactivated.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Undone.')).toBeVisible()
  })

  test('reactivates after asking', async () => {
    answer('post', `/useradmin/user/${archived.uuid}`, { ...archived, active: true })
    const { act } = await chosen('Zoe Old', 'Reactivate')
    await act()
    expect(await screen.findByText('zoe@demo.example has been reactivated.')).toBeVisible()
  })

  test.each([
    ['Ana Silva', 'Deactivate', 500, 'delete', ana, {}, 'Error deactivating ana@demo.example.'],
    [
      'Ana Silva',
      'Deactivate',
      409,
      'delete',
      ana,
      aProblem('The organization needs at least one active administrator.'),
      'Error deactivating ana@demo.example. The organization needs at least one active administrator.',
    ],
    ['Zoe Old', 'Reactivate', 500, 'post', archived, {}, 'Error reactivating zoe@demo.example.'],
  ] as const)(
    '%s: %s says when it failed with %i',
    async (person, action, status, verb, row, body, words) => {
      answer(verb, `/useradmin/user/${row.uuid}`, body, status)
      const { act } = await chosen(person, action)
      await act()
      expect(await screen.findByText(words)).toBeVisible()
    },
  )

  test('does nothing when the question is cancelled', async () => {
    const { user, question } = await chosen('Ana Silva', 'Deactivate')
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText(/deactivated|Error/)).toBeNull()
  })
})

describe('several at once', () => {
  const bo = aListedUser({ firstName: 'Bo', lastName: 'Berg', email: 'bo@demo.example' })
  const cy = aListedUser({
    firstName: 'Cy',
    lastName: 'Young',
    email: 'cy@demo.example',
    hasPasswordSet: false,
    lastLoginTimestamp: null,
  })
  const chosen = async (...names: string[]) => {
    const { user } = opened([ana, bo, cy])
    for (const name of names) {
      const row = (await screen.findByText(name)).closest<HTMLElement>('[role=row]')!
      await user.click(await within(row).findByRole('checkbox'))
    }
    return user
  }
  const bar = () => screen.findByRole('region', { name: 'Selection' })

  test('are deactivated by one call, which says for whom it did not', async () => {
    const bodies = receive(
      'post',
      `${PATH}/deactivate`,
      () => ({
        outcomes: [
          { id: ana.uuid, refusal: null },
          { id: bo.uuid, refusal: 'The organization needs at least one active administrator.' },
        ],
      }),
      200,
    )
    const user = await chosen('Ana Silva', 'Bo Berg')
    expect(await bar()).toHaveTextContent('2 selected')
    await user.click(within(await bar()).getByRole('button', { name: 'Deactivate' }))
    const question = await screen.findByRole('dialog', { name: 'Deactivate 2 users?' })
    expect(
      within(question)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Ana Silva', 'Bo Berg'])
    await user.click(within(question).getByRole('button', { name: 'Deactivate' }))
    const answered = await screen.findByRole('dialog', { name: 'Deactivate' })
    expect(answered).toHaveTextContent('1 user has been deactivated.')
    expect(answered).toHaveTextContent('1 user was not deactivated:')
    expect(within(answered).getByRole('listitem')).toHaveTextContent(
      'Bo BergThe organization needs at least one active administrator.',
    )
    expect(bodies).toEqual([{ ids: [ana.uuid, bo.uuid] }])
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  })

  test('get a role that is asked for', async () => {
    const bodies = receive(
      'post',
      `${PATH}/role`,
      () => ({ outcomes: [ana, bo].map(({ uuid }) => ({ id: uuid, refusal: null })) }),
      200,
    )
    const user = await chosen('Ana Silva', 'Bo Berg')
    // Both people have a password and need no invitation.
    expect(within(await bar()).queryByRole('button', { name: 'Send Activation Email' })).toBeNull()
    await user.click(within(await bar()).getByRole('button', { name: 'Change Role' }))
    const question = await screen.findByRole('dialog', { name: 'Change the role of 2 users?' })
    expect(within(question).getByRole('button', { name: 'Change Role' })).toBeDisabled()
    await user.click(within(question).getByRole('combobox', { name: 'Role' }))
    await user.click(await screen.findByRole('option', { name: 'Business User' }))
    await user.click(within(question).getByRole('button', { name: 'Change Role' }))
    expect(await screen.findByText('2 users have the new role.')).toBeVisible()
    expect(bodies).toEqual([{ ids: [ana.uuid, bo.uuid], role: 'BUSINESS_USER' }])
  })

  test('a failure keeps what is selected', async () => {
    answer('post', `${PATH}/deactivate`, aProblem('Not now.'), 409)
    const user = await chosen('Ana Silva', 'Bo Berg')
    await user.click(within(await bar()).getByRole('button', { name: 'Deactivate' }))
    const question = await screen.findByRole('dialog', { name: 'Deactivate 2 users?' })
    await user.click(within(question).getByRole('button', { name: 'Deactivate' }))
    expect(await within(question).findByRole('alert')).toHaveTextContent('Not now.')
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(await bar()).toHaveTextContent('2 selected')
  })

  test('are chosen from the first to the last with Shift, and all by the header', async () => {
    const user = await chosen('Ana Silva')
    await user.keyboard('{Shift>}')
    const last = screen.getByText('Cy Young').closest<HTMLElement>('[role=row]')!
    await user.click(within(last).getByRole('checkbox'))
    await user.keyboard('{/Shift}')
    expect(await bar()).toHaveTextContent('3 selected')
    await user.click(screen.getByRole('checkbox', { name: 'Clear selection' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull())
    await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    expect(await bar()).toHaveTextContent('3 selected')
  })

  test('are chosen on a phone, too', async () => {
    onAPhone()
    const { user } = opened([ana, bo, cy])
    await user.click(await screen.findByRole('checkbox', { name: 'Select Ana Silva' }))
    expect(await bar()).toHaveTextContent('1 selected')
    expect(within(await bar()).getByRole('button', { name: 'Deactivate' })).toBeVisible()
    await user.click(within(await bar()).getByRole('button', { name: 'Clear selection' }))
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  })
})

describe('the filter by status', () => {
  test('is asked of the server, stands in the address, and takes the place of the switch', async () => {
    const { asked, user } = opened()
    await user.click(await screen.findByRole('button', { name: 'Status' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Archived' }))
    await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ status: 'Archived' }))
    expect(filterNow()).toEqual({ status: 'Archived' })
    expect(screen.queryByRole('button', { name: 'Show archived' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Clear filter: Status' }))
    // The unfiltered list may come from the cache.
    expect(await screen.findByRole('button', { name: 'Show archived' })).toBeVisible()
    expect(location.search).toBe('')
  })
})
