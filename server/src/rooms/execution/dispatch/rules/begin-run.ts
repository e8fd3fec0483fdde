import { startRun, type Transition } from '@signalbox/pipeline/status'

/**
 * The first transition of a run that leaves the queue. In hand is running: the engine itself would say so only once the
 * first task has started.
 */
export function beginRun(...start: Parameters<typeof startRun>): Transition {
  const begun = startRun(...start)
  return begun.state.status === 'queued' ? { ...begun, state: { ...begun.state, status: 'running' } } : begun
}
