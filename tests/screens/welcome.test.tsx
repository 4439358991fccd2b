import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import { headingsOf } from '#contract/kit/csv.ts'
import { IMPORT_COLUMNS } from '#contract/user-import/schema.ts'
import { DEFAULT_FOLDERS, DEPARTMENTS } from '#contract/welcome/rules.ts'
import type { WelcomePackage } from '#contract/welcome/schema.ts'
import { roleOption } from '#contract/users/rules.ts'
import { USER_DEFAULTS } from '#contract/users/schema.ts'
import { API, open, server } from '#tests/support/client.tsx'
import { readingTables } from '#tests/support/client-tables.ts'

const UID = 'mw_one'
const linkOf = (uid = UID, apiAddress = API) => btoa(JSON.stringify({ uid, apiAddress }))
const path = (step?: number | string, link = linkOf()) =>
  `/welcome?${new URLSearchParams({ id: link, ...(step !== undefined && { step: String(step) }) })}`
const NOT_FOUND = 'This Welcome Package does not exist, or has already been submitted.'

const ada = {
  ...USER_DEFAULTS,
  firstName: 'Ada',
  lastName: 'Main',
  email: 'ada@acme.example',
  role: 'ADMIN',
  isMainAdminUser: true,
} as const
const ben = {
  ...ada,
  firstName: 'Ben',
  lastName: 'Lee',
  email: 'ben@acme.example',
  role: 'USER',
  isMainAdminUser: false,
} as const
const FIRST: WelcomePackage = {
  uid: UID,
  status: 'CREATED',
  maxUsers: 2,
  lastUpdateTimestamp: '2026-03-01T10:00:00.000Z',
  mainAdminUser: ada,
  enterpriseCode: 'acme',
  apiAddress: API,
  users: [ada],
  warRooms: [{ name: 'Executive Team', usersEmails: [ada.email], isGroup: false }],
  fileFolders: [
    { name: 'Plans', adminOnly: false },
    { name: 'Evidence', adminOnly: true },
  ],
  lastUpdateBrowserData: null,
  errorCode: null,
  userRoles: [roleOption('USER'), roleOption('ADMIN'), roleOption('BUSINESS_USER')],
  phoneCountryCodes: ['CA', 'US'],
  phoneCountry: 'CA',
  nameCharacters: 'STANDARD',
  groupsEnabled: true,
  supportEmail: 'help@provider.example',
}

// The registry names the service of the links.
beforeEach(readingTables)
beforeEach(() => server.use(http.get('/registry', () => HttpResponse.json({ apiUrl: API }))))

/** Serves a package and stores its changes. */
function serve(changes: Partial<WelcomePackage> = {}) {
  const state = { current: { ...FIRST, ...changes } }
  const saved: any[] = []
  const asked: string[] = []
  server.use(
    http.get(`${API}/welcome/${UID}`, ({ request }) => {
      asked.push(request.headers.get('Web-App-Version') ?? '')
      return HttpResponse.json(state.current)
    }),
    http.post(`${API}/welcome/${UID}`, async ({ request }) => {
      const body = (await request.json()) as any
      asked.push(request.headers.get('Web-App-Version') ?? '')
      saved.push(body)
      state.current = {
        ...state.current,
        ...body,
        users: [ada, ...body.users],
        lastUpdateTimestamp: `2026-03-01T10:00:${String(saved.length).padStart(2, '0')}.000Z`,
        status: body.status,
      }
      return HttpResponse.json(state.current)
    }),
  )
  return { state, saved, asked }
}
const refuse = (status: number, body: object) =>
  server.use(http.post(`${API}/welcome/${UID}`, () => HttpResponse.json(body, { status })))
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const button = (name: string) => screen.getByRole('button', { name })

describe('the link', () => {
  test.each([
    ['/welcome', 'no link'],
    ['/welcome?id=abc', 'a link that is none'],
    [path(undefined, btoa('[1]')), 'a link to nothing'],
  ])('%s shows that there is no such package', async (address) => {
    open(address)
    expect(await heading('Oops!')).toBeVisible()
    expect(screen.getByText(NOT_FOUND)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Request a new link' })).toBeNull()
  })

  test('to an unknown package shows that there is none', async () => {
    server.use(
      http.get(`${API}/welcome/${UID}`, () =>
        HttpResponse.json({ code: 'NOT_FOUND', message: NOT_FOUND }, { status: 404 }),
      ),
    )
    const renewed: string[] = []
    server.use(
      http.post(`${API}/welcome/${UID}/renew`, ({ request }) => {
        renewed.push(request.url)
        return renewed.length === 1
          ? HttpResponse.json({ code: 'locked_out', message: 'Please wait a minute.' }, { status: 429 })
          : new HttpResponse(null, { status: 204 })
      }),
    )
    const user = open(path())
    expect(await heading('Oops!')).toBeVisible()
    // The page also offers another link, and a completed package leads to sign-in.
    await user.click(button('Request a new link'))
    expect(await screen.findByText('Please wait a minute.')).toBeVisible()
    await user.click(button('Request a new link'))
    expect(await screen.findByText(/^If this link has expired, a new one was sent/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Request a new link' })).toBeNull()
    expect(renewed).toHaveLength(2)
    await user.click(button('Sign in'))
    expect(await screen.findByLabelText('Organization code')).toBeVisible()
  })

  test('to another service asks nothing of it', async () => {
    const foreign: string[] = []
    server.use(
      http.get('/registry', () => HttpResponse.json({ apiUrl: API })),
      http.all('https://evil.example/*', ({ request }) => {
        foreign.push(request.url)
        return HttpResponse.json(FIRST)
      }),
    )
    open(path(undefined, linkOf(UID, 'https://evil.example/api')))
    expect(await heading('Oops!')).toBeVisible()
    expect(foreign).toEqual([])
  })

  test('can be opened again when the server does not answer', async () => {
    serve()
    server.use(
      http.get(`${API}/welcome/${UID}`, () => new HttpResponse(null, { status: 500 }), { once: true }),
    )
    const user = open(path())
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await heading('Welcome')).toBeVisible()
  })
})

describe('the steps', () => {
  test('are walked through in order, and save nothing while nothing is changed', async () => {
    const { saved, asked } = serve()
    const user = open(path())
    expect(await heading('Welcome')).toBeVisible()
    expect(screen.getByLabelText('Org Code')).toHaveValue('acme')
    expect(screen.getByLabelText('Org Code')).toHaveAttribute('readonly')
    expect(screen.queryByRole('button', { name: 'Go Back' })).not.toBeInTheDocument()
    await user.click(button('Get Started'))
    for (const name of ['Users', 'War Rooms', 'File Folders']) {
      expect(await heading(name)).toHaveFocus()
      await user.click(button('Continue'))
    }
    expect(await heading('Confirmation')).toBeVisible()
    expect(button('Mark Complete')).toBeEnabled()
    await user.click(button('Go Back'))
    expect(await heading('File Folders')).toBeVisible()
    expect(saved).toEqual([])
    expect(asked.every((version) => version !== '')).toBe(true)
  })

  test.each([
    ['2', 'War Rooms'],
    ['99', 'Welcome'],
    ['abc', 'Welcome'],
    ['-1', 'Welcome'],
  ])('step=%s opens %s', async (step, name) => {
    serve()
    open(path(step))
    expect(await heading(name)).toBeVisible()
  })

  test('save a change before the next one, on top of what was read, and say when', async () => {
    const { saved } = serve()
    const user = open(path(3))
    await user.type((await screen.findAllByLabelText('Folder name'))[0]!, ' 2026')
    expect(screen.getByText('Not saved yet')).toBeVisible()
    await user.click(button('Continue'))
    expect(await heading('Confirmation')).toBeVisible()
    expect(saved).toHaveLength(1)
    expect(saved[0]).toMatchObject({
      status: 'SAVED',
      lastUpdateTimestamp: FIRST.lastUpdateTimestamp,
      fileFolders: [
        { name: 'Plans 2026', adminOnly: false },
        { name: 'Evidence', adminOnly: true },
      ],
      warRooms: [{ name: 'Executive Team', usersEmails: [ada.email] }],
    })
    expect(screen.getByText('All changes are saved')).toBeVisible()
    expect(document.querySelector('footer time')).toHaveAttribute('datetime', '2026-03-01T10:00:01.000Z')
    expect(screen.getByRole('link', { name: 'Contact support' })).toHaveAttribute(
      'href',
      'mailto:help@provider.example',
    )
  })

  test('save by themselves, each time on top of the last', async () => {
    const { saved } = serve()
    const user = open(path(3))
    const [first] = await screen.findAllByLabelText('Folder name')
    await user.type(first!, '!')
    await waitFor(() => expect(saved).toHaveLength(1))
    await user.type(first!, '?')
    await waitFor(() => expect(saved).toHaveLength(2))
    expect(saved.map((body) => body.lastUpdateTimestamp)).toEqual([
      FIRST.lastUpdateTimestamp,
      '2026-03-01T10:00:01.000Z',
    ])
    expect(saved[1].fileFolders[0].name).toBe('Plans!?')
  })

  test('are not left without a question while something is not saved', async () => {
    serve()
    const user = open(path(3))
    const leaving = () => {
      const event = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(event)
      return event.defaultPrevented
    }
    const [first] = await screen.findAllByLabelText('Folder name')
    expect(leaving()).toBe(false)
    await user.type(first!, '!')
    expect(leaving()).toBe(true)
    await screen.findByText('All changes are saved')
    expect(leaving()).toBe(false)
  })
})

describe('users', () => {
  const create = async (user: ReturnType<typeof open>, values: Record<string, string>) => {
    await user.click(button('Create User'))
    const dialog = within(await screen.findByRole('dialog'))
    for (const [label, value] of Object.entries(values)) {
      await user.clear(dialog.getByLabelText(new RegExp(`^${label}`)))
      await user.type(dialog.getByLabelText(new RegExp(`^${label}`)), value)
    }
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    return dialog
  }
  const BO = { 'First name': 'Bo', 'Last name': 'Ray', Email: 'bo@acme.example' }

  test('are created until there are as many as there may be', async () => {
    const { saved } = serve({ users: [ada, ben] })
    const user = open(path(1))
    expect(await screen.findByText('1 of 2 users')).toBeVisible()
    await create(user, { ...BO, 'Phone number': '416 555 0101', Department: 'Legal' })
    expect(await screen.findByText('2 of 2 users')).toBeVisible()
    expect(button('Create User')).toBeDisabled()
    expect(button('Import Users')).toBeDisabled()
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0].users[1]).toEqual({
      ...USER_DEFAULTS,
      firstName: 'Bo',
      lastName: 'Ray',
      email: 'bo@acme.example',
      phoneNumber: '+14165550101',
      department: 'Legal',
      isMainAdminUser: false,
      passwordChangeRequired: false,
    })
  })

  test('are offered the usual departments', async () => {
    serve({ users: [ada] })
    const user = open(path(1))
    await screen.findByText('0 of 2 users')
    await user.click(button('Create User'))
    const field = within(await screen.findByRole('dialog')).getByLabelText(/^Department/)
    const { list } = field as HTMLInputElement
    expect([...list!.options].map(({ value }) => value)).toEqual(DEPARTMENTS)
    expect(DEPARTMENTS.length).toBeGreaterThan(5)
  })

  test.each([
    [{ ...BO, Email: 'BEN@acme.example' }, 'A user with this email address already exists.'],
    [{ ...BO, Email: ada.email }, 'A user with this email address already exists.'],
    [{ ...BO, Email: 'bo' }, 'Please enter a valid email address.'],
    [{ ...BO, 'First name': 'Anne-Marie' }, 'Only alphabetical characters and spaces are allowed.'],
    [{ ...BO, 'Phone number': '12' }, 'Only valid phone numbers are allowed.'],
  ])('are not created of %o', async (values, message) => {
    serve({ users: [ada, ben] })
    const user = open(path(1))
    await screen.findByText('1 of 2 users')
    const dialog = await create(user, values)
    expect(await dialog.findByText(message)).toBeVisible()
  })

  test('can be edited and removed, except the main administrator, and leave their rooms', async () => {
    const rooms = [{ name: 'Board', usersEmails: [ben.email, ada.email], isGroup: false }]
    const { saved } = serve({ users: [ada, ben], warRooms: rooms })
    const user = open(path(1))
    expect(await screen.findByText('Main administrator')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Ada Main/ })).not.toBeInTheDocument()
    await user.click(button('Remove Ben Lee'))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({ users: [], warRooms: [{ usersEmails: [ada.email] }] })
  })

  test('are replaced by an import, which says so before', async () => {
    const { saved } = serve({ users: [ada, ben] })
    const user = open(path(1))
    await user.click(await screen.findByRole('button', { name: 'Import Users' }))
    const csv = (rows: string) => new File([`${headingsOf(IMPORT_COLUMNS).join(',')}\n${rows}`], 'people.csv')
    const choose = async (rows: string) => user.upload(await screen.findByLabelText(/CSV/), csv(rows))
    await choose('Cy,Ray,cy@acme.example,,,,,\nCy,Ray,CY@acme.example,,,,,')
    expect(await screen.findByText('This list of users contains duplicate email addresses.')).toBeVisible()
    await choose('A,B,a@acme.example,,,,,\nC,D,c@acme.example,,,,,\nE,F,e@acme.example,,,,,')
    expect(
      await screen.findByText('You have exceeded the maximum number of users allowed for your organization.'),
    ).toBeVisible()
    await choose('Cy,Ray,cy@acme.example,,ADMIN,Oui,,Legal')
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    expect(screen.getByRole('button', { name: 'Import 1 user' })).toBeDisabled()
    await user.click(screen.getByRole('radio', { name: 'External' }))
    expect(await screen.findByText(/whom you have entered so far will be replaced/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Import 1 user' }))
    expect(await screen.findByText('Cy Ray')).toBeVisible()
    expect(screen.queryByText('Ben Lee')).not.toBeInTheDocument()
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0].users).toMatchObject([
      { email: 'cy@acme.example', role: 'ADMIN', type: 'EXTERNAL', department: 'Legal', phoneNumber: null },
    ])
  })
})

describe('war rooms', () => {
  const INVALID = 'Please assign a title and at least an admin user for each War Room.'

  test('without a title stop the wizard, which leads back to them', async () => {
    const { saved } = serve()
    const user = open(path(2))
    await user.clear(await screen.findByLabelText(/^Title/))
    await user.click(button('Continue'))
    expect((await screen.findAllByText(INVALID))[0]).toBeVisible()
    expect(screen.getByRole('heading', { level: 1, name: 'War Rooms' })).toBeVisible()
    expect(saved).toEqual([])
  })

  test('begin with the main administrator as their admin, and need another title', async () => {
    serve()
    const user = open(path(2))
    await user.click(await screen.findByRole('button', { name: 'Add War Room' }))
    const room = within(screen.getByRole('group', { name: 'War room 2' }))
    expect(room.getByLabelText(/^Admin/)).toHaveValue('Ada Main')
    await user.type(room.getByLabelText(/^Title/), 'executive team')
    expect(await screen.findByText('A War Room with this title already exists.')).toBeVisible()
  })

  test('without an admin are administered by their first member', async () => {
    const { saved } = serve({ users: [ada, ben] })
    const user = open(path(2))
    await user.click(await screen.findByLabelText(/^Members/))
    await user.click(await screen.findByRole('option', { name: /Ben Lee/ }))
    await user.keyboard('{Escape}')
    await user.clear(screen.getByLabelText(/^Admin/))
    await user.tab()
    await user.click(screen.getByLabelText('Also make a user group of these people'))
    await user.click(button('Continue'))
    await heading('File Folders')
    expect(saved.at(-1).warRooms).toEqual([
      { name: 'Executive Team', usersEmails: [ben.email], isGroup: true },
    ])
  })

  test('are twenty at most', async () => {
    const warRooms = Array.from({ length: 20 }, (_, n) => ({
      name: `Room ${n}`,
      usersEmails: [ada.email],
      isGroup: false,
    }))
    serve({ warRooms })
    open(path(2))
    expect(await screen.findByRole('button', { name: 'Add War Room' })).toBeDisabled()
    expect(screen.getByText(/5 to 10 war rooms/)).toBeVisible()
  })
})

describe('folders', () => {
  test('begin with those of the package', async () => {
    serve({ fileFolders: [...DEFAULT_FOLDERS] })
    open(path(3))
    const names = await screen.findAllByRole('textbox', { name: 'Folder name' })
    expect(names.map((input) => (input as HTMLInputElement).value)).toEqual(
      DEFAULT_FOLDERS.map(({ name }) => name),
    )
  })

  test('can be restricted, need a name of their own, and are twenty at most', async () => {
    const { saved } = serve()
    const user = open(path(3))
    const [plans] = await screen.findAllByLabelText('Only administrators')
    await user.click(plans!)
    await user.click(button('Add Folder'))
    await user.keyboard('evidence')
    expect(await screen.findByText('A folder with this name already exists.')).toBeVisible()
    await user.keyboard('s')
    await user.click(button('Continue'))
    await heading('Confirmation')
    expect(saved.at(-1).fileFolders).toEqual([
      { name: 'Plans', adminOnly: true },
      { name: 'Evidence', adminOnly: true },
      { name: 'evidences', adminOnly: false },
    ])
  })
})

describe('the confirmation', () => {
  test('submits once, and then nothing can be changed', async () => {
    const { saved, state } = serve({ users: [ada, ben] })
    const user = open(path(4))
    await user.dblClick(await screen.findByRole('button', { name: 'Mark Complete' }))
    expect(await screen.findByRole('button', { name: 'Marked Complete!' })).toBeDisabled()
    expect(saved.map(({ status }) => status)).toEqual(['SUBMITTED'])
    state.current = { ...state.current, status: 'COMPLETED' }
    expect(await screen.findByText(/Your organization is set up/)).toBeVisible()
    await user.click(button('Go Back'))
    await heading('File Folders')
    expect(screen.queryByRole('button', { name: 'Add Folder' })).not.toBeInTheDocument()
    for (const field of screen.getAllByLabelText('Folder name')) expect(field).toBeDisabled()
  })

  test.each([
    [
      'TOO_MANY_USERS',
      'You have exceeded the maximum number of users allowed for your organization.',
      'Users',
    ],
    ['INVALID_WAR_ROOMS', 'Please assign a title and at least an admin user for each War Room.', 'War Rooms'],
  ])('refused with %s leads to where it is fixed', async (code, message, step) => {
    serve()
    refuse(400, { code, message, fields: {} })
    const user = open(path(4))
    await user.click(await screen.findByRole('button', { name: 'Mark Complete' }))
    expect(await screen.findByText(message)).toBeVisible()
    await user.click(button('Fix Issue(s)'))
    expect(await heading(step)).toBeVisible()
  })

  test('of a package that failed says that nothing needs to be done', async () => {
    serve({ status: 'ERROR', errorCode: 'ERROR_DURING_POPULATION' })
    open(path(4))
    expect(
      await screen.findByText(
        "An error occurred while processing your information. But don't worry, your information has been saved. We'll resolve the issues and no further action is needed on your part.",
      ),
    ).toBeVisible()
    expect(button('Marked Complete!')).toBeDisabled()
  })

  test('of a package that was submitted elsewhere shows that it is gone', async () => {
    serve()
    refuse(404, { code: 'NOT_FOUND', message: NOT_FOUND })
    const user = open(path(4))
    await user.click(await screen.findByRole('button', { name: 'Mark Complete' }))
    expect(await heading('Oops!')).toBeVisible()
  })
})

test('what another browser saved meanwhile is not overwritten, and can be loaded', async () => {
  const { state } = serve()
  refuse(409, {
    code: 'stale',
    message: 'This Welcome Package was changed in another browser meanwhile. Your changes were not saved.',
  })
  const user = open(path(3))
  await user.type((await screen.findAllByLabelText('Folder name'))[0]!, '!')
  await user.click(button('Continue'))
  expect(await screen.findByText(/changed in another browser meanwhile/)).toBeVisible()
  state.current = { ...state.current, fileFolders: [{ name: 'Theirs', adminOnly: false }] }
  await user.click(button('Load what was saved'))
  expect(await screen.findByDisplayValue('Theirs')).toBeVisible()
  expect(screen.queryByText(/changed in another browser meanwhile/)).not.toBeInTheDocument()
})

test('what could not be saved is kept and can be saved again', async () => {
  const { saved } = serve()
  server.use(
    http.post(`${API}/welcome/${UID}`, () => new HttpResponse(null, { status: 503 }), { once: true }),
  )
  const user = open(path(3))
  await user.type((await screen.findAllByLabelText('Folder name'))[0]!, '!')
  await user.click(button('Continue'))
  expect(await screen.findByText('Your changes could not be saved. Please try again.')).toBeVisible()
  await user.click(button('Save again'))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(screen.getByDisplayValue('Plans!')).toBeVisible()
})
