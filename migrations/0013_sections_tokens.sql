-- Sections with versions of their own and what they said before; accounts that are one person;
-- tokens of services.

alter table case_file
  add column problem_version integer not null default 1 check (problem_version > 0),
  add column contract_link_version integer not null default 1 check (contract_link_version > 0);
grant update (problem_version, contract_link_version) on case_file to pel_app;

-- What a section said up to and including a version, written when it was replaced: the common
-- base of two people who edited it at once.
create table section_past (
  subject uuid not null,
  section text not null check (section in ('problem', 'contract_link', 'change', 'contract_draft')),
  version integer not null check (version > 0),
  content jsonb not null,
  replaced_by uuid not null references person,
  at timestamptz not null,
  primary key (subject, section, version)
);
call make_append_only('section_past');

-- The numbers and verdicts an approver saw.
alter table approval add column seen jsonb;

-- Two accounts of one person: who is who is the identity, not the account. The first account
-- stands for all of them.
alter table person
  add column identity_id uuid references person check (identity_id <> id),
  add column kind text not null default 'human' check (kind in ('human', 'token'));
create index person_identity on person (identity_id) where identity_id is not null;

create function identity_of(the_person uuid) returns uuid
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(identity_id, id) from person where id = the_person
$$;

create function identity_is_flat() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.identity_id is not null
     and (exists (select from person where id = new.identity_id and identity_id is not null)
          or exists (select from person where identity_id = new.id)) then
    raise exception 'an account stands for itself or for one first account'
      using errcode = 'integrity_constraint_violation', constraint = 'person_identity_flat';
  end if;
  return null;
end $$;
create constraint trigger identity_is_flat after insert or update of identity_id on person
  deferrable initially deferred for each row execute function identity_is_flat();

-- The second account of a contributor accepts as little as the first.
create function decision_identity_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.kind = 'accepted'
     and identity_of(new.by_person) in (select identity_of(c.person_id)
                                        from change_contributor(new.change_id, new.case_id) c) then
    raise exception 'who contributed to a change does not accept it, under no account'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_not_by_contributor';
  end if;
  return null;
end $$;
create constraint trigger identity_guard after insert on decision
  deferrable initially deferred for each row execute function decision_identity_guard();

-- A service acts under an account of its own kind, which holds no role and signs in nowhere.
create function token_holds_no_role() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from person where id = new.person_id and kind = 'token') then
    raise exception 'a token holds no role and no password'
      using errcode = 'integrity_constraint_violation', constraint = 'token_holds_no_role';
  end if;
  return new;
end $$;
create trigger token_holds_no_role before insert or update on person_role for each row execute function token_holds_no_role();
create trigger token_holds_no_role before insert or update on password for each row execute function token_holds_no_role();
create trigger token_holds_no_role before insert or update on session for each row execute function token_holds_no_role();

create table service_token (
  id uuid primary key references person,
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0
    and scopes <@ array['open_cases', 'attach_evidence', 'read_gate', 'post_canary']),
  service_id uuid references service,
  case_id uuid references case_file,
  created_by uuid not null references person,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  revoked_at timestamptz,
  revoked_by uuid references person,
  last_used_at timestamptz,
  check ((revoked_at is null) = (revoked_by is null)),
  check (service_id is null or case_id is null)
);
grant select, insert on service_token to pel_app;
grant update (revoked_at, revoked_by, last_used_at) on service_token to pel_app;

-- An act of a program that is sent twice gives its first answer again; kept for a day.
create table idempotency_key (
  token_id uuid not null references service_token,
  key text not null check (char_length(key) between 1 and 200),
  act text not null,
  body_digest bytea not null check (octet_length(body_digest) = 32),
  status smallint,
  answer jsonb,
  at timestamptz not null,
  primary key (token_id, key)
);
create index idempotency_key_at on idempotency_key (at);
grant select, insert, update, delete on idempotency_key to pel_app;
