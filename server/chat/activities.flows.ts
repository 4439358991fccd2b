import { cut } from '#contract/kit/cut.ts'
import type { Message, NewMessageActivity } from '#contract/chat/schema.ts'
import { NewActivity } from '#contract/incidents/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { fullName } from '#contract/kit/names.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { opened } from '#server/incidents/access.flows.ts'
import { addActivity } from '#server/incidents/activities.flows.ts'
import { hasActivityOf } from '#server/incidents/activities.store.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { ChatPublisher } from '#server/kit/live/feed.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { plainText } from '#server/kit/core/rich-text.ts'

import { openedMessage, refreshMessage } from './messages.flows.ts'
import { findMessage, listPeople, type MessageRow, toMessage } from './messages.store.ts'

/** The text of a message, with names in place of mentioned addresses, and the names of its files. */
async function wordsOf(db: OrgDb, row: MessageRow): Promise<string> {
  const mentioned = await listPeople(db, row.mentioned)
  const said = mentioned.reduce(
    (words, person) => words.replaceAll(`@${person.email}`, `@${fullName(person)}`),
    plainText(row.html).trim(),
  )
  return [said, row.files.map(wholeName).join('\n')].filter(Boolean).join('\n\n')
}

/** Creates an update or a task of an active incident from a message, once per incident. */
export async function addToIncident(
  chat: ChatPublisher,
  db: OrgDb,
  by: Caller,
  id: string,
  { incidentId, type, title }: NewMessageActivity,
): Promise<Message> {
  const { row } = await openedMessage(db, by, id)
  demand(row.deleted_timestamp === null, 409, 'This message was deleted.')
  demand(!row.is_call, 409, 'A call cannot be added to an incident.')
  await opened(db, by, incidentId, 'change')
  if (await hasActivityOf(db, id, incidentId)) return toMessage((await findMessage(db, id))!)
  const words = await wordsOf(db, row)
  const firstLine = cut(words.split('\n', 1)[0]!, SHORT_TEXT_MAX)
  const activity = NewActivity.parse({
    type,
    title: type === 'TASK' ? title?.trim() || firstLine : '',
    description: row.user_id === by.id ? words : `${fullName(row.author)} wrote in the chat:\n${words}`,
  })
  await addActivity(db, by, incidentId, activity, id)
  return refreshMessage(chat, db, id)
}
