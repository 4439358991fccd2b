import { IMPORT_TEXT_MAX } from '#contract/playbook-imports/schema.ts'

/** Extensions of supported files. */
export const IMPORT_ACCEPT = '.md,.markdown,.txt,.json,.csv'
const KNOWN_NAME = /\.(md|markdown|txt|json|csv)$/i
/** Bytes of the longest text: `IMPORT_TEXT_MAX` characters. */
const BYTES_MAX = 4 * IMPORT_TEXT_MAX

/** The reason why a file cannot be read, as a key of the messages. */
export type Unreadable = 'fileKind' | 'fileEmpty' | 'fileTooLong' | 'fileNotText'

/** The encoding by the byte order mark; UTF-8 without one. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Reads the text of a chosen file, or returns the reason why it cannot. */
export async function readTextFile(
  file: File,
): Promise<{ readonly content: string } | { readonly unreadable: Unreadable }> {
  if (!KNOWN_NAME.test(file.name)) return { unreadable: 'fileKind' }
  if (file.size === 0) return { unreadable: 'fileEmpty' }
  if (file.size > BYTES_MAX) return { unreadable: 'fileTooLong' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    const content = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
    if (content.includes('\0')) return { unreadable: 'fileNotText' }
    if (content.trim() === '') return { unreadable: 'fileEmpty' }
    return content.length > IMPORT_TEXT_MAX ? { unreadable: 'fileTooLong' } : { content }
  } catch {
    return { unreadable: 'fileNotText' }
  }
}
