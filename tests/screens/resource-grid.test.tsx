import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import Papa from 'papaparse'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { answer, API, aProblem, FakeSocket, open, server, signedIn } from '#tests/support/client.tsx'
import {
  filterNow,
  filteredBy,
  linesOf,
  onAPhone,
  savedFiles,
  serveList,
} from '#tests/support/client-lists.ts'
import { aListedUser } from '#tests/support/client-users.ts'

const PATH = '/useradmin/users'
const USERS = Array.from({ length: 120 }, (_, index) =>
  aListedUser({ firstName: `Nia ${String.fromCharCode(65 + Math.floor(index / 26))}${index}`, lastName: '' }),
)
const FEW = USERS.slice(0, 3)
const grid = () => screen.findByRole('grid', { name: 'User Administration' })
const nameOf = (index: number) => USERS[index]!.firstName
// By text, because finding the cells of a large table by role takes seconds.
const cell = async (name: string) => {
  // A table becomes visible once it is complete.
  await waitFor(() => expect(screen.getByText(name)).toBeVisible())
  return screen.getByText(name)
}
const param = (name: string) => new URLSearchParams(location.search).get(name)

afterEach(() => void vi.restoreAllMocks())

/** Opens the list and records its requests. */
function opened(path = '/user-admin', rows = () => FEW) {
  signedIn()
  const asked = serveList(PATH, rows)
  return { asked, user: open(path) }
}

describe('pages', () => {
  test('are asked of the server, 50 at a time, in the first order', async () => {
    const { asked } = opened('/user-admin', () => USERS)
    expect(await cell(nameOf(0))).toBeVisible()
    expect(asked).toEqual([{ sort: ['firstName', 'ASC'], range: [0, 49], filter: { active: true } }])
    expect(screen.getByText('1–50 of 120')).toBeVisible()
    expect(location.search).toBe('')
  })

  test('turn, stand in the address, and are there again after back', async () => {
    const { asked, user } = opened('/user-admin', () => USERS)
    await cell(nameOf(0))
    await user.click(screen.getByLabelText('Go to next page'))
    expect(await cell(nameOf(50))).toBeVisible()
    expect(asked.at(-1)?.range).toEqual([50, 99])
    expect(param('page')).toBe('2')
    act(() => history.back())
    expect(await cell(nameOf(0))).toBeVisible()
    expect(param('page')).toBeNull()
  })

  test('open where the address says', async () => {
    const { asked } = opened('/user-admin?page=2&perPage=25&sort=email&order=DESC', () => USERS)
    expect(await cell(nameOf(25))).toBeVisible()
    expect(asked[0]).toMatchObject({ sort: ['email', 'DESC'], range: [25, 49] })
    expect(await screen.findByRole('columnheader', { name: /^Email/ })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
  })

  test('can be larger', async () => {
    const { asked, user } = opened('/user-admin?page=2', () => USERS)
    await cell(nameOf(50))
    await user.click(screen.getByRole('combobox', { name: /^Rows per page/ }))
    await user.click(screen.getByRole('option', { name: '100' }))
    expect(await screen.findByText('1–100 of 120')).toBeVisible()
    expect(asked.at(-1)?.range).toEqual([0, 99])
  })

  test('keep their rows while the next one is on its way', async () => {
    const { user } = opened('/user-admin', () => USERS)
    await cell(nameOf(0))
    server.use(http.get(`${API}${PATH}`, () => new Promise<never>(() => undefined)))
    await user.click(screen.getByLabelText('Go to next page'))
    expect(await screen.findByRole('progressbar')).toBeInTheDocument()
    expect(screen.getByText(nameOf(0))).toBeVisible()
  })

  test('open as usual where an address asks for what there is not', async () => {
    const hostile = encodeURIComponent('{"q":5,"role":["ADMIN"],"archived":"yes","other":"x"}')
    const { asked } = opened(`/user-admin?page=-3&perPage=9999&sort=password&filter=${hostile}`, () => USERS)
    expect(await cell(nameOf(0))).toBeVisible()
    expect(asked).toEqual([{ sort: ['firstName', 'ASC'], range: [0, 49], filter: { active: true } }])
    expect(location.search).toBe('')
  })

  test('go back to the last one there is', async () => {
    const { asked } = opened('/user-admin?page=9', () => USERS)
    expect(await cell(nameOf(100))).toBeVisible()
    expect(asked.at(-1)?.range).toEqual([100, 149])
    expect(param('page')).toBe('3')
  })
})

describe('order and search', () => {
  test('a header sorts on the server, and again the other way', async () => {
    const { asked, user } = opened('/user-admin?page=3&perPage=25', () => USERS)
    await cell(nameOf(50))
    const header = () => screen.getByText('Email')
    await user.click(header())
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: ['email', 'ASC'], range: [0, 24] }))
    await user.click(header())
    await waitFor(() => expect(asked.at(-1)?.sort).toEqual(['email', 'DESC']))
    expect(param('sort')).toBe('email')
    expect(param('order')).toBe('DESC')
  })

  test('typing searches once the typing rests', async () => {
    const { asked, user } = opened('/user-admin?page=3&perPage=25', () => USERS)
    await cell(nameOf(50))
    const before = asked.length
    await user.type(screen.getByLabelText('Search users'), USERS[77]!.email)
    expect(await screen.findByText('1–1 of 1')).toBeVisible()
    expect(asked.length - before).toBeLessThan(4)
    expect(asked.at(-1)?.filter).toEqual({ active: true, q: USERS[77]!.email })
    expect(filterNow()).toEqual({ q: USERS[77]!.email })
    expect(param('page')).toBeNull()
  })

  test('finding nothing says so, and offers the way back', async () => {
    const { user } = opened(`/user-admin?${filteredBy({ q: 'nobody' })}`)
    expect(await screen.findByText('Nothing matches these filters.')).toBeVisible()
    expect(screen.getByLabelText('Search users')).toHaveValue('nobody')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await cell(nameOf(0))).toBeVisible()
    expect(screen.getByLabelText('Search users')).toHaveValue('')
  })
})

describe('actions of a row', () => {
  const menu = () => screen.findByRole('menu', { name: `Actions for ${nameOf(0)}` })

  test('open by right click', async () => {
    const { user } = opened()
    await user.pointer({ keys: '[MouseRight]', target: await cell(nameOf(0)) })
    expect(
      within(await menu())
        .getAllByRole('menuitem')
        .map((item) => item.textContent),
    ).toEqual([
      'Edit',
      'View History',
      'Send Password Reset Email',
      'Send Activation Email',
      'Reset Authenticator Enrolment',
      'Sign Out All Devices',
      'Deactivate',
    ])
  })

  test('open by a button', async () => {
    const { user } = opened()
    await cell(nameOf(0))
    await user.click(screen.getByRole('button', { name: `Actions for ${nameOf(0)}` }))
    expect(await menu()).toBeVisible()
  })

  test.each([['{Shift>}{F10}{/Shift}'], ['{ContextMenu}']])('open by keyboard: %s', async (keys) => {
    const { user } = opened()
    const header = (await cell(nameOf(0))).closest<HTMLElement>('[role=rowheader]')
    act(() => header?.focus())
    await user.keyboard(keys)
    expect(await menu()).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  })

  test('stand in the bar below once the row is selected', async () => {
    const { user } = opened()
    await user.click(await screen.findByText(USERS[0]!.email))
    const bar = await screen.findByRole('region', { name: `${nameOf(0)} selected` })
    expect(within(bar).getByRole('button', { name: 'Edit' })).toBeVisible()
    await user.click(within(bar).getByRole('button', { name: 'More' }))
    expect(within(await menu()).getByRole('menuitem', { name: 'Deactivate' })).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await user.click(within(bar).getByRole('button', { name: 'Clear selection' }))
    expect(screen.queryByRole('region', { name: `${nameOf(0)} selected` })).toBeNull()
  })
})

describe('how it looks', () => {
  test('columns and density are chosen and remembered', async () => {
    const { user } = opened()
    await cell(nameOf(0))
    expect(screen.getByText('Department')).toBeVisible()
    await user.click(screen.getByLabelText('View'))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Department' }))
    await user.click(screen.getByRole('menuitemradio', { name: 'Comfortable' }))
    await waitFor(() =>
      expect(screen.queryByText('Department', { selector: '[role=columnheader] *' })).toBeNull(),
    )
    expect(document.querySelector('.MuiDataGrid-root--densityComfortable')).not.toBeNull()
    expect(Object.keys(localStorage).join(' ')).toContain('user-admin.density')
  })

  test('order, filters and page size are remembered for the person, not what was searched for', async () => {
    const { asked, user } = opened(`/user-admin?${filteredBy({ q: 'nia' })}`, () => USERS)
    await cell(nameOf(0))
    await user.click(screen.getByText('Email'))
    await user.click(screen.getByRole('button', { name: 'Role' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'User' }))
    await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ active: true, role: 'USER', q: 'nia' }))
    await user.click(screen.getByRole('link', { name: 'Groups' }))
    await screen.findByRole('heading', { level: 1, name: 'Groups' })
    const before = asked.length
    await user.click(screen.getByRole('link', { name: 'Users' }))
    expect(await screen.findByRole('button', { name: 'Role: User' })).toBeVisible()
    await waitFor(() => expect(location.search).toBe(`?sort=email&order=ASC&${filteredBy({ role: 'USER' })}`))
    expect(asked.slice(before)).toEqual([
      { sort: ['email', 'ASC'], range: [0, 49], filter: { active: true, role: 'USER' } },
    ])
    expect(Object.keys(localStorage).join(' ')).toMatch(/[0-9a-f-]{36}\.user-admin\.list/)

    // A removed filter stays removed.
    await user.click(screen.getByRole('button', { name: 'Clear filter: Role' }))
    await waitFor(() => expect(location.search).toBe('?sort=email&order=ASC'))
    await user.click(screen.getByRole('link', { name: 'Groups' }))
    await screen.findByRole('heading', { level: 1, name: 'Groups' })
    await user.click(screen.getByRole('link', { name: 'Users' }))
    await waitFor(() => expect(location.search).toBe('?sort=email&order=ASC'))
  })

  test('an address that says more is followed, whatever is remembered', async () => {
    localStorage.setItem(
      'RaStoremuster.7f8a4b62-7a0b-4a5c-9a3e-0d8f4c1b2a90.user-admin.list',
      JSON.stringify(filteredBy({ role: 'ADMIN' })),
    )
    const { asked } = opened(`/user-admin?${filteredBy({ type: 'INTERNAL' })}`)
    await cell(nameOf(0))
    expect(asked[0]?.filter).toEqual({ active: true, type: 'INTERNAL' })
  })

  test('on a phone the rows are cards', async () => {
    onAPhone()
    const { user } = opened()
    const list = await screen.findByRole('list', { name: 'User Administration' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(3)
    expect(screen.queryByRole('grid')).toBeNull()
    const [card] = within(list).getAllByRole('listitem')
    expect(card).toHaveTextContent(nameOf(0))
    expect(card).toHaveTextContent(`Email${USERS[0]!.email}`)
    await user.click(within(card!).getByRole('button', { name: `Actions for ${nameOf(0)}` }))
    expect(await screen.findByRole('menuitem', { name: 'Edit' })).toBeVisible()
  })

  test('on a phone a menu sorts', async () => {
    onAPhone()
    const { asked, user } = opened()
    await user.click(await screen.findByRole('button', { name: 'Sorted by Name' }))
    await user.click(screen.getByRole('menuitemradio', { name: 'Last Login' }))
    await waitFor(() => expect(asked.at(-1)?.sort).toEqual(['lastLoginTimestamp', 'ASC']))
  })
})

describe('a file of the list', () => {
  test('holds all pages of what the filter finds, in the order that is shown, and all columns', async () => {
    const files = savedFiles()
    const many = Array.from({ length: 720 }, (_, n) => aListedUser({ firstName: `Nia${n}`, lastName: '' }))
    const { asked, user } = opened(`/user-admin?sort=email&order=DESC&${filteredBy({ q: 'nia' })}`, () => [
      ...many,
      ...FEW,
    ])
    await cell('Nia0')
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(files).toHaveLength(1))
    expect(files[0]!.name).toMatch(/^user-administration-\d{4}-\d\d-\d\d\.csv$/)
    const lines = await linesOf(files[0]!)
    expect(lines[0]).toBe('Name,Email,Phone,Role,Type,Status,Location,Department,Deputy,Last Login')
    expect(lines).toHaveLength(1 + 720 + 3)
    expect(lines[1]).toMatch(
      /^Nia0,person\d+@demo\.example,,User,Internal,Active,,,,2026-01-05T10:00:00\.000Z$/,
    )
    expect(asked.slice(-2)).toEqual([
      { sort: ['email', 'DESC'], range: [0, 499], filter: { active: true, q: 'nia' } },
      { sort: ['email', 'DESC'], range: [500, 999], filter: { active: true, q: 'nia' } },
    ])
  })

  test('gives no spreadsheet a formula to run', async () => {
    const files = savedFiles()
    const risky = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=cmd\n|x', 'a=1', 'x,"y"']
    const { user } = opened('/user-admin', () =>
      risky.map((location) => aListedUser({ firstName: 'Nia', location, phoneNumber: '+14165550123' })),
    )
    await screen.findAllByText(/^Nia/)
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(files).toHaveLength(1))
    const { data } = Papa.parse<string[]>(await files[0]!.blob.text())
    expect(data.slice(1).map((row) => row[6])).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'\tx",
      "'\rx",
      "'=cmd\n|x",
      'a=1',
      'x,"y"',
    ])
    expect(data[1]![2]).toBe("'+1 416 555 0123")
  })

  test('that cannot be had says so, and saves nothing', async () => {
    const files = savedFiles()
    const { user } = opened()
    await cell(nameOf(0))
    answer('get', PATH, {}, 500)
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText('The list could not be exported.')).toBeVisible()
    expect(files).toEqual([])
  })
})

describe('what can go wrong', () => {
  test('a list that does not come says so, and is asked for again', async () => {
    signedIn()
    answer('get', PATH, aProblem('An unexpected error occurred.', 'unexpected'), 500)
    const user = open('/user-admin')
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong.')
    serveList(PATH, () => FEW)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await cell(nameOf(0))).toBeVisible()
  })

  test('a refresh that fails keeps the rows and says that they may be old', async () => {
    const { user } = opened()
    await cell(nameOf(0))
    answer('get', PATH, aProblem('An unexpected error occurred.', 'unexpected'), 500)
    await user.click(screen.getByLabelText('Refresh'))
    expect(await screen.findByRole('alert')).toHaveTextContent('could not be refreshed')
    expect(screen.getByText(nameOf(0))).toBeVisible()
  })

  test('rows are outlined while the first ones load', async () => {
    signedIn()
    server.use(http.get(`${API}${PATH}`, () => new Promise<never>(() => undefined)))
    open('/user-admin')
    await screen.findByRole('searchbox')
    // The placeholder of any page comes first, then that of this page.
    await waitFor(() => expect(screen.getByRole('status', { name: 'Loading…' })).toBeInTheDocument())
  })
})

test('shows what the live socket tells of', async () => {
  let rows = [USERS[0]!]
  opened('/user-admin', () => rows)
  await cell(nameOf(0))
  await waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
  act(() => FakeSocket.last?.say({ type: 'ready', sequence: 1 }))
  rows = [USERS[0]!, USERS[1]!]
  const news = {
    type: 'event',
    noun: 'users',
    record: USERS[1]!.uuid,
    verb: 'created',
    parent: null,
  } as const
  act(() => FakeSocket.last?.say({ ...news, sequence: 2 }))
  expect(await cell(nameOf(1))).toBeVisible()
})

describe('access', () => {
  test('who may not see the list is sent away', async () => {
    signedIn('USER')
    open('/user-admin')
    expect(await screen.findByText('Current State')).toBeVisible()
    expect(location.pathname).toBe('/')
  })

  test('the page is in the menu of those who may', async () => {
    opened()
    await grid()
    expect(screen.getByRole('link', { name: 'Users' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByRole('heading', { level: 1, name: 'User Administration' })).toBeVisible()
  })
})
