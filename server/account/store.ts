import { sql } from 'kysely'

import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    pictures: ColumnsOf<Picture>
    session_activity: { session_id: string; timestamp: string }
  }
}

interface Picture {
  readonly userId: string
  /** Hash of the token in the picture's address. */
  readonly tokenHash: Buffer
  readonly blobId: string
  readonly createTimestamp: string
}

/** The stored bytes behind an address; undefined once the picture was replaced or removed. */
export const findPicture = (db: OrgDb, tokenHash: Buffer) =>
  db
    .selectFrom('pictures as p')
    .innerJoin('blobs as b', 'b.id', 'p.blob_id')
    .select(['b.id', 'b.size', 'b.sha256'])
    .where('p.token_hash', '=', tokenHash)
    .executeTakeFirst()

/** Removes a person's picture and returns its blob, if there was one. */
export async function deletePicture(db: OrgDb, userId: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('pictures')
    .where('user_id', '=', userId)
    .returning('blob_id')
    .executeTakeFirst()
  return row?.blob_id
}

export async function insertPicture(db: OrgDb, picture: Picture): Promise<void> {
  await db.insertInto('pictures').values(valuesOf(picture)).execute()
}

/** The person's sessions that have not ended. */
export const listOpenSessions = (db: OrgDb, userId: string): Promise<{ id: string }[]> =>
  db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('ended_timestamp', 'is', null)
    .execute()

/**
 * The usable sessions of a person: not ended, and with a live refresh token. The calling session is always included.
 */
export const listDevices = (db: OrgDb, userId: string, currentId: string, at: string) =>
  db
    .selectFrom('sessions as s')
    .leftJoin('session_activity as a', 'a.session_id', 's.id')
    .select(selectionOf(['id', 'userAgent', 'address', 'createTimestamp'], 's.'))
    .select(sql<string>`greatest(s.create_timestamp, a.timestamp)`.as('lastActiveTimestamp'))
    .where('s.user_id', '=', userId)
    .where('s.ended_timestamp', 'is', null)
    .where((eb) =>
      eb.or([
        eb('s.id', '=', currentId),
        eb.exists(
          eb
            .selectFrom('refresh_tokens as t')
            .select('t.hash')
            .whereRef('t.session_id', '=', 's.id')
            .where('t.used_timestamp', 'is', null)
            .where('t.expires_timestamp', '>', at),
        ),
      ]),
    )
    .orderBy(sql`s.id = ${currentId}`, 'desc')
    .orderBy('lastActiveTimestamp', 'desc')
    .execute()
