import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Attachment } from '#contract/attachments/schema.ts'
import { saveFrom } from '#src/kit/browser/saveFile.ts'
import { answer, API, aProblem, FakeSocket, server } from '#tests/support/client.tsx'
import {
  anUpdate,
  aTask,
  aWhole,
  fill,
  hearing,
  ME,
  page,
  preparePages,
  refused,
  resolved,
  shown,
  uuid,
} from '#tests/support/client-incidents.ts'

vi.mock('#src/kit/browser/saveFile.ts', () => ({ saveFrom: vi.fn() }))

preparePages()
const EXTENSIONS = ['PDF', 'TXT', 'PNG']
beforeEach(() =>
  answer('get', '/config', {
    maxActivitiesPerIncident: 1_000,
    maxFileSize: 1,
    allowedFileExtensions: EXTENSIONS,
  }),
)

const attachment = (n: number, changes: Partial<Attachment> = {}): Attachment => ({
  id: uuid(n),
  name: `file ${n}`,
  extension: 'pdf',
  type: 'application/pdf',
  size: 1_258_291,
  sha256: 'ab'.repeat(32),
  createdBy: ME.email,
  createdByName: 'Ada Lovelace',
  lastUpdated: new Date().toISOString(),
  parentType: 'INCIDENT',
  parentId: uuid(1),
  ...changes,
})
/** Response headers that let a browser upload to another origin. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'authorization, enterprise-code, idempotency-key, web-app-version',
}
/** The server's files, including new uploads. `reply` may answer an upload instead, each time it comes. */
function keeping(files: Attachment[], reply?: (name: string, times: number) => Response | undefined) {
  const state = { files, sent: [] as string[] }
  hearing('get', `/fa/INCIDENT/${uuid(1)}`, () => state.files)
  server.use(
    http.options(`${API}/*`, () => new HttpResponse(null, { status: 204, headers: CORS })),
    http.post(`${API}/fa/INCIDENT/${uuid(1)}`, async ({ request }) => {
      const sent = /filename="([^"]*)"/.exec(await request.text())![1]!
      state.sent.push(sent)
      const refused = reply?.(sent, state.sent.filter((name) => name === sent).length)
      if (refused) return refused
      const [name = '', extension = ''] = sent.split('.')
      const added = attachment(500 + state.sent.length, { name, extension })
      state.files = [...state.files, added]
      return HttpResponse.json(added, { status: 201, headers: CORS })
    }),
  )
  return state
}
/** A refusal that another origin may read. */
const refusal = (status: number, message: string, more: object = {}) =>
  HttpResponse.json({ code: 'refused', message, ...more }, { status, headers: CORS })
const file = (name: string, size = 10) => new File(['x'.repeat(size)], name)
const panel = () => within(screen.getByRole('region', { name: 'Files' }))
const dialog = () => within(screen.getByRole('dialog', { name: 'Attachments' }))
const field = (within: HTMLElement = screen.getByRole('dialog')) =>
  within.querySelector<HTMLInputElement>('input[type="file"]')!
const choose = (...files: File[]) => fireEvent.change(field(), { target: { files } })
const chosen = () =>
  dialog()
    .queryAllByRole('button', { name: /from the selection$/ })
    .map((button) => /“(.*)”/.exec(button.getAttribute('aria-label')!)![1])

const TICKET = { path: '/fa/content/ticket', expireTimestamp: '2026-01-01T00:01:00.000Z' }

async function opened(incident = aWhole()) {
  const { user, ...rest } = page(incident)
  await shown()
  await user.click(screen.getByRole('tab', { name: 'Files' }))
  await user.click(await screen.findByRole('button', { name: 'Attachments' }))
  await screen.findByRole('dialog', { name: 'Attachments' })
  // The limits have arrived.
  await dialog().findByText(/1 MB each/)
  return { user, ...rest }
}

describe('the files of an incident', () => {
  test('are listed with size and author, and are downloaded', async () => {
    keeping([attachment(2, { name: 'Évacuation – 避難' })])
    answer('post', `/fa/${uuid(2)}/download`, TICKET)
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await panel().findByText('Évacuation – 避難.pdf')
    expect(panel().getByText(/PDF · 1\.2 MB · Ada Lovelace/)).toBeInTheDocument()
    await user.click(panel().getByRole('button', { name: 'Download “Évacuation – 避難.pdf”' }))
    await waitFor(() => expect(saveFrom).toHaveBeenCalledExactlyOnceWith(`${API}${TICKET.path}`))
  })

  test('are shown, one after the other, where their format can be', async () => {
    keeping([
      attachment(2, { name: 'log', extension: 'txt', size: 100 }),
      attachment(3, { name: 'slides', extension: 'pptx' }),
      attachment(4, { name: 'orders', extension: 'txt', size: 100 }),
    ])
    hearing('get', `/fa/${uuid(2)}`, () => 'Water in hall 3.')
    hearing('get', `/fa/${uuid(4)}`, () => 'Close the gate.')
    answer('post', `/fa/${uuid(4)}/download`, TICKET)
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await panel().findByText('slides.pptx')
    expect(panel().queryByRole('button', { name: 'Open “slides.pptx”' })).toBeNull()
    await user.click(panel().getByRole('button', { name: 'Open “log.txt”' }))
    const first = within(await screen.findByRole('dialog', { name: 'log.txt' }))
    expect(await first.findByText(/Water in hall 3\./)).toBeVisible()
    expect(first.getByText('1 of 2')).toBeVisible()
    await user.click(first.getByRole('button', { name: 'Next file' }))
    const second = within(await screen.findByRole('dialog', { name: 'orders.txt' }))
    expect(await second.findByText(/Close the gate\./)).toBeVisible()
    await user.click(second.getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(saveFrom).toHaveBeenCalledOnce())
    await user.click(second.getByRole('button', { name: 'Close the preview' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('say what went wrong', async () => {
    keeping([attachment(2)])
    answer('post', `/fa/${uuid(2)}/download`, aProblem('The disk is gone.'), 500)
    answer('delete', `/fa/${uuid(2)}`, aProblem('The disk is gone.'), 500)
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await user.click(await panel().findByRole('button', { name: 'Download “file 2.pdf”' }))
    await screen.findByText('There was an issue downloading the file: The disk is gone.')
    await user.click(panel().getByRole('button', { name: 'Delete “file 2.pdf”' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Delete file?' }))
    expect(asked.getByText(/“file 2.pdf” will be deleted/)).toBeInTheDocument()
    await user.click(asked.getByRole('button', { name: 'Delete' }))
    await asked.findByText('There was an issue deleting the attachment: The disk is gone.')
    await user.click(asked.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(panel().getByText('file 2.pdf')).toBeInTheDocument())
  })

  test('say that they cannot be listed, and can be asked for again', async () => {
    let broken = true
    hearing('get', `/fa/INCIDENT/${uuid(1)}`, () =>
      broken ? refused(500, 'The disk is gone.') : [attachment(2)],
    )
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await panel().findByText('Error fetching attachments: The disk is gone.')
    broken = false
    await user.click(panel().getByRole('button', { name: 'Try again' }))
    await panel().findByText('file 2.pdf')
  })

  test('are deleted after asking', async () => {
    const state = keeping([attachment(2)])
    hearing('delete', `/fa/${uuid(2)}`, () => {
      state.files = []
      return new HttpResponse(null, { status: 204 })
    })
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await user.click(await panel().findByRole('button', { name: 'Delete “file 2.pdf”' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(panel().queryByText('file 2.pdf')).not.toBeInTheDocument())
  })

  test("cannot be deleted by somebody who did not add them in somebody else's incident", async () => {
    keeping([attachment(2, { createdBy: 'grace@demo.example' }), attachment(3)])
    const { user } = page(aWhole({ createdBy: 'grace@demo.example' }), 'USER')
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await panel().findByText('file 3.pdf')
    expect(panel().queryByRole('button', { name: 'Delete “file 2.pdf”' })).toBeNull()
    expect(panel().getByRole('button', { name: 'Delete “file 3.pdf”' })).toBeInTheDocument()
  })

  test('are only read once the incident is resolved, and by who may not change it', async () => {
    keeping([attachment(2)])
    const { user } = page(aWhole(resolved))
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await panel().findByText('file 2.pdf')
    expect(panel().queryByRole('button', { name: /^Delete/ })).toBeNull()
    await user.click(panel().getByRole('button', { name: 'Attachments' }))
    await dialog().findByText('file 2.pdf')
    expect(dialog().queryByRole('button', { name: 'Upload' })).toBeNull()
  })

  test('change as the server tells of it', async () => {
    const state = keeping([])
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await panel().findByText('Plans, photos and logs that belong here. There are none yet.')
    state.files = [attachment(2)]
    act(() =>
      FakeSocket.last!.say({
        type: 'event',
        sequence: 1,
        noun: 'attachments',
        record: uuid(2),
        verb: 'added',
        parent: uuid(1),
      }),
    )
    await panel().findByText('file 2.pdf')
  })
})

describe('choosing files', () => {
  test('refuses what is not taken, with its reason', async () => {
    keeping([])
    const { user } = await opened()
    await user.click(dialog().getByRole('button', { name: 'Upload' }))
    expect(dialog().getByText('Please choose a file.')).toBeInTheDocument()
    choose(file('tool.exe'))
    expect(dialog().getByText('Sorry, this file format is not supported.')).toBeInTheDocument()
    choose(file('large.PDF', 1_048_577))
    expect(dialog().getByText('Sorry, this file exceeds the maximum size of 1 MB.')).toBeInTheDocument()
    choose(file('empty.txt', 0))
    expect(dialog().getByText('Sorry, this file is empty.')).toBeInTheDocument()
    choose(...[1, 2, 3, 4, 5, 6].map((n) => file(`${n}.txt`)))
    expect(dialog().getByText('You can upload a maxmimum of 5 files at once.')).toBeInTheDocument()
    expect(chosen()).toEqual([])
    choose(...[1, 2, 3, 4, 5].map((n) => file(`${n}.txt`)))
    expect(chosen()).toHaveLength(5)
    choose(file('6.txt'))
    expect(dialog().getByText(/^You can upload a maxmimum/)).toBeInTheDocument()
    await user.click(dialog().getByRole('button', { name: 'Remove “3.txt” from the selection' }))
    expect(chosen()).toEqual(['1.txt', '2.txt', '4.txt', '5.txt'])
    expect(dialog().queryByText(/^You can upload/)).toBeNull()
  })

  test('drops a name that is there already, and takes files that are dropped', async () => {
    keeping([])
    await opened()
    choose(file('a.txt'), file('a.txt'))
    const place = dialog().getByText('Drag and drop files here, or choose them.').parentElement!
    const dataTransfer = { types: ['Files'], files: [file('a.txt'), file('b.txt')] }
    fireEvent.dragOver(place, { dataTransfer })
    expect(dialog().getByText('Drop the files here.')).toBeInTheDocument()
    fireEvent.drop(place, { dataTransfer })
    expect(chosen()).toEqual(['a.txt', 'b.txt'])
  })

  test('goes by 7,340,032 bytes where the server names no size', async () => {
    answer('get', '/config', { allowedFileExtensions: EXTENSIONS })
    keeping([])
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await user.click(await screen.findByRole('button', { name: 'Attachments' }))
    await screen.findByText(/7 MB each/)
    const sized = (name: string, size: number) => Object.defineProperty(file(name), 'size', { value: size })
    choose(sized('large.txt', 7_340_033))
    expect(dialog().getByText('Sorry, this file exceeds the maximum size of 7 MB.')).toBeInTheDocument()
    choose(sized('fits.txt', 7_340_032))
    expect(chosen()).toEqual(['fits.txt'])
  })
})

describe('uploading', () => {
  test('adds what arrives and keeps what fails to be sent again', async () => {
    const state = keeping([], (name, times) =>
      name === 'b.pdf' && times === 1
        ? refusal(415, 'Sorry, this file format is not supported.')
        : name === 'c.pdf' && times === 1
          ? refusal(500, 'The disk is gone.')
          : undefined,
    )
    const { user } = await opened()
    choose(file('a.pdf'), file('b.pdf'), file('c.pdf'))
    await user.click(dialog().getByRole('button', { name: 'Upload' }))
    await screen.findByText('1 file was added.')
    await dialog().findByText('a.pdf')
    expect(chosen()).toEqual(['b.pdf', 'c.pdf'])
    expect(dialog().getByText('Upload failed. Sorry, this file format is not supported.')).toBeInTheDocument()
    expect(dialog().getByText('Upload failed.')).toBeInTheDocument()
    await user.click(dialog().getByRole('button', { name: 'Retry Upload' }))
    await screen.findByText('2 files were added.')
    expect(chosen()).toEqual([])
    expect(state.sent.toSorted()).toEqual(['a.pdf', 'b.pdf', 'b.pdf', 'c.pdf', 'c.pdf'])
  })

  test('shows how long to wait, keeps the files, and does not sign anybody out', async () => {
    const state = keeping([], (_, times) =>
      times === 1 ? refusal(429, 'There were too many uploads.', { msUntilNextAttempt: 2_000 }) : undefined,
    )
    const { user } = await opened()
    choose(file('a.pdf'))
    await user.click(dialog().getByRole('button', { name: 'Upload' }))
    await dialog().findByText(/^Please wait 0 minutes and [12] seconds? before trying to submit again\.$/)
    expect(dialog().getByText('Upload failed. There were too many uploads.')).toBeInTheDocument()
    expect(dialog().getByRole('button', { name: 'Retry Upload' })).toBeDisabled()
    expect(chosen()).toEqual(['a.pdf'])
    const retry = dialog().getByRole('button', { name: 'Retry Upload' })
    await waitFor(() => expect(retry).toBeEnabled())
    await user.click(retry)
    await screen.findByText('1 file was added.')
    expect(state.sent).toEqual(['a.pdf', 'a.pdf'])
  })

  test('forgets what was chosen when the incident is resolved', async () => {
    keeping([attachment(2)])
    const { state } = await opened()
    choose(file('a.pdf'))
    expect(chosen()).toEqual(['a.pdf'])
    state.incident = aWhole(resolved)
    act(() =>
      FakeSocket.last!.say({
        type: 'event',
        sequence: 1,
        noun: 'incidents',
        record: uuid(1),
        verb: 'resolved',
        parent: null,
      }),
    )
    await waitFor(() => expect(dialog().queryByRole('button', { name: 'Upload' })).toBeNull())
    expect(chosen()).toEqual([])
    expect(dialog().getByText('file 2.pdf')).toBeInTheDocument()
  })
})

describe('files of tasks and updates', () => {
  const plan = { id: uuid(50), name: 'plan', extension: 'pdf' }

  test('are shown with them and downloaded', async () => {
    keeping([])
    answer('post', `/fa/${uuid(50)}/download`, TICKET)
    const carries = { attachedFileIds: [uuid(50)] }
    const { user } = page(
      aWhole({ attachments: [plan], activities: [aTask(2, carries), anUpdate(3, carries)] }),
    )
    await shown()
    const row = screen.getByRole('button', { name: /^Task 2 1 file/ })
    expect(screen.getAllByRole('button', { name: 'Download “plan.pdf”' })).toHaveLength(1)
    await user.click(row)
    const [chip] = screen.getAllByRole('button', { name: 'Download “plan.pdf”' })
    await user.click(chip!)
    await waitFor(() => expect(saveFrom).toHaveBeenCalledExactlyOnceWith(`${API}${TICKET.path}`))
  })

  test('are sent while the update is written, and saved with it', async () => {
    keeping([], (name, times) => (name === 'b.png' && times === 1 ? refusal(500, 'Gone.') : undefined))
    const posted = hearing('post', `/incident/${uuid(1)}/activity`, ({ body }) => anUpdate(9, body))
    const removed = hearing('delete', `/fa/:id`, () => new HttpResponse(null, { status: 204 }))
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add update' }))
    const form = await screen.findByRole('form', { name: 'Add update' })
    await fill(user, within(form).getByRole('textbox', { name: /^Update/ }), 'See the picture.')
    await waitFor(() => fireEvent.change(field(form), { target: { files: [file('a.png'), file('b.png')] } }))
    await within(form).findByRole('button', { name: 'Download “a.png”' })
    await within(form).findByText('Upload failed.')
    await user.click(within(form).getByRole('button', { name: 'Add update' }))
    await within(form).findByText('Please retry the upload of the files that failed, or remove them.')
    await user.click(within(form).getByRole('button', { name: 'Retry Upload' }))
    await within(form).findByRole('button', { name: 'Download “b.png”' })
    await user.click(within(form).getByRole('button', { name: 'Add update' }))
    await waitFor(() => expect(posted.bodies).toHaveLength(1))
    expect(posted.bodies[0]).toMatchObject({ type: 'UPDATE', description: 'See the picture.' })
    expect((posted.bodies[0] as { attachedFileIds: string[] }).attachedFileIds).toHaveLength(2)
    await waitFor(() => expect(form).not.toBeInTheDocument())
    expect(removed.urls).toEqual([])
  })

  test('let what is written be saved once they are there', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    server.use(
      http.options(`${API}/*`, () => new HttpResponse(null, { status: 204, headers: CORS })),
      http.post(`${API}/fa/INCIDENT/${uuid(1)}`, async () => {
        await arrived
        const added = attachment(501, { name: 'a', extension: 'png' })
        return HttpResponse.json(added, { status: 201, headers: CORS })
      }),
    )
    const posted = hearing('post', `/incident/${uuid(1)}/activity`, ({ body }) => anUpdate(9, body))
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add update' }))
    const form = await screen.findByRole('form', { name: 'Add update' })
    await fill(user, within(form).getByRole('textbox', { name: /^Update/ }), 'See the picture.')
    await waitFor(() => fireEvent.change(field(form), { target: { files: [file('a.png')] } }))
    await user.click(within(form).getByRole('button', { name: 'Add update' }))
    await within(form).findByText('Files are being uploaded. This is saved as soon as they are there.')
    expect(posted.bodies).toHaveLength(0)
    arrive()
    await waitFor(() => expect(posted.bodies).toHaveLength(1))
    expect(posted.bodies[0]).toMatchObject({ attachedFileIds: [uuid(501)] })
  })

  test('are chosen among those of the incident', async () => {
    const removed = hearing('delete', `/fa/:id`, () => new HttpResponse(null, { status: 204 }))
    const patched = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) => aTask(2, body))
    const photo = { id: uuid(51), name: 'photo', extension: 'png' }
    const { user } = page(
      aWhole({ attachments: [plan, photo], activities: [aTask(2, { attachedFileIds: [uuid(50)] })] }),
    )
    await shown()
    await user.click(screen.getByRole('button', { name: /^Task 2/ }))
    await user.click(screen.getByRole('button', { name: 'Edit task' }))
    const form = within(await screen.findByRole('form', { name: 'Save' }))
    await user.click(form.getByRole('button', { name: 'Attach an existing file' }))
    const menu = within(await screen.findByRole('menu', { name: 'Files of this incident' }))
    expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['photo.png'])
    await user.click(menu.getByRole('menuitem', { name: 'photo.png' }))
    expect(form.getByRole('button', { name: 'Download “photo.png”' })).toBeVisible()
    // There is no other file left.
    expect(form.queryByRole('button', { name: 'Attach an existing file' })).toBeNull()
    await user.click(form.getByRole('button', { name: 'Remove “plan.pdf”' }))
    await user.click(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(patched.bodies).toMatchObject([{ attachedFileIds: [uuid(51)] }]))
    expect(removed.urls).toEqual([])
  })

  test('go again with a form that is given up, and leave a task that no longer carries them', async () => {
    keeping([])
    const removed = hearing('delete', `/fa/:id`, () => new HttpResponse(null, { status: 204 }))
    const patched = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) => aTask(2, body))
    const { user } = page(
      aWhole({ attachments: [plan], activities: [aTask(2, { attachedFileIds: [uuid(50)] })] }),
    )
    await shown()
    await user.click(screen.getByRole('button', { name: /^Task 2/ }))
    await user.click(screen.getByRole('button', { name: 'Edit task' }))
    const form = await screen.findByRole('form', { name: 'Save' })
    fireEvent.change(field(form), { target: { files: [file('new.txt')] } })
    await within(form).findByRole('button', { name: 'Download “new.txt”' })
    await user.click(within(form).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(removed.urls).toHaveLength(1))

    await user.click(screen.getByRole('button', { name: 'Edit task' }))
    const again = within(await screen.findByRole('form', { name: 'Save' }))
    await user.click(again.getByRole('button', { name: 'Remove “plan.pdf”' }))
    await user.click(again.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(patched.bodies).toMatchObject([{ attachedFileIds: [] }]))
    expect(removed.urls).toHaveLength(1)
  })
})
