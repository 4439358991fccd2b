import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of the product, from its package: what the browser compares itself with (foundation §9). */
export const VERSION = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string }
).version
