-- Names sort with their numbers as numbers, and playbooks count their tasks and uses.

alter table playbook_categories drop column sort_key;
alter table playbook_categories
  add column sort_key text collate "C" not null generated always as (natural_key(name)) stored;
create index on playbook_categories (organisation_id, sort_key, id);

alter table playbooks drop column sort_key;
alter table playbooks
  add column sort_key text collate "C" not null generated always as (natural_key(name)) stored,
  add column tasks_count integer not null generated always as
    (jsonb_array_length(jsonb_path_query_array(activities, '$[*] ? (@.type == "TASK")'))) stored,
  -- The rows of incident_playbooks.
  add column uses_count integer not null default 0;
create index on playbooks (organisation_id, sort_key, id);

-- Row-level security is forced on the owner of the tables, too.
set local role muster_provider;
update playbooks p
   set uses_count = (select count(*) from incident_playbooks i where i.playbook_id = p.id)
 where p.last_used_timestamp is not null;
reset role;
