import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { openCauses, PIPELINE, TEAM } from '../sources/testing.ts'

/** The rights needed to ask which runs events would start, and the refused questions. */

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await anEnvironment(db, 'acme/other/staging')
await aPipeline(db, 'acme/other/build')
const editor = (await aMember(db, 'editor', 'editor', TEAM)).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const NOBODY = { authorization: '' }

describe('resolution', () => {
  const PATH = '/v1/overrides/acme/widgets/resolution'
  const ask = (path: string, headers: Record<string, string> = {}) => causes.call('GET', path, undefined, { headers })

  test('answers of which repository, ref and event it tells', async () => {
    const { status, body, text } = await ask('/v1/overrides/group%2Fsub/repo/resolution?ref=v1&event=release', viewer)
    assert.equal(status, 200, text)
    assert.deepEqual([body['repository'], body['ref'], body['event']], ['group/sub/repo', 'refs/tags/v1', 'release'])
  })

  test('is for who may see overrides of some team', async () => {
    assert.equal((await ask(PATH, NOBODY)).status, 401)
    const nobody = await aMember(db, 'nobody', 'viewer', TEAM)
    await db.deleteFrom('grants').where('user_id', '=', nobody.id).execute()
    const { status, body } = await ask(PATH, nobody.headers)
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
      assert.equal((await ask(`${PATH}${query}`)).status, 400, query)
    }
    assert.equal((await ask('/v1/overrides/acme/wid*/resolution')).status, 400)
  })
})

describe('preview', () => {
  test('refuses what a PUT of the override would refuse, and stores nothing', async () => {
    const as = async (change: Record<string, unknown>, headers: Record<string, string> = editor) => {
      const wanted = { repo_owner: 'acme', repo_name: 'widgets', pipeline: PIPELINE, ...change }
      return (await causes.call('POST', '/v1/overrides/preview', wanted, { headers })).status
    }
    assert.equal(await as({}), 200)
    assert.equal(await as({ pipeline: 'acme/web/none' }), 400)
    assert.equal(await as({ pipeline: 'acme/other/build' }), 400)
    assert.equal(await as({ scope: 'acme/web/none' }), 400)
    assert.equal(await as({ scope: 'acme/other/staging' }), 400, 'a scope that one may not see does not exist')
    assert.equal(await as({ repo_owner: 'ac//me' }), 400)
    assert.equal(await as({ repo_name: '..' }), 400)
    assert.equal(await as({ reason: 'x' }), 400)
    assert.equal(await as({}, viewer), 403)
    assert.equal(await as({}, NOBODY), 401)
    assert.deepEqual((await causes.call('GET', '/v1/overrides/acme/widgets')).body, {})
  })
})
