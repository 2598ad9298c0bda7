-- What a person said the columns of a table mean. The newest mapping of an item is the one it is
-- read with; the newest of a service for the same columns is offered with the next file.

create table column_mapping (
  id uuid primary key,
  seq bigint generated always as identity unique,
  evidence_id uuid not null references evidence,
  service_id uuid not null references service,
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  mapping jsonb not null check (jsonb_typeof(mapping) = 'object' and octet_length(mapping::text) <= 100000),
  by_person uuid not null references person,
  at timestamptz not null
);
create index column_mapping_evidence on column_mapping (evidence_id, seq);
create index column_mapping_service on column_mapping (service_id, fingerprint, seq);
call make_append_only('column_mapping');

create function column_mapping_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from evidence e join case_file c on c.id = e.case_id
                 where e.id = new.evidence_id and c.service_id = new.service_id and not e.attested) then
    raise exception 'a mapping is for a readable file of its service'
      using errcode = 'integrity_constraint_violation', constraint = 'mapping_of_its_item';
  end if;
  return new;
end $$;
create trigger guard before insert on column_mapping for each row execute function column_mapping_guard();

-- Which mapping a reading was made with.
alter table extraction add column mapping_id uuid references column_mapping;

-- A number read by a mapping is attested by whoever made the mapping, and stands with its reading.
alter table attested_signal add column extraction_id uuid references extraction;
create or replace function attested_signal_guard() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.extraction_id is null then
    if not exists (select from evidence e where e.id = new.evidence_id and e.run_id = new.run_id and e.attested) then
      raise exception 'an attested number stands in a file of its run that is kept for it'
        using errcode = 'integrity_constraint_violation', constraint = 'attested_in_its_file';
    end if;
  elsif not exists (select from extraction x join evidence e on e.id = x.evidence_id
                    join column_mapping m on m.id = x.mapping_id
                    where x.id = new.extraction_id and x.evidence_id = new.evidence_id and e.run_id = new.run_id
                      and x.kind = 'measurement_table' and m.evidence_id = e.id and m.by_person = new.by_person) then
    raise exception 'a mapped number stands in the reading made with its attester''s mapping'
      using errcode = 'integrity_constraint_violation', constraint = 'attested_in_its_reading';
  end if;
  return new;
end $$;
