import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunnerState } from '#rooms/catalog/runners'
import { laneText, readLane } from './lanes.ts'
import { hasBegun, holderFor } from './shared-workspace.ts'
import { whyStranded } from './stranded.ts'

const place = (begun: readonly string[], lastStatus: string) => ({
  runId: 'r',
  step: 's',
  runnerId: 'box',
  lastAttemptId: 'last',
  lastStatus,
  begun,
})

describe('the runner of a shared workspace', () => {
  test('is any for the first task, and after that the one where it ran', () => {
    assert.equal(holderFor(undefined, 'install'), null)
    assert.equal(holderFor(place(['install'], 'success'), 'test'), 'box')
    assert.equal(holderFor(place(['install'], 'failure'), 'install'), 'box', 'a retry')
  })

  test('is any again for a first task that was lost, but not for a later one', () => {
    assert.equal(holderFor(place(['install'], 'lost'), 'install'), null)
    assert.equal(holderFor(place(['install'], 'leased'), 'install', 'lost'), null, 'not stored yet')
    assert.equal(holderFor(place(['install', 'test'], 'lost'), 'test'), 'box')
  })

  test('has files of earlier tasks once another one has begun there', () => {
    assert.deepEqual(
      [hasBegun(undefined, 'a'), hasBegun(place(['a'], 'failure'), 'a'), hasBegun(place(['a'], 'success'), 'b')],
      [false, false, true],
    )
  })

  test('is part of the lane, as the database writes it', () => {
    const lane = { executor: 'host' as const, labels: ['b', 'a'], runner: 'box' }
    const text = laneText('acme/web/test', lane)
    assert.equal(text, 'acme/web/test {"labels": ["a", "b"], "runner": "box", "executor": "host"}')
    assert.deepEqual(readLane(text), { scope: 'acme/web/test', ...lane, labels: ['a', 'b'] })
  })
})

describe('an attempt that waits for the runner of its workspace', () => {
  const lastSeenAt = new Date('2026-01-01T00:00:00Z')
  const runner: RunnerState = {
    id: 'box',
    name: 'ci-1',
    teamPath: '/',
    serves: () => true,
    executors: ['host'],
    labels: new Set(),
    enabled: true,
    draining: false,
    reachable: true,
    lastSeenAt,
    free: 0,
  }
  const yes = { eligible: ['box'], verdicts: [], reason: null }
  const later = new Date(lastSeenAt.getTime() + 1)
  const why = (changes: Partial<RunnerState>, lostBefore: Date | undefined = later) =>
    whyStranded('build', { ...runner, ...changes }, { lostBefore, able: () => yes })

  test('goes on waiting while that one is busy, disabled, or silent for a moment', () => {
    assert.equal(why({}), undefined)
    assert.equal(why({ enabled: false }), undefined)
    assert.equal(why({ reachable: false }, lastSeenAt), undefined)
    assert.equal(
      whyStranded('build', { ...runner, reachable: false }, { lostBefore: undefined, able: () => yes }),
      undefined,
      'the control plane itself could not hear',
    )
  })

  test('is told when that one was lost, drains, was removed, or can never take it', () => {
    assert.match(
      why({ reachable: false }) ?? '',
      /on runner ci-1, which was last heard of at 2026-01-01T00:00:00.000Z\./,
    )
    assert.match(why({ draining: true }) ?? '', /ci-1, which is draining/)
    const by = { lostBefore: later, able: () => yes }
    assert.match(whyStranded('build', undefined, by) ?? '', /on a runner that was removed\. .*artifacts/)
    const verdicts = [{ runnerId: 'box', runnerName: 'ci-1', verdict: 'The runner does not run tasks in containers.' }]
    const no = { lostBefore: later, able: () => ({ eligible: [], verdicts, reason: 'none' }) }
    assert.match(
      whyStranded('build', runner, no) ?? '',
      /cannot take this task: The runner does not run tasks in containers\. The files/,
    )
  })
})
