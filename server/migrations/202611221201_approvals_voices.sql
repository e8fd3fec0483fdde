-- Why a voice that was given does not count any more: who gave it was disabled since, or is not among the approvers.
alter table approval_decisions add column lapsed text;

-- Whom a request that waits asks, once for each path from its team up to '/': what waits for somebody is found by what
-- they are called and by the paths at which they see runs or have a role, as exact keys, newest first. Rows are there
-- while the request waits.
create table approval_approvers (
  approver text collate "C" not null,
  team_path text collate "C" not null,
  request_id uuid not null references approval_requests (id) on delete cascade,
  primary key (approver, team_path, request_id)
);
create index approval_approvers_by_request on approval_approvers (request_id);
insert into approval_approvers (approver, team_path, request_id)
  select distinct approver, above.path, request.id
  from approval_requests as request, unnest(request.approvers) as approver,
    lateral (
      select '/' union all
      select array_to_string(parts[1:depth], '/')
      from string_to_array(request.team_path, '/') as parts, generate_series(1, cardinality(parts)) as depth
    ) as above (path)
  where request.status = 'waiting';
-- Lists ask the table above; nothing else looks for what waits by team.
drop index approval_requests_waiting;
