-- Statements against content: contradictions that a reviewer accepts, signals that a person attests
-- and a reviewer countersigns, bytes that come back, and readings by newer parsers.

-- Who has a hand in a case, as far as rows can tell: none of them vouches for a statement or a
-- number in it.
create function case_contributor(the_case uuid) returns table (person_id uuid)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select o.person_id from case_owner o where o.case_id = the_case
  union select f.by_person from condition_in_force(the_case) f
  union select c.person_id from change g cross join lateral change_contributor(g.id, the_case) c
         where g.case_id = the_case and g.state not in ('withdrawn', 'rejected', 'expired', 'rolled_back')
$$;

create function outside_reviewer(the_case uuid, the_person uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from person p join person_role r on r.person_id = p.id
                 where p.id = the_person and r.role = 'reviewer' and p.deactivated_at is null)
     and the_person not in (select c.person_id from case_contributor(the_case) c)
$$;

-- A statement that the content of a file contradicts, accepted by a reviewer as it stands. It
-- speaks of exactly this contradiction: another statement or another finding is a new one.
create table contradiction_acceptance (
  id uuid primary key,
  seq bigint generated always as identity unique,
  case_id uuid not null,
  run_id uuid not null,
  evidence_id uuid not null references evidence,
  field text not null check (char_length(field) between 1 and 200),
  stated text not null,
  found text not null,
  code text,
  reason text not null check (char_length(btrim(reason)) >= 10),
  by_person uuid not null references person,
  at timestamptz not null,
  foreign key (run_id, case_id) references run (id, case_id)
);
create index contradiction_acceptance_case on contradiction_acceptance (case_id, seq);
call make_append_only('contradiction_acceptance');

create function contradiction_acceptance_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if (select e.run_id from evidence e where e.id = new.evidence_id) is distinct from new.run_id then
    raise exception 'the item is not of this run'
      using errcode = 'integrity_constraint_violation', constraint = 'acceptance_of_its_run';
  end if;
  if not outside_reviewer(new.case_id, new.by_person)
     or new.by_person in (select s.by_person from run_statement s where s.run_id = new.run_id)
     or new.by_person = (select e.by_person from evidence e where e.id = new.evidence_id) then
    raise exception 'a contradicted statement is accepted by a reviewer who contributed nothing'
      using errcode = 'integrity_constraint_violation', constraint = 'acceptance_by_outside_reviewer';
  end if;
  return new;
end $$;
create trigger guard before insert on contradiction_acceptance
  for each row execute function contradiction_acceptance_guard();

-- A run that is still going on measured nothing yet.
alter table run_statement add constraint window_not_ahead
  check (ended_at <= at + interval '5 minutes') not valid;

-- The file an attested number was read from is kept and never read by a parser.
alter table evidence add column attested boolean not null default false;

create table attested_signal (
  id uuid primary key,
  seq bigint generated always as identity unique,
  case_id uuid not null,
  number integer not null check (number > 0),
  run_id uuid not null,
  evidence_id uuid not null references evidence,
  signal jsonb not null,
  typed_value text not null check (char_length(btrim(typed_value)) between 1 and 60),
  typed_unit text not null check (char_length(btrim(typed_unit)) between 1 and 20),
  class text,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  place text not null check (char_length(btrim(place)) between 10 and 1000),
  by_person uuid not null references person,
  at timestamptz not null,
  unique (case_id, number),
  foreign key (run_id, case_id) references run (id, case_id),
  constraint attested_whole check (
    coalesce(jsonb_typeof(signal -> 'name') = 'string' and jsonb_typeof(signal -> 'statistic') = 'string'
      and jsonb_typeof(signal -> 'unit') = 'string' and jsonb_typeof(signal -> 'value') = 'number'
      and jsonb_typeof(signal -> 'samples') = 'number', false)
    and (signal ->> 'samples')::numeric > 0),
  constraint attested_window check (started_at < ended_at and ended_at <= at + interval '5 minutes')
);
create index attested_signal_evidence on attested_signal (evidence_id);
call make_append_only('attested_signal');

create function attested_signal_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from evidence e where e.id = new.evidence_id and e.run_id = new.run_id and e.attested) then
    raise exception 'an attested number stands in a file of its run that is kept for it'
      using errcode = 'integrity_constraint_violation', constraint = 'attested_in_its_file';
  end if;
  return new;
end $$;
create trigger guard before insert on attested_signal for each row execute function attested_signal_guard();

create function extraction_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from evidence e where e.id = new.evidence_id and e.attested) then
    raise exception 'an attested source is never read by a parser'
      using errcode = 'integrity_constraint_violation', constraint = 'attested_never_parsed';
  end if;
  return new;
end $$;
create trigger guard before insert on extraction for each row execute function extraction_guard();

-- What a reviewer says about an attested number: countersigned, or declined. The newest counts.
create table attested_answer (
  id uuid primary key,
  seq bigint generated always as identity unique,
  attested_id uuid not null references attested_signal,
  agrees boolean not null,
  reason text not null default '' check (char_length(reason) <= 1000),
  by_person uuid not null references person,
  at timestamptz not null,
  constraint decline_has_reason check (agrees or char_length(btrim(reason)) >= 5)
);
create index attested_answer_of on attested_answer (attested_id, seq);
call make_append_only('attested_answer');

create function attested_answer_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
declare
  attested attested_signal;
begin
  select * into attested from attested_signal where id = new.attested_id;
  if not exists (select from person p join person_role r on r.person_id = p.id
                 where p.id = new.by_person and r.role = 'reviewer' and p.deactivated_at is null)
     or (new.agrees and (new.by_person = attested.by_person
       or new.by_person = (select e.by_person from evidence e where e.id = attested.evidence_id)
       or not outside_reviewer(attested.case_id, new.by_person))) then
    raise exception 'an attested number is countersigned by a reviewer who contributed nothing'
      using errcode = 'integrity_constraint_violation', constraint = 'countersigned_by_outside_reviewer';
  end if;
  return new;
end $$;
create trigger guard before insert on attested_answer for each row execute function attested_answer_guard();

-- Bytes that were withdrawn from a case come back only with a reason.
create function evidence_again_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if char_length(btrim(coalesce(new.reason, ''))) < 5 and exists (
      select from evidence_file f
        join evidence_file o on o.sha256 = f.sha256 and o.case_id = f.case_id and o.evidence_id <> f.evidence_id
        cross join lateral (select v.state from evidence_event v where v.evidence_id = o.evidence_id
                            order by v.seq desc limit 1) s
       where f.evidence_id = new.evidence_id and s.state = 'withdrawn')
     and not exists (select from evidence_event v where v.evidence_id = new.evidence_id) then
    raise exception 'these bytes were withdrawn before: say why they come back'
      using errcode = 'integrity_constraint_violation', constraint = 'withdrawn_bytes_need_reason';
  end if;
  return new;
end $$;
create trigger again before insert on evidence_event for each row execute function evidence_again_guard();

-- A further reading of an item. `anchor_id` is the earlier reading whose numbers it agrees with
-- within the policy's tolerance (null: it stands on its own); `moved` lists every number that is
-- not bit for bit what it was there; `numbers` is the digest of what was read.
alter table extraction add column anchor_id uuid references extraction;
alter table extraction add column moved jsonb;
alter table extraction add column numbers text check (numbers ~ '^[0-9a-f]{64}$');
