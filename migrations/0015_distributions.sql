-- The observations behind signals, apart from the extraction: a gate never reads them, and a
-- comparison reads them once. The digest is of form and numbers, and the database checks it.
create table distribution (
  extraction_id uuid not null references extraction,
  ordinal int not null check (ordinal > 0),
  signal text not null check (char_length(signal) between 1 and 200),
  labels jsonb not null,
  form text not null check (form in ('values', 'histogram')),
  n bigint not null check (n > 0),
  data bytea not null,
  digest text not null,
  primary key (extraction_id, ordinal),
  constraint distribution_digest check (digest = encode(sha256(convert_to(form, 'UTF8') || data), 'hex'))
);
-- Numbers do not compress; storing them plain saves the trying.
alter table distribution alter column data set storage external;
create index distribution_by_digest on distribution (digest);
call make_append_only('distribution');

-- What was calculated from them, once per basis: `asked` says from which digests, by which level
-- and replicates. Whoever calculates it again gets the same.
create table comparison_result (
  id uuid primary key,
  seq bigint generated always as identity,
  case_id uuid not null references case_file,
  basis_digest text not null check (basis_digest ~ '^[0-9a-f]{64}$'),
  asked jsonb not null,
  result jsonb not null,
  curves jsonb not null,
  app_version text not null,
  at timestamptz not null,
  constraint comparison_result_once unique (case_id, basis_digest),
  constraint comparison_result_of_basis check (result ->> 'basis' = basis_digest)
);
create index comparison_result_newest on comparison_result (case_id, seq);
call make_append_only('comparison_result');
