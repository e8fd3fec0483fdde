import type { RunState, StepState, TaskState } from './state.ts'

/** The state of a step by its name. */
export function findStepState(state: RunState, step: string): StepState | undefined {
  return state.steps.find((candidate) => candidate.name === step)
}

/** The state of a task by the names of its step and itself. */
export function findTaskState(state: RunState, step: string, task: string): TaskState | undefined {
  return findStepState(state, step)?.tasks.find((candidate) => candidate.name === task)
}
