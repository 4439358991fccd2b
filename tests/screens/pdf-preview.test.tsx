import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { drawPage, layText } from '#src/attachments/preview/pdfDrawing.ts'
import { openPdf } from '#src/attachments/preview/pdfValues.ts'
import { PdfPreview } from '#src/attachments/preview/PdfPreview.tsx'
import { Unpreviewable } from '#src/attachments/preview/previewValues.ts'
import { laidOut, signedIn } from '#tests/support/client.tsx'
import { openDialog } from '#tests/support/client-playbook-dialogs.tsx'

// jsdom has no canvas and no workers: the stories draw real files.
vi.mock('#src/attachments/preview/pdfValues.ts', () => ({ openPdf: vi.fn() }))
vi.mock('#src/attachments/preview/pdfDrawing.ts', () => ({ drawPage: vi.fn(), layText: vi.fn() }))

/** An opened document with a line of text on each page. */
function aDocument(...lines: readonly string[]) {
  const getPage = async (number: number) => ({
    getViewport: () => ({ width: 600, height: 800 }),
    getTextContent: async () => ({
      items: lines[number - 1] === '' ? [] : [{ str: lines[number - 1]!, hasEOL: true }],
    }),
    line: lines[number - 1]!,
  })
  return { width: 600, height: 800, document: { numPages: lines.length, getPage } } as never
}
const load = async () => new Blob(['%PDF-'])
const show = () => openDialog(() => <PdfPreview load={load} />)

beforeEach(() => {
  signedIn()
  laidOut()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(2_000)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900)
  Element.prototype.scrollIntoView = vi.fn()
  vi.mocked(drawPage).mockReset().mockResolvedValue(true)
  vi.mocked(layText)
    .mockReset()
    .mockImplementation(async (container, { page }) => {
      const { line } = page as unknown as { line: string }
      if (line === '') return []
      const piece = document.createElement('span')
      piece.textContent = line
      container.replaceChildren(piece)
      return [piece]
    })
})

describe('a PDF', () => {
  test('has the text of its pages for those who select it, or have it read aloud', async () => {
    vi.mocked(openPdf).mockResolvedValue(aDocument('Close the valve', ''))
    show()
    const first = within(await screen.findByRole('group', { name: 'Page 1 of 2' }))
    expect(await first.findByText('Close the valve')).toBeVisible()
    const scan = within(screen.getByRole('group', { name: 'Page 2 of 2' }))
    expect(await scan.findByText('This page has no text that can be read aloud.')).toBeInTheDocument()
  })

  test('says on the page what could not be drawn', async () => {
    vi.mocked(openPdf).mockResolvedValue(aDocument('one', 'two', 'three'))
    vi.mocked(drawPage).mockImplementation(async (_, { page }) => {
      const { line } = page as unknown as { line: string }
      if (line === 'two') throw new Error('damaged')
      return line !== 'three'
    })
    show()
    const page = async (number: number) =>
      within(await screen.findByRole('group', { name: `Page ${number} of 3` }))
    expect(
      await (await page(2)).findByText('This page could not be drawn. Please download the file to view it.'),
    ).toBeVisible()
    expect(
      await (
        await page(3)
      ).findByText('Some pictures of this page could not be drawn. Please download the file to view them.'),
    ).toBeVisible()
    expect((await page(1)).queryByRole('alert')).toBeNull()
  })

  test('is searched with Ctrl+F, forwards and backwards', async () => {
    vi.mocked(openPdf).mockResolvedValue(aDocument('the valve', 'no word', 'THE pump and the quay'))
    const user = show()
    await screen.findByRole('group', { name: 'Page 1 of 3' })
    await user.keyboard('{Control>}f{/Control}')
    const bar = within(screen.getByRole('search'))
    await user.type(bar.getByRole('textbox', { name: 'Search in this document' }), 'the')
    expect(await bar.findByText('1 of 3')).toBeVisible()
    await user.keyboard('{Enter}{Enter}')
    expect(bar.getByText('3 of 3')).toBeVisible()
    await user.keyboard('{Enter}')
    expect(bar.getByText('1 of 3')).toBeVisible()
    await user.keyboard('{Shift>}{Enter}{/Shift}')
    expect(bar.getByText('3 of 3')).toBeVisible()
    await user.type(bar.getByRole('textbox'), 'rapy')
    expect(await bar.findByText('Nothing found.')).toBeVisible()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('search')).toBeNull()
    expect(screen.getByRole('group', { name: 'Page 1 of 3' })).toBeVisible()
  })

  test('without text says that there is nothing to search', async () => {
    vi.mocked(openPdf).mockResolvedValue(aDocument(''))
    const user = show()
    await user.click(await screen.findByRole('button', { name: 'Search in this document' }))
    await user.keyboard('pump')
    expect(await screen.findByText('This document has no text to search, as a scan has none.')).toBeVisible()
  })

  test('shows its pages in small, which lead to them', async () => {
    vi.mocked(openPdf).mockResolvedValue(aDocument('one', 'two'))
    const user = show()
    const strip = within(await screen.findByRole('navigation', { name: 'Pages in small' }))
    expect(strip.getByRole('button', { name: 'Go to page 1' })).toHaveAttribute('aria-current', 'page')
    expect(strip.getByRole('button', { name: 'Go to page 2' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Pages in small' }))
    expect(screen.queryByRole('navigation', { name: 'Pages in small' })).toBeNull()
  })

  test('with a password asks for it, and says when it is wrong', async () => {
    vi.mocked(openPdf).mockImplementation(async (_, { askPassword }) => {
      let isWrong = false
      while ((await askPassword(isWrong)) !== 'harbor') isWrong = true
      return aDocument('Sealed orders')
    })
    const user = show()
    await user.type(await screen.findByLabelText('Password'), 'ship{Enter}')
    expect(await screen.findByText('This password does not open the document.')).toBeVisible()
    const field = screen.getByLabelText('Password')
    expect(field).toHaveValue('')
    await user.type(field, 'harbor{Enter}')
    expect(await screen.findByText('Sealed orders')).toBeVisible()
    expect(screen.queryByLabelText('Password')).toBeNull()
  })

  test('that is a form of XFA says so', async () => {
    vi.mocked(openPdf).mockRejectedValue(new Unpreviewable('xfa'))
    show()
    expect(
      await screen.findByText(
        'This form can only be shown and filled in with Adobe Reader. Please download the file to open it.',
      ),
    ).toBeVisible()
  })

  test('ends its worker when it is closed', async () => {
    vi.mocked(openPdf).mockResolvedValue(aDocument('one'))
    const user = openDialog(({ open, onClose }) => (
      <>
        <button onClick={onClose}>Close</button>
        {open && <PdfPreview load={load} />}
      </>
    ))
    await screen.findByRole('group', { name: 'Page 1 of 1' })
    const { signal } = vi.mocked(openPdf).mock.calls.at(-1)![1]
    expect(signal.aborted).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(signal.aborted).toBe(true))
  })
})
