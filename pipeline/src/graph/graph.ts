import type { TaskAction } from '../tasks/task-action.ts'

/** One piece of an environment value: literal text, or the output of a task that is guaranteed to have run. */
export type ValuePart = string | OutputReference

/** Names one declared output of one task. */
export interface OutputReference {
  readonly step: string
  readonly task: string
  readonly output: string
}

/** An environment value as parts that are joined when the attempt starts; a plain literal is one string part. */
export type ValueTemplate = readonly ValuePart[]

/** `attempts` counts the first one; `backoffMs` is the wait before the second and doubles with each further one. */
export interface RetryPolicy {
  readonly attempts: number
  readonly backoffMs: number
}

export interface OutputDeclaration {
  readonly sensitive: boolean
}

/** What every task has, whatever its kind. */
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
  /** False: the task starts in an empty workspace. */
  readonly checkout: boolean
}

export type GraphTask = GraphTaskCommon & TaskAction

export interface GraphStep {
  readonly name: string
  readonly dependsOn: readonly string[]
  readonly dependents: readonly string[]
  readonly condition: string | null
  readonly timeoutMs: number | null
  readonly ignoreFailure: boolean
  readonly tasks: readonly GraphTask[]
}

/** Everything a run needs to know of its pipeline version: plain JSON, stored with the run and never changed. */
export interface Graph {
  readonly format: 1
  readonly timeoutMs: number | null
  readonly profile: string | null
  readonly variables: Readonly<Record<string, string>>
  /** Environment name to stored secret, `<team path>/<name>`. */
  readonly secrets: Readonly<Record<string, string>>
  readonly steps: readonly GraphStep[]
}
