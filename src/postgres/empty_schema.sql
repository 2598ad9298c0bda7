-- Drops everything in the schema public that no extension owns, by name and in one transaction.
set client_min_messages = warning;
do $$
declare
  item record;
begin
  for item in
    select format('drop routine if exists public.%I(%s) cascade', p.proname, pg_get_function_identity_arguments(p.oid)) as statement
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute item.statement;
  end loop;
  for item in
    select format('drop %s if exists public.%I cascade',
      case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      c.relname) as statement
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
      -- 'i': the sequence of an identity column goes with its table and not without it.
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'i'))
  loop
    execute item.statement;
  end loop;
  for item in
    select format('drop type if exists public.%I cascade', t.typname) as statement
    from pg_type t left join pg_class c on c.oid = t.typrelid
    where t.typnamespace = 'public'::regnamespace
      and (t.typtype in ('e', 'd', 'r') or (t.typtype = 'c' and c.relkind = 'c'))
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
  loop
    execute item.statement;
  end loop;
end $$;
