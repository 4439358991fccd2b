-- Finds what the board of readiness counts by the addresses of people, and not by all messages there ever were.

-- Addresses and numbers that a message was delivered to.
create index on messages (organisation_id, recipient, done_timestamp) where state = 'DELIVERED';
-- Addresses and numbers that did not take a message.
create index on messages (organisation_id, done_timestamp) where state = 'FAILED';
-- Addresses and numbers whose person has answered.
create index on notification_recipients (organisation_id, email) where answer_id is not null;
create index on notification_recipients (organisation_id, phone) where answer_id is not null;
-- Answers that prove a number, and those that prove nothing.
create index on notification_answers (organisation_id) where channel in ('SMS', 'VOICE_CALL');
create index on notification_answers (organisation_id, create_timestamp) where channel = 'ON_BEHALF';
