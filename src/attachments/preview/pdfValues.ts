import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
// oxlint-disable-next-line import/default -- the bundler answers the address of the file
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

GlobalWorkerOptions.workerSrc = workerUrl

export interface OpenedPdf {
  readonly document: PDFDocumentProxy
  /** Width of the first page, in points. */
  readonly width: number
  readonly height: number
}

/**
 * Opens a PDF in a worker, without scripts and links.
 * @throws Error if the file is no PDF, or has a password
 */
export async function openPdf(content: Blob): Promise<OpenedPdf> {
  const task = getDocument({
    data: new Uint8Array(await content.arrayBuffer()),
    // The content security policy forbids both.
    isEvalSupported: false,
    useWasm: false,
    enableXfa: false,
  })
  const document = await task.promise
  const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 })
  return { document, width, height }
}
