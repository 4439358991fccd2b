-- Recipients of mass notifications as rows, in the place of two columns of JSON.

create table notification_recipients (
  organisation_id uuid not null references organisations (id) on delete cascade,
  notification_id uuid not null,
  -- Order within the notification.
  place integer not null,
  -- First place of the person: one with two numbers has two rows.
  person integer not null,
  -- False for a chosen person whom none of the types could reach.
  is_notified boolean not null,
  -- Copies of names and addresses at the time of sending.
  name text not null,
  email text,
  phone text,
  -- Group, incident or notification that the person was chosen by; null for a contact.
  shq_group_id uuid,
  shq_group_name text,
  lists text[] not null,
  targeted boolean not null,
  phone_problem text,
  primary key (notification_id, place)
);
select protect_tenant_table('notification_recipients');

set local role muster_provider;
insert into notification_recipients
  select organisation_id, id, place, first_value(place) over (partition by id, coalesce(email, phone) order by place),
    is_notified, coalesce(name, ''), email, phone, "shqGroupId", "shqGroupName",
    coalesce(lists, '{}'), coalesce(targeted, false), "phoneProblem"
  from (
    select n.organisation_id, n.id, row_number() over (partition by n.id order by p.is_notified, p.n) - 1 as place, p.*
      from mass_notifications n cross join lateral (
        select true as is_notified, one.* from rows from (json_to_recordset(n.notified_user_history_data) as (
          name text, email text, phone text, "shqGroupId" uuid, "shqGroupName" text, lists text[], targeted boolean,
          "phoneProblem" text)) with ordinality
          as one (name, email, phone, "shqGroupId", "shqGroupName", lists, targeted, "phoneProblem", n)
        union all
        select false, one.* from rows from (json_to_recordset(n.unreached) as (
          name text, email text, phone text, "shqGroupId" uuid, "shqGroupName" text, lists text[], targeted boolean,
          "phoneProblem" text)) with ordinality
          as one (name, email, phone, "shqGroupId", "shqGroupName", lists, targeted, "phoneProblem", n)
      ) p
  ) numbered;
reset role;

alter table mass_notifications drop column notified_user_history_data, drop column unreached;
