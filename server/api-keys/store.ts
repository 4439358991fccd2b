import { sql } from 'kysely'

import { API_KEY_NAME_TAKEN, ApiKey } from '#contract/api-keys/schema.ts'
import type { Config } from '#contract/config/catalogue.ts'
import { type ColumnsOf, selectionText } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    api_keys: ColumnsOf<ApiKey> & { key_hash: Buffer; created_by: string }
  }
}

/** The key behind a request, with its organisation. */
export interface KeyRow extends Readonly<Pick<ApiKey, (typeof LOOKED_UP)[number]>> {
  readonly keyId: string
  readonly organisationId: string
  readonly code: string
  readonly displayName: string
  readonly config: Partial<Config>
  readonly globalConfig: Partial<Config> | null
}
const LOOKED_UP = [
  'name',
  'ipAddressRestricted',
  'allowedIpAddresses',
  'expiresTimestamp',
  'mayImportUsers',
] as const

/**
 * Finds a key by its hash, as a statement for the opening of a transaction.
 *
 * Only the SHA-256 of a key is stored. The timing of the index lookup could reveal leading bytes of a stored hash, but
 * nobody can choose a hash's bytes without knowing the key (256 random bits), so the comparison need not take constant
 * time.
 */
export const keyLookup = (hash: Buffer, organisationColumns: string): Lookup => ({
  name: 'api_key',
  sql: `select k.id as "keyId", ${selectionText(LOOKED_UP, 'k.')}, ${organisationColumns}
   from api_keys k join organisations o on o.id = k.organisation_id
   where k.key_hash = decode($1, 'hex')`,
  values: [hash.toString('hex')],
})

/** True for a key that exists and has not expired at a time. */
export async function isKeyInUse(db: OrgDb, id: string, at: string): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', id)
    .where((eb) => eb.or([eb('expires_timestamp', 'is', null), eb('expires_timestamp', '>', at)]))
    .executeTakeFirst()
  return row !== undefined
}

/** Email address of the person who made a key; null for a key that does not exist. */
export async function findKeyMaker(db: OrgDb, id: string): Promise<string | null> {
  const row = await db.selectFrom('api_keys').select('created_by').where('id', '=', id).executeTakeFirst()
  return row?.created_by ?? null
}

const matchesName = (search = '') => {
  const pattern = `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`name ilike ${pattern}`
}

export const apiKeys = plainNoun({
  noun: 'api-keys',
  table: 'api_keys',
  label: 'This API key',
  schema: ApiKey,
  fields: [
    'name',
    'visibleKeyPart',
    'ipAddressRestricted',
    'allowedIpAddresses',
    'expiresTimestamp',
    'mayImportUsers',
  ],
  also: ['keyHash', 'createdBy'],
  generated: ['numberOfRequestsMade', 'lastUsedTimestamp'],
  name: 'name',
  nameTaken: API_KEY_NAME_TAKEN,
  orders: {
    name: sql`lower(name)`,
    visibleKeyPart: sql`visible_key_part`,
    numberOfRequestsMade: sql`number_of_requests_made`,
    // Unused keys sort as used longest ago; keys that never expire sort last.
    lastUsedTimestamp: sql`coalesce(last_used_timestamp, '-infinity')`,
    expiresTimestamp: sql`coalesce(expires_timestamp, 'infinity')`,
    createTimestamp: sql`create_timestamp`,
  },
  sort: ['createTimestamp', 'DESC'],
  matches: matchesName,
})

/** Adds request counts to keys, in one statement. */
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
