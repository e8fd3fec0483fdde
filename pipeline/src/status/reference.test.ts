import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isTerminalTask, type TaskState } from './state.ts'
import { Play } from './testing/index.ts'
import { graphs, results } from './testing/random-runs.ts'
import { ReferenceRun } from './testing/reference-run.ts'
import type { RunEvent } from './transition.ts'

/** Tells the model and the engine the same of the run, made from where the run stands. */
class Tell implements fc.Command<ReferenceRun, Play> {
  readonly #what: string
  readonly #event: (play: Play) => RunEvent | undefined
  #told: RunEvent | undefined

  constructor(what: string, event: (play: Play) => RunEvent | undefined) {
    this.#what = what
    this.#event = event
  }

  check(): boolean {
    return true
  }

  run(model: ReferenceRun, play: Play): void {
    this.#told = this.#event(play)
    if (this.#told === undefined) return
    model.apply(this.#told)
    play.send(this.#told)
    assert.deepEqual(described(play), describedModel(model))
  }

  toString(): string {
    return `${this.#what} ${JSON.stringify(this.#told)}`
  }
}

function described(play: Play) {
  const steps = play.state.steps.map(({ name, status, blocks, tasks }) => [
    `${name} ${status} ${blocks}`,
    ...tasks.map((task) => `${task.name} ${task.status} ${task.attempt} ${task.blocks}`),
  ])
  return { status: play.state.status, ending: play.state.ending?.status ?? null, steps }
}

function describedModel(model: ReferenceRun) {
  const steps = model.steps.map(({ step, status, blocks, tasks }) => [
    `${step.name} ${status} ${blocks}`,
    ...tasks.map((one) => `${one.task.name} ${one.status} ${one.attempt} ${one.blocks}`),
  ])
  return { status: model.status, ending: model.ending, steps }
}

type Wanted = (task: TaskState) => boolean

/** The n-th of the tasks that are so, or of all of them where none is: a stale report then. */
function choose(play: Play, number: number, wanted: Wanted) {
  const all = play.state.steps.flatMap((step) => step.tasks.map((task) => ({ step: step.name, task })))
  const fitting = all.filter(({ task }) => wanted(task))
  const among = fitting.length > 0 ? fitting : all
  return among[number % among.length]
}

const aboutTask = (
  what: string,
  wanted: Wanted,
  event: (key: { step: string; task: string; attempt: number }) => RunEvent,
) =>
  fc.nat().map(
    (number) =>
      new Tell(what, (play) => {
        const chosen = choose(play, number, wanted)
        return chosen && event({ step: chosen.step, task: chosen.task.name, attempt: chosen.task.attempt })
      }),
  )

const started = aboutTask(
  'start',
  ({ status }) => status === 'ready',
  (key) => ({ type: 'task_started', ...key }),
)
const finished = fc.tuple(fc.constantFrom(...results), fc.constantFrom(undefined, 0, 3)).chain(([result, exitCode]) =>
  aboutTask(
    'finish',
    ({ status }) => status === 'running' || status === 'ready',
    (key) => ({ type: 'task_finished', ...key, result, reason: '', exitCode }),
  ),
)
const retried = aboutTask(
  'retry',
  ({ status, attempt }) => status === 'pending' && attempt > 0,
  (key) => ({ type: 'retry_due', ...key, attempt: key.attempt + 1 }),
)
const decided = fc.constantFrom('approved', 'approved', 'approved', 'rejected', 'late').chain((how) =>
  aboutTask(
    'decide',
    ({ status }) => status === 'paused',
    ({ step }) =>
      how === 'late'
        ? { type: 'approval_timed_out', step }
        : {
            type: 'approval_decided',
            step,
            decision: how === 'rejected' ? 'rejected' : 'approved',
            reason: '',
            outputs: {},
          },
  ),
)
const stepTimedOut = aboutTask(
  'step',
  ({ status }) => !isTerminalTask(status),
  ({ step }) => ({ type: 'step_timed_out', step }),
)
const ended = fc
  .constantFrom<RunEvent>(
    { type: 'cancel_requested', reason: 'enough' },
    { type: 'run_timed_out' },
    { type: 'failed_closed', reason: 'no' },
  )
  .map((event) => new Tell('end', () => event))

// Mostly what moves a run on, so that it comes far; an ending only now and then.
const usual = [started, started, finished, finished, retried, decided]
const commands = fc.commands([...usual, ...usual, ...usual, stepTimedOut, ended], { maxCommands: 120, size: 'max' })

test('the engine says of every run what the plain model says of it', () => {
  let completed = 0
  fc.assert(
    fc.property(graphs, commands, (graph, steps) => {
      const play = new Play(graph)
      const model = new ReferenceRun(graph)
      assert.deepEqual(described(play), describedModel(model))
      fc.modelRun(() => ({ model, real: play }), steps)
      if (play.ended) completed += 1
    }),
    { numRuns: 300 },
  )
  assert.ok(completed > 50, `only ${completed} of the runs came to their end`)
})
