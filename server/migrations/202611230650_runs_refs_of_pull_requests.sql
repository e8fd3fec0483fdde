-- The two branches of the pull request that a run is of, by their bare names: what it wants to enter, and where its
-- commits lie. The list of runs, conditions and tasks show them.
alter table runs add column base_ref text;
alter table runs add column head_ref text;
alter table runs add constraint runs_refs_of_pull_request check (
  pull_request is not null or (base_ref is null and head_ref is null)
);
