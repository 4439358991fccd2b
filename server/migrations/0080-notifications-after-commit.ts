import { type Kysely, sql } from 'kysely'

/** Streams grow without a notification, which would take a lock of the whole server: the bus notifies after the commit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function append_events(acting jsonb, happened jsonb) returns bigint language plpgsql as $$
    declare
      head event_heads;
      one jsonb;
      row events;
    begin
      insert into event_heads (sequence, hash) values (0, ''::bytea) on conflict (organisation_id) do nothing;
      select * into head from event_heads where organisation_id = current_organisation() for update;
      for one in select value from jsonb_array_elements(happened) loop
        head.sequence := head.sequence + 1;
        row := null;
        row.id := gen_random_uuid();
        row.at := (one ->> 'at')::timestamptz;
        row.externals := coalesce((select array_agg(value::uuid) from jsonb_array_elements_text(one -> 'externals')), '{}');
        head.hash := event_hash(head.hash, head.sequence, row.id, row.at, acting, one ->> 'noun', one ->> 'record', one ->> 'parent', one ->> 'verb', one -> 'changes', row.externals);
        insert into events (sequence, id, at, actor, noun, record, parent, verb, changes, externals, hash)
          values (head.sequence, row.id, row.at, acting, one ->> 'noun', one ->> 'record', one ->> 'parent', one ->> 'verb', one -> 'changes', row.externals, head.hash);
      end loop;
      update event_heads set sequence = head.sequence, hash = head.hash where organisation_id = current_organisation();
      return head.sequence;
    end $$;

    create or replace function next_chat_sequence(organisation uuid default current_organisation()) returns bigint
      language plpgsql set search_path = public, pg_temp as $$
    declare
      number bigint;
    begin
      insert into chat_heads (organisation_id, sequence) values (organisation, 1)
        on conflict (organisation_id) do update set sequence = chat_heads.sequence + 1
        returning sequence into number;
      return number;
    end $$;
  `.execute(db)
}
