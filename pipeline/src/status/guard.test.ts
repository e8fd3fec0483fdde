import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { advance } from './engine.ts'
import { aGraph, anApproval, aStep, aTask, noContext, Play } from './testing/index.ts'
import type { GuardPlace, GuardVerdict } from './transition.ts'

const fine: GuardVerdict = { pins: [], violation: null }

function guarded(judge: (place: string) => GuardVerdict) {
  const asked: string[] = []
  const guard = ({ step, task }: GuardPlace) => {
    const place = task === null ? step.name : `${step.name}/${task.name}`
    asked.push(place)
    return judge(place)
  }
  return { asked, context: { ...noContext, guard } }
}

describe('the guard', () => {
  test('is asked when a step begins and before the first attempt of each task, in no other case', () => {
    const { asked, context } = guarded(() => fine)
    const retry = { attempts: 2, backoffMs: 0, exitCodes: null }
    const tasks = [aTask('a', { retry }), aTask('b', { dependsOn: ['a'] }), aTask('c', { condition: 'false' })]
    const play = new Play(
      aGraph(
        aStep('one', { tasks }),
        anApproval('two', { dependsOn: ['one'] }),
        aStep('never', { condition: 'false' }),
      ),
      context,
    )
    assert.deepEqual(asked, ['one', 'one/a'])
    play.run('one/a', 'failure')
    play.run('one/a')
    play.run('one/b')
    play.decide('two', 'approved')
    assert.deepEqual(asked, ['one', 'one/a', 'one/b', 'two', 'two/approval'])
    assert.equal(play.state.status, 'success')
  })

  test('what it looked at is pinned to the place, also where it forbids it', () => {
    const { context } = guarded((place) =>
      place === 'b/work'
        ? { pins: ['r3'], violation: 'policy x: no' }
        : { pins: place === 'b' ? ['r1', 'r2'] : [], violation: null },
    )
    const play = new Play(aGraph(aStep('a'), aStep('b', { dependsOn: ['a'] })), context)
    const effects = play.run('a/work')
    assert.deepEqual(effects, [
      { type: 'pin', step: 'b', task: null, revisions: ['r1', 'r2'] },
      { type: 'pin', step: 'b', task: 'work', revisions: ['r3'] },
      { type: 'finish_run', status: 'failure' },
    ])
    assert.deepEqual(play.statuses, ['failure', 'success', 'failure'])
    assert.equal(play.step('b').reason, 'task work failed: policy x: no')
  })

  test('a step that may not begin fails as a whole, and ends the run with that sentence', () => {
    const { context } = guarded((place) => ({ pins: [], violation: place === 'b' ? 'policy x: no' : null }))
    const play = new Play(
      aGraph(
        aStep('run'),
        aStep('b', { dependsOn: ['a'], ignoreFailure: true }),
        aStep('a'),
        aStep('c', { dependsOn: ['b'], when: 'always' }),
      ),
      context,
    )
    play.send({ type: 'task_started', step: 'run', task: 'work', attempt: 1 })
    const effects = play.run('a/work')
    assert.deepEqual(effects, [
      { type: 'cancel_attempt', step: 'run', task: 'work', attempt: 1, reason: 'policy x: no' },
    ])
    assert.deepEqual(play.statuses, ['running', 'running', 'failure', 'success', 'canceled'])
    assert.deepEqual([play.task('b/work').status, play.step('b').reason], ['canceled', 'policy x: no'])
    play.send({ type: 'task_finished', step: 'run', task: 'work', attempt: 1, result: 'canceled', reason: '' })
    assert.deepEqual([play.state.status, play.state.reason], ['failure', 'policy x: no'])
    assert.equal(play.task('run/work').status, 'canceled')
  })

  test('that forbids one of several that begin together starts none of the rest', () => {
    const { context } = guarded((place) => ({ pins: [], violation: place === 'b' ? 'policy x: no' : null }))
    const play = new Play(aGraph(aStep('a'), aStep('b'), aStep('c')), context)
    assert.deepEqual(play.statuses, ['failure', 'canceled', 'failure', 'canceled'])
  })

  test('that cannot judge leaves the state as it was', () => {
    const { context } = guarded((place) => {
      if (place === 'b') throw new Error('the rules are stale')
      return fine
    })
    const play = new Play(aGraph(aStep('a'), aStep('b', { dependsOn: ['a'] })), context)
    play.send({ type: 'task_started', step: 'a', task: 'work', attempt: 1 })
    const before = structuredClone(play.state)
    const event = { type: 'task_finished', step: 'a', task: 'work', attempt: 1, result: 'success', reason: '' } as const
    assert.throws(() => advance(play.graph, play.state, event, context), /the rules are stale/)
    assert.deepEqual(play.state, before)
  })
})
