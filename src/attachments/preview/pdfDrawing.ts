import { type PDFPageProxy, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Pixels of a canvas above which browsers draw nothing. */
const CANVAS_MAX = 16_000_000

interface Drawing {
  readonly page: PDFPageProxy
  /** CSS pixels. */
  readonly width: number
  readonly signal: AbortSignal
}

/** Draws a page at the screen's resolution. Returns whether all of its pictures could be decoded. */
export async function drawPage(
  canvas: HTMLCanvasElement,
  { page, width, signal }: Drawing,
): Promise<boolean> {
  const natural = page.getViewport({ scale: 1 })
  const height = (width * natural.height) / natural.width
  const density = Math.min(devicePixelRatio || 1, Math.sqrt(CANVAS_MAX / (width * height)))
  const viewport = page.getViewport({ scale: (width / natural.width) * density })
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  const drawing = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => drawing.cancel())
  await drawing.promise
  // pdf.js leaves out what it cannot decode, and answers null for it.
  return [...page.objs, ...page.commonObjs].every(([, content]) => content !== null)
}

/** Lays the text of a page over its canvas. Returns the element of each piece of text, in the order of the page. */
export async function layText(
  container: HTMLElement,
  { page, width, signal }: Drawing,
): Promise<readonly HTMLElement[]> {
  const scale = width / page.getViewport({ scale: 1 }).width
  container.replaceChildren()
  container.style.setProperty('--total-scale-factor', String(scale))
  const layer = new TextLayer({
    textContentSource: page.streamTextContent(),
    container,
    viewport: page.getViewport({ scale }),
  })
  signal.addEventListener('abort', () => layer.cancel())
  await layer.render()
  return layer.textDivs
}
