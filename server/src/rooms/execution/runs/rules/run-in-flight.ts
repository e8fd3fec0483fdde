import type { Principal } from '@signalbox/contracts/http'
import type { Graph } from '@signalbox/pipeline/graph'
import type { RunContext, RunState } from '@signalbox/pipeline/status'
import type { PinnedProfile } from '#rooms/catalog/pipelines'
import type { Requirement } from '#rooms/catalog/profiles'

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

/** The part of another run that a run repeats: all tasks, those that did not succeed, or a step and all that follow it. */
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
  /** Team that hears of it; null: its own. */
  readonly runTeamPath: string | null
  readonly pullRequest: number | null
  readonly commitSha: string | null
  readonly checkout: RunCheckout | null
  readonly cancelReason: string | null
  /** The author of the code may not change the repository: the run gets no secrets and no protected scope. */
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
