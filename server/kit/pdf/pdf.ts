import { Worker } from 'node:worker_threads'

import type { RichBlock, Run } from '../rich-text.ts'

/** A line of a cell, which begins anew. */
export interface Line {
  readonly runs: readonly Run[]
  readonly tone?: 'strong' | 'muted'
}
export type Cell = readonly Line[]
export interface Column {
  readonly title: string
  /** Width in points; at most one column without it takes the rest of the page. */
  readonly width?: number
}
/** One step of a list of instructions, behind its number. */
export interface Step {
  readonly marker: string
  readonly lines: Cell
}
export type Block =
  | { readonly kind: 'title'; readonly over: string; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly kind: 'rich'; readonly blocks: readonly RichBlock[] }
  | {
      readonly kind: 'table'
      readonly columns: readonly Column[]
      readonly rows: readonly (readonly Cell[])[]
    }
  /** Steps below their heading, which never stands alone at the foot of a page. */
  | { readonly kind: 'steps'; readonly heading: string | null; readonly steps: readonly Step[] }

/** The content of a printed document, without its layout. Can be sent to another thread. */
export interface PdfDocument {
  readonly title: string
  /** Stand at the top of every page, left and right. */
  readonly header: readonly [string, string]
  /** A word in a band across the top of every page, which nobody overlooks. */
  readonly band?: string
  /** Stands at the foot of every page, before the page's number. */
  readonly footer: string
  readonly author: string
  /** ISO 8601. */
  readonly createTimestamp: string
  readonly blocks: readonly Block[]
}

/** Long enough for thousands of pages; beyond it something is wrong. */
const GIVE_UP_AFTER_MS = 120_000
/** Each thread takes a processor and some hundred megabytes while it draws. */
const AT_ONCE = 2
let drawing = 0
const waiting: (() => void)[] = []

/** Draws a document in a thread of its own, because a long one would keep everybody else waiting for seconds. */
export async function renderPdf(
  document: PdfDocument,
  /** Receives the progress from 0 to 1. */
  onProgress: (share: number) => void = () => {},
): Promise<Buffer> {
  if (drawing >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else drawing += 1
  try {
    return await draw(document, onProgress)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else drawing -= 1
  }
}

function draw(document: PdfDocument, onProgress: (share: number) => void): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: document,
    execArgv: [],
  })
  const tooLate = setTimeout(() => void worker.terminate(), GIVE_UP_AFTER_MS)
  worker.on('message', (said: Uint8Array | number) => {
    if (typeof said === 'number') onProgress(said)
    else resolve(Buffer.from(said.buffer, said.byteOffset, said.length))
  })
  worker.once('error', reject)
  worker.once('exit', (code) => {
    clearTimeout(tooLate)
    // Does nothing when the document has arrived.
    reject(new Error(`The document's thread ended with code ${code}.`))
  })
  return promise
}
