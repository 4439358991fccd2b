import { configOf } from '#contract/config/catalogue.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import type { Services } from '#server/kit/services.ts'
import { notifyOfPlaybook, REVIEW_DUE } from '#server/notifications/flows.ts'
import { findOwn } from '#server/organisations/store.ts'

import { type DuePlaybook, listDueOrganisations, updateReminded } from './reviews.store.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'reviews' }

/** Registers the hourly job that reminds playbook owners; call before the jobs begin. */
export function remindOwners(services: Services): void {
  services.jobs.every('playbook reviews', HOUR, () => remindAll(services))
}

/** Reminds the owners of all due playbooks, once per review date. Returns how many. */
export async function remindAll(services: Services): Promise<number> {
  const today = clock.timestamp().slice(0, 10)
  const ids = await services.database.withProvider(SYSTEM, (db) => listDueOrganisations(db, today))
  let count = 0
  for (const organisationId of ids) {
    // oxlint-disable-next-line no-await-in-loop -- one organisation at a time
    count += await services.database.withOrganisation({ organisationId, actor: () => SYSTEM }, (db) =>
      remind(services, db, today),
    )
  }
  return count
}

async function remind({ post, publicUrl }: Services, db: OrgDb, today: string): Promise<number> {
  const own = await findOwn(db)
  if (!own || !configOf(own.config, own.globalConfig ?? {}).playbookEnabled) return 0
  const due = await updateReminded(db, today)
  for (const { id, name, ownerId } of due)
    await notifyOfPlaybook(db, [ownerId], { id, title: REVIEW_DUE, details: name })
  await post.mail(
    db,
    ...due.map((playbook) => ({ to: playbook.email, ...reminderOf(playbook, publicUrl()) })),
  )
  return due.length
}

const reminderOf = ({ id, name, reviewDate, firstName }: DuePlaybook, url: string) =>
  emailMessage({
    subject: `${REVIEW_DUE}: ${name}`,
    before: [
      `Hello ${firstName},`,
      `The playbook “${name}”, which you own, was to be reviewed on ${reviewDate}. Please read it again:`,
    ],
    link: { href: `${url}/playbooks/${id}`, label: 'Open the playbook' },
    after: ['Once it is right, set the date of its next review.'],
  })
