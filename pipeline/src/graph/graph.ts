import type { PullPolicy, RegistryCredential } from '../images/index.ts'
import type { TaskAction } from '../tasks/task-action.ts'
import type { GraphLimits } from './container-limits.ts'
import type { ValueTemplate } from './values.ts'

/** `attempts` counts the first one; `backoffMs` is the wait before the second and doubles with each further one. */
export interface RetryPolicy {
  readonly attempts: number
  readonly backoffMs: number
  /** Only these exit codes are tried again; null: whatever ended the attempt. A lost attempt has none and is tried again. */
  readonly exitCodes: readonly number[] | null
}

export interface OutputDeclaration {
  readonly sensitive: boolean
}

/** The parts that every task has, whatever its kind. */
export interface GraphTaskCommon {
  readonly name: string
  readonly dependsOn: readonly string[]
  /** Names of the tasks of the same step that wait for this one. */
  readonly dependents: readonly string[]
  /** CEL condition, or null. */
  readonly condition: string | null
  readonly timeoutMs: number | null
  readonly ignoreFailure: boolean
  /** A lost attempt of an idempotent task is tried again even without `retry`. */
  readonly idempotent: boolean
  readonly retry: RetryPolicy
  readonly env: Readonly<Record<string, ValueTemplate>>
  readonly outputs: Readonly<Record<string, OutputDeclaration>>
  /** False: the task starts in an empty workspace. True: the usual options. */
  readonly checkout: boolean | GraphCheckout
  /** The profile of the task instead of its step's; null: as the step. */
  readonly profile: string | null
  /** The container it runs in; null: as its profile says. */
  readonly container: GraphContainer | null
  /** The values of the matrix that made this instance, by axis; null: it has no matrix. */
  readonly matrix: Readonly<Record<string, string>> | null
  /** The task's name in the document; differs from `name` in an instance of a matrix. */
  readonly template: string
  readonly artifacts: GraphArtifacts | null
  /** Earlier tasks whose artifacts lie in the workspace when it starts; of one with a matrix each instance that is meant. */
  readonly needsArtifacts: readonly TaskReference[]
  readonly cache: GraphCache | null
}

/** The parts of a repository that are fetched and written. */
export interface GraphCheckout {
  /** Commits of history; 0 for all of it. */
  readonly depth: number
  readonly tags: boolean
  readonly submodules: 'none' | 'direct' | 'recursive'
  readonly lfs: boolean
  /** Empty: all folders. */
  readonly sparse: readonly string[]
  readonly merge: boolean
}

/** Names one task of the graph: of one with a matrix, one instance. */
export interface TaskReference {
  readonly step: string
  readonly task: string
}

/** The differences of a container from the profile's; null: as the profile has it. */
export interface GraphContainer {
  readonly image: string | null
  readonly user: string | null
  readonly network: 'default' | 'none' | 'host' | null
  readonly readOnly: boolean
  readonly limits: GraphLimits
  readonly registryCredentials: readonly RegistryCredential[]
  /** Null: as the runner has it. */
  readonly pullPolicy: PullPolicy | null
  readonly services: readonly GraphService[]
}

/** A container that runs beside a task and is reached under its name. */
export interface GraphService {
  readonly name: string
  readonly image: string
  readonly env: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly limits: GraphLimits
}

/** Files that are kept once the task is over. */
export interface GraphArtifacts {
  readonly name: string
  readonly paths: readonly string[]
  readonly when: 'success' | 'failure' | 'always'
  readonly retentionMs: number | null
}

/** Files that later runs find again. The key is `key`, and a digest of `files` where there are some. */
export interface GraphCache {
  readonly key: string
  readonly files: readonly string[]
  readonly paths: readonly string[]
  /** Prefixes of keys that serve when the whole key has no entry; the newest entry wins. */
  readonly fallback: readonly string[]
}

/** A person decides; no runner ever gets it. The approval is the only task of its step, named `approval`. */
export interface ApprovalAction {
  readonly kind: 'approval'
  readonly approval: GraphApproval
}

export type GraphTask = GraphTaskCommon & (TaskAction | ApprovalAction)

/** When a step starts: after success of its dependencies, after any end of them, or only after a failure. */
export type StepWhen = 'success' | 'always' | 'failure'

export interface GraphStep {
  readonly name: string
  readonly dependsOn: readonly string[]
  readonly dependents: readonly string[]
  readonly when: StepWhen
  readonly condition: string | null
  readonly timeoutMs: number | null
  readonly ignoreFailure: boolean
  /** Where its tasks run instead of in the run's scope. */
  readonly scope: string | null
  /** Null: as the pipeline. */
  readonly profile: string | null
  /** Present: its tasks share a workspace, one after the other, on one runner. */
  readonly sharedWorkspace?: true | undefined
  readonly tasks: readonly GraphTask[]
}

/** The deciders, and the time that they have. */
export interface GraphApproval {
  /** `user:<name>`, `service_account:<team path>/<name>`, `group:<name>`, or `role:<role>` at the pipeline's team. */
  readonly approvers: readonly string[]
  readonly required: number
  readonly timeoutMs: number
  /** A fact reminds of it after this time, once. */
  readonly reminderMs: number | null
  /** Whether the initiator of the run may decide. */
  readonly allowSelf: boolean
  readonly message: string | null
  /** The fields that approvers fill in; outputs of the step, `$steps.<step>.approval.outputs.<name>`. */
  readonly fields: readonly GraphApprovalField[]
}

export interface GraphApprovalField {
  readonly name: string
  readonly type: 'text' | 'choice' | 'boolean'
  readonly required: boolean
  readonly options: readonly string[]
  readonly default: string | null
  readonly description: string | null
}

/** Name of the one task of a step that waits for people. */
export const APPROVAL_TASK = 'approval'

/** A final output, made once the run is over. */
export interface GraphFinalOutput {
  readonly name: string
  readonly format: 'markdown' | 'json' | 'text'
  readonly template: ValueTemplate
}

/** Text with CEL in `${{ }}` over `event` and `variables`, as it stands in the document. */
export interface GraphConcurrency {
  readonly group: string
  readonly onConflict: 'cancel_running' | 'queue' | 'skip'
}

/** Everything a run needs to know of its pipeline version: plain JSON, stored with the run and never changed. */
export interface Graph {
  readonly format: 2
  readonly timeoutMs: number | null
  /** How long it may wait for a runner; null: for ever. */
  readonly queueTimeoutMs: number | null
  /** From -100 to 100; among tasks that wait for the same runners the higher is started first. */
  readonly priority: number
  readonly concurrency: GraphConcurrency | null
  readonly finalOutputs: readonly GraphFinalOutput[]
  readonly profile: string | null
  readonly variables: Readonly<Record<string, string>>
  /** Environment name to stored secret, `<team path>/<name>`. */
  readonly secrets: Readonly<Record<string, string>>
  readonly steps: readonly GraphStep[]
}

/** Whether a task of it starts with the files of the repository. Tasks of child pipelines are theirs. */
export function checksOut({ steps }: Graph): boolean {
  return steps.some(({ tasks }) => tasks.some(startsWithFiles))
}

/** Whether a task of it runs another pipeline. */
export function startsPipelines({ steps }: Graph): boolean {
  return steps.some(({ tasks }) => tasks.some(({ kind }) => kind === 'pipeline'))
}

function startsWithFiles(task: GraphTask): boolean {
  switch (task.kind) {
    case 'run':
      return task.checkout !== false
    case 'pipeline':
    case 'approval':
      return false
  }
}
