import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The product's version from its package, which browsers compare with their own (foundation §9). */
export const VERSION = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string }
).version
