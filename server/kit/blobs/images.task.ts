import { buffer } from 'node:stream/consumers'

import heicDecode from 'heic-decode'
import sharp, { type Sharp, type SharpOptions } from 'sharp'

import { type Pixels, readBmp, TOO_MANY_PIXELS } from './bmp.ts'
import { tiffPages } from './tiff.ts'
import { Refusal } from '../core/refusal.ts'
import type { TaskOf } from '../processes/task.ts'

const NOT_SHOWN = 'This image cannot be shown. Please download it.'
const NOT_TAKEN = 'Please choose a JPEG, PNG or BMP image.'
const BROKEN = 'An unexpected error occurred while converting the image.'

const NO_PAGE = 'The image does not have this page.'

/** A few kilobytes can unpack to more pixels than the machine has memory for. */
const PIXELS_MAX = 50_000_000
/** For an upright TIFF of strips or tiles, which is decoded and shrunk in parts. */
const PIXELS_IN_PARTS_MAX = 500_000_000
const QUALITY = 82

type Kind = 'jpeg' | 'png' | 'bmp' | 'tiff' | 'heic'
const SIGNATURES: readonly [Kind, Buffer][] = [
  ['jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['bmp', Buffer.from('BM', 'latin1')],
  ['tiff', Buffer.from('II*\0', 'latin1')],
  ['tiff', Buffer.from('MM\0*', 'latin1')],
  // BigTIFF.
  ['tiff', Buffer.from('II+\0', 'latin1')],
  ['tiff', Buffer.from('MM\0+', 'latin1')],
]
/** The image type by its signature, regardless of the file name. */
const kindOf = (bytes: Buffer): Kind | undefined =>
  SIGNATURES.find(([, signature]) => bytes.subarray(0, signature.length).equals(signature))?.[0] ??
  // The decoder supports only HEIC of the formats in these boxes.
  (bytes.toString('latin1', 4, 8) === 'ftyp' ? 'heic' : undefined)

interface Purpose {
  readonly kinds: readonly Kind[]
  /** Refusals of another kind of image, and of a broken one. */
  readonly refusals: readonly [Refusal, Refusal]
  readonly shape: (image: Sharp, side: number) => Sharp
}
const PURPOSES = {
  /** A square from the middle of an image. */
  picture: {
    kinds: ['jpeg', 'png', 'bmp'],
    refusals: [new Refusal(415, NOT_TAKEN), new Refusal(400, BROKEN)],
    shape: (image, side) => image.resize(side, side, { fit: 'cover' }).flatten({ background: '#FFFFFF' }),
  },
  /** An image of a kind that browsers do not display. */
  view: {
    kinds: ['bmp', 'heic', 'tiff'],
    refusals: [new Refusal(415, NOT_SHOWN), new Refusal(415, NOT_SHOWN)],
    shape: (image, side) => image.resize(side, side, { fit: 'inside', withoutEnlargement: true }),
  },
  /** A small version of an image. */
  thumbnail: {
    kinds: ['jpeg', 'png', 'bmp', 'heic', 'tiff'],
    refusals: [new Refusal(415, NOT_SHOWN), new Refusal(415, NOT_SHOWN)],
    shape: (image, side) => image.resize(side, side, { fit: 'inside', withoutEnlargement: true }),
  },
} satisfies { readonly [purpose: string]: Purpose }

export interface ImageTask {
  readonly purpose: keyof typeof PURPOSES
  /** Maximum pixels of the longer side. */
  readonly side: number
  /** Page of a TIFF, from 1. */
  readonly page: number
}
export interface ConvertedImage {
  readonly content: Buffer
  /** Pages of a TIFF; 1 for other images. */
  readonly pages: number
}

// Restricts the decoder to these three formats.
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadTiffBuffer'],
})

async function readHeic(bytes: Buffer): Promise<Pixels> {
  const [image] = await heicDecode.all({ buffer: bytes })
  if (!image) throw new Error('There is no image.')
  if (image.width * image.height > PIXELS_MAX) throw new Refusal(400, TOO_MANY_PIXELS)
  const { width, height, data } = await image.decode()
  return { width, height, channels: 4, data: Buffer.from(data.buffer) }
}

interface Opened {
  readonly image: Sharp
  readonly pages: number
}
const OPTIONS: SharpOptions = { failOn: 'error', limitInputPixels: false }

async function demandPixels(image: Sharp, max: number): Promise<void> {
  const { width, height } = await image.metadata()
  if (width * height > max) throw new Refusal(400, TOO_MANY_PIXELS)
}

async function openTiff(bytes: Buffer, number: number): Promise<Opened> {
  const pages = tiffPages(bytes)
  const page = pages[number - 1]
  if (!page) throw new Refusal(404, NO_PAGE)
  const { directory, jpegAt, partPixels } = page
  if (partPixels > PIXELS_MAX) throw new Refusal(400, TOO_MANY_PIXELS)
  const image =
    jpegAt === undefined
      ? sharp(bytes, { ...OPTIONS, page: directory, sequentialRead: true })
      : sharp(bytes.subarray(jpegAt), OPTIONS)
  const { orientation = 1 } = await image.metadata()
  // A page is turned as a whole, and so is a JPEG stream.
  await demandPixels(image, orientation === 1 && jpegAt === undefined ? PIXELS_IN_PARTS_MAX : PIXELS_MAX)
  return { image, pages: pages.length }
}

async function opened(bytes: Buffer, kind: Kind, page: number): Promise<Opened> {
  if (kind === 'tiff') return openTiff(bytes, page)
  if (kind === 'bmp' || kind === 'heic') {
    const { data, ...raw } = kind === 'bmp' ? readBmp(bytes, PIXELS_MAX) : await readHeic(bytes)
    return { image: sharp(data, { raw }), pages: 1 }
  }
  const image = sharp(bytes, OPTIONS)
  await demandPixels(image, PIXELS_MAX)
  return { image, pages: 1 }
}

/** Converts the image on the standard input to WebP. */
const convert: TaskOf<ImageTask, ConvertedImage> = async ({ purpose, side, page }) => {
  const { kinds, refusals, shape }: Purpose = PURPOSES[purpose]
  const [ofAnotherKind, broken] = refusals
  const bytes = await buffer(process.stdin)
  const kind = kindOf(bytes)
  if (!kind || !kinds.includes(kind)) throw ofAnotherKind
  try {
    const { image, pages } = await opened(bytes, kind, page)
    const content = await shape(image.autoOrient(), side).webp({ quality: QUALITY }).toBuffer()
    return { content, pages }
  } catch (error) {
    throw error instanceof Refusal ? error : broken
  }
}
export default convert
