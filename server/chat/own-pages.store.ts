import { type RawBuilder, sql } from 'kysely'

/**
 * A page of a person's rows `x` in rooms of which they are a member, newest first, after the one of the cursor.
 * @param rows a table or subquery with `user_id`, `room_id`, `message_id` and `create_timestamp`
 */
export const ownPage = (
  rows: RawBuilder<unknown>,
  userId: string,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): RawBuilder<unknown> => sql`${rows} x
  where x.user_id = ${userId}
    and exists (select from room_members me where me.room_id = x.room_id and me.user_id = x.user_id and not me.has_left)
    and ${
      cursor === null
        ? sql`true`
        : sql`(x.create_timestamp, x.message_id) < (
            select one.create_timestamp, one.message_id from ${rows} one
             where one.message_id = ${cursor} and one.user_id = ${userId})`
    }
  order by x.create_timestamp desc, x.message_id desc limit ${limit}`
