import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { aDashboard, answer, API, aProblem, open, server, signedIn } from '#tests/support/client.tsx'
import { linesOf, receive, savedFiles, serveList } from '#tests/support/client-lists.ts'
import { aListedUser } from '#tests/support/client-users.ts'
import { readingTables } from '#tests/support/client-tables.ts'

const HEADINGS = 'First Name,Last Name,Email Address,Phone Number,Role,External,Location,Department'
const ana = aListedUser({ firstName: 'Ana', lastName: 'Silva', email: 'ana@demo.example' })
const aRow = (n: number, more = ',,,,') => `Bo,Berg ${'abcdefghij'[n % 10]},bo${n}@demo.example,${more}`
const aFile = (rows: readonly string[], headings = HEADINGS, end = '\n') => [headings, ...rows].join(end)

beforeEach(() => {
  readingTables()
  signedIn()
  answer('get', '/config', { nameCharacters: 'STANDARD', twilioAllowedCountryCodes: ['CA', 'US'] })
  receive(
    'post',
    '/useradmin/users/existing',
    ({ emails }) => ({ emails: (emails as string[]).filter((email) => email === ana.email) }),
    200,
  )
  serveList('/useradmin/users', () => [ana])
})

async function opened() {
  const user = open('/user-admin')
  await screen.findByText('ana@demo.example')
  await user.click(screen.getByRole('button', { name: 'Import Users' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Import Users/ }))
  const choose = async (content: BlobPart, name = 'users.csv') => {
    // A file dialog set to all files bypasses `accept`.
    fireEvent.change(dialog.getByLabelText('CSV or Excel file'), {
      target: { files: [new File([content], name)] },
    })
  }
  const goOn = () => user.click(dialog.getByRole('button', { name: 'Continue' }))
  return { user, dialog, choose, goOn }
}
const rowsOf = (dialog: Pick<typeof screen, 'getAllByRole'>) =>
  dialog
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )

describe('a file of users', () => {
  test('is not sent by the second tap of a double tap on Continue', async () => {
    const { dialog, choose, goOn } = await opened()
    const bodies = receive('post', '/useradmin/users', () => ({ created: [ana], skipped: [] }))
    await choose(aFile([aRow(1)]))
    expect(await dialog.findByText('users.csv: 1 user')).toBeVisible()
    await goOn()
    fireEvent.click(dialog.getByRole('button', { name: 'Import 1 User' }), { detail: 2 })
    expect(dialog.getByRole('button', { name: 'Back' })).toBeEnabled()
    expect(bodies).toEqual([])
  })

  test('is read, shown before anything is saved, and sent', async () => {
    const { user, dialog, choose, goOn } = await opened()
    const bodies = receive('post', '/useradmin/users', () => ({ created: [ana, ana], skipped: [] }))
    await choose(
      aFile([
        'Élise,"de la Cruz",elise@demo.example,+1 416 555 0123,business user,Yes,Oslo,"Law, ""civil"""',
        'Bo,Berg,BO@demo.example ,+1,Boss,NO,,',
      ]),
    )
    expect(await dialog.findByText('users.csv: 2 users')).toBeVisible()
    await goOn()
    expect(dialog.getByText('2 users will be added.')).toBeVisible()
    expect(dialog.getByText('1 row has a role that is not known and becomes User.')).toBeVisible()
    expect(rowsOf(dialog)).toEqual([
      [
        'Élise',
        'de la Cruz',
        'elise@demo.example',
        '+1 416 555 0123',
        'Business User',
        'Yes',
        'Oslo',
        'Law, "civil"',
      ],
      ['Bo', 'Berg', 'bo@demo.example', '–', 'User', 'No', '–', '–'],
    ])
    expect(bodies).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Import 2 Users' }))
    expect(await dialog.findByText('2 users were added.')).toBeVisible()
    expect(bodies[0]).toMatchObject([
      { email: 'elise@demo.example', role: 'business user', type: 'EXTERNAL', department: 'Law, "civil"' },
      { email: 'BO@demo.example', role: 'Boss', type: 'INTERNAL', sendWelcomeSetPasswordEmail: true },
    ])
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('is imported without its wrong rows, which are told and saved', async () => {
    const files = savedFiles()
    const { user, dialog, choose } = await opened()
    const bodies = receive('post', '/useradmin/users', () => ({
      created: [ana],
      skipped: [{ email: 'old@demo.example', reason: 'EXISTS' }],
    }))
    await choose(aFile([aRow(1), 'Bo,Berg,,1.4165E+10,,,,', aRow(1)]), 'staff.csv')
    const alert = within(await dialog.findByRole('alert'))
    expect(alert.getByText('staff.csv has problems in 2 of 3 rows.')).toBeVisible()
    expect(alert.getByText('An email address is missing from row 3.')).toBeVisible()
    await user.click(alert.getByRole('button', { name: 'Download Problems' }))
    await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['staff-problems.csv']))
    expect((await linesOf(files[0]!))[2]).toMatch(/^4,Duplicate email address \(bo1@demo\.example\)/)
    await user.click(alert.getByRole('button', { name: 'Continue With the Other 1 Row' }))
    await user.click(dialog.getByRole('button', { name: 'Import 1 User' }))
    expect(await dialog.findByText('1 user was added.')).toBeVisible()
    expect(dialog.getByText('2 rows were skipped:')).toBeVisible()
    expect(bodies).toMatchObject([[{ email: 'bo1@demo.example' }]])
  })

  /** Words of several languages, and of other columns. */
  const WORDS = ['YES', 'JA', 'OUI', 'X', '1', 'EXTERNAL', 'Guest', 'Ja', 'да', 'TRUE', 'yes ', 'No', '0', '']
  const external = (words: readonly string[]) =>
    aFile(words.map((word, n) => `Ext,Nr ${'abcdefghijklmno'[n]},ext${n}@ext.example,,USER,${word},,`))

  test('with words below External that are neither yes nor no is held until each is decided on', async () => {
    const { user, dialog, choose, goOn } = await opened()
    const bodies = receive('post', '/useradmin/users', () => ({ created: [ana], skipped: [] }))
    await choose(external(WORDS))
    await dialog.findByText('users.csv: 14 users')
    await goOn()
    expect(rowsOf(dialog).map((cells) => cells[5])).toEqual(['Yes', ...Array(7).fill('To be decided')])
    const questions = dialog.getAllByRole('radiogroup').map((group) => group.getAttribute('aria-labelledby')!)
    expect(questions.map((id) => document.getElementById(id)!.textContent)).toEqual([
      'Rows 3 and 9 say “JA” below External, which is neither yes nor no.',
      ...[
        ['4', 'OUI'],
        ['5', 'X'],
        ['6', '1'],
        ['7', 'EXTERNAL'],
        ['8', 'Guest'],
        ['10', 'да'],
      ].map(([row, word]) => `Row ${row} says “${word}” below External, which is neither yes nor no.`),
    ])
    const submit = dialog.getByRole('button', { name: 'Import 14 Users' })
    for (const group of dialog.getAllByRole('radiogroup')) {
      expect(submit).toBeDisabled()
      const isX = document.getElementById(group.getAttribute('aria-labelledby')!)!.textContent.includes('“X”')
      await user.click(within(group).getByRole('radio', { name: isX ? 'Internal' : 'External' }))
    }
    await user.click(submit)
    await waitFor(() => expect(bodies).toHaveLength(1))
    const types = (bodies[0] as unknown as { type: string }[]).map(({ type }) => type)
    expect(types.map((type, n) => [WORDS[n], type])).toEqual(
      WORDS.map((word) => [word, ['X', 'No', '0', ''].includes(word) ? 'INTERNAL' : 'EXTERNAL']),
    )
  })

  test('is asked about anew where another one is chosen', async () => {
    const { user, dialog, choose, goOn } = await opened()
    await choose(external(['JA']))
    await goOn()
    await user.click(await dialog.findByRole('radio', { name: 'Internal' }))
    await user.click(dialog.getByRole('button', { name: 'Back' }))
    await choose(external(['JA', 'NO']))
    await dialog.findByText('users.csv: 2 users')
    await goOn()
    expect(dialog.getByRole('radio', { name: 'Internal' })).not.toBeChecked()
    expect(dialog.getByRole('button', { name: 'Import 2 Users' })).toBeDisabled()
  })

  test('of twelve shows eight, and goes back to the first step', async () => {
    const { user, dialog, choose, goOn } = await opened()
    const bodies = receive('post', '/useradmin/users', () => ({ created: [ana], skipped: [] }))
    await choose(aFile(Array.from({ length: 12 }, (_, n) => aRow(n))))
    await dialog.findByText('users.csv: 12 users')
    await goOn()
    expect(rowsOf(dialog)).toHaveLength(8)
    expect(dialog.getByText('The first 8 of 12 rows')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Back' }))
    expect(dialog.getByText('users.csv: 12 users')).toBeVisible()
    await goOn()
    await user.click(dialog.getByRole('checkbox', { name: 'Send activation emails' }))
    await user.click(dialog.getByRole('button', { name: 'Import 12 Users' }))
    await dialog.findByText('1 user was added.')
    expect(bodies[0]).toHaveLength(12)
    expect(bodies[0]).toMatchObject([
      { sendWelcomeSetPasswordEmail: false },
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
    ])
  })

  test.each<[string, BlobPart]>([
    ['with semicolons', aFile([aRow(1).replaceAll(',', ';')], HEADINGS.replaceAll(',', ';'), '\r\n')],
    [
      'from a spreadsheet, with its mark and empty lines',
      `\uFEFF${aFile(['', aRow(1), ',,,,,,,', ''], HEADINGS, '\r\n')}`,
    ],
    ['in UTF-16', new Uint8Array([0xff, 0xfe, ...Buffer.from(aFile([aRow(1)]), 'utf16le')])],
    [
      'with headings in another order and case, and more of them',
      `note,DEPARTMENT,location,external,role,phone number,email address,last name,first name\nx,,,,,,bo1@demo.example,Berg,Bo`,
    ],
    ['without a heading that need not be', aFile([aRow(1)], HEADINGS.replace('Role,', ''))],
    ['with another name', aFile([aRow(1)])],
    [
      'that was exported, with apostrophes before numbers',
      aFile(["Bo,Berg,bo1@demo.example,'+14165550123,,,,"]),
    ],
  ])('%s is read', async (_, content) => {
    const { dialog, choose } = await opened()
    await choose(content)
    expect(await dialog.findByText('users.csv: 1 user')).toBeVisible()
  })

  const many = aFile(Array.from({ length: 1_001 }, (_, n) => aRow(n)))
  test.each<[string, BlobPart, string, string]>([
    ['a page of the web', '<!DOCTYPE html><p>x', 'users.xls', 'Please choose a valid CSV file.'],
    [
      'a picture with another name',
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]),
      'a.csv',
      'Please choose a valid CSV file.',
    ],
    ['nothing', '', 'a.csv', 'This file is empty.'],
    ['headings only', `${HEADINGS}\r\n\r\n`, 'a.csv', 'This file is empty.'],
    ['1,001 rows', many, 'a.csv', 'This file exceeds the maximum size of 1000 rows.'],
    [
      'no people',
      'Item,Price\nPen,3',
      'a.csv',
      'Please ensure the file contains all headings included the CSV template.Missing: First Name, Last Name, and Email Address.',
    ],
    [
      'an open quotation mark',
      aFile(['"Bo,Berg,bo@demo.example,,,,,']),
      'a.csv',
      'There was an issue processing the CSV file.',
    ],
    [
      'a row that is too wide',
      aFile([`${aRow(1)},more`]),
      'a.csv',
      'There was an issue processing the CSV file.',
    ],
  ])('that holds %s is refused', async (_, content, name, words) => {
    const { dialog, choose } = await opened()
    await choose(content, name)
    expect(await dialog.findByRole('alert')).toHaveTextContent(words)
    expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled()
    expect(dialog.getByText(/^Step 1 of 2/)).toBeVisible()
  })

  test('has every wrong row named, as the file counts them', async () => {
    const { dialog, choose } = await opened()
    await choose(
      aFile([
        'Bo,Berg,,,,,,',
        '',
        'Bo,Berg,bo@,,,,,',
        'An4,Berg,a@demo.example,4165550123,,,,',
        "Bo,O'Neil,b@demo.example,+1123,,,,",
        'Bo,Berg,A@demo.example,,,,,',
      ]),
    )
    const problems = within(await dialog.findByRole('alert')).getAllByRole('listitem')
    expect(problems.map(({ textContent }) => textContent)).toEqual([
      'An email address is missing from row 2.',
      'Invalid email address (bo@) found in row 4).',
      'First/last name can only include alphabetical characters, periods, and spaces (in row 5).',
      'First/last name can only include alphabetical characters, periods, and spaces (in row 6).',
      'Duplicate email address (a@demo.example) found in row 7.',
    ])
    await choose(aFile([aRow(1)]))
    expect(await dialog.findByText('users.csv: 1 user')).toBeVisible()
    expect(dialog.queryByText(/row 2/)).toBeNull()
  })

  test('can be dropped', async () => {
    const { dialog } = await opened()
    const files = [new File([aFile([aRow(1)])], 'dropped.csv')]
    const place = dialog.getByText('Drag and drop a CSV or Excel file here, or choose one.')
    fireEvent.dragOver(place, { dataTransfer: { types: ['Files'], files } })
    expect(dialog.getByText('Drop the file here.')).toBeVisible()
    fireEvent.drop(dialog.getByText('Drop the file here.'), { dataTransfer: { types: ['Files'], files } })
    expect(await dialog.findByText('dropped.csv: 1 user')).toBeVisible()
  })

  test('says how numbers without a dial code are read', async () => {
    const { dialog } = await opened()
    expect(
      dialog.getByText(/Phone numbers without a dial code are read as numbers of Canada\./),
    ).toBeVisible()
  })

  test('has a template', async () => {
    const blobs: Blob[] = []
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}` }))
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const { user, dialog } = await opened()
    await user.click(dialog.getByRole('button', { name: 'Download Template' }))
    expect(clicked).toHaveBeenCalledOnce()
    expect(await blobs[0]!.text()).toBe(`${HEADINGS}\r\n`)
    clicked.mockRestore()
  })
})

test('without a file nothing goes on, and the first one is not called another', async () => {
  const { dialog, goOn, choose } = await opened()
  await goOn()
  expect(dialog.getByText('Please choose a file.')).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Choose File' })).toBeVisible()
  await choose('')
  expect(await dialog.findByText('This file is empty.')).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Choose Another File' })).toBeVisible()
})

describe('before and after', () => {
  test('says who is there already, and what became of whom', async () => {
    const { user, dialog, choose, goOn } = await opened()
    receive('post', '/useradmin/users', () => ({
      created: [ana],
      skipped: [
        { email: 'ana@demo.example', reason: 'EXISTS' },
        { email: 'gone@demo.example', reason: 'ARCHIVED' },
      ],
    }))
    await choose(aFile([aRow(1), 'Ana,Silva,ANA@demo.example,,,,,', 'Gone,Berg,gone@demo.example,,,,,']))
    await dialog.findByText('users.csv: 3 users')
    await goOn()
    expect(dialog.getByText('1 is a user already and will be left as they are.')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Import 2 Users' }))
    expect(await dialog.findByText('1 user was added.')).toBeVisible()
    expect(dialog.getByText('Not added (2)')).toBeVisible()
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'ana@demo.example is a user already',
      'gone@demo.example is an archived user and can be reactivated',
    ])
  })

  test('is not gone on with before it is known who is there', async () => {
    const { dialog, choose } = await opened()
    answer('post', '/useradmin/users/existing', aProblem('Please try again later.'), 400)
    await choose(aFile([aRow(1)]))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Please try again later.')
    expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled()
    expect(dialog.getByText(/^Step 1 of 2/)).toBeVisible()
    const asked = receive('post', '/useradmin/users/existing', () => ({ emails: [] }), 200)
    await choose(aFile([aRow(1)]))
    expect(await dialog.findByText('users.csv: 1 user')).toBeVisible()
    expect(asked).toEqual([{ emails: ['bo1@demo.example'] }])
  })

  test('of nobody new imports nothing', async () => {
    const { dialog, choose, goOn } = await opened()
    await choose(aFile(['Ana,Silva,ana@demo.example,,,,,']))
    await dialog.findByText('users.csv: 1 user')
    await goOn()
    expect(dialog.getByText('Everybody in this file is a user already.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Import Users' })).toBeDisabled()
  })

  test('warns beyond the allowance, and still imports', async () => {
    answer('get', '/dashboard', aDashboard([], { currentUsers: 49, maxUsers: 50 }))
    const { dialog, choose, goOn } = await opened()
    await choose(aFile([aRow(1), aRow(2), aRow(3)]))
    await dialog.findByText('users.csv: 3 users')
    await goOn()
    expect(
      dialog.getByText(
        'This import exceeds your user allowance of 50 by 2. It may result in additional charges.',
      ),
    ).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Import 3 Users' })).toBeEnabled()
  })

  test('shows that it is at work, and what the server refuses', async () => {
    const { user, dialog, choose, goOn } = await opened()
    await choose(aFile([aRow(1)]))
    await dialog.findByText('users.csv: 1 user')
    await goOn()
    const refusal = Promise.withResolvers<Response>()
    server.use(http.post(`${API}/useradmin/users`, () => refusal.promise))
    await user.click(dialog.getByRole('button', { name: 'Import 1 User' }))
    expect(await dialog.findByText('Importing 1 user…')).toBeVisible()
    await user.keyboard('{Escape}')
    expect(dialog.getByText('Importing 1 user…')).toBeVisible()
    const words = 'Invalid phone number (+19024230000) found in row 2.'
    refusal.resolve(
      Response.json({ ...aProblem(words), fields: { '0.phoneNumber': words } }, { status: 400 }),
    )
    expect(await dialog.findByRole('alert')).toHaveTextContent(words)
    answer('post', '/useradmin/users', {}, 500)
    await user.click(dialog.getByRole('button', { name: 'Import 1 User' }))
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('Something went wrong.'))
  })
})
