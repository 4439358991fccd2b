import { sql } from 'kysely'

import { NotificationTemplate } from '#contract/notification-templates/schema.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'

export const templates = plainNoun({
  noun: 'notification-templates',
  table: 'notification_templates',
  label: 'This template',
  schema: NotificationTemplate,
  fields: ['title', 'level', 'smsMessage', 'emailMessage', 'question', 'escalation', 'language'],
  name: 'title',
  orders: { title: sql`sort_key`, updateTimestamp: sql`update_timestamp` },
  sort: ['title', 'ASC'],
})
