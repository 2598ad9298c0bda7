-- Changes, their revisions, approvals, canaries and the sealed decisions.
-- The last part is the database's own guard: whatever the code thinks, an accepted decision needs
-- its four conditions and a reviewer who did not contribute.

create sequence change_number;
create table change (
  id uuid primary key,
  number bigint not null unique default nextval('change_number'),
  case_id uuid not null references case_file,
  service_id uuid not null references service,
  state text not null check (state in ('draft', 'submitted', 'approved_for_canary', 'canary_running',
    'canary_paused', 'canary_ended', 'awaiting_promotion', 'accepted', 'confirmed', 'withdrawn',
    'rejected', 'expired', 'rolled_back')),
  state_since timestamptz not null,
  author_id uuid not null references person,
  created_at timestamptz not null,
  version integer not null default 1
);
alter sequence change_number owned by change.number;
create index change_case on change (case_id, number);
-- One at a time: between the start of its canary and the end of its watch window a service has
-- at most one live change.
create unique index change_one_live on change (service_id)
  where state in ('canary_running', 'canary_paused', 'canary_ended', 'awaiting_promotion', 'accepted');

create table change_revision (
  id uuid primary key,
  change_id uuid not null references change,
  number integer not null check (number > 0),
  terms jsonb not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  submitted_at timestamptz,
  submitted_by uuid references person,
  unique (change_id, number),
  check ((submitted_at is null) = (submitted_by is null))
);
create unique index change_one_draft on change_revision (change_id) where submitted_at is null;

create function change_revision_frozen() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'revisions are kept' using errcode = 'restrict_violation';
  end if;
  if old.submitted_at is not null and new is distinct from old then
    raise exception 'a submitted revision never changes' using errcode = 'restrict_violation';
  end if;
  if (new.id, new.change_id, new.number) is distinct from (old.id, old.change_id, old.number) then
    raise exception 'a revision keeps its place' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger frozen before update or delete on change_revision
  for each row execute function change_revision_frozen();

-- Everybody who ever wrote on a revision: they never approve it.
create table revision_author (
  revision_id uuid not null references change_revision,
  person_id uuid not null references person,
  at timestamptz not null,
  primary key (revision_id, person_id)
);
call make_append_only('revision_author');

create table approval (
  id uuid primary key,
  seq bigint generated always as identity unique,
  change_id uuid not null references change,
  purpose text not null check (purpose in ('canary', 'promotion')),
  revision_digest text not null,
  basis_digest text not null,
  contract_version_id uuid not null references contract_version,
  by_person uuid not null references person,
  at timestamptz not null
);
create index approval_change on approval (change_id, seq);
call make_append_only('approval');

create table change_request (
  id uuid primary key,
  seq bigint generated always as identity unique,
  change_id uuid not null references change,
  points text not null check (char_length(btrim(points)) >= 5),
  by_person uuid not null references person,
  at timestamptz not null
);
create index change_request_change on change_request (change_id, seq);
call make_append_only('change_request');

create table change_request_clearing (
  request_id uuid primary key references change_request,
  reason text not null check (char_length(btrim(reason)) >= 5),
  by_person uuid not null references person,
  at timestamptz not null
);
call make_append_only('change_request_clearing');

create table canary_event (
  id uuid primary key,
  seq bigint generated always as identity unique,
  change_id uuid not null references change,
  kind text not null check (kind in ('started', 'paused', 'resumed', 'ended', 'rolled_back')),
  run_id uuid references run,
  share double precision check (share >= 0 and share <= 1),
  requests bigint check (requests >= 0),
  revision_digest text not null,
  note text not null default '',
  by_person uuid not null references person,
  at timestamptz not null,
  constraint ended_has_run check (kind <> 'ended' or run_id is not null)
);
create index canary_event_change on canary_event (change_id, seq);
call make_append_only('canary_event');

create table decision (
  id uuid primary key,
  seq bigint generated always as identity unique,
  case_id uuid not null references case_file,
  change_id uuid not null references change,
  revision_id uuid not null references change_revision,
  kind text not null check (kind in ('accepted', 'rejected', 'rolled_back')),
  role text not null,
  note text not null check (char_length(btrim(note)) >= 5),
  record jsonb not null,
  digest text not null unique check (digest ~ '^[0-9a-f]{64}$'),
  audit_seq bigint not null references audit_event (seq),
  by_person uuid not null references person,
  at timestamptz not null
);
create unique index decision_accepted_once on decision (change_id) where kind = 'accepted';
create index decision_at on decision (at desc, id desc);
create index decision_case on decision (case_id, seq);
call make_append_only('decision');

-- The condition records an accepted decision rests on.
create table decision_condition (
  decision_id uuid not null references decision deferrable initially deferred,
  condition text not null,
  record_id uuid not null references condition_record,
  primary key (decision_id, condition)
);
call make_append_only('decision_condition');

-- The condition records in force: of each condition the newest that was not retracted.
create function condition_in_force(the_case uuid) returns table (record_id uuid, by_person uuid, basis jsonb)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select distinct on (c.condition) c.id, c.by_person, c.basis
    from condition_record c
   where c.case_id = the_case
     and not exists (select from condition_retraction t where t.record_id = c.id)
   order by c.condition, c.number desc
$$;

-- Who contributed to a change (lifecycle §2), as far as rows can tell.
create function change_contributor(the_change uuid, the_case uuid) returns table (person_id uuid)
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
        and e.kind in ('started', 'resumed', 'ended')
  union select o.person_id from case_owner o where o.case_id = the_case
$$;

create function decision_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  found_conditions integer;
begin
  if (select case_id from change where id = new.change_id) is distinct from new.case_id
     or (select change_id from change_revision where id = new.revision_id) is distinct from new.change_id then
    raise exception 'the decision does not belong to this case and change'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_belongs';
  end if;
  if new.kind <> 'accepted' then
    return null;
  end if;
  select count(distinct c.condition) into found_conditions
    from decision_condition d
    join condition_record c on c.id = d.record_id and c.condition = d.condition and c.case_id = new.case_id
    join condition_in_force(new.case_id) f on f.record_id = c.id
   where d.decision_id = new.id;
  if found_conditions <> 4 then
    raise exception 'an accepted decision needs its four conditions in force, not %', found_conditions
      using errcode = 'integrity_constraint_violation', constraint = 'decision_four_conditions';
  end if;
  if not exists (select from person p join person_role r on r.person_id = p.id
                 where p.id = new.by_person and r.role = 'reviewer' and p.deactivated_at is null) then
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
create constraint trigger guard after insert on decision
  deferrable initially deferred for each row execute function decision_guard();

-- A change only becomes accepted together with its sealed decision.
create function change_accepted_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from decision where change_id = new.id and kind = 'accepted') then
    raise exception 'a change is accepted by a decision, not by a state'
      using errcode = 'integrity_constraint_violation', constraint = 'change_accepted_by_decision';
  end if;
  return null;
end $$;
create constraint trigger accepted_by_decision after insert or update of state on change
  deferrable initially deferred for each row when (new.state in ('accepted', 'confirmed'))
  execute function change_accepted_guard();

-- Of a change only its state moves, of a revision only what a draft says.
grant select, insert on change, change_revision to pel_app;
grant update (state, state_since, version) on change to pel_app;
grant update (terms, digest, submitted_at, submitted_by) on change_revision to pel_app;
grant usage on sequence change_number to pel_app;
