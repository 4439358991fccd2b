-- Progress of reading the mailbox into which undeliverable mails come back.
create table bounce_mailboxes (
  -- User, host and folder.
  mailbox text primary key,
  uid_validity text not null,
  last_uid bigint not null,
  -- One process at a time reads.
  leased_until timestamptz not null
);
grant select, insert, update, delete on bounce_mailboxes to muster_provider;
