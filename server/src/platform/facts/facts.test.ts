import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { noFailPoints } from '#platform/fail-points'
import { createIds } from '#platform/ids'
import { jobs, startJobWorker } from '#platform/jobs'
import { createLog } from '#platform/log'
import { createTestDatabase, until } from '#platform/testing'
import { systemClock } from '#platform/time'
import { createFacts, type Fact } from './index.ts'

const { database } = await createTestDatabase()
const house = createFacts({ ids: createIds(Date.now), clock: systemClock, jobs, failPoints: noFailPoints, database })
const seen: Fact[] = []
let failuresLeft = 1
const large: Fact[] = []
const factJobs = house.connect([
  { fact: 'thing.made', name: 'first.note', react: async (fact) => void seen.push(fact) },
  {
    fact: 'thing.made',
    name: 'second.stumble',
    react: async () => {
      if (failuresLeft-- > 0) throw new Error('not this time')
      seen.push({ id: 'second', kind: '', version: 1, payload: null, occurredAt: new Date(0) })
    },
  },
  {
    fact: 'thing.weighed',
    name: 'third.large',
    wants: (payload) => Number(payload) > 10,
    react: async (fact) => void large.push(fact),
  },
])
const worker = await startJobWorker(database, factJobs, createLog({ level: 'silent', pretty: false }), systemClock)
after(() => worker.stop())

describe('facts', () => {
  test('reach every reaction once the transaction commits; a reaction that fails is tried again', async () => {
    await database.transaction((tx) => house.facts.tell(tx, 'thing.made', 1, { id: 7 }))
    await until(
      'both reactions',
      () => seen.length,
      (count) => count === 2,
    )
    assert.deepEqual(seen.find((fact) => fact.kind === 'thing.made')?.payload, { id: 7 })
  })

  test('that a reaction does not want cost no job; those that it wants reach it, several told at once too', async () => {
    const added = await database.transaction(async (tx) => {
      await house.facts.tellAll(tx, 'thing.weighed', 1, [5, 11, 7, 12])
      const ours = sql`select key from graphile_worker.jobs where key like '%:third.large'`
      return (await ours.execute(tx)).rows.length
    })
    assert.equal(added, 2)
    await until(
      'both large ones',
      () => large.length,
      (count) => count === 2,
    )
    assert.deepEqual(large.map((fact) => fact.payload).toSorted(), [11, 12])
  })

  test('of a transaction that rolls back were never told', async () => {
    const before = seen.length
    const undone = database.transaction(async (tx) => {
      await house.facts.tell(tx, 'thing.made', 1, { id: 8 })
      throw new Error('changed our mind')
    })
    await assert.rejects(undone, /changed our mind/)
    await database.transaction((tx) => house.facts.tell(tx, 'thing.made', 1, { id: 9 }))
    await until(
      'the next fact',
      () => seen.length,
      (count) => count === before + 2,
    )
    assert.ok(!seen.some((fact) => JSON.stringify(fact.payload) === '{"id":8}'))
  })

  test('of a transaction that is sent at once reach every reaction too', async () => {
    const before = seen.length
    await database.pipeline(house.facts.telling('thing.made', 3, [{ id: 11 }]))
    await until(
      'both reactions',
      () => seen.length,
      (count) => count === before + 2,
    )
    const fact = seen.find(({ version }) => version === 3)
    assert.deepEqual([fact?.kind, fact?.payload], ['thing.made', { id: 11 }])
    assert.deepEqual(house.facts.telling('thing.made', 3, []), [])
  })

  test('are dropped 30 days after they were told, and no sooner', async () => {
    const now = new Date('2026-06-30T12:00:00Z')
    const at = (time: string) => new Date(time)
    const clock = (time: Date) => ({ ...systemClock, now: () => time })
    const tellAt = async (time: Date) => {
      const ids = createIds(() => time.getTime())
      const then = createFacts({ ids, clock: clock(time), jobs, failPoints: noFailPoints, database })
      await then.facts.tellAll(database.kysely, 'old.told', 1, [{ n: 1 }, { n: 2 }])
    }
    await tellAt(at('2026-05-31T11:59:59Z'))
    await tellAt(at('2026-05-31T12:00:01Z'))
    const { connect } = createFacts({
      ids: createIds(Date.now),
      clock: clock(now),
      jobs,
      failPoints: noFailPoints,
      database,
    })
    await connect([])
      .find(({ name }) => name === 'facts.drop-old')
      ?.run(undefined, new AbortController().signal)
    const left = await database.kysely
      .selectFrom('facts')
      .select('occurred_at')
      .where('kind', '=', 'old.told')
      .execute()
    assert.deepEqual(
      left.map((row) => row.occurred_at.toISOString()),
      ['2026-05-31T12:00:01.000Z', '2026-05-31T12:00:01.000Z'],
    )
  })

  test('two reactions of one name are refused when the house is built', () => {
    const other = createFacts({
      ids: createIds(Date.now),
      clock: systemClock,
      jobs,
      failPoints: noFailPoints,
      database,
    })
    const reaction = { fact: 'x.y', name: 'same', react: async () => undefined }
    assert.throws(() => other.connect([reaction, reaction]), /Two reactions are called same/)
  })
})
