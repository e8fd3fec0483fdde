-- Versioned documents such as setting/system/mail.yaml; every save is a version.
create table settings (
  path text collate "C" not null check (path ~ '^setting/[a-z0-9_/-]+\.yaml$'),
  version integer not null check (version > 0),
  document jsonb not null,
  -- Sealed values of the document's secret fields, by field path
  sealed jsonb not null,
  saved_by text not null,
  saved_at timestamptz not null,
  primary key (path, version)
);
