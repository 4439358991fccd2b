import { phoneCountryOf } from '#contract/kit/phone-country.ts'
import { INVALID_PHONE } from '#contract/kit/text.ts'
import { pick } from '#contract/kit/pick.ts'
import { readPhonesOf } from '#contract/kit/person-phones.ts'
import { OFFERED_ROLES, roleOption } from '#contract/users/rules.ts'
import { USER_DEFAULTS, USER_FIELDS } from '#contract/users/schema.ts'
import {
  DEFAULT_FOLDERS,
  DEFAULT_WAR_ROOMS,
  invitationCan,
  isOpen,
  packageProblems,
} from '#contract/welcome/rules.ts'
import {
  CHANGED_ELSEWHERE,
  PACKAGE_NOT_FOUND,
  PACKAGE_USERS_MAX,
  type PackageUser,
  type WelcomeChanges,
  type WelcomeInvitation,
  type WelcomePackage,
} from '#contract/welcome/schema.ts'
import { clock, DAY, noSoonerThan } from '#server/kit/core/clock.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { demand, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { ProviderContext, PublicContext } from '#server/kit/http/serve.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import { phoneReader } from '#server/kit/messages/phones.ts'
import { openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import { openOrganisation } from '#server/organisation-access/flows.ts'
import { findOwn } from '#server/organisations/store.ts'

import { POPULATION } from './population.flows.ts'
import {
  findMainAdministrator,
  findPackage,
  findPackageUser,
  findWelcomed,
  hasOtherUsers,
  holdPackage,
  insertPackage,
  type PackageContents,
  type PackageRow,
  updatePackage,
  type WelcomedOrganisation,
} from './store.ts'

/** Life of a welcome link. Resending renews it. */
const LINK_LIFE = 30 * DAY
const PREFIX = 'mw'
/** Least duration of a link request in milliseconds, so that its timing does not reveal a package. */
const ANSWERED_AFTER_MS = 250
const HOLDER = { kind: 'system', id: null, name: 'welcome package' } as const

const gone = () => new Refusal(404, PACKAGE_NOT_FOUND, { code: 'NOT_FOUND' })

/** Initial contents of a package: the usual rooms, each with the main administrator, and the usual folders. */
const firstContents = (mainAdmin: string): PackageContents => ({
  users: [],
  warRooms: DEFAULT_WAR_ROOMS.map((name) => ({ name, usersEmails: [mainAdmin], isGroup: false })),
  fileFolders: DEFAULT_FOLDERS,
})

/** A package that was opened with its link. */
interface OpenedPackage {
  readonly row: PackageRow
  readonly organisation: WelcomedOrganisation
  readonly mainAdmin: PackageUser
}

const maxUsersOf = ({ maxUsers }: WelcomedOrganisation): number => Math.min(maxUsers, PACKAGE_USERS_MAX)

function stateOf(
  services: Services,
  { row, organisation, mainAdmin }: OpenedPackage,
  uid: string,
  request: PublicContext['request'],
): WelcomePackage {
  const { users, warRooms, fileFolders } = row.contents ?? firstContents(mainAdmin.email)
  const { twilioAllowedCountryCodes, nameCharacters, groupsEnabled } = organisation.config
  const phoneCountry = phoneCountryOf(organisation.config)
  return {
    uid,
    status: row.status,
    maxUsers: maxUsersOf(organisation),
    lastUpdateTimestamp: row.last_update_timestamp,
    mainAdminUser: mainAdmin,
    enterpriseCode: organisation.code,
    apiAddress: `${services.origins.of(request)}/api`,
    // Defaults for packages that were saved before users had all fields.
    users: [mainAdmin, ...users.map((user) => ({ ...USER_DEFAULTS, ...user, isMainAdminUser: false }))],
    warRooms: warRooms.map((room) => ({ ...room, usersEmails: [...room.usersEmails] })),
    fileFolders: [...fileFolders],
    lastUpdateBrowserData: row.browser,
    errorCode: row.error_code,
    userRoles: OFFERED_ROLES.map(roleOption),
    phoneCountryCodes: [...twilioAllowedCountryCodes],
    phoneCountry,
    nameCharacters,
    groupsEnabled,
    supportEmail: /<([^<>]+)>/.exec(services.settings.mailFrom)?.[1] ?? services.settings.mailFrom,
  }
}

/**
 * Opens the organisation of a package for the holder of its link.
 * @throws Refusal 404 for a link that is unknown, expired or withdrawn, or of a closed organisation
 */
async function withPackage<T>(
  { database }: Services,
  uid: string,
  work: (db: OrgDb, opened: OpenedPackage) => Promise<T>,
): Promise<T> {
  const token = openToken(PREFIX, uid)
  if (!token) throw gone()
  const { organisationId, hash } = token
  return database.withOrganisation({ organisationId, actor: () => HOLDER }, async (db) => {
    // A closed organisation's package looks unknown.
    if (!(await findOwn(db))) throw gone()
    const row = await holdPackage(db)
    if (!row?.hash?.equals(hash) || row.expires_timestamp! <= clock.timestamp()) throw gone()
    const administrator = await findPackageUser(db, row.sent_to!)
    if (!administrator) throw gone()
    return work(db, {
      row,
      organisation: await findWelcomed(db),
      mainAdmin: { ...administrator, isMainAdminUser: true },
    })
  })
}

/** The state of a package. */
export const openPackage = (
  services: Services,
  uid: string,
  request: PublicContext['request'],
): Promise<WelcomePackage> =>
  withPackage(services, uid, async (_, opened) => stateOf(services, opened, uid, request))

/**
 * The contents to store, with the phone numbers as they are stored.
 * @throws Refusal 400 with every problem at its field, under the code of the first one
 */
function checkedContents(sent: PackageContents, { organisation, mainAdmin }: OpenedPackage): PackageContents {
  const { config } = organisation
  const problems = packageProblems(sent, {
    maxUsers: maxUsersOf(organisation),
    mainAdmin: mainAdmin.email,
    characters: config.nameCharacters,
  })
  const phones = sent.users.map((user) => readPhonesOf(user, phoneReader(config)))
  const numbers = phones.flatMap(({ problems: unread }, n) =>
    unread.map(({ field }) => ({ code: 'invalid', message: INVALID_PHONE, path: `users.${n}.${field}` })),
  )
  const roles = sent.users.flatMap(({ role }, n) =>
    OFFERED_ROLES.some((offered) => offered === role)
      ? []
      : [{ code: 'invalid', message: 'This role cannot be chosen here.', path: `users.${n}.role` }],
  )
  const all = [...problems, ...numbers, ...roles]
  const [first] = all
  if (first)
    throw new Refusal(400, first.message, {
      code: first.code,
      fields: Object.fromEntries(all.map(({ path, message }) => [path, message])),
    })
  return { ...sent, users: sent.users.map((user, n) => ({ ...user, ...phones[n]!.phones })) }
}

/** Timestamp of a save, always later than the previous one that it is compared with. */
const savedAt = (before: string): string =>
  new Date(Math.max(clock.now(), Date.parse(before) + 1)).toISOString()

/**
 * Saves or submits a package.
 * @throws Refusal 404 when it was submitted, 409 when it was saved since it was read, 400 for contents that cannot be
 * created
 */
export function savePackage(
  services: Services,
  uid: string,
  changes: WelcomeChanges,
  request: PublicContext['request'],
): Promise<WelcomePackage> {
  return withPackage(services, uid, async (db, opened) => {
    const { row, mainAdmin } = opened
    if (!isOpen(row.status)) throw gone()
    if (changes.lastUpdateTimestamp !== row.last_update_timestamp)
      throw new Refusal(409, CHANGED_ELSEWHERE, { code: 'stale' })
    const { warRooms, fileFolders } = changes
    const users = changes.users
      .filter(({ email, isMainAdminUser }) => !isMainAdminUser && email !== mainAdmin.email)
      .map((user) => ({ ...pick(user, USER_FIELDS), email: user.email }))
    const contents = checkedContents({ users, warRooms, fileFolders }, opened)
    const isSubmitted = changes.status === 'SUBMITTED'
    const saved = await updatePackage(db, {
      contents,
      status: isSubmitted ? 'SUBMITTED' : 'SAVED',
      browser: changes.lastUpdateBrowserData,
      last_update_timestamp: savedAt(row.last_update_timestamp),
      error_code: null,
    })
    if (isSubmitted) {
      recordPackage(db, opened.organisation.id, 'submitted', {
        users: users.length,
        warRooms: warRooms.length,
        fileFolders: fileFolders.length,
      })
      await services.jobs.enqueue(db, POPULATION, {})
    }
    return stateOf(services, { ...opened, row: saved }, uid, request)
  })
}

function recordPackage(db: OrgDb, id: string, verb: string, facts: Record<string, unknown> = {}): void {
  const changes = Object.fromEntries(Object.entries(facts).map(([field, to]) => [field, { from: null, to }]))
  record(db, { noun: 'welcome', record: id, verb, changes })
}

const NO_INVITATION = {
  sentTimestamp: null,
  sentTo: null,
  expiresTimestamp: null,
  lastUpdateTimestamp: null,
  errorCode: null,
  failure: null,
}
const invitationOf = (row: PackageRow): WelcomeInvitation => ({
  status: row.status,
  sentTimestamp: row.sent_timestamp,
  sentTo: row.sent_to,
  expiresTimestamp: row.expires_timestamp,
  lastUpdateTimestamp: row.contents && row.last_update_timestamp,
  errorCode: row.error_code,
  failure: row.failure,
})
/** The state before a package is sent. */
const notInvited = async (db: OrgDb): Promise<WelcomeInvitation> => ({
  ...NO_INVITATION,
  status: (await hasOtherUsers(db)) ? 'NOT_APPLICABLE' : null,
})

/** Runs `work` in an organisation as the provider's staff. */
async function inOrganisation<T>(
  { database }: Services,
  db: ProviderDb,
  id: string,
  work: (inside: OrgDb) => Promise<T>,
): Promise<T> {
  await openOrganisation(db, id)
  return database.enterOrganisation(db, id, work)
}

/** The state of an organisation's package. */
export const findInvitation = (services: Services, db: ProviderDb, id: string): Promise<WelcomeInvitation> =>
  inOrganisation(services, db, id, async (inside) => {
    const row = await findPackage(inside)
    return row ? invitationOf(row) : notInvited(inside)
  })

const welcomeEmail = (firstName: string, organisation: WelcomedOrganisation, href: string) =>
  emailMessage({
    subject: `Set up ${organisation.displayName}`,
    before: [
      `Hello ${firstName},`,
      `Please tell us who will work with ${organisation.displayName}, which war rooms they need and which folders. Everything is saved while you go, and you can come back with this link:`,
    ],
    link: { href, label: 'Open the welcome package' },
    after: [
      'Whoever has the link can read and change what you enter, for 30 days or until you mark it complete.',
      `Your organization code is ${organisation.code}.`,
    ],
  })

/** Mails the link of a package and records it. Links mailed before stay valid only with an equal key. */
async function mailLink(
  { post, secrets }: Services,
  db: OrgDb,
  { to, origin, key }: { to: Pick<PackageUser, 'email' | 'firstName'>; origin: string; key: string },
): Promise<PackageRow> {
  const organisation = await findWelcomed(db)
  const random = Buffer.from(secrets.hash('welcome package', key), 'hex').toString('base64url')
  const { token: uid, hash } = sealToken(PREFIX, organisation.id, random)
  const link = Buffer.from(JSON.stringify({ uid, apiAddress: `${origin}/api` })).toString('base64')
  const href = `${origin}/welcome?${new URLSearchParams({ id: link })}`
  await post.mail(db, { to: to.email, ...welcomeEmail(to.firstName, organisation, href) })
  recordPackage(db, organisation.id, 'sent', { to: to.email })
  return updatePackage(db, {
    hash,
    link_key: key,
    sent_timestamp: clock.timestamp(),
    sent_to: to.email,
    expires_timestamp: new Date(clock.now() + LINK_LIFE).toISOString(),
  })
}

/**
 * Mails a new link to the administrator of an expired one, which stays invalid. The reply does not reveal whether there
 * is a package.
 * @throws Refusal 429
 */
export async function renewInvitation(services: Services, uid: string, address: string): Promise<void> {
  const { attempts, database } = services
  const tooMany = await attempts.takeMailFrom(database.directory, address)
  if (tooMany) throw tooMany
  await noSoonerThan(ANSWERED_AFTER_MS, async () => {
    const token = openToken(PREFIX, uid)
    if (!token) return
    await database.withOrganisation(
      { organisationId: token.organisationId, actor: () => HOLDER },
      async (db) => {
        const row = await holdPackage(db)
        if (!row?.hash?.equals(token.hash) || !isOpen(row.status)) return
        if (row.expires_timestamp! > clock.timestamp()) return
        const to = await findPackageUser(db, row.sent_to!)
        if (to) await mailLink(services, db, { to, origin: services.publicUrl(), key: crypto.randomUUID() })
      },
    )
  })
}

/**
 * Mails the link of an organisation's package to its first administrator. Resending keeps the link and renews its life.
 * @throws Refusal 400 for a link that would lead away from the product, 404, 409, 429
 */
export async function sendInvitation(
  services: Services,
  { db, host, protocol }: Pick<ProviderContext, 'db' | 'host' | 'protocol'>,
  id: string,
  feUrl: string,
): Promise<WelcomeInvitation> {
  const { attempts, origins } = services
  const origin = URL.canParse(feUrl) ? new URL(feUrl).origin : null
  if (origin === null || !origins.includes(origin, { host, protocol }))
    throw wrongField('feUrl', 'This is not an address of this installation.')
  return inOrganisation(services, db, id, async (inside) => {
    const known = await findPackage(inside)
    demand(known !== undefined || !(await hasOtherUsers(inside)), 409, 'This organization is set up already.')
    await insertPackage(inside, { link_key: crypto.randomUUID(), last_update_timestamp: clock.timestamp() })
    const row = (await holdPackage(inside))!
    demand(invitationCan.send(row), 409, 'The welcome package of this organization was submitted already.')
    const administrator = await findMainAdministrator(inside)
    demand(administrator !== undefined, 409, 'This organization has no administrator who could receive it.')
    const tooMany = await attempts.takeMail(inside, 'welcome package', administrator.email)
    if (tooMany) throw tooMany
    return invitationOf(await mailLink(services, inside, { to: administrator, origin, key: row.link_key }))
  })
}

/**
 * Withdraws the link of a package. Its saved contents stay for another link.
 * @throws Refusal 404, 409 when the package was submitted
 */
export const withdrawInvitation = (
  services: Services,
  db: ProviderDb,
  id: string,
): Promise<WelcomeInvitation> =>
  inOrganisation(services, db, id, async (inside) => {
    const row = await holdPackage(inside)
    if (!row) return notInvited(inside)
    demand(isOpen(row.status), 409, 'The welcome package of this organization was submitted already.')
    if (row.hash === null) return invitationOf(row)
    recordPackage(inside, id, 'withdrawn')
    const withdrawn = await updatePackage(inside, {
      hash: null,
      link_key: crypto.randomUUID(),
      sent_timestamp: null,
      expires_timestamp: null,
    })
    return invitationOf(withdrawn)
  })

/**
 * Retries to create the contents of a package after a failure.
 * @throws Refusal 404, 409 where it did not fail
 */
export const retryPopulation = (services: Services, db: ProviderDb, id: string): Promise<WelcomeInvitation> =>
  inOrganisation(services, db, id, async (inside) => {
    const row = await holdPackage(inside)
    demand(row !== undefined && invitationCan.retry(row), 409, 'There is no failure to be repaired.')
    const again = await updatePackage(inside, {
      status: 'SUBMITTED',
      error_code: null,
      failure: null,
      tries: 0,
    })
    recordPackage(inside, id, 'retried')
    await services.jobs.enqueue(inside, POPULATION, {})
    return invitationOf(again)
  })
