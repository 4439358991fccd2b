import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import pg from 'pg'

import { runCommand } from './command.ts'
import { embeddedTarget } from './kit/backup/embedded-target.ts'
import { moveRows } from './kit/backup/move-rows.ts'
import { showProgress } from './kit/backup/progress.ts'
import { demandUnused, type ServerSettings, serverTarget } from './kit/backup/server-target.ts'
import type { Target } from './kit/backup/target.ts'
import { readSettings } from './kit/core/settings.ts'
import { CannotStart } from './kit/core/start-problems.ts'
import { databaseFolder } from './kit/database/database-folder.ts'
import { startLocal } from './kit/database/local.ts'
import { holdFolder } from './kit/database/lock.ts'
import type { Undo } from './start.ts'

const USAGE = `Usage: npm run move-database -- --to server|embedded
DATABASE_URL names the server, DATA_DIR the data folder with the embedded database. Files and the secret stay there.`
const MIGRATIONS = join(import.meta.dirname, 'migrations')
const AFTERWARDS = {
  server:
    'Start with DATABASE_URL. The embedded database is kept as database.moved-… in the data folder: delete it once you are content.',
  embedded:
    'Start without DATABASE_URL. The database on the server is as it was: drop it once you are content, and start no Muster on it.',
}

interface Source {
  readonly client: pg.Client
  /** Ends the connection, and the database where it was started for this. */
  end(): Promise<void>
}

async function connected(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  // The statement that loses its connection throws as well.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The embedded database, in a folder that is held already. */
async function embeddedSource(dataDir: string): Promise<Source> {
  if (!existsSync(databaseFolder(dataDir)))
    throw new CannotStart(`There is no database in ${dataDir}. Set DATA_DIR to the data folder.`)
  const local = await startLocal(dataDir)
  const client = await connected(local.connection)
  return { client, end: () => client.end().finally(() => local.stop()) }
}

async function serverSource(databaseUrl: string): Promise<Source> {
  const client = await connected({ connectionString: databaseUrl })
  try {
    await demandUnused(client)
  } catch (error) {
    await client.end()
    throw error
  }
  return { client, end: () => client.end() }
}

/** Copies everything into the target, and puts it in its place. */
async function move(target: Target, from: () => Promise<Source>, isUnused: boolean): Promise<number> {
  if (target.found)
    throw new CannotStart(
      `${target.found.place} is not empty. ${target.found.contents} Nothing was changed. Move into an empty one.`,
    )
  const source = await from()
  let isOpen = true
  const close = async () => {
    if (isOpen) await source.end()
    isOpen = false
  }
  const progress = showProgress()
  try {
    const filling = await target.open()
    try {
      const rows = await moveRows(source.client, filling, MIGRATIONS, progress.report)
      // Somebody who came while it was copied may have written.
      if (!isUnused) await demandUnused(source.client)
      await close()
      await filling.commit()
      return rows
    } catch (error) {
      await filling.abort()
      throw error
    }
  } finally {
    progress.end()
    await close()
  }
}

async function main(undo: Undo): Promise<void> {
  const { values } = parseArgs({ options: { to: { type: 'string' } } })
  const { to } = values
  if (to !== 'server' && to !== 'embedded') throw new CannotStart(USAGE)
  const settings = readSettings(process.env)
  const { databaseUrl, dataDir } = settings
  if (!databaseUrl)
    throw new CannotStart('DATABASE_URL is missing: it says where the database is moved to, or from.')
  const onServer: ServerSettings = { ...settings, databaseUrl }
  if (to === 'server') {
    const hold = await holdFolder(dataDir)
    undo.push(() => hold.release())
  }
  const target = await (to === 'server'
    ? serverTarget(onServer, { isMove: true })
    : embeddedTarget(settings, { isMove: true }))
  undo.push(() => target.close())
  if (target.isEndedNow)
    return console.log(`An earlier move had copied everything. It is ended now. ${AFTERWARDS[to]}`)
  const from = () => (to === 'server' ? embeddedSource(dataDir) : serverSource(databaseUrl))
  const rows = await move(target, from, to === 'server')
  console.log(
    `Every row was moved, and every table was compared: ${rows.toLocaleString('en')} rows. ${AFTERWARDS[to]}`,
  )
}

await runCommand(main)
