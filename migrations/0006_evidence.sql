-- Runs with their statements, evidence items with their files, states and extractions.
-- All of it is append-only: a correction is a new statement, a state change a new event.

create table run (
  id uuid primary key,
  case_id uuid not null references case_file,
  number integer not null check (number > 0),
  by_person uuid not null references person,
  at timestamptz not null,
  unique (case_id, number),
  unique (id, case_id)
);
call make_append_only('run');

create table run_statement (
  run_id uuid not null references run,
  number integer not null check (number > 0),
  role text not null check (role in ('baseline', 'candidate', 'unknown')),
  phase text not null check (phase in ('cold', 'warm', 'canary', 'unknown')),
  profiled text not null check (profiled in ('yes', 'no', 'unknown')),
  contract_version_id uuid references contract_version,
  environment jsonb not null,
  environment_digest text not null check (environment_digest ~ '^[0-9a-f]{64}$'),
  class text,
  band text,
  started_at timestamptz,
  ended_at timestamptz,
  note text not null default '' check (char_length(note) <= 2000),
  reason text,
  by_person uuid not null references person,
  at timestamptz not null,
  primary key (run_id, number),
  check ((started_at is null) = (ended_at is null)),
  check (started_at < ended_at),
  constraint correction_has_reason check (number = 1 or char_length(btrim(coalesce(reason, ''))) >= 5)
);
call make_append_only('run_statement');

create sequence evidence_number;
create table evidence (
  id uuid primary key,
  number bigint not null unique default nextval('evidence_number'),
  case_id uuid not null references case_file,
  run_id uuid not null,
  by_person uuid not null references person,
  at timestamptz not null,
  foreign key (run_id, case_id) references run (id, case_id)
);
alter sequence evidence_number owned by evidence.number;
create index evidence_case on evidence (case_id, number);
create index evidence_run on evidence (run_id);
call make_append_only('evidence');

create table evidence_file (
  evidence_id uuid not null references evidence,
  ordinal smallint not null check (ordinal > 0),
  case_id uuid not null references case_file,
  name text not null check (char_length(name) between 1 and 300),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes > 0),
  primary key (evidence_id, ordinal)
);
create index evidence_file_sha on evidence_file (sha256);
create index evidence_file_case on evidence_file (case_id);
call make_append_only('evidence_file');

create table evidence_event (
  evidence_id uuid not null references evidence,
  seq bigint generated always as identity,
  state text not null check (state in ('received', 'parsing', 'usable', 'unreadable', 'rejected',
                                       'set_aside', 'withdrawn', 'purged')),
  reason text,
  by_person uuid references person,
  at timestamptz not null,
  primary key (evidence_id, seq)
);
call make_append_only('evidence_event');

create table extraction (
  id uuid primary key,
  seq bigint generated always as identity,
  evidence_id uuid not null references evidence,
  kind text not null,
  tool text not null,
  parser text not null,
  app_version text not null,
  cage jsonb not null,
  reading_window jsonb,
  environment jsonb not null,
  hints jsonb not null,
  signals jsonb not null,
  notes jsonb not null,
  figures jsonb not null,
  at timestamptz not null
);
create index extraction_evidence on extraction (evidence_id, seq);
call make_append_only('extraction');

create table hypothesis_argument (
  id uuid primary key,
  seq bigint generated always as identity unique,
  hypothesis_id uuid not null references hypothesis,
  evidence_id uuid not null references evidence,
  supports boolean not null,
  note text not null check (char_length(btrim(note)) between 5 and 2000),
  by_person uuid not null references person,
  at timestamptz not null
);
create index hypothesis_argument_of on hypothesis_argument (hypothesis_id, seq);
call make_append_only('hypothesis_argument');

-- Integrity checks of stored bytes against the digest.
create table integrity_check (
  evidence_id uuid not null references evidence,
  seq bigint generated always as identity,
  sound boolean not null,
  at timestamptz not null,
  primary key (evidence_id, seq)
);
call make_append_only('integrity_check');

grant usage on sequence evidence_number to pel_app;
