import { sql } from 'kysely'

import { type OrgDb, PROVIDER_ID, type ProviderDb } from '#server/kit/database/db.ts'
import type { InboundSms } from '#server/kit/messages/messages.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    inbound_messages: {
      carrier: string
      provider_id: string
      sender: string
      text: string
      notification_id: string | null
      people: number[]
      is_answer: boolean
      create_timestamp: string
    }
  }
}

/** The newest open question of an SMS to a number, and the people it went to there. */
export interface RepliedQuestion {
  readonly organisationId: string
  readonly notificationId: string
  readonly people: number[]
}

/**
 * The question that an SMS replies to: the newest open one, in any organisation, that went to this number from the number
 * that was replied to.
 * @param ours the number of the settings, from which messages without their own come
 * @param isAny true where several carriers have numbers of their own, so that any of them is replied to
 */
export async function findRepliedQuestion(
  db: ProviderDb,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: string },
  { ours, isAny }: { readonly ours: string | null; readonly isAny: boolean },
): Promise<RepliedQuestion | undefined> {
  const { rows } = await sql<RepliedQuestion>`
    select n.organisation_id as "organisationId", n.id as "notificationId", array(
        select distinct p.recipient_place from messages p
        where p.notification_id = n.id and p.channel = 'SMS' and p.recipient = ${from}
          and p.recipient_place is not null
        order by 1
      ) as people
    from messages m
      join message_contents c on c.id = m.content_id
      join mass_notifications n on n.id = m.notification_id
      join organisations o on o.id = n.organisation_id and not o.is_closed
    where m.recipient = ${from} and m.channel = 'SMS' and m.recipient_place is not null
      and (${isAny} or coalesce(c.sender, ${ours}::text, ${to}::text) = ${to})
      and n.question is not null and n.question_closed_timestamp is null and n.question_end_timestamp > ${now}
    order by m.create_timestamp desc, m.id desc limit 1`.execute(db)
  return rows[0]
}

/** Stores an SMS with what it replies to. Returns false where it is known. */
export async function insertInbound(
  db: ProviderDb,
  { carrier, providerId, from, text }: InboundSms,
  question: RepliedQuestion | undefined,
  at: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into inbound_messages (organisation_id, carrier, provider_id, sender, text, notification_id, people, create_timestamp)
    values (${question?.organisationId ?? PROVIDER_ID}, ${carrier}, ${providerId}, ${from}, ${text},
      ${question?.notificationId ?? null}, ${question?.people ?? []}::integer[], ${at})
    on conflict do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Marks an SMS as an answer. */
export const markAnswer = (
  db: ProviderDb,
  { carrier, providerId }: Pick<InboundSms, 'carrier' | 'providerId'>,
): Promise<unknown> =>
  db
    .updateTable('inbound_messages')
    .set({ is_answer: true })
    .where('carrier', '=', carrier)
    .where('provider_id', '=', providerId)
    .execute()

/** Words by SMS that were no answer, by the places of the people of the number, oldest first. */
export async function listReplies(db: OrgDb, notificationId: string): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('inbound_messages')
    .select(['people', 'text'])
    .where('notification_id', '=', notificationId)
    .where('is_answer', '=', false)
    .orderBy('create_timestamp')
    .orderBy('provider_id')
    .execute()
  const replies = new Map<number, string[]>()
  for (const { people, text } of rows)
    for (const person of people) {
      const known = replies.get(person)
      if (known) known.push(text)
      else replies.set(person, [text])
    }
  return replies
}

/** The question of a call with keys, and its person. */
export async function findCall(
  db: OrgDb,
  messageId: string,
): Promise<{ notificationId: string; person: number; language: string | null } | undefined> {
  const { rows } = await sql<{ notificationId: string; person: number; language: string | null }>`
    select m.notification_id as "notificationId", m.recipient_place as person, c.language
    from messages m join message_contents c on c.id = m.content_id
    where m.id = ${messageId} and m.channel = 'VOICE_CALL' and m.notification_id is not null
      and m.recipient_place is not null and c.keys is not null`.execute(db)
  return rows[0]
}
