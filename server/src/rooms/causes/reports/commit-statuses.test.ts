import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '#platform/log'
import { createTestClock, createTestDatabase, until } from '#platform/testing'
import {
  aPullRequestPayload,
  type PushOverrides,
  signDelivery,
  signPush,
} from '../../../adapters/forges/github/testing.ts'
import { type ExpectedCall, type ForgeDouble, openForgeDouble } from '../../../adapters/forges/testing.ts'
import { beginRun, endByCancel, endRun } from '../../execution/runs/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aConnectedSource, aTrigger, deliver, openCauses, PIPELINE, SECRET, TEAM } from '../sources/testing.ts'

const TOKEN = 'a-token-that-writes-statuses'
const COMMIT = 'b'.repeat(40)
const CONTEXT = `signalbox/${PIPELINE} (staging)`
const NOT_NOW = new AbortController().signal

class Killed extends Error {}

const lines: string[] = []
const clock = createTestClock()
let armed: string | undefined
const testDatabase = await createTestDatabase()
const { database } = testDatabase
const db = database.kysely
const causes = await openCauses(
  testDatabase,
  { PROVIDER_HOSTS: '127.0.0.1', UI_URL: 'https://signalbox.example/', PATH: process.env['PATH'] ?? '' },
  {
    clock,
    log: createLog({ level: 'trace', pretty: false, destination: { write: (line) => void lines.push(line) } }),
    failPoints: {
      hit(name) {
        if (name === armed) throw new Killed()
      },
    },
  },
)
after(() => causes.close())
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reporter', value: TOKEN })

let made = 0
beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  lines.length = 0
  armed = undefined
  made += 1
})

/** A status as GitHub must be told of it; taken, unless something else is answered. */
function telling(
  state: string,
  description: string,
  {
    run,
    commit = COMMIT,
    context = CONTEXT,
    reply = { status: 201, body: {} },
  }: {
    readonly run: () => string
    readonly commit?: string
    readonly context?: string
    readonly reply?: ExpectedCall['reply']
  },
): ExpectedCall {
  return {
    method: 'POST',
    path: `/api/v3/repos/acme/widgets/statuses/${commit}`,
    headers: { authorization: `Bearer ${TOKEN}` },
    // Read when the call comes: the run is not known before.
    get body() {
      return { state, target_url: `https://signalbox.example/#/runs/${run()}`, description, context }
    },
    reply,
  }
}

interface Connected {
  readonly id: string
  /** Delivers a push; answers the ids of its runs. */
  push(push?: PushOverrides): Promise<readonly string[]>
}

async function connect(
  double: Pick<ForgeDouble, 'url'>,
  source: Readonly<Record<string, unknown>> = {},
  trigger: Readonly<Record<string, unknown>> = {},
): Promise<Connected> {
  const reporting = { base_url: double.url, checkout_credential_ref: `secret:${TEAM}/reporter`, report_status: true }
  const { id, url } = await aConnectedSource(
    causes,
    { name: `source ${made}`, ...reporting, ...source },
    { name: `t${made}`, ...trigger },
  )
  return {
    id,
    async push(push = {}) {
      const repository = { clone_url: `${double.url}/acme/widgets.git`, ...push.repository }
      // Of a commit before: two pushes of one change would be one.
      const before = made.toString(16).padStart(40, 'a')
      const answer = await deliver(
        causes,
        url,
        signPush({ secret: SECRET, deliveryId: randomUUID(), before, ...push, repository }),
      )
      assert.equal(answer.status, 202, answer.text)
      const { body } = await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries?limit=1`)
      return JSON.parse(JSON.stringify(body[0]?.['run_ids']))
    },
  }
}

const job = (name: string) => causes.jobs.find((one) => one.name === name)

interface Queued {
  readonly key: string
  readonly payload: { readonly runId: string; readonly since: string }
  readonly runAt: Date
}

async function queuedReports(): Promise<readonly Queued[]> {
  const { rows } = await sql<Queued>`
    select job.key, job.payload, job.run_at as "runAt" from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where task.identifier = 'sources.report-status' order by job.id`.execute(db)
  return rows
}

/** Does what reactions to facts are queued, as the queue would. */
async function react(): Promise<void> {
  const { rows } = await sql<{ payload: unknown }>`
    with taken as (delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
      where task.id = job.task_id and task.identifier = 'facts.react' returning job.payload)
    select payload from taken`.execute(db)
  for (const { payload } of rows) await job('facts.react')?.run(payload, NOT_NOW)
}

const work = (payload: unknown, signal: AbortSignal = NOT_NOW) => job('sources.report-status')?.run(payload, signal)

/** Does the reports that are queued at this moment, whatever their time. */
async function workQueued(): Promise<number> {
  const queued = await queuedReports()
  await sql`delete from graphile_worker._private_jobs where key = any(${queued.map(({ key }) => key)}::text[])`.execute(
    db,
  )
  for (const { payload } of queued) await work(payload)
  return queued.length
}

async function end(run: string, result: 'success' | 'failure', seconds = 0): Promise<void> {
  await beginRun(database, causes.runs.progress, run)
  await endRun(database, causes.runs.progress, run, result)
  // By the clock of the database's rows, which is not the test's.
  await sql`update runs set started_at = finished_at - make_interval(secs => ${seconds}) where id = ${run}`.execute(db)
  await react()
}

async function cancel(run: string): Promise<void> {
  await endByCancel(causes.kit, run, 'enough')
  await react()
}

async function counted(outcome: string): Promise<number> {
  const { text } = await causes.kit.metrics.render()
  const found = new RegExp(`signalbox_status_reports_total\\{provider="github",outcome="${outcome}"\\} (\\d+)`).exec(
    text,
  )
  return Number(found?.[1] ?? 0)
}

describe('a run of a source that reports', () => {
  test('is told as pending when it is queued and as what it came to when it has ended', async (t) => {
    let run = ''
    const double = await openForgeDouble(t, [
      telling('pending', 'Waits for a runner.', { run: () => run }),
      telling('success', 'Succeeded after 1 min 5 s.', { run: () => run }),
    ])
    const before = await counted('reported')
    const [id = ''] = await (await connect(double)).push()
    run = id
    assert.deepEqual(
      (await queuedReports()).map(({ key, payload }) => [key, payload.runId]),
      [[run, run]],
    )
    await workQueued()
    await end(run, 'success', 65)
    await workQueued()
    assert.equal(await counted('reported'), before + 2)
    const { rows } = await sql<{ used: boolean }>`
      select last_used_at is not null as used from secrets where name = 'reporter'`.execute(db)
    assert.deepEqual(rows, [{ used: true }])
  })

  test('that failed and one that was canceled are told as that', async (t) => {
    const runs: string[] = []
    const other = 'c'.repeat(40)
    const double = await openForgeDouble(t, [
      telling('failure', 'Failed after 3 s.', { run: () => runs[0] ?? '' }),
      telling('error', 'Canceled.', { run: () => runs[1] ?? '', commit: other }),
    ])
    const source = await connect(double)
    runs.push(...(await source.push()), ...(await source.push({ after: other })))
    await end(runs[0] ?? '', 'failure', 3)
    await cancel(runs[1] ?? '')
    // Each report replaces the one that nobody had begun.
    assert.equal(await workQueued(), 2)
  })

  test('of a pull request is told on its head; one from a fork waits for a member, and then for a runner', async (t) => {
    let run = ''
    const head = 'd'.repeat(40)
    const double = await openForgeDouble(t, [
      telling('pending', 'Waits until a member approves this commit.', { run: () => run, commit: head }),
      telling('pending', 'Waits for a runner.', { run: () => run, commit: head }),
    ])
    const { id } = await connect(double, {}, { events: ['pull_request'], branches: [] })
    const repository = { clone_url: `${double.url}/acme/widgets.git` }
    const answer = await deliver(
      causes,
      `/v1/git/webhooks/${id}`,
      signDelivery(aPullRequestPayload({ repository, head, fork: true, number: 70 + made }), {
        secret: SECRET,
        event: 'pull_request',
        deliveryId: randomUUID(),
      }),
    )
    assert.equal(answer.status, 202, answer.text)
    run = (await queuedReports())[0]?.payload.runId ?? ''
    await workQueued()
    await db.updateTable('runs').set({ withheld: null }).where('id', '=', run).execute()
    await database.transaction((tx) => causes.kit.facts.tell(tx, 'run.approved', 1, { run_id: run }))
    await react()
    await workQueued()
  })

  test('that only the repository decided is told of too', async (t) => {
    let run = ''
    const noRepository = {
      method: 'GET',
      path: '/acme/widgets.git/info/refs?service=git-upload-pack',
      reply: { status: 404 },
    } as const
    const double = await openForgeDouble(t, [
      // By its id, then by its ref: without its files whatever could match does.
      noRepository,
      noRepository,
      noRepository,
      noRepository,
      telling('pending', 'Waits for a runner.', { run: () => run }),
    ])
    const source = await connect(double, { read_repository: true }, { paths: ['docs/**'] })
    assert.deepEqual(await source.push({ forced: true }), [])
    assert.deepEqual(await queuedReports(), [])
    await db.updateTable('trigger_events').set({ tries: 4 }).where('source_id', '=', source.id).execute()
    const { id } = await db
      .selectFrom('trigger_events')
      .select('id')
      .where('source_id', '=', source.id)
      .executeTakeFirstOrThrow()
    await job('events.resolve')?.run({ eventId: id }, NOT_NOW)
    run = (await queuedReports())[0]?.payload.runId ?? ''
    assert.equal(await workQueued(), 1)
  })
})

describe('the order of reports', () => {
  test('one that comes late tells what is true by then, and the other has nothing left to say', async (t) => {
    let run = ''
    const double = await openForgeDouble(t, [telling('success', 'Succeeded after 0 s.', { run: () => run })])
    const [id = ''] = await (await connect(double)).push()
    run = id
    const [pending] = await queuedReports()
    await end(run, 'success')
    const [finished, ...others] = await queuedReports()
    assert.deepEqual([others.length, finished?.key], [0, run])
    await work(pending?.payload)
    await work(finished?.payload)
  })

  test('while one is on its way to the provider, the next waits; what arrives last is what is true', async (t) => {
    let run = ''
    const double = await openForgeDouble(t, [
      telling('pending', 'Waits for a runner.', { run: () => run, reply: 'silence' }),
      telling('success', 'Succeeded after 0 s.', { run: () => run }),
    ])
    const [id = ''] = await (await connect(double)).push()
    run = id
    const [pending] = await queuedReports()
    const enough = new AbortController()
    const first = work(pending?.payload, enough.signal)
    await double.asked(1)
    await end(run, 'success')
    // Finds it held, and comes back.
    await workQueued()
    assert.deepEqual(
      (await queuedReports()).map(({ key, runAt }) => [key, runAt.getTime() - clock.now().getTime()]),
      [[`${run}:again`, 1000]],
    )
    enough.abort()
    await first
    await clock.advance(6000)
    assert.equal(await workQueued(), 1)
    assert.equal(await workQueued(), 0)
  })

  test('what is told was read after it was the only one to tell', async (t) => {
    let run = ''
    const double = await openForgeDouble(t, [
      telling('pending', 'Waits for a runner.', { run: () => run }),
      telling('success', 'Succeeded after 0 s.', { run: () => run }),
    ])
    const source = await connect(double)
    const [id = ''] = await source.push()
    run = id
    const [report] = await queuedReports()
    await workQueued()
    await beginRun(database, causes.runs.progress, run)
    let late: Promise<unknown> | undefined
    await database.transaction(async (tx) => {
      await sql`select from commit_statuses where source_id = ${source.id} for update`.execute(tx)
      late = work(report?.payload)
      const waiting = sql`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%commit_statuses%'`
      await until(
        'it to wait',
        async () => (await waiting.execute(db)).rows.length,
        (count) => count === 1,
      )
      await endRun(database, causes.runs.progress, run, 'success')
      await sql`update runs set started_at = finished_at where id = ${run}`.execute(db)
    })
    await late
    await react()
    await workQueued()
  })

  test('a process that dies while it tells keeps the next one waiting for seconds, and nothing is lost', async (t) => {
    for (const point of ['sources.before_report', 'sources.after_report']) {
      let run = ''
      const pending = telling('pending', 'Waits for a runner.', { run: () => run })
      const double = await openForgeDouble(t, [
        ...(point === 'sources.after_report' ? [pending] : []),
        telling('success', 'Succeeded after 0 s.', { run: () => run }),
      ])
      const source = await connect(double, { name: point }, { name: point.replaceAll(/[._]/g, '-') })
      const [id = ''] = await source.push({ before: point.length.toString(16).padStart(40, 'c') })
      run = id
      const [report] = await queuedReports()
      armed = point
      await assert.rejects(async () => work(report?.payload), Killed)
      armed = undefined
      await end(run, 'success')
      await workQueued()
      await clock.advance(14_000)
      await workQueued()
      assert.equal((await queuedReports()).length, 1, 'still held')
      await clock.advance(1000)
      await workQueued()
      // The queue calls again where it does not know that a job was done.
      await work(report?.payload)
      assert.deepEqual(await queuedReports(), [])
    }
  })
})

describe('several runs of a pipeline for one commit', () => {
  test('in two scopes are two statuses', async (t) => {
    const runs: string[] = []
    await anEnvironment(db, `${TEAM}/production`)
    const double = await openForgeDouble(t, [
      telling('pending', 'Waits for a runner.', { run: () => runs[0] ?? '' }),
      telling('pending', 'Waits for a runner.', {
        run: () => runs[1] ?? '',
        context: `signalbox/${PIPELINE} (production)`,
      }),
    ])
    const source = await connect(double)
    const other = aTrigger({ name: `other${made}`, source_id: source.id, scope: `${TEAM}/production` })
    assert.equal((await causes.call('POST', '/v1/triggers', other)).status, 201)
    const ids = await source.push()
    const { rows } = await sql<{ id: string }>`
      select id from runs where id = any(${ids}::uuid[]) order by scope desc`.execute(db)
    runs.push(...rows.map(({ id }) => id))
    for (const runId of runs) await work({ runId, since: clock.now().toISOString() })
  })

  test('in one scope are one status: the newest tells, an older one that ends later does not', async (t) => {
    const runs: string[] = []
    const double = await openForgeDouble(t, [
      telling('pending', 'Waits for a runner.', { run: () => runs[0] ?? '' }),
      telling('success', 'Succeeded after 0 s.', { run: () => runs[1] ?? '' }),
    ])
    const source = await connect(double)
    runs.push(...(await source.push()))
    await workQueued()
    const rerun = await rerunOf(runs[0] ?? '')
    runs.push(rerun)
    // A rerun is told of at its end.
    assert.deepEqual(await queuedReports(), [])
    await end(rerun, 'success')
    await workQueued()
    const before = await counted('outdated')
    await end(runs[0] ?? '', 'failure')
    assert.equal(await workQueued(), 1)
    assert.equal(await counted('outdated'), before + 1)
  })

  test('but a newer one that was canceled, as one that is skipped is, does not hide the older one', async (t) => {
    const runs: string[] = []
    const double = await openForgeDouble(t, [
      telling('error', 'Canceled.', { run: () => runs[1] ?? '' }),
      telling('success', 'Succeeded after 0 s.', { run: () => runs[0] ?? '' }),
    ])
    const source = await connect(double)
    runs.push(...(await source.push()))
    const [pending] = await queuedReports()
    await sql`delete from graphile_worker._private_jobs`.execute(db)
    const rerun = await rerunOf(runs[0] ?? '')
    runs.push(rerun)
    await cancel(rerun)
    await workQueued()
    await end(runs[0] ?? '', 'success')
    await workQueued()
    await work({ ...pending?.payload, runId: rerun })
  })
})

/** Queued as a rerun is. */
async function rerunOf(id: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into runs (id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
      pipeline_version, scope, requirement, profile_environment, status, cause, rerun_of, rerun_mode,
      initiator_kind, initiator_id, initiator_name, variables, repository, clone_url, ref, branch, commit_sha, queued_at)
    select ${causes.kit.ids.next()}, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
      pipeline_version, scope, requirement, profile_environment, 'queued', 'rerun', id, 'whole',
      initiator_kind, initiator_id, initiator_name, variables, repository, clone_url, ref, branch, commit_sha, queued_at from runs where id = ${id}
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

describe('a provider that fails', () => {
  const told = (reply: ExpectedCall['reply'], run: () => string) =>
    telling('pending', 'Waits for a runner.', { run, reply })

  test('is asked again with growing pauses, for about an hour', async (t) => {
    let run = ''
    const replies = [503, 500, 429].map((status) => told({ status }, () => run))
    const double = await openForgeDouble(t, [...replies, told('reset', () => run), told({ status: 201 }, () => run)])
    const before = { retried: await counted('retried'), reported: await counted('reported') }
    const [id = ''] = await (await connect(double)).push()
    run = id
    const since = clock.now().getTime()
    for (const seconds of [5, 10, 20, 40]) {
      assert.equal(await workQueued(), 1)
      const [next] = await queuedReports()
      assert.equal((next?.runAt.getTime() ?? 0) - since, seconds * 1000)
      await clock.advance(since + seconds * 1000 - clock.now().getTime())
    }
    await workQueued()
    assert.equal((await counted('retried')) - before.retried, 4)
    assert.equal((await counted('reported')) - before.reported, 1)
    assert.deepEqual(await queuedReports(), [])
  })

  test('is given up after that, and the log says so once', async (t) => {
    let run = ''
    const double = await openForgeDouble(t, [told({ status: 503 }, () => run)])
    const [id = ''] = await (await connect(double)).push()
    run = id
    const [report] = await queuedReports()
    await sql`delete from graphile_worker._private_jobs`.execute(db)
    await clock.advance(3_100_000)
    const before = await counted('given_up')
    await work(report?.payload)
    assert.deepEqual(await queuedReports(), [])
    assert.equal((await counted('given_up')) - before, 1)
    const warned = lines.filter((line) => line.includes('cannot be told'))
    assert.equal(warned.length, 1)
    assert.match(warned[0] ?? '', /The provider answered 503/)
  })

  test('that refuses is not asked again: a credential, an unknown commit, a redirect', async (t) => {
    for (const [at, status] of [401, 404, 422, 302].entries()) {
      let run = ''
      const reply = { status, headers: { location: 'http://127.0.0.1:1/' } }
      const commit = `${at}`.padStart(40, 'e')
      const call = telling('pending', 'Waits for a runner.', { run: () => run, commit, reply })
      const double = await openForgeDouble(t, [call])
      const source = await connect(double, { name: `refusing ${status}` }, { name: `refusing-${status}` })
      const before = await counted('refused')
      const [id = ''] = await source.push({ after: commit })
      run = id
      await workQueued()
      assert.deepEqual(await queuedReports(), [])
      assert.equal((await counted('refused')) - before, 1)
    }
  })

  test('call after call is left alone for a while, other sources are not', async (t) => {
    const runs: string[] = []
    let healthy = ''
    const commits = [1, 2, 3, 4].map((at) => `${at}`.padStart(40, 'f'))
    const failing = commits
      .slice(0, 3)
      .map((commit, at) =>
        telling('pending', 'Waits for a runner.', { run: () => runs[at] ?? '', commit, reply: { status: 503 } }),
      )
    const double = await openForgeDouble(t, failing)
    const other = await openForgeDouble(t, [telling('pending', 'Waits for a runner.', { run: () => healthy })])
    const source = await connect(double)
    for (const commit of commits) runs.push(...(await source.push({ after: commit })))
    for (const run of runs) await work({ runId: run, since: clock.now().toISOString() })
    const again = await queuedReports()
    assert.deepEqual(
      again.filter(({ key }) => key === `${runs[3]}:again`).map(({ runAt }) => runAt.getTime() - clock.now().getTime()),
      [5000],
    )
    await sql`delete from graphile_worker._private_jobs`.execute(db)
    const [id = ''] = await (await connect(other, { name: 'healthy' }, { name: 'healthy' })).push({
      before: commits[0] ?? '',
    })
    healthy = id
    await workQueued()
    await clock.advance(5000)
    assert.equal((await queuedReports()).length, 0)
  })
})

describe('nobody is told', () => {
  /** Of a run of a push; answers why nothing was told. */
  async function reasonOf(
    source: Readonly<Record<string, unknown>>,
    push: PushOverrides = {},
    change: (sourceId: string, run: string) => Promise<unknown> = async () => undefined,
  ): Promise<readonly unknown[]> {
    const connected = await connect({ url: 'http://127.0.0.1:1' }, source)
    const [run = ''] = await connected.push(push)
    const [report] = await queuedReports()
    await change(connected.id, run)
    await work(report?.payload)
    assert.deepEqual(
      (await queuedReports()).map(({ key }) => key),
      [run],
      'it does not come back',
    )
    return lines
      .map((line) => JSON.parse(line))
      .flatMap(({ msg, reason, level }) => (msg === 'nobody is told of the status of a run' ? [[level, reason]] : []))
  }
  const DEBUG = 'debug'

  test('of a source that does not report: there is not even a job, at its beginning or its end', async () => {
    const source = await connect({ url: 'http://127.0.0.1:1' }, { report_status: false })
    const [run = ''] = await source.push()
    assert.deepEqual(await queuedReports(), [])
    await end(run, 'success')
    assert.deepEqual(await queuedReports(), [])
  })

  test('where the provider takes no statuses', async () => {
    const reasons = await reasonOf({}, {}, (id) =>
      db.updateTable('webhook_sources').set({ provider: 'gogs' }).where('id', '=', id).execute(),
    )
    assert.deepEqual(reasons, [[DEBUG, 'The provider of the source takes no statuses.']])
  })

  test('where the repository is one of another host than the provider', async () => {
    const repository = { clone_url: 'https://evil.example/acme/widgets.git' }
    assert.deepEqual(await reasonOf({}, { repository }), [
      [DEBUG, 'The repository is not one of the provider that the source names.'],
    ])
  })

  test('where the run is of no commit', async () => {
    const reasons = await reasonOf({}, {}, (_id, run) =>
      db.updateTable('runs').set({ commit_sha: null }).where('id', '=', run).execute(),
    )
    assert.deepEqual(reasons, [[DEBUG, 'The run is of no commit.']])
  })

  test('where the source does not report any more', async () => {
    const reasons = await reasonOf({}, {}, (id) =>
      db.updateTable('webhook_sources').set({ report_status: false }).where('id', '=', id).execute(),
    )
    assert.deepEqual(reasons, [[DEBUG, 'The source does not report statuses any more.']])
  })

  test('where the source was deleted', async () => {
    const reasons = await reasonOf({}, {}, (id) => causes.call('DELETE', `/v1/git-webhook-sources/${id}`))
    assert.deepEqual(reasons, [[DEBUG, 'No source is known that it came from.']])
  })

  test('where the host is not one of provider_hosts any more', async () => {
    const reasons = await reasonOf({}, {}, (id) =>
      db.updateTable('webhook_sources').set({ base_url: 'https://git.evil.example' }).where('id', '=', id).execute(),
    )
    assert.deepEqual(reasons, [[DEBUG, 'The address of the provider is not known, or not allowed any more.']])
  })

  test('of a run that no delivery started', async () => {
    await work({ runId: randomUUID(), since: clock.now().toISOString() })
    await work({ nothing: true })
    await database.transaction((tx) =>
      causes.kit.facts.tell(tx, 'run.finished', 1, { run_id: randomUUID(), cause: 'event' }),
    )
    await database.transaction((tx) => causes.kit.facts.tell(tx, 'run.finished', 1, null))
    await react()
    assert.deepEqual(await queuedReports(), [])
  })
})

describe('the credential', () => {
  test('stands in no line of the log, in no job and in no record, however the provider fails', async (t) => {
    const runs: string[] = []
    const commits = [1, 2, 3].map((at) => `${at}`.padStart(40, '9'))
    const replies = [{ status: 401, body: { message: `bad ${TOKEN}` } }, { status: 500, body: TOKEN }, 'reset'] as const
    const double = await openForgeDouble(
      t,
      replies.map((reply, at) =>
        telling('pending', 'Waits for a runner.', { run: () => runs[at] ?? '', commit: commits[at] ?? '', reply }),
      ),
    )
    const source = await connect(double)
    for (const commit of commits) runs.push(...(await source.push({ after: commit })))
    for (const run of runs) await work({ runId: run, since: clock.now().toISOString() })
    assert.ok(lines.length > 0)
    assert.ok(!lines.join('').includes(TOKEN))
    const { rows } = await sql<{ all: string }>`
      select coalesce(json_agg(statuses)::text, '') || (select json_agg(job)::text from graphile_worker._private_jobs as job)
        as all from commit_statuses as statuses`.execute(db)
    assert.ok(rows[0] && rows[0].all.length > 0 && !rows[0].all.includes(TOKEN))
  })

  test('that no header can carry is refused, and is not in the reason', async () => {
    await aSecret(causes.kit, db, { teamPath: TEAM, name: 'broken', value: 'first\nsecond-half' })
    const source = await connect({ url: 'http://127.0.0.1:1' }, { checkout_credential_ref: `secret:${TEAM}/broken` })
    const before = await counted('refused')
    await source.push()
    await workQueued()
    assert.equal((await counted('refused')) - before, 1)
    assert.ok(!lines.join('').includes('second-half'))
  })

  test('that is gone is said, and the provider is not asked', async () => {
    await aSecret(causes.kit, db, { teamPath: TEAM, name: `gone${made}`, value: 'x' })
    const source = await connect(
      { url: 'http://127.0.0.1:1' },
      { checkout_credential_ref: `secret:${TEAM}/gone${made}` },
    )
    await source.push()
    await db.deleteFrom('secrets').where('name', '=', `gone${made}`).execute()
    const before = await counted('refused')
    await workQueued()
    assert.equal((await counted('refused')) - before, 1)
    assert.match(lines.join(''), /The credential cannot be used/)
  })
})

describe('what was told', () => {
  test('is forgotten with the records of deliveries, and with its source', async (t) => {
    let run = ''
    const double = await openForgeDouble(t, [telling('pending', 'Waits for a runner.', { run: () => run })])
    const source = await connect(double)
    const [id = ''] = await source.push()
    run = id
    await workQueued()
    const kept = async () =>
      (await db.selectFrom('commit_statuses').select('run_id').where('source_id', '=', source.id).execute()).length
    await job('reports.drop-old')?.run(undefined, NOT_NOW)
    assert.equal(await kept(), 1)
    await job('reports.forget-source')?.run({ sourceId: source.id }, NOT_NOW)
    assert.equal(await kept(), 0)
    const place = { source_id: source.id, repository: 'acme/widgets', commit_sha: COMMIT, context: 'x' }
    await db
      .insertInto('commit_statuses')
      .values({ ...place, run_id: run })
      .execute()
    await clock.advance((causes.kit.config.deliveryRecordRetentionDays + 1) * 86_400_000)
    await job('reports.drop-old')?.run(undefined, NOT_NOW)
    assert.equal(await kept(), 0)
  })
})
