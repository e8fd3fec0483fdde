import type { StepWhen } from '../graph/graph.ts'
import type { StepState, TaskState } from './state.ts'

/** Why a step is skipped, and whether that skips what depends on it. */
export interface Hindrance {
  readonly reason: string
  readonly blocks: boolean
}

/** The hindrance that keeps a step from starting once everything that it depends on is complete; null: none. */
export function findHindrance(when: StepWhen, afterFailure: boolean, blocker: StepState | undefined): Hindrance | null {
  switch (when) {
    case 'success':
      return blocker === undefined ? null : { reason: blockReason('step', blocker), blocks: true }
    case 'always':
      return null
    case 'failure':
      return afterFailure ? null : { reason: 'skipped: nothing that it depends on failed', blocks: false }
    default:
      return when satisfies never
  }
}

/** Why what depends on this is skipped. */
export function blockReason(kind: 'step' | 'task', blocker: StepState | TaskState): string {
  switch (blocker.status) {
    case 'timed_out':
      return `skipped: ${kind} ${blocker.name} timed out`
    case 'canceled':
      return `skipped: ${kind} ${blocker.name} was canceled`
    case 'skipped':
      return `skipped: ${kind} ${blocker.name} was skipped`
    default:
      return `skipped: ${kind} ${blocker.name} failed`
  }
}
