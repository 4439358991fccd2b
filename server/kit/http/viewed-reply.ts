import type { Readable } from 'node:stream'

import { isConverted } from '#contract/kit/files.ts'

import type { FileReply } from './answers.ts'
import { CONVERTED_MAX, VIEWED_TYPE, viewableImage } from '../blobs/images.ts'
import { Refusal } from '../core/refusal.ts'

interface StoredFile extends FileReply {
  readonly body: () => Promise<Buffer | Readable>
}
/**
 * An attached file for display: a page of an image that some browsers do not display is converted, everything else is
 * unchanged.
 * @throws Refusal 415 where the image is too large to convert
 */
export function viewedReply(file: StoredFile, extension: string, page: number): FileReply {
  if (!isConverted(extension)) return file
  if ((file.size ?? 0) > CONVERTED_MAX)
    throw new Refusal(415, 'This image cannot be shown. Please download it.')
  return { name: file.name, type: VIEWED_TYPE, body: () => viewableImage(file.body, page) }
}
