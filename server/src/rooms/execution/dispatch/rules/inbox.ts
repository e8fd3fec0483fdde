import type { RunEvent } from '@signalbox/pipeline/status'

/** An attempt that a runner has in hand. */
export interface Held {
  readonly fence: number
  readonly attemptId: string
  readonly runId: string
  readonly step: string
  readonly task: string
  readonly number: number
}

export interface FinishedAttempt {
  readonly result: 'success' | 'failure' | 'timed_out' | 'canceled' | 'lost'
  readonly exitCode: number | null
  readonly reason: string
  readonly outputs: Readonly<Record<string, string>>
  readonly startedAt: Date | null
}

/** Something that moves a run; the dispatcher takes all that has arrived at once. */
export type InboxItem =
  | { readonly kind: 'started'; readonly runnerId: string; readonly held: Held; readonly at: Date }
  | { readonly kind: 'finished'; readonly runnerId: string; readonly held: Held; readonly finished: FinishedAttempt }
  /** `ifExpired`: only when the lease is still over once its row is locked. */
  | {
      readonly kind: 'lost'
      readonly runnerId: string
      readonly held: Omit<Held, 'fence'>
      readonly reason: string
      readonly ifExpired: boolean
    }
  | { readonly kind: 'event'; readonly runId: string; readonly event: RunEvent }

export function runOf(item: InboxItem): string {
  return item.kind === 'event' ? item.runId : item.held.runId
}
