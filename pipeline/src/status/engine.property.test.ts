import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Graph } from '../graph/index.ts'
import { advance } from './engine.ts'
import { isTerminalRun, isTerminalStep, isTerminalTask, type RunState } from './state.ts'
import { aGraph, aStep, aTask, noContext, Play } from './testing.ts'
import type { AttemptResult, Effect, RunEvent } from './transition.ts'

const results: readonly AttemptResult[] = ['success', 'success', 'success', 'failure', 'timed_out', 'canceled', 'lost']
const condition = fc.constantFrom(null, null, null, 'true', 'false', 'event.x == 1')
const flag = fc.constantFrom(false, false, true)

/** Earlier nodes only: whatever is chosen, there is no cycle. */
const earlier = (at: number, prefix: string) => {
  const names = Array.from({ length: at }, (_, index) => `${prefix}${index}`)
  return fc.subarray(names, { maxLength: Math.min(at, 3) })
}

const tasks = fc.integer({ min: 1, max: 5 }).chain((count) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, at) =>
      fc
        .record({
          dependsOn: earlier(at, 't'),
          condition,
          ignoreFailure: flag,
          idempotent: flag,
          retry: fc.record({
            attempts: fc.integer({ min: 1, max: 3 }),
            backoffMs: fc.constantFrom(0, 1_000),
            exitCodes: fc.constant(null),
          }),
        })
        .map((given) => aTask(`t${at}`, given)),
    ),
  ),
)

const graphs: fc.Arbitrary<Graph> = fc
  .integer({ min: 1, max: 6 })
  .chain((count) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, at) =>
        fc
          .record({
            dependsOn: earlier(at, 's'),
            condition,
            ignoreFailure: flag,
            tasks,
            timeoutMs: fc.constantFrom(null, 9),
          })
          .map((given) => aStep(`s${at}`, given)),
      ),
    ),
  )
  .map((steps) => aGraph(...steps))

/** What the world may report next, given the effects that it has been asked for. */
function answers(play: Play, result: (attempt: string) => AttemptResult): RunEvent[] {
  return play.effects.flatMap((effect): RunEvent[] => {
    switch (effect.type) {
      case 'start_attempt': {
        const { step, task, attempt } = effect
        const state = play.task(`${step}/${task}`)
        if (state.attempt !== attempt || isTerminalTask(state.status) || state.status === 'pending') return []
        const key = { step, task, attempt }
        if (state.status === 'ready') return [{ type: 'task_started', ...key }]
        const outcome = result(`${step}/${task}/${attempt}`)
        return [{ type: 'task_finished', ...key, result: outcome, reason: outcome }]
      }
      case 'schedule_retry': {
        const { step, task, attempt } = effect
        const state = play.task(`${step}/${task}`)
        if (state.status !== 'pending' || state.attempt !== attempt - 1) return []
        return [{ type: 'retry_due', step, task, attempt }]
      }
      case 'request_approval':
      case 'pin':
      case 'cancel_attempt':
      case 'start_step_timer':
      case 'finish_run':
        return []
      default:
        return effect satisfies never
    }
  })
}

/** Plays to the end, picking among possible reports by `pick`; answers each state on the way. */
function playOut(
  play: Play,
  pick: (choices: number) => number,
  result: (attempt: string) => AttemptResult,
): RunState[] {
  const states = [play.state]
  for (let round = 0; !play.ended; round++) {
    const choices = answers(play, result)
    assert.ok(choices.length > 0, `nothing can happen any more, and the run is still ${play.state.status}`)
    assert.ok(round < 1_000, 'the run does not end')
    const event = choices[pick(choices.length)]
    if (event !== undefined) play.send(event)
    states.push(play.state)
  }
  return states
}

const picks = fc.infiniteStream(fc.nat(1_000))
const picker = (stream: Iterator<number>) => (choices: number) => (stream.next().value ?? 0) % choices

/** The same attempt always ends the same way, so that two orders can be compared. */
const fateAmong = (possible: readonly AttemptResult[]) =>
  fc.nat().map((seed) => (attempt: string) => {
    let hash = seed
    for (const character of attempt) hash = (hash * 31 + character.charCodeAt(0)) >>> 0
    return possible[hash % possible.length] ?? 'success'
  })
const fate = fateAmong(results)
/** Which losses belong to one crash, and which of them is one too many, is a matter of order. */
const fateWithoutLoss = fateAmong(results.filter((result) => result !== 'lost'))

test('no task starts before its dependencies are complete', () => {
  fc.assert(
    fc.property(graphs, picks, fate, (graph, stream, result) => {
      const play = new Play(graph)
      for (const state of playOut(play, picker(stream), result)) assertOrder(graph, state)
    }),
    { numRuns: 150 },
  )
})

function assertOrder(graph: Graph, state: RunState): void {
  for (const [at, step] of graph.steps.entries()) {
    const stepState = state.steps[at]
    const begun = stepState?.tasks.some((task) => task.attempt > 0)
    for (const name of step.dependsOn) {
      const dependency = state.steps.find((one) => one.name === name)
      if (begun) assert.ok(dependency && isTerminalStep(dependency.status) && !dependency.blocks)
    }
    for (const [taskAt, task] of step.tasks.entries()) {
      if ((stepState?.tasks[taskAt]?.attempt ?? 0) === 0) continue
      for (const name of task.dependsOn) {
        const dependency = stepState?.tasks.find((one) => one.name === name)
        assert.ok(dependency && isTerminalTask(dependency.status) && !dependency.blocks)
      }
    }
  }
}

test('every run ends with all of it complete, and asks once for its end', () => {
  fc.assert(
    fc.property(graphs, picks, fate, (graph, stream, result) => {
      const play = new Play(graph)
      playOut(play, picker(stream), result)
      for (const step of play.state.steps) {
        assert.ok(isTerminalStep(step.status), `${step.name} is ${step.status}`)
        for (const task of step.tasks) assert.ok(isTerminalTask(task.status), `${task.name} is ${task.status}`)
      }
      assert.equal(play.effects.filter((effect) => effect.type === 'finish_run').length, 1)
    }),
    { numRuns: 150 },
  )
})

test('the final state does not depend on the order of independent completions', () => {
  fc.assert(
    fc.property(graphs, picks, picks, fateWithoutLoss, (graph, one, other, result) => {
      const first = new Play(graph)
      const second = new Play(graph)
      playOut(first, picker(one), result)
      playOut(second, picker(other), result)
      assert.deepEqual(first.state, second.state)
    }),
    { numRuns: 150 },
  )
})

const anyEvent = fc
  .record({
    step: fc.nat(6),
    task: fc.nat(5),
    attempt: fc.nat(4),
    result: fc.constantFrom(...results),
    kind: fc.nat(11),
  })
  .map(({ step, task, attempt, result, kind }): RunEvent => {
    const key = { step: `s${step}`, task: `t${task}`, attempt }
    if (kind === 0) return { type: 'cancel_requested', reason: 'enough' }
    if (kind === 1) return { type: 'run_timed_out' }
    if (kind === 2) return { type: 'step_timed_out', step: key.step }
    if (kind === 3) return { type: 'retry_due', ...key }
    if (kind < 8) return { type: 'task_started', ...key }
    return { type: 'task_finished', ...key, result, reason: '' }
  })

test('whatever is reported: a repeated event changes nothing, what is complete stays so, and the run can still end', () => {
  fc.assert(
    fc.property(graphs, fc.array(anyEvent, { maxLength: 60 }), picks, fate, (graph, events, stream, result) => {
      const play = new Play(graph)
      for (const event of events) {
        const before = play.state
        play.send(event)
        assertTerminalStays(before, play.state)
        const again = advance(graph, play.state, event, noContext)
        // A started attempt that fails and is retried at once has another number: the report is stale either way.
        assert.deepEqual([again.state, again.effects], [play.state, [] satisfies Effect[]])
      }
      playOut(play, picker(stream), result)
      const last = play.state
      for (const event of events) play.send(event)
      assert.equal(play.state, last)
    }),
    { numRuns: 200 },
  )
})

function assertTerminalStays(before: RunState, after: RunState): void {
  if (isTerminalRun(before.status)) assert.deepEqual(after, before)
  for (const [at, step] of before.steps.entries()) {
    if (isTerminalStep(step.status)) assert.equal(after.steps[at]?.status, step.status)
    for (const [taskAt, task] of step.tasks.entries()) {
      if (isTerminalTask(task.status)) assert.deepEqual(after.steps[at]?.tasks[taskAt], task)
    }
  }
}
