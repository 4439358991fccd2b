import type { Shelf } from '../blobs/blobs.ts'
import { frameCount, Frames, HEADER_SIZE, SEALED_FRAME_SIZE, sealedSize } from '../blobs/frames.ts'

/** A file as its row records it. */
export interface RecordedFile {
  readonly id: string
  /** Plain bytes. */
  readonly size: number
  readonly organisationId: string
}

/** Bytes read at once: whole frames. */
const PIECE = 16 * SEALED_FRAME_SIZE

/** Authenticates the frames of a stored file that passes by in pieces of any size. */
class FrameCheck {
  readonly #file: RecordedFile
  readonly #key: Buffer
  #rest: Buffer = Buffer.alloc(0)
  #frames: Frames | undefined
  #index = 0
  isDamaged = false

  constructor(file: RecordedFile, key: Buffer) {
    this.#file = file
    this.#key = key
  }

  take(piece: Buffer, isLast: boolean): void {
    if (this.isDamaged) return
    try {
      this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
      if (!this.#frames) {
        if (this.#rest.length < HEADER_SIZE && !isLast) return
        this.#frames = new Frames(this.#key, this.#file.id, Buffer.from(this.#rest.subarray(0, HEADER_SIZE)))
        this.#rest = this.#rest.subarray(HEADER_SIZE)
      }
      const count = frameCount(this.#file.size)
      // The last frame may be shorter than the others.
      const needed = isLast ? 0 : SEALED_FRAME_SIZE
      while (this.#index < count && this.#rest.length >= needed) {
        this.#frames.open(this.#rest.subarray(0, SEALED_FRAME_SIZE), this.#index, this.#index === count - 1)
        this.#rest = this.#rest.subarray(SEALED_FRAME_SIZE)
        this.#index += 1
      }
    } catch {
      this.isDamaged = true
    }
  }
}

/** A stored file while it is read for a backup. */
export interface OpenedFile {
  /** Bytes as stored, which `content` has exactly. */
  readonly size: number
  readonly content: AsyncIterable<Buffer>
  /** True once the content was read and does not authenticate. */
  isDamaged(): boolean
}

/**
 * Opens a file as it is stored, encrypted. Returns undefined for one that is missing or of another length than
 * recorded.
 * @param key of the file's organisation; undefined where it is lost
 */
export async function openStored(
  shelf: Shelf,
  file: RecordedFile,
  key: Buffer | undefined,
): Promise<OpenedFile | undefined> {
  const size = sealedSize(file.size)
  let isDamaged = key === undefined
  const stored = await shelf.open(file.id).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!stored) return undefined
  if (stored.size !== size) {
    await stored.close()
    return undefined
  }
  async function* content(): AsyncIterable<Buffer> {
    const check = key && new FrameCheck(file, key)
    try {
      for (let position = 0; position < size;) {
        const piece = Buffer.allocUnsafe(Math.min(PIECE, size - position))
        const read = await stored!.read(piece, position).catch(() => 0)
        // A disk that fails in the middle: the entry keeps its length, and the file is named.
        if (read === 0) {
          isDamaged = true
          piece.fill(0)
        }
        const taken = read === 0 ? piece : piece.subarray(0, read)
        position += taken.length
        if (read > 0) check?.take(taken, position === size)
        yield taken
      }
    } finally {
      await stored!.close()
    }
    isDamaged ||= check?.isDamaged === true
  }
  return { size, content: content(), isDamaged: () => isDamaged }
}
