import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { Problem } from '#platform/problems'
import { createTestClock, createTestDatabase, createTestKit } from '#platform/testing'
import { signPush } from '../../../../adapters/forges/github/testing.ts'
import { aConnectedSource, deliver, openCauses, SECRET } from '../testing.ts'
import { createCommitter, type DeliveryEntry } from './commit-deliveries.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
const { id: sourceId, url, triggerId } = await aConnectedSource(causes)

async function runsOfTrigger(): Promise<number> {
  const { count } = await db
    .selectFrom('runs')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('trigger_id', '=', triggerId)
    .executeTakeFirstOrThrow()
  return count
}

function anEntry(change: Partial<DeliveryEntry['delivery']> = {}): DeliveryEntry {
  return {
    delivery: {
      id: causes.kit.ids.next(),
      sourceId,
      deliveryId: null,
      receivedAt: new Date(),
      eventType: 'push',
      action: null,
      repository: 'acme/widgets',
      ref: null,
      commitSha: null,
      sender: null,
      result: 'ignored',
      verification: 'verified',
      statusCode: 200,
      reason: 'test',
      runIds: [],
      duplicateOf: null,
      payload: null,
      durationMs: 1,
      payloadBytes: 0,
      trace: { verification: '', events: [] },
      ...change,
    },
    repetition: 'none',
    payload: undefined,
    plans: [],
  }
}

const idle = { events: { admission: () => [] }, onRunsQueued: () => undefined }

describe('a delivery that is sent again', () => {
  test('ten copies of each of a hundred at once start one run each, and all are answered alike', async () => {
    const before = await runsOfTrigger()
    const ids = Array.from({ length: 100 }, () => randomUUID())
    const copies = Array.from({ length: 10 }, () => ids).flat()
    const answers = await Promise.all(
      copies.map((deliveryId) => deliver(causes, url, signPush({ secret: SECRET, deliveryId }))),
    )
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([202]))
    assert.equal((await runsOfTrigger()) - before, 100)
    const rows = await db.selectFrom('deliveries').selectAll().where('delivery_id', 'in', ids).execute()
    assert.equal(rows.length, 1000)
    const firsts = new Map(rows.filter((row) => row.result === 'accepted').map((row) => [row.id, row.delivery_id]))
    assert.equal(firsts.size, 100)
    for (const row of rows.filter((one) => one.result === 'duplicate')) {
      assert.equal(firsts.get(row.duplicate_of ?? ''), row.delivery_id)
      assert.deepEqual(row.run_ids, [])
      assert.equal(row.payload_block_id === null, false)
    }
  })

  test('is answered as the first one, also when its triggers are gone', async () => {
    const push = signPush({ secret: SECRET, deliveryId: randomUUID() })
    assert.equal((await deliver(causes, url, push)).status, 202)
    await causes.call('PATCH', `/v1/triggers/${triggerId}`, { enabled: false })
    assert.equal((await deliver(causes, url, push)).status, 202)
    await causes.call('PATCH', `/v1/triggers/${triggerId}`, { enabled: true })
  })

  test('is processed when the first one was refused or started nothing', async () => {
    const deliveryId = randomUUID()
    assert.equal((await deliver(causes, url, signPush({ secret: 'another', deliveryId }))).status, 401)
    await causes.call('PATCH', `/v1/triggers/${triggerId}`, { enabled: false })
    assert.equal((await deliver(causes, url, signPush({ secret: SECRET, deliveryId }))).status, 200)
    await causes.call('PATCH', `/v1/triggers/${triggerId}`, { enabled: true })
    assert.equal((await deliver(causes, url, signPush({ secret: SECRET, deliveryId }))).status, 202)
  })

  test('without an id of the provider each counts', async () => {
    const before = await runsOfTrigger()
    const { headers, body } = signPush({ secret: SECRET })
    const { 'x-github-delivery': _, ...anonymous } = headers
    for (let at = 0; at < 2; at += 1) await deliver(causes, url, { headers: anonymous, body })
    assert.equal((await runsOfTrigger()) - before, 2)
  })
})

describe('the group commit', () => {
  test('takes what came during a commit together', async () => {
    const transactions: number[] = []
    const database = {
      ...causes.kit.database,
      pipeline: (async (statements) => {
        transactions.push(1)
        return causes.kit.database.pipeline(statements)
      }) satisfies typeof causes.kit.database.pipeline,
    }
    const committer = createCommitter({ ...causes.kit, database }, idle)
    await Promise.all(Array.from({ length: 200 }, () => committer.commit(anEntry())))
    assert.ok(transactions.length <= 6, `${transactions.length} transactions for 200 deliveries`)
  })

  test('one that cannot be stored does not fail the others', async () => {
    const committer = createCommitter(causes.kit, idle)
    const good = Array.from({ length: 20 }, () => anEntry())
    const bad = anEntry({ reason: 'NUL \u0000 cannot be stored' })
    const outcomes = await Promise.allSettled([...good, bad].map((entry) => committer.commit(entry)))
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      [...good.map(() => 'fulfilled'), 'rejected'],
    )
  })

  test('a stalled database: senders get 503 in time, memory stays bounded, and what waited is stored in the end', async () => {
    const clock = createTestClock()
    const kit = createTestKit(causes.kit.database, { clock })
    const stalled = Promise.withResolvers<void>()
    const database = {
      ...kit.database,
      pipeline: (async (statements) => {
        await stalled.promise
        return kit.database.pipeline(statements)
      }) satisfies typeof kit.database.pipeline,
    }
    const committer = createCommitter({ ...kit, database }, idle)
    const entries = Array.from({ length: 1005 }, () => anEntry())
    const waiting = entries.map((entry) =>
      committer.commit(entry).then(
        () => 'stored',
        (error: unknown) => codeOf(error),
      ),
    )
    assert.deepEqual(await Promise.all(waiting.slice(1000)), Array(5).fill('delivery.overloaded'))
    await clock.advance(8000)
    assert.deepEqual(new Set(await Promise.all(waiting.slice(0, 1000))), new Set(['database_unavailable']))
    stalled.resolve()
    await committer.settle()
    const ids = entries.map((entry) => entry.delivery.id)
    const rows = await db.selectFrom('deliveries').select('id').where('id', 'in', ids).execute()
    assert.equal(rows.length, 1000)
  })
})

function codeOf(error: unknown): string {
  return error instanceof Problem ? error.code : String(error)
}
