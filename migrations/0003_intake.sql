-- Background work. A job is enqueued in the transaction of the fact that needs it, so that neither
-- exists without the other; it is taken by one worker at a time under a lease.

create table job (
  id uuid primary key,
  kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
  payload jsonb not null,
  -- One job of a kind and key is waiting or running at a time; null: any number.
  once_key text check (char_length(once_key) between 1 and 200),
  created_at timestamptz not null,
  run_after timestamptz not null,
  attempts int not null default 0 check (attempts between 0 and max_attempts),
  max_attempts int not null check (max_attempts between 1 and 100),
  leased_by text check (char_length(leased_by) between 1 and 200),
  lease_until timestamptz,
  done_at timestamptz,
  -- Given up: `last_error` says why, and a person decides what becomes of it.
  dead_at timestamptz,
  last_error text,
  constraint job_lease_whole check ((leased_by is null) = (lease_until is null)),
  constraint job_one_end check (done_at is null or dead_at is null),
  constraint job_end_unleased check ((done_at is null and dead_at is null) or leased_by is null),
  constraint job_dead_has_reason check (dead_at is null or last_error is not null)
);
create unique index job_once on job (kind, once_key) where done_at is null and dead_at is null;
create index job_open on job (kind, run_after, id) where done_at is null and dead_at is null;
create index job_dead on job (dead_at) where dead_at is not null;
create index job_done on job (done_at) where done_at is not null;
grant select, insert, update, delete on job to pel_app;
