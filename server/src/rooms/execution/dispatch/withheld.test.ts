import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { execute } from '#platform/database'
import type { HttpServer } from '#platform/http'
import { createMetrics } from '#platform/metrics'
import { createTestDatabase, createTestHttp, testAuthenticator, testCaller, until } from '#platform/testing'
import type { NewRun } from '#rooms/execution/runs'
import { aRunnablePipeline, type ExecutionHouse, FakeRunner, openExecution, sendAway } from './testing/index.ts'

const ONE = 'steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true" }\n'
const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const NOBODY = '01900000-0000-7000-8000-00000000dead'

let house: ExecutionHouse
let http: HttpServer
let runner: FakeRunner
let runnable: Omit<NewRun, 'cause'>
const metrics = createMetrics()

// Registered before the database's own: hooks run in that order.
after(async () => {
  await http.close(100)
  await house.stop()
})
afterEach(() => sendAway(house, runner))

const { database } = await createTestDatabase()
const db = database.kysely
let count = 0
let head: string | undefined

before(async () => {
  house = await openExecution(database, {
    kit: { metrics },
    readHead: async (_db, { repository, pullRequest }) =>
      repository === 'acme/widgets' && pullRequest ? head : undefined,
  })
  runnable = await aRunnablePipeline(house, 'build', ONE)
  http = await createTestHttp(
    house.parts.flatMap((part) => part.routes ?? []),
    testAuthenticator({
      member: testCaller({ acme: ['run.read', 'run.approve', 'run.cancel', 'run.rerun'] }, { name: 'ada' }),
      reader: testCaller({ acme: ['run.read', 'run.cancel', 'run.rerun', 'run.start'] }),
      rerunner: testCaller({ acme: ['*'] }, { name: 'eve' }),
      stranger: testCaller({ other: ['*'] }),
    }),
  )
})

const call = async (method: 'GET' | 'POST', url: string, body?: unknown, who = 'member') => {
  const answer = await http.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${who}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const read = async (id: string) => (await call('GET', `/v1/runs/${id}`)).body
const decide = async (id: string, decision: string, more: object = {}, who = 'member') =>
  await call('POST', `/v1/runs/${id}/approvals/fork`, { decision, ...more }, who)

/** A pull request of its own, unless one is named. */
const queue = async (more: Partial<NewRun> = {}) => {
  count += 1
  const place = { repository: 'acme/widgets', cloneUrl: 'https://git.example/acme/widgets.git' }
  const run: NewRun = { ...runnable, cause: 'event', ...place, commitSha: A, ...more }
  const [id = ''] = await database.transaction((tx) => house.runs.queue(tx, [run]))
  house.dispatch.poke()
  return id
}
const hold = async (more: Partial<NewRun> = {}) => {
  const pullRequest = more.pullRequest ?? 100 + count
  return await queue({ untrusted: true, pullRequest, hold: { kind: 'fork_approval', pullRequest }, ...more })
}
/** At a minute of one hour; null: nobody says when. */
const inGroup = (
  group: string,
  onConflict: 'queue' | 'skip' | 'cancel_running',
  minute: number | null = null,
): Pick<NewRun, 'concurrency'> => ({
  concurrency: { group, onConflict, ancestors: [], occurredAt: minute === null ? null : `2026-11-21T10:${minute}:00Z` },
})

const connected = async () => {
  count += 1
  runner = await FakeRunner.enrolled(house, { name: `box${count}` })
  await runner.connect(house)
}
/** Works off everything that can be assigned, until this run is. */
const assigned = async (id: string) => {
  const assign = await until(
    `run ${id} to be assigned`,
    () => runner.assigns.find((each) => each.runId === id),
    (found) => found !== undefined,
  )
  return assign?.fence ?? 0n
}
const finished = async (id: string) =>
  await until(
    'the run to finish',
    () => read(id),
    ({ finished_at }) => finished_at !== null,
  )
const factsOf = async (id: string) =>
  (await db.selectFrom('facts').select(['kind', 'payload']).orderBy('id').execute()).filter(({ payload }) =>
    JSON.stringify(payload).includes(id),
  )
const counted = async (result: string) => {
  const { text } = await metrics.render()
  return Number(new RegExp(`signalbox_runs_total\\{result="${result}",cause="event"\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

describe('a held run', () => {
  test('is passed over by dispatchers, says what it waits for, and begins once a member approves it', async () => {
    await connected()
    const held = await hold({ pullRequest: 7 })
    const later = await queue()
    runner.finish(await assigned(later))
    await finished(later)
    assert.deepEqual(
      runner.assigns.map(({ runId }) => runId),
      [later],
    )
    assert.deepEqual((await house.runs.progress.listLanes(db)).queued, [])
    const waiting = await read(held)
    assert.deepEqual(waiting.hold, { kind: 'fork_approval', pull_request: 7 })
    assert.deepEqual([waiting.status, waiting.untrusted, waiting.pull_request], ['queued', true, 7])
    assert.equal(
      waiting.queue_reason,
      'The run waits for the approval of a member: pull request #7 comes from a fork or an unknown place.',
    )
    assert.deepEqual([waiting.queue_blockers, waiting.approvals], [[], []])
    const listed = await call('GET', '/v1/runs?status=queued')
    assert.deepEqual(
      listed.body.map((run: { run_id: string }) => run.run_id),
      [held],
    )

    const { status, body } = await decide(held, 'approve', { comment: 'looks fine', commit_sha: A })
    assert.equal(status, 200)
    assert.deepEqual(
      [body.status, body.approval.decision, body.approval.by.name, body.approval.comment, body.approval.commit_sha],
      ['queued', 'approve', 'ada', 'looks fine', A],
    )
    runner.finish(await assigned(held))
    const done = await finished(held)
    assert.deepEqual([done.status, done.hold, done.approvals], ['success', null, [body.approval]])
  })

  test('is ended by a rejection that says who and why', async () => {
    await connected()
    const canceledBefore = await counted('canceled')
    const id = await hold()
    const { status, body } = await decide(id, 'reject', { comment: 'mines coins' })
    assert.deepEqual([status, body.status, body.reason], [200, 'canceled', 'rejected by ada: mines coins'])
    const other = await hold()
    assert.equal((await decide(other, 'reject')).body.reason, 'rejected by ada')
    assert.equal(await counted('canceled'), canceledBefore + 2)
    assert.deepEqual((await read(id)).approvals, [body.approval])
  })

  test('is not begun by a rerun: that waits for an approval too, unless the run began once', async () => {
    await connected()
    const [waiting, rejected, approved] = [await hold(), await hold(), await hold()]
    await decide(rejected, 'reject')
    await decide(approved, 'approve')
    runner.finish(await assigned(approved))
    await finished(approved)
    const rerun = async (id: string) => {
      const answer = await call('POST', `/v1/runs/${id}/rerun`, {}, 'rerunner')
      assert.equal(answer.status, 202, JSON.stringify(answer.body))
      return String(answer.body.run_id)
    }
    for (const id of [waiting, rejected]) {
      const again = await read(await rerun(id))
      assert.deepEqual([again.status, again.untrusted, again.hold?.kind], ['queued', true, 'fork_approval'])
    }
    const begins = await rerun(approved)
    runner.finish(await assigned(begins))
    assert.deepEqual([(await finished(begins)).status, (await read(begins)).untrusted], ['success', true])
  })

  test('is decided once: the same again changes nothing, the opposite is 409', async () => {
    await connected()
    const [yes, no] = [await hold(), await hold()]
    const first = await decide(yes, 'approve', { comment: 'yes' })
    const again = await decide(yes, 'approve', { comment: 'yes, again' })
    assert.deepEqual([again.status, again.body.approval], [200, first.body.approval])
    const opposite = await decide(yes, 'reject')
    assert.deepEqual([opposite.status, opposite.body.code], [409, 'run.decided'])
    runner.finish(await assigned(yes))
    await finished(yes)
    assert.equal((await decide(yes, 'approve')).status, 200)

    await decide(no, 'reject')
    assert.equal((await decide(no, 'reject')).status, 200)
    assert.deepEqual((await decide(no, 'approve')).body.code, 'run.decided')
    assert.equal((await factsOf(yes)).filter(({ kind }) => kind === 'run.approved').length, 1)
  })

  test('tells its fact and leaves an audit record in the same transaction', async () => {
    await connected()
    const [yes, no] = [await hold({ pullRequest: 31 }), await hold({ pullRequest: 32 })]
    await decide(yes, 'approve', { comment: 'yes' })
    await decide(no, 'reject')
    const [approved] = await factsOf(yes)
    assert.deepEqual(approved?.kind, 'run.approved')
    const run = await read(yes)
    assert.deepEqual(approved?.payload, {
      run_id: yes,
      approval: 'fork',
      by: { kind: 'user', id: '01900000-0000-7000-8000-000000000001', name: 'ada' },
      comment: 'yes',
      pipeline_id: run.pipeline_id,
      pipeline: 'acme/web/build',
      team_path: 'acme/web',
      scope: 'acme/web/production',
      repository: 'acme/widgets',
      pull_request: 31,
      commit_sha: A,
      decided_at: run.approvals[0].decided_at,
    })
    assert.deepEqual((await factsOf(no)).map(({ kind }) => kind).sort(), ['run.finished', 'run.rejected'])
    const records = await db
      .selectFrom('audit_records')
      .select(['action', 'resource_id'])
      .where('resource_id', 'in', [yes, no])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      records.map(({ action }) => action),
      ['run.approved', 'run.rejected'],
    )
  })

  test('is approved at one commit: another that was looked at, and a newer head, are 409', async () => {
    await connected()
    const id = await hold({ commitSha: A })
    for (const decision of ['approve', 'reject']) {
      const other = await decide(id, decision, { commit_sha: B })
      assert.deepEqual([other.status, other.body.code], [409, 'run.head_moved'])
    }
    head = B
    const moved = await decide(id, 'approve')
    assert.deepEqual([moved.status, moved.body.code], [409, 'run.head_moved'])
    assert.match(moved.body.detail, /bbbb/)
    assert.deepEqual((await read(id)).approvals, [])
    head = A
    assert.equal((await decide(id, 'approve')).status, 200)
    head = B
    assert.equal((await decide(await hold({ commitSha: A }), 'reject')).status, 200, 'whatever came later')
    head = undefined
  })

  test('that has ended can no longer be decided', async () => {
    await connected()
    const [old, canceled] = [await hold({ pullRequest: 40 }), await hold({ pullRequest: 41 })]
    const newer = await hold({ pullRequest: 40, commitSha: B })
    await call('POST', `/v1/runs/${canceled}/cancel`)
    assert.equal((await read(old)).reason, 'A newer commit of the pull request arrived.')
    for (const id of [old, canceled]) {
      assert.equal((await read(id)).hold, null)
      const late = await decide(id, 'approve')
      assert.deepEqual([late.status, late.body.code], [409, 'run.finished'])
    }
    assert.equal((await decide(newer, 'approve')).status, 200)
  })

  test('needs run.approve; a run that never waited, another step and a stranger’s run are not there', async () => {
    await connected()
    const id = await hold()
    assert.equal((await decide(id, 'approve', {}, 'reader')).status, 403)
    assert.equal((await decide(id, 'approve', {}, 'stranger')).status, 404)
    assert.equal((await decide(NOBODY, 'approve')).status, 404)
    assert.equal((await call('POST', `/v1/runs/${id}/approvals/release`, { decision: 'approve' })).status, 404)
    const free = await queue()
    assert.equal((await decide(free, 'approve')).status, 404)
    for (const body of [
      {},
      { decision: 'maybe' },
      { decision: 'approve', commit_sha: 'abc' },
      { decision: 'approve', x: 1 },
    ]) {
      assert.equal((await call('POST', `/v1/runs/${id}/approvals/fork`, body)).status, 400)
    }
    assert.equal((await read(id)).status, 'queued')
  })

  test('is not approved and rejected at once', async () => {
    await connected()
    for (let round = 0; round < 5; round++) {
      const id = await hold()
      const answers = await Promise.all([decide(id, 'approve'), decide(id, 'reject'), decide(id, 'approve')])
      const statuses = answers.map(({ status }) => status).sort()
      const { approvals } = await read(id)
      assert.equal(approvals.length, 1)
      assert.deepEqual(statuses, approvals[0].decision === 'approve' ? [200, 200, 409] : [200, 409, 409])
    }
  })

  test('enters its group when it is approved', async () => {
    await connected()
    const running = await queue(inGroup('approved', 'cancel_running', 10))
    const fence = await assigned(running)
    runner.start(fence)
    const held = await hold({ ...inGroup('approved', 'cancel_running', 20), commitSha: B })
    assert.equal((await read(running)).cancel_requested_at, null)
    await decide(held, 'approve')
    await until(
      'the running one to be canceled',
      () => runner.cancels,
      (cancels) => cancels.some((each) => each.fence === fence),
    )
    const first = await queue(inGroup('approved skip', 'skip'))
    const skipped = await hold(inGroup('approved skip', 'skip'))
    const { body } = await decide(skipped, 'approve')
    assert.deepEqual(
      [body.status, body.reason],
      ['canceled', `Skipped: run ${first} of the group approved skip has not finished.`],
    )
    const ahead = await queue(inGroup('approved queue', 'queue'))
    const waiting = await hold(inGroup('approved queue', 'queue'))
    await decide(waiting, 'approve')
    assert.match((await read(waiting)).queue_reason, new RegExp(`behind run ${ahead}`))
  })
})

describe('a run of a group', () => {
  test('waits until the one before it has finished, and says behind which', async () => {
    await connected()
    const one = await queue(inGroup('turns', 'queue'))
    const two = await queue(inGroup('turns', 'queue'))
    const three = await queue(inGroup('turns', 'queue'))
    assert.equal((await read(two)).queue_reason, `The run waits for its turn in the group turns, behind run ${one}.`)
    assert.equal((await read(three)).queue_reason, `The run waits for its turn in the group turns, behind run ${two}.`)
    const fence = await assigned(one)
    const free = await queue()
    runner.finish(await assigned(free))
    // Both runs are older than the run that was assigned.
    assert.ok(!runner.assigns.some(({ runId }) => runId === two || runId === three))
    runner.finish(fence)
    runner.finish(await assigned(two))
    runner.finish(await assigned(three))
    assert.equal((await finished(three)).status, 'success')
  })

  test('has its turn also when the one before it is canceled in the queue, in flight, refused or by /cancel', async () => {
    await connected()
    const more = inGroup('ends', 'queue')
    const triggerId = NOBODY
    const [one, two, three, four] = [
      await queue(more),
      await queue(more),
      await queue({ ...more, triggerId, pullRequest: 50 }),
      await queue(more),
    ]
    const fence = await assigned(one)
    runner.start(fence)
    await call('POST', `/v1/runs/${two}/cancel`)
    await call('POST', `/v1/runs/${one}/cancel`)
    await until(
      'the cancel',
      () => runner.cancels,
      (all) => all.some((each) => each.fence === fence),
    )
    runner.finish(fence)
    const third = await assigned(three)
    const place = { repository: 'acme/widgets', pullRequest: 50, teamPath: null }
    const wishes = [{ triggerId, manifestTrigger: null, ...place, by: 'x' }]
    await database.transaction(async (tx) => {
      for (const statement of house.runs.canceling(wishes)) await execute(tx, statement)
    })
    await until(
      'the cancel of the comment',
      () => runner.cancels,
      (all) => all.some((each) => each.fence === third),
    )
    runner.finish(third)
    runner.finish(await assigned(four))
    assert.equal((await finished(four)).status, 'success')
    assert.equal((await read(three)).reason, 'canceled by a comment of x')
  })

  test('that is skipped is finished at once, counted and told', async () => {
    await connected()
    const canceledBefore = await counted('canceled')
    const more = inGroup('skip', 'skip')
    const one = await queue(more)
    const id = await queue(more)
    const run = await read(id)
    assert.deepEqual(
      [run.status, run.reason, run.concurrency, run.steps[0].status],
      [
        'canceled',
        `Skipped: run ${one} of the group skip has not finished.`,
        { group: 'skip', on_conflict: 'skip' },
        'canceled',
      ],
    )
    assert.ok(run.finished_at)
    assert.equal(await counted('canceled'), canceledBefore + 1)
    assert.deepEqual(
      (await factsOf(id)).map(({ kind }) => kind),
      ['run.finished'],
    )
  })

  test('that is replaced while it runs ends on its runner with the new run’s id as reason', async () => {
    await connected()
    const old = await queue({ ...inGroup('replace', 'cancel_running', 10), commitSha: A })
    const fence = await assigned(old)
    runner.start(fence)
    const fresh = await queue({ ...inGroup('replace', 'cancel_running', 20), commitSha: B })
    const cancels = await until(
      'the cancel',
      () => runner.cancels,
      (all) => all.length > 0,
    )
    assert.equal(cancels[0]?.reason, `Run ${fresh} of the group replace took its place.`)
    runner.finish(fence)
    assert.equal((await finished(old)).status, 'canceled')
    runner.finish(await assigned(fresh))
    assert.equal((await finished(fresh)).status, 'success')
  })
})

describe('the queue', () => {
  test('of runs without holds and groups is read by its index alone', async () => {
    await sql`analyze runs`.execute(db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select id from runs where status = 'queued' and withheld is null and lane = 'x'
      and team_path = 'y' order by priority desc, id limit 10 for update skip locked`.execute(db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /Index Scan using runs_queued/)
    assert.doesNotMatch(plan, /Sort/)
  })
})
