import { email as EmailAddress } from '#contract/kit/text.ts'
import { apiKeys } from '#server/api-keys/store.ts'
import { CannotStart } from '#server/kit/core/start-problems.ts'
import { OPERATOR, type OrgDb, PROVIDER_ID } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { endLockouts } from '#server/kit/security/attempts.ts'
import type { Services } from '#server/kit/services.ts'
import { endLockoutsOf } from '#server/managed-organisations/rescue.flows.ts'
import { type FoundOrganisation, findOrganisation } from '#server/organisations/store.ts'
import { resetStaffAuthenticator } from '#server/staff/flows.ts'
import { findStaffByEmail, insertNamed } from '#server/staff/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import { resetAuthenticator, revokeUser } from '#server/users/flows.ts'
import { findUserByEmail, type UserRow } from '#server/users/store.ts'

import {
  findFirstBroken,
  findStored,
  listKeysMadeBy,
  listOrganisations,
  type Named,
  type Stored,
} from './store.ts'

/** Services that commands have beside a running product. */
export type RescueServices = Pick<Services, 'database' | 'post' | 'secrets' | 'settings'>

/** The operator as whoever acts in an organisation. */
const NOBODY = { id: '' }
const TITLE = 'The operator of the server'
/** The provider's own stream, among those of organisations. */
const PROVIDER: Named = { id: PROVIDER_ID, code: '(provider)' }

/** @throws CannotStart for an unknown code */
async function openByCode({ database }: RescueServices, code: string): Promise<FoundOrganisation> {
  const organisation = await findOrganisation(database, code)
  if (!organisation)
    throw new CannotStart(
      `There is no organization with the code ${code}. "npm run rescue -- storage" lists all codes.`,
    )
  return organisation
}

const readAddress = (address: string): string => {
  const read = EmailAddress.safeParse(address)
  if (!read.success) throw new CannotStart(`${address} is not an email address.`)
  return read.data
}

/**
 * Runs `work` for a person of an organisation, in the operator's name.
 * @throws CannotStart where there is no such organisation, or nobody of that address in it
 */
async function forPerson<T>(
  services: RescueServices,
  { code, address }: { readonly code: string; readonly address: string },
  work: (db: OrgDb, user: UserRow, organisation: FoundOrganisation) => Promise<T>,
): Promise<T> {
  const organisation = await openByCode(services, code)
  const email = readAddress(address)
  const { database } = services
  return database.withProvider(OPERATOR, (db) =>
    database.enterOrganisation(db, organisation.id, async (inside) => {
      const user = await findUserByEmail(inside, email)
      if (!user) throw new CannotStart(`Nobody in the organization ${code} has the address ${email}.`)
      return work(inside, user, organisation)
    }),
  )
}

/** Deletes the authenticator app and the recovery codes of a person, who is mailed. */
export const resetSecondFactor = (
  services: RescueServices,
  code: string,
  address: string,
): Promise<readonly string[]> =>
  forPerson(services, { code, address }, async (db, user, organisation) => {
    await resetAuthenticator(services, db, { title: TITLE, organisation }, user.id)
    return [
      `The authenticator app and the recovery codes of ${user.email} are deleted, and a mail says so.`,
      'They set up an app at their next sign-in, where the organization asks for one.',
    ]
  })

/** Deletes the authenticator app and the recovery codes of a member of staff, who is signed out and mailed. */
export async function resetSecondFactorOfStaff(
  services: RescueServices,
  address: string,
): Promise<readonly string[]> {
  const email = readAddress(address)
  const { database, settings } = services
  return database.withProvider(OPERATOR, async (db) => {
    await insertNamed(db, settings, clock.timestamp())
    const member = await findStaffByEmail(db, email, settings)
    if (!member)
      throw new CannotStart(
        `No member of staff has the address ${email}. Staff are those whom STAFF_EMAILS names, and those whom they invited.`,
      )
    await resetStaffAuthenticator(services, db, { ...NOBODY, name: TITLE }, member.id)
    return [
      `The authenticator app and the recovery codes of ${email} are deleted, and a mail says so.`,
      'They are signed out of the console, and set up an app at their next sign-in.',
    ]
  })
}

const inNumbers = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`

/** Ends all lockouts, or those of an organisation's people. */
export async function endAllLockouts(services: RescueServices, code?: string): Promise<readonly string[]> {
  const organisation = code === undefined ? undefined : await openByCode(services, code)
  const { secrets, database } = services
  const count = await database.withProvider(OPERATOR, async (db) => {
    if (organisation) return endLockoutsOf(services, db, organisation)
    const ended = await endLockouts(secrets, db)
    const changes = { count: { from: null, to: ended } }
    record(db, { noun: 'sign-ins', record: PROVIDER_ID, verb: 'lockouts ended', changes })
    return ended
  })
  const said = `${inNumbers(count, 'lockout')} ended.`
  return organisation
    ? [said, 'Lockouts of addresses belong to no organization: without a code the command ends them too.']
    : [said]
}

/** Organisations to look at: the one of the code, or all with the provider. */
const organisationsOf = async (services: RescueServices, code: string | undefined): Promise<Named[]> =>
  code === undefined ? listOrganisations(services.database) : [await openByCode(services, code)]

/** Checks the chains of events. */
export async function checkChains(
  services: RescueServices,
  code?: string,
): Promise<{ lines: readonly string[]; isWhole: boolean }> {
  const { database } = services
  const all = await organisationsOf(services, code)
  const lines: string[] = []
  let isWhole = true
  for (const { id, code: name } of code === undefined ? [...all, PROVIDER] : all) {
    const { events, broken } = await database.withProvider(OPERATOR, (db) =>
      database.enterOrganisation(db, id, findFirstBroken),
    )
    if (broken !== null) isWhole = false
    lines.push(
      broken === null
        ? `${name}: whole, ${inNumbers(events, 'event')}.`
        : `${name}: broken. Event ${broken} is the first that was changed, removed or inserted.`,
    )
  }
  return { lines, isWhole }
}

/** Ends everything that a stolen device of a person opens. API keys that they made are listed, and ended on demand. */
export const revokePerson = (
  services: RescueServices,
  { code, address, endsKeys }: { code: string; address: string; endsKeys: boolean },
): Promise<readonly string[]> =>
  forPerson(services, { code, address }, async (db, user) => {
    await revokeUser(db, NOBODY, user.id)
    const keys = await listKeysMadeBy(db, user.email)
    if (endsKeys) for (const { id } of keys) await apiKeys.remove(db, id)
    const names = keys.map(({ name }) => `  ${name}`)
    const ofKeys = endsKeys
      ? 'API keys that they made, which are deleted:'
      : 'API keys that they made, which go on. To delete them, add --api-keys:'
    return [
      `The sessions, the links to set a password and the calendar address of ${user.email} are ended.`,
      'They can sign in again with their password. To keep them out, archive or ban them.',
      ...(keys.length === 0 ? [] : [ofKeys, ...names]),
    ]
  })

/** Amounts of what organisations store. */
export async function readStored(
  services: RescueServices,
  code?: string,
): Promise<(Stored & { readonly organisation: string })[]> {
  const { database } = services
  const stored = []
  for (const { id, code: organisation } of await organisationsOf(services, code)) {
    const amounts = await database.withProvider(OPERATOR, (db) =>
      database.enterOrganisation(db, id, findStored),
    )
    stored.push({ organisation, ...amounts })
  }
  return stored
}
