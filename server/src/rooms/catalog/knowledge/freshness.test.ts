import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { isUnavailable } from '#platform/database'
import { createTestClock, createTestDatabase, startOutage, until } from '#platform/testing'
import { aJudgedRun, openKnowledge, openKnowledgeBeside, RUN_BEGINS, SCOPE } from './testing.ts'

const POLICY = { team_path: 'acme', name: 'stop', kind: 'policy', rule: 'false', message: 'No.' }

describe('a process beside the one that writes', () => {
  test('judges by a change that it is told of, and finds out one that nobody told of', async () => {
    const testDatabase = await createTestDatabase()
    const clock = createTestClock()
    const here = await openKnowledge(testDatabase, clock)
    const there = await openKnowledgeBeside(testDatabase, {}, clock)
    after(async () => {
      await there.close()
      await here.close()
    })
    const violated = async (house = there) =>
      (await house.knowledge.snapshot()).judge(aJudgedRun(), RUN_BEGINS).violation !== null
    await testDatabase.database.notifications.ready()
    assert.equal(await violated(), false)

    await here.call('POST', '/v1/knowledge', POLICY)
    assert.ok(await violated(here), 'the writer judges by it at once')
    await until('the notification of a save', () => violated(), Boolean)
    await here.call('PUT', '/v1/knowledge/acme%2Fstop', { ...POLICY, rule: 'true' })
    await until(
      'the notification of a revision',
      () => violated(),
      (is) => !is,
    )
    await here.call('PUT', '/v1/knowledge/acme%2Fstop', POLICY)
    await until('the next one', () => violated(), Boolean)
    await here.call('DELETE', '/v1/knowledge/acme%2Fstop')
    await until(
      'the notification of a deletion',
      () => violated(),
      (is) => !is,
    )

    const emergency = await here.call('POST', '/v1/emergencies', { scope: 'acme/**', reason: 'x' })
    const stopped = async () => (await there.knowledge.snapshot()).emergencyOn(SCOPE) !== undefined
    await until('the notification of an emergency', stopped, Boolean)
    await sql`alter table emergencies disable trigger all`.execute(here.db)
    await sql`delete from emergencies where id = ${emergency.body['id']}`.execute(here.db)
    await sql`update knowledge_revision set revision = revision + 1`.execute(here.db)
    assert.ok(await stopped(), 'nothing is asked while the copy is young')
    await clock.advance(5001)
    assert.equal(await stopped(), false)
  })

  test('knows within its transaction whether it has missed a change, and keeps the next one waiting', async () => {
    const testDatabase = await createTestDatabase()
    const here = await openKnowledge(testDatabase)
    after(() => here.close())
    const { knowledge, kit } = here
    const old = await knowledge.snapshot()
    assert.ok(await kit.database.transaction((tx) => knowledge.isCurrent(tx, old)))

    let declared = false
    const declare = async (): Promise<void> => {
      const { status } = await here.call('POST', '/v1/emergencies', { scope: 'acme/**', reason: 'x' })
      declared = status === 201
    }
    let declaring: Promise<void> | undefined
    await kit.database.transaction(async (tx) => {
      assert.ok(await knowledge.isCurrent(tx, old))
      declaring = declare()
      await until(
        'the emergency to wait for us',
        async () =>
          (
            await sql<{ waiting: boolean }>`
            select exists (select from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock') as waiting`.execute(here.db)
          ).rows,
        ([row]) => row?.waiting === true,
      )
      assert.equal(declared, false)
    })
    await declaring
    assert.ok(declared)
    assert.equal(await kit.database.transaction((tx) => knowledge.isCurrent(tx, old)), false)
    knowledge.refresh()
    const fresh = await knowledge.snapshot()
    assert.ok(fresh.emergencyOn(SCOPE))
    assert.ok(await kit.database.transaction((tx) => knowledge.isCurrent(tx, fresh)))
  })
})

describe('with the database gone', () => {
  test('a snapshot is given while it is young, and then refused until the database is back', async () => {
    const testDatabase = await createTestDatabase()
    const clock = createTestClock()
    const house = await openKnowledge(testDatabase, clock)
    after(() => house.close())
    await house.call('POST', '/v1/knowledge', POLICY)
    await testDatabase.database.notifications.ready()
    const before = await until(
      'a copy that needs no waiting',
      () => house.knowledge.snapshot(),
      (snapshot) => snapshot.judge(aJudgedRun(), RUN_BEGINS).violation !== null,
    )
    const outage = await startOutage(testDatabase.url)
    await clock.advance(5001)
    await assert.rejects(house.knowledge.snapshot(), (error) => isUnavailable(error))
    assert.notEqual(before.judge(aJudgedRun(), RUN_BEGINS).violation, null, 'what was taken stays as it was')
    await outage.end()
    const after5 = await until(
      'an answer',
      () => house.knowledge.snapshot().catch(() => undefined),
      (snapshot) => snapshot !== undefined,
    )
    assert.notEqual(after5?.judge(aJudgedRun(), RUN_BEGINS).violation, null)
  })

  test('a process that has just begun has no snapshot at all', async () => {
    const testDatabase = await createTestDatabase()
    const house = await openKnowledge(testDatabase)
    const fresh = await openKnowledgeBeside(testDatabase)
    after(async () => {
      await fresh.close()
      await house.close()
    })
    const outage = await startOutage(testDatabase.url)
    await assert.rejects(fresh.knowledge.snapshot(), (error) => isUnavailable(error))
    await outage.end()
    await until(
      'an answer',
      () => fresh.knowledge.snapshot().catch(() => undefined),
      (snapshot) => snapshot !== undefined,
    )
  })

  test('503: nobody learns what applies, and nothing is half done', async () => {
    const testDatabase = await createTestDatabase()
    const house = await openKnowledge(testDatabase)
    after(() => house.close())
    const outage = await startOutage(testDatabase.url)
    for (const [method, url, body] of [
      ['GET', `/v1/knowledge?scope=${SCOPE}`, undefined],
      ['POST', '/v1/knowledge', POLICY],
      ['POST', '/v1/knowledge/validate', POLICY],
      ['GET', '/v1/emergencies', undefined],
      ['POST', '/v1/emergencies', { scope: 'acme/**', reason: 'x' }],
    ] as const) {
      const { status, body: problem, text } = await house.call(method, url, body)
      assert.equal(status, 503, `${method} ${url}: ${text}`)
      assert.match(String(problem['code']), /^(database|authorization)_unavailable$/)
    }
    await outage.end()
    const list = await until(
      'an answer',
      () => house.call('GET', '/v1/knowledge'),
      ({ status }) => status === 200,
    )
    assert.equal(list.text, '[]')
  })

  test('a save that fails leaves nothing that would be judged', async () => {
    const testDatabase = await createTestDatabase()
    const house = await openKnowledge(testDatabase)
    after(() => house.close())
    await sql`alter table facts rename to facts_away`.execute(house.db)
    const failed = await house.call('POST', '/v1/knowledge', POLICY)
    const alarm = await house.call('POST', '/v1/emergencies', { scope: 'acme/**', reason: 'x' })
    await sql`alter table facts_away rename to facts`.execute(house.db)
    for (const { status, body, text } of [failed, alarm]) {
      assert.deepEqual([status, body['code']], [500, 'internal_error'], text)
      assert.doesNotMatch(text, /relation|insert|stack/i)
    }
    const snapshot = await house.knowledge.snapshot()
    assert.deepEqual(snapshot.judge(aJudgedRun(), RUN_BEGINS), { pins: [], violation: null })
    assert.equal(snapshot.emergencyOn(SCOPE), undefined)
    assert.equal((await house.call('POST', '/v1/knowledge', POLICY)).status, 201)
  })
})
