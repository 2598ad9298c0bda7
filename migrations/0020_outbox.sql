-- What people are told, written with the fact itself.

create table outbox (
  id uuid primary key,
  seq bigint generated always as identity unique,
  kind text not null check (kind ~ '^[a-z_]+$'),
  case_id uuid not null references case_file,
  path text not null check (path like '/%'),
  args jsonb not null default '{}',
  by_person uuid references person,
  at timestamptz not null
);
create index outbox_case on outbox (case_id, seq);
call make_append_only('outbox');

create table notice (
  outbox_id uuid not null references outbox,
  person_id uuid not null references person,
  read_at timestamptz,
  primary key (outbox_id, person_id)
);
create index notice_unread on notice (person_id) where read_at is null;
grant select, insert on notice to pel_app;
grant update (read_at) on notice to pel_app;
