-- Playbooks that decide, name people and set times (decision 094).

alter table playbooks
  add column proposal jsonb not null default '{"kinds": [], "severities": [], "words": []}',
  -- Acts that the playbook does by itself when an incident is declared with it.
  add column start jsonb not null default
    '{"createRoom": false, "people": [], "groupIds": [], "firstMessage": "", "notificationTemplateId": null}';
create index on playbooks (organisation_id)
  where proposal <> '{"kinds": [], "severities": [], "words": []}';

-- Saves had no conditions, proposals and starts before.
create function pg_temp.with_conditions(items jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(jsonb_build_object('condition', null) || item order by place), '[]')
    from jsonb_array_elements(items) with ordinality as each (item, place)
$$;
create function pg_temp.with_start(content jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object(
      'proposal', '{"kinds": [], "severities": [], "words": []}'::jsonb,
      'start', '{"createRoom": false, "people": [], "groupIds": [], "firstMessage": "", "notificationTemplateId": null}'::jsonb)
    || jsonb_set(content, '{activities}', pg_temp.with_conditions(content -> 'activities'))
$$;
alter table playbooks no force row level security;
update playbooks set activities = pg_temp.with_conditions(activities);
alter table playbooks force row level security;
alter table playbook_versions no force row level security;
update playbook_versions set content = pg_temp.with_start(content);
alter table playbook_versions force row level security;
alter table playbook_drafts no force row level security;
update playbook_drafts set content = pg_temp.with_start(content);
alter table playbook_drafts force row level security;
drop function pg_temp.with_start(jsonb);
drop function pg_temp.with_conditions(jsonb);

alter table incident_playbooks add column notification_template_id uuid;

-- The conditions of playbooks in incidents. Tasks point to the innermost one.
create table incident_conditions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key,
  incident_id uuid not null references incidents (id) on delete cascade,
  incident_playbook_id uuid not null references incident_playbooks (id) on delete cascade,
  item_id uuid not null,
  title text not null,
  condition text not null,
  parent_id uuid references incident_conditions (id) on delete cascade,
  answer text not null check (answer in ('OPEN', 'APPLIES', 'SKIPPED')),
  reason text,
  decided_by text,
  decided_timestamp timestamptz,
  position bigint generated always as identity
);
create index on incident_conditions (incident_id, "position");
create index on incident_conditions (incident_playbook_id);
create index on incident_conditions (parent_id) where parent_id is not null;
select protect_tenant_table('incident_conditions');
select protect_incident_table('incident_conditions');

alter table activities
  add column due_timestamp timestamptz,
  add column condition_id uuid references incident_conditions (id) on delete set null,
  -- True while its condition, or one above that, is skipped.
  add column is_skipped boolean not null default false;
create index on activities (condition_id) where condition_id is not null;

-- The person for each ideal title of an incident.
create table incident_roles (
  organisation_id uuid not null references organisations (id) on delete cascade,
  incident_id uuid not null references incidents (id) on delete cascade,
  -- The title as it is compared.
  role_key text not null,
  title text not null,
  user_id uuid not null references users (id) on delete cascade,
  primary key (incident_id, role_key)
);
create index on incident_roles (user_id);
select protect_tenant_table('incident_roles');
select protect_incident_table('incident_roles');
