-- What a new run means for others, decided where it is queued: within a transaction whose statements are sent at once.
-- Order of locks: first those of the groups and pull requests, sorted, then rows. Dispatchers lock rows only.
-- telling: Facts.telling of run.finished.

create function lock_run_group(team text, name text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('runs of group ' || team || ' ' || name, 0));
end $$;

-- Whoever decides about these runs' groups and pull requests waits for the end of this transaction.
create function lock_run_groups(given uuid[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(name, 0) as key
    from runs cross join lateral (values
      (case when concurrency_group is not null then 'runs of group ' || team_path || ' ' || concurrency_group end),
      (case when pull_request is not null then 'runs of pull request ' || repository || ' ' || pull_request end)
    ) as names(name)
    where runs.id = any (given) and name is not null
    order by key) as keys;
end $$;

-- Whether the commit of a run is known to be newer than that of another; null: that cannot be told. What lies before
-- a commit says more than a clock; where each lies before the other (a branch that was set back) the clock decides.
create function is_newer_run(run runs, other runs) returns boolean language sql immutable as $$
  select case
    when follows and not precedes then true
    when precedes and not follows then false
    when run.occurred_at > other.occurred_at then true
    when run.occurred_at < other.occurred_at then false
  end
  from (select coalesce(other.commit_sha = any (run.ancestors), false) as follows,
    coalesce(run.commit_sha = any (other.ancestors), false) as precedes) as known
$$;

create function to_wire_time(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- A run that nobody has begun ends at once. Its fact is told as facts.ts tells it. False: somebody has begun it.
create function end_queued_run(run_id uuid, why text, at timestamptz, telling jsonb) returns boolean
language plpgsql as $$
declare
  run runs;
begin
  update runs set status = 'canceled', reason = why, cancel_requested_at = at, cancel_reason = why, finished_at = at,
    revision = revision + 1
    where id = run_id and status = 'queued' returning * into run;
  if not found then return false; end if;
  perform tell_fact(telling, jsonb_build_object(
    'run_id', run.id, 'status', run.status, 'reason', run.reason, 'pipeline_id', run.pipeline_id,
    'pipeline', run.pipeline_identifier, 'team_path', run.team_path, 'scope', run.scope, 'cause', run.cause,
    'queued_at', to_wire_time(run.queued_at), 'started_at', null, 'finished_at', to_wire_time(at)), at);
  perform pg_notify('run_changed', run.id::text);
  if run.concurrency_group is not null then perform pg_notify('runs_group_left', ''); end if;
  return true;
end $$;

-- As a person cancels: a queued run ends at once, one in hand is ended by a dispatcher. True: it has ended.
create function cancel_run(run_id uuid, why text, at timestamptz, telling jsonb) returns boolean
language plpgsql as $$
begin
  if end_queued_run(run_id, why, at, telling) then return true; end if;
  update runs set cancel_requested_at = at, cancel_reason = why
    where id = run_id and status in ('running', 'paused') and cancel_requested_at is null;
  if found then perform pg_notify('runs_cancel', run_id::text); end if;
  return false;
end $$;

-- Decides about queued runs, in their order: which others they end, whether they wait for their turn, or end at once.
-- arrived: they were just queued; false: a member approved them, and only now they enter their groups.
-- Answers the runs that it ended.
create function settle_runs(given uuid[], arrived boolean, at timestamptz, telling jsonb)
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

    -- Nobody needs to approve a commit that is no longer the newest of its pull request.
    if arrived and run.pull_request is not null then
      for other in select * from runs
        where repository = run.repository and pull_request = run.pull_request and finished_at is null
          and withheld = 'fork_approval' and clone_url is not distinct from run.clone_url
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
        if other.commit_sha = run.commit_sha or is_newer_run(run, other) then
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

-- Lets the next run of a group begin where none is before it. False: there is none, or it is not its turn.
create function release_run_group(team text, name text) returns boolean language plpgsql as $$
declare
  next uuid;
  released text;
begin
  perform lock_run_group(team, name);
  if exists (select from runs where team_path = team and concurrency_group = name and finished_at is null
    and withheld is null) then return false; end if;
  loop
    select id into next from runs where team_path = team and concurrency_group = name and finished_at is null
      and withheld = 'group' order by id limit 1;
    if not found then return false; end if;
    -- It may have been canceled meanwhile: then it is the turn of the one behind it.
    update runs set withheld = null where id = next and finished_at is null and withheld = 'group'
      returning lane into released;
    if found then
      perform pg_notify('runs_queued', released);
      perform pg_notify('run_changed', next::text);
      return true;
    end if;
  end loop;
end $$;

-- Cancels the unfinished runs of triggers for pull requests. wanted: [{"trigger_id", "manifest_trigger", "repository",
-- "pull_request", "reason"}]; manifest_trigger counts where trigger_id is null. Answers the runs that it ended.
create function cancel_runs_of_pull_requests(wanted jsonb, at timestamptz, telling jsonb)
returns table (run_id uuid, run_cause text) language plpgsql as $$
declare
  run record;
begin
  for run in select runs.id, runs.cause, asked.reason
    from jsonb_to_recordset(wanted) as asked(
      trigger_id uuid, manifest_trigger text, repository text, pull_request bigint, reason text)
    join runs on runs.repository = asked.repository and runs.pull_request = asked.pull_request
      and runs.finished_at is null and runs.cancel_requested_at is null
      and case when asked.trigger_id is null
        then runs.trigger_id is null and runs.manifest_trigger = asked.manifest_trigger
        else runs.trigger_id = asked.trigger_id end
    order by runs.id for update of runs
  loop
    run_id := run.id;
    run_cause := run.cause;
    if cancel_run(run.id, run.reason, at, telling) then return next; end if;
  end loop;
end $$;
