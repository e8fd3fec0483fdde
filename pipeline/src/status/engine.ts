import type { Graph } from '../graph/graph.ts'
import { Conditions } from './conditions.ts'
import { Draft } from './draft.ts'
import { indexOf } from './graph-index.ts'
import { Progress } from './progress.ts'
import { isTerminalRun, type RunState } from './state.ts'
import type { Reuse, RunContext, RunEvent, Transition } from './transition.ts'
import { Walk } from './walk.ts'

/**
 * The first transition of a run: everything that waits for nothing becomes ready, and its attempts are to be started.
 * Reused tasks are `success` at once, as are steps with reused tasks only.
 */
export function startRun(graph: Graph, context: RunContext, reuse?: Reuse): Transition {
  const index = indexOf(graph)
  const initial: RunState = {
    format: 1,
    status: 'queued',
    reason: null,
    ending: null,
    open: graph.steps.length,
    active: 0,
    waiting: 0,
    lostAttempts: 0,
    steps: index.steps.map(({ step, dependsOn, tasks }) => ({
      name: step.name,
      status: 'pending',
      reason: null,
      blocks: false,
      waitsFor: dependsOn.length,
      afterFailure: false,
      open: tasks.length,
      timedOut: null,
      tasks: tasks.map(({ task, dependsOn: earlier }) => ({
        name: task.name,
        status: 'pending',
        attempt: 0,
        reason: null,
        exitCode: null,
        outputs: {},
        blocks: false,
        waitsFor: earlier.length,
        lossesBefore: 0,
        handedBack: 0,
      })),
    })),
  }
  const draft = new Draft(initial)
  const walk = new Walk(index, draft, new Conditions(index, context), context.guard)
  walk.begin(reuse)
  walk.settle()
  return {
    ...draft.finish(),
    changed: {
      run: true,
      steps: graph.steps.map((step) => step.name),
      tasks: graph.steps.flatMap((step) => step.tasks.map((task) => `${step.name}/${task.name}`)),
    },
  }
}

/** Applies one event. A stale, repeated or unknown one changes nothing and asks for nothing. */
export function advance(graph: Graph, state: RunState, event: RunEvent, context: RunContext): Transition {
  return advanceAll(graph, state, [event], context)
}

/** Applies events in order as one transition: one copy of the state, all effects, everything that changed. */
export function advanceAll(
  graph: Graph,
  state: RunState,
  events: readonly RunEvent[],
  context: RunContext,
): Transition {
  const index = indexOf(graph)
  const draft = new Draft(state)
  const walk = new Walk(index, draft, new Conditions(index, context), context.guard)
  const progress = new Progress(index, draft, walk)
  for (const event of events) if (!isTerminalRun(draft.run.status)) progress.apply(event)
  return draft.finish()
}
