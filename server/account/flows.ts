import { Readable } from 'node:stream'

import Bowser from 'bowser'

import { accountApi } from '#contract/account/api.ts'
import {
  type Device,
  INVALID_OWN_PHONE,
  type MyChanges,
  type MyPassword,
  PASSWORD_INCORRECT,
  PICTURE_SIZE,
  PICTURE_TYPE,
  RECENT_SIGN_IN_MINUTES,
} from '#contract/account/schema.ts'
import { pathOf } from '#contract/kit/endpoint.ts'
import { pick } from '#contract/kit/pick.ts'
import type { SessionUser } from '#contract/sessions/schema.ts'
import { type PersonPhones, PHONE_FIELDS } from '#contract/kit/phone-fields.ts'
import { readChangedPhones } from '#contract/kit/person-phones.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { dropBlob, keepBlob } from '#server/kit/blobs/blobs.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import { squareImage } from '#server/kit/blobs/images.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import { phoneReader } from '#server/kit/messages/phones.ts'
import { hashPassword, passwordMatches } from '#server/kit/security/passwords.ts'
import { notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import { openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Caller, OutsideTransactionContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { lastPasswords, passwordRefusal, keepPassword } from '#server/sessions/passwords.flows.ts'
import { endSessions, sessionUser } from '#server/sessions/flows.ts'
import { findSessionStart } from '#server/sessions/store.ts'
import { noteWrongPassword } from '#server/sessions/sign-in.flows.ts'
import { findUser, holdUser, updateOwn, updateUser, type UserRow } from '#server/users/store.ts'

import { requireVerification } from '#server/verifications/flows.ts'

import { deletePicture, findPicture, insertPicture, listDevices, listOpenSessions } from './store.ts'

const SIGNED_OUT = 'signed out from another device'
type Me = Pick<Caller, 'id' | 'sessionId' | 'passwordChangeRequired' | 'config'>

/** Locks the caller's row until the transaction ends. */
async function holdMe(db: OrgDb, { id }: Me): Promise<UserRow> {
  await holdUser(db, id)
  const user = await findUser(db, id)
  if (!user) throw notFound('This user')
  return user
}

/** Accepts the terms, or stores or deletes phone numbers. Equal values change nothing. */
export async function changeMe(db: OrgDb, me: Me, given: MyChanges): Promise<SessionUser> {
  const before = await holdMe(db, me)
  const now = clock.timestamp()
  const { acceptedTerms, ...sent } = given
  const { phones, problems } = readChangedPhones(sent, before, phoneReader(me.config))
  const [problem] = problems
  if (problem) throw wrongField(problem.field, INVALID_OWN_PHONE)
  const changes = changesBetween<PersonPhones>(before, phones, PHONE_FIELDS)
  if (Object.keys(changes).length > 0) {
    await updateUser(db, me.id, pick(phones, PHONE_FIELDS), now)
    record(db, { noun: 'users', record: me.id, verb: 'updated', changes })
  }
  if (acceptedTerms && !before.acceptedTerms) {
    await updateOwn(db, me.id, { acceptedTerms: true }, now)
    record(db, { noun: 'users', record: me.id, verb: 'terms accepted' })
  }
  return sessionUser((await findUser(db, me.id))!, me.passwordChangeRequired)
}

/** Refuses a session that was neither begun nor verified recently: somebody else may have taken over the device. */
async function requireRecentSignIn(db: OrgDb, { sessionId }: Me): Promise<void> {
  const start = sessionId && (await findSessionStart(db, sessionId))
  const isRecent = start && clock.now() - Date.parse(start) <= RECENT_SIGN_IN_MINUTES * MINUTE
  if (!isRecent) await requireVerification(db, { sessionId })
}

/**
 * Compares the caller's current password, limited like sign-in attempts.
 * @throws Refusal 400 at the field, 429
 */
async function proveCurrentPassword(
  services: Services,
  password: string,
  me: UserRow,
  { caller, address }: OutsideTransactionContext,
): Promise<void> {
  const { directory } = services.database
  const { id: organisationId, code } = caller.organisation
  const attempt = await services.attempts.tryPassword(directory, { code, email: me.email }, address)
  const right = await passwordMatches(password, me.passwordHash)
  const verdict = await attempt.settle(right)
  if (verdict.refusal) throw verdict.refusal
  if (right) return
  await noteWrongPassword(services, organisationId, me, verdict)
  throw wrongField('currentPassword', PASSWORD_INCORRECT)
}

/**
 * Sets a new password for the caller and ends their other sessions. Without the current password, the sign-in or a
 * verification of the session has to be recent.
 * @throws Refusal 400 at the field, 403 `verification_required`, 409 when it was changed elsewhere meanwhile, 429
 */
export async function changeMyPassword(
  services: Services,
  { password, currentPassword }: MyPassword,
  context: OutsideTransactionContext,
): Promise<void> {
  const { caller, address, userAgent, transaction, replyTransaction } = context
  const { me, last } = await transaction(async (db) => {
    if (currentPassword === undefined) await requireRecentSignIn(db, caller)
    return { me: (await findUser(db, caller.id))!, last: await lastPasswords(db, caller.id) }
  })
  if (currentPassword !== undefined) await proveCurrentPassword(services, currentPassword, me, context)
  const problem = await passwordRefusal(password, last, { ...me, organisation: caller.organisation })
  if (problem) throw wrongField('password', problem)
  const passwordHash = await hashPassword(password)
  await replyTransaction(async (db) => {
    const { firstName, email, passwordHash: current } = await holdMe(db, caller)
    if (current !== last[0])
      throw new Refusal(409, 'Your password was changed in another place meanwhile. Please try again.')
    await keepPassword(db, caller.id, passwordHash)
    await signOutOthers(db, caller, 'password changed')
    const { organisation } = caller
    await services.post.mail(db, {
      to: email,
      ...emailMessage({
        subject: 'Your password was changed',
        before: [
          `Hello ${firstName},`,
          `The password of your account at ${organisation.displayName} was changed (${deviceOf(userAgent).name ?? 'unknown device'}, ${address}). Your other devices were signed out.`,
        ],
        after: [
          'If it was you, there is nothing to do. If it was not, set a new password at once with "Forgot password" where you sign in, and tell your administrator.',
        ],
      }),
    })
  })
}

/** A readable name of a device, from its user agent. */
export function deviceOf(userAgent: string): Pick<Device, 'name' | 'kind'> {
  if (userAgent === '') return { name: null, kind: 'UNKNOWN' }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const system = platform.model ?? os.name
  const kind = (['desktop', 'mobile', 'tablet'] as const).find((known) => known === platform.type)
  return {
    name: [browser.name, system].filter(Boolean).join(' on ') || null,
    kind: kind ? (kind.toUpperCase() as Device['kind']) : 'UNKNOWN',
  }
}

/** The devices on which the caller is signed in. */
export async function myDevices(db: OrgDb, me: Me): Promise<Device[]> {
  const now = clock.timestamp()
  const rows = await listDevices(db, me.id, me.sessionId ?? '', now)
  return rows.map((row) => {
    const current = row.id === me.sessionId
    return {
      id: row.id,
      ...deviceOf(row.userAgent),
      address: row.address,
      createTimestamp: row.createTimestamp,
      // The write-behind cache has not stored the current activity yet.
      lastActiveTimestamp: current ? now : row.lastActiveTimestamp,
      current,
    }
  })
}

/** Signs one device of the caller out. */
export async function signOutDevice(db: OrgDb, me: Me, sessionId: string): Promise<void> {
  const mine = await listOpenSessions(db, me.id)
  if (!mine.some(({ id }) => id === sessionId)) throw notFound('This device')
  await endSessions(db, { sessionId }, SIGNED_OUT)
}

/** Signs out all devices of the caller except the calling one. */
export async function signOutOthers(db: OrgDb, me: Me, reason = SIGNED_OUT): Promise<void> {
  for (const { id } of await listOpenSessions(db, me.id))
    if (id !== me.sessionId) await endSessions(db, { sessionId: id }, reason)
}

/** The picture as it would be stored, resized after the transaction. */
export const previewOf = (bytes: Buffer): FileReply => ({
  name: 'preview.webp',
  type: PICTURE_TYPE,
  body: () => squareImage(bytes, PICTURE_SIZE),
})

/** Stores an image as the caller's picture, under a new address so that no cache shows the old one. */
export async function savePicture(
  { blobs }: Services,
  bytes: Buffer,
  { caller, replyTransaction }: OutsideTransactionContext,
): Promise<{ url: string }> {
  const organisationId = caller.organisation.id
  const image = await squareImage(bytes, PICTURE_SIZE)
  const blob = await blobs.write(organisationId, Readable.from([image]))
  const { token, hash } = sealToken('mi', organisationId)
  const url = `/api${pathOf(accountApi.picture, { token })}`
  try {
    return await replyTransaction(async (db) => {
      await holdMe(db, caller)
      const now = clock.timestamp()
      const old = await deletePicture(db, caller.id)
      if (old) await dropBlob(db, blobs, old)
      await keepBlob(db, blob)
      await insertPicture(db, {
        userId: caller.id,
        tokenHash: hash,
        blobId: blob.id,
        createTimestamp: now,
      })
      await updateOwn(db, caller.id, { profileImageUrl: url }, now)
      record(db, { noun: 'users', record: caller.id, verb: 'picture changed' })
      return { url }
    })
  } catch (error) {
    await blobs.remove(organisationId, blob.id)
    throw error
  }
}

/** Removes the caller's picture, if any. */
export async function removePicture({ blobs }: Services, db: OrgDb, me: Me): Promise<void> {
  await holdMe(db, me)
  const old = await deletePicture(db, me.id)
  if (!old) return
  await dropBlob(db, blobs, old)
  await updateOwn(db, me.id, { profileImageUrl: null }, clock.timestamp())
  record(db, { noun: 'users', record: me.id, verb: 'picture removed' })
}

/** The picture behind the token of its address. */
export async function pictureAt({ database, blobs, settings }: Services, token: string): Promise<FileReply> {
  const opened = openToken('mi', token)
  const organisationId = opened?.organisationId
  const blob =
    opened &&
    (await database.withOrganisation(
      { organisationId: opened.organisationId, actor: () => ({ kind: 'system', id: null, name: 'picture' }) },
      (db) => findPicture(db, opened.hash),
    ))
  if (!blob || !organisationId) throw notFound('This picture')
  return {
    name: 'picture.webp',
    type: PICTURE_TYPE,
    lasting: true,
    // Jitsi embeds the pictures of a call's participants.
    isEmbeddable: settings.jitsi !== null,
    body: () => blobs.read(organisationId, blob),
  }
}
