import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import {
  aRunnablePipeline,
  connectRunner,
  type ExecutionHouse,
  openExecution,
  type RunnerInTest,
  startRun,
} from './testing/index.ts'

let house: ExecutionHouse
let runner: RunnerInTest

// Registered before the database's own: hooks run in that order.
after(async () => {
  rmSync(repository, { recursive: true, force: true })
  await runner.stop()
  await house.stop()
})

const { database } = await createTestDatabase()
const db = database.kysely
let pipelines = 0

// The user that runs tasks must be able to enter the folder.
const repository = mkdtempSync(join(tmpdir(), 'signalbox-repository-'))
chmodSync(repository, 0o755)

before(async () => {
  house = await openExecution(database, { env: { LOCAL_REPOSITORIES: repository } })
  runner = await connectRunner(house, { localRepositories: [repository] })
})

const readRun = async (id: string) => {
  const run = await db.selectFrom('runs').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow()
  const steps = await db.selectFrom('run_steps').select(['step', 'status']).where('run_id', '=', id).execute()
  const tasks = await db
    .selectFrom('run_tasks')
    .select(['step', 'task', 'status', 'attempt', 'exit_code', 'outputs', 'reason'])
    .where('run_id', '=', id)
    .execute()
  return {
    ...run,
    steps: Object.fromEntries(steps.map(({ step, status }) => [step, status])),
    tasks: Object.fromEntries(tasks.map(({ step, task, ...rest }) => [`${step}/${task}`, rest])),
  }
}

/** Runs the pipeline to its end. */
const play = async (document: string, during?: (id: string) => Promise<void>) => {
  pipelines += 1
  const id = await startRun(house, await aRunnablePipeline(house, `p${pipelines}`, document))
  await during?.(id)
  return await until(
    'the run to finish',
    () => readRun(id),
    ({ status }) => status !== 'queued' && status !== 'running',
  )
}

const attemptsOf = async (id: string) =>
  await db
    .selectFrom('attempts')
    .select(['number', 'status', 'reason'])
    .where('run_id', '=', id)
    .orderBy('id')
    .execute()

const running = async (id: string, task: string) =>
  void (await until(
    `${task} to run`,
    () => readRun(id),
    (run) => run.tasks[task]?.status === 'running',
  ))

const requestCancel = async (id: string) => {
  await db
    .updateTable('runs')
    .set({ cancel_requested_at: new Date(), cancel_reason: 'enough' })
    .where('id', '=', id)
    .execute()
}

describe('a run on a real runner', () => {
  test('succeeds when its task does', async () => {
    const run = await play('steps:\n  - name: one\n    tasks:\n      - name: say\n        run: echo hello\n')
    assert.equal(run.status, 'success')
    assert.deepEqual(run.steps, { one: 'success' })
  })

  test('fails with a reason when a task fails; what depends on it is skipped', async () => {
    const run = await play(
      'steps:\n  - name: one\n    tasks:\n      - { name: bad, run: exit 7 }\n  - name: two\n    depends_on: [one]\n    tasks:\n      - { name: late, run: echo late }\n',
    )
    assert.equal(run.status, 'failure')
    assert.match(run.reason ?? '', /^step one: task bad failed/)
    assert.equal(run.tasks['one/bad']?.exit_code, 7)
    assert.deepEqual(run.steps, { one: 'failure', two: 'skipped' })
  })

  test('an ignored failure is a warning', async () => {
    const run = await play(
      'steps:\n  - name: one\n    ignore_failure: true\n    tasks:\n      - { name: bad, run: exit 1 }\n  - name: two\n    depends_on: [one]\n    tasks:\n      - { name: next, run: "true" }\n',
    )
    assert.equal(run.status, 'warning')
    assert.equal(run.tasks['one/bad']?.status, 'failure (ignored)')
    assert.deepEqual(run.steps, { one: 'warning', two: 'success' })
  })

  test('a step whose condition is false is skipped', async () => {
    const run = await play(
      'variables: { GO: "no" }\nsteps:\n  - name: one\n    if: variables.GO == "yes"\n    tasks:\n      - { name: a, run: "true" }\n  - name: two\n    tasks:\n      - { name: b, run: "true" }\n',
    )
    assert.equal(run.status, 'success')
    assert.deepEqual(run.steps, { one: 'skipped', two: 'success' })
  })

  test('a task is tried again after its back-off', async () => {
    let id = ''
    const run = await play(
      'steps:\n  - name: one\n    tasks:\n      - name: flaky\n        run: test "$SIGNALBOX_ATTEMPT" = 2\n        retry: { attempts: 3, backoff: 1s }\n',
      async (given) => void (id = given),
    )
    assert.equal(run.status, 'success')
    assert.deepEqual(
      (await attemptsOf(id)).map(({ number, status }) => [number, status]),
      [
        [1, 'failure'],
        [2, 'success'],
      ],
    )
  })

  test('a task that takes too long is timed out', async () => {
    const run = await play('steps:\n  - name: one\n    tasks:\n      - { name: slow, run: sleep 60, timeout: 1s }\n')
    assert.equal(run.status, 'failure')
    assert.equal(run.tasks['one/slow']?.status, 'timed_out')
  })

  test('a run that takes too long is timed out', async () => {
    const run = await play('timeout: 1s\nsteps:\n  - name: one\n    tasks:\n      - { name: slow, run: sleep 60 }\n')
    assert.equal(run.status, 'timed_out')
  })

  test('a step that takes too long is timed out', async () => {
    const run = await play(
      'steps:\n  - name: one\n    timeout: 1s\n    tasks:\n      - { name: slow, run: sleep 60 }\n',
    )
    assert.equal(run.status, 'failure')
    assert.deepEqual(run.steps, { one: 'timed_out' })
  })

  test('a cancel ends what runs', async () => {
    const run = await play(
      'steps:\n  - name: one\n    tasks:\n      - { name: slow, run: sleep 60 }\n  - name: two\n    depends_on: [one]\n    tasks:\n      - { name: late, run: "true" }\n',
      async (id) => {
        await running(id, 'one/slow')
        await requestCancel(id)
      },
    )
    assert.equal(run.status, 'canceled')
    assert.equal(run.reason, 'enough')
    assert.deepEqual(run.steps, { one: 'canceled', two: 'canceled' })
  })

  test('outputs reach the tasks that name them; a sensitive one is stored sealed and masked in the log', async () => {
    let id = ''
    const run = await play(
      [
        'steps:',
        '  - name: one',
        '    tasks:',
        '      - name: make',
        '        run: |',
        '          echo "plain=seven" >> "$SIGNALBOX_OUTPUT"',
        '          echo "token=s3cr3t-value" >> "$SIGNALBOX_OUTPUT"',
        '        outputs: { plain: {}, token: { sensitive: true } }',
        '  - name: two',
        '    depends_on: [one]',
        '    tasks:',
        '      - name: use',
        '        run: test "$A" = seven && test "$B" = s3cr3t-value && echo "it is $B"',
        '        env: { A: $steps.one.make.outputs.plain, B: $steps.one.make.outputs.token }',
        '',
      ].join('\n'),
      async (given) => void (id = given),
    )
    assert.equal(run.status, 'success')
    const outputs = JSON.stringify(run.tasks['one/make']?.outputs)
    assert.match(outputs, /"plain":\{"value":"seven"\}/)
    assert.doesNotMatch(outputs, /s3cr3t/)
    const chunks = await db
      .selectFrom('log_chunks')
      .innerJoin('attempts', 'attempts.id', 'log_chunks.attempt_id')
      .select('lines_zstd')
      .where('run_id', '=', id)
      .execute()
    assert.ok(chunks.length > 0)
  })

  test('has the commit of its cause in the workspace', async () => {
    const git = (...words: string[]) => execFileSync('git', ['-C', repository, ...words], { encoding: 'utf8' }).trim()
    git('init', '--quiet', '--initial-branch=main')
    writeFileSync(join(repository, 'greeting.txt'), 'from the commit')
    git('add', '.')
    git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m', 'first')
    const commitSha = git('rev-parse', 'HEAD')
    writeFileSync(join(repository, 'greeting.txt'), 'later')
    git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-am', 'second')
    const pipeline = await aRunnablePipeline(
      house,
      'checkout',
      'steps:\n  - name: one\n    tasks:\n      - { name: a, run: grep -q "from the commit" greeting.txt }\n',
    )
    const source = { cloneUrl: `file://${repository}`, ref: 'refs/heads/main', commitSha }
    const id = await startRun(house, { ...pipeline, ...source })
    const run = await until(
      'the run to finish',
      () => readRun(id),
      ({ status }) => status !== 'queued' && status !== 'running',
    )
    assert.equal(run.status, 'success', run.reason ?? '')
  })
})
