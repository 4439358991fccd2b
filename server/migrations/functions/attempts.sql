-- Organisations reach the counters of attempts, which belong to none of them, through these functions and not otherwise.

-- Returns the time until which any of the counters is locked; null when none is. Asked before anything is written.
create or replace function locked_until(keys text[], at timestamptz) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp as $$
    select max(a.locked_until) from attempts a where a.key = any (keys) and a.locked_until > at
  $$;

-- Decides about one attempt, right or wrong. The rows of its counters are held first, in one order, so that of attempts at the
-- same moment each sees the changes of the one before. An attempt while one of them is locked is neither counted nor looked
-- at. The first key is the person's, which a right attempt clears; with it go the wrong attempts of that person from the
-- address, which is the second.
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

-- Counts a request that may be made `most` times in a span. Returns the time until which it may not be made again; null when
-- it may.
create or replace function take_turn(asked text, most integer, span interval, at timestamptz) returns timestamptz
  language sql security definer set search_path = public, pg_temp as $$
    insert into attempts as a (key, tries, lockouts, forget_timestamp) values (asked, 1, 0, at + span)
      on conflict (key) do update set
        tries = case when a.forget_timestamp <= at then 1 else least(a.tries, most) + 1 end,
        forget_timestamp = case when a.forget_timestamp <= at then at + span else a.forget_timestamp end
      returning case when a.tries > most then a.forget_timestamp end
  $$;

-- Returns the failures within the current window; 0 when there is none or it is over.
create or replace function failures_of(counter text, at timestamptz) returns integer
  language sql stable security definer set search_path = public, pg_temp as $$
    select coalesce((select a.tries from attempts a where a.key = counter and a.forget_timestamp > at), 0)
  $$;

-- Counts one failure and returns the number of failures in the window, which begins with its first one.
create or replace function count_failure(counter text, span interval, at timestamptz) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    insert into attempts as a (key, tries, lockouts, forget_timestamp) values (counter, 1, 0, at + span)
      on conflict (key) do update set
        tries = case when a.forget_timestamp <= at then 1 else a.tries + 1 end,
        forget_timestamp = case when a.forget_timestamp <= at then at + span else a.forget_timestamp end
      returning a.tries
  $$;

revoke execute on function locked_until, settle_attempt, take_turn, failures_of, count_failure from public;
grant execute on function locked_until, settle_attempt, take_turn, failures_of, count_failure
  to muster_member, muster_provider;
