-- Kept row counts, because counting takes time in proportion to the rows (decision 053).

create table row_counts (
  organisation_id uuid not null references organisations (id) on delete cascade,
  counted text not null,
  facet text[] not null,
  amount bigint not null
);
create index on row_counts (organisation_id, counted, facet) include (amount);
select protect_tenant_table('row_counts');
-- External people see fewer rows than the counts.
create policy viewer on row_counts as restrictive for select to muster_external using (false);
revoke insert, update, delete on row_counts from muster_member;
