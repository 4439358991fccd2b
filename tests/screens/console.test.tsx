import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { DATABASE_UNAVAILABLE } from '#contract/kit/outage.ts'
import { PERMISSIONS } from '#contract/kit/access.ts'
import { CODE_INVALID } from '#contract/managed-organisations/schema.ts'
import type { ManagedOrganisation } from '#contract/managed-organisations/schema.ts'
import { ENVIRONMENTS } from '#contract/staff/schema.ts'
import { USER_ROLES } from '#contract/users/schema.ts'
import { answer, API, aProblem, FakeSocket, open, pageReloads, server } from '#tests/support/client.tsx'
import {
  aConfigItem,
  aDetail,
  aManagedIncident,
  anOrganisation,
  anOverview,
  connected,
  counted,
  daysAgo,
  staffSignedIn,
  totals,
} from '#tests/support/client-console.ts'
import { receive, serveList } from '#tests/support/client-lists.ts'
import { aListedUser } from '#tests/support/client-users.ts'

// Preloaded, so that no test waits for these modules.
import '#src/app/console/Console.tsx'
import '#src/kit/resource/ResourceDialog.tsx'
import '#src/management/OrganisationUsersPage.tsx'
import '#resources/managed-organisations.tsx'

const CONSOLE = '*/management-api'
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))
const signInPage = () => screen.findByRole('button', { name: 'Send Magic Link' })

beforeEach(() => {
  server.use(
    http.get(`${CONSOLE}/management/environments`, () => HttpResponse.json([{ name: 'Local', url: null }])),
    http.post(`${CONSOLE}/live/ticket`, () =>
      HttpResponse.json({ ticket: 'ticket', expiresAt: new Date().toISOString() }, { status: 201 }),
    ),
  )
})

describe('signing in', () => {
  async function asked(email: string, status = 200) {
    const bodies: unknown[] = []
    server.use(
      http.post(`${CONSOLE}/management/login`, async ({ request }) => {
        bodies.push(await request.json())
        return HttpResponse.json({}, { status })
      }),
    )
    const user = open('/management-login')
    const button = await signInPage()
    if (email) await user.type(screen.getByLabelText(/^Email/), email)
    await user.click(button)
    return { bodies, user }
  }

  test.each(['staff@muster.example', 'stranger@elsewhere.example'])(
    'says the same to %s: look into the inbox',
    async (email) => {
      const { bodies, user } = await asked(` ${email.toUpperCase()}`)
      expect(await screen.findByRole('heading', { name: 'Check your inbox!' })).toBeVisible()
      expect(screen.getByText('You can now close this tab.')).toBeVisible()
      expect(screen.getByText(/If staff sign in with/)).toHaveTextContent(email)
      expect(bodies).toEqual([{ email, feUrl: location.origin }])
      await user.click(screen.getByRole('button', { name: 'Send again or use another address' }))
      expect(await screen.findByLabelText(/^Email/)).toHaveValue(email)
    },
  )

  test.each(['', 'a@b'])('sends nothing for "%s"', async (email) => {
    const { bodies } = await asked(email)
    expect(await screen.findByText('Please enter a valid email address.')).toBeVisible()
    expect(bodies).toEqual([])
  })

  test('offers the installations in their order, of which those without an address cannot be chosen', async () => {
    const urls = { Staging: 'https://staging.example' } as Record<string, string>
    server.use(
      http.get(`${CONSOLE}/management/environments`, () =>
        HttpResponse.json(ENVIRONMENTS.map((name) => ({ name, url: urls[name] ?? null }))),
      ),
    )
    open('/management-login')
    await signInPage()
    expect(screen.getByRole('combobox', { name: 'Environment' })).toHaveValue('Local')
    await screen.findByRole('option', { name: 'Staging' })
    const options = screen.getAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual([
      'Development',
      'Development 1',
      'Staging',
      'Production',
      'Production CA-1',
      'Production US-1',
      'Production UK-1',
      'Local',
    ])
    expect(screen.getByRole('option', { name: 'Production' })).toBeDisabled()
    expect(screen.getByRole('option', { name: 'Staging' })).toBeEnabled()
  })

  test('asks this installation where Local is chosen, and no other', async () => {
    const urls: string[] = []
    server.use(
      http.all(`${CONSOLE}/management/login`, ({ request }) => {
        urls.push(request.url)
        return HttpResponse.json({})
      }),
      http.get(`${CONSOLE}/management/environments`, () =>
        HttpResponse.json([
          { name: 'Staging', url: 'https://staging.example' },
          { name: 'Local', url: location.origin },
        ]),
      ),
    )
    const user = open('/management-login')
    await screen.findByRole('option', { name: 'Staging' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Environment' }), 'Local')
    await user.type(screen.getByLabelText(/^Email/), 'staff@muster.example')
    await user.click(screen.getByRole('button', { name: 'Send Magic Link' }))
    expect(await screen.findByRole('heading', { name: 'Check your inbox!' })).toBeVisible()
    expect(urls).toEqual([`${location.origin}/management-api/management/login`])
  })

  test('leads to the sign-in of another installation where that is chosen', async () => {
    server.use(
      http.get(`${CONSOLE}/management/environments`, () =>
        HttpResponse.json([
          { name: 'Staging', url: 'https://staging.example' },
          { name: 'Local', url: null },
        ]),
      ),
    )
    const assign = vi.fn()
    // Browsers do not allow replacing `location.assign`.
    const real = location
    vi.stubGlobal(
      'location',
      new Proxy({}, { get: (_, key) => (key === 'assign' ? assign : Reflect.get(real, key, real)) }),
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    const user = open('/management-login')
    await screen.findByRole('option', { name: 'Staging' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Environment' }), 'Staging')
    expect(assign.mock.calls.map(String)).toEqual(['https://staging.example/management-login'])
  })

  test('says when the link could not be sent, and keeps the address', async () => {
    await asked('staff@muster.example', 500)
    expect(await screen.findByText('An unexpected error occurred. Please try again later.')).toBeVisible()
    expect(screen.getByLabelText(/^Email/)).toHaveValue('staff@muster.example')
  })

  test('with a mailed link leads to the organizations, without its id in the address', async () => {
    const sent: unknown[] = []
    server.use(
      http.post(`${CONSOLE}/management/session`, async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({
          token: 'staff',
          email: 'staff@muster.example',
          expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        })
      }),
      http.get(`${CONSOLE}/enterprises`, () =>
        HttpResponse.json([], { headers: { 'Content-Range': 'items */0' } }),
      ),
      http.get(`${CONSOLE}/enterprises/deletions`, () => HttpResponse.json([])),
    )
    open('/management?id=secret-of-the-mail')
    expect(await screen.findByText('No organizations to show.')).toBeVisible()
    expect(sent).toEqual([{ id: 'secret-of-the-mail' }])
    expect(location.pathname + location.search).toBe('/management/organizations')
  })

  test('with a used link offers another one', async () => {
    server.use(
      http.post(`${CONSOLE}/management/session`, () =>
        HttpResponse.json(aProblem('This link is no longer valid.'), { status: 401 }),
      ),
    )
    const user = open('/management?id=used')
    expect(await screen.findByText('This link no longer works')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Send another link' }))
    expect(await signInPage()).toBeVisible()
  })

  test.each(['/management', '/management/organizations', '/management/users/1', '/management/config'])(
    'comes before %s',
    async (path) => {
      open(path)
      expect(await signInPage()).toBeVisible()
      expect(location.pathname).toBe('/management-login')
    },
  )
})

describe('the session', () => {
  beforeEach(() => {
    staffSignedIn()
    serveList('/enterprises', () => [])
  })

  test('shows how far a deletion is, also after that of the last organization', async () => {
    answer('get', '/enterprises/deletions', [
      { id: 'f9', displayName: 'Harbour', progress: 40, state: 'RUNNING', failure: null },
    ])
    open('/management')
    expect(await screen.findByText('No organizations to show.')).toBeVisible()
    expect(await screen.findByRole('progressbar', { name: 'Harbour' })).toHaveAttribute('aria-valuenow', '40')
  })

  test('says until when a deletion can be undone, and undoes it', async () => {
    const deleted = {
      id: 'f9',
      displayName: 'Harbour',
      removalTimestamp: '2026-12-04T15:30:00.000Z',
      progress: 0,
      state: 'WAITING',
      failure: null,
    }
    answer('get', '/enterprises/deletions', [deleted])
    const requests = serveList('/enterprises', () => [])
    const user = open('/management')
    expect(await screen.findByText(/^Harbour will be deleted on .*4.* 2026/)).toBeVisible()
    expect(screen.queryByRole('progressbar', { name: 'Harbour' })).toBeNull()
    let undone = 0
    server.use(
      http.post(`${API}/enterprises/deletions/f9/undo`, () => {
        undone += 1
        answer('get', '/enterprises/deletions', [])
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const before = requests.length
    await user.click(screen.getByRole('button', { name: 'Undo deleting Harbour' }))
    expect(await screen.findByText('Harbour is back.')).toBeVisible()
    expect(undone).toBe(1)
    await waitFor(() => expect(screen.queryByText(/will be deleted/)).toBeNull())
    expect(requests.length).toBeGreaterThan(before)
  })

  test('says why a deletion failed, and retries it', async () => {
    const failed = { id: 'f9', displayName: 'Harbour', progress: 40, state: 'FAILED', failure: 'No bucket.' }
    answer('get', '/enterprises/deletions', [failed])
    let retries = 0
    server.use(
      http.post(`${API}/enterprises/deletions/f9/retry`, () => {
        retries += 1
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const user = open('/management')
    expect(await screen.findByText('Deleting Harbour failed at 40 %: No bucket.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Retry deleting Harbour' }))
    await waitFor(() => expect(retries).toBe(1))
  })

  test('says that the server is tried again while it cannot reach its database', async () => {
    answer('get', '/enterprises/deletions', aProblem('Please try again.', DATABASE_UNAVAILABLE), 503)
    open('/management')
    const said = 'The server is not available. Trying again…'
    expect(await screen.findByText(said)).toBeVisible()
    answer('get', '/enterprises/deletions', [])
    await waitFor(() => expect(screen.queryByText(said)).toBeNull(), { timeout: 10_000 })
    expect(await screen.findByText('No organizations to show.')).toBeVisible()
  })

  test('fetches its lists again on a hint of the live socket, and ends with it', async () => {
    const requests = serveList('/enterprises', () => [])
    open('/management')
    await screen.findByText('No organizations to show.')
    await waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
    const socket = FakeSocket.last!
    expect(new URL(socket.url).pathname).toBe(`${new URL(API, location.href).pathname}/live`)
    const hint = { type: 'event', sequence: 0, record: '', verb: 'changed', parent: null } as const
    const before = requests.length
    act(() => socket.say({ ...hint, noun: 'managed-incidents' }))
    act(() => socket.say({ ...hint, noun: 'managed-organisations' }))
    await waitFor(() => expect(requests.length).toBe(before + 1))
    expect(localStorage.getItem('muster.live')).toBeNull()
    act(() => socket.say({ type: 'ended' }))
    expect(await signInPage()).toBeVisible()
  })

  test('ends with Sign Out, here and on the server', async () => {
    let ended = 0
    server.use(
      http.post(`${API}/management/logout`, () => {
        ended += 1
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const user = open('/management')
    await screen.findByText('No organizations to show.')
    const menu = screen.getByRole('navigation', { name: 'Main menu' })
    expect(
      within(menu)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual([
      'Organizations',
      'Incidents',
      'Global Configuration',
      'Roles & Permissions',
      'Staff',
      'Instance',
      'Audit Log',
    ])
    await user.click(screen.getByRole('button', { name: 'Sign Out' }))
    expect(await signInPage()).toBeVisible()
    expect(ended).toBe(1)
  })

  test('ends at the expiry of its token', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    staffSignedIn(new Date(Date.now() + 600_000).toISOString())
    open('/management/organizations')
    await screen.findByText('No organizations to show.')
    await pass(500)
    expect(location.pathname).toBe('/management/organizations')
    await pass(110)
    expect(await signInPage()).toBeVisible()
    expect(screen.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  })

  test('ends with a refused call, and outlasts a failed one', async () => {
    answer('get', '/userRoles', {}, 500)
    answer('get', '/userPermissions', aProblem('Sign in.'), 404)
    const user = open('/management/roles-permissions')
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
    answer('get', '/userRoles', aProblem('Sign in.', 'unauthenticated'), 401)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await signInPage()).toBeVisible()
  })
})

describe('organizations', () => {
  beforeEach(() => staffSignedIn())
  const opened = (rows: readonly ManagedOrganisation[]) => {
    for (const row of rows) answer('get', `/enterprise/${row.id}`, aDetail(row))
    const requests = serveList('/enterprises', () => rows)
    return { requests, user: open('/management/organizations') }
  }
  const menuOf = async (user: ReturnType<typeof open>, name: string) => {
    await user.click(await screen.findByLabelText(`Actions for ${name}`))
    return screen.findByRole('menu')
  }

  test('are listed with their administrators', async () => {
    opened([anOrganisation()])
    for (const text of ['Harbour Bank', 'harbour.example', 'Mara Holm', 'mara@harbour.example'])
      await waitFor(() => expect(screen.getByText(text)).toBeVisible())
    for (const name of ['Name', 'Domain', 'Contact Name', 'Contact Email'])
      expect(screen.getAllByText(name).at(-1)).toBeVisible()
  })

  test('are found by the filter', async () => {
    const { user, requests } = opened([
      anOrganisation(),
      anOrganisation(
        { displayName: 'Cobalt Works', code: 'cobalt', enterpriseDomain: 'cobalt.example' },
        { adminUser: { firstName: 'Ola', lastName: 'Berg', email: 'ola@cobalt.example' } },
      ),
    ])
    await waitFor(() => expect(screen.getByText('Cobalt Works')).toBeVisible())
    await user.type(screen.getByRole('searchbox', { name: 'Filter organizations...' }), 'harbour')
    await waitFor(() => expect(screen.queryByText('Cobalt Works')).toBeNull())
    expect(requests.at(-1)?.filter).toEqual({ q: 'harbour' })
    await waitFor(() => expect(screen.getByText('Harbour Bank')).toBeVisible())
  })

  test('lead from their rows to their incidents', async () => {
    const bank = anOrganisation()
    const { user } = opened([bank])
    await user.click(await screen.findByText('Harbour Bank'))
    await waitFor(() => expect(location.pathname).toBe(`/management/incidents/${bank.id}`))
  })

  describe('creating', () => {
    const form = () => screen.findByRole('dialog', { name: 'Create Organization' })
    const field = (name: string) => screen.getByRole('textbox', { name: new RegExp(`^${name}`) })
    const secret = () => screen.getByLabelText(/^Stream API secret/)
    const submit = async (user: ReturnType<typeof open>) =>
      user.click(within(await form()).getByRole('button', { name: 'Create Organization' }))
    async function shown() {
      const { user } = opened([])
      await screen.findByText('No organizations to show.')
      await user.click(screen.getByRole('button', { name: 'Create Organization' }))
      await form()
      await waitFor(() => expect(field('Name')).toBeVisible())
      return user
    }
    async function filled() {
      const user = await shown()
      for (const [name, text] of [
        ['Name', 'Harbour Bank'],
        ['Domain', 'harbour.example'],
        ['Administrator first name', 'Mara'],
        ['Administrator last name', 'Holm'],
        ['Administrator email', 'Mara@Harbour.example'],
      ] as const) {
        await user.click(field(name))
        await user.paste(text)
      }
      return user
    }

    async function choose(user: ReturnType<typeof open>, level: string) {
      await user.click(screen.getByRole('combobox', { name: /^Subscription level/ }))
      const levels = screen.getAllByRole('option').map((option) => option.textContent)
      await user.click(screen.getByRole('option', { name: level }))
      return levels
    }

    test('says what is missing, and at an address or a number what is wrong', async () => {
      const user = await shown()
      const bodies = receive('post', '/enterprise', () => anOrganisation())
      await user.clear(field('Maximum users'))
      await user.paste('1a')
      await submit(user)
      for (const problem of [
        "Please enter the organization's name.",
        "Please enter the organization's domain.",
        "Please enter the admin's first name.",
        "Please enter the admin's last name.",
        "Please enter the admin's email address.",
        'Please select a subscription level.',
        'Please enter a valid number.',
      ])
        expect(await screen.findByText(problem)).toBeVisible()
      await user.click(field('Administrator email'))
      await user.paste('a@b')
      expect(await screen.findByText('Email address is invalid.')).toBeVisible()
      expect(bodies).toEqual([])
    })

    test('sends what was typed, without a key where there is none, and closes after a second', async () => {
      const user = await filled()
      const bodies = receive('post', '/enterprise', () => anOrganisation())
      expect(await choose(user, 'Large Team')).toEqual(['Basic', 'Small Team', 'Large Team', 'Enterprise'])
      const begun = Date.now()
      await submit(user)
      expect(await screen.findByText('Organization created!')).toBeVisible()
      // The form closes after a second, and its organization's code is shown.
      const created = within(await screen.findByRole('dialog', { name: 'Harbour Bank' }))
      expect(Date.now() - begun).toBeGreaterThanOrEqual(1_000)
      expect(created.getByText('harbour-bank')).toBeVisible()
      expect(created.getByText('An activation link was sent to mara@harbour.example.')).toBeVisible()
      await user.click(created.getByRole('button', { name: 'Close' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(bodies).toEqual([
        {
          enterpriseName: 'Harbour Bank',
          enterpriseDomain: 'harbour.example',
          enterpriseCode: null,
          adminFirstName: 'Mara',
          adminLastName: 'Holm',
          adminEmail: 'mara@harbour.example',
          subscriptionMaxUsers: 50,
          subscriptionLevel: 'LARGE_TEAM',
          streamApiKey: null,
          streamSecret: null,
          parentId: null,
        },
      ])
    })

    test('says the code that is made from the name, and takes another one', async () => {
      const user = await filled()
      const bodies = receive('post', '/enterprise', () => anOrganisation())
      expect(screen.getByText('Made from the name unless you choose one: harbour-bank')).toBeVisible()
      await user.click(field('Sign-in code'))
      await user.paste('Harbour')
      await choose(user, 'Basic')
      await submit(user)
      expect(await screen.findByText(CODE_INVALID)).toBeVisible()
      await user.clear(field('Sign-in code'))
      await user.paste('harbour')
      await submit(user)
      await waitFor(() => expect(bodies).toMatchObject([{ enterpriseCode: 'harbour' }]))
    })

    const unfold = (user: ReturnType<typeof open>) =>
      user.click(screen.getByRole('button', { name: 'Hosted chat (Stream)' }))

    test('takes the key and the secret from the pool where it has some', async () => {
      answer('get', '/credentials', { available: 2 })
      const user = await shown()
      expect(screen.queryByRole('textbox', { name: /^Stream API key/ })).toBeNull()
      await unfold(user)
      await waitFor(() => expect(field('Stream API key')).toBeDisabled())
      expect(secret()).toBeDisabled()
      expect(screen.getAllByText('Taken from the pool, which has 2 pairs left.')).toHaveLength(2)
    })

    /** Types a key and a secret next to the name, then reloads the page. */
    async function reloadedWithSecret() {
      const user = await filled()
      await unfold(user)
      await user.click(field('Stream API key'))
      await user.paste('pk_harbour')
      await user.click(secret())
      await user.paste('hush-hush-17')
      const link = location.pathname + location.search
      await pageReloads()
      return link
    }

    test('keeps a typed key over a reload, but never the secret', async () => {
      const link = await reloadedWithSecret()
      expect(sessionStorage.getItem('muster.drafts')).not.toContain('hush-hush-17')
      open(link)
      await waitFor(() => expect(field('Name')).toHaveValue('Harbour Bank'))
      expect(field('Stream API key')).toHaveValue('pk_harbour')
      expect(secret()).toHaveValue('')
    })

    test('drops a typed key where the pool was filled meanwhile, so that the form can be sent', async () => {
      const link = await reloadedWithSecret()
      answer('get', '/credentials', { available: 1 })
      const user = open(link)
      await waitFor(() => expect(field('Stream API key')).toBeDisabled())
      await waitFor(() => expect(field('Stream API key')).toHaveValue(''))
      const bodies = receive('post', '/enterprise', () => anOrganisation())
      await choose(user, 'Basic')
      await submit(user)
      await waitFor(() =>
        expect(bodies).toMatchObject([
          { enterpriseName: 'Harbour Bank', streamApiKey: null, streamSecret: null },
        ]),
      )
    })

    test('shows under the form everything that the server refuses, and keeps what was typed', async () => {
      const user = await filled()
      await choose(user, 'Basic')
      const problems = {
        enterpriseName: 'An organization with this name already exists.',
        enterpriseDomain: 'An organization with this domain already exists.',
      }
      const errorMessages = Object.values(problems)
      answer('post', '/enterprise', { ...aProblem(errorMessages[0]!), fields: problems, errorMessages }, 409)
      await submit(user)
      const list = await within(await screen.findByRole('alert')).findAllByRole('listitem')
      expect(list.map((item) => item.textContent)).toEqual(errorMessages)
      expect(field('Name')).toHaveAccessibleDescription(problems.enterpriseName)
      expect(field('Domain')).toHaveValue('harbour.example')
    })
  })

  test('are changed: level and number of users; a failure leaves the form open', async () => {
    const bank = anOrganisation()
    const { user } = opened([bank])
    await user.click(within(await menuOf(user, 'Harbour Bank')).getByRole('menuitem', { name: /^Edit/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Edit Organization' })
    const users = await within(dialog).findByLabelText(/^Maximum users/)
    await waitFor(() => expect(users).toHaveValue('200'))
    await user.clear(users)
    await user.paste('-5')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await within(dialog).findByText('Please enter a valid number.')).toBeVisible()
    await user.clear(users)
    await user.paste('300')
    answer('put', `/enterprise/${bank.id}`, {}, 500)
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Something went wrong.')
    expect(screen.queryByText('Organization updated!')).toBeNull()
    expect(users).toHaveValue('300')
    const bodies = receive('put', `/enterprise/${bank.id}`, () => bank)
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Organization updated!')).toBeVisible()
    expect(bodies).toEqual([{ contractNumber: 'C-17', level: 'SMALL_TEAM', maxUser: 300 }])
  })

  describe('deleting', () => {
    async function asking(rest: Partial<ManagedOrganisation> = {}) {
      const bank = anOrganisation({}, rest)
      const rows = [bank]
      const { user } = opened(rows)
      const sent: string[] = []
      server.use(
        http.delete(`${API}/enterprise/${bank.id}`, ({ request }) => {
          sent.push(new URL(request.url).search)
          rows.pop()
          return new HttpResponse(null, { status: 204 })
        }),
      )
      await user.click(within(await menuOf(user, 'Harbour Bank')).getByRole('menuitem', { name: 'Delete' }))
      const dialog = await screen.findByRole('dialog', { name: 'Delete Harbour Bank?' })
      const confirm = () => user.click(within(dialog).getByRole('button', { name: 'Delete' }))
      return { bank, user, dialog, confirm, sent, input: within(dialog).getByRole('textbox') }
    }

    test('needs the exact name, which is not sent', async () => {
      const { user, dialog, confirm, sent, input } = await asking()
      await confirm()
      expect(input).toHaveAccessibleDescription("Please enter the organization's name to confirm.")
      for (const wrong of ['harbour bank', 'Harbour']) {
        await user.clear(input)
        await user.type(input, wrong)
        await confirm()
        expect(input).toHaveAccessibleDescription('The text must match the name of the organization.')
      }
      expect(sent).toEqual([])
      await user.clear(input)
      await user.type(input, 'Harbour Bank')
      await confirm()
      await within(dialog).findByText('Organization deleted!')
      expect(sent).toEqual([''])
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(await screen.findByText('No organizations to show.')).toBeVisible()
    })

    test.each([true, false])('says what stays at the hosted chat service: %s', async (hasHostedChat) => {
      const { dialog } = await asking({ hasHostedChat })
      const words = /channels, users and messages at Stream stay there\. Delete its application/
      if (hasHostedChat) expect(within(dialog).getByText(words)).toBeVisible()
      else expect(within(dialog).queryByText(words)).toBeNull()
    })

    test('that fails says so and keeps the typed name', async () => {
      const { bank, user, dialog, confirm, input } = await asking()
      answer('delete', `/enterprise/${bank.id}`, {}, 500)
      await user.type(input, 'Harbour Bank')
      await confirm()
      expect(await within(dialog).findByText('Something went wrong.')).toBeVisible()
      expect(screen.queryByText('Organization deleted!')).toBeNull()
      expect(input).toHaveValue('Harbour Bank')
    })
  })

  test.each([
    ['SHQTrial One', 400, true],
    ['Harbour Bank', 6.9, true],
    ['Harbour Bank', 7.1, false],
  ])('%s that is %d days old can be cleared: %s', async (displayName, days, can) => {
    const { user } = opened([anOrganisation({ displayName, createTimestamp: daysAgo(days) })])
    const menu = await menuOf(user, displayName)
    const item = within(menu).getByRole('menuitem', { name: /^Clear Organization/ })
    expect(item).toHaveAttribute('aria-disabled', String(!can))
    expect(item).toHaveAccessibleDescription(
      can ? '' : 'Only shqtrial and organizations less than 7 days old can be cleared.',
    )
  })

  test.each([
    [null, 'Send Welcome Package', null, true],
    ['CREATED', 'Send Welcome Package Again', daysAgo(1), true],
    ['ERROR', 'Welcome Package Completed', daysAgo(1), false],
    ['ERROR', 'Retry Welcome Package', daysAgo(1), true],
    ['SUBMITTED', 'Welcome Package Completed', daysAgo(1), false],
    ['COMPLETED', 'Welcome Package Completed', daysAgo(1), false],
    ['NOT_APPLICABLE', 'Not Applicable', null, false],
  ] as const)('whose welcome package is %s offer %s', async (status, label, sent, can) => {
    const rest = { welcomePackageStatus: status, welcomePackageSentTimestamp: sent }
    const { user } = opened([anOrganisation({}, rest)])
    const item = within(await menuOf(user, 'Harbour Bank')).getByRole('menuitem', { name: label })
    expect(item).toHaveAttribute('aria-disabled', String(!can))
  })

  test('are invited once it is confirmed', async () => {
    const bank = anOrganisation()
    const { user } = opened([bank])
    const urls: URL[] = []
    server.use(
      http.all(`${API}/enterprise/${bank.id}/*`, ({ request }) => {
        urls.push(new URL(request.url))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const menu = await menuOf(user, 'Harbour Bank')
    await user.click(within(menu).getByRole('menuitem', { name: 'Send Welcome Package' }))
    const dialog = await screen.findByRole('dialog', { name: 'Welcome package of Harbour Bank' })
    expect(urls).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Send Welcome Package' }))
    expect(await screen.findByText('Welcome package sent to mara@harbour.example.')).toBeVisible()
    expect(urls[0]?.searchParams.get('feUrl')).toBe(location.origin)
  })

  describe('whose welcome package', () => {
    const INVITATION = {
      status: 'CREATED',
      sentTimestamp: daysAgo(1),
      sentTo: 'first@harbour.example',
      expiresTimestamp: daysAgo(-29),
      lastUpdateTimestamp: null,
      errorCode: null,
      failure: null,
    }
    async function invited(
      state: Pick<ManagedOrganisation, 'welcomePackageStatus' | 'welcomePackageSentTimestamp'>,
      label: string,
      invitation: object = {},
    ) {
      const bank = anOrganisation({}, state)
      const { user } = opened([bank])
      const path = `/enterprise/${bank.id}/welcomePackage`
      answer('get', path, { ...INVITATION, ...invitation })
      await user.click(within(await menuOf(user, 'Harbour Bank')).getByRole('menuitem', { name: label }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Welcome package of Harbour Bank' }))
      return { user, path, dialog }
    }

    test('failed shows why, and is retried', async () => {
      const { user, path, dialog } = await invited(
        { welcomePackageStatus: 'ERROR', welcomePackageSentTimestamp: daysAgo(1) },
        'Retry Welcome Package',
        { status: 'ERROR', failure: 'The room Board is taken.' },
      )
      expect(await dialog.findByText('The room Board is taken.')).toBeVisible()
      expect(dialog.queryByRole('button', { name: 'Withdraw' })).toBeNull()
      answer('post', `${path}/retry`, INVITATION)
      await user.click(dialog.getByRole('button', { name: 'Retry' }))
      expect(await screen.findByText('The welcome package is being processed again.')).toBeVisible()
    })

    test('was sent shows to whom, and is withdrawn', async () => {
      const { user, path, dialog } = await invited(
        { welcomePackageStatus: 'SAVED', welcomePackageSentTimestamp: daysAgo(1) },
        'Send Welcome Package Again',
      )
      expect(await dialog.findByText('first@harbour.example')).toBeVisible()
      expect(dialog.getByText('Link expires')).toBeVisible()
      answer('delete', path, INVITATION)
      await user.click(dialog.getByRole('button', { name: 'Withdraw' }))
      expect(await screen.findByText('The link has been withdrawn.')).toBeVisible()
    })

    test('was withdrawn is sent again', async () => {
      const { dialog } = await invited(
        { welcomePackageStatus: 'SAVED', welcomePackageSentTimestamp: null },
        'Send Welcome Package Again',
        { status: 'SAVED', sentTimestamp: null, expiresTimestamp: null },
      )
      expect(screen.getAllByText('Withdrawn').at(0)).toBeInTheDocument()
      expect(dialog.getByRole('button', { name: 'Send Welcome Package Again' })).toBeEnabled()
      expect(dialog.queryByRole('button', { name: 'Withdraw' })).toBeNull()
    })
  })

  test('get from one to six pairs of credentials at once', async () => {
    const { user } = opened([])
    await user.click(await screen.findByRole('button', { name: 'Add Stream Creds' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add Stream Creds' })
    const bodies = receive('post', '/credentials', () => ({ available: 1 }))
    expect(within(dialog).getByRole('button', { name: 'Remove pair 1' })).toBeDisabled()
    await user.click(within(dialog).getByRole('button', { name: 'Add credentials' }))
    expect(await within(dialog).findByText('Please enter an API key.')).toBeVisible()
    expect(within(dialog).getByText('Please enter a secret key.')).toBeVisible()
    const another = within(dialog).getByRole('button', { name: 'Add another pair' })
    for (let n = 2; n <= 6; n += 1) await user.click(another)
    expect(another).toBeDisabled()
    for (let n = 6; n >= 2; n -= 1)
      await user.click(within(dialog).getByRole('button', { name: `Remove pair ${n}` }))
    await user.type(within(dialog).getByLabelText('API key'), 'public')
    await user.type(within(dialog).getByLabelText('Secret key'), 'secret')
    await user.click(within(dialog).getByRole('button', { name: 'Add credentials' }))
    expect(await within(dialog).findByText('Credentials added!')).toBeVisible()
    expect(bodies).toEqual([[{ publicKey: 'public', secretKey: 'secret' }]])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('incidents', () => {
  beforeEach(() => {
    staffSignedIn()
    answer('get', '/auditLog', [])
  })
  const bank = anOrganisation()
  const running = anOverview(bank, {
    status: 'INCIDENT_IN_PROGRESS',
    title: 'Ransomware',
    duration: 7_260,
    checkIns: 11,
    updates: 12,
    tasks: 13,
    attachments: 14,
  })
  const RANGE = { 'Content-Range': 'items 0-0/1' }
  const NOBODY = { data: [], page: 0, size: 5, total: 0 }

  test('are summed up for each organization, and asked for every 60 seconds while the page is open', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const urls = counted('/enterprises/incidents', [running], RANGE)
    serveList('/enterprises', () => [])
    open('/management/incidents')
    for (const text of [
      'Harbour Bank',
      'Incident In Progress',
      '2 h 1 min',
      'Ransomware',
      '11',
      '12',
      '13',
      '14',
    ])
      await waitFor(() => expect(screen.getByText(text)).toBeVisible())
    expect(JSON.parse(urls[0]!.searchParams.get('sort')!)).toEqual(['status', 'ASC'])
    const first = urls.length
    await pass(50)
    expect(urls).toHaveLength(first)
    await pass(11)
    await vi.waitFor(() => expect(urls).toHaveLength(first + 1))
    act(() => screen.getByRole('link', { name: 'Organizations' }).click())
    await screen.findByText('No organizations to show.')
    await pass(125)
    expect(urls).toHaveLength(first + 1)
  })

  test('are counted over all organizations, and again on a hint', async () => {
    let current = totals()
    let fetches = 0
    server.use(
      http.get(`${API}/dashboard`, () => {
        fetches += 1
        return HttpResponse.json(current)
      }),
    )
    counted('/enterprises/incidents', [running], RANGE)
    open('/management/incidents')
    const figures = async () => {
      const list = await screen.findByLabelText('Totals')
      const values = within(list).getAllByRole('definition')
      return Object.fromEntries(
        within(list)
          .getAllByRole('term')
          .map(({ textContent }, n) => [textContent, values[n]?.textContent]),
      )
    }
    await waitFor(async () =>
      expect(await figures()).toEqual({
        'Incidents in progress': '3',
        'Exercises in progress': '1',
        'Safe organizations': '40',
        'All organizations': '44',
        'Active users': '1,203',
      }),
    )
    const hint = await connected(() => fetches)
    current = totals({ incidentsInProgress: 4 })
    hint('managed-incidents')
    await waitFor(async () => expect(await figures()).toMatchObject({ 'Incidents in progress': '4' }))
  })

  test('are sorted by status, as the server orders it, and lead from their rows to the organization', async () => {
    answer('get', `/enterprise/${bank.id}`, aDetail(bank))
    answer('get', `/enterprise/${bank.id}/access`, null)
    const requests = serveList('/enterprises/incidents', () => [running])
    const user = open('/management/incidents')
    const cell = await screen.findByText('Ransomware')
    const header = await screen.findByRole('columnheader', { name: /^Status/ })
    expect(header).toHaveAttribute('aria-sort', 'ascending')
    expect(requests[0]?.sort).toEqual(['status', 'ASC'])
    await user.click(cell)
    await waitFor(() => expect(location.pathname).toBe(`/management/incidents/${bank.id}`))
  })

  test('show the state of each organization in its colour', async () => {
    const states = ['INCIDENT_IN_PROGRESS', 'TABLETOP_IN_PROGRESS', 'SAFE'] as const
    const rows = states.map((status) => anOverview(anOrganisation({ displayName: status }), { status }))
    counted('/enterprises/incidents', rows, { 'Content-Range': 'items 0-2/3' })
    open('/management/incidents')
    const toneOf = async (label: string) =>
      getComputedStyle((await screen.findByText(label)).querySelector('svg')!).color
    expect(await toneOf('Incident In Progress')).toBe('rgb(198, 40, 40)')
    expect(await toneOf('Exercise In Progress')).toBe('rgb(154, 91, 0)')
    expect(await toneOf('Safe')).toBe('rgb(27, 127, 75)')
  })

  test('are shown as charts of who checked in, of tasks and of activities', async () => {
    const activity = (type: 'TASK' | 'UPDATE', status: 'TO_DO' | 'COMPLETE') => ({
      id: crypto.randomUUID(),
      type,
      status,
      assignedTo: null,
    })
    const flood = aManagedIncident({
      title: 'Flood',
      checkIns: ['a', 'b', 'c'].map((userId) => ({ userId, timestamp: daysAgo(3) })),
      activities: [
        activity('TASK', 'TO_DO'),
        activity('TASK', 'COMPLETE'),
        activity('TASK', 'COMPLETE'),
        activity('UPDATE', 'COMPLETE'),
      ],
    })
    answer('get', `/enterprise/${bank.id}`, aDetail(bank))
    counted('/enterprises/incidents', [running], RANGE)
    answer('get', `/enterprise/${bank.id}/access`, {
      id: crypto.randomUUID(),
      reason: 'Ticket 4711',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    answer('get', `/enterprise/${bank.id}/incidents`, { data: [flood], page: 0, size: 5, total: 1 })
    open(`/management/incidents/${bank.id}`)
    const detail = await screen.findByRole('region', { name: 'Flood' })
    const chart = async (title: string) => {
      const figures = within(await within(detail).findByRole('region', { name: title }))
      const values = figures.getAllByRole('definition').map((value) => Number(value.textContent))
      return figures.getAllByRole('term').map((term, index) => [term.textContent, values[index]])
    }
    expect(await chart('Check-Ins')).toEqual([
      ['Checked in', 3],
      ['Not checked in', 39],
    ])
    expect(await chart('Tasks')).toEqual([
      ['To Do', 1],
      ['In Progress', 0],
      ['Complete', 2],
    ])
    expect(await chart('Activities')).toEqual([
      ['Tasks', 3],
      ['Updates', 1],
    ])
  })

  test('of one organization open for a reason, and stay up to date', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const details = counted(`/enterprise/${bank.id}`, aDetail(bank))
    counted('/enterprises/incidents', [running], RANGE)
    const incidents = [
      aManagedIncident({ title: 'Ransomware', isActive: true, resolveTimestamp: null }),
      ...[1, 2, 3, 4].map((n) => aManagedIncident({ title: `Flood ${n}` })),
    ]
    const lists = counted(`/enterprise/${bank.id}/incidents`, { data: incidents, page: 0, size: 5, total: 7 })
    answer('get', `/enterprise/${bank.id}/access`, null)
    const bodies = receive('post', `/enterprise/${bank.id}/access`, ({ reason }) => ({
      id: crypto.randomUUID(),
      reason,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    }))
    open(`/management/incidents/${bank.id}`)
    const banner = await screen.findByRole('region', { name: 'Summary' })
    expect(within(await screen.findByRole('region', { name: 'Contract' })).getByText('C-17')).toBeVisible()
    for (const text of [
      'Current State',
      'Time In Incident',
      'Number of Users',
      '42 of 1,200',
      'Number of Files',
    ])
      expect(within(banner).getByText(text)).toBeVisible()
    const reason = await screen.findByRole('textbox', { name: /^Reason/ })
    const submit = screen.getByRole('button', { name: 'Open for one hour' })
    act(() => submit.click())
    expect(await screen.findByText('Please say why you need to look into this organization.')).toBeVisible()
    expect([bodies, lists]).toEqual([[], []])
    fireEvent.change(reason, { target: { value: 'Ticket 4711' } })
    act(() => submit.click())
    expect(await screen.findByText('Open to you because: Ticket 4711.')).toBeVisible()
    expect(bodies).toEqual([{ reason: 'Ticket 4711' }])
    const table = await screen.findByRole('table', { name: 'Other Incidents' })
    expect(within(table).getAllByText('Resolved')).toHaveLength(4)
    expect(
      within(within(table).getByRole('row', { name: /Ransomware/ })).getByText('In Progress'),
    ).toBeVisible()
    expect(Object.fromEntries(lists[0]!.searchParams)).toEqual({ page: '0', size: '5' })
    act(() => within(table).getByRole('button', { name: 'Flood 2' }).click())
    expect(await screen.findByRole('region', { name: 'Flood 2' })).toBeVisible()
    const before = [details.length, lists.length]
    await pass(61)
    await vi.waitFor(() => expect([details.length, lists.length]).toEqual(before.map((n) => n + 1)))
    act(() => screen.getByRole('button', { name: 'Go to next page' }).click())
    await vi.waitFor(() => expect(lists.at(-1)?.searchParams.get('page')).toBe('1'))
    act(() => screen.getByRole('link', { name: 'Back to incidents' }).click())
    await vi.waitFor(() => expect(location.pathname).toBe('/management/incidents'))
  })

  test('of one organization stand below its contract, usage, welcome package, configuration and log', async () => {
    const detail = aDetail(bank, {
      activeUsers: 190,
      maxUsers: 200,
      notifications: { used: 10, max: 1_000 },
      storage: { used: 1_073_741_824, max: 10_737_418_240 },
      ownConfigKeys: ['auth2fa', 'groupsEnabled'],
    })
    answer('get', `/enterprise/${bank.id}`, detail)
    counted('/enterprises/incidents', [running], RANGE)
    answer('get', `/enterprise/${bank.id}/access`, null)
    const logs = counted('/auditLog', [
      {
        id: crypto.randomUUID(),
        sequence: 4,
        timestamp: new Date().toISOString(),
        actor: { kind: 'staff', id: null, name: 'ada@muster.example' },
        noun: 'organisations',
        verb: 'suspended',
        record: bank.id,
        recordName: 'Harbour Bank',
        parent: null,
        parentName: null,
        changes: [],
        fingerprint: 'ab',
      },
    ])
    open(`/management/incidents/${bank.id}`)
    const card = async (name: string) => within(await screen.findByRole('region', { name }))
    const usage = await card('Usage')
    expect(usage.getByText('190 of 200')).toBeVisible()
    expect(usage.getAllByText('Near the limit')).toHaveLength(1)
    expect(usage.getByText('10 of 1,000')).toBeVisible()
    expect(usage.getByRole('link', { name: 'Manage Users' })).toHaveAttribute(
      'href',
      `/management/users/${bank.id}`,
    )
    const configuration = await card('Configuration')
    expect(configuration.getByRole('link', { name: 'Second factor at sign-in' })).toHaveAttribute(
      'href',
      `/management/config/${bank.id}?q=auth2fa`,
    )
    const log = await card('Recent acts of staff')
    expect(await log.findByText(/ada@muster\.example/)).toBeVisible()
    const whole = new URL(log.getByRole<HTMLAnchorElement>('link', { name: 'Whole log' }).href)
    expect(whole.pathname).toBe('/management/audit-log')
    expect(whole.searchParams.get('filter')).toBe(JSON.stringify({ organisation: bank.id }))
    expect(logs[0]!.searchParams.get('filter')).toBe(JSON.stringify({ organisation: bank.id }))
    expect((await card('Contract')).getByRole('link', { name: 'Edit contract' })).toBeVisible()
  })

  test.each([
    ['SAFE', 'Time Incident-Free', 'Safe'],
    ['TABLETOP_IN_PROGRESS', 'Time In Incident', 'Exercise In Progress'],
  ] as const)('an organization that is %s shows its %s', async (status, time, state) => {
    answer('get', `/enterprise/${bank.id}`, aDetail(bank))
    counted('/enterprises/incidents', [anOverview(bank, { status })], RANGE)
    answer('get', `/enterprise/${bank.id}/access`, {
      id: crypto.randomUUID(),
      reason: 'Ticket 4711',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    answer('get', `/enterprise/${bank.id}/incidents`, NOBODY)
    open(`/management/incidents/${bank.id}`)
    const banner = await screen.findByRole('region', { name: 'Summary' })
    expect(within(banner).getByText(time)).toBeVisible()
    expect(within(banner).getByText(state)).toBeVisible()
    expect(within(banner).getByText('1 d 1 h')).toBeVisible()
    expect(await screen.findByText('This organization has had no incidents.')).toBeVisible()
  })
})

test('the people of an organization are shown for a reason only', async () => {
  staffSignedIn()
  const bank = anOrganisation()
  answer('get', `/enterprise/${bank.id}`, aDetail(bank))
  answer('get', `/enterprise/${bank.id}/access`, null)
  const urls = counted(`/enterprise/${bank.id}/users`, [])
  open(`/management/users/${bank.id}`)
  expect(await screen.findByText('Why do you need to look into this organization?')).toBeVisible()
  expect(urls).toEqual([])
})

test('the people of an organization are helped as its own administrators would', async () => {
  staffSignedIn()
  const bank = anOrganisation()
  const { id } = bank
  const user = { ...aListedUser({ firstName: 'Mara', lastName: 'Holm' }), id: 'mara' }
  const former = { ...aListedUser({ firstName: 'Ola', lastName: 'Berg', active: false }), id: 'ola' }
  answer('get', `/enterprise/${id}`, aDetail(bank))
  answer('get', `/enterprise/${id}/access`, {
    id: crypto.randomUUID(),
    reason: 'Ticket 4711',
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  answer('get', '/config-items', [])
  serveList(`/enterprise/${id}/users`, () => [user, former])
  const acting = open(`/management/users/${id}`)
  const menuOf = async (name: string) => {
    await acting.click(await screen.findByLabelText(`Actions for ${name}`))
    const items = within(await screen.findByRole('menu')).getAllByRole('menuitem')
    const labels = items.map((item) => item.textContent)
    await acting.keyboard('{Escape}')
    return labels
  }
  expect(await menuOf('Mara Holm')).toEqual([
    'Edit',
    'View History',
    'Send Password Reset Email',
    'Send Activation Email',
    'Reset Authenticator Enrolment',
    'Sign Out All Devices',
    'Deactivate',
    'Ban',
  ])
  await acting.click(screen.getByText('Show archived'))
  expect(await menuOf('Ola Berg')).toEqual(['View History', 'Reactivate'])
  for (const name of ['Add User', 'Import Users']) expect(screen.getByRole('button', { name })).toBeEnabled()
})

test('the people of an organization change on the page as others change them, except in a form', async () => {
  staffSignedIn()
  const bank = anOrganisation()
  const { id } = bank
  answer('get', `/enterprise/${id}`, aDetail(bank))
  answer('get', `/enterprise/${id}/access`, {
    id: crypto.randomUUID(),
    reason: 'Ticket 4711',
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  answer('get', `/config/enterpriseConfigDetails/${id}`, [aConfigItem('twilioAllowedCountryCodes')])
  answer('get', '/roles', [])
  const mara = { ...aListedUser({ firstName: 'Mara', lastName: 'Holm', location: 'Quay 1' }), id: 'mara' }
  let rows = [mara]
  const requests = serveList(`/enterprise/${id}/users`, () => rows)
  const user = open(`/management/users/${id}`)
  await waitFor(() => expect(screen.getByText('Mara Holm')).toBeVisible())
  const hint = await connected(() => requests.length)

  rows = [mara, { ...aListedUser({ firstName: 'Ola', lastName: 'Berg' }), id: 'ola' }]
  hint('managed-users')
  await waitFor(() => expect(screen.getByText('Ola Berg')).toBeVisible())

  answer('get', `/enterprise/${id}/user/mara`, mara)
  await user.click(screen.getByLabelText('Actions for Mara Holm'))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  const place = await dialog.findByRole('textbox', { name: /^Location/ })
  await waitFor(() => expect(place).toHaveValue('Quay 1'))
  await user.clear(place)
  await user.type(place, 'Quay 7')
  const newer = { ...mara, location: 'Quay 2', department: 'Harbour', version: 2 }
  rows = [newer]
  answer('get', `/enterprise/${id}/user/mara`, newer)
  hint('managed-users')
  await waitFor(() => expect(screen.queryByText('Ola Berg')).toBeNull())
  expect(place).toHaveValue('Quay 7')
})

test('roles and permissions are all of those that the server decides by', async () => {
  staffSignedIn()
  answer(
    'get',
    '/userRoles',
    USER_ROLES.map((enumName) => ({
      enumName,
      visibleName: enumName,
      description: `What ${enumName} is.`,
      permissionJsonNames: enumName === 'ADMIN' ? [...PERMISSIONS] : ['chats'],
    })),
  )
  answer(
    'get',
    '/userPermissions',
    PERMISSIONS.map((jsonName) => ({
      jsonName,
      description: `What ${jsonName} allows.`,
      roles: ['ADMIN'],
      needs: null,
      isForExternals: false,
      isForApiKeys: false,
    })),
  )
  open('/management/roles-permissions')
  const chips = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('button')
      .map((chip) => chip.textContent)
  expect(await screen.findByText('What ADMIN is.')).toBeVisible()
  for (const role of USER_ROLES) expect(screen.getByText(`What ${role} is.`)).toBeVisible()
  expect(chips('ADMIN')).toEqual([...PERMISSIONS])
  expect(chips('BUSINESS_USER')).toEqual(['chats'])
  expect(chips('Permissions')).toHaveLength(16)
})

test('a permission shows its details once it is chosen', async () => {
  staffSignedIn()
  answer('get', '/userRoles', [
    {
      enumName: 'ADMIN',
      visibleName: 'Admin',
      description: 'Administers everything.',
      permissionJsonNames: ['user-admin'],
    },
  ])
  answer('get', '/userPermissions', [
    {
      jsonName: 'user-admin',
      description: 'Administers users.',
      roles: ['ADMIN'],
      needs: null,
      isForExternals: false,
      isForApiKeys: true,
    },
  ])
  const user = open('/management/roles-permissions')
  const inspector = await screen.findByRole('region', { name: 'Permission Inspector' })
  expect(inspector).toHaveTextContent('Select a permission to view details.')
  const role = screen.getByRole('region', { name: 'Admin' })
  await user.click(within(role).getByRole('button', { name: 'user-admin' }))
  expect(inspector).toHaveTextContent('Administers users.')
})
