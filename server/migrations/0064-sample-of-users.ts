import { type Kysely, sql } from 'kysely'

/**
 * The sample by which a common word of users is known is of the first who were added. Any 200 were those of one department or
 * place, as the indexes of the list have them: a word that a tenth of all have was missing among them, and looked for by the
 * index of grams in vain.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    set local role muster_provider;
    create or replace function visibility.search_users(asked text[], most integer) returns uuid[]
      language plpgsql stable security definer set search_path = public, pg_temp
      set enable_seqscan = off set enable_indexscan = on as $$
      declare
        organisation uuid := current_setting('app.organisation')::uuid;
        folded text[] := array(select fold(word) from unnest(asked) word);
        patterns text[] := search_patterns(folded);
        grams tsquery := search_query(folded, organisation);
        seen integer;
        sampled integer;
        matches uuid[];
      begin
        if current_setting('role') = 'muster_external' then return null; end if;
        select count(*), count(*) filter (where search_key like all (patterns)) into seen, sampled from (
            select search_key from users where organisation_id = organisation order by create_timestamp limit 200) sample;
        if sampled > 40 or sampled >= 5 and seen = 200 and sampled * (
            select sum(amount) from row_counts where organisation_id = organisation and counted = 'users') > 200 * most
          then return null;
        end if;
        -- Those of a small organisation are read faster than grams that others have.
        if seen < 200 then
          return array(
            select id from users where organisation_id = organisation and search_key like all (patterns));
        end if;
        -- Ends with the function. The index of grams is read as a bitmap.
        perform set_config('enable_indexscan', 'off', true);
        matches := array(
          select id from users
           where search_grams(search_key, organisation_id) @@ grams
             and (organisation_id = organisation) is true and search_key like all (patterns)
           limit most + 1);
        return case when cardinality(matches) <= most then matches end;
      end $$;
    reset role;
  `.execute(db)
}
