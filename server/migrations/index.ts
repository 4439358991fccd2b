import { readdirSync } from 'node:fs'

import type { Migration } from 'kysely/migration'

const names = readdirSync(import.meta.dirname).flatMap((file) => /^(\d{4}-.+)\.ts$/.exec(file)?.[1] ?? [])
const urlOf = (name: string) => new URL(`${name}.ts`, import.meta.url).href

/**
 * All migrations of this folder by the names of their files, which are their order. A landed one is never edited: what it
 * got wrong, the next one mends.
 */
export const migrations: Record<string, Migration> = Object.fromEntries(
  await Promise.all(
    names.sort().map(async (name) => [name, (await import(urlOf(name))) as Migration] as const),
  ),
)
