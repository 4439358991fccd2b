import { BlockList, isIP } from 'node:net'

import type { Logger } from 'pino'

import type { apiKeysApi } from '#contract/api-keys/api.ts'
import { API_KEY_NAME_TAKEN, type IssuedApiKey, type NewApiKey } from '#contract/api-keys/schema.ts'
import { configOf } from '#contract/config/catalogue.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { permissionsOfKey } from '#contract/users/rules.ts'
import { networkOf } from '#server/kit/attempts.ts'
import { clock, SECOND } from '#server/kit/clock.ts'
import { type Database, type OrgDb, unitOf } from '#server/kit/db.ts'
import { changesBetween, record } from '#server/kit/events.ts'
import { notFound, Refusal, wrongField } from '#server/kit/refusal.ts'
import { openToken, sealToken } from '#server/kit/secrets.ts'
import type { Caller, Credential, Page } from '#server/kit/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { ORGANISATION_COLUMNS } from '#server/sessions/store.ts'

import {
  deleteApiKey,
  insertApiKey,
  keyLookup,
  type KeyRow,
  listApiKeys,
  type ShownKey,
  updateUsage,
} from './store.ts'

const UNKNOWN_KEY = 'This API key is not valid.'
const ADDRESS_NOT_ALLOWED = 'address_not_allowed'
/** Characters of a key that stay visible. */
const VISIBLE = 4

/** Makes a key. Its text is in this answer and nowhere else. */
export async function createApiKey(db: OrgDb, caller: Caller, given: NewApiKey): Promise<IssuedApiKey> {
  const { token, hash } = sealToken('mk', caller.organisation.id)
  const made = await insertApiKey(
    db,
    {
      name: given.name,
      hash,
      visibleKeyPart: token.slice(-VISIBLE),
      ipAddressRestricted: given.ipAddressRestricted,
      allowedIpAddresses: given.ipAddressRestricted ? given.allowedIpAddresses : [],
      createdBy: caller.name,
    },
    clock.timestamp(),
  )
  if (!made) throw wrongField('name', API_KEY_NAME_TAKEN, 409)
  record(db, {
    noun: 'api-keys',
    record: made.id,
    verb: 'created',
    changes: changesBetween<Partial<ShownKey>>({}, made, [
      'name',
      'visibleKeyPart',
      'ipAddressRestricted',
      'allowedIpAddresses',
    ]),
  })
  return { ...made, key: token }
}

/** Deletes a key, which is refused from now on. */
export async function removeApiKey(db: OrgDb, id: string): Promise<void> {
  const removed = await deleteApiKey(db, id)
  if (!removed) throw notFound('This API key')
  record(db, {
    noun: 'api-keys',
    record: id,
    verb: 'deleted',
    changes: { name: { from: removed.name, to: null } },
  })
}

/** Keys with all their requests, those included that are not written down yet. */
export async function listKeysWithUsage(
  db: OrgDb,
  query: Input<(typeof apiKeysApi)['list']>['query'],
): Promise<Page<ShownKey>> {
  const { rows, total } = await listApiKeys(db, query)
  const { organisationId } = unitOf(db)
  const since = (id: string): number =>
    [...running].reduce((sum, counter) => sum + counter.since(organisationId, id), 0)
  const counted = rows.map((key) => ({
    ...key,
    numberOfRequestsMade: key.numberOfRequestsMade + since(key.id),
  }))
  return { rows: counted, total }
}

/**
 * Reads an API key; the key is proven when its organisation is opened. The header Enterprise-Code may be left out.
 * @throws Refusal 401, or 403 for an address that the key is not for
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
    sql: keyLookup(hash, ORGANISATION_COLUMNS),
    caller: (row) => {
      found = row as KeyRow | undefined
      return callerOf(found, code, address)
    },
    refused: async ({ details }) => {
      if (found && details.code === ADDRESS_NOT_ALLOWED)
        await noteRefusedUse(services, organisationId, found, address)
    },
  }
}

/** Notes that a key was used from where it must not be: whoever did it has the key. Once a minute and address. */
const noteRefusedUse = (
  { database, attempts }: Services,
  organisationId: string,
  { key_id: id, name }: KeyRow,
  address: string,
): Promise<void> =>
  database.withOrganisation({ organisationId, actor: () => ({ kind: 'key', id, name }) }, async (db) => {
    if (!(await attempts.askToNote(db, `${id} ${networkOf(address)}`))) return
    const changes = { address: { from: null, to: address } }
    record(db, { noun: 'api-keys', record: id, verb: 'refused', changes })
  })

function callerOf(row: KeyRow | undefined, code: string | undefined, address: string): Caller {
  if (!row) throw new Refusal(401, UNKNOWN_KEY)
  if (code !== undefined && row.code !== code)
    throw new Refusal(401, 'This API key belongs to another organization.', { code: 'wrong_organization' })
  if (row.ip_address_restricted && !isAllowed(address, row.allowed_ip_addresses))
    throw new Refusal(403, 'This API key cannot be used from this address.', {
      code: ADDRESS_NOT_ALLOWED,
    })
  const config = configOf(row.config, row.global_config ?? {})
  return {
    kind: 'key',
    id: row.key_id,
    name: row.name,
    role: 'ADMIN',
    type: 'INTERNAL',
    permissions: permissionsOfKey(config),
    sessionId: null,
    organisation: { id: row.organisation_id, code: row.code, displayName: row.display_name },
    config,
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether an address is one of a list of addresses and ranges. A mapped IPv4 address is the same as the plain one. */
export function isAllowed(address: string, allowed: readonly string[]): boolean {
  const list = new BlockList()
  for (const entry of allowed) {
    const [network = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(network, familyOf(network))
    else list.addSubnet(network, Number(bits), familyOf(network))
  }
  const plain = address.replace(/%.*$/, '')
  if (isIP(plain) === 0) return false
  if (list.check(plain, familyOf(plain))) return true
  return isIP(plain) === 4 && list.check(`::ffff:${plain}`, 'ipv6')
}

const COUNT_EVERY = 5 * SECOND
const running = new Set<UsageCounter>()

/** Counts the requests of keys and writes the counts down now and then, so that no call waits for it. */
export class UsageCounter {
  readonly #counts = new Map<string, Map<string, { count: number; at: string }>>()
  readonly #database: Database
  readonly #timer: NodeJS.Timeout
  #writing = Promise.resolve()

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#timer = setInterval(() => {
      this.flush().catch((error: unknown) => log.error(error, 'API key usage'))
    }, COUNT_EVERY).unref()
    running.add(this)
  }

  /** Counts a request by a key. */
  seen({ id, organisation }: Pick<Caller, 'id' | 'organisation'>): void {
    const keys = this.#counts.get(organisation.id) ?? new Map<string, { count: number; at: string }>()
    this.#counts.set(organisation.id, keys)
    keys.set(id, { count: (keys.get(id)?.count ?? 0) + 1, at: clock.timestamp() })
  }

  /** A key's requests that are not written down yet. */
  since(organisationId: string, id: string): number {
    return this.#counts.get(organisationId)?.get(id)?.count ?? 0
  }

  /** Writes down what is not yet; what could not be written is tried again next time. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write())
    return this.#writing
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
    running.delete(this)
  }

  async #write(): Promise<void> {
    for (const [organisationId, keys] of this.#counts) {
      const written = new Map(keys)
      await this.#database.withOrganisation(
        { organisationId, actor: () => ({ kind: 'system', id: null, name: 'usage' }) },
        (db) => updateUsage(db, written),
      )
      for (const [id, { count }] of written) {
        const now = keys.get(id)!
        if (now.count === count) keys.delete(id)
        else keys.set(id, { ...now, count: now.count - count })
      }
      if (keys.size === 0) this.#counts.delete(organisationId)
    }
  }
}
