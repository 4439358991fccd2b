import { type Kysely, sql } from 'kysely'

/** The wish for a breakout room, and files of playbooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The room that somebody wished for; the chat makes it under this id.
    alter table incidents add column breakout_room_id uuid unique;

    -- A file belongs to an incident or to a playbook. Whatever makes playbooks refers to them from here.
    alter table attachments add column playbook_id uuid;
    alter table attachments add check ((incident_id is null) <> (playbook_id is null));
    create index on attachments (playbook_id, position) where playbook_id is not null;
  `.execute(db)
}
