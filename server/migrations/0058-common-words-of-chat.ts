import { type Kysely, sql } from 'kysely'

/**
 * A word that very many messages have is found among the newest ones: the index of words would gather all that have it
 * before it sorts them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index on room_messages (organisation_id, create_timestamp, id);

    set local role muster_provider;
    create or replace function visibility.search_messages(
      member uuid, query tsquery, in_room uuid, author uuid, since timestamptz, until timestamptz,
      before_time timestamptz, before_id uuid, most integer
    ) returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$
      declare
        organisation uuid := current_setting('app.organisation')::uuid;
        newest uuid[];
      begin
        newest := array(
          select m.id from (
              select * from room_messages n
               where n.organisation_id = organisation
                 and n.create_timestamp >= coalesce(since, '-infinity')
                 and n.create_timestamp < coalesce(until, 'infinity')
                 and (n.create_timestamp, n.id) < (coalesce(before_time, 'infinity'),
                   coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
               order by n.create_timestamp desc, n.id desc
               limit 2000) m
           where m.words @@ query
             and (in_room is null or m.room_id = in_room)
             and (author is null or m.user_id = author)
             and m.room_id in (select o.room_id from room_members o
                                where o.organisation_id = organisation and o.user_id = member and not o.has_left)
             and m.deleted_timestamp is null
           order by m.create_timestamp desc, m.id desc
           limit most);
        if cardinality(newest) = most then
          return query select unnest(newest);
          return;
        end if;
        return query
          select m.id from room_messages m
           where m.words @@ ((''':' || organisation || '''')::tsquery && query)
             and m.organisation_id = organisation
             and m.room_id in (select o.room_id from room_members o
                                where o.organisation_id = organisation and o.user_id = member and not o.has_left)
             and (in_room is null or m.room_id = in_room)
             and (author is null or m.user_id = author)
             and (since is null or m.create_timestamp >= since)
             and (until is null or m.create_timestamp < until)
             and (before_id is null or (m.create_timestamp, m.id) < (before_time, before_id))
             and m.deleted_timestamp is null
           order by m.create_timestamp desc, m.id desc
           limit most;
      end $$;
    reset role;
  `.execute(db)
}
