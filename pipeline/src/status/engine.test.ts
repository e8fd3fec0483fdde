import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { advanceAll, startRun } from './engine.ts'
import { aGraph, aStep, aTask, noContext, Play } from './testing/index.ts'

const names = (effects: readonly { type: string; step?: string; task?: string | null }[]) =>
  effects.map((effect) => [effect.type, effect.step, effect.task].filter(Boolean).join(' '))

describe('order', () => {
  test('what waits for nothing becomes ready at once, the rest when its dependencies are complete', () => {
    const play = new Play(aGraph(aStep('build'), aStep('lint'), aStep('deploy', { dependsOn: ['build', 'lint'] })))
    assert.deepEqual(names(play.effects), ['start_attempt build work', 'start_attempt lint work'])
    assert.equal(play.state.status, 'queued')
    assert.deepEqual(play.run('build/work'), [])
    assert.equal(play.state.status, 'running')
    assert.deepEqual(names(play.run('lint/work')), ['start_attempt deploy work'])
    assert.deepEqual(names(play.run('deploy/work')), ['finish_run'])
    assert.equal(play.state.status, 'success')
  })

  test('tasks of one step wait for each other by depends_on', () => {
    const play = new Play(aGraph(aStep('s', { tasks: [aTask('b', { dependsOn: ['a'] }), aTask('a')] })))
    assert.deepEqual(names(play.effects), ['start_attempt s a'])
    assert.deepEqual(names(play.run('s/a')), ['start_attempt s b'])
  })

  test('a transition names what changed', () => {
    const graph = aGraph(aStep('a'), aStep('b', { dependsOn: ['a'] }))
    const first = startRun(graph, noContext)
    assert.deepEqual(first.changed, { run: true, steps: ['a', 'b'], tasks: ['a/work', 'b/work'] })
    const key = { step: 'a', task: 'work', attempt: 1 }
    const second = advanceAll(
      graph,
      first.state,
      [
        { type: 'task_started', ...key },
        { type: 'task_finished', ...key, result: 'success', reason: '' },
      ],
      noContext,
    )
    assert.deepEqual(second.changed, { run: true, steps: ['a', 'b'], tasks: ['a/work', 'b/work'] })
    assert.equal(first.state.steps[0]?.status, 'ready', 'the old state stays as it was')
    assert.deepEqual(JSON.parse(JSON.stringify(second.state)), second.state)
  })
})

describe('failure', () => {
  test('skips what depends on it, with the reason; independent branches go on', () => {
    const graph = aGraph(
      aStep('build'),
      aStep('docs'),
      aStep('test', { dependsOn: ['build'] }),
      aStep('deploy', { dependsOn: ['test'] }),
    )
    const play = new Play(graph)
    play.run('build/work', 'failure', { exitCode: 2 })
    assert.equal(play.task('build/work').reason, 'the task exited with code 2')
    assert.equal(play.step('test').reason, 'skipped: step build failed')
    assert.equal(play.step('deploy').reason, 'skipped: step test was skipped')
    assert.equal(play.task('deploy/work').status, 'skipped')
    assert.equal(play.ended, false)
    assert.deepEqual(play.run('docs/work').at(-1), { type: 'finish_run', status: 'failure' })
  })

  test('of an ignored task lets the tasks after it run and leaves a warning', () => {
    const tasks = [aTask('lint', { ignoreFailure: true }), aTask('unit', { dependsOn: ['lint'] })]
    const play = new Play(aGraph(aStep('test', { tasks }), aStep('deploy', { dependsOn: ['test'] })))
    play.run('test/lint', 'failure')
    assert.equal(play.task('test/lint').status, 'failure (ignored)')
    play.run('test/unit')
    assert.equal(play.step('test').status, 'warning')
    play.run('deploy/work')
    assert.equal(play.state.status, 'warning')
  })

  test('in an ignored step is recorded as ignored, skips its tasks after it, and lets later steps run', () => {
    const tasks = [aTask('scan'), aTask('upload', { dependsOn: ['scan'] })]
    const play = new Play(
      aGraph(aStep('scan', { ignoreFailure: true, tasks }), aStep('deploy', { dependsOn: ['scan'] })),
    )
    play.run('scan/scan', 'failure')
    assert.equal(play.task('scan/scan').status, 'failure (ignored)')
    assert.equal(play.task('scan/upload').status, 'skipped')
    assert.equal(play.step('scan').status, 'warning')
    play.run('deploy/work')
    assert.equal(play.state.status, 'warning')
  })

  test('a task over its time fails its step and the run', () => {
    const play = new Play(aGraph(aStep('a')))
    play.run('a/work', 'timed_out')
    assert.equal(play.task('a/work').status, 'timed_out')
    assert.equal(play.step('a').status, 'failure')
    assert.equal(play.state.status, 'failure')
  })
})

describe('retry', () => {
  test('waits for the backoff, doubled each time, and ends with the last attempt', () => {
    const play = new Play(
      aGraph(aStep('a', { tasks: [aTask('t', { retry: { attempts: 3, backoffMs: 1_000, exitCodes: null } })] })),
    )
    assert.deepEqual(play.run('a/t', 'failure'), [
      { type: 'schedule_retry', step: 'a', task: 't', attempt: 2, delayMs: 1_000 },
    ])
    assert.equal(play.task('a/t').status, 'pending')
    assert.deepEqual(names(play.send({ type: 'retry_due', step: 'a', task: 't', attempt: 2 })), ['start_attempt a t'])
    assert.deepEqual(play.run('a/t', 'lost').at(-1), {
      type: 'schedule_retry',
      step: 'a',
      task: 't',
      attempt: 3,
      delayMs: 2_000,
    })
    play.send({ type: 'retry_due', step: 'a', task: 't', attempt: 3 })
    play.run('a/t', 'failure')
    assert.equal(play.state.status, 'failure')
  })

  test('without a backoff the next attempt starts at once', () => {
    const play = new Play(
      aGraph(aStep('a', { tasks: [aTask('t', { retry: { attempts: 2, backoffMs: 0, exitCodes: null } })] })),
    )
    assert.deepEqual(play.run('a/t', 'failure').at(-1), { type: 'start_attempt', step: 'a', task: 't', attempt: 2 })
  })

  test('a lost attempt of an idempotent task is tried three times, a failed one once', () => {
    const play = new Play(aGraph(aStep('a', { tasks: [aTask('t', { idempotent: true })] })))
    play.run('a/t', 'lost')
    play.run('a/t', 'lost')
    assert.equal(play.task('a/t').attempt, 3)
    play.run('a/t', 'lost', { reason: 'runner r1 fell silent' })
    assert.deepEqual([play.task('a/t').status, play.task('a/t').reason], ['failure', 'runner r1 fell silent'])
    assert.equal(play.state.reason, 'stopped: it lost its runner 3 times')
    const other = new Play(aGraph(aStep('a', { tasks: [aTask('t', { idempotent: true })] })))
    other.run('a/t', 'failure')
    assert.equal(other.state.status, 'failure')
  })

  test('an attempt may be lost before it started', () => {
    const play = new Play(aGraph(aStep('a')))
    play.send({ type: 'task_finished', step: 'a', task: 'work', attempt: 1, result: 'lost', reason: '' })
    assert.equal(play.state.status, 'failure')
  })
})

describe('conditions', () => {
  const context = { ...noContext, event: { branch: 'main', number: 4 }, variables: { DEPLOY: 'yes' } }

  test('a false one skips with a reason and does not stop what comes after', () => {
    const graph = aGraph(
      aStep('a', { condition: 'event.branch == "next"' }),
      aStep('b', { dependsOn: ['a'], condition: 'variables.DEPLOY == "yes" && event.number + 1 == 5' }),
    )
    const play = new Play(graph, context)
    assert.equal(play.step('a').reason, 'skipped: the condition event.branch == "next" is false')
    play.run('b/work')
    assert.equal(play.state.status, 'success')
  })

  test('one that looks at an event in a run without one fails its step, and says what to look at', () => {
    const play = new Play(aGraph(aStep('a', { condition: 'event.branch == "main"' })))
    assert.equal(play.step('a').status, 'failure')
    assert.equal(play.task('a/work').status, 'skipped')
    assert.match(play.step('a').reason ?? '', /could not be evaluated: no event started this run.*`run\.branch`/)
    assert.equal(play.state.status, 'failure')
  })

  test('what cannot be evaluated is not reached where its step is skipped, and is ignored where failures are', () => {
    const skipped = aStep('a', { condition: 'false', tasks: [aTask('t', { condition: 'event.x == 1' })] })
    assert.equal(new Play(aGraph(skipped)).state.status, 'success')
    const ignored = aStep('a', { condition: 'event.x == 1', ignoreFailure: true })
    const play = new Play(aGraph(ignored, aStep('b', { dependsOn: ['a'] })))
    assert.equal(play.step('a').status, 'warning')
    assert.equal(play.step('b').status, 'ready')
  })

  test('one of a task that cannot be evaluated fails the task, and what depends on it is skipped', () => {
    const tasks = [aTask('a', { condition: 'event.x == 1' }), aTask('b', { dependsOn: ['a'] })]
    const play = new Play(aGraph(aStep('s', { tasks }), aStep('l', { dependsOn: ['s'], when: 'failure' })))
    assert.deepEqual([play.task('s/a').status, play.task('s/b').status], ['failure', 'skipped'])
    assert.match(play.task('s/a').reason ?? '', /^the condition event\.x == 1 could not be evaluated/)
    play.run('l/work')
    assert.equal(play.state.status, 'failure')
  })

  test('see the run whether an event started it or not; what it has not is null', () => {
    const condition = 'run.branch == "main" && run.cause == "request" && run.tag == null && run.pull_request != 7'
    const play = new Play(aGraph(aStep('a', { condition })))
    assert.equal(play.step('a').status, 'ready')
  })

  test('see an output that was not written as an empty text', () => {
    const play = new Play(
      aGraph(
        aStep('a', { tasks: [aTask('work', { outputs: { version: { sensitive: false } } })] }),
        aStep('b', { dependsOn: ['a'], condition: 'steps.a.tasks.work.outputs.version == ""' }),
      ),
    )
    play.run('a/work')
    assert.equal(play.step('b').status, 'ready')
  })

  test('see statuses and outputs of earlier steps and tasks, but no sensitive output', () => {
    const outputs = { version: { sensitive: false }, token: { sensitive: true } }
    const seen = 'steps.a.status == "success" && steps.a.tasks.work.outputs.version == "2"'
    const graph = aGraph(
      aStep('a', { tasks: [aTask('work', { outputs })] }),
      aStep('b', { dependsOn: ['a'], condition: seen }),
      aStep('c', { dependsOn: ['a'], condition: 'has(steps.a.tasks.work.outputs.token)' }),
    )
    const play = new Play(graph)
    play.run('a/work', 'success', { outputs: { version: '2', token: 'x', undeclared: 'y' } })
    assert.deepEqual(play.task('a/work').outputs, {
      version: { value: '2', sensitive: false },
      token: { value: 'x', sensitive: true },
    })
    assert.equal(play.step('b').status, 'ready')
    assert.equal(play.step('c').status, 'skipped')
  })
})

test('an output in which a secret was found is sensitive, whatever its declaration says', () => {
  const outputs = { copy: { sensitive: false }, open: { sensitive: false } }
  const play = new Play(aGraph(aStep('a', { tasks: [aTask('work', { outputs })] })))
  play.run('a/work', 'success', { outputs: { copy: 'x', open: 'y' }, sensitive: ['copy'] })
  assert.deepEqual(play.task('a/work').outputs, {
    copy: { value: 'x', sensitive: true },
    open: { value: 'y', sensitive: false },
  })
})

describe('endings before time', () => {
  test('a cancel stops what runs, drops the rest, and the run ends when all is reported', () => {
    const play = new Play(aGraph(aStep('a'), aStep('b'), aStep('c', { dependsOn: ['a'] })))
    play.send({ type: 'task_started', step: 'a', task: 'work', attempt: 1 })
    const effects = play.send({ type: 'cancel_requested', reason: 'canceled by ada' })
    assert.deepEqual(names(effects), ['cancel_attempt a work', 'cancel_attempt b work'])
    assert.equal(play.task('b/work').status, 'canceled')
    assert.equal(play.step('c').status, 'canceled')
    assert.equal(play.ended, false)
    assert.deepEqual(play.send({ type: 'cancel_requested', reason: 'again' }), [])
    const last = play.send({
      type: 'task_finished',
      step: 'a',
      task: 'work',
      attempt: 1,
      result: 'canceled',
      reason: '',
    })
    assert.deepEqual(last, [{ type: 'finish_run', status: 'canceled' }])
    assert.equal(play.task('a/work').reason, 'canceled by ada')
  })

  test('a canceled run tries nothing again', () => {
    const play = new Play(
      aGraph(aStep('a', { tasks: [aTask('t', { retry: { attempts: 3, backoffMs: 5, exitCodes: null } })] })),
    )
    play.run('a/t', 'failure')
    assert.deepEqual(play.send({ type: 'cancel_requested', reason: 'x' }), [{ type: 'finish_run', status: 'canceled' }])
    assert.deepEqual(play.send({ type: 'retry_due', step: 'a', task: 't', attempt: 2 }), [])
  })

  test('a run over its time ends as timed_out', () => {
    const play = new Play(aGraph(aStep('a'), aStep('b', { dependsOn: ['a'] })))
    play.send({ type: 'task_started', step: 'a', task: 'work', attempt: 1 })
    play.send({ type: 'run_timed_out' })
    play.send({ type: 'task_finished', step: 'a', task: 'work', attempt: 1, result: 'canceled', reason: '' })
    assert.deepEqual(
      [play.state.status, play.step('a').status, play.step('b').status],
      ['timed_out', 'timed_out', 'canceled'],
    )
  })

  test('a step over its time ends as timed_out and fails the run; its timer starts with its first task', () => {
    const tasks = [aTask('x'), aTask('y', { dependsOn: ['x'] })]
    const play = new Play(aGraph(aStep('a', { timeoutMs: 5_000, tasks }), aStep('b', { dependsOn: ['a'] })))
    const started = play.send({ type: 'task_started', step: 'a', task: 'x', attempt: 1 })
    assert.deepEqual(started, [{ type: 'start_step_timer', step: 'a', afterMs: 5_000 }])
    assert.deepEqual(names(play.send({ type: 'step_timed_out', step: 'a' })), ['cancel_attempt a x'])
    play.send({ type: 'task_finished', step: 'a', task: 'x', attempt: 1, result: 'canceled', reason: '' })
    assert.deepEqual([play.step('a').status, play.task('a/x').status], ['timed_out', 'timed_out'])
    assert.equal(play.step('b').reason, 'skipped: step a timed out')
    assert.equal(play.state.status, 'failure')
  })
})

describe('stale events', () => {
  test('unknown names, other attempts and repeated reports change nothing', () => {
    const play = new Play(aGraph(aStep('a')))
    const { state } = play
    for (const task of ['nope', 'work']) {
      play.send({ type: 'task_started', step: 'a', task, attempt: 2 })
      play.send({ type: 'task_finished', step: 'a', task, attempt: 0, result: 'success', reason: '' })
      play.send({ type: 'retry_due', step: 'a', task, attempt: 1 })
    }
    play.send({ type: 'step_timed_out', step: 'a' })
    assert.equal(play.state, state)
  })
})

test('2,000 tasks, each behind another, are walked to the end', () => {
  const tasks = Array.from({ length: 2_000 }, (_, at) => aTask(`t${at}`, { dependsOn: at < 10 ? [] : [`t${at - 10}`] }))
  const play = new Play(aGraph(aStep('a', { tasks })))
  for (const effect of play.effects) if (effect.type === 'start_attempt') play.run(`a/${effect.task}`)
  assert.equal(play.state.status, 'success')
})
