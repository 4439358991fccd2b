-- Estimated price of a notification, by the price list of its time: {"currency", "amount"}; null without a list.
alter table mass_notifications add column price jsonb,
  -- Language of the words around it, for the answer page.
  add column language text;
