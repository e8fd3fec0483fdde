-- Of runs that no event started it could never be told which is newer, so that cancel_running ended none of them.

-- Whether somebody, or some program, asked for the run in the moment in which it was queued. Nobody asked for runs of tasks:
-- several of one run would end each other.
create function is_asked_for(run runs) returns boolean language sql immutable as $$
  select run.event_id is null and run.cause in ('request', 'rerun', 'schedule', 'external')
$$;

-- Whether a run is of a newer head than another; null where that cannot be told. What lies before a commit outweighs the
-- times of events. An event is newer than what was asked for before it happened.
create or replace function is_newer_run(run runs, other runs) returns boolean language sql immutable as $$
  select case
    when follows and not precedes then true
    when precedes and not follows then false
    when run.occurred_at > coalesce(other.occurred_at, case when is_asked_for(other) then other.queued_at end) then true
    when run.occurred_at < other.occurred_at then false
  end
  from (select coalesce(other.commit_sha = any (run.ancestors), false) as follows,
    coalesce(run.commit_sha = any (other.ancestors), false) as precedes) as known
$$;

-- As before, but what was asked for takes the place of all that is not known to be newer.

-- Decides about queued runs, in their order: which others they end, whether they wait for their turn, or end at once.
-- arrived: they were just queued; false: a member approved them, and only now they enter their groups.
-- Answers the runs that it ended.
create or replace function settle_runs(given uuid[], arrived boolean, at timestamptz, telling jsonb)
returns table (run_id uuid, run_cause text) language plpgsql as $$
declare
  run runs;
  other runs;
  untold integer;
  kept uuid;
begin
  perform lock_run_groups(given);
  <<settling>>
  for place in 1 .. cardinality(given) loop
    select * into run from runs where id = given[place] and status = 'queued';
    continue when not found;

    -- Nobody needs to approve a commit that is no longer the newest of its pull request. What another team's source tells of
    -- it does not count.
    if arrived and run.pull_request is not null then
      for other in select * from runs
        where repository = run.repository and pull_request = run.pull_request and finished_at is null
          and withheld = 'fork_approval' and clone_url is not distinct from run.clone_url
          and team_path = run.team_path
          and commit_sha <> run.commit_sha and id <> all (given[place:])
        order by id for update
      loop
        run_id := case when is_newer_run(other, run) is not true then other.id
          when run.withheld = 'fork_approval' then run.id end;
        run_cause := case when run_id = run.id then run.cause else other.cause end;
        if end_queued_run(run_id, 'A newer commit of the pull request arrived.', at, telling) then return next; end if;
        continue settling when run_id = run.id;
      end loop;
    end if;

    -- Until it is approved it stands outside its group: a stranger's run ends and delays nobody's.
    continue when run.concurrency_group is null or run.withheld = 'fork_approval';

    if run.on_conflict = 'queue' then
      update runs set withheld = 'group' where id = run.id and exists (
        select from runs as before where before.team_path = run.team_path
          and before.concurrency_group = run.concurrency_group and before.finished_at is null
          and before.withheld is distinct from 'fork_approval' and before.id <> all (given[place:]));
      -- The last one before it may be finishing just now.
      if found then perform pg_notify('runs_group_left', ''); end if;

    elsif run.on_conflict = 'skip' then
      select * into other from runs
        where team_path = run.team_path and concurrency_group = run.concurrency_group and finished_at is null
          and withheld is distinct from 'fork_approval' and id <> all (given[place:])
        order by id limit 1;
      continue when not found;
      run_id := run.id;
      run_cause := run.cause;
      if end_queued_run(run_id, format('Skipped: run %s of the group %s has not finished.', other.id,
        run.concurrency_group), at, telling) then return next; end if;

    else
      select * into other from runs
        where team_path = run.team_path and concurrency_group = run.concurrency_group and finished_at is null
          and cancel_requested_at is null and withheld is distinct from 'fork_approval'
          and commit_sha is distinct from run.commit_sha and id <> all (given[place:])
          and is_newer_run(runs, run)
        order by id limit 1;
      if found then
        run_id := run.id;
        run_cause := run.cause;
        if end_queued_run(run_id, 'A newer commit runs already.', at, telling) then return next; end if;
        continue;
      end if;
      untold := 0;
      for other in select * from runs
        where team_path = run.team_path and concurrency_group = run.concurrency_group and finished_at is null
          and cancel_requested_at is null and id <> all (given[place:])
          -- Runs of one event are no older and no newer than each other.
          and (event_id is null or event_id is distinct from run.event_id)
        order by id for update
      loop
        if other.commit_sha = run.commit_sha or is_newer_run(run, other) or is_asked_for(run) then
          run_id := other.id;
          run_cause := other.cause;
          if cancel_run(run_id, format('Run %s of the group %s took its place.', run.id, run.concurrency_group), at,
            telling) then return next; end if;
        elsif other.withheld is distinct from 'fork_approval' then
          untold := untold + 1;
          kept := other.id;
        end if;
      end loop;
      if untold > 0 then
        update runs set note = format('Run %s of the group %s goes on: whose commit is newer cannot be told.', kept,
          run.concurrency_group) where id = run.id;
      end if;
    end if;
  end loop;
end $$;
