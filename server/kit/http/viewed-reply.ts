import type { Readable } from 'node:stream'

import { isConverted, isOfficeDocument } from '#contract/kit/files.ts'

import type { FileReply } from './answers.ts'
import { CONVERTED_MAX, type TypedContent, viewableImage, VIEWED_TYPE } from '../blobs/images.ts'
import { Refusal } from '../core/refusal.ts'
import type { Settings } from '../core/settings.ts'
import { officeAsPdf } from '../processes/office.ts'

const PDF_TYPE = 'application/pdf'

interface View {
  readonly extension: string
  /** Page of an image, from 1. */
  readonly page: number
  readonly settings: Pick<Settings, 'officeConverter'>
}
type Read = () => Promise<Buffer | Readable>

/** Content type of a file for display, if it is converted for that. */
export function convertedTypeOf({ extension, settings }: Omit<View, 'page'>): string | undefined {
  if (isConverted(extension)) return VIEWED_TYPE
  return isOfficeDocument(extension) && settings.officeConverter !== null ? PDF_TYPE : undefined
}

/** The converted content of a file for display: a page of an image, or a document as PDF. */
async function convertedContent(read: Read, { extension, page, settings }: View): Promise<TypedContent> {
  if (isConverted(extension)) return viewableImage(read, page)
  const document = { converter: settings.officeConverter!, extension: extension.toLowerCase(), read }
  return { content: await officeAsPdf(document), type: PDF_TYPE }
}

interface StoredFile extends FileReply {
  readonly body: Read
}
/**
 * A file for display: what browsers do not display is converted, everything else is unchanged.
 * @throws Refusal 415 where the file is too large to convert
 */
export function viewedReply(file: StoredFile, view: View): FileReply {
  const type = convertedTypeOf(view)
  if (type === undefined) return file
  if ((file.size ?? 0) > CONVERTED_MAX)
    throw new Refusal(415, 'This file is too large to be shown. Please download it.')
  return { name: file.name, type, body: () => convertedContent(file.body, view) }
}
