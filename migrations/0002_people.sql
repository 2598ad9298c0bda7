-- People: accounts, roles, passwords, sessions, one-time links, sign-in delays and form keys.
-- A person is never deleted, because the audit log names them; they are deactivated.

create table person (
  id uuid primary key,
  login text not null check (login = lower(login) and login ~ '^[^[:space:][:cntrl:]]{2,120}$'),
  name text not null check (name = btrim(name) and char_length(name) between 1 and 120),
  lang text check (lang in ('en', 'pt-BR')),
  theme text check (theme in ('light', 'dark')),
  created_at timestamptz not null,
  deactivated_at timestamptz,
  version integer not null default 1 check (version > 0)
);
create unique index person_login on person (login);

create table person_role (
  person_id uuid not null references person,
  role text not null check (role in ('viewer', 'responder', 'reviewer', 'manager', 'auditor', 'admin')),
  granted_at timestamptz not null,
  granted_by uuid references person,
  primary key (person_id, role)
);
create index person_role_role on person_role (role);

-- Only the argon2id string; a person of a one-time link or a foreign identity has none.
create table password (
  person_id uuid primary key references person,
  phc text not null check (phc like '$argon2id$%'),
  changed_at timestamptz not null
);

create table session (
  id uuid primary key,
  person_id uuid not null references person,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  device text not null check (char_length(device) <= 80),
  network text not null check (network in ('loopback', 'private', 'public')),
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  proved_at timestamptz not null,
  ended_at timestamptz,
  ended_why text check (ended_why in ('signed_out', 'ended', 'rotated', 'password', 'deactivated', 'expired')),
  check ((ended_at is null) = (ended_why is null))
);
create index session_person on session (person_id) where ended_at is null;

-- Secrets that work once: the first administrator's code, invitations and sign-in links.
create table one_time (
  id uuid primary key,
  kind text not null check (kind in ('setup', 'invitation', 'signin')),
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  person_id uuid references person,
  name text check (char_length(name) between 1 and 120),
  roles text[] not null default '{}',
  made_by uuid references person,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz,
  used_by uuid references person,
  revoked_at timestamptz,
  check ((kind = 'signin') = (person_id is not null)),
  check (used_at is null or revoked_at is null)
);
create index one_time_open on one_time (kind, expires_at) where used_at is null and revoked_at is null;

-- One row per account and network that failed lately. The key is a digest: no address, no login.
create table signin_delay (
  key bytea primary key check (octet_length(key) = 32),
  failures integer not null check (failures > 0),
  not_before timestamptz not null,
  last_at timestamptz not null
);
create index signin_delay_last on signin_delay (last_at);

-- A deciding form sent twice gives its first result instead of a second act.
create table form_key (
  key uuid not null,
  person_id uuid not null references person,
  act text not null,
  body_digest bytea not null check (octet_length(body_digest) = 32),
  result text,
  created_at timestamptz not null,
  primary key (key, person_id)
);
create index form_key_created on form_key (created_at);

-- The last active administrator cannot go. Enforced here too, so that no path around the code
-- leaves a house without a key.
create function keep_an_admin() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(x'70656c61646d'::bigint);
  if exists (select from person)
     and not exists (select from person_role r join person p on p.id = r.person_id
                     where r.role = 'admin' and p.deactivated_at is null) then
    raise exception 'the last active administrator cannot go'
      using errcode = 'restrict_violation', constraint = 'last_admin';
  end if;
  return null;
end $$;
create constraint trigger keep_an_admin after update of deactivated_at on person
  deferrable initially immediate for each row
  when (new.deactivated_at is not null and old.deactivated_at is null)
  execute function keep_an_admin();
create constraint trigger keep_an_admin after delete on person_role
  deferrable initially immediate for each row
  when (old.role = 'admin')
  execute function keep_an_admin();

grant select, insert, update on person, password, session, one_time to pel_app;
grant select, insert, delete on person_role to pel_app;
grant select, insert, update, delete on signin_delay, form_key to pel_app;
