import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { generateX25519Identity, identityToRecipient } from 'age-encryption'

import { runCommand } from './command.ts'
import { type BackupKey, findKey } from './kit/backup/keys.ts'
import { showProgress } from './kit/backup/progress.ts'
import { type Made, writeBackup } from './kit/backup/write-backup.ts'
import { bucketShelf } from './kit/blobs/bucket.ts'
import { diskShelf } from './kit/blobs/disk.ts'
import { filesFolder } from './kit/blobs/installation.ts'
import { readSettings, type Settings } from './kit/core/settings.ts'
import { CannotStart } from './kit/core/start-problems.ts'
import { syncFolder } from './kit/core/sync-folder.ts'
import { reachDatabase } from './kit/database/reach-database.ts'
import { keyOf, readSecretText, secretPath } from './kit/security/secrets.ts'
import type { Undo } from './start.ts'

const USAGE = `Usage: npm run backup -- FILE [--passphrase-file FILE | --key-file FILE]
       npm run backup -- --new-key FILE
FILE may be - for standard output.`
const MIGRATIONS = join(import.meta.dirname, 'migrations')

/** Makes a key file of age. @throws CannotStart where the file exists */
async function makeKey(path: string): Promise<void> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  try {
    writeFileSync(path, `# public key: ${recipient}\n${identity}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    throw new CannotStart(`The key file ${path} cannot be written: ${(error as Error).message}.`, {
      cause: error,
    })
  }
  console.log(
    `${path} opens the backups that are made with it. Keep a copy where the backups are not: without it they are lost.\n` +
      `A file with only its public key makes backups and opens none:\n${recipient}`,
  )
}

/** @throws CannotStart where it is missing, as it is when files are on another machine */
async function findSecret({ secretKey, dataDir }: Settings): Promise<{ text: string; key: Buffer }> {
  const text = await readSecretText(secretKey, dataDir)
  if (text === null)
    throw new CannotStart(
      `The file ${secretPath(dataDir)} is missing, and SECRET_KEY is not set: without the secret no stored file could be read again.`,
    )
  return { text, key: keyOf(text) }
}

type Write = (bytes: Uint8Array) => Promise<unknown>

async function toStandardOutput(work: (write: Write) => Promise<Made>): Promise<Made> {
  return work(async (bytes) => {
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
  })
}

/** Writes beside the file, and renames it when all is on the disk. */
async function toFile(path: string, work: (write: Write) => Promise<Made>): Promise<Made> {
  if (existsSync(path)) throw new CannotStart(`There is a file ${path} already. Nothing was done.`)
  const partial = `${path}.partial`
  const unwritable = (error: unknown) =>
    new CannotStart(`The backup ${path} cannot be written: ${(error as Error).message}.`, { cause: error })
  const file = await open(partial, 'w', 0o600).catch((error: unknown) => {
    throw unwritable(error)
  })
  const remove = () => rmSync(partial, { force: true })
  process.once('exit', remove)
  try {
    const made = await work((bytes) =>
      // Unlike `write`, which may write a part.
      file.appendFile(bytes).catch((error: unknown) => {
        throw unwritable(error)
      }),
    )
    await file.sync()
    await file.close()
    await rename(partial, path)
    await syncFolder(dirname(path))
    return made
  } catch (error) {
    await file.close().catch(() => {})
    remove()
    throw error
  } finally {
    process.off('exit', remove)
  }
}

async function main(undo: Undo): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'passphrase-file': { type: 'string' },
      'key-file': { type: 'string' },
      'new-key': { type: 'string' },
    },
  })
  if (values['new-key'] !== undefined) return makeKey(resolve(values['new-key']))
  const [to] = positionals
  if (to === undefined || positionals.length > 1) throw new CannotStart(USAGE)
  if (to === '-' && process.stdout.isTTY)
    throw new CannotStart('A backup is no text for a terminal. Redirect the output, or name a file.')
  const settings = readSettings(process.env)
  const key: BackupKey = await findKey({
    passphraseFile: values['passphrase-file'],
    keyFile: values['key-file'],
    isNew: true,
  })
  const secret = await findSecret(settings)
  const { connection, stop } = await reachDatabase(settings)
  undo.push(stop)
  const shelf = settings.s3 ? bucketShelf(settings.s3) : diskShelf(filesFolder(settings.dataDir))
  const progress = showProgress()
  const work = (write: Write) =>
    writeBackup({ connection, migrations: MIGRATIONS, secret, shelf, key }, write, progress.report)
  const made = await (to === '-' ? toStandardOutput(work) : toFile(resolve(to), work)).finally(progress.end)
  // Standard output may be the backup.
  console.error(
    `The backup has everything as it was at ${made.moment}: ${made.rows.toLocaleString('en')} rows and ` +
      `${made.files.toLocaleString('en')} files, ${Math.ceil(made.bytes / 1e6).toLocaleString('en')} MB.`,
  )
  if (made.damaged.length === 0) return
  console.error(
    `It was kept, although these stored files are missing or damaged: ${made.damaged.join(', ')}. ` +
      'Look for them in an older backup.',
  )
  process.exitCode = 1
}

await runCommand(main)
