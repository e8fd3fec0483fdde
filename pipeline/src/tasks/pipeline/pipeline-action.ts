import type { ValueTemplate } from '../../graph/values.ts'

/** A run of another pipeline: its end is the end of the task. */
export interface PipelineAction {
  readonly kind: 'pipeline'
  /** `<team path>/<name>` */
  readonly pipeline: string
  /** Values of its variables. */
  readonly inputs: Readonly<Record<string, ValueTemplate>>
}
