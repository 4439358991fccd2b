import { type Kysely, sql } from 'kysely'

/** Counters that only count: wrong passwords of an account from any address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Failures within the current window; 0 when there is none or it is over.
    create function failures_of(counter text, at timestamptz) returns integer
      language sql stable security definer set search_path = public, pg_temp as $$
        select coalesce((select a.tries from attempts a where a.key = counter and a.forget_timestamp > at), 0)
      $$;

    -- Counts one failure and returns how many there are in the window, which begins with its first failure.
    create function count_failure(counter text, span interval, at timestamptz) returns integer
      language sql security definer set search_path = public, pg_temp as $$
        insert into attempts as a (key, tries, lockouts, forget_timestamp) values (counter, 1, 0, at + span)
          on conflict (key) do update set
            tries = case when a.forget_timestamp <= at then 1 else a.tries + 1 end,
            forget_timestamp = case when a.forget_timestamp <= at then at + span else a.forget_timestamp end
          returning a.tries
      $$;

    revoke execute on function failures_of, count_failure from public;
    grant execute on function failures_of, count_failure to muster_member;
  `.execute(db)
}
