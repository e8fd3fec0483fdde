import type { Graph } from '@signalbox/pipeline/graph'
import type { Json, RunContext, RunState } from '@signalbox/pipeline/status'
import type { Requirement } from '#rooms/catalog/profiles'
import { readRequirement, readTexts } from './stored-json.ts'
import type { RunRow } from './stored-rows.ts'

export interface Initiator {
  readonly kind: 'user' | 'service_account' | 'bootstrap' | 'system'
  readonly id: string
  readonly name: string
}

/** Where the workspace of a task comes from; null: it starts empty. */
export interface RunCheckout {
  readonly cloneUrl: string
  readonly ref: string
  readonly commitSha: string
  readonly credentialRef: string | null
}

/** A run as the dispatcher moves it. `state` is undefined while the run is queued. */
export interface RunInFlight {
  readonly id: string
  readonly teamPath: string
  readonly pipelineId: string
  readonly pipelineIdentifier: string
  readonly scope: string
  readonly requirement: Requirement
  readonly lane: string
  readonly profileEnvironment: Readonly<Record<string, string>>
  readonly cause: string
  readonly initiator: Initiator
  readonly context: RunContext
  readonly checkout: RunCheckout | null
  readonly cancelReason: string | null
  /** Its code comes from somebody who may not change the repository: it gets no secrets and no protected scope. */
  readonly untrusted: boolean
  /** Another run may wait for its end. */
  readonly inGroup: boolean
  readonly queuedAt: Date
  readonly startedAt: Date | null
  readonly deadlineAt: Date | null
  /** Raised by each save; a save computed from an older one is refused. */
  readonly revision: number
  readonly graph: Graph
  readonly state: RunState | undefined
}

export function runInFlight(row: RunRow, event: Json, graph: Graph, state: RunState | undefined): RunInFlight {
  return {
    id: row.id,
    teamPath: row.team_path,
    pipelineId: row.pipeline_id,
    pipelineIdentifier: row.pipeline_identifier,
    scope: row.scope,
    requirement: readRequirement(row.requirement),
    lane: row.lane,
    profileEnvironment: readTexts(row.profile_environment),
    cause: row.cause,
    initiator: { kind: readInitiatorKind(row.initiator_kind), id: row.initiator_id, name: row.initiator_name },
    context: { event, variables: readTexts(row.variables) },
    checkout:
      row.clone_url === null
        ? null
        : {
            cloneUrl: row.clone_url,
            ref: row.ref ?? '',
            commitSha: row.commit_sha ?? '',
            credentialRef: row.checkout_credential_ref,
          },
    cancelReason: row.cancel_requested_at === null ? null : (row.cancel_reason ?? 'canceled'),
    untrusted: row.untrusted,
    inGroup: row.concurrency_group !== null,
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    deadlineAt: row.deadline_at,
    revision: row.revision,
    graph,
    state,
  }
}

function readInitiatorKind(kind: string): Initiator['kind'] {
  return kind === 'user' || kind === 'service_account' || kind === 'bootstrap' ? kind : 'system'
}
