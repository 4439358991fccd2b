-- Questions of mass notifications, the recipients' own links, and their answers.

-- Names the organisation in links that have to be short.
alter table organisations add column number integer not null generated always as identity unique;

alter table notification_templates add column question json;

alter table mass_notifications
  add column is_exercise boolean not null default false,
  -- Kind and answers; null without a question.
  add column question json,
  -- Names the question among those of the organisation in short links.
  add column question_number integer,
  add column question_end_timestamp timestamptz,
  add column question_closed_timestamp timestamptz,
  add column question_closed_by text,
  add constraint mass_notifications_question
    check (num_nulls(question, question_number, question_end_timestamp) in (0, 3));
create unique index on mass_notifications (organisation_id, question_number) where question_number is not null;

-- Questions so far, of which the next one takes its number.
alter table mass_notification_usage add column questions integer not null default 0;

-- The beginning of the recipients' own links in a content, and the recipient whose link a message gets.
alter table message_contents add column link_prefix text;
alter table messages add column recipient_place integer;

-- Every answer. The newest one of a person counts.
create table notification_answers (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  notification_id uuid not null,
  person integer not null,
  -- Index in the answers of the question.
  answer integer not null,
  note text not null,
  channel text not null check (channel in ('LINK', 'ON_BEHALF')),
  -- Null unless the answer was entered on behalf.
  answered_by text,
  reason text,
  create_timestamp timestamptz not null,
  foreign key (notification_id, person) references notification_recipients (notification_id, place) on delete cascade,
  check ((channel = 'ON_BEHALF') = (answered_by is not null and reason is not null))
);
create index on notification_answers (notification_id, person, create_timestamp desc);
select protect_tenant_table('notification_answers');

-- The answer that counts, in the person's first row.
alter table notification_recipients add column answer_id uuid;
create index on notification_recipients (notification_id) where answer_id is not null;
