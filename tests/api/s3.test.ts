import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'

import { afterAll, describe, expect, onTestFinished, test } from 'vitest'

import { DamagedBlob } from '#server/kit/blobs/frames.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { readSettings } from '#server/kit/core/settings.ts'

import { sha256 } from '../support/attachments.ts'
import { signIn, startProduct } from '../support/product.ts'
import { s3Environment, startS3 } from '../support/s3.ts'
import { startTestServer } from '../support/server.ts'
import { storageFor } from '../support/storage.ts'
import { tusFor } from '../support/tus.ts'

interface Item {
  readonly id: number
  readonly isFolder: boolean
  readonly sha256: string
  readonly children?: Item[]
}

const s3 = await startS3({ pageSize: 2 })
afterAll(() => s3.close())
const muster = await startTestServer(s3Environment(s3))
const { download, fetched, upload } = storageFor(muster)
const { blobs } = muster.services
const organisation = await muster.anOrganisation({ maxFileSize: 100 })
const admin = await muster.signedInAs(organisation, 'ADMIN')
const aPdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size - 9)])
const keys = () => [...s3.objects.keys()].filter((key) => key !== 'installation')
const piecesOf = (bytes: Buffer) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
    })(),
  )

describe('files in a bucket', () => {
  test('come back as they were, whole and in parts, and lie there encrypted', async () => {
    const bytes = aPdf(3_000_000)
    const { status, body } = await upload(admin, bytes, 'plan.pdf')
    expect(status).toBe(201)
    expect((await download(admin, body.id)).bytes.equals(bytes)).toBe(true)
    const { body: ticket } = await admin.post(`/sfs/item/${body.id}/preview`, {})
    for (const [from, to] of [
      [0, 9],
      [70_000, 2_000_000],
      [2_999_990, 2_999_999],
    ] as const) {
      const part = await fetched(ticket.path, { Range: `bytes=${from}-${to}` })
      expect(part.status).toBe(206)
      expect(part.bytes.equals(bytes.subarray(from, to + 1))).toBe(true)
    }
    expect(keys()).toHaveLength(1)
    const stored = s3.objects.get(keys()[0]!)!.bytes
    expect(stored.length).toBeGreaterThan(3_000_000)
    expect(stored.includes('%PDF')).toBe(false)
    expect(await readdir(muster.dataDir)).not.toContain('files')
  })

  test('are sent in parts where they are large, one of which is tried again when the service is busy', async () => {
    const bytes = randomBytes(20_000_000)
    s3.failNext(1)
    const blob = await blobs.write(organisation.id, piecesOf(bytes))
    expect(blob.sha256).toBe(sha256(bytes))
    expect(s3.uploads.size).toBe(0)
    expect(sha256(await buffer(await blobs.read(organisation.id, blob)))).toBe(blob.sha256)
    await blobs.remove(organisation.id, blob.id)
    await expect(blobs.read(organisation.id, blob)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('leave nothing where they broke off', async () => {
    const before = keys()
    const broken = Readable.from(
      (function* () {
        for (let n = 0; n < 200; n++) yield randomBytes(100_000)
        throw new Error('The sender has gone.')
      })(),
    )
    await expect(blobs.write(organisation.id, broken)).rejects.toThrow('The sender has gone.')
    expect(keys()).toEqual(before)
    expect(s3.uploads.size).toBe(0)
  })

  test('are not acknowledged before the bucket has them', async () => {
    s3.failNext(100)
    const refused = await upload(admin, aPdf(1_000), 'never.pdf')
    s3.failNext(0)
    expect([refused.status, refused.body.message]).toEqual([
      503,
      'The storage of files does not answer. Please try again in a moment.',
    ])
    expect((await admin.get('/sfs/search?query=never')).body).toEqual([])
  })

  test('that were changed there are refused', async () => {
    const bytes = randomBytes(300_000)
    const blob = await blobs.write(organisation.id, piecesOf(bytes))
    const object = s3.objects.get(`files/${blob.id}`)!
    object.bytes[200_000]! ^= 1
    await expect(buffer(await blobs.read(organisation.id, blob))).rejects.toThrow(DamagedBlob)
    s3.objects.set(`files/${blob.id}`, { ...object, bytes: object.bytes.subarray(0, -1) })
    await expect(blobs.read(organisation.id, blob)).rejects.toThrow(DamagedBlob)
    s3.objects.delete(`files/${blob.id}`)
  })

  test('are uploaded in parts that can be resumed', async () => {
    const tus = tusFor(`${muster.url}/api`, admin.headers)
    const bytes = aPdf(500_000)
    const id = await tus.begin('map.pdf', bytes.length)
    await tus.send(id, 0, bytes.subarray(0, 123_456))
    const done = await tus.send(id, 123_456, bytes.subarray(123_456))
    const item = Number(done.headers.get('File-Id'))
    expect((await download(admin, item)).bytes.equals(bytes)).toBe(true)
  })

  test('that nothing refers to are swept after a day, with uploads that were not ended', async () => {
    const kept = (await upload(admin, aPdf(1_000), 'kept.pdf')).body
    const orphan = await blobs.write(organisation.id, piecesOf(randomBytes(10)))
    s3.uploads.set('old', { key: `files/${orphan.id}`, parts: new Map(), at: clock.now() - 2 * DAY })
    expect(await blobs.sweep()).toBe(1)
    expect(keys()).toContain(`files/${orphan.id}`)
    for (const object of s3.objects.values()) object.at = clock.now() - 2 * DAY
    expect(await blobs.sweep()).toBe(1)
    expect(keys()).not.toContain(`files/${orphan.id}`)
    expect(s3.uploads.size).toBe(0)
    expect((await download(admin, kept.id)).status).toBe(200)
    expect(s3.objects.has('installation')).toBe(true)
  })

  test('are swept, too, where the service does not list uploads', async () => {
    const orphan = await blobs.write(organisation.id, piecesOf(randomBytes(10)))
    for (const object of s3.objects.values()) object.at = clock.now() - 2 * DAY
    s3.listsUploads = false
    onTestFinished(() => void (s3.listsUploads = true))
    expect(await blobs.sweep()).toBe(1)
    expect(keys()).not.toContain(`files/${orphan.id}`)
  })

  test('are tried by the operator', async () => {
    const staff = await muster.signedInAsStaff()
    expect((await staff.get('/instance')).body.carriers).toContainEqual({
      carrier: 'STORAGE',
      service: 'S3',
      trouble: null,
    })
    const answer = await staff.post('/instance/test/STORAGE', {})
    expect(answer.body).toMatchObject({ isWorking: true, said: 'A file was stored, read and deleted.' })
  })

  test('belong to one installation', async () => {
    await expect(startTestServer(s3Environment(s3))).rejects.toThrow(
      'The bucket muster-test belongs to another installation. Set S3_BUCKET to one of its own.',
    )
    await expect(startTestServer({ ...s3Environment(s3), AWS_SECRET_ACCESS_KEY: 'another' })).rejects.toThrow(
      /^The bucket muster-test cannot be used: .*SignatureDoesNotMatch/,
    )
  })
})

test.each<[Record<string, string>, string]>([
  [{ S3_BUCKET: 'files' }, 'AWS_ACCESS_KEY_ID is missing, although S3_BUCKET is set.'],
  [
    { S3_BUCKET: 'files', AWS_ACCESS_KEY_ID: 'a' },
    'AWS_SECRET_ACCESS_KEY is missing, although S3_BUCKET is set.',
  ],
  [{ S3_REGION: 'eu-west-1' }, 'S3_BUCKET is missing, although S3_REGION is set.'],
  [
    { S3_ENDPOINT: 'ftp://x' },
    'The setting S3_ENDPOINT is wrong: must be a URL beginning with http:// or https://.',
  ],
])('the settings %j stop the start', (settings, sentence) => {
  expect(() => readSettings(settings)).toThrow(sentence)
})

/** Runs the command that moves files, as an operator does. */
async function move(dataDir: string, env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../server/move-files.ts'), ...args], {
    env: { ...process.env, ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { status: status as number, said: stdout + stderr }
}

test(
  'all files move to a bucket and back, each read there, and the product goes on with them',
  { timeout: 300_000 },
  async () => {
    const bucket = await startS3()
    onTestFinished(() => bucket.close())
    const env = s3Environment(bucket)
    const first = await startProduct()
    const { dataDir } = first
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const asked = await (await signIn(first.url, 'admin@demo.example')).call('GET', '/sfs')
    const inAll = (items: Item[]): Item[] =>
      items.flatMap((one) => [one, ...inAll(one.children ?? [])]).filter(({ isFolder }) => !isFolder)
    const [file] = inAll(asked.body.children as Item[])
    expect(file).toBeDefined()
    await first.kill('SIGTERM')
    expect(await move(dataDir, env, '--to', 'tape')).toMatchObject({
      status: 1,
      said: expect.stringContaining('Usage'),
    })
    const onDisk = async () =>
      (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((one) =>
        one.isFile(),
      ).length
    const files = await onDisk()
    expect(files).toBeGreaterThan(2)

    // Without its files the product does not start.
    await expect(startProduct(env, dataDir)).rejects.toThrow('does not have the files')
    expect(await move(dataDir, env, '--to', 's3')).toEqual({
      status: 0,
      said: `${files} files were copied, and 0 were there already. Each was read and has its hash.\n`,
    })
    const again = await move(dataDir, env, '--to', 's3', '--remove')
    expect(again.said).toContain(`0 files were copied, and ${files} were there already.`)
    expect(await onDisk()).toBe(0)

    const second = await startProduct(env, dataDir)
    const { headers } = await signIn(second.url, 'admin@demo.example')
    const response = await fetch(`${second.url}/api/sfs/${file!.id}`, { headers })
    expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(file!.sha256)
    await second.kill('SIGTERM')

    const [key, { bytes }] = [...bucket.objects].find(([name]) => name.startsWith('files/'))!
    bytes[bytes.length - 20]! ^= 1
    const back = await move(dataDir, env, '--to', 'disk')
    expect(back.status).toBe(1)
    expect(back.said).toContain(`${files - 1} files were copied`)
    expect(back.said).toContain(`Missing or damaged, and left where they are: ${key.slice('files/'.length)}`)
    expect(await onDisk()).toBe(files - 1)
  },
)
