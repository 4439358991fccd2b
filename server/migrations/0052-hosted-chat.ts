import { type Kysely, sql } from 'kysely'

/** How far the rooms of an organisation have been written to its hosted chat service (decision 047). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table chat_credentials
      -- The last change of the chat that the service knows; 0 for nothing.
      add column mirrored_sequence bigint not null default 0,
      -- People who changed before it are known to the service; null for nobody.
      add column mirrored_people timestamptz,
      -- One process at a time writes to the service: the others leave it alone until then.
      add column leased_until timestamptz;
  `.execute(db)
}
