import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Graph } from '../graph/index.ts'
import { afterFailures } from './after-failure.ts'
import { advance, advanceAll, startRun } from './engine.ts'
import { outstandingEffects } from './outstanding.ts'
import {
  isActiveTask,
  isTerminalRun,
  isTerminalStep,
  isTerminalTask,
  type RunState,
  type RunStatus,
  type StepStatus,
  type TaskState,
  type TaskStatus,
} from './state.ts'
import { noContext, Play } from './testing/index.ts'
import {
  answers,
  anyEvent,
  fate,
  graphs,
  graphsWithoutApprovals,
  picks,
  playOut,
  results,
} from './testing/random-runs.ts'
import type { Effect, RunEvent } from './transition.ts'

test('no task starts before its dependencies are complete, and none after a failure that it must not follow', () => {
  fc.assert(
    fc.property(graphs, picks, fate, (graph, pick, of) => {
      for (const state of playOut(new Play(graph), pick, of)) assertOrder(graph, state)
    }),
    { numRuns: 150 },
  )
})

function assertOrder(graph: Graph, state: RunState): void {
  for (const [at, step] of graph.steps.entries()) {
    const stepState = state.steps[at]
    const begun = stepState?.tasks.some((task) => task.attempt > 0 || task.status === 'paused')
    for (const name of step.dependsOn) {
      const dependency = state.steps.find((one) => one.name === name)
      if (!begun) continue
      assert.ok(dependency && isTerminalStep(dependency.status))
      if (step.when === 'success') assert.ok(!dependency.blocks)
    }
    if (begun && step.when === 'failure') assert.ok(failedBefore(graph, state, at), `${step.name} follows no failure`)
    for (const [taskAt, task] of step.tasks.entries()) {
      if ((stepState?.tasks[taskAt]?.attempt ?? 0) === 0) continue
      for (const name of task.dependsOn) {
        const dependency = stepState?.tasks.find((one) => one.name === name)
        assert.ok(dependency && isTerminalTask(dependency.status) && !dependency.blocks)
      }
    }
  }
}

/** Walks all the way up each time: slow, and so plainly right. */
function failedBefore(graph: Graph, state: RunState, at: number): boolean {
  return (graph.steps[at]?.dependsOn ?? []).some((name) => {
    const above = graph.steps.findIndex((step) => step.name === name)
    const status = state.steps[above]?.status
    return status === 'failure' || status === 'timed_out' || failedBefore(graph, state, above)
  })
}

test('what is kept of counts and failures is what a look at the whole state says', () => {
  fc.assert(
    fc.property(graphs, picks, fate, (graph, pick, of) => {
      for (const state of playOut(new Play(graph), pick, of)) {
        const tasks = state.steps.flatMap((step) => step.tasks)
        const waiting = tasks.filter((task) => task.status === 'paused').length
        const active = tasks.filter(isActiveTask).length
        assert.deepEqual([state.waiting, state.active], [waiting, active])
        assert.equal(state.status === 'paused', waiting > 0 && active === 0)
        const statuses = state.steps.map((step) => step.status)
        assert.deepEqual(
          afterFailures(graph, statuses),
          state.steps.map((step) => step.afterFailure),
        )
        for (const [at, step] of state.steps.entries()) {
          if (step.waitsFor > 0 || !isTerminalStep(step.status)) continue
          assert.equal(step.afterFailure, failedBefore(graph, state, at), step.name)
        }
      }
    }),
    { numRuns: 150 },
  )
})

test('every run ends with all of it complete, and asks once for its end', () => {
  fc.assert(
    fc.property(graphs, picks, fate, (graph, pick, of) => {
      const play = new Play(graph)
      playOut(play, pick, of)
      for (const step of play.state.steps) {
        assert.ok(isTerminalStep(step.status), `${step.name} is ${step.status}`)
        for (const task of step.tasks) assert.ok(isTerminalTask(task.status), `${task.name} is ${task.status}`)
      }
      assert.equal(play.effects.filter((effect) => effect.type === 'finish_run').length, 1)
    }),
    { numRuns: 150 },
  )
})

test('a run that is known only by its state ends too: what is outstanding is all that is needed', () => {
  fc.assert(
    fc.property(graphs, fc.array(anyEvent, { maxLength: 30 }), picks, fate, (graph, events, pick, of) => {
      const play = new Play(graph)
      for (const event of events) play.send(event)
      for (let round = 0; !play.ended; round++) {
        // A process that forgets everything after each event; what runs is known to the runners.
        play.effects = [...outstandingEffects(graph, play.state), ...inHand(play.state)]
        const before = play.state
        const choices = answers(play, of)
        const event = choices[pick(choices.length)]
        assert.ok(event, `nothing is outstanding, and the run is still ${play.state.status}`)
        play.send(event)
        assert.notEqual(play.state, before)
        assert.ok(round < 1_000)
      }
    }),
    { numRuns: 100 },
  )
})

function inHand(state: RunState): Effect[] {
  return state.steps.flatMap((step) =>
    step.tasks
      .filter((task) => task.status === 'running')
      .map((task) => ({ type: 'start_attempt', step: step.name, task: task.name, attempt: task.attempt }) as const),
  )
}

test('the final state does not depend on the order of independent completions', () => {
  // The order decides which losses belong to one crash, and what an ending finds still open.
  const possible = results.filter((result) => result !== 'lost')
  fc.assert(
    fc.property(graphsWithoutApprovals, picks, picks, fate, (graph, one, other, of) => {
      const first = new Play(graph)
      const second = new Play(graph)
      playOut(first, one, of, possible)
      playOut(second, other, of, possible)
      assert.deepEqual(first.state, second.state)
    }),
    { numRuns: 150 },
  )
})

test('whatever is reported: a repeated event changes nothing, and the run can still end', () => {
  fc.assert(
    fc.property(graphs, fc.array(anyEvent, { maxLength: 60 }), picks, fate, (graph, events, pick, of) => {
      const play = new Play(graph)
      for (const event of events) {
        play.send(event)
        const again = advance(graph, play.state, event, noContext)
        // A started attempt that fails and is retried at once has another number: the report is stale either way.
        assert.deepEqual([again.state, again.effects], [play.state, [] satisfies Effect[]])
      }
      playOut(play, pick, of)
      const last = play.state
      for (const event of events) play.send(event)
      assert.equal(play.state, last)
    }),
    { numRuns: 200 },
  )
})

const open = ['pending', 'ready', 'running', 'paused'] as const
const taskEnds = ['success', 'failure', 'failure (ignored)', 'skipped', 'canceled', 'timed_out'] as const
/** A step may begin and end within one event; what is complete has no next. */
const nextOfTask: Partial<Record<TaskStatus, readonly TaskStatus[]>> = {
  pending: [...open, ...taskEnds],
  ready: ['running', 'pending', ...taskEnds],
  running: ['ready', 'pending', ...taskEnds],
  paused: ['success', 'failure', 'canceled', 'timed_out'],
}
const nextOfStep: Partial<Record<StepStatus, readonly StepStatus[]>> = {
  pending: [...open, 'success', 'warning', 'skipped', 'failure', 'canceled', 'timed_out'],
  ready: ['running', 'paused', 'success', 'warning', 'failure', 'skipped', 'canceled', 'timed_out'],
  running: ['success', 'warning', 'failure', 'skipped', 'canceled', 'timed_out'],
  paused: ['success', 'failure', 'canceled', 'timed_out'],
}
const runEnds = ['success', 'failure', 'warning', 'timed_out', 'canceled'] as const
const nextOfRun: Partial<Record<RunStatus, readonly RunStatus[]>> = {
  queued: ['running', 'paused', ...runEnds],
  running: ['paused', ...runEnds],
  paused: ['running', ...runEnds],
}

test('only legal transitions happen, whatever is reported; what is complete never changes', () => {
  const event = fc.oneof({ weight: 1, arbitrary: anyEvent }, { weight: 3, arbitrary: fc.constant(undefined) })
  fc.assert(
    fc.property(graphs, fc.array(event, { maxLength: 60 }), picks, fate, (graph, events, pick, of) => {
      const play = new Play(graph)
      for (const given of events) {
        const before = play.state
        const next = given ?? answers(play, of).at(pick(7) % 3)
        if (next === undefined) continue
        play.send(next)
        assertLegal(before, play.state)
      }
    }),
    { numRuns: 200 },
  )
})

function assertLegal(before: RunState, after: RunState): void {
  if (isTerminalRun(before.status)) assert.equal(after, before)
  if (before.ending !== null) assert.equal(after.ending, before.ending, 'the first ending decides')
  assertNext(nextOfRun, before.status, after.status, 'run')
  for (const [at, step] of before.steps.entries()) {
    const stepAfter = after.steps[at]
    assert.ok(stepAfter)
    assertNext(nextOfStep, step.status, stepAfter.status, step.name)
    for (const [taskAt, task] of step.tasks.entries()) {
      const taskAfter: TaskState | undefined = stepAfter.tasks[taskAt]
      assert.ok(taskAfter)
      assertNext(nextOfTask, task.status, taskAfter.status, `${step.name}/${task.name}`)
      if (isTerminalTask(task.status)) assert.deepEqual(taskAfter, { ...task, waitsFor: taskAfter.waitsFor })
      assert.ok(taskAfter.attempt >= task.attempt && taskAfter.attempt <= task.attempt + 1)
    }
  }
}

function assertNext<Status extends string>(
  next: Partial<Record<Status, readonly Status[]>>,
  before: Status,
  after: Status,
  what: string,
): void {
  if (before === after) return
  assert.ok(next[before]?.includes(after), `${what} went from ${before} to ${after}`)
}

test('an ending wins, whatever else comes in the same moment or after it', () => {
  const ending = fc.constantFrom<[RunEvent, string]>(
    [{ type: 'cancel_requested', reason: 'x' }, 'canceled'],
    [{ type: 'run_timed_out' }, 'timed_out'],
    [{ type: 'failed_closed', reason: 'x' }, 'failure'],
  )
  fc.assert(
    fc.property(graphs, ending, fc.array(anyEvent), picks, fate, (graph, [event, status], events, pick, of) => {
      const play = new Play(graph)
      if (play.ended) return
      for (const each of [event, ...events]) play.send(each)
      const begun = play.state.steps.flatMap((step) => step.tasks.map((task) => task.attempt))
      playOut(play, pick, of)
      assert.equal(play.state.status, status)
      assert.deepEqual(
        play.state.steps.flatMap((step) => step.tasks.map((task) => task.attempt)),
        begun,
        'nothing is begun any more',
      )
    }),
    { numRuns: 150 },
  )
})

test('a recorded history gives the same states again, also after a state went through JSON, also in one piece', () => {
  fc.assert(
    fc.property(graphs, fc.array(anyEvent, { maxLength: 20 }), picks, fate, (graph, events, pick, of) => {
      const history: RunEvent[] = []
      const play = new Play(graph)
      const send = play.send.bind(play)
      play.send = (event) => {
        history.push(event)
        return send(event)
      }
      for (const event of events) play.send(event)
      playOut(play, pick, of)
      const first = startRun(graph, noContext)
      let stored: RunState = JSON.parse(JSON.stringify(first.state))
      const effects: Effect[] = [...first.effects]
      for (const event of history) {
        const next = advance(graph, stored, event, noContext)
        stored = JSON.parse(JSON.stringify(next.state))
        effects.push(...next.effects)
      }
      assert.deepEqual([stored, effects], [play.state, play.effects])
      const once = advanceAll(graph, first.state, history, noContext)
      assert.deepEqual([once.state, [...first.effects, ...once.effects]], [play.state, play.effects])
    }),
    { numRuns: 100 },
  )
})
