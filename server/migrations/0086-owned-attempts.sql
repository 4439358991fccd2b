-- The organisation whose account a counter of wrong passwords or codes is for, as a keyed hash of its code: its lockouts
-- can be ended without those of others. Null for counters of addresses, of mails and of links.
alter table attempts add column owner text;
create index on attempts (owner) where owner is not null;
