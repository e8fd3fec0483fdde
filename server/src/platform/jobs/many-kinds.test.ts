import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '#platform/log'
import { createTestDatabase, until } from '#platform/testing'
import { systemClock } from '#platform/time'
import { type JobDefinition, jobs, startJobWorker } from './index.ts'

// As the product has them: a dozen kinds that call others, and any of them may hang.

const { database } = await createTestDatabase()
const db = database.kysely
const told = new EventEmitter()
told.setMaxListeners(100)
const inHand = new Map<string, number>()
const most = new Map<string, number>()
const ended: string[] = []

const kinds = Array.from({ length: 12 }, (_, at): JobDefinition => {
  const name = `test.kind-${at}`
  return {
    name,
    apart: 3,
    async run(payload) {
      const now = (inHand.get(name) ?? 0) + 1
      inHand.set(name, now)
      most.set(name, Math.max(now, most.get(name) ?? 0))
      if (isHanging(payload)) await once(told, 'go on')
      inHand.set(name, (inHand.get(name) ?? 0) - 1)
      ended.push(name)
    },
  }
})

const worker = await startJobWorker(database, kinds, createLog({ level: 'silent', pretty: false }), systemClock)
after(() => worker.stop())

function isHanging(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'hang' in payload && payload.hang === true
}

const countOf = (name: string): number => ended.filter((one) => one === name).length

test('forty jobs of a kind that hangs take its places only, whoever asked first', async () => {
  await database.transaction(async (tx) => {
    for (let at = 0; at < 40; at++) await jobs.add(tx, 'test.kind-0', { at, hang: true })
  })
  await until(
    'all places of the kind to be taken',
    () => inHand.get('test.kind-0'),
    (count) => count === 3,
  )
  for (const { name } of kinds.slice(1)) await jobs.add(db, name, {})
  await until(
    'one job of each other kind to end',
    () => ended.length,
    (count) => count === kinds.length - 1,
  )
  assert.equal(countOf('test.kind-0'), 0)
  await until(
    'those that hung to end',
    () => {
      told.emit('go on')
      return countOf('test.kind-0')
    },
    (count) => count === 40,
  )
  assert.equal(most.get('test.kind-0'), 3)
})

test('all kinds together hold a handful of connections', async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
      from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  assert.ok((rows[0]?.count ?? 0) <= 10, `${rows[0]?.count} connections`)
})

test('a job whose time comes later is done then, though no worker asks for itself', async () => {
  const before = ended.length
  await jobs.add(db, 'test.kind-5', {}, { runAt: new Date(systemClock.now().getTime() + 1500) })
  // Before each worker asks by itself, as it does four times a minute.
  await until(
    'the job to end',
    () => ended.length,
    (count) => count === before + 1,
    10_000,
  )
})
