import { sql } from 'kysely'

import type { Database } from '../database/db.ts'
import type { OwnLinks } from './own-links.ts'
import { SIMULATED } from './simulator.ts'

/** A message as the outbox shows it. */
export interface OutboxMessage {
  readonly channel: string
  readonly to: string
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
  readonly createTimestamp: string
}
/** A cursor of the outbox: next to this message. Without an id, next to all messages of that moment. */
export interface OutboxCursor {
  readonly createTimestamp: string
  readonly id?: string | undefined
}
export interface OutboxPage {
  /** Only recipients that contain this text, regardless of case. */
  readonly to?: string | undefined
  /** Only older messages. */
  readonly before?: OutboxCursor | undefined
  /** Only newer messages: those next to the cursor. */
  readonly after?: OutboxCursor | undefined
  readonly limit?: number | undefined
}
type Kept = OutboxMessage & { readonly id: string }
/** The database, and the links of single recipients. */
export interface OutboxSource {
  readonly database: Database
  readonly ownLinks: OwnLinks
}

const own = (column: 'subject' | 'html') =>
  sql<string | null>`coalesce(${sql.ref(`m.${column}`)}, ${sql.ref(`c.${column}`)})`.as(column)
const position = sql`(m.create_timestamp, m.id)`
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Messages of the outbox, newest first; without a page all of them. */
export const listOutbox = ({ database, ownLinks }: OutboxSource, page: OutboxPage = {}): Promise<Kept[]> =>
  database.withProvider({ kind: 'system', id: null, name: 'outbox' }, async (db) => {
    const { to, before, after, limit } = page
    let query = db
      .selectFrom('messages as m')
      .leftJoin('message_contents as c', 'c.id', 'm.content_id')
      .select(['m.id', 'm.channel', 'm.recipient as to', 'm.create_timestamp as createTimestamp'])
      .select(['m.notification_id', 'm.recipient_place', 'm.recipient_name', 'c.link_prefix'])
      .select(sql<string>`m.organisation_id`.as('organisation_id'))
      .select([own('subject'), own('html'), sql<string>`coalesce(m.text, c.text)`.as('text')])
      .where(sql<boolean>`(m.state = 'KEPT' or m.provider_id like ${`${SIMULATED}%`})`)
      .orderBy('m.create_timestamp', after ? 'asc' : 'desc')
      .orderBy('m.id', after ? 'asc' : 'desc')
    if (to) query = query.where('m.recipient', 'ilike', `%${to.replace(/[\\%_]/g, '\\$&')}%`)
    if (before)
      query = query.where(
        sql<boolean>`${position} < (${before.createTimestamp}::timestamptz, ${before.id ?? FIRST_ID}::uuid)`,
      )
    if (after)
      query = query.where(
        sql<boolean>`${position} > (${after.createTimestamp}::timestamptz, ${after.id ?? LAST_ID}::uuid)`,
      )
    const rows = await (limit === undefined ? query : query.limit(limit)).execute()
    const filled = rows.map(({ organisation_id, ...row }) => ownLinks.fillIn(organisation_id, row))
    return after ? filled.toReversed() : filled
  })

const BATCH = 500

/** The whole outbox in batches, so that it is never in memory at once. */
export async function* outboxBatches(source: OutboxSource, to?: string): AsyncGenerator<Kept[]> {
  let before: OutboxCursor | undefined
  for (;;) {
    const batch = await listOutbox(source, { to, before, limit: BATCH })
    yield batch
    if (batch.length < BATCH) return
    before = batch.at(-1)!
  }
}
