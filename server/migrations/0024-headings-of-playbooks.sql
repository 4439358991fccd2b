-- Headings of playbooks have a level, and tasks of incidents the text of their heading (decision 087).

alter table activities add column section_description text;

-- No level was known before: every heading stood at the top.
create function pg_temp.with_levels(items jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(jsonb_build_object('level', 1) || item order by place), '[]')
    from jsonb_array_elements(items) with ordinality as each (item, place)
$$;
alter table playbooks no force row level security;
update playbooks set activities = pg_temp.with_levels(activities);
alter table playbooks force row level security;
alter table playbook_versions no force row level security;
update playbook_versions
   set content = jsonb_set(content, '{activities}', pg_temp.with_levels(content -> 'activities'));
alter table playbook_versions force row level security;
drop function pg_temp.with_levels(jsonb);
