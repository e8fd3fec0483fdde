import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aGraph, anApproval, aStep, aTask, Play } from './testing/index.ts'

const release = anApproval('release')
const ship = aStep('ship', { dependsOn: ['release'] })

describe('an approval', () => {
  test('asks once, and pauses the run only when nothing else moves it', () => {
    const retry = { attempts: 2, backoffMs: 1_000, exitCodes: null }
    const play = new Play(aGraph(release, aStep('test', { tasks: [aTask('unit', { retry })] })))
    assert.deepEqual(play.effects[0]?.type, 'request_approval')
    assert.equal(play.state.status, 'queued', 'a ready task waits for a runner')
    play.run('test/unit', 'failure')
    assert.equal(play.state.status, 'running', 'a task waits for its next attempt')
    play.send({ type: 'retry_due', step: 'test', task: 'unit', attempt: 2 })
    assert.equal(play.state.status, 'running')
    play.run('test/unit')
    assert.equal(play.state.status, 'paused')
    assert.equal(play.effects.filter((effect) => effect.type === 'request_approval').length, 1)
  })

  test('pauses until the last of several is given', () => {
    const play = new Play(aGraph(anApproval('one'), anApproval('two'), aStep('ship', { dependsOn: ['one', 'two'] })))
    assert.equal(play.state.status, 'paused')
    play.decide('one', 'approved')
    assert.equal(play.state.status, 'paused')
    play.decide('two', 'approved')
    assert.deepEqual(play.statuses, ['running', 'success', 'success', 'ready'])
  })

  test('hands on what was filled in, and only that', () => {
    const condition = 'steps.release.tasks.approval.outputs.version == "2"'
    const play = new Play(aGraph(release, aStep('ship', { dependsOn: ['release'], condition })))
    play.decide('release', 'approved', {
      reason: 'approved by ada',
      outputs: { version: '2', decided_by: 'ada', other: 'x' },
    })
    const { outputs, reason } = play.task('release/approval')
    assert.deepEqual(outputs, {
      version: { value: '2', sensitive: false },
      decided_by: { value: 'ada', sensitive: false },
    })
    assert.equal(reason, 'approved by ada')
    assert.equal(play.step('ship').status, 'ready')
  })

  test('is decided once: what comes after, or before it is asked, changes nothing', () => {
    const play = new Play(aGraph(aStep('build'), anApproval('release', { dependsOn: ['build'] }), ship))
    const before = play.state
    play.decide('release', 'approved')
    play.decide('build', 'approved')
    play.decide('nowhere', 'rejected')
    assert.equal(play.state, before)
    play.run('build/work')
    play.decide('release', 'approved')
    const after = play.state
    play.decide('release', 'rejected')
    play.send({ type: 'approval_timed_out', step: 'release' })
    assert.equal(play.state, after)
  })

  test('is never asked where its condition is false, or what it depends on failed', () => {
    const play = new Play(
      aGraph(
        anApproval('never', { condition: 'false' }),
        aStep('build'),
        anApproval('release', { dependsOn: ['build'] }),
      ),
    )
    play.run('build/work', 'failure')
    assert.deepEqual(play.statuses, ['failure', 'skipped', 'failure', 'skipped'])
    assert.ok(!play.effects.some((effect) => effect.type === 'request_approval'))
  })

  test('is withdrawn by a cancel, which has no attempt to end', () => {
    const play = new Play(aGraph(release, ship))
    assert.deepEqual(play.send({ type: 'cancel_requested', reason: 'enough' }), [
      { type: 'finish_run', status: 'canceled' },
    ])
    assert.deepEqual(play.statuses, ['canceled', 'canceled', 'canceled'])
  })

  test('a refusal ends what runs and what waits; a step for every case does not start any more', () => {
    const play = new Play(
      aGraph(release, aStep('docs'), aStep('clean', { dependsOn: ['release'], when: 'always' }), anApproval('other')),
    )
    play.send({ type: 'task_started', step: 'docs', task: 'work', attempt: 1 })
    play.decide('release', 'rejected')
    assert.deepEqual(play.statuses, ['running', 'failure', 'running', 'canceled', 'canceled'])
    assert.equal(play.state.ending?.reason, 'step release was rejected')
    play.run('docs/work', 'success')
    assert.equal(play.state.status, 'failure')
  })
})
