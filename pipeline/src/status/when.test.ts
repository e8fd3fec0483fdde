import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aGraph, aStep, aTask, Play } from './testing/index.ts'

const build = aStep('build')
const testing = aStep('test', { dependsOn: ['build'] })
const clean = aStep('clean', { dependsOn: ['test'], when: 'always' })
const tell = aStep('tell', { dependsOn: ['test'], when: 'failure' })

describe('a step for every case', () => {
  test('starts after success, failure and skipping of what it depends on; the run keeps its failure', () => {
    const failed = new Play(aGraph(build, testing, clean))
    failed.run('build/work', 'failure')
    assert.deepEqual(failed.statuses, ['running', 'failure', 'skipped', 'ready'])
    failed.run('clean/work')
    assert.equal(failed.state.status, 'failure')
    const fine = new Play(aGraph(build, testing, clean))
    fine.run('build/work')
    fine.run('test/work')
    fine.run('clean/work')
    assert.equal(fine.state.status, 'success')
  })

  test('waits until all of it is complete', () => {
    const play = new Play(
      aGraph(build, aStep('docs'), aStep('clean', { dependsOn: ['build', 'docs'], when: 'always' })),
    )
    play.run('build/work', 'failure')
    assert.equal(play.step('clean').status, 'pending')
    play.run('docs/work')
    assert.equal(play.step('clean').status, 'ready')
  })

  test('does not start while the run is being ended', () => {
    const play = new Play(aGraph(build, testing, clean))
    play.send({ type: 'cancel_requested', reason: 'enough' })
    assert.equal(play.step('clean').status, 'canceled')
  })

  test('has its own condition, and a failure of its own', () => {
    const play = new Play(aGraph(build, testing, { ...clean, condition: 'steps.test.status == "skipped"' }))
    play.run('build/work', 'failure')
    play.run('clean/work', 'failure')
    assert.equal(play.step('clean').status, 'failure')
  })

  test('lets what depends on it go on as usual', () => {
    const play = new Play(aGraph(build, testing, clean, aStep('after', { dependsOn: ['clean'] })))
    play.run('build/work', 'failure')
    play.run('clean/work')
    assert.equal(play.step('after').status, 'ready')
  })
})

describe('a step for failures', () => {
  test('starts when something before it failed, however far away', () => {
    const play = new Play(aGraph(build, testing, tell))
    play.run('build/work', 'timed_out')
    assert.deepEqual(play.statuses, ['running', 'failure', 'skipped', 'ready'])
    play.run('tell/work')
    assert.equal(play.state.status, 'failure')
  })

  test('is skipped with a reason when nothing failed, and stops nothing', () => {
    const play = new Play(aGraph(build, testing, tell, aStep('after', { dependsOn: ['tell'] })))
    play.run('build/work')
    play.run('test/work')
    assert.equal(play.step('tell').reason, 'skipped: nothing that it depends on failed')
    assert.equal(play.step('after').status, 'ready')
    play.run('after/work')
    assert.equal(play.state.status, 'success')
  })

  test('does not follow an ignored failure, a cancel of one task, or a failure elsewhere', () => {
    const ignored = new Play(aGraph({ ...build, ignoreFailure: true }, testing, tell))
    ignored.run('build/work', 'failure')
    ignored.run('test/work')
    assert.equal(ignored.step('tell').status, 'skipped')
    const canceled = new Play(aGraph(build, testing, tell))
    canceled.run('build/work', 'canceled')
    assert.deepEqual(canceled.statuses, ['canceled', 'canceled', 'skipped', 'skipped'])
    const elsewhere = new Play(aGraph(aStep('docs'), build, testing, tell))
    elsewhere.run('docs/work', 'failure')
    elsewhere.run('build/work')
    elsewhere.run('test/work')
    assert.equal(elsewhere.step('tell').status, 'skipped')
  })

  test('follows a step over its time', () => {
    const play = new Play(aGraph({ ...build, timeoutMs: 5 }, testing, tell))
    play.send({ type: 'task_started', step: 'build', task: 'work', attempt: 1 })
    play.send({ type: 'step_timed_out', step: 'build' })
    play.send({ type: 'task_finished', step: 'build', task: 'work', attempt: 1, result: 'canceled', reason: '' })
    assert.equal(play.step('tell').status, 'ready')
  })

  test('a chain of them passes the failure on', () => {
    const steps = Array.from({ length: 199 }, (_, at) =>
      aStep(`s${at}`, { dependsOn: [at === 0 ? 'build' : `s${at - 1}`], condition: 'false', when: 'always' }),
    )
    const play = new Play(aGraph(build, ...steps, aStep('tell', { dependsOn: ['s198'], when: 'failure' })))
    play.run('build/work', 'failure')
    assert.equal(play.step('tell').status, 'ready')
  })
})

describe('conditions of a task with a matrix', () => {
  test('see its values; those of a task without one do not', () => {
    const only = (name: string, node: string | null) =>
      aTask(name, { condition: 'matrix.node == "24"', matrix: node === null ? null : { node }, template: 'unit' })
    const play = new Play(
      aGraph(aStep('test', { tasks: [only('unit-22', '22'), only('unit-24', '24'), only('x', null)] })),
    )
    assert.deepEqual(
      play.step('test').tasks.map((task) => task.status),
      ['skipped', 'ready', 'failure'],
    )
    assert.match(play.task('test/x').reason ?? '', /could not be evaluated: `matrix` is unknown/)
  })

  test('see one task by its name without a look at the others, and all of them where a name is computed', () => {
    const tasks = [aTask('a'), aTask('b')]
    const play = new Play(
      aGraph(
        aStep('test', { tasks }),
        aStep('one', { dependsOn: ['test'], condition: 'steps.test.tasks.b.status == "success"' }),
        aStep('all', { dependsOn: ['test'], condition: 'size(steps.test.tasks) == 2' }),
        aStep('computed', { dependsOn: ['test'], condition: 'steps["te" + "st"].tasks.all(t, t != "c")' }),
      ),
    )
    play.run('test/a')
    play.run('test/b')
    assert.deepEqual(play.statuses, ['running', 'success', 'ready', 'ready', 'ready'])
  })
})
