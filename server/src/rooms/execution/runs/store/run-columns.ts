import type { Selectable } from 'kysely'
import type { DB } from '#platform/database'

/** The columns that a list of runs shows. */
export const SUMMARY = [
  'id',
  'pipeline_id',
  'pipeline_identifier',
  'pipeline_name',
  'pipeline_version',
  'team_path',
  'scope',
  'status',
  'reason',
  'cause',
  'initiator_kind',
  'initiator_id',
  'initiator_name',
  'repository',
  'ref',
  'branch',
  'commit_sha',
  'rerun_of',
  'rerun_mode',
  'rerun_step',
  'parent_run_id',
  'priority',
  'replay_of',
  'pull_request',
  'base_ref',
  'head_ref',
  'untrusted',
  'withheld',
  'concurrency_group',
  'on_conflict',
  'queued_at',
  'started_at',
  'finished_at',
  'final_output_status',
] as const

export type SummaryRow = RunColumns<typeof SUMMARY>

/** The columns from which the progress of a run is computed. */
export const IN_FLIGHT = [
  ...SUMMARY,
  'scheduled_at',
  'run_team_path',
  'pipeline_version_id',
  'requirement',
  'lane',
  'profile_environment',
  'profiles',
  'image',
  'resources',
  'variables',
  'sealed_variables',
  'event_block_id',
  'event_offset',
  'event_bytes',
  'clone_url',
  'checkout_credential_ref',
  'parent_step',
  'parent_task',
  'parent_attempt',
  'depth',
  'revision',
  'cancel_requested_at',
  'cancel_reason',
  'ending',
  'lost_attempts',
  'paused_at',
  'deadline_at',
] as const

export type RunRow = RunColumns<typeof IN_FLIGHT>

/** The columns that the detail of a run shows. */
export const DETAIL = [
  ...IN_FLIGHT,
  'event_id',
  'trigger_id',
  'schedule_id',
  'external_trigger_id',
  'manifest_trigger',
  'delivery_record_id',
  'note',
  'queue_deadline_at',
  'final_output_reason',
] as const

export type DetailRow = RunColumns<typeof DETAIL>

export const STANDING = ['id', 'team_path', 'status', 'reason', 'queued_at', 'started_at', 'finished_at'] as const

export type RunStatusRow = RunColumns<typeof STANDING>

type RunColumns<Columns extends readonly (keyof DB['runs'])[]> = Readonly<Pick<Selectable<DB['runs']>, Columns[number]>>
