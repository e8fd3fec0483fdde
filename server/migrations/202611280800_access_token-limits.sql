-- What a token may do at most of what its owner may; null, or false, limits nothing. Limits are those of the token's birth:
-- they never change, so the revision of access does not follow them.
alter table tokens
  add column permissions text[] constraint tokens_permissions_named
    check (cardinality(permissions) > 0 and array_position(permissions, null) is null),
  add column team_path text collate "C" constraint tokens_team_path_form
    check (team_path ~ '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,7}$'),
  add column read_only boolean not null default false,
  add column families text[] constraint tokens_families_named
    check (cardinality(families) > 0 and array_position(families, null) is null);
