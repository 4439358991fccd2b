import { sql } from 'kysely'

import type { Config, ConfigKey, ConfigValue } from '#contract/config/catalogue.ts'
import type { ConfigItem } from '#contract/config-items/schema.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'

/** The values of an organisation and the global ones. */
export interface Overrides {
  readonly organisation: Partial<Config>
  readonly global: Partial<Config>
}

const GLOBAL = sql<Partial<Config> | null>`(select jsonb_object_agg(key, value) from global_config)`

/** The values of the opened organisation, with its row locked until the transaction ends. */
export async function holdOverrides(db: OrgDb): Promise<Overrides> {
  const row = await db
    .selectFrom('organisations')
    .select('config')
    .where(sql<boolean>`id = current_organisation()`)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { organisation: row.config, global: await findGlobal(db) }
}

export async function findOverrides(db: OrgDb): Promise<Overrides> {
  const row = await db
    .selectFrom('organisations')
    .select(['config', GLOBAL.as('global')])
    .where(sql<boolean>`id = current_organisation()`)
    .executeTakeFirstOrThrow()
  return { organisation: row.config, global: row.global ?? {} }
}

export async function findGlobal(db: OrgDb | ProviderDb): Promise<Partial<Config>> {
  const { rows } = await sql<{ values: Partial<Config> | null }>`select ${GLOBAL} as values`.execute(db)
  return rows[0]?.values ?? {}
}

/** Sets the opened organisation's value of an item, or removes it (null). */
export async function updateOverride(db: OrgDb, key: ConfigKey, value: ConfigValue | null): Promise<void> {
  const config =
    value === null
      ? sql`config - ${key}::text`
      : sql`config || jsonb_build_object(${key}::text, ${JSON.stringify(value)}::jsonb)`
  await sql`update organisations set config = ${config} where id = current_organisation()`.execute(db)
}

/** Locks the global values until the transaction ends. */
export async function holdGlobal(db: ProviderDb): Promise<Partial<Config>> {
  await sql`select pg_advisory_xact_lock(hashtextextended('global configuration', 0))`.execute(db)
  return findGlobal(db)
}

/** Sets an item's global value, or removes it (null), and notifies the other processes. */
export async function updateGlobal(db: ProviderDb, key: ConfigKey, value: ConfigValue | null): Promise<void> {
  if (value === null) await db.deleteFrom('global_config').where('key', '=', key).execute()
  else
    await sql`insert into global_config (key, value) values (${key}, ${JSON.stringify(value)}::jsonb)
      on conflict (key) do update set value = excluded.value`.execute(db)
  await sql`select pg_notify('muster_configuration', ${key})`.execute(db)
}

/** Number of organisations with a value of their own, by key. */
export async function countDiffering(db: ProviderDb): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ key: string; count: number }>`
    select own.key, count(*) as count from organisations o, jsonb_each(o.config) own
     where o.deleted_timestamp is null and own.value <> 'null'::jsonb group by own.key`.execute(db)
  return new Map(rows.map(({ key, count }) => [key, count]))
}

/** The last changes of items in the log of the opened organisation, by key. */
export async function findLastChanges(
  db: OrgDb,
): Promise<ReadonlyMap<string, NonNullable<ConfigItem['lastChange']>>> {
  const { rows } = await sql<{ key: string; by: string; timestamp: string }>`
    select distinct on (record) record as key, actor ->> 'name' as by, at as timestamp from events
     where noun = 'config-items' order by record, sequence desc`.execute(db)
  return new Map(rows.map(({ key, by, timestamp }) => [key, { by, timestamp }]))
}
