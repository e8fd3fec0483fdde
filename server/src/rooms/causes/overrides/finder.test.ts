import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createTestClock, createTestDatabase, startOutage, until } from '#platform/testing'
import { createFinder, type Override } from './rules/index.ts'
import { openOverrides, openOverridesBeside, PIPELINE } from './testing.ts'

const at = new Date('2026-11-21T09:00:00.000Z')

function aStoredOverride(changes: Partial<Override> = {}): Override {
  return {
    id: '01900000-0000-7000-8000-000000000001',
    repoOwner: 'acme',
    repoName: 'widgets',
    teamPath: 'acme/web',
    pipeline: PIPELINE,
    scope: 'acme/web/staging',
    expiresAt: null,
    reason: null,
    owner: { kind: 'user', id: 'u', name: 'mona' },
    createdAt: at,
    updatedAt: at,
    ...changes,
  }
}

describe('finding by name and time', () => {
  test('an override applies until the instant at which it expires, and not at it', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.integer({ min: -3, max: 3 }), (expiresAt, off) => {
        const now = new Date(expiresAt.getTime() + off)
        if (Number.isNaN(now.getTime())) return
        const found = createFinder([aStoredOverride({ expiresAt })]).listLive('acme/widgets', now)[0]
        assert.equal(found !== undefined, off < 0)
      }),
    )
  })

  test('letters of ASCII are equal in both cases, and no others', () => {
    const finder = createFinder([aStoredOverride({ repoOwner: 'Acme/Sub', repoName: 'Widgets' })])
    for (const name of ['acme/sub/widgets', 'ACME/SUB/WIDGETS', 'Acme/Sub/Widgets'])
      assert.ok(finder.listLive(name, at)[0])
    for (const name of ['acme/widgets', 'sub/widgets', 'acme/sub/widgets/', 'acme/\u017fub/widgets', '']) {
      assert.equal(finder.listLive(name, at)[0], undefined, name)
    }
  })
})

test('a change of another process is seen, and one that nobody told of is found out', async () => {
  const testDatabase = await createTestDatabase()
  const clock = createTestClock()
  const here = await openOverrides(testDatabase, { clock })
  const there = await openOverridesBeside(testDatabase, { authorization: 'none' }, { clock })
  after(async () => {
    await there.close()
    await here.close()
  })
  const find = async (name: string) => (await there.overrides.finder()).listLive(name, clock.now())[0]
  await testDatabase.database.notifications.ready()
  assert.equal(await find('acme/told'), undefined)

  await here.call('PUT', '/v1/overrides/acme/told', { pipeline: PIPELINE })
  assert.ok((await here.overrides.finder()).listLive('acme/told', clock.now())[0], 'the writer sees it at once')
  await until('the notification of a write', () => find('acme/told'), Boolean)
  await here.call('DELETE', '/v1/overrides/acme/told')
  await until(
    'the notification of a deletion',
    () => find('acme/told'),
    (found) => found === undefined,
  )

  await here.call('PUT', '/v1/overrides/acme/silent', { pipeline: PIPELINE })
  await until('the notification', () => find('acme/silent'), Boolean)
  await sql`alter table overrides disable trigger all`.execute(testDatabase.database.kysely)
  await sql`delete from overrides`.execute(testDatabase.database.kysely)
  await sql`update overrides_revision set revision = revision + 1`.execute(testDatabase.database.kysely)
  assert.ok(await find('acme/silent'), 'nothing is asked while the copy is young')
  await clock.advance(5001)
  assert.equal(await find('acme/silent'), undefined)
})

test('a copy of which nobody can say whether it is still true is not used', async () => {
  const testDatabase = await createTestDatabase()
  const house = await openOverrides(testDatabase)
  after(() => house.close())
  await house.call('PUT', '/v1/overrides/acme/widgets', { pipeline: PIPELINE })
  assert.ok((await house.overrides.finder()).listLive('acme/widgets', at)[0])
  const outage = await startOutage(testDatabase.url)
  house.overrides.changed()
  await assert.rejects(() => house.overrides.finder())
  await outage.end()
  const finder = await until(
    'an answer',
    () => house.overrides.finder().catch(() => undefined),
    (found) => found !== undefined,
  )
  assert.ok(finder?.listLive('acme/widgets', at)[0])
})
