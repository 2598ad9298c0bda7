-- The app's own role, the audit log and the guard for append-only tables.
-- Migrations only go forward; one that landed is never edited.

-- The program works as this role: no DDL, no rewriting of history.
do $$
begin
  if not exists (select from pg_roles where rolname = 'pel_app') then
    create role pel_app nologin;
  end if;
exception when duplicate_object or unique_violation then null; -- another database made it just now
end $$;
do $$
begin
  execute format('grant pel_app to %I', current_user);
exception when others then null; -- a superuser needs no membership; two grants at once may collide
end $$;

grant usage on schema public to pel_app;

-- A temporary table could stand before a real one in the eyes of a guard: every guard below says
-- where its names are looked up, and the program takes the right to make any (src/postgres).

-- Refuses any rewrite of a row, whoever asks.
create function refuse_rewrite() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception 'rows of % are append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Makes a table append-only twice over: by trigger, and by what the app's role may do.
create procedure make_append_only(table_name regclass) language plpgsql as $$
begin
  execute format('create trigger append_only before update or delete on %s for each row execute function refuse_rewrite()', table_name);
  execute format('create trigger append_only_truncate before truncate on %s for each statement execute function refuse_rewrite()', table_name);
  execute format('revoke all on %s from pel_app', table_name);
  execute format('grant select, insert on %s to pel_app', table_name);
end $$;

-- One row per act. `body` is the canonical JSON that the hash covers; the other columns are read
-- out of it, so they cannot say anything else.
create table audit_event (
  seq bigint primary key check (seq > 0),
  body text not null,
  prev_hash bytea not null check (octet_length(prev_hash) = 32),
  hash bytea not null unique check (octet_length(hash) = 32),
  at_us bigint not null generated always as (((body::jsonb) ->> 'at_us')::bigint) stored,
  person_id uuid generated always as (((body::jsonb) ->> 'person_id')::uuid) stored,
  case_id uuid generated always as (((body::jsonb) ->> 'case_id')::uuid) stored,
  act text not null generated always as ((body::jsonb) ->> 'act') stored
);
create index audit_event_case on audit_event (case_id, seq) where case_id is not null;
create index audit_event_person on audit_event (person_id, seq) where person_id is not null;

-- The chain is checked by the database too: no gap, no fork, no wrong hash.
create function audit_event_link() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  last record;
begin
  select seq, hash into last from audit_event order by seq desc limit 1;
  if new.seq <> coalesce(last.seq, 0) + 1
     or new.prev_hash <> coalesce(last.hash, decode(repeat('00', 32), 'hex'))
     or new.hash <> sha256(new.prev_hash || convert_to(new.body, 'UTF8'))
     or ((new.body::jsonb) ->> 'seq')::bigint <> new.seq then
    raise exception 'audit event % does not continue the chain', new.seq using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger link before insert on audit_event for each row execute function audit_event_link();
call make_append_only('audit_event');
