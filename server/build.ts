import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Folders and files that the front end is built from. */
const SOURCES = ['src', 'resources', 'providers', 'contract', 'public']
const SINGLE = ['index.html', 'vite.config.ts', 'vite.chunks.ts', 'package-lock.json']

/** Argument of the child process that bundles. */
const BUNDLE = 'bundle'

/** A hash of the sources. Files are read sequentially, which is ten times faster than a thousand parallel reads. */
function fingerprint(): string {
  const paths = SOURCES.filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const path of [...paths, ...SINGLE.map((name) => join(ROOT, name))].sort()) {
    hash.update(path.slice(ROOT.length)).update('\0').update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** Builds the front end into `dist` when its sources have changed since the last build. */
export async function buildWhenOutOfDate(): Promise<void> {
  const stamp = join(ROOT, 'dist', '.built-from')
  const wanted = fingerprint()
  const built = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (built === wanted) return
  console.log('Building the front end, which takes a moment the first time')
  // A child process, because the bundler keeps most of its gigabyte of memory. NODE_ENV is set, because that of a test
  // or shell would bring React's development build, with which all pages stay empty.
  const env = { ...process.env, NODE_ENV: 'production' }
  const [code] = (await once(fork(import.meta.filename, [BUNDLE], { env }), 'exit')) as [number | null]
  if (code !== 0) throw new Error('The front end could not be built.')
  writeFileSync(stamp, wanted)
}

if (import.meta.main && process.argv[2] !== BUNDLE) await buildWhenOutOfDate()
else if (import.meta.main) {
  const { build } = await import('vite')
  // The bundler's hints are for those who change it, not for whoever starts the product.
  await build({ root: ROOT, configFile: join(ROOT, 'vite.config.ts'), logLevel: 'error' })
}
