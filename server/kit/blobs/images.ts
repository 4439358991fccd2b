import { buffer } from 'node:stream/consumers'

import type { Sharp } from 'sharp'

import { isConverted, MEGABYTE } from '#contract/kit/files.ts'

import { readBmp } from './bmp.ts'
import { readHeic, TooManyPixels } from './heic.ts'
import { oldStyleJpeg } from './tiff.ts'
import type { FileReply } from '../http/answers.ts'
import { Refusal } from '../http/refusal.ts'
import { limitConcurrency } from '../concurrency.ts'

const NOT_SHOWN = 'This image cannot be shown. Please download it.'
const NOT_TAKEN = 'Please choose a JPEG, PNG or BMP image.'
const BROKEN = 'An unexpected error occurred while converting the image.'
const TOO_MANY_PIXELS = 'The image has too many pixels. Please choose a smaller one.'

/** A few kilobytes can unpack to more pixels than the machine has memory for. */
const PIXELS_MAX = 50_000_000
/** A BMP is read on the thread that answers everybody. */
const BMP_PIXELS_MAX = 16_000_000
const SECONDS_MAX = 20
const QUALITY = 82
/** No screen shows more of an image at once. */
const VIEWED_SIDE = 4_096

const limited = limitConcurrency({ concurrency: 2, queueMax: 20 })

type Kind = 'jpeg' | 'png' | 'bmp' | 'tiff' | 'heic'
const SIGNATURES: readonly [Kind, Buffer][] = [
  ['jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['bmp', Buffer.from('BM', 'latin1')],
  ['tiff', Buffer.from('II*\0', 'latin1')],
  ['tiff', Buffer.from('MM\0*', 'latin1')],
]
/** The image type by its signature, regardless of the file name. */
const kindOf = (bytes: Buffer): Kind | undefined =>
  SIGNATURES.find(([, signature]) => bytes.subarray(0, signature.length).equals(signature))?.[0] ??
  // Of the formats in such boxes, the decoder takes HEIC only.
  (bytes.toString('latin1', 4, 8) === 'ftyp' ? 'heic' : undefined)
const PICTURES: readonly Kind[] = ['jpeg', 'png', 'bmp']
/** What browsers do not show by themselves. */
const CONVERTED: readonly Kind[] = ['bmp', 'heic', 'tiff']

type Library = (typeof import('sharp'))['default']
let loading: Promise<Library> | undefined
/** Loaded with the first image. It keeps nothing between images, and reads no format but these three. */
const loadSharp = () =>
  (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadTiffBuffer'],
    })
    return sharp
  }))

async function opened(bytes: Buffer, kinds: readonly Kind[], notTaken: string): Promise<Sharp> {
  const kind = kindOf(bytes)
  if (!kind || !kinds.includes(kind)) throw new Refusal(415, notTaken)
  const sharp = await loadSharp()
  if (kind === 'bmp') {
    const { data, width, height, channels } = readBmp(bytes, BMP_PIXELS_MAX)
    return sharp(data, { raw: { width, height, channels } })
  }
  if (kind === 'heic') {
    const { data, width, height, channels } = await readHeic(bytes, PIXELS_MAX)
    return sharp(data, { raw: { width, height, channels } })
  }
  const content = (kind === 'tiff' ? oldStyleJpeg(bytes) : undefined) ?? bytes
  const image = sharp(content, { failOn: 'error', limitInputPixels: false })
  const { width, height } = await image.metadata()
  if (width * height > PIXELS_MAX) throw new Refusal(400, TOO_MANY_PIXELS)
  return image
}

/**
 * The middle of a JPEG, PNG or BMP image as a square WebP, upright, with nothing left of what a camera or a program
 * wrote beside the pixels. Takes a while: not inside a transaction.
 * @throws Refusal 400 broken or too many pixels, 415 another format, 503 too many at once
 */
export const squareImage = (bytes: Buffer, side: number): Promise<Buffer> =>
  limited(async () => {
    try {
      const image = await opened(bytes, PICTURES, NOT_TAKEN)
      return await image
        .autoOrient()
        .resize(side, side, { fit: 'cover' })
        .flatten({ background: '#FFFFFF' })
        .webp({ quality: QUALITY })
        .timeout({ seconds: SECONDS_MAX })
        .toBuffer()
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal(400, BROKEN)
    }
  })

/** Images that are converted are in memory as a whole. */
export const CONVERTED_MAX = 64 * MEGABYTE
/** The content type of what is converted. */
export const VIEWED_TYPE = 'image/webp'
/**
 * A file that is attached to something, as it is shown: an image that not all browsers show is converted, everything else
 * stays as it is.
 * @throws Refusal 415 where the image is too large to be converted
 */
export function viewedReply(file: FileReply, extension: string): FileReply {
  if (!isConverted(extension)) return file
  if ((file.size ?? 0) > CONVERTED_MAX) throw new Refusal(415, NOT_SHOWN)
  const read = async () => {
    const content = await file.body()
    return viewableImage(Buffer.isBuffer(content) ? content : await buffer(content))
  }
  return { name: file.name, type: VIEWED_TYPE, body: read }
}

/**
 * A BMP image, the first page of a TIFF or the first image of a HEIC file as a WebP that every browser shows, upright and without anything else that the
 * file held. Takes a while: not inside a transaction.
 * @throws Refusal 400 too many pixels, 415 another format or a broken file, 503 too many at once
 */
export const viewableImage = (bytes: Buffer): Promise<Buffer> =>
  limited(async () => {
    try {
      const image = await opened(bytes, CONVERTED, NOT_SHOWN)
      return await image
        .autoOrient()
        .resize(VIEWED_SIDE, VIEWED_SIDE, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .timeout({ seconds: SECONDS_MAX })
        .toBuffer()
    } catch (error) {
      if (error instanceof TooManyPixels) throw new Refusal(400, TOO_MANY_PIXELS)
      throw error instanceof Refusal ? error : new Refusal(415, NOT_SHOWN)
    }
  })
