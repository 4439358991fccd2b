import { ALREADY_STAFF, type NewStaffMember, type StaffMember } from '#contract/staff/schema.ts'
import type { StaffRole } from '#contract/kit/access.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { demand, notFound, wrongField } from '#server/kit/core/refusal.ts'
import type { StaffCaller } from '#server/kit/http/serve.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import type { Services } from '#server/kit/services.ts'
import { removeAuthenticator } from '#server/second-factors/flows.ts'

import {
  deleteSessionsOf,
  deleteStaff,
  findStaff,
  findStaffByEmail,
  insertNamed,
  listStaff,
  updateRole,
  upsertInvited,
} from './store.ts'

const NAMED = 'The setting STAFF_EMAILS names this person.'

/** All members of staff, including those named in the settings who never signed in. */
export async function findAllStaff({ settings }: Services, db: ProviderDb): Promise<StaffMember[]> {
  await insertNamed(db, settings, clock.timestamp())
  return listStaff(db, settings)
}

/**
 * Adds a member of staff and mails them where to sign in.
 * @throws Refusal 409
 */
export async function inviteStaff(
  services: Services,
  db: ProviderDb,
  caller: StaffCaller,
  { email, role }: NewStaffMember,
): Promise<StaffMember> {
  const { settings } = services
  if (settings.staffEmails.includes(email) || (await findStaffByEmail(db, email, settings)))
    throw wrongField('email', ALREADY_STAFF, 409)
  const id = await upsertInvited(db, { email, role }, caller.name, clock.timestamp())
  await services.post.mail(db, {
    to: email,
    ...emailMessage({
      subject: 'You can sign in to the Muster management console',
      before: [`${caller.name} gave you access to the management console. Sign in with this email address:`],
      link: { href: `${services.publicUrl()}/management-login`, label: 'Sign in' },
    }),
  })
  record(db, {
    noun: 'staff',
    record: id,
    verb: 'invited',
    changes: { name: { from: null, to: email }, role: { from: null, to: role } },
  })
  return (await findStaff(db, id, settings))!
}

/** @throws Refusal 404, 409 for the caller */
async function openOther(
  { settings }: Pick<Services, 'settings'>,
  db: ProviderDb,
  caller: Pick<StaffCaller, 'id'>,
  id: string,
  oneself: string,
): Promise<StaffMember> {
  const member = await findStaff(db, id, settings)
  if (!member) throw notFound('This member of staff')
  demand(id !== caller.id, 409, oneself)
  return member
}

/**
 * Changes the role of another member with immediate effect.
 * @throws Refusal 404, 409
 */
export async function changeStaff(
  services: Services,
  db: ProviderDb,
  caller: StaffCaller,
  id: string,
  role: StaffRole,
): Promise<StaffMember> {
  const { settings } = services
  const member = await openOther(services, db, caller, id, 'You cannot change your own role.')
  demand(!settings.staffEmails.includes(member.email), 409, `${NAMED} They administer.`)
  await updateRole(db, id, role)
  if (role !== member.role)
    record(db, {
      noun: 'staff',
      record: id,
      verb: 'updated',
      changes: { role: { from: member.role, to: role } },
    })
  return { ...member, role }
}

/**
 * Deletes the authenticator app of another member, signs them out, notifies them by mail, and has them enrol a new one.
 * @throws Refusal 404, 409
 */
export async function resetStaffAuthenticator(
  services: Pick<Services, 'settings' | 'post'>,
  db: ProviderDb,
  caller: Pick<StaffCaller, 'id' | 'name'>,
  id: string,
): Promise<void> {
  const { email } = await openOther(services, db, caller, id, 'You cannot reset your own authenticator app.')
  await removeAuthenticator(db, { kind: 'staff', id })
  await deleteSessionsOf(db, id)
  await services.post.mail(db, {
    to: email,
    ...emailMessage({
      subject: 'Your authenticator app for the Muster management console was reset',
      before: [
        `${caller.name} reset your authenticator app and your recovery codes. You are signed out.`,
        'You set up an app again when you sign in the next time. If you did not ask for this, please tell them at once.',
      ],
    }),
  })
}

/**
 * Removes another member of staff and ends their sessions.
 * @throws Refusal 404, 409
 */
export async function removeStaff(
  services: Services,
  db: ProviderDb,
  caller: StaffCaller,
  id: string,
): Promise<void> {
  const { email } = await openOther(services, db, caller, id, 'You cannot remove yourself.')
  demand(!services.settings.staffEmails.includes(email), 409, `${NAMED} Remove the address there.`)
  await deleteStaff(db, id)
  record(db, {
    noun: 'staff',
    record: id,
    verb: 'removed',
    changes: { name: { from: email, to: null } },
  })
}
