import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aSchedule, openSchedules } from '../testing.ts'

const MINUTE_MS = 60_000

const testDatabase = await createTestDatabase()
const clock = createTestClock(new Date('2026-11-23T01:29:00.000Z'))
const house = await openSchedules(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely

let made = 0
async function create(overrides: Record<string, unknown> = {}): Promise<string> {
  made += 1
  const { status, body, text } = await house.call(
    'POST',
    '/v1/schedules',
    aSchedule({ name: `s${made}`, ...overrides }),
  )
  assert.equal(status, 201, text)
  return String(body['id'])
}

async function firesOf(id: string) {
  return db.selectFrom('schedule_fires').selectAll().where('schedule_id', '=', id).orderBy('id').execute()
}

test('fires once at its instant, with a run of the owner', async () => {
  const id = await create()
  assert.deepEqual(await house.scheduler.fire(), { more: false })
  assert.deepEqual(await firesOf(id), [])
  await clock.advance(MINUTE_MS)
  await house.scheduler.fire()
  await house.scheduler.fire()
  const [fire, ...others] = await firesOf(id)
  assert.deepEqual(others, [])
  assert.equal(fire?.outcome, 'started')
  assert.equal(fire?.planned_at.toISOString(), '2026-11-23T01:30:00.000Z')
  const run = await db.selectFrom('runs').selectAll().where('schedule_id', '=', id).executeTakeFirstOrThrow()
  assert.equal(run.id, fire?.run_id)
  assert.equal(run.cause, 'schedule')
  assert.equal(run.initiator_name, 'root')
  assert.equal(run.scheduled_at?.toISOString(), '2026-11-23T01:30:00.000Z')
  const { body } = await house.call('GET', `/v1/schedules/${id}`)
  assert.equal(body['next_fire_at'], '2026-11-24T01:30:00.000Z')
  assert.equal(body['last_outcome'], 'started')
  assert.equal(body['last_run_id'], run.id)
})
