import { smsTooLong } from '#contract/mass-notifications/rules.ts'
import type {
  NewNotificationTemplate,
  NotificationTemplate,
} from '#contract/notification-templates/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { wrongField } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'

import { templates } from './store.ts'

type By = Pick<Caller, 'config'>

function checkLength({ smsMessage }: NewNotificationTemplate, { config }: By): void {
  const limit = config.massNotifsSmsMessageLimit
  if (smsMessage && smsMessage.length > limit) throw wrongField('smsMessage', smsTooLong(limit))
}

export async function createTemplate(
  db: OrgDb,
  by: By,
  template: NewNotificationTemplate,
): Promise<NotificationTemplate> {
  checkLength(template, by)
  return templates.create(db, template)
}

export async function changeTemplate(
  db: OrgDb,
  by: By,
  id: string,
  changes: NewNotificationTemplate & { readonly version?: number | undefined },
): Promise<NotificationTemplate> {
  const before = await templates.hold(db, id, changes.version)
  checkLength(changes, by)
  return templates.update(db, before, changes)
}
