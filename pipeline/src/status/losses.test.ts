import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MOST_HANDED_BACK } from './attempts.ts'
import { advanceAll } from './engine.ts'
import { outstandingEffects } from './outstanding.ts'
import { aGraph, aStep, aTask, noContext, Play } from './testing/index.ts'
import type { TaskFinished } from './transition.ts'

const patient = { attempts: 9, backoffMs: 0, exitCodes: null }
const poison = 'stopped: it lost its runner 3 times'
const lost = (task: string, attempt: number): TaskFinished => ({
  type: 'task_finished',
  step: 'a',
  task,
  attempt,
  result: 'lost',
  reason: '',
})

describe('a run that loses its runners', () => {
  test('is not stopped for losses that its runners lived through, such as that of a container engine', () => {
    const play = new Play(aGraph(aStep('a', { tasks: [aTask('boxed', { retry: patient })] })))
    for (let attempt = 1; attempt < patient.attempts; attempt++) play.run('a/boxed', 'lost', { runnerLives: true })
    assert.equal(play.state.lostAttempts, 0)
    assert.equal(play.task('a/boxed').attempt, patient.attempts)
    play.run('a/boxed', 'lost', { runnerLives: true, reason: 'the engine did not answer' })
    assert.deepEqual([play.state.status, play.task('a/boxed').reason], ['failure', 'the engine did not answer'])
  })

  test('is stopped at the third, whatever may be tried again and whatever ignores failures', () => {
    const tasks = [aTask('kills', { retry: patient, ignoreFailure: true }), aTask('other')]
    const play = new Play(
      aGraph(aStep('a', { tasks, ignoreFailure: true }), aStep('b', { dependsOn: ['a'], when: 'always' })),
    )
    play.send({ type: 'task_started', step: 'a', task: 'other', attempt: 1 })
    play.run('a/kills', 'lost')
    play.run('a/kills', 'lost')
    assert.equal(play.state.lostAttempts, 2)
    play.run('a/kills', 'lost', { reason: 'runner r3 fell silent' })
    assert.deepEqual([play.task('a/kills').status, play.task('a/kills').reason], ['failure', 'runner r3 fell silent'])
    assert.deepEqual([play.state.ending?.reason, play.step('b').status], [poison, 'canceled'])
    play.send({ type: 'task_finished', step: 'a', task: 'other', attempt: 1, result: 'canceled', reason: '' })
    assert.deepEqual([...play.statuses, play.state.reason], ['failure', 'failure', 'canceled', poison])
  })

  test('one after the other by different tasks is stopped too', () => {
    const names = ['x', 'y', 'z']
    const tasks = names.map((name, at) => aTask(name, { idempotent: true, dependsOn: names.slice(0, at).slice(-1) }))
    const play = new Play(aGraph(aStep('a', { tasks })))
    for (const name of names) {
      play.run(`a/${name}`, 'lost')
      if (!play.ended) play.run(`a/${name}`)
    }
    assert.deepEqual([play.state.status, play.state.reason], ['failure', poison])
  })

  test('many at once by one crash counts one, in one report or in several', () => {
    const names = Array.from({ length: 8 }, (_, at) => `t${at}`)
    const graph = aGraph(aStep('a', { tasks: names.map((name) => aTask(name, { idempotent: true })) }))
    const events = names.map((name) => lost(name, 1))
    const play = new Play(graph)
    for (const event of events) play.send(event)
    assert.equal(play.state.lostAttempts, 1)
    assert.deepEqual(advanceAll(graph, new Play(graph).state, events, noContext).state, play.state)
    for (const name of names) play.run(`a/${name}`)
    assert.equal(play.state.status, 'success')
  })

  test('while it is being ended counts none', () => {
    const play = new Play(aGraph(aStep('a', { tasks: [aTask('t', { retry: patient })] })))
    play.run('a/t', 'lost')
    play.run('a/t', 'lost')
    play.send({ type: 'task_started', step: 'a', task: 't', attempt: 3 })
    play.send({ type: 'cancel_requested', reason: 'enough' })
    play.send(lost('t', 3))
    assert.deepEqual([play.state.status, play.state.reason, play.state.lostAttempts], ['canceled', 'enough', 2])
  })
})

describe('a task that a runner hands back before anything has begun', () => {
  const back = { runnerLives: true, notBegun: true, reason: 'the engine did not answer' }

  test('goes to another one at once, though it is not idempotent and has no retry, and that spends no try', () => {
    const play = new Play(aGraph(aStep('a', { tasks: [aTask('t', { retry: { ...patient, attempts: 2 } })] })))
    for (let time = 0; time < 5; time++) {
      play.send({ ...lost('t', time + 1), ...back })
      assert.deepEqual([play.task('a/t').status, play.task('a/t').attempt], ['ready', time + 2])
    }
    assert.match(
      play.task('a/t').reason ?? '',
      /attempt 5 had not begun and was handed back: the engine did not answer/,
    )
    play.run('a/t', 'failure')
    assert.equal(play.task('a/t').status, 'ready', 'both tries are left')
    play.run('a/t', 'failure')
    assert.deepEqual([play.state.status, play.state.lostAttempts], ['failure', 0])
  })

  test('waits as long after a failure as if it had not been', () => {
    const task = aTask('t', { retry: { attempts: 3, backoffMs: 1_000, exitCodes: null } })
    const graph = aGraph(aStep('a', { tasks: [task] }))
    const play = new Play(graph)
    play.send({ ...lost('t', 1), ...back })
    const failed = { ...lost('t', 2), result: 'failure' as const }
    const { effects, state } = advanceAll(graph, play.state, [failed], noContext)
    assert.deepEqual(effects, [{ type: 'schedule_retry', step: 'a', task: 't', attempt: 3, delayMs: 1_000 }])
    assert.deepEqual(outstandingEffects(graph, state), effects)
  })

  test('ends where its run is being ended', () => {
    const play = new Play(aGraph(aStep('a', { tasks: [aTask('t')] })))
    play.send({ type: 'task_started', step: 'a', task: 't', attempt: 1 })
    play.send({ type: 'cancel_requested', reason: 'enough' })
    play.send({ ...lost('t', 1), ...back })
    assert.equal(play.state.status, 'canceled')
  })

  test('is lost once that has happened too often', () => {
    const play = new Play(aGraph(aStep('a', { tasks: [aTask('t')] })))
    for (let attempt = 1; attempt <= MOST_HANDED_BACK; attempt++) play.send({ ...lost('t', attempt), ...back })
    assert.equal(play.task('a/t').status, 'ready')
    play.send({ ...lost('t', MOST_HANDED_BACK + 1), ...back })
    assert.deepEqual([play.state.status, play.task('a/t').reason], ['failure', 'the engine did not answer'])
  })
})

test('a lost task that may not run twice says what would have saved it; one that may does not', () => {
  const reasonOf = (given: Parameters<typeof aTask>[1], losses: number) => {
    const play = new Play(aGraph(aStep('a', { tasks: [aTask('t', given)] })))
    for (let attempt = 1; attempt <= losses; attempt++) play.send({ ...lost('t', attempt), runnerLives: true })
    return [play.task('a/t').status, play.task('a/t').reason]
  }
  const advice =
    '; it may have run in part, so it is not tried again: `idempotent: true` or `retry` on the task allows that'
  assert.deepEqual(reasonOf({}, 1), ['failure', `the runner was lost${advice}`])
  assert.deepEqual(reasonOf({ idempotent: true }, 3), ['failure', 'the runner was lost'])
})

describe('a retry by exit code', () => {
  const tasks = [aTask('t', { retry: { attempts: 3, backoffMs: 0, exitCodes: [75, 111] } })]
  const begun = () => new Play(aGraph(aStep('a', { tasks })))

  test('tries again what ended with one of them, or was lost', () => {
    const play = begun()
    play.run('a/t', 'failure', { exitCode: 75 })
    play.run('a/t', 'lost')
    assert.deepEqual([play.task('a/t').status, play.task('a/t').attempt], ['ready', 3])
    play.run('a/t', 'failure', { exitCode: 111 })
    assert.equal(play.state.status, 'failure', 'the last attempt is the last')
  })

  test('does not try again what ended with another, with none, or over its time', () => {
    for (const [result, exitCode] of [
      ['failure', 1] as const,
      ['failure', undefined] as const,
      ['timed_out', undefined] as const,
    ]) {
      const play = begun()
      play.run('a/t', result, { exitCode })
      assert.deepEqual([play.state.status, play.task('a/t').attempt], ['failure', 1])
    }
  })
})
