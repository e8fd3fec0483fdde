import type { Graph } from '../graph/graph.ts'
import { backoffAfter } from './attempts.ts'
import { indexOf } from './graph-index.ts'
import { isTerminalRun, type RunState } from './state.ts'
import type { Effect } from './transition.ts'

/**
 * The effects that a state still calls for, for a process that starts again and does not know which it acted on.
 * Waits are told in full length; pins are not told, for they are stored with the state. Acting on one twice does no harm to the run: the second report is stale.
 */
export function outstandingEffects(graph: Graph, state: RunState): readonly Effect[] {
  if (isTerminalRun(state.status)) return [{ type: 'finish_run', status: state.status }]
  const effects: Effect[] = []
  for (const [stepAt, { step, tasks }] of indexOf(graph).steps.entries()) {
    const stepState = state.steps[stepAt]
    if (stepState === undefined) continue
    const stopping = state.ending?.reason ?? stepState.timedOut
    if (stepState.status === 'running' && stopping === null && step.timeoutMs !== null) {
      effects.push({ type: 'start_step_timer', step: step.name, afterMs: step.timeoutMs })
    }
    for (const [taskAt, { task }] of tasks.entries()) {
      const taskState = stepState.tasks[taskAt]
      if (taskState === undefined) continue
      const { status, attempt, handedBack } = taskState
      const key = { step: step.name, task: task.name }
      if (status === 'paused') effects.push({ type: 'request_approval', ...key })
      else if (status === 'ready') effects.push({ type: 'start_attempt', ...key, attempt })
      else if (status === 'pending' && attempt > 0) {
        const delayMs = backoffAfter(task, attempt - handedBack)
        effects.push({ type: 'schedule_retry', ...key, attempt: attempt + 1, delayMs })
      } else if (status === 'running' && stopping !== null) {
        effects.push({ type: 'cancel_attempt', ...key, attempt, reason: stopping })
      }
    }
  }
  return effects
}
