import { sql } from 'kysely'

import type { HelpCall } from '#contract/incidents/schema.ts'
import type { AnswerTone } from '#contract/notification-questions/schema.ts'
import type { ColumnsOf } from '#server/kit/database/columns.ts'
import { valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { isAskedByAll } from '#server/kit/database/people.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_answers: ColumnsOf<IncidentAnswer>
  }
}

/** The newest answer of a person to a question of a notification about an incident. */
export interface IncidentAnswer {
  readonly incidentId: string
  readonly notificationId: string
  /** Number of the person within the notification. */
  readonly person: number
  /** Null for a person without an account. */
  readonly userId: string | null
  readonly name: string
  readonly label: string
  readonly tone: AnswerTone
  readonly note: string
  readonly createTimestamp: string
}

/** The user with an address, and true where a running incident lets the user check in; undefined for no user. */
export async function findAnswering(
  db: OrgDb,
  incidentId: string,
  email: string | null,
): Promise<{ id: string; mayCheckIn: boolean } | undefined> {
  if (email === null) return undefined
  const { rows } = await sql<{ id: string; mayCheckIn: boolean }>`
    select u.id, i.is_active and u.active and not u.banned and (${isAskedByAll('u')} or exists (
        select from incident_targets t where t.incident_id = i.id and t.user_id = u.id)) as "mayCheckIn"
    from users u join incidents i on i.id = ${incidentId} where u.email = ${email}`.execute(db)
  return rows[0]
}

/** Stores an answer in the place of the person's earlier one. Returns the tone of that one; null for none. */
export async function replaceAnswer(db: OrgDb, answer: IncidentAnswer): Promise<AnswerTone | null> {
  const before = await db
    .selectFrom('incident_answers')
    .select('tone')
    .where('notification_id', '=', answer.notificationId)
    .where('person', '=', answer.person)
    .executeTakeFirst()
  const { incidentId: _, notificationId: __, person: ___, ...changed } = answer
  await db
    .insertInto('incident_answers')
    .values(valuesOf(answer))
    .onConflict((conflict) => conflict.columns(['notification_id', 'person']).doUpdateSet(valuesOf(changed)))
    .execute()
  return before?.tone ?? null
}

const helpIn = (db: OrgDb, incidentId: string) =>
  db.selectFrom('incident_answers').where('incident_id', '=', incidentId).where('tone', '=', 'ATTENTION')
/** Number of people who call for help. */
export async function countHelpCalls(db: OrgDb, incidentId: string): Promise<number> {
  const { total } = await helpIn(db, incidentId)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** A page of the people who call for help, the longest waiting first. */
export function listHelpCalls(
  db: OrgDb,
  incidentId: string,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<HelpCall[]> {
  return helpIn(db, incidentId)
    .select([
      'notification_id as notificationId',
      'person',
      'user_id as userId',
      'name',
      'label',
      'note',
      'create_timestamp as timestamp',
    ])
    .orderBy('create_timestamp')
    .orderBy('notification_id')
    .orderBy('person')
    .limit(size)
    .offset(offset)
    .execute()
}

/** Numbers of answers to the questions of notifications, by notification and label. */
export async function countIncidentAnswers(
  db: OrgDb,
  notificationIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  if (notificationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('incident_answers')
    .select((eb) => ['notification_id', 'label', eb.fn.countAll<number>().as('count')])
    .where('notification_id', '=', sql<string>`any(${notificationIds}::uuid[])`)
    .groupBy(['notification_id', 'label'])
    .execute()
  const grouped = Map.groupBy(rows, (row) => row.notification_id)
  return new Map(
    [...grouped].map(([id, counts]) => [id, new Map(counts.map(({ label, count }) => [label, count]))]),
  )
}
