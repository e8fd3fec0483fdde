import { sql } from 'kysely'

/** Of RunRow. */
export const RUN_COLUMNS = sql.raw(
  `id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name, scope, requirement, lane,
  profile_environment, status, reason, revision, cause, initiator_kind, initiator_id, initiator_name, event_block_id,
  event_offset, event_bytes, variables, repository, clone_url, ref, branch, commit_sha, pull_request, base_ref, head_ref, checkout_credential_ref, cancel_requested_at, cancel_reason, ending,
  untrusted, concurrency_group, priority, parent_run_id, parent_step, parent_task, parent_attempt, depth, rerun_of,
  rerun_mode, rerun_step, profiles, image, resources, lost_attempts, sealed_variables, pipeline_version, paused_at, queued_at, started_at, finished_at, deadline_at`,
)
