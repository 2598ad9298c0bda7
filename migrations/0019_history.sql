-- Cases of another installation, imported to be read. Nothing refers to this table, so nothing in
-- it can feed a gate.

create table imported_case (
  id uuid primary key,
  label text not null check (char_length(label) between 5 and 30),
  title text not null check (char_length(title) between 1 and 200),
  content jsonb not null,
  sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
  exported_at timestamptz not null,
  by_person uuid not null references person,
  at timestamptz not null
);
create index imported_case_at on imported_case (at desc, id desc);
call make_append_only('imported_case');
