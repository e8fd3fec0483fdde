import type { RunEvent } from '@signalbox/pipeline/status'
import type { RanImage } from '#rooms/execution/runs'
import type { Assignment } from './assignment.ts'

export interface FinishedAttempt {
  readonly result: 'success' | 'failure' | 'timed_out' | 'canceled' | 'lost'
  readonly exitCode: number | null
  readonly reason: string
  readonly outputs: Readonly<Record<string, string>>
  /** Names of the outputs that hold something masked. */
  readonly sensitive?: readonly string[]
  readonly startedAt: Date | null
  /** Of a loss: the runner knows that nothing of the task had begun, and nothing here says otherwise. */
  readonly notBegun?: boolean
}

export interface EndedChild {
  readonly runId: string
  readonly status: string
  readonly reason: string | null
  /** Why the attempt was asked to end before; null: it was not. */
  readonly asked: { readonly late: boolean; readonly reason: string } | null
}

/** Something that moves a run; the dispatcher takes all that has arrived at once. */
export type InboxItem =
  /** `at` by the runner's clock, `arrivedAt` by this one's. */
  | {
      readonly kind: 'started'
      readonly runnerId: string
      readonly assignment: Assignment
      readonly at: Date
      readonly arrivedAt: Date
      readonly images: readonly RanImage[]
    }
  | {
      readonly kind: 'finished'
      readonly runnerId: string
      readonly assignment: Assignment
      readonly finished: FinishedAttempt
    }
  /** `ifExpired`: only when the lease is still over once its row is locked. */
  | {
      readonly kind: 'lost'
      readonly runnerId: string
      readonly assignment: Omit<Assignment, 'fence'>
      readonly reason: string
      readonly ifExpired: boolean
    }
  /** The attempt waits for the one runner that has the workspace of its step, and that runner will not take it. */
  | { readonly kind: 'stranded'; readonly assignment: Omit<Assignment, 'fence'>; readonly reason: string }
  /** The run that was made for an attempt has ended, and its final outputs are made. */
  | { readonly kind: 'child_over'; readonly assignment: Omit<Assignment, 'fence'>; readonly child: EndedChild }
  /** People have decided, or their time is over. */
  | { readonly kind: 'decided'; readonly runId: string; readonly requestId: string; readonly event: RunEvent }
  | { readonly kind: 'event'; readonly runId: string; readonly event: RunEvent }

export function runOf(item: InboxItem): string {
  return item.kind === 'event' || item.kind === 'decided' ? item.runId : item.assignment.runId
}
