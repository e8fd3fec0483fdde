import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { until } from '#platform/testing'
import { KINDS, NEEDED } from '../../ui/src/client/live-topics.ts'
import { signPush } from './adapters/forges/github/testing.ts'
import { aPipeline } from './rooms/catalog/pipelines/testing.ts'
import { createConnections } from './rooms/catalog/runners/actions/keep-connection.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { insertRequests } from './rooms/execution/approvals/store/requests.ts'
import { anAttempt } from './rooms/execution/logs/testing.ts'
import { saveProgress } from './rooms/execution/runs/store/save-progress.ts'
import { aRun } from './rooms/execution/runs/testing.ts'
import { aGrant, aMember, aToken } from './rooms/foundation/access/testing.ts'
import { anEnvironment, aTeam } from './rooms/foundation/teams/testing.ts'
import { type Follower, follow, type SeenEvent, tells } from './rooms/front/live/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

const { kit, database, db, http, ask, make } = await openTestHouse()
const url = `http://127.0.0.1:${await http.listen('127.0.0.1', 0)}`
const opened: Follower[] = []
after(() => {
  for (const follower of opened) follower.close()
})

await anEnvironment(db, 'acme/test')
await aTeam(db, 'acme/web')
await aTeam(db, 'other')
const root = await aMember(db, 'root', 'administrator', '/')
const web = await aMember(db, 'web', 'owner', 'acme/web')
const stranger = await aMember(db, 'stranger', 'owner', 'other')
const NO_PROGRESS = { runs: [], steps: [], tasks: [], inserts: [], leases: [], reports: [], cancels: [], pins: [] }
const pipeline = await aPipeline(db, 'acme/web/build')
const elsewhere = await aPipeline(db, 'other/build')
const tell = (token: string, method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
  make(token, method, path, body)

async function open(member: { readonly token: string }, topics: string, lastEventId?: string): Promise<Follower> {
  const headers = { authorization: `Bearer ${member.token}` }
  const follower = await follow(url, { topics, headers, ...(lastEventId === undefined ? {} : { lastEventId }) })
  opened.push(follower)
  return follower
}

const changesOf = (follower: Follower): unknown[] =>
  follower.seen.filter(({ event }) => event !== 'ready').map(({ data }) => [data['topic'], data['id'], data['change']])

const toldChanged = (topic: string, id: string) => (event: SeenEvent) =>
  tells(topic, id)(event) && event.data['change'] === 'changed'

const cancel = (id: string): Promise<string> => tell(root.token, 'POST', `/v1/runs/${id}/cancel`, {})

test('the page hears of every kind of topic, and knows the permission of those that are not of one thing', async () => {
  const refused = await ask(root.token, 'GET', '/v1/live?topics=nonsense')
  assert.equal(refused.status, 400)
  // It names every kind that a room contributed.
  const [, listed = ''] = String(refused.body['detail']).split('Topics are ')
  const forms = listed.replace(/\.$/, '').split(', ')
  const kindOf = (form: string): string => form.replace(/:<.*/, '')
  assert.deepEqual([...KINDS].toSorted(), forms.map(kindOf).toSorted())
  // Everybody may follow plans: of those that they may see they are told.
  const ofNoThing = forms.filter((form) => !form.endsWith(':<id>') && form !== 'plans').map(kindOf)
  assert.deepEqual(Object.keys(NEEDED).toSorted(), ofNoThing.toSorted())
})

describe('a topic tells of', () => {
  test('runs that are queued and that change, to the team and to those above it', async () => {
    const all = await open(root, 'runs:/,runs:acme,runs:other')
    const below = await open(web, 'runs:acme,runs:acme/web')
    const id = await aRun(db, pipeline)
    for (const topic of ['runs:acme', 'runs:acme/web']) await below.until(tells(topic, id))
    await all.until(tells('runs:acme', id))
    await cancel(id)
    for (const topic of ['runs:acme', 'runs:acme/web']) await below.until(toldChanged(topic, id))
    await all.until(toldChanged('runs:/', id))
    assert.deepEqual(changesOf(below).toSorted(), [
      ['runs:acme', id, 'changed'],
      ['runs:acme', id, 'created'],
      ['runs:acme/web', id, 'changed'],
      ['runs:acme/web', id, 'created'],
    ])
    assert.ok(!all.seen.some(tells('runs:other')), 'nothing happened there')
  })

  test('one run', async () => {
    const [id, another] = [await aRun(db, pipeline), await aRun(db, pipeline)]
    const follower = await open(web, `run:${id}`)
    await cancel(another)
    await cancel(id)
    await follower.until(tells(`run:${id}`, id))
    assert.deepEqual(changesOf(follower), [[`run:${id}`, id, 'changed']])
  })

  test('deliveries of a source', async () => {
    await tell(root.token, 'POST', '/v1/secrets', { team_path: 'acme', name: 'hook', value: 'the-value-of-hook' })
    const source = await tell(root.token, 'POST', '/v1/git-webhook-sources', {
      name: 'github',
      provider: 'github',
      team_path: 'acme',
      credential_ref: 'secret:acme/hook',
      repository_allowlist: ['acme/*'],
    })
    const follower = await open(root, `deliveries:${source}`)
    const { headers, body } = signPush({ secret: 'the-value-of-hook' })
    const sent = await http.app.inject({ method: 'POST', url: `/v1/git/webhooks/${source}`, headers, payload: body })
    assert.equal(sent.statusCode, 200, sent.body)
    const { data } = await follower.until(tells(`deliveries:${source}`))
    const answer = await ask(root.token, 'GET', `/v1/git-webhook-sources/${source}/deliveries/${String(data['id'])}`)
    assert.equal(answer.status, 200)
  })

  test('runners that come, connect, change, take a task and go, and not of their heartbeats', async () => {
    const [follower, outside] = [await open(root, 'runners'), await open(stranger, 'runners')]
    const connections = createConnections(kit)
    const { id } = await aRunner(db, { name: 'box', teamPath: 'acme', scopes: ['acme/**'] })
    const connection = { runnerId: id, processId: kit.ids.next(), since: kit.clock.now() }
    const of = (change: string) => (event: SeenEvent) => tells('runners', id)(event) && event.data['change'] === change
    await follower.until(of('created'))
    const hello = { version: '1', capacity: 2, labels: [], executors: ['host'] }
    await connections.setConnected(db, connection, hello, false)
    await follower.until(of('changed'))
    const connected = follower.seen.length
    await connections.heartbeat(db, connection.processId, [id])
    await sql`update runners set last_seen_at = now() where id = ${id}`.execute(db)
    await tell(root.token, 'PATCH', `/v1/runners/${id}`, { enabled: false })
    await follower.until(of('changed'), connected)
    await connections.setDisconnected(db, connection)
    await follower.until(of('changed'), connected + 1)
    assert.equal(follower.seen.filter(of('changed')).length, 3)
    const lease = { id: (await anAttempt(kit)).id, runner_id: id, lease_expires_at: kit.clock.now() }
    await database.transaction((tx) => saveProgress(tx, { ...NO_PROGRESS, at: kit.clock.now(), leases: [lease] }))
    await follower.until(of('changed'), connected + 2)
    await tell(root.token, 'DELETE', `/v1/runners/${id}`)
    await follower.until(of('gone'))
    assert.ok(!outside.seen.some(({ data }) => data['id'] === id), 'nothing is told of what one may not see')
  })

  test('schedules', async () => {
    const follower = await open(root, 'schedules:acme')
    const id = await tell(root.token, 'POST', '/v1/schedules', {
      path: 'acme/web',
      name: 'nightly',
      pipeline: 'acme/web/build',
      schedule_kind: 'recurring',
      cron_expression: '30 2 * * *',
      scope: 'acme/test',
    })
    await follower.until(tells('schedules:acme', id))
    await tell(root.token, 'POST', `/v1/schedules/${id}/run`)
    await follower.until(({ data }) => data['id'] === id && data['change'] === 'changed')
    await tell(root.token, 'DELETE', `/v1/schedules/${id}`)
    await follower.until(({ data }) => data['id'] === id && data['change'] === 'gone')
  })

  test('emergencies and knowledge, also of the teams above, and not of those beside', async () => {
    const [all, below, others] = [
      await open(root, 'emergencies,knowledge'),
      await open(web, 'emergencies,knowledge'),
      await open(stranger, 'emergencies,knowledge'),
    ]
    const of = (id: string, change: string) => (event: SeenEvent) =>
      event.data['id'] === id && event.data['change'] === change
    const emergency = await tell(root.token, 'POST', '/v1/emergencies', { scope: 'acme/test', reason: 'Smoke.' })
    for (const follower of [all, below]) await follower.until(tells('emergencies', emergency))
    await tell(root.token, 'POST', `/v1/emergencies/${emergency}/lift`, {})
    for (const follower of [all, below]) await follower.until(of(emergency, 'changed'))
    const rule = { team_path: 'acme', name: 'rule', kind: 'guardrail', rule: 'run.scope != "x"', message: 'No.' }
    const item = await tell(root.token, 'POST', '/v1/knowledge', rule)
    for (const follower of [all, below]) await follower.until(tells('knowledge', item))
    await tell(root.token, 'PUT', `/v1/knowledge/${item}`, { ...rule, message: 'Not there.' })
    for (const follower of [all, below]) await follower.until(of(item, 'changed'))
    await tell(root.token, 'DELETE', `/v1/knowledge/${item}`)
    for (const follower of [all, below]) await follower.until(of(item, 'gone'))
    const own = await tell(root.token, 'POST', '/v1/emergencies', { scope: 'other/*', reason: 'Fire.' })
    await others.until(tells('emergencies', own))
    assert.deepEqual(changesOf(others), [['emergencies', own, 'created']])
    await tell(root.token, 'POST', `/v1/emergencies/${own}/lift`, {})
  })

  test('approvals to those whom a request asks, and to nobody else', async () => {
    const runId = await aRun(db, pipeline)
    await sql`update runs set status = 'running', started_at = now() where id = ${runId}`.execute(db)
    const [asked, others] = [await open(web, 'approvals'), await open(stranger, 'approvals')]
    const run = await db.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
    const at = new Date()
    await database.transaction((tx) =>
      insertRequests(tx, [
        {
          id: kit.ids.next(),
          runId,
          step: 'ask',
          teamPath: run.team_path,
          pipelineIdentifier: run.pipeline_identifier,
          pipelineVersionId: run.pipeline_version_id,
          scope: run.scope,
          initiator: { kind: 'user', id: 'starter', name: 'starter' },
          askedBy: [],
          repository: null,
          commitSha: null,
          approvers: ['role:owner'],
          required: 1,
          allowSelf: false,
          message: null,
          fields: [],
          status: 'waiting',
          requestedAt: at,
          deadlineAt: new Date(at.getTime() + 60_000),
          remindAt: null,
          decidedAt: null,
        },
      ]),
    )
    await asked.until(tells('approvals', runId))
    assert.match((await ask(web.token, 'GET', '/v1/approvals')).text, new RegExp(runId))
    await tell(web.token, 'POST', `/v1/runs/${runId}/approvals/ask`, { decision: 'approve' })
    await asked.until(({ data }) => data['id'] === runId && data['change'] === 'gone')
    const held = await aRun(db, elsewhere, { teamPath: 'other', heldFork: 7 })
    await others.until(tells('approvals', held))
    await tell(stranger.token, 'POST', `/v1/runs/${held}/cancel`, {})
    await others.until(({ data }) => data['change'] === 'gone')
    assert.deepEqual(changesOf(others), [
      ['approvals', held, 'created'],
      ['approvals', held, 'gone'],
    ])
    assert.ok(!asked.seen.some(({ data }) => data['id'] === held))
  })
})

test('plans are told to their planner, and to persons who could approve them once they are asked', async () => {
  await anEnvironment(db, 'acme/web/guarded', { protected: true })
  const [planner, peer, others] = [await open(root, 'plans'), await open(web, 'plans'), await open(stranger, 'plans')]
  const document = 'name: planned\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n'
  const body = { team_path: 'acme/web', document }
  const id = await tell(root.token, 'POST', '/v1/plans', { action: 'createPipeline', body })
  await planner.until(tells('plans', id))
  const said = { action: 'createPipeline', target: 'pipeline acme/web/planned' }
  await tell(root.token, 'POST', `/v1/plans/${id}/confirm`, said)
  await peer.until(tells('plans', id))
  const heard = planner.seen.length
  await tell(web.token, 'POST', `/v1/plans/${id}/refuse`)
  await planner.until(tells('plans', id), heard)
  assert.ok(!peer.seen.some(({ data }) => data['change'] === 'created'), 'nobody was asked yet')
  assert.ok(!others.seen.some(tells('plans')))
  await sql`delete from environments where name = 'guarded'`.execute(db)
})

describe('what is refused', () => {
  const refused = async (member: { readonly token: string }, topics: string) => {
    const { status, body } = await ask(member.token, 'GET', `/v1/live?topics=${encodeURIComponent(topics)}`)
    return { status, detail: String(body['detail']) }
  }

  test('a topic that is none is named', async () => {
    for (const topic of [
      'nothing',
      'runs',
      'runs:',
      'runs:Acme',
      'run:7',
      'approvals:acme',
      'runners:',
      '',
      ':',
      'run:acme',
      'a'.repeat(500),
    ]) {
      const { status, detail } = await refused(root, `runners,${topic}`)
      assert.deepEqual([status, detail.includes(`"${topic.slice(0, 100)}"`)], [400, true], `${topic}: ${detail}`)
    }
    const many = Array.from({ length: 51 }, () => `run:${kit.ids.next()}`).join()
    assert.match((await refused(root, many)).detail, /at most 50/)
    assert.equal((await ask(root.token, 'GET', '/v1/live')).status, 400)
    assert.equal((await ask(undefined, 'GET', '/v1/live?topics=approvals')).status, 401)
  })

  test('a hidden topic and an absent one look alike', async () => {
    const hidden = await aRun(db, pipeline)
    const absent = kit.ids.next()
    const words = async (name: string) => {
      const { status, detail } = await refused(stranger, name)
      return [status, detail.replace(name, 'IT')]
    }
    for (const [there, nowhere] of [
      [`run:${hidden}`, `run:${absent}`],
      ['runs:acme', 'runs:nobody'],
      ['runs:acme/web', 'runs:other/nobody'],
      ['schedules:acme', 'schedules:nobody'],
    ] as const) {
      assert.deepEqual(await words(there), [404, 'There is no topic IT that you may follow.'])
      assert.deepEqual(await words(nowhere), await words(there))
    }
    assert.deepEqual(await words(`approvals,run:${hidden}`), [
      404,
      `There is no topic run:${hidden} that you may follow.`,
    ])
  })
})

describe('a follower who comes back', () => {
  test('is told of what changed since, once for each topic', async () => {
    const first = await open(web, 'runs:acme/web,runs:acme')
    const seen = await aRun(db, pipeline)
    const { id } = await first.until(({ data, id: position }) => data['id'] === seen && position !== undefined)
    first.close()
    await first.over
    const kept = await open(web, 'runs:acme/web,runs:acme')
    const missed = await aRun(db, pipeline)
    await kept.until(tells('runs:acme', missed))
    const again = await open(web, 'runs:acme/web,runs:acme', id)
    await again.until(tells('runs:acme', missed))
    assert.deepEqual(
      again.seen.map(({ event }) => event),
      ['ready', 'runs', 'runs'],
    )
    const nothingMissed = await open(web, 'runs:acme', again.seen.at(-1)?.id)
    assert.deepEqual(
      nothingMissed.seen.map(({ event }) => event),
      ['ready'],
    )
  })

  test('with a position that this process does not know is told to read everything again', async () => {
    for (const position of ['', 'x', '0.0', `${kit.ids.next()}.4`]) {
      const follower = await open(web, 'runs:acme/web', position)
      assert.equal(follower.seen[0]?.event, 'reset', position)
    }
    const known = (await open(web, 'runs:acme/web')).seen[0]?.id ?? ''
    assert.equal((await open(web, 'runs:acme/web', known)).seen[0]?.event, 'ready')
    assert.equal((await open(web, 'runs:acme/web', known.replace(/\d+$/, '999999'))).seen[0]?.event, 'reset')
  })

  test('is told of nothing that was read under other rights', async () => {
    const member = await aMember(db, 'brief', 'viewer', 'acme/web')
    const known = (await open(member, 'approvals')).seen[0]?.id ?? ''
    const other = await open(web, 'approvals')
    const runId = await aRun(db, pipeline, { heldFork: 7 })
    await other.until(tells('approvals', runId))
    await aGrant(db, `user:${member.id}`, 'viewer', 'other')
    // Until the change of rights was heard of, the old ones hold: what is told by them is no secret.
    await until(
      'the position of old rights to be refused',
      async () => (await open(member, 'approvals', known)).seen[0]?.event,
      (event) => event === 'reset',
    )
  })
})

describe('a stream', () => {
  let follower: Follower
  before(async () => {
    follower = await open(web, 'runs:acme/web,runners,approvals')
  })

  test('of many changes at once tells of several without naming them, at most ten times a second', async () => {
    const runs = await Promise.all(Array.from({ length: 40 }, () => aRun(db, pipeline)))
    const begun = performance.now()
    const from = follower.seen.length
    for (const id of runs) await cancel(id)
    const last = await aRun(db, pipeline)
    await cancel(last)
    await until(
      'the last change',
      () => follower.seen.slice(from),
      (events) => events.some(({ data }) => data['change'] === 'many' || data['id'] === last),
    )
    const seconds = (performance.now() - begun) / 1000
    const told = follower.seen.length - from
    assert.ok(told <= 10 * seconds + 2, `${told} events in ${seconds} s`)
  })

  test('tells that everything is to be read again when notifications were lost', async () => {
    const from = follower.seen.length
    const position = follower.seen.findLast(({ id }) => id !== undefined)?.id ?? ''
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'signalbox listen' and datname = current_database()`.execute(db)
    await follower.until(({ event }) => event === 'reset', from)
    assert.equal((await open(web, 'runs:acme/web', position)).seen[0]?.event, 'reset')
    const id = await aRun(db, pipeline)
    await follower.until(({ data }) => data['id'] === id || data['change'] === 'many', from)
  })

  test('ends when its token is revoked or its right is taken, and says why', async () => {
    const member = await aMember(db, 'leaver', 'viewer', 'acme/web')
    const spare = await aToken(db, { kind: 'user', id: member.id })
    const [byToken, byGrant] = [await open(spare, 'runs:acme/web'), await open(member, 'runs:acme/web')]
    await tell(root.token, 'DELETE', `/v1/tokens/${spare.id}`)
    const begun = performance.now()
    assert.equal((await byToken.until(({ event }) => event === 'closed')).data['code'], 'unauthenticated')
    await sql`delete from grants where user_id = ${member.id}`.execute(db)
    const id = await aRun(db, pipeline)
    assert.equal((await byGrant.until(({ event }) => event === 'closed')).data['code'], 'forbidden')
    assert.ok(performance.now() - begun < 30_000)
    assert.ok(!byGrant.seen.some(({ data }) => data['id'] === id), 'nothing is told behind the right')
    await Promise.all([byToken.over, byGrant.over])
  })

  test('is counted', async () => {
    const { text } = await kit.metrics.render()
    assert.match(text, /^signalbox_live_streams [1-9]/m)
    assert.match(text, /^signalbox_live_events_total\{kind="runs"\} [1-9]/m)
    assert.match(text, /^signalbox_live_resets_total [1-9]/m)
  })
})
