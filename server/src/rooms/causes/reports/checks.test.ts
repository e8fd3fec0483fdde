import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '#platform/testing'
import { signDelivery } from '../../../adapters/forges/github/testing.ts'
import { writeLines } from '../../execution/logs/testing.ts'
import { beginRun, endRun } from '../../execution/runs/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { deliver, PIPELINE, SECRET, TEAM } from '../sources/testing.ts'
import { Killed, openReports, openShownForge, type ShownForge } from './testing.ts'

const testDatabase = await createTestDatabase()
const { database } = testDatabase
const db = database.kysely
const house = await openReports(testDatabase)
const { causes, clock } = house
after(() => house.close())

const REPORT = 'sources.report-status'
let made = 0
let head = ''
beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  house.killAt(undefined)
  made += 1
  head = made.toString(16).padStart(40, 'c')
})

async function start(forge: ShownForge, trigger: Readonly<Record<string, unknown>> = {}) {
  const sourceId = await house.connect(forge, `checks ${made}`, trigger)
  const [run = ''] = await house.openPullRequest(forge, sourceId, { number: made, head })
  assert.notEqual(run, '')
  return { sourceId, run }
}

async function begin(run: string): Promise<void> {
  await beginRun(database, causes.runs.progress, run)
  await house.react()
}

async function end(run: string, result: 'success' | 'failure'): Promise<void> {
  await endRun(database, causes.runs.progress, run, result)
  await sql`update runs set started_at = finished_at - interval '65 seconds' where id = ${run}`.execute(db)
  await house.react()
}

const shown = ({ checks }: ShownForge) =>
  checks.map(({ status, conclusion, output }) => [status, conclusion, output.title])

describe('with an app a run is a check', () => {
  test('queued, in progress, completed: one check, by the name of the status, that leads to the run', async (t) => {
    const forge = await openShownForge(t)
    const { run } = await start(forge)
    await house.work(REPORT)
    assert.deepEqual(shown(forge), [['queued', undefined, 'Waits for a runner.']])
    const [check] = forge.checks
    assert.deepEqual(
      [check?.name, check?.head_sha, check?.external_id, check?.details_url],
      [`signalbox/${PIPELINE} (staging)`, head, run, `https://signalbox.example/#/runs/${run}`],
    )
    await begin(run)
    await house.work(REPORT)
    assert.deepEqual(shown(forge), [['in_progress', undefined, 'Runs.']])
    await end(run, 'success')
    await house.work(REPORT)
    assert.deepEqual(shown(forge), [['completed', 'success', 'Succeeded after 1 min 5 s.']])
    assert.match(forge.checks[0]?.output.summary ?? '', /\| Step \| Status \| Duration \|/)
    // No status beside it: a protected branch asks for one of them.
    assert.ok(!forge.calls.some((call) => call.includes('statuses')), forge.calls.join())
    const { body } = await causes.call('GET', `/v1/runs/${run}/reports`)
    assert.deepEqual(
      [body[0]?.['kind'], body[0]?.['state'], body[0]?.['given_up_reason'], body[0]?.['context']],
      ['check', 'success', null, `signalbox/${PIPELINE} (staging)`],
    )
  })

  test('a state that is told is not told again', async (t) => {
    const forge = await openShownForge(t)
    const { run } = await start(forge)
    await house.work(REPORT)
    const job = causes.jobs.find(({ name }) => name === REPORT)
    await job?.run({ runId: run, since: clock.now().toISOString() }, new AbortController().signal)
    assert.deepEqual(forge.calls, ['POST /check-runs'])
  })

  test('an answer that is lost makes no second check', async (t) => {
    for (const how of ['cut', 'killed'] as const) {
      const forge = await openShownForge(t)
      head = `${how === 'cut' ? 1 : 2}`.padStart(40, 'd')
      const { run } = await start(forge)
      if (how === 'cut') forge.faults.push('cut')
      else house.killAt('reports.after_check')
      const job = causes.jobs.find(({ name }) => name === REPORT)
      const payload = { runId: run, since: clock.now().toISOString() }
      const first = job?.run(payload, new AbortController().signal)
      if (how === 'killed') await assert.rejects(async () => first, Killed)
      else await first
      house.killAt(undefined)
      await clock.advance(16_000)
      await job?.run(payload, new AbortController().signal)
      assert.equal(forge.checks.length, 1, how)
      assert.ok(forge.calls.some((call) => call.startsWith('GET /commits/')))
      made += 1
      await sql`delete from graphile_worker._private_jobs`.execute(db)
    }
  })

  test('one whose newer run was told first is completed still, and makes no check after it', async (t) => {
    const forge = await openShownForge(t)
    const { run } = await start(forge)
    await house.work(REPORT)
    await begin(run)
    await house.work(REPORT)
    const rerun = await rerunOf(run)
    await tell(rerun)
    assert.equal(forge.checks.length, 2)
    await end(run, 'failure')
    await house.work(REPORT)
    assert.deepEqual(
      forge.checks.map(({ external_id: id, conclusion }) => [id, conclusion]),
      [
        [run, 'failure'],
        [rerun, undefined],
      ],
    )
  })

  test('a provider that refuses is not asked again, and the run says why', async (t) => {
    const forge = await openShownForge(t)
    forge.faults.push(403)
    const { run } = await start(forge)
    await house.work(REPORT)
    assert.deepEqual(await house.work(REPORT), [])
    const { body } = await causes.call('GET', `/v1/runs/${run}/reports`)
    assert.match(String(body[0]?.['given_up_reason']), /403/)
    assert.equal(body[0]?.['told_at'], null)
  })
})

async function tell(runId: string): Promise<void> {
  const job = causes.jobs.find(({ name }) => name === REPORT)
  await job?.run({ runId, since: clock.now().toISOString() }, new AbortController().signal)
}

async function rerunOf(run: string): Promise<string> {
  const answer = await causes.call('POST', `/v1/runs/${run}/rerun`, {})
  assert.equal(answer.status, 202, answer.text)
  return String(answer.body['run_id'])
}

describe('marked lines of a log', () => {
  test('stand at their files, 50 in a call, at most 250, and the summary says that there are more', async (t) => {
    const forge = await openShownForge(t)
    const { run } = await start(forge)
    await begin(run)
    const lines = Array.from(
      { length: 260 },
      (_, at) => `::error file=src/a.ts,line=${at + 1},title=@mona::wrong ${at}`,
    )
    await end(run, 'failure')
    await writeLines(causes.kit, run, ['no mark', ...lines])
    await house.work(REPORT)
    await house.work('reports.annotate')
    assert.equal(forge.checks[0]?.annotations.length, 250)
    assert.match(forge.checks[0]?.output.summary ?? '', /The first 250 marked lines/)
    assert.equal(forge.calls.filter((call) => call.startsWith('PATCH')).length, 5)
    assert.deepEqual(await house.work('reports.annotate'), [])
  })

  test('are not there twice where an answer was lost', async (t) => {
    const forge = await openShownForge(t)
    const { run } = await start(forge)
    await begin(run)
    const lines = Array.from({ length: 60 }, (_, at) => `::warning file=src/a.ts,line=${at + 1}::wrong`)
    await end(run, 'failure')
    await writeLines(causes.kit, run, lines)
    await house.work(REPORT)
    house.killAt('reports.after_annotations')
    await assert.rejects(() => house.work('reports.annotate'), Killed)
    house.killAt(undefined)
    const job = causes.jobs.find(({ name }) => name === 'reports.annotate')
    await job?.run({ runId: run, since: clock.now().toISOString() }, new AbortController().signal)
    assert.equal(forge.checks[0]?.annotations.length, 60)
  })
})

describe('rerun, asked at the provider', () => {
  async function ask(
    forge: ShownForge,
    sourceId: string,
    asked: { readonly externalId?: string; readonly id: string },
  ) {
    const isSuite = asked.externalId === undefined
    const event = isSuite ? 'check_suite' : 'check_run'
    const check = {
      head_sha: head,
      external_id: asked.externalId,
      check_suite: { head_branch: 'topic' },
      head_branch: 'topic',
      pull_requests: [],
    }
    const payload = {
      action: 'rerequested',
      [event]: check,
      repository: {
        id: 186_853_002,
        name: 'widgets',
        full_name: 'acme/widgets',
        clone_url: `${forge.url}/acme/widgets.git`,
        owner: { login: 'acme', id: 1 },
        private: false,
      },
      sender: { login: 'mona', id: 583_231, type: 'User' },
    }
    const delivery = signDelivery(payload, { secret: SECRET, event, deliveryId: asked.id })
    const answered = await deliver(causes, `/v1/git/webhooks/${sourceId}`, delivery)
    assert.ok(answered.status < 300, answered.text)
    await house.work('reports.rerun')
  }

  async function ended(forge: ShownForge) {
    const { sourceId, run } = await start(forge)
    await begin(run)
    await end(run, 'failure')
    await house.work(REPORT)
    return { sourceId, run }
  }

  const rerunsOf = async (run: string) =>
    (await db.selectFrom('runs').select('id').where('rerun_of', '=', run).execute()).map(({ id }) => id)

  test('runs again for who may write, once, and the new check is there at once', async (t) => {
    const forge = await openShownForge(t)
    forge.permissions.set('mona', 'write')
    const { sourceId, run } = await ended(forge)
    await ask(forge, sourceId, { externalId: run, id: crypto.randomUUID() })
    const [rerun] = await rerunsOf(run)
    assert.ok(rerun)
    await house.work(REPORT)
    assert.deepEqual(
      forge.checks.map(({ external_id: id }) => id),
      [run, rerun],
    )
    const askers = await db.selectFrom('run_askers').selectAll().where('run_id', '=', rerun).execute()
    const asker = { run_id: rerun, provider: 'github', base_url: forge.url, account_id: '583231', user_id: null }
    assert.deepEqual(askers, [asker], 'who must not approve it')
  })

  test('notes the user to whom the account is linked now, for they may unlink it themselves', async (t) => {
    const forge = await openShownForge(t)
    forge.permissions.set('mona', 'write')
    const { sourceId, run } = await ended(forge)
    const mona = await aMember(db, 'mona', 'operator', TEAM)
    const accounts = `/v1/users/${mona.id}/identities`
    const linked = await causes.call('POST', accounts, { provider: `git:github:${forge.url}`, subject: '583231' })
    assert.equal(linked.status, 201, linked.text)
    await ask(forge, sourceId, { externalId: run, id: crypto.randomUUID() })
    const [rerun = ''] = await rerunsOf(run)
    const own = { headers: mona.headers }
    const unlinked = await causes.call('DELETE', `${accounts}/${linked.body['id']}`, undefined, own)
    assert.equal(unlinked.status, 204, unlinked.text)
    const [asker] = (await causes.runs.listAskers(db, [rerun])).get(rerun) ?? []
    assert.deepEqual([asker?.accountId, asker?.userId], ['583231', mona.id])
  })

  test('of all checks runs those that failed again', async (t) => {
    const forge = await openShownForge(t)
    forge.permissions.set('mona', 'admin')
    const { sourceId, run } = await ended(forge)
    await ask(forge, sourceId, { id: crypto.randomUUID() })
    assert.equal((await rerunsOf(run)).length, 1)
  })

  test('is nothing for who may read alone, and for an id that is no check of the commit', async (t) => {
    const forge = await openShownForge(t)
    const { sourceId, run } = await ended(forge)
    await ask(forge, sourceId, { externalId: run, id: crypto.randomUUID() })
    forge.permissions.set('mona', 'write')
    const others = await db.selectFrom('runs').select('id').where('id', '!=', run).limit(1).execute()
    await ask(forge, sourceId, { externalId: others[0]?.id ?? crypto.randomUUID(), id: crypto.randomUUID() })
    assert.deepEqual(await rerunsOf(run), [])
    if (others[0]) assert.deepEqual(await rerunsOf(others[0].id), [])
  })
})

describe('what was told of a run', () => {
  test('is nothing where no provider was, and is hidden with the run', async () => {
    const stranger = crypto.randomUUID()
    assert.equal((await causes.call('GET', `/v1/runs/${stranger}/reports`)).status, 404)
    const anonymous = { headers: { authorization: 'Bearer nobody' } }
    assert.equal((await causes.call('GET', `/v1/runs/${stranger}/reports`, undefined, anonymous)).status, 401)
  })
})
