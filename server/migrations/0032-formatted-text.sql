-- Formatted text of tasks and headings (decision 097). The plain description stays beside it; null means plain.

alter table activities
  add column formatted_description text,
  add column formatted_section_description text;

-- Saves had plain text only.
create function pg_temp.with_plain_texts(items jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(jsonb_build_object('formattedDescription', null) || item order by place), '[]')
    from jsonb_array_elements(items) with ordinality as each (item, place)
$$;
alter table playbooks no force row level security;
update playbooks set activities = pg_temp.with_plain_texts(activities);
alter table playbooks force row level security;
alter table playbook_versions no force row level security;
update playbook_versions
   set content = jsonb_set(content, '{activities}', pg_temp.with_plain_texts(content -> 'activities'));
alter table playbook_versions force row level security;
alter table playbook_drafts no force row level security;
update playbook_drafts
   set content = jsonb_set(content, '{activities}', pg_temp.with_plain_texts(content -> 'activities'));
alter table playbook_drafts force row level security;
drop function pg_temp.with_plain_texts(jsonb);
