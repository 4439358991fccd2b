import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** True if the text of a PDF can be read on this machine. */
export const READS_PDF = spawnSync('pdftotext', ['-v']).error === undefined
if (!READS_PDF && process.env['CI']) throw new Error('pdftotext is missing where changes are checked.')

/** The text of a PDF in reading order. */
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
