import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { OverrideResolution } from '@signalbox/contracts/overrides'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import type { PreviewRequest, ResolutionRequest } from './index.ts'
import { openOverrides, PIPELINE, SCOPE, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const clock = createTestClock()
const house = await openOverrides(testDatabase, clock)
after(() => house.close())
const db = testDatabase.database.kysely
await anEnvironment(db, 'acme/other/staging')
await aPipeline(db, 'acme/other/build')
const editor = await aMember(db, 'editor', 'editor', TEAM)
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const RESOLUTION = '/v1/overrides/acme/widgets/resolution'
const PREVIEW = '/v1/overrides/preview'
const wanted = { repo_owner: 'acme', repo_name: 'widgets', pipeline: PIPELINE }

describe('until the room of events contributes', () => {
  test('both are 503, for those who may ask', async () => {
    for (const called of [await house.call('GET', RESOLUTION), await house.call('POST', PREVIEW, wanted)]) {
      assert.deepEqual([called.status, called.body['code']], [503, 'override.not_answerable'], called.text)
    }
    assert.equal((await house.call('GET', RESOLUTION, undefined, { authorization: '' })).status, 401)
    assert.equal((await house.call('POST', PREVIEW, wanted, viewer)).status, 403)
  })
})

describe('resolution', () => {
  const answered: OverrideResolution = {
    repository: 'acme/widgets',
    ref: 'refs/heads/main',
    event: 'push',
    layer: 'override',
    runs: [
      {
        layer: 'override',
        trigger_id: null,
        name: 'override',
        pipeline: PIPELINE,
        scope: SCOPE,
        would_start: true,
        reason: null,
      },
    ],
    losers: [
      {
        layer: 'service_trigger',
        trigger_id: '01900000-0000-7000-8000-000000000001',
        name: 'main',
        pipeline: 'acme/other/build',
        scope: 'acme/other/staging',
        would_start: false,
        reason: 'An override outranks it.',
      },
    ],
    manifest: null,
  }

  test('hands on what was asked, and answers what it is told', async () => {
    const asked: (ResolutionRequest & { readonly by: string })[] = []
    house.overrides.resolveWith(async (caller, request) => {
      asked.push({ ...request, by: caller.name })
      return answered
    })
    const url = '/v1/overrides/group%2Fsub/repo/resolution'
    const first = await house.call('GET', `${url}?ref=main&event=pull_request`, undefined, viewer)
    assert.deepEqual([first.status, first.body], [200, answered], first.text)
    await house.call('GET', `${url}?ref=refs/tags/v1`)
    await house.call('GET', url)
    await house.call('GET', `${url}?ref=v1&event=tag`)
    await house.call('GET', `${url}?ref=v1&event=release`)
    const repository = 'group/sub/repo'
    assert.deepEqual(asked, [
      { repository, ref: 'refs/heads/main', event: 'pull_request', by: 'viewer' },
      { repository, ref: 'refs/tags/v1', event: 'tag', by: 'root' },
      { repository, ref: null, event: 'push', by: 'root' },
      { repository, ref: 'refs/tags/v1', event: 'tag', by: 'root' },
      { repository, ref: 'refs/tags/v1', event: 'release', by: 'root' },
    ])
  })

  test('is for who may see overrides of some team', async () => {
    const nobody = await aMember(db, 'nobody', 'viewer', TEAM)
    await db.deleteFrom('grants').where('user_id', '=', nobody.id).execute()
    const { status, body } = await house.call('GET', RESOLUTION, undefined, nobody.headers)
    assert.deepEqual([status, body['code']], [403, 'forbidden'])
  })

  test('refuses what it does not know', async () => {
    for (const query of [
      '?event=pushed',
      '?ref=',
      '?branch=main',
      '?ref=a..b',
      '?ref=a%20b',
      '?ref=--upload-pack',
      `?ref=${'r'.repeat(1001)}`,
    ]) {
      assert.equal((await house.call('GET', `${RESOLUTION}${query}`)).status, 400, query)
    }
    assert.equal((await house.call('GET', '/v1/overrides/acme/wid*/resolution')).status, 400)
  })
})

describe('preview', () => {
  const answered = {
    deliveries_considered: 50,
    changes: [
      {
        delivery_id: '01900000-0000-7000-8000-000000000002',
        received_at: '2026-11-21T08:00:00.000Z',
        event_type: 'push',
        kind: 'push',
        ref: 'refs/heads/main',
        before: [{ layer: 'service_trigger' as const, pipeline: 'acme/other/build', scope: 'acme/other/staging' }],
        after: [{ layer: 'override' as const, pipeline: PIPELINE, scope: SCOPE }],
      },
    ],
  }
  const asked: PreviewRequest[] = []

  before(() =>
    house.overrides.previewWith(async (_caller, request) => {
      asked.push(request)
      return answered
    }),
  )

  test('asks with the override as it would be stored, and stores nothing', async () => {
    const { status, body, text } = await house.call('POST', PREVIEW, wanted, editor.headers)
    assert.deepEqual([status, body], [200, { in_effect: true, not_in_effect_because: null, ...answered }], text)
    const request = asked.at(-1)
    const { id: _id, ...candidate } = request?.candidate ?? { id: '' }
    assert.equal(request?.repository, 'acme/widgets')
    assert.deepEqual(candidate, {
      repoOwner: 'acme',
      repoName: 'widgets',
      teamPath: TEAM,
      pipeline: PIPELINE,
      scope: SCOPE,
      expiresAt: null,
      reason: null,
      owner: { kind: 'user', id: editor.id, name: 'editor' },
      createdAt: clock.now(),
      updatedAt: clock.now(),
    })
    assert.deepEqual((await house.call('GET', '/v1/overrides/acme/widgets')).body, {})
  })

  test('refuses what a PUT would refuse', async () => {
    const as = async (change: Record<string, unknown>, headers: Record<string, string> = editor.headers) =>
      (await house.call('POST', PREVIEW, { ...wanted, ...change }, headers)).status
    const earlier = asked.length
    assert.equal(await as({ pipeline: 'acme/web/none' }), 400)
    assert.equal(await as({ pipeline: 'acme/other/build' }), 400)
    assert.equal(await as({ scope: 'acme/web/none' }), 400)
    assert.equal(await as({ scope: 'acme/other/staging' }), 400, 'a scope that one may not see does not exist')
    assert.equal(await as({ repo_owner: 'ac//me' }), 400)
    assert.equal(await as({ repo_name: '..' }), 400)
    assert.equal(await as({ reason: 'x' }), 400)
    assert.equal(await as({}, viewer), 403)
    assert.equal(asked.length, earlier)
  })
})
