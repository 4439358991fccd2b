import { type Kysely, sql } from 'kysely'

/** What was sent of a download's ticket, which its rest is bound to, and tickets of sockets that were used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table file_tickets
      add column openings integer not null default 0,
      add column sent bigint not null default 0,
      add column is_complete boolean not null default false,
      drop column is_used`.execute(db)
  // Tickets last a minute: after a crash none of them is missed.
  await sql`
    create unlogged table used_socket_tickets (
      id uuid primary key,
      used_timestamp timestamptz not null
    )`.execute(db)
}
