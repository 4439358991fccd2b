import { BlockList, isIP } from 'node:net'

import type { Logger } from 'pino'

import type { apiKeysApi } from '#contract/api-keys/api.ts'
import { isExpired } from '#contract/api-keys/rules.ts'
import { type ApiKey, EXPIRY_PASSED, type IssuedApiKey, type NewApiKey } from '#contract/api-keys/schema.ts'
import { configOf } from '#contract/config/catalogue.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { permissionsOfKey } from '#contract/users/rules.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { networkOf } from '#server/kit/security/attempts.ts'
import { clock, SECOND } from '#server/kit/core/clock.ts'
import { type Database, type OrgDb, unitOf } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { Refusal, wrongField } from '#server/kit/core/refusal.ts'
import { openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Caller, Credential } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { WriteBehind } from '#server/kit/database/write-behind.ts'
import { ORGANISATION_COLUMNS } from '#server/sessions/store.ts'

import { apiKeys, keyLookup, type KeyRow, updateUsage } from './store.ts'

const UNKNOWN_KEY = 'This API key is not valid.'
const ADDRESS_NOT_ALLOWED = 'address_not_allowed'
const KEY_EXPIRED = 'key_expired'
/** Characters of a key that stay visible. */
const VISIBLE = 4

/** Creates a key. Only this response contains its text. */
export async function createApiKey(db: OrgDb, caller: Caller, given: NewApiKey): Promise<IssuedApiKey> {
  if (isExpired(given, clock.now())) throw wrongField('expiresTimestamp', EXPIRY_PASSED)
  const { token, hash } = sealToken('mk', caller.organisation.id)
  const apiKey = await apiKeys.create(db, {
    name: given.name,
    visibleKeyPart: token.slice(-VISIBLE),
    ipAddressRestricted: given.ipAddressRestricted,
    allowedIpAddresses: given.ipAddressRestricted ? given.allowedIpAddresses : [],
    expiresTimestamp: given.expiresTimestamp,
    mayImportUsers: given.mayImportUsers,
    keyHash: hash,
    createdBy: caller.name,
  })
  return { ...apiKey, key: token }
}

/** Keys with their request counts, including those still in the write-behind cache. */
export async function listKeysWithUsage(
  db: OrgDb,
  query: Input<(typeof apiKeysApi)['list']>['query'],
): Promise<Page<ApiKey>> {
  const { rows, total } = await apiKeys.list(db, query)
  const { organisationId } = unitOf(db)
  const counted = rows.map((key) => {
    const since = [...running].flatMap((counter) => counter.since(organisationId, key.id) ?? [])
    return {
      ...key,
      numberOfRequestsMade: since.reduce((sum, { count }) => sum + count, key.numberOfRequestsMade),
      lastUsedTimestamp: since.reduce(
        (last, { at }) => (last && last > at ? last : at),
        key.lastUsedTimestamp,
      ),
    }
  })
  return { rows: counted, total }
}

/**
 * Reads an API key, which is verified when its organisation is opened. The header Enterprise-Code is optional.
 * @throws Refusal 401, also for an expired key, or 403 for an address that the key does not allow
 */
export function keyCredential(
  services: Services,
  key: string,
  code: string | undefined,
  address: string,
): Credential {
  const opened = openToken('mk', key)
  if (!opened) throw new Refusal(401, UNKNOWN_KEY)
  const { organisationId, hash } = opened
  let found: KeyRow | undefined
  return {
    organisationId,
    lookup: keyLookup(hash, ORGANISATION_COLUMNS),
    caller: (row) => {
      found = row as KeyRow | undefined
      return callerOf(found, code, address)
    },
    refused: async ({ details: { code: why } }) => {
      const verb = REFUSED[why ?? '']
      if (found && verb) await noteRefusedUse(services, organisationId, { ...found, verb }, address)
    },
  }
}

/** The event's verb for a refused use, by the refusal's code. */
const REFUSED: { readonly [code: string]: string } = {
  [ADDRESS_NOT_ALLOWED]: 'refused',
  [KEY_EXPIRED]: 'refused as expired',
}

/**
 * Records the refused use of a key from a forbidden address or after its expiry, which suggests that the key has
 * leaked. At most once a minute for each address.
 */
const noteRefusedUse = (
  { database, attempts }: Services,
  organisationId: string,
  { keyId: id, name, verb }: KeyRow & { verb: string },
  address: string,
): Promise<void> =>
  database.withOrganisation({ organisationId, actor: () => ({ kind: 'key', id, name }) }, async (db) => {
    if (!(await attempts.takeNote(db, `${id} ${networkOf(address)}`))) return
    const changes = { address: { from: null, to: address } }
    record(db, { noun: 'api-keys', record: id, verb, changes })
  })

function callerOf(row: KeyRow | undefined, code: string | undefined, address: string): Caller {
  if (!row) throw new Refusal(401, UNKNOWN_KEY)
  if (code !== undefined && row.code !== code)
    throw new Refusal(401, 'This API key belongs to another organization.', { code: 'wrong_organization' })
  if (isExpired(row, clock.now())) throw new Refusal(401, 'This API key has expired.', { code: KEY_EXPIRED })
  if (row.ipAddressRestricted && !isAllowed(address, row.allowedIpAddresses))
    throw new Refusal(403, 'This API key cannot be used from this address.', {
      code: ADDRESS_NOT_ALLOWED,
    })
  const config = configOf(row.config, row.globalConfig ?? {})
  return {
    kind: 'key',
    id: row.keyId,
    name: row.name,
    role: 'ADMIN',
    type: 'INTERNAL',
    permissions: permissionsOfKey(config, row.mayImportUsers),
    passwordChangeRequired: false,
    sessionId: null,
    organisation: { id: row.organisationId, code: row.code, displayName: row.displayName },
    config,
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** True when a list of addresses and ranges contains an address. A mapped IPv4 address equals the plain one. */
export function isAllowed(address: string, allowed: readonly string[]): boolean {
  const list = new BlockList()
  for (const entry of allowed) {
    const [network = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(network, familyOf(network))
    else list.addSubnet(network, Number(bits), familyOf(network))
  }
  const plain = address.split('%', 1)[0]!
  if (isIP(plain) === 0) return false
  if (list.check(plain, familyOf(plain))) return true
  return isIP(plain) === 4 && list.check(`::ffff:${plain}`, 'ipv6')
}

const COUNT_EVERY = 5 * SECOND
const running = new Set<UsageCounter>()

/** Request count and time of the last request of a key. */
interface Usage {
  readonly count: number
  readonly at: string
}

/** Counts the requests of API keys, in a write-behind cache. */
export class UsageCounter {
  readonly #usage: WriteBehind<Usage>

  constructor(database: Database, log: Logger) {
    this.#usage = new WriteBehind<Usage>({
      database,
      log,
      name: 'API key usage',
      every: COUNT_EVERY,
      write: updateUsage,
      left: (now, written) =>
        now.count === written.count ? undefined : { ...now, count: now.count - written.count },
    })
    running.add(this)
  }

  noteUse({ id, organisation }: Pick<Caller, 'id' | 'organisation'>): void {
    this.#usage.note(organisation.id, id, (before) => ({
      count: (before?.count ?? 0) + 1,
      at: clock.timestamp(),
    }))
  }

  /** Usage of a key that is not stored yet. */
  since(organisationId: string, id: string): Usage | undefined {
    return this.#usage.since(organisationId).get(id)
  }

  flush(): Promise<void> {
    return this.#usage.flush()
  }

  async stop(): Promise<void> {
    await this.#usage.stop()
    running.delete(this)
  }
}
