import type { Ending } from '@signalbox/pipeline/status'

export interface StepRow {
  readonly run_id: string
  readonly step: string
  readonly position: number
  readonly status: string
  readonly reason: string | null
  readonly blocks: boolean
  readonly timed_out: string | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly deadline_at: Date | null
}

/** The outputs of a task by name; a sensitive one is sealed. */
export type StoredOutputs = Readonly<Record<string, { readonly value: string } | { readonly sealed: string }>>

export interface TaskRow {
  readonly run_id: string
  readonly step: string
  readonly task: string
  readonly position: number
  readonly status: string
  readonly reason: string | null
  readonly blocks: boolean
  readonly attempt: number
  readonly exit_code: number | null
  readonly outputs: StoredOutputs
  readonly losses_before: number
  readonly handed_back: number
  readonly retry_at: Date | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

/** The new state of one run; `revision` is the one it was computed from. */
export interface RunSave {
  readonly id: string
  readonly revision: number
  readonly status: string
  readonly reason: string | null
  readonly ending: Ending | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly deadline_at: Date | null
  readonly paused_at: Date | null
  readonly lost_attempts: number
  readonly final_output_status: 'none' | 'pending'
}

/** A revision of blocking knowledge that held when something began; no step: the run as a whole. */
export interface PinRow {
  readonly run_id: string
  readonly step: string | null
  readonly task: string | null
  readonly revision_id: string
}
