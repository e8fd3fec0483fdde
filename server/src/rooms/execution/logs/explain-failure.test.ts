import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FailureExplanation, FailureRoot, LogEntry } from '@signalbox/contracts/logs'
import { type Assign, Result } from '@signalbox/contracts/runner'
import { sql } from 'kysely'
import { migrateJobs } from '#platform/jobs'
import { createTestDatabase, testCaller, until } from '#platform/testing'
import { endLeases, openStage, type Stage } from '../dispatch/testing/index.ts'
import { chunkOf } from './testing.ts'

let stage: Stage

// Registered before the database's own: hooks run in that order.
after(() => stage.close())

const { database } = await createTestDatabase()
const db = database.kysely

const READER = ['run.read', 'log.read', 'pipeline.read']
const CAST = {
  reader: testCaller({ 'acme/web': READER }, { id: 'reader' }),
  blind: testCaller({ 'acme/web': ['run.read'] }, { id: 'blind' }),
  editor: testCaller({ 'acme/other': ['*'] }, { id: 'editor' }),
}

before(async () => {
  stage = await openStage(database, {}, CAST)
  await migrateJobs(database.connectionConfig.connectionString ?? '', stage.house.kit.log)
})

const BUILD = `steps:
  - name: build
    tasks:
      - { name: unit, run: make test, checkout: false }
  - name: ship
    depends_on: [build]
    tasks:
      - { name: push, run: make push, checkout: false }
      - { name: tell, run: make tell, checkout: false, depends_on: [push] }
`

const explain = async (id: string, who = 'reader'): Promise<FailureExplanation> => {
  const { status, body } = await stage.call('GET', `/v1/explain/failure?run_id=${id}`, undefined, who)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const rootOf = ({ roots }: FailureExplanation): FailureRoot => {
  const [root] = roots
  assert.ok(root)
  return root
}
const codesOf = (findings: readonly { readonly code: string }[]): readonly string[] => findings.map(({ code }) => code)
const numbersOf = (root: FailureRoot): readonly number[] => root.lines?.lines.map(({ number }) => number) ?? []

/** Lines of an attempt in hand, as its runner sends them. */
const say = async ({ fence, runId }: Assign, texts: readonly string[]): Promise<string> => {
  const { id } = await db
    .selectFrom('attempts')
    .select('id')
    .where('fence', '=', Number(fence))
    .executeTakeFirstOrThrow()
  await stage.house.logs.append(db, [chunkOf({ runId, id }, 0, texts)])
  return id
}
const fail = ({ fence }: Assign, exitCode?: number, reason = `The script ended with exit code ${exitCode}.`): void =>
  stage.runner.send({
    case: 'finished',
    value: { fence, result: Result.FAILURE, reason, lineCount: 0n, ...(exitCode === undefined ? {} : { exitCode }) },
  })
/** Starts a run of a stored pipeline. */
const start = async (pipeline: string): Promise<string> => {
  const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  const { body } = await stage.call('POST', path, { scope: 'acme/web/production' })
  stage.house.dispatch.poke()
  return body.run_id
}
/** A run of BUILD that succeeds with these lines of its first task; the attempt's id. */
const succeed = async (pipeline: string, texts: readonly string[]): Promise<{ runId: string; attemptId: string }> => {
  const runId = await start(pipeline)
  const attemptId = await say(await stage.given(runId, 'unit'), texts)
  for (const task of ['unit', 'push', 'tell']) await stage.done(runId, task)
  await stage.reaches(runId, 'success')
  return { runId, attemptId }
}
/** A run of BUILD whose first task fails with these lines. */
const failWith = async (pipeline: string, texts: readonly string[], exitCode = 2): Promise<string> => {
  const runId = await start(pipeline)
  const assign = await stage.given(runId, 'unit')
  await say(assign, texts)
  fail(assign, exitCode)
  await stage.reaches(runId, 'failure')
  return runId
}

/** The run that the only task of a run was made into. */
const childOf = async (runId: string): Promise<string> => {
  const asked = db.selectFrom('attempts').select('child_run_id').where('run_id', '=', runId)
  const found = await until(
    'the child run',
    () => asked.executeTakeFirst(),
    (row) => (row?.child_run_id ?? null) !== null,
  )
  return found?.child_run_id ?? ''
}

const usual = (seconds: number): string[] => [
  `2026-11-28T10:00:0${seconds}Z checking out 0a1b2c${seconds}`,
  'warning: an old error is expected here',
  ...Array.from({ length: 100 }, (_, n) => `\u001b[32mok\u001b[0m test ${n} in ${n * seconds} ms`),
]

describe('why a run failed', () => {
  let pipeline: string
  let success: { runId: string; attemptId: string }
  let failed: string
  before(async () => {
    pipeline = await stage.store(BUILD)
    success = await succeed(pipeline, usual(3))
    const lines = usual(7)
    lines.splice(50, 0, '\u001b[31mnot ok test sums\u001b[0m', '  expected 4, got 5', '  expected 4, got 5')
    failed = await failWith(pipeline, lines)
  })

  test('is told with the task that failed by itself, apart from those that never ran', async () => {
    const found = await explain(failed)
    const root = rootOf(found)
    assert.deepEqual(
      [root.step, root.task, root.attempt, root.cause, root.exit_code],
      ['build', 'unit', 1, 'exit_code', 2],
    )
    assert.equal(root.findings[0]?.sentence, 'Task build/unit ended with exit code 2.')
    assert.deepEqual(root.findings[0]?.evidence.slice(0, 2), [
      { kind: 'task', id: 'build/unit', run_id: failed },
      { kind: 'attempt', id: root.attempt_id, run_id: failed },
    ])
    assert.equal(found.roots.length, 1)
    assert.deepEqual(found.never_ran, {
      count: 2,
      first: [
        { step: 'ship', task: 'push' },
        { step: 'ship', task: 'tell' },
      ],
    })
    assert.deepEqual(codesOf(found.findings), ['run.failed', 'run.roots', 'run.never_ran'])
    assert.deepEqual(found.left_out, [])
  })

  test('is shown by the lines that no success had, each once, without colours, with what stands beside the first', async () => {
    const { lines } = rootOf(await explain(failed))
    assert.equal(lines?.how, 'new_lines')
    assert.deepEqual(lines.compared_with, [{ run_id: success.runId, attempt_id: success.attemptId }])
    assert.deepEqual(
      lines.lines.map(({ number, text, new: isNew }) => [number, isNew, text]),
      [
        [48, false, 'ok test 46 in 322 ms'],
        [49, false, 'ok test 47 in 329 ms'],
        [50, true, 'not ok test sums'],
        [51, true, '  expected 4, got 5'],
        [52, false, '  expected 4, got 5'],
      ],
    )
    assert.deepEqual([lines.searched_from, lines.searched_until, lines.left, lines.cut], [0, 105, 0, false])
    const told = rootOf(await explain(failed)).findings.find(({ code }) => code === 'log.new_lines')
    assert.equal(told?.sentence, 'Line 50 is the first error that no recent success had.')
    assert.deepEqual(told.evidence, [{ kind: 'log_line', id: 'build/unit', run_id: failed, line: 50 }])
  })

  test('compares with a fork only what is of a fork itself: its author could hide lines of the team', async () => {
    const own = await stage.store(BUILD)
    const { runId } = await succeed(own, ['fine', 'Error: planted', 'done'])
    await sql`update runs set untrusted = true where id = ${runId}`.execute(db)
    const trusted = await failWith(own, ['fine', 'Error: planted', 'done'])
    const alone = rootOf(await explain(trusted)).lines
    assert.deepEqual([alone?.how, alone?.compared_with], ['error_lines', []])
    await sql`update runs set untrusted = true where id = ${trusted}`.execute(db)
    const { lines } = rootOf(await explain(trusted))
    assert.deepEqual([lines?.how, lines?.compared_with.length], ['error_lines', 1], 'no line is new: errors go next')
  })

  test('compares with a success of the same branch before others, and with a later one where none was before', async () => {
    const own = await stage.store(BUILD)
    const run = await failWith(own, ['a', 'only here'])
    const next = await succeed(own, ['a'])
    assert.deepEqual(rootOf(await explain(run)).lines?.compared_with[0]?.run_id, next.runId)
    const later = await failWith(own, ['a', 'only here'])
    await succeed(own, ['a'])
    await sql`update runs set branch = 'main' where id = any(${[later, next.runId]}::uuid[])`.execute(db)
    const { lines } = rootOf(await explain(later))
    assert.equal(lines?.compared_with[0]?.run_id, next.runId)
    assert.equal(lines.compared_with.length, 2)
    await sql`update runs set team_path = 'acme/moved' where pipeline_id = (select pipeline_id from runs where id = ${later})
      and id <> ${later}`.execute(db)
    assert.equal(rootOf(await explain(later)).lines?.how, 'tail', 'runs of another team are not compared')
  })

  test('without a success is shown by lines that look like errors, else by the last ones, else by none', async () => {
    const own = await stage.store(BUILD)
    const lines = Array.from({ length: 300 }, (_, n) => `line ${n}`)
    const silent = await failWith(own, lines)
    const tail = rootOf(await explain(silent))
    assert.deepEqual([tail.lines?.how, numbersOf(tail)[0], tail.lines?.left], ['tail', 250, 250])
    const loud = await failWith(own, lines.with(100, 'fatal: it broke'))
    const errors = rootOf(await explain(loud))
    assert.deepEqual([errors.lines?.how, numbersOf(errors)], ['error_lines', [98, 99, 100, 101, 102]])
    assert.deepEqual(rootOf(await explain(await failWith(own, ['']))).lines?.lines.length, 1)
    const mute = await start(own)
    fail(await stage.given(mute, 'unit'), 127)
    await stage.reaches(mute, 'failure')
    const root = rootOf(await explain(mute))
    assert.deepEqual(
      [root.lines?.how, codesOf(root.findings)],
      ['none', ['failure.exit_code', 'failure.code_meaning', 'log.none']],
    )
  })

  test('of a long log is looked for at its end, and the answer says where that began', async () => {
    const own = await stage.store(BUILD)
    const long = Array.from({ length: 5000 }, (_, n) => `${'x'.repeat(1000)} ${n}`)
    const { lines, findings } = rootOf(await explain(await failWith(own, [...long, 'error: at last'])))
    assert.ok(codesOf(findings).includes('log.searched_from'))
    assert.ok(lines && lines.searched_from > 2000 && lines.cut)
    assert.equal(lines.searched_until, 5001)
    assert.ok(lines.lines.every(({ text }) => text.length <= 500))
    assert.equal(lines.lines.at(-1)?.text, 'error: at last')
  })

  test('hides what was scrubbed at once', async () => {
    const own = await stage.store(BUILD)
    const run = await failWith(own, ['error: the password is hunter2-correct-horse'])
    assert.match(JSON.stringify(await explain(run)), /hunter2/)
    const scrubbed = await stage.call('POST', `/v1/runs/${run}/logs/scrub`, { values: ['hunter2-correct-horse'] })
    assert.equal(scrubbed.status, 202)
    const found = await explain(run)
    assert.equal(rootOf(found).lines?.lines[0]?.text, 'error: the password is ***')
    assert.doesNotMatch(JSON.stringify(found), /hunter2/)
  })
})

describe('a run that failed otherwise', () => {
  test('by a run of another pipeline points to what failed there, as far as the caller may see it', async () => {
    const child = await stage.store(BUILD)
    const run = await stage.start(`steps:
  - name: all
    tasks:
      - { name: call, pipeline: ${child} }
`)
    const childId = await childOf(run)
    const assign = await stage.given(childId, 'unit')
    await say(assign, ['error: below'])
    fail(assign, 1)
    await stage.reaches(run, 'failure')
    const root = rootOf(await explain(run))
    assert.deepEqual([root.run_id, root.step, root.task], [childId, 'build', 'unit'])
    assert.deepEqual(root.through, [{ run_id: run, step: 'all', task: 'call' }])
    assert.equal(root.lines?.lines[0]?.text, 'error: below')
    await sql`update runs set team_path = 'acme/hidden' where id = ${childId}`.execute(db)
    const hidden = rootOf(await explain(run))
    assert.deepEqual(
      [hidden.run_id, hidden.cause, hidden.child_run_id, hidden.lines],
      [run, 'child_run', childId, null],
    )
  })

  test('by its runner, by memory and by a rejection says so', async () => {
    const own = await stage.store(BUILD)
    const lost = await start(own)
    await stage.given(lost, 'unit')
    await endLeases(stage.house, lost)
    await stage.reaches(lost, 'failure')
    const lostRoot = rootOf(await explain(lost))
    assert.equal(lostRoot.cause, 'runner_lost')
    assert.ok(codesOf(lostRoot.what_to_do).includes('advice.runner_lost'))

    const greedy = await start(own)
    fail(await stage.given(greedy, 'unit'), 137, 'The task was killed: it used more than 64 MB.')
    await stage.reaches(greedy, 'failure')
    assert.equal(rootOf(await explain(greedy)).cause, 'out_of_memory')
  })

  test('before it began, and one that did not fail, have no roots', async () => {
    const own = await stage.store(BUILD)
    const { runId } = await succeed(own, ['fine'])
    const good = await explain(runId)
    assert.deepEqual([good.status, good.roots, codesOf(good.findings)], ['success', [], ['run.succeeded']])
    await sql`update runs set status = 'failure', started_at = null, reason = 'not for agents' where id = ${runId}`.execute(
      db,
    )
    const refused = await explain(runId)
    assert.deepEqual([refused.reason, codesOf(refused.findings)], ['not for agents', ['run.refused']])
    assert.doesNotMatch(JSON.stringify(refused.findings), /not for agents/)
    const going = await start(own)
    await stage.given(going, 'unit')
    assert.deepEqual(codesOf((await explain(going)).findings), ['run.not_over'])
    await stage.call('POST', `/v1/runs/${going}/cancel`)
  })
})

describe('whoever may not see it', () => {
  test('learns nothing of a run of another team: it looks as one that is not there', async () => {
    const own = await stage.store(BUILD)
    const run = await failWith(own, ['error: secret plans'])
    const absent = run.replace(/.{4}$/, (end) => (end === '0000' ? '0001' : '0000'))
    const hidden = await stage.call('GET', `/v1/explain/failure?run_id=${run}`, undefined, 'editor')
    const missing = await stage.call('GET', `/v1/explain/failure?run_id=${absent}`, undefined, 'editor')
    const known = JSON.stringify(missing.body).replaceAll(absent, run)
    const { request_id: _one, ...body } = hidden.body
    const { request_id: _other, ...expected } = JSON.parse(known)
    assert.deepEqual([hidden.status, body], [404, expected])
    assert.equal((await stage.call('GET', `/v1/explain/failure?run_id=${run}`, undefined, 'nobody')).status, 401)
    assert.equal((await stage.call('GET', '/v1/explain/failure?run_id=x')).status, 400)
  })

  test('reads no line without log.read, and is told what was left out', async () => {
    const own = await stage.store(BUILD)
    const found = await explain(await failWith(own, ['error: secret plans']), 'blind')
    assert.deepEqual([found.left_out, rootOf(found).lines], [['log.read'], null])
    assert.doesNotMatch(JSON.stringify(found), /secret plans/)
    assert.equal(rootOf(found).cause, 'exit_code')
  })
})

describe('lines around a line, and beside hits', () => {
  let run: string
  const read = async (query: string): Promise<readonly LogEntry[]> => {
    const { status, body } = await stage.call('GET', `/v1/runs/${run}/logs?${query}`, undefined, 'reader')
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const numbers = async (query: string): Promise<readonly number[]> => (await read(query)).map(({ number }) => number)
  before(async () => {
    const own = await stage.store(BUILD)
    run = await failWith(
      own,
      Array.from({ length: 200 }, (_, n) => (n % 50 === 10 ? `hit ${n}` : `line ${n}`)),
    )
  })

  test('are of one task, as many as were asked for on each side', async () => {
    assert.deepEqual(await numbers('step=build&task=unit&around=100&context=2'), [98, 99, 100, 101, 102])
    assert.deepEqual(await numbers('step=build&task=unit&around=1&context=2'), [0, 1, 2, 3])
    assert.equal((await numbers('step=build&task=unit&around=100')).length, 101)
    assert.deepEqual(await numbers('step=build&task=unit&around=5000&context=2'), [])
  })

  test('say which are hits, in both directions, and join where they meet', async () => {
    const found = await read('regex=%5Ehit&context=1&limit=2')
    assert.deepEqual(
      found.map(({ number, context }) => [number, context === true]),
      [
        [9, true],
        [10, false],
        [11, true],
        [59, true],
        [60, false],
        [61, true],
      ],
    )
    assert.deepEqual(await numbers('search=hit&context=1&direction=backward&limit=1'), [161, 160, 159])
    assert.deepEqual(await numbers('search=line+2&context=2&limit=2'), [0, 1, 2, 3, 4, 18, 19, 20, 21, 22])
    assert.deepEqual(
      await numbers('search=line+19&context=20&tail=1'),
      Array.from({ length: 21 }, (_, n) => 179 + n),
    )
  })

  test('are refused where they cannot be', async () => {
    for (const query of ['around=5', 'context=5', 'search=a&context=21', 'step=build&task=unit&around=5&search=a']) {
      const { status, body } = await stage.call('GET', `/v1/runs/${run}/logs?${query}`, undefined, 'reader')
      assert.deepEqual([status, body.code], [400, 'invalid_request'], query)
    }
  })
})
