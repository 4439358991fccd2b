import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Contact } from '#contract/contacts/schema.ts'
import { answer, API, aProblem, FakeSocket, open, server, signedIn } from '#tests/support/client.tsx'
import { filterNow, filteredBy, linesOf, onAPhone, receive, savedFiles } from '#tests/support/client-lists.ts'
import { readingTables } from '#tests/support/client-tables.ts'

const PAGE = '/mass-notifications/contacts'
const HEADINGS = 'Name,Email Address,Phone Number,Contact List'

function aContact(name: string, changes: Partial<Contact> = {}): Contact {
  const lists = changes.lists ?? ['City']
  return {
    id: crypto.randomUUID(),
    name,
    email: `${name.toLowerCase().replaceAll(' ', '.')}@example.org`,
    phone: null,
    valid: null,
    phoneCountry: null,
    phoneExtension: null,
    secondPhone: null,
    secondPhoneCountry: null,
    secondPhoneExtension: null,
    list: lists[0]!,
    lists,
    ...changes,
  }
}
const ana = aContact('Ana', { phone: '+19024230130', valid: true, lists: ['Board', 'City'] })
const bo = aContact('Bo', { phone: '4165550123', valid: false })
const cy = aContact('Cy', { phone: '+14165550124' })
const dee = aContact('Dee')
const everybody = [ana, bo, cy, dee]

let contacts: readonly Contact[] = everybody
/** Requests for contacts: list, search, order and range. */
let asked: string[] = []
beforeEach(() => {
  readingTables()
  signedIn()
  contacts = everybody
  asked = []
  answer('get', '/config', { contactsUploadMaxLimit: 100 })
  server.use(
    http.get(`${API}/contact/lists`, () => {
      const names = [...new Set(contacts.flatMap(({ lists }) => lists))].sort()
      const count = (name: string) => contacts.filter(({ lists }) => lists.includes(name)).length
      return HttpResponse.json(names.map((name) => ({ name, count: count(name) })))
    }),
    http.get(`${API}/contact/asList`, ({ request }) => {
      const { searchParams } = new URL(request.url)
      const read = (name: string) => JSON.parse(searchParams.get(name) ?? 'null') as unknown
      const { q, list } = (read('filter') ?? {}) as { q?: string; list?: string }
      const [field, order] = (read('sort') ?? ['name', 'ASC']) as ['name' | 'email' | 'phone', string]
      const [first, last] = (read('range') ?? [0, contacts.length]) as [number, number]
      asked.push(`${list ?? ''}?${q ?? ''} ${field} ${order} ${first}-${last}`)
      const found = contacts
        .filter(({ name }) => q === undefined || name.toLowerCase().includes(q.toLowerCase()))
        .filter(({ lists }) => list === undefined || lists.includes(list))
        .toSorted((a, b) => (String(a[field]) < String(b[field]) ? -1 : 1))
      if (order === 'DESC') found.reverse()
      return HttpResponse.json(found.slice(first, last + 1), {
        headers: { 'Content-Range': `items ${first}-${last}/${found.length}` },
      })
    }),
  )
})
afterEach(() => void vi.restoreAllMocks())

const list = (name: string) => screen.findByRole('link', { name: new RegExp(`^${name}`) })
const grid = (name: string) => screen.findByRole('grid', { name })
const button = (name: string) => screen.findByRole('button', { name })
const searchBox = () => screen.findByRole('searchbox', { name: 'Search contacts' })
// By selector, because a closing dialog may still hide the toast from assistive technology, and on a slow
// machine for its whole life.
const toast = (words: string) => screen.findByText(words, { selector: 'output *' })
const param = (name: string) => new URLSearchParams(location.search).get(name)
const headersIn = (table: HTMLElement) =>
  within(table)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
const namesIn = (table: HTMLElement) =>
  within(table)
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)

describe('contact lists', () => {
  test('stand at the side with their counts; before one is chosen the page says what to do', async () => {
    open(PAGE)
    await list('City')
    const lists = within(screen.getByRole('list', { name: 'Contact Lists' })).getAllByRole('link')
    expect(lists.map(({ textContent }) => textContent)).toEqual(['Board1 contact(s)', 'City4 contact(s)'])
    expect(screen.getByText('Select a contact list, or search for contacts.')).toBeVisible()
    expect(asked).toEqual([])
  })

  test('open in a table, and are there again after a reload', async () => {
    const user = open(PAGE)
    await user.click(await list('City'))
    const table = await grid('City')
    await waitFor(() => expect(namesIn(table)).toEqual(['Ana', 'Bo', 'Cy', 'Dee']))
    expect(headersIn(table)).toEqual(['Name', 'Email Address', 'Phone Number', 'Actions'])
    expect(asked).toEqual(['City? name ASC 0-49'])
    expect(param('list')).toBe('City')
    expect(await list('City')).toHaveAttribute('aria-current', 'true')
  })

  test('are opened by their address', async () => {
    open(`${PAGE}?list=Board`)
    await waitFor(async () => expect(namesIn(await grid('Board'))).toEqual(['Ana']))
  })

  test('say of each phone whether it can be reached, and why not', async () => {
    answer('get', '/config', { twilioAllowedCountryCodes: ['CA', 'US'] })
    contacts = [
      ...everybody,
      aContact('Ed', { phone: '+4930901820', phoneCountry: 'DE', valid: false }),
      aContact('Flo', { phone: '+11111111111', phoneCountry: '', valid: false }),
    ]
    open(`${PAGE}?list=City`)
    const table = within(await grid('City'))
    const row = (name: string) => within(table.getByRole('row', { name: new RegExp(`^${name} `) }))
    expect(row('Ana').getByRole('img', { name: 'Valid' })).toBeVisible()
    expect(row('Ana').getByText('+1 902 423 0130')).toBeVisible()
    expect(row('Bo').getByRole('img', { name: 'Invalid' })).toBeVisible()
    expect(row('Bo').getByText('no dial code')).toBeVisible()
    expect(row('Ed').getByText('Germany is not allowed')).toHaveAccessibleDescription(
      /^Phone numbers are accepted of: Canada, United States\./,
    )
    expect(row('Flo').getByText('not a phone number')).toBeVisible()
    expect(row('Cy').getByRole('img', { name: 'Pending' })).toBeVisible()
    expect(row('Dee').queryByRole('img')).toBeNull()
  })

  test('of ten thousand show one page at a time, sorted as a whole', async () => {
    contacts = Array.from({ length: 10_000 }, (_, n) =>
      aContact(`Pilot ${String(n).padStart(5, '0')}`, {
        email: `p${9_999 - n}@example.org`.padStart(30, 'x'),
      }),
    )
    const user = open(`${PAGE}?list=City&perPage=25`)
    const table = await grid('City')
    expect(namesIn(table)).toHaveLength(25)
    expect(await screen.findByText('1–25 of 10,000')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Go to last page' }))
    await waitFor(() => expect(namesIn(table).at(-1)).toBe('Pilot 09999'))
    await user.click(within(table).getByRole('columnheader', { name: /^Name/ }))
    await waitFor(() => expect(namesIn(table)[0]).toBe('Pilot 09999'))
    expect(asked).toEqual(['City? name ASC 0-24', 'City? name ASC 9975-9999', 'City? name DESC 0-24'])
  })

  test('that nobody is in any more say so', async () => {
    open(`${PAGE}?list=Gone`)
    expect(await screen.findByText('This does not exist any more.')).toBeVisible()
  })

  test('none yet: says what to do', async () => {
    contacts = []
    const user = open(PAGE)
    expect(await screen.findByText(/^No contacts yet/)).toBeVisible()
    await user.click(await button('Import Contacts'))
    expect(await screen.findByRole('dialog', { name: /^Import Contacts/ })).toBeVisible()
  })

  test('that cannot be loaded can be asked for again', async () => {
    let fails = true
    server.use(
      http.get(`${API}/contact/lists`, () =>
        fails ? HttpResponse.json({}, { status: 500 }) : HttpResponse.json([{ name: 'City', count: 4 }]),
      ),
    )
    const user = open(PAGE)
    expect(await screen.findByText('The contacts could not be loaded.')).toBeVisible()
    fails = false
    await user.click(await button('Try again'))
    expect(await list('City')).toBeVisible()
  })

  test('change here when somebody imports elsewhere', async () => {
    open(`${PAGE}?list=Board`)
    await grid('Board')
    contacts = [...everybody, aContact('Eli', { lists: ['Board'] })]
    act(() => {
      FakeSocket.last!.say({ type: 'ready', sequence: 1 })
      FakeSocket.last!.say({
        type: 'event',
        sequence: 2,
        noun: 'contacts',
        record: crypto.randomUUID(),
        verb: 'imported',
        parent: null,
      })
    })
    expect(await screen.findByText('2 contact(s)')).toBeVisible()
    await waitFor(async () => expect(namesIn(await grid('Board'))).toEqual(['Ana', 'Eli']))
  })

  test('are for nobody without the permission', async () => {
    signedIn('USER')
    open(PAGE)
    await waitFor(() => expect(location.pathname).toBe('/'))
    expect(screen.queryByRole('link', { name: 'Contacts' })).toBeNull()
  })
})

describe('searching', () => {
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

  test('follows 250 ms after the last letter, in all lists, and names the lists of each', async () => {
    const user = open(`${PAGE}?list=Board`)
    await grid('Board')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const box = screen.getByRole('searchbox')
    fireEvent.change(box, { target: { value: 'a' } })
    await pass(200)
    fireEvent.change(box, { target: { value: 'an' } })
    await pass(249)
    expect(filterNow()).toEqual({})
    await pass(1)
    // Returning to real timers would drop pending ones, such as the delivery of the response.
    vi.setTimerTickMode('interval')
    await waitFor(() => expect(filterNow()).toEqual({ q: 'an' }))
    const table = await grid('Search results')
    await waitFor(() => expect(headersIn(table)).toContain('Contact Lists'))
    expect(within(table).getByText('Board, City')).toBeVisible()
    expect(asked).toEqual(['Board? name ASC 0-49', '?an name ASC 0-49'])
    expect(await list('Board')).not.toHaveAttribute('aria-current')

    await user.clear(box)
    await waitFor(async () => expect(headersIn(await grid('Board'))).not.toContain('Contact Lists'))
  })

  test('ends when a list is chosen', async () => {
    const user = open(`${PAGE}?${filteredBy({ q: 'bo' })}`)
    await grid('Search results')
    await user.click(await list('City'))
    await grid('City')
    expect(filterNow()).toEqual({})
    expect(await searchBox()).toHaveValue('')
  })

  test('that finds nobody says so', async () => {
    const user = open(`${PAGE}?${filteredBy({ q: 'zzz' })}`)
    expect(await screen.findByText('No contacts match this search.')).toBeVisible()
    await user.click((await screen.findAllByRole('button', { name: 'Clear search' })).at(-1)!)
    expect(await screen.findByText('Select a contact list, or search for contacts.')).toBeVisible()
  })
})

test('refreshing rests for 60 seconds, on every page and after a reload', async () => {
  open(`${PAGE}?list=Board`)
  await grid('Board')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
  const refresh = () => screen.getByRole('button', { name: 'Refresh' })
  contacts = [...everybody, aContact('Eli', { lists: ['Board'] })]
  fireEvent.click(refresh())
  expect(refresh()).toBeDisabled()
  expect(await screen.findByText('2 contact(s)')).toBeVisible()
  fireEvent.mouseOver(refresh().parentElement!)
  expect(await screen.findByText('Please wait before refreshing again.')).toBeVisible()
  fireEvent.click(await screen.findByRole('link', { name: 'Notification Templates' }))
  fireEvent.click(await screen.findByRole('link', { name: 'Contacts' }))
  await list('Board')
  expect(refresh()).toBeDisabled()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(refresh()).toBeEnabled()
})

describe('removing', () => {
  test('a contact asks by name, and takes it out of the list', async () => {
    const user = open(`${PAGE}?list=City`)
    await grid('City')
    await user.click(await button('Actions for Bo'))
    await user.click(await screen.findByRole('menuitem', { name: 'Remove Contact' }))
    const question = within(await screen.findByRole('dialog', { name: 'Remove contact?' }))
    expect(question.getByText(/^Bo will be removed from every contact list/)).toBeVisible()
    answer('delete', `/contact/${bo.id}`, undefined)
    contacts = [ana, cy, dee]
    await user.click(question.getByRole('button', { name: 'Remove Contact' }))
    expect(await toast('Bo has been removed.')).toBeVisible()
    await waitFor(async () => expect(namesIn(await grid('City'))).toEqual(['Ana', 'Cy', 'Dee']))
    expect(await screen.findByText('3 contact(s)')).toBeVisible()
  })

  test('a list says what goes with it, and shows none afterwards', async () => {
    const name = 'R&D / 2%'
    contacts = [aContact('Ana', { lists: [name] }), dee]
    const user = open(`${PAGE}?list=${encodeURIComponent(name)}`)
    await grid(name)
    await user.click(await button('Delete List'))
    const question = within(await screen.findByRole('dialog', { name: 'Delete contact list?' }))
    expect(question.getByText(/the contacts that are in no other list/)).toBeVisible()
    const gone: unknown[] = []
    server.use(
      http.delete(`${API}/contact/lists/:name`, ({ request }) => {
        gone.push(decodeURIComponent(new URL(request.url).pathname.split('/').at(-1)!))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    contacts = [dee]
    await user.click(question.getByRole('button', { name: 'Delete List' }))
    expect(await toast('R&D / 2% has been deleted.')).toBeVisible()
    expect(gone).toEqual([name])
    expect(await screen.findByText('Select a contact list, or search for contacts.')).toBeVisible()
    expect(param('list')).toBeNull()
  })
})

describe('a file of contacts', () => {
  async function opened() {
    const user = open(PAGE)
    await list('City')
    await user.click(await button('Import Contacts'))
    const dialog = within(await screen.findByRole('dialog', { name: /^Import Contacts/ }))
    await dialog.findByLabelText('CSV or Excel file')
    const choose = (content: BlobPart, name = 'contacts.csv') => {
      fireEvent.change(dialog.getByLabelText('CSV or Excel file'), {
        target: { files: [new File([content], name)] },
      })
    }
    const goOn = () => user.click(dialog.getByRole('button', { name: 'Continue' }))
    return { user, dialog, choose, goOn }
  }
  const aFile = (...rows: string[]) => [HEADINGS, ...rows].join('\r\n')
  const rowsOf = (dialog: Pick<typeof screen, 'getAllByRole'>) =>
    dialog
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      )

  test('is gone on with once it is read, where that was asked for before', async () => {
    const { dialog, choose, goOn } = await opened()
    let read = () => {}
    const content = new TextEncoder().encode(aFile('Ana,ana@example.org,,Board'))
    vi.spyOn(File.prototype, 'arrayBuffer').mockReturnValue(
      new Promise((resolve) => {
        read = () => resolve(content.buffer)
      }),
    )
    choose('x')
    await goOn()
    expect(dialog.getByRole('heading', { name: /Step 1 of 2/ })).toBeVisible()
    read()
    expect(await dialog.findByRole('heading', { name: /Step 2 of 2/ })).toBeVisible()
  })

  test('is read, shown before anything is saved, and sent trimmed', async () => {
    const { user, dialog, choose, goOn } = await opened()
    const lists = [
      { name: 'Board', count: 1_000 },
      { name: 'Port', count: 2 },
    ]
    const bodies = receive('post', '/contact', () => ({ created: 2, updated: 1, lists, warnings: [] }))
    choose(
      aFile(
        ' Ana , ANA@example.org ,+1 (416) 555-0123, Port ',
        '"de la Cruz, Élise",elise@example.org,5550123,Port',
        'Ana,ana@example.org,,Board',
      ),
    )
    expect(await dialog.findByText('contacts.csv: 2 contacts')).toBeVisible()
    await goOn()
    expect(dialog.getByText('2 contacts will be added to 2 contact lists.')).toBeVisible()
    expect(dialog.getByText(/Rows with the same email address become one contact/)).toBeVisible()
    expect(dialog.getByText(/\(5550123\) in row 3/)).toBeVisible()
    expect(rowsOf(dialog)).toEqual([
      ['Ana', 'ana@example.org', '+1 416 555 0123', 'Port'],
      ['de la Cruz, Élise', 'elise@example.org', '5550123', 'Port'],
      // Rows of one address are one contact.
      ['Ana', 'ana@example.org', '+1 416 555 0123', 'Board'],
    ])
    expect(bodies).toEqual([])
    contacts = [...everybody, aContact('Élise', { lists: ['Port'] })]
    await user.click(dialog.getByRole('button', { name: 'Import 2 Contacts' }))
    expect(await dialog.findByText('Imported contacts successfully.')).toBeVisible()
    expect(bodies).toEqual([
      [
        { name: 'Ana', email: 'ANA@example.org', phone: '+1 (416) 555-0123', list: 'Port' },
        { name: 'de la Cruz, Élise', email: 'elise@example.org', phone: '5550123', list: 'Port' },
        { name: 'Ana', email: 'ana@example.org', phone: '', list: 'Board' },
      ],
    ])
    expect(dialog.getByText('2 contacts were added. 1 contact was brought up to date.')).toBeVisible()
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Board 1,000 contact(s)',
      'Port 2 contact(s)',
    ])
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await list('Port')).toBeVisible()
  })

  test('shows eight rows, and goes back to the first step', async () => {
    const { user, dialog, choose, goOn } = await opened()
    choose(aFile(...Array.from({ length: 12 }, (_, n) => `P${n},p${n}@example.org,,Port`)))
    await dialog.findByText('contacts.csv: 12 contacts')
    await goOn()
    expect(rowsOf(dialog)).toHaveLength(8)
    expect(dialog.getByText('12 contacts will be added to Port.')).toBeVisible()
    expect(dialog.getByText('The first 8 of 12 rows')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Back' }))
    expect(dialog.getByText('contacts.csv: 12 contacts')).toBeVisible()
  })

  const row = 'A,a@example.org,,Port'
  test.each<[string, BlobPart, string, string]>([
    ['a document', '%PDF-1.7', 'a.csv', 'Please choose a valid CSV file.'],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]), 'a.csv', 'Please choose a valid CSV file.'],
    ['nothing', '', 'a.csv', 'This file is empty.'],
    ['headings only', aFile(''), 'a.csv', 'This file is empty.'],
    [
      '101 rows',
      aFile(...Array.from({ length: 101 }, (_, n) => `A,a${n}@example.org,,Port`)),
      'a.csv',
      'This file exceeds the maximum size of 100 rows.',
    ],
    [
      'nobody',
      'Item,Price\nPen,3',
      'a.csv',
      'Please ensure the file contains all headings included the CSV template.Missing: Email Address and Contact List.',
    ],
    [
      'an open quotation mark',
      aFile('"A,a@b.example,,'),
      'a.csv',
      'There was an issue processing the CSV file.',
    ],
  ])('that holds %s is refused', async (_, content, name, words) => {
    const { dialog, choose } = await opened()
    choose(content, name)
    expect(await dialog.findByRole('alert')).toHaveTextContent(`${name} cannot be imported.${words}`)
    expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled()
    expect(dialog.getByText(/^Step 1 of 2/)).toBeVisible()
  })

  test('has every wrong row named, as the file counts them', async () => {
    const { dialog, choose } = await opened()
    choose(aFile('A,,,Port', 'B,b@,,Port', 'C,c@example.org,, ', '', 'D,(blank),,'))
    const problems = within(await dialog.findByRole('alert')).getAllByRole('listitem')
    expect(problems.map(({ textContent }) => textContent)).toEqual([
      'A contact is missing an email address from row 2.',
      'Invalid email address b@ found in row 3.',
      'A contact (c@example.org) was not assigned a contact list (in row 4).',
      'Invalid email address (blank) found in row 6.',
      'A contact ((blank)) was not assigned a contact list (in row 6).',
    ])
  })

  test('is imported without its wrong rows, which are told and saved', async () => {
    const files = savedFiles()
    const { user, dialog, choose } = await opened()
    const lists = [{ name: 'Port', count: 1 }]
    const bodies = receive('post', '/contact', () => ({ created: 1, updated: 0, lists, warnings: [] }))
    choose(
      aFile('A,,,Port', 'B,b@example.org,+1 416 555 0123,Port', '=C,c@example.org,1.4165E+10,'),
      'raw.csv',
    )
    const alert = within(await dialog.findByRole('alert'))
    expect(alert.getByText('raw.csv has problems in 2 of 3 rows.')).toBeVisible()
    const onward = dialog.getByRole('button', { name: 'Continue' })
    expect(onward).toBeDisabled()
    expect(onward).toHaveAccessibleDescription(/^raw\.csv has problems in 2 of 3 rows\./)
    await user.click(alert.getByRole('button', { name: 'Download Problems' }))
    const nowhere = 'A contact (c@example.org) was not assigned a contact list (in row 4).'
    await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['raw-problems.csv']))
    expect(await linesOf(files[0]!)).toEqual([
      `Row,Problem,${HEADINGS},Second Phone Number`,
      '2,A contact is missing an email address from row 2.,A,,,Port,',
      `4,${nowhere},"'=C",c@example.org,1.4165E+10,,`,
    ])
    await user.click(alert.getByRole('button', { name: 'Continue With the Other 1 Row' }))
    expect(dialog.getByText('2 rows with problems are left out.')).toBeVisible()
    expect(rowsOf(dialog)).toEqual([['B', 'b@example.org', '+1 416 555 0123', 'Port']])
    await user.click(dialog.getByRole('button', { name: 'Back' }))
    await user.click(dialog.getByRole('button', { name: 'Continue With the Other 1 Row' }))
    await user.click(dialog.getByRole('button', { name: 'Import 1 Contact' }))
    expect(await dialog.findByText(/^1 contact was added\./)).toBeVisible()
    expect(dialog.getByText('2 rows were skipped:')).toBeVisible()
    expect(dialog.getByText(nowhere)).toBeVisible()
    expect(bodies).toMatchObject([[{ email: 'b@example.org' }]])
  })

  test('with nothing but wrong rows cannot be imported', async () => {
    const { dialog, choose } = await opened()
    choose(aFile('A,,,Port'))
    expect(await dialog.findByText('contacts.csv has problems in 1 of 1 rows.')).toBeVisible()
    expect(dialog.queryByRole('button', { name: /^Continue With/ })).toBeNull()
  })

  test('of an organisation that may import more is measured by that', async () => {
    answer('get', '/config', { contactsUploadMaxLimit: 2 })
    const { dialog, choose } = await opened()
    await dialog.findByText(/^At most 2 contacts/)
    choose(aFile(row, row, row))
    expect(await dialog.findByRole('alert')).toHaveTextContent('exceeds the maximum size of 2 rows.')
  })

  test('has a template, which is read once it is filled in', async () => {
    const files = savedFiles()
    const { user, dialog, choose } = await opened()
    await user.click(dialog.getByRole('button', { name: 'Download Template' }))
    expect(files[0]!.name).toBe('contacts-template.csv')
    const template = await files[0]!.blob.text()
    expect(template).toBe(`${HEADINGS}\r\n`)
    choose(`\uFEFF${template}${row}`)
    expect(await dialog.findByText('contacts.csv: 1 contact')).toBeVisible()
  })

  test('can be dropped', async () => {
    const { dialog } = await opened()
    const files = [new File([aFile(row)], 'dropped.csv')]
    const place = dialog.getByText('Drag and drop a CSV or Excel file here, or choose one.')
    fireEvent.dragOver(place, { dataTransfer: { types: ['Files'], files } })
    fireEvent.drop(dialog.getByText('Drop the file here.'), { dataTransfer: { types: ['Files'], files } })
    expect(await dialog.findByText('dropped.csv: 1 contact')).toBeVisible()
  })

  test('that is not chosen keeps the first step', async () => {
    const { dialog, goOn } = await opened()
    await goOn()
    expect(dialog.getByText('Please choose a file.')).toBeVisible()
  })

  test.each([
    [500, {}, 'An unexpected error occurred importing the contacts.'],
    [
      400,
      {
        ...aProblem('A contact is missing an email address from row 2.', 'invalid'),
        fields: { '0.email': 'A contact is missing an email address from row 2.' },
      },
      'A contact is missing an email address from row 2.',
    ],
  ])('whose import fails with %i keeps the preview', async (status, body, words) => {
    const { user, dialog, choose, goOn } = await opened()
    choose(aFile(row))
    await dialog.findByText('contacts.csv: 1 contact')
    await goOn()
    answer('post', '/contact', body, status)
    await user.click(dialog.getByRole('button', { name: 'Import 1 Contact' }))
    expect(await dialog.findByText(words)).toBeVisible()
    expect(rowsOf(dialog)).toEqual([['A', 'a@example.org', '–', 'Port']])
    expect(dialog.getByRole('button', { name: 'Import 1 Contact' })).toBeEnabled()
  })
})

test('on a phone lists and contacts follow one another, as cards', async () => {
  onAPhone()
  const user = open(PAGE)
  await user.click(await list('Board'))
  const cards = within(await screen.findByRole('list', { name: 'Board' }))
  expect(cards.getByRole('heading', { name: 'Ana' })).toBeVisible()
  expect(cards.getByRole('img', { name: 'Valid' })).toBeVisible()
  expect(screen.queryByRole('list', { name: 'Contact Lists' })).toBeNull()
  await user.click(await screen.findByRole('link', { name: 'Back to the contact lists' }))
  expect(await screen.findByRole('list', { name: 'Contact Lists' })).toBeVisible()
})
