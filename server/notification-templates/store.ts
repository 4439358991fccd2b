import { type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import type { notificationTemplatesApi, TEMPLATE_SORT_FIELDS } from '#contract/notification-templates/api.ts'
import type {
  EventLevel,
  NewNotificationTemplate,
  NotificationTemplate,
} from '#contract/notification-templates/schema.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { pageOf } from '#server/kit/http/lists.ts'
import { holdsEachWord } from '#server/kit/database/search.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    notification_templates: {
      id: string
      title: string
      level: EventLevel
      sms_message: string | null
      email_message: string | null
      create_timestamp: string
      update_timestamp: string
      version: number
      sort_key: GeneratedAlways<string>
      search_key: GeneratedAlways<string>
    }
  }
}

const SHOWN = [
  'id',
  'title',
  'level',
  'sms_message as smsMessage',
  'email_message as emailMessage',
  'update_timestamp as updateTimestamp',
  'version',
] as const
const BY: { readonly [F in (typeof TEMPLATE_SORT_FIELDS)[number]]: RawBuilder<unknown> } = {
  title: sql`sort_key`,
  updateTimestamp: sql`update_timestamp`,
}

/** A page of templates, by title unless a sort is asked for. Each word of `q` must be found somewhere. */
export async function listTemplates(
  db: OrgDb,
  { sort, range, filter }: z.output<(typeof notificationTemplatesApi)['list']['query']>,
): Promise<Page<NotificationTemplate>> {
  const [field, direction] = sort ?? ['title', 'ASC']
  const list = db
    .selectFrom('notification_templates')
    .select(SHOWN)
    .where(holdsEachWord(filter?.q))
    .orderBy(sql`${BY[field]} ${sql.raw(direction)}`)
    .orderBy('id')
  return pageOf(list, range)
}

/** One template, held until the transaction ends. */
export const holdTemplate = (db: OrgDb, id: string): Promise<NotificationTemplate | undefined> =>
  db.selectFrom('notification_templates').select(SHOWN).where('id', '=', id).forUpdate().executeTakeFirst()

type Words = Pick<NewNotificationTemplate, 'title' | 'level' | 'smsMessage' | 'emailMessage'>
const columnsOf = ({ title, level, smsMessage, emailMessage }: Words) => ({
  title,
  level,
  sms_message: smsMessage || null,
  email_message: emailMessage || null,
})

export const insertTemplate = (db: OrgDb, words: Words, at: string): Promise<NotificationTemplate> =>
  db
    .insertInto('notification_templates')
    .values({
      id: crypto.randomUUID(),
      ...columnsOf(words),
      create_timestamp: at,
      update_timestamp: at,
      version: 1,
    })
    .returning(SHOWN)
    .executeTakeFirstOrThrow()

/** Changes a template and counts the version up. */
export const updateTemplate = (
  db: OrgDb,
  id: string,
  words: Words,
  at: string,
): Promise<NotificationTemplate> =>
  db
    .updateTable('notification_templates')
    .set({ ...columnsOf(words), update_timestamp: at, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirstOrThrow()

export async function deleteTemplate(db: OrgDb, id: string): Promise<void> {
  await db.deleteFrom('notification_templates').where('id', '=', id).execute()
}
