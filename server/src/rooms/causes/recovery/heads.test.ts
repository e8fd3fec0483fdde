import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { until } from '#platform/testing'
import { openHeads, REPOSITORY, sha } from './testing/open-heads.ts'

/** Gitea keeps no log: what nobody told of is seen by the heads. */

const house = await openHeads()
const { causes, clock, gitea, push, pull, compare, settle, commits, made, source } = house
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(sha) as [string, string, string, string]
after(() => house.close())
afterEach(async () => {
  await house.assertRests()
  await house.forget()
})

const standing = () => house.get(`/v1/git-webhook-sources/${source.id}/recovery`)

/** The repository told of a first push, and its heads are noted. */
async function noted(): Promise<void> {
  await push(A)()
  await clock.advance(1000)
  await compare()
  await clock.advance(1000)
}

describe('the first look', () => {
  test('only notes: nothing of what is there already starts, however many branches there are', async () => {
    for (let at = 0; at < 25; at++) push(sha(`${at % 10}e`), `old-${at}`)
    pull({ number: 7, head: B })
    await push(A)()
    await settle()
    await clock.advance(3_600_000)
    await settle()
    assert.deepEqual([await commits(), await made()], [[A], []])
  })

  test('is asked for with the credential of the source, and only of repositories that told of something', async () => {
    push(A, 'main', 'acme/silent')
    await noted()
    assert.ok(gitea.asked.every((path) => path.includes(REPOSITORY)))
    assert.deepEqual([...gitea.tokens], ['token a-token-that-reads'])
  })
})

describe('a push that nobody told of', () => {
  test('is made once, a grace after it was seen, from where the branch was', async () => {
    await noted()
    const missedAt = new Date(clock.now().getTime() - 1000).toISOString()
    await clock.advance(3_600_000)
    push(B)
    push(C)
    await compare()
    assert.deepEqual(await commits(), [A], 'a delivery may be on its way')
    await clock.advance(5 * 60_000)
    await compare()
    await compare()
    assert.deepEqual(await commits(), [A, C])
    const [row, ...more] = await made()
    assert.equal(more.length, 0)
    assert.partialDeepStrictEqual(row, {
      kind: 'made',
      state: 'recovered',
      repository: REPOSITORY,
      event_type: 'push',
      ref: 'refs/heads/main',
      before_sha: A,
      head_sha: C,
      missed_at: missedAt,
    })
    const event = await house.get(`/v1/events/${row?.['event_id']}`)
    assert.partialDeepStrictEqual(event, { recovered: true, missed_at: missedAt, result: 'accepted', commit_sha: C })
    const delivery = await house.get(`/v1/git-webhook-sources/${source.id}/deliveries/${row?.['delivery_id']}`)
    assert.partialDeepStrictEqual(delivery, {
      recovered: true,
      verification: 'not_checked',
      status_code: 202,
      payload: null,
      trace: { verification: /^Nobody sent it/.exec(Object(delivery['trace']).verification)?.input },
    })
    const replay = `/v1/git-webhook-sources/${source.id}/deliveries/${row?.['delivery_id']}/replay`
    const replayed = await causes.call('POST', replay)
    assert.deepEqual([replayed.status, /No delivery came/.test(replayed.text)], [409, true])
    assert.partialDeepStrictEqual(await standing(), { gap: null, missing: 0, recovered_7_days: 1, reason: null })
    const health = await house.get(`/v1/git-webhook-sources/${source.id}/health`)
    assert.ok(new Date(String(health['last_delivery_at'])) < new Date(missedAt), 'what was made is no sign of life')
  })

  test('of a new branch is its creation, and one that is gone makes nothing', async () => {
    await noted()
    await push(B, 'old')()
    await compare()
    push(C, 'new')
    push(null, 'old')
    await settle()
    await settle()
    assert.deepEqual(await commits(), [A, B, C])
    assert.deepEqual(
      (await made()).map(({ ref, before_sha: before }) => [ref, before]),
      [['refs/heads/new', null]],
    )
  })

  test('of a branch that was removed and is there anew starts again, and nothing is made of it', async () => {
    await noted()
    push(B, 'renovate')
    await settle()
    push(null, 'renovate')
    await settle()
    await clock.advance(3_600_000)
    assert.equal(await push(C, 'renovate')(), 202)
    await push(D, 'renovate')()
    await house.assertRests()
    assert.deepEqual(await commits(), [A, B, C, D])
    assert.equal((await made()).length, 1)
  })

  test('of a branch that is there anew before anybody saw that it was gone has its run, if later', async () => {
    await noted()
    push(B, 'renovate')
    await settle()
    push(null, 'renovate')
    await push(C, 'renovate')()
    await house.assertRests()
    assert.deepEqual(await commits(), [A, B, C])
  })

  test('that seems to be lost again and again is made once an hour, and the reason is said', async () => {
    await noted()
    push(B)
    await settle()
    const forgetEvents = () => causes.kit.database.kysely.deleteFrom('trigger_events').execute()
    for (const count of [1, 1, 1, 2, 2]) {
      await forgetEvents()
      await settle()
      assert.equal((await made()).length, count)
      if (count === 1) assert.match(String((await standing())['reason']), /^An event of refs\/heads\/main .* last hour/)
      await clock.advance(15 * 60_000)
    }
    await forgetEvents()
    await push(C)()
    push(B)
    await clock.advance(1000)
    await settle()
    assert.equal((await made()).length, 3, 'what a delivery told between makes it news')
  })

  test('is not seen in a head that was left while the list was read, however long something is untold', async () => {
    await noted()
    push(B)
    const told = push(C)
    for (let at = 0; at < 4; at++) {
      gitea.meanwhile = async () => {
        await clock.advance(1000)
        await push(sha(`${at}d`))()
      }
      await compare()
      await clock.advance(5 * 60_000)
    }
    await told()
    await house.assertRests()
    assert.deepEqual(await made(), [])
  })

  test('that was told within the grace is not made', async () => {
    await noted()
    const send = push(B)
    await compare()
    await send()
    await clock.advance(5 * 60_000)
    await compare()
    assert.deepEqual([await commits(), await made()], [[A, B], []])
  })

  test('is each time another change where the branch goes back and forth', async () => {
    await noted()
    for (const head of [B, A, B]) {
      push(head)
      await settle()
      await clock.advance(3_600_000)
    }
    assert.deepEqual(await commits(), [A, B, A, B])
    assert.equal((await made()).length, 3)
  })

  test('is not made again where the branch went back after it, and on from there', async () => {
    await noted()
    push(B)
    await settle()
    await push(A)()
    await clock.advance(3_600_000)
    await push(D)()
    await house.assertRests()
    assert.deepEqual(await commits(), [A, B, A, D])
    assert.equal((await made()).length, 1)
  })

  test('back to where the last look saw it is seen by what was told in between', async () => {
    await noted()
    await push(B)()
    push(A)
    await clock.advance(1000)
    await settle()
    assert.deepEqual(
      (await made()).map((row) => [row['before_sha'], row['head_sha']]),
      [[B, A]],
    )
    assert.deepEqual(await commits(), [A, B, A])
  })

  test('of the own app starts nothing', async () => {
    await noted()
    const db = causes.kit.database.kysely
    const send = push(B)
    await send()
    // As the ingress records a push of the own app: ignored, and no event.
    await db.deleteFrom('trigger_events').where('commit_sha', '=', B).execute()
    await db.updateTable('deliveries').set({ result: 'ignored' }).where('commit_sha', '=', B).execute()
    await settle()
    assert.deepEqual(await made(), [])
  })
})

test('a repository that told of nothing is looked at less often, and one that was made to run keeps nothing alive', async () => {
  await noted()
  const asked = async (minutes: number) => {
    await clock.advance(minutes * 60_000)
    const before = gitea.asked.length
    await compare()
    return gitea.asked.length > before
  }
  assert.deepEqual([await asked(24 * 60), await asked(25), await asked(10)], [true, false, true])
  assert.deepEqual([await asked(7 * 24 * 60), await asked(110), await asked(15)], [true, false, true])
  await house.run('recovery.look-at-source', { sourceId: source.id })
  push(B)
  await clock.advance(121 * 60_000)
  await settle()
  assert.deepEqual(await commits(), [A, B])
  await clock.advance(23 * 86_400_000)
  push(C)
  await settle()
  assert.deepEqual(await commits(), [A, B], 'nothing was delivered for thirty days')
})

describe('what comes late', () => {
  async function outage(): Promise<readonly (() => Promise<number>)[]> {
    await noted()
    const late = [push(B), push(C)]
    await settle()
    await clock.advance(3_600_000)
    return late
  }

  test('of the same change starts nothing, whenever it comes', async () => {
    await noted()
    const late = push(C)
    await settle()
    for (let hour = 0; hour < 3; hour++) {
      assert.ok((await late()) < 300)
      await clock.advance(3_600_000)
    }
    assert.deepEqual(await commits(), [A, C])
  })

  test('in parts starts nothing, in whatever order, and says why', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const late = await outage()
      for (const at of order) await late[at]?.()
      await settle()
      assert.deepEqual(await commits(), [A, C])
      const events = await house.list('/v1/events?limit=10')
      const repeated = events.filter(({ result }) => result === 'duplicate')
      assert.equal(repeated.length, 2)
      const shown = await house.get(`/v1/events/${repeated[0]?.['id']}`)
      assert.match(JSON.stringify(shown['trace']), /No delivery had told of this change/)
      await house.forget()
    }
  })

  test('starts what a rule wants of it that the made event could not say, such as who pushed', async () => {
    const address = `/v1/triggers/${source.triggerId}`
    const changed = await causes.call('PATCH', address, { if: 'event.sender.login != null' })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    try {
      await noted()
      const late = push(C)
      await settle()
      assert.deepEqual([await commits(), (await made()).length], [[A], 1], 'nobody knows who pushed')
      assert.ok((await late()) < 300)
      assert.deepEqual(await commits(), [A, C])
    } finally {
      await causes.call('PATCH', address, { if: null })
    }
  })

  test('and begins with the end of the branch is not taken for a part of the old one', async () => {
    await noted()
    push(B, 'renovate')
    await settle()
    const [gone, anew] = [push(null, 'renovate'), push(D, 'renovate')]
    await Promise.all([gone(), anew()])
    await settle()
    await settle()
    const ran = await commits()
    assert.deepEqual([ran.slice(0, 2), ran.filter((commit) => commit === D).length], [[A, B], 1])
  })

  test('does not hide what is pushed then', async () => {
    const [first] = await outage()
    await push(D)()
    await first?.()
    await push(B)()
    assert.deepEqual(await commits(), [A, C, D, B])
  })

  test('waits for whoever makes an event of its branch, and for no other', async () => {
    await noted()
    const late = push(B)
    await compare()
    const { database } = causes.kit
    const countWaiting = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%suspected_changes%for share%'
      `.execute(database.kysely)
      return rows.length
    }
    let answered = false
    let sending: Promise<unknown> = Promise.resolve()
    await database.transaction(async (tx) => {
      await sql`select from suspected_changes where ref = 'refs/heads/main' for update`.execute(tx)
      assert.ok((await push(C, 'other')()) < 300)
      sending = late().finally(() => {
        answered = true
      })
      await until('the delivery that waits', countWaiting, (count) => count > 0)
      assert.equal(answered, false)
    })
    await sending
    assert.deepEqual(await commits(), [A, C, B])
  })

  test('while the event is made is waited for: one of the two starts the run', async () => {
    for (let round = 0; round < 5; round++) {
      await noted()
      const late = push(C)
      await compare()
      await clock.advance(5 * 60_000)
      await Promise.all([compare(), late(), compare()])
      assert.deepEqual(await commits(), [A, C])
      await house.forget()
    }
  })
})

describe('a pull request that nobody told of', () => {
  const E = sha('e')
  /** The webhook sends pull requests. */
  async function notedWithPull(): Promise<void> {
    await pull({ number: 1, head: E })()
    await noted()
  }

  test('of a webhook that never told of one is not made, nor a branch of one that never told of a push', async () => {
    await noted()
    pull({ number: 7, head: B })
    push(C, 'main', 'acme/tools')
    await causes.kit.database.kysely.updateTable('recovery_heads').set({ pushed_at: null }).execute()
    push(C)
    await settle()
    await settle()
    assert.deepEqual([await commits(), await made()], [[A], []])
    await clock.advance(60_000)
    await pull({ number: 8, head: D })()
    await clock.advance(60_000)
    pull({ number: 9, head: E })
    await settle()
    assert.deepEqual([await commits(), (await made()).length], [[A, D, E], 1])
  })

  test('is not there while the provider shows none: branches are compared, and the first that come are nothing new', async () => {
    await notedWithPull()
    gitea.answer = { status: 404, list: 'pulls' }
    await clock.advance(60_000)
    push(B)
    await settle()
    assert.deepEqual(await commits(), [E, A, B])
    assert.equal((await standing())['reason'], null)
    gitea.answer = undefined
    pull({ number: 7, head: C })
    await settle()
    assert.deepEqual(await commits(), [E, A, B, C])
    await house.forget()
    gitea.answer = { status: 404, list: 'pulls' }
    await notedWithPull()
    pull({ number: 6, head: B })
    gitea.answer = undefined
    await settle()
    assert.deepEqual(await commits(), [E, A])
  })

  test('is opened, and then synchronized; late deliveries of it start nothing', async () => {
    await notedWithPull()
    const opened = pull({ number: 7, head: B })
    await settle()
    await clock.advance(60_000)
    const moved = pull({ number: 7, head: C }, 'synchronized')
    await settle()
    await opened()
    await moved()
    assert.deepEqual(await commits(), [E, A, B, C])
    const events = await house.list('/v1/events?limit=10&kind=pull_request')
    assert.deepEqual(events.map(({ action, result }) => `${action} ${result}`).toReversed(), [
      'opened accepted',
      'opened accepted',
      'synchronized accepted',
      'opened duplicate',
      'synchronized duplicate',
    ])
  })

  test('of a fork stays untrusted', async () => {
    await notedWithPull()
    pull({ number: 9, head: D, fork: true })
    await settle()
    const runs = await causes.kit.database.kysely
      .selectFrom('runs')
      .select(['untrusted', 'commit_sha'])
      .where('commit_sha', '=', D)
      .execute()
    assert.deepEqual(runs, [{ untrusted: true, commit_sha: D }])
  })

  test('that a delivery told of is not made again, nor when its title changes', async () => {
    await noted()
    await pull({ number: 7, head: B })()
    await clock.advance(60_000)
    pull({ number: 7, head: B })
    await settle()
    assert.deepEqual(await made(), [])
  })
})
