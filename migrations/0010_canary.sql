-- A canary while it runs: its watcher's word, what it measured window by window, its extension and
-- recall; templates of standard changes; and freeze windows.

-- What else happens to a canary, and what the program found.
alter table canary_event drop constraint canary_event_kind_check;
alter table canary_event add constraint canary_event_kind_check check (kind in ('started', 'paused',
  'resumed', 'ended', 'extended', 'recalled', 'rolled_back', 'restored'));
-- A person ends a canary with its run; the program ends it on what was posted.
alter table canary_event drop constraint ended_has_run;
alter table canary_event add constraint ended_has_run
  check (kind <> 'ended' or run_id is not null or by_person is null);
alter table canary_event add column verdict text check (verdict in ('pass', 'inconclusive', 'fail'));
alter table canary_event add column extension jsonb;
alter table canary_event add constraint extended_has_limits check ((kind = 'extended') = (extension is not null));
alter table canary_event add constraint restored_by_somebody check (kind <> 'restored' or by_person is not null);
create unique index canary_extended_once on canary_event (change_id) where kind = 'extended';

-- What a standard change is made from: a setting with the range in which a reviewer agreed to turn
-- it. An agreement may be taken back; the newest word counts.
create sequence change_template_number;
create table change_template (
  id uuid primary key,
  number bigint not null unique default nextval('change_template_number'),
  service_id uuid not null references service,
  component text not null check (char_length(btrim(component)) between 1 and 200),
  setting text not null check (char_length(btrim(setting)) between 1 and 200),
  unit text not null default '' check (char_length(unit) <= 40),
  least double precision not null check (least > '-infinity' and least < 'infinity'),
  most double precision not null check (most > '-infinity' and most < 'infinity'),
  reason text not null check (char_length(btrim(reason)) between 20 and 4000),
  by_person uuid not null references person,
  at timestamptz not null,
  constraint template_range check (least <= most)
);
alter sequence change_template_number owned by change_template.number;
create index change_template_service on change_template (service_id, number);
call make_append_only('change_template');
grant usage on sequence change_template_number to pel_app;

create table template_agreement (
  id uuid primary key,
  seq bigint generated always as identity unique,
  template_id uuid not null references change_template,
  agrees boolean not null,
  reason text not null check (char_length(btrim(reason)) between 5 and 4000),
  by_person uuid not null references person,
  at timestamptz not null
);
create index template_agreement_template on template_agreement (template_id, seq);
call make_append_only('template_agreement');

create function template_agreement_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from person p join person_role r on r.person_id = p.id
                 where p.id = new.by_person and r.role = 'reviewer' and p.deactivated_at is null) then
    raise exception 'only an active reviewer speaks on a template'
      using errcode = 'integrity_constraint_violation', constraint = 'template_by_reviewer';
  end if;
  if new.agrees and new.by_person = (select by_person from change_template where id = new.template_id) then
    raise exception 'who wrote a template does not agree to it'
      using errcode = 'integrity_constraint_violation', constraint = 'template_not_by_author';
  end if;
  return new;
end $$;
create trigger guard before insert on template_agreement for each row execute function template_agreement_guard();

-- Whether a reviewer's agreement to a template is in force.
create function template_agreed(the_template uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((select agrees from template_agreement where template_id = the_template order by seq desc limit 1), false)
$$;

-- The events of a canary come in their order, and it starts on an approved revision only.
create function canary_event_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  before text;
begin
  select kind into before from canary_event where change_id = new.change_id order by seq desc limit 1;
  if not coalesce(case
       when before is null then new.kind = 'started'
       when before in ('started', 'resumed', 'extended') then new.kind in ('paused', 'ended', 'recalled', 'rolled_back')
       when before = 'paused' then new.kind in ('resumed', 'ended', 'recalled', 'rolled_back')
       when before = 'ended' then new.kind in ('extended', 'recalled', 'rolled_back')
       when before = 'recalled' then new.kind = 'restored'
     end, false) then
    raise exception 'a canary that was last % cannot be % now', coalesce(before, 'not begun'), new.kind
      using errcode = 'integrity_constraint_violation', constraint = 'canary_event_order';
  end if;
  if new.kind = 'started' and not exists (
       select from change c join change_revision r on r.change_id = c.id
        where c.id = new.change_id and c.state = 'approved_for_canary'
          and r.digest = new.revision_digest and r.submitted_at is not null
          and r.number = (select max(number) from change_revision where change_id = c.id)
          and (exists (select from approval a where a.change_id = c.id and a.purpose = 'canary'
                         and a.revision_digest = r.digest)
               or (r.terms ->> 'kind' = 'standard' and template_agreed((r.terms ->> 'template')::uuid)))) then
    raise exception 'a canary starts on the newest revision, once that is approved'
      using errcode = 'integrity_constraint_violation', constraint = 'canary_start_approved';
  end if;
  if new.kind = 'extended' then
    if not exists (select from person p join person_role r on r.person_id = p.id
                    where p.id = new.by_person and r.role = 'reviewer' and p.deactivated_at is null)
       or new.by_person in (select c.person_id from change g
                              cross join lateral change_contributor(g.id, g.case_id) c
                             where g.id = new.change_id) then
      raise exception 'a canary is extended by a reviewer who did not contribute'
        using errcode = 'integrity_constraint_violation', constraint = 'canary_extended_by_reviewer';
    end if;
    if (select verdict from canary_event where change_id = new.change_id and kind = 'ended'
         order by seq desc limit 1) is distinct from 'inconclusive' then
      raise exception 'only an inconclusive canary is extended'
        using errcode = 'integrity_constraint_violation', constraint = 'canary_extended_inconclusive';
    end if;
  end if;
  return new;
end $$;
create trigger guard before insert on canary_event for each row execute function canary_event_guard();

-- A canary that did not pass is not promoted, but for one that an override excuses from its least
-- duration or samples. Ends of before had their verdict only computed.
create function decision_canary_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  ended text;
begin
  select verdict into ended from canary_event where change_id = new.change_id and kind = 'ended'
   order by seq desc limit 1;
  if ended = 'fail' or (ended = 'inconclusive' and not exists (
       select from override_record o where o.change_id = new.change_id and to_jsonb(o.what) ? 'canary_minimum')) then
    raise exception 'a canary that did not pass is not promoted'
      using errcode = 'integrity_constraint_violation', constraint = 'decision_after_pass';
  end if;
  return null;
end $$;
create constraint trigger canary_guard after insert on decision
  deferrable initially deferred for each row when (new.kind = 'accepted') execute function decision_canary_guard();

-- The watcher's own word that they are present.
create table watcher_presence (
  id uuid primary key,
  seq bigint generated always as identity unique,
  change_id uuid not null references change,
  by_person uuid not null references person,
  at timestamptz not null
);
create index watcher_presence_change on watcher_presence (change_id, seq);
call make_append_only('watcher_presence');

-- What a canary measured: one signal of one arm over one window. The same sample twice is one.
create table canary_sample (
  id uuid primary key,
  seq bigint generated always as identity unique,
  change_id uuid not null references change,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  arm text not null check (arm in ('candidate', 'baseline')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  class text,
  band text,
  region text,
  signal text not null,
  statistic text not null,
  value double precision not null check (value > '-infinity' and value < 'infinity'),
  samples bigint check (samples >= 0),
  requests bigint check (requests >= 0),
  share double precision check (share >= 0 and share <= 1),
  source text not null check (source in ('form', 'file', 'token')),
  by_person uuid references person,
  at timestamptz not null,
  constraint canary_sample_once unique (change_id, digest),
  constraint canary_sample_window check (starts_at < ends_at)
);
create index canary_sample_change on canary_sample (change_id, starts_at, seq);
call make_append_only('canary_sample');

create function canary_sample_guard() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from canary_event where change_id = new.change_id and kind = 'started') then
    raise exception 'samples are of a canary that has started'
      using errcode = 'integrity_constraint_violation', constraint = 'canary_sample_started';
  end if;
  return new;
end $$;
create trigger guard before insert on canary_sample for each row execute function canary_sample_guard();

-- Stretches of time in which a service takes no new change.
create table freeze_window (
  id uuid primary key,
  seq bigint generated always as identity unique,
  service_id uuid not null references service,
  from_at timestamptz not null,
  to_at timestamptz not null,
  reason text not null check (char_length(btrim(reason)) between 10 and 4000),
  by_person uuid not null references person,
  at timestamptz not null,
  constraint freeze_window_span check (from_at < to_at)
);
create index freeze_window_service on freeze_window (service_id, to_at);
call make_append_only('freeze_window');

create table freeze_lift (
  freeze_id uuid primary key references freeze_window,
  reason text not null check (char_length(btrim(reason)) between 5 and 4000),
  by_person uuid not null references person,
  at timestamptz not null
);
call make_append_only('freeze_lift');
