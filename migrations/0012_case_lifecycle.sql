-- The life of a case: who is on it, its flags, how it is closed and opened again, which contract
-- versions it was judged by. Which moves a case may make is a table, and refused here too.

alter table case_file
  add column owner_accepted_at timestamptz,
  add column confidential boolean not null default false,
  add column legal_hold boolean not null default false,
  add column reopened_count integer not null default 0 check (reopened_count >= 0),
  add column duplicate_of uuid references case_file;
update case_file set owner_accepted_at = state_since where owner_id is not null and state <> 'new';
create index case_file_duplicate on case_file (duplicate_of) where duplicate_of is not null;
alter table case_file drop constraint case_file_outcome_check;
alter table case_file add constraint case_file_outcome_check
  check (outcome in ('change_confirmed', 'change_rolled_back', 'no_change_needed', 'not_reproduced',
                     'outside_our_layers', 'duplicate_of', 'opened_in_error'));
-- Nobody has to own a case that is closed at once.
alter table case_file drop constraint case_file_check2;
alter table case_file add constraint case_owned check (state in ('new', 'closed') or owner_id is not null);
alter table case_file add constraint case_duplicate_named
  check ((outcome is not distinct from 'duplicate_of') = (duplicate_of is not null));
alter table case_file add constraint case_closing_note
  check (state <> 'closed' or char_length(btrim(coalesce(closing_note, ''))) >= 20) not valid;
grant update (owner_accepted_at, confidential, legal_hold, reopened_count, duplicate_of) on case_file to pel_app;

-- Who takes part, who was asked to review, who stays out because of a conflict of interest.
-- The newest row of a person and part says whether it is so.
create table case_person (
  case_id uuid not null references case_file,
  seq bigint generated always as identity,
  person_id uuid not null references person,
  part text not null check (part in ('participant', 'reviewer', 'excluded')),
  present boolean not null,
  reason text not null default '' check (char_length(reason) <= 2000),
  by_person uuid not null references person,
  at timestamptz not null,
  primary key (case_id, seq),
  constraint case_person_reason check (part <> 'excluded' or char_length(btrim(reason)) >= 5)
);
create index case_person_person on case_person (person_id, case_id);
call make_append_only('case_person');

create function case_parts(the_case uuid)
returns table (person_id uuid, part text, reason text, by_person uuid, at timestamptz)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select n.person_id, n.part, n.reason, n.by_person, n.at
    from (select distinct on (p.person_id, p.part) p.* from case_person p where p.case_id = the_case
          order by p.person_id, p.part, p.seq desc) n
   where n.present
$$;

-- Who may know of a confidential case: its owner, participants, reviewers asked onto it, auditors.
create function case_known_to(the_case uuid, reader uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from case_file c where c.id = the_case and c.owner_id = reader)
      or exists (select from person_role r join person p on p.id = r.person_id
                 where r.person_id = reader and r.role = 'auditor' and p.deactivated_at is null)
      or exists (select from case_parts(the_case) x where x.person_id = reader and x.part <> 'excluded')
$$;

-- Flags with reason, person and time; the newest row of a flag says how it is now. The case row
-- carries what lists and guards ask for.
create table case_flag (
  case_id uuid not null references case_file,
  seq bigint generated always as identity,
  flag text not null check (flag in ('on_hold', 'confidential', 'legal_hold')),
  raised boolean not null,
  until timestamptz,
  reason text not null check (char_length(btrim(reason)) between 5 and 2000),
  by_person uuid not null references person,
  at timestamptz not null,
  primary key (case_id, seq),
  constraint hold_has_an_end check ((until is not null) = (flag = 'on_hold' and raised))
);
call make_append_only('case_flag');

create function case_flag_set() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  days integer;
begin
  if new.flag = 'on_hold' then
    if new.raised then
      select coalesce((numbers ->> 'hold_max_days')::integer, 30) into days
        from policy_version order by number desc limit 1;
      if new.until <= new.at or new.until > new.at + make_interval(days => days) then
        raise exception 'a hold ends within % days', days
          using errcode = 'integrity_constraint_violation', constraint = 'hold_within_policy';
      end if;
    end if;
    update case_file set on_hold_until = case when new.raised then new.until end,
                         on_hold_reason = case when new.raised then new.reason end where id = new.case_id;
  elsif new.flag = 'confidential' then
    update case_file set confidential = new.raised where id = new.case_id;
  else
    update case_file set legal_hold = new.raised where id = new.case_id;
  end if;
  return null;
end $$;
create trigger set_on_case after insert on case_flag for each row execute function case_flag_set();

-- Every close and every reopening; the case row knows the last of each.
create table case_ending (
  case_id uuid not null references case_file,
  seq bigint generated always as identity,
  kind text not null check (kind in ('closed', 'reopened')),
  outcome text,
  reason text not null check (char_length(btrim(reason)) >= 5),
  by_person uuid not null references person,
  at timestamptz not null,
  primary key (case_id, seq),
  check ((kind = 'closed') = (outcome is not null))
);
call make_append_only('case_ending');

-- The contract versions a case was judged by, in their order.
create table case_contract (
  case_id uuid not null references case_file,
  seq bigint generated always as identity,
  contract_version_id uuid not null references contract_version,
  at timestamptz not null,
  primary key (case_id, seq)
);
insert into case_contract (case_id, contract_version_id, at)
  select id, contract_version_id, opened_at from case_file where contract_version_id is not null;
call make_append_only('case_contract');

create function case_contract_kept() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.contract_version_id is not null
     and (tg_op = 'INSERT' or new.contract_version_id is distinct from old.contract_version_id) then
    insert into case_contract (case_id, contract_version_id, at) values (new.id, new.contract_version_id, new.moved_at);
  end if;
  return null;
end $$;
create trigger contract_kept after insert or update of contract_version_id on case_file
  for each row execute function case_contract_kept();

-- A reviewer from outside the case lets a version with loosened limits count there.
create table contract_consent (
  case_id uuid not null references case_file,
  contract_version_id uuid not null references contract_version,
  reason text not null check (char_length(btrim(reason)) >= 20),
  by_person uuid not null references person,
  at timestamptz not null,
  primary key (case_id, contract_version_id)
);
call make_append_only('contract_consent');

create function contract_consent_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from person p join person_role r on r.person_id = p.id
                 where p.id = new.by_person and r.role = 'reviewer' and p.deactivated_at is null)
     or new.by_person in (select o.person_id from case_owner o where o.case_id = new.case_id)
     or new.by_person in (select f.by_person from condition_in_force(new.case_id) f)
     or new.by_person in (select k.person_id from change g cross join lateral change_contributor(g.id, g.case_id) k
                          where g.case_id = new.case_id)
     or exists (select from case_parts(new.case_id) x where x.person_id = new.by_person and x.part = 'excluded') then
    raise exception 'a loosened limit needs a reviewer who did not contribute to the case'
      using errcode = 'integrity_constraint_violation', constraint = 'consent_from_outside';
  end if;
  return new;
end $$;
create trigger guard before insert on contract_consent for each row execute function contract_consent_guard();

-- The moves a case may make (lifecycle, section 3).
create table case_transition (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into case_transition values
  ('new', 'investigating'), ('investigating', 'deciding'), ('deciding', 'investigating'),
  ('deciding', 'rolling_out'), ('rolling_out', 'deciding'), ('rolling_out', 'investigating'),
  ('new', 'closed'), ('investigating', 'closed'), ('deciding', 'closed'), ('rolling_out', 'closed'),
  ('closed', 'investigating');
call make_append_only('case_transition');

create function case_moves() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state not in ('new', 'investigating')
       or (new.state = 'investigating' and (new.owner_id is null or new.owner_accepted_at is null)) then
      raise exception 'a case begins new, or investigated by the owner who accepted it'
        using errcode = 'integrity_constraint_violation', constraint = 'case_transition';
    end if;
    return new;
  end if;
  if old.state = 'closed' and new.state = 'closed'
     and (new.title, new.problem, new.classes, new.owner_id, new.contract_version_id, new.outcome, new.closing_note)
         is distinct from
         (old.title, old.problem, old.classes, old.owner_id, old.contract_version_id, old.outcome, old.closing_note) then
    raise exception 'the content of a closed case is frozen'
      using errcode = 'integrity_constraint_violation', constraint = 'case_frozen';
  end if;
  if new.reopened_count <> old.reopened_count + (old.state = 'closed' and new.state <> 'closed')::integer then
    raise exception 'every reopening is counted, and nothing else'
      using errcode = 'integrity_constraint_violation', constraint = 'case_reopening_counted';
  end if;
  if new.state = old.state then
    return new;
  end if;
  if not exists (select from case_transition where from_state = old.state and to_state = new.state) then
    raise exception 'a case goes from % to % never', old.state, new.state
      using errcode = 'integrity_constraint_violation', constraint = 'case_transition';
  end if;
  if old.state = 'new' and new.state = 'investigating' and new.owner_accepted_at is null then
    raise exception 'a case is investigated once its owner has accepted it'
      using errcode = 'integrity_constraint_violation', constraint = 'case_owner_accepts';
  end if;
  if new.state = 'closed' then
    perform case_may_close(new);
  end if;
  return new;
end $$;

-- What a row can tell about whether a case may end so.
create function case_may_close(c case_file) returns void language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  next uuid;
  steps integer := 0;
begin
  if exists (select from change g where g.case_id = c.id
             and (g.state in ('submitted', 'approved_for_canary', 'canary_running', 'canary_paused', 'canary_ended',
                              'awaiting_promotion', 'accepted')
                  or (g.state = 'expired'
                      and exists (select from canary_event e where e.change_id = g.id and e.kind = 'started')
                      and not exists (select from canary_event e where e.change_id = g.id and e.kind = 'rolled_back')))) then
    raise exception 'a change of the case is live'
      using errcode = 'integrity_constraint_violation', constraint = 'case_nothing_live';
  end if;
  if (c.outcome = 'change_confirmed' and not exists (select from change where case_id = c.id and state = 'confirmed'))
     or (c.outcome = 'change_rolled_back' and not exists (select from change where case_id = c.id and state = 'rolled_back'))
     or (c.outcome = 'opened_in_error' and exists (select from change g join change_revision r on r.change_id = g.id
                                                   where g.case_id = c.id and r.submitted_at is not null)) then
    raise exception 'the outcome % is not true of the case', c.outcome
      using errcode = 'integrity_constraint_violation', constraint = 'case_outcome_true';
  end if;
  if c.outcome = 'duplicate_of' then
    -- One at a time: two cases closing on each other see each other.
    perform pg_advisory_xact_lock(x'70656c647570'::bigint);
    next := c.duplicate_of;
    while next is not null loop
      steps := steps + 1;
      if next = c.id or steps > 1000 then
        raise exception 'a case is no duplicate of itself'
          using errcode = 'integrity_constraint_violation', constraint = 'case_duplicate_cycle';
      end if;
      select duplicate_of into next from case_file where id = next;
    end loop;
  end if;
end $$;
create trigger moves before insert or update on case_file for each row execute function case_moves();

-- What the case itself asks of an acceptance and of an approval; the change's own guard is beside.
create function decision_case_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  c case_file;
begin
  if new.kind <> 'accepted' then
    return null;
  end if;
  select * into c from case_file where id = new.case_id;
  if c.state = 'closed' or coalesce(c.on_hold_until > new.at, false) then
    raise exception 'the case is closed or on hold'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_on_open_case';
  end if;
  if not exists (select from contract_version v where v.id = c.contract_version_id and v.state = 'published') then
    raise exception 'the contract of the case is not in force'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_under_contract';
  end if;
  if exists (select from case_parts(new.case_id) x where x.person_id = new.by_person and x.part = 'excluded') then
    raise exception 'who is excluded from a case does not decide on it'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_not_by_excluded';
  end if;
  if not exists (select from approval a where a.change_id = new.change_id and a.purpose = 'canary'
                 and a.at >= coalesce((select max(e.at) from case_ending e
                                       where e.case_id = new.case_id and e.kind = 'reopened'), '-infinity')) then
    raise exception 'no approval was given since the case was reopened'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_approved_since_reopening';
  end if;
  return null;
end $$;
create constraint trigger case_guard after insert on decision
  deferrable initially deferred for each row execute function decision_case_guard();

create function approval_case_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from change g cross join lateral case_parts(g.case_id) x
             where g.id = new.change_id and x.person_id = new.by_person and x.part = 'excluded') then
    raise exception 'who is excluded from a case does not approve in it'
      using errcode = 'integrity_constraint_violation', constraint = 'approval_not_by_excluded';
  end if;
  return new;
end $$;
create trigger case_guard before insert on approval for each row execute function approval_case_guard();

-- Why a contract version was taken back, and what `editorial` may mean: the label is refused when
-- anything that judges changed.
alter table contract_version add column ended_reason text;
create function contract_judged(terms jsonb) returns jsonb language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select terms - 'purpose' || jsonb_build_object(
    'load', coalesce(terms -> 'load', '{}') - 'note',
    'classes', (select coalesce(jsonb_agg(c - 'description' order by n), '[]')
                  from jsonb_array_elements(coalesce(terms -> 'classes', '[]')) with ordinality x(c, n)),
    'limits', (select coalesce(jsonb_agg(l - 'typed_unit' order by n), '[]')
                 from jsonb_array_elements(coalesce(terms -> 'limits', '[]')) with ordinality x(l, n)))
$$;
create function contract_editorial() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.state = 'published' and old.state = 'draft' and new.compatibility = 'editorial'
     and contract_judged(new.terms) is distinct from
         (select contract_judged(b.terms) from contract_version b
           where b.contract_id = new.contract_id and b.number < new.number and b.state <> 'draft'
           order by b.number desc limit 1) then
    raise exception 'a version that judges otherwise is not editorial'
      using errcode = 'integrity_constraint_violation', constraint = 'contract_editorial';
  end if;
  return new;
end $$;
create trigger editorial before update on contract_version for each row execute function contract_editorial();

-- A person who left has left their open approvals too, even when they come back; and a name may be
-- erased while the identity stays.
alter table person
  add column left_at timestamptz,
  add column pseudonym_at timestamptz;
update person set left_at = deactivated_at where deactivated_at is not null;
create function person_left() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.deactivated_at is not null then
    new.left_at := new.deactivated_at;
  end if;
  if old.pseudonym_at is not null and (new.name, new.pseudonym_at) is distinct from (old.name, old.pseudonym_at) then
    raise exception 'an erased name stays erased'
      using errcode = 'integrity_constraint_violation', constraint = 'person_pseudonym_stays';
  end if;
  return new;
end $$;
create trigger left_behind before update on person for each row execute function person_left();
