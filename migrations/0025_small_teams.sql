-- In a team of fewer than four, and while the policy says so, attaching evidence alone makes no
-- contributor. Everything else that makes one stays.

create function uploads_are_relaxed() returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((select (numbers ->> 'uploader_may_approve')::boolean
                     from policy_version order by number desc limit 1), false)
     and (select count(*) from person where deactivated_at is null) < 4
$$;

create or replace function change_contributor(the_change uuid, the_case uuid) returns table (person_id uuid)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select author_id from change where id = the_change
  union select a.person_id from revision_author a join change_revision r on r.id = a.revision_id
        where r.change_id = the_change
  union select submitted_by from change_revision where change_id = the_change and submitted_by is not null
  union select f.by_person from condition_in_force(the_case) f
  union select e.by_person
          from condition_in_force(the_case) f
          cross join lateral jsonb_array_elements(f.basis) b
          join evidence e on e.id::text = b ->> 'id'
         where b ->> 'kind' = 'evidence' and not uploads_are_relaxed()
  union select e.by_person from canary_event e where e.change_id = the_change
        and e.kind in ('started', 'resumed', 'ended') and e.by_person is not null
  union select o.person_id from case_owner o where o.case_id = the_case
  union select v.by_person from override_record v where v.change_id = the_change
$$;
