-- Estimated price of the SMS and calls of a notification that waits for approval.

alter table notification_approvals add column price json;
