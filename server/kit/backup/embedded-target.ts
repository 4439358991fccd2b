import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

import { bucketShelf } from '../blobs/bucket.ts'
import { diskShelf } from '../blobs/disk.ts'
import { filesFolder } from '../blobs/installation.ts'
import { unusable } from '../core/start-problems.ts'
import type { Settings } from '../core/settings.ts'
import { syncFolder } from '../core/sync-folder.ts'
import { databaseFolder } from '../database/database-folder.ts'
import { endSurvivor, type LocalDatabase, startLocal } from '../database/local.ts'
import { holdFolder, makeFolder } from '../database/lock.ts'
import { appliedMigrations } from '../database/migrate.ts'
import { draftFolder, isWhole, markWhole, putInPlace, restoreFolder } from '../database/unfinished-restore.ts'
import { noteMigrations } from '../database/update-copy.ts'
import { writeSecret } from '../security/secrets.ts'
import { describeContents, type Found } from './found.ts'
import type { Filling, Target, TargetOptions } from './target.ts'

/** Entries of a data folder that show an installation. */
const SIGNS = ['database', 'files', 'secret-key', 'postgres']

/**
 * Server settings for one load in one transaction: what is lost in a crash is begun again, so rows of new tables need
 * no log.
 */
const LOADING = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  shared_buffers: '256MB',
  autovacuum: 'off',
}

/** A data folder whose database the product starts. The restored installation is built in it, and then put in place. */
export async function embeddedTarget(
  settings: Settings,
  { isMove = false }: TargetOptions = {},
): Promise<Target> {
  const { dataDir } = settings
  try {
    makeFolder(dataDir)
  } catch (error) {
    throw unusable(dataDir, error)
  }
  const hold = await holdFolder(dataDir)
  try {
    if (isWhole(dataDir)) {
      await putInPlace(dataDir)
      return {
        isEndedNow: true,
        found: null,
        open: () => Promise.reject(new Error('It is restored.')),
        close: () => hold.release(),
      }
    }
    await removeDraft(dataDir)
    return {
      isEndedNow: false,
      found: await findInstallation(dataDir, isMove ? ['database'] : SIGNS),
      open: () => openDraft(settings, isMove),
      close: () => hold.release(),
    }
  } catch (error) {
    await hold.release()
    throw error
  }
}

/** Removes what a restore that was broken off has left, with its database. */
async function removeDraft(dataDir: string): Promise<void> {
  if (!existsSync(restoreFolder(dataDir))) return
  await endSurvivor(databaseFolder(draftFolder(dataDir)))
  rmSync(restoreFolder(dataDir), { recursive: true, force: true })
}

async function findInstallation(dataDir: string, signs: readonly string[]): Promise<Found | null> {
  const sign = signs.find((name) => existsSync(join(dataDir, name)))
  if (sign === undefined) return null
  const place = `The data folder ${dataDir}`
  if (!existsSync(databaseFolder(dataDir))) return { place, contents: `It has ${sign}, but no database.` }
  let local: LocalDatabase | undefined
  try {
    local = await startLocal(dataDir)
    return { place, contents: await connected(local, describeContents) }
  } catch (error) {
    // A damaged one is what backups are for.
    return { place, contents: `Its database does not start (${(error as Error).message})` }
  } finally {
    await local?.stop()
  }
}

async function connected<T>(
  { connection }: LocalDatabase,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function openDraft({ dataDir, s3, secretKey }: Settings, isMove: boolean): Promise<Filling> {
  const draft = draftFolder(dataDir)
  mkdirSync(restoreFolder(dataDir), { mode: 0o700 })
  mkdirSync(draft, { mode: 0o700 })
  // The database's own user passes through.
  const local = await startLocal(draft, { settings: LOADING })
  const client = new pg.Client(local.connection)
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  // The draft replaces the entries of the folder, so a move makes no files in it.
  const files = filesFolder(isMove ? dataDir : draft)
  if (!s3) await mkdir(files, { recursive: true, mode: 0o700 })
  return {
    client,
    shelf: s3 ? bucketShelf(s3) : diskShelf(files),
    async keepSecret(text) {
      if (!secretKey) await writeSecret(draft, text)
    },
    async commit() {
      const migrations = await appliedMigrations(client)
      await client.query('commit')
      await client.query('analyze').catch(() => {})
      await client.end()
      await local.stop()
      await noteMigrations(draft, migrations ?? [])
      if (!s3) await syncFolder(files)
      await markWhole(dataDir)
      await putInPlace(dataDir)
    },
    async abort() {
      // Nothing is left to do but the last step, which whoever comes next takes.
      if (isWhole(dataDir)) return
      await client.end().catch(() => {})
      await local.stop().catch(() => {})
      rmSync(restoreFolder(dataDir), { recursive: true, force: true })
    },
  }
}
