import { type Kysely, sql } from 'kysely'

/** Tickets are for previews and for downloads: of a file, of a given version of it, or of several items as one archive. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table file_previews rename to file_tickets;
    alter table file_tickets
      add column purpose text not null default 'preview'
        check (purpose in ('preview', 'download', 'version', 'archive')),
      -- Of an archive: the files and folders that were chosen.
      add column item_ids bigint[],
      alter column item_id drop not null,
      alter column file_version drop not null,
      add check ((purpose = 'archive') = (item_ids is not null)),
      add check ((purpose = 'archive') = (item_id is null)),
      add check ((item_id is null) = (file_version is null));
    alter table file_tickets alter column purpose drop default;
  `.execute(db)
}
