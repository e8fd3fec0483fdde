import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aGraph, anApproval, aStep, aTask, noContext, Play } from './testing/index.ts'
import type { Reuse, ReusedTask } from './transition.ts'

const reused = (more: Partial<ReusedTask> = {}): ReusedTask => ({
  outputs: {},
  exitCode: 0,
  reason: 'taken from run r1',
  ...more,
})
const from = (...paths: readonly string[]): Reuse => new Map(paths.map((path) => [path, reused()]))

describe('a run that takes over results', () => {
  const graph = aGraph(aStep('build'), aStep('test', { dependsOn: ['build'] }), aStep('ship', { dependsOn: ['test'] }))

  test('has them at once, without attempts, and begins behind them', () => {
    const play = new Play(graph, noContext, from('build/work', 'test/work'))
    assert.deepEqual(play.statuses, ['queued', 'success', 'success', 'ready'])
    assert.deepEqual(play.effects, [{ type: 'start_attempt', step: 'ship', task: 'work', attempt: 1 }])
    const { status, attempt, reason, exitCode } = play.task('build/work')
    assert.deepEqual([status, attempt, reason, exitCode], ['success', 0, 'taken from run r1', 0])
    play.run('ship/work')
    assert.equal(play.state.status, 'success')
  })

  test('is over at once when nothing is left to do', () => {
    const play = new Play(graph, noContext, from('build/work', 'test/work', 'ship/work'))
    assert.deepEqual([play.state.status, play.effects.map((effect) => effect.type)], ['success', ['finish_run']])
  })

  test('takes over a step in the middle, and does not do it again when what it depends on is done', () => {
    const play = new Play(graph, noContext, from('test/work'))
    assert.deepEqual(play.statuses, ['queued', 'ready', 'success', 'ready'])
    play.run('build/work', 'failure')
    play.run('ship/work')
    assert.deepEqual(play.statuses, ['failure', 'failure', 'success', 'success'])
  })

  test('a failure before a step that was taken over is one before those behind it', () => {
    const tell = aStep('tell', { dependsOn: ['test', 'docs'], when: 'failure' })
    const play = new Play(
      aGraph(aStep('build'), aStep('test', { dependsOn: ['build'] }), aStep('docs'), tell),
      noContext,
      from('test/work'),
    )
    play.run('build/work', 'failure')
    play.run('docs/work')
    assert.equal(play.step('tell').status, 'ready')
  })

  test('tasks of a step wait for the step all the same, and start when it does', () => {
    const tasks = [aTask('a'), aTask('b', { dependsOn: ['a'] }), aTask('c')]
    const play = new Play(
      aGraph(aStep('build'), aStep('test', { dependsOn: ['build'], tasks })),
      noContext,
      from('test/a'),
    )
    assert.deepEqual(play.statuses, ['queued', 'ready', 'pending'])
    assert.equal(play.task('test/b').status, 'pending')
    play.run('build/work')
    assert.deepEqual(
      play.step('test').tasks.map((task) => task.status),
      ['success', 'ready', 'ready'],
    )
    play.run('test/b')
    play.run('test/c')
    assert.equal(play.state.status, 'success')
  })

  test('a step that is skipped keeps what was taken over', () => {
    const tasks = [aTask('a'), aTask('b')]
    const play = new Play(
      aGraph(aStep('build'), aStep('test', { dependsOn: ['build'], tasks })),
      noContext,
      from('test/a'),
    )
    play.run('build/work', 'failure')
    assert.deepEqual([play.task('test/a').status, play.task('test/b').status], ['success', 'skipped'])
    assert.deepEqual(play.statuses, ['failure', 'failure', 'skipped'])
  })

  test('outputs are those that are declared now; what was sensitive stays so', () => {
    const outputs = { version: { sensitive: false }, token: { sensitive: true }, old: { sensitive: false } }
    const values = {
      version: { value: '2', sensitive: false },
      token: { value: 'x', sensitive: false },
      old: { value: 'y', sensitive: true },
      gone: { value: 'z', sensitive: false },
    }
    const play = new Play(
      aGraph(aStep('a', { tasks: [aTask('work', { outputs })] })),
      noContext,
      new Map([['a/work', reused({ outputs: values })]]),
    )
    assert.deepEqual(play.task('a/work').outputs, {
      version: { value: '2', sensitive: false },
      token: { value: 'x', sensitive: true },
      old: { value: 'y', sensitive: true },
    })
  })

  test('an approval that was given is not asked again; names that are unknown mean nothing', () => {
    const play = new Play(
      aGraph(anApproval('release'), aStep('ship', { dependsOn: ['release'] })),
      noContext,
      from('release/approval', 'no/where'),
    )
    assert.deepEqual(play.statuses, ['queued', 'success', 'ready'])
  })
})
