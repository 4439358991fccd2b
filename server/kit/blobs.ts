import type { Readable } from 'node:stream'

/** What is known of stored bytes. */
export interface StoredBlob {
  readonly id: string
  readonly size: number
  /** Of the plain bytes, in hexadecimal. */
  readonly sha256: string
}

/** Files, encrypted at rest with a key per organisation. Streams in and out; never in memory. */
export interface Blobs {
  /** Stores a stream. On failure nothing is left. */
  write(organisationId: string, content: Readable, limit?: number): Promise<StoredBlob>
  /** The plain bytes, or a part of them. Only authenticated bytes are released. */
  read(organisationId: string, blob: StoredBlob, range?: { from: number; to: number }): Promise<Readable>
  remove(organisationId: string, id: string): Promise<void>
}
