-- Who is who is the identity, not the account: every rule that keeps a person from deciding on
-- their own work asks for it. Until now approvals, consents, overrides and exclusions compared
-- accounts.

create function same_person(a uuid, b uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(identity_of(a) = identity_of(b), false)
$$;

-- Whoever is kept out of a case is kept out under every account.
create function excluded_from(the_case uuid, the_person uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from case_parts(the_case) x where x.part = 'excluded' and same_person(x.person_id, the_person))
$$;

-- Who contributed to a change, under all their accounts: whoever asks compares accounts.
alter function change_contributor(uuid, uuid) rename to change_contributor_account;
create function change_contributor(the_change uuid, the_case uuid) returns table (person_id uuid)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p.id from person p
   where coalesce(p.identity_id, p.id) in (select identity_of(c.person_id)
                                             from change_contributor_account(the_change, the_case) c)
$$;

create or replace function case_contributor(the_case uuid) returns table (person_id uuid)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with hands as (
    select o.person_id from case_owner o where o.case_id = the_case
    union select f.by_person from condition_in_force(the_case) f
    union select c.person_id from change g cross join lateral change_contributor_account(g.id, the_case) c
           where g.case_id = the_case and g.state not in ('withdrawn', 'rejected', 'expired', 'rolled_back'))
  select p.id from person p where coalesce(p.identity_id, p.id) in (select identity_of(h.person_id) from hands h)
$$;

create or replace function approval_case_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  the_case uuid := (select g.case_id from change g where g.id = new.change_id);
begin
  if excluded_from(the_case, new.by_person) then
    raise exception 'who is excluded from a case does not approve in it'
      using errcode = 'integrity_constraint_violation', constraint = 'approval_not_by_excluded';
  end if;
  if new.by_person in (select c.person_id from change_contributor(new.change_id, the_case) c) then
    raise exception 'who contributed to a change does not approve it, under no account'
      using errcode = 'integrity_constraint_violation', constraint = 'approval_not_by_contributor';
  end if;
  return new;
end $$;

create function decision_excluded_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.kind = 'accepted' and excluded_from(new.case_id, new.by_person) then
    raise exception 'who is excluded from a case does not decide on it, under no account'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_not_by_excluded';
  end if;
  return null;
end $$;
create constraint trigger excluded_guard after insert on decision
  deferrable initially deferred for each row execute function decision_excluded_guard();

create or replace function contract_consent_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not holds_role(new.by_person, array['reviewer'])
     or exists (select from case_owner o where o.case_id = new.case_id and same_person(o.person_id, new.by_person))
     or exists (select from condition_in_force(new.case_id) f where same_person(f.by_person, new.by_person))
     or new.by_person in (select k.person_id from change g cross join lateral change_contributor(g.id, g.case_id) k
                          where g.case_id = new.case_id)
     or excluded_from(new.case_id, new.by_person) then
    raise exception 'a loosened limit needs a reviewer who did not contribute to the case'
      using errcode = 'integrity_constraint_violation', constraint = 'consent_from_outside';
  end if;
  return new;
end $$;

create or replace function contradiction_acceptance_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if (select e.run_id from evidence e where e.id = new.evidence_id) is distinct from new.run_id then
    raise exception 'the item is not of this run'
      using errcode = 'integrity_constraint_violation', constraint = 'acceptance_of_its_run';
  end if;
  if not outside_reviewer(new.case_id, new.by_person)
     or exists (select from run_statement s where s.run_id = new.run_id and same_person(s.by_person, new.by_person))
     or same_person(new.by_person, (select e.by_person from evidence e where e.id = new.evidence_id)) then
    raise exception 'a contradicted statement is accepted by a reviewer who contributed nothing'
      using errcode = 'integrity_constraint_violation', constraint = 'acceptance_by_outside_reviewer';
  end if;
  return new;
end $$;

create function template_identity_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.agrees and same_person(new.by_person, (select by_person from change_template where id = new.template_id)) then
    raise exception 'who wrote a template does not agree to it, under no account'
      using errcode = 'integrity_constraint_violation', constraint = 'template_not_by_author';
  end if;
  return new;
end $$;
create trigger identity_guard before insert on template_agreement
  for each row execute function template_identity_guard();

-- An override: its author, its second person and its reviewer are three people.
create function override_identity_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from change g where g.id = new.change_id and same_person(g.author_id, new.by_person))
     or exists (select from revision_author a join change_revision r on r.id = a.revision_id
                where r.change_id = new.change_id and same_person(a.person_id, new.by_person)) then
    raise exception 'the author of a change does not override its gate, under no account'
      using errcode = 'integrity_constraint_violation', constraint = 'override_not_by_author';
  end if;
  return new;
end $$;
create trigger identity_guard before insert on override_record
  for each row execute function override_identity_guard();

create function override_cosignature_identity_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if same_person(new.by_person, (select o.by_person from override_record o where o.id = new.override_id)) then
    raise exception 'who asked for an override does not co-sign it, under no account'
      using errcode = 'integrity_constraint_violation', constraint = 'override_second_person';
  end if;
  return new;
end $$;
create trigger identity_guard before insert on override_cosignature
  for each row execute function override_cosignature_identity_guard();

create function override_review_identity_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  asked override_record;
begin
  select * into asked from override_record where id = new.override_id;
  if exists (select from override_cosignature s where s.override_id = asked.id and same_person(s.by_person, new.by_person))
     or exists (select from approval a where a.change_id = asked.change_id and same_person(a.by_person, new.by_person))
     or exists (select from decision d where d.change_id = asked.change_id and same_person(d.by_person, new.by_person)) then
    raise exception 'who was involved does not review an override, under no account'
      using errcode = 'integrity_constraint_violation', constraint = 'override_reviewer';
  end if;
  return new;
end $$;
create trigger identity_guard before insert on override_review
  for each row execute function override_review_identity_guard();
