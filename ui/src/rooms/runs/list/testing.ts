import type { RunRow } from '../run.ts'

const RUN: RunRow = {
  run_id: '0',
  status: 'running',
  pipeline_id: 'p',
  pipeline: 'a/b',
  pipeline_name: 'b',
  pipeline_version: 1,
  team_path: 'a',
  scope: 'a/x',
  cause: 'event',
  initiator: { kind: 'user', id: 'u', name: 'u' },
  untrusted: false,
  concurrency: null,
  priority: 0,
  reason: null,
  repository: null,
  ref: null,
  branch: null,
  tag: null,
  commit_sha: null,
  rerun_of: null,
  parent_run_id: null,
  replay_of: null,
  pull_request: null,
  base_ref: null,
  head_ref: null,
  hold: null,
  queued_at: '2026-11-23T00:00:00.000Z',
  started_at: null,
  finished_at: null,
  final_output_status: 'none',
}

/** A row of the list, for tests. */
export function aRunRow(id: string, status = 'running'): RunRow {
  return { ...RUN, run_id: id, status }
}
