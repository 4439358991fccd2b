-- The hash of an event covers the previous hash and every column, in one unambiguous text.
create or replace function event_hash(previous bytea, sequence bigint, id uuid, at timestamptz, actor jsonb, noun text, record text, parent text, verb text, changes jsonb, externals uuid[])
  returns bytea language sql immutable as $$
    select sha256(previous || convert_to(jsonb_build_array(sequence, id, (extract(epoch from at) * 1000000)::bigint, actor, noun, record, parent, verb, changes, to_jsonb(externals))::text, 'UTF8'))
  $$;

-- Appends events in order; the lock on the head keeps one organisation's sequence without gaps.
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

-- Returns the first sequence at which the organisation's stream was tampered with; null when it is intact.
create or replace function first_broken_event() returns bigint language plpgsql stable as $$
declare
  one events;
  previous bytea := ''::bytea;
  expected bigint := 0;
  head event_heads;
begin
  for one in select * from events order by sequence loop
    expected := expected + 1;
    if one.sequence <> expected then return expected; end if;
    previous := event_hash(previous, one.sequence, one.id, one.at, one.actor, one.noun, one.record, one.parent, one.verb, one.changes, one.externals);
    if previous <> one.hash then return one.sequence; end if;
  end loop;
  select * into head from event_heads;
  if head.sequence is not null and (head.sequence <> expected or head.hash <> previous) then return expected + 1; end if;
  return null;
end $$;
