-- The numbers of the policy, as versions with a reason; and acts of the program on a canary.

create table policy_version (
  number integer primary key check (number > 0),
  numbers jsonb not null,
  reason text not null check (char_length(btrim(reason)) >= 10),
  by_person uuid references person,
  at timestamptz not null,
  -- Only the first, which every installation begins with, is nobody's.
  check ((by_person is null) = (number = 1))
);
insert into policy_version values (1, '{}', 'The numbers this program begins with.', null, now());
call make_append_only('policy_version');

-- The program itself pauses a canary whose ground moved.
alter table canary_event alter column by_person drop not null;
