-- Converts a database of version 1.14 to the result of 0001 to 0021: names that its migrations left behind, triggers that
-- never fired, and the spelling of times in banners of calls.

alter table activities rename constraint activities_parent_id_fkey to activities_parent_activity_id_fkey;
alter index activities_parent_id_idx rename to activities_parent_activity_id_idx;

alter table file_tickets rename constraint file_previews_pkey to file_tickets_pkey;
alter table file_tickets rename constraint file_previews_organisation_id_fkey to file_tickets_organisation_id_fkey;
alter table file_tickets rename constraint file_previews_session_id_fkey to file_tickets_session_id_fkey;
alter table file_tickets rename constraint file_previews_item_id_fkey to file_tickets_item_id_fkey;
alter index file_previews_expires_timestamp_idx rename to file_tickets_expires_timestamp_idx;
alter index file_previews_item_id_idx rename to file_tickets_item_id_idx;
alter index file_previews_session_id_idx rename to file_tickets_session_id_idx;

alter table incident_target_users rename constraint incident_targets_pkey to incident_target_users_pkey;
alter table incident_target_users
  rename constraint incident_targets_organisation_id_fkey to incident_target_users_organisation_id_fkey;
alter table incident_target_users
  rename constraint incident_targets_incident_id_fkey to incident_target_users_incident_id_fkey;
alter table incident_target_users rename constraint incident_targets_user_id_fkey to incident_target_users_user_id_fkey;
alter index incident_targets_user_id_idx rename to incident_target_users_user_id_idx;

drop trigger count_changed on contacts;
drop trigger count_changed on mass_notifications;

alter table room_messages no force row level security;
update room_messages
   set call = call - '{started_at,ended_at}'::text[]
     || jsonb_build_object('startedAt', call -> 'started_at', 'endedAt', call -> 'ended_at')
 where call ? 'started_at';
alter table room_messages force row level security;

drop table kysely_migration, kysely_migration_lock;
