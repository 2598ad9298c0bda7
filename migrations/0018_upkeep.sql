-- What the program does by itself: why it paused a canary, and the moves a change may make.

alter table canary_event add column why jsonb not null default '[]';
alter table canary_event add constraint app_says_why
  check (by_person is not null or jsonb_array_length(why) > 0);

-- Every move of a change, as the code's table of states says; a test compares the two.
create table change_move (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into change_move values
  ('draft', 'submitted'), ('draft', 'withdrawn'),
  ('submitted', 'draft'), ('submitted', 'approved_for_canary'), ('submitted', 'rejected'),
  ('submitted', 'withdrawn'),
  ('approved_for_canary', 'submitted'), ('approved_for_canary', 'draft'),
  ('approved_for_canary', 'canary_running'), ('approved_for_canary', 'rejected'),
  ('approved_for_canary', 'withdrawn'), ('approved_for_canary', 'expired'),
  ('canary_running', 'canary_paused'), ('canary_running', 'canary_ended'),
  ('canary_running', 'awaiting_promotion'), ('canary_running', 'rolled_back'),
  ('canary_paused', 'canary_running'), ('canary_paused', 'canary_ended'),
  ('canary_paused', 'awaiting_promotion'), ('canary_paused', 'rolled_back'),
  ('canary_ended', 'canary_running'), ('canary_ended', 'awaiting_promotion'),
  ('canary_ended', 'rolled_back'),
  ('awaiting_promotion', 'accepted'), ('awaiting_promotion', 'rolled_back'),
  ('awaiting_promotion', 'expired'),
  ('accepted', 'confirmed'), ('accepted', 'rolled_back'),
  -- An expired promotion leaves a candidate in service until somebody takes it out.
  ('expired', 'rolled_back');
call make_append_only('change_move');
revoke insert on change_move from pel_app;

create function change_moves() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.state is distinct from old.state
     and not exists (select from change_move where from_state = old.state and to_state = new.state) then
    raise exception 'a change goes from % to % never', old.state, new.state
      using errcode = 'integrity_constraint_violation', constraint = 'change_move_allowed';
  end if;
  return new;
end $$;
create trigger moves before update of state on change
  for each row execute function change_moves();
