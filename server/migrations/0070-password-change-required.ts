import { type Kysely, sql } from 'kysely'

/** Sessions of a user that begin from this time on have to choose a new password before anything else. */
export const up = (db: Kysely<unknown>) =>
  sql`alter table users add column password_change_since timestamptz`.execute(db)
