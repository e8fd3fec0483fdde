import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aRunnerState } from '../testing.ts'
import { judge, type RunnerNeed, type RunnerState } from './judge-runners.ts'

const scope = 'acme/web/production'
const plain: RunnerNeed = { scope, requirement: { executor: 'host', labels: [] } }
const reasonFor = (runners: readonly RunnerState[], need = plain): string | null => judge(need, runners).reason

describe('why no runner takes it', () => {
  test('nobody serves the scope', () => {
    assert.equal(reasonFor([]), 'No runner serves the scope acme/web/production.')
    assert.equal(reasonFor([aRunnerState({ serves: () => false })]), 'No runner serves the scope acme/web/production.')
  })

  test('a runner of another team serves nothing here, whatever its patterns say, and is not shown', () => {
    const judgement = judge(plain, [aRunnerState({ teamPath: 'other' }), aRunnerState({ teamPath: 'acme/we' })])
    assert.equal(judgement.reason, 'No runner serves the scope acme/web/production.')
    assert.deepEqual(judgement.verdicts, [])
  })

  test('nobody has the executor or the labels', () => {
    const container: RunnerNeed = { scope, requirement: { executor: 'container', labels: [] } }
    const gpu: RunnerNeed = { scope, requirement: { executor: 'host', labels: ['arm64', 'gpu'] } }
    assert.equal(
      reasonFor([aRunnerState()], container),
      'No runner that serves the scope acme/web/production can run tasks in containers.',
    )
    assert.equal(
      reasonFor([aRunnerState({ labels: new Set(['gpu']) })], gpu),
      'No runner that serves the scope acme/web/production has the labels arm64, gpu.',
    )
  })

  test('those that could are in no state to', () => {
    const subject = 'The only runner that serves the scope acme/web/production, box,'
    assert.equal(reasonFor([aRunnerState({ enabled: false })]), `${subject} is disabled.`)
    assert.equal(reasonFor([aRunnerState({ draining: true })]), `${subject} is draining.`)
    assert.equal(reasonFor([aRunnerState({ draining: true, reachable: false })]), `${subject} is drained.`)
    assert.equal(reasonFor([aRunnerState({ free: 0 })]), `${subject} has no free slot.`)
    assert.equal(reasonFor([aRunnerState({ reachable: false, lastSeenAt: null })]), `${subject} has never connected.`)
    assert.equal(
      reasonFor([aRunnerState({ reachable: false })]),
      `${subject} is unreachable since 2026-11-21T09:00:00.000Z.`,
    )
  })

  test('several of them, and some that fell out before', () => {
    assert.equal(
      reasonFor([aRunnerState({ free: 0 }), aRunnerState({ free: 0 })]),
      'The 2 runners that serve the scope acme/web/production have no free slot.',
    )
    assert.equal(
      reasonFor([aRunnerState({ enabled: false }), aRunnerState({ name: 'b2', free: 0 })]),
      'The only enabled runner that serves the scope acme/web/production, b2, has no free slot.',
    )
  })

  test('runner by runner, in order of name', () => {
    const judgement = judge(plain, [
      aRunnerState({ name: 'd', serves: () => false }),
      aRunnerState({ name: 'c', enabled: false }),
      aRunnerState({ name: 'b', free: 0 }),
      aRunnerState({ name: 'a' }),
    ])
    assert.deepEqual(
      judgement.verdicts.map(({ runnerName, verdict }) => [runnerName, verdict]),
      [
        ['a', 'The runner can take this work now.'],
        ['b', 'The runner has no free slot.'],
        ['c', 'The runner is disabled.'],
        ['d', 'The runner does not serve the scope acme/web/production.'],
      ],
    )
  })
})

test('the least special runner comes first, then the emptiest', () => {
  const [gpu, busy, idle] = [
    aRunnerState({ labels: new Set(['gpu']), free: 9 }),
    aRunnerState({ free: 1 }),
    aRunnerState({ free: 2 }),
  ]
  assert.deepEqual(judge(plain, [gpu, busy, idle]).eligible, [idle.id, busy.id, gpu.id])
})

const labels = fc.subarray(['gpu', 'arm64', 'big'])
const states = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c'),
    teamPath: fc.constantFrom('/', 'acme', 'acme/web', 'other'),
    fits: fc.boolean(),
    executors: fc.subarray(['host', 'container']),
    labels,
    enabled: fc.boolean(),
    draining: fc.boolean(),
    reachable: fc.boolean(),
    lastSeenAt: fc.option(fc.constant(new Date(0)), { nil: null }),
    free: fc.integer({ min: -1, max: 3 }),
  })
  .map(({ fits, labels: held, ...state }) => aRunnerState({ ...state, labels: new Set(held), serves: () => fits }))
const needs = fc
  .record({ executor: fc.constantFrom('host' as const, 'container' as const), labels })
  .map((requirement): RunnerNeed => ({ scope, requirement }))

function canTake(runner: RunnerState, need: RunnerNeed): boolean {
  return (
    runner.teamPath !== 'other' &&
    runner.serves(need.scope) &&
    runner.executors.includes(need.requirement.executor) &&
    need.requirement.labels.every((label) => runner.labels.has(label)) &&
    runner.enabled &&
    !runner.draining &&
    runner.reachable &&
    runner.free > 0
  )
}

describe('for every need and every set of runners', () => {
  const anything = [needs, fc.array(states, { maxLength: 6 })] as const

  test('exactly those are eligible that meet every condition, and there is a reason if and only if none does', () => {
    fc.assert(
      fc.property(...anything, (need, runners) => {
        const { eligible, reason, verdicts } = judge(need, runners)
        const able = runners.filter((runner) => canTake(runner, need)).map((runner) => runner.id)
        assert.deepEqual([...eligible].sort(), able.sort())
        assert.equal(reason === null, able.length > 0)
        const takers = verdicts.filter(({ verdict }) => verdict === 'The runner can take this work now.')
        assert.deepEqual(takers.map(({ runnerId }) => runnerId).sort(), able.sort())
      }),
    )
  })

  test('the reason is one sentence that names the scope', () => {
    fc.assert(
      fc.property(...anything, (need, runners) => {
        const { reason } = judge(need, runners)
        if (reason !== null) assert.match(reason, /^(No|The) .*acme\/web\/production.*\.$/)
        if (reason !== null) assert.equal(reason.match(/\.(\s|$)/g)?.length, 1)
      }),
    )
  })

  test('the order in which runners are listed changes nothing', () => {
    fc.assert(
      fc.property(...anything, (need, runners) => {
        assert.deepEqual(judge(need, runners), judge(need, runners.toReversed()))
      }),
    )
  })

  test('one runner more never takes a chance away', () => {
    fc.assert(
      fc.property(...anything, states, (need, runners, further) => {
        const before = judge(need, runners).eligible
        const after = new Set(judge(need, [...runners, further]).eligible)
        assert.ok(before.every((id) => after.has(id)))
      }),
    )
  })
})
