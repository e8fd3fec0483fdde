/**
 * Rows for the tables that a world of the API leaves empty, made of the rows that it has. Each is complete, as its room
 * writes it.
 */
export const FILL: readonly string[] = [
  `insert into approval_requests (id, run_id, step, team_path, pipeline_identifier, scope, initiator_kind, initiator_id,
      initiator_name, pipeline_version_id, approvers, required, allow_self, fields, status, requested_at, deadline_at,
      decided_at, applied_at)
    select uuidv7(), id, 'ask', team_path, pipeline_identifier, scope, initiator_kind, initiator_id, initiator_name,
      pipeline_version_id, array['role:owner'], 1, false, '[]', 'approved', queued_at, queued_at + interval '1 day',
      queued_at, queued_at
    from runs where finished_at is not null order by id limit 1`,
  `insert into approval_approvers (approver, team_path, request_id)
    select 'role:owner', team_path, id from approval_requests`,
  `insert into approval_decisions (request_id, subject_kind, subject_id, subject_name, decision, fields, decided_at)
    select approval_requests.id, 'user', users.id::text, users.name, 'approve', '{}', decided_at
    from approval_requests, users order by users.id limit 1`,
  `insert into run_approvals (run_id, name, decision, subject_kind, subject_id, subject_name, decided_at)
    select id, 'fork', 'approve', initiator_kind, initiator_id, initiator_name, queued_at
    from runs where finished_at is not null order by id limit 1`,
  `insert into cache_entries (id, team_path, namespace, key, blob_id, size, created_at, used_at)
    select uuidv7(), team_path, 'trusted', 'npm', id, size, created_at, created_at from blobs order by id limit 1`,
  `insert into loose_objects (object, due_at) values ('blobs/none', '2999-01-01T00:00:00Z')`,
  `insert into storage_quotas (team_path, artifact_bytes, cache_bytes, updated_at)
    select path, 1000000, 1000000, created_at from teams order by path limit 1`,
  `insert into log_scrubs (id, run_id, requested_at, rewritten_at)
    select uuidv7(), id, finished_at, finished_at from runs where finished_at is not null order by id limit 1`,
  `insert into step_workspaces (runner_id, run_id, step)
    select runner_id, run_id, step from attempts where runner_id is not null order by id limit 1`,
  `insert into overrides (id, repo_owner, repo_name, team_path, pipeline, scope, owner_kind, owner_id, owner_name,
      created_at, updated_at)
    select uuidv7(), 'acme', 'shop', team_path, pipeline, scope, owner_kind, owner_id, owner_name, created_at, updated_at
    from triggers order by id limit 1`,
  `insert into pipeline_profiles (pipeline_id, name, profile_id)
    select pipelines.id, profiles.name, profiles.id from pipelines, profiles order by 1, 2 limit 1`,
  `insert into commit_statuses (source_id, repository, commit_sha, context, run_id, told)
    select webhook_sources.id, 'acme/shop', repeat('2', 40), 'signalbox/build', runs.id, 'success: Done.'
    from webhook_sources, runs where finished_at is not null order by 1, 5 limit 1`,
  `insert into source_connections (source_id, repository_key, repository, hook_id, connected_at, checked_at, differences)
    select id, 'acme/shop', 'acme/shop', '4711', created_at, created_at, '{}' from webhook_sources order by id limit 1`,
  `insert into pull_request_heads (source_id, repository, number, head_sha, ref, pull_request, received_at)
    select id, 'acme/shop', 7, repeat('7', 40), 'refs/pull/7/head', '{"number": 7}', created_at
    from webhook_sources order by id limit 1`,
  `insert into repository_manifests (repository, blob_id, text, used_at)
    values ('acme/shop', repeat('b', 40), 'triggers: []', now())`,
  `insert into posted_events (caller_kind, caller_id, delivery_id, event_id, answer, posted_at)
    select 'user', users.id::text, 'posted-1', trigger_events.id, '{"status": "ignored"}', received_at
    from trigger_events, users order by trigger_events.id, users.id limit 1`,
  `insert into settings (path, version, document, sealed, saved_by, saved_at)
    values ('setting/system/example.yaml', 1, '{}', '{}', 'tests', now())`,
  `insert into idempotency_keys (caller_id, route, key, request_sha256, status, headers, body, held, created_at)
    values ('user', 'POST /v1/teams', 'key-1', sha256('x'), 201, '{}', '{}', '["team.write", "/"]', now())`,
]
