import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPullRequestPayload, aPushPayload, signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aConnectedSource, aSource, aTrigger, deliver, openCauses, SECRET } from '../sources/testing.ts'

/** Any team may have a source and list any repository. Its events must not reach the rules of other teams. */

const OTHER = 'acme/beta'
const OTHER_SECRET = 'a secret of the other team'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await anEnvironment(db, `${OTHER}/staging`)
await aSecret(causes.kit, db, { teamPath: OTHER, name: 'hook', value: OTHER_SECRET })
await aPipeline(db, `${OTHER}/build`)
const editor = await aMember(db, 'mallory', 'editor', OTHER)
const viewer = await aMember(db, 'vera', 'viewer', OTHER)

let named = 0
/** A repository of acme/web with its source and trigger, and a source of the other team that lists it. */
async function aContestedRepository(
  trigger: Record<string, unknown> = {},
  other: Record<string, unknown> = {},
  own: Record<string, unknown> = {},
) {
  named += 1
  const repository = `acme/contested-${named}`
  const connected = await aConnectedSource(
    causes,
    { name: `own-${named}`, ...own },
    { name: `own-${named}`, repositories: [repository], branches: [], source_id: null, ...trigger },
  )
  const body = aSource({
    name: `other-${named}`,
    team_path: OTHER,
    credential_ref: `secret:${OTHER}/hook`,
    repository_allowlist: [repository],
    ...other,
  })
  const created = await causes.call('POST', '/v1/git-webhook-sources', body, { headers: editor.headers })
  assert.equal(created.status, 201, created.text)
  const runs = () => db.selectFrom('runs').selectAll().where('repository', '=', repository).orderBy('id').execute()
  return {
    repository,
    url: connected.url,
    sourceId: connected.id,
    otherUrl: `/v1/git/webhooks/${String(created.body['id'])}`,
    runs,
  }
}

const sign = (event: string, payload: unknown, secret = SECRET) =>
  signDelivery(payload, { secret, event, deliveryId: randomUUID() })

const push = (repository: string, commit: string, secret = SECRET) =>
  signPush({ secret, deliveryId: randomUUID(), after: commit, repository: { full_name: repository } })

let comments = 0
function aComment(repository: string, body: string) {
  comments += 1
  const at = '2026-11-21T12:00:00Z'
  return {
    action: 'created',
    issue: { number: 7, title: 'x', labels: [], user: { login: 'eve', id: 9 }, pull_request: { merged_at: null } },
    comment: {
      id: comments,
      body,
      user: { login: 'mona', id: 1 },
      author_association: 'MEMBER',
      created_at: at,
      updated_at: at,
    },
    repository: aPushPayload({ repository: { full_name: repository } })['repository'],
    sender: { login: 'mona', id: 1, type: 'User' },
  }
}

const COMMENTS = {
  events: ['pull_request', 'pull_request_comment'],
  commands: ['/retest', '/cancel'],
  commenters: ['mona'],
}
const [GOOD, EVIL] = ['1'.repeat(40), 'e'.repeat(40)]
const HEAD_AT = '2026-11-21T10:00:00Z'

describe('the head that a comment starts', () => {
  const trigger = { ...COMMENTS, actions: ['created'] }
  const ofFork = (repository: string) =>
    aPullRequestPayload({ repository: { full_name: repository }, head: GOOD, fork: true, updatedAt: HEAD_AT })

  test('is not what another team tells of the pull request', async () => {
    const { repository, url, otherUrl, runs } = await aContestedRepository(trigger)
    await deliver(causes, url, sign('pull_request', ofFork(repository)))
    const told = aPullRequestPayload({
      repository: { full_name: repository },
      head: EVIL,
      fork: false,
      updatedAt: '2026-11-21T11:00:00Z',
    })
    await deliver(causes, otherUrl, sign('pull_request', told, OTHER_SECRET))
    const answer = await deliver(causes, url, sign('issue_comment', aComment(repository, '/retest')))
    assert.equal(answer.status, 202, answer.text)
    assert.deepEqual(
      (await runs()).map((run) => [run.commit_sha, run.untrusted]),
      [[GOOD, true]],
    )
  })

  test('is not what somebody posts', async () => {
    const { repository, url, runs } = await aContestedRepository(trigger)
    await deliver(causes, url, sign('pull_request', ofFork(repository)))
    const event = {
      kind: 'pull_request',
      action: 'synchronized',
      provider: 'github',
      repository: { full_name: repository },
      after: EVIL,
      occurred_at: '2026-11-21T11:00:00Z',
      pull_request: {
        number: 7,
        title: 'x',
        draft: false,
        labels: [],
        head: { ref: 'x', sha: EVIL, repository },
        base: { ref: 'main', sha: null, repository },
        from_fork: false,
        merged: null,
        author: null,
        web_url: null,
      },
    }
    const posted = await causes.call('POST', '/v1/git/events', event, { headers: viewer.headers })
    assert.equal(posted.body['status'], 'ignored', posted.text)
    await deliver(causes, url, sign('issue_comment', aComment(repository, '/retest')))
    assert.deepEqual(
      (await runs()).map((run) => [run.commit_sha, run.untrusted]),
      [[GOOD, true]],
    )
  })
})

describe('an approval', () => {
  test('is not refused because another team tells of a newer head', async () => {
    const { repository, url, otherUrl, runs } = await aContestedRepository({ events: ['pull_request'] })
    const told = (head: string, at: string) =>
      aPullRequestPayload({ repository: { full_name: repository }, head, fork: true, updatedAt: at })
    await deliver(causes, url, sign('pull_request', told(GOOD, HEAD_AT)))
    await deliver(causes, otherUrl, sign('pull_request', told(EVIL, '2026-11-21T11:00:00Z'), OTHER_SECRET))
    const [held] = await runs()
    assert.equal(held?.withheld, 'fork_approval')
    const known = db.selectFrom('pull_request_heads').selectAll().where('repository', '=', repository)
    assert.deepEqual((await known.execute()).map((row) => row.head_sha).toSorted(), [GOOD, EVIL].toSorted())
  })

  test('that waits is not ended by a run of another team', async () => {
    const { repository, url, otherUrl, runs } = await aContestedRepository({ events: ['pull_request'] })
    const body = aTrigger({
      name: `other-${named}`,
      team_path: OTHER,
      repositories: [repository],
      branches: [],
      events: ['pull_request'],
      pipeline: `${OTHER}/build`,
      scope: `${OTHER}/staging`,
    })
    assert.equal((await causes.call('POST', '/v1/triggers', body, { headers: editor.headers })).status, 201)
    const told = (head: string, at: string) =>
      aPullRequestPayload({ repository: { full_name: repository }, head, fork: true, updatedAt: at })
    await deliver(causes, url, sign('pull_request', told(GOOD, HEAD_AT)))
    await deliver(causes, otherUrl, sign('pull_request', told(EVIL, '2026-11-21T11:00:00Z'), OTHER_SECRET))
    assert.deepEqual(
      (await runs()).map((run) => [run.team_path, run.status]),
      [
        ['acme/web', 'queued'],
        [OTHER, 'queued'],
      ],
    )
  })
})

describe('a trigger that names no source', () => {
  for (const visibility of ['private', 'shared']) {
    test(`is not started by a ${visibility} source of another team, and its run is not taken away`, async () => {
      const { repository, url, otherUrl, runs } = await aContestedRepository({}, { visibility })
      const evil = await deliver(causes, otherUrl, push(repository, GOOD, OTHER_SECRET))
      assert.equal(evil.body['status'], 'ignored')
      assert.deepEqual(await runs(), [])
      assert.equal((await deliver(causes, url, push(repository, GOOD))).status, 202)
      assert.equal((await runs()).length, 1)
    })
  }

  test('is started by a shared source whose owner may start runs of its team, and by one of a team above', async () => {
    named += 1
    await anEnvironment(db, `platform-${named}/x`)
    await aSecret(causes.kit, db, { teamPath: `platform-${named}`, name: 'hook', value: SECRET })
    const repository = `acme/above-${named}`
    const place = { team_path: `platform-${named}`, credential_ref: `secret:platform-${named}/hook` }
    const source = { name: `platform-${named}`, visibility: 'shared', ...place }
    const created = await causes.call('POST', '/v1/git-webhook-sources', aSource(source))
    assert.equal(created.status, 201, created.text)
    const trigger = aTrigger({ name: `above-${named}`, repositories: [repository] })
    assert.equal((await causes.call('POST', '/v1/triggers', trigger)).status, 201)
    const answer = await deliver(causes, `/v1/git/webhooks/${String(created.body['id'])}`, push(repository, GOOD))
    assert.equal(answer.status, 202, answer.text)
  })
})

describe('an override', () => {
  test('of another team does not apply to a shared source that its owner may not change', async () => {
    const { repository, url, runs } = await aContestedRepository({}, {}, { visibility: 'shared' })
    const document = { pipeline: `${OTHER}/build`, scope: `${OTHER}/staging` }
    const written = await causes.call('PUT', `/v1/overrides/${repository}`, document, { headers: editor.headers })
    assert.equal(written.status, 200, written.text)
    assert.equal((await deliver(causes, url, push(repository, GOOD))).status, 202)
    assert.deepEqual(
      (await runs()).map((run) => run.team_path),
      ['acme/web'],
    )
  })

  test('of another team does not set aside the triggers that a posted event matches', async () => {
    const { repository, runs } = await aContestedRepository()
    const document = { pipeline: `${OTHER}/build`, scope: `${OTHER}/staging` }
    const event = { kind: 'push', provider: 'github', repository: { full_name: repository }, branch: 'main' }
    const written = await causes.call('PUT', `/v1/overrides/${repository}`, document, { headers: editor.headers })
    assert.equal(written.status, 200, written.text)
    await causes.call('POST', '/v1/git/events', { ...event, after: GOOD })
    assert.deepEqual(
      (await runs()).map((run) => run.team_path),
      ['acme/web'],
    )
    assert.equal((await causes.call('PUT', `/v1/overrides/${repository}`, document)).status, 200)
    await causes.call('POST', '/v1/git/events', { ...event, after: EVIL })
    assert.deepEqual(
      (await runs()).map((run) => run.team_path),
      ['acme/web', OTHER],
    )
  })

  test('starts nothing for what another team tells', async () => {
    const { repository, otherUrl, runs } = await aContestedRepository({}, { visibility: 'shared' })
    const document = { pipeline: 'acme/web/build', scope: 'acme/web/staging' }
    const written = await causes.call('PUT', `/v1/overrides/${repository}`, document)
    assert.equal(written.status, 200, written.text)
    await deliver(causes, otherUrl, push(repository, GOOD, OTHER_SECRET))
    assert.deepEqual(await runs(), [])
  })
})

describe('an override that does not apply', () => {
  // The sources of the tests before admit the repository, too.
  beforeEach(() => db.updateTable('webhook_sources').set({ enabled: false }).execute())

  test('is told with its reason, to callers who may see it', async () => {
    const { repository, url, sourceId, runs } = await aContestedRepository({}, { enabled: false })
    const reader = await aMember(db, 'rita', 'viewer', 'acme/web')
    const document = { pipeline: `${OTHER}/build`, scope: `${OTHER}/staging` }
    const written = await causes.call('PUT', `/v1/overrides/${repository}`, document)
    assert.equal(written.status, 200, written.text)
    assert.equal((await deliver(causes, url, push(repository, GOOD))).status, 202)
    assert.deepEqual(
      (await runs()).map((run) => run.team_path),
      ['acme/web'],
    )
    const why =
      /The override does not apply: the source speaks for its own team and those below, not for acme\/beta\. Share the source/
    const base = `/v1/git-webhook-sources/${sourceId}/deliveries`
    const list = await causes.call('GET', base)
    const resolution = `/v1/overrides/${repository}/resolution?ref=main`
    for (const path of [`${base}/${String(list.body[0]?.['id'])}`, resolution]) {
      assert.match((await causes.call('GET', path)).text, why)
      const seen = await causes.call('GET', path, undefined, { headers: reader.headers })
      assert.equal(seen.status, 200, seen.text)
      assert.doesNotMatch(seen.text, /acme\/beta|apply/)
    }
    const { body } = await causes.call('GET', resolution)
    assert.equal(body['layer'], 'service_trigger')
    assert.deepEqual(
      Object(body['runs']).map((run: Record<string, unknown>) => [run['layer'], run['would_start']]),
      [
        ['override', false],
        ['service_trigger', true],
      ],
    )
  })

  test('to one source may apply to another that tells of the repository, and outranks only what comes through that', async () => {
    const { repository } = await aContestedRepository()
    const document = { pipeline: `${OTHER}/build`, scope: `${OTHER}/staging` }
    assert.equal((await causes.call('PUT', `/v1/overrides/${repository}`, document)).status, 200)
    const { body } = await causes.call('GET', `/v1/overrides/${repository}/resolution?ref=main`)
    assert.deepEqual(
      Object(body['runs']).map((run: Record<string, unknown>) => [run['layer'], run['would_start']]),
      [
        ['override', true],
        ['service_trigger', true],
      ],
    )
  })
})

describe('a posted comment', () => {
  test('cancels nothing for who may not cancel', async () => {
    const { repository, url, runs } = await aContestedRepository(COMMENTS)
    const opened = aPullRequestPayload({ repository: { full_name: repository }, head: GOOD, updatedAt: HEAD_AT })
    const trigger = aTrigger({
      name: `pr-${named}`,
      repositories: [repository],
      branches: [],
      ...COMMENTS,
      actions: ['opened', 'created'],
    })
    assert.equal((await causes.call('POST', '/v1/triggers', trigger)).status, 201)
    await deliver(causes, url, sign('pull_request', { ...opened, action: 'opened' }))
    const before = await runs()
    assert.ok(before.length > 0)
    const event = {
      kind: 'pull_request_comment',
      action: 'created',
      provider: 'github',
      repository: { full_name: repository },
      branch: 'main',
      after: GOOD,
      comment: {
        id: '1',
        body: '/cancel',
        author: { id: '1', login: 'mona', name: null, email: null, bot: false },
        author_is_member: true,
        path: null,
        web_url: null,
      },
      pull_request: {
        number: 7,
        title: 'x',
        draft: false,
        labels: [],
        head: { ref: 'x', sha: GOOD, repository },
        base: { ref: 'main', sha: null, repository },
        from_fork: false,
        merged: null,
        author: null,
        web_url: null,
      },
    }
    const posted = await causes.call('POST', '/v1/git/events', event, { headers: viewer.headers })
    assert.equal(posted.status, 403, posted.text)
    assert.deepEqual(new Set((await runs()).map((run) => run.status)), new Set(['queued']))
    const allowed = await causes.call('POST', '/v1/git/events', event)
    assert.equal(allowed.body['status'], 'accepted', allowed.text)
    assert.ok((await runs()).some((run) => run.status === 'canceled'))
  })
})

describe('the trace of a delivery', () => {
  test('shows no rule of a team that the reader may not see, kept or replayed', async () => {
    const { repository, otherUrl } = await aContestedRepository({ branches: ['secret-branch'] })
    const answer = await deliver(causes, otherUrl, push(repository, GOOD, OTHER_SECRET))
    assert.equal(answer.status, 200)
    const base = `/v1/git-webhook-sources/${otherUrl.split('/').at(-1)}/deliveries`
    const list = await causes.call('GET', base, undefined, { headers: editor.headers })
    const path = `${base}/${String(list.body[0]?.['id'])}`
    const kept = await causes.call('GET', path, undefined, { headers: editor.headers })
    assert.equal(kept.status, 200, kept.text)
    assert.doesNotMatch(kept.text, /secret-branch/)
    assert.match(kept.text, /A rule of teams that you may not see is left out/)
    for (const [url, body] of [
      [`${path}/replay?dry_run=true`, undefined],
      [`${base}/replay`, { delivery_ids: [list.body[0]?.['id']], dry_run: true }],
    ] as const) {
      const replayed = await causes.call('POST', url, body, { headers: editor.headers })
      assert.equal(replayed.status, 200, replayed.text)
      assert.doesNotMatch(replayed.text, /secret-branch/)
    }
    assert.match((await causes.call('GET', path)).text, /secret-branch/)
  })
})
