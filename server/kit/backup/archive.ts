import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { ReadableStream as NodeStream } from 'node:stream/web'

import { type Entry, extract, type Pack, pack } from 'tar-stream'

import { CannotStart } from '../core/start-problems.ts'
import { type BackupKey, decrypterWith, encrypterWith } from './keys.ts'
import type { CountedTable, Sequence } from './tables.ts'

/** Version of the layout of the entries. */
export const FORMAT = 1
export const DESCRIPTION = 'muster.json'
export const SECRET = 'secret-key'
export const MANIFEST = 'manifest.json'
/** Largest entries that are read into memory: descriptions and the list of all others. */
const TEXT_MAX = 512 * 1024 * 1024

/** First entry of a backup. */
export interface Description {
  readonly format: number
  /** Version of the product. */
  readonly version: string
  /** Moment that all rows and files are of. */
  readonly moment: string
  readonly migrations: readonly string[]
  readonly jobsVersion: number | null
  readonly tables: readonly CountedTable[]
  readonly sequences: readonly Sequence[]
  readonly files: { readonly count: number; readonly bytes: number }
}

/** An entry as the last one, the manifest, lists it. */
interface Listed {
  readonly name: string
  readonly size: number
  readonly sha256: string
}
export interface Manifest {
  readonly entries: readonly Listed[]
  /** Files that were missing or damaged already. */
  readonly damaged: readonly string[]
}

/** The stream that age takes. */
const webStreamOf = (bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  NodeStream.from(bytes) as unknown as ReadableStream<Uint8Array>

/** Writes the entries of a backup: a tar archive, encrypted by age. */
export class ArchiveWriter {
  readonly #pack: Pack = pack()
  readonly #entries: Listed[] = []
  readonly #mtime: Date

  constructor(moment: string) {
    this.#mtime = new Date(moment)
  }

  /** The encrypted bytes; read them while entries are added. */
  async bytes(key: BackupKey): Promise<AsyncIterable<Uint8Array>> {
    const encrypter = await encrypterWith(key)
    // The pack is another kind of stream than Node's, and both are iterable.
    return await encrypter.encrypt(webStreamOf(this.#pack as AsyncIterable<Uint8Array>))
  }

  add(name: string, content: Buffer | string): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    return this.addStream(name, bytes.length, [bytes])
  }

  /** Adds an entry of exactly `size` bytes. */
  async addStream(
    name: string,
    size: number,
    content: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<void> {
    const sha256 = createHash('sha256')
    const added = Promise.withResolvers<void>()
    added.promise.catch(() => {})
    const entry = this.#pack.entry({ name, size, mode: 0o600, mtime: this.#mtime }, (error) =>
      error ? added.reject(error) : added.resolve(),
    )
    for await (const chunk of content) {
      sha256.update(chunk)
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), added.promise])
    }
    entry.end()
    await added.promise
    if (name !== MANIFEST) this.#entries.push({ name, size, sha256: sha256.digest('hex') })
  }

  /** Adds the manifest and ends the archive. */
  async end(damaged: readonly string[]): Promise<void> {
    await this.add(MANIFEST, JSON.stringify({ entries: this.#entries, damaged } satisfies Manifest))
    this.#pack.finalize()
  }

  /** Lets the reader of the bytes fail, too. */
  fail(error: Error): void {
    this.#pack.destroy(error)
  }
}

/** An entry that is being read. */
export interface ReadEntry {
  readonly name: string
  readonly size: number
  /** Its bytes, once. */
  readonly content: AsyncIterable<Buffer>
}

const NO_BACKUP = 'This file is no backup of Muster, or its beginning is damaged. Nothing was changed.'
const WRONG_PASSPHRASE = 'The passphrase is not the one of this backup. Nothing was changed.'
const WRONG_KEY = 'The key is not the one of this backup. Nothing was changed.'
const NEEDS_KEY = 'This backup was made with a key file, not with a passphrase: add --key-file FILE.'
const NEEDS_PASSPHRASE = 'This backup was made with a passphrase, not with a key file.'
const DAMAGED = 'The backup is cut or damaged. Nothing was restored. Take another copy of the file.'

/** The sentence about a beginning that does not open. */
function explainHeader(header: string, key: BackupKey, error: unknown): CannotStart {
  const isSealedByPassphrase = /^-> scrypt /m.test(header)
  if (!header.startsWith('age-encryption.org/v1\n') || !/^--- /m.test(header))
    return new CannotStart(NO_BACKUP)
  if (!/no identity matched/.test((error as Error).message)) return new CannotStart(DAMAGED)
  if ('passphrase' in key) return new CannotStart(isSealedByPassphrase ? WRONG_PASSPHRASE : NEEDS_KEY)
  return new CannotStart(isSealedByPassphrase ? NEEDS_PASSPHRASE : WRONG_KEY)
}

/** Longest header of a few recipients. */
const HEADER_MAX = 16 * 1024

/** The first bytes of a stream, and all of it. */
async function peek(source: AsyncIterable<Uint8Array>): Promise<[string, AsyncIterable<Uint8Array>]> {
  const iterator = source[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let length = 0; length < HEADER_MAX;) {
    const { done, value } = await iterator.next()
    if (done) break
    first.push(value)
    length += value.length
  }
  async function* all() {
    yield* first
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      yield value
    }
  }
  return [Buffer.concat(first).subarray(0, HEADER_MAX).toString('latin1'), all()]
}

/** True for errors of reading the file itself, which are no damage of the backup. */
const isOfSystem = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined

/**
 * Reads a backup once, from its beginning to its end. Every byte is authenticated before it is handed out, but only
 * `end` tells that nothing is missing.
 */
export class ArchiveReader {
  readonly #entries: AsyncIterator<Entry>
  readonly #seen: Listed[] = []
  #failure: unknown

  private constructor(plain: AsyncIterable<Uint8Array>) {
    const tar = extract()
    // The iterator reports it.
    tar.on('error', () => {})
    this.#entries = tar[Symbol.asyncIterator]() as AsyncIterator<Entry>
    const feed = async () => {
      for await (const chunk of plain) if (!tar.write(chunk)) await once(tar, 'drain')
      tar.end()
    }
    feed().catch((error: Error) => {
      this.#failure = error
      tar.destroy(error)
    })
  }

  /** @throws CannotStart where the key does not open it, or it is no backup */
  static async open(source: AsyncIterable<Uint8Array>, key: BackupKey): Promise<ArchiveReader> {
    const decrypter = decrypterWith(key)
    const [header, all] = await peek(source)
    try {
      const plain = await decrypter.decrypt(webStreamOf(all))
      return new ArchiveReader(plain)
    } catch (error) {
      if (isOfSystem(error)) throw error
      throw explainHeader(header, key, error)
    }
  }

  /**
   * The next entry, whose content has to be read before the one after it; undefined after the last one.
   * @throws CannotStart where the backup is cut or damaged
   */
  async next(): Promise<ReadEntry | undefined> {
    const { done, value } = await this.#orDamaged(() => this.#entries.next())
    if (done) return undefined
    const { name, size = 0, type } = value.header
    if (type !== 'file') throw new CannotStart(NO_BACKUP)
    return { name, size, content: this.#contentOf(value, name, size) }
  }

  /** The next entry, which has to be this one, as text. */
  async expect(name: string): Promise<string> {
    const entry = await this.next()
    if (entry?.name !== name || entry.size > TEXT_MAX) throw new CannotStart(NO_BACKUP)
    return (await buffer(entry.content)).toString()
  }

  /**
   * Compares all entries with the manifest, which was read just before, and reads to the end.
   * @throws CannotStart where any differs
   */
  async end({ entries }: Manifest): Promise<void> {
    const seen = this.#seen.filter(({ name }) => name !== MANIFEST)
    const isSame =
      entries.length === seen.length &&
      entries.every(({ name, size, sha256 }, n) => {
        const one = seen[n]!
        return one.name === name && one.size === size && one.sha256 === sha256
      })
    if (!isSame || (await this.next()) !== undefined) throw new CannotStart(DAMAGED)
  }

  async *#contentOf(entry: Entry, name: string, size: number): AsyncIterable<Buffer> {
    const sha256 = createHash('sha256')
    const chunks = (entry as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await this.#orDamaged(() => chunks.next())
      if (done) break
      sha256.update(value)
      yield value
    }
    this.#seen.push({ name, size, sha256: sha256.digest('hex') })
  }

  async #orDamaged<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const cause = this.#failure ?? error
      if (isOfSystem(cause)) throw cause
      throw new CannotStart(DAMAGED, { cause })
    }
  }
}

/** The description of an opened backup. */
export async function readDescription(archive: ArchiveReader): Promise<Description> {
  const description = parse(await archive.expect(DESCRIPTION))
  if (typeof description.format !== 'number' || !Array.isArray(description.tables))
    throw new CannotStart(NO_BACKUP)
  if (description.format > FORMAT)
    throw new CannotStart(
      `The backup was made by a newer version of Muster (${description.version}). Restore it with that version.`,
    )
  return description
}

function parse(text: string): Description {
  try {
    return JSON.parse(text) as Description
  } catch {
    throw new CannotStart(NO_BACKUP)
  }
}

/** The manifest, which is the last entry. */
export async function readManifest(entry: ReadEntry): Promise<Manifest> {
  if (entry.size > TEXT_MAX) throw new CannotStart(NO_BACKUP)
  const manifest = JSON.parse((await buffer(entry.content)).toString()) as Manifest
  if (!Array.isArray(manifest.entries)) throw new CannotStart(NO_BACKUP)
  return manifest
}
