import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import type { API_KEY_SORT_FIELDS, apiKeysApi } from '#contract/api-keys/api.ts'
import type { Config } from '#contract/config/catalogue.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    api_keys: {
      id: string
      name: string
      key_hash: Buffer
      visible_key_part: string
      ip_address_restricted: boolean
      allowed_ip_addresses: string[]
      number_of_requests_made: number
      last_used_timestamp: string | null
      expires_timestamp: string | null
      created_by: string
      create_timestamp: string
    }
  }
}

const SHOWN = [
  'id',
  'name',
  'visible_key_part as visibleKeyPart',
  'ip_address_restricted as ipAddressRestricted',
  'allowed_ip_addresses as allowedIpAddresses',
  'number_of_requests_made as numberOfRequestsMade',
  'last_used_timestamp as lastUsedTimestamp',
  'expires_timestamp as expiresTimestamp',
  'create_timestamp as createTimestamp',
] as const

/** A key as it is shown: everything but its hash. */
export interface ShownKey {
  id: string
  name: string
  visibleKeyPart: string
  ipAddressRestricted: boolean
  allowedIpAddresses: string[]
  numberOfRequestsMade: number
  lastUsedTimestamp: string | null
  expiresTimestamp: string | null
  createTimestamp: string
}

/** The key behind a request, with its organisation. */
export interface KeyRow {
  readonly key_id: string
  readonly name: string
  readonly ip_address_restricted: boolean
  readonly allowed_ip_addresses: readonly string[]
  readonly expires_timestamp: string | null
  readonly organisation_id: string
  readonly code: string
  readonly display_name: string
  readonly config: Partial<Config>
  readonly global_config: Partial<Config> | null
}

/**
 * Finds a key by its hash, as a statement for the opening of a transaction.
 *
 * Only the SHA-256 of a key is stored. The index compares hashes, and how long that takes tells at most how many of its
 * first bytes fit a stored one: bytes that nobody can choose without knowing a key, whose 256 random bits no number of
 * tries finds. So the comparison needs no constant time of its own; what is compared is not what was sent.
 */
export const keyLookup = (hash: Buffer, organisationColumns: string): string =>
  `select k.id as key_id, k.name, k.ip_address_restricted, k.allowed_ip_addresses, k.expires_timestamp,
     ${organisationColumns}
   from api_keys k join organisations o on o.id = k.organisation_id
   where k.key_hash = '\\x${hash.toString('hex')}'`

const BY: { readonly [F in (typeof API_KEY_SORT_FIELDS)[number]]: RawBuilder<unknown> } = {
  name: sql`lower(name)`,
  visibleKeyPart: sql`visible_key_part`,
  numberOfRequestsMade: sql`number_of_requests_made`,
  // Whichever was never used was used longest ago; whichever never expires does so last.
  lastUsedTimestamp: sql`coalesce(last_used_timestamp, '-infinity')`,
  expiresTimestamp: sql`coalesce(expires_timestamp, 'infinity')`,
  createTimestamp: sql`create_timestamp`,
}

/** A page of keys, newest first unless a sort is asked for. */
export async function listApiKeys(
  db: OrgDb,
  { sort, range, filter }: z.output<(typeof apiKeysApi)['list']['query']>,
): Promise<Page<ShownKey>> {
  const [field, direction] = sort ?? ['createTimestamp', 'DESC']
  const wanted = `%${(filter?.q ?? '').trim().replace(/[\\%_]/g, '\\$&')}%`
  const rows = await db
    .selectFrom('api_keys')
    .select(SHOWN)
    .where('name', 'ilike', wanted)
    .orderBy(sql`${BY[field]} ${sql.raw(direction)}`)
    .orderBy('id')
    .execute()
  // An organisation has a handful of keys: a page is cut from all of them.
  return { rows: range ? rows.slice(range[0], range[1] + 1) : rows, total: rows.length }
}

type NewRow = Pick<
  ShownKey,
  'name' | 'visibleKeyPart' | 'ipAddressRestricted' | 'allowedIpAddresses' | 'expiresTimestamp'
>

/** Adds a key; null when its name is in use, also by one that is added at this moment. */
export async function insertApiKey(
  db: OrgDb,
  key: NewRow & { hash: Buffer; createdBy: string },
  at: string,
): Promise<ShownKey | null> {
  const row = await db
    .insertInto('api_keys')
    .values({
      id: crypto.randomUUID(),
      name: key.name,
      key_hash: key.hash,
      visible_key_part: key.visibleKeyPart,
      ip_address_restricted: key.ipAddressRestricted,
      allowed_ip_addresses: key.allowedIpAddresses,
      number_of_requests_made: 0,
      last_used_timestamp: null,
      expires_timestamp: key.expiresTimestamp,
      created_by: key.createdBy,
      create_timestamp: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(SHOWN)
    .executeTakeFirst()
  return row ?? null
}

/** Deletes a key and answers its name; undefined when there is none. */
export const deleteApiKey = (db: OrgDb, id: string): Promise<{ name: string } | undefined> =>
  db.deleteFrom('api_keys').where('id', '=', id).returning('name').executeTakeFirst()

/** Adds requests to what keys have made. One statement for all of them. */
export async function updateUsage(
  db: OrgDb,
  used: ReadonlyMap<string, { count: number; at: string }>,
): Promise<void> {
  const all = [...used.values()]
  await sql`update api_keys set number_of_requests_made = number_of_requests_made + used.count,
      last_used_timestamp = greatest(last_used_timestamp, used.at)
    from unnest(${[...used.keys()]}::uuid[], ${all.map((one) => one.count)}::bigint[], ${all.map((one) => one.at)}::timestamptz[])
      as used (id, count, at)
    where api_keys.id = used.id`.execute(db)
}
