import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { beforeAll, describe, expect, inject, test } from 'vitest'

import { blobPathOf, unfinishedIn } from '#server/kit/blobs/folder.ts'
import { FRAME_SIZE, HEADER_SIZE, SEALED_FRAME_SIZE } from '#server/kit/blobs/frames.ts'
import {
  type Blobs,
  diskBlobs,
  dropBlob,
  findBlob,
  keepBlob,
  type StoredBlob,
} from '#server/kit/blobs/blobs.ts'
import { connect, type Database, type OrgDb } from '#server/kit/database/db.ts'
import { eventSink } from '#server/kit/events/events.ts'
import { fromTemplate } from '#tests/support/database.ts'

const SECRET = randomBytes(32)
const ORGANISATION = crypto.randomUUID()
const OTHER = crypto.randomUUID()
let dir: string
let database: Database
let blobs: Blobs

beforeAll(async () => {
  const place = await fromTemplate(inject('template'))
  database = connect(
    { connectionString: place.databaseUrl },
    eventSink(() => {}),
    () => {},
  )
  for (const id of [ORGANISATION, OTHER])
    await database.pool.query(
      `insert into organisations (id, code, display_name, create_timestamp) values ($1, $2, $2, now())`,
      [id, `code-${id}`],
    )
  dir = join(place.dataDir, 'files')
  blobs = diskBlobs(dir, database, SECRET)
  return async () => {
    await database.close()
    await place.remove()
  }
})

const inside = <T>(organisationId: string, work: (db: OrgDb) => Promise<T>) =>
  database.withOrganisation(
    { organisationId, actor: () => ({ kind: 'system', id: null, name: 'test' }) },
    work,
  )
/** Splits bytes into pieces of a size that fits no frame. */
function* pieces(bytes: Buffer, size = 10_007): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const store = (bytes: Buffer, organisation = ORGANISATION) =>
  blobs.write(organisation, Readable.from(pieces(bytes), { objectMode: false }))
const load = async (blob: StoredBlob, range?: { from: number; to: number }, organisation = ORGANISATION) =>
  buffer(await blobs.read(organisation, blob, range))
/** Overwrites the stored file with changed bytes. */
async function change(blob: StoredBlob, by: (stored: Buffer) => Buffer): Promise<void> {
  await writeFile(blobPathOf(dir, blob.id), by(await readFile(blobPathOf(dir, blob.id))))
}
const frameOf = (stored: Buffer, index: number) =>
  stored.subarray(HEADER_SIZE + index * SEALED_FRAME_SIZE, HEADER_SIZE + (index + 1) * SEALED_FRAME_SIZE)
const allFiles = async () =>
  (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

describe('what was stored', () => {
  const sizes = [0, 1, FRAME_SIZE - 1, FRAME_SIZE, FRAME_SIZE + 1, 3 * FRAME_SIZE, 1_500_001]
  test.for(sizes)('comes back: %i bytes', async (size) => {
    const bytes = randomBytes(size)
    const blob = await store(bytes)
    expect(blob).toEqual({
      id: expect.any(String),
      size,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    expect((await load(blob)).equals(bytes)).toBe(true)
  })

  test('comes back in parts', async () => {
    const bytes = randomBytes(20 * FRAME_SIZE + 5)
    const blob = await store(bytes)
    const edges = [0, 1, FRAME_SIZE - 1, FRAME_SIZE, 9 * FRAME_SIZE + 3, bytes.length - 6, bytes.length - 1]
    for (const from of edges)
      for (const to of edges.filter((edge) => edge >= from))
        expect((await load(blob, { from, to })).equals(bytes.subarray(from, to + 1)), `${from}-${to}`).toBe(
          true,
        )
    for (const range of [
      { from: 0, to: bytes.length },
      { from: -1, to: 3 },
      { from: 4, to: 3 },
    ])
      await expect(load(blob, range)).rejects.toThrow(RangeError)
  })

  test('is sent frame by frame, however much there is', async () => {
    const megabyte = randomBytes(1024 * 1024)
    const endless = Readable.from(
      (function* () {
        for (let i = 0; i < 100; i += 1) yield megabyte
      })(),
      { objectMode: false },
    )
    const blob = await blobs.write(ORGANISATION, endless)
    let largest = 0
    let total = 0
    for await (const chunk of await blobs.read(ORGANISATION, blob)) {
      largest = Math.max(largest, (chunk as Buffer).length)
      total += (chunk as Buffer).length
    }
    expect(total).toBe(100 * 1024 * 1024)
    expect(largest).toBeLessThanOrEqual(4 * FRAME_SIZE)
  })

  test('shows nothing on disk', async () => {
    const bytes = Buffer.from('Nobody but the organisation reads this. '.repeat(100))
    const blob = await store(bytes)
    const stored = await readFile(blobPathOf(dir, blob.id))
    expect(stored.includes('Nobody but')).toBe(false)
    const again = await store(bytes)
    expect(
      (await readFile(blobPathOf(dir, again.id)))
        .subarray(HEADER_SIZE, 200)
        .equals(stored.subarray(HEADER_SIZE, 200)),
    ).toBe(false)
  })

  test("opens neither with another organisation's key nor under another secret", async () => {
    const blob = await store(Buffer.from('ours'))
    await store(Buffer.from('theirs'), OTHER)
    await expect(load(blob, undefined, OTHER)).rejects.toThrow('damaged')
    const elsewhere = diskBlobs(dir, database, randomBytes(32))
    await expect(elsewhere.read(ORGANISATION, blob)).rejects.toThrow('SECRET_KEY')
    expect((await buffer(await diskBlobs(dir, database, SECRET).read(ORGANISATION, blob))).toString()).toBe(
      'ours',
    )
  })
})

describe('damage', () => {
  const fiveFrames = () => randomBytes(4 * FRAME_SIZE + 100)

  test('of any byte is noticed, and nothing of its frame is released', async () => {
    for (const at of [1, HEADER_SIZE, HEADER_SIZE + 2 * SEALED_FRAME_SIZE + 5, -1]) {
      const bytes = fiveFrames()
      const blob = await store(bytes)
      await change(blob, (stored) => {
        const place = at < 0 ? stored.length + at : at
        stored[place]! ^= 1
        return stored
      })
      const got: Buffer[] = []
      const reading = (async () => {
        for await (const chunk of await blobs.read(ORGANISATION, blob)) got.push(chunk as Buffer)
      })()
      await expect(reading).rejects.toThrow('damaged')
      const released = Buffer.concat(got)
      expect(released.length % FRAME_SIZE).toBe(0)
      expect(released.equals(bytes.subarray(0, released.length))).toBe(true)
      expect(released.length).toBeLessThan(bytes.length)
    }
  })

  test('in another frame than those asked for does no harm', async () => {
    const bytes = fiveFrames()
    const blob = await store(bytes)
    await change(blob, (stored) => {
      frameOf(stored, 3)[0]! ^= 1
      return stored
    })
    const range = { from: FRAME_SIZE, to: 2 * FRAME_SIZE - 1 }
    expect((await load(blob, range)).equals(bytes.subarray(range.from, range.to + 1))).toBe(true)
  })

  test('by cutting off is noticed before the first byte', async () => {
    const blob = await store(fiveFrames())
    await truncate(blobPathOf(dir, blob.id), HEADER_SIZE + 2 * SEALED_FRAME_SIZE)
    await expect(blobs.read(ORGANISATION, blob)).rejects.toThrow('not as long')
    // Damage is detected even when the recorded size is wrong as well.
    await expect(load({ ...blob, size: 2 * FRAME_SIZE })).rejects.toThrow('damaged')
  })

  test('by swapping frames is noticed, within a file and between files', async () => {
    const within = await store(fiveFrames())
    await change(within, (stored) => {
      const first = Buffer.from(frameOf(stored, 0))
      frameOf(stored, 1).copy(stored, HEADER_SIZE)
      first.copy(stored, HEADER_SIZE + SEALED_FRAME_SIZE)
      return stored
    })
    await expect(load(within)).rejects.toThrow('damaged')

    const one = await store(fiveFrames())
    const two = await store(fiveFrames())
    const whole = await readFile(blobPathOf(dir, two.id))
    await change(one, () => whole)
    await expect(load(one)).rejects.toThrow('damaged')
  })
})

describe('what is not to be kept', () => {
  test('is refused over the limit and leaves nothing', async () => {
    const before = (await allFiles()).length
    const limit = 2 * 1024 * 1024
    const tooMuch = Readable.from(pieces(randomBytes(limit + 1)), { objectMode: false })
    await expect(blobs.write(ORGANISATION, tooMuch, limit)).rejects.toMatchObject({
      status: 413,
      message: 'Sorry, this file exceeds the maximum size of 2 MB.',
    })
    expect(tooMuch.destroyed).toBe(true)
    expect(await allFiles()).toHaveLength(before)
    const fits = Readable.from(pieces(randomBytes(limit)), { objectMode: false })
    expect((await blobs.write(ORGANISATION, fits, limit)).size).toBe(limit)
  })

  test('leaves nothing when the sender goes away', async () => {
    const before = (await allFiles()).length
    const broken = Readable.from(
      (async function* () {
        yield randomBytes(FRAME_SIZE * 3)
        throw new Error('gone')
      })(),
    )
    await expect(blobs.write(ORGANISATION, broken)).rejects.toThrow('gone')
    expect(await allFiles()).toHaveLength(before)
  })

  test('is removed, with its row, only once that is certain', async () => {
    const blob = await store(Buffer.from('short-lived'))
    await inside(ORGANISATION, (db) => keepBlob(db, blob))
    expect(await inside(ORGANISATION, (db) => findBlob(db, blob.id))).toEqual(blob)
    expect(await inside(OTHER, (db) => findBlob(db, blob.id))).toBeUndefined()
    const undone = inside(ORGANISATION, async (db) => {
      await dropBlob(db, blobs, blob.id)
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect((await load(blob)).toString()).toBe('short-lived')
    await inside(ORGANISATION, (db) => dropBlob(db, blobs, blob.id))
    await expect.poll(() => load(blob).catch((error: NodeJS.ErrnoException) => error.code)).toBe('ENOENT')
  })

  test('is swept when it is a day old and nothing refers to it', async () => {
    await blobs.sweep()
    const [kept, forgotten, young] = await Promise.all(
      ['a', 'b', 'c'].map((text) => store(Buffer.from(text))),
    )
    await inside(ORGANISATION, (db) => keepBlob(db, kept!))
    const unfinished = join(unfinishedIn(dir), crypto.randomUUID())
    await mkdir(dirname(unfinished), { recursive: true })
    await writeFile(unfinished, 'half of it')
    const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400
    for (const path of [blobPathOf(dir, kept!.id), blobPathOf(dir, forgotten!.id), unfinished])
      await utimes(path, twoDaysAgo, twoDaysAgo)
    expect(await blobs.sweep()).toBe(2)
    const left = (await allFiles()).map((entry) => entry.name)
    expect(left).toContain(kept!.id)
    expect(left).toContain(young!.id)
    expect(left).not.toContain(forgotten!.id)
    expect(await blobs.sweep()).toBe(0)
  })
})
