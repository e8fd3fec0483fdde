import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPushPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import { openForgeDouble } from '../../../adapters/forges/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, deliver, openCauses, SECRET, TEAM } from '../sources/testing.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { PATH: process.env['PATH'] ?? '', PROVIDER_HOSTS: '127.0.0.1' })
const db = testDatabase.database.kysely
after(() => causes.close())
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reader', value: 'a-read-token' })

test('a comment on a pull request that nobody told of is about the head that the provider names', async (t) => {
  const head = 'c'.repeat(40)
  const repo = { id: 186_853_002, full_name: 'acme/widgets' }
  const noRepository = {
    method: 'GET',
    path: '/acme/widgets.git/info/refs?service=git-upload-pack',
    reply: { status: 404 },
  } as const
  const double = await openForgeDouble(t, [
    {
      method: 'GET',
      path: '/api/v3/repos/acme/widgets/pulls/7',
      headers: { authorization: 'Bearer a-read-token' },
      reply: {
        status: 200,
        body: { state: 'open', head: { sha: head, ref: 'topic', repo }, base: { ref: 'main', repo } },
      },
    },
    // By its id, then by its ref.
    noRepository,
    noRepository,
  ])
  const { url } = await aConnectedSource(
    causes,
    { base_url: double.url, read_repository: true, checkout_credential_ref: `secret:${TEAM}/reader` },
    { events: ['pull_request_comment'], branches: [], commands: ['/retest'], commenters: ['mona'] },
  )
  const payload = {
    action: 'created',
    issue: { number: 7, title: 'x', labels: [], user: { login: 'mona', id: 1 }, pull_request: { merged_at: null } },
    comment: { id: 1, body: '/retest', user: { login: 'mona', id: 1 }, created_at: '2026-11-21T10:00:00Z' },
    repository: aPushPayload({ repository: { clone_url: `${double.url}/acme/widgets.git` } })['repository'],
    sender: { login: 'mona', id: 1, type: 'User' },
  }
  const answer = await deliver(
    causes,
    url,
    signDelivery(payload, { secret: SECRET, event: 'issue_comment', deliveryId: randomUUID() }),
  )
  assert.equal(answer.status, 202, answer.text)
  assert.deepEqual(await db.selectFrom('runs').select('id').execute(), [])
  // The repository itself cannot be fetched: the last try decides without its manifest.
  await db.updateTable('trigger_events').set({ tries: 4 }).execute()
  const { id } = await db.selectFrom('trigger_events').select('id').executeTakeFirstOrThrow()
  const job = causes.jobs.find(({ name }) => name === 'events.resolve')
  await job?.run({ eventId: id }, new AbortController().signal)
  const runs = await db.selectFrom('runs').selectAll().execute()
  assert.deepEqual(
    runs.map((run) => [run.commit_sha, run.untrusted, run.pull_request]),
    [[head, false, 7]],
  )
})

test('a comment whose commit stays unknown is decided nevertheless: nothing starts, and the record says why', async (t) => {
  const fork = { id: 4_711, full_name: 'eve/widgets' }
  const own = { id: 186_853_002, full_name: 'acme/widgets' }
  const double = await openForgeDouble(t, [
    {
      method: 'GET',
      path: '/api/v3/repos/acme/widgets/pulls/8',
      reply: {
        status: 200,
        body: {
          state: 'open',
          head: { sha: 'd'.repeat(40), ref: 'topic', repo: fork },
          base: { ref: 'main', repo: own },
        },
      },
    },
    { method: 'GET', path: '/api/v3/repos/acme/widgets/pulls/9', reply: { status: 404 } },
  ])
  const { id, url } = await aConnectedSource(
    causes,
    { name: 'asked', base_url: double.url, read_repository: true, checkout_credential_ref: `secret:${TEAM}/reader` },
    { name: 'asked', events: ['pull_request_comment'], branches: [], commands: ['/retest'], commenters: ['mona'] },
  )
  for (const [number, why] of [
    [8, /The commit of the pull request is unknown/],
    [9, /does not show the pull request/],
  ] as const) {
    const mona = { login: 'mona', id: 1 }
    const payload = {
      action: 'created',
      issue: { number, title: 'x', labels: [], user: mona, pull_request: { merged_at: null } },
      comment: { id: number, body: '/retest', user: mona, created_at: '2026-11-21T10:00:00Z' },
      repository: aPushPayload({ repository: { clone_url: `${double.url}/acme/widgets.git` } })['repository'],
      sender: { ...mona, type: 'User' },
    }
    const signed = signDelivery(payload, { secret: SECRET, event: 'issue_comment', deliveryId: randomUUID() })
    assert.equal((await deliver(causes, url, signed)).status, 202)
    const pending = await db
      .selectFrom('trigger_events')
      .select('id')
      .where('source_id', '=', id)
      .where('resolution', '=', 'pending')
      .executeTakeFirstOrThrow()
    const job = causes.jobs.find(({ name }) => name === 'events.resolve')
    await job?.run({ eventId: pending.id }, new AbortController().signal)
    const [record] = await db
      .selectFrom('deliveries')
      .select(['result', 'reason', 'run_ids', 'trace'])
      .where('source_id', '=', id)
      .orderBy('id', 'desc')
      .execute()
    assert.deepEqual([record?.result, record?.run_ids], ['ignored', []])
    assert.match(record?.reason ?? '', why)
    assert.match(JSON.stringify(record?.trace), /"outcome": ?"refused"/)
    assert.doesNotMatch(JSON.stringify(record?.trace), /"state": ?"pending"/)
  }
})
