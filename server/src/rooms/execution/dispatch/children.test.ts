import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { createTestDatabase, until } from '#platform/testing'
import { aRunnablePipeline, openStage, type Stage, startRun } from './testing/index.ts'

let stage: Stage

// Registered before the database's own: hooks run in that order.
after(async () => await stage.close())

const { database } = await createTestDatabase()
const db = database.kysely

const CHILD = `variables: { GREETING: hi, TOKEN: "" }
steps:
  - name: work
    tasks: [{ name: say, run: "true", outputs: { word: {} } }]
final_outputs:
  - { name: said, format: text, template: "said $steps.work.say.outputs.word" }
`
const parent = (child: string, more = ''): string => `steps:
  - name: make
    tasks: [{ name: mint, run: "true", outputs: { token: { sensitive: true } } }]
  - name: call
    depends_on: [make]
    tasks:
      - name: child
        pipeline: ${child}
        inputs: { GREETING: moin, TOKEN: $steps.make.mint.outputs.token }
        outputs: { said: {} }
${more}  - name: after
    depends_on: [call]
    tasks: [{ name: use, run: "true", env: { SAID: $steps.call.child.outputs.said } }]
`

before(async () => {
  stage = await openStage(database)
  await stage.store(CHILD, 'child')
})

/** The run that a task of this one wanted. */
const childOf = async (runId: string): Promise<string> => {
  const attempt = () =>
    db
      .selectFrom('attempts')
      .select('child_run_id')
      .where('run_id', '=', runId)
      .where('child_run_id', 'is not', null)
      .orderBy('id', 'desc')
      .executeTakeFirst()
  const found = await until('the child', attempt, (row) => row !== undefined)
  return found?.child_run_id ?? ''
}
/** Does what jobs do in production; this house runs no jobs. */
const workFacts = async (runId: string): Promise<void> => {
  const reactions = stage.house.parts.flatMap((part) => part.reactions ?? [])
  const reaction = reactions.find(({ name }) => name === 'runs.final-outputs')
  const payload = { run_id: runId, final_output_status: 'pending' }
  await reaction?.react({ id: '', kind: 'run.finished', version: 1, payload, occurredAt: new Date() })
}

describe('a task that runs a pipeline', () => {
  test('ends as its run does, and puts out what that made in the end', async () => {
    const runnable = await aRunnablePipeline(stage.house, 'told', parent('acme/web/child'))
    const id = await startRun(stage.house, { ...runnable, runTeamPath: 'acme' })
    await stage.done(id, 'mint', { token: 'hunter2-hunter2' })
    const child = await childOf(id)
    const say = await stage.given(child, 'say')
    assert.equal(say.environment['GREETING'], 'moin')
    assert.equal(say.environment['TOKEN'], 'hunter2-hunter2')
    assert.ok(say.maskedValues.includes('hunter2-hunter2'), 'what was sensitive stays so')
    const shown = await stage.show(child)
    assert.deepEqual(shown.secret_variables, ['TOKEN'])
    assert.doesNotMatch(JSON.stringify(shown), /hunter2/)
    const stored = db.selectFrom('runs').select('variables').where('id', '=', child)
    assert.deepEqual((await stored.executeTakeFirstOrThrow()).variables, { GREETING: 'moin' }, 'nor is it stored there')
    assert.deepEqual(shown.parent, { run_id: id, step: 'call', task: 'child', depth: 1 })
    assert.equal(shown.cause, 'pipeline')
    assert.equal(shown.run_team_path, 'acme', 'whoever hears of the parent hears of it')
    await stage.done(child, 'say', { word: 'moin' })
    await stage.reaches(child, 'success')
    assert.equal((await stage.show(id)).status, 'running', 'it waits for what the child makes in the end')
    await workFacts(child)
    const use = await stage.done(id, 'use')
    assert.equal(use.environment['SAID'], 'said moin')
    const ended = await stage.reaches(id, 'success')
    assert.equal(ended.steps[1]?.tasks[0]?.attempts[0]?.child_run_id, child)
    const outputs = await stage.call('GET', `/v1/runs/${child}/final-outputs`)
    assert.deepEqual([outputs.body[0].name, outputs.body[0].content], ['said', 'said moin'])
    assert.equal((await stage.call('GET', `/v1/runs/${child}/final-outputs/said`)).body.content, 'said moin')
    assert.equal((await stage.call('GET', `/v1/runs/${child}/final-outputs/other`)).status, 404)
    assert.equal((await stage.show(child)).final_output_status, 'ready')

    const again = await stage.call('POST', `/v1/runs/${child}/rerun`, {})
    assert.equal(again.status, 202, JSON.stringify(again.body))
    stage.house.dispatch.poke()
    const { environment, maskedValues } = await stage.done(again.body.runId, 'say', { word: 'moin' })
    assert.equal(environment['TOKEN'], 'hunter2-hunter2', 'a rerun has the same secret')
    assert.ok(maskedValues.includes('hunter2-hunter2'))
    await stage.reaches(again.body.runId, 'success')
  })

  test('fails where the child checks out and no run names a repository: an empty folder would pass', async () => {
    const bare = `checkout: false
steps:
  - name: call
    tasks: [{ name: child, pipeline: acme/web/child }]
`
    const runnable = await aRunnablePipeline(stage.house, 'bare', bare)
    for (const named of [{}, { repository: 'acme/shop' }]) {
      const runs = await db.selectFrom('runs').select('id').execute()
      const id = await startRun(stage.house, { ...runnable, ...named })
      const ended = await stage.reaches(id, 'failure')
      assert.match(
        ended.steps[0]?.tasks[0]?.reason ?? '',
        /^steps\.call\.tasks\.child\.pipeline: acme\/web\/child checks out, but the topmost run names no repository\. Start that run/,
      )
      assert.equal((await db.selectFrom('runs').select('id').execute()).length, runs.length + 1, 'no child was made')
    }
  })

  test('fails as its run does, and says which run and why', async () => {
    const id = await stage.start(parent('acme/web/child'))
    await stage.done(id, 'mint', { token: 'x' })
    const child = await childOf(id)
    stage.runner.finish((await stage.given(child, 'say')).fence, Result.FAILURE)
    await stage.reaches(child, 'failure')
    await workFacts(child)
    const ended = await stage.reaches(id, 'failure')
    assert.match(ended.reason ?? '', new RegExp(`run ${child} ended as failure: step work: task say failed: it broke`))
    assert.equal(ended.steps[2]?.status, 'skipped')
  })

  test('of a pull request from a fork is of that pull request, and trusted no more', async () => {
    const runnable = await aRunnablePipeline(stage.house, 'forked', parent('acme/web/child'))
    const place = { repository: 'acme/shop', cloneUrl: 'https://git.example/acme/shop.git' }
    const id = await startRun(stage.house, { ...runnable, ...place, untrusted: true, pullRequest: 7 })
    await stage.done(id, 'mint', { token: 'x' })
    const child = await stage.show(await childOf(id))
    assert.deepEqual([child.untrusted, child.pull_request, child.repository], [true, 7, 'acme/shop'])
    await stage.call('POST', `/v1/runs/${id}/cancel`)
  })

  test('is canceled with its run, and the run of the task with it', async () => {
    const id = await stage.start(parent('acme/web/child'))
    await stage.done(id, 'mint', { token: 'x' })
    const child = await childOf(id)
    const say = await stage.given(child, 'say')
    assert.equal((await stage.call('POST', `/v1/runs/${id}/cancel`, { reason: 'enough' })).status, 202)
    await until(
      'the task of the child to be canceled',
      () => stage.runner.cancels.some((cancel) => cancel.fence === say.fence),
      (told) => told,
    )
    stage.runner.finish(say.fence, Result.CANCELED)
    assert.equal((await stage.reaches(child, 'canceled')).reason, 'enough')
    await workFacts(child)
    const ended = await stage.reaches(id, 'canceled')
    assert.deepEqual([ended.reason, ended.steps[1]?.tasks[0]?.status], ['enough', 'canceled'])
  })

  test('times out by its own limit, whatever its run does', async () => {
    const limited = parent('acme/web/child').replace('inputs:', 'timeout: 1h\n        inputs:')
    const id = await stage.start(limited)
    await stage.done(id, 'mint', { token: 'x' })
    const child = await childOf(id)
    stage.runner.finish((await stage.given(child, 'say')).fence, undefined)
    await stage.reaches(child, 'success')
    await workFacts(child)
    const ended = await stage.reaches(id, 'running', 'success')
    assert.notEqual(ended.status, 'timed_out', 'one that ends in time is in time')
    await stage.done(id, 'use')
    await stage.reaches(id, 'success')

    const late = await stage.start(limited)
    await stage.done(late, 'mint', { token: 'x' })
    const slow = await childOf(late)
    const say = await stage.given(slow, 'say')
    await db
      .updateTable('attempts')
      .set({ deadline_at: new Date(0) })
      .where('child_run_id', '=', slow)
      .execute()
    await until(
      'the limit of the task',
      () => stage.runner.cancels.some((cancel) => cancel.fence === say.fence),
      (told) => told,
    )
    stage.runner.finish(say.fence, Result.CANCELED)
    await stage.reaches(slow, 'canceled')
    await workFacts(slow)
    const over = await stage.reaches(late, 'failure', 'timed_out')
    assert.equal(over.steps[1]?.tasks[0]?.status, 'timed_out')
  })

  test('fails with the directive where there is no such pipeline, and where runs stand above each other too high', async () => {
    const identifier = await stage.store(CHILD, 'going')
    const id = await stage.start(parent(identifier))
    await db.updateTable('pipelines').set({ deleted_at: new Date() }).where('identifier', '=', identifier).execute()
    await stage.done(id, 'mint', { token: 'x' })
    const ended = await stage.reaches(id, 'failure')
    assert.match(ended.reason ?? '', /steps\.call\.tasks\.child\.pipeline: there is no pipeline acme\/web\/going/)

    await stage.store('steps: [{ name: a, tasks: [{ name: again, pipeline: acme/web/tower }] }]\n', 'tower')
    const started = await stage.call('POST', '/v1/pipelines/acme%2Fweb%2Ftower/runs', {})
    const top = await stage.reaches(started.body.run_id, 'failure')
    assert.match(top.reason ?? '', /5 runs are above this one/)
    const { count } = await db
      .selectFrom('runs')
      .select((each) => each.fn.countAll<number>().as('count'))
      .where('pipeline_identifier', '=', 'acme/web/tower')
      .executeTakeFirstOrThrow()
    assert.equal(count, 6)
  })

  test('does not wait for the run that waits for it, where both are of one group', async () => {
    const grouped = (conflict: string) => `concurrency: { group: release, on_conflict: ${conflict} }\n`
    for (const conflict of ['queue', 'skip', 'cancel_running']) {
      await stage.store(`${grouped(conflict)}${CHILD}`, `inner-${conflict.replace('_', '-')}`)
      const middle = `${grouped('queue')}${parent(`acme/web/inner-${conflict.replace('_', '-')}`)}`
      const id = await stage.start(middle)
      await stage.done(id, 'mint', { token: 'x' })
      const child = await childOf(id)
      await stage.done(child, 'say', { word: 'moin' })
      const ended = await stage.reaches(child, 'success')
      assert.match(ended.note ?? '', new RegExp(`run ${id}, which wants it, is of the group release`))
      await workFacts(child)
      await stage.done(id, 'use')
      await stage.reaches(id, 'success')
    }
  })

  test('does not wait for a run whose task waits for the group of its own parent', async () => {
    const inGroup = (group: string) => `concurrency: { group: ${group}, on_conflict: queue }\n`
    const call = (child: string): string => `steps:
  - { name: gate, tasks: [{ name: wait, run: "true" }] }
  - { name: call, depends_on: [gate], tasks: [{ name: child, pipeline: ${child} }] }
`
    const work = 'steps: [{ name: work, tasks: [{ name: say, run: "true" }] }]\n'
    await stage.store(`${inGroup('left')}${work}`, 'of-left')
    await stage.store(`${inGroup('right')}${work}`, 'of-right')
    const left = await stage.start(`${inGroup('left')}${call('acme/web/of-right')}`)
    const right = await stage.start(`${inGroup('right')}${call('acme/web/of-left')}`)
    await stage.done(left, 'wait')
    await childOf(left)
    await stage.done(right, 'wait')
    const failed = await stage.reaches(right, 'failure')
    const [older, younger] = [await childOf(left), await childOf(right)]
    assert.equal(
      (await stage.show(younger)).reason,
      `Runs wait for each other for ever: it waits for its turn in the group left behind run ${left}, which wants run ${older}; run ${older} waits for its turn in the group right behind run ${right}, which wants this one.`,
    )
    assert.match(failed.reason ?? '', new RegExp(`run ${younger} ended as failure: Runs wait for each other`))
    await stage.done(older, 'say')
    await stage.reaches(left, 'success')
  })

  test('is one of at most 1,000 below a run, however they stand below each other', async () => {
    const wide = (child: string, many: number): string =>
      `steps: [{ name: all, matrix: { n: [${Array.from({ length: many }, (_, n) => `"${n}"`)}] }, tasks: [{ name: t, pipeline: ${child} }] }]\n`
    await stage.store('steps: [{ name: ask, approval: { approvers: [user:ada], timeout: 1h } }]\n', 'asking')
    await stage.store(wide('acme/web/asking', 250), 'wide')
    await stage.start(wide('acme/web/wide', 5))
    const refused = () =>
      db.selectFrom('attempts').select('reason').where('reason', 'like', 'steps.%below the topmost one%').execute()
    const [first, ...others] = await until('all that is more', refused, (rows) => rows.length > 254)
    assert.match(first?.reason ?? '', /^steps\.all\.tasks\.t\.pipeline: 1000 runs are below the topmost one/)
    assert.equal(others.length, 254, 'of 5 and 5 times 250')
    const { below } = await db
      .selectFrom('runs')
      .select((each) => each.fn.countAll<number>().as('below'))
      .where('pipeline_identifier', 'in', ['acme/web/asking', 'acme/web/wide'])
      .executeTakeFirstOrThrow()
    assert.equal(below, 1000)
  })
})
