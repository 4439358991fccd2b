import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import pg from 'pg'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'

import { holdForBackup } from '#server/kit/database/backup-lock.ts'
import { PROVIDER_ID } from '#server/kit/database/db.ts'
import { keepBlob } from '#server/kit/blobs/blobs.ts'
import { blobPathOf } from '#server/kit/blobs/folder.ts'

import { rowsOfFolder, runCommand } from '../support/backups.ts'
import { fromTemplate } from '../support/database.ts'
import { startProduct } from '../support/product.ts'
import { s3Environment, startS3 } from '../support/s3.ts'
import { type Caller, startTestServer } from '../support/server.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const { anOrganisation, dataDir, inside, services, signedInAs } = await startTestServer()
const databaseUrl = services.settings.databaseUrl!
const folder = await mkdtemp(join(tmpdir(), 'muster-backups-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let made = 0
const newFile = () => join(folder, `${(made += 1)}.muster`)
const organisation = await anOrganisation({ contactsAndMassNotificationsEnabled: true })
const admin = await signedInAs(organisation, 'ADMIN')

const backUp = (file: string) =>
  runCommand('backup', [file], { env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } })

async function emptyServer() {
  const place = await fromTemplate(inject('template'), 'template1')
  onTestFinished(() => place.remove())
  return { ...place, env: { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, DEMO: '0' } }
}

/** Email addresses of the contacts in a database, read as the provider. */
async function contactsIn(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(`begin; set local role muster_provider; set local app.organisation = '${PROVIDER_ID}'`)
    return (await client.query<{ email: string }>('select email from contacts')).rows.map(
      ({ email }) => email,
    )
  } finally {
    await client.end()
  }
}

/** Writes contacts one after the other until told to stop. Returns the addresses with the time of their answer. */
function writing(who: Caller) {
  const over = new AbortController()
  const acknowledged: { email: string; at: number }[] = []
  const done = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const email = `load-${crypto.randomUUID()}-${n}@example.org`
      const { status } = await who.post('/contact', [{ name: 'Load', email, list: 'Load' }])
      if (status < 300) acknowledged.push({ email, at: Date.now() })
    }
  })()
  return async () => {
    over.abort()
    await done
    return acknowledged
  }
}

describe('a backup of a database on a server', () => {
  test('under load has all that was acknowledged before its moment, and restores to another server', async () => {
    const writers = [writing(admin), writing(admin), writing(admin)]
    const file = newFile()
    const { code, said } = await backUp(file)
    const acknowledged = (await Promise.all(writers.map((stop) => stop()))).flat()
    expect([code, said]).toEqual([0, expect.stringContaining('as it was at')])
    const moment = Date.parse(/as it was at (\S+):/.exec(said)![1]!)

    const { env, databaseUrl: restoredUrl } = await emptyServer()
    const restored = await runCommand('restore', [file], { env })
    expect([restored.code, restored.said]).toEqual([0, expect.stringContaining('every table was compared')])
    const contacts = new Set(await contactsIn(restoredUrl))
    const before = acknowledged.filter(({ at }) => at < moment)
    expect(before.length).toBeGreaterThan(3)
    expect(acknowledged.length).toBeGreaterThan(before.length)
    expect(before.filter(({ email }) => !contacts.has(email))).toEqual([])

    // It is an installation that starts, and one that is not overwritten by mistake.
    const product = await startProduct(env, env.DATA_DIR)
    onTestFinished(() => product.stop())
    expect((await fetch(`${product.url}/health/ready`)).status).toBe(200)
    const again = await runCommand('restore', [file, '--replace', '--yes'], { env })
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('is in use')])
  })

  test('restores to a database of the product’s own, and back over what is there', async () => {
    const file = newFile()
    expect((await backUp(file)).code).toBe(0)
    const own = await mkdtemp(join(tmpdir(), 'muster-restore-'))
    onTestFinished(() => rm(own, { recursive: true, force: true }))
    expect((await runCommand('restore', [file], { env: { DATA_DIR: own, DATABASE_URL: '' } })).code).toBe(0)
    const rows = await rowsOfFolder(own)
    expect(rows.get('users')).toContain(admin.email)

    const second = newFile()
    const { code } = await runCommand('backup', [second], { env: { DATA_DIR: own, DATABASE_URL: '' } })
    expect(code).toBe(0)
    const { env, databaseUrl: restoredUrl } = await emptyServer()
    expect((await runCommand('restore', [second], { env })).code).toBe(0)
    const refused = await runCommand('restore', [file], { env })
    expect([refused.code, refused.said]).toEqual([
      1,
      expect.stringContaining('is not empty. It has 1 organisation'),
    ])
    const replaced = await runCommand('restore', [file, '--replace', '--yes'], { env })
    expect([replaced.code, replaced.said]).toEqual([0, expect.stringContaining('is restored')])
    expect((await contactsIn(restoredUrl)).toSorted()).toEqual((await contactsIn(databaseUrl)).toSorted())
  })

  test('restores files into a bucket, and out of it', async () => {
    const stored = await services.blobs.write(organisation.id, Readable.from(['kept in a bucket']))
    await inside(organisation, (db) => keepBlob(db, stored))
    const s3 = await startS3()
    onTestFinished(() => s3.close())
    const [file, second] = [newFile(), newFile()]
    expect((await backUp(file)).code).toBe(0)
    const { env } = await emptyServer()
    const bucketEnv = { ...env, ...s3Environment(s3) }
    expect((await runCommand('restore', [file], { env: bucketEnv })).code).toBe(0)
    expect([...s3.objects.keys()]).toContain(`files/${stored.id}`)
    expect((await runCommand('backup', [second], { env: bucketEnv })).said).toContain('everything as it was')

    const other = await emptyServer()
    const foreign = { ...other.env, ...s3Environment(s3) }
    s3.objects.delete('installation')
    const refused = await runCommand('restore', [second], { env: foreign })
    expect([refused.code, refused.said]).toEqual([
      1,
      expect.stringContaining('Set S3_BUCKET to an empty one'),
    ])
    expect((await runCommand('restore', [second], { env: other.env })).code).toBe(0)
    expect(await readFile(blobPathOf(join(other.env.DATA_DIR, 'files'), stored.id))).toEqual(
      await readFile(blobPathOf(join(dataDir, 'files'), stored.id)),
    )
  })

  test('refuses another SECRET_KEY than the backup has', async () => {
    const file = newFile()
    await backUp(file)
    const { env } = await emptyServer()
    const SECRET_KEY = 'another secret of at least 32 characters'
    const { code, said } = await runCommand('restore', [file], { env: { ...env, SECRET_KEY } })
    expect([code, said]).toEqual([
      1,
      expect.stringContaining('is not the one that this backup was made under'),
    ])
    expect(await readdir(env.DATA_DIR)).toEqual([])
    expect((await runCommand('restore', [file], { env })).code).toBe(0)
  })
})

describe('kill -9 during a restore to a server', () => {
  test('leaves the database empty or restored, and the start says what is unfinished', async () => {
    const file = newFile()
    await backUp(file)
    const outcomes = new Set<string>()
    for (const killAfter of [0, 300, 1_200]) {
      const { env, databaseUrl: restoredUrl } = await emptyServer()
      const { code } = await runCommand('restore', [file], {
        env,
        killAfter,
        killFrom: join(env.DATA_DIR, 'restoring'),
      })
      const isUnfinished = (await readdir(env.DATA_DIR)).includes('restoring')
      outcomes.add(isUnfinished ? 'unfinished' : code === 0 ? 'restored' : 'empty')
      if (isUnfinished)
        await expect(startProduct(env, env.DATA_DIR)).rejects.toThrow('Run npm run restore again')
      if (code === 0) continue
      // The server notices the lost connection when it writes to it.
      await vi.waitFor(
        async () => {
          const again = await runCommand('restore', [file], { env })
          expect([again.code, again.said]).toEqual([0, expect.stringMatching(/is restored|is ended now/)])
        },
        { timeout: 60_000, interval: 500 },
      )
      expect(await contactsIn(restoredUrl)).toHaveLength((await contactsIn(databaseUrl)).length)
    }
    expect([...outcomes]).toContain('unfinished')
  })
})

describe('while a backup runs', () => {
  test('stored files stay, and go when it has ended', async () => {
    const stored = await services.blobs.write(organisation.id, Readable.from(['to be deleted']))
    await inside(organisation, (db) => keepBlob(db, stored))
    const path = blobPathOf(join(dataDir, 'files'), stored.id)
    const backup = new pg.Client(databaseUrl)
    await backup.connect()
    expect(await holdForBackup(backup)).toBe(true)
    const second = await backUp(newFile())
    expect([second.code, second.said]).toEqual([1, expect.stringContaining('Another backup')])
    await inside(organisation, (db) => db.deleteFrom('blobs').where('id', '=', stored.id).execute())
    await services.blobs.remove(organisation.id, stored.id)
    expect((await readFile(path)).length).toBeGreaterThan(0)
    await backup.end()
    await vi.waitFor(async () => {
      await services.blobs.remove(organisation.id, stored.id)
      await expect(readFile(path)).rejects.toThrow('ENOENT')
    })
  })
})
