import {
  getDocument,
  GlobalWorkerOptions,
  PasswordResponses,
  type PDFDocumentProxy,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
// oxlint-disable-next-line import/default -- the bundler answers the address of the file
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

import { Unpreviewable } from './previewValues.ts'

GlobalWorkerOptions.workerSrc = workerUrl

/** Where `vite.pdfjs.ts` puts the resources; the development server serves those of the package. */
const RESOURCES = import.meta.env.DEV ? '/node_modules/pdfjs-dist' : `/assets/pdfjs-${version}`
const resource = (folder: string): string => new URL(`${RESOURCES}/${folder}/`, location.href).href

export interface OpenedPdf {
  readonly document: PDFDocumentProxy
  /** Width of the first page, in points. */
  readonly width: number
  readonly height: number
}

export interface PdfOptions {
  /** Ends the worker. */
  readonly signal: AbortSignal
  /** Returns the password of a protected file, which is kept nowhere. */
  readonly askPassword: (isWrong: boolean) => Promise<string>
}

/**
 * Opens a PDF in a worker, without scripts and links.
 * @throws Unpreviewable for a form of XFA, which only Adobe draws; Error if the file is no PDF
 */
export async function openPdf(content: Blob, { signal, askPassword }: PdfOptions): Promise<OpenedPdf> {
  const task = getDocument({
    data: new Uint8Array(await content.arrayBuffer()),
    // The content security policy forbids it.
    isEvalSupported: false,
    enableXfa: false,
    cMapUrl: resource('cmaps'),
    standardFontDataUrl: resource('standard_fonts'),
    wasmUrl: resource('wasm'),
    iccUrl: resource('iccs'),
  })
  task.onPassword = (answer: (password: string) => void, reason: number) =>
    void askPassword(reason === PasswordResponses.INCORRECT_PASSWORD).then(answer)
  signal.addEventListener('abort', () => void task.destroy())
  if (signal.aborted) void task.destroy()
  const document = await task.promise
  const facts: PdfFacts = (await document.getMetadata()).info
  if (facts.IsXFAPresent && !facts.IsAcroFormPresent) throw new Unpreviewable('xfa')
  const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 })
  return { document, width, height }
}
interface PdfFacts {
  readonly IsXFAPresent?: boolean
  /** True when the form has fields that can be drawn without XFA. */
  readonly IsAcroFormPresent?: boolean
}
