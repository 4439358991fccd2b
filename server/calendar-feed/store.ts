import type { CalendarFeed } from '#contract/calendar-feed/schema.ts'
import { type ColumnsOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'

/** A calendar address as stored. */
interface FeedRow {
  readonly userId: string
  readonly hash: Buffer
  readonly createTimestamp: string
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    calendar_feeds: ColumnsOf<FeedRow>
  }
}

export const findFeed = (db: OrgDb, userId: string): Promise<CalendarFeed | undefined> =>
  db
    .selectFrom('calendar_feeds')
    .select('create_timestamp as createTimestamp')
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Gives a person an address in place of the one before. */
export async function upsertFeed(db: OrgDb, { userId, ...row }: FeedRow): Promise<void> {
  await db
    .insertInto('calendar_feeds')
    .values(valuesOf({ userId, ...row }))
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(valuesOf(row)))
    .execute()
}

/** Returns whether there was one. */
export async function deleteFeed(db: OrgDb, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('calendar_feeds')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Finds the active person of an address.
 * @param organisationColumns the columns of the organisation that every credential needs
 */
export const feedLookup = (hash: Buffer, organisationColumns: string): Lookup => ({
  name: 'calendar_feed',
  sql: `select u.id as "userId", u.email, u.role, u.type, f.create_timestamp as "createTimestamp", ${organisationColumns}
    from calendar_feeds f join users u on u.id = f.user_id join organisations o on o.id = f.organisation_id
    where f.hash = decode($1, 'hex') and u.active and not u.banned and not o.is_closed`,
  values: [hash.toString('hex')],
})
