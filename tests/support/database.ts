import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { type LocalDatabase, startLocal } from '#server/kit/database/local.ts'
import { migrate } from '#server/kit/database/migrate.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../server/migrations')

/** A server with the database `muster_template`, migrated once per run; every test file starts from a copy. */
export interface Template {
  readonly serverUrl: string
}

/** No durability, because the data is only needed during the run. */
const FAST = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' }

/** URL of a database by the folder of its socket. */
const urlOf = ({ host, user, database }: LocalDatabase['connection']): string =>
  `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

async function startServer(): Promise<{ serverUrl: string; stop: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { serverUrl: given, stop: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'muster-server-'))
  const local = await startLocal(folder, { settings: FAST })
  await onServer(urlOf(local.superuser), (client) =>
    client.query(`alter role ${local.connection.user} createdb`),
  )
  return {
    serverUrl: urlOf(local.connection),
    stop: async () => {
      await local.stop()
      await rm(folder, { recursive: true })
    },
  }
}

export async function makeTemplate(): Promise<{ template: Template; stop: () => Promise<void> }> {
  const { serverUrl, stop } = await startServer()
  await onServer(serverUrl, async (client) => {
    await client.query('drop database if exists muster_template')
    await client.query('create database muster_template')
  })
  await migrate({ connectionString: databaseUrl(serverUrl, 'muster_template') }, MIGRATIONS)
  return { template: { serverUrl }, stop }
}

/** A data folder and a database for one test file alone; `template1` is an empty database. */
export async function fromTemplate(
  { serverUrl }: Template,
  source: 'muster_template' | 'template1' = 'muster_template',
): Promise<{ dataDir: string; databaseUrl: string; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-test-'))
  const name = `muster_test_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, (client) => client.query(`create database ${name} template ${source}`))
  return {
    dataDir,
    databaseUrl: databaseUrl(serverUrl, name),
    remove: async () => {
      await rm(dataDir, { recursive: true, force: true })
      await onServer(serverUrl, async (client) => {
        // Not `with (force)`, which fails while autovacuum runs, because an ordinary role may not terminate
        // it. Without `force` the server cancels autovacuum itself.
        await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
          [name],
        )
        await client.query(`drop database ${name}`)
      })
    },
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
