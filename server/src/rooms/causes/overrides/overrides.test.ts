import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aGrant, aMember, aMemberOf, aServiceAccount, aToken } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { type Called, openOverrides, PIPELINE, SCOPE, TEAM } from './testing.ts'

const PATH = '/v1/overrides'
const HOUR_MS = 60 * 60_000
const testDatabase = await createTestDatabase()
const clock = createTestClock()
const house = await openOverrides(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely
const root = await db.selectFrom('users').select('id').where('login', '=', 'root').executeTakeFirstOrThrow()
await anEnvironment(db, 'acme/other/staging')
await aPipeline(db, 'acme/other/build')
await anEnvironment(db, 'acme/two/staging')
await anEnvironment(db, 'acme/two/canary')
await aPipeline(db, 'acme/two/build')
await anEnvironment(db, 'acme/two/production', { protected: true, allowedSubjects: [`user:${root.id}`] })
await aPipeline(db, 'acme/build')
const editor = await aMember(db, 'editor', 'editor', TEAM)
const operator = (await aMember(db, 'operator', 'operator', TEAM)).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers

let made = 0
function aRepository(): string {
  made += 1
  return `acme/widgets-${made}`
}

async function put(repository: string, body: Record<string, unknown> = {}): Promise<Called> {
  const called = await house.call('PUT', `${PATH}/${repository}`, { pipeline: PIPELINE, ...body })
  assert.equal(called.status, 200, called.text)
  return called
}

function fieldsOf(body: Record<string, unknown>): string[] {
  return (Array.isArray(body['errors']) ? body['errors'] : []).map((error: { field: string }) => error.field)
}

const items = (called: Called): Record<string, unknown>[] => Object.values(called.body).map((item) => Object(item))

describe('GET one', () => {
  test('is an empty document where the repository has none', async () => {
    const { status, body, headers } = await house.call('GET', `${PATH}/acme/nothing`)
    assert.deepEqual([status, body, headers['etag']], [200, {}, undefined])
  })

  test('is an empty document for who may not see it', async () => {
    const repository = aRepository()
    await put(repository)
    assert.equal((await house.call('GET', `${PATH}/${repository}`, undefined, viewer)).body['pipeline'], PIPELINE)
    const { status, body, headers } = await house.call('GET', `${PATH}/${repository}`, undefined, stranger)
    assert.deepEqual([status, body, headers['etag']], [200, {}, undefined])
  })

  test('needs a token', async () => {
    const { status, body } = await house.call('GET', `${PATH}/acme/nothing`, undefined, { authorization: '' })
    assert.deepEqual([status, body['code']], [401, 'unauthenticated'])
  })

  const malformed: [string, string][] = [
    [`${PATH}/acme/${'n'.repeat(257)}`, 'repoName'],
    [`${PATH}/${'o'.repeat(741)}/widgets`, 'repoOwner'],
    [`${PATH}/acme/wid%2Fgets`, 'repoName'],
    [`${PATH}/acme/..%2F..`, 'repoName'],
    [`${PATH}/%2e%2e%2Fx/widgets`, 'repoOwner'],
    [`${PATH}/acme%2F%2Fweb/widgets`, 'repoOwner'],
    [`${PATH}/acme%2F/widgets`, 'repoOwner'],
    [`${PATH}/acme/wid*`, 'repoName'],
    [`${PATH}/acme/widg%C3%A9ts`, 'repoName'],
    [`${PATH}/%20acme/widgets`, 'repoOwner'],
    [`${PATH}/acme/~mona`, 'repoName'],
  ]
  for (const [url, field] of malformed) {
    test(`${url.slice(0, 60)} is 400 and names ${field}`, async () => {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const body = method === 'PUT' ? { pipeline: PIPELINE } : undefined
        const called = await house.call(method, url, body)
        assert.deepEqual([called.status, fieldsOf(called.body)], [400, [field]], called.text)
      }
    })
  }
})

describe('PUT', () => {
  test('answers the override; the caller is its owner', async () => {
    const repository = aRepository()
    const body = { pipeline: PIPELINE, scope: SCOPE, expires_at: '2026-12-01T10:00:00+01:00', reason: 'a freeze' }
    const called = await house.call('PUT', `${PATH}/${repository}`, body, editor.headers)
    assert.equal(called.status, 200, called.text)
    const { created_at: created, updated_at: updated, ...rest } = called.body
    assert.deepEqual(rest, {
      ...body,
      repo_owner: 'acme',
      repo_name: repository.slice('acme/'.length),
      expires_at: '2026-12-01T09:00:00.000Z',
      expired: false,
      in_effect: true,
      not_in_effect_because: null,
      owner: { kind: 'user', id: editor.id, name: 'editor' },
    })
    assert.deepEqual([created, updated], [clock.now().toISOString(), clock.now().toISOString()])
    const read = await house.call('GET', `${PATH}/${repository}`)
    assert.deepEqual(read.body, called.body)
    assert.equal(read.headers['etag'], called.headers['etag'])
  })

  test('without a scope takes the only environment of the pipeline, and keeps it', async () => {
    const repository = aRepository()
    const { body } = await put(repository)
    assert.equal(body['scope'], SCOPE)
    assert.deepEqual([body['expires_at'], body['reason'], body['expired']], [null, null, false])
    await anEnvironment(db, 'acme/web/second')
    assert.equal((await house.call('GET', `${PATH}/${repository}`)).body['scope'], SCOPE)
    await db.deleteFrom('environments').where('name', '=', 'second').execute()
  })

  test('replaces: it is the same override, of another owner; what is left out is gone', async () => {
    const repository = aRepository()
    const first = await put(repository, { reason: 'first', expires_at: '2027-01-01T00:00:00Z' })
    const second = await house.call('PUT', `${PATH}/${repository}`, { pipeline: PIPELINE }, editor.headers)
    assert.equal(second.status, 200, second.text)
    assert.deepEqual([second.body['reason'], second.body['expires_at']], [null, null])
    assert.equal(Object(second.body['owner'])['name'], 'editor')
    assert.equal(second.body['created_at'], first.body['created_at'])
    assert.notEqual(second.headers['etag'], first.headers['etag'], 'two writes within one millisecond differ')
    const rows = await db.selectFrom('overrides').select('id').where('repo_name', '=', repository.slice(5)).execute()
    assert.equal(rows.length, 1)
  })

  test('takes back a document that was read', async () => {
    const repository = aRepository()
    const { body } = await put(repository, { reason: 'r', expires_at: '2027-01-01T00:00:00Z' })
    const again = await put(repository, body)
    assert.deepEqual({ ...again.body, updated_at: 0 }, { ...body, updated_at: 0 })
  })

  const wrong: [string, Record<string, unknown>, string][] = [
    ['no pipeline', { pipeline: undefined }, 'pipeline'],
    ['a pipeline of another form', { pipeline: 'build' }, 'pipeline'],
    ['a pipeline that is no text', { pipeline: 1 }, 'pipeline'],
    ['an unknown pipeline', { pipeline: 'acme/web/none' }, 'pipeline'],
    ['an unknown scope', { scope: 'acme/web/none' }, 'scope'],
    ['a scope of another form', { scope: 'staging' }, 'scope'],
    ['several environments to choose from', { pipeline: 'acme/two/build' }, 'scope'],
    ['no environment at all', { pipeline: 'acme/build' }, 'scope'],
    ['an expiry in the past', { expires_at: '2026-11-21T08:59:59.999Z' }, 'expires_at'],
    ['an expiry that is now', { expires_at: '2026-11-21T09:00:00.000Z' }, 'expires_at'],
    ['an expiry that is no time', { expires_at: 'tomorrow' }, 'expires_at'],
    ['an expiry without an offset', { expires_at: '2027-01-01T00:00:00' }, 'expires_at'],
    ['a reason that is too long', { reason: 'r'.repeat(1001) }, 'reason'],
    ['an unknown field', { pipelines: PIPELINE }, 'pipelines'],
  ]
  for (const [name, change, field] of wrong) {
    test(`${name} is 400 and named`, async () => {
      const repository = aRepository()
      const called = await house.call('PUT', `${PATH}/${repository}`, { pipeline: PIPELINE, ...change })
      assert.equal(called.status, 400, called.text)
      assert.ok(fieldsOf(called.body).includes(field), called.text)
      assert.match(String(called.body['detail']), new RegExp(field))
      assert.deepEqual((await house.call('GET', `${PATH}/${repository}`)).body, {})
    })
  }

  test('says which scopes there are, and all that is wrong at once', async () => {
    const url = `${PATH}/${aRepository()}`
    const several = await house.call('PUT', url, { pipeline: 'acme/two/build' })
    assert.match(several.text, /acme\/two\/canary, acme\/two\/production, acme\/two\/staging/)
    const both = await house.call('PUT', url, { pipeline: 'acme/web/none', scope: 'acme/web/none' })
    assert.deepEqual([both.body['code'], fieldsOf(both.body)], ['override.invalid', ['pipeline', 'scope']])
  })

  test('a body that is no JSON, none at all, or of another type is refused', async () => {
    const url = `${PATH}/${aRepository()}`
    assert.equal((await house.call('PUT', url, '{"pipeline":')).status, 400)
    assert.equal((await house.call('PUT', url)).status, 400)
    assert.equal((await house.call('PUT', url, [])).status, 400)
    assert.equal((await house.call('PUT', url, `{"pipeline":"${PIPELINE}","reason":"\\u0000"}`)).status, 400)
    assert.equal((await house.call('PUT', url, `{"pipeline":"${PIPELINE}","reason":"\\ud800"}`)).status, 400)
    assert.equal((await house.call('PUT', url, `{"pipeline":"${PIPELINE}","pipeline":"a/b"}`)).status, 400)
    assert.equal((await house.call('PUT', url, `pipeline: ${PIPELINE}`, { 'content-type': 'text/plain' })).status, 415)
  })

  test('nobody makes events start what they may not start themselves', async () => {
    const as = async (headers: Record<string, string>, body: Record<string, unknown>) =>
      (await house.call('PUT', `${PATH}/${aRepository()}`, body, headers)).status
    const own = { pipeline: PIPELINE }
    assert.equal(await as({ authorization: '' }, own), 401)
    assert.equal(await as(viewer, own), 403)
    assert.equal(await as(operator, own), 403)
    assert.equal(await as(editor.headers, own), 200)
    assert.equal(await as(stranger, own), 400, 'a pipeline that one may not see does not exist')
    assert.equal(await as(editor.headers, { ...own, scope: 'acme/other/staging' }), 400)
    assert.equal(await as(editor.headers, { ...own, scope: 'acme/two/production' }), 400)
    const account = await aServiceAccount(db, TEAM, 'ci')
    await aGrant(db, `service_account:${account}`, 'editor', TEAM)
    const { token } = await aToken(db, { kind: 'service_account', id: account })
    assert.equal(await as({ authorization: `Bearer ${token}` }, own), 200)
  })

  test("another team's override is 409: who may not see it hears no more than that", async () => {
    const repository = aRepository()
    await put(repository, { reason: 'ours' })
    const theirs = { pipeline: 'acme/other/build' }
    const refused = await house.call('PUT', `${PATH}/${repository}`, theirs, stranger)
    assert.deepEqual([refused.status, refused.body['code']], [409, 'override.conflict'], refused.text)
    assert.doesNotMatch(refused.text, /acme\/web|ours/)
    const both = await aMemberOf(db, 'both', { 'acme/other': 'owner', [TEAM]: 'viewer' })
    const seen = await house.call('PUT', `${PATH}/${repository}`, theirs, both.headers)
    assert.equal(seen.status, 409)
    assert.match(seen.text, /acme\/web/)
    assert.equal((await house.call('GET', `${PATH}/${repository}`)).body['reason'], 'ours')
  })

  test('who may write both teams moves the override from one to the other', async () => {
    const repository = aRepository()
    await put(repository)
    await put(repository, { pipeline: 'acme/other/build' })
    assert.deepEqual((await house.call('GET', `${PATH}/${repository}`, undefined, viewer)).body, {})
    const { body } = await house.call('GET', `${PATH}/${repository}`, undefined, stranger)
    assert.deepEqual([body['pipeline'], body['scope']], ['acme/other/build', 'acme/other/staging'])
  })

  test('an If-Match that does not match is 409', async () => {
    const repository = aRepository()
    const url = `${PATH}/${repository}`
    const body = { pipeline: PIPELINE }
    const early = await house.call('PUT', url, body, { 'if-match': '*' })
    assert.deepEqual([early.status, early.body['code']], [409, 'version_conflict'])
    const etag = String((await put(repository)).headers['etag'])
    assert.equal((await house.call('PUT', url, body, { 'if-match': etag })).status, 200)
    const late = await house.call('PUT', url, body, { 'if-match': etag })
    assert.deepEqual([late.status, late.body['code']], [409, 'version_conflict'])
    assert.equal((await house.call('PUT', url, body, { 'if-match': '*' })).status, 200)
  })

  test('of two at once both are done, one after the other, and one override stands', async () => {
    const repository = aRepository()
    const reasons = ['a', 'b', 'c', 'd', 'e', 'f']
    const answers = await Promise.all(reasons.map((reason) => put(repository, { reason })))
    assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, reasons.length)
    const rows = await db.selectFrom('overrides').selectAll().where('repo_name', '=', repository.slice(5)).execute()
    assert.equal(rows.length, 1)
    const audit = await house.call('GET', `/v1/audit?resource=override:${repository}`)
    const actions = items(audit).map(({ action }) => action)
    assert.deepEqual(actions.toSorted(), ['override.created', ...Array(5).fill('override.updated')])
    const last = answers.find(({ body }) => body['reason'] === rows[0]?.reason)
    const latest = answers.map(({ body }) => String(body['updated_at'])).toSorted()
    assert.equal(last?.body['updated_at'], latest.at(-1))
  })
})

test("writes and deletions of one repository at once, new and not, never stand in each other's way", async () => {
  for (let round = 0; round < 12; round += 1) {
    const url = `${PATH}/${aRepository()}`
    const work = Array.from({ length: 12 }, (_, at) =>
      at % 4 === 3 ? house.call('DELETE', url) : house.call('PUT', url, { pipeline: PIPELINE }),
    )
    const statuses = (await Promise.all(work)).map(({ status }) => status)
    assert.deepEqual(
      statuses.filter((status) => ![200, 204, 404].includes(status)),
      [],
    )
  }
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()
  `.execute(db)
  assert.deepEqual(
    rows.map(({ deadlocks }) => Number(deadlocks)),
    [0],
  )
})

describe('names of repositories', () => {
  test('are compared without regard to case, and shown as written', async () => {
    const name = aRepository().slice('acme/'.length)
    await put(`Acme/${name}`)
    const { body } = await house.call('GET', `${PATH}/ACME/${name.toUpperCase()}`)
    assert.deepEqual([body['repo_owner'], body['repo_name']], ['Acme', name])
    assert.equal((await put(`aCME/${name}`)).body['repo_owner'], 'aCME')
    assert.equal((await house.call('DELETE', `${PATH}/acme/${name}`)).status, 204)
    assert.deepEqual((await house.call('GET', `${PATH}/aCME/${name}`)).body, {})
  })

  const owners = ['group/sub/deeper', '~mona', 'acme/My Project', 'a.b-c_d']
  for (const owner of owners) {
    test(`${owner} is an owner, URL-encoded`, async () => {
      const name = aRepository().slice('acme/'.length)
      const url = `${encodeURIComponent(owner)}/${name}`
      assert.equal((await put(url)).body['repo_owner'], owner)
      const finder = await house.overrides.finder()
      assert.equal(finder.listLive(`${owner}/${name}`, clock.now())[0]?.pipeline, PIPELINE)
      assert.equal((await house.call('DELETE', `${PATH}/${url}`)).status, 204)
    })
  }

  test('of nested groups do not meet those of other groups', async () => {
    const name = aRepository().slice('acme/'.length)
    await put(`group%2Fsub/${name}`)
    assert.deepEqual((await house.call('GET', `${PATH}/group/${name}`)).body, {})
    assert.deepEqual((await house.call('GET', `${PATH}/sub/${name}`)).body, {})
  })
})

describe('DELETE', () => {
  test('takes it away; a second time is 404, and only the first is in the audit', async () => {
    const repository = aRepository()
    await put(repository, { reason: 'r' })
    const { status, text } = await house.call('DELETE', `${PATH}/${repository}`)
    assert.deepEqual([status, text], [204, ''])
    assert.equal((await house.call('DELETE', `${PATH}/${repository}`)).status, 404)
    assert.deepEqual((await house.call('GET', `${PATH}/${repository}`)).body, {})
    const audit = items(await house.call('GET', `/v1/audit?resource=override:${repository}`))
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['override.deleted', 'override.created'],
    )
    assert.equal(Object(audit[0]?.['before'])['reason'], 'r')
    assert.equal(audit[0]?.['after'], null)
    assert.equal(audit[0]?.['team_path'], TEAM)
  })

  test('is 403 for who may see it, and 404 for who may not, as where there is none', async () => {
    const repository = aRepository()
    await put(repository)
    const url = `${PATH}/${repository}`
    for (const headers of [viewer, operator]) {
      const { status, body } = await house.call('DELETE', url, undefined, headers)
      assert.deepEqual([status, body['code']], [403, 'forbidden'])
    }
    const hidden = await house.call('DELETE', url, undefined, stranger)
    const absent = await house.call('DELETE', `${PATH}/${repository}x`, undefined, stranger)
    assert.deepEqual([hidden.status, hidden.body['code']], [404, 'not_found'])
    assert.equal(absent.body['detail'], String(hidden.body['detail']).replace(repository, `${repository}x`))
    assert.equal((await house.call('DELETE', url, undefined, { authorization: '' })).status, 401)
    assert.equal((await house.call('GET', url)).body['pipeline'], PIPELINE)
    assert.equal((await house.call('DELETE', url, undefined, editor.headers)).status, 204)
    assert.deepEqual((await house.call('GET', url)).body, {})
  })

  test('an old If-Match is 409; with nothing there it is 404', async () => {
    const repository = aRepository()
    const url = `${PATH}/${repository}`
    const etag = String((await put(repository)).headers['etag'])
    await put(repository)
    const late = await house.call('DELETE', url, undefined, { 'if-match': etag })
    assert.deepEqual([late.status, late.body['code']], [409, 'version_conflict'])
    const { headers } = await house.call('GET', url)
    assert.equal((await house.call('DELETE', url, undefined, { 'if-match': String(headers['etag']) })).status, 204)
    assert.equal((await house.call('DELETE', url, undefined, { 'if-match': etag })).status, 404)
  })
})

describe('the list', () => {
  test('is newest first, in pages, and holds what the caller may see', async () => {
    await db.deleteFrom('overrides').execute()
    assert.deepEqual((await house.call('GET', PATH)).body, [])
    const names = ['one', 'two', 'three']
    for (const name of names) await put(`list/${name}`)
    await put('list/other', { pipeline: 'acme/other/build' })
    const seen: unknown[] = []
    let url: string | undefined = `${PATH}?limit=2`
    while (url) {
      const page = await house.call('GET', url)
      assert.equal(page.status, 200, page.text)
      seen.push(...items(page).map(({ repo_name }) => repo_name))
      url = /^<(.+)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1]
    }
    assert.deepEqual(seen, ['other', 'three', 'two', 'one'])
    const namesFor = async (headers: Record<string, string>, query = '') =>
      items(await house.call('GET', `${PATH}${query}`, undefined, headers)).map(({ repo_name }) => repo_name)
    assert.deepEqual(await namesFor(viewer), ['three', 'two', 'one'])
    assert.deepEqual(await namesFor(stranger), ['other'])
    assert.deepEqual(await namesFor({}, '?team_path=acme/other'), ['other'])
    assert.deepEqual(await namesFor(viewer, '?team_path=acme/other'), [])
    const nobody = await aMember(db, 'nobody', 'viewer', 'acme/two')
    assert.deepEqual(await namesFor(nobody.headers), [])
  })

  test('refuses a query that it does not know, a limit out of range, a foreign cursor', async () => {
    for (const query of ['?limit=0', '?limit=501', '?limit=x', '?colour=red', '?cursor=x', '?team_path=%20']) {
      const { status, text } = await house.call('GET', `${PATH}${query}`)
      assert.equal(status, 400, `${query} ${text}`)
    }
    assert.equal((await house.call('GET', PATH, undefined, { authorization: '' })).status, 401)
  })
})

describe('what is told', () => {
  test('a write and a deletion are facts and audit records of the same transaction', async () => {
    const repository = aRepository()
    const told = async () =>
      (await db.selectFrom('facts').selectAll().orderBy('id').execute())
        .filter(({ payload }) => Object(payload)['repo_name'] === repository.slice(5))
        .map(({ kind, version, payload }) => ({ kind, version, payload }))
    await put(repository, { expires_at: '2027-01-01T00:00:00Z' })
    await house.call('DELETE', `${PATH}/${repository}`)
    const payload = {
      repo_owner: 'acme',
      repo_name: repository.slice(5),
      team_path: TEAM,
      pipeline: PIPELINE,
      scope: SCOPE,
      expires_at: '2027-01-01T00:00:00.000Z',
    }
    assert.deepEqual(await told(), [
      { kind: 'override.changed', version: 1, payload },
      { kind: 'override.deleted', version: 1, payload },
    ])
    const refused = aRepository()
    await house.call('PUT', `${PATH}/${refused}`, { pipeline: PIPELINE }, viewer)
    const audit = await house.call('GET', `/v1/audit?resource=override:${refused}`)
    assert.deepEqual(items(audit), [])
  })

  test('the audit of a replacement shows before and after', async () => {
    const repository = aRepository()
    await put(repository, { reason: 'old' })
    await put(repository, { reason: 'new' })
    const [record] = items(await house.call('GET', `/v1/audit?resource=override:${repository}`))
    assert.equal(record?.['action'], 'override.updated')
    assert.equal(Object(record?.['before'])['reason'], 'old')
    assert.equal(Object(record?.['after'])['reason'], 'new')
    assert.equal(Object(record?.['actor'])['name'], 'root')
  })
})

describe('expiry', () => {
  test('an override is shown as expired from then on, until it is replaced or deleted', async () => {
    const repository = aRepository()
    const url = `${PATH}/${repository}`
    const expiresAt = new Date(clock.now().getTime() + HOUR_MS).toISOString()
    const { body } = await put(repository, { expires_at: expiresAt })
    await clock.advance(HOUR_MS - 1)
    assert.equal((await house.call('GET', url)).body['expired'], false)
    assert.ok((await house.overrides.finder()).listLive(repository, clock.now())[0])
    await clock.advance(1)
    assert.equal((await house.call('GET', url)).body['expired'], true)
    assert.equal((await house.overrides.finder()).listLive(repository, clock.now())[0], undefined)
    const [first] = items(await house.call('GET', `${PATH}?limit=1`))
    assert.deepEqual([first?.['repo_name'], first?.['expired']], [repository.slice(5), true])
    assert.equal((await house.call('PUT', url, body)).status, 400, 'its time is over')
    assert.equal((await put(repository, { expires_at: null })).body['expired'], false)
    assert.ok((await house.overrides.finder()).listLive(repository, clock.now())[0])
  })
})
