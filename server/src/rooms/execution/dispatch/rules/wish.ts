import type { AttemptInsert, RunInFlight } from '#rooms/execution/runs'

/** An attempt that wants a place. */
export interface Wish {
  readonly id: string
  readonly run: RunInFlight | undefined
  readonly runId: string
  readonly lane: string
  readonly step: string
  readonly task: string
  readonly number: number
  /** Its row is there and waits. */
  readonly waiting: boolean
}

/** The row of an attempt that no runner has yet. */
export function rowOf(wish: Wish): Omit<AttemptInsert, 'status'> {
  return {
    id: wish.id,
    run_id: wish.runId,
    step: wish.step,
    task: wish.task,
    number: wish.number,
    scope: wish.run?.scope ?? '',
    requirement: wish.run?.requirement ?? null,
    reason: null,
    runner_id: null,
    lease_expires_at: null,
    finished_at: null,
  }
}
