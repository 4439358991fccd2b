import type { Readable } from 'node:stream'

import { MEGABYTE, typeWithPages } from '#contract/kit/files.ts'

import type { ConvertedImage, ImageTask } from './images.task.ts'
import { inProcess } from '../processes/processes.ts'

const TOO_LARGE = 'This image is too large to be converted.'
/** Larger than any screen displays at once. */
const VIEWED_SIDE = 4_096
/** Waiting pictures are held in memory. */
const PICTURES_WAITING_MAX = 20

const convert = (
  task: ImageTask,
  input: () => Promise<Buffer | Readable>,
  waitingMax?: number,
): Promise<ConvertedImage> =>
  inProcess<ImageTask, ConvertedImage>({
    kind: task.purpose === 'thumbnail' ? 'thumbnails' : 'reading',
    module: new URL('./images.task.ts', import.meta.url),
    task,
    input,
    excess: TOO_LARGE,
    waitingMax,
  })

/**
 * A square from the middle of a JPEG, PNG or BMP image, as WebP, upright and without metadata. Slow: call outside of
 * transactions.
 * @throws Refusal 400 broken or too many pixels, 413 too much work, 415 another format, 503 too many at once
 */
export const squareImage = async (bytes: Buffer, side: number): Promise<Buffer> =>
  (await convert({ purpose: 'picture', side, page: 1 }, async () => bytes, PICTURES_WAITING_MAX)).content

/** Twice the width of a tile, for screens with two pixels for each. */
const THUMBNAIL_SIDE = 320
/**
 * A small version of an image, as WebP, upright and without metadata. Slow: call outside of transactions.
 * @throws Refusal 400, 413, 415, 503 as `viewableImage`
 */
export const thumbnailImage = async (read: () => Promise<Buffer | Readable>): Promise<Buffer> =>
  (await convert({ purpose: 'thumbnail', side: THUMBNAIL_SIDE, page: 1 }, read)).content

/** The largest file that is converted. */
export const CONVERTED_MAX = 128 * MEGABYTE
/** Converted bytes with their content type. */
export interface TypedContent {
  readonly content: Buffer
  readonly type: string
}
/** Content type of converted images. */
export const VIEWED_TYPE = 'image/webp'
/**
 * A BMP image, a page of a TIFF or the first image of a HEIC file, as a WebP that every browser displays, upright and
 * without metadata. Slow: call outside of transactions.
 * @param read opens the file when its turn comes
 * @throws Refusal 400 too many pixels, 404 no such page, 413 too much work, 415 another format or a broken file, 503 too
 * many at once
 */
export async function viewableImage(
  read: () => Promise<Buffer | Readable>,
  page: number,
): Promise<TypedContent> {
  const { content, pages } = await convert({ purpose: 'view', side: VIEWED_SIDE, page }, read)
  return { content, type: typeWithPages(VIEWED_TYPE, pages) }
}
