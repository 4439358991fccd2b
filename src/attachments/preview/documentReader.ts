import { readIn } from '#src/kit/browser/readIn.ts'

import { convertInFrame } from './documentFrame.ts'
import type { ConvertedDocument } from './documentConversion.ts'
import { refusalOf } from './previewValues.ts'

/**
 * Reads a Word document as HTML and style rules. A worker unpacks it, and a sandboxed frame converts it,
 * because workers have no DOM.
 * @throws Unpreviewable if it has a password; Error if it cannot be read
 */
export async function readDocument(bytes: Uint8Array<ArrayBuffer>): Promise<ConvertedDocument> {
  const worker = new Worker(new URL('document.worker.ts', import.meta.url), { type: 'module' })
  return convertInFrame(await readIn<Uint8Array<ArrayBuffer>>(worker, bytes, refusalOf))
}
