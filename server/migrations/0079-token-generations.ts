import { type Kysely, sql } from 'kysely'

/** Access tokens of an earlier generation than their session's are refused. */
export const up = (db: Kysely<unknown>) =>
  sql`alter table sessions add column token_generation integer not null default 0`.execute(db)
