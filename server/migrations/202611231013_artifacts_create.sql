-- Artifacts and caches. Their bytes lie in the object store, in parts; what is here says which parts make which archive.

-- An archive by its content, once for each team. Complete once every part is stored and the whole has the digest. Its size is
-- part of the key: whoever announces a digest with a wrong size does not stand in the way of the archive that has it.
create table blobs (
  id uuid primary key,
  team_path text collate "C" not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size >= 0),
  -- What the archive counts against until something refers to it, as whoever sends it says
  purpose text not null check (purpose in ('artifact', 'cache')),
  -- The attempt that alone announced it: when the archive turns out to be of no use the space is free at once. Null where
  -- another has announced the same, and may be about to use it
  announced_by uuid,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- When something first referred to it; what refers to it is counted from then on
  used_at timestamptz,
  -- Moved by whoever stores a part or means to use it: what nobody has touched for a day and nothing refers to goes
  touched_at timestamptz not null,
  constraint blobs_once unique (team_path, sha256, size)
);
create index blobs_by_touch on blobs (touched_at);
create index blobs_waiting on blobs (team_path, purpose) include (size) where used_at is null;

-- Parts are of one size, but the last. Each time a part is stored it is an object of its own: a late one replaces nothing.
create table blob_parts (
  blob_id uuid not null references blobs (id) on delete cascade,
  number integer not null check (number >= 0),
  size integer not null check (size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  object text collate "C" not null,
  primary key (blob_id, number)
);

-- Objects that no part names. A row is written before the object is stored, so that a process that dies on the way leaves
-- nothing behind for good, and again when its part is gone. Due: it is to be deleted. Taken: somebody is deleting it, and
-- nobody may name it any more.
create table loose_objects (
  object text collate "C" primary key,
  due_at timestamptz not null,
  taken_at timestamptz
);
create index loose_objects_by_due on loose_objects (due_at);

-- What tasks left behind.
create table artifacts (
  id uuid primary key,
  run_id uuid not null references runs (id) on delete cascade,
  attempt_id uuid not null,
  step text not null,
  task text not null,
  name text not null,
  team_path text collate "C" not null,
  blob_id uuid not null references blobs (id),
  files integer not null check (files >= 0),
  size bigint not null check (size >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint artifacts_once unique (attempt_id, name)
);
create index artifacts_of_run on artifacts (run_id, step, task, id);
create index artifacts_by_team on artifacts (team_path) include (size);
create index artifacts_by_expiry on artifacts (expires_at);
create index artifacts_by_blob on artifacts (blob_id);

-- `namespace` keeps runs of untrusted code apart: they find what trusted runs stored, and never the other way round.
create table cache_entries (
  id uuid primary key,
  team_path text collate "C" not null,
  namespace text collate "C" not null,
  key text collate "C" not null,
  blob_id uuid not null references blobs (id),
  size bigint not null check (size >= 0),
  created_at timestamptz not null,
  used_at timestamptz not null,
  constraint cache_entries_once unique (team_path, namespace, key)
);
create index cache_entries_by_use on cache_entries (team_path, used_at) include (size);
create index cache_entries_by_age on cache_entries (used_at);
create index cache_entries_by_blob on cache_entries (blob_id);

-- What a team, and those below it that have no row of their own, may keep each.
create table storage_quotas (
  team_path text collate "C" primary key,
  artifact_bytes bigint check (artifact_bytes >= 0),
  cache_bytes bigint check (cache_bytes >= 0),
  updated_at timestamptz not null
);
