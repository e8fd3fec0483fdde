import type { Graph } from '../graph/graph.ts'
import { Conditions } from './conditions.ts'
import { Draft } from './draft.ts'
import { indexOf } from './graph-index.ts'
import { Progress } from './progress.ts'
import { isTerminalRun, type RunState } from './state.ts'
import type { RunContext, RunEvent, Transition } from './transition.ts'

/** The first transition of a run: everything that waits for nothing becomes ready, and its attempts are to be started. */
export function startRun(graph: Graph, context: RunContext): Transition {
  const index = indexOf(graph)
  const initial: RunState = {
    format: 1,
    status: 'queued',
    reason: null,
    ending: null,
    open: graph.steps.length,
    steps: index.steps.map(({ step, dependsOn, tasks }) => ({
      name: step.name,
      status: 'pending',
      reason: null,
      blocks: false,
      waitsFor: dependsOn.length,
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
      })),
    })),
  }
  const draft = new Draft(initial)
  const progress = new Progress(index, draft, new Conditions(index, context))
  progress.begin()
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
  const progress = new Progress(index, draft, new Conditions(index, context))
  for (const event of events) if (!isTerminalRun(draft.run.status)) progress.apply(event)
  return draft.finish()
}
