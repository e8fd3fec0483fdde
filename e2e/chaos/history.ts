import { closeSync, openSync, writeSync } from 'node:fs'
import type { Mark } from '../house/marks.ts'

/** The observations in their order; times in ms of one clock. */
export type Seen = { readonly at: number } & (
  | { readonly kind: 'began'; readonly seed: number; readonly minutes: number }
  /** A delivery or a request that makes a run; `status` is undefined where no answer came. */
  | {
      readonly kind: 'delivered'
      readonly deliveryId: string
      readonly commit: string
      readonly status: number | undefined
    }
  | { readonly kind: 'started'; readonly how: 'by_hand' | 'rerun'; readonly status: number; readonly runId: string }
  | { readonly kind: 'asked'; readonly what: string; readonly runId: string; readonly status: number | undefined }
  /** A request of somebody who may not: a wrong token, a wrong signature, a role that lacks the permission. */
  | { readonly kind: 'intruded'; readonly what: string; readonly status: number | undefined }
  | { readonly kind: 'run'; readonly runId: string; readonly status: string }
  | { readonly kind: 'attempt'; readonly attempt: AttemptSeen }
  /** A mark that one task itself wrote into a file of ours. */
  | { readonly kind: 'effect'; readonly effect: Mark }
  /** One line, as a stream told it. */
  | { readonly kind: 'line'; readonly stream: number; readonly line: LineSeen }
  | { readonly kind: 'fault'; readonly fault: string; readonly target: string; readonly until: number }
  | { readonly kind: 'recovered'; readonly fault: string; readonly target: string; readonly tookMs: number }
  | { readonly kind: 'unrecovered'; readonly fault: string; readonly target: string; readonly why: string }
  /** A control plane ended, though nothing had ended it. */
  | { readonly kind: 'ended'; readonly process: string; readonly how: string; readonly said: string }
  /** A control plane is idle without a cause; `kept` is the file about its state. */
  | { readonly kind: 'silent'; readonly process: string; readonly what: string; readonly kept: string }
  | { readonly kind: 'size'; readonly size: Size }
  | { readonly kind: 'quiet'; readonly settledMs: number }
)

export interface AttemptPlace {
  readonly runId: string
  readonly step: string
  readonly task: string
  readonly attempt: number
}

export interface AttemptSeen extends AttemptPlace {
  readonly status: string
}

export interface LineSeen extends AttemptPlace {
  readonly number: number
  readonly text: string
  readonly stream: string
}

/** How much one process holds; `when`: before the first fault, or after all has settled. */
export interface Size {
  readonly process: string
  readonly when: 'before' | 'after'
  readonly residentMb: number
  readonly files: number
}

/** The stored state once everything has settled. */
export interface Stored {
  readonly deliveries: readonly {
    readonly deliveryId: string
    readonly result: string
    readonly runIds: readonly string[]
  }[]
  readonly runs: readonly StoredRun[]
  readonly attempts: readonly StoredAttempt[]
  /** By `runId/step/task#attempt`. */
  readonly logs: ReadonlyMap<string, readonly LineSeen[]>
  /** The output of the product's processes, by process. */
  readonly outputs: ReadonlyMap<string, string>
  readonly connections: number
}

export interface StoredRun {
  readonly runId: string
  readonly status: string
  readonly commit: string | null
  readonly cause: string
  /** The object of the wait, where the run says so. */
  readonly waitsFor: string | null
}

export interface StoredAttempt extends AttemptPlace {
  readonly fence: number | null
  readonly status: string
  readonly runner: string | null
  readonly leasedAt: number | null
  readonly finishedAt: number | null
}

export interface History {
  readonly seen: readonly Seen[]
  readonly stored: Stored
  /** The secrets that no log may hold. */
  readonly secrets: readonly string[]
  readonly bounds: Bounds
}

export interface Bounds {
  readonly leaseMs: number
  readonly residentMb: number
  readonly connections: number
}

export function nameOf({ runId, step, task, attempt }: AttemptPlace): string {
  return `${runId}/${step}/${task}#${attempt}`
}

/** Keeps the observations, and writes them to a file as they come, so that a crash of the driver loses none. */
export interface Recorder extends Disposable {
  readonly seen: readonly Seen[]
  record(seen: Unstamped): void
}

export type Unstamped = Seen extends infer One ? (One extends Seen ? Omit<One, 'at'> : never) : never

export function openRecorder(path: string, now: () => number): Recorder {
  const file = openSync(path, 'w')
  const seen: Seen[] = []
  return {
    seen,
    record(one) {
      const stamped: Seen = { at: now(), ...one }
      seen.push(stamped)
      writeSync(file, `${JSON.stringify(stamped)}\n`)
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}
