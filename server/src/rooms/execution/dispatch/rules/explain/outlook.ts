import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { ApprovalRequest } from '@signalbox/contracts/runs'
import type { UnmetCondition } from '#rooms/catalog/runners'

/** Everything from which a run is explained, as far as the caller may see it. */
export interface RunOutlook {
  readonly id: string
  readonly pipeline: string
  readonly teamPath: string
  readonly scope: string
  readonly status: string
  readonly reason: string | null
  readonly cancelReason: string | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly cancelRequestedAt: Date | null
  readonly queueDeadlineAt: Date | null
  readonly deadlineAt: Date | null
  readonly now: Date
  readonly hold: Hold | undefined
  readonly emergency: SeenEmergency | undefined
  /** While it is queued and may begin. */
  readonly queue: Queue | undefined
  readonly tasks: readonly OutlookTask[]
  readonly requests: readonly ApprovalRequest[]
  /** The caller holds run.approve at its team. */
  readonly mayApproveForks: boolean
}

/** Why a queued run may not begin, whatever the runners say. */
export type Hold =
  | { readonly kind: 'fork'; readonly pullRequest: number | null }
  | { readonly kind: 'group'; readonly group: string; readonly behind: string | undefined }

/** An emergency in the scope of the run. What the caller may not read about it is undefined. */
export interface SeenEmergency {
  readonly declaredAt: Date
  readonly seen: { readonly id: string; readonly reason: string } | undefined
}

/** Why something waits for a runner. */
export interface Lack {
  /** Null: a runner can take it. A sentence without names where the caller may not see all the runners. */
  readonly reason: string | null
  /** These two are undefined there. */
  readonly unmet: UnmetCondition | undefined
  readonly places: { readonly runners: number; readonly taken: number; readonly total: number } | undefined
}

export interface Queue extends Lack {
  /** How many begin before it; null: more than `counted`. */
  readonly before: number | null
  readonly counted: number
  readonly estimateSeconds: number | null
}

export interface OutlookTask {
  readonly step: string
  readonly task: string
  readonly status: string
  readonly startedAt: Date | null
  readonly retryAt: Date | null
  /** Of its newest attempt; undefined: it has none. */
  readonly attempt: OutlookAttempt | undefined
  /** How long it took in the newest successes; undefined: nobody knows. */
  readonly usualMs: number | undefined
  /** Of an attempt that waits for a runner. */
  readonly lack: Lack | undefined
}

export interface OutlookAttempt {
  readonly status: string
  readonly startedAt: Date | null
  readonly leasedAt: Date | null
  readonly reason: string | null
  /** Undefined where the caller may not see the runner. */
  readonly runnerId: string | undefined
  /** The run that was made for it; `hidden` where the caller may not see it. */
  readonly child: string | 'hidden' | undefined
}

/** Words of others that belong to a finding. */
export interface Quote {
  readonly about: string
  readonly text: string
}

/** What is told of a run, in the order in which it is told. */
export interface Telling {
  readonly findings: Finding[]
  readonly whatToDo: Finding[]
  readonly quotes: Quote[]
}

export function taskEvidence(run: { readonly id: string }, { step, task }: OutlookTask): Evidence {
  return { kind: 'task', id: `${step}/${task}`, run_id: run.id }
}

export function runEvidence(id: string): Evidence {
  return { kind: 'run', id }
}

/** `3 runs`, `1 run`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** As people say it, in two units at most: `2 h 5 min`, `40 s`. */
export function spell(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d`
}
