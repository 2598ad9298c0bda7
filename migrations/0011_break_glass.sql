-- Break-glass: an exception is narrow, expires, is co-signed and reviewed, and stays with the case
-- for good. What it may never stand for is refused here as well as in the code. And the bounds of
-- the policy's numbers: none of them may switch a rule off.

-- What may be overridden. The rollback threshold, separation of duties, integrity, audit,
-- confidentiality, a failed limit and identity are not in this list and never will be.
create function override_allowed() returns text[] language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select array['reproduced_bottleneck', 'owner_layer_identified', 'acceptance_impact_visible',
    'canary_minimum', 'approvals', 'freeze_window', 'expiry']
$$;

create table override_record (
  id uuid primary key,
  seq bigint generated always as identity unique,
  case_id uuid not null references case_file,
  change_id uuid not null references change,
  target text not null check (target in ('submit', 'approve', 'start_canary', 'accept')),
  what text[] not null check (cardinality(what) > 0),
  category text not null check (category in ('outage', 'degradation', 'safety', 'security', 'other')),
  reason text not null check (char_length(btrim(reason)) >= 50),
  revision_digest text not null check (revision_digest ~ '^[0-9a-f]{64}$'),
  basis_digest text not null check (basis_digest ~ '^[0-9a-f]{64}$'),
  -- The gate as it stood when it was asked for.
  gate jsonb not null,
  by_person uuid not null references person,
  at timestamptz not null,
  until timestamptz not null,
  -- From then on the manager may go on without a co-signature, which is overdue from then on.
  alone_from timestamptz not null check (alone_from > at),
  review_due timestamptz not null check (review_due > at),
  constraint override_what_may_be check (what <@ override_allowed()),
  constraint override_until check (until > at)
);
create index override_record_case on override_record (case_id, seq);
create index override_record_at on override_record (at desc, id desc);
call make_append_only('override_record');

create table override_cosignature (
  override_id uuid primary key references override_record,
  note text not null default '',
  by_person uuid not null references person,
  at timestamptz not null
);
call make_append_only('override_cosignature');

create table override_review (
  override_id uuid primary key references override_record,
  verdict text not null check (verdict in ('justified', 'not_justified', 'needs_follow_up')),
  words text not null check (char_length(btrim(words)) >= 20),
  by_person uuid not null references person,
  at timestamptz not null
);
call make_append_only('override_review');

-- The overrides a decision rested on, by what each stood for.
create table decision_override (
  decision_id uuid not null references decision deferrable initially deferred,
  override_id uuid not null references override_record,
  what text not null,
  primary key (decision_id, override_id, what),
  constraint decision_override_what check (array[what] <@ override_allowed())
);
call make_append_only('decision_override');

create function policy_number(name text, default_value numeric) returns numeric
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((numbers ->> name)::numeric, default_value) from policy_version order by number desc limit 1
$$;

create function holds_role(who uuid, the_roles text[]) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from person p join person_role r on r.person_id = p.id
                 where p.id = who and p.deactivated_at is null and r.role = any (the_roles))
$$;

-- Who contributed to a change: as before, and whoever asked for an override on it.
create or replace function change_contributor(the_change uuid, the_case uuid) returns table (person_id uuid)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select author_id from change where id = the_change
  union select a.person_id from revision_author a join change_revision r on r.id = a.revision_id
        where r.change_id = the_change
  union select submitted_by from change_revision where change_id = the_change and submitted_by is not null
  union select f.by_person from condition_in_force(the_case) f
  union select e.by_person
          from condition_in_force(the_case) f
          cross join lateral jsonb_array_elements(f.basis) b
          join evidence e on e.id::text = b ->> 'id'
         where b ->> 'kind' = 'evidence'
  union select e.by_person from canary_event e where e.change_id = the_change
        and e.kind in ('started', 'resumed', 'ended') and e.by_person is not null
  union select o.person_id from case_owner o where o.case_id = the_case
  union select v.by_person from override_record v where v.change_id = the_change
$$;

create function override_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (select case_id from change where id = new.change_id) is distinct from new.case_id then
    raise exception 'the override does not belong to this case and change'
      using errcode = 'integrity_constraint_violation', constraint = 'override_belongs';
  end if;
  if not holds_role(new.by_person, array['manager']) then
    raise exception 'only an active manager asks for an override'
      using errcode = 'integrity_constraint_violation', constraint = 'override_by_manager';
  end if;
  if exists (select from change where id = new.change_id and author_id = new.by_person)
     or exists (select from revision_author a join change_revision r on r.id = a.revision_id
                where r.change_id = new.change_id and a.person_id = new.by_person) then
    raise exception 'the author of a change does not override its gate'
      using errcode = 'integrity_constraint_violation', constraint = 'override_not_by_author';
  end if;
  if new.until > new.at + make_interval(secs => policy_number('override_max_s', 14400)::double precision) then
    raise exception 'an override lasts no longer than the policy says'
      using errcode = 'integrity_constraint_violation', constraint = 'override_lasts';
  end if;
  if new.alone_from < new.at + make_interval(secs => policy_number('cosign_wait_s', 1800)::double precision) then
    raise exception 'a manager waits for a co-signature as long as the policy says'
      using errcode = 'integrity_constraint_violation', constraint = 'override_waits';
  end if;
  return new;
end $$;
create trigger guard before insert on override_record for each row execute function override_guard();

create function override_cosignature_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  asked override_record;
begin
  select * into asked from override_record where id = new.override_id;
  if asked.by_person = new.by_person then
    raise exception 'who asked for an override does not co-sign it'
      using errcode = 'integrity_constraint_violation', constraint = 'override_second_person';
  end if;
  if not holds_role(new.by_person, array['reviewer', 'manager'])
     or new.by_person in (select c.person_id from change_contributor(asked.change_id, asked.case_id) c) then
    raise exception 'a reviewer or manager who did not contribute co-signs'
      using errcode = 'integrity_constraint_violation', constraint = 'override_cosigner';
  end if;
  return new;
end $$;
create trigger guard before insert on override_cosignature
  for each row execute function override_cosignature_guard();

create function override_review_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  asked override_record;
begin
  select * into asked from override_record where id = new.override_id;
  if not holds_role(new.by_person, array['reviewer'])
     or new.by_person in (select c.person_id from change_contributor(asked.change_id, asked.case_id) c)
     or exists (select from override_cosignature s where s.override_id = asked.id and s.by_person = new.by_person)
     or exists (select from approval a where a.change_id = asked.change_id and a.by_person = new.by_person)
     or exists (select from decision d where d.change_id = asked.change_id and d.by_person = new.by_person) then
    raise exception 'a reviewer who was not involved reviews an override'
      using errcode = 'integrity_constraint_violation', constraint = 'override_reviewer';
  end if;
  return new;
end $$;
create trigger guard before insert on override_review for each row execute function override_review_guard();

-- A case does not close before each of its overrides was reviewed.
create function case_override_reviewed() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from override_record v where v.case_id = new.id
             and not exists (select from override_review r where r.override_id = v.id)) then
    raise exception 'an override of this case waits for its review'
      using errcode = 'integrity_constraint_violation', constraint = 'case_override_reviewed';
  end if;
  return new;
end $$;
create trigger override_reviewed before update of state on case_file
  for each row when (new.state = 'closed' and old.state <> 'closed') execute function case_override_reviewed();

-- The four conditions in force; one of the three that may be overridden may rest on an override
-- instead, which must be live for this very revision at the time of the decision.
create or replace function decision_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  found_conditions integer;
begin
  if (select case_id from change where id = new.change_id) is distinct from new.case_id
     or (select change_id from change_revision where id = new.revision_id) is distinct from new.change_id then
    raise exception 'the decision does not belong to this case and change'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_belongs';
  end if;
  if exists (select from decision_override d join override_record v on v.id = d.override_id
             where d.decision_id = new.id
               and (v.change_id <> new.change_id
                    or not d.what = any (v.what)
                    or v.revision_digest <> (select digest from change_revision where id = new.revision_id)
                    or new.at < v.at or new.at >= v.until
                    or (new.at < v.alone_from
                        and not exists (select from override_cosignature s where s.override_id = v.id)))) then
    raise exception 'an override that is not in force carries no decision'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_override_in_force';
  end if;
  if new.kind <> 'accepted' then
    return null;
  end if;
  select count(*) into found_conditions from (
    select c.condition
      from decision_condition d
      join condition_record c on c.id = d.record_id and c.condition = d.condition and c.case_id = new.case_id
      join condition_in_force(new.case_id) f on f.record_id = c.id
     where d.decision_id = new.id
    union
    select d.what from decision_override d
     where d.decision_id = new.id
       and d.what in ('reproduced_bottleneck', 'owner_layer_identified', 'acceptance_impact_visible')) q;
  if found_conditions <> 4 then
    raise exception 'an accepted decision needs its four conditions in force, not %', found_conditions
      using errcode = 'integrity_constraint_violation', constraint = 'decision_four_conditions';
  end if;
  if not holds_role(new.by_person, array['reviewer']) then
    raise exception 'only an active reviewer accepts'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_by_reviewer';
  end if;
  if new.by_person in (select c.person_id from change_contributor(new.change_id, new.case_id) c) then
    raise exception 'who contributed to a change does not accept it'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_not_by_contributor';
  end if;
  if not exists (select from change_revision r
                 where r.id = new.revision_id and r.submitted_at is not null
                   and r.number = (select max(number) from change_revision where change_id = new.change_id)) then
    raise exception 'only the newest, submitted revision can be accepted'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_on_submitted_revision';
  end if;
  if not exists (select from canary_event e where e.change_id = new.change_id and e.kind = 'ended') then
    raise exception 'no canary of this change has ended'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_after_canary';
  end if;
  return null;
end $$;

-- Versions of the policy follow each other without a gap, and no number switches a rule off.
create function policy_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  n jsonb := new.numbers;
begin
  if new.number <> (select max(number) + 1 from policy_version) then
    raise exception 'another version of the policy came first'
      using errcode = 'integrity_constraint_violation', constraint = 'policy_follows';
  end if;
  if (n ->> 'repro_runs')::numeric < 1 or (n ->> 'canary_approvals')::numeric < 1
     or (n ->> 'override_max_s')::numeric not between 1 and 86400
     or (n ->> 'cosign_wait_s')::numeric < 60 or (n ->> 'review_working_days')::numeric < 1
     or (n ->> 'approval_max_age_s')::numeric not between 1 and 2592000
     or (n ->> 'promotion_max_age_s')::numeric not between 1 and 604800
     or (n ->> 'integrity_max_age_s')::numeric not between 1 and 604800
     or (n ->> 'alpha')::numeric not between 0.001 and 0.1
     or (n ->> 'repro_spread')::numeric not between 0 and 1 then
    raise exception 'a number of the policy would switch a rule off'
      using errcode = 'integrity_constraint_violation', constraint = 'policy_bounds';
  end if;
  return new;
end $$;
create trigger guard before insert on policy_version for each row execute function policy_guard();
