import { importContacts } from '#server/contacts/import.flows.ts'
import { DAY, MINUTE } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { notifiableGroups } from '#server/mass-notifications/recipients.flows.ts'
import { type Sender, sendNotification } from '#server/mass-notifications/sending.flows.ts'
import { createTemplate } from '#server/notification-templates/flows.ts'

import { CONTACTS, SENT, TEMPLATES } from './notifications.content.ts'
import { sentLongAgo } from './notifications.store.ts'

/** Time at which the demonstration's notification was sent. */
export const sentAt = (now: number): number =>
  Math.floor(now / DAY) * DAY - SENT.daysAgo * DAY + SENT.at * MINUTE

/** Adds contacts and templates. */
export async function addContactsAndTemplates(db: OrgDb, by: Pick<Sender, 'config'>): Promise<void> {
  await importContacts(db, by, CONTACTS)
  for (const template of TEMPLATES) await createTemplate(db, by, template)
}

/** Nothing is escalated in the history. */
const NO_JOBS = { enqueueAt: () => Promise.resolve() }

/** Adds one notification to the history; nobody receives it. */
export async function addHistory(db: OrgDb, by: Sender): Promise<void> {
  const groups = await notifiableGroups(db, by)
  await sendNotification({ post: sentLongAgo, publicUrl: () => '', jobs: NO_JOBS }, db, by, {
    ...SENT.words,
    types: ['EMAIL', 'SMS'],
    contactListIds: [...SENT.lists],
    contactIds: [],
    groupIds: groups.filter(({ name }) => name === SENT.group).map(({ id }) => id),
  })
}
