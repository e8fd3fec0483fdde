-- The tree of teams: each team owns what lies at its path.
create table teams (
  id uuid primary key,
  -- acme/web/frontend: at most 8 levels; "C" so that a prefix is a range
  path text collate "C" not null,
  name text not null,
  parent_id uuid references teams (id) on delete restrict,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint teams_path_taken unique (path),
  constraint teams_path_form check (path ~ '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,7}$' and length(path) <= 500)
);
create index teams_by_parent on teams (parent_id);

-- A scope is <team path>/<environment>.
create table environments (
  id uuid primary key,
  team_id uuid not null references teams (id) on delete restrict,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  protected boolean not null,
  -- user:<id>, group:<id>, service_account:<id>; only read while protected
  allowed_subjects text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint environments_name_taken unique (team_id, name)
);
