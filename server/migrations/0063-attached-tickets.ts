import { type Kysely, sql } from 'kysely'

/** Tickets are also for downloads of what is attached to incidents and playbooks, and of files in messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table file_tickets
      drop constraint file_tickets_purpose_check,
      drop constraint file_tickets_check,
      drop constraint file_tickets_check1,
      add column attachment_id uuid references attachments (id) on delete cascade,
      add column room_file_id uuid references room_files (id) on delete cascade,
      add check (purpose in ('preview', 'download', 'version', 'archive', 'attachment', 'message')),
      add check ((purpose = 'archive') = (item_ids is not null)),
      add check ((purpose = 'attachment') = (attachment_id is not null)),
      add check ((purpose = 'message') = (room_file_id is not null)),
      add check ((purpose in ('preview', 'download', 'version')) = (item_id is not null));
    create index on file_tickets (attachment_id) where attachment_id is not null;
    create index on file_tickets (room_file_id) where room_file_id is not null;

    -- External people have no secure files, but incidents and rooms. The tickets of their own sessions are theirs.
    drop policy viewer on file_tickets;
    select protect_incident_table('file_tickets', $$
      purpose in ('attachment', 'message')
      and session_id in (select id from sessions where user_id = (select current_setting('app.viewer')::uuid))$$);
  `.execute(db)
}
