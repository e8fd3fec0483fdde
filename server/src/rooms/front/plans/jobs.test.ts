import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestClock, createTestDatabase, createTestKit } from '#platform/testing'
import { planJobs } from './jobs.ts'
import type { StoredPlan } from './rules/index.ts'
import { findPlans, insertPlan } from './store.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const clock = createTestClock()
const kit = createTestKit(database, { clock })
const DAY_MS = 24 * 60 * 60_000

async function aPlan(ageDays: number, change: Partial<StoredPlan> = {}): Promise<string> {
  const id = kit.ids.next()
  const createdAt = new Date(clock.now().getTime() - ageDays * DAY_MS)
  await insertPlan(db, {
    id,
    action: 'startRun',
    target: 'pipeline acme/web/build',
    sealedArguments: new Uint8Array([1]),
    effects: [],
    preconditions: [],
    scopes: [],
    teams: [],
    permission: 'run.start',
    teamPath: 'acme/web',
    held: [],
    confirmation: 'agent',
    confirmationReason: null,
    confirmationPlace: null,
    status: 'waiting',
    planner: { kind: 'user', id: 'ada', name: 'ada' },
    tokenId: null,
    sessionId: null,
    decider: null,
    refusal: null,
    replacedBy: null,
    resources: null,
    sealedOutcome: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 60_000),
    endedAt: null,
    ...change,
  })
  return id
}

test('a plan is dropped with its arguments and its answer after thirty days, whatever became of it', async () => {
  const job = planJobs(kit).find(({ name }) => name === 'plans.drop-old')
  assert.ok(job)
  const [old, waiting, recent] = [await aPlan(30.1), await aPlan(31, { confirmation: 'person' }), await aPlan(29.9)]
  await job.run({}, new AbortController().signal)
  assert.deepEqual(
    (await findPlans(db, [old, waiting, recent])).map(({ id }) => id),
    [recent],
  )
  await clock.advance(0.2 * DAY_MS)
  await job.run({}, new AbortController().signal)
  assert.deepEqual(await findPlans(db, [recent]), [])
})
