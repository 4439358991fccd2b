import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** What the front end is built from. */
const SOURCES = ['src', 'resources', 'providers', 'contract', 'public']
const SINGLE = ['index.html', 'vite.config.ts', 'package-lock.json']

async function fingerprint(): Promise<string> {
  const lists = await Promise.all(
    SOURCES.filter((folder) => existsSync(join(ROOT, folder))).map((folder) =>
      readdir(join(ROOT, folder), { recursive: true, withFileTypes: true }),
    ),
  )
  const paths = lists
    .flat()
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const path of [...paths, ...SINGLE.map((name) => join(ROOT, name))].sort()) {
    hash
      .update(path.slice(ROOT.length))
      .update('\0')
      .update(await readFile(path))
  }
  return hash.digest('hex')
}

/** Builds the front end into `dist` when its sources have changed since the last build. */
export async function buildWhenOutOfDate(): Promise<void> {
  const stamp = join(ROOT, 'dist', '.built-from')
  const wanted = await fingerprint()
  const built = existsSync(stamp) ? await readFile(stamp, 'utf8') : ''
  if (built === wanted) return
  console.log('Building the front end, which takes a moment the first time')
  // In a child process, because the bundler keeps most of its gigabyte of memory.
  const [code] = (await once(fork(import.meta.filename), 'exit')) as [number | null]
  if (code !== 0) throw new Error('The front end could not be built.')
  await writeFile(stamp, wanted)
}

if (import.meta.main) {
  const { build } = await import('vite')
  await build({ root: ROOT, configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn' })
}
