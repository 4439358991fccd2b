import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import type { StorageItem } from '#contract/files/schema.ts'
import { answer, API, laidOut, open, server, signedIn } from '#tests/support/client.tsx'
import { anItem } from '#tests/support/client-files.ts'
import { receive, serveList } from '#tests/support/client-lists.ts'

const PATH = '/secure-file-storage'
const plans = anItem(1, { name: 'Plans', isFolder: true })
const photo = anItem(10, { name: 'photo', extension: 'png', type: 'image/png' })
const report = anItem(11, { name: 'report' })
const letter = anItem(12, { name: 'letter', isEditable: false })
const ROWS = [plans, photo, report, letter]

function page(rows: readonly StorageItem[] = ROWS, path = PATH) {
  const listed = serveList('/sfs/folder/0', () => rows)
  signedIn()
  return { user: open(path), listed }
}
const rowOf = async (name: string) =>
  (await within(await screen.findByRole('grid')).findByText(name)).closest<HTMLElement>('[role="row"]')!
async function selectRow(user: ReturnType<typeof open>, name: string) {
  await user.click(within(await rowOf(name)).getByRole('checkbox'))
}
async function choose(user: ReturnType<typeof open>, name: string, action: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await user.click(within(await screen.findByRole('menu')).getByRole('menuitem', { name: action }))
}
/** Records every call below the storage that changes something, and answers it with the report. */
function changes() {
  const calls: unknown[] = []
  const note = async ({ request }: { request: Request }) => {
    const body = await request.text()
    calls.push([
      request.method,
      new URL(request.url).pathname.replace('/api/sfs', ''),
      ...(body === '' ? [] : [JSON.parse(body)]),
    ])
    if (request.method === 'DELETE') return new HttpResponse(null, { status: 204 })
    const isList = request.url.endsWith('/move') || request.url.endsWith('/copy')
    return HttpResponse.json(isList ? [{ ...report, id: 99 }] : { ...report, name: 'summary', version: 5 })
  }
  server.use(
    http.post(`${API}/sfs/move`, note),
    http.post(`${API}/sfs/copy`, note),
    http.post(`${API}/sfs/trash/:id/restore`, note),
    http.patch(`${API}/sfs/:id`, note),
    http.delete(`${API}/sfs/:id`, note),
  )
  return calls
}
const undo = async (user: ReturnType<typeof open>) => {
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone.')).toBeVisible()
}

beforeEach(() => {
  laidOut()
  answer('get', '/incident', { data: [], page: 0, size: 20, total: 0, people: [] })
  answer('get', '/sfs/uploads', [])
  answer('get', '/sfs/item/1', { ...plans, path: [], itemsCount: 0, totalSize: 0, peopleCount: 2 })
})

describe('tiles', () => {
  test('show small pictures of images alone, and are remembered', async () => {
    const asked: string[] = []
    server.use(
      http.get(`${API}/sfs/item/:id/thumbnail`, ({ params }) => {
        asked.push(String(params['id']))
        return new HttpResponse(new Blob(['small'], { type: 'image/webp' }))
      }),
    )
    const { user } = page()
    await user.click(await screen.findByRole('button', { name: 'Show as tiles' }))
    const list = await screen.findByRole('list', { name: 'Files and folders' })
    await waitFor(() => expect(list.querySelectorAll('img')).toHaveLength(1))
    expect(asked).toEqual(['10'])
    expect(within(list).getAllByRole('listitem')).toHaveLength(4)
    await user.click(screen.getByRole('button', { name: 'Show as a list' }))
    expect(await screen.findByRole('grid')).toBeVisible()
  })

  test('are walked through with the arrow keys, selected with Space and opened with Enter', async () => {
    answer('get', '/sfs/item/10/thumbnail', {}, 415)
    const { user } = page()
    await user.click(await screen.findByRole('button', { name: 'Show as tiles' }))
    const first = await screen.findByRole('button', { name: 'Plans' })
    first.focus()
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(screen.getByRole('button', { name: 'report.pdf' })).toHaveFocus()
    await user.keyboard(' {End} ')
    expect(screen.getByText('2 selected')).toBeVisible()
    expect(screen.getByRole('checkbox', { name: 'Select letter.pdf' })).toBeChecked()
    await user.keyboard('{Home}')
    serveList('/sfs/folder/1', () => [])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(location.search).toBe('?folder=1'))
    await user.click(screen.getByRole('button', { name: 'Show as a list' }))
  })
})

describe('lists of the person’s own', () => {
  test('are what was used last and what was starred', async () => {
    serveList('/sfs/recent', () => [{ ...report, path: [{ id: 1, name: 'Plans' }] }])
    serveList('/sfs/starred', () => [])
    const { user } = page()
    await user.click(await screen.findByRole('button', { name: 'Recent' }))
    expect(await rowOf('report.pdf')).toHaveTextContent('Files / Plans')
    expect(location.search).toBe('?view=recent')
    expect(screen.getByRole('heading', { level: 1, name: 'Recent' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Starred' }))
    expect(await screen.findByText(/^Star a file or a folder in its menu/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'All Files' }))
    expect(await rowOf('Plans')).toBeVisible()
  })

  test('are filled by a star in the menu', async () => {
    const stars = receive('put', '/sfs/item/11/star', () => ({ ...report, isStarred: true }))
    const { user } = page()
    await choose(user, 'report.pdf', 'Add Star')
    await waitFor(() => expect(stars).toEqual([{ isStarred: true }]))
  })
})

describe('the address', () => {
  test('opens a file of another folder, and keeps the list below it', async () => {
    answer('get', '/sfs/item/77', { ...report, id: 77, name: 'minutes', extension: 'zip', path: [] })
    const { user } = page(ROWS, `${PATH}?file=77`)
    const dialog = await screen.findByRole('dialog', { name: 'minutes.zip' })
    await user.click(within(dialog).getByRole('button', { name: /^Close/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(location.search).toBe('')
    expect(await rowOf('Plans')).toBeVisible()
  })

  test('leads back to the same page of the same list, with its selection', async () => {
    const many = Array.from({ length: 130 }, (_, n) => anItem(n + 100))
    serveList('/sfs/folder/1', () => [])
    const { user, listed } = page(
      [...many, plans].map((row) => ({ ...row, isCreatedByMe: true })),
      `${PATH}?page=2&mine=1&sort=size.DESC`,
    )
    await selectRow(user, 'file 229.pdf')
    expect(listed[0]).toEqual({
      range: [100, 199],
      sort: ['size', 'DESC'],
      filter: { isCreatedByMe: true },
    })
    await user.click(within(await rowOf('Plans')).getByRole('button', { name: 'Plans' }))
    await waitFor(() => expect(location.search).toBe('?folder=1&mine=1&sort=size.DESC'))
    history.back()
    expect(await screen.findByText('1 selected')).toBeVisible()
    expect(location.search).toBe('?page=2&mine=1&sort=size.DESC')
  })
})

test('a table stands where it was left when somebody comes back to it', async () => {
  serveList('/sfs/folder/1', () => [])
  const { user } = page()
  await rowOf('Plans')
  const scroller = () => document.querySelector<HTMLElement>('.MuiDataGrid-virtualScroller')!
  act(() => {
    scroller().scrollTop = 120
    fireEvent.scroll(scroller())
  })
  await user.click(within(await rowOf('Plans')).getByRole('button', { name: 'Plans' }))
  expect(await screen.findByText('No files or folders to show.')).toBeVisible()
  history.back()
  await rowOf('Plans')
  await waitFor(() => expect(scroller().scrollTop).toBe(120))
})

describe('the keyboard', () => {
  test('selects all, renames and deletes, and leaves fields alone', async () => {
    const { user } = page()
    await selectRow(user, 'report.pdf')
    await user.keyboard('{F2}')
    const dialog = await screen.findByRole('dialog', { name: 'Rename report.pdf' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await user.keyboard('{Delete}')
    expect(await screen.findByRole('dialog', { name: 'Delete file?' })).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('{Control>}a{/Control}')
    expect(screen.getByText('4 selected')).toBeVisible()
    // One of the four is somebody else's.
    await user.keyboard('{Delete}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.keyboard('{Escape}')
    expect(screen.queryByText('4 selected')).toBeNull()
    await user.type(screen.getByRole('searchbox'), 'a{Control>}a{/Control}{Delete}')
    expect(screen.queryByText('4 selected')).toBeNull()
  })

  test('copies to the folder that is open when it pastes', async () => {
    const calls = changes()
    serveList('/sfs/folder/1', () => [])
    const { user } = page()
    await selectRow(user, 'report.pdf')
    await selectRow(user, 'letter.pdf')
    await user.keyboard('{Control>}c{/Control}')
    expect(await screen.findByText('2 items will be copied to where you paste them.')).toBeVisible()
    await user.click(within(await rowOf('Plans')).getByRole('button', { name: 'Plans' }))
    expect(await screen.findByText('No files or folders to show.')).toBeVisible()
    await user.keyboard('{Control>}v{/Control}')
    await waitFor(() => expect(calls).toEqual([['POST', '/copy', { ids: [11, 12], parentFolderId: 1 }]]))
    await undo(user)
    expect(calls.at(-1)).toEqual(['DELETE', '/99'])
  })
})

describe('undo', () => {
  test('moves items back', async () => {
    const calls = changes()
    const { user } = page()
    await choose(user, 'report.pdf', 'Move')
    const dialog = within(await screen.findByRole('dialog', { name: 'Move report.pdf' }))
    await user.click(await dialog.findByRole('radio', { name: 'Plans' }))
    await user.click(dialog.getByRole('button', { name: 'Move Here' }))
    await undo(user)
    expect(calls).toEqual([
      ['POST', '/move', { ids: [11], parentFolderId: 1, choices: [] }],
      ['POST', '/move', { ids: [11], parentFolderId: 0, choices: [] }],
    ])
  })

  test('is not offered for a folder that would be open to others than before', async () => {
    const calls = changes()
    const secret = anItem(2, { name: 'Secret', isFolder: true, folderType: 'PRIVATE' })
    const { user } = page([plans, secret])
    await choose(user, 'Secret', 'Move')
    const dialog = within(await screen.findByRole('dialog', { name: 'Move Secret' }))
    await user.click(await dialog.findByRole('radio', { name: 'Plans' }))
    await user.click(dialog.getByRole('button', { name: 'Move Here' }))
    expect(await screen.findByText('Moved 1 item to Plans.')).toBeVisible()
    expect(calls).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('restores what was deleted, and gives the name back unless somebody changed it since', async () => {
    const calls = changes()
    const { user } = page()
    await choose(user, 'report.pdf', 'Delete')
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Delete file?' })).getByRole('button', {
        name: 'Delete',
      }),
    )
    await undo(user)
    expect(calls.splice(0)).toEqual([
      ['DELETE', '/11'],
      ['POST', '/trash/11/restore'],
    ])
    await choose(user, 'report.pdf', 'Rename')
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename report.pdf' }))
    await user.clear(dialog.getByLabelText('New name'))
    await user.type(dialog.getByLabelText('New name'), 'summary{Enter}')
    expect(await screen.findByText(/Renamed to summary\.pdf/)).toBeVisible()
    await user.click(screen.getAllByRole('button', { name: 'Undo' }).at(-1)!)
    await waitFor(() =>
      expect(calls).toEqual([
        ['PATCH', '/11', { name: 'summary' }],
        ['PATCH', '/11', { name: 'report', version: 5 }],
      ]),
    )
  })
})
