import { decodeText } from '#contract/kit/encodings.ts'
import { isOfficeDocument } from '#contract/kit/files.ts'

export type PreviewKind = 'image' | 'video' | 'audio' | 'pdf' | 'document' | 'sheet' | 'text'

/** Reasons for which a file is not shown; each is a text of `filePreview`. */
export type Unpreviewed = 'cannot' | 'broken' | 'emptySheet' | 'protected' | 'xfa'

/** A file that is not shown, although it is not broken. */
export class Unpreviewable extends Error {
  readonly because: Unpreviewed
  constructor(because: Unpreviewed) {
    super(because)
    this.because = because
  }
}

const KINDS: Readonly<Record<string, PreviewKind>> = {
  bmp: 'image',
  gif: 'image',
  heic: 'image',
  jpg: 'image',
  jpeg: 'image',
  png: 'image',
  tif: 'image',
  tiff: 'image',
  webp: 'image',
  mov: 'video',
  mp4: 'video',
  mp3: 'audio',
  ogg: 'audio',
  wav: 'audio',
  pdf: 'pdf',
  docx: 'document',
  csv: 'sheet',
  xls: 'sheet',
  xlsx: 'sheet',
  txt: 'text',
}

/** The viewer for a file that can be previewed. The server converts documents of office programs to PDF. */
export const previewKindOf = (extension: string): PreviewKind | undefined =>
  isOfficeDocument(extension) ? 'pdf' : KINDS[extension.toLowerCase()]

/** The reason for which a file is not shown; undefined for a broken one. */
export const reasonOf = (error: unknown): Unpreviewed | undefined =>
  error instanceof Unpreviewable ? error.because : undefined
/** The error for a reason that came from a worker. */
export const refusalOf = (reason: string): Error => new Unpreviewable(reason as Unpreviewed)

/**
 * Decodes a text in the encoding that its bytes tell.
 * @throws Error if it is no text
 */
export function textOf(bytes: Uint8Array): string {
  const decoded = decodeText(bytes)
  if (!decoded) throw new Error('This is no text.')
  return decoded.text
}
