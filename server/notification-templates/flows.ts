import { ESCALATION_NEEDS_QUESTION } from '#contract/notification-escalations/schema.ts'
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
type Escalated = Pick<NotificationTemplate, 'question' | 'escalation'>

/** @throws Refusal 400 for an escalation without a question */
function checkEscalation({ question, escalation }: Escalated): void {
  if (escalation && !question) throw wrongField('escalation', ESCALATION_NEEDS_QUESTION)
}

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
  const values = { ...template, escalation: template.escalation ?? null, language: template.language ?? null }
  checkEscalation(values)
  return templates.create(db, values)
}

export async function changeTemplate(
  db: OrgDb,
  by: By,
  id: string,
  changes: NewNotificationTemplate & { readonly version?: number | undefined },
): Promise<NotificationTemplate> {
  const before = await templates.hold(db, id, changes.version)
  checkLength(changes, by)
  // Programs that do not know of escalations and languages do not remove one, except an escalation with its question.
  const kept = changes.question ? before.escalation : null
  const values = {
    ...changes,
    escalation: changes.escalation === undefined ? kept : changes.escalation,
    language: changes.language === undefined ? before.language : changes.language,
  }
  checkEscalation(values)
  return templates.update(db, before, values)
}
