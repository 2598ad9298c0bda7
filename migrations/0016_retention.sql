-- Retention: bytes that go, the sealed summary that stays, requests to erase and what stands
-- against them, redacted copies.

-- The flags of a case that bear on retention; raised and lowered elsewhere.
alter table case_file add column if not exists legal_hold boolean not null default false;
alter table case_file add column if not exists confidential boolean not null default false;

-- What stays of an item whose bytes went: its numbers, statements, digests and who read it. Where
-- the bytes still had their digest just before, the numbers carry a decision; `counts` says so.
create table sealed_summary (
  evidence_id uuid not null references evidence,
  seq bigint generated always as identity,
  content jsonb not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  counts boolean not null,
  at timestamptz not null,
  primary key (evidence_id, seq)
);
call make_append_only('sealed_summary');

-- A purged item has its summary, whatever the code does.
create function purged_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from sealed_summary s where s.evidence_id = new.evidence_id) then
    raise exception 'bytes go only after the sealed summary was written'
      using errcode = 'integrity_constraint_violation', constraint = 'purged_has_summary';
  end if;
  if exists (select from evidence e join case_file c on c.id = e.case_id
             where e.id = new.evidence_id and c.legal_hold) then
    raise exception 'a case under legal hold loses no bytes'
      using errcode = 'integrity_constraint_violation', constraint = 'legal_hold_keeps_bytes';
  end if;
  return new;
end $$;
create trigger purged before insert on evidence_event
  for each row when (new.state = 'purged') execute function purged_guard();

-- Items whose time is over and whose bytes stay, with the reason; one row per reason.
create table retention_skip (
  evidence_id uuid not null references evidence,
  seq bigint generated always as identity,
  why jsonb not null,
  at timestamptz not null,
  primary key (evidence_id, seq)
);
call make_append_only('retention_skip');

-- A person's right to have bytes erased, asked for by an administrator. It waits while the case
-- is under legal hold.
create table erasure_request (
  id uuid primary key,
  seq bigint generated always as identity unique,
  evidence_id uuid not null references evidence,
  reason text not null check (char_length(btrim(reason)) >= 20),
  by_person uuid not null references person,
  at timestamptz not null
);
call make_append_only('erasure_request');

create table erasure_done (
  request_id uuid primary key references erasure_request,
  at timestamptz not null
);
call make_append_only('erasure_done');

create function erasure_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from person p join person_role r on r.person_id = p.id
                 where p.id = new.by_person and r.role = 'admin' and p.deactivated_at is null) then
    raise exception 'only an active administrator asks for an erasure'
      using errcode = 'integrity_constraint_violation', constraint = 'erasure_by_admin';
  end if;
  return new;
end $$;
create trigger guard before insert on erasure_request for each row execute function erasure_guard();

-- Erased bytes do not come back by being handed in again.
create function erased_stays_erased() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from erasure_request q join erasure_done d on d.request_id = q.id
             where q.evidence_id = new.evidence_id) then
    raise exception 'these bytes were erased at a person''s request'
      using errcode = 'integrity_constraint_violation', constraint = 'erased_stays_erased';
  end if;
  return new;
end $$;
create trigger erased before insert on evidence_event
  for each row when (new.state <> 'purged') execute function erased_stays_erased();

-- A copy without what must not be kept, and what was taken out of it.
create table redaction (
  evidence_id uuid primary key references evidence,
  original_id uuid not null references evidence,
  removed text[] not null check (cardinality(removed) between 1 and 50),
  by_person uuid not null references person,
  at timestamptz not null,
  constraint redaction_of_another check (evidence_id <> original_id)
);
create index redaction_original on redaction (original_id);
call make_append_only('redaction');

create function redaction_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if (select run_id from evidence where id = new.evidence_id)
     is distinct from (select run_id from evidence where id = new.original_id) then
    raise exception 'a redacted copy belongs to the run of its original'
      using errcode = 'integrity_constraint_violation', constraint = 'redaction_in_its_run';
  end if;
  return new;
end $$;
create trigger guard before insert on redaction for each row execute function redaction_guard();

-- A second account of a contributor, or of the attester, vouches for as little as the first.
create or replace function outside_reviewer(the_case uuid, the_person uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from person p join person_role r on r.person_id = p.id
                 where p.id = the_person and r.role = 'reviewer' and p.deactivated_at is null)
     and identity_of(the_person) not in (select identity_of(c.person_id) from case_contributor(the_case) c)
$$;

create function attested_identity_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.agrees and exists (
      select from attested_signal s join evidence e on e.id = s.evidence_id
       where s.id = new.attested_id
         and identity_of(new.by_person) in (identity_of(s.by_person), identity_of(e.by_person))) then
    raise exception 'who attested a number does not countersign it, under no account'
      using errcode = 'integrity_constraint_violation', constraint = 'countersigned_by_outside_reviewer';
  end if;
  return new;
end $$;
create trigger identity_guard before insert on attested_answer
  for each row execute function attested_identity_guard();
