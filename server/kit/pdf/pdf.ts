import type { RichBlock, Run } from '../core/rich-text.ts'
import { inProcess } from '../processes/processes.ts'

/** A line of a cell, on a line of its own. */
export interface Line {
  readonly runs: readonly Run[]
  readonly tone?: 'strong' | 'muted'
  /** Formatted text in place of the runs, which are empty then. */
  readonly rich?: readonly RichBlock[]
}
export type Cell = readonly Line[]
export interface Column {
  readonly title: string
  /** Width in points; at most one column without a width takes the rest of the page. */
  readonly width?: number
}
/** A numbered step of instructions. */
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
  /** Steps below their heading and its text. A heading never stands alone at the foot of a page. */
  | {
      readonly kind: 'steps'
      readonly heading: { readonly text: string; readonly level: number; readonly below: Cell } | null
      readonly steps: readonly Step[]
    }

/** The content of a printed document, without layout. Can be sent to another process. */
export interface PdfDocument {
  readonly title: string
  /** Texts at the top of every page, left and right. */
  readonly header: readonly [string, string]
  /** Conspicuous word in a band across the top of every page. */
  readonly band?: string
  /** Text at the foot of every page, before the page number. */
  readonly footer: string
  readonly author: string
  /** ISO 8601. */
  readonly createTimestamp: string
  readonly blocks: readonly Block[]
}

/** Message for a document that takes too long or too much memory. */
export const DOCUMENT_TOO_LONG = 'This document is too long to be made. Please export less of it.'

/** Draws a document in a worker process, because a long one takes seconds. */
export const renderPdf = (document: PdfDocument): Promise<Buffer> =>
  inProcess<PdfDocument, Buffer>({
    kind: 'making',
    module: new URL('./pdf.task.ts', import.meta.url),
    task: document,
    excess: DOCUMENT_TOO_LONG,
  })
