import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { outstandingEffects } from './outstanding.ts'
import { aGraph, anApproval, aStep, aTask, noContext, Play } from './testing/index.ts'

/** One test for each row of the table of run states that the service promises. */
describe('a run', () => {
  test('that a cause brings about is queued, and tells what it wants to be given to a runner', () => {
    const play = new Play(aGraph(aStep('build')))
    assert.equal(play.state.status, 'queued')
    assert.deepEqual(play.effects, [{ type: 'start_attempt', step: 'build', task: 'work', attempt: 1 }])
  })

  test('that no runner takes stays queued, whatever else is reported', () => {
    const play = new Play(aGraph(aStep('build', { timeoutMs: 5 })))
    play.send({ type: 'step_timed_out', step: 'build' })
    play.send({ type: 'retry_due', step: 'build', task: 'work', attempt: 1 })
    assert.deepEqual(play.statuses, ['queued', 'ready'])
    assert.deepEqual(outstandingEffects(play.graph, play.state), play.effects)
  })

  test('whose steps are all complete without failure is a success', () => {
    const play = new Play(aGraph(aStep('build'), aStep('deploy', { dependsOn: ['build'] })))
    play.run('build/work')
    play.run('deploy/work')
    assert.deepEqual(play.statuses, ['success', 'success', 'success'])
  })

  test('of which a step fails is a failure', () => {
    const play = new Play(aGraph(aStep('build'), aStep('lint')))
    play.run('build/work', 'failure')
    play.run('lint/work')
    assert.deepEqual(play.statuses, ['failure', 'failure', 'success'])
  })

  test('of which a step that ignores failures fails is a warning, and the task is recorded as such', () => {
    const play = new Play(aGraph(aStep('scan', { ignoreFailure: true }), aStep('build')))
    play.run('scan/work', 'failure')
    play.run('build/work')
    assert.deepEqual(play.statuses, ['warning', 'warning', 'success'])
    assert.equal(play.task('scan/work').status, 'failure (ignored)')
  })

  test('whose approval nobody gives in time is timed out', () => {
    const play = new Play(
      aGraph(anApproval('release', { ignoreFailure: true }), aStep('ship', { dependsOn: ['release'] })),
    )
    play.send({ type: 'approval_timed_out', step: 'release' })
    assert.deepEqual(play.statuses, ['timed_out', 'timed_out', 'canceled'])
    assert.equal(play.state.reason, 'nobody approved step release in time')
  })

  test('that is over its time is timed out', () => {
    const play = new Play(aGraph(aStep('build'), aStep('ship', { dependsOn: ['build'] })))
    play.send({ type: 'run_timed_out' })
    assert.deepEqual(play.statuses, ['timed_out', 'canceled', 'canceled'])
  })

  test('that is canceled is canceled', () => {
    const play = new Play(aGraph(aStep('build')))
    play.send({ type: 'cancel_requested', reason: 'canceled by ada' })
    assert.deepEqual(play.statuses, ['canceled', 'canceled'])
  })

  test('in a scope of an emergency is canceled, and what was pinned stays pinned', () => {
    const guard = () => ({ pins: ['p1'], violation: null })
    const play = new Play(aGraph(aStep('build')), { ...noContext, guard })
    const pins = play.effects.filter((effect) => effect.type === 'pin')
    play.send({ type: 'cancel_requested', reason: 'emergency in acme/web: stop everything' })
    assert.deepEqual([play.state.status, play.state.reason], ['canceled', 'emergency in acme/web: stop everything'])
    assert.deepEqual(
      play.effects.filter((effect) => effect.type === 'pin'),
      pins,
    )
  })

  const ignoring = { ignoreFailure: true, tasks: [aTask('work', { ignoreFailure: true })] }

  test('whose approval is refused fails, whatever ignores failures', () => {
    const play = new Play(
      aGraph(
        anApproval('release', { ignoreFailure: true }),
        aStep('docs', ignoring),
        aStep('ship', { dependsOn: ['release'] }),
      ),
    )
    play.send({ type: 'task_started', step: 'docs', task: 'work', attempt: 1 })
    const effects = play.decide('release', 'rejected', { reason: 'refused by ada: not today' })
    assert.deepEqual(
      effects.map((effect) => effect.type),
      ['cancel_attempt'],
    )
    play.send({ type: 'task_finished', step: 'docs', task: 'work', attempt: 1, result: 'canceled', reason: '' })
    assert.deepEqual(play.statuses, ['failure', 'failure', 'canceled', 'canceled'])
    assert.equal(play.task('release/approval').status, 'failure')
    assert.equal(play.state.reason, 'refused by ada: not today')
  })

  test('that violates a rule fails, whatever ignores failures', () => {
    const violation = 'policy no-latest: the image has no tag'
    const guard = ({ task }: { task: unknown }) => ({ pins: ['p1'], violation: task === null ? null : violation })
    const play = new Play(aGraph(aStep('build', ignoring)), { ...noContext, guard })
    assert.deepEqual(play.statuses, ['failure', 'failure'])
    assert.deepEqual([play.task('build/work').status, play.state.reason], ['failure', violation])
  })

  test('that violates a rule outside of the graph fails, whatever ignores failures', () => {
    const play = new Play(aGraph(aStep('build', ignoring)))
    play.send({ type: 'failed_closed', reason: 'guardrail budget: spent' })
    assert.deepEqual(play.statuses, ['failure', 'canceled'])
    assert.equal(play.state.reason, 'guardrail budget: spent')
  })

  test('that comes to an approval is paused, holds no attempt, and knows after a restart what it waits for', () => {
    const play = new Play(
      aGraph(
        aStep('build'),
        anApproval('release', { dependsOn: ['build'] }),
        aStep('ship', { dependsOn: ['release'] }),
      ),
    )
    play.run('build/work')
    assert.deepEqual(play.statuses, ['paused', 'success', 'paused', 'pending'])
    const stored = JSON.parse(JSON.stringify(play.state))
    assert.deepEqual(outstandingEffects(play.graph, stored), [
      { type: 'request_approval', step: 'release', task: 'approval' },
    ])
    play.decide('release', 'approved')
    assert.deepEqual(play.statuses, ['running', 'success', 'success', 'ready'])
  })
})
