-- Services, their task classes, and the workload contracts with their versions.

create table service (
  id uuid primary key,
  name text not null check (name = btrim(name) and char_length(name) between 1 and 80),
  description text not null default '' check (char_length(description) <= 2000),
  created_by uuid not null references person,
  created_at timestamptz not null
);
create unique index service_name on service (lower(name));

create table task_class (
  id uuid primary key,
  service_id uuid not null references service,
  name text not null check (name = btrim(name) and char_length(name) between 1 and 80),
  description text not null default '' check (char_length(description) <= 2000),
  created_by uuid not null references person,
  created_at timestamptz not null
);
create unique index task_class_name on task_class (service_id, lower(name));

create table contract (
  id uuid primary key,
  service_id uuid not null references service,
  name text not null check (name = btrim(name) and char_length(name) between 1 and 80),
  created_by uuid not null references person,
  created_at timestamptz not null
);
create unique index contract_name on contract (service_id, lower(name));

create table contract_version (
  id uuid primary key,
  contract_id uuid not null references contract,
  number integer not null check (number > 0),
  state text not null check (state in ('draft', 'published', 'superseded', 'withdrawn')),
  terms jsonb not null,
  digest text check (digest ~ '^[0-9a-f]{64}$'),
  compatibility text check (compatibility in ('editorial', 'material')),
  created_by uuid not null references person,
  created_at timestamptz not null,
  published_by uuid references person,
  published_at timestamptz,
  ended_at timestamptz,
  version integer not null default 1,
  unique (contract_id, number),
  check ((state = 'draft') = (digest is null)),
  check ((digest is null) = (published_at is null)),
  check ((published_at is null) = (published_by is null))
);
create unique index contract_one_published on contract_version (contract_id) where state = 'published';
create unique index contract_one_draft on contract_version (contract_id) where state = 'draft';

-- A published version never changes; only its state moves, and only forward.
create function contract_version_frozen() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'contract versions are kept' using errcode = 'restrict_violation';
  end if;
  if old.state <> 'draft' then
    if (new.id, new.contract_id, new.number, new.terms, new.digest, new.compatibility, new.created_by,
        new.created_at, new.published_by, new.published_at)
       is distinct from
       (old.id, old.contract_id, old.number, old.terms, old.digest, old.compatibility, old.created_by,
        old.created_at, old.published_by, old.published_at) then
      raise exception 'a published contract version never changes' using errcode = 'restrict_violation';
    end if;
    if new.state <> old.state and not (old.state = 'published' and new.state in ('superseded', 'withdrawn')) then
      raise exception 'a contract version goes from % to % never', old.state, new.state using errcode = 'restrict_violation';
    end if;
  elsif new.state not in ('draft', 'published') then
    raise exception 'a draft can only be published' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger frozen before update or delete on contract_version
  for each row execute function contract_version_frozen();

grant select, insert on service, task_class, contract to pel_app;
grant select, insert, update on contract_version to pel_app;
