import { type RawBuilder, sql } from 'kysely'

import { CONFIG, type Config } from '#contract/config/catalogue.ts'
import { MEGABYTE } from '#contract/kit/files.ts'
import type {
  managedOrganisationsApi,
  ORGANISATION_SORT_FIELDS,
} from '#contract/managed-organisations/api.ts'
import type {
  Deletion,
  ManagedOrganisation,
  NearLimit,
  OrganisationDetail,
} from '#contract/managed-organisations/schema.ts'
import { NEAR_LIMIT } from '#contract/managed-organisations/schema.ts'
import type { WelcomeStatus } from '#contract/welcome/schema.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'
import type { OrganisationRow } from '#server/organisation-access/store.ts'
import { GRACE_DAYS } from '#contract/managed-organisations/rules.ts'
import { patternOf } from '#server/kit/database/search.ts'
import type { Page } from '#server/kit/http/answers.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    chat_credentials: { public_key: string; secret: Buffer }
    chat_credential_pool: { public_key: string; secret: Buffer }
  }
}

/** The first administrator of every organisation, in one pass of an index. */
const ADMINISTRATORS = sql`(
  select distinct on (organisation_id) organisation_id, family_key, given_key, email from users
  where active and role = 'ADMIN' and type = 'INTERNAL' order by organisation_id, create_timestamp, id)`

/** The package does not apply where people other than administrators have accounts and none was sent. */
const WELCOME_STATUS = sql<WelcomeStatus | null>`coalesce(w.status, case when exists (
  select from users u where u.organisation_id = o.id and u.role <> 'ADMIN') then 'NOT_APPLICABLE' end)`

/** The state that `invitationState` (contract/welcome/rules.ts) computes for a row. */
const INVITATION_STATE = sql`case
  when w.status in ('CREATED', 'SAVED') and w.sent_timestamp is null then 'WITHDRAWN'
  else coalesce(${WELCOME_STATUS}, 'NOT_SENT') end`

interface ListedRow extends Omit<OrganisationRow, 'config' | 'global_config'> {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly welcome_status: WelcomeStatus | null
  readonly welcome_sent: string | null
  readonly has_hosted_chat: boolean
  readonly near_limits: NearLimit[]
}
/** A whole number of the configuration of an organisation `o`. */
const configured = (
  key: 'massNotifsMaxEvents' | 'fileQuotaMegabytes',
) => sql`coalesce((o.config ->> ${key})::numeric,
  (select (g.value #>> '{}')::numeric from global_config g where g.key = ${key}), ${CONFIG[key].default}::numeric)`
const SUBSCRIBES = sql`coalesce((o.config ->> 'contactsAndMassNotificationsEnabled')::boolean,
  (select (g.value #>> '{}')::boolean from global_config g where g.key = 'contactsAndMassNotificationsEnabled'),
  ${CONFIG.contactsAndMassNotificationsEnabled.default}::boolean)`
const NEAR: { readonly [L in NearLimit]: RawBuilder<boolean> } = {
  USERS: sql`(coalesce((select sum(r.amount) from row_counts r
    where r.organisation_id = o.id and r.counted = 'users' and r.facet[1] = 'true'), 0)
      >= ${NEAR_LIMIT}::numeric * o.max_users)`,
  NOTIFICATIONS: sql`(${SUBSCRIBES} and exists (select from mass_notification_usage n
    where n.organisation_id = o.id and n.used >= ${NEAR_LIMIT}::numeric * ${configured('massNotifsMaxEvents')}))`,
  STORAGE: sql`(coalesce((select sum(r.amount) from row_counts r
    where r.organisation_id = o.id and r.counted = 'blob_bytes'), 0)
      >= ${NEAR_LIMIT}::numeric * ${MEGABYTE}::numeric * ${configured('fileQuotaMegabytes')})`,
}
const NEAR_LIMITS = sql`array_remove(array[
  case when ${NEAR.USERS} then 'USERS' end, case when ${NEAR.NOTIFICATIONS} then 'NOTIFICATIONS' end,
  case when ${NEAR.STORAGE} then 'STORAGE' end], null)`

/** Numbers of open organisations that are near each of their limits. */
export async function countNearLimits(db: ProviderDb): Promise<{ limit: NearLimit; total: number }[]> {
  const { rows } = await sql<{ [L in NearLimit]: number }>`
    select ${sql.join(
      Object.entries(NEAR).map(
        ([limit, isNear]) => sql`count(*) filter (where ${isNear}) as ${sql.ref(limit)}`,
      ),
    )} from organisations o where not o.is_closed`.execute(db)
  return Object.entries(rows[0]!).map(([limit, total]) => ({ limit: limit as NearLimit, total }))
}

/** Columns of an organisation in a list. */
const LISTED = sql`
  select o.id, o.code, o.display_name, o.enterprise_domain, o.parent_id, o.max_users, o.subscription_level,
    o.contract_number, o.create_timestamp, o.suspended_timestamp, a.first_name, a.last_name, a.email,
    w.sent_timestamp as welcome_sent, ${WELCOME_STATUS} as welcome_status,
    exists (select from chat_credentials where organisation_id = o.id) as has_hosted_chat,
    ${NEAR_LIMITS} as near_limits
  from organisations o left join lateral (
    select first_name, last_name, email from users
    where organisation_id = o.id and active and role = 'ADMIN' and type = 'INTERNAL'
    order by create_timestamp, id limit 1) a on true
  left join welcome_packages w on w.organisation_id = o.id`

const shown = (row: ListedRow): ManagedOrganisation => ({
  id: row.id,
  enterprise: {
    id: row.id,
    code: row.code,
    displayName: row.display_name,
    enterpriseDomain: row.enterprise_domain,
    createTimestamp: row.create_timestamp,
    maxUsers: row.max_users,
    parentId: row.parent_id,
  },
  adminUser:
    row.email === null ? null : { firstName: row.first_name!, lastName: row.last_name!, email: row.email },
  subscription: {
    contractNumber: row.contract_number,
    level: row.subscription_level,
    maxUser: row.max_users,
  },
  welcomePackageStatus: row.welcome_status,
  welcomePackageSentTimestamp: row.welcome_sent,
  hasHostedChat: row.has_hosted_chat,
  suspendedTimestamp: row.suspended_timestamp,
  nearLimits: row.near_limits,
})

const LEVELS = sql`array_position(array['BASIC', 'SMALL_TEAM', 'LARGE_TEAM', 'ENTERPRISE'], o.subscription_level)`
const ORDERS: { readonly [F in (typeof ORGANISATION_SORT_FIELDS)[number]]: RawBuilder<unknown> } = {
  displayName: sql`o.sort_key`,
  enterpriseDomain: sql`o.enterprise_domain is null, o.enterprise_domain`,
  contactName: sql`a.email is null, a.family_key`,
  contactEmail: sql`a.email is null, a.email`,
  level: LEVELS,
  maxUsers: sql`o.max_users`,
  createTimestamp: sql`o.create_timestamp`,
}
const holds = (word: string) =>
  sql<boolean>`(o.search_key like '%' || ${patternOf(word)} || '%'
    or a.given_key like '%' || ${patternOf(word)} || '%' or a.email like '%' || ${patternOf(word)} || '%')`

/**
 * Organisations that match a filter. Joins administrators only for a search or an order by them, and welcome packages
 * only for their filter.
 */
function found(
  { q = '', invitation, status, limit, ownConfigKey }: Filter,
  isByContact: boolean,
): RawBuilder<unknown> {
  const words = q.split(/\s+/).filter((word) => word !== '')
  const joined = sql`left join ${ADMINISTRATORS} a on a.organisation_id = o.id`
  const conditions = [sql`o.deleted_timestamp is null`, ...words.map(holds)]
  if (status) conditions.push(sql`(o.suspended_timestamp is not null) = ${status === 'SUSPENDED'}`)
  if (invitation) conditions.push(sql`${INVITATION_STATE} = ${invitation}`)
  if (limit) conditions.push(sql`(${NEAR.USERS} or ${NEAR.NOTIFICATIONS} or ${NEAR.STORAGE})`)
  if (ownConfigKey) conditions.push(sql`o.config ->> ${ownConfigKey}::text is not null`)
  const packages = invitation ? sql`left join welcome_packages w on w.organisation_id = o.id` : sql``
  return sql`from organisations o ${isByContact || words.length > 0 ? joined : sql``} ${packages}
    where ${sql.join(conditions, sql` and `)}`
}

/** A page of organisations, or all of them. */
export async function listOrganisations(
  db: ProviderDb,
  { sort: [field, direction] = ['displayName', 'ASC'], range, filter }: ListQuery,
): Promise<Page<ManagedOrganisation>> {
  const rest = found(filter ?? {}, field === 'contactName' || field === 'contactEmail')
  const order = sql`${ORDERS[field]} ${sql.raw(direction)}, o.sort_key, o.id`
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<ListedRow & { total: number }>`
    with page as materialized (
      select o.id, row_number() over (order by ${order}) as place, count(*) over () as total ${rest}
      order by place ${page}
    )
    select l.*, p.total from page p join lateral (${LISTED} where o.id = p.id) l on true order by p.place`.execute(
    db,
  )
  return { rows: rows.map(shown), total: rows[0]?.total ?? (await countOf(db, rest)) }
}
/** The total for a page behind the end, which has no row to carry it. */
async function countOf(db: ProviderDb, rest: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${rest}`.execute(db)
  return rows[0]!.total
}
type ListQuery = ReturnType<(typeof managedOrganisationsApi)['list']['query']['parse']>
type Filter = NonNullable<ListQuery['filter']>

export async function findListed(db: ProviderDb, id: string): Promise<ManagedOrganisation | undefined> {
  const { rows } = await sql<ListedRow>`${LISTED} where o.id = ${id} and o.deleted_timestamp is null`.execute(
    db,
  )
  return rows[0] && shown(rows[0])
}

/** The people and counts of the organisation that is open. */
export async function findCounts(db: OrgDb): Promise<
  Pick<OrganisationDetail, 'activeUsers' | 'filesCount' | 'incidentsCount'> & {
    readonly storedBytes: number
    readonly notificationsUsed: number
  }
> {
  const { rows } = await sql<Awaited<ReturnType<typeof findCounts>>>`
    select (select count(*) from users where active) as "activeUsers",
      (select count(*) from attachments) as "filesCount",
      (select count(*) from incidents) as "incidentsCount",
      (select coalesce(sum(amount), 0)::bigint from row_counts where counted = 'blob_bytes') as "storedBytes",
      coalesce((select used from mass_notification_usage), 0) as "notificationsUsed"`.execute(db)
  return rows[0]!
}
export const listPeopleNames = (db: OrgDb): Promise<OrganisationDetail['users']> =>
  db
    .selectFrom('users')
    .select(['email', sql<string>`btrim(first_name || ' ' || last_name)`.as('fullName')])
    .orderBy('given_key')
    .orderBy('id')
    .execute()

/**
 * Conflicts of a new organisation: taken name, domain and codes, including deleted organisations until they are gone.
 */
export async function findTaken(
  db: ProviderDb,
  given: { name: string; domain: string; code: string; parentId: string | null },
): Promise<{ name: boolean; domain: boolean; codes: string[] }> {
  const { rows } = await sql<{ name: boolean; domain: boolean; codes: string[] }>`
    select
      exists (select from organisations where fold(display_name) = fold(${given.name})) as name,
      exists (select from organisations where fold(enterprise_domain) = fold(${given.domain})
        -- A family of organisations may have one domain.
        and not coalesce(${given.parentId}::uuid in (id, parent_id), false)) as domain,
      array(select code from organisations where code = ${given.code} or code like ${given.code} || '-%') as codes
  `.execute(db)
  return rows[0]!
}

export async function insertOrganisation(
  db: ProviderDb,
  organisation: Omit<OrganisationRow, 'config' | 'global_config' | 'contract_number' | 'suspended_timestamp'>,
  config: Partial<Config>,
): Promise<void> {
  await db
    .insertInto('organisations')
    .values({ ...organisation, config: sql<Partial<Config>>`${JSON.stringify(config)}` })
    .execute()
}

export async function updateContract(
  db: ProviderDb,
  id: string,
  changes: Pick<OrganisationRow, 'contract_number' | 'subscription_level' | 'max_users'>,
): Promise<void> {
  await db.updateTable('organisations').set(changes).where('id', '=', id).execute()
}

export async function updateSuspended(db: ProviderDb, id: string, at: string | null): Promise<void> {
  await db.updateTable('organisations').set({ suspended_timestamp: at }).where('id', '=', id).execute()
}

export async function updateDeleted(db: ProviderDb, id: string, at: string): Promise<void> {
  await db.updateTable('organisations').set({ deleted_timestamp: at }).where('id', '=', id).execute()
}

/** Undoes a deletion; false once the removal has begun. */
export async function updateUndeleted(db: ProviderDb, id: string): Promise<boolean> {
  const row = await db
    .updateTable('organisations')
    .set({ deleted_timestamp: null })
    .where('id', '=', id)
    .where('removal_timestamp', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Begins the removal of organisations that were deleted before a moment. Returns their ids. */
export async function updateRemovals(db: ProviderDb, deletedBefore: string, at: string): Promise<string[]> {
  const rows = await db
    .updateTable('organisations')
    .set({ removal_timestamp: at })
    .where('deleted_timestamp', '<=', deletedBefore)
    .where('removal_timestamp', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateDeletionProgress(db: ProviderDb, id: string, percent: number): Promise<void> {
  await db.updateTable('organisations').set({ deletion_progress: percent }).where('id', '=', id).execute()
}

export async function updateDeletionFailure(
  db: ProviderDb,
  id: string,
  failure: string | null,
): Promise<void> {
  await db.updateTable('organisations').set({ deletion_failure: failure }).where('id', '=', id).execute()
}

/** The progress of a deletion; undefined where there is none. */
export const findDeletion = (
  db: ProviderDb,
  id: string,
): Promise<Pick<Deletion, 'progress' | 'failure'> | undefined> =>
  db
    .selectFrom('organisations')
    .select(['deletion_progress as progress', 'deletion_failure as failure'])
    .where('id', '=', id)
    .where('deleted_timestamp', 'is not', null)
    .executeTakeFirst()

export const listDeletions = (db: ProviderDb): Promise<Deletion[]> =>
  db
    .selectFrom('organisations')
    .select([
      'id',
      'display_name as displayName',
      'deletion_progress as progress',
      'deletion_failure as failure',
      sql<string>`coalesce(removal_timestamp, deleted_timestamp + make_interval(days => ${GRACE_DAYS}))`.as(
        'removalTimestamp',
      ),
      sql<Deletion['state']>`case when removal_timestamp is null then 'WAITING'
        when deletion_failure is null then 'RUNNING' else 'FAILED' end`.as('state'),
    ])
    .where('deleted_timestamp', 'is not', null)
    .orderBy('sort_key')
    .execute()

/** Organisations whose removal began before a moment and that still have rows. */
export async function listRemovalsBefore(db: ProviderDb, at: string): Promise<string[]> {
  const rows = await db.selectFrom('organisations').select('id').where('removal_timestamp', '<', at).execute()
  return rows.map(({ id }) => id)
}

/** Tables with rows of organisations; referring tables come before the referred ones. */
export async function listTenantTables(db: ProviderDb): Promise<string[]> {
  const { rows } = await sql<{ name: string; refers_to: string[] }>`
    select c.relname as name, array(
        select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.contype = 'f' and k.conrelid = c.oid and k.confrelid <> c.oid) as refers_to
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`.execute(db)
  const left = new Map(rows.map(({ name, refers_to }) => [name, refers_to]))
  const order: string[] = []
  while (left.size > 0) {
    const referred = new Set([...left.values()].flat())
    const free = [...left.keys()].filter((name) => !referred.has(name))
    // Tables that refer to each other are deleted together at the end.
    for (const name of free.length > 0 ? free : [...left.keys()]) {
      order.push(name)
      left.delete(name)
    }
  }
  return order
}

export async function countRows(db: ProviderDb, table: string, organisationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where organisation_id = ${organisationId}`.execute(db)
  return rows[0]!.count
}

/** Deletes at most `most` rows of an organisation. Returns how many. */
export async function deleteRows(
  db: ProviderDb,
  table: string,
  organisationId: string,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid in (
      select ctid from ${sql.table(table)} where organisation_id = ${organisationId} limit ${most})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** A page of the organisation's stored files after an id, by id. */
export async function listBlobIds(
  db: ProviderDb,
  organisationId: string,
  after: string,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from blobs where organisation_id = ${organisationId} and id > ${after}::uuid
    order by id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes the rows of unreferenced files, except people's pictures. Returns their ids. */
export async function deleteUnusedBlobs(db: OrgDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from blobs where id not in (select blob_id from pictures) returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Recreates Headquarters after its organisation was cleared, with everybody as a member. */
export async function insertHeadquarters(db: ProviderDb, id: string, at: string): Promise<void> {
  await sql`select chat.enter_headquarters(${id}::uuid,
    array(select id from users where organisation_id = ${id} and active and type = 'INTERNAL'), ${at}::timestamptz)`.execute(
    db,
  )
}

/** Clears a cleared organisation's hosted chat service as well, and mirrors its rooms anew. */
export async function resetMirror(db: ProviderDb, id: string): Promise<void> {
  await sql`update chat_credentials set mirrored_sequence = 0, mirrored_people = null
    where organisation_id = ${id}`.execute(db)
}

/** Deletes an organisation with its remaining rows and jobs. */
export async function deleteOrganisation(db: ProviderDb, id: string): Promise<void> {
  await sql`delete from pgboss.job where data ->> 'organisationId' = ${id}`.execute(db)
  await db.deleteFrom('organisations').where('id', '=', id).execute()
}

/** Adds pairs to the pool. Returns the first key that is in the pool or in use already. */
export async function insertCredentials(
  db: ProviderDb,
  pairs: readonly { public_key: string; secret: Buffer }[],
): Promise<string | undefined> {
  const keys = pairs.map(({ public_key }) => public_key)
  const { rows } = await sql<{ public_key: string }>`
    select public_key from chat_credential_pool where public_key = any(${keys}::text[])
    union select public_key from chat_credentials where public_key = any(${keys}::text[])`.execute(db)
  const taken = rows[0]?.public_key ?? keys.find((key, n) => keys.indexOf(key) !== n)
  if (taken === undefined)
    await db
      .insertInto('chat_credential_pool')
      .values([...pairs])
      .execute()
  return taken
}

/** Takes the oldest pair out of the pool; undefined when it is empty. */
export async function takeCredentials(
  db: ProviderDb,
): Promise<{ public_key: string; secret: Buffer } | undefined> {
  const { rows } = await sql<{ public_key: string; secret: Buffer }>`
    delete from chat_credential_pool where public_key = (
      select public_key from chat_credential_pool order by position limit 1 for update skip locked)
    returning public_key, secret`.execute(db)
  return rows[0]
}

export async function countCredentials(db: ProviderDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from chat_credential_pool`.execute(
    db,
  )
  return rows[0]!.count
}

export async function insertChatCredentials(
  db: OrgDb,
  pair: { public_key: string; secret: Buffer },
): Promise<void> {
  await db.insertInto('chat_credentials').values(pair).execute()
}
