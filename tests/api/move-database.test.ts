import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'

import { type CommandOptions, rowsOfFolder, runCommand } from '../support/backups.ts'
import { fromTemplate } from '../support/database.ts'
import { type Product, signIn, startProduct } from '../support/product.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

/** A product with the demonstration, on its own database. */
let product: Product
let rows: Map<string, string>
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-move-'))
  product = await startProduct({}, folder)
  await product.stop()
  rows = await rowsOfFolder(folder)
  return () => rm(folder, { recursive: true, force: true })
})

async function emptyServer() {
  const place = await fromTemplate(inject('template'), 'template1')
  onTestFinished(() => place.remove())
  return place.databaseUrl
}
const move = (to: string, databaseUrl: string, more: CommandOptions = {}) =>
  runCommand('move-database', ['--to', to], {
    ...more,
    env: { DATA_DIR: product.dataDir, DATABASE_URL: databaseUrl, DEMO: '0', ...more.env },
  })
const differing = (one: Map<string, string>, other: Map<string, string>) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name))
const databasesIn = async () =>
  (await readdir(product.dataDir)).filter((name) => /^(database|restoring)/.test(name)).toSorted()
/** Removes what moves to a server have kept. */
const deleteMoved = async () => {
  for (const name of await databasesIn())
    if (name.startsWith('database.moved-'))
      await rm(join(product.dataDir, name), { recursive: true, force: true })
}

describe('moving the database', () => {
  test('to a server and back keeps every row, and people sign in there and here', async () => {
    const databaseUrl = await emptyServer()
    const there = await move('server', databaseUrl)
    expect([there.code, there.said]).toEqual([0, expect.stringContaining('every table was compared')])
    expect((await databasesIn()).filter((name) => !name.startsWith('database.moved-'))).toEqual([])
    // Without the server, an empty product must not start in its place.
    await expect(startProduct({}, product.dataDir)).rejects.toThrow('database')
    expect((await move('server', databaseUrl)).said).toContain('is not empty')

    const back = await move('embedded', databaseUrl)
    expect([back.code, back.said]).toEqual([0, expect.stringContaining('every table was compared')])
    expect(differing(rows, await rowsOfFolder(product.dataDir))).toEqual([])

    const server = await startProduct({ DATABASE_URL: databaseUrl, DEMO: '0' }, product.dataDir)
    await signIn(server.url, 'admin@demo.example')
    await server.stop()
    const again = await startProduct({}, product.dataDir)
    await signIn(again.url, 'admin@demo.example')
    await again.stop()
    rows = await rowsOfFolder(product.dataDir)
    await deleteMoved()
  })

  test('refuses in a sentence, and changes nothing', async () => {
    const databaseUrl = await emptyServer()
    const before = await databasesIn()
    expect((await move('elsewhere', databaseUrl)).said).toContain('Usage: npm run move-database')
    expect((await move('server', '')).said).toContain('DATABASE_URL is missing')
    expect((await move('embedded', databaseUrl)).said).toMatch(
      /The data folder .* is not empty. It has 2 organi/,
    )
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const used = await move('server', databaseUrl)
    await client.end()
    expect([used.code, used.said]).toEqual([1, expect.stringContaining('is in use')])
    const running = await startProduct({}, product.dataDir)
    const held = await move('server', databaseUrl)
    await running.stop()
    expect([held.code, held.said]).toEqual([1, expect.stringContaining('already running')])
    rows = await rowsOfFolder(product.dataDir)
    expect(await databasesIn()).toEqual(before)
    expect((await move('server', databaseUrl)).code).toBe(0)
    const other = await mkdtemp(join(tmpdir(), 'muster-move-'))
    onTestFinished(() => rm(other, { recursive: true, force: true }))
    const empty = await move('server', await emptyServer(), { env: { DATA_DIR: other } })
    expect([empty.code, empty.said]).toEqual([1, expect.stringContaining('There is no database in')])
    expect((await move('embedded', databaseUrl)).code).toBe(0)
    await deleteMoved()
  })
})

describe('kill -9 while it moves', () => {
  test.each([0, 500, 1_500])(
    'to a server, after %d ms, leaves the source whole, and the next one goes on',
    async (killAfter) => {
      const databaseUrl = await emptyServer()
      const killFrom = join(product.dataDir, 'restoring')
      await move('server', databaseUrl, { killAfter, killFrom })
      const left = await databasesIn()
      if (left.includes('restoring'))
        await expect(startProduct({}, product.dataDir)).rejects.toThrow(
          'npm run move-database if it was a move',
        )
      if (left.includes('database')) {
        expect(differing(rows, await rowsOfFolder(product.dataDir))).toEqual([])
        // The server notices the lost connection when it writes to it.
        await vi.waitFor(
          async () => {
            const again = await move('server', databaseUrl)
            expect([again.code, again.said]).toEqual([0, expect.stringMatching(/was moved|is ended now/)])
          },
          { timeout: 60_000, interval: 500 },
        )
      }
      const back = await move('embedded', databaseUrl)
      expect([back.code, back.said]).toEqual([0, expect.stringContaining('was moved')])
      expect(differing(rows, await rowsOfFolder(product.dataDir))).toEqual([])
      await deleteMoved()
    },
  )

  test.each([0, 800])(
    'to a folder, after %d ms, leaves the source whole, and the next one goes on',
    async (killAfter) => {
      const databaseUrl = await emptyServer()
      expect((await move('server', databaseUrl)).code).toBe(0)
      const killFrom = join(product.dataDir, 'restoring')
      await move('embedded', databaseUrl, { killAfter, killFrom })
      if (!(await databasesIn()).includes('database'))
        await vi.waitFor(
          async () => {
            const again = await move('embedded', databaseUrl)
            expect([again.code, again.said]).toEqual([0, expect.stringMatching(/was moved|is ended now/)])
          },
          { timeout: 60_000, interval: 500 },
        )
      expect(differing(rows, await rowsOfFolder(product.dataDir))).toEqual([])
      await deleteMoved()
    },
  )
})
