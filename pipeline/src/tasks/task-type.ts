import type { TSchema } from 'typebox'
import type { ValueTemplate } from '../graph/graph.ts'
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
  /** Undefined while the task is incomplete: the problem has been reported by the schema then. */
  readAction(fields: TaskFields): TaskAction | undefined
}
