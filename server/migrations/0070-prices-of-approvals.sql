-- What the SMS and calls of a notification that waits for approval would cost.

alter table notification_approvals add column price json;
