-- Carriers in an order.

-- Name of the carrier that a message was handed to last, set before it is: only that one can be asked about it. Null
-- where there is one carrier.
alter table messages add column carrier text;

-- Next moment at which a carrier with a limit may be given a message, by all processes together.
create table carrier_turns (
  carrier text primary key,
  next_timestamp timestamptz not null
);
