import { CONFIG_KEYS, configOf } from '#contract/config/catalogue.ts'
import { canClear, codeOf } from '#contract/managed-organisations/rules.ts'
import {
  CANNOT_CLEAR,
  CHAT_KEY_REQUIRED,
  CHAT_SECRET_REQUIRED,
  CODE_TAKEN,
  type ChatCredentials,
  DOMAIN_TAKEN,
  KEY_TAKEN,
  type ManagedOrganisation,
  NAME_TAKEN,
  type NewOrganisation,
  type OrganisationChanges,
  type OrganisationDetail,
  REMOVAL_BEGAN,
} from '#contract/managed-organisations/schema.ts'
import { nameProblem } from '#contract/users/rules.ts'
import { USER_DEFAULTS } from '#contract/users/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { afterCommit, lockFor, type ProviderDb } from '#server/kit/database/db.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import { sealedFor } from '#server/kit/hosted-chat/service.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { StaffCaller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { openFor, openOrganisation, staffIn } from '#server/organisation-access/flows.ts'
import { findAccess } from '#server/organisation-access/store.ts'
import { findGlobalConfigIn } from '#server/organisations/store.ts'
import { endAllSessions } from '#server/sessions/flows.ts'
import { createUser } from '#server/users/flows.ts'

import {
  countCredentials,
  deleteRows,
  deleteUnusedBlobs,
  findCounts,
  findDeletion,
  findListed,
  findTaken,
  insertChatCredentials,
  insertCredentials,
  insertHeadquarters,
  insertOrganisation,
  listPeopleNames,
  listTenantTables,
  resetMirror,
  takeCredentials,
  updateContract,
  updateDeleted,
  updateSuspended,
  updateUndeleted,
} from './store.ts'

const MEGABYTE = 1_024 * 1_024
/** A limit that no table reaches: clearing deletes all rows in one statement. */
const ALL_ROWS = 2 ** 31

/** Fields of an organisation in the audit logs. */
const recorded = (row: {
  readonly display_name: string
  readonly enterprise_domain: string | null
  readonly subscription_level: string
  readonly max_users: number
  readonly contract_number?: string | null
}) => ({
  name: row.display_name,
  domain: row.enterprise_domain,
  level: row.subscription_level,
  maxUsers: row.max_users,
  contractNumber: row.contract_number ?? null,
})
const RECORDED = ['name', 'domain', 'level', 'maxUsers', 'contractNumber'] as const

/** Messages about what is taken, and about half of a pair of chat credentials, by field. */
const conflictsOf = (
  { streamApiKey, streamSecret }: NewOrganisation,
  taken: { readonly name: boolean; readonly domain: boolean; readonly code: boolean },
): Record<string, string> => ({
  ...(taken.name && { enterpriseName: NAME_TAKEN }),
  ...(taken.domain && { enterpriseDomain: DOMAIN_TAKEN }),
  ...(taken.code && { enterpriseCode: CODE_TAKEN }),
  ...(streamSecret !== null && streamApiKey === null && { streamApiKey: CHAT_KEY_REQUIRED }),
  ...(streamApiKey !== null && streamSecret === null && { streamSecret: CHAT_SECRET_REQUIRED }),
})

/** @throws Refusal with every conflict of a new organisation */
async function demandFree(
  db: ProviderDb,
  given: NewOrganisation,
  nameCharacters: string,
): Promise<{ code: string }> {
  const { enterpriseName: name, enterpriseDomain: domain, parentId } = given
  const chosen = given.enterpriseCode
  const wanted = chosen ?? codeOf(name, domain)
  const taken = await findTaken(db, { name, domain, code: wanted, parentId })
  const isCodeTaken = chosen !== null && taken.codes.includes(chosen)
  const fields = conflictsOf(given, { ...taken, code: isCodeTaken })
  for (const field of ['adminFirstName', 'adminLastName'] as const) {
    const problem = nameProblem(given[field], nameCharacters)
    if (problem) fields[field] = problem
  }
  const errorMessages = Object.values(fields)
  const [first] = errorMessages
  if (first)
    throw new Refusal(taken.name || taken.domain || isCodeTaken ? 409 : 400, first, { fields, errorMessages })
  const codes = new Set(taken.codes)
  let code = wanted
  for (let n = 2; codes.has(code); n += 1) code = `${wanted}-${n}`
  return { code }
}

/** The requested chat credentials, or a pair from the pool; undefined for the built-in chat. */
async function chatCredentials({ secrets }: Services, db: ProviderDb, given: NewOrganisation) {
  const { streamApiKey: public_key, streamSecret } = given
  if (public_key === null || streamSecret === null) return takeCredentials(db)
  return { public_key, secret: secrets.seal(streamSecret, sealedFor(public_key)) }
}

/**
 * Creates an organisation that is ready to use: its code, and its administrator with an activation mail. Its creator
 * has access to it for an hour.
 * @throws Refusal 404 for an unknown parent, 409 with `errorMessages`
 */
export async function createOrganisation(
  services: Services,
  db: ProviderDb,
  caller: StaffCaller,
  given: NewOrganisation,
): Promise<ManagedOrganisation> {
  await lockFor(db, 'organisations')
  if (given.parentId !== null) await openOrganisation(db, given.parentId)
  const global = await findGlobalConfigIn(db)
  const { code } = await demandFree(db, given, configOf({}, global).nameCharacters)
  const pair = await chatCredentials(services, db, given)
  const row = {
    id: crypto.randomUUID(),
    code,
    display_name: given.enterpriseName,
    enterprise_domain: given.enterpriseDomain.toLowerCase(),
    parent_id: given.parentId,
    max_users: given.subscriptionMaxUsers,
    subscription_level: given.subscriptionLevel,
    create_timestamp: clock.timestamp(),
  }
  const config = pair ? { streamApiKey: pair.public_key } : {}
  await insertOrganisation(db, row, config)
  await services.database.enterOrganisation(db, row.id, async (inside) => {
    if (pair) await insertChatCredentials(inside, pair)
    await openFor(inside, caller, 'The organization was created.')
    const staff = staffIn(caller, {
      ...row,
      contract_number: null,
      suspended_timestamp: null,
      config,
      global_config: global,
    })
    await createUser(services, inside, staff, {
      ...USER_DEFAULTS,
      passwordChangeRequired: false,
      email: given.adminEmail,
      firstName: given.adminFirstName,
      lastName: given.adminLastName,
      role: 'ADMIN',
      sendWelcomeSetPasswordEmail: true,
    })
  })
  const changes = changesBetween(null, recorded(row), RECORDED)
  record(db, { noun: 'organisations', record: row.id, verb: 'created', changes })
  return (await findListed(db, row.id))!
}

/** Changes the contract of an organisation, recorded in its own audit log too. */
export async function changeOrganisation(
  { database }: Services,
  db: ProviderDb,
  id: string,
  given: OrganisationChanges,
): Promise<ManagedOrganisation> {
  const before = await openOrganisation(db, id)
  const after = {
    ...before,
    contract_number: given.contractNumber,
    subscription_level: given.level,
    max_users: given.maxUser,
  }
  const changes = changesBetween(recorded(before), recorded(after), RECORDED)
  if (Object.keys(changes).length > 0) {
    const { contract_number, subscription_level, max_users } = after
    await updateContract(db, id, { contract_number, subscription_level, max_users })
    record(db, { noun: 'organisations', record: id, verb: 'updated', changes })
    await database.enterOrganisation(db, id, async (inside) =>
      record(inside, { noun: 'organisations', record: id, verb: 'contract changed', changes }),
    )
  }
  return (await findListed(db, id))!
}

/** One organisation with its counts; people only for staff who gave a reason. */
export async function openDetail(
  { database }: Services,
  db: ProviderDb,
  caller: StaffCaller,
  id: string,
): Promise<OrganisationDetail> {
  const listed = await findListed(db, id)
  if (!listed) throw notFound('This organization')
  const access = await findAccess(db, id, caller.id, clock.timestamp())
  const { nearLimits: _, ...known } = listed
  const { config: own, global_config: global } = await openOrganisation(db, id)
  const config = configOf(own, global ?? {})
  return database.enterOrganisation(db, id, async (inside) => {
    const { storedBytes, notificationsUsed, ...counts } = await findCounts(inside)
    return {
      ...known,
      maxUsers: known.enterprise.maxUsers,
      ...counts,
      storage: { used: storedBytes, max: config.fileQuotaMegabytes * MEGABYTE },
      notifications: config.contactsAndMassNotificationsEnabled
        ? { used: notificationsUsed, max: config.massNotifsMaxEvents }
        : null,
      ownConfigKeys: CONFIG_KEYS.filter((key) => (own[key] ?? null) !== null),
      users: access ? await listPeopleNames(inside) : [],
    }
  })
}

/** Ends all sessions of an organisation. The event in its audit log gives the reason and closes its live sockets. */
const close = ({ database }: Services, db: ProviderDb, id: string, verb: 'suspended' | 'deleted') =>
  database.enterOrganisation(db, id, async (inside) => {
    await endAllSessions(inside, `organization ${verb}`)
    record(inside, { noun: 'organisations', record: id, verb })
  })

/** Opens a closed organisation again and resumes its waiting jobs. */
async function reopen({ database, jobs }: Services, db: ProviderDb, id: string, verb: string): Promise<void> {
  record(db, { noun: 'organisations', record: id, verb })
  await database.enterOrganisation(db, id, async (inside) =>
    record(inside, { noun: 'organisations', record: id, verb }),
  )
  jobs.release(db, id)
}

/**
 * Suspends an organisation until it is resumed.
 * @throws Refusal 404
 */
export async function suspendOrganisation(
  services: Services,
  db: ProviderDb,
  id: string,
): Promise<ManagedOrganisation> {
  const { suspended_timestamp: since } = await openOrganisation(db, id)
  if (since === null) {
    await updateSuspended(db, id, clock.timestamp())
    record(db, { noun: 'organisations', record: id, verb: 'suspended' })
    await close(services, db, id, 'suspended')
  }
  return (await findListed(db, id))!
}

/**
 * Ends the suspension of an organisation.
 * @throws Refusal 404
 */
export async function resumeOrganisation(
  services: Services,
  db: ProviderDb,
  id: string,
): Promise<ManagedOrganisation> {
  const { suspended_timestamp: since } = await openOrganisation(db, id)
  if (since !== null) {
    await updateSuspended(db, id, null)
    await reopen(services, db, id, 'resumed')
  }
  return (await findListed(db, id))!
}

/**
 * Deletes an organisation: closed at once, removed after the days of grace.
 * @throws Refusal 404
 */
export async function removeOrganisation(services: Services, db: ProviderDb, id: string): Promise<void> {
  const organisation = await openOrganisation(db, id)
  await updateDeleted(db, id, clock.timestamp())
  const changes = changesBetween(recorded(organisation), null, RECORDED)
  record(db, { noun: 'organisations', record: id, verb: 'deleted', changes })
  await close(services, db, id, 'deleted')
}

/**
 * Undoes a deletion. An organisation that was suspended before stays suspended.
 * @throws Refusal 404, 409 once the removal has begun
 */
export async function undoDeletion(services: Services, db: ProviderDb, id: string): Promise<void> {
  if (!(await findDeletion(db, id))) throw notFound('This deletion')
  demand(await updateUndeleted(db, id), 409, REMOVAL_BEGAN)
  await reopen(services, db, id, 'deletion undone')
}

/** Tables that clearing keeps: people, their sign-in and the organisation's settings. */
export const KEPT_TABLES: ReadonlySet<string> = new Set([
  'users',
  'pictures',
  'user_activity',
  'sessions',
  'session_activity',
  'refresh_tokens',
  'one_time_tokens',
  'authenticators',
  'recovery_codes',
  'pending_sign_ins',
  'verifications',
  'past_passwords',
  'api_keys',
  'command_roles',
  'incident_kinds',
  'incident_fields',
  'declaration_sources',
  'webhooks',
  'import_columns',
  'user_sources',
  'blobs',
  'blob_keys',
  'chat_credentials',
  // Sequence numbers of chat changes are never reused.
  'chat_heads',
  'staff_access',
  'idempotent_requests',
  'event_heads',
  'events',
  'welcome_packages',
  // Triggers keep the counts up to date.
  'row_counts',
])

/**
 * Deletes the contents of an organisation in one transaction.
 * @throws Refusal 404, 409 for an organisation that is neither a trial nor new
 */
export async function clearOrganisation(
  { database, blobs }: Services,
  db: ProviderDb,
  id: string,
): Promise<void> {
  const { display_name: displayName, create_timestamp: createTimestamp } = await openOrganisation(db, id)
  demand(canClear({ displayName, createTimestamp }, clock.now()), 409, CANNOT_CLEAR)
  for (const table of await listTenantTables(db))
    if (!KEPT_TABLES.has(table)) await deleteRows(db, table, id, ALL_ROWS)
  await insertHeadquarters(db, id, clock.timestamp())
  await resetMirror(db, id)
  await database.enterOrganisation(db, id, async (inside) => {
    const unused = await deleteUnusedBlobs(inside)
    // A sweep removes bytes that a crash leaves.
    afterCommit(inside, () => void Promise.all(unused.map((blob) => blobs.remove(id, blob))).catch(() => {}))
    record(inside, { noun: 'organisations', record: id, verb: 'cleared' })
  })
}

/**
 * Adds chat credentials for new organisations.
 * @throws Refusal 409
 */
export async function addCredentials(
  { secrets }: Services,
  db: ProviderDb,
  pairs: readonly ChatCredentials[],
): Promise<{ available: number }> {
  await lockFor(db, 'chat credentials')
  const sealed = pairs.map(({ publicKey, secretKey }) => ({
    public_key: publicKey,
    secret: secrets.seal(secretKey, sealedFor(publicKey)),
  }))
  const taken = await insertCredentials(db, sealed)
  if (taken !== undefined)
    throw wrongField(
      `${pairs.findLastIndex(({ publicKey }) => publicKey === taken)}.publicKey`,
      KEY_TAKEN,
      409,
    )
  record(db, {
    noun: 'chat-credentials',
    record: 'pool',
    verb: 'added',
    changes: { name: { from: null, to: pairs.map(({ publicKey }) => publicKey).join(', ') } },
  })
  return { available: await countCredentials(db) }
}
