import type { Principal } from '@signalbox/contracts/http'
import type { Graph } from '@signalbox/pipeline/graph'
import type { Json, RunContext, RunState } from '@signalbox/pipeline/status'
import type { PinnedProfile } from '#rooms/catalog/pipelines'
import type { Requirement } from '#rooms/catalog/profiles'
import { factsOfRow } from './run-facts.ts'
import { readProfiles, readRequirement, readResources, readTexts } from './stored-json.ts'
import type { RunRow } from './stored-rows.ts'

/** Where the workspace of a task comes from; null: it starts empty. */
export interface RunCheckout {
  readonly cloneUrl: string
  readonly ref: string
  readonly commitSha: string
  readonly credentialRef: string | null
}

/** The attempt whose end is the end of the run. */
export interface ParentAttempt {
  readonly runId: string
  readonly step: string
  readonly task: string
  readonly attempt: number
}

/** What a run repeats of another one: everything, what did not succeed, or a step and what follows it. */
export interface Repetition {
  readonly of: string
  readonly mode: 'whole' | 'failed' | 'step'
  readonly step: string | null
}

/** A run as the dispatcher moves it. `state` is undefined while the run is queued. */
export interface RunInFlight {
  readonly id: string
  readonly teamPath: string
  readonly pipelineId: string
  readonly pipelineIdentifier: string
  readonly pipelineVersionId: string
  readonly scope: string
  readonly requirement: Requirement
  readonly lane: string
  readonly priority: number
  readonly profileEnvironment: Readonly<Record<string, string>>
  readonly image: string | null
  readonly resources: PinnedProfile['resources']
  /** Of its steps and tasks, by the name in the document. */
  readonly profiles: Readonly<Record<string, PinnedProfile>>
  readonly cause: string
  readonly initiator: Principal
  readonly context: RunContext
  /** Variables that conditions and people do not see. */
  readonly secretVariables: Readonly<Record<string, string>>
  readonly repository: string | null
  readonly branch: string | null
  readonly pullRequest: number | null
  readonly commitSha: string | null
  readonly checkout: RunCheckout | null
  readonly cancelReason: string | null
  /** Its code comes from somebody who may not change the repository: it gets no secrets and no protected scope. */
  readonly untrusted: boolean
  /** Another run may wait for its end. */
  readonly inGroup: boolean
  readonly parent: ParentAttempt | null
  /** How many runs are above it. */
  readonly depth: number
  readonly repetition: Repetition | null
  readonly queuedAt: Date
  readonly startedAt: Date | null
  readonly deadlineAt: Date | null
  readonly pausedAt: Date | null
  /** Raised by each save; a save computed from an older one is refused. */
  readonly revision: number
  readonly graph: Graph
  readonly state: RunState | undefined
}

export interface RunParts {
  readonly event: Json
  readonly graph: Graph
  readonly state: RunState | undefined
  readonly secretVariables: Readonly<Record<string, string>>
}

export function runInFlight(row: RunRow, { event, graph, state, secretVariables }: RunParts): RunInFlight {
  return {
    id: row.id,
    teamPath: row.team_path,
    pipelineId: row.pipeline_id,
    pipelineIdentifier: row.pipeline_identifier,
    pipelineVersionId: row.pipeline_version_id,
    scope: row.scope,
    requirement: readRequirement(row.requirement),
    lane: row.lane,
    priority: row.priority,
    profileEnvironment: readTexts(row.profile_environment),
    image: row.image,
    resources: readResources(row.resources),
    profiles: readProfiles(row.profiles),
    cause: row.cause,
    initiator: { kind: readInitiatorKind(row.initiator_kind), id: row.initiator_id, name: row.initiator_name },
    context: { run: factsOfRow(row), event, variables: readTexts(row.variables) },
    secretVariables,
    repository: row.repository,
    branch: row.branch,
    pullRequest: row.pull_request,
    commitSha: row.commit_sha,
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
    parent: readParent(row),
    depth: row.depth,
    repetition: readRepetition(row),
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    deadlineAt: row.deadline_at,
    pausedAt: row.paused_at,
    revision: row.revision,
    graph,
    state,
  }
}

function readInitiatorKind(kind: string): Principal['kind'] {
  return kind === 'user' || kind === 'service_account' || kind === 'bootstrap' ? kind : 'system'
}

function readParent(row: RunRow): ParentAttempt | null {
  const { parent_run_id: runId, parent_step: step, parent_task: task, parent_attempt: attempt } = row
  return runId === null || step === null || task === null || attempt === null ? null : { runId, step, task, attempt }
}

function readRepetition({ rerun_of, rerun_mode, rerun_step }: RunRow): Repetition | null {
  if (rerun_of === null) return null
  const mode = rerun_mode === 'failed' || rerun_mode === 'step' ? rerun_mode : 'whole'
  return { of: rerun_of, mode, step: rerun_step }
}
