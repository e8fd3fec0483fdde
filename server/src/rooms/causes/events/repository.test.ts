import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { until } from '#platform/testing'
import { temporaryFolder } from '../../../../../runner/src/testing/runner-under-test.ts'
import { aPullRequestPayload, aPushPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import {
  aConnectedSource,
  aSource,
  aTrigger,
  type Called,
  deliver,
  PIPELINE,
  SCOPE,
  SECRET,
  TEAM,
} from '../sources/testing.ts'
import { openCausesOverGit, PATH } from './testing/open-causes-over-git.ts'
import { writeRepository } from './testing/write-repository.ts'

/** The manifest of a repository decides about its own events: it is read over real Git, after the answer. */

const { causes, db, repository, server, close } = await openCausesOverGit()
after(close)
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reader', value: 'bot:a read token' })

const MANIFEST = '.signalbox/triggers.yaml'
const READING = { base_url: server.url, read_repository: true, checkout_credential_ref: `secret:${TEAM}/reader` }
const WIDGETS = { full_name: 'acme/widgets', clone_url: `${server.url}/repository.git` }

function aManifest(entry = ''): string {
  return `version: 1\ntriggers:\n  - name: build\n    events: [push, pull_request]\n    pipeline: ${PIPELINE}\n    scope: ${SCOPE}\n${entry}`
}

let named = 0
async function aReadingSource(overrides: Record<string, unknown> = {}) {
  named += 1
  const created = await causes.call(
    'POST',
    '/v1/git-webhook-sources',
    aSource({ name: `s${named}`, ...READING, ...overrides }),
  )
  assert.equal(created.status, 201, created.text)
  const id = String(created.body['id'])
  return { id, url: `/v1/git/webhooks/${id}` }
}

const push = (commit: string, change: Record<string, unknown> = {}) =>
  signDelivery(aPushPayload({ after: commit, repository: WIDGETS, ...change }), {
    secret: SECRET,
    deliveryId: randomUUID(),
  })

/** Works the jobs that wait for repositories; answers what each threw. */
async function resolve(): Promise<string[]> {
  const job = causes.jobs.find(({ name }) => name === 'events.resolve')
  const pending = await db.selectFrom('trigger_events').select('id').where('resolution', '=', 'pending').execute()
  const faults: string[] = []
  for (const { id } of pending) {
    await job?.run({ eventId: id }, new AbortController().signal).catch((error: Error) => faults.push(error.message))
  }
  return faults
}

async function delivery(sourceId: string): Promise<Called['body']> {
  const list = await causes.call('GET', `/v1/git-webhook-sources/${sourceId}/deliveries?limit=1`)
  const { body } = await causes.call(
    'GET',
    `/v1/git-webhook-sources/${sourceId}/deliveries/${String(list.body[0]?.['id'])}`,
  )
  return body
}

async function runsOf(sourceId: string) {
  const deliveries = await db.selectFrom('deliveries').select('id').where('source_id', '=', sourceId).execute()
  const ids = deliveries.map((row) => row.id)
  return ids.length === 0 ? [] : db.selectFrom('runs').selectAll().where('delivery_record_id', 'in', ids).execute()
}

/** The result of the newest event of a source. */
async function resultOf(sourceId: string): Promise<string> {
  const events = db.selectFrom('trigger_events').select('result').where('source_id', '=', sourceId)
  return (await events.orderBy('id', 'desc').executeTakeFirstOrThrow()).result
}

interface Traced {
  readonly layer: string | null
  readonly manifest: Readonly<Record<string, unknown>> | null
  readonly triggers: readonly Readonly<Record<string, unknown>>[]
}

/** The first event of a delivery's trace. */
function eventOf(body: Called['body']): Traced {
  const trace: { events: Traced[] } = JSON.parse(JSON.stringify(body['trace']))
  const [event] = trace.events
  assert.ok(event)
  return event
}

describe('the manifest', () => {
  test('at the commit of the event starts what it says, after the answer', async () => {
    const source = await aReadingSource()
    const commit = repository.commit({ [MANIFEST]: aManifest() }, { ref: 'refs/heads/main' })
    repository.commit({ other: 'the branch has moved on' }, { parents: [commit], ref: 'refs/heads/main' })
    const answer = await deliver(causes, source.url, push(commit))
    assert.equal(answer.status, 202, answer.text)
    assert.match(String((await delivery(source.id))['reason']), /being read/)
    assert.deepEqual(await runsOf(source.id), [])
    assert.equal(await resultOf(source.id), 'pending')

    assert.deepEqual(await resolve(), [])
    assert.equal(await resultOf(source.id), 'accepted')
    const [run] = await runsOf(source.id)
    assert.equal(run?.pipeline_identifier, PIPELINE)
    assert.equal(run?.commit_sha, commit)
    assert.equal(run?.initiator_name, 'root')
    const body = await delivery(source.id)
    assert.deepEqual(body['run_ids'], [run?.id])
    assert.equal(body['reason'], '1 run was queued.')
    const { layer, manifest, triggers } = eventOf(body)
    assert.equal(layer, 'repository_manifest')
    assert.deepEqual(
      { state: manifest?.['state'], commit: manifest?.['commit_sha'], path: manifest?.['path'] },
      { state: 'read', commit, path: MANIFEST },
    )
    assert.equal(triggers[0]?.['outcome'], 'started')
  })

  test('is decided once, though two workers read the repository at the same time', async () => {
    const source = await aReadingSource()
    const commit = repository.commit({ [MANIFEST]: aManifest(), twice: 'at once' }, { ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(commit))
    const gate = Promise.withResolvers<void>()
    server.held = gate.promise
    const workers = Promise.all([resolve(), resolve()])
    const events = db.selectFrom('trigger_events').select('tries').where('resolution', '=', 'pending')
    await until(
      'both workers to have taken it',
      () => events.execute(),
      (pending) => pending.length === 1 && pending[0]?.tries === 2,
    )
    gate.resolve()
    assert.deepEqual((await workers).flat(), [])
    const runs = await runsOf(source.id)
    assert.equal(runs.length, 1)
    const body = await delivery(source.id)
    assert.deepEqual(body['run_ids'], [runs[0]?.id])
    assert.equal(body['reason'], '1 run was queued.')
    assert.deepEqual(
      eventOf(body).triggers.map(({ outcome, run_id: runId }) => [outcome, runId]),
      [['started', runs[0]?.id]],
    )
  })

  test('is read at once where a person only asks: a dry run, and what a repository resolves to', async () => {
    const source = await aReadingSource()
    const commit = repository.commit({ [MANIFEST]: aManifest(), q: 'asked' }, { ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(commit))
    await resolve()
    const before = await runsOf(source.id)
    const { id } = await delivery(source.id)
    const path = `/v1/git-webhook-sources/${source.id}/deliveries/${String(id)}/replay?dry_run=true`
    const dry = await causes.call('POST', path)
    assert.equal(dry.status, 200, dry.text)
    const traced = eventOf(dry.body)
    assert.deepEqual([traced.manifest?.['state'], traced.triggers[0]?.['outcome']], ['read', 'started'])
    assert.equal((await runsOf(source.id)).length, before.length)

    const resolution = await causes.call('GET', '/v1/overrides/acme/widgets/resolution?ref=main&event=push')
    assert.equal(resolution.status, 200, resolution.text)
    assert.equal(resolution.body['layer'], 'repository_manifest')
    assert.match(resolution.text, /"would_start":true/)
    assert.match(resolution.text, new RegExp(`"state":"read".*${commit}`))
  })

  test('that is broken starts nothing, and the delivery names line and column', async () => {
    const source = await aReadingSource()
    const text = aManifest('    branches: main\n    colour: red\n')
    const commit = repository.commit({ [MANIFEST]: text }, { ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(commit))
    assert.deepEqual(await resolve(), [])
    assert.deepEqual(await runsOf(source.id), [])
    const body = await delivery(source.id)
    assert.equal(body['result'], 'ignored')
    const { manifest } = eventOf(body)
    assert.equal(manifest?.['state'], 'invalid')
    const problems: { line: number; column: number; message: string }[] = JSON.parse(
      JSON.stringify(manifest?.['problems']),
    )
    assert.deepEqual(
      problems.map(({ line }) => line),
      [7, 8],
    )
    for (const { column, message } of problems) assert.ok(column > 0 && message !== '')
  })

  test('that is not there starts nothing, and is said', async () => {
    const source = await aReadingSource()
    const commit = repository.commit({ x: '1' }, { ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(commit))
    await resolve()
    assert.equal(eventOf(await delivery(source.id)).manifest?.['state'], 'absent')
  })

  test('is read once for each content: the second event of the same blob needs no file', async () => {
    const source = await aReadingSource()
    const first = repository.commit({ [MANIFEST]: aManifest('    enabled: true\n') }, { ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(first))
    await resolve()
    const kept = await db
      .selectFrom('repository_manifests')
      .selectAll()
      .where('text', 'like', '%enabled: true%')
      .execute()
    assert.equal(kept.length, 1)
    // The kept copy counts: the repository is not read again.
    await db
      .updateTable('repository_manifests')
      .set({ text: aManifest('    enabled: false\n') })
      .where('blob_id', '=', kept[0]?.blob_id ?? '')
      .execute()
    const second = repository.commit(
      { [MANIFEST]: aManifest('    enabled: true\n'), y: '1' },
      { parents: [first], ref: 'refs/heads/main' },
    )
    await deliver(causes, source.url, push(second))
    await resolve()
    assert.equal((await runsOf(source.id)).length, 1)
  })

  test('may start only what lies at or below the team of its source', async () => {
    const source = await aReadingSource()
    const text = aManifest().replace(PIPELINE, 'other/team/deploy')
    await deliver(causes, source.url, push(repository.commit({ [MANIFEST]: text }, { ref: 'refs/heads/main' })))
    await resolve()
    assert.deepEqual(await runsOf(source.id), [])
    const { triggers } = eventOf(await delivery(source.id))
    assert.equal(triggers[0]?.['outcome'], 'refused')
  })

  test('of a pull request from a fork is the one of the base branch, and its run waits untrusted', async () => {
    const source = await aReadingSource()
    const base = repository.commit({ [MANIFEST]: aManifest() }, { ref: 'refs/heads/main' })
    const evil = aManifest('').replace('name: build', 'name: evil')
    const head = repository.commit({ [MANIFEST]: evil }, { parents: [base], ref: 'refs/pull/7/head' })
    const payload = aPullRequestPayload({ repository: WIDGETS, number: 7, head, base, fork: true })
    const answer = await deliver(
      causes,
      source.url,
      signDelivery(payload, { secret: SECRET, event: 'pull_request', deliveryId: randomUUID() }),
    )
    assert.equal(answer.status, 202, answer.text)
    assert.deepEqual(await resolve(), [])
    const [run] = await runsOf(source.id)
    assert.equal(run?.untrusted, true)
    assert.equal(run?.withheld, 'fork_approval')
    assert.equal(run?.commit_sha, head)
    const { triggers, manifest } = eventOf(await delivery(source.id))
    assert.equal(manifest?.['commit_sha'], base)
    assert.deepEqual([triggers[0]?.['name'], triggers[0]?.['outcome']], ['build', 'held'])
  })

  test('is decided once, however often the job runs', async () => {
    const source = await aReadingSource()
    const commit = repository.commit({ [MANIFEST]: aManifest(), z: 'once' }, { ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(commit))
    const { id } = await db
      .selectFrom('trigger_events')
      .select('id')
      .where('resolution', '=', 'pending')
      .executeTakeFirstOrThrow()
    const job = causes.jobs.find(({ name }) => name === 'events.resolve')
    await Promise.all([1, 2, 3].map(() => job?.run({ eventId: id }, new AbortController().signal)))
    await job?.run({ eventId: id }, new AbortController().signal)
    assert.equal((await runsOf(source.id)).length, 1)
    assert.match(JSON.stringify((await delivery(source.id))['run_ids']), /^\["[0-9a-f-]{36}"\]$/)
  })

  test('whose job was lost is read all the same, and an event that cannot be read waits no longer', async () => {
    const source = await aReadingSource()
    const commit = repository.commit({ [MANIFEST]: aManifest(), w: 'lost' }, { ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(commit))
    await db
      .updateTable('trigger_events')
      .set({ received_at: new Date(Date.now() - 3_600_000) })
      .where('resolution', '=', 'pending')
      .execute()
    const { id } = await db
      .selectFrom('trigger_events')
      .select('id')
      .where('resolution', '=', 'pending')
      .executeTakeFirstOrThrow()
    await sql`delete from graphile_worker._private_jobs`.execute(db)
    const forgotten = causes.jobs.find(({ name }) => name === 'events.resolve-forgotten')
    await forgotten?.run({}, new AbortController().signal)
    const { rows } = await sql<{ key: string }>`select key from graphile_worker.jobs`.execute(db)
    assert.deepEqual(
      rows.map(({ key }) => key),
      [id],
    )
    await resolve()
    assert.equal((await runsOf(source.id)).length, 1)

    const later = repository.commit({ [MANIFEST]: aManifest(), w: 'broken' }, { ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(later))
    const old = new Date(Date.now() - 3_600_000)
    const broken = { received_at: old, event: sql<string>`'{"kind":"of another version"}'::json` }
    await db.updateTable('trigger_events').set(broken).where('resolution', '=', 'pending').execute()
    await forgotten?.run({}, new AbortController().signal)
    assert.deepEqual(
      await db.selectFrom('trigger_events').select('id').where('resolution', '=', 'pending').execute(),
      [],
    )
  })

  test('that cannot be fetched is tried again, and in the end the delivery says why', async () => {
    const source = await aReadingSource()
    const gone = { ...WIDGETS, clone_url: `${server.url}/nobody.git` }
    await deliver(causes, source.url, push('9'.repeat(40), { repository: gone }))
    let tries = 0
    while ((await resolve()).length > 0) tries += 1
    assert.ok(tries < 5)
    const body = await delivery(source.id)
    assert.equal(eventOf(body).manifest?.['state'], 'unreadable')
    assert.match(String(body['reason']), /cannot be fetched/)
  })

  describe('of an event that is faster than its push', () => {
    const away = temporaryFolder()
    const unpushed = writeRepository(away.path, PATH)
    after(() => away[Symbol.dispose]())
    const kinds = {
      push: { ref: 'refs/heads/main', payload: (head: string) => aPushPayload({ after: head, repository: WIDGETS }) },
      pull_request: {
        ref: 'refs/pull/8/head',
        payload: (head: string) =>
          aPullRequestPayload({ action: 'synchronize', repository: WIDGETS, number: 8, head, base: '1'.repeat(40) }),
      },
    }
    for (const [event, { ref, payload }] of Object.entries(kinds)) {
      test(`is read once the ${event} is there, though its ref was there before`, async () => {
        const source = await aReadingSource()
        repository.commit({ before: event }, { ref })
        const commit = unpushed.commit({ [MANIFEST]: aManifest(), pushed: event })
        const signed = signDelivery(payload(commit), { secret: SECRET, event, deliveryId: randomUUID() })
        assert.equal((await deliver(causes, source.url, signed)).status, 202)
        const [fault = ''] = await resolve()
        assert.match(fault, /does not give out that commit/)
        unpushed.push(commit, repository, ref)
        assert.deepEqual(await resolve(), [])
        const [run] = await runsOf(source.id)
        assert.equal(run?.commit_sha, commit)
        assert.equal(eventOf(await delivery(source.id)).manifest?.['state'], 'read')
      })
    }
  })

  test('is never fetched from an address of another host than the provider', async () => {
    const source = await aReadingSource()
    const elsewhere = { ...WIDGETS, clone_url: 'http://127.0.0.2:9/acme/widgets.git' }
    const answer = await deliver(causes, source.url, push('8'.repeat(40), { repository: elsewhere }))
    assert.equal(answer.status, 200, answer.text)
    const body = await delivery(source.id)
    assert.equal(eventOf(body).manifest?.['state'], 'unreadable')
    assert.match(
      String(eventOf(body).manifest?.['reason']),
      /cloned from http:\/\/127\.0\.0\.2:9, which is not the base_url/,
    )
    assert.match(String(body['reason']), /the manifest and the changed files are not read/)
  })
})

describe('changed files that the provider does not list whole', () => {
  const base = repository.commit({ 'src/a.ts': '1', 'docs/a.md': '1' })

  async function started(
    paths: readonly string[],
    files: Record<string, string>,
    change: Record<string, unknown> = {},
  ) {
    named += 1
    const trigger = { name: `paths-${named}`, paths, branches: [] }
    const source = await aConnectedSource(causes, { name: `s${named}`, ...READING }, trigger)
    const commit = repository.commit(files, { parents: [base], ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(commit, { before: base, forced: true, ...change }))
    const traced = (body: Called['body']) => eventOf(body).triggers.find((one) => one['name'] === trigger.name)
    const before = traced(await delivery(source.id))?.['outcome']
    assert.deepEqual(await resolve(), [])
    return { before, runs: (await runsOf(source.id)).length, trace: traced(await delivery(source.id)) }
  }

  test('are read from the repository, and decide', async () => {
    const hit = await started(['docs/**'], { 'src/a.ts': '1', 'docs/a.md': '2' })
    assert.deepEqual([hit.before, hit.runs], ['deferred', 1])
    const miss = await started(['docs/**'], { 'src/a.ts': '2', 'docs/a.md': '1' })
    assert.deepEqual([miss.before, miss.runs], ['deferred', 0])
    assert.equal(miss.trace?.['first_failed'], 'paths')
  })

  test('decide for their own trigger: an event that started a run before they were read stays accepted', async () => {
    named += 1
    const source = await aConnectedSource(causes, { name: `s${named}`, ...READING }, { name: 'at-once', branches: [] })
    const later = aTrigger({ name: 'by-paths', source_id: source.id, paths: ['docs/**'], branches: [] })
    assert.equal((await causes.call('POST', '/v1/triggers', later)).status, 201)
    const commit = repository.commit({ 'src/a.ts': '7', 'docs/a.md': '1' }, { parents: [base], ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(commit, { before: base, forced: true }))
    assert.equal(await resultOf(source.id), 'pending')
    assert.deepEqual(await resolve(), [])
    const { triggers } = eventOf(await delivery(source.id))
    const outcomeOf = (name: string) => triggers.find((one) => one['name'] === name)?.['outcome']
    assert.deepEqual([outcomeOf('at-once'), outcomeOf('by-paths')], ['started', 'not_matched'])
    assert.equal(await resultOf(source.id), 'accepted')
  })

  test('that may not be read any more when the job comes count as a match as well', async () => {
    named += 1
    const trigger = { name: `paths-${named}`, paths: ['docs/**'], branches: [] }
    const source = await aConnectedSource(causes, { name: `s${named}`, ...READING }, trigger)
    const commit = repository.commit({ 'src/a.ts': '9' }, { parents: [base], ref: 'refs/heads/main' })
    await deliver(causes, source.url, push(commit, { before: base, forced: true }))
    const off = await causes.call('PATCH', `/v1/git-webhook-sources/${source.id}`, { read_repository: false })
    assert.equal(off.status, 200, off.text)
    assert.deepEqual(await resolve(), [])
    assert.equal((await runsOf(source.id)).length, 1)
    assert.match(JSON.stringify(await delivery(source.id)), /does not read repositories any more/)
  })

  test('that cannot be had count as a match, and the trace says so', async () => {
    const unknown = await started(['docs/**'], { 'src/a.ts': '3' }, { before: 'f'.repeat(40) })
    assert.equal(unknown.runs, 1)
    assert.match(JSON.stringify(unknown.trace), /not complete/)
  })
})
