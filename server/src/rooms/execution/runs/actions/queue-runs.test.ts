import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { execute } from '#platform/database'
import { createTestDatabase, createTestKit, until } from '#platform/testing'
import { aPipeline } from '../../../catalog/pipelines/testing.ts'
import { anEnvironment } from '../../../foundation/teams/testing.ts'
import { releasingGroup } from '../store/groups.ts'
import { cancelingRuns } from './cancel-matching.ts'
import { keepEventTexts } from './keep-events.ts'
import { type NewRun, queueingRuns, type RunnablePipeline } from './queue-runs.ts'
import { releaseGroups } from './release-groups.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const kit = createTestKit(database)
const ended: string[] = []
const means = {
  ...kit,
  observe: (_status: string, cause: string) => void ended.push(cause),
  eventTexts: keepEventTexts(),
}
let pipeline: RunnablePipeline
let elsewhere: RunnablePipeline
let count = 0
/** A group of its own for each test. */
let group = ''

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const C = 'c'.repeat(40)

before(async () => {
  await anEnvironment(db, 'acme/web/production')
  const runnable = async (teamPath: string): Promise<RunnablePipeline> => {
    const { id, versionId } = await aPipeline(db, `${teamPath}/build`)
    const requirement = { executor: 'host', labels: [] } as const
    const named = { pipelineId: id, versionId, version: 1, identifier: `${teamPath}/build`, name: 'build', teamPath }
    const container = { image: null, resources: {}, profiles: {} }
    const plain = { profileEnvironment: {}, variables: {}, priority: 0, queueTimeoutMs: null, concurrency: null }
    return { ...named, requirement, ...container, ...plain }
  }
  await anEnvironment(db, 'acme/api/production')
  pipeline = await runnable('acme/web')
  elsewhere = await runnable('acme/api')
})

beforeEach(() => {
  count += 1
  group = `group ${count}`
  ended.length = 0
})

interface Wanted {
  readonly on?: 'cancel_running' | 'queue' | 'skip'
  readonly commit?: string
  readonly ancestors?: readonly string[]
  /** A minute of one hour. */
  readonly at?: number
  readonly group?: string
  readonly more?: Partial<NewRun>
}

function aRun(wanted: Wanted): NewRun & { readonly id: string } {
  const { on = 'cancel_running', commit = A, ancestors = [], at } = wanted
  const occurredAt = at === undefined ? null : `2026-11-21T10:${String(at).padStart(2, '0')}:00Z`
  return {
    id: kit.ids.next(),
    pipeline,
    scope: 'acme/web/production',
    cause: 'event',
    initiator: { kind: 'user', id: kit.ids.next(), name: 'tester' },
    eventId: kit.ids.next(),
    repository: 'acme/widgets',
    cloneUrl: 'https://git.example/acme/widgets.git',
    commitSha: commit,
    concurrency: { group: wanted.group ?? group, onConflict: on, ancestors, occurredAt },
    ...wanted.more,
  }
}

const queue = async (...wanted: readonly Wanted[]) => {
  const runs = wanted.map(aRun)
  await database.pipeline(queueingRuns(means, runs))
  return runs.map((run) => run.id)
}
const queueOne = async (wanted: Wanted) => (await queue(wanted))[0] ?? ''

const read = async (id: string) =>
  await db
    .selectFrom('runs')
    .select(['status', 'reason', 'withheld', 'note', 'cancel_requested_at', 'cancel_reason', 'finished_at', 'revision'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const statusOf = async (id: string) => (await read(id)).status

/** As a dispatcher does when it begins it. */
const begin = async (id: string) => {
  await db
    .updateTable('runs')
    .set({ status: 'running', started_at: new Date(), revision: 1 })
    .where('id', '=', id)
    .execute()
  return id
}
const finish = async (id: string) => {
  await db.updateTable('runs').set({ status: 'success', finished_at: new Date() }).where('id', '=', id).execute()
}
const factsOf = async (id: string) =>
  (await db.selectFrom('facts').select(['kind', 'version', 'payload']).execute()).filter(({ payload }) =>
    JSON.stringify(payload).includes(id),
  )

describe('cancel_running', () => {
  /**
   * The effect of a new run on a running one. Each row has the facts of the old run, those of the new run, and the outcome.
   */
  const rows: readonly [string, Wanted, Wanted, 'old ends' | 'new ends' | 'both run'][] = [
    ['the old commit lies before the new one', { commit: A }, { commit: B, ancestors: [A] }, 'old ends'],
    ['the new commit lies before the old one', { commit: B, ancestors: [A] }, { commit: A }, 'new ends'],
    ['the new event is later', { commit: A, at: 1 }, { commit: B, at: 2 }, 'old ends'],
    ['the new event is earlier', { commit: A, at: 2 }, { commit: B, at: 1 }, 'new ends'],
    ['both events are of one moment', { commit: A, at: 1 }, { commit: B, at: 1 }, 'both run'],
    ['the old event has no time', { commit: A }, { commit: B, at: 1 }, 'both run'],
    ['the new event has no time', { commit: A, at: 1 }, { commit: B }, 'both run'],
    ['neither has a time nor a common past', { commit: A }, { commit: B, ancestors: [C] }, 'both run'],
    ['it is the same commit', { commit: A }, { commit: A }, 'old ends'],
    ['it is the same commit, asked for earlier', { commit: A, at: 2 }, { commit: A, at: 1 }, 'old ends'],
    ['what lies before outweighs the clock', { commit: A, at: 2 }, { commit: B, ancestors: [A], at: 1 }, 'old ends'],
    [
      'what lies before outweighs the clock, the other way',
      { commit: B, ancestors: [A], at: 1 },
      { commit: A, at: 2 },
      'new ends',
    ],
    [
      'the branch was set back to the old commit',
      { commit: B, ancestors: [A], at: 1 },
      { commit: A, ancestors: [B], at: 2 },
      'old ends',
    ],
    [
      'the word of a branch that was set back comes first',
      { commit: A, ancestors: [B], at: 2 },
      { commit: B, ancestors: [A], at: 1 },
      'new ends',
    ],
    [
      'the branch was set back and nobody says when',
      { commit: B, ancestors: [A] },
      { commit: A, ancestors: [B] },
      'both run',
    ],
  ]
  for (const [what, first, second, outcome] of rows) {
    test(`${what}: ${outcome}`, async () => {
      const old = await begin(await queueOne(first))
      const fresh = await queueOne(second)
      const [oldRun, newRun] = [await read(old), await read(fresh)]
      assert.equal(oldRun.cancel_requested_at !== null, outcome === 'old ends')
      assert.equal(oldRun.status, 'running', 'its end is the dispatcher’s')
      assert.equal(newRun.status, outcome === 'new ends' ? 'canceled' : 'queued')
      if (outcome === 'old ends')
        assert.equal(oldRun.cancel_reason, `Run ${fresh} of the group ${group} took its place.`)
      assert.equal(newRun.reason, outcome === 'new ends' ? 'A newer commit runs already.' : null)
      assert.equal(
        newRun.note,
        outcome === 'both run'
          ? `Run ${old} of the group ${group} goes on: whose commit is newer cannot be told.`
          : null,
      )
      assert.deepEqual(ended, outcome === 'new ends' ? ['event'] : [])
    })
  }

  describe('of what no event started', () => {
    const asked: Partial<NewRun> = { cause: 'request', eventId: undefined, commitSha: undefined }
    /** The effect of a requested run and another run on each other: the first one runs when the second one comes. */
    const pairs: readonly [string, Wanted, Wanted, 'old ends' | 'both run'][] = [
      ['both were asked for', { more: asked }, { more: asked }, 'old ends'],
      ['an event came before', { at: 1 }, { more: asked }, 'old ends'],
      ['an event without a time came before', {}, { more: asked }, 'old ends'],
      ['it is a rerun', { more: asked }, { more: { ...asked, cause: 'rerun' } }, 'old ends'],
      ['an event happened before, and comes late', { more: asked }, { at: 1 }, 'both run'],
      ['an event without a time comes', { more: asked }, {}, 'both run'],
    ]
    for (const [what, first, second, outcome] of pairs) {
      test(`${what}: ${outcome}`, async () => {
        const old = await begin(await queueOne(first))
        const fresh = await queueOne(second)
        assert.equal((await read(old)).cancel_requested_at !== null, outcome === 'old ends')
        assert.equal(await statusOf(fresh), 'queued')
        assert.equal((await read(fresh)).note !== null, outcome === 'both run')
      })
    }

    test('runs of tasks do not end each other', async () => {
      const runId = await queueOne({ group: `${group} above` })
      const made = (task: string): Wanted => {
        const parent = { runId, step: 'deploy', task, attempt: 1 }
        return { more: { ...asked, cause: 'pipeline', parent, depth: 1 } }
      }
      const old = await begin(await queueOne(made('web')))
      await queueOne(made('api'))
      assert.equal((await read(old)).cancel_requested_at, null)
    })

    test('an event that happened later ends it', async () => {
      const old = await begin(await queueOne({ more: asked }))
      const concurrency = {
        group,
        onConflict: 'cancel_running',
        ancestors: [],
        occurredAt: '2999-01-01T00:00:00Z',
      } as const
      await queueOne({ more: { concurrency } })
      assert.ok((await read(old)).cancel_requested_at)
    })

    test('a commit that lies before the one that runs is older, whoever asks for it', async () => {
      const old = await begin(await queueOne({ commit: B, ancestors: [A] }))
      const fresh = await queueOne({ more: { ...asked, commitSha: A } })
      assert.equal((await read(old)).cancel_requested_at, null)
      assert.equal((await read(fresh)).reason, 'A newer commit runs already.')
    })
  })

  test('ends every older run, queued ones at once, and tells each fact', async () => {
    const first = await queueOne({ at: 1, commit: A, more: { concurrency: undefined } })
    const running = await begin(await queueOne({ at: 1, commit: A }))
    const queued = await queueOne({ at: 1, commit: B })
    const waiting = await queueOne({ on: 'queue', at: 2, commit: B })
    const fresh = await queueOne({ at: 5, commit: C })
    assert.equal((await read(running)).cancel_reason, `Run ${fresh} of the group ${group} took its place.`)
    for (const id of [queued, waiting]) {
      const { status, reason, finished_at } = await read(id)
      assert.deepEqual([status, reason], ['canceled', `Run ${fresh} of the group ${group} took its place.`])
      assert.ok(finished_at)
      const [fact, ...more] = await factsOf(id)
      assert.equal(more.length, 0)
      assert.equal(fact?.kind, 'run.finished')
    }
    assert.equal(await statusOf(first), 'queued', 'a run without a group is none of its')
    assert.equal(await statusOf(fresh), 'queued')
    assert.deepEqual(ended, ['event', 'event'])
  })

  test('a newer run that is being canceled runs no longer', async () => {
    const newer = await begin(await queueOne({ commit: B, at: 9 }))
    await db.updateTable('runs').set({ cancel_requested_at: new Date() }).where('id', '=', newer).execute()
    assert.equal(await statusOf(await queueOne({ commit: A, at: 1 })), 'queued')
  })

  test('a newer run that has finished is in nobody’s way', async () => {
    await finish(await begin(await queueOne({ commit: B, at: 9 })))
    assert.equal(await statusOf(await queueOne({ commit: A, at: 1 })), 'queued')
  })

  test('groups of other teams and other groups are others', async () => {
    const [otherTeam, otherGroup] = await queue({ at: 1, more: { pipeline: elsewhere } }, { at: 1, group: `${group}!` })
    await queueOne({ commit: B, at: 2 })
    assert.equal(await statusOf(otherTeam ?? ''), 'queued')
    assert.equal(await statusOf(otherGroup ?? ''), 'queued')
  })

  test('runs of one event do not end each other', async () => {
    const event = { eventId: kit.ids.next() }
    const [one, two] = await queue({ at: 1, more: event }, { at: 1, more: event })
    assert.equal(await statusOf(one ?? ''), 'queued')
    assert.deepEqual([(await read(two ?? '')).status, (await read(two ?? '')).note], ['queued', null])
  })

  test('runs that are queued together are decided in their order', async () => {
    const [one, two, three] = await queue(
      { commit: A, at: 1 },
      { commit: C, at: 3, ancestors: [A] },
      { commit: B, at: 2, ancestors: [A] },
    )
    assert.deepEqual(await Promise.all([one, two, three].map((id) => statusOf(id ?? ''))), [
      'canceled',
      'queued',
      'canceled',
    ])
    assert.equal((await read(three ?? '')).reason, 'A newer commit runs already.')
  })

  test('is heard of when the transaction commits', async () => {
    const old = await begin(await queueOne({ at: 1 }))
    const heard: (string | undefined)[] = []
    const stop = database.notifications.listen('runs_cancel', (payload) => void heard.push(payload))
    await until(
      'the channel to be open',
      async () => await sql`select pg_notify('runs_cancel', 'x')`.execute(db),
      () => heard.includes('x'),
    )
    await queueOne({ commit: B, at: 2 })
    await until(
      'the cancel',
      () => heard,
      (all) => all.includes(old),
    )
    stop()
  })
})

describe('skip', () => {
  test('a run is stored finished while another of its group has not, and its fact is told', async () => {
    const running = await begin(await queueOne({ on: 'skip' }))
    const skipped = await queueOne({ on: 'skip', commit: B, at: 5 })
    const { status, reason, finished_at, cancel_requested_at } = await read(skipped)
    assert.deepEqual([status, reason], ['canceled', `Skipped: run ${running} of the group ${group} has not finished.`])
    assert.ok(finished_at && cancel_requested_at)
    const [fact] = await factsOf(skipped)
    const row = await db.selectFrom('runs').selectAll().where('id', '=', skipped).executeTakeFirstOrThrow()
    assert.deepEqual(fact, {
      kind: 'run.finished',
      version: 1,
      payload: {
        run_id: skipped,
        status: 'canceled',
        reason,
        pipeline_id: pipeline.pipelineId,
        pipeline: 'acme/web/build',
        team_path: 'acme/web',
        scope: 'acme/web/production',
        cause: 'event',
        queued_at: row.queued_at.toISOString(),
        started_at: null,
        finished_at: row.finished_at?.toISOString(),
      },
    })
    assert.deepEqual(ended, ['event'])
    assert.equal(await statusOf(running), 'running')
    await finish(running)
    assert.equal(await statusOf(await queueOne({ on: 'skip' })), 'queued')
  })

  test('of several that are queued together the first one stays', async () => {
    const ids = await queue({ on: 'skip' }, { on: 'skip' }, { on: 'skip' })
    assert.deepEqual(await Promise.all(ids.map(statusOf)), ['queued', 'canceled', 'canceled'])
  })
})

describe('queue', () => {
  test('a run waits until none of its group is before it, one after the other', async () => {
    const [one, two, three] = await queue({ on: 'queue' }, { on: 'queue' }, { on: 'queue' })
    const withheld = async () => await Promise.all([one, two, three].map(async (id) => (await read(id ?? '')).withheld))
    assert.deepEqual(await withheld(), [null, 'group', 'group'])
    await releaseGroups(database)
    assert.deepEqual(await withheld(), [null, 'group', 'group'], 'the first one has not finished')
    await finish(await begin(one ?? ''))
    await releaseGroups(database)
    assert.deepEqual(await withheld(), [null, null, 'group'])
    await finish(await begin(two ?? ''))
    await releaseGroups(database)
    assert.deepEqual(await withheld(), [null, null, null])
  })

  test('one that is canceled while it waits is passed over', async () => {
    const [one, two, three] = await queue({ on: 'queue' }, { on: 'queue' }, { on: 'queue' })
    await db
      .updateTable('runs')
      .set({ status: 'canceled', finished_at: new Date() })
      .where('id', 'in', [one ?? '', two ?? ''])
      .execute()
    await releaseGroups(database)
    assert.equal((await read(three ?? '')).withheld, null)
  })

  test('waits behind one that was queued without waiting, too', async () => {
    await queueOne({ on: 'cancel_running' })
    assert.equal((await read(await queueOne({ on: 'queue', commit: B }))).withheld, 'group')
  })

  test('every group that is free is released by one look', async () => {
    const groups = ['x', 'y', 'z'].map((name) => `${group} ${name}`)
    const firsts = await queue(...groups.map((name) => ({ on: 'queue', group: name }) as const))
    const seconds = await queue(...groups.map((name) => ({ on: 'queue', group: name }) as const))
    for (const id of firsts) await finish(await begin(id))
    await releaseGroups(database)
    for (const id of seconds) assert.equal((await read(id)).withheld, null)
  })
})

describe('a held run', () => {
  const held = (pullRequest: number, more: Partial<NewRun> = {}): Partial<NewRun> => ({
    untrusted: true,
    pullRequest,
    hold: { kind: 'fork_approval', pullRequest },
    ...more,
  })

  test('stands outside its group: it ends, delays and skips nobody', async () => {
    const running = await begin(await queueOne({ at: 1 }))
    await queueOne({ commit: B, at: 2, more: held(1) })
    assert.equal((await read(running)).cancel_requested_at, null)
    await finish(running)
    assert.equal((await read(await queueOne({ on: 'queue', commit: C }))).withheld, null)
    await db
      .updateTable('runs')
      .set({ status: 'canceled', finished_at: new Date() })
      .where('withheld', 'is', null)
      .where('status', '=', 'queued')
      .execute()
    assert.equal(await statusOf(await queueOne({ on: 'skip', commit: C })), 'queued')
  })

  test('ends when a newer commit of its pull request arrives, and only then', async () => {
    const none = { concurrency: undefined }
    const old = await queueOne({ commit: A, more: held(2, none) })
    const twin = await queueOne({ commit: B, more: held(2, none) })
    assert.deepEqual(
      [(await read(old)).status, (await read(old)).reason],
      ['canceled', 'A newer commit of the pull request arrived.'],
    )
    const same = await queueOne({ commit: B, more: held(2, none) })
    const neighbour = await queueOne({ commit: C, more: held(3, none) })
    const mirror = await queueOne({ commit: C, more: held(2, { ...none, cloneUrl: 'https://other.example/w.git' }) })
    const rerun = await queueOne({ commit: C, more: { ...none, pullRequest: 2, cause: 'rerun' } })
    for (const id of [twin, same, neighbour, mirror, rerun]) assert.equal(await statusOf(id), 'queued')
    assert.equal((await factsOf(old)).length, 1)
    assert.deepEqual(ended, ['event'])
  })

  test('of an older commit, whose event comes late, ends itself', async () => {
    const at = (minute: number) => ({ event: { occurred_at: `2026-11-21T10:0${minute}:00Z` }, concurrency: undefined })
    const newer = await queueOne({ commit: B, more: held(4, at(2)) })
    const late = await queueOne({ commit: A, more: held(4, at(1)) })
    assert.equal(await statusOf(newer), 'queued')
    assert.equal((await read(late)).reason, 'A newer commit of the pull request arrived.')
  })

  test('of the head that was pushed before a comment, and is told of after it, stays', async () => {
    const none = { concurrency: undefined }
    const event = (minute: number, previous: string | null) => ({
      event: { before: previous, occurred_at: `2026-11-21T10:0${minute}:00Z` },
    })
    const comment = await queueOne({ commit: A, more: held(6, { ...none, ...event(6, null) }) })
    const push = await queueOne({ commit: B, more: held(6, { ...none, ...event(5, A) }) })
    assert.equal(await statusOf(push), 'queued')
    assert.equal((await read(comment)).reason, 'A newer commit of the pull request arrived.')
  })

  test('a run that was approved is not touched by newer commits outside its group', async () => {
    const approved = await queueOne({ commit: A, more: held(5, { concurrency: undefined }) })
    await db.updateTable('runs').set({ withheld: null }).where('id', '=', approved).execute()
    await queueOne({ commit: B, more: held(5, { concurrency: undefined }) })
    assert.equal(await statusOf(approved), 'queued')
  })
})

describe('/cancel', () => {
  const cancel = async (
    triggerId: string | null,
    manifestTrigger: string | null,
    pullRequest: number,
    teamPath: string | null = null,
  ) =>
    await database.pipeline(
      cancelingRuns(means, [
        { triggerId, manifestTrigger, teamPath, repository: 'acme/widgets', pullRequest, by: 'maintainer' },
      ]),
    )

  test('ends the unfinished runs of a trigger for a pull request, and no others', async () => {
    const triggerId = kit.ids.next()
    const none = { concurrency: undefined }
    const queued = await queueOne({ more: { ...none, triggerId, pullRequest: 7 } })
    const running = await begin(await queueOne({ more: { ...none, triggerId, pullRequest: 7 } }))
    const done = await queueOne({ more: { ...none, triggerId, pullRequest: 7 } })
    await finish(await begin(done))
    const others = await queue(
      { more: { ...none, triggerId, pullRequest: 8 } },
      { more: { ...none, triggerId: kit.ids.next(), pullRequest: 7 } },
      { more: { ...none, triggerId, pullRequest: 7, repository: 'acme/gadgets' } },
      { more: { ...none, manifestTrigger: 'ci', pullRequest: 7 } },
    )
    ended.length = 0
    await cancel(triggerId, null, 7)
    await cancel(triggerId, null, 7)
    assert.deepEqual(
      [(await read(queued)).status, (await read(queued)).reason],
      ['canceled', 'canceled by a comment of maintainer'],
    )
    assert.equal((await read(running)).cancel_reason, 'canceled by a comment of maintainer')
    assert.equal(await statusOf(done), 'success')
    for (const id of others) assert.equal(await statusOf(id), 'queued')
    assert.deepEqual(ended, ['event'])
    assert.equal((await factsOf(queued)).length, 1)
  })

  test('of an entry of the manifest by its name; of nothing where neither is named', async () => {
    const none = { concurrency: undefined, pullRequest: 9 }
    const [mine, other] = await queue({ more: { ...none, manifestTrigger: 'ci' } }, { more: none })
    const { team_path: team } = await db
      .selectFrom('runs')
      .select('team_path')
      .where('id', '=', mine ?? '')
      .executeTakeFirstOrThrow()
    await cancel(null, null, 9, team)
    for (const place of [`${team}-2`, `${team}/sub`, 'other', team.slice(0, -1)]) {
      await cancel(null, 'ci', 9, place)
    }
    assert.equal(await statusOf(mine ?? ''), 'queued')
    await cancel(null, 'ci', 9, team)
    assert.equal(await statusOf(mine ?? ''), 'canceled')
    assert.equal(await statusOf(other ?? ''), 'queued')
  })
})

describe('two transactions at once', () => {
  const waitsForLock = async () =>
    await until(
      'the second transaction to wait for the first',
      async () =>
        await sql`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`.execute(
          db,
        ),
      ({ rows }) => rows.length > 0,
    )

  /** The first one has decided and is not committed when the second one is sent. */
  const race = async (
    first: readonly Wanted[],
    second: () => Promise<unknown>,
    more: () => Promise<void> = async () => undefined,
  ): Promise<readonly string[]> => {
    const runs = first.map(aRun)
    let waiting: Promise<unknown> = Promise.resolve()
    await database.transaction(async (tx) => {
      for (const statement of queueingRuns(means, runs)) await execute(tx, statement)
      waiting = second()
      await waitsForLock()
      await more()
    })
    await waiting
    return runs.map((run) => run.id)
  }

  test('of one group are decided one after the other', async () => {
    for (const [on, after] of [
      ['skip', ['canceled', null]],
      ['queue', ['queued', 'group']],
      ['cancel_running', ['canceled', null]],
    ] as const) {
      const name = `${group} ${on}`
      let second = ''
      const [first = ''] = await race([{ on, group: name, commit: B, at: 2 }], async () => {
        second = await queueOne({ on, group: name, commit: A, at: 1 })
      })
      assert.equal(await statusOf(first), 'queued', on)
      const { status, withheld } = await read(second)
      assert.deepEqual([status, withheld], after, on)
    }
  })

  test('of one pull request are decided one after the other', async () => {
    const held = { concurrency: undefined, untrusted: true, hold: { kind: 'fork_approval', pullRequest: 20 } } as const
    const [first = ''] = await race([{ commit: A, more: held }], () => queueOne({ commit: B, more: held }))
    assert.equal(await statusOf(first), 'canceled')
  })

  test('a run that starts to wait just as the last one before it ends is released', async () => {
    const running = await begin(await queueOne({ on: 'queue' }))
    const [waiting = ''] = await race(
      [{ on: 'queue', commit: B }],
      () => database.pipeline(releasingGroup({ team_path: 'acme/web', concurrency_group: group })),
      async () => finish(running),
    )
    assert.equal((await read(waiting)).withheld, null)
  })

  test('of two groups each, named in other orders, never wait for each other', async () => {
    const [x, y] = [`${group} x`, `${group} y`]
    const pairs = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? [x, y] : [y, x]))
    await Promise.all(pairs.map((names) => queue(...names.map((name) => ({ on: 'queue', group: name }) as const))))
    for (const name of [x, y]) {
      const { rows } = await sql<{ turn: number; waiting: number }>`
        select count(*) filter (where withheld is null) as turn, count(*) filter (where withheld = 'group') as waiting
        from runs where concurrency_group = ${name}`.execute(db)
      assert.deepEqual(rows, [{ turn: 1, waiting: 29 }])
    }
  })

  test('whatever comes at once, one of a group has its turn, and the newest of all is never canceled', async () => {
    const minutes = Array.from({ length: 40 }, (_, at) => (at * 17) % 40)
    const sha = (minute: number) => String(minute).padStart(40, '0')
    const made = await Promise.all(
      minutes.map(async (at) => ({ at, id: await queueOne({ commit: `f${sha(at).slice(1)}`, at }) })),
    )
    for (const { at, id } of made) assert.equal(await statusOf(id), at === 39 ? 'queued' : 'canceled')
    assert.equal(ended.length, 39)
  })

  test('releasing and queueing at once never give two runs of a group their turn', async () => {
    let most = 0
    const turns = async () => {
      const { rows } = await sql<{ id: string }>`
        select id from runs where concurrency_group = ${group} and withheld is null and finished_at is null`.execute(db)
      most = Math.max(most, rows.length)
      return rows.map((row) => row.id)
    }
    const todo = { left: 60 }
    const queueing = Array.from({ length: 4 }, async () => {
      while (todo.left > 0) {
        todo.left -= 1
        await queueOne({ on: 'queue' })
      }
    })
    const finishing = Array.from({ length: 2 }, async () => {
      while (todo.left > 0) {
        for (const id of await turns()) await finish(id)
        await releaseGroups(database)
      }
    })
    await Promise.all([...queueing, ...finishing])
    for (let ids = await turns(); ids.length > 0; ids = await turns()) {
      for (const id of ids) await finish(id)
      await releaseGroups(database)
    }
    assert.equal(most, 1)
    const { rows } = await sql`select from runs where concurrency_group = ${group} and finished_at is null`.execute(db)
    assert.equal(rows.length, 0, 'each had its turn')
  })
})
