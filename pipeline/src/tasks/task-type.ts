import type { TSchema } from 'typebox'
import type { ValueTemplate } from '../graph/values.ts'
import type { TaskAction } from './task-action.ts'

/** Reads the directives of one task that belong to its kind; answers undefined where one is absent or malformed. */
export interface TaskFields {
  text(directive: string): string | undefined
  /** Names and values of a map, with output references; empty where it is absent. */
  values(directive: 'inputs'): Readonly<Record<string, ValueTemplate>>
}

/** A kind of task: which directives it adds to a task and how they become the action that a run stores. */
export interface TaskType {
  readonly kind: TaskAction['kind']
  /** The directive whose presence makes a task be of this kind. */
  readonly directive: string
  /** JSON Schema of every directive that only this kind has. */
  readonly directives: Readonly<Record<string, TSchema>>
  /** Directives of every task that mean nothing to this kind, and a sentence that says what to do instead. */
  readonly refuses: { readonly directives: readonly string[]; readonly because: string }
  /** Whether it runs in a workspace on a runner, one after the other where a step shares it. */
  readonly hasWorkspace: boolean
  /** Null: its attempts end with an exit code. Else the sentence for a person who wants to try again by exit code. */
  readonly withoutExitCode: string | null
  /** Undefined while the task is incomplete: the problem has been reported by the schema then. */
  readAction(fields: TaskFields): TaskAction | undefined
}
