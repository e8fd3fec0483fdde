import type { Statement } from '#platform/database'
import type { EventBlock } from './run-events.ts'

/** A row of `runs` as it is queued. */
export interface QueuedRow {
  readonly id: string
  readonly team_path: string
  readonly pipeline_id: string
  readonly pipeline_version_id: string
  readonly pipeline_identifier: string
  readonly pipeline_name: string
  readonly pipeline_version: number
  readonly scope: string
  readonly requirement: unknown
  readonly profile_environment: Readonly<Record<string, string>>
  readonly cause: string
  readonly event_id: string | null
  readonly trigger_id: string | null
  readonly delivery_record_id: string | null
  readonly rerun_of: string | null
  readonly initiator_kind: string
  readonly initiator_id: string
  readonly initiator_name: string
  readonly event_block_id: string | null
  readonly event_offset: number | null
  readonly event_bytes: number | null
  readonly variables: Readonly<Record<string, string>>
  readonly repository: string | null
  readonly clone_url: string | null
  readonly ref: string | null
  readonly branch: string | null
  readonly commit_sha: string | null
  readonly checkout_credential_ref: string | null
  readonly queued_at: Date
  // Left out of the document where a run has none of them: most have not.
  readonly untrusted?: boolean | undefined
  readonly withheld?: 'fork_approval' | undefined
  readonly pull_request?: number | undefined
  readonly base_ref?: string | undefined
  readonly head_ref?: string | undefined
  readonly manifest_trigger?: string | undefined
  readonly replay_of?: string | undefined
  readonly concurrency_group?: string | undefined
  readonly on_conflict?: string | undefined
  readonly ancestors?: readonly string[] | undefined
  readonly occurred_at?: string | undefined
  readonly note?: string | undefined
  readonly sealed_variables?: unknown
  readonly priority?: number | undefined
  readonly queue_timeout_ms?: number | undefined
  readonly parent_run_id?: string | undefined
  readonly parent_step?: string | undefined
  readonly parent_task?: string | undefined
  readonly parent_attempt?: number | undefined
  readonly depth?: number | undefined
  readonly rerun_mode?: string | undefined
  readonly rerun_step?: string | undefined
  readonly profiles?: unknown
  readonly image?: string | undefined
  readonly resources?: unknown
}

/**
 * All rows in one statement, and word of them to every dispatcher once the transaction commits: hundreds of runs of one
 * group of deliveries cost one round trip. The document is text, so that its size is bounded by memory alone.
 */
export function insertQueued(rows: readonly QueuedRow[], blocks: readonly EventBlock[]): Statement {
  let end = 0
  const placed = blocks.map(({ id, eventsZstd }) => {
    end += eventsZstd.length
    return { id, first_byte: end - eventsZstd.length + 1, bytes: eventsZstd.length }
  })
  const bytes = Buffer.concat(
    blocks.map((block) => block.eventsZstd),
    end,
  )
  return { text: INSERT_QUEUED, values: [JSON.stringify(rows), JSON.stringify(placed), bytes] }
}

const INSERT_QUEUED = `
  with given as (
    select * from json_to_recordset($1::json) as given(
      id uuid, team_path text, pipeline_id uuid, pipeline_version_id uuid, pipeline_identifier text,
      pipeline_name text, pipeline_version integer, scope text, requirement jsonb, profile_environment jsonb,
      cause text, event_id uuid, trigger_id uuid, delivery_record_id uuid, rerun_of uuid, initiator_kind text,
      initiator_id text, initiator_name text, event_block_id uuid, event_offset integer,
      event_bytes integer, variables jsonb, repository text, clone_url text,
      ref text, branch text, commit_sha text, checkout_credential_ref text, queued_at timestamptz,
      untrusted boolean, withheld text, pull_request bigint, base_ref text, head_ref text, manifest_trigger text, replay_of uuid,
      concurrency_group text, on_conflict text, ancestors text[], occurred_at timestamptz, priority smallint,
      queue_timeout_ms bigint, parent_run_id uuid, parent_step text, parent_task text, parent_attempt integer,
      depth smallint, rerun_mode text, rerun_step text, profiles jsonb, image text, resources jsonb,
      note text, sealed_variables jsonb)
  ), blocks as (
    insert into run_event_blocks (id, events_zstd)
    select id, substring($3::bytea from first_byte for bytes)
    from json_to_recordset($2::json) as block(id uuid, first_byte integer, bytes integer)
  ), queued as (
    insert into runs (id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
      pipeline_version, scope, requirement, profile_environment, status, cause, event_id, trigger_id,
      delivery_record_id, rerun_of, initiator_kind, initiator_id, initiator_name, event_block_id, event_offset,
      event_bytes, variables, repository, clone_url, ref, branch, commit_sha, checkout_credential_ref, queued_at,
      untrusted, withheld, pull_request, base_ref, head_ref, manifest_trigger, replay_of, concurrency_group, on_conflict, ancestors,
      occurred_at, priority, queue_timeout_ms, queue_deadline_at, parent_run_id, parent_step, parent_task,
      parent_attempt, depth, rerun_mode, rerun_step, profiles, image, resources, note, sealed_variables)
    select id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
      pipeline_version, scope, requirement, profile_environment, 'queued', cause, event_id, trigger_id,
      delivery_record_id, rerun_of, initiator_kind, initiator_id, initiator_name, event_block_id, event_offset,
      event_bytes, variables, repository, clone_url, ref, branch, commit_sha, checkout_credential_ref, queued_at,
      coalesce(untrusted, false), withheld, pull_request, base_ref, head_ref, manifest_trigger, replay_of,
      concurrency_group, on_conflict, ancestors, occurred_at, coalesce(priority, 0), queue_timeout_ms,
      queued_at + queue_timeout_ms * interval '1 millisecond', parent_run_id, parent_step, parent_task, parent_attempt,
      coalesce(depth, 0), rerun_mode, rerun_step, coalesce(profiles, '{}'), image, coalesce(resources, '{}'),
      note, coalesce(sealed_variables, '{}')
    from given
    returning lane, withheld
  )
  select pg_notify('runs_queued', lane) from (select distinct lane from queued where withheld is null) as lanes`
