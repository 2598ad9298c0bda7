-- A reviewer's consent to the bundle of one revision.

create table bundle_consent (
  id uuid primary key,
  seq bigint generated always as identity unique,
  change_id uuid not null references change,
  revision_id uuid not null references change_revision,
  revision_digest text not null check (revision_digest ~ '^[0-9a-f]{64}$'),
  note text not null check (char_length(btrim(note)) >= 5),
  by_person uuid not null references person,
  at timestamptz not null,
  constraint bundle_consent_once unique (revision_id, by_person)
);
create index bundle_consent_change on bundle_consent (change_id, seq);
call make_append_only('bundle_consent');

-- Given on the newest revision, frozen and with a bundle, by an active reviewer who did not
-- contribute to the change.
create function bundle_consent_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from change_revision r
                 where r.id = new.revision_id and r.change_id = new.change_id and r.digest = new.revision_digest
                   and r.submitted_at is not null and jsonb_typeof(r.terms -> 'bundle') = 'object'
                   and r.number = (select max(number) from change_revision where change_id = new.change_id)) then
    raise exception 'a consent is given on the newest submitted revision, which has a bundle'
      using errcode = 'integrity_constraint_violation', constraint = 'bundle_consent_on_revision';
  end if;
  if not exists (select from person p join person_role r on r.person_id = p.id
                 where p.id = new.by_person and r.role = 'reviewer' and p.deactivated_at is null) then
    raise exception 'only an active reviewer consents to a bundle'
      using errcode = 'integrity_constraint_violation', constraint = 'bundle_consent_by_reviewer';
  end if;
  if new.by_person in (select c.person_id from change g
                       cross join lateral change_contributor(g.id, g.case_id) c where g.id = new.change_id) then
    raise exception 'who contributed to a change does not consent to its bundle'
      using errcode = 'integrity_constraint_violation', constraint = 'bundle_consent_not_by_contributor';
  end if;
  return null;
end $$;
create constraint trigger guard after insert on bundle_consent
  deferrable initially deferred for each row execute function bundle_consent_guard();

-- A revision with a bundle is accepted only with a consent to it, by somebody who did not
-- contribute.
create function decision_bundle_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.kind = 'accepted'
     and exists (select from change_revision r
                 where r.id = new.revision_id and jsonb_typeof(r.terms -> 'bundle') = 'object')
     and not exists (select from bundle_consent b
                     where b.revision_id = new.revision_id
                       and b.by_person not in (select c.person_id from change_contributor(new.change_id, new.case_id) c)) then
    raise exception 'a bundle of settings is accepted only with a reviewer''s consent to it'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_bundle_consent';
  end if;
  return null;
end $$;
create constraint trigger bundle_guard after insert on decision
  deferrable initially deferred for each row execute function decision_bundle_guard();
