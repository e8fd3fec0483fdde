/** What the progress of a run is computed from. */
export interface RunRow {
  readonly id: string
  readonly team_path: string
  readonly pipeline_id: string
  readonly pipeline_version_id: string
  readonly pipeline_identifier: string
  readonly pipeline_name: string
  readonly scope: string
  readonly requirement: unknown
  readonly lane: string
  readonly profile_environment: unknown
  readonly status: string
  readonly reason: string | null
  readonly revision: number
  readonly cause: string
  readonly initiator_kind: string
  readonly initiator_id: string
  readonly initiator_name: string
  readonly event_block_id: string | null
  readonly event_offset: number | null
  readonly event_bytes: number | null
  readonly variables: unknown
  readonly repository: string | null
  readonly clone_url: string | null
  readonly ref: string | null
  readonly branch: string | null
  readonly commit_sha: string | null
  readonly pull_request: number | null
  readonly base_ref: string | null
  readonly head_ref: string | null
  readonly checkout_credential_ref: string | null
  readonly cancel_requested_at: Date | null
  readonly cancel_reason: string | null
  readonly ending: unknown
  readonly untrusted: boolean
  readonly concurrency_group: string | null
  readonly priority: number
  readonly parent_run_id: string | null
  readonly parent_step: string | null
  readonly parent_task: string | null
  readonly parent_attempt: number | null
  readonly depth: number
  readonly rerun_of: string | null
  readonly rerun_mode: string | null
  readonly rerun_step: string | null
  readonly profiles: unknown
  readonly image: string | null
  readonly resources: unknown
  readonly lost_attempts: number
  readonly sealed_variables: unknown
  readonly pipeline_version: number
  readonly paused_at: Date | null
  readonly queued_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly deadline_at: Date | null
}

export interface StepRow {
  readonly run_id: string
  readonly step: string
  readonly position: number
  readonly status: string
  readonly reason: string | null
  readonly blocks: boolean
  readonly timed_out: string | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly deadline_at: Date | null
}

export interface TaskRow {
  readonly run_id: string
  readonly step: string
  readonly task: string
  readonly position: number
  readonly status: string
  readonly reason: string | null
  readonly blocks: boolean
  readonly attempt: number
  readonly exit_code: number | null
  readonly outputs: unknown
  readonly losses_before: number
  readonly handed_back: number
  readonly retry_at: Date | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

/** The new state of one run; `revision` is the one it was computed from. */
export interface RunSave {
  readonly id: string
  readonly revision: number
  readonly status: string
  readonly reason: string | null
  readonly ending: unknown
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly deadline_at: Date | null
  readonly paused_at: Date | null
  readonly lost_attempts: number
  readonly final_output_status: 'none' | 'pending'
}

/** A revision of blocking knowledge that held when something began; no step: the run as a whole. */
export interface PinRow {
  readonly run_id: string
  readonly step: string | null
  readonly task: string | null
  readonly revision_id: string
}
