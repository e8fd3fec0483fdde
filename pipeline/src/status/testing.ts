import { compileGraph, type Graph, type StepDefinition, type TaskDefinition } from '../graph/index.ts'
import { advance, startRun } from './engine.ts'
import { isTerminalRun, type RunState } from './state.ts'
import type { Effect, RunContext, RunEvent, TaskFinished } from './transition.ts'

type RunTaskDefinition = Extract<TaskDefinition, { kind: 'run' }>

/** A task of a test graph, with nothing special but what is given. */
export function aTask(name: string, given: Partial<RunTaskDefinition> = {}): RunTaskDefinition {
  return {
    name,
    dependsOn: [],
    condition: null,
    timeoutMs: null,
    ignoreFailure: false,
    idempotent: false,
    retry: { attempts: 1, backoffMs: 0, exitCodes: null },
    env: {},
    outputs: {},
    checkout: true,
    profile: null,
    container: null,
    matrix: null,
    template: name,
    artifacts: null,
    needsArtifacts: [],
    cache: null,
    kind: 'run',
    script: 'true',
    ...given,
  }
}

/** A step of a test graph; without tasks it gets one, `work`. */
export function aStep(name: string, given: Partial<StepDefinition> = {}): StepDefinition {
  return {
    name,
    dependsOn: [],
    condition: null,
    timeoutMs: null,
    ignoreFailure: false,
    when: 'success',
    scope: null,
    profile: null,
    tasks: [aTask('work')],
    ...given,
  }
}

export function aGraph(...steps: readonly StepDefinition[]): Graph {
  return compileGraph({
    timeoutMs: null,
    queueTimeoutMs: null,
    priority: 0,
    concurrency: null,
    finalOutputs: [],
    profile: null,
    variables: {},
    secrets: {},
    steps,
  })
}

export const noContext: RunContext = { event: null, variables: {} }

/** Plays a run by hand: keeps the state and collects the effects that are still to be acted on. */
export class Play {
  readonly graph: Graph
  readonly context: RunContext
  state: RunState
  effects: Effect[]

  constructor(graph: Graph, context: RunContext = noContext) {
    this.graph = graph
    this.context = context
    const { state, effects } = startRun(graph, context)
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
