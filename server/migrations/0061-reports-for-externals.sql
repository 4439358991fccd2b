-- External people get a long report of their own, without what the timeline and the decisions keep from them (decision 113).
alter table report_requests add column is_for_externals boolean not null default false;
drop index report_requests_incident_id_idx;
create unique index on report_requests (incident_id, is_for_externals) where state = 'MAKING';
