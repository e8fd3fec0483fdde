const FINISHED = new Set(['success', 'failure', 'warning', 'timed_out', 'canceled'])

/** Whether a run with this status is over. */
export function isFinished(status: string): boolean {
  return FINISHED.has(status)
}

const OVER = new Set([...FINISHED, 'failure (ignored)', 'skipped'])

/** Whether a step or task with this status is over. */
export function isOver(status: string): boolean {
  return OVER.has(status)
}
