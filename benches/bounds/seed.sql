-- Many cases, in bulk: `given` says for whom and how many, `sample` what the items say. Items come
-- round-robin over the cases, as they do in a house that works on many, so that those of one case
-- lie apart on disk. Ids ascend as time-ordered ids do. Run by the owner; what triggers would check
-- is skipped, because this database is thrown away.
set session_replication_role = replica;

create function pg_temp.id(kind int, n bigint) returns uuid language sql immutable as
  $$ select ('00000000-' || lpad(kind::text, 4, '0') || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;

insert into contract (id, service_id, name, created_by, created_at)
  select pg_temp.id(1, 1), service, 'chat', person, now from given;
insert into contract_version (id, contract_id, number, state, terms, digest, created_by, created_at, published_by, published_at)
  select pg_temp.id(2, 1), pg_temp.id(1, 1), 1, 'published', terms, terms_digest, person, now, person, now from given;

insert into case_file (id, number, title, service_id, problem, symptom, first_seen, classes, state, state_since,
                       owner_id, contract_version_id, opened_by, opened_at, moved_at)
  select pg_temp.id(3, c), c, 'Chat slows down at noon, case ' || c, service,
         'Since Tuesday p99 TTFT breaks its limit at noon.', symptom, now - interval '60 days', '{chat}', 'investigating',
         now - interval '60 days', person, pg_temp.id(2, 1), person, now - interval '60 days', now - interval '1 day'
  from given, generate_series(1, cases) c;
select setval('case_number', cases) from given;

-- Four items make a run; `k` counts within the case from 0.
create temp table item as
  select n, (n - 1) % cases + 1 as c, (n - 1) / cases as k, ((n - 1) / cases) / 4 * cases + (n - 1) % cases + 1 as run,
         now - interval '50 days' + n * interval '40 days' / (cases::bigint * items) as at
  from given, generate_series(1, cases::bigint * items) n;

insert into run (id, case_id, number, by_person, at)
  select pg_temp.id(4, run), pg_temp.id(3, c), k / 4 + 1, person, at from item, given where k % 4 = 0 order by n;
insert into run_statement (run_id, number, role, phase, profiled, contract_version_id, environment, environment_digest,
                           started_at, ended_at, by_person, at)
  select pg_temp.id(4, run), 1, case when k / 4 % 3 = 1 then 'candidate' else 'baseline' end,
         case when k / 4 % 3 = 2 then 'cold' else 'warm' end, 'no', pg_temp.id(2, 1), environment, environment_digest,
         at - interval '15 minutes', at - interval '4 minutes', person, at
  from item, given where k % 4 = 0 order by n;
insert into evidence (id, number, case_id, run_id, by_person, at)
  select pg_temp.id(5, n), n, pg_temp.id(3, c), pg_temp.id(4, run), person, at from item, given order by n;
select setval('evidence_number', max(n)) from item;
insert into evidence_file (evidence_id, ordinal, case_id, name, sha256, bytes)
  select pg_temp.id(5, n), 1, pg_temp.id(3, c), 'item-' || n || '.dat', encode(sha256(n::text::bytea), 'hex'), 20000 + n
  from item order by n;
insert into evidence_event (evidence_id, state, at)
  select pg_temp.id(5, n), state, at from item, unnest(array['received', 'parsing', 'usable']) with ordinality e(state, o)
  order by n, o;
insert into extraction (id, evidence_id, kind, tool, parser, app_version, cage, environment, hints, signals, notes, figures, at)
  select pg_temp.id(6, i.n), pg_temp.id(5, i.n), s.kind, s.tool, '1.0', '0.1.0', '{}', s.environment, s.hints, s.signals,
         s.notes, s.figures, i.at
  from item i join sample s on s.n = i.k % (select count(*) from sample) order by i.n;
insert into integrity_check (evidence_id, sound, at) select pg_temp.id(5, n), true, at from item order by n;

-- The chain of hashes is not the product's here: nothing measured reads it.
insert into audit_event (seq, body, prev_hash, hash)
  select start.seq + n, jsonb_build_object('seq', start.seq + n, 'at_us', (extract(epoch from at) * 1000000)::bigint,
      'person_id', person, 'name', 'Ana Bench', 'role', 'responder', 'act', 'evidence.attach', 'object_kind', 'evidence',
      'object_id', pg_temp.id(5, n), 'case_id', pg_temp.id(3, c), 'before', null, 'after', null, 'request_id', null,
      'network', 'private', 'reason', null, 'detail', jsonb_build_object('number', n))::text,
    sha256((start.seq + n - 1)::text::bytea), sha256((start.seq + n)::text::bytea)
  from item, given, (select max(seq) as seq from audit_event) start order by n;

set session_replication_role = origin;
analyze;
checkpoint;
