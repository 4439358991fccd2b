-- The order in which the members of a group are asked.

alter table user_groups add column is_ordered boolean not null default false;
-- Place in that order; null in a group without one.
alter table group_members add column place integer;
