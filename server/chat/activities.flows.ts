import { cut } from '#contract/kit/cut.ts'
import type { Message, MessageActivityType, NewMessageActivity } from '#contract/chat/schema.ts'
import { DECISION_TEXT_MAX, NewDecision } from '#contract/incident-decisions/schema.ts'
import { ENTRY_MAX } from '#contract/incident-timeline/schema.ts'
import { NewActivity } from '#contract/incidents/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { fullName } from '#contract/kit/names.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { propose } from '#server/incident-decisions/flows.ts'
import { hasDecisionOf } from '#server/incident-decisions/store.ts'
import { addEntry } from '#server/incident-timeline/entries.flows.ts'
import { hasEntryOf } from '#server/incident-timeline/store.ts'
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

/** True where the message has become this part of the incident already. Updates and tasks count as one. */
const isMade: { readonly [T in MessageActivityType]: typeof hasActivityOf } = {
  TASK: hasActivityOf,
  UPDATE: hasActivityOf,
  ENTRY: hasEntryOf,
  DECISION: hasDecisionOf,
}

/** Creates a part of an incident from a message, once per incident; tasks and updates of an active one. */
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
  if (await isMade[type](db, id, incidentId)) return toMessage((await findMessage(db, id))!)
  const words = await wordsOf(db, row)
  const firstLine = cut(words.split('\n', 1)[0]!, SHORT_TEXT_MAX)
  const name = title?.trim() || firstLine
  const text = row.user_id === by.id ? words : `${fullName(row.author)} wrote in the chat:\n${words}`
  if (type === 'ENTRY') {
    const entry = { text: cut(text, ENTRY_MAX), happenedTimestamp: row.create_timestamp }
    await addEntry(db, by, incidentId, entry, id)
  } else if (type === 'DECISION') {
    const context = cut(text, DECISION_TEXT_MAX)
    const decision = NewDecision.parse({ title: name, context, decider: by.name })
    await propose(db, by, incidentId, decision, id)
  } else {
    const activity = NewActivity.parse({ type, title: type === 'TASK' ? name : '', description: text })
    await addActivity(db, by, incidentId, activity, id)
  }
  return refreshMessage(chat, db, id)
}
