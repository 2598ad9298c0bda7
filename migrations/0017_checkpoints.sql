-- Checkpoints of the audit log, signed; whoever keeps one elsewhere can tell later that the tail of
-- the log was cut.

create table audit_checkpoint (
  number integer primary key check (number > 0),
  first_seq bigint not null check (first_seq > 0),
  last_seq bigint not null unique check (last_seq >= first_seq),
  signed jsonb not null,
  at timestamptz not null
);
call make_append_only('audit_checkpoint');

-- They follow each other, and each names events that are there.
create function audit_checkpoint_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  last record;
begin
  select number, last_seq into last from audit_checkpoint order by number desc limit 1;
  if new.number <> coalesce(last.number, 0) + 1 or new.first_seq <> coalesce(last.last_seq, 0) + 1
     or not exists (select from audit_event where seq = new.last_seq) then
    raise exception 'checkpoint % does not follow the one before', new.number
      using errcode = 'integrity_constraint_violation', constraint = 'audit_checkpoint_follows';
  end if;
  return new;
end $$;
create trigger guard before insert on audit_checkpoint for each row execute function audit_checkpoint_guard();
