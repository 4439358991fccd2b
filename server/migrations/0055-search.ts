import { type Kysely, sql } from 'kysely'

/**
 * One search for lists that grow: parts of words, found by an index of their grams (decision 053). A gram is three
 * characters in a row; the last ones of a word are shorter, so that a search of one or two characters is the beginning of
 * one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(FUNCTIONS).execute(db)
  for (const table of ['incidents', 'users', 'contacts', 'mass_notifications', 'file_items'])
    await addSearch(db, table, table === 'file_items' ? 'bigint' : 'uuid')
  // The order in which files of all folders are searched for a common word.
  await sql`
    create index on file_items (organisation_id, is_folder desc, sort_key, id) where trash_id is null
  `.execute(db)
}

const FUNCTIONS = String.raw`
  alter table incidents add column search_key text collate "C" not null
    generated always as (fold(title || e'\n' || plain_text)) stored;

  -- The organisation stands behind a space, which no gram begins with: the index finds no other one's rows.
  create function search_grams(words text, organisation uuid) returns tsvector
    language sql immutable strict parallel safe as $$
      select array_to_tsvector(coalesce(array_agg(distinct substr(word, place, 3)), '{}') || (' ' || organisation))
      from (select distinct word from regexp_split_to_table(words, '\s+') word where word <> '') one,
        generate_series(1, length(word)) place
    $$;

  -- Grams of every word side by side: those between them are left to the comparison of what is found.
  create function search_query(words text[], organisation uuid) returns tsquery
    language sql immutable strict parallel safe as $$
      select (quote_literal(' ' || organisation) || coalesce(string_agg(
        ' & ''' || replace(replace(gram, '\', '\\'), '''', '''''') || '''' || case when length(gram) < 3 then ':*' else '' end,
        ''), ''))::tsquery
      from (
        select distinct substr(word, least(place, greatest(length(word) - 2, 1)), 3) as gram
        from unnest(words) word, generate_series(1, length(word), 3) place
      ) grams
    $$;

  -- Words of a search as patterns of like.
  create function search_patterns(words text[]) returns text[] language sql immutable strict parallel safe as $$
      select coalesce(array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), '{}') from unnest(words) word
    $$;
`

/**
 * Adds the index of a table's grams and `visibility.search_<table>`: the ids of what holds every word. It is null where
 * more than `most` do, or where a sample of 200 says so or that a list in its order is read faster; also for external people, who see
 * few rows. The index is out of reach of row-level security, so the function itself keeps to the organisation.
 */
async function addSearch(db: Kysely<unknown>, table: string, idType: 'uuid' | 'bigint'): Promise<void> {
  await sql
    .raw(
      `create index ${table}_grams on ${table} using gin (search_grams(search_key, organisation_id))
        with (gin_pending_list_limit = 256);
      -- Nothing is planned by how frequent grams are, and counting them would take long.
      alter index ${table}_grams alter column 1 set statistics 0;

      set local role muster_provider;
      create function visibility.search_${table}(asked text[], most integer) returns ${idType}[]
        language plpgsql stable security definer set search_path = public, pg_temp
        set enable_seqscan = off set enable_indexscan = on as $$
        declare
          organisation uuid := current_setting('app.organisation')::uuid;
          folded text[] := array(select fold(word) from unnest(asked) word);
          patterns text[] := search_patterns(folded);
          grams tsquery := search_query(folded, organisation);
          seen integer;
          sampled integer;
          matches ${idType}[];
        begin
          if current_setting('role') = 'muster_external' then return null; end if;
          select count(*), count(*) filter (where search_key like all (patterns)) into seen, sampled from (
              select search_key from ${table} where organisation_id = organisation limit 200) sample;
          if sampled > 40 or sampled >= 5 and seen = 200 and sampled * (
              select sum(amount) from row_counts where organisation_id = organisation and counted = '${table}') > 200 * most
            then return null;
          end if;
          -- Those of a small organisation are read faster than grams that others have.
          if seen < 200 then
            return array(
              select id from ${table} where organisation_id = organisation and search_key like all (patterns));
          end if;
          -- Ends with the function. The index of grams is read as a bitmap.
          perform set_config('enable_indexscan', 'off', true);
          matches := array(
            select id from ${table}
             where search_grams(search_key, organisation_id) @@ grams
               and (organisation_id = organisation) is true and search_key like all (patterns)
             limit most + 1);
          return case when cardinality(matches) <= most then matches end;
        end $$;
      revoke execute on function visibility.search_${table} from public;
      grant execute on function visibility.search_${table} to muster_member;
      reset role;`,
    )
    .execute(db)
}
