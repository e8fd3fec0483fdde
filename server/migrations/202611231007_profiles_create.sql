-- Where tasks run: host or image, labels a runner must have, environment.
create table profiles (
  id uuid primary key,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  executor text not null check (executor in ('host', 'container')),
  image text,
  labels text[] not null,
  environment jsonb not null,
  resources jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint profiles_name_taken unique (team_path, name),
  constraint profiles_image_where_container check ((executor = 'container') = (image is not null))
);
create index profiles_by_team on profiles (team_path, id);

-- What a profile asks of a runner is held in memory by whoever queues runs.
create function notify_profiles_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('profiles_changed', '');
  return null;
end $$;
create trigger profiles_notify after insert or update or delete on profiles
  for each statement execute function notify_profiles_changed();
