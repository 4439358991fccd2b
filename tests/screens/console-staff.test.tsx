import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import { type StaffRole, STAFF_ROLES } from '#contract/kit/access.ts'
import type { StaffMember } from '#contract/staff/schema.ts'
import { answer, API, aProblem, open, server } from '#tests/support/client.tsx'
import { aDetail, anOrganisation, aConfigItem, staffSignedIn } from '#tests/support/client-console.ts'
import { receive, serveList } from '#tests/support/client-lists.ts'
import { aListedUser } from '#tests/support/client-users.ts'

// Preloaded, so that no test waits for these modules.
import '#src/app/console/Console.tsx'
import '#src/app/console/StaffAuthenticator.tsx'
import '#src/kit/resource/ResourceDialog.tsx'
import '#src/management/OrganisationUsersPage.tsx'
import '#src/staff-sign-in/StaffSecondFactor.tsx'
import '#resources/managed-organisations.tsx'
import '#resources/staff.tsx'

const CONSOLE = '*/management-api'
const EMAIL = 'staff@muster.example'
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const session = (more: object = {}) => ({
  token: 'staff',
  email: EMAIL,
  role: 'SUPPORT',
  expiresAt: inHours(8),
  ...more,
})
const enrolment = { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', qrCode: 'data:image/png;base64,AA==' }

beforeEach(() => {
  answer('get', '/credentials', { available: 0 })
  server.use(
    http.get(`${CONSOLE}/management/environments`, () => HttpResponse.json([{ name: 'Local', url: null }])),
    http.post(`${CONSOLE}/live/ticket`, () =>
      HttpResponse.json({ ticket: 'ticket', expiresAt: inHours(1) }, { status: 201 }),
    ),
  )
})

describe('the second step of the sign-in', () => {
  /** Opens a mailed link that requires a second factor. Returns the bodies and queries of the codes sent. */
  function opened(initialized: boolean, answers: readonly [object, number][]) {
    const sent: { code: string; query: string }[] = []
    server.use(
      http.post(`${CONSOLE}/management/session`, () =>
        HttpResponse.json({
          isSuccess: false,
          email: EMAIL,
          temporaryAuthenticationToken: 'temporary',
          initialized,
        }),
      ),
      http.post(`${CONSOLE}/management/session/initQR`, () => HttpResponse.json(enrolment)),
      http.post(`${CONSOLE}/management/session/confirm`, async ({ request }) => {
        const { confirmationCode } = (await request.json()) as { confirmationCode: string }
        sent.push({ code: confirmationCode, query: new URL(request.url).search })
        const [body, status] = answers[sent.length - 1]!
        return HttpResponse.json(body as Record<string, unknown>, { status })
      }),
      http.get(`${CONSOLE}/enterprises`, () =>
        HttpResponse.json([], { headers: { 'Content-Range': 'items */0' } }),
      ),
      http.get(`${CONSOLE}/enterprises/deletions`, () => HttpResponse.json([])),
      http.get(`${CONSOLE}/management/me`, () =>
        HttpResponse.json({ id: crypto.randomUUID(), ...session(), hasAuthenticator: true }),
      ),
    )
    return { sent, user: open('/management?id=mailed') }
  }

  test('asks for a code of the app, says when it is wrong, and enters with a right one', async () => {
    const wrong = aProblem('The confirmation code you entered is invalid or has expired.')
    const { sent, user } = opened(true, [
      [wrong, 401],
      [session(), 200],
    ])
    await user.type(await screen.findByLabelText('Passcode'), '111111')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText(/invalid or has expired/)).toBeVisible()
    expect(localStorage.getItem('muster.management') ?? '').not.toContain('"staff"')
    await user.type(screen.getByLabelText('Passcode'), '222222')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText('No organizations to show.')).toBeVisible()
    expect(location.pathname + location.search).toBe('/management/organizations')
    expect(sent).toEqual([
      { code: '111111', query: '' },
      { code: '222222', query: '' },
    ])
  })

  test('sets up an app where there is none, and enters once the recovery codes are saved', async () => {
    const recoveryCodes = Array.from({ length: 10 }, (_, n) => `000000000${n}`)
    const { sent, user } = opened(false, [[session({ recoveryCodes }), 200]])
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeVisible()
    await user.type(screen.getByLabelText('Passcode'), '123456')
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    expect(await screen.findByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
    expect(sent).toEqual([{ code: '123456', query: '?initConfirmation=true' }])
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await user.click(screen.getByRole('checkbox', { name: 'I have saved these codes' }))
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('No organizations to show.')).toBeVisible()
  })

  test('that took too long needs another link', async () => {
    const over = { ...aProblem('This sign-in has expired. Please start again.'), code: 'sign_in_over' }
    const { user } = opened(true, [[over, 401]])
    await user.type(await screen.findByLabelText('Passcode'), '111111')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText('This link no longer works')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Send another link' })).toBeVisible()
  })
})

const aMember = (changes: Partial<StaffMember> = {}): StaffMember => ({
  id: crypto.randomUUID(),
  email: 'ola@provider.example',
  role: 'SUPPORT',
  hasAuthenticator: true,
  invitedBy: EMAIL,
  createTimestamp: '2026-01-01T00:00:00.000Z',
  lastSignInTimestamp: null,
  ...changes,
})

describe('staff', () => {
  function opened(rows: readonly StaffMember[], role: StaffRole = 'ADMINISTER') {
    staffSignedIn(undefined, role)
    answer('get', '/staff', [...rows])
    const user = open('/management/staff')
    const menuOf = async (email: string) => {
      await user.click(await screen.findByLabelText(`Actions for ${email}`))
      return within(await screen.findByRole('menu'))
    }
    return { user, menuOf }
  }

  test('are invited with a role, which looks unless another one is chosen', async () => {
    const { user } = opened([aMember()])
    await screen.findByText('ola@provider.example')
    await user.click(screen.getByRole('button', { name: 'Invite Staff' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(await dialog.findByRole('textbox', { name: /^Email/ }), 'new@provider.example')
    const field = dialog.getByRole('combobox', { name: /^Role/ })
    expect(field).toHaveTextContent('Look')
    await user.click(field)
    expect(screen.getAllByRole('option')).toHaveLength(STAFF_ROLES.length)
    await user.click(screen.getByRole('option', { name: /^Support/ }))
    const bodies = receive('post', '/staff', (body) => ({ ...aMember(), ...body }))
    await user.click(dialog.getByRole('button', { name: 'Invite Staff' }))
    await waitFor(() => expect(bodies).toEqual([{ email: 'new@provider.example', role: 'SUPPORT' }]))
  })

  test('get another role, and a new app, from those who administer', async () => {
    const member = aMember()
    const { user, menuOf } = opened([member, aMember({ email: 'named@provider.example', invitedBy: null })])
    let resets = 0
    server.use(
      http.delete(`${API}/staff/${member.id}/authenticator`, () => {
        resets += 1
        return new HttpResponse(null, { status: 204 })
      }),
    )
    await user.click((await menuOf(member.email)).getByRole('menuitem', { name: 'Reset authenticator app' }))
    const question = within(await screen.findByRole('dialog'))
    await user.click(question.getByRole('button', { name: 'Reset authenticator app' }))
    expect(
      await screen.findByText('The authenticator app of ola@provider.example has been reset.'),
    ).toBeVisible()
    expect(resets).toBe(1)
    const bodies = receive('put', `/staff/${member.id}`, (body) => ({ ...member, ...body }))
    await user.click((await menuOf(member.email)).getByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Role' }))
    await user.click(await dialog.findByRole('combobox', { name: /^Role/ }))
    await user.click(screen.getByRole('option', { name: /^Administer/ }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(bodies).toEqual([{ role: 'ADMINISTER' }]))
    const named = await menuOf('named@provider.example')
    expect(named.queryByRole('menuitem', { name: 'Edit' })).toBeNull()
  })

  test('who look or support see the others and change nothing', async () => {
    opened([aMember()], 'SUPPORT')
    await waitFor(() => expect(screen.getByText('ola@provider.example')).toBeVisible())
    expect(screen.queryByRole('button', { name: 'Invite Staff' })).toBeNull()
    expect(screen.queryByLabelText('Actions for ola@provider.example')).toBeNull()
  })
})

describe('what is forbidden is not offered', () => {
  const OPEN = ['Incidents', 'Manage Users', 'Configure']
  test.each<[StaffRole, string[]]>([
    ['LOOK', OPEN],
    ['SUPPORT', ['Send Welcome Package', ...OPEN]],
    ['ADMINISTER', ['Edit', 'Send Welcome Package', ...OPEN, 'Suspend', 'Clear Organization', 'Delete']],
  ])('to somebody with the role %s', async (role, actions) => {
    staffSignedIn(undefined, role)
    serveList('/enterprises', () => [anOrganisation({ createTimestamp: new Date().toISOString() })])
    const user = open('/management/organizations')
    await user.click(await screen.findByLabelText('Actions for Harbour Bank'))
    const items = within(await screen.findByRole('menu')).getAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(actions)
    await user.keyboard('{Escape}')
    const creates = screen.queryAllByRole('button', { name: /^(Create Organization|Add Stream Creds)$/ })
    expect(creates).toHaveLength(role === 'ADMINISTER' ? 2 : 0)
  })

  test.each<[StaffRole, boolean]>([
    ['LOOK', false],
    ['SUPPORT', true],
  ])('among users of an organization: %s', async (role, helps) => {
    staffSignedIn(undefined, role)
    const bank = anOrganisation()
    answer('get', `/enterprise/${bank.id}`, aDetail(bank))
    answer('get', `/enterprise/${bank.id}/access`, {
      id: crypto.randomUUID(),
      reason: 'Ticket 4711',
      expiresAt: inHours(1),
    })
    answer('get', `/config/enterpriseConfigDetails/${bank.id}`, [])
    serveList(`/enterprise/${bank.id}/users`, () => [
      { ...aListedUser({ firstName: 'Mara', lastName: 'Holm' }), id: 'mara' },
    ])
    const user = open(`/management/users/${bank.id}`)
    await user.click(await screen.findByLabelText('Actions for Mara Holm'))
    const items = within(await screen.findByRole('menu')).getAllByRole('menuitem')
    if (helps) expect(items.length).toBeGreaterThan(5)
    else expect(items.map(({ textContent }) => textContent)).toEqual(['View History'])
    await user.keyboard('{Escape}')
    expect(screen.queryAllByRole('button', { name: /^(Add User|Import Users)$/ })).toHaveLength(helps ? 2 : 0)
  })

  test.each<[StaffRole, boolean]>([
    ['SUPPORT', false],
    ['ADMINISTER', true],
  ])('of the configuration: %s', async (role, changes) => {
    staffSignedIn(undefined, role)
    answer('get', '/config/globalOverriddenConfigDetails', [aConfigItem('groupsEnabled')])
    open('/management/config')
    expect(await screen.findByText('groupsEnabled')).toBeVisible()
    expect(screen.queryAllByRole('button', { name: /^Edit/ })).toHaveLength(changes ? 1 : 0)
  })

  test('follows a role that others change', async () => {
    staffSignedIn(undefined, 'ADMINISTER')
    answer('get', '/management/me', {
      id: crypto.randomUUID(),
      ...session({ role: 'LOOK' }),
      hasAuthenticator: true,
    })
    serveList('/enterprises', () => [])
    open('/management/organizations')
    await screen.findByText('No organizations to show.')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Create Organization' })).toBeNull())
  })
})

describe('suspending', () => {
  test('asks first, and shows it; resuming does not', async () => {
    staffSignedIn()
    let bank = anOrganisation()
    const path = `/enterprise/${bank.id}`
    serveList('/enterprises', () => [bank])
    const changes = (suspendedTimestamp: string | null) => () => {
      bank = { ...bank, suspendedTimestamp }
      return HttpResponse.json(bank)
    }
    server.use(
      http.post(`${API}${path}/suspend`, changes('2026-03-01T10:00:00.000Z')),
      http.post(`${API}${path}/resume`, changes(null)),
    )
    const user = open('/management/organizations')
    const choose = async (name: string) => {
      await user.click(await screen.findByLabelText('Actions for Harbour Bank'))
      await user.click(within(await screen.findByRole('menu')).getByRole('menuitem', { name }))
    }
    await choose('Suspend')
    const question = within(await screen.findByRole('dialog', { name: 'Suspend Harbour Bank?' }))
    expect(screen.queryByText('Suspended')).toBeNull()
    await user.click(question.getByRole('button', { name: 'Suspend' }))
    expect(await screen.findByText('Harbour Bank has been suspended.')).toBeVisible()
    expect(await screen.findByText('Suspended')).toBeVisible()
    await choose('Resume')
    expect(await screen.findByText('Harbour Bank can be used again.')).toBeVisible()
    await waitFor(() => expect(screen.queryByText('Suspended')).toBeNull())
  })
})

describe('an authenticator app by choice', () => {
  test('is set up from the bar, which then offers it no longer', async () => {
    staffSignedIn()
    serveList('/enterprises', () => [])
    answer('post', '/management/authenticator', enrolment)
    const user = open('/management/organizations')
    await user.click(await screen.findByRole('button', { name: 'Set up authenticator app' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Set up authenticator app' }))
    expect(await dialog.findByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    answer('post', '/management/authenticator/confirm', aProblem('The code entered was incorrect.'), 400)
    await user.type(dialog.getByLabelText('Passcode'), '111111')
    await user.click(dialog.getByRole('button', { name: 'Verify' }))
    expect(await dialog.findByText('The code entered was incorrect.')).toBeVisible()
    answer('post', '/management/authenticator/confirm', { recoveryCodes: ['0123456789'] })
    await user.type(dialog.getByLabelText('Passcode'), '222222')
    await user.click(dialog.getByRole('button', { name: 'Verify' }))
    expect(await screen.findByText('01234 56789')).toBeVisible()
    answer('get', '/management/me', { id: crypto.randomUUID(), ...session(), hasAuthenticator: true })
    await user.click(screen.getByRole('checkbox', { name: 'I have saved these codes' }))
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Set up authenticator app' })).toBeNull())
  })
})
