import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { StorageItem } from '#contract/files/schema.ts'
import type { UserRole } from '#contract/users/schema.ts'
import { FilesToolbar } from '#src/files/list/FilesToolbar.tsx'
import { forgetServerNow } from '#providers/serverClock.ts'
import { answer, API, aProblem, FakeSocket, laidOut, open, server, signedIn } from '#tests/support/client.tsx'
import { openDialog } from '#tests/support/client-playbook-dialogs.tsx'
import { downloadedFrom, onAPhone, receive, serveList } from '#tests/support/client-lists.ts'

const anItem = (id: number, changes: Partial<StorageItem> = {}): StorageItem => ({
  id,
  name: `report ${id}`,
  extension: 'pdf',
  size: 2_048,
  isFolder: false,
  parentFolderId: 0,
  folderType: 'PUBLIC',
  groupIds: [],
  createdBy: 'ada@demo.example',
  createdByName: 'Ada Lovelace',
  createTimestamp: '2026-01-01T00:00:00.000Z',
  updateTimestamp: '2026-01-02T00:00:00.000Z',
  isEditable: true,
  isOnHold: false,
  isStarred: false,
  type: 'application/pdf',
  sha256: 'ab',
  fileVersion: 1,
  version: 3,
  ...changes,
})
const aFolder = (id: number, name: string, changes: Partial<StorageItem> = {}) =>
  anItem(id, { name, extension: '', size: 0, isFolder: true, type: null, sha256: null, ...changes })

const plans = aFolder(1, 'Plans')
const legal = aFolder(2, 'Legal', { folderType: 'PRIVATE' })
const report = anItem(10)
const letter = anItem(11, { name: 'letter', extension: 'docx', isEditable: false })
const PATH = '/secure-file-storage'

function page(
  rows: readonly StorageItem[] = [plans, legal, report, letter],
  role: UserRole = 'ADMIN',
  path = PATH,
) {
  const listed = serveList('/sfs/folder/0', () => rows)
  signedIn(role)
  return { user: open(path), listed }
}
const grid = () => screen.findByRole('grid', { name: 'Files and folders' })
async function menuOf(user: ReturnType<typeof open>, name: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  return within(await screen.findByRole('menu'))
}
const choose = async (user: ReturnType<typeof open>, name: string, action: string) =>
  user.click((await menuOf(user, name)).getByRole('menuitem', { name: action }))
const theDialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

beforeEach(() => {
  laidOut()
  answer('get', '/incident', { data: [], page: 0, size: 20, total: 0, people: [] })
})

describe('the list', () => {
  test.each(['', '?folder=0', '?folder=abc', '?folder=-1'])('shows the root at %j', async (search) => {
    page(undefined, 'ADMIN', PATH + search)
    expect(await within(await grid()).findByText('report 10.pdf')).toBeVisible()
    expect(screen.getByText('Folder, All Users')).toBeVisible()
    expect(screen.getByText('Private Folder, Group Users')).toBeVisible()
  })

  test('opens a folder by double click, and goes up by its path', async () => {
    serveList('/sfs/folder/1', () => [])
    answer('get', '/sfs/item/1', { ...plans, path: [], itemsCount: 0, totalSize: 0, peopleCount: 2 })
    const { user } = page()
    await user.dblClick(within(await grid()).getByText('Folder, All Users'))
    expect(await screen.findByText('No files or folders to show.')).toBeVisible()
    expect(location.search).toBe('?folder=1')
    await user.click(within(screen.getByRole('navigation', { name: 'Folders above' })).getByRole('link'))
    expect(await screen.findByText('report 10.pdf')).toBeVisible()
    expect(location.search).toBe('')
  })

  test('asks for a hundred at a time, and for own ones only when asked to', async () => {
    const rows = Array.from({ length: 130 }, (_, n) => anItem(n + 1))
    const { user, listed } = page(rows)
    await grid()
    expect(listed[0]).toMatchObject({ range: [0, 99], sort: ['name', 'ASC'], filter: {} })
    await user.click(screen.getByRole('button', { name: 'Go to next page' }))
    await waitFor(() => expect(listed.at(-1)?.range).toEqual([100, 199]))
    await user.click(screen.getByRole('combobox', { name: 'Whose files' }))
    await user.click(await screen.findByRole('option', { name: 'Created By Me' }))
    await waitFor(() => expect(listed.at(-1)?.filter).toEqual({ isCreatedByMe: true }))
  })

  test('searches everywhere', async () => {
    const asked: (string | null)[] = []
    server.use(
      http.get(`${API}/sfs/search`, ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('query'))
        return HttpResponse.json([report], { headers: { 'Content-Range': 'items 0-0/1' } })
      }),
    )
    const { user } = page()
    await grid()
    await user.type(screen.getByRole('searchbox', { name: 'Search all files' }), 'report')
    await waitFor(() => expect(asked).toEqual(['report']))
    await waitFor(() => expect(screen.queryByText('Plans')).toBeNull())
  })

  test('searches 150 milliseconds after the last letter, once', async () => {
    const searched = vi.fn()
    openDialog(() => (
      <FilesToolbar
        view={{
          place: 'folder',
          folderId: 0,
          search: '',
          isCreatedByMe: false,
          page: 1,
          sort: ['name', 'ASC'],
        }}
        onChange={searched}
        onNewFolder={() => undefined}
        layout="list"
        onLayout={() => undefined}
      />
    ))
    const field = await screen.findByRole('searchbox')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      for (const value of ['r', 're', 'rep']) {
        fireEvent.change(field, { target: { value } })
        act(() => void vi.advanceTimersByTime(149))
      }
      expect(searched).not.toHaveBeenCalled()
      act(() => void vi.advanceTimersByTime(1))
      expect(searched.mock.calls).toEqual([[{ place: 'folder', search: 'rep' }]])
      act(() => void vi.advanceTimersByTime(1_000))
      expect(searched).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })

  test('says where something lies that was searched for, and leads there', async () => {
    server.use(
      http.get(`${API}/sfs/search`, () =>
        HttpResponse.json([{ ...report, path: [{ id: 1, name: 'Plans' }] }], {
          headers: { 'Content-Range': 'items 0-0/1' },
        }),
      ),
    )
    serveList('/sfs/folder/1', () => [])
    const { user } = page()
    await grid()
    await user.type(screen.getByRole('searchbox', { name: 'Search all files' }), 'report')
    expect(await screen.findByRole('link', { name: 'Files / Plans' })).toHaveAttribute(
      'href',
      expect.stringContaining('folder=1'),
    )
    await choose(user, 'report 10.pdf', 'Show in Folder')
    await waitFor(() => expect(location.search).toBe('?folder=1'))
  })

  test.each(['a window', 'a phone'])('shows in %s where in a text the words are', async (device) => {
    if (device === 'a phone') onAPhone()
    const textMatch = {
      page: 3,
      snippet: [
        { text: '…to the ', isMatch: false },
        { text: 'shelter', isMatch: true },
        { text: ' in hall 2 <b>', isMatch: false },
      ],
    }
    server.use(
      http.get(`${API}/sfs/search`, () =>
        HttpResponse.json(
          [
            { ...plans, path: [] },
            { ...report, path: [], textMatch },
          ],
          { headers: { 'Content-Range': 'items 0-1/2' } },
        ),
      ),
    )
    const { user } = page()
    await user.type(await screen.findByRole('searchbox', { name: 'Search all files' }), 'shelter')
    expect((await screen.findByText('shelter')).tagName).toBe('MARK')
    expect(screen.getByText('shelter').parentElement).toHaveTextContent(
      'Page 3 · …to the shelter in hall 2 <b>',
    )
  })

  test('shows what others change as the server tells that something changed', async () => {
    let rows = [report]
    serveList('/sfs/folder/0', () => rows)
    signedIn()
    open(PATH)
    await within(await grid()).findByText('report 10.pdf')
    rows = [report, plans]
    act(() =>
      FakeSocket.last!.say({
        type: 'event',
        sequence: 1,
        noun: 'files',
        record: '',
        verb: 'changed',
        parent: null,
      }),
    )
    expect(await within(await grid()).findByText('Plans')).toBeVisible()
  })

  test.each([
    ['', 8],
    ['a preview', 5],
  ])('shows at most so many steps of a path beside %j: %i', async (beside, max) => {
    const path = Array.from({ length: 9 }, (_, n) => ({ id: 100 + n, name: `Level ${n + 1}` }))
    answer('get', '/sfs/item/200', {
      ...aFolder(200, 'Level 10'),
      path,
      itemsCount: 1,
      totalSize: 0,
      peopleCount: 1,
    })
    answer('post', '/sfs/item/10/preview', aProblem('no'), 500)
    serveList('/sfs/folder/200', () => [report])
    signedIn()
    const user = open(`${PATH}?folder=200`)
    await within(await grid()).findByText('report 10.pdf')
    if (beside !== '') await user.click(screen.getByRole('button', { name: 'report 10.pdf' }))
    const steps = screen.getByRole('navigation', { name: 'Folders above', hidden: true })
    const shown = () => [
      ...within(steps).queryAllByRole('link', { hidden: true }),
      ...within(steps).queryAllByRole('heading', { hidden: true }),
      ...within(steps).queryAllByRole('button', { hidden: true }),
    ]
    await waitFor(() => expect(shown()).toHaveLength(max))
    expect(within(steps).getByText('Level 10')).toBeInTheDocument()
  })

  test('says that files could not be loaded, and loads them again', async () => {
    answer('get', '/sfs/folder/0', aProblem('no'), 500)
    signedIn()
    const user = open(PATH)
    expect(await screen.findByText('An error occurred loading the files.')).toBeVisible()
    expect(screen.getByText(/The service has a problem/)).toBeVisible()
    expect(screen.queryByText(/Check the connection/)).toBeNull()
    serveList('/sfs/folder/0', () => [report])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('report 10.pdf')).toBeVisible()
  })

  test('is a list on a phone', async () => {
    onAPhone()
    const { user } = page()
    expect(await screen.findByRole('list', { name: 'Files and folders' })).toBeVisible()
    const menu = await menuOf(user, 'Plans')
    expect(menu.getByRole('menuitem', { name: 'Move' })).toBeVisible()
  })
})

describe('the menu of a row', () => {
  test('offers changes only of what is editable, and access only of folders in the root', async () => {
    const { user } = page()
    const names = (menu: Awaited<ReturnType<typeof menuOf>>) =>
      menu.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(names(await menuOf(user, 'letter.docx'))).toEqual([
      'Open',
      'Download',
      'Copy',
      'Add Star',
      'Details',
    ])
    await user.keyboard('{Escape}')
    expect(names(await menuOf(user, 'Plans'))).toContain('Edit Access')
    await user.keyboard('{Escape}')
    expect(names(await menuOf(user, 'report 10.pdf'))).not.toContain('Edit Access')
  })

  test('opens by right click and by keyboard', async () => {
    const { user } = page()
    fireEvent.contextMenu(await within(await grid()).findByText('report 10.pdf'))
    expect(await screen.findByRole('menu', { name: 'Actions for report 10.pdf' })).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    const cell = screen.getByText('report 10.pdf').closest<HTMLElement>('[data-field]')!
    act(() => cell.focus())
    fireEvent.keyDown(cell, { key: 'F10', shiftKey: true })
    expect(await screen.findByRole('menu', { name: 'Actions for report 10.pdf' })).toBeVisible()
  })
})

describe('a finger that rests on a row', () => {
  const row = async () => (await within(await grid()).findByText('report 10.pdf')).closest('[role="row"]')!
  const touches = [{ clientX: 40, clientY: 60 }]
  const theMenu = () => screen.queryByRole('menu', { name: 'Actions for report 10.pdf' })

  test('opens the menu after half a second', async () => {
    page()
    const touched = await row()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      fireEvent.touchStart(touched, { touches })
      act(() => void vi.advanceTimersByTime(499))
      expect(theMenu()).toBeNull()
      act(() => void vi.advanceTimersByTime(1))
      expect(theMenu()).toBeInTheDocument()
    } finally {
      vi.useRealTimers()
    }
  })

  test.each([
    ['moves', fireEvent.touchMove],
    ['leaves', fireEvent.touchEnd],
    ['is joined by another', fireEvent.touchStart],
  ])('opens nothing where it %s before', async (_, before) => {
    page()
    const touched = await row()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      fireEvent.touchStart(touched, { touches })
      act(() => void vi.advanceTimersByTime(300))
      before(touched, { touches: [...touches, ...touches] })
      act(() => void vi.advanceTimersByTime(1_000))
      expect(theMenu()).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a folder', () => {
  const mine = {
    id: '11111111-1111-4111-8111-111111111111',
    name: 'Legal team',
    canAccess: true,
    userCount: 2,
  }
  const theirs = { ...mine, id: '22222222-2222-4222-8222-222222222222', name: 'Board', canAccess: false }
  const start = async (role?: UserRole) => {
    const { user } = page(undefined, role)
    await grid()
    await user.click(screen.getByRole('button', { name: 'New Folder' }))
    return { user, dialog: await theDialog('New Folder') }
  }

  test('needs a name of three characters, and one of the own groups where it is private', async () => {
    answer('get', '/group', [theirs, mine])
    const bodies = receive('post', '/sfs/folder', () => ({ ...legal }))
    const { user, dialog } = await start()
    const create = () => user.click(dialog.getByRole('button', { name: 'Create' }))
    await create()
    expect(await dialog.findByText('Please enter a folder name.')).toBeVisible()
    await user.type(dialog.getByLabelText('Folder name'), 'ab ')
    expect(await dialog.findByText('Folder name must contain at least 3 characters.')).toBeVisible()
    await user.type(dialog.getByLabelText('Folder name'), 'c')
    await user.click(dialog.getByRole('radio', { name: /^Group Users/ }))
    await create()
    expect(await dialog.findByText('At least one of your groups must be selected.')).toBeVisible()
    expect(dialog.getByRole('checkbox', { name: 'Board' })).toBeDisabled()
    expect(dialog.getByRole('link', { name: 'Manage Groups' })).toHaveAttribute('href', '/groups')
    await user.click(dialog.getByRole('checkbox', { name: 'Legal team' }))
    await create()
    await gone()
    expect(bodies).toEqual([{ name: 'ab c', parentFolderId: 0, folderType: 'PRIVATE', groupIds: [mine.id] }])
  })

  test('is offered as Admin Only to administrators, and groups are managed only by theirs', async () => {
    answer('get', '/group', [])
    const { user, dialog } = await start('USER')
    expect(dialog.queryByRole('radio', { name: /^Admin Only/ })).toBeNull()
    await user.click(dialog.getByRole('radio', { name: /^Group Users/ }))
    expect(await dialog.findByText('No groups to show.')).toBeVisible()
    expect(dialog.queryByRole('link', { name: 'Manage Groups' })).toBeNull()
  })

  test.each([
    [403, 'no', 'Cannot remove all groups giving you access to this folder.'],
    [500, 'The disk is full.', 'The disk is full.'],
  ])('says why it is not saved: %i', async (status, message, said) => {
    answer('patch', '/sfs/1', aProblem(message), status)
    const { user } = page()
    await choose(user, 'Plans', 'Edit Access')
    const dialog = await theDialog('Edit Access')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText(said)).toBeVisible()
  })

  test('is deleted only once its exact name is typed', async () => {
    const removed: string[] = []
    server.use(
      http.delete(`${API}/sfs/:id`, ({ params }) => {
        removed.push(String(params['id']))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = page()
    await choose(user, 'Plans', 'Delete')
    const dialog = await theDialog('Delete folder?')
    await user.type(dialog.getByRole('textbox'), 'plans')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await dialog.findByText('Typed name must match the folder name exactly.')).toBeVisible()
    expect(removed).toEqual([])
    await user.clear(dialog.getByRole('textbox'))
    await user.type(dialog.getByRole('textbox'), 'Plans')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await gone()
    expect(removed).toEqual(['1'])
  })

  test('is deleted together with others once the name of each folder is typed', async () => {
    const removed: string[] = []
    server.use(
      http.delete(`${API}/sfs/:id`, ({ params }) => {
        removed.push(String(params['id']))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = page()
    await within(await grid()).findByText('Plans')
    for (const name of ['Plans', 'Legal', 'report 10.pdf']) {
      const row = screen.getByText(name).closest<HTMLElement>('[role="row"]')!
      await user.click(within(row).getByRole('checkbox'))
    }
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    const dialog = await theDialog('Delete 3 items?')
    const field = (name: string) =>
      dialog.getByRole('textbox', { name: `Type the folder name to confirm: ${name}` })
    await user.type(field('Plans'), 'Plans')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await dialog.findAllByText('Typed name must match the folder name exactly.')).toHaveLength(1)
    expect(field('Legal')).toBeInvalid()
    expect(removed).toEqual([])
    await user.type(field('Legal'), 'Legal')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await gone()
    expect(removed).toEqual(['1', '2', '10'])
  })
})

describe('files', () => {
  test('are renamed to a trimmed name of at least three characters', async () => {
    const bodies: unknown[] = []
    server.use(
      http.patch(`${API}/sfs/10`, async ({ request }) => {
        bodies.push(await request.json())
        return HttpResponse.json({ ...report, name: 'abc' })
      }),
    )
    const { user } = page()
    await choose(user, 'report 10.pdf', 'Rename')
    const dialog = await theDialog('Rename report 10.pdf')
    const name = dialog.getByLabelText('New name')
    await user.clear(name)
    await user.type(name, 'ab ')
    await user.click(dialog.getByRole('button', { name: 'Rename' }))
    expect(await dialog.findByText('The name must contain at least 3 characters.')).toBeVisible()
    expect(bodies).toEqual([])
    await user.clear(name)
    await user.type(name, ' abc ')
    await user.click(dialog.getByRole('button', { name: 'Rename' }))
    await gone()
    expect(bodies).toEqual([{ name: 'abc' }])
  })

  test('are moved together to a folder of the tree', async () => {
    const bodies = receive('post', '/sfs/move', () => ({ length: 2 }), 200)
    const { user } = page()
    for (const name of ['Plans', 'report 10.pdf']) {
      const row = (await within(await grid()).findByText(name)).closest<HTMLElement>('[role="row"]')!
      await user.click(within(row).getByRole('checkbox'))
    }
    const bar = within(await screen.findByRole('region', { name: 'Selected files and folders' }))
    expect(bar.getByText('2 selected')).toBeVisible()
    await user.click(bar.getByRole('button', { name: 'Move' }))
    const dialog = await theDialog('Move 2 items')
    expect(await dialog.findByRole('radio', { name: 'Plans' })).toBeDisabled()
    expect(dialog.getByRole('radio', { name: 'Files' })).toBeDisabled()
    await user.click(dialog.getByRole('radio', { name: 'Legal' }))
    await user.click(dialog.getByRole('button', { name: 'Move Here' }))
    await gone()
    expect(bodies).toEqual([{ ids: [1, 10], parentFolderId: 2, choices: [] }])
  })

  test('are moved to where the name is taken as somebody chooses', async () => {
    const bodies: unknown[] = []
    server.use(
      http.post(`${API}/sfs/move`, async ({ request }) => {
        bodies.push(await request.json())
        if (bodies.length > 1) return HttpResponse.json([report])
        const message = 'There is already a file or folder with this name here.'
        return HttpResponse.json({ code: 'conflict', message, fields: { name: message } }, { status: 409 })
      }),
    )
    answer('post', '/sfs/folder/2/conflicts', [
      { folder: 0, name: 'report 10.pdf', item: anItem(30, { name: 'report 10' }), canReplace: true },
    ])
    const { user } = page()
    await choose(user, 'report 10.pdf', 'Move')
    const dialog = await theDialog(/^Move/)
    await user.click(await dialog.findByRole('radio', { name: 'Legal' }))
    await user.click(dialog.getByRole('button', { name: 'Move Here' }))
    const asked = await theDialog('“report 10.pdf” is already there')
    await user.click(asked.getByRole('button', { name: 'Keep Both' }))
    await gone()
    expect(bodies.at(-1)).toEqual({
      ids: [10],
      parentFolderId: 2,
      choices: [{ id: 10, choice: 'keepBoth' }],
    })
  })

  test('of the device are uploaded to the folder that they are dropped on, which is marked', async () => {
    const begun: string[] = []
    server.use(
      http.post(`${API}/sfs/folder/:id/conflicts`, ({ params }) => {
        begun.push(String(params['id']))
        return HttpResponse.json([])
      }),
    )
    answer('get', '/sfs/uploads', [])
    const { user } = page()
    const row = (await within(await grid()).findByText('Plans')).closest<HTMLElement>('[role="row"]')!
    const files = [new File(['x'], 'map.pdf')]
    const dragged = { dataTransfer: { types: ['Files'], files, items: [] } }
    fireEvent.dragOver(row, dragged)
    await waitFor(() => expect(row).toHaveClass('drop-target'))
    // The page itself takes nothing then.
    expect(screen.queryByText('Drop files and folders to upload them here.')).toBeNull()
    fireEvent.drop(row, dragged)
    await waitFor(() => expect(begun).toEqual(['1']))
    expect(row).not.toHaveClass('drop-target')
    // By keyboard: the menu of the folder, not of a file.
    expect((await menuOf(user, 'Plans')).getByRole('menuitem', { name: 'Upload Here' })).toBeVisible()
    await user.keyboard('{Escape}')
    expect((await menuOf(user, 'report 10.pdf')).queryByRole('menuitem', { name: 'Upload Here' })).toBeNull()
  })

  test('are not moved while the folders cannot be loaded, for which the connection is not blamed', async () => {
    const { user } = page()
    answer('get', '/sfs/folder/2', aProblem('no'), 500)
    await choose(user, 'report 10.pdf', 'Move')
    const dialog = await theDialog(/^Move/)
    await user.click(await dialog.findByRole('button', { name: 'Show the folders in Legal' }))
    expect(await dialog.findByText('The folders could not be loaded.')).toBeVisible()
    expect(dialog.getByText(/The service has a problem/)).toBeVisible()
    expect(dialog.queryByText(/Check the connection/)).toBeNull()
    serveList('/sfs/folder/2', () => [aFolder(21, 'Contracts')])
    await user.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByRole('radio', { name: 'Contracts' })).toBeEnabled()
  })

  const TICKET = { path: '/sfs/content/ticket', expireTimestamp: '2026-01-01T00:01:00.000Z' }

  test('are downloaded by the browser, from an address for one download', async () => {
    const urls = downloadedFrom()
    const asked = receive('post', '/sfs/item/10/download', () => TICKET)
    const { user } = page()
    await choose(user, 'report 10.pdf', 'Download')
    await waitFor(() => expect(urls).toEqual([new URL(`${API}${TICKET.path}`, location.href).href]))
    expect(asked).toEqual([{}])
  })

  test('are downloaded as one archive where they are several, or a folder', async () => {
    const urls = downloadedFrom()
    const asked = receive('post', '/sfs/archive', () => TICKET)
    const { user } = page()
    await choose(user, 'Plans', 'Download')
    expect(await screen.findByText('Preparing Plans…')).toBeVisible()
    await waitFor(() => expect(urls).toHaveLength(1))
    expect(asked).toEqual([{ ids: [1] }])
  })

  test.each([
    [500, 'An unexpected error occurred downloading the file.'],
    [404, 'This file could not found.'],
  ])('say why they are not downloaded: %i', async (status, said) => {
    const urls = downloadedFrom()
    answer('post', '/sfs/item/10/download', aProblem('no'), status)
    const { user } = page()
    await choose(user, 'report 10.pdf', 'Download')
    expect(await screen.findByText(said)).toBeVisible()
    expect(urls).toEqual([])
  })

  test('are not requested once they are no longer in the list', async () => {
    let rows = [report, letter]
    serveList('/sfs/folder/0', () => rows)
    signedIn()
    const user = open(PATH)
    const menu = await menuOf(user, 'report 10.pdf')
    rows = [letter]
    act(() =>
      FakeSocket.last!.say({
        type: 'event',
        sequence: 1,
        noun: 'files',
        record: '',
        verb: 'changed',
        parent: null,
      }),
    )
    await waitFor(() => expect(screen.queryByText('report 10.pdf')).toBeNull())
    await user.click(menu.getByRole('menuitem', { name: 'Download' }))
    expect(await screen.findByText('There was an issue downloading this file.')).toBeVisible()
  })
})

describe('the second factor', () => {
  const MAILED = {
    secondFactorType: 'EMAIL',
    initialized: true,
    verifiedUntil: null,
    recoveryCodesLeft: 0,
    confirmationCodeExpiryTimestamp: new Date(Date.now() + 600_000).toISOString(),
  }
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  function guarded(verifiedUntil: string | null) {
    const begun: unknown[] = []
    answer('get', '/sfs/2fa', { ...MAILED, verifiedUntil })
    server.use(
      http.post(`${API}/sfs/2fa`, () => {
        begun.push(1)
        return HttpResponse.json(MAILED)
      }),
    )
    const listed = serveList('/sfs/folder/0', () => [report])
    signedIn('ADMIN', ['dashboard', 'sfs-2fa'])
    return { begun, listed, user: open(PATH) }
  }

  test('comes before any file is requested, and leads to the files', async () => {
    const { begun, listed, user } = guarded(null)
    const dialog = await theDialog('Two-Factor Verification')
    await waitFor(() => expect(begun).toHaveLength(1))
    expect(listed).toEqual([])
    answer('post', '/sfs/2fa/confirm', aProblem('The code entered was incorrect.'), 400)
    const code = await dialog.findByRole('textbox')
    await user.type(code, '1234')
    await user.type(code, '5678')
    await user.click(dialog.getByRole('button', { name: 'Verify' }))
    expect(await dialog.findByText('The code entered was incorrect.')).toBeVisible()
    answer('post', '/sfs/2fa/confirm', { verifiedUntil: inMinutes(15) })
    await user.type(dialog.getByRole('textbox'), '12345678')
    await user.click(dialog.getByRole('button', { name: 'Verify' }))
    expect(await screen.findByText('report 10.pdf')).toBeVisible()
    expect(begun).toHaveLength(1)
  })

  test('is not asked for while a verification lasts', async () => {
    const { begun } = guarded(inMinutes(10))
    expect(await screen.findByText('report 10.pdf')).toBeVisible()
    expect(begun).toEqual([])
  })

  test('goes from asking to waiting, checking, wrong, locked out and verified', async () => {
    const held = () => {
      let answerIt: (response: Response) => void = () => undefined
      const reply = new Promise<Response>((resolve) => (answerIt = resolve))
      return { reply, answerIt }
    }
    const begun = held()
    answer('get', '/sfs/2fa', { ...MAILED, verifiedUntil: null })
    server.use(http.post(`${API}/sfs/2fa`, () => begun.reply))
    serveList('/sfs/folder/0', () => [report])
    signedIn('ADMIN', ['dashboard', 'sfs-2fa'])
    const user = open(PATH)
    const dialog = await theDialog('Two-Factor Verification')
    expect(dialog.getByRole('status', { name: 'Asking for a verification…' })).toBeVisible()
    begun.answerIt(HttpResponse.json(MAILED))
    const field = await dialog.findByRole('textbox')

    const confirm = async (status: number, body: object) => {
      const { reply, answerIt } = held()
      server.use(http.post(`${API}/sfs/2fa/confirm`, () => reply))
      await user.type(field, '1234')
      await user.click(dialog.getByRole('button', { name: 'Verify' }))
      expect(await dialog.findByText('Checking…')).toBeVisible()
      answerIt(HttpResponse.json(body, { status }))
    }
    await confirm(400, aProblem('The code entered was incorrect.'))
    expect(await dialog.findByText('The code entered was incorrect.')).toBeVisible()
    await confirm(429, { ...aProblem('Too many.'), msUntilNextAttempt: 2_000 })
    expect(
      await dialog.findByText(/^Please wait 0 minutes and \d seconds? before attempting again$/),
    ).toBeVisible()
    expect(await dialog.findByText('You can try again now.')).toBeVisible()
    await confirm(200, { verifiedUntil: inMinutes(15) })
    expect(await screen.findByText('report 10.pdf')).toBeVisible()
  })

  test('leads to the dashboard when it is cancelled', async () => {
    const { user } = guarded(null)
    const dialog = await theDialog('Two-Factor Verification')
    await dialog.findByRole('textbox')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(location.pathname).toBe('/'))
  })

  test('is asked for again once a call is refused without one', async () => {
    const { begun, user } = guarded(inMinutes(10))
    await screen.findByText('report 10.pdf')
    answer('patch', '/sfs/10', aProblem('Please verify.', 'verification_required'), 403)
    await choose(user, 'report 10.pdf', 'Rename')
    const dialog = await theDialog('Rename report 10.pdf')
    await user.click(dialog.getByRole('button', { name: 'Rename' }))
    expect(await screen.findByRole('dialog', { name: 'Two-Factor Verification' })).toBeVisible()
    expect(begun).toHaveLength(1)
    expect(screen.queryByText('report 10.pdf')).toBeNull()
  })

  test('is asked for where it has expired before a download, which does not begin', async () => {
    const urls = downloadedFrom()
    const { begun, user } = guarded(inMinutes(10))
    await screen.findByText('report 10.pdf')
    answer('post', '/sfs/item/10/download', aProblem('Please verify.', 'verification_required'), 403)
    await choose(user, 'report 10.pdf', 'Download')
    expect(await screen.findByRole('dialog', { name: 'Two-Factor Verification' })).toBeVisible()
    await waitFor(() => expect(begun).toHaveLength(1))
    expect(urls).toEqual([])
  })

  test('ends the use of a tab that is looked at again after it has expired', async () => {
    const { begun } = guarded(inMinutes(10))
    await screen.findByText('report 10.pdf')
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * 60_000)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(begun).toEqual([])
    hidden.mockReturnValue(false)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(location.pathname).toBe('/'))
    await waitFor(() => expect(begun).toHaveLength(1))
  })

  test('asks for a code without a QR code where no secret is given out', async () => {
    answer('get', '/sfs/2fa', { ...MAILED, secondFactorType: 'TOTP', initialized: false })
    answer('post', '/sfs/2fa', { ...MAILED, secondFactorType: 'TOTP', initialized: false })
    answer('post', '/sfs/2fa/initQR', aProblem('Not allowed.'), 403)
    signedIn('ADMIN', ['dashboard', 'sfs-2fa'])
    open(PATH)
    const dialog = await theDialog('Two-Factor Verification')
    expect(await dialog.findByRole('textbox')).toBeVisible()
    expect(dialog.queryByRole('img')).toBeNull()
    expect(dialog.queryByRole('alert')).toBeNull()
    forgetServerNow()
  })
})
