import { hasEntry } from './compound-file.ts'
import type { Source } from './detect.ts'

type Kind = readonly [type: string, ...recognised: string[]]
const VIDEO = ['mp4', 'm4v', 'mov', '3gp', '3g2'] as const
/** Content type and recognised names of each extension. */
const KINDS: { readonly [extension: string]: Kind } = {
  pdf: ['application/pdf', 'pdf'],
  doc: ['application/msword', 'cfb'],
  xls: ['application/vnd.ms-excel', 'cfb'],
  ppt: ['application/vnd.ms-powerpoint', 'cfb'],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx', 'ppsx'],
  jpg: ['image/jpeg', 'jpg'],
  jpeg: ['image/jpeg', 'jpg'],
  png: ['image/png', 'png', 'apng'],
  webp: ['image/webp', 'webp'],
  heic: ['image/heic', 'heic'],
  mov: ['video/quicktime', ...VIDEO],
  mp4: ['video/mp4', ...VIDEO, 'm4a'],
  mp3: ['audio/mpeg', 'mp3', 'mp2', 'mp1'],
  gif: ['image/gif', 'gif'],
  bmp: ['image/bmp', 'bmp'],
  tif: ['image/tiff', 'tif'],
  tiff: ['image/tiff', 'tif'],
  ogg: ['audio/ogg', 'ogg', 'oga', 'opus', 'spx', 'ogv', 'ogm', 'ogx'],
  wav: ['audio/wav', 'wav'],
}
const TEXTS: { readonly [extension: string]: string } = { txt: 'text/plain', csv: 'text/csv' }
/** Binary formats that may consist of printable characters. */
const BINARY_IN_LETTERS = new Set(['pdf', 'ps', 'eps'])
/** Container formats, which unknown formats may be based on. */
const CONTAINERS = new Set(['zip', 'cfb', 'xml', 'gz'])
const UNKNOWN = 'application/octet-stream'

/** Bytes from the start of a file that decide whether it is text. */
const HEAD_BYTES = 256 * 1024
/** Readers take a PDF whose header comes later, behind what a mail server or a printer wrote (ISO 32000-1, note 13 of annex H). */
const PDF_HEADER_WITHIN = 1_024

type Detect = typeof import('./detect.ts')
let loading: Promise<Detect> | undefined
/** Loaded with the first file. */
const loadDetect = () => (loading ??= import('./detect.ts'))

/**
 * The content type of a file whose content fits its extension; undefined where it does not, as with a renamed program.
 * Unknown extensions pass, unless their content is recognised as another type.
 */
export async function contentTypeOf(source: Source, extension: string): Promise<string | undefined> {
  const named = extension.toLowerCase()
  const { detectedExtension, supportedExtensions } = await loadDetect()
  const head = await source.read(0, Math.min(HEAD_BYTES, source.size))
  const found = await detectedExtension(head, source)
  const kind = KINDS[named]
  if (kind) {
    const isKind = kind.slice(1).includes(found ?? lateHeaderOf(head))
    return isKind || (found === 'cfb' && (await isProtected(source, named))) ? kind[0] : undefined
  }
  const text = TEXTS[named]
  // Words can begin like a signature: "MAC address", "BMW". Content that is only text counts as text.
  if (text) return isText(head) && !(found && BINARY_IN_LETTERS.has(found)) ? text : undefined
  if (supportedExtensions.has(named)) return found === named ? UNKNOWN : undefined
  return found === undefined || CONTAINERS.has(found) || isText(head) ? UNKNOWN : undefined
}

/** Formats that Office encrypts as a whole where they have a password. */
const ENCRYPTED: ReadonlySet<string> = new Set(['docx', 'xlsx', 'pptx'])
const isProtected = async (source: Source, extension: string): Promise<boolean> =>
  ENCRYPTED.has(extension) && (await hasEntry(source, 'EncryptedPackage'))

const lateHeaderOf = (head: Buffer): string =>
  head.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-') ? 'pdf' : ''

/** Control characters that text has no use for; with them NUL, which every binary format has somewhere early. */
const NOT_TEXT = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/
function isText(head: Buffer): boolean {
  const mark = head.toString('hex', 0, 2)
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'latin1'
  return !NOT_TEXT.test(new TextDecoder(encoding).decode(head))
}
