import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether the words of a PDF can be read here. */
export const READS_PDF = spawnSync('pdftotext', ['-v']).error === undefined
if (!READS_PDF && process.env['CI']) throw new Error('pdftotext is missing where changes are checked.')

/** The words of a PDF in the order in which they are read. */
export function pdfText(pdf: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pdf-'))
  try {
    writeFileSync(join(folder, 'file.pdf'), pdf)
    return execFileSync('pdftotext', ['-layout', join(folder, 'file.pdf'), '-'], {
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
