import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** Plain bytes of a frame; only the last one may hold fewer. */
export const FRAME_SIZE = 64 * 1024
const TAG_SIZE = 16
/** Size of a frame on disk. */
export const SEALED_FRAME_SIZE = FRAME_SIZE + TAG_SIZE
const VERSION = 1
const PREFIX_SIZE = 8
/** Header before the first frame: the format's version, and the prefix of this blob's nonces. */
export const HEADER_SIZE = 1 + PREFIX_SIZE
const MAX_FRAMES = 2 ** 32

const LAST = Buffer.of(1)
const NOT_LAST = Buffer.of(0)

/** Stored bytes fail authentication. */
export class DamagedBlob extends Error {}

/** Number of frames of a blob. An empty blob has one too, so that it cannot be forged. */
export const frameCount = (size: number): number => Math.max(1, Math.ceil(size / FRAME_SIZE))
/** The size on disk, in bytes, of a blob of `size` plain bytes. */
export const sealedSize = (size: number): number => HEADER_SIZE + size + frameCount(size) * TAG_SIZE

/**
 * Encrypts and decrypts the frames of one blob (AES-256-GCM). The key belongs to the blob, so no nonce repeats and
 * frames of other blobs do not fit. The nonce contains the frame's index, and the authenticated data tells the last
 * frame: swapped, missing or cut frames do not open.
 */
export class Frames {
  readonly header: Buffer
  readonly #key: KeyObject
  /** Reused for each frame, because the cipher copies it. */
  readonly #nonce = Buffer.alloc(PREFIX_SIZE + 4)

  /** Creates a header for a new blob. */
  constructor(organisationKey: Buffer, blobId: string, header?: Buffer) {
    if (header && (header.length !== HEADER_SIZE || header[0] !== VERSION))
      throw new DamagedBlob('The header of the file is damaged.')
    this.header = header ?? Buffer.concat([Buffer.of(VERSION), randomBytes(PREFIX_SIZE)])
    // Created once: from bytes, the cipher would create it for each frame.
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', organisationKey, blobId, 'muster blob', 32)))
    this.header.copy(this.#nonce, 0, 1)
  }

  /** A frame for storage. */
  seal(plain: Buffer, index: number, last: boolean): [sealed: Buffer, tag: Buffer] {
    if (index >= MAX_FRAMES) throw new RangeError('The file is too large.')
    const cipher = createCipheriv('aes-256-gcm', this.#key, this.#nonceOf(index))
    cipher.setAAD(last ? LAST : NOT_LAST)
    const sealed = cipher.update(plain)
    cipher.final()
    return [sealed, cipher.getAuthTag()]
  }

  /**
   * The authenticated plain bytes of a stored frame.
   * @throws DamagedBlob
   */
  open(stored: Buffer, index: number, last: boolean): Buffer {
    const end = stored.length - TAG_SIZE
    if (end < 0) throw new DamagedBlob('A part of the file is missing.')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, this.#nonceOf(index))
    decipher.setAAD(last ? LAST : NOT_LAST)
    decipher.setAuthTag(stored.subarray(end))
    const plain = decipher.update(stored.subarray(0, end))
    try {
      decipher.final()
    } catch (cause) {
      throw new DamagedBlob('A part of the file is damaged.', { cause })
    }
    return plain
  }

  #nonceOf(index: number): Buffer {
    this.#nonce.writeUInt32BE(index, PREFIX_SIZE)
    return this.#nonce
  }
}
