-- Organisations access the counters of attempts, which belong to none of them, only through these functions.

-- Returns the time until which any of the counters is locked; null when none is. Called before anything is written.
create or replace function locked_until(keys text[], at timestamptz) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp as $$
    select max(a.locked_until) from attempts a where a.key = any (keys) and a.locked_until > at
  $$;

-- Records one attempt, right or wrong. Locks the rows of its counters in a fixed order, so that concurrent attempts see
-- each other's changes. An attempt while one of them is locked is not evaluated or counted. The first key is the
-- person's counter, which a right attempt resets; the second is the address's, from which the person's wrong attempts
-- are subtracted.
create or replace function settle_attempt(
  keys text[], most integer[], is_right boolean, at timestamptz,
  first_lock interval, longest_lock interval, quiet interval,
  out until timestamptz, out locks boolean
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  one_key text;
  one attempts;
  mine integer;
  lock interval;
begin
  locks := false;
  for one_key in select u.key from unnest(keys) as u (key) order by u.key loop
    insert into attempts as a (key, tries, lockouts, forget_timestamp) values (one_key, 0, 0, at + quiet)
      on conflict (key) do update set
        tries = case when a.forget_timestamp <= at then 0 else a.tries end,
        lockouts = case when a.forget_timestamp <= at then 0 else a.lockouts end
      returning * into one;
    if one.locked_until > at then until := greatest(until, one.locked_until); end if;
  end loop;
  if until is not null then return; end if;

  if is_right then
    delete from attempts a where a.key = keys[1] returning a.tries into mine;
    update attempts a set tries = greatest(a.tries - mine, 0) where a.key = keys[2];
    delete from attempts a where a.key = keys[2] and a.tries = 0 and a.lockouts = 0;
    return;
  end if;

  for i in 1 .. cardinality(keys) loop
    update attempts a set tries = a.tries + 1, locked_until = null, forget_timestamp = at + quiet
      where a.key = keys[i] returning * into one;
    if one.tries >= most[i] then
      lock := least(first_lock * 2 ^ least(one.lockouts, 20), longest_lock);
      update attempts a
        set tries = 0, lockouts = a.lockouts + 1, locked_until = at + lock, forget_timestamp = at + lock + quiet
        where a.key = keys[i];
      if i = 1 then locks := true; end if;
    end if;
  end loop;
end $$;

-- Counts a request with a limit of `most` in a span. Returns the time until which it is refused; null when it is
-- allowed.
create or replace function take_turn(asked text, most integer, span interval, at timestamptz) returns timestamptz
  language sql security definer set search_path = public, pg_temp as $$
    insert into attempts as a (key, tries, lockouts, forget_timestamp) values (asked, 1, 0, at + span)
      on conflict (key) do update set
        tries = case when a.forget_timestamp <= at then 1 else least(a.tries, most) + 1 end,
        forget_timestamp = case when a.forget_timestamp <= at then at + span else a.forget_timestamp end
      returning case when a.tries > most then a.forget_timestamp end
  $$;

-- Returns the failures within the current window; 0 without one.
create or replace function failures_of(counter text, at timestamptz) returns integer
  language sql stable security definer set search_path = public, pg_temp as $$
    select coalesce((select a.tries from attempts a where a.key = counter and a.forget_timestamp > at), 0)
  $$;

-- Counts one failure and returns the number of failures in the window, which begins with the first one.
create or replace function count_failure(counter text, span interval, at timestamptz) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    insert into attempts as a (key, tries, lockouts, forget_timestamp) values (counter, 1, 0, at + span)
      on conflict (key) do update set
        tries = case when a.forget_timestamp <= at then 1 else a.tries + 1 end,
        forget_timestamp = case when a.forget_timestamp <= at then at + span else a.forget_timestamp end
      returning a.tries
  $$;

-- Notes the organisation that counters of wrong attempts are for.
create or replace function note_owner(counters text[], organisation text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
  begin
    update attempts a set owner = organisation where a.key = any (counters) and a.owner is distinct from organisation;
  end $$;

revoke execute on function locked_until, settle_attempt, take_turn, failures_of, count_failure, note_owner from public;
grant execute on function locked_until, settle_attempt, take_turn, failures_of, count_failure, note_owner
  to muster_member, muster_provider;
