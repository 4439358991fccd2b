import { type Kysely, sql } from 'kysely'

/** The war rooms that completed welcome packages wished for before there was a chat. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    grant select on wished_rooms to muster_provider;
    set local role muster_provider;
    do $$
    declare
      wish record;
      title text;
      room uuid;
      number bigint;
    begin
      for wish in select w.* from wished_rooms w order by w.organisation_id, w.position loop
        title := case when length(wish.name) < 3 then 'War Room ' || wish.name else wish.name end;
        continue when exists (
          select from rooms r
           where r.organisation_id = wish.organisation_id and not r.is_deleted and r.name_key = lower(normalize(title, NFC)));
        number := next_chat_sequence(wish.organisation_id);
        insert into rooms (organisation_id, kind, name, name_key, create_timestamp, update_timestamp, change_sequence)
          values (wish.organisation_id, 'WAR_ROOM', title, lower(normalize(title, NFC)), now(), now(), number)
          returning id into room;
        -- The first address that can sign in owns the room.
        insert into room_members (organisation_id, room_id, user_id, role, create_timestamp, change_sequence)
          select wish.organisation_id, room, u.id,
              case when row_number() over (order by wanted.n) = 1 then 'owner' else 'member' end, now(), number
            from unnest(wish.users_emails) with ordinality as wanted (email, n)
            join users u on u.organisation_id = wish.organisation_id and u.email = wanted.email and u.active;
      end loop;
    end $$;
    reset role;
    drop table wished_rooms;
  `.execute(db)
}
