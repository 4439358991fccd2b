import { type Kysely, sql } from 'kysely'

/** The breakout rooms that incidents wished for before there was a chat. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    set local role muster_provider;
    do $$
    declare
      wish record;
      title text;
      attempt integer;
    begin
      for wish in
        select i.*, u.id as owner from incidents i
          left join users u on u.organisation_id = i.organisation_id and u.email = i.created_by
         where i.breakout_room_id is not null and not exists (select from rooms r where r.id = i.breakout_room_id)
         order by i.create_timestamp
      loop
        attempt := 1;
        title := case when length(wish.title) < 3 then 'Incident ' || wish.title else wish.title end;
        while exists (
          select from rooms r where r.organisation_id = wish.organisation_id and r.name_key = lower(normalize(title, NFC))
        ) loop
          attempt := attempt + 1;
          title := left(wish.title, 245) || ' (' || attempt || ')';
        end loop;
        insert into rooms (organisation_id, id, kind, name, name_key, created_by, create_timestamp, update_timestamp, change_sequence)
          values (wish.organisation_id, wish.breakout_room_id, 'BREAKOUT_ROOM', title, lower(normalize(title, NFC)), wish.owner,
            wish.create_timestamp, now(), next_chat_sequence(wish.organisation_id));
        insert into room_members (organisation_id, room_id, user_id, role, create_timestamp, change_sequence)
          select wish.organisation_id, wish.breakout_room_id, one.id,
            case when one.id = wish.owner then 'owner' else 'member' end, now(), numbered.number
            from (select wish.owner as id where wish.owner is not null
                  union select t.user_id from incident_targets t where t.incident_id = wish.id) one,
              (select next_chat_sequence(wish.organisation_id) as number) numbered;
      end loop;
    end $$;
    reset role;
  `.execute(db)
}
