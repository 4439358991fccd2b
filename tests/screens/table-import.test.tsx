import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import { utils, write } from '@e965/xlsx'

import { answer, open, signedIn } from '#tests/support/client.tsx'
import { receive } from '#tests/support/client-lists.ts'
import { readingTables } from '#tests/support/client-tables.ts'

const OUTLOOK = `"Title","First Name","Last Name","Business Phone","Mobile Phone","E-mail Address","Categories","Notes"
"","Renée","Tremblay","","+1 418 555 0177","renee@outlook.example","Board;Crisis",""
"Mr.","Sean","Obrien","+1 416 555 0101","","sean@outlook.example","","met"`

beforeEach(() => {
  readingTables()
  signedIn()
  answer('get', '/config', { contactsUploadMaxLimit: 100 })
  answer('get', '/contact/lists', [{ name: 'City', count: 1 }])
  answer('get', '/contact/asList', [])
  answer('get', '/contact/importColumns/:headings', { columns: null })
})

async function opened() {
  const user = open('/mass-notifications/contacts')
  await screen.findByRole('link', { name: /^City/ })
  await user.click(await screen.findByRole('button', { name: 'Import Contacts' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Import Contacts/ }))
  const choose = (content: BlobPart, name = 'people.csv') =>
    fireEvent.change(dialog.getByLabelText('CSV or Excel file'), {
      target: { files: [new File([content], name)] },
    })
  const goOn = () => user.click(dialog.getByRole('button', { name: 'Continue' }))
  const column = (field: string) => dialog.getByRole('combobox', { name: `Column for ${field}` })
  const pick = async (field: string, heading: string) => {
    await user.click(column(field))
    await user.click(await screen.findByRole('option', { name: heading }))
  }
  return { user, dialog, choose, goOn, column, pick }
}

describe('a file of another product', () => {
  test('has its columns assigned, with samples, and they are remembered', async () => {
    const { user, dialog, choose, goOn, column } = await opened()
    const kept = receive('put', '/contact/importColumns/:headings', (body) => body, 200)
    const sent = receive('post', '/contact', () => ({ created: 2, updated: 0, lists: [], warnings: [] }))
    choose(OUTLOOK.replace('"",\n', ''))
    await dialog.findByText(/^people\.csv: the columns have other names/)
    await goOn()
    expect(dialog.getByText('Step 2 of 3: Assign the columns')).toBeVisible()
    expect(column('First Name')).toHaveTextContent('First Name')
    expect(column('Email Address')).toHaveTextContent('E-mail Address')
    expect(column('Phone Number')).toHaveTextContent('Mobile Phone')
    expect(column('Second Phone Number')).toHaveTextContent('Business Phone')
    expect(column('Contact List')).toHaveAccessibleDescription('Board;Crisis')
    expect(dialog.getByText('Not imported: Title, Notes.')).toBeVisible()
    await goOn()
    await user.click(await dialog.findByRole('button', { name: 'Continue With the Other 1 Row' }))
    await user.click(dialog.getByRole('button', { name: 'Import 1 Contact' }))
    await dialog.findByText('Imported contacts successfully.')
    expect(sent).toMatchObject([
      [
        { name: 'Renée Tremblay', email: 'renee@outlook.example', list: 'Board' },
        { name: 'Renée Tremblay', email: 'renee@outlook.example', list: 'Crisis' },
      ],
    ])
    expect(kept).toMatchObject([{ columns: { firstName: 1, lastName: 2, email: 5, phone: 4, list: 6 } }])
  })

  test('goes straight to the preview where its columns are remembered, and they can be changed', async () => {
    answer('get', '/contact/importColumns/:headings', { columns: { email: 1, list: 2 } })
    const { user, dialog, choose, goOn, column } = await opened()
    choose('Person,Reach,Team\nAna,ana@b.example,Crisis\n')
    await dialog.findByText('people.csv: 1 contact')
    await goOn()
    expect(dialog.getByText(/Email Address from “Reach”/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Change' }))
    expect(column('Contact List')).toHaveTextContent('Team')
  })

  test('without a list is put into one, and what is missing is named before', async () => {
    const { user, dialog, choose, goOn } = await opened()
    receive('put', '/contact/importColumns/:headings', (body) => body, 200)
    choose('Email,Hobby\nana@b.example,Chess\n')
    await dialog.findByText(/^people\.csv: the columns/)
    await goOn()
    await goOn()
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Please ensure the file contains all headings included the CSV template.Missing: Contact List.',
    )
    await user.type(dialog.getByLabelText('Put everybody into the list'), 'Board')
    await goOn()
    expect(await dialog.findByText('1 contact will be added to Board.')).toBeVisible()
  })

  test('in an encoding that is assumed says so, and is read in another one on demand', async () => {
    const { user, dialog, choose, goOn } = await opened()
    const latin = Uint8Array.from('Email,Person,List\nzoe@b.example,Zoé,Board\n', (one) => one.charCodeAt(0))
    choose(latin)
    await dialog.findByText(/^people\.csv: the columns/)
    await goOn()
    expect(dialog.getByText(/read as Western European \(Windows-1252\)/)).toBeVisible()
    await user.click(dialog.getByRole('combobox', { name: 'Text encoding' }))
    await user.click(await screen.findByRole('option', { name: 'Western European (Mac)' }))
    await waitFor(() => expect(dialog.queryByText(/read as Western European \(Windows-1252\)/)).toBeNull())
  })

  test('that is a workbook offers its sheets', async () => {
    const { user, dialog, choose, goOn, column } = await opened()
    const book = utils.book_new()
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([
        ['Email', 'Note'],
        ['a@b.example', 'x'],
      ]),
      'Old',
    )
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([
        ['Mail', 'Team'],
        ['c@d.example', 'y'],
      ]),
      'New',
    )
    choose(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer, 'people.xlsx')
    await dialog.findByText(/^people\.xlsx: the columns/)
    await goOn()
    expect(column('Email Address')).toHaveTextContent('Email')
    await user.click(dialog.getByRole('combobox', { name: 'Sheet' }))
    await user.click(await screen.findByRole('option', { name: 'New' }))
    expect(column('Email Address')).toHaveTextContent('Mail')
    expect(column('Email Address')).toHaveAccessibleDescription('c@d.example')
  })
})

test('of hundreds of problems all are listed by kind, and shown on demand', async () => {
  answer('get', '/config', { contactsUploadMaxLimit: 1_000 })
  const { user, dialog, choose } = await opened()
  const rows = Array.from({ length: 120 }, (_, n) => `A,,,${n === 7 ? '' : 'Port'}`)
  choose(['Name,Email Address,Phone Number,Contact List', ...rows].join('\n'))
  const alert = within(await dialog.findByRole('alert'))
  expect(alert.getByText('A contact is missing an email address from row 2.')).toBeVisible()
  await user.click(alert.getByRole('button', { name: '119 more like this' }))
  expect(alert.getByText('A contact is missing an email address from row 102.')).toBeVisible()
  await user.click(alert.getByRole('button', { name: '19 more like this' }))
  expect(alert.getByText('A contact is missing an email address from row 121.')).toBeVisible()
})
