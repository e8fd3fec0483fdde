import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase, createTestHttp, createTestKit, testAuthenticator, testCaller } from '#platform/testing'
import { pipelines } from '#rooms/catalog/pipelines'
import { openFoundation } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aDocument, NOTHING_ABOVE } from '../pipelines/testing.ts'
import { profiles } from './index.ts'
import { aProfile } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const db = database.kysely
const foundation = await openFoundation(kit)
const profiling = await profiles.open(kit, foundation)
const door = profiling.door
const access = { ...foundation.access, judgeScope: async () => 'usable' as const }
const piping = await pipelines.open(kit, { ...foundation, access, profiles: door, above: NOTHING_ABOVE })
const http = await createTestHttp(
  [...(profiling.routes ?? []), ...(piping.routes ?? []), ...foundation.routes],
  testAuthenticator({
    admin: testCaller(),
    web: testCaller({ 'acme/web': ['profile.read', 'profile.write'] }),
    viewer: testCaller({ acme: ['profile.read'] }),
    stranger: testCaller({ other: ['*'] }),
  }),
)
for (const path of ['acme/web', 'other']) await aTeam(db, path)
after(async () => {
  await http.close(100)
  await foundation.close()
})

type Body = Record<string, unknown>

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: Body,
  as = 'admin',
  ifMatch?: string,
) {
  const headers = { authorization: `Bearer ${as}`, ...(ifMatch ? { 'if-match': ifMatch } : {}) }
  const response = await http.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
  return { status: response.statusCode, headers: response.headers, body: response.body ? response.json() : undefined }
}

const host = (name: string, more: Body = {}): Body => ({ team_path: 'acme/web', name, executor: 'host', ...more })

describe('a profile', () => {
  test('is created, read by id and identifier, written back, and deleted', async () => {
    const created = await call('POST', '/v1/profiles', host('node24', { labels: ['arm64'], environment: { CI: '1' } }))
    assert.equal(created.status, 201)
    assert.equal(created.headers.location, `/v1/profiles/${created.body.id}`)
    assert.deepEqual(
      [created.body.identifier, created.body.image, created.body.labels],
      ['acme/web/node24', null, ['arm64']],
    )
    const read = await call('GET', '/v1/profiles/acme%2Fweb%2Fnode24')
    assert.deepEqual(read.body, created.body)
    const written = await call(
      'PUT',
      `/v1/profiles/${read.body.id}`,
      { ...read.body, labels: [] },
      'admin',
      String(read.headers.etag),
    )
    assert.equal(written.status, 200)
    assert.deepEqual(written.body.labels, [])
    assert.notEqual(written.headers.etag, read.headers.etag)
    assert.equal((await call('DELETE', `/v1/profiles/${read.body.id}`)).status, 204)
    assert.equal((await call('GET', `/v1/profiles/${read.body.id}`)).status, 404)
    const trail = await call('GET', `/v1/audit?resource=profile:${read.body.id}`)
    assert.deepEqual(
      trail.body.map((entry: { action: string }) => entry.action),
      ['profile.deleted', 'profile.updated', 'profile.created'],
    )
  })

  test('may describe a container', async () => {
    const body = host('box', { executor: 'container', image: 'node:24-slim', resources: { cpus: 0.5, memory_mb: 512 } })
    const created = await call('POST', '/v1/profiles', body)
    assert.equal(created.status, 201)
    assert.deepEqual(created.body.resources, { cpus: 0.5, memory_mb: 512 })
    assert.equal(created.body.image, 'node:24-slim')
  })

  test('is refused with the field at fault', async () => {
    const bad: readonly (readonly [string, Body])[] = [
      ['image', host('x', { executor: 'container' })],
      ['image', host('x', { image: 'node:24' })],
      ['image', host('x', { executor: 'container', image: '-v /:/host' })],
      ['image', host('x', { executor: 'container', image: 'localhost/../../x' })],
      ['image', host('x', { executor: 'container', image: 'http://ghcr.io/x' })],
      ['resources', host('x', { resources: { cpus: 1 } })],
      ['resources.gpus', host('x', { resources: { gpus: 1 } })],
      ['executor', host('x', { executor: 'vm' })],
      ['name', host('../x')],
      ['name', host('X')],
      ['name', host('')],
      ['labels.0', host('x', { labels: ['a b'] })],
      ['labels', host('x', { labels: ['a', 'a'] })],
      ['environment.SIGNALBOX_RUN_ID', host('x', { environment: { SIGNALBOX_RUN_ID: '1' } })],
      ['environment.A=B', host('x', { environment: { 'A=B': '1' } })],
      ['environment.A', host('x', { environment: { A: 1 } })],
      ['team_path', host('x', { team_path: '../acme' })],
      ['team_path', host('x', { team_path: 'nobody' })],
      ['colour', host('x', { colour: 'red' })],
    ]
    for (const [field, body] of bad) {
      const response = await call('POST', '/v1/profiles', body)
      assert.equal(response.status, 400, field)
      assert.equal(response.body.errors[0].field, field)
    }
  })

  test('of a name that is taken is 409; by an unknown caller 401; without the right 403', async () => {
    assert.equal((await call('POST', '/v1/profiles', host('taken'))).status, 201)
    const again = await call('POST', '/v1/profiles', host('taken'))
    assert.deepEqual([again.status, again.body.code], [409, 'profile.name_taken'])
    assert.equal((await call('POST', '/v1/profiles', host('x'), 'nobody')).status, 401)
    assert.equal((await call('POST', '/v1/profiles', host('x'), 'viewer')).status, 403)
    assert.equal((await call('PUT', '/v1/profiles/acme%2Fweb%2Ftaken', host('taken'), 'viewer')).status, 403)
    assert.equal((await call('DELETE', '/v1/profiles/acme%2Fweb%2Ftaken', undefined, 'viewer')).status, 403)
    for (const method of ['GET', 'DELETE'] as const) {
      assert.equal((await call(method, '/v1/profiles/acme%2Fweb%2Ftaken', undefined, 'stranger')).status, 404)
    }
  })

  test('keeps its team and its name, and does not change under a writer who read an older one', async () => {
    const { body } = await call('POST', '/v1/profiles', host('fixed'))
    const url = `/v1/profiles/${body.id}`
    assert.equal((await call('PUT', url, host('other'))).body.errors[0].field, 'name')
    assert.equal((await call('PUT', url, host('fixed', { team_path: 'other' }))).body.errors[0].field, 'team_path')
    const stale = await call('PUT', url, host('fixed'), 'admin', '"1"')
    assert.deepEqual([stale.status, stale.body.code], [409, 'version_conflict'])
    assert.equal((await call('DELETE', url, undefined, 'admin', '"1"')).status, 409)
  })

  test('that the current version of a pipeline names cannot be deleted', async () => {
    await aProfile(db, 'acme/used')
    const document = aDocument('build', 'profile: used\n')
    const pipeline = await call('POST', '/v1/pipelines', { team_path: 'acme/web', document })
    assert.equal(pipeline.status, 201)
    const refused = await call('DELETE', '/v1/profiles/acme%2Fused')
    assert.deepEqual([refused.status, refused.body.code], [409, 'profile.in_use'])
    await call('PUT', `/v1/pipelines/${pipeline.body.id}`, { document: aDocument('build') })
    assert.equal((await call('DELETE', '/v1/profiles/acme%2Fused')).status, 204)
  })

  test('a path that can name none is 400 or 404, never more', async () => {
    for (const id of ['%00', '..%2f..', "x'--", '%F0%9F%98%80', 'a%2Fb%2F', 'A'.repeat(900), '%ff', '1']) {
      const { status } = await call('GET', `/v1/profiles/${id}`)
      assert.ok([400, 404, 414].includes(status), `${id}: ${status}`)
    }
  })
})

describe('the list of profiles', () => {
  test('holds what the caller may see: those below its grants, and those above that its team may use', async () => {
    for (const identifier of ['acme/listed', 'acme/web/listed', 'other/listed']) await aProfile(db, identifier)
    const listedFor = async (as: string, query = ''): Promise<string[]> => {
      const { body } = await call('GET', `/v1/profiles${query}`, undefined, as)
      return body
        .map((item: { identifier: string }) => item.identifier)
        .filter((name: string) => name.endsWith('/listed'))
    }
    assert.deepEqual(await listedFor('admin'), ['other/listed', 'acme/web/listed', 'acme/listed'])
    assert.deepEqual(await listedFor('web'), ['acme/web/listed', 'acme/listed'])
    assert.deepEqual(await listedFor('stranger'), ['other/listed'])
    assert.deepEqual(await listedFor('admin', '?team_path=acme'), ['acme/listed'])
    assert.equal((await call('GET', '/v1/profiles/acme%2Flisted', undefined, 'web')).status, 200)
    assert.equal((await call('DELETE', '/v1/profiles/acme%2Flisted', undefined, 'web')).status, 403)
  })

  test('comes in pages', async () => {
    const first = await call('GET', '/v1/profiles?limit=1')
    assert.equal(first.body.length, 1)
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await call('GET', next)
    assert.notEqual(second.body[0].id, first.body[0].id)
    for (const query of ['limit=0', 'limit=501', 'cursor=x', 'colour=red', 'team_path=A']) {
      assert.equal((await call('GET', `/v1/profiles?${query}`)).status, 400, query)
    }
  })
})

describe('what a pipeline means by a profile', () => {
  test('nothing is any host; a bare name is the nearest; a path is that one, of its own line only', async () => {
    await aProfile(db, 'acme/near', { labels: ['far'] })
    await aProfile(db, 'other/far')
    assert.deepEqual(await door.resolve(db, undefined, 'acme/web'), {
      profileId: null,
      identifier: null,
      requirement: { executor: 'host', labels: [] },
      environment: {},
      image: null,
      resources: {},
    })
    const labelsOf = async (name: string): Promise<unknown> => {
      const found = await door.resolve(db, name, 'acme/web')
      return 'problem' in found ? found.problem : found.requirement.labels
    }
    assert.deepEqual(await labelsOf('near'), ['far'])
    await aProfile(db, 'acme/web/near', { labels: ['close'] })
    assert.deepEqual(await labelsOf('near'), ['close'])
    assert.deepEqual(await labelsOf('acme/near'), ['far'])
    for (const name of ['far', 'other/far', 'acme/web/far', 'acme']) {
      assert.match(String(await labelsOf(name)), /^There is no profile ".*" that acme\/web may use/)
    }
  })
})
