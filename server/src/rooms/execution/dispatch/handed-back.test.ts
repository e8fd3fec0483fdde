import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { createTestDatabase, until } from '#platform/testing'
import {
  aRunnablePipeline,
  type ExecutionHouse,
  FakeRunner,
  openExecution,
  sendAway,
  startRun,
} from './testing/index.ts'

/** The task is neither idempotent nor has a retry: a lost attempt would end it. */
const ONE = 'steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true" }\n'
const TWICE =
  'steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true", retry: { attempts: 2, backoff: 1s } }\n'

let house: ExecutionHouse
let broken: FakeRunner
let sound: FakeRunner
let count = 0

// Registered before the database's own: hooks run in that order.
after(async () => {
  await house.stop()
})

const { database } = await createTestDatabase()
const db = database.kysely

before(async () => {
  house = await openExecution(database)
})
afterEach(async () => {
  for (const runner of [broken, sound]) await sendAway(house, runner)
})

const open = async (document: string) => {
  count += 1
  broken = await FakeRunner.enrolled(house, { name: `broken${count}` })
  sound = await FakeRunner.enrolled(house, { name: `sound${count}` })
  await broken.connect(house)
  const id = await startRun(house, await aRunnablePipeline(house, `p${count}`, document))
  const given = await broken.assigned()
  await sound.connect(house)
  return { id, given }
}
const attemptsOf = (id: string) =>
  db
    .selectFrom('attempts')
    .select(['number', 'status', 'reason', 'end_reported'])
    .where('run_id', '=', id)
    .orderBy('id')
    .execute()
const endOf = (id: string) =>
  until(
    'the run to end',
    () => db.selectFrom('runs').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow(),
    ({ status }) => status === 'success' || status === 'failure' || status === 'canceled',
  )
const acknowledged = (runner: FakeRunner, fence: bigint) =>
  until(
    'the acknowledgement',
    () => runner.finishAcks.filter((ack) => ack.fence === fence),
    (acks) => acks.length > 0,
  )

describe('an attempt that its runner hands back before anything has begun', () => {
  test('is followed by one on another runner, and the record says why', async () => {
    const { id, given } = await open(ONE)
    broken.handBack(given.fence)
    const next = await sound.assigned()
    await acknowledged(broken, given.fence)
    assert.ok(next.fence > given.fence)
    assert.deepEqual([next.attempt, next.stopWhenLeaseEnds], [2, false], 'it is still its only try')
    sound.start(next.fence)
    sound.finish(next.fence)
    assert.equal((await endOf(id)).status, 'success')
    const [first, second] = await attemptsOf(id)
    assert.deepEqual([first?.status, first?.reason, second?.status], ['lost', 'The engine did not answer.', 'success'])
    assert.equal(first?.end_reported, true, 'its log is whole')
    assert.equal(broken.assigns.length, 1)
  })

  test('says until then what it waits for there, and nothing once it begins', async () => {
    const { id, given } = await open(ONE)
    const waitOf = (wanted: string | null) =>
      until(
        `the reason ${wanted}`,
        async () => (await attemptsOf(id))[0]?.reason,
        (reason) => reason === wanted,
      )
    sound.wait(given.fence, 'It is not given to this one.')
    broken.wait(given.fence, 'The task needs 64 MB of memory.')
    await waitOf(`Waits on runner broken${count}. The task needs 64 MB of memory.`)
    broken.wait(given.fence, '')
    await waitOf(null)
    broken.wait(given.fence, 'The engine does not answer.')
    await waitOf(`Waits on runner broken${count}. The engine does not answer.`)
    broken.start(given.fence)
    await waitOf(null)
    broken.finish(given.fence)
    assert.equal((await endOf(id)).status, 'success')
  })

  test('spends no try of a task, and its second message counts for nothing', async () => {
    const { id, given } = await open(TWICE)
    broken.handBack(given.fence)
    broken.handBack(given.fence)
    const second = await sound.assigned()
    assert.equal(second.stopWhenLeaseEnds, true, 'a try is left')
    broken.handBack(given.fence)
    sound.finish(second.fence, Result.FAILURE)
    const third = await until(
      'the second try',
      () => [...broken.assigns, ...sound.assigns].find(({ attempt }) => attempt === 3),
      (assign) => assign !== undefined,
    )
    assert.equal(third?.stopWhenLeaseEnds, false, 'no try is left')
    for (const runner of [broken, sound]) runner.finish(third?.fence ?? 0n, Result.FAILURE)
    assert.equal((await endOf(id)).status, 'failure')
    assert.deepEqual(
      (await attemptsOf(id)).map(({ status }) => status),
      ['lost', 'failure', 'failure'],
    )
  })

  test('is a loss like any other where the runner has said that it began', async () => {
    const { id, given } = await open(ONE)
    broken.start(given.fence)
    broken.handBack(given.fence)
    const { status, reason } = await endOf(id)
    assert.equal(status, 'failure')
    assert.match(reason ?? '', /The engine did not answer/)
    assert.equal(sound.assigns.length, 0)
  })

  test('is no business of a runner that does not hold it', async () => {
    const { id, given } = await open(ONE)
    sound.handBack(given.fence)
    await acknowledged(sound, given.fence)
    assert.deepEqual(
      (await attemptsOf(id)).map(({ status }) => status),
      ['leased'],
    )
    broken.finish(given.fence)
    assert.equal((await endOf(id)).status, 'success')
  })

  test('ends where its run is canceled meanwhile', async () => {
    const { id, given } = await open(ONE)
    await db.updateTable('runs').set({ cancel_requested_at: new Date() }).where('id', '=', id).execute()
    house.dispatch.poke()
    await until(
      'the cancellation to reach the runner',
      () => broken.cancels,
      (cancels) => cancels.length > 0,
    )
    broken.handBack(given.fence)
    assert.equal((await endOf(id)).status, 'canceled')
    assert.equal(sound.assigns.length, 0)
  })
})
