import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import pg from 'pg'

import { bucketShelf } from '../blobs/bucket.ts'
import { diskShelf } from '../blobs/disk.ts'
import { filesFolder } from '../blobs/installation.ts'
import { CannotStart, unusable } from '../core/start-problems.ts'
import type { Settings } from '../core/settings.ts'
import { syncFolder } from '../core/sync-folder.ts'
import { databaseFolder } from '../database/database-folder.ts'
import { makeFolder } from '../database/lock.ts'
import { restoreFolder } from '../database/unfinished-restore.ts'
import { secretPath, writeSecret } from '../security/secrets.ts'
import { describeContents, type Found } from './found.ts'
import { JOBS_SCHEMA } from './tables.ts'
import type { Filling, Target, TargetOptions } from './target.ts'

/** Schemas of the product beside `public`. */
const OWN_SCHEMAS = ['visibility', 'chat', JOBS_SCHEMA]

const idFile = (dataDir: string): string => join(restoreFolder(dataDir), 'id')

export type ServerSettings = Settings & { readonly databaseUrl: string }

/** A database on a server. Everything of it is in one transaction, whose commit is the moment of the restore. */
export async function serverTarget(
  settings: ServerSettings,
  { isMove = false }: TargetOptions = {},
): Promise<Target> {
  const { dataDir, databaseUrl } = settings
  try {
    makeFolder(dataDir)
  } catch (error) {
    throw unusable(dataDir, error)
  }
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {})
  await client.connect()
  try {
    await demandUnused(client)
    if (await wasCommitted(client, dataDir)) {
      await settle(dataDir, isMove)
      return {
        isEndedNow: true,
        found: null,
        open: () => Promise.reject(new Error('It is restored.')),
        close: () => client.end(),
      }
    }
    return {
      isEndedNow: false,
      found: await findInstallation(client, settings, isMove),
      open: () => open(client, settings, isMove),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * Keeps every Muster from starting on the database that has to migrate it, until the session ends.
 * @throws CannotStart while somebody uses it
 */
export async function demandUnused(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock(hashtext('muster schema')) as free`,
  )
  if (!rows[0]!.free || (await isUsed(client)))
    throw new CannotStart(
      'The database of DATABASE_URL is in use. Stop every Muster on it, and other programs, and try again.',
    )
}

/** True while other sessions of the same database exist. */
async function isUsed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  return rows.length > 0
}

/** True when the database has the rows of the restore that has left its folder. */
async function wasCommitted(client: pg.Client, dataDir: string): Promise<boolean> {
  if (!existsSync(idFile(dataDir))) return false
  const { rows } = await client.query<{ said: string | null }>(
    `select obj_description(to_regclass('public.installation'), 'pg_class') as said`,
  )
  return rows[0]!.said === markOf(readFileSync(idFile(dataDir), 'utf8'))
}
const markOf = (id: string): string => `restored ${id}`

/** The last step after the commit. The database that was moved away is kept beside its place. */
async function settle(dataDir: string, isMove: boolean): Promise<void> {
  const moved = databaseFolder(dataDir)
  if (isMove && existsSync(moved)) {
    renameSync(moved, `${moved}.moved-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`)
    for (const name of ['database.sizes', 'database.migrations']) rmSync(join(dataDir, name), { force: true })
  }
  const secret = secretPath(restoreFolder(dataDir))
  if (existsSync(secret)) renameSync(secret, secretPath(dataDir))
  await syncFolder(dataDir)
  rmSync(restoreFolder(dataDir), { recursive: true, force: true })
}

async function findInstallation(
  client: pg.Client,
  { dataDir, s3 }: Settings,
  isMove: boolean,
): Promise<Found | null> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm') and (n.nspname = 'public' or n.nspname = any($1))
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') limit 1`,
    [OWN_SCHEMAS],
  )
  if (rows.length > 0)
    return { place: 'The database of DATABASE_URL', contents: await describeContents(client) }
  // A restore that was broken off has left files; they are written again.
  if (isMove || existsSync(restoreFolder(dataDir))) return null
  const place = `The data folder ${dataDir}`
  const files = filesFolder(dataDir)
  if (!s3 && existsSync(files) && readdirSync(files).length > 0)
    return { place, contents: 'It has files, but the database is empty.' }
  if (existsSync(secretPath(dataDir)))
    return { place, contents: 'It has a secret-key, but the database is empty.' }
  return null
}

/** Drops everything of the product, in the caller's transaction. Programs of extensions stay. */
async function dropAll(client: pg.Client): Promise<void> {
  await client.query(`drop schema if exists ${OWN_SCHEMAS.join(', ')} cascade`)
  const { rows } = await client.query<{ statement: string }>(`
    select format('drop %s if exists %s cascade',
        case relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end, c.oid::regclass) as statement
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    union all
    select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
  for (const { statement } of rows) await client.query(statement)
}

async function open(
  client: pg.Client,
  { dataDir, s3, secretKey }: Settings,
  isMove: boolean,
): Promise<Filling> {
  const id = crypto.randomUUID()
  const folder = restoreFolder(dataDir)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(idFile(dataDir), id, { mode: 0o600, flush: true })
  await syncFolder(dataDir)
  let isCommitted = false
  await client.query('begin')
  await dropAll(client)
  if (!s3) mkdirSync(filesFolder(dataDir), { recursive: true, mode: 0o700 })
  return {
    client,
    shelf: s3 ? bucketShelf(s3) : diskShelf(filesFolder(dataDir)),
    async keepSecret(text) {
      if (!secretKey) await writeSecret(folder, text)
    },
    async commit() {
      await client.query(`comment on table installation is ${pg.escapeLiteral(markOf(id))}`)
      await client.query('commit')
      isCommitted = true
      await client.query('analyze').catch(() => {})
      await settle(dataDir, isMove)
    },
    async abort() {
      // Nothing is left to do but the last step, which the next restore takes.
      if (isCommitted) return
      await client.query('rollback').catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
