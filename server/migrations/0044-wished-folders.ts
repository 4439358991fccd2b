import { type Kysely, sql } from 'kysely'

/** The folders that completed welcome packages wished for before there was a file storage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    grant select on wished_folders to muster_provider;
    set local role muster_provider;
    do $$
    declare
      wish record;
      title text;
      folder bigint;
    begin
      for wish in select w.* from wished_folders w order by w.organisation_id, w.position loop
        title := normalize(case when length(wish.name) < 3 then 'Folder ' || wish.name else wish.name end, NFC);
        continue when exists (
          select from file_items i
           where i.organisation_id = wish.organisation_id and i.parent_id = 0 and i.name_key = lower(title)
             and i.trash_id is null);
        insert into file_items (organisation_id, parent_id, path, root_id, is_folder, name, name_key, folder_type,
            created_by, create_timestamp, update_timestamp)
          values (wish.organisation_id, 0, '{}', 0, true, title, lower(title),
            case when wish.admin_only then 'ADMIN' else 'PUBLIC' end, 'welcome package', now(), now())
          returning id into folder;
        update file_items set root_id = folder where id = folder;
      end loop;
    end $$;
    reset role;
    drop table wished_folders;
  `.execute(db)
}
