import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import type { VouchingSource } from './index.ts'
import { openOverrides, PIPELINE } from './testing.ts'

/** Anybody may write an override of any repository: it decides nothing unless a source vouches for it. */

const testDatabase = await createTestDatabase()
const db = testDatabase.database.kysely
let sources: readonly VouchingSource[] = []
const house = await openOverrides(testDatabase, { listSources: async () => () => sources })
after(() => house.close())
await anEnvironment(db, 'rival/staging')
await aPipeline(db, 'rival/build')
const owner = (await aMember(db, 'owner', 'editor', 'acme/web')).headers
const squatter = (await aMember(db, 'squatter', 'editor', 'rival')).headers
const OURS = { pipeline: PIPELINE }
const THEIRS = { pipeline: 'rival/build' }

/** A source that the user of that login may change, and that speaks for everybody. */
const sourceOf = (...logins: readonly string[]): VouchingSource => ({
  visibleTo: () => true,
  overriddenBy: ({ name }) => logins.includes(name),
})
beforeEach(() => {
  sources = []
})

let made = 0
const aPath = (): string => `/v1/overrides/acme/squatted-${(made += 1)}`
const put = (path: string, body: object, headers: Record<string, string>) => house.call('PUT', path, body, headers)
const standing = async (path: string, headers: Record<string, string>) => {
  const { body } = await house.call('GET', path, undefined, headers)
  return [body['pipeline'], body['in_effect']]
}

describe('an override that no source vouches for', () => {
  test('is stored, is not in effect, and says what it lacks', async () => {
    const path = aPath()
    const { status, body, text } = await put(path, THEIRS, squatter)
    assert.equal(status, 200, text)
    assert.equal(body['in_effect'], false)
    assert.match(String(body['not_in_effect_because']), /No webhook source vouches .* squatter may change/)
    assert.deepEqual(await standing(path, squatter), ['rival/build', false])
    const [listed] = Object.values((await house.call('GET', '/v1/overrides?limit=1', undefined, squatter)).body)
    assert.equal(Object(listed)['in_effect'], false)
  })

  test('is written in the same words whether the repository has an owner or not', async () => {
    sources = [sourceOf('owner')]
    const [taken, free] = [aPath(), aPath()]
    assert.equal((await put(taken, OURS, owner)).body['in_effect'], true)
    const answers = [await put(taken, THEIRS, squatter), await put(free, THEIRS, squatter)]
    const [hidden, absent] = answers.map(({ status, text }) => [
      status,
      text.replaceAll(/squatted-\d+/g, '').replaceAll(/"(created|updated)_at":"[^"]*"/g, ''),
    ])
    assert.deepEqual(hidden, absent)
    for (const path of [taken, free]) {
      assert.deepEqual(await standing(path, squatter), ['rival/build', false])
      assert.equal((await house.call('DELETE', path, undefined, squatter)).status, 204)
      assert.equal((await house.call('DELETE', path, undefined, squatter)).status, 404)
    }
    assert.deepEqual(await standing(taken, owner), [PIPELINE, true])
  })

  test('takes and holds no place: the first who has a source decides', async () => {
    const path = aPath()
    await put(path, THEIRS, squatter)
    sources = [sourceOf('owner')]
    const { status, body } = await put(path, OURS, owner)
    assert.deepEqual([status, body['in_effect']], [200, true])
    assert.deepEqual(await standing(path, squatter), ['rival/build', false])
    assert.deepEqual(await standing(path, owner), [PIPELINE, true])
  })

  test('is previewed as what it would be', async () => {
    const caller = await house.callerOf(squatter)
    const wanted = { repoOwner: 'acme', repoName: 'previewed', pipeline: THEIRS.pipeline, scope: undefined }
    const isInEffect = async () => (await house.overrides.draft(caller, wanted)).standing.inEffect
    assert.equal(await isInEffect(), false)
    sources = [sourceOf('squatter')]
    assert.equal(await isInEffect(), true)
  })
})

describe('who vouches', () => {
  test('is asked anew each time: what sources allow decides, in both directions', async () => {
    const path = aPath()
    sources = [sourceOf('owner')]
    await put(path, OURS, owner)
    assert.deepEqual(await standing(path, owner), [PIPELINE, true])
    sources = []
    assert.deepEqual(await standing(path, owner), [PIPELINE, false])
    sources = [sourceOf('owner')]
    assert.deepEqual(await standing(path, owner), [PIPELINE, true])
  })

  test('for two overrides by one source is a conflict, told to whoever that source is of', async () => {
    const path = aPath()
    sources = [sourceOf('owner', 'squatter')]
    await put(path, OURS, owner)
    const second = await put(path, THEIRS, squatter)
    assert.deepEqual([second.status, second.body['code']], [409, 'override.conflict'])
    assert.doesNotMatch(second.text, /acme\/web/)
    assert.deepEqual(await standing(path, owner), [PIPELINE, true])
  })

  test('by sources of their own lets each decide about its own events', async () => {
    const path = aPath()
    sources = [sourceOf('owner'), sourceOf('squatter')]
    assert.equal((await put(path, OURS, owner)).body['in_effect'], true)
    assert.equal((await put(path, THEIRS, squatter)).body['in_effect'], true)
  })

  test('for two that were there before: the older one decides, the other one says so', async () => {
    const path = aPath()
    await put(path, OURS, owner)
    await put(path, THEIRS, squatter)
    sources = [sourceOf('owner', 'squatter')]
    assert.deepEqual(await standing(path, owner), [PIPELINE, true])
    const { body } = await house.call('GET', path, undefined, squatter)
    assert.equal(body['in_effect'], false)
    assert.match(String(body['not_in_effect_because']), /older override/)
    await house.call('DELETE', path, undefined, owner)
    assert.deepEqual(await standing(path, squatter), ['rival/build', true])
  })

  test('and who comes first of two at once gets the place, the other one the conflict', async () => {
    sources = [sourceOf('owner', 'squatter')]
    for (let round = 0; round < 8; round += 1) {
      const path = aPath()
      const both = await Promise.all([put(path, OURS, owner), put(path, THEIRS, squatter)])
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
    }
  })

  test('an administrator replaces what is in effect, and leaves alone what is not', async () => {
    const path = aPath()
    await put(path, THEIRS, squatter)
    sources = [sourceOf('root')]
    assert.equal((await put(path, OURS, {})).body['in_effect'], true)
    assert.deepEqual(await standing(path, squatter), ['rival/build', false])
  })
})

test('the tables hold one override of a team for a repository, in whichever case', async () => {
  await put('/v1/overrides/acme/twice', OURS, owner)
  const [row] = await db.selectFrom('overrides').selectAll().where('repo_name', '=', 'twice').execute()
  assert.ok(row)
  const again = { ...row, id: crypto.randomUUID(), repo_name: 'Twice' }
  await assert.rejects(db.insertInto('overrides').values(again).execute(), /overrides_of_team_taken/)
})
