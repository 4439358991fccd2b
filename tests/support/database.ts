import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { startEmbedded } from '#server/kit/database/embedded.ts'
import { migrate } from '#server/kit/database/migrate.ts'
import { migrations } from '#server/migrations/index.ts'

/** Migrated once per run; every test file starts from a copy. */
export interface Template {
  /** A data folder with a migrated embedded database, or null when the tests run on a server. */
  readonly folder: string | null
  /** A server that holds the database `muster_template`, or null when the tests run embedded. */
  readonly serverUrl: string | null
}

export async function makeTemplate(): Promise<{ template: Template; remove: () => Promise<void> }> {
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? null
  if (serverUrl) {
    await onServer(serverUrl, async (client) => {
      await client.query('drop database if exists muster_template')
      await client.query('create database muster_template')
    })
    await migrate({ connectionString: databaseUrl(serverUrl, 'muster_template') }, migrations)
    return { template: { folder: null, serverUrl }, remove: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), 'muster-template-'))
  const embedded = await startEmbedded(folder)
  await migrate(embedded.connection, migrations)
  await embedded.stop()
  return { template: { folder, serverUrl: null }, remove: () => rm(folder, { recursive: true }) }
}

/** A data folder, and a database URL when the tests run on a server, for one test file alone. */
export async function fromTemplate(
  template: Template,
): Promise<{ dataDir: string; databaseUrl: string | null; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-test-'))
  if (template.folder) cpSync(template.folder, dataDir, { recursive: true })
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const { serverUrl } = template
  if (!serverUrl) return { dataDir, databaseUrl: null, remove }
  const name = `muster_test_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, (client) => client.query(`create database ${name} template muster_template`))
  return {
    dataDir,
    databaseUrl: databaseUrl(serverUrl, name),
    remove: async () => {
      await remove()
      await onServer(serverUrl, async (client) => {
        // Not `with (force)`: that fails when the server is just vacuuming, which a role like ours may not end. Without it
        // the server sends its own vacuum away by itself.
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
