import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestDatabase, createTestKit, testCaller } from '#platform/testing'
import { audit as auditRoom } from '#rooms/foundation/audit'
import { settings as settingsRoom } from './index.ts'
import { isSettingPath } from './rules.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const kit = createTestKit(database)
const audit = (await auditRoom.open(kit, {})).door
const { door: settings } = await settingsRoom.open(kit, { audit })
const origin = { caller: testCaller(), address: '127.0.0.1', requestId: 'r1' }
const path = 'setting/system/mail.yaml'

describe('settings', () => {
  test('a setting that was never saved is not there', async () => {
    assert.equal(await settings.get(db, path), undefined)
  })

  test('every save is a version; a secret that is left out stays, null takes it away', async () => {
    const first = await settings.put(db, origin, {
      path,
      document: { host: 'a' },
      secrets: { password: 'hush', key: 'k' },
    })
    assert.equal(first.version, 1)
    await settings.put(db, origin, { path, document: { host: 'b' }, secrets: { key: null } })
    const now = await settings.get(db, path)
    assert.equal(now?.version, 2)
    assert.deepEqual(now?.document, { host: 'b' })
    assert.deepEqual(now?.secrets, { password: 'hush' })
    const stored = await db.selectFrom('settings').selectAll().execute()
    assert.equal(stored.length, 2)
    const audited = await db.selectFrom('audit_records').selectAll().execute()
    assert.doesNotMatch(JSON.stringify([stored, audited]), /hush/)
    assert.equal(audited.length, 2)
  })

  test('whoever read an older version is told so', async () => {
    const stale = { path, document: { host: 'c' }, ifVersion: 1 }
    await assert.rejects(settings.put(db, origin, stale), { code: 'setting.version_conflict', status: 409 })
    await settings.put(db, origin, { ...stale, ifVersion: 2 })
  })

  test('of ten saves at once by people who read the same version, one wins', async () => {
    const saves = Array.from({ length: 10 }, (_, n) =>
      database.transaction((tx) => settings.put(tx, origin, { path, document: { n }, ifVersion: 3 })),
    )
    const outcomes = await Promise.allSettled(saves)
    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1)
    assert.equal((await settings.get(db, path))?.version, 4)
  })

  test('a sealed value that was moved to another version does not open', async () => {
    await db.updateTable('settings').set({ version: 40 }).where('version', '=', 4).execute()
    await assert.rejects(settings.get(db, path), { code: 'crypto.seal_broken' })
  })

  test('a path is setting/<parts>.yaml', async () => {
    for (const good of [path, 'setting/a.yaml']) assert.ok(isSettingPath(good))
    for (const bad of ['', 'mail.yaml', 'setting/../x.yaml', 'setting//x.yaml', 'setting/X.yaml', 'setting/x.yml']) {
      assert.equal(isSettingPath(bad), false, bad)
    }
    await assert.rejects(settings.put(db, origin, { path: 'x', document: {} }))
  })
})
