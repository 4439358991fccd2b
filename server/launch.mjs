import module from 'node:module'
import { join } from 'node:path'

/** Older versions of Node neither strip types nor have a compile cache. */
const OLDEST = 24
if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  console.error(
    `Muster needs Node ${OLDEST} or newer, and this is Node ${process.versions.node}. Start it with npm start: that uses the Node that npm ci has installed.`,
  )
  process.exit(1)
}

// Set before any module loads, which is why this file is JavaScript: cached modules need no type stripping. That halves
// the start and saves the stripper's 25 MB in each thread.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/muster')
module.enableCompileCache()
await import('./main.ts')
