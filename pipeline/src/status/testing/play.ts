import type { Graph } from '../../graph/index.ts'
import { advance, startRun } from '../engine.ts'
import { isTerminalRun, type RunState } from '../state.ts'
import type { ApprovalDecided, Effect, Reuse, RunContext, RunEvent, TaskFinished } from '../transition.ts'
import { noContext } from './graphs.ts'

/** Plays a run by hand: keeps the state and collects the effects that are still to be acted on. */
export class Play {
  readonly graph: Graph
  readonly context: RunContext
  state: RunState
  effects: Effect[]

  constructor(graph: Graph, context: RunContext = noContext, reuse?: Reuse) {
    this.graph = graph
    this.context = context
    const { state, effects } = startRun(graph, context, reuse)
    this.state = state
    this.effects = [...effects]
  }

  /** Applies an event and answers its effects alone. */
  send(event: RunEvent): readonly Effect[] {
    const { state, effects } = advance(this.graph, this.state, event, this.context)
    this.state = state
    this.effects.push(...effects)
    return effects
  }

  /** Starts the task's current attempt and ends it. `path` is `<step>/<task>`. */
  run(path: string, result: TaskFinished['result'] = 'success', more: Partial<TaskFinished> = {}): readonly Effect[] {
    const [step = '', task = ''] = path.split('/')
    const attempt = this.task(path).attempt
    const begun = this.send({ type: 'task_started', step, task, attempt })
    return [...begun, ...this.send({ type: 'task_finished', step, task, attempt, result, reason: '', ...more })]
  }

  /** Decides the approval that a step waits for. */
  decide(step: string, decision: ApprovalDecided['decision'], more: Partial<ApprovalDecided> = {}): readonly Effect[] {
    return this.send({ type: 'approval_decided', step, decision, reason: '', outputs: {}, ...more })
  }

  /** Status of the run, then of each step. */
  get statuses(): readonly string[] {
    return [this.state.status, ...this.state.steps.map((step) => step.status)]
  }

  task(path: string) {
    const [step, name] = path.split('/')
    const found = this.state.steps.find((one) => one.name === step)?.tasks.find((one) => one.name === name)
    if (found === undefined) throw new Error(`the graph has no task ${path}`)
    return found
  }

  step(name: string) {
    const found = this.state.steps.find((one) => one.name === name)
    if (found === undefined) throw new Error(`the graph has no step ${name}`)
    return found
  }

  get ended(): boolean {
    return isTerminalRun(this.state.status)
  }
}
