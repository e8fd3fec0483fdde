import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { FailPoint } from '#platform/fail-points'
import { lowestIdOf } from '#platform/ids'
import { until } from '#platform/testing'
import { listTurns, noteHeard } from './store/index.ts'
import { openHeads, REPOSITORY, sha } from './testing/open-heads.ts'

/** Looks at heads that are killed, refused, limited, or told nonsense. */

const house = await openHeads()
const { causes, clock, gitea, push, pull, compare, settle, commits, made, source } = house
const db = causes.kit.database.kysely
const [A, B, C, E] = ['a', 'b', 'c', 'e'].map(sha) as [string, string, string, string]
const PATH = `/v1/git-webhook-sources/${source.id}`
after(() => house.close())
let isDeleted = false
afterEach(async () => {
  if (!isDeleted) await house.assertRests()
  await house.forget()
})

const standing = () => house.get(`${PATH}/recovery`)

async function noted(repository = REPOSITORY): Promise<void> {
  await push(A, 'main', repository)()
  await clock.advance(1000)
  await compare()
  await clock.advance(1000)
}

describe('death', () => {
  const POINTS: readonly FailPoint[] = ['recovery.after_note', 'recovery.before_make', 'recovery.after_make']
  for (const point of POINTS) {
    test(`at ${point} loses and doubles nothing`, async () => {
      await pull({ number: 1, head: E })()
      await noted()
      const late = [push(B), pull({ number: 7, head: C })]
      house.dieAt(point)
      await settle()
      house.dieAt(point)
      await settle()
      await settle()
      for (const send of late) await send()
      await settle()
      assert.deepEqual((await commits()).toSorted(), [A, B, C, E])
      assert.equal((await made()).length, 2)
    })
  }

  test('of one of two processes that make the same leaves one event', async () => {
    await noted()
    for (let at = 0; at < 10; at++) push(sha(`${at}b`), `branch-${at}`)
    await compare()
    await clock.advance(5 * 60_000)
    await Promise.all([compare(), compare(), house.run('recovery.look-at-source', { sourceId: source.id })])
    assert.equal((await made()).length, 10)
    assert.equal(new Set(await commits()).size, 11)
    assert.equal((await commits()).length, 11)
  })
})

describe('a look that fails', () => {
  test('says why in the standing and the health, with the gap, and a good one ends it', async () => {
    await noted()
    push(B)
    const cases: readonly [typeof gitea.answer, RegExp][] = [
      [{ status: 502 }, /answered 502/],
      [{ status: 401 }, /refused the credential/],
      [{ status: 200, body: '{"hello":"world"}' }, /does not document/],
      [{ status: 200, body: '<html>' }, /not JSON/],
    ]
    const hour = () => clock.advance(61 * 60_000)
    for (const [answer, reason] of cases) {
      await hour()
      gitea.answer = answer
      await compare()
      const { recovery } = await house.get(`${PATH}/health`)
      assert.match(String(Object(recovery).reason), reason)
      assert.deepEqual(recovery, await standing())
      assert.notEqual((await standing())['gap'], null)
    }
    await hour()
    gitea.answer = { status: 301, headers: { location: '/api/v1/repos/acme/renamed/pulls' } }
    await compare()
    assert.equal((await standing())['gap'], null, 'what was renamed is no alarm')
    assert.match(String((await standing())['reason']), /redirects/)
    await hour()
    gitea.answer = undefined
    await settle()
    assert.partialDeepStrictEqual(await standing(), { gap: null, reason: null, recovered_7_days: 1 })
    assert.deepEqual(await commits(), [A, B])
  })

  test('at a provider that is away, or refuses the credential, gives the turns to others, and a person may ask', async () => {
    await noted()
    await noted('acme/tools')
    push(B)
    gitea.answer = { status: 401 }
    const asksAt = async (minutes: number, job = 'recovery.compare-heads') => {
      await clock.advance(minutes * 60_000)
      const before = gitea.asked.length
      await house.run(job, { sourceId: source.id })
      return gitea.asked.length - before
    }
    assert.deepEqual([await asksAt(1), await asksAt(30), await asksAt(1, 'recovery.look-at-source')], [1, 0, 1])
    gitea.answer = undefined
    await clock.advance(3_600_000)
    await settle()
    assert.deepEqual(await commits(), [A, A, B])
  })

  test('by a limited rate waits as long as the provider says, for all repositories of the source', async () => {
    await noted()
    await noted('acme/tools')
    push(B)
    gitea.answer = { status: 429, headers: { 'retry-after': '1800' } }
    await compare()
    const asked = gitea.asked.length
    gitea.answer = undefined
    await clock.advance(600_000)
    await compare()
    assert.equal(gitea.asked.length, asked)
    await clock.advance(1_300_000)
    await settle()
    assert.deepEqual(await commits(), [A, A, B])
  })

  test('of a repository that is gone is said once an hour, and does not stop the others', async () => {
    await noted()
    await noted('acme/tools')
    gitea.answer = { status: 404, of: REPOSITORY }
    push(B, 'main', 'acme/tools')
    const before = gitea.asked.length
    await settle()
    await settle()
    const ofGone = gitea.asked.slice(before).filter((path) => path.includes(REPOSITORY))
    assert.equal(ofGone.length, 2, 'both lists, once')
    const { reason, gap } = await standing()
    assert.match(String(reason), /does not have acme\/widgets, or does not show it/)
    assert.equal(gap, null, 'a repository that was removed is no alarm')
    assert.deepEqual(await commits(), [A, A, B])
  })

  test('of an endless list compares nothing, and says so', async () => {
    await noted()
    for (let at = 0; at < 1100; at++) push(at.toString(16).padStart(40, '1'), `b${at}`)
    await settle()
    assert.equal((await made()).length, 0)
    assert.match(String((await standing())['reason']), /more than 100 pages/)
  })
})

describe('nothing is made', () => {
  test('of what was pushed while the source was disabled', async () => {
    await noted()
    const set = (enabled: boolean) => causes.call('PATCH', PATH, { enabled })
    assert.equal((await set(false)).status, 200)
    push(B)
    await settle()
    assert.match(String((await standing())['reason']), /disabled/)
    assert.equal((await set(true)).status, 200)
    await settle()
    assert.deepEqual([await commits(), await made()], [[A], []])
    push(C)
    await settle()
    assert.deepEqual(await commits(), [A, C])
  })

  test('where the source was disabled between two looks, and something was sent meanwhile', async () => {
    await noted()
    await causes.call('PATCH', PATH, { enabled: false })
    assert.equal(await push(B)(), 404)
    await causes.call('PATCH', PATH, { enabled: true })
    // A refused delivery is recorded after its answer.
    const refused = () => db.selectFrom('deliveries').select('id').where('status_code', '=', 404).execute()
    await until('the record', refused, (rows) => rows.length === 1)
    await settle()
    assert.deepEqual([await commits(), await made()], [[A], []])
  })

  test('without a credential, nor outside of the allowlist, and the reason is said', async () => {
    await noted()
    push(B)
    const set = (given: object) => db.updateTable('webhook_sources').set(given).where('id', '=', source.id).execute()
    await set({ checkout_credential_ref: null })
    await settle()
    assert.match(String((await standing())['reason']), /Set checkout_credential_ref/)
    await set({ checkout_credential_ref: 'secret:acme/web/reads', repository_allowlist: ['other/*'] })
    const asked = gitea.asked.length
    await settle()
    assert.deepEqual([gitea.asked.length, await made()], [asked, []])
    await set({ repository_allowlist: ['acme/*'] })
    await settle()
    assert.equal((await made()).length, 1)
  })

  test('of a repository that told of nothing for thirty days', async () => {
    await noted()
    await clock.advance(31 * 86_400_000)
    push(B)
    const asked = gitea.asked.length
    await settle()
    assert.deepEqual([gitea.asked.length, await made()], [asked, []])
  })
})

describe('a source that tells of many repositories', () => {
  const note = (count: number, named: (at: number) => string) =>
    noteHeard(
      db,
      Array.from({ length: count }, (_, at) => {
        const eventId = `${lowestIdOf(clock.now().getTime()).slice(0, 24)}${at.toString(16).padStart(12, '0')}`
        return { sourceId: source.id, repository: named(at), eventId, pushId: eventId, pullId: null }
      }),
    )

  test('has a bounded number of rows, and takes no turns of another', async () => {
    await note(700, (at) => `acme/first-${at}`)
    await note(700, (at) => `acme/second-${at}`)
    await clock.advance(1)
    await note(700, (at) => `acme/first-${at}`)
    const { total } = await db
      .selectFrom('recovery_heads')
      .select((is) => is.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    assert.equal(total, 1000)
    const other = causes.kit.ids.next()
    await db
      .insertInto('recovery_heads')
      .values({
        source_id: other,
        repository: 'a/b',
        repository_key: 'a/b',
        heard_at: clock.now(),
        turn_at: clock.now(),
      })
      .execute()
    const asked = { sourceIds: [source.id, other], isAsked: false, heardSince: new Date(0), now: clock.now(), limit: 3 }
    const turns = await listTurns(db, asked)
    assert.deepEqual(
      turns.map(({ sourceId }) => sourceId === other),
      [false, true, false],
    )
    await db.deleteFrom('recovery_heads').execute()
  })
})

test('a branch that one page leaves out is not gone: it is not made again', async () => {
  await noted()
  await push(B, 'topic')()
  await compare()
  const { branches } = gitea.repositories.get(REPOSITORY) ?? { branches: new Map<string, string>() }
  branches.delete('topic')
  await clock.advance(3_600_000)
  await compare()
  branches.set('topic', B)
  await settle()
  assert.deepEqual(await made(), [])
})

test('the source that was deleted is forgotten', async () => {
  await noted()
  push(B)
  await compare()
  await causes.jobs.find(({ name }) => name === 'recovery.compare-heads')?.run({}, new AbortController().signal)
  const count = async () => {
    const rows = await db.selectFrom('recovery_heads').select('repository').execute()
    const suspected = await db.selectFrom('suspected_changes').select('id').execute()
    return rows.length + suspected.length
  }
  assert.equal(await count(), 2)
  await causes.call('DELETE', `/v1/triggers/${source.triggerId}`)
  assert.equal((await causes.call('DELETE', PATH)).status, 204)
  isDeleted = true
  await house.react()
  assert.equal(await count(), 0)
})
