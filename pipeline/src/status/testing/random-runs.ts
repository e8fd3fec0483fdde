import assert from 'node:assert/strict'
import fc from 'fast-check'
import { APPROVAL_TASK, type Graph, type StepDefinition } from '../../graph/index.ts'
import { isTerminalTask, type RunState } from '../state.ts'
import type { AttemptResult, Effect, RunEvent } from '../transition.ts'
import { aGraph, anApproval, aStep, aTask } from './graphs.ts'
import type { Play } from './play.ts'

const condition = fc.constantFrom(null, null, null, 'true', 'false', 'event.x == 1')
const flag = fc.constantFrom(false, false, true)
const when = fc.constantFrom('success', 'success', 'success', 'always', 'failure')

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
            exitCodes: fc.constantFrom(null, null, [3]),
          }),
        })
        .map((given) => aTask(`t${at}`, given)),
    ),
  ),
)

function step(at: number, approvals: boolean): fc.Arbitrary<StepDefinition> {
  const common = fc.record({
    dependsOn: earlier(at, 's'),
    condition,
    ignoreFailure: flag,
    when,
    timeoutMs: fc.constantFrom(null, 9),
  })
  const withTasks = fc.tuple(common, tasks).map(([given, list]) => aStep(`s${at}`, { ...given, tasks: list }))
  if (!approvals) return withTasks
  const approval = common.map((given) => anApproval(`s${at}`, given))
  return fc.oneof({ weight: 3, arbitrary: withTasks }, { weight: 1, arbitrary: approval })
}

const graphsOf = (approvals: boolean): fc.Arbitrary<Graph> =>
  fc
    .integer({ min: 1, max: 6 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => step(at, approvals))))
    .map((steps) => aGraph(...steps))

/** Up to 6 steps of up to 5 tasks, in which something is likely to fail, to be ignored, to be skipped. */
export const graphs = graphsOf(true)
export const graphsWithoutApprovals = graphsOf(false)

export const results: readonly AttemptResult[] = [
  'success',
  'success',
  'success',
  'success',
  'failure',
  'timed_out',
  'canceled',
  'lost',
]

/** An attempt always ends in one way, so that two orders can be compared. */
export type Fate = (what: string) => number

export const fate: fc.Arbitrary<Fate> = fc.nat().map((seed) => (what: string) => {
  let hash = seed
  for (const character of what) hash = (hash * 31 + character.charCodeAt(0)) >>> 0
  return hash
})

/** The reports that may come next, given the effects that were asked for. */
export function answers(play: Play, of: Fate, possible: readonly AttemptResult[] = results): RunEvent[] {
  return play.effects.flatMap((effect) => answer(play, effect, of, possible) ?? [])
}

function answer(play: Play, effect: Effect, of: Fate, possible: readonly AttemptResult[]): RunEvent | undefined {
  switch (effect.type) {
    case 'start_attempt': {
      const { step: stepName, task, attempt } = effect
      const state = play.task(`${stepName}/${task}`)
      if (state.attempt !== attempt || isTerminalTask(state.status) || state.status === 'pending') return undefined
      const key = { step: stepName, task, attempt }
      if (state.status === 'ready') return { type: 'task_started', ...key }
      const number = of(`${stepName}/${task}/${attempt}`)
      const result = possible[number % possible.length] ?? 'success'
      const exitCode = result === 'failure' ? 1 + (number % 3) : undefined
      const handedBack = result === 'lost' && number % 16 > 7 ? { runnerLives: true, notBegun: true } : {}
      return { type: 'task_finished', ...key, result, reason: result, exitCode, ...handedBack }
    }
    case 'schedule_retry': {
      const { step: stepName, task, attempt } = effect
      const state = play.task(`${stepName}/${task}`)
      if (state.status !== 'pending' || state.attempt !== attempt - 1) return undefined
      return { type: 'retry_due', step: stepName, task, attempt }
    }
    case 'request_approval': {
      if (play.task(`${effect.step}/${APPROVAL_TASK}`).status !== 'paused') return undefined
      const number = of(effect.step) % 6
      if (number === 0) return { type: 'approval_timed_out', step: effect.step }
      const decision = number === 1 ? 'rejected' : 'approved'
      return { type: 'approval_decided', step: effect.step, decision, reason: decision, outputs: { version: '2' } }
    }
    case 'cancel_attempt':
    case 'start_step_timer':
    case 'pin':
    case 'finish_run':
      return undefined
    default:
      return effect satisfies never
  }
}

export type Pick = (choices: number) => number

export const picks: fc.Arbitrary<Pick> = fc
  .infiniteStream(fc.nat(1_000))
  .map((stream) => (choices) => (stream.next().value ?? 0) % choices)

/** Plays to the end, one report at a time; answers each state on the way. */
export function playOut(play: Play, pick: Pick, of: Fate, possible?: readonly AttemptResult[]): RunState[] {
  const states = [play.state]
  for (let round = 0; !play.ended; round++) {
    const choices = answers(play, of, possible)
    assert.ok(choices.length > 0, `nothing can happen any more, and the run is still ${play.state.status}`)
    assert.ok(round < 1_000, 'the run does not end')
    const event = choices[pick(choices.length)]
    if (event !== undefined) play.send(event)
    states.push(play.state)
  }
  return states
}

/** Anything at all, mostly stale. */
export const anyEvent: fc.Arbitrary<RunEvent> = fc
  .record({
    step: fc.nat(6),
    task: fc.nat(5),
    attempt: fc.nat(4),
    result: fc.constantFrom(...results),
    kind: fc.nat(24),
  })
  .map(({ step: stepAt, task, attempt, result, kind }): RunEvent => {
    const key = { step: `s${stepAt}`, task: `t${task}`, attempt }
    const { step: name } = key
    if (kind === 0) return { type: 'cancel_requested', reason: 'enough' }
    if (kind === 1) return { type: 'run_timed_out' }
    if (kind === 2) return { type: 'failed_closed', reason: 'forbidden' }
    if (kind === 3) return { type: 'step_timed_out', step: name }
    if (kind === 4) return { type: 'approval_timed_out', step: name }
    if (kind === 5) return { type: 'approval_decided', step: name, decision: 'rejected', reason: '', outputs: {} }
    if (kind < 9) return { type: 'approval_decided', step: name, decision: 'approved', reason: '', outputs: {} }
    if (kind < 12) return { type: 'retry_due', ...key }
    if (kind < 18) return { type: 'task_started', ...key }
    return { type: 'task_finished', ...key, result, reason: '' }
  })
