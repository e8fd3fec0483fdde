import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outstandingEffects } from './outstanding.ts'
import { aGraph, aStep, aTask, Play } from './testing/index.ts'

test('a state tells every effect that was not acted on', () => {
  const retry = { attempts: 3, backoffMs: 1_000, exitCodes: null }
  const tasks = [aTask('r', { retry }), aTask('run'), aTask('next', { dependsOn: ['run'] })]
  const play = new Play(aGraph(aStep('a', { timeoutMs: 9_000, tasks }), aStep('b'), aStep('c', { dependsOn: ['a'] })))
  assert.deepEqual(outstandingEffects(play.graph, play.state), play.effects)
  const told = [
    ...play.run('a/r', 'failure'),
    ...play.send({ type: 'task_started', step: 'a', task: 'run', attempt: 1 }),
  ]
  assert.deepEqual(outstandingEffects(play.graph, play.state), [
    ...told,
    { type: 'start_attempt', step: 'b', task: 'work', attempt: 1 },
  ])
})

test('also while the run is being ended, and when it is over', () => {
  const play = new Play(aGraph(aStep('a'), aStep('b')))
  play.send({ type: 'task_started', step: 'a', task: 'work', attempt: 1 })
  play.send({ type: 'cancel_requested', reason: 'enough' })
  assert.deepEqual(outstandingEffects(play.graph, play.state), [
    { type: 'cancel_attempt', step: 'a', task: 'work', attempt: 1, reason: 'enough' },
  ])
  play.send({ type: 'task_finished', step: 'a', task: 'work', attempt: 1, result: 'canceled', reason: '' })
  assert.deepEqual(outstandingEffects(play.graph, play.state), [{ type: 'finish_run', status: 'canceled' }])
})
