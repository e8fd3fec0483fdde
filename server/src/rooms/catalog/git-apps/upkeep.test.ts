import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { createSealer } from '#platform/crypto'
import { createTestClock } from '#platform/testing'
import { resealKeys } from './actions/reseal-keys.ts'
import { sealContext } from './rules/keys.ts'
import { openGitApps } from './testing.ts'

// What time does: keys are sealed anew when secret_key is rotated, and old registrations go.

const clock = createTestClock(new Date())
const room = await openGitApps({ clock })
const { db, send, start } = room

beforeEach(async () => {
  await db.deleteFrom('git_apps').execute()
  await db.deleteFrom('git_app_flows').execute()
  await db.deleteFrom('webhook_sources').execute()
  await clock.advance(60_000)
})

const keys = () => db.selectFrom('git_app_keys').selectAll().orderBy('id').execute()

test('keys that an older secret_key sealed are sealed anew, once, so that it can be taken away', async () => {
  await room.register()
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const older = createSealer(new Map([[1, first]]))
  for (const { id } of await keys()) {
    const sealed = older.seal(`value of ${id}`, sealContext(id))
    await db.updateTable('git_app_keys').set({ sealed, key_version: 1 }).where('id', '=', id).execute()
  }
  const both = createSealer(new Map([[1, first], [2, second]])) // biome-ignore format: one line
  await Promise.all([resealKeys({ ...room.kit, sealer: both }), resealKeys({ ...room.kit, sealer: both })])
  const resealed = await keys()
  const newer = createSealer(new Map([[2, second]]))
  assert.equal(resealed.length, 2)
  for (const { id, sealed, key_version } of resealed) {
    assert.deepEqual([key_version, newer.open(sealed, sealContext(id))], [2, `value of ${id}`])
  }
  await resealKeys({ ...room.kit, sealer: both })
  assert.deepEqual(await keys(), resealed, 'a second time changes nothing')
})

test('a key that does not open stays as it is, and the others are sealed anew all the same', async () => {
  await room.register()
  const [lost, other] = await keys()
  assert.ok(lost && other)
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const sealed = createSealer(new Map([[1, first]])).seal('a value', sealContext(other.id))
  await db.updateTable('git_app_keys').set({ sealed }).where('id', '=', other.id).execute()
  const both = createSealer(new Map([[1, first], [2, second]])) // biome-ignore format: one line
  await resealKeys({ ...room.kit, sealer: both })
  const versions = (await keys()).map(({ id, key_version }) => [id, key_version])
  assert.deepEqual(versions, [
    [lost.id, 1],
    [other.id, 2],
  ])
})

test('a registration is told for a day after its time, and then forgotten', async () => {
  const status = async () => (await send('GET', '/registration')).body.status
  assert.equal(await status(), 'none')
  await start()
  assert.equal(await status(), 'waiting')
  const [begun] = await db.selectFrom('git_app_flows').select('expires_at').execute()
  assert.ok(begun)
  await clock.advance(begun.expires_at.getTime() - clock.now().getTime())
  const { body } = await send('GET', '/registration')
  assert.deepEqual([body.status, body.error], ['failed', 'expired'])
  const job = room.parts.jobs?.find(({ name }) => name === 'git_apps.drop-old-flows')
  assert.ok(job)
  const drop = () => job.run({}, new AbortController().signal)
  await clock.advance(86_400_000)
  await drop()
  assert.equal(await status(), 'failed', 'exactly a day is not more than a day')
  await clock.advance(1)
  await start({ organization: 'newer' })
  await drop()
  const left = await db.selectFrom('git_app_flows').select('document').execute()
  assert.equal(left.length, 1, 'the newer one stays')
})

test('what became of a registration is for those who may read apps', async () => {
  assert.equal((await send('GET', '/registration', undefined, room.viewer)).status, 403)
  const url = '/v1/git-apps/forge/registration'
  assert.equal((await room.http.app.inject({ method: 'GET', url })).statusCode, 401)
})
