import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { ArchiveWriter, type Description, FORMAT } from '#server/kit/backup/archive.ts'
import { blobPathOf } from '#server/kit/blobs/folder.ts'

import {
  type CommandOptions,
  connectedTo,
  PASSPHRASE,
  rowsIn,
  rowsOfFolder,
  runCommand,
} from '../support/backups.ts'
import { formWith } from '../support/attachments.ts'
import { inDatabase, type Product, signIn, socketOf, startProduct } from '../support/product.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const SECRET_TEXT = 'Written before the backup'
const FILE = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
const PASSPHRASE_WRONG = { MUSTER_BACKUP_PASSPHRASE: 'another passphrase' }

/** A running product with a person, a file and a message in the queue; its backup. */
let product: Product
let folder: string
let backup: string
/** Rows at a moment without changes, just before and just after the backup. */
let rows: Map<string, string>

async function freshFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'muster-restore-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}
const restore = (file: string, dataDir: string, args: readonly string[] = [], more: CommandOptions = {}) =>
  runCommand('restore', [file, ...args], { ...more, env: { DATA_DIR: dataDir, DEMO: '0', ...more.env } })

/** Rows of the running product, without sessions' marks that its own work moves. */
const rowsNow = () =>
  connectedTo({ host: socketOf(product.dataDir), user: 'postgres', database: 'postgres' }, rowsIn)

/** A well-encrypted file of these entries. */
async function madeUp(
  description: Description,
  entries: readonly (readonly [name: string, content: string])[],
): Promise<string> {
  const file = join(folder, 'made-up.muster')
  const archive = new ArchiveWriter(description.moment)
  const bytes = await archive.bytes({ passphrase: PASSPHRASE })
  const written = writeFile(file, bytes)
  await archive.add('muster.json', JSON.stringify(description))
  for (const [name, content] of entries) await archive.add(name, content)
  await archive.end([])
  await written
  return file
}

function differing(one: Map<string, string>, other: Map<string, string>): string[] {
  const names = new Set([...one.keys(), ...other.keys()])
  return [...names].filter((name) => one.get(name) !== other.get(name))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-backup-'))
  product = await startProduct()
  const admin = await signIn(product.url, 'admin@demo.example')
  expect(
    (await admin.call('POST', '/contact', [{ name: SECRET_TEXT, email: 'kept@demo.example', list: 'Kept' }]))
      .status,
  ).toBe(201)
  const { 'Content-Type': _, ...headers } = admin.headers
  await fetch(`${product.url}/api/sfs`, { method: 'POST', headers, body: formWith(FILE, 'plan.pdf') })
  // Values that a text format could change.
  await inDatabase(product.dataDir, (client) =>
    client.query(
      `update organisations set display_name = E'Tab\\t, line\\n, \\\\N and “quotes”' where code = 'demo-east'`,
    ),
  )
  // Work that goes on by itself: texts of files, and jobs that are due.
  await vi.waitFor(
    async () => {
      const left = await inDatabase(product.dataDir, (client) =>
        client.query(
          `select from pgboss.job where state in ('created', 'active', 'retry') and start_after <= now()`,
        ),
      )
      expect(left.rows).toHaveLength(0)
    },
    { timeout: 120_000, interval: 200 },
  )
  // The product notes by itself who was active: a backup beside such a change is made again.
  await vi.waitFor(
    async () => {
      backup = join(folder, `${crypto.randomUUID()}.muster`)
      const before = await rowsNow()
      const { code, said } = await runCommand('backup', [backup], { env: { DATA_DIR: product.dataDir } })
      expect([code, said]).toEqual([0, expect.stringContaining('The backup has everything as it was at')])
      rows = await rowsNow()
      expect(differing(before, rows).filter((name) => !name.startsWith('pgboss.'))).toEqual([])
    },
    { timeout: 120_000, interval: 200 },
  )
  return async () => {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

describe('a backup', () => {
  test('beside a product that runs restores every row, sequence and file, and people sign in', async () => {
    const target = await freshFolder()
    const { code, said } = await restore(backup, target)
    expect([code, said]).toEqual([0, expect.stringContaining('every table was compared')])
    expect(await readdir(target)).not.toContain('restoring')
    const restored = await rowsOfFolder(target)
    expect(differing(rows, restored).filter((name) => !name.startsWith('pgboss.'))).toEqual([])
    expect(restored.get('organisations')).toContain('“quotes”')
    expect(restored.get('pgboss.job')!.length).toBeGreaterThan(100)

    const started = await startProduct({ DEMO: '0' }, target)
    onTestFinished(() => started.stop())
    // Nothing is to be migrated, so no copy is kept.
    expect((await readdir(target)).filter((name) => name.startsWith('database.before'))).toEqual([])
    const admin = await signIn(started.url, 'admin@demo.example')
    const { body } = await admin.call('GET', '/contact/asList?query=before')
    expect(JSON.stringify(body)).toContain(SECRET_TEXT)
    const health = await fetch(`${started.url}/health/ready`)
    expect(await health.json()).toEqual({ status: 'ready' })
    const id = await inDatabase(
      target,
      async (client) => (await client.query(`select blob_id from file_versions limit 1`)).rows[0].blob_id,
    )
    expect(await readFile(blobPathOf(join(target, 'files'), id))).toEqual(
      await readFile(blobPathOf(join(product.dataDir, 'files'), id)),
    )
  })

  test('of a product that is stopped, with a key file', async () => {
    const source = await freshFolder()
    expect((await restore(backup, source)).code).toBe(0)
    const [key, file, target] = [join(folder, 'key'), join(folder, 'stopped.muster'), await freshFolder()]
    expect((await runCommand('backup', ['--new-key', key])).code).toBe(0)
    const made = await runCommand('backup', [file, '--key-file', key], { env: { DATA_DIR: source } })
    expect([made.code, made.said]).toEqual([0, expect.stringContaining('rows and')])
    expect(await restore(file, target)).toEqual({
      code: 1,
      said: expect.stringContaining('made with a key file, not with a passphrase'),
    })
    expect((await restore(file, target, ['--key-file', key])).code).toBe(0)
    expect(differing(await rowsOfFolder(source), await rowsOfFolder(target))).toEqual([])
  })

  test('names files that are missing or damaged, and is kept', async () => {
    const source = await freshFolder()
    await restore(backup, source)
    const files = (await readdir(join(source, 'files'), { recursive: true })).filter((name) =>
      /[0-9a-f-]{36}$/.test(name),
    )
    const [missing, damaged] = files as [string, string]
    await rm(join(source, 'files', missing))
    const bytes = await readFile(join(source, 'files', damaged))
    bytes[20]! ^= 1
    await writeFile(join(source, 'files', damaged), bytes)
    const file = join(folder, 'damaged.muster')
    const { code, said } = await runCommand('backup', [file], { env: { DATA_DIR: source } })
    expect(code).toBe(1)
    for (const path of [missing, damaged]) expect(said).toContain(path.slice(-36))
    expect((await restore(file, await freshFolder(), ['--check'])).code).toBe(0)
  })
})

describe('a restore refuses in a sentence, and changes nothing:', () => {
  const refused = async (file: string, sentence: string, more: CommandOptions = {}) => {
    const target = await freshFolder()
    const { code, said } = await restore(file, target, [], more)
    expect([code, said]).toEqual([1, expect.stringContaining(sentence)])
    expect(said).not.toMatch(/\n {4}at /)
    expect((await readdir(target)).filter((name) => name !== 'muster.lock')).toEqual([])
  }

  test('a wrong or short passphrase, or none', async () => {
    await refused(backup, 'The passphrase is not the one of this backup', { env: PASSPHRASE_WRONG })
    await refused(backup, 'at least 12 characters', { env: { MUSTER_BACKUP_PASSPHRASE: 'short' } })
    await refused(backup, 'The passphrase is missing', { env: { MUSTER_BACKUP_PASSPHRASE: '' } })
  })

  test('a file that is cut, at any place', async () => {
    const whole = await readFile(backup)
    // Ends of the encryption's chunks are places, too: the header has 200 bytes or fewer.
    const chunk = whole.indexOf('\n--- ') + 5 + 43 + 1 + 16 + 65_552
    for (const length of [0, 10, 150, 250, chunk, chunk + 1, whole.length - 1]) {
      const file = join(folder, 'cut.muster')
      await writeFile(file, whole.subarray(0, length))
      await refused(file, length < 150 ? 'no backup of Muster' : 'is cut or damaged')
    }
  })

  test('a file with one other byte, or more bytes than it had', async () => {
    const whole = await readFile(backup)
    const file = join(folder, 'flipped.muster')
    for (const at of [400, Math.floor(whole.length / 2), whole.length - 5]) {
      const flipped = Buffer.from(whole)
      flipped[at]! ^= 1
      await writeFile(file, flipped)
      await refused(file, 'is cut or damaged')
    }
    await writeFile(file, whole)
    await appendFile(file, 'more')
    await refused(file, 'is cut or damaged')
  })

  test('a foreign file, and none', async () => {
    const file = join(folder, 'foreign.muster')
    await writeFile(file, Buffer.alloc(300_000, 'a tar, a zip or a letter'))
    await refused(file, 'no backup of Muster')
    await refused(join(folder, 'not-there'), 'cannot be read')
  })

  test('a backup of a newer version', async () => {
    const source = await freshFolder()
    await restore(backup, source)
    const started = await startProduct({ DEMO: '0' }, source)
    await inDatabase(source, (client) => client.query(`insert into schema_files values ('9999-later', 'x')`))
    const file = join(folder, 'newer.muster')
    const made = await runCommand('backup', [file], { env: { DATA_DIR: source } })
    await started.stop()
    expect([made.code, made.said]).toEqual([1, expect.stringContaining('newer version of Muster')])
    expect(await readdir(folder)).not.toContain('newer.muster')
  })

  test('what somebody with the passphrase has made up', async () => {
    const description: Description = {
      format: FORMAT,
      version: '99.0.0',
      moment: '2026-03-01T12:00:00.000Z',
      migrations: ['0001-organisations'],
      jobsVersion: null,
      tables: [{ schema: 'public', name: 'global_config', columns: ['key', 'value'], rows: 1, digest: '7' }],
      sequences: [],
      files: { count: 0, bytes: 0 },
    }
    const table = 'tables/001-public.global_config/000001.copy'
    const [row, secret] = ['maxUsers\t5\n', 'a secret of thirty-two characters']
    for (const [changes, entries, sentence] of [
      [{ migrations: ['0001-organisations', '9999-later'] }, [], 'has the migration 9999-later'],
      [{ format: FORMAT + 1 }, [], 'newer version of Muster (99.0.0)'],
      [{}, [[table, row]], 'global_config is not what the backup says'],
      [{}, [[table, 'no row']], 'The restore failed: missing data for column'],
      [{ tables: [] }, [['files/../../etc', 'x']], 'something that it should not have'],
      [
        { tables: [{ schema: 'public', name: 'users', columns: ['later'], rows: 1, digest: '0' }] },
        [],
        'table public.users does not fit',
      ],
    ] as const)
      await refused(
        await madeUp({ ...description, ...changes }, [['secret-key', secret], ...entries]),
        sentence,
      )
  })

  test('a target that is not empty, until it is told to replace it', async () => {
    const target = await freshFolder()
    await restore(backup, target)
    const before = await rowsOfFolder(target)
    const first = await restore(backup, target)
    expect(first.code).toBe(1)
    expect(first.said).toMatch(
      /is not empty\. It has 2 organisations, \d+ people and \d+ incidents\. The newest event is of/,
    )
    expect((await restore(backup, target, ['--replace'])).said).toContain('add --yes')
    // A wrong backup replaces nothing either.
    const cut = join(folder, 'cut-late.muster')
    const whole = await readFile(backup)
    await writeFile(cut, whole.subarray(0, whole.length - 40))
    expect((await restore(cut, target, ['--replace', '--yes'])).code).toBe(1)
    expect(differing(before, await rowsOfFolder(target))).toEqual([])

    const local = await startProduct({ DEMO: '0' }, target)
    await inDatabase(target, (client) => client.query(`delete from contacts`))
    expect((await restore(backup, target, ['--replace', '--yes'])).said).toContain('already running')
    await local.stop()
    expect((await restore(backup, target, ['--replace', '--yes'])).code).toBe(0)
    expect((await rowsOfFolder(target)).get('contacts')).toBe(rows.get('contacts'))
  })
})

describe('kill -9', () => {
  test('during a restore leaves the target empty, restored, or with a sentence at its start', async () => {
    const outcomes = new Set<string>()
    for (const killAfter of [0, 400, 1_500]) {
      const target = await freshFolder()
      const { code } = await restore(backup, target, [], {
        killAfter,
        killFrom: join(target, 'restoring'),
      })
      const left = await readdir(target)
      if (left.includes('restoring')) {
        const refusal = await startProduct({ DEMO: '0' }, target).then(
          async (started) => {
            await started.stop()
            return 'it started'
          },
          (error: Error) => error.message,
        )
        expect(refusal).toMatch(/was not ended. Run npm run restore again|it started/)
        outcomes.add('unfinished')
      } else outcomes.add(left.includes('database') ? 'restored' : 'empty')
      const again = await restore(backup, target, code === 0 ? ['--replace', '--yes'] : [])
      if (left.includes('database')) continue
      expect([again.code, again.said]).toEqual([0, expect.stringMatching(/is restored|is ended now/)])
      expect((await rowsOfFolder(target)).get('users')).toBe(rows.get('users'))
    }
    expect([...outcomes]).toContain('unfinished')
  })

  test('during a backup leaves no file of its name, and the next one works', async () => {
    for (let round = 0; round < 2; round++) {
      const file = join(folder, `killed-${round}.muster`)
      const { code } = await runCommand('backup', [file], {
        env: { DATA_DIR: product.dataDir },
        killAfter: 300 + Math.random() * 1_200,
      })
      if (code !== 0) {
        expect(await readdir(folder)).not.toContain(`killed-${round}.muster`)
        // The lock of a dead session is free as soon as the server notices.
        await vi.waitFor(
          async () => {
            const next = await runCommand('backup', [file], { env: { DATA_DIR: product.dataDir } })
            expect(next.code).toBe(0)
          },
          { timeout: 30_000 },
        )
      }
      expect((await restore(file, folder, ['--check'])).code).toBe(0)
    }
  })
})
