alter table runs
  -- Its code comes from somebody who may not change the repository: it gets no secrets, and neither do its reruns.
  add column untrusted boolean not null default false,
  -- Why a queued run may not be begun yet. fork_approval: a member has to approve it; group: it waits for its turn
  add column withheld text check (withheld in ('fork_approval', 'group')),
  add column pull_request bigint check (pull_request > 0),
  -- Name of the entry in the repository's manifest that started it, which has no id
  add column manifest_trigger text,
  -- The delivery that was replayed
  add column replay_of uuid,
  -- Of runs of one team with this text, what a new one means for those that have not finished
  add column concurrency_group text collate "C",
  add column on_conflict text check (on_conflict in ('cancel_running', 'queue', 'skip')),
  -- Commits known to lie before commit_sha
  add column ancestors text[],
  -- When the provider says that its cause happened
  add column occurred_at timestamptz,
  -- What else became of it when it was queued, in one sentence
  add column note text,
  add constraint runs_group_is_whole check ((concurrency_group is null) = (on_conflict is null)),
  add constraint runs_held_is_of_pull_request check (withheld <> 'fork_approval' or pull_request is not null);

-- Withheld runs are in nobody's way.
drop index runs_queued;
create index runs_queued on runs (lane, id) where status = 'queued' and withheld is null;
create index runs_in_group on runs (team_path, concurrency_group, id)
  where concurrency_group is not null and finished_at is null;
create index runs_waiting_in_group on runs (team_path, concurrency_group, id)
  where withheld = 'group' and finished_at is null;
create index runs_of_pull_request on runs (repository, pull_request)
  where pull_request is not null and finished_at is null;
