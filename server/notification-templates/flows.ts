import { smsTooLong } from '#contract/mass-notifications/rules.ts'
import type {
  NewNotificationTemplate,
  NotificationTemplate,
  NotificationTemplateChanges,
} from '#contract/notification-templates/schema.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { changesBetween, findLastEditor, record } from '#server/kit/events/events.ts'
import { notFound, stale, wrongField } from '#server/kit/http/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'

import { deleteTemplate, holdTemplate, insertTemplate, updateTemplate } from './store.ts'

const NOUN = 'notification-templates'
const FIELDS = ['title', 'level', 'smsMessage', 'emailMessage'] as const
type By = Pick<Caller, 'config'>

function checkWords({ smsMessage }: NewNotificationTemplate, { config }: By): void {
  const limit = config.massNotifsSmsMessageLimit
  if (smsMessage && smsMessage.length > limit) throw wrongField('smsMessage', smsTooLong(limit))
}

async function demandTemplate(template: Promise<NotificationTemplate | undefined>) {
  const found = await template
  if (!found) throw notFound('This template')
  return found
}

/** Makes a template. */
export async function createTemplate(
  db: OrgDb,
  by: By,
  given: NewNotificationTemplate,
): Promise<NotificationTemplate> {
  checkWords(given, by)
  const template = await insertTemplate(db, given, clock.timestamp())
  const changes = changesBetween<Partial<NotificationTemplate>>({}, template, FIELDS)
  record(db, { noun: NOUN, record: template.id, verb: 'created', changes })
  return template
}

/** Changes a template. */
export async function changeTemplate(
  db: OrgDb,
  by: By,
  id: string,
  given: NotificationTemplateChanges,
): Promise<NotificationTemplate> {
  const before = await demandTemplate(holdTemplate(db, id))
  if (given.version !== undefined && given.version !== before.version)
    throw stale(await findLastEditor(db, 'notification-templates', id))
  checkWords(given, by)
  const words = { ...given, smsMessage: given.smsMessage || null, emailMessage: given.emailMessage || null }
  const changes = changesBetween<Partial<NotificationTemplate>>(before, words, FIELDS)
  if (Object.keys(changes).length === 0) return before
  const template = await updateTemplate(db, id, words, clock.timestamp())
  record(db, { noun: NOUN, record: id, verb: 'updated', changes })
  return template
}

/** Deletes a template. */
export async function removeTemplate(db: OrgDb, id: string): Promise<void> {
  const { title } = await demandTemplate(holdTemplate(db, id))
  await deleteTemplate(db, id)
  record(db, { noun: NOUN, record: id, verb: 'deleted', changes: { title: { from: title, to: null } } })
}
