import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { lockStatus, releaseStatus, reserveStatus } from './rooms/causes/reports/store/commit-statuses.ts'
import { endRequest } from './rooms/execution/approvals/store/requests.ts'
import { appendRows } from './rooms/execution/logs/store/chunks.ts'
import { anAttempt } from './rooms/execution/logs/testing.ts'
import { clearHold } from './rooms/execution/runs/store/approvals.ts'
import { lockExpired, renewAllLeases, renewLeases } from './rooms/execution/runs/store/attempts.ts'
import { failRun } from './rooms/execution/runs/store/fail-run.ts'
import { saveProgress } from './rooms/execution/runs/store/save-progress.ts'
import { openTestHouse } from './testing/test-house.ts'

// What is stored is the word of who holds the lease, and of who saw the newest revision; of nobody else.

const { kit, database, db } = await openTestHouse()
const { id: runner } = await aRunner(db, { name: 'first' })
const { id: other } = await aRunner(db, { name: 'second' })
const at = new Date('2026-11-23T10:00:00.000Z')
const later = new Date(at.getTime() + 15_000)
const NOTHING = { at, runs: [], steps: [], tasks: [], inserts: [], leases: [], reports: [], cancels: [], pins: [] }

let fences = 1000
async function aLease(until = at) {
  const attempt = await anAttempt(kit)
  fences += 1
  await sql`update attempts set status = 'leased', fence = ${fences}, runner_id = ${runner}, lease_expires_at = ${until},
    leased_at = ${at} where id = ${attempt.id}`.execute(db)
  return { ...attempt, fence: fences }
}

async function end(id: string): Promise<void> {
  await sql`update attempts set status = 'lost', finished_at = ${at} where id = ${id}`.execute(db)
}

const stored = (id: string) =>
  db
    .selectFrom('attempts')
    .select(['status', 'reason', 'fence', 'lease_expires_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('a lease', () => {
  test('is renewed by its own runner, while it holds', async () => {
    const { id, fence } = await aLease()
    assert.deepEqual(await renewLeases(db, other, [fence], later), [])
    assert.deepEqual(await renewLeases(db, runner, [fence], later), [{ fence, cancelReason: null }])
    assert.deepEqual((await stored(id)).lease_expires_at, later)
    await end(id)
    assert.deepEqual(await renewLeases(db, runner, [fence], new Date()), [])
    assert.deepEqual((await stored(id)).lease_expires_at, later)
  })

  test('that was renewed at the last moment has not ended', async () => {
    const { id, fence } = await aLease()
    const expired = () => database.transaction((tx) => lockExpired(tx, [id], at))
    assert.deepEqual([...(await expired())], [id])
    await renewLeases(db, runner, [fence], later)
    assert.deepEqual([...(await expired())], [])
    await end(id)
    assert.deepEqual([...(await database.transaction((tx) => lockExpired(tx, [id], new Date())))], [], 'it has ended')
  })

  test('of an attempt that is over is not renewed with all others', async () => {
    const [held, over] = [await aLease(), await aLease()]
    await end(over.id)
    const longer = await aLease(new Date(later.getTime() + 1000))
    await renewAllLeases(db, later)
    assert.ok(((await stored(longer.id)).lease_expires_at ?? at) > later, 'and none is shortened')
    assert.deepEqual((await stored(held.id)).lease_expires_at, later)
    assert.deepEqual((await stored(over.id)).lease_expires_at, at)
  })
})

describe('what is said of an attempt', () => {
  test('that is over changes nothing', async () => {
    const { id } = await aLease()
    await end(id)
    const report = { id, status: 'success', exit_code: 0, reason: 'late', started_at: at, finished_at: at } as const
    await database.transaction((tx) => saveProgress(tx, { ...NOTHING, reports: [report] }))
    const { status, reason } = await stored(id)
    assert.deepEqual([status, reason], ['lost', null])
  })

  test('that begins and is canceled in one round cancels it', async () => {
    const { id, runId: run_id, step, task, number } = await aLease()
    const begun = { id, status: null, exit_code: null, reason: null, started_at: at, finished_at: null }
    const cancel = { run_id, step, task, number, reason: 'No more.' }
    const saved = await database.transaction((tx) =>
      saveProgress(tx, { ...NOTHING, reports: [begun], cancels: [cancel] }),
    )
    assert.deepEqual(
      saved.canceled.map((each) => each.id),
      [id],
    )
  })

  test('a runner is given only one that waits', async () => {
    const { id, fence } = await aLease()
    const lease = { id, runner_id: other, lease_expires_at: later }
    const saved = await database.transaction((tx) => saveProgress(tx, { ...NOTHING, leases: [lease] }))
    assert.deepEqual(saved.leased, [])
    assert.equal((await stored(id)).fence, fence)
  })
})

describe('a run', () => {
  test('is moved only from the revision that was seen', async () => {
    const { runId: id } = await anAttempt(kit)
    const times = { started_at: at, finished_at: null, deadline_at: null, paused_at: null }
    const nothing = { reason: null, ending: null, lost_attempts: 0, final_output_status: 'none' } as const
    const run = { id, status: 'running', ...times, ...nothing } as const
    const save = (revision: number) =>
      database.transaction((tx) => saveProgress(tx, { ...NOTHING, runs: [{ ...run, revision }] }))
    assert.deepEqual([...(await save(0)).runs], [id])
    assert.deepEqual([...(await save(0)).runs], [], 'another one has moved it')
    assert.deepEqual([...(await save(1)).runs], [id])
  })

  test('that is over is not ended by force', async () => {
    const { runId: id } = await anAttempt(kit)
    await sql`update runs set status = 'success', started_at = ${at}, finished_at = ${at} where id = ${id}`.execute(db)
    const wish = { id, reason: 'It is at fault.', ifWithheld: false }
    assert.equal(await database.transaction((tx) => failRun(tx, wish, at)), undefined)
  })

  test('that waits for its turn is not let go by an approval', async () => {
    const { runId: id } = await anAttempt(kit)
    await sql`update runs set withheld = 'group', concurrency_group = 'g', on_conflict = 'queue' where id = ${id}`.execute(
      db,
    )
    await database.transaction((tx) => clearHold(tx, id))
    const { withheld } = await db.selectFrom('runs').select('withheld').where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(withheld, 'group')
  })
})

test('an approval is decided once', async () => {
  const { runId } = await anAttempt(kit)
  const id = kit.ids.next()
  await sql`insert into approval_requests (id, run_id, step, team_path, pipeline_identifier, scope, initiator_kind,
      initiator_id, initiator_name, pipeline_version_id, approvers, required, allow_self, fields, status, requested_at,
      deadline_at)
    select ${id}, id, 'ask', team_path, pipeline_identifier, scope, initiator_kind, initiator_id, initiator_name,
      pipeline_version_id, array['role:owner'], 1, false, '[]', 'waiting', now(), now()
    from runs where id = ${runId}`.execute(db)
  const decide = (status: 'approved' | 'rejected') => database.transaction((tx) => endRequest(tx, id, status, at))
  assert.equal(await decide('approved'), true)
  assert.equal(await decide('rejected'), false)
})

test('lines are stored only behind those that the writer saw', async () => {
  const { id: attemptId, runId } = await anAttempt(kit)
  await sql`insert into log_heads (attempt_id, next_line) values (${attemptId}, 0)`.execute(db)
  const rows = (firstLine: number) => [
    { attemptId, firstLine, lineCount: 3, linesZstd: Buffer.from('x'), missing: null } as const,
  ]
  const append = (fromLine: number, firstLine = fromLine) =>
    appendRows(db, [{ attemptId, fromLine, rows: rows(firstLine) }], [runId])
  assert.deepEqual([...(await append(0))], [attemptId])
  assert.deepEqual([...(await append(1))], [], 'another writer has come further')
  assert.deepEqual([...(await append(3))], [attemptId])
})

test('a status is let go by who holds it, not by one whose time was over', async () => {
  const place = { sourceId: kit.ids.next(), repository: 'acme/shop', commitSha: 'a'.repeat(40), context: 'build' }
  const [first, second] = [kit.ids.next(), kit.ids.next()]
  await database.transaction(async (tx) => {
    await lockStatus(tx, place, first)
    await reserveStatus(tx, place, first, at)
    await reserveStatus(tx, place, second, later)
  })
  await releaseStatus(db, place, at, 'success: done')
  const status = () => database.transaction((tx) => lockStatus(tx, place, second))
  assert.deepEqual(await status(), { runId: second, told: null, heldUntil: later })
  await releaseStatus(db, place, later, 'pending: running')
  assert.deepEqual(await status(), { runId: second, told: 'pending: running', heldUntil: null })
})
