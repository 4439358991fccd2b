import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import type { InterruptedUpload, StorageItem } from '#contract/files/schema.ts'
import { UploadPanel } from '#src/files/upload/UploadPanel.tsx'
import { isOpen, uploadsOf } from '#src/files/upload/uploadValues.ts'
import { useUploads } from '#src/files/upload/useUploads.ts'
import { useDocked } from '#src/kit/layout/docked.ts'
import { answer, API, change, server, setOnline, signedIn } from '#tests/support/client.tsx'
import { expectAccessible, openDialog } from '#tests/support/client-playbook-dialogs.tsx'
import { anItem, CORS } from '#tests/support/client-files.ts'

beforeEach(() => {
  signedIn()
  answer('get', '/sfs/uploads', [])
  answer('post', '/sfs/folder/:id/conflicts', [])
  answer('get', '/config', { maxFileSize: 1, maxFileUploadsAtOnce: 3, allowedFileExtensions: ['PDF', 'TXT'] })
})

/** The page with its file field and docked parts. */
function Page({ folderId }: { folderId: number }) {
  const { addFiles } = useUploads()
  const docked = useDocked()
  return (
    <>
      <input
        type="file"
        multiple
        aria-label="Choose"
        onChange={({ target }) => addFiles(target.files ?? [], folderId)}
      />
      <UploadPanel folderId={folderId} />
      {docked}
    </>
  )
}

interface Sent {
  readonly name: string
  readonly parentFolderId: string
}
/** Choices of the uploads that were begun, by name. */
const choices = new Map<string, string>()
type Reply = (name: string, times: number) => Response | Promise<Response> | undefined
/** Accepts uploads, unless `reply` returns another response. */
function receiving(reply?: Reply, changes: Partial<StorageItem> = {}): Sent[] {
  const sent: Sent[] = []
  const begun: (Sent & { length: number })[] = []
  const headersOf = (id: string, offset: number) => ({
    ...CORS,
    Location: `/api/sfs/uploads/${id}`,
    'Upload-Offset': String(offset),
    'Upload-Length': String(begun[Number(id)]?.length ?? 0),
    'File-Version': String(changes.fileVersion ?? 1),
  })
  server.use(
    http.options(`${API}/*`, () => new HttpResponse(null, { status: 204, headers: CORS })),
    http.post(`${API}/sfs/uploads`, ({ request }) => {
      const pairs = request.headers.get('Upload-Metadata')!.split(',')
      const told = new Map(pairs.map((pair) => pair.split(' ') as [string, string]))
      const value = (key: string) => Buffer.from(told.get(key)!, 'base64').toString()
      const length = Number(request.headers.get('Upload-Length'))
      choices.set(value('filename'), value('onConflict'))
      begun.push({ name: value('filename'), parentFolderId: value('parentFolderId'), length })
      return new HttpResponse(null, { status: 201, headers: headersOf(String(begun.length - 1), 0) })
    }),
    http.head<{ id: string }>(
      `${API}/sfs/uploads/:id`,
      ({ params }) => new HttpResponse(null, { headers: headersOf(params.id, 0) }),
    ),
    http.patch<{ id: string }>(`${API}/sfs/uploads/:id`, async ({ request, params }) => {
      const { name, parentFolderId, length } = begun[Number(params.id)]!
      expect((await request.arrayBuffer()).byteLength).toBe(length)
      sent.push({ name, parentFolderId })
      const refused = await reply?.(name, sent.filter((one) => one.name === name).length)
      return refused ?? new HttpResponse(null, { status: 204, headers: headersOf(params.id, length) })
    }),
  )
  return sent
}
const refusal = (status: number, message: string, more: object = {}) =>
  HttpResponse.json({ code: 'refused', message, ...more }, { status, headers: CORS })
const file = (name: string, size = 10, folder = '') => {
  const made = new File(['x'.repeat(size)], name)
  return folder === ''
    ? made
    : Object.defineProperty(made, 'webkitRelativePath', { value: `${folder}/${name}` })
}
const opened = (folderId = 7) => openDialog(() => <Page folderId={folderId} />)
const choose = async (...files: File[]) =>
  fireEvent.change(await screen.findByLabelText('Choose'), { target: { files } })
const panel = async () => within(await screen.findByRole('region', { name: 'Uploads' }))
const names = (sent: readonly Sent[]) => sent.map(({ name }) => name).toSorted()

describe('uploads to the file storage', () => {
  test('show a file under way, one that arrived and one that is refused', async () => {
    let arrive = () => {}
    const slow = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const sent = receiving(async (name) => {
      if (name === 'slow.pdf') await slow
      return undefined as unknown as Response
    })
    opened()
    await choose(file('slow.pdf'), file('good.pdf'), file('bad.exe'))
    const list = await panel()
    expect(await list.findByText('Uploaded.')).toBeVisible()
    expect(list.getByRole('progressbar', { name: 'Upload of “slow.pdf”' })).toBeVisible()
    expect(list.getByText('Upload failed. Sorry, this file format is not supported.')).toBeVisible()
    // Files refused by the limits are not sent and cannot be retried.
    expect(list.queryByRole('button', { name: 'Retry Upload' })).toBeNull()
    await expectAccessible()
    arrive()
    await waitFor(() => expect(list.getAllByText('Uploaded.')).toHaveLength(2))
    expect(sent).toContainEqual({ name: 'good.pdf', parentFolderId: '7' })
    expect(names(sent)).toEqual(['good.pdf', 'slow.pdf'])
  })

  test('keep what failed, and send only that again', async () => {
    const sent = receiving((name, times) => {
      if (times > 1) return undefined
      if (name === 'a.pdf') return refusal(500, 'The disk is gone.')
      return name === 'b.pdf' ? refusal(409, 'There is no room left.') : undefined
    })
    const user = opened()
    await choose(file('a.pdf'), file('b.pdf'), file('c.pdf'))
    const list = await panel()
    expect(await list.findByText('Upload failed.')).toBeVisible()
    expect(await list.findByText('Upload failed. There is no room left.')).toBeVisible()
    await waitFor(() => expect(list.getByText('2 uploads failed.')).toBeVisible())
    await user.click(list.getByRole('button', { name: 'Retry Upload' }))
    expect(await list.findByText('3 files uploaded.')).toBeVisible()
    expect(names(sent)).toEqual(['a.pdf', 'a.pdf', 'b.pdf', 'b.pdf', 'c.pdf'])
  })

  test('take a name once, and say that a known file got a new version', async () => {
    const sent = receiving(undefined, { fileVersion: 4 })
    opened()
    await choose(file('a.txt'), file('a.txt'))
    expect(await (await panel()).findByText('Uploaded as version 4.')).toBeVisible()
    expect(names(sent)).toEqual(['a.txt'])
  })

  test('follow the limits of the configuration', async () => {
    const sent = receiving()
    opened()
    await choose(file('large.pdf', 1_048_577), file('empty.pdf', 0))
    const list = await panel()
    expect(
      await list.findByText('Upload failed. Sorry, this file exceeds the maximum size of 1 MB.'),
    ).toBeVisible()
    expect(list.getByText('Upload failed. Sorry, this file is empty.')).toBeVisible()
    expect(sent).toEqual([])
  })

  test('count down when the server wants a pause, and go on by themselves', async () => {
    const sent = receiving((_, times) =>
      times === 1 ? refusal(429, 'There were too many.', { msUntilNextAttempt: 1_500 }) : undefined,
    )
    opened()
    await choose(file('a.pdf'))
    const list = await panel()
    expect(await list.findByText(/^Please wait 0 minutes and [12] seconds?\./)).toBeVisible()
    expect(await list.findByText('1 file uploaded.')).toBeVisible()
    expect(names(sent)).toEqual(['a.pdf', 'a.pdf'])
  })

  test('wait while the device is offline', async () => {
    const sent = receiving()
    const requests: string[] = []
    server.events.on('request:start', ({ request }) => void requests.push(`${request.method} ${request.url}`))
    const begun = () =>
      requests.filter((one) => one.startsWith('POST') && one.endsWith('/sfs/uploads')).length
    opened()
    await choose(file('a.pdf'))
    const list = await panel()
    expect(await list.findByText('1 file uploaded.')).toBeVisible()
    act(() => setOnline(false))
    await choose(file('b.pdf'))
    expect(await list.findByText(/^You are offline\./)).toBeVisible()
    // Some browsers report that they are offline although requests succeed.
    expect(list.queryByRole('progressbar', { name: 'Upload of “b.pdf”' })).toBeNull()
    expect(begun()).toBe(1)
    expect(names(sent)).toEqual(['a.pdf'])
    act(() => setOnline(true))
    expect(await list.findByText('1 file uploaded.')).toBeVisible()
    expect(names(sent)).toEqual(['a.pdf', 'b.pdf'])
  })

  test('make the folders of a chosen folder once, and use those that are there', async () => {
    const made: unknown[] = []
    server.use(
      http.get(`${API}/sfs/folder/:id`, ({ params }) =>
        HttpResponse.json(params['id'] === '7' ? [anItem(40, { name: 'Plans', isFolder: true })] : []),
      ),
      http.post(`${API}/sfs/folder`, async ({ request }) => {
        made.push(await request.json())
        return HttpResponse.json(anItem(41, { isFolder: true }), { status: 201 })
      }),
    )
    const sent = receiving()
    opened()
    await choose(
      file('a.pdf', 10, 'Plans'),
      file('b.pdf', 10, 'Plans/North'),
      file('c.pdf', 10, 'Plans/North'),
      file('.DS_Store', 10, 'Plans'),
    )
    expect(await (await panel()).findByText('3 files uploaded.')).toBeVisible()
    expect(made).toEqual([{ name: 'North', parentFolderId: 40 }])
    expect(sent.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'a.pdf', parentFolderId: '40' },
      { name: 'b.pdf', parentFolderId: '41' },
      { name: 'c.pdf', parentFolderId: '41' },
    ])
  })

  test('use a folder whose name has another case or normal form, and lengthen a name that is too short', async () => {
    const made: unknown[] = []
    server.use(
      http.get(`${API}/sfs/folder/:id`, ({ params }) =>
        HttpResponse.json(
          params['id'] === '7' ? [anItem(40, { name: 'pläne'.normalize('NFC'), isFolder: true })] : [],
        ),
      ),
      http.post(`${API}/sfs/folder`, async ({ request }) => {
        made.push(await request.json())
        return HttpResponse.json(anItem(41, { isFolder: true }), { status: 201 })
      }),
    )
    const sent = receiving()
    opened()
    await choose(
      file('a.pdf', 10, 'Pläne'.normalize('NFD')),
      file('b.pdf', 10, `${'Pläne'.normalize('NFD')}/IT`),
      file('c.pdf', 10, `${'Pläne'.normalize('NFC')}/IT`),
    )
    expect(await (await panel()).findByText('3 files uploaded.')).toBeVisible()
    expect(made).toEqual([{ name: 'Folder IT', parentFolderId: 40 }])
    expect(sent.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'a.pdf', parentFolderId: '40' },
      { name: 'b.pdf', parentFolderId: '41' },
      { name: 'c.pdf', parentFolderId: '41' },
    ])
  })

  test('of 300 files are one queue', () => {
    const chosen = Array.from({ length: 300 }, (_, n) => ({ file: file(`plan ${n}.pdf`), path: [] }))
    const limits = { maxBytes: 100, extensions: ['PDF'], maxCount: 50 }
    const { uploads, problem } = uploadsOf(chosen, 7, [], limits)
    expect([uploads.filter(isOpen).length, problem]).toEqual([300, undefined])
  })

  test('are sent no more at a time than the server takes', async () => {
    answer('get', '/config', { maxFileSize: 1, maxFileUploadsAtOnce: 2, allowedFileExtensions: ['PDF'] })
    const gates: (() => void)[] = []
    receiving(async () => {
      await new Promise<void>((resolve) => void gates.push(resolve))
      return undefined as unknown as Response
    })
    opened()
    await choose(...['a', 'b', 'c', 'd', 'e'].map((name) => file(`${name}.pdf`)))
    const list = await panel()
    for (let arrived = 0; arrived < 5; arrived += 1) {
      await waitFor(() => expect(gates.length).toBe(Math.min(5, arrived + 2)))
      gates[arrived]!()
    }
    expect(await list.findByText('5 files uploaded.')).toBeVisible()
  })

  describe('whose names are taken', () => {
    const taken = (name: string, canReplace = true) => ({
      folder: 0,
      name,
      canReplace,
      item: anItem(50, { name, extension: '' }),
    })
    const dialog = async (name: string) =>
      within(await screen.findByRole('dialog', { name: `“${name}” is already there` }))

    test('are asked about before anything of them is sent, one by one', async () => {
      answer('post', '/sfs/folder/7/conflicts', [taken('a.pdf'), taken('b.pdf'), taken('c.pdf', false)])
      const sent = receiving()
      const user = opened()
      await choose(file('a.pdf'), file('b.pdf'), file('c.pdf'), file('d.pdf'))
      const first = await dialog('a.pdf')
      await expectAccessible()
      await waitFor(() => expect(names(sent)).toEqual(['d.pdf']))
      await user.click(first.getByRole('button', { name: 'Replace' }))
      await user.click((await dialog('b.pdf')).getByRole('button', { name: 'Skip' }))
      const last = await dialog('c.pdf')
      expect(last.getByText('You cannot replace it.')).toBeVisible()
      expect(last.queryByRole('button', { name: 'Replace' })).toBeNull()
      await user.click(last.getByRole('button', { name: 'Keep Both' }))
      await waitFor(() => expect(names(sent)).toEqual(['a.pdf', 'c.pdf', 'd.pdf']))
      expect(['a.pdf', 'c.pdf', 'd.pdf'].map((name) => choices.get(name))).toEqual([
        'replace',
        'keepBoth',
        'refuse',
      ])
    })

    test('are answered together', async () => {
      answer('post', '/sfs/folder/7/conflicts', [taken('a.pdf'), taken('b.pdf')])
      const sent = receiving()
      const user = opened()
      await choose(file('a.pdf'), file('b.pdf'))
      const asked = await dialog('a.pdf')
      await user.click(asked.getByRole('checkbox', { name: 'Do this for all 2 conflicts' }))
      await user.click(asked.getByRole('button', { name: 'Keep Both' }))
      await waitFor(() => expect(names(sent)).toEqual(['a.pdf', 'b.pdf']))
      expect([...choices.values()]).not.toContain('replace')
    })

    test('are asked about as well where somebody takes the name meanwhile', async () => {
      const sent = receiving((_, times) =>
        times === 1
          ? refusal(409, 'There is already a file or folder with this name here.', {
              fields: { name: 'There is already a file or folder with this name here.' },
            })
          : undefined,
      )
      let asked = 0
      server.use(
        http.post(`${API}/sfs/folder/7/conflicts`, () =>
          HttpResponse.json(++asked > 1 ? [taken('a.pdf')] : []),
        ),
      )
      const user = opened()
      await choose(file('a.pdf'))
      await user.click((await dialog('a.pdf')).getByRole('button', { name: 'Keep Both' }))
      await waitFor(() => expect(names(sent)).toEqual(['a.pdf', 'a.pdf']))
      expect(choices.get('a.pdf')).toBe('keepBoth')
    })
  })

  test('begin with files of the device that are dropped, and with no image of the page', async () => {
    const sent = receiving()
    opened()
    await screen.findByLabelText('Choose')
    const place = document.body
    const drag = (files: readonly File[]) => ({ dataTransfer: { types: ['Files'], files, items: [] } })
    const hint = () => screen.queryByText('Drop files and folders to upload them here.')
    // Browsers offer a dragged image as a file.
    fireEvent.dragStart(place)
    fireEvent.dragOver(place, drag([]))
    expect(hint()).toBeNull()
    fireEvent.drop(place, drag([file('picture.pdf')]))
    // The dragged element may be removed from the page, and then no `dragend` comes.
    fireEvent.pointerMove(place)
    fireEvent.dragOver(place, drag([]))
    expect(hint()).toBeVisible()
    fireEvent.drop(place, drag([file('plan.pdf')]))
    expect(await (await panel()).findByText('1 file uploaded.')).toBeVisible()
    expect(sent).toEqual([{ name: 'plan.pdf', parentFolderId: '7' }])
  })

  const HALF: InterruptedUpload = {
    id: 'a1',
    name: 'film',
    extension: 'pdf',
    parentFolderId: 7,
    path: [{ id: 7, name: 'Plans' }],
    length: 100,
    offset: 40,
    lastModified: 1_700_000_000_000,
    updateTimestamp: '2026-03-01T09:00:00.000Z',
    expireTimestamp: '2026-03-02T09:00:00.000Z',
    itemId: null,
    fileVersion: null,
  }
  const film = (size = 100) => new File(['x'.repeat(size)], 'film.pdf', { lastModified: HALF.lastModified! })
  /** Accepts the rest of the interrupted upload and records its requests. */
  function resuming(): string[] {
    const sent: string[] = []
    const headers = (offset: number) => ({
      ...CORS,
      'Upload-Offset': String(offset),
      'Upload-Length': '100',
      'File-Version': '1',
    })
    server.use(
      http.options(`${API}/*`, () => new HttpResponse(null, { status: 204, headers: CORS })),
      http.head(`${API}/sfs/uploads/a1`, () => new HttpResponse(null, { headers: headers(40) })),
      http.patch(`${API}/sfs/uploads/a1`, async ({ request }) => {
        sent.push(`${request.headers.get('Upload-Offset')}+${(await request.arrayBuffer()).byteLength}`)
        return new HttpResponse(null, { status: 204, headers: headers(100) })
      }),
      http.delete(`${API}/sfs/uploads/a1`, () => {
        sent.push('given up')
        return new HttpResponse(null, { status: 204 })
      }),
    )
    return sent
  }

  test('that a reload interrupted go on from where they were, with the same file only', async () => {
    const sent = resuming()
    answer('get', '/sfs/uploads', [HALF])
    const user = opened()
    const list = await panel()
    expect(await list.findByText('1 upload was interrupted.')).toBeVisible()
    expect(list.getByText('40% of 100 bytes arrived, to “Plans”.')).toBeVisible()
    await expectAccessible()
    const field = screen.getByLabelText('Resume the upload of “film.pdf”', { selector: 'input' })
    await user.upload(field, film(99))
    expect(
      await list.findByText(
        'This is another file, or it was changed. Please choose the “film.pdf” that was interrupted.',
      ),
    ).toBeVisible()
    expect(sent).toEqual([])
    await user.upload(field, film())
    expect(await list.findByText('1 file uploaded.')).toBeVisible()
    expect(sent).toEqual(['40+60'])
    expect(list.queryByRole('list', { name: 'Interrupted uploads' })).toBeNull()
  })

  test('go on as well where the same file is simply uploaded again', async () => {
    const sent = resuming()
    answer('get', '/sfs/uploads', [HALF])
    opened()
    expect(await (await panel()).findByText('1 upload was interrupted.')).toBeVisible()
    await choose(film())
    expect(await (await panel()).findByText('1 file uploaded.')).toBeVisible()
    expect(sent).toEqual(['40+60'])
  })

  test('go on as well where the folder of the file is chosen again', async () => {
    const sent = resuming()
    answer('get', '/sfs/uploads', [HALF])
    answer('get', '/sfs/folder/3', [anItem(7, { name: 'Plans', isFolder: true })])
    opened(3)
    expect(await (await panel()).findByText('1 upload was interrupted.')).toBeVisible()
    await choose(Object.defineProperty(film(), 'webkitRelativePath', { value: 'Plans/film.pdf' }))
    expect(await (await panel()).findByText('1 file uploaded.')).toBeVisible()
    expect(sent).toEqual(['40+60'])
    expect((await panel()).queryByRole('list', { name: 'Interrupted uploads' })).toBeNull()
  })

  test('that were interrupted can be discarded', async () => {
    const sent = resuming()
    answer('get', '/sfs/uploads', [HALF])
    const user = opened()
    await user.click(
      await (await panel()).findByRole('button', { name: 'Discard what arrived of “film.pdf”' }),
    )
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull())
    await waitFor(() => expect(sent).toEqual(['given up']))
  })

  test('go on from where the server has them when the connection was lost', async () => {
    const sent = resuming()
    let tries = 0
    server.use(
      http.post(
        `${API}/sfs/uploads`,
        () => new HttpResponse(null, { status: 201, headers: { ...CORS, Location: '/api/sfs/uploads/a1' } }),
      ),
      http.patch(`${API}/sfs/uploads/a1`, () => ((tries += 1) === 1 ? HttpResponse.error() : undefined)),
    )
    opened()
    await choose(film())
    expect(await (await panel()).findByText('1 file uploaded.')).toBeVisible()
    expect(sent).toEqual(['40+60'])
  })

  test('can be stopped, ask before the site is left, and end with the session', async () => {
    receiving(() => new Promise<Response>(() => {}))
    const givenUp: unknown[] = []
    server.use(
      http.delete(`${API}/sfs/uploads/:id`, ({ params }) => {
        givenUp.push(params['id'])
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const user = opened()
    await choose(file('a.pdf'), file('b.pdf'))
    const list = await panel()
    await user.click(await list.findByRole('button', { name: 'Cancel the upload of “a.pdf”' }))
    await waitFor(() => expect(list.queryByText('a.pdf')).toBeNull())
    await waitFor(() => expect(givenUp).toHaveLength(1))
    const leave = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leave)
    expect(leave.defaultPrevented).toBe(true)
    act(() => change({ tokens: null, user: null, permissions: null, uuid: null, ending: 'left' }))
    const free = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(free)
    expect(free.defaultPrevented).toBe(false)
  })
})
