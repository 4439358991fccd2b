import { execFile } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const INSTALLED = '/usr/lib/postgresql'

/** A PostgreSQL server of its own in a temporary folder, reached only through a unix socket. */
export interface Cluster {
  /** Where its socket is. */
  readonly folder: string
  readonly url: string
  /** For who is not bound by row-level security. */
  readonly superuserUrl: string
  /** Ends it as a failure of power would, and starts it again. */
  crash(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/** The server's URL by its socket folder. */
export const urlAt = (folder: string): string => `postgresql://muster:muster@localhost/muster?host=${folder}`

/** The newest installed server's programs; null where none is installed. */
function programs(): string | null {
  if (!existsSync(INSTALLED)) return null
  const versions = readdirSync(INSTALLED).toSorted((a, b) => Number(b) - Number(a))
  const found = versions.map((version) => join(INSTALLED, version, 'bin'))
  return found.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/** Starts a server with its own defaults; null where PostgreSQL is not installed. */
export async function startCluster(): Promise<Cluster | null> {
  const bin = programs()
  if (!bin) return null
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-pg-'))
  const data = join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  // The server refuses to run as root, so its own user does it.
  const program = async (name: string, ...args: string[]) => {
    const path = join(bin, name)
    if (isRoot) await run('runuser', ['-u', 'postgres', '--', path, ...args], { cwd: folder })
    else await run(path, args, { cwd: folder })
  }
  if (isRoot) {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => run('id', [flag, 'postgres'])))
    chownSync(folder, Number(uid!.stdout), Number(gid!.stdout))
  }
  const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c max_connections=100`
  const log = join(folder, 'log')
  const start = () => program('pg_ctl', '-D', data, '-w', '-s', '-l', log, '-o', options, 'start')
  const stop = (mode: 'fast' | 'immediate') => program('pg_ctl', '-D', data, '-w', '-s', '-m', mode, 'stop')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await program('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-instructions')
    await start()
    const psql = (sql: string) => program('psql', '-h', folder, '-U', 'postgres', '-qc', sql)
    // Row-level security binds only those who are not superusers.
    await psql("create role muster login createdb createrole password 'muster'")
    await psql('create database muster owner muster')
  } catch (error) {
    await stop('immediate').catch(() => {})
    await remove()
    throw error
  }
  return {
    folder,
    url: urlAt(folder),
    superuserUrl: urlAt(folder).replace('muster:muster', 'postgres'),
    crash: () => stop('immediate'),
    restart: start,
    stop: async () => {
      await stop('fast').catch(() => stop('immediate'))
      await remove()
    },
  }
}
