import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '#platform/log'
import { createTestDatabase, startOutage, until } from '#platform/testing'
import { type Clock, systemClock } from '#platform/time'
import { type JobDefinition, jobs, startJobWorker } from './index.ts'

const { database, url } = await createTestDatabase()
const told = new EventEmitter()
let pauses = 0
const clock: Clock = {
  ...systemClock,
  async sleep(ms, signal) {
    pauses += 1
    await systemClock.sleep(Math.min(ms, 20), signal)
  },
}
const log = createLog({ level: 'silent', pretty: false })

async function work(definitions: readonly JobDefinition[]): Promise<void> {
  const worker = await startJobWorker(database, definitions, log, clock)
  after(() => worker.stop())
}

interface JobShown {
  readonly task_identifier: string
  readonly attempts: number
  readonly locked_by: string | null
  readonly last_error: string | null
}

async function shown(name: string): Promise<JobShown | undefined> {
  const { rows } = await sql<JobShown>`
    select task_identifier, attempts, locked_by, last_error from graphile_worker.jobs where task_identifier = ${name}
  `.execute(database.kysely)
  return rows[0]
}

/** Locks the job as of an hour ago; not to be taken before. */
const lockLongAgo = (name: string, holder: string) =>
  sql`update graphile_worker._private_jobs set locked_by = ${holder}, locked_at = now() - interval '1 hour', run_at = now()
    where task_id = (select id from graphile_worker._private_tasks where identifier = ${name})`.execute(database.kysely)

/** Whether others see that this holder lives. */
async function isKnownToLive(holder: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('job worker ' || ${holder}, 0)) as free
  `.execute(database.kysely)
  return rows[0]?.free === false
}

test('a job that ends while the database is away has ended, and so has one that failed', async () => {
  const begun: string[] = []
  await work([
    {
      name: 'test.end-without',
      async run(payload) {
        begun.push(String(payload))
        if (begun.length === 2) told.emit('both')
        await once(told, 'away')
        if (payload === 'fails') throw new Error('as it should')
      },
    },
  ])
  const both = once(told, 'both')
  for (const payload of ['ends', 'fails']) await jobs.add(database.kysely, 'test.end-without', payload)
  await both
  const outage = await startOutage(url)
  const before = pauses
  told.emit('away')
  await until(
    'several tries',
    () => pauses - before,
    (count) => count > 8,
  )
  await outage.end()
  const left = await until(
    'the end of both',
    () => shown('test.end-without').catch(() => undefined),
    (job) => job?.last_error === 'as it should',
  )
  assert.deepEqual([left?.attempts, left?.locked_by], [1, null])
  assert.equal(begun.length, 2)
})

test('what a job complains of is stored whatever is in it', async () => {
  await work([
    {
      name: 'test.complain',
      async run() {
        throw new Error(`a NUL \0 and half a character ${'😀'.slice(0, 1)}`)
      },
    },
  ])
  await jobs.add(database.kysely, 'test.complain', {})
  const job = await until(
    'the complaint',
    () => shown('test.complain'),
    (found) => typeof found?.last_error === 'string',
  )
  assert.equal(job?.last_error, 'a NUL   and half a character \ufffd')
})

test('a job stays with who lives and has it in hand, however long; what nobody has in hand is given out again', async () => {
  let begun = 0
  const definitions = [
    {
      name: 'test.long',
      async run() {
        begun += 1
        told.emit('long')
        await once(told, 'enough')
      },
    },
    { name: 'test.lost', run: async () => void told.emit('lost') },
    { name: 'test.orphaned', run: async () => void told.emit('orphaned') },
  ]
  // Workers stop when nothing is in hand any more, also where an assertion ended this test before.
  after(() => void told.emit('enough'))
  await work(definitions)
  const long = once(told, 'long')
  await jobs.add(database.kysely, 'test.long', {})
  await long
  const holder = (await shown('test.long'))?.locked_by ?? ''
  // Jobs younger than two seconds are safe without it, and this one becomes an hour old.
  await until('the lock of who lives', () => isKnownToLive(holder), Boolean)
  await lockLongAgo('test.long', holder)
  await work(definitions)

  const later = { runAt: new Date(Date.now() + 3_600_000) }
  const [lost, orphaned] = [once(told, 'lost'), once(told, 'orphaned')]
  await jobs.add(database.kysely, 'test.lost', {}, later)
  await lockLongAgo('test.lost', holder)
  await jobs.add(database.kysely, 'test.orphaned', {}, later)
  await lockLongAgo('test.orphaned', 'pool-of-the-dead')
  await Promise.all([lost, orphaned])
  assert.equal((await shown('test.long'))?.locked_by, holder)
  assert.equal(begun, 1)
  told.emit('enough')
})
