import { configOf } from '#contract/config/catalogue.ts'
import {
  NEEDS_REASON,
  type OrganisationAccess,
  REASON_REQUIRED,
} from '#contract/organisation-access/schema.ts'
import { USER_ROLES } from '#contract/users/schema.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { StaffCaller } from '#server/kit/http/serve.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import type { Services } from '#server/kit/services.ts'
import { insertNotifications } from '#server/notifications/store.ts'

import type { Administrator } from '#server/users/flows.ts'

import {
  findAccess,
  findOrganisationById,
  insertAccess,
  listAdministrators,
  type OrganisationRow,
} from './store.ts'

/** Duration of staff access to an organisation after they gave a reason. */
const ACCESS_LIFE = HOUR

/** @throws Refusal 404 */
export async function openOrganisation(db: ProviderDb, id: string): Promise<OrganisationRow> {
  const organisation = await findOrganisationById(db, id)
  if (!organisation) throw notFound('This organization')
  return organisation
}

export const currentAccess = async (
  db: ProviderDb,
  caller: StaffCaller,
  id: string,
): Promise<OrganisationAccess | null> => {
  await openOrganisation(db, id)
  return (await findAccess(db, id, caller.id, clock.timestamp())) ?? null
}

/** Staff as an administrator of an organisation. */
export type StaffInOrganisation = Administrator

/** Staff as they act in an organisation. */
export const staffIn = (caller: StaffCaller, row: OrganisationRow): StaffInOrganisation => ({
  id: caller.id,
  title: `${caller.name}, who works for the provider of Muster,`,
  roles: USER_ROLES,
  organisation: { id: row.id, code: row.code, displayName: row.display_name },
  config: configOf(row.config, row.global_config ?? {}),
})

/**
 * Runs `work` in an organisation as its member, under the name of staff who gave a reason within the last hour.
 * @throws Refusal 404, or 409 with the code `reason_required`
 */
export async function lookInto<T>(
  { database }: Services,
  db: ProviderDb,
  caller: StaffCaller,
  id: string,
  work: (db: OrgDb, staff: StaffInOrganisation) => Promise<T>,
): Promise<T> {
  const organisation = await openOrganisation(db, id)
  if (!(await findAccess(db, id, caller.id, clock.timestamp())))
    throw new Refusal(409, REASON_REQUIRED, { code: NEEDS_REASON })
  return database.enterOrganisation(db, id, (inside) => work(inside, staffIn(caller, organisation)))
}

/** Opens an organisation to staff for an hour and records it in the audit log. */
export async function openFor(db: OrgDb, caller: StaffCaller, reason: string): Promise<OrganisationAccess> {
  const now = clock.now()
  const id = crypto.randomUUID()
  const expiresAt = new Date(now + ACCESS_LIFE).toISOString()
  await insertAccess(db, {
    id,
    staff_id: caller.id,
    reason,
    create_timestamp: new Date(now).toISOString(),
    expires_timestamp: expiresAt,
  })
  record(db, {
    noun: 'staff-access',
    record: id,
    verb: 'granted',
    changes: { reason: { from: null, to: reason }, expiresAt: { from: null, to: expiresAt } },
  })
  return { id, reason, expiresAt }
}

/**
 * Opens an organisation to staff who give a reason, and notifies its administrators, in the product and by mail.
 * @throws Refusal 404
 */
export async function giveReason(
  services: Services,
  db: ProviderDb,
  caller: StaffCaller,
  id: string,
  reason: string,
): Promise<OrganisationAccess> {
  const organisation = await openOrganisation(db, id)
  return services.database.enterOrganisation(db, id, async (inside) => {
    const access = await openFor(inside, caller, reason)
    await tellAdministrators(services, inside, caller, organisation.display_name, access)
    return access
  })
}

async function tellAdministrators(
  { post }: Services,
  db: OrgDb,
  { name }: StaffCaller,
  organisation: string,
  { id, reason }: OrganisationAccess,
): Promise<void> {
  const administrators = await listAdministrators(db)
  const to = administrators.map((user) => user.id)
  const at = clock.timestamp()
  const title = "The provider's staff can look into your organization for an hour"
  await insertNotifications(
    db,
    to,
    {
      title,
      details: `${name}: ${reason}`,
      incidentId: null,
      activityId: null,
      roomId: null,
      playbookId: null,
      approvalId: null,
    },
    at,
  )
  record(db, { noun: 'notifications', record: id, verb: 'created', changes: { to: { from: null, to } }, at })
  const mails = administrators.map(({ email, firstName }) => ({
    to: email,
    ...emailMessage({
      subject: `${title} (${organisation})`,
      before: [
        `Hello ${firstName},`,
        `${name}, who works for the provider of Muster, opened ${organisation} for an hour. The reason:`,
        reason,
        'The people and the incidents of your organization can be seen in that time. What is done is in the audit log.',
        'If you did not expect this, please ask your provider.',
      ],
    }),
  }))
  await post.mail(db, ...mails)
}
