import { type Kysely, sql } from 'kysely'

/** Second factors, verifications, former passwords, and the counters for lockouts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Asked across organisations by who forgot which one they belong to.
    create index on users (email);

    create table authenticators (
      organisation_id uuid not null references organisations (id) on delete cascade,
      user_id uuid primary key references users (id) on delete cascade,
      -- Encrypted with a key derived from the installation's secret.
      secret bytea not null,
      -- The time step of the last code that was taken: neither it nor an earlier one is taken again.
      last_step bigint not null,
      create_timestamp timestamptz not null
    );
    select protect_tenant_table('authenticators');

    create table recovery_codes (
      organisation_id uuid not null references organisations (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      hash text not null,
      used_timestamp timestamptz,
      primary key (user_id, hash)
    );
    select protect_tenant_table('recovery_codes');

    -- Sign-ins whose password was right and whose second factor is awaited.
    create table pending_sign_ins (
      organisation_id uuid not null references organisations (id) on delete cascade,
      hash bytea primary key,
      user_id uuid not null references users (id) on delete cascade,
      type text not null,
      code_hash text,
      code_expires_timestamp timestamptz,
      next_code_timestamp timestamptz,
      secret bytea,
      expires_timestamp timestamptz not null
    );
    create index on pending_sign_ins (user_id);
    select protect_tenant_table('pending_sign_ins');

    create table verifications (
      organisation_id uuid not null references organisations (id) on delete cascade,
      session_id uuid primary key references sessions (id) on delete cascade,
      code_hash text,
      code_expires_timestamp timestamptz,
      next_code_timestamp timestamptz,
      secret bytea,
      verified_until timestamptz
    );
    select protect_tenant_table('verifications');

    create table past_passwords (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id bigint primary key generated always as identity,
      user_id uuid not null references users (id) on delete cascade,
      password_hash text not null
    );
    create index on past_passwords (user_id, id);
    select protect_tenant_table('past_passwords');

    -- Counters of wrong attempts and of mails asked for, of people and of addresses, which belong to no organisation.
    -- Their keys are keyed hashes. Organisations reach them through the functions below and not otherwise.
    create table attempts (
      key text primary key,
      tries integer not null,
      lockouts integer not null,
      locked_until timestamptz,
      forget_timestamp timestamptz not null
    );
    create index on attempts (forget_timestamp);
    grant select, delete on attempts to muster_provider;

    -- Until when any of the counters is locked; null when none is. Asked before anything is written.
    create function locked_until(keys text[], at timestamptz) returns timestamptz
      language sql stable security definer set search_path = public, pg_temp as $$
        select max(a.locked_until) from attempts a where a.key = any (keys) and a.locked_until > at
      $$;

    -- Decides about one attempt, right or wrong. The rows of its counters are held first, in one order, so that of
    -- attempts at the same moment each sees what the one before has done. What is said while one of them is locked is
    -- neither counted nor looked at. The first key is the person's, which a right attempt clears; with it go the wrong
    -- attempts of that person from the address, which is the second.
    create function settle_attempt(
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

    -- Until when something that may be asked for so many times in a span is not to be asked for again; null when it may.
    create function take_turn(asked text, most integer, span interval, at timestamptz) returns timestamptz
      language sql security definer set search_path = public, pg_temp as $$
        insert into attempts as a (key, tries, lockouts, forget_timestamp) values (asked, 1, 0, at + span)
          on conflict (key) do update set
            tries = case when a.forget_timestamp <= at then 1 else least(a.tries, most) + 1 end,
            forget_timestamp = case when a.forget_timestamp <= at then at + span else a.forget_timestamp end
          returning case when a.tries > most then a.forget_timestamp end
      $$;

    revoke execute on function locked_until, settle_attempt, take_turn from public;
    grant execute on function locked_until, settle_attempt, take_turn to muster_member;
  `.execute(db)
}
