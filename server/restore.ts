import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

import { runCommand } from './command.ts'
import { ArchiveReader, readDescription } from './kit/backup/archive.ts'
import { embeddedTarget } from './kit/backup/embedded-target.ts'
import type { Found } from './kit/backup/found.ts'
import { findKey } from './kit/backup/keys.ts'
import { demandKnown } from './kit/backup/load.ts'
import { showProgress } from './kit/backup/progress.ts'
import { restoreBackup, verifyBackup } from './kit/backup/read-backup.ts'
import { serverTarget } from './kit/backup/server-target.ts'
import { readSettings } from './kit/core/settings.ts'
import { CannotStart } from './kit/core/start-problems.ts'

const USAGE = `Usage: npm run restore -- FILE [--passphrase-file FILE | --key-file FILE] [--replace [--yes]] [--check]
FILE may be - for standard input. --check reads the backup to its end and restores nothing.`
const MIGRATIONS = join(import.meta.dirname, 'migrations')

/** @throws CannotStart where the target is not empty and nobody agrees to replace it */
async function demandConsent(
  found: Found,
  { replace, yes }: { replace: boolean; yes: boolean },
): Promise<void> {
  const said = `${found.place} is not empty. ${found.contents}`
  if (!replace)
    throw new CannotStart(`${said} Nothing was changed. Restore into an empty one, or add --replace.`)
  console.error(`${said} All of it will be replaced.`)
  if (yes) return
  if (!process.stdin.isTTY)
    throw new CannotStart('Nobody can be asked here: add --yes to replace it. Nothing was changed.')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question('Type yes to replace it: ')
  lines.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CannotStart('Nothing was changed.')
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'passphrase-file': { type: 'string' },
      'key-file': { type: 'string' },
      replace: { type: 'boolean' },
      yes: { type: 'boolean' },
      check: { type: 'boolean' },
    },
  })
  const [from] = positionals
  if (from === undefined || positionals.length > 1) throw new CannotStart(USAGE)
  const settings = readSettings(process.env)
  const key = await findKey({
    passphraseFile: values['passphrase-file'],
    keyFile: values['key-file'],
    isNew: false,
  })
  const source =
    from === '-' ? process.stdin : createReadStream(resolve(from), { highWaterMark: 1024 * 1024 })
  const archive = await ArchiveReader.open(source as AsyncIterable<Buffer>, key).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new CannotStart(`The backup ${from} cannot be read: ${(error as Error).message}.`, { cause: error })
  })
  const description = await readDescription(archive)
  demandKnown(MIGRATIONS, description)
  console.error(`A backup by Muster ${description.version}, of ${description.moment}.`)
  if (values.check) {
    const { entries } = await verifyBackup(archive)
    return console.log(
      `It is whole: each of its ${entries.length.toLocaleString('en')} entries has its hash.`,
    )
  }
  const { databaseUrl } = settings
  const target = await (databaseUrl ? serverTarget({ ...settings, databaseUrl }) : embeddedTarget(settings))
  const progress = showProgress()
  try {
    if (target.isEndedNow)
      return console.log('An earlier restore had read everything. It is ended now: start with npm start.')
    if (target.found)
      await demandConsent(target.found, { replace: values.replace === true, yes: values.yes === true })
    const damaged = await restoreBackup(
      archive,
      description,
      target,
      { settings, migrations: MIGRATIONS },
      progress.report,
    ).finally(progress.end)
    const rows = description.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `Everything of ${description.moment} is restored, and every table was compared: ${rows.toLocaleString('en')} rows and ` +
        `${description.files.count.toLocaleString('en')} files. Start with npm start.`,
    )
    if (damaged.length > 0)
      console.log(`These files were missing or damaged when the backup was made: ${damaged.join(', ')}.`)
  } finally {
    await target.close()
  }
}

await runCommand(main)
// A source that was not read to its end would keep the process.
process.exit()
