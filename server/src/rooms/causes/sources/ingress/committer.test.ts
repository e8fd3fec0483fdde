import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { Problem } from '#platform/problems'
import { createTestClock, createTestDatabase, createTestKit } from '#platform/testing'
import { signPush } from '../../../../adapters/forges/github/testing.ts'
import { aConnectedSource, deliver, openCauses, patientClock, SECRET } from '../testing.ts'
import { type Admissions, createAdmissions } from './admissions.ts'
import { type Committed, type Committer, createCommitter } from './committer.ts'
import type { DeliveryEntry } from './delivery-entry.ts'
import type { Repeating } from './group.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, {}, { clock: patientClock })
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
      replayOf: null,
      unusable: false,
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

const NOTHING_STARTED: Repeating = {
  admission: () => [],
  isRepeated: () => false,
  repeatThemselves: () => false,
  markRepeated: async (_db, plans) => plans,
}

/** Another one for each id. */
function aCommitOf(id: string): string {
  return id.replaceAll('-', '').padEnd(40, 'a')
}

const idle = { events: NOTHING_STARTED, above: { reporting: () => [] }, onRunsQueued: () => undefined }

describe('a delivery that is sent again', () => {
  test('ten copies of each of a hundred at once start one run each, and all are answered alike', async () => {
    const before = await runsOfTrigger()
    const ids = Array.from({ length: 100 }, () => randomUUID())
    for (let at = 0; at < ids.length; at += 20) {
      const copies = Array.from({ length: 10 }, () => ids.slice(at, at + 20)).flat()
      const answers = await Promise.all(
        copies.map((deliveryId) =>
          deliver(causes, url, signPush({ secret: SECRET, deliveryId, after: aCommitOf(deliveryId) })),
        ),
      )
      assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([202]))
    }
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
    for (const commit of ['1'.repeat(40), '2'.repeat(40)]) {
      const { headers, body } = signPush({ secret: SECRET, after: commit })
      const { 'x-github-delivery': _, ...anonymous } = headers
      await deliver(causes, url, { headers: anonymous, body })
    }
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
    const committing = commitWith(createCommitter({ ...causes.kit, ...idle, database }))
    await Promise.all(Array.from({ length: 200 }, () => committing.commit(anEntry())))
    assert.ok(transactions.length <= 6, `${transactions.length} transactions for 200 deliveries`)
  })

  test('one that cannot be stored does not fail the others, and is found by halves', async () => {
    let transactions = 0
    const database = {
      ...causes.kit.database,
      pipeline: (async (statements) => {
        transactions += 1
        return causes.kit.database.pipeline(statements)
      }) satisfies typeof causes.kit.database.pipeline,
    }
    const committing = commitWith(createCommitter({ ...causes.kit, ...idle, database }))
    const good = Array.from({ length: 100 }, () => anEntry())
    const bad = anEntry({ reason: 'NUL \u0000 cannot be stored' })
    const outcomes = await Promise.allSettled([...good, bad].map((entry) => committing.commit(entry)))
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      [...good.map(() => 'fulfilled'), 'rejected'],
    )
    assert.ok(transactions < 20, `${transactions} transactions for one that cannot be stored`)
    const ids = good.map((entry) => entry.delivery.id)
    const rows = await db.selectFrom('deliveries').select('id').where('id', 'in', ids).execute()
    assert.equal(rows.length, 100)
  })

  test('a copy in a group that fails as a whole is still a duplicate, and one whose first cannot be stored is not', async () => {
    const committing = commitWith(createCommitter({ ...causes.kit, ...idle }))
    const bad = 'NUL \u0000 cannot be stored'
    const [twice, lost] = [randomUUID(), randomUUID()]
    const claim = (deliveryId: string, reason: string): DeliveryEntry => ({
      ...anEntry({ deliveryId, reason, result: 'accepted', statusCode: 202 }),
      repetition: 'claim',
    })
    const entries = [claim(twice, 'first'), claim(lost, bad), claim(twice, 'copy'), claim(lost, 'second')]
    const outcomes = await Promise.allSettled(entries.map((entry) => committing.commit(entry)))
    assert.deepEqual(
      outcomes.map((one) => (one.status === 'fulfilled' ? one.value.delivery.result : 'failed')),
      ['accepted', 'failed', 'duplicate', 'accepted'],
    )
  })

  test('a stalled database: senders get 503 in time, memory stays bounded, and what waited is stored in the end', async () => {
    const { committer, committing, clock, resume } = stalledCommitter()
    const entries = Array.from({ length: 1005 }, () => anEntry())
    const waiting = entries.map((entry) => outcomeOf(committing, entry))
    assert.deepEqual(await Promise.all(waiting.slice(1000)), Array(5).fill('delivery.overloaded'))
    assert.throws(() => committing.admissions.requireCapacity(sourceId), { code: 'delivery.overloaded' })
    await clock.advance(7000)
    assert.deepEqual(new Set(await Promise.all(waiting.slice(0, 1000))), new Set(['database_unavailable']))
    // The deliveries were answered, and are in hand until they are stored.
    assert.throws(() => committing.admissions.requireCapacity(sourceId), { code: 'delivery.overloaded' })
    resume()
    await committer.settle()
    const ids = entries.map((entry) => entry.delivery.id)
    const rows = await db.selectFrom('deliveries').select('id').where('id', 'in', ids).execute()
    assert.equal(rows.length, 1000)
    assert.doesNotThrow(() => committing.admissions.requireCapacity(sourceId))
  })

  test('a source that sends all it can leaves room for the others, and does not keep them waiting', async () => {
    const { committer, committing, groups, resume } = stalledCommitter()
    const other = await aConnectedSource(causes, { name: 'other' }, { name: 'other' })
    const loud = Array.from({ length: 1000 }, () => outcomeOf(committing, anEntry()))
    assert.equal(await outcomeOf(committing, anEntry()), 'delivery.overloaded')
    committing.admissions.requireCapacity(other.id)
    const quiet = anEntry({ sourceId: other.id })
    const stored = outcomeOf(committing, quiet)
    resume()
    assert.deepEqual(new Set(await Promise.all([...loud, stored])), new Set(['stored']))
    await committer.settle()
    const at = groups.findIndex((group) => group.includes(quiet.delivery.id))
    assert.ok(at >= 0 && at <= 2, `in group ${at} of ${groups.length}`)
  })

  test('payloads of one source fill half of the bytes at most', async () => {
    const { committer, committing, resume } = stalledCommitter()
    const body = Buffer.alloc(25 * 1024 * 1024)
    const large = () => outcomeOf(committing, { ...anEntry(), payload: { headers: {}, body } })
    const taken = [large(), large()]
    assert.equal(await large(), 'delivery.overloaded')
    resume()
    assert.deepEqual(await Promise.all(taken), ['stored', 'stored'])
    await committer.settle()
    assert.equal(await large(), 'stored')
  })
})

/** A committer whose database answers nothing until `resume`; `groups` are the ids that it was given at a time. */
function stalledCommitter() {
  const clock = createTestClock()
  const kit = createTestKit(causes.kit.database, { clock })
  const stalled = Promise.withResolvers<void>()
  const groups: string[] = []
  const database = {
    ...kit.database,
    pipeline: (async (statements) => {
      groups.push(JSON.stringify(statements.map(({ values }) => values.filter((value) => typeof value === 'string'))))
      await stalled.promise
      return kit.database.pipeline(statements)
    }) satisfies typeof kit.database.pipeline,
  }
  const committer = createCommitter({ ...kit, ...idle, database })
  return { committer, committing: commitWith(committer), clock, groups, resume: stalled.resolve }
}

interface Committing {
  readonly admissions: Admissions
  commit(entry: DeliveryEntry): Promise<Committed>
}

/** Commits as deliveries do: each has a ticket, which it gives back when it is answered. */
function commitWith(committer: Committer): Committing {
  const admissions = createAdmissions(256 * 1024)
  return {
    admissions,
    async commit(entry) {
      const ticket = admissions.take(entry.delivery.sourceId, entry.payload?.body.length ?? 0)
      try {
        return await committer.commit(entry, ticket)
      } finally {
        ticket.giveBack()
      }
    },
  }
}

/** `stored`, or the code of the problem. */
function outcomeOf(committing: Committing, entry: DeliveryEntry): Promise<string> {
  return committing.commit(entry).then(
    () => 'stored',
    (error: unknown) => codeOf(error),
  )
}

function codeOf(error: unknown): string {
  return error instanceof Problem ? error.code : String(error)
}
