-- The due times for which the assignee was reminded, and for which people were told that the task is overdue.
alter table activities
  add column reminded_due_timestamp timestamptz,
  add column overdue_due_timestamp timestamptz;
-- The completed tasks of a person, the latest first.
create index on activities (assigned_to, update_timestamp desc) where type = 'TASK' and progress = 100;
