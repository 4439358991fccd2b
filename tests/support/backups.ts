import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import pg from 'pg'
import { vi } from 'vitest'

import { startLocal } from '#server/kit/database/local.ts'

const ROOT = join(import.meta.dirname, '../..')
export const PASSPHRASE = 'a passphrase of tests'

export interface Ended {
  /** Null after a signal. */
  readonly code: number | null
  readonly said: string
}
export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Ends the process by SIGKILL after these milliseconds, counted from the time at which `killFrom` exists. */
  readonly killAfter?: number
  readonly killFrom?: string
}

/** Runs a command of the operator in a process of its own. */
export async function runCommand(
  name: 'backup' | 'restore' | 'move-database',
  args: readonly string[],
  { env = {}, killAfter, killFrom }: CommandOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [join(ROOT, `server/${name}.ts`), ...args], {
    cwd: ROOT,
    env: { ...process.env, MUSTER_BACKUP_PASSPHRASE: PASSPHRASE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += String(chunk)
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  if (killAfter !== undefined) {
    const begun = () => {
      if (killFrom !== undefined && !existsSync(killFrom)) throw new Error(`${name} has not begun: ${said}`)
    }
    const reached = vi.waitFor(begun, { timeout: 60_000, interval: 5 })
    await Promise.race([ended, reached.then(() => wait(killAfter))])
    child.kill('SIGKILL')
  }
  return { code: await ended, said }
}

/** The rows of every table as sorted texts, read without the code of backups. A superuser sees them all. */
export async function rowsIn(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`set timezone = 'UTC'`)
  const tables = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname not in ('schema_files') and c.oid::regclass::text <> 'pgboss.version'`,
  )
  const rows = new Map<string, string>()
  for (const { name } of tables.rows) {
    const found = await client.query<{ text: string }>(
      `select coalesce(string_agg(t::text, E'\\n' order by t::text collate "C"), '') as text from ${name} t`,
    )
    rows.set(name, found.rows[0]!.text)
  }
  const sequences = await client.query(
    `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`,
  )
  rows.set('sequences', JSON.stringify(sequences.rows))
  return rows
}

/** The rows of a stopped data folder. */
export async function rowsOfFolder(dataDir: string): Promise<Map<string, string>> {
  const local = await startLocal(dataDir)
  try {
    return await connectedTo(local.superuser, rowsIn)
  } finally {
    await local.stop()
  }
}

export async function connectedTo<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
