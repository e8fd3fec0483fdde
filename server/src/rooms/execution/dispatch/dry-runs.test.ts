import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import type { RunDryRun } from '@signalbox/contracts/runs'
import { sql } from 'kysely'
import { createTestDatabase, testCaller } from '#platform/testing'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { openStage, type Stage } from './testing/index.ts'

let stage: Stage

// Registered before the database's own: hooks run in that order.
after(async () => await stage.close())

const { database } = await createTestDatabase()
const db = database.kysely
const NO_ID = '019a0000-0000-7000-8000-000000000000'
const RIGHTS = ['run.read', 'pipeline.read', 'run.start', 'run.cancel', 'run.rerun'] as const

before(async () => {
  stage = await openStage(
    database,
    {},
    {
      member: testCaller({ acme: [...RIGHTS] }, { name: 'ada' }),
      blind: testCaller({ acme: ['pipeline.read', 'run.start'] }),
      viewer: testCaller({ acme: ['run.read', 'pipeline.read'] }),
      stranger: testCaller({ other: ['*'] }),
    },
  )
  await anEnvironment(db, 'acme/web/production', { protected: true })
  await anEnvironment(db, 'acme/web/staging')
})

const STAGING = { scope: 'acme/web/staging' }
const ONE =
  'checkout: false\nvariables: { COLOUR: red }\nsteps:\n  - { name: one, tasks: [{ name: do, run: "true" }] }\n'
const TWO = `checkout: false
steps:
  - { name: build, tasks: [{ name: make, run: "true" }, { name: check, run: "false" }] }
  - { name: release, depends_on: [build], approval: { approvers: [user:ada], timeout: 1h } }
  - { name: ship, scope: acme/web/production, depends_on: [release], tasks: [{ name: go, run: "true" }] }
`
const grouped = (group: string, onConflict: string): string =>
  `concurrency: { group: ${group}, on_conflict: ${onConflict} }\n${ONE}`

const startOf = (pipeline: string) => `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
const dry = async (url: string, body: unknown = {}, who = 'member'): Promise<RunDryRun> => {
  const stored = await countAll()
  const answer = await stage.call('POST', `${url}?dry_run=true`, body, who)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(await countAll(), stored)
  return answer.body
}
/** Every row that a start, a rerun or a cancel could leave. */
const countAll = async (): Promise<unknown> => {
  const { rows } =
    await sql`select (select count(*) from runs) as runs, (select count(*) from audit_records) as records,
    (select count(*) from facts) as facts, (select count(*) from run_event_blocks) as events,
    (select count(*) from runs where cancel_requested_at is not null) as canceling`.execute(db)
  return rows[0]
}
const codes = ({ effects }: RunDryRun): readonly string[] => effects.map(({ code }) => code)

describe('a start that is tried', () => {
  test('says which version, scope, variables and steps the run would have, and stores nothing', async () => {
    const pipeline = await stage.store(TWO)
    const found = await dry(startOf(pipeline), STAGING)
    assert.deepEqual(
      [found.action, found.pipeline, found.pipeline_version, found.scope, found.status, found.withheld],
      ['start', pipeline, 1, 'acme/web/staging', 'queued', null],
    )
    assert.deepEqual(
      found.steps.map(({ name, scope, tasks, waits_for_approval: waits }) => [name, scope, tasks, waits]),
      [
        ['build', null, 2, false],
        ['release', null, 1, true],
        ['ship', 'acme/web/production', 1, false],
      ],
    )
    // The scope of a step is protected, that of the run is not.
    assert.equal(found.protected, true)
    for (const code of ['dry_run.queued', 'dry_run.protected', 'dry_run.asks_people']) {
      assert.ok(codes(found).includes(code), `${code} of ${codes(found).join(', ')}`)
    }
    const plain = await dry(startOf(await stage.store(ONE)), { ...STAGING, variables: { COLOUR: 'blue' }, priority: 7 })
    assert.deepEqual([plain.protected, plain.variables, plain.priority], [false, { COLOUR: 'blue' }, 7])
  })

  test('is refused as the start is', async () => {
    const pipeline = await stage.store(ONE)
    const refusals: readonly (readonly [string, string, unknown])[] = [
      ['viewer', pipeline, STAGING],
      ['stranger', pipeline, STAGING],
      ['member', 'acme/web/none', STAGING],
      ['member', pipeline, { scope: 'acme/web/nowhere' }],
      ['member', pipeline, { ...STAGING, variables: { COLOR: 'x' } }],
      ['member', pipeline, { ...STAGING, repository: 'acme/shop', ref: 'main' }],
      ['member', pipeline, { colour: 1 }],
    ]
    const tell = ({ status, body }: Awaited<ReturnType<Stage['call']>>) => [status, body.code, body.detail, body.errors]
    for (const [who, identifier, body] of refusals) {
      const tried = await stage.call('POST', `${startOf(identifier)}?dry_run=true`, body, who)
      const done = await stage.call('POST', startOf(identifier), body, who)
      assert.deepEqual(tell(tried), tell(done))
      assert.ok(tried.status >= 400 && tried.status < 500)
    }
    assert.equal((await stage.call('POST', `${startOf(pipeline)}?dry_run=maybe`, STAGING, 'member')).status, 400)
  })

  test('names the runs that it would end, as far as they may be seen, and leaves them alone', async () => {
    const first = await stage.start(grouped('paint', 'cancel_running'), STAGING)
    await stage.given(first, 'do')
    const again = startOf(await stage.store(grouped('paint', 'cancel_running')))
    const found = await dry(again, STAGING)
    assert.deepEqual(found.others, [{ run_id: first, status: 'running', becomes: 'canceling' }])
    assert.ok(codes(found).includes('dry_run.ends_others'))
    const blind = await dry(again, STAGING, 'blind')
    assert.deepEqual(blind.others, [])
    assert.ok(!JSON.stringify(blind).includes(first))
    assert.match(
      blind.effects.map(({ sentence }) => sentence).join('\n'),
      /^It would end runs that you may not see\.$/m,
    )
    const run = await stage.show(first)
    assert.deepEqual([run.status, run.cancel_requested_at], ['running', null])
    await stage.done(first, 'do')
    await stage.reaches(first, 'success')
  })

  test('says that the run would wait for its turn, or end at once', async () => {
    const first = await stage.start(grouped('slow', 'queue'), STAGING)
    await stage.given(first, 'do')
    const waits = await dry(startOf(await stage.store(grouped('slow', 'queue'))), STAGING)
    assert.deepEqual([waits.status, waits.withheld, waits.concurrency_group], ['queued', 'group', 'slow'])
    const skipped = await dry(startOf(await stage.store(grouped('slow', 'skip'))), STAGING)
    assert.equal(skipped.status, 'canceled')
    assert.match(skipped.reason ?? '', /Skipped/)
    assert.deepEqual(codes(skipped)[0], 'dry_run.ends_at_once')
    await stage.done(first, 'do')
    await stage.reaches(first, 'success')
  })

  test('says what a policy would make of its begin', async () => {
    const policy = {
      team_path: '/',
      name: 'no-green',
      kind: 'policy',
      scope: '**',
      at: 'run',
      text: '',
      message: 'No green.',
    }
    const rule = '!("COLOUR" in run.variables) || run.variables.COLOUR != "green"'
    assert.equal((await stage.call('POST', '/v1/knowledge', { ...policy, rule })).status, 201)
    const pipeline = startOf(await stage.store(ONE))
    const green = await dry(pipeline, { ...STAGING, variables: { COLOUR: 'green' } })
    assert.match(green.reason ?? '', /No green/)
    assert.ok(codes(green).includes('dry_run.violates'))
    assert.ok(green.effects.every(({ sentence }) => !sentence.includes('No green')))
    assert.equal((await dry(pipeline, STAGING)).reason, null)
  })
})

describe('a rerun that is tried', () => {
  test('says what it would take over, and is refused as the rerun is', async () => {
    const id = await stage.start(TWO, STAGING)
    const early = await stage.call('POST', `/v1/runs/${id}/rerun?dry_run=true`, { mode: 'failed' }, 'member')
    assert.deepEqual([early.status, early.body.code], [409, 'run.not_repeatable'])
    await stage.done(id, 'make')
    stage.runner.finish((await stage.given(id, 'check')).fence, Result.FAILURE)
    await stage.reaches(id, 'failure')
    const found = await dry(`/v1/runs/${id}/rerun`, { mode: 'failed' })
    assert.deepEqual(
      found.steps.map(({ name, taken_over: taken }) => [name, taken]),
      [
        ['build', 1],
        ['release', 0],
        ['ship', 0],
      ],
    )
    assert.ok(codes(found).includes('dry_run.taken_over'))
    for (const [who, run, status] of [
      ['viewer', id, 403],
      ['stranger', id, 404],
      ['member', NO_ID, 404],
    ] as const) {
      const answer = await stage.call('POST', `/v1/runs/${run}/rerun?dry_run=true`, { mode: 'failed' }, who)
      assert.equal(answer.status, status)
    }
  })
})

describe('a cancel that is tried', () => {
  test('says what would be stopped, and is refused as the cancel is', async () => {
    const id = await stage.start(ONE, STAGING)
    const { fence } = await stage.given(id, 'do')
    const url = `/v1/runs/${id}/cancel`
    const found = await dry(url)
    assert.deepEqual([found.action, found.status, found.steps], ['cancel', 'running', []])
    assert.match(found.effects[0]?.sentence ?? '', /runners have stopped 1 task/)
    assert.equal(stage.runner.cancels.length, 0)
    assert.equal((await stage.call('POST', `${url}?dry_run=true`, {}, 'viewer')).status, 403)
    const hidden = await stage.call('POST', `${url}?dry_run=true`, {}, 'stranger')
    const absent = await stage.call('POST', `/v1/runs/${NO_ID}/cancel?dry_run=true`, {}, 'stranger')
    assert.deepEqual(
      [hidden.status, absent.status, hidden.body.detail.replace(id, NO_ID)],
      [404, 404, absent.body.detail],
    )
    assert.equal((await stage.call('POST', url, {}, 'member')).status, 202)
    // Meanwhile its end may be stored.
    const again = await stage.call('POST', `${url}?dry_run=true`, {}, 'member')
    assert.deepEqual(codes(again.body), ['dry_run.nothing'])
    stage.runner.finish(fence, Result.CANCELED)
    await stage.reaches(id, 'canceled')
    assert.deepEqual(codes(await dry(url)), ['dry_run.nothing'])
    const green = await stage.start(ONE, STAGING)
    await stage.done(green, 'do')
    await stage.reaches(green, 'success')
    const late = await stage.call('POST', `/v1/runs/${green}/cancel?dry_run=true`, {}, 'member')
    assert.deepEqual([late.status, late.body.code], [409, 'run.finished'])
  })
})
