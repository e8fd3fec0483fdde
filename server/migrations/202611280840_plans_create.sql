-- Writes that are described first and carried out once they are confirmed.
create table plans (
  id uuid primary key,
  -- The operationId of the route that is called
  action text collate "C" not null check (action ~ '^[a-zA-Z]{1,60}$'),
  target text not null check (char_length(target) between 1 and 1200),
  -- Sealed with the id of the plan: nobody can change them, and no value of a variable lies here in the open
  arguments bytea not null,
  effects jsonb not null check (jsonb_typeof(effects) = 'array'),
  preconditions jsonb not null check (jsonb_typeof(preconditions) = 'array'),
  -- Scopes, and teams whose scopes it may reach: who has to confirm is judged again by what is protected then
  reached_scopes text[] not null,
  reached_teams text[] not null,
  -- What the write asked for when it was judged: the permission of its route and the team, then everything
  permission text collate "C" not null,
  team_path text collate "C" not null,
  held jsonb not null check (jsonb_typeof(held) = 'array'),
  confirmation text not null check (confirmation in ('agent', 'person')),
  confirmation_reason text,
  -- A plan that waits has expired once expires_at is over
  status text not null check (status in ('waiting', 'waiting_for_person', 'confirmed', 'refused', 'stale')),
  planner_kind text not null check (planner_kind in ('user', 'service_account', 'bootstrap')),
  planner_id text not null,
  planner_name text not null,
  -- The credential that planned, which alone confirms: a token, a session, or the bootstrap token
  token_id uuid,
  session_id uuid,
  -- The person who approved or refused
  decider_kind text check (decider_kind in ('user', 'service_account', 'bootstrap')),
  decider_id text,
  decider_name text,
  refusal text check (char_length(refusal) <= 500),
  replaced_by uuid,
  -- What the write stored, known in its own transaction
  resources jsonb check (jsonb_typeof(resources) = 'array'),
  -- What the route answered, sealed; null while or where nobody was told
  outcome bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint plans_expire_later check (expires_at > created_at),
  constraint plans_end_once check ((ended_at is null) = (status in ('waiting', 'waiting_for_person'))),
  constraint plans_one_credential check (token_id is null or session_id is null),
  constraint plans_decider_whole check ((decider_kind is null) = (decider_id is null) and (decider_id is null) = (decider_name is null)),
  constraint plans_outcome_of_confirmed check (status = 'confirmed' or (outcome is null and resources is null))
);
create index plans_of_planner on plans (planner_kind, planner_id, id desc);
-- Those that an account has open are counted with each new one
create index plans_open on plans (planner_kind, planner_id, expires_at) where status in ('waiting', 'waiting_for_person');
-- Few wait at a time, whatever the number of plans
create index plans_for_persons on plans (permission, team_path, id desc) where status = 'waiting_for_person';
create index plans_by_age on plans (created_at);

-- A write is found by its plan, in its own transaction and for good.
create index audit_records_by_plan on audit_records ((after ->> 'plan_id'), id) where after ->> 'plan_id' is not null;

create function tell_plan() returns trigger language plpgsql as $$
begin
  perform pg_notify('plan_changed', case tg_op when 'INSERT' then 'created' else 'changed' end || ' ' || new.id || ' ' || new.id);
  return null;
end
$$;
create trigger plans_tell after insert or update of status, outcome on plans
  for each row execute function tell_plan();
