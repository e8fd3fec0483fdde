import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { bitbucket } from '../../../adapters/forges/bitbucket/index.ts'
import { signDelivery } from '../../../adapters/forges/bitbucket/testing.ts'
import { gogs } from '../../../adapters/forges/gogs/index.ts'
import { changed, fixturesOf, openForgeDouble, type Path, proofOf } from '../../../adapters/forges/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, deliver, PIPELINE, SCOPE, SECRET, TEAM } from '../sources/testing.ts'
import { openCausesOverGit } from './testing/open-causes-over-git.ts'

/** Bitbucket Cloud names the head of a pull request by 12 digits. */

const { causes, db, repository, server, close } = await openCausesOverGit()
after(close)
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reader', value: 'bot:a read token' })
const CREDENTIAL = `secret:${TEAM}/reader`
const HEAD = 'e'.repeat(40)
const PULL = '/2.0/repositories/acme/widgets/pullrequests/7'

let named = 0

/** A source and a trigger of its own; `page` is where the repository is shown. */
async function connect(source: Readonly<Record<string, unknown>>, trigger: Readonly<Record<string, unknown>> = {}) {
  named += 1
  const connected = await aConnectedSource(
    causes,
    { name: `s${named}`, provider: 'bitbucket', ...source },
    { name: `t${named}`, events: ['pull_request'], branches: [], ...trigger },
  )
  return { ...connected, name: `t${named}` }
}

interface Told {
  readonly event?: string
  readonly page: string
  readonly head?: string
  readonly title?: string
  readonly at?: string
}

const fixtures = fixturesOf(bitbucket)

async function tell(url: string, fixture: string, { event, page, head = HEAD, title, at }: Told) {
  const kept = fixtures.find(({ name }) => name === fixture)
  const places: readonly (readonly [Path, unknown])[] = [
    [['repository', 'links', 'html', 'href'], page],
    [['pullrequest', 'source', 'commit', 'hash'], head.slice(0, 12)],
    ...(title === undefined ? [] : [[['pullrequest', 'title'], title] as const]),
    ...(at === undefined ? [] : [[['pullrequest', 'updated_on'], at] as const]),
  ]
  const payload = places.reduce((document, [path, value]) => changed(document, path, value), kept?.payload)
  const type = event ?? String(kept?.headers['x-event-key'])
  const signed = signDelivery(payload, { secret: SECRET, event: type, deliveryId: randomUUID() })
  const answer = await deliver(causes, url, signed)
  assert.ok(answer.status === 202 || answer.status === 200, answer.text)
  await resolve()
  return answer.status
}

async function resolve(): Promise<void> {
  const pending = await db.selectFrom('trigger_events').select('id').where('resolution', '=', 'pending').execute()
  const job = causes.jobs.find(({ name }) => name === 'events.resolve')
  for (const { id } of pending) await job?.run({ eventId: id }, new AbortController().signal)
}

async function recordOf(sourceId: string) {
  return await db
    .selectFrom('deliveries')
    .select(['result', 'reason', 'run_ids', 'trace'])
    .where('source_id', '=', sourceId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
}

async function commitsOf(sourceId: string): Promise<(string | null)[]> {
  const runs = await db
    .selectFrom('runs')
    .innerJoin('deliveries', 'deliveries.id', 'runs.delivery_record_id')
    .select('runs.commit_sha')
    .where('deliveries.source_id', '=', sourceId)
    .orderBy('runs.id')
    .execute()
  return runs.map((run) => run.commit_sha)
}

/** The pull request as the API shows it, and its commits. */
function asked(commits: readonly string[], head = HEAD) {
  const own = { uuid: '{898477b2-a080-4089-b385-597a783db392}', full_name: 'acme/widgets' }
  const source = { branch: { name: 'feature/amber' }, commit: { hash: head.slice(0, 12) }, repository: own }
  const destination = { branch: { name: 'main' }, commit: { hash: 'a'.repeat(12) }, repository: own }
  const pull = { id: 7, state: 'OPEN', source, destination }
  return [
    { method: 'GET', path: PULL, reply: { status: 200, body: pull } },
    {
      method: 'GET',
      path: `${PULL}/commits?pagelen=100`,
      reply: { status: 200, body: { values: commits.map((hash) => ({ hash })) } },
    },
  ] as const
}

test('runs the whole commit, by default and without a credential: the provider is asked after the answer', async (t) => {
  const double = await openForgeDouble(t, asked([HEAD]))
  const { id, url } = await connect({ base_url: double.url })
  assert.equal(await tell(url, 'pull-request-created', { page: `${double.url}/acme/widgets` }), 202)
  assert.deepEqual(await commitsOf(id), [HEAD])
  const { reason, trace } = await recordOf(id)
  assert.equal(reason, '1 run was queued.')
  assert.doesNotMatch(JSON.stringify(trace), /deferred|pending|manifest":\{/)
})

test('an edited title is no new commit: nothing runs, and nobody is asked', async (t) => {
  const double = await openForgeDouble(t, asked([HEAD]))
  const page = `${double.url}/acme/widgets`
  const { id, url } = await connect({ base_url: double.url })
  await tell(url, 'pull-request-created', { page, at: '2026-11-21T09:30:00+00:00' })
  await tell(url, 'pull-request-updated', { page, title: 'Another', at: '2026-11-21T09:40:00+00:00' })
  assert.deepEqual(await commitsOf(id), [HEAD])
  const { trace } = await recordOf(id)
  assert.equal(Object(trace).events[0].action, 'edited')
})

test('an edited title is told from a push before anybody asked for the whole commit', async () => {
  const page = 'http://127.0.0.1:1/acme/widgets'
  const { id, url } = await connect({ base_url: 'http://127.0.0.1:1' }, { actions: ['closed'] })
  const actions: unknown[] = []
  for (const [head, at] of [
    [HEAD, '2026-11-21T09:30:00+00:00'],
    [HEAD, '2026-11-21T09:40:00+00:00'],
    ['f'.repeat(40), '2026-11-21T09:50:00+00:00'],
    ['f'.repeat(40), '2026-11-21T10:00:00+00:00'],
  ] as const) {
    await tell(url, 'pull-request-updated', { page, head, at })
    actions.push(Object((await recordOf(id)).trace).events[0].action)
  }
  assert.deepEqual(actions, ['synchronized', 'edited', 'synchronized', 'edited'])
})

test('an earlier head is looked for among the commits of the pull request', async (t) => {
  const later = 'f'.repeat(40)
  const double = await openForgeDouble(t, asked([later, HEAD], later))
  const { id, url } = await connect({ base_url: double.url })
  await tell(url, 'pull-request-created', { page: `${double.url}/acme/widgets` })
  assert.deepEqual(await commitsOf(id), [HEAD])
})

test('a head that a forced push took away starts nothing, and the record says so', async (t) => {
  const later = 'f'.repeat(40)
  const refs = '/acme/widgets.git/info/refs?service=git-upload-pack'
  const calls = [...asked([later], later), { method: 'GET', path: refs, reply: { status: 404 } }] as const
  const double = await openForgeDouble(t, calls)
  const { id, url } = await connect({ base_url: double.url })
  await tell(url, 'pull-request-created', { page: `${double.url}/acme/widgets` })
  assert.deepEqual(await commitsOf(id), [])
  assert.match(JSON.stringify((await recordOf(id)).trace), /has another head by now, ffffffffffff/)
})

test('where no credential shows the pull request, no run is recorded with the setting that helps', async (t) => {
  const refs = '/acme/widgets.git/info/refs?service=git-upload-pack'
  const double = await openForgeDouble(t, [
    { method: 'GET', path: PULL, reply: { status: 404 } },
    { method: 'GET', path: refs, reply: { status: 401 } },
  ])
  const { id, url } = await connect({ base_url: double.url })
  await tell(url, 'pull-request-created', { page: `${double.url}/acme/widgets` })
  assert.deepEqual(await commitsOf(id), [])
  const { result, trace } = await recordOf(id)
  assert.equal(result, 'ignored')
  assert.match(JSON.stringify(trace), /"refused".*only as eeeeeeeeeeee of pull request 7.*Set checkout_credential_ref/)
})

test('where the provider may not be called, nothing is put off and the reason names the setting', async () => {
  const { id, url } = await connect({})
  const page = 'https://elsewhere.example.com/acme/widgets'
  assert.equal(await tell(url, 'pull-request-created', { page }), 200)
  const { result, trace } = await recordOf(id)
  assert.equal(result, 'ignored')
  assert.match(JSON.stringify(trace), /"refused".*only as eeeeeeeeeeee.*not in provider_hosts/)
})

test('Git tells the head where the API does not: by the ref, if it begins as the delivery says', async () => {
  const head = repository.commit({ file: '1' }, { ref: 'refs/heads/feature/amber' })
  const { id, url } = await connect({ base_url: server.url, checkout_credential_ref: CREDENTIAL })
  const page = `${server.url}/repository`
  await tell(url, 'pull-request-created', { page, head, at: '2026-11-21T09:30:00+00:00' })
  assert.deepEqual(await commitsOf(id), [head])
  await tell(url, 'pull-request-updated', { page, head: 'd'.repeat(40), at: '2026-11-21T09:40:00+00:00' })
  assert.deepEqual(await commitsOf(id), [head])
  assert.match(JSON.stringify((await recordOf(id)).trace), new RegExp(`has another commit by now, ${head}`))
})

test('a pull request from a fork waits for a member with the whole commit; a comment on one starts nothing', async (t) => {
  const double = await openForgeDouble(t, asked([HEAD]))
  const page = `${double.url}/acme/widgets`
  const events = ['pull_request', 'pull_request_comment']
  const { id, url } = await connect({ base_url: double.url }, { events, commands: ['/retest'], commenters: ['mona'] })
  const opened = await connect({ base_url: double.url })
  await tell(opened.url, 'pull-request-created-fork', { page })
  const [run] = await db.selectFrom('runs').selectAll().orderBy('id', 'desc').limit(1).execute()
  assert.deepEqual([run?.commit_sha, run?.untrusted], [HEAD, true])
  await tell(url, 'comment-created-on-fork', { page })
  assert.deepEqual(await commitsOf(id), [])
})

test('an override waits for the commit as triggers do', async (t) => {
  const double = await openForgeDouble(t, asked([HEAD]))
  const { id, url } = await connect({ base_url: double.url })
  const override = await causes.call('PUT', '/v1/overrides/acme/widgets', { pipeline: PIPELINE, scope: SCOPE })
  assert.ok(override.status < 300, override.text)
  t.after(() => causes.call('DELETE', '/v1/overrides/acme/widgets'))
  await tell(url, 'pull-request-created', { page: `${double.url}/acme/widgets` })
  assert.deepEqual(await commitsOf(id), [HEAD])
  const { trace } = await recordOf(id)
  const own = Object(trace).events[0].triggers.filter(({ layer }: { layer: string }) => layer === 'override')
  assert.deepEqual(
    own.map(({ outcome }: { outcome: string }) => outcome),
    ['started'],
  )
})

test('Gogs names no commit: Git tells what the head of the pull request is', async () => {
  const kept = fixturesOf(gogs).find(({ name }) => name === 'pull-request-opened')
  const head = repository.commit({ file: '2' }, { ref: `refs/pull/${Object(kept?.payload).number}/head` })
  const { id, url } = await connect({ provider: 'gogs', base_url: server.url, checkout_credential_ref: CREDENTIAL })
  const address = `${server.url}/repository.git`
  const body = Buffer.from(JSON.stringify(changed(kept?.payload, ['repository', 'clone_url'], address)))
  const headers = { 'content-type': 'application/json', 'x-gogs-event': 'pull_request', ...proofOf(gogs, body, SECRET) }
  const answer = await deliver(causes, url, { headers, body })
  assert.equal(answer.status, 202, answer.text)
  await resolve()
  assert.deepEqual(await commitsOf(id), [head])
})
