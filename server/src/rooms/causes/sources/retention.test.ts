import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { createIds } from '#platform/ids'
import { createTestDatabase, until } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aConnectedSource, deliver, openCauses, SECRET } from './testing.ts'

const DAY_MS = 86_400_000
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely

const { id, url } = await aConnectedSource(causes)
const list = `/v1/git-webhook-sources/${id}/deliveries`

function runJob(name: string, payload: unknown = {}): Promise<void> | undefined {
  return causes.jobs.find((job) => job.name === name)?.run(payload, new AbortController().signal)
}

function aCommit(): string {
  return randomBytes(20).toString('hex')
}

/** Ages the newest delivery by so many days: only ids and days tell the age. */
async function age(days: number): Promise<{ readonly recordId: string; readonly deliveryId: string }> {
  const deliveryId = randomUUID()
  const sent = await deliver(causes, url, signPush({ secret: SECRET, deliveryId, after: aCommit(), bytes: 50_000 }))
  assert.ok([200, 202].includes(sent.status), sent.text)
  const at = new Date(Date.now() - days * DAY_MS)
  const ids = createIds(() => at.getTime())
  const [recordId, blockId, eventId] = [ids.next(), ids.next(), ids.next()]
  for (const table of ['deliveries', 'delivery_payloads', 'trigger_events']) {
    await sql`select ensure_day_partition(${table}, ${at.toISOString().slice(0, 10)}::date)`.execute(db)
  }
  const record = await db
    .selectFrom('deliveries')
    .select(['id', 'payload_block_id'])
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('trigger_events')
    .set({ id: eventId, delivery_record_id: recordId })
    .where('delivery_record_id', '=', record.id)
    .execute()
  await db.updateTable('delivery_payloads').set({ id: blockId }).where('id', '=', record.payload_block_id).execute()
  await db
    .updateTable('delivery_keys')
    .set({ delivery_record_id: recordId })
    .where('delivery_id', '=', deliveryId)
    .execute()
  await db
    .updateTable('deliveries')
    .set({ id: recordId, payload_block_id: blockId })
    .where('id', '=', record.id)
    .execute()
  return { recordId, deliveryId }
}

async function bytesOf(table: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(relid))::bigint as bytes from pg_partition_tree(${table}) where isleaf`.execute(
    db,
  )
  return rows[0]?.bytes ?? -1
}

async function partitionsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relid::text as name from pg_partition_tree(${table}) where isleaf order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

function nameOf(table: string, days: number): string {
  return `${table}_${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`
}

describe('days of deliveries', () => {
  test('are there for today and a week when the room is open; what comes lies in today', async () => {
    for (const table of ['deliveries', 'delivery_payloads', 'trigger_events']) {
      const names = await partitionsOf(table)
      for (let day = 0; day <= 7; day += 1) assert.ok(names.includes(nameOf(table, -day)), `${table} ${day}`)
    }
    assert.equal((await deliver(causes, url)).status, 202)
    const [at] = await db.selectFrom('deliveries').select(sql<string>`tableoid::regclass::text`.as('table')).execute()
    assert.equal(at?.table, nameOf('deliveries', 0))
  })

  test('a day that is missing is made by the job, and takes what came meanwhile', async () => {
    for (const [table, job] of [
      ['deliveries', 'sources.keep-days'],
      ['trigger_events', 'events.keep-days'],
    ] as const) {
      await sql`drop table ${sql.table(nameOf(table, -3))}`.execute(db)
      await runJob(job)
      assert.ok((await partitionsOf(table)).includes(nameOf(table, -3)))
    }
  })

  test('payloads go first, records and ids later, each with its files; what is young stays', async () => {
    const old = await age(100)
    const middle = await age(20)
    const young = await age(1)
    const before = { payloads: await bytesOf('delivery_payloads'), records: await bytesOf('deliveries') }
    await runJob('sources.drop-old-deliveries')
    await runJob('events.forget-old')

    const payloads = await partitionsOf('delivery_payloads')
    assert.deepEqual(
      [100, 20, 1].map((days) => payloads.includes(nameOf('delivery_payloads', days))),
      [false, false, true],
    )
    for (const table of ['deliveries', 'trigger_events']) {
      const names = await partitionsOf(table)
      assert.deepEqual(
        [100, 20, 1].map((days) => names.includes(nameOf(table, days))),
        [false, true, true],
        table,
      )
    }
    assert.ok((await bytesOf('delivery_payloads')) < before.payloads)
    assert.ok((await bytesOf('deliveries')) < before.records)

    assert.equal((await causes.call('GET', `${list}/${old.recordId}`)).status, 404)
    const kept = await causes.call('GET', `${list}/${middle.recordId}`)
    assert.deepEqual([kept.status, kept.body['payload'], kept.body['headers']], [200, null, null])
    assert.notEqual((await causes.call('GET', `${list}/${young.recordId}`)).body['payload'], null)

    const again = ({ deliveryId }: { deliveryId: string }) =>
      deliver(causes, url, signPush({ secret: SECRET, deliveryId, after: aCommit() }))
    await again(old)
    await again(middle)
    const results = await causes.call('GET', `${list}?limit=2`)
    assert.deepEqual([results.body[1]?.['result'], results.body[0]?.['result']], ['accepted', 'duplicate'])
  })

  test('ingress goes on while a day cannot be dropped yet', async () => {
    await age(120)
    const reader = new pg.Client({ connectionString: testDatabase.url })
    await reader.connect()
    try {
      await reader.query('begin')
      await reader.query('select count(*) from deliveries')
      const dropping = runJob('sources.drop-old-deliveries')
      const waiting = async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from pg_locks where not granted and database =
            (select oid from pg_database where datname = current_database()) and mode = 'AccessExclusiveLock'`.execute(
          db,
        )
        return rows[0]?.count ?? 0
      }
      await until('the dropping to wait', waiting, (count) => count > 0)
      for (let at = 0; at < 5; at += 1) {
        const sent = await deliver(causes, url, signPush({ secret: SECRET, deliveryId: randomUUID() }))
        assert.ok([200, 202].includes(sent.status), sent.text)
      }
      assert.ok((await partitionsOf('deliveries')).includes(nameOf('deliveries', 120)), 'the reader is not disturbed')
      await reader.query('commit')
      await dropping
      assert.ok(!(await partitionsOf('deliveries')).includes(nameOf('deliveries', 120)))
    } finally {
      await reader.end()
    }
  })
})

describe('the deliveries of a deleted source', () => {
  test('cannot be read at once, and go by a job, in batches', async () => {
    const gone = await aConnectedSource(causes, { name: 'gone' }, { name: 'gone' })
    const stays = await aConnectedSource(causes, { name: 'stays' }, { name: 'stays' })
    for (const { url: to } of [gone, stays]) {
      for (let at = 0; at < 3; at += 1)
        await deliver(causes, to, signPush({ secret: SECRET, deliveryId: randomUUID(), after: aCommit() }))
    }
    const left = async (sourceId: string) => {
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from deliveries where source_id = ${sourceId})
          + (select count(*) from delivery_payloads where source_id = ${sourceId})
          + (select count(*) from delivery_keys where source_id = ${sourceId}) as count`.execute(db)
      return rows[0]?.count
    }
    const before = await left(stays.id)
    const record = (await causes.call('GET', `/v1/git-webhook-sources/${gone.id}/deliveries`)).body[0]?.['id']
    assert.equal((await causes.call('DELETE', `/v1/git-webhook-sources/${gone.id}`)).status, 204)
    for (const path of ['', '/health', '/deliveries', `/deliveries/${record}`]) {
      assert.equal((await causes.call('GET', `/v1/git-webhook-sources/${gone.id}${path}`)).status, 404, path)
    }
    assert.equal((await deliver(causes, gone.url)).status, 404)
    assert.notEqual(await left(gone.id), 0)
    const { rows: jobs } = await sql<{ payload: unknown }>`
      select payload from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task
        on task.id = job.task_id where identifier = 'sources.delete-deliveries'`.execute(db)
    assert.deepEqual(jobs, [{ payload: { sourceId: gone.id } }])
    await runJob('sources.delete-deliveries', { sourceId: gone.id })
    assert.equal(await left(gone.id), 0)
    assert.equal(await left(stays.id), before)
    await runJob('sources.delete-deliveries', 'nonsense')
  })
})
