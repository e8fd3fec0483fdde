import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { sql } from 'kysely'
import { createTestDatabase, until } from '#platform/testing'
import { endLeases, FakeRunner, openStage, type Stage, sendAway } from './testing/index.ts'

const SHARED = `steps:
  - name: build
    workspace: shared
    tasks:
      - { name: install, run: "true", idempotent: true }
      - { name: test, run: "true", depends_on: [install], retry: { attempts: 2, backoff: 2s } }
`

let stage: Stage
let other: FakeRunner

after(async () => {
  await stage.close()
})
const { database } = await createTestDatabase()
const db = database.kysely

before(async () => {
  stage = await openStage(database, { env: { LEASE_SECONDS: '300', HEARTBEAT_SECONDS: '1' } }, {}, 2)
})
afterEach(() => sendAway(stage.house, other))

/** A run whose first task has begun at the stage's runner, and a second runner that would be preferred: it is idle. */
const begun = async () => {
  await sql`update runners set draining = false where id = ${stage.runner.id}`.execute(db)
  await stage.runner.connect(stage.house)
  const id = await stage.start(SHARED)
  const first = await stage.given(id, 'install')
  stage.runner.start(first.fence)
  // A runner that is sent away is not heard any more: the start has to be written by then.
  await until(
    'the start to be stored',
    () => db.selectFrom('attempts').select('started_at').where('run_id', '=', id).executeTakeFirst(),
    (attempt) => attempt !== undefined && attempt.started_at !== null,
  )
  other = await FakeRunner.enrolled(stage.house, { name: `idle-${id.slice(-6)}`, scopes: ['acme/**'], capacity: 8 })
  await other.connect(stage.house)
  return { id, first }
}
const atOther = (id: string) => other.assigns.filter(({ runId }) => runId === id)

describe('the tasks of a step with a shared workspace', () => {
  test('go to the runner of the first one, a second attempt as well; it hears when the step is over', async () => {
    const { id, first } = await begun()
    assert.equal(first.sharedWorkspace?.begun, false)
    stage.runner.finish(first.fence)
    const second = await stage.given(id, 'test')
    assert.equal(second.sharedWorkspace?.begun, true)
    stage.runner.finish(second.fence, Result.FAILURE)
    const again = await stage.given(id, 'test', 1)
    assert.equal(again.sharedWorkspace?.begun, true)
    stage.runner.finish(again.fence)
    await stage.reaches(id, 'success')
    assert.deepEqual(atOther(id), [])
    const isOver = () => stage.runner.workspacesOver.some(({ runId, step }) => runId === id && step === 'build')
    await until('the runner to hear that the step is over', isOver, (told) => told)
  })

  test('begin elsewhere when the runner of the first one was lost, and go on there', async () => {
    const { id } = await begun()
    await sendAway(stage.house, stage.runner)
    await endLeases(stage.house, id)
    const [first] = await until(
      'the first task to come to the other runner',
      () => atOther(id),
      (all) => all.length === 1,
    )
    assert.deepEqual([first?.task, first?.attempt, first?.sharedWorkspace?.begun], ['install', 2, false])
    await stage.runner.connect(stage.house, [], [], [{ runId: id, step: 'build' }])
    await until(
      'the first runner to hear that its workspace is not used any more',
      () => stage.runner.workspacesOver,
      (over) => over.length === 1,
    )
    other.start(first?.fence ?? 0n)
    other.finish(first?.fence ?? 0n)
    await until(
      'the second task to come there, too',
      () => atOther(id),
      (all) => all.length === 2,
    )
    assert.equal(atOther(id)[1]?.sharedWorkspace?.begun, true)
    other.finish(atOther(id)[1]?.fence ?? 0n)
    await stage.reaches(id, 'success')
  })

  for (const [what, change, sentence] of [
    ['drains', sql`draining = true`, /is on runner box, which is draining/],
    ['was removed', sql`removed_at = now()`, /is on a runner that was removed/],
  ] as const) {
    test(`fail with what would have saved them when the runner ${what}, and go nowhere else`, async () => {
      const { id, first } = await begun()
      stage.runner.finish(first.fence)
      const second = await stage.given(id, 'test')
      stage.runner.finish(second.fence, Result.FAILURE)
      // A runner that is removed is not heard any more: what it said has to be written by then.
      await until(
        'the second attempt to be planned',
        () => stage.show(id),
        ({ steps }) => steps[0]?.tasks[1]?.retry_at !== null,
      )
      await sql`update runners set ${change} where id = ${stage.runner.id}`.execute(db)
      await sendAway(stage.house, stage.runner)
      const { reason } = await stage.reaches(id, 'failure')
      assert.match(reason ?? '', sentence)
      assert.match(reason ?? '', /of step build share.*artifacts/)
      assert.deepEqual(atOther(id), [])
    })
  }
})
