import axe from 'axe-core'
import { Document, Packer, Paragraph } from 'docx'
import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

import type { ItemDetails, ItemEvent, StorageItem, TrashedItem } from '#contract/files/schema.ts'
import { InfoPanel } from '#src/files/info/InfoPanel.tsx'
import { FilePreviewDialog } from '#src/files/preview/FilePreviewDialog.tsx'
import { TrashDialog } from '#src/files/trash/TrashDialog.tsx'
import { HttpProblem } from '#providers/problem.ts'
import { MediaPreview } from '#src/attachments/preview/MediaPreview.tsx'
import { DocumentPreview } from '#src/attachments/preview/DocumentPreview.tsx'
import { convertInFrame } from '#src/attachments/preview/documentFrame.ts'
import { unpackedDocument } from '#src/attachments/preview/documentPackage.ts'
import { documentPage } from '#src/attachments/preview/documentValues.ts'
import { reasonOf } from '#src/attachments/preview/previewValues.ts'
import { demandUnpackable } from '#src/attachments/preview/unpackValues.ts'
import { readSheetFile, readWorkbook, type SheetFile } from '#src/attachments/preview/workbookValues.ts'
import { answer, API, aProblem, laidOut, server, signedIn } from '#tests/support/client.tsx'
import { anItem } from '#tests/support/client-files.ts'
import { aFormattedXlsx, aLongDocx, anXls, anXlsx, aProtectedFile } from '#tests/support/samples.ts'
import { openDialog } from '#tests/support/client-playbook-dialogs.tsx'

// jsdom runs no scripts in frames, so the conversion runs in this page.
vi.mock('#src/attachments/preview/documentFrame.ts', async () => {
  const { convertDocument } = await import('#src/attachments/preview/documentConversion.ts')
  return { convertInFrame: vi.fn(convertDocument) }
})

beforeEach(() => {
  signedIn()
  laidOut()
})

const CANNOT = 'Sorry, this file type cannot be previewed. Please download the file to view it.'
const BROKEN = 'An error occurred parsing the document, please download the file to view.'
const EMPTY_SHEET =
  'This file is either empty or has an irregular structure. Please download the file to view.'

const named = (fileName: string, id = 1, changes: Partial<StorageItem> = {}) => {
  const [name = '', extension = ''] = fileName.split('.')
  return anItem(id, { name, extension, size: 100, ...changes })
}
/** Runs workers' tasks in this thread, because jsdom has no workers. Returns the running ones. */
function readingHere() {
  const workers = new Set<EventTarget>()
  class HereWorker extends EventTarget {
    postMessage(file: SheetFile | Uint8Array) {
      workers.add(this)
      queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: readHere(file) })))
    }
    terminate() {
      workers.delete(this)
    }
  }
  vi.stubGlobal('Worker', HereWorker)
  return workers
}
const readHere = (file: SheetFile | Uint8Array) => {
  try {
    return 'isCsv' in file ? readSheetFile(file) : unpackedDocument(file)
  } catch (error) {
    return reasonOf(error)
  }
}
const isListEntry = (bytes: Uint8Array, at: number) =>
  [0x50, 0x4b, 0x01, 0x02].every((byte, n) => bytes[at + n] === byte)
/** Serves this content for every ticket. */
function serveContent(content: string | Uint8Array<ArrayBuffer>) {
  const tickets: string[] = []
  server.use(
    http.post(`${API}/sfs/item/:id/preview`, ({ params }) => {
      tickets.push(String(params['id']))
      return HttpResponse.json({
        path: `/sfs/content/ticket-${String(params['id'])}`,
        type: 'text/plain',
        expireTimestamp: new Date(Date.now() + 60_000).toISOString(),
      })
    }),
    http.get(`${API}/sfs/content/:ticket`, () => new HttpResponse(content)),
  )
  return tickets
}
const opened = (item: StorageItem, items: readonly StorageItem[] = [item], onOpen = vi.fn()) =>
  openDialog(({ open, onClose }) =>
    open ? <FilePreviewDialog item={item} items={items} onClose={onClose} onOpen={onOpen} /> : null,
  )
/** Checks the open dialog with axe, except colours, which need a layout. */
async function expectDialogAccessible() {
  const { violations } = await axe.run(screen.getByRole('dialog'), {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  expect(violations.map(({ id }) => id)).toEqual([])
}
const theDialog = async () => within(await screen.findByRole('dialog'))

describe('the preview of a file', () => {
  test.each([
    ['slides.pptx', 100],
    ['long.txt', 600_001],
  ])('says that %s of %d bytes cannot be shown', async (name, size) => {
    serveContent('x')
    opened(named(name, 1, { size }))
    expect(await (await theDialog()).findByText(CANNOT)).toBeVisible()
  })

  test('shows a text as text, also one that looks like a page', async () => {
    serveContent('<script>alert(1)</script> Grüße')
    opened(named('notes.txt', 1, { size: 599_999 }))
    expect(await (await theDialog()).findByText('<script>alert(1)</script> Grüße')).toBeVisible()
    await expectDialogAccessible()
  })

  test.each([
    ['a.gif', 'img'],
    ['a.JPG', 'img'],
    ['a.jpeg', 'img'],
    ['a.png', 'img'],
    ['a.webp', 'img'],
    ['a.mov', 'video'],
    ['a.mp4', 'video'],
    ['a.mp3', 'audio'],
    ['a.ogg', 'audio'],
    ['a.wav', 'audio'],
  ])('shows %s from the address of its ticket', async (name, tag) => {
    serveContent('x')
    opened(named(name))
    const dialog = await screen.findByRole('dialog')
    await waitFor(() =>
      expect(dialog.querySelector(tag)).toHaveAttribute('src', `${API}/sfs/content/ticket-1`),
    )
  })

  test.each(['a.bmp', 'a.heic', 'a.TIFF'])('shows %s as the server converts it', async (name) => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:image')
    serveContent('x')
    opened(named(name))
    const dialog = await theDialog()
    expect(await dialog.findByRole('img', { name })).toHaveAttribute('src', 'blob:image')
    expect(dialog.queryByRole('button', { name: 'Next page' })).toBeNull()
  })

  test('turns the pages of a TIFF, and says of one that it cannot be drawn', async () => {
    vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => `blob:${(content as Blob).size}`)
    serveContent('x')
    server.use(
      http.get(`${API}/sfs/content/:ticket`, ({ request }) => {
        const page = Number(new URL(request.url).searchParams.get('page'))
        const type = { headers: { 'Content-Type': 'image/webp; pages=3' } }
        return page === 3
          ? HttpResponse.json(aProblem('This image cannot be shown. Please download it.'), { status: 415 })
          : new HttpResponse('x'.repeat(page), type)
      }),
    )
    const user = opened(named('scan.tif'))
    const dialog = await theDialog()
    expect(await dialog.findByText('Page 1 of 3')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Previous page' })).toBeDisabled()
    await user.click(dialog.getByRole('button', { name: 'Next page' }))
    await waitFor(() =>
      expect(dialog.getByRole('img', { name: 'scan.tif' })).toHaveAttribute('src', 'blob:2'),
    )
    await user.click(dialog.getByRole('button', { name: 'Next page' }))
    expect(await dialog.findByText('This image cannot be shown. Please download it.')).toBeVisible()
    expect(dialog.queryByRole('button', { name: 'Try again' })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Previous page' }))
    expect(await dialog.findByRole('img', { name: 'scan.tif' })).toBeVisible()
    await expectDialogAccessible()
  })

  test('waits while the server is busy, asks again by itself, and then offers another try', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:image')
    const waiting = () =>
      screen.queryByText('The server is busy. The preview waits for its turn and is tried again by itself.')
    const load = vi.fn<() => Promise<Blob>>().mockRejectedValue(new HttpProblem('Busy.', 503))
    const settle = () => act(() => new Promise<void>((resolve) => setImmediate(resolve)))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      openDialog(() => (
        <MediaPreview kind="image" name="photo.heic" load={load} mediaUrl={undefined} isConverted />
      ))
      for (const [tried, wait] of [2_000, 4_000, 8_000, 16_000, 30_000].entries()) {
        await settle()
        expect([load.mock.calls.length, waiting() !== null]).toEqual([tried + 1, true])
        act(() => void vi.advanceTimersByTime(wait))
      }
      await settle()
      expect([load.mock.calls.length, waiting()]).toEqual([6, null])
      load.mockRejectedValueOnce(new HttpProblem('Busy.', 503)).mockResolvedValue(new Blob(['x']))
      act(() => screen.getByRole('button', { name: 'Try again' }).click())
      await settle()
      expect(waiting()).toBeVisible()
      act(() => void vi.advanceTimersByTime(2_000))
      await settle()
      expect(screen.getByRole('img', { name: 'photo.heic' })).toBeVisible()
    } finally {
      vi.useRealTimers()
    }
  })

  test.each(['plan.docx', 'crew.xlsx', 'duty.xls'])('says that %s has a password', async (name) => {
    readingHere()
    serveContent(aProtectedFile())
    opened(named(name))
    expect(
      await (
        await theDialog()
      ).findByText('This file is protected with a password. Please download the file to open it.'),
    ).toBeVisible()
  })

  test.each<[string, string | Uint8Array<ArrayBuffer>, string[]]>([
    [
      'two columns',
      'Name;Place\nAda;"Quay 7, north"\n\nBen;Pier\n',
      ['Name', 'Place', 'Ada', 'Quay 7, north', 'Ben', 'Pier'],
    ],
    ['one column', 'Name\nKing, Ada\nBen\nCleo\n', ['Name', 'King, Ada', 'Ben', 'Cleo']],
    [
      'Central Europe (Windows-1250)',
      new Uint8Array(
        Buffer.from('Jm\xe9no;M\xecsto\n\x8eofie;Zl\xedn\nJi\xf8\xed;D\xec\xe8\xedn\n', 'latin1'),
      ),
      ['Jméno', 'Město', 'Žofie', 'Zlín', 'Jiří', 'Děčín'],
    ],
    ['a named separator', 'sep=|\nName|Place, deck\n', ['Name', 'Place, deck']],
  ])('shows a CSV file of %s as a table', async (_, content, cells) => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900)
    serveContent(content)
    readingHere()
    opened(named('people.csv'))
    const table = within(await (await theDialog()).findByRole('table'))
    const filled = table.getAllByRole('cell').map(({ textContent }) => textContent)
    expect(filled.filter((cell) => cell !== '')).toEqual(cells)
  })

  test('shows dates as the workbook writes them, and says which sheet is hidden', async () => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900)
    readingHere()
    const serial = 46_082.604_166
    const formats = [
      'dd.mm.yyyy',
      '[$-407]d.m.yy hh:mm',
      'dd\\.mm\\.yyyy',
      'mm:ss.00',
      'yyyy/mm/dd',
      'dd"."mm"."yyyy;@',
    ]
    serveContent(aFormattedXlsx(serial, formats))
    opened(named('duty.xlsx'))
    const dialog = await theDialog()
    for (const name of ['01.03.2026', '1.3.26 14:30', '29:59.94', '2026/03/01'])
      expect((await dialog.findAllByRole('cell', { name }))[0]).toBeVisible()
    expect(dialog.getAllByRole('cell', { name: '01.03.2026' })).toHaveLength(3)
    expect(dialog.getByRole('tab', { name: 'Draft (hidden)' })).toBeVisible()
  })

  test('leads to the next file by button and by key, and never to a folder', async () => {
    const tickets = serveContent('first')
    const [first, folder, second] = [
      named('a.txt', 1),
      anItem(2, { isFolder: true }),
      named('b.txt', 3),
    ] as const
    const onOpen = vi.fn()
    const user = opened(first, [first, folder, second], onOpen)
    const dialog = await theDialog()
    await dialog.findByText('first')
    expect(dialog.getByText('1 of 2')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Previous file' })).toBeDisabled()
    await user.click(dialog.getByRole('button', { name: 'Next file' }))
    await user.keyboard('{ArrowRight}{ArrowLeft}')
    expect(onOpen.mock.calls).toEqual([[second], [second]])
    expect(tickets).toEqual(['1'])
  })

  test('shows the cells of a CSV file as they are', async () => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900)
    serveContent('name,formula\nAda,=1+1\n')
    readingHere()
    opened(named('people.csv'))
    const dialog = await theDialog()
    expect(await dialog.findByRole('cell', { name: 'Ada' })).toBeVisible()
    expect(dialog.getByRole('cell', { name: '=1+1' })).toBeVisible()
    expect(dialog.getByRole('columnheader', { name: 'B' })).toBeVisible()
  })

  test('shows the cells of an old workbook as Excel does', async () => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900)
    const workers = readingHere()
    serveContent(anXls([['Ada', 0.5, true, new Date(Date.UTC(2026, 2, 1))]]))
    opened(named('duty.xls'))
    const dialog = await theDialog()
    for (const name of ['Ada', '0.5', 'TRUE', '2026-03-01'])
      expect(await dialog.findByRole('cell', { name })).toBeVisible()
    expect(workers.size).toBe(0)
  })

  test('shows the cells of a workbook whose XML does not say where they are', async () => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900)
    readingHere()
    const entries = unzipSync(
      anXlsx({
        Crew: [
          ['Name', 'Watch'],
          ['Ada', 'Night'],
        ],
      }),
    )
    const sheet = 'xl/worksheets/sheet1.xml'
    entries[sheet] = strToU8(strFromU8(entries[sheet]!).replace(/ r="[A-Z\d]+"/g, ''))
    serveContent(zipSync(entries))
    opened(named('crew.xlsx'))
    const dialog = await theDialog()
    expect(await dialog.findByRole('row', { name: /Ada\s*Night/ })).toBeVisible()
    expect(dialog.getByRole('row', { name: /Name\s*Watch/ })).toBeVisible()
  })

  test.each([
    ['people.csv', '\n,,\n'],
    ['people.xlsx', anXlsx({ Empty: [] })],
    ['people.xls', anXls([])],
  ])('says that %s is empty', async (name, content) => {
    readingHere()
    serveContent(content)
    opened(named(name))
    expect(await (await theDialog()).findByText(EMPTY_SHEET)).toBeVisible()
  })

  test.each(['report.docx', 'table.xlsx', 'table.xls'])('says that %s is broken', async (name) => {
    readingHere()
    serveContent('this is no archive')
    opened(named(name))
    expect(await (await theDialog()).findByText(BROKEN)).toBeVisible()
  })

  test('offers another try when the content cannot be fetched', async () => {
    serveContent('at last')
    let isBroken = true
    server.use(
      http.get(
        `${API}/sfs/content/:ticket`,
        () => new HttpResponse(isBroken ? null : 'at last', { status: isBroken ? 500 : 200 }),
      ),
    )
    const user = opened(named('a.txt'))
    const dialog = await theDialog()
    const retry = await dialog.findByRole('button', { name: 'Try again' })
    isBroken = false
    await user.click(retry)
    expect(await dialog.findByText('at last')).toBeVisible()
  })
})

describe('a Word document', () => {
  let workers: ReadonlySet<EventTarget>
  beforeEach(() => {
    workers = readingHere()
    vi.mocked(convertInFrame).mockClear()
  })
  const bytesOf = async (text: string) => {
    const document = new Document({ sections: [{ children: [new Paragraph(text)] }] })
    return new Uint8Array(await (await Packer.toBlob(document)).arrayBuffer())
  }

  test('is shown in a frame in which nothing runs, with a warning', async () => {
    serveContent(await bytesOf('Evacuate the <north> wing.'))
    opened(named('plan.docx'))
    const dialog = await theDialog()
    const frame = await dialog.findByTitle('Preview of “plan.docx”')
    expect(frame).toHaveAttribute('sandbox', '')
    expect(frame.getAttribute('srcdoc')).toContain('Evacuate the &lt;north&gt; wing.')
    expect(dialog.getByText('This document preview may be missing styling and formatting.')).toBeVisible()
  })

  test('has its warning for five seconds', async () => {
    const content = new Blob([await bytesOf('Evacuate.')])
    await documentPage(content)
    const load = async () => content
    const warning = () => screen.queryByText('This document preview may be missing styling and formatting.')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      openDialog(() => <DocumentPreview name="plan.docx" load={load} />)
      // Waits for the conversion without advancing the timers.
      for (let n = 0; n < 1_000 && !warning(); n++)
        await act(() => new Promise<void>((resolve) => setImmediate(resolve)))
      act(() => void vi.advanceTimersByTime(4_999))
      expect(warning()).toBeVisible()
      act(() => void vi.advanceTimersByTime(1))
      expect(warning()).toBeNull()
      expect(screen.getByTitle('Preview of “plan.docx”')).toBeVisible()
    } finally {
      vi.useRealTimers()
    }
  })

  test('keeps no style attribute, and its policy lets it fetch nothing', async () => {
    const page = await documentPage(new Blob([await bytesOf('Words')]))
    expect(page).toContain("default-src 'none'; img-src data:")
    expect(page).not.toMatch(/ style="|<script|href=/)
  })

  test('is unpacked by a worker, and reaches the frame without compression', async () => {
    const packed = await bytesOf('Words '.repeat(2_000))
    await documentPage(new Blob([packed]))
    const [handed] = vi.mocked(convertInFrame).mock.calls[0]!
    expect(handed.length).toBeGreaterThan(12_000)
    expect(strFromU8(handed)).toContain('Words Words')
    expect(unzipSync(handed)).toEqual(unzipSync(packed))
    expect(workers.size).toBe(0)
  })

  test('whose text is too long is refused, as is one whose headers declare too much', async () => {
    const long = zipSync({
      'word/document.xml': new Uint8Array(2_000),
      'word/photo.png': new Uint8Array(9_000),
    })
    expect(() => unpackedDocument(long, 1_999)).toThrow('The document is too long to be shown.')
    expect(() => unpackedDocument(long, 2_000)).not.toThrow()
    new DataView(long.buffer).setUint32(
      long.findIndex((_, at) => isListEntry(long, at)) + 24,
      300_000_000,
      true,
    )
    expect(() => unpackedDocument(long)).toThrow('The file unpacks to too much.')
    serveContent(aLongDocx(33_600_000))
    opened(named('plan.docx'))
    expect(await (await theDialog()).findByText(BROKEN)).toBeVisible()
    expect(workers.size).toBe(0)
    expect(convertInFrame).not.toHaveBeenCalled()
  })

  test('that unpacks to more than a device can hold is not opened, whatever its headers say', async () => {
    const lying = zipSync({ 'xl/workbook.xml': new Uint8Array(4_000_000), 'small.xml': strToU8('x') })
    // The unpacked size of each entry, in the central directory and in its local header.
    const view = new DataView(lying.buffer)
    for (let at = 0; at < lying.length - 4; at += 1) {
      if (view.getUint32(at, true) === 0x02_01_4b_50) view.setUint32(at + 24, 1, true)
      if (view.getUint32(at, true) === 0x04_03_4b_50) view.setUint32(at + 22, 1, true)
    }
    expect(lying.length).toBeLessThan(20_000)
    expect(() => demandUnpackable(lying, 3_000_000)).toThrow('The file unpacks to too much.')
    expect(() => demandUnpackable(lying, 4_000_001)).not.toThrow()
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(270_000_000) }, { level: 1 })
    expect(() => unpackedDocument(bomb)).toThrow('The file unpacks to too much.')
    await expect(documentPage(new Blob([bomb]))).rejects.toThrow('The file cannot be read.')
    expect(convertInFrame).not.toHaveBeenCalled()
    expect(() => readWorkbook(bomb)).toThrow('The file unpacks to too much.')
  })
})

const details = (changes: Partial<ItemDetails> = {}): ItemDetails => ({
  ...anItem(1, changes),
  path: [{ id: 9, name: 'Plans' }],
  itemsCount: 3,
  totalSize: 2_048,
  peopleCount: 12,
  ...changes,
})

describe('the details of a file or folder', () => {
  const show = () => openDialog(({ onClose }) => <InfoPanel itemId={1} onClose={onClose} />)
  beforeEach(() => answer('get', '/sfs/item/1/events', []))

  test.each([
    ['PUBLIC', 'Folder, All Users'],
    ['PRIVATE', 'Private Folder, Group Users'],
    ['ADMIN', 'Admin Folder, Admin Users'],
  ] as const)('call a folder of the type %s %s', async (folderType, label) => {
    answer('get', '/sfs/item/1', details({ isFolder: true, folderType }))
    show()
    expect(await screen.findByText(label)).toBeVisible()
    expect(screen.getByText('3 items')).toBeVisible()
    expect(screen.getByRole('complementary', { name: 'Details' })).toHaveStyle({ width: '300px' })
  })

  test('say where a file lies, put it on hold, and restore an earlier version', async () => {
    const sent: unknown[] = []
    const version = (fileVersion: number) => ({
      fileVersion,
      size: 10,
      sha256: 'cd'.repeat(32),
      extension: 'pdf',
      createdBy: 'ada@demo.example',
      createdByName: 'Ada Lovelace',
      createTimestamp: '2026-03-01T09:00:00.000Z',
    })
    answer('get', '/sfs/item/1', details({ fileVersion: 2 }))
    answer('get', '/sfs/item/1/versions', [version(2), version(1)])
    server.use(
      http.put(`${API}/sfs/item/1/hold`, async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(anItem(1))
      }),
      http.post(`${API}/sfs/item/1/versions/1/restore`, () => {
        sent.push('restored')
        return HttpResponse.json(anItem(1))
      }),
    )
    const user = show()
    expect(await screen.findByText('Files / Plans')).toBeVisible()
    expect(screen.getByRole('button', { name: '12 people' })).toBeVisible()
    await user.click(screen.getByRole('switch', { name: 'Legal hold' }))
    await user.click(await screen.findByRole('button', { name: 'Restore version 1' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Restore version 1?' }))
    await user.click(asked.getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(sent).toEqual([{ isOnHold: true }, 'restored']))
  })

  test('tell in the history from where, and with which program, a visitor by a link came', async () => {
    const event = (id: number, changes: Partial<ItemEvent> = {}): ItemEvent => ({
      id: `00000000-0000-4000-8000-00000000000${id}`,
      at: '2026-03-01T09:00:00.000Z',
      actor: 'ada@demo.example',
      actorName: 'Ada Lovelace',
      what: 'Downloaded',
      address: null,
      userAgent: null,
      ...changes,
    })
    const visitor = { actor: 'link', actorName: 'By link (Bo, unverified)' }
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    answer('get', '/sfs/item/1', details())
    answer('get', '/sfs/item/1/versions', [])
    answer('get', '/sfs/item/1/events', [
      event(1, { ...visitor, address: '203.0.113.7', userAgent }),
      event(2, { ...visitor, address: '203.0.113.8', userAgent: '' }),
      event(3),
    ])
    signedIn()
    show()
    const history = within(await screen.findByRole('list', { name: 'History' }))
    const [first, second, third] = history.getAllByRole('listitem')
    expect(first).toHaveTextContent(`203.0.113.7 · ${userAgent}`)
    expect(second).toHaveTextContent(/203\.0\.113\.8$/)
    expect(third).toHaveTextContent(/^DownloadedAda Lovelace · [^·]+$/)
  })

  test('can be asked for again when they do not load', async () => {
    answer('get', '/sfs/item/1', aProblem('Gone.'), 500)
    const user = show()
    await screen.findByText('An error occurred loading the files.')
    answer('get', '/sfs/item/1', details({ isFolder: true }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('3 items')).toBeVisible()
  })
})

describe('the trash', () => {
  const trashed: TrashedItem = {
    ...named('plan.pdf'),
    deletedBy: 'ada@demo.example',
    deletedByName: 'Ada Lovelace',
    deleteTimestamp: '2026-03-01T09:00:00.000Z',
    expireTimestamp: '2026-03-31T09:00:00.000Z',
    path: [],
  }
  const show = () => openDialog((props) => <TrashDialog {...props} />)

  test('restores, and says what keeps something from it', async () => {
    answer('get', '/sfs/trash', [trashed])
    answer('post', '/sfs/trash/1/restore', aProblem('There is no room left.'), 409)
    const user = show()
    await user.click(await screen.findByRole('button', { name: 'Restore “plan.pdf”' }))
    expect(await screen.findByText('There is no room left.')).toBeVisible()
    answer('post', '/sfs/trash/1/restore', anItem(1))
    await user.click(screen.getByRole('button', { name: 'Restore “plan.pdf”' }))
    expect(await screen.findByText('“plan.pdf” was restored.')).toBeVisible()
    await expectDialogAccessible()
  })

  test('deletes for good only when asked twice, and only for administrators', async () => {
    answer('get', '/sfs/trash', [trashed])
    answer('delete', '/sfs/trash/1', undefined)
    const user = show()
    await user.click(await screen.findByRole('button', { name: 'Delete “plan.pdf” for good' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Delete for good?' }))
    await user.click(asked.getByRole('button', { name: 'Delete for Good' }))
    expect(await screen.findByText('“plan.pdf” was deleted for good.')).toBeVisible()
  })

  test('offers other people no way to delete for good', async () => {
    signedIn('USER', ['sfs'])
    answer('get', '/sfs/trash', [trashed])
    show()
    await screen.findByRole('button', { name: 'Restore “plan.pdf”' })
    expect(screen.queryByRole('button', { name: /for good/ })).toBeNull()
  })
})
