-- Cases and what people say in them: declarations about stages, hypotheses, condition records,
-- comments. Everything but the case row itself is append-only.

create sequence case_number;
create table case_file (
  id uuid primary key,
  number bigint not null unique default nextval('case_number'),
  title text not null check (char_length(btrim(title)) between 3 and 200),
  service_id uuid not null references service,
  problem text not null check (char_length(problem) <= 10000),
  symptom jsonb not null,
  first_seen timestamptz not null,
  classes text[] not null default '{}',
  state text not null check (state in ('new', 'investigating', 'deciding', 'rolling_out', 'closed')),
  state_since timestamptz not null,
  owner_id uuid references person,
  contract_version_id uuid references contract_version,
  opened_by uuid not null references person,
  opened_at timestamptz not null,
  moved_at timestamptz not null,
  outcome text check (outcome in ('change_confirmed', 'change_rolled_back', 'no_change_needed',
                                  'not_reproduced', 'outside_our_layers', 'opened_in_error')),
  closing_note text,
  on_hold_until timestamptz,
  on_hold_reason text,
  version integer not null default 1,
  check (first_seen <= opened_at + interval '5 minutes'),
  check ((state = 'closed') = (outcome is not null)),
  check (state = 'new' or owner_id is not null),
  check ((on_hold_until is null) = (on_hold_reason is null))
);
alter sequence case_number owned by case_file.number;
create index case_file_moved on case_file (moved_at desc, id desc);
create index case_file_state on case_file (state, moved_at desc, id desc);
create index case_file_owner on case_file (owner_id, moved_at desc, id desc);
create index case_file_service on case_file (service_id, moved_at desc, id desc);

-- Everybody who ever owned a case: handing it back does not undo having owned it.
create table case_owner (
  case_id uuid not null references case_file,
  seq bigint generated always as identity,
  person_id uuid not null references person,
  at timestamptz not null,
  primary key (case_id, seq)
);
call make_append_only('case_owner');

create table stage_declaration (
  id uuid primary key,
  seq bigint generated always as identity unique,
  case_id uuid not null references case_file,
  stage smallint not null check (stage between 1 and 5),
  kind text not null check (kind in ('not_applicable', 'not_examined', 'reopened')),
  reason text not null check (char_length(btrim(reason)) >= 20),
  by_person uuid not null references person,
  at timestamptz not null,
  constraint stage_1_always_applies check (stage <> 1 or kind = 'reopened')
);
create index stage_declaration_case on stage_declaration (case_id, seq);
call make_append_only('stage_declaration');

create table hypothesis (
  id uuid primary key,
  case_id uuid not null references case_file,
  number integer not null check (number > 0),
  stage smallint not null check (stage between 1 and 5),
  text text not null check (char_length(btrim(text)) between 5 and 2000),
  by_person uuid not null references person,
  at timestamptz not null,
  unique (case_id, number)
);
call make_append_only('hypothesis');

create table condition_record (
  id uuid primary key,
  case_id uuid not null references case_file,
  number integer not null check (number > 0),
  condition text not null check (condition in ('reproduced_bottleneck', 'owner_layer_identified',
                                               'acceptance_impact_visible', 'rollback_threshold_defined')),
  claim jsonb not null,
  basis jsonb not null,
  basis_digest text not null check (basis_digest ~ '^[0-9a-f]{64}$'),
  by_person uuid not null references person,
  at timestamptz not null,
  unique (case_id, number)
);
call make_append_only('condition_record');

create table condition_retraction (
  record_id uuid primary key references condition_record,
  reason text not null check (char_length(btrim(reason)) >= 5),
  by_person uuid not null references person,
  at timestamptz not null
);
call make_append_only('condition_retraction');

create table case_comment (
  id uuid primary key,
  case_id uuid not null references case_file,
  text text not null check (char_length(btrim(text)) between 1 and 10000),
  by_person uuid not null references person,
  at timestamptz not null
);
create index case_comment_case on case_comment (case_id, at);
call make_append_only('case_comment');

grant select, insert on case_file to pel_app;
grant update (title, problem, classes, state, state_since, owner_id, contract_version_id, moved_at, outcome,
              closing_note, on_hold_until, on_hold_reason, version) on case_file to pel_app;
grant usage on sequence case_number to pel_app;
