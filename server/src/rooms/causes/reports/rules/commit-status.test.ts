import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextOf, describeRun, nextTry, type ReportedRun, tellsInstead } from './commit-status.ts'

const at = (time: string) => new Date(`2026-11-21T${time}Z`)

function aRun(run: Partial<ReportedRun> = {}): ReportedRun {
  return { id: 'b', status: 'queued', withheld: null, startedAt: null, finishedAt: null, ...run }
}

describe('what a provider is told of a run', () => {
  const startedAt = at('10:00:00')
  const cases: readonly (readonly [Partial<ReportedRun>, string, string])[] = [
    [{}, 'pending', 'Waits for a runner.'],
    [{ withheld: 'fork_approval' }, 'pending', 'Waits until a member approves this commit.'],
    [{ withheld: 'group' }, 'pending', 'Waits for the runs before it.'],
    [{ status: 'running', startedAt }, 'running', 'Runs.'],
    [{ status: 'paused', startedAt }, 'running', 'Waits for an approval.'],
    [{ status: 'success', startedAt, finishedAt: at('10:00:07') }, 'success', 'Succeeded after 7 s.'],
    [
      { status: 'warning', startedAt, finishedAt: at('10:01:05') },
      'success',
      'Succeeded after 1 min 5 s, with failures that are ignored.',
    ],
    [{ status: 'failure', startedAt, finishedAt: at('11:02:59') }, 'failure', 'Failed after 1 h 2 min.'],
    [{ status: 'failure', finishedAt: at('11:02:59') }, 'failure', 'Failed.'],
    [{ status: 'timed_out', startedAt, finishedAt: at('10:00:00') }, 'failure', 'Ran out of time after 0 s.'],
    [{ status: 'canceled', finishedAt: at('10:00:00') }, 'canceled', 'Canceled.'],
  ]
  for (const [run, state, description] of cases) {
    test(`${JSON.stringify(run)}: ${state}`, () => {
      assert.deepEqual(describeRun(aRun(run)), { state, description })
    })
  }

  test('a status of a later version is not guessed at', () => {
    assert.throws(() => describeRun(aRun({ status: 'levitating' })), RangeError)
  })
})

describe('the name of a status', () => {
  test('is that of the pipeline and of the environment, whose team is named where it is another one', () => {
    const names = [
      ['acme/web/build', 'acme/web/staging', 'signalbox/acme/web/build (staging)'],
      ['acme/web/build', 'acme/web/production', 'signalbox/acme/web/build (production)'],
      ['acme/web/build', 'acme/production', 'signalbox/acme/web/build (acme/production)'],
      ['acme/web/build', 'acme/web/shop/production', 'signalbox/acme/web/build (acme/web/shop/production)'],
      ['acme/web/build', 'acme/webshop/production', 'signalbox/acme/web/build (acme/webshop/production)'],
    ] as const
    for (const [pipeline, scope, name] of names) assert.equal(contextOf({ pipeline, scope }), name)
  })
})

describe('of several runs that would tell of one status', () => {
  const instead = (id: string, status: string, other: string, otherStatus: string) =>
    tellsInstead({ id, status }, { id: other, status: otherStatus })

  test('the newer one does, whatever state they are in', () => {
    assert.equal(instead('b', 'queued', 'a', 'success'), true)
    assert.equal(instead('a', 'failure', 'b', 'queued'), false)
    assert.equal(instead('a', 'canceled', 'b', 'canceled'), false)
  })

  test('but a canceled one stands back', () => {
    assert.equal(instead('a', 'success', 'b', 'canceled'), true)
    assert.equal(instead('b', 'canceled', 'a', 'success'), false)
  })

  test('a run tells of itself, and in the place of one that is gone', () => {
    assert.equal(instead('a', 'canceled', 'a', 'canceled'), true)
    assert.equal(tellsInstead({ id: 'a', status: 'canceled' }, undefined), true)
  })
})

test('a report is tried again with growing pauses, and about an hour in all', () => {
  const since = at('10:00:00')
  const tries: number[] = []
  for (let next = nextTry(since, since); next; next = nextTry(since, next)) {
    tries.push((next.getTime() - since.getTime()) / 1000)
  }
  assert.deepEqual(tries, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2180, 3080])
})
